// The automata of the system, as they were laid out, with the current locations of the agents lit.

import type { Automaton, Drawing, DrawingEdge } from "../types";
import { button, download, fresh, h, s, say, set } from "./dom";
import { standalone } from "./export";
import { hue, ink, type Pane, type Stage } from "./stage";
import { placeOf } from "./step";

interface Node {
  group: SVGGElement;
  badges: SVGGElement;
  location: number | undefined;
  right: number;
  top: number;
}

interface View {
  automaton: Automaton;
  svg: SVGSVGElement;
  frame: HTMLElement;
  /** The width of the drawing, in its own units. */
  width: number;
  /** Where it begins, in its own units. */
  left: number;
  /** Pixels for a unit; 0 until it is known how much room there is. */
  zoom: number;
  nodes: Node[];
  edges: { group: SVGGElement; place: string | undefined; from: number; to: number }[];
  byId: Map<number, Node>;
}

/** The height of a line of text, as the layout assumes it. */
const LINE = 14;
/** How far corners of edges are rounded. */
const ROUND = 14;

/** A line through points, with round corners. */
export function rounded(points: [number, number][]): string {
  const [first] = points;
  if (!first) return "";
  const toward = (from: [number, number], to: [number, number], most: number): string => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const part = Math.min(most, length / 2) / length;
    return `${(from[0] + (to[0] - from[0]) * part).toFixed(1)} ${(from[1] + (to[1] - from[1]) * part).toFixed(1)}`;
  };
  let path = `M${first[0]} ${first[1]}`;
  for (let i = 1; i < points.length; i += 1) {
    const [before, here, next] = [points[i - 1], points[i], points[i + 1]] as [number, number][];
    if (!before || !here) continue;
    path += next ? `L${toward(here, before, ROUND)}Q${here[0]} ${here[1]} ${toward(here, next, ROUND)}` : `L${here[0]} ${here[1]}`;
  }
  return path;
}

/** What a drawing covers, with room for the badges of agents: left, top, right, bottom. */
function bounds(drawing: Drawing): [number, number, number, number] {
  const box: [number, number, number, number] = [0, 0, drawing.width, drawing.height];
  const cover = (x: number, y: number, wide: number, high: number): void => {
    box[0] = Math.min(box[0], x - wide);
    box[1] = Math.min(box[1], y - high);
    box[2] = Math.max(box[2], x + wide);
    box[3] = Math.max(box[3], y + high);
  };
  for (const node of drawing.nodes) cover(node.x, node.y, node.width / 2 + 8, node.height / 2 + 10);
  for (const edge of drawing.edges) {
    for (const [x, y] of edge.points) cover(x, y, 2, 2);
    // Letters of a label are 6.7 wide.
    if (edge.label.length > 0) cover(edge.at[0], edge.at[1], Math.max(...edge.label.map((line) => line.length)) * 3.35, (edge.label.length * LINE) / 2);
  }
  return [box[0] - 8, box[1] - 8, box[2] + 8, box[3] + 8];
}

export class Automata implements Pane {
  readonly element: HTMLElement;
  private readonly views: View[] = [];
  private readonly legend = h("div", { class: "sc-legend" });
  private readonly places = new Map<number, { step: number; at: number[] }[]>();

  constructor(private readonly stage: Stage) {
    const { picture } = stage;
    for (const { step, agent, at } of picture?.places ?? []) {
      const known = this.places.get(agent) ?? [];
      known.push({ step, at });
      this.places.set(agent, known);
    }
    this.element = h("div", { class: "sc-automata-view", "data-view": "automata" });
    for (const automaton of picture?.automata ?? []) this.element.append(this.draw(automaton));
    if (this.places.size > 0) {
      const keys = h("ul", { class: "sc-keys" }, h("li", { class: "sc-keys-title" }, "where agents are"));
      for (const { agent, name } of stage.run.agents.slice(0, 24)) {
        const swatch = h("i", { class: "sc-swatch" });
        swatch.style.background = hue(agent);
        keys.append(h("li", {}, swatch, `${agent}: ${name}`));
      }
      keys.append(h("li", {}, h("i", { class: "sc-stroke sc-stroke-message" }), "action of this step"));
      this.legend.append(keys);
      this.element.append(this.legend);
    }
  }

