// The flock tutorial as a guided tour: each step points at a control that is really there, and can do it for the reader.

import { button, fill, h } from "./dom";

export interface TourStop {
  title: string;
  text: string;
  /** What is pointed at. */
  target: string;
  /** Prepares the page for this stop. */
  before?: () => void | Promise<void>;
  /** What the reader is asked to do, if the tour shall do it. */
  act?: { label: string; run: () => void | Promise<void> };
}

/** The part of an element that its pane and the window show. */
function visible(target: Element): DOMRect {
  const box = target.getBoundingClientRect();
  const frame = target.parentElement?.closest(".panel, .pane")?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  const [left, top] = [Math.max(box.left, frame.left), Math.max(box.top, frame.top)];
  return new DOMRect(left, top, Math.min(box.right, frame.right) - left, Math.min(box.bottom, frame.bottom) - top);
}

/** Walks through the stops. */
export function tour(stops: TourStop[], after: () => void = () => {}): void {
  document.querySelector(".tour")?.remove();
  let at = 0;
  const ring = h("div", { class: "tour-ring", "aria-hidden": "true" });
  const card = h("div", { class: "tour-card", role: "dialog", "aria-label": "Tour", "aria-live": "polite" });
  const root = h("div", { class: "tour" }, ring, card);
  const end = () => {
    window.removeEventListener("resize", place);
    document.removeEventListener("keydown", key);
    clearInterval(timer);
    root.remove();
    after();
  };
  const key = (event: KeyboardEvent) => event.key === "Escape" && end();
  const place = () => {
    const target = document.querySelector(stops[at]!.target);
    const box = target && visible(target);
    if (!box || box.width <= 0 || box.height <= 0) {
      ring.hidden = true;
      card.style.left = "24px";
      card.style.top = "80px";
      return;
    }
    ring.hidden = false;
    ring.style.left = `${box.left - 4}px`;
    ring.style.top = `${box.top - 4}px`;
    ring.style.width = `${box.width + 8}px`;
    ring.style.height = `${box.height + 8}px`;
    const { offsetWidth: width, offsetHeight: height } = card;
    const below = box.bottom + 14 + height < innerHeight;
    const above = box.top - 14 - height > 0;
    const left = Math.min(Math.max(12, box.left), innerWidth - width - 12);
    const aside = box.left - width - 20;
    const top = below ? box.bottom + 14 : above ? box.top - 14 - height : Math.max(12, Math.min(box.top, innerHeight - height - 12));
    card.style.left = `${below || above ? left : aside > 0 ? aside : Math.min(box.right + 14, innerWidth - width - 12)}px`;
    card.style.top = `${top}px`;
  };
  const show = async (to: number) => {
    at = to;
    const stop = stops[at]!;
    await stop.before?.();
    const { act } = stop;
    fill(
      card,
      h("p", { class: "faint" }, `${at + 1} of ${stops.length}`),
      h("h2", {}, stop.title),
      h("p", {}, stop.text),
      h(
        "div",
        { class: "bar" },
        act ? button(act.label, () => void Promise.resolve(act.run()).then(() => (at < stops.length - 1 ? show(at + 1) : end())), { class: "primary", "data-tour": "act" }) : null,
        at < stops.length - 1 ? button("Next", () => void show(at + 1), { class: act ? "" : "primary", "data-tour": "next" }) : button("Done", end, { class: "primary", "data-tour": "done" }),
        at > 0 ? button("Back", () => void show(at - 1), { class: "quiet" }) : null,
        button("Leave the tour", end, { class: "quiet", "data-tour": "leave" }),
      ),
    );
    place();
    card.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  };
  document.body.append(root);
  window.addEventListener("resize", place);
  document.addEventListener("keydown", key);
  // Rows and pictures come while the tour waits, and move what it points at.
  const timer = setInterval(place, 300);
  void show(0);
}
