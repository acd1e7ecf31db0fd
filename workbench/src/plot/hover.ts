// Values of what is pointed at in a plot, or walked to with the keyboard. The drawing comes from crates/picture/src/plot;
// whatever has the class sc-mark has its values as a title.

const SVG = "http://www.w3.org/2000/svg";
/** So close, in pixels of the drawing, a point is meant. */
const NEAR = 60;

/** Makes a drawing answer to the pointer and the arrow keys. Returns the element that shows the values. */
export function hover(svg: SVGSVGElement, host: HTMLElement): HTMLElement {
  const tip = document.createElement("div");
  tip.className = "sc-tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  const ring = document.createElementNS(SVG, "circle");
  ring.setAttribute("class", "sc-ring");
  ring.setAttribute("r", "8");
  ring.setAttribute("visibility", "hidden");
  svg.append(ring);
  const words = new Map<Element, string>();
  const marks = [...svg.querySelectorAll(".sc-mark")];
  for (const mark of marks) {
    const title = mark.querySelector("title");
    words.set(mark, title?.textContent ?? "");
    // The browser's own box would cover this one.
    title?.remove();
  }
  // The title of the whole drawing stays for those who hear the page; its box would follow the pointer everywhere.
  for (const child of [...svg.children]) if (child.tagName === "title") child.remove();
  let current: Element | undefined;
  const show = (mark: Element | undefined): void => {
    current?.classList.remove("sc-current");
    current = mark;
    tip.hidden = !mark;
    ring.setAttribute("visibility", "hidden");
    if (!mark) return;
    mark.classList.add("sc-current");
    tip.textContent = words.get(mark) ?? "";
    const frame = host.getBoundingClientRect();
    const at = place(mark);
    let left: number;
    let top: number;
    if (at) {
      ring.setAttribute("cx", String(at[0]));
      ring.setAttribute("cy", String(at[1]));
      ring.setAttribute("visibility", "visible");
      const by = ring.getBoundingClientRect();
      [left, top] = [(by.left + by.right) / 2, by.top];
    } else {
      const box = (mark.querySelector(".sc-bar") ?? mark).getBoundingClientRect();
      [left, top] = [(box.left + box.right) / 2, box.top];
    }
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.max(4, Math.min(left - frame.left - half, frame.width - 2 * half - 4))}px`;
    const above = top - frame.top - tip.offsetHeight - 8;
    tip.style.top = `${above >= 0 ? above : top - frame.top + 26}px`;
  };
  const nearest = (event: PointerEvent): Element | undefined => {
    const over = (event.target as Element).closest?.(".sc-mark");
    if (over) return over;
    const matrix = svg.getScreenCTM();
    if (!matrix) return undefined;
    const from = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let best: Element | undefined;
    let distance = NEAR;
    for (const mark of marks) {
      const at = place(mark);
      if (!at) continue;
      const d = Math.hypot(at[0] - from.x, at[1] - from.y);
      if (d < distance) [best, distance] = [mark, d];
    }
    return best;
  };
  svg.addEventListener("pointermove", (event) => show(nearest(event)));
  svg.addEventListener("pointerdown", (event) => show(nearest(event)));
  svg.addEventListener("pointerleave", () => show(undefined));
  if (marks.length > 0) {
    svg.tabIndex = 0;
    svg.addEventListener("keydown", (event) => {
      const at = current ? marks.indexOf(current) : -1;
      const last = marks.length - 1;
      const to = { ArrowRight: Math.min(last, at + 1), ArrowLeft: Math.max(0, at - 1), Home: 0, End: last, Escape: -2 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      show(to < 0 ? undefined : marks[to]);
    });
    svg.addEventListener("blur", () => show(undefined));
  }
  host.append(tip);
  return tip;
}

/** Where a point of a line is, in the drawing. */
function place(mark: Element): [number, number] | undefined {
  const at = (mark as SVGElement).dataset.at?.split(" ").map(Number);
  return at?.length === 2 ? [at[0]!, at[1]!] : undefined;
}
