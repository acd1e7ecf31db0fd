// Elements without markup: text only ever goes in as text.

export const SVG = "http://www.w3.org/2000/svg";

export type Attributes = Record<string, string | number | boolean | undefined | null>;

function fill(element: Element, attributes: Attributes, children: (Node | string)[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) element.append(child);
}

/** An HTML element with attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/** An SVG element with attributes and children. */
export function s<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, name);
  fill(element, attributes, children);
  return element;
}

/** Sets an attribute only if it differs, so that unchanged nodes cost nothing. */
export function set(element: Element, name: string, value: string | number | undefined | null): void {
  if (value === undefined || value === null) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Sets the text only if it differs. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function button(label: string, title: string, act: () => void, classes = "sc-button"): HTMLButtonElement {
  const element = h("button", { type: "button", class: classes, title, "aria-label": title }, label);
  element.addEventListener("click", act);
  return element;
}

/** Removes all children. */
export function clear(element: Element): void {
  while (element.lastChild) element.lastChild.remove();
}

let ids = 0;
/** A name for an element that no other element of the document has. */
export function fresh(prefix: string): string {
  ids += 1;
  return `sc-${prefix}-${ids}`;
}

/** Offers a text as a file. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** The reader does not want things to move. */
export const calm = (): boolean => reduced.matches;