  private draw(automaton: Automaton): HTMLElement {
    const { drawing } = automaton;
    const marker = fresh("tip");
    const lit = fresh("lit");
    const tip = (id: string, name: string): SVGMarkerElement =>
      s("marker", { id, class: name, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" }, s("path", { d: "M0 1 10 5 0 9z" }));
    const [left, top, right, bottom] = bounds(drawing);
    const [width, height] = [right - left, bottom - top];
    const names = automaton.agents.map((agent) => this.stage.run.agentName(agent)).join(", ");
    const svg = s("svg", { class: "sc-svg sc-automaton", role: "img", "aria-label": `Automaton ${automaton.name}`, viewBox: `${left} ${top} ${width} ${height}` }, s("defs", {}, tip(marker, "sc-tip"), tip(lit, "sc-tip sc-lit")));
    const frame = h("div", { class: "sc-automaton-frame", tabindex: 0, role: "group", "aria-label": `Automaton ${automaton.name}` }, svg);
    const view: View = { automaton, svg, frame, width, left, zoom: 0, nodes: [], edges: [], byId: new Map() };
    const edges = s("g");
    const labels = s("g");
    for (const edge of drawing.edges) {
      const group = this.edge(edge, marker);
      edges.append(group);
      const text = s("text", { class: "sc-edge-label", "text-anchor": "middle" });
      const first = edge.at[1] - ((edge.label.length - 1) * LINE) / 2 + 3.9;
      for (const [index, line] of edge.label.entries()) text.append(s("tspan", { x: edge.at[0], y: first + LINE * index }, line));
      labels.append(text);
      view.edges.push({ group, place: edge.place, from: edge.from, to: edge.to });
    }
    svg.append(edges, labels);
    for (const node of drawing.nodes) {
      const [x, y] = [node.x - node.width / 2, node.y - node.height / 2];
      const radius = Math.min(node.height, node.width) / 2;
      // A node without a name that is no place only splits and joins.
      const bar = node.label === "" && node.location === undefined;
      const group = s("g", { class: bar ? "sc-node sc-bar" : "sc-node", "data-location": node.location, "data-id": node.id }, s("title", {}, node.label));
      if (node.initial) group.append(s("path", { class: "sc-initial", d: `M${x - 20} ${node.y}H${x - 2}`, "marker-end": `url(#${marker})` }));
      group.append(s("rect", { x, y, width: node.width, height: node.height, rx: bar ? 0 : radius }));
      if (node.last) group.append(s("rect", { class: "sc-last", x: x + 3, y: y + 3, width: node.width - 6, height: node.height - 6, rx: Math.max(radius - 3, 1) }));
      group.append(s("text", { x: node.x, y: node.y + 4, "text-anchor": "middle" }, node.label));
      const badges = s("g", { class: "sc-badges" });
      group.append(badges);
      svg.append(group);
      const drawn = { group, badges, location: node.location, right: x + node.width, top: y };
      view.nodes.push(drawn);
      view.byId.set(node.id, drawn);
    }
    this.views.push(view);
    const tools = this.handle(view, automaton.name);
    const title = names && names !== automaton.name ? `${automaton.name} · ${names}` : automaton.name;
    return h("figure", { class: "sc-automaton-box", "data-automaton": automaton.name }, h("figcaption", {}, h("b", {}, title), tools), frame);
  }

  private edge(edge: DrawingEdge, marker: string): SVGGElement {
    return s("g", { class: "sc-edge", "data-from": edge.from, "data-to": edge.to, "data-place": edge.place }, s("path", { d: rounded(edge.points), "marker-end": `url(#${marker})` }));
  }

  /** Zoom with buttons or with the wheel and Ctrl; move by dragging or scrolling. */
  private handle(view: View, name: string): HTMLElement {
    const { svg, frame } = view;
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(view, view.zoom * (event.deltaY > 0 ? 1 / 1.12 : 1.12));
    }, { passive: false });
    let held: { x: number; y: number } | undefined;
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse") return;
      held = { x: event.clientX, y: event.clientY };
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!held) return;
      frame.scrollBy(held.x - event.clientX, held.y - event.clientY);
      held = { x: event.clientX, y: event.clientY };
    });
    const release = (): void => {
      held = undefined;
    };
    svg.addEventListener("pointerup", release);
    svg.addEventListener("pointercancel", release);
    return h(
      "span",
      { class: "sc-tools" },
      button("−", `Zoom out ${name}`, () => this.zoom(view, view.zoom / 1.25), "sc-button sc-small"),
      button("+", `Zoom in ${name}`, () => this.zoom(view, view.zoom * 1.25), "sc-button sc-small"),
      button("fit", `Show all of ${name}`, () => this.zoom(view, frame.clientWidth / view.width), "sc-button sc-small"),
      button("SVG", `Download ${name} as SVG`, () => download(`${name}.svg`, "image/svg+xml", standalone(svg, { legend: this.legend })), "sc-button sc-small"),
    );
  }

  private zoom(view: View, to: number): void {
    view.zoom = Math.max(0.15, Math.min(4, to));
    view.svg.style.width = `${Math.round(view.width * view.zoom)}px`;
  }

  /** The locations of an agent after `step` steps. */
  private at(agent: number, step: number): number[] {
    const known = this.places.get(agent) ?? [];
    let [low, high] = [0, known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((known[middle]?.step ?? 0) <= step) low = middle + 1;
      else high = middle;
    }
    return known[low - 1]?.at ?? [];
  }

  show(step: number): void {
    const place = placeOf(this.stage, step);
    const received = new Set((this.stage.run.trace.steps[step - 1]?.message?.received ?? []).map((part) => part.at));
    const actor = this.stage.run.trace.steps[step - 1]?.agent;
    for (const view of this.views) {
      const { automaton, nodes, edges, byId, frame } = view;
      // All of it is shown if the text stays readable; what does not fit can be scrolled.
      const fits = (frame.clientWidth - 2) / view.width;
      if (view.zoom === 0 && frame.clientWidth > 0) this.zoom(view, fits < 0.68 ? 0.8 : Math.min(1.1, fits));
      const current = new Map<number, number[]>();
      for (const agent of automaton.agents) {
        for (const location of this.at(agent, step)) current.set(location, [...(current.get(location) ?? []), agent]);
      }
      for (const node of nodes) {
        const agents = node.location === undefined ? [] : (current.get(node.location) ?? []);
        const key = agents.join(" ");
        if (node.group.getAttribute("data-current") === key) continue;
        set(node.group, "data-current", key);
        node.group.classList.toggle("sc-current", agents.length > 0);
        this.badge(node, agents);
      }
      const seen = nodes.find((node) => actor !== undefined && node.location !== undefined && current.get(node.location)?.includes(actor));
      if (seen) {
        const right = (seen.right - view.left) * view.zoom;
        const x = right - frame.scrollLeft;
        if (x < 60 || x > frame.clientWidth - 20) frame.scrollLeft = right - frame.clientWidth / 2;
      }
      const before = new Set(automaton.agents.flatMap((agent) => (step > 0 ? this.at(agent, step - 1) : [])));
      const takes = actor !== undefined && automaton.agents.includes(actor);
      for (const edge of edges) {
        const source = byId.get(edge.from)?.location;
        const target = byId.get(edge.to)?.location;
        const moved = source === undefined || target === undefined || (before.has(source) && current.has(target));
        const named = edge.place !== undefined && ((takes && edge.place === place) || received.has(edge.place));
        edge.group.classList.toggle("sc-taken", named && moved);
      }
    }
    set(this.element, "data-step", step);
  }

  private badge(node: Node, agents: number[]): void {
    const shown = agents.slice(0, 6);
    while (node.badges.childElementCount > shown.length + Number(agents.length > 6)) node.badges.lastElementChild?.remove();
    const labels = agents.length > 6 ? [...shown.map(String), `+${agents.length - 6}`] : shown.map(String);
    for (const [index, label] of labels.entries()) {
      let badge = node.badges.children[index] as SVGGElement | undefined;
      if (!badge) {
        badge = s("g", {}, s("circle", { r: 8 }), s("text", { y: 3.2, "text-anchor": "middle" }));
        node.badges.append(badge);
      }
      set(badge, "transform", `translate(${node.right - 4 - (labels.length - 1 - index) * 14} ${node.top})`);
      const colour = index < shown.length ? hue(shown[index] as number) : "#8c8c8c";
      const [circle, text] = [badge.children[0] as SVGCircleElement, badge.children[1] as SVGTextElement];
      circle.style.fill = colour;
      text.style.fill = ink(colour);
      say(text, label);
    }
  }
}
