// A laid-out graph as SVG: automata and state spaces. Places are those of the server; nothing is laid out here.

import type { Drawing } from "../types";
import { s } from "./dom";

let drawings = 0;

/** Draws a graph; `current` gives for a location the agents that are there. */
export function draw(drawing: Drawing, current: Map<number, string>, follow?: (place: string) => void): SVGSVGElement {
  const id = `arrow-${++drawings}`;
  const svg = s(
    "svg",
    { class: "drawing", viewBox: `-8 -8 ${drawing.width + 16} ${drawing.height + 16}`, width: drawing.width + 16, height: drawing.height + 16, role: "img" },
    s("defs", {}, s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, s("path", { d: "M0 0.5L8 4L0 7.5z", class: "drawing-head" }))),
  );
  for (const edge of drawing.edges) {
    const path = edge.points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join("");
    const group = s("g", { class: "drawing-edge", "data-from": edge.from, "data-to": edge.to }, s("path", { d: path, "marker-end": `url(#${id})` }));
    edge.label.forEach((line, i) => {
      const text = s("text", { x: edge.at[0], y: edge.at[1] + i * 13 - ((edge.label.length - 1) * 13) / 2, "text-anchor": "middle", "dominant-baseline": "middle" }, line);
      group.append(text);
    });
    if (edge.place && follow) {
      group.classList.add("drawing-link");
      group.addEventListener("click", () => follow(edge.place!));
    }
    svg.append(group);
  }
  for (const node of drawing.nodes) {
    const here = node.location === undefined ? undefined : current.get(node.location);
    const group = s(
      "g",
      { class: `drawing-node${here ? " drawing-here" : ""}${node.initial ? " drawing-initial" : ""}`, "data-node": node.id, "data-location": node.location, "data-current": here ?? "" },
      s("title", {}, here ? `${node.label}: ${here}` : node.label),
      s("rect", { x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height, rx: Math.min(node.height / 2, 10) }),
      node.last ? s("rect", { x: node.x - node.width / 2 + 3, y: node.y - node.height / 2 + 3, width: node.width - 6, height: node.height - 6, rx: 7 }) : null,
      s("text", { x: node.x, y: node.y, "text-anchor": "middle", "dominant-baseline": "central" }, node.label),
    );
    svg.append(group);
  }
  return svg;
}
