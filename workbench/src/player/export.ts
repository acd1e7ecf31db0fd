// A drawing as an SVG file of its own: the styles that the page gives its nodes are written into them.

/** Properties that children take over from their parents: they are only written where they differ. */
const INHERITED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "font-size", "font-weight", "font-family", "text-anchor", "visibility", "paint-order"];

/** The text of an SVG file that looks like the node in the page. It is for paper, so it has the colours of the light theme. */
export function standalone(svg: SVGSVGElement): string {
  const page = document.documentElement;
  const theme = page.getAttribute("data-theme");
  page.setAttribute("data-theme", "light");
  try {
    return written(svg);
  } finally {
    if (theme === null) page.removeAttribute("data-theme");
    else page.setAttribute("data-theme", theme);
  }
}

function written(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  for (const [index, original] of originals.entries()) {
    const target = copies[index];
    if (!target || original.closest("defs") === original) continue;
    const style = getComputedStyle(original);
    const parent = original === svg || !original.parentElement ? undefined : getComputedStyle(original.parentElement);
    for (const name of INHERITED) {
      const value = style.getPropertyValue(name);
      if (parent?.getPropertyValue(name) === value) target.removeAttribute(name);
      else target.setAttribute(name, value);
    }
    if (style.opacity !== "1") target.setAttribute("opacity", style.opacity);
    target.removeAttribute("class");
    target.removeAttribute("style");
  }
  const box = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(box.width)));
  copy.setAttribute("height", String(Math.round(box.height)));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x: box.x, y: box.y, width: box.width, height: box.height, fill: "#ffffff" })) {
    paper.setAttribute(name, String(value));
  }
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}
