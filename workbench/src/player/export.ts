// A drawing as an SVG file of its own: the styles that the page gives its nodes are written into them.

import { s } from "./dom";

/** Properties that children take over from their parents: they are only written where they differ. */
const INHERITED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "font-size", "font-weight", "font-family", "text-anchor", "visibility", "paint-order"];

export interface Paper {
  /** The least width of the picture, in pixels; as wide as it is drawn unless it is said. */
  width?: number;
  /** The legend of the page, which is drawn below the picture. */
  legend?: HTMLElement;
}

/** The text of an SVG file that looks like the node in the page. It is for paper, so it has the colours of the light theme. */
export function standalone(svg: SVGSVGElement, paper: Paper = {}): string {
  const page = document.documentElement;
  const theme = page.getAttribute("data-theme");
  page.setAttribute("data-theme", "light");
  try {
    return written(svg, paper);
  } finally {
    if (theme === null) page.removeAttribute("data-theme");
    else page.setAttribute("data-theme", theme);
  }
}

/** Colours that are not there are `none`: not every reader of SVG knows `rgba`. */
const plain = (value: string): string => (/^rgba\(.*, 0\)$/.test(value) ? "none" : value);

function written(svg: SVGSVGElement, paper: Paper): string {
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
      else target.setAttribute(name, plain(value));
    }
    if (style.opacity !== "1") target.setAttribute("opacity", style.opacity);
    target.removeAttribute("class");
    target.removeAttribute("style");
  }
  const { x, y, width, height } = svg.viewBox.baseVal;
  const scale = Math.max(1, (paper.width ?? 0) / width);
  const keys = paper.legend ? legend(paper.legend, width * scale - 16) : undefined;
  const total = height + (keys ? keys.height / scale : 0);
  if (keys) {
    keys.group.setAttribute("transform", `translate(${x + 8 / scale} ${y + height}) scale(${1 / scale})`);
    copy.append(keys.group);
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `${x} ${y} ${width} ${total}`);
  copy.setAttribute("width", String(Math.round(width * scale)));
  copy.setAttribute("height", String(Math.round(total * scale)));
  copy.prepend(s("rect", { x, y, width, height: total, fill: "#ffffff" }));
  return new XMLSerializer().serializeToString(copy);
}

/** About how wide a text of the legend is. */
const wide = (text: string): number => text.length * 6.6;
const LINE = 20;

/** The legend as a drawing: its items from left to right, in as many lines as they need. */
function legend(from: HTMLElement, width: number): { group: SVGGElement; height: number } | undefined {
  const style = getComputedStyle(from);
  const group = s("g", { fill: style.color, stroke: "none", "font-size": 12, "font-family": style.fontFamily, "text-anchor": "start", "data-legend": "true" });
  let [left, line] = [0, 0];
  for (const item of from.querySelectorAll("li")) {
    const drawn = s("g");
    let room = 0;
    for (const node of item.childNodes) {
      if (node instanceof HTMLElement) room += key(drawn, node, room);
      else {
        const text = node.textContent ?? "";
        const colour = getComputedStyle(item).color;
        drawn.append(s("text", { x: room, y: 4, fill: colour }, text));
        room += wide(text) + 4;
      }
    }
    if (room === 0) continue;
    if (left > 0 && left + room > width) [left, line] = [0, line + 1];
    drawn.setAttribute("transform", `translate(${left.toFixed(1)} ${line * LINE + 14})`);
    group.append(drawn);
    left += room + 12;
  }
  return group.childElementCount > 0 ? { group, height: (line + 1) * LINE + 10 } : undefined;
}

/** Draws a sign of the legend at `x`, and says how much room it takes. */
function key(group: SVGGElement, sign: HTMLElement, x: number): number {
  const style = getComputedStyle(sign);
  if (sign.classList.contains("sc-swatch")) {
    group.append(s("circle", { cx: x + 6, cy: 0, r: 5.5, fill: style.backgroundColor }));
    return 16;
  }
  if (sign.classList.contains("sc-diamond")) {
    group.append(s("path", { d: `M${x + 6}-6l6 6-6 6-6-6z`, fill: "none", stroke: style.borderTopColor, "stroke-width": 2 }));
    return 18;
  }
  if (sign.classList.contains("sc-stroke")) {
    const dashes = { dashed: "6 3", dotted: "2 3" }[style.borderTopStyle];
    group.append(s("path", { d: `M${x} 0h22`, fill: "none", stroke: style.borderTopColor, "stroke-width": 2, "stroke-dasharray": dashes }));
    return 28;
  }
  if (sign.classList.contains("sc-ramp")) {
    const colour = getComputedStyle(document.documentElement).getPropertyValue("--sc-heat").trim();
    for (let part = 0; part < 8; part += 1) group.append(s("rect", { x: x + part * 8, y: -5, width: 8, height: 10, fill: colour, "fill-opacity": ((part + 0.5) / 8) * 0.9 }));
    return 70;
  }
  const text = sign.textContent ?? "";
  group.append(s("text", { x, y: 4, fill: style.color }, text));
  return wide(text) + 4;
}
