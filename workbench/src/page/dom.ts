// Elements without a framework. Text becomes text nodes only: nothing here ever reads markup.

export type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

/** An element; properties that begin with `on` are listeners, `class` is the class, everything else an attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  assign(element, props);
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for drawings. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  assign(element, props);
  append(element, children);
  return element;
}

function assign(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "value" && "value" in element) {
      (element as HTMLInputElement).value = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === "number" ? String(child) : child);
  }
}

/** Replaces what is inside. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

const PATHS: Record<string, string> = {
  play: "M5 3.5v9l7.5-4.5z",
  check: "M3 8.5l3.2 3.2L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  question: "M5.6 6a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1.1.8-1.1 1.7M8 12.4v.2",
  warning: "M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.2",
  gallery: "M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5h-4.5zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5h-4.5z",
  open: "M2 12.5v-9h4l1.5 2h6.5v7z",
  share: "M6.5 9.5l3-3M7 5l1.6-1.6a2.8 2.8 0 0 1 4 4L11 9M9 11l-1.6 1.6a2.8 2.8 0 0 1-4-4L5 7",
  download: "M8 2v8M4.7 7l3.3 3.3L11.3 7M2.5 13.5h11",
  theme: "M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z",
  plus: "M8 3v10M3 8h10",
  larger: "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-5 5M2.5 13.5l5-5",
  tour: "M2.5 8a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0-11 0M10.3 5.7L9 9l-3.3 1.3L7 7z",
  stop: "M4 4h8v8H4z",
  gear: "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M8.5 3.2v3.6M7.5 9.2v3.6",
};

/** A small picture that stands beside words, never instead of them. */
export function icon(name: string): SVGSVGElement {
  const filled = name === "play" || name === "stop";
  return s(
    "svg",
    { class: `icon${filled ? " icon-filled" : ""}`, viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    s("path", { d: PATHS[name] ?? "" }),
  );
}

/** A button with words, and perhaps a picture. */
export function button(label: string, onclick: () => void, props: Props = {}, picture?: string): HTMLButtonElement {
  return h("button", { type: "button", onclick, ...props }, picture ? icon(picture) : null, h("span", {}, label));
}

/** A name for a file, made of what a model calls something. */
export const fileName = (name: string): string => name.replace(/[^\w.-]+/g, "_");

/** Saves a text as a file of the person who looks at the page. */
export function download(name: string, contents: string | Uint8Array<ArrayBuffer>, type = "text/plain"): void {
  const full = typeof contents === "string" ? `${type};charset=utf-8` : type;
  const url = URL.createObjectURL(new Blob([contents], { type: full }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

let toasts: HTMLElement | undefined;

/** Says something in passing; read aloud, too. */
export function say(text: string, bad = false): void {
  toasts ??= document.body.appendChild(h("div", { class: "toasts", role: "status", "aria-live": "polite" }));
  const toast = h("div", { class: bad ? "toast toast-bad" : "toast" }, text);
  toasts.append(toast);
  setTimeout(() => toast.remove(), 6000);
}

/** A dialog; Esc and the button close it, and the focus goes back to where it was. */
export function dialog(title: string, ...children: Child[]): HTMLDialogElement {
  const before = document.activeElement as HTMLElement | null;
  const heading = h("h2", { id: `dialog-${Date.now()}` }, title);
  const box = h(
    "dialog",
    { class: "dialog", "aria-labelledby": heading.id },
    h("header", {}, heading, button("Close", () => box.close(), { class: "quiet", "data-close": true })),
    h("div", { class: "dialog-body" }, ...children),
  );
  box.addEventListener("close", () => {
    box.remove();
    before?.focus?.();
  });
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

/** Calls a function when nothing has happened for a while. */
export function debounce(wait: number, call: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(call, wait);
  };
}

/** Seconds as people write them. */
export function seconds(value: number): string {
  if (value < 0.01) return "< 0.01 s";
  return value < 10 ? `${value.toFixed(2)} s` : `${value.toFixed(0)} s`;
}

/** A number with spaces between thousands. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** `1 step`, `2 steps`. */
export function counted(count: number, word: string): string {
  return `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
}
