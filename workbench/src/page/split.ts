// Borders between panes that can be moved, with the mouse or with the arrow keys.

import { h } from "./dom";

/** A border; `name` is the variable that has the size of what is before it, in percent. */
export function splitter(bench: HTMLElement, name: "left" | "upper", label: string, usual: number): { bar: HTMLElement; suggest(percent: number): void } {
  const across = name === "left";
  const bar = h("div", {
    class: `split split-${name}`,
    role: "separator",
    tabindex: 0,
    "aria-label": label,
    "aria-orientation": across ? "vertical" : "horizontal",
    "aria-valuemin": 15,
    "aria-valuemax": 80,
  });
  let now = usual;
  let moved = false;
  const set = (percent: number) => {
    now = Math.max(15, Math.min(80, percent));
    bench.style.setProperty(`--${name}`, `${now}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(now)));
  };
  set(usual);
  bar.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: across ? -2 : 0, ArrowRight: across ? 2 : 0, ArrowUp: across ? 0 : -2, ArrowDown: across ? 0 : 2 }[event.key];
    if (!by) return;
    event.preventDefault();
    moved = true;
    set(now + by);
  });
  bar.addEventListener("dblclick", () => ((moved = false), set(usual)));
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    moved = true;
    const move = (to: PointerEvent) => {
      const box = bench.getBoundingClientRect();
      set(across ? ((to.clientX - box.left) / box.width) * 100 : ((to.clientY - box.top) / box.height) * 100);
    };
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
  });
  // Where somebody has put a border it stays.
  return { bar, suggest: (percent) => !moved && set(percent) };
}
