// A drawing as an SVG file of its own: the styles that the page gives its nodes are written into them.

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "visibility"];

/** The text of an SVG file that looks like the node in the page. */
export function standalone(svg: SVGSVGElement, background?: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  for (const [index, original] of originals.entries()) {
    const target = copies[index];
    if (!target || original.closest("defs") === original) continue;
    const style = getComputedStyle(original);
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value !== "" && value !== "normal") target.setAttribute(name, value);
    }
    target.removeAttribute("class");
    target.removeAttribute("style");
  }
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(box.width)));
  copy.setAttribute("height", String(Math.round(box.height)));
  if (background) {
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [name, value] of Object.entries({ x: box.x, y: box.y, width: box.width, height: box.height, fill: background })) {
      rect.setAttribute(name, String(value));
    }
    copy.prepend(rect);
  }
  return new XMLSerializer().serializeToString(copy);
}
