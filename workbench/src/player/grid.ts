// Agents at their places: headings, colours by a variable, links, messages of the step, floors as heat maps, things of the
// environment. Without places, agents stand in a ring. SVG nodes are made once and moved; nothing is rebuilt per step.

import { button, calm, clear, download, fresh, h, s, say, set } from "./dom";
import { LinkSet } from "./links";
import { CELL, Look, type Looks } from "./look";
import { settings } from "./settings";
import { ink, type Pane, type Stage } from "./stage";
import { standalone } from "./export";

const RING = 150;
/** How long a message flies, in milliseconds. */
const FLIGHT = 450;
const BODY = 10;
const ROUND = `M${BODY} 0A${BODY} ${BODY} 0 1 1 ${-BODY} 0A${BODY} ${BODY} 0 1 1 ${BODY} 0Z`;
const [NX, NY] = [BODY * Math.cos(0.62), BODY * Math.sin(0.62)];
const NOSE = `M${NX.toFixed(2)} ${(-NY).toFixed(2)}L${1.6 * BODY} 0L${NX.toFixed(2)} ${NY.toFixed(2)}A${BODY} ${BODY} 0 1 1 ${NX.toFixed(2)} ${(-NY).toFixed(2)}Z`;

interface Spot {
  x: number;
  y: number;
  scale: number;
}

interface Figure {
  agent: number;
  kind: string;
  group: SVGGElement;
  body: SVGPathElement;
  text: SVGTextElement;
  title: SVGTitleElement;
  now: Spot;
  from: Spot;
  to: Spot;
  looks: Looks | undefined;
}

interface Wire {
  a: Figure;
  b: Figure;
  line: SVGLineElement;
  echo: SVGLineElement | undefined;
  /** How far it is moved aside, so that links of several sets lie side by side. */
  aside: number;
  /** Whether the link predicate looks across the border. */
  wraps: boolean;
}

export class Grid implements Pane {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  readonly look: Look;
  readonly links: LinkSet[];
  readonly hidden = new Set<string>();
  floor: string | undefined;
  private zoom = 1;
  private readonly frame: HTMLElement;
  private readonly legend: HTMLElement;
  private readonly caption: HTMLElement;
  private svg: SVGSVGElement = s("svg");
  private wires = new Map<string, Wire>();
  private layers = { floor: s("g"), links: s("g"), things: s("g"), messages: s("g"), agents: s("g") };
  private figures = new Map<number, Figure>();
  private tiles: { rect: SVGRectElement; text: SVGTextElement | undefined; slot: number }[] = [];
  private things: { group: SVGGElement; x: number; y: number }[] = [];
  private heat = { low: 0, high: 1 };
  private moving = new Set<Figure>();
  private flights: { dot: SVGCircleElement; from: Spot; to: { x: number; y: number } }[] = [];
  private animation = 0;
  private began = 0;
  private lasts = 0;
  private shown = -1;
  private readonly arrowhead = fresh("head");
  private readonly linkhead = fresh("link");
  private readonly clip = fresh("clip");

  constructor(private readonly stage: Stage) {
    const { run, picture } = stage;
    this.look = new Look(run, picture?.view);
    this.links = (picture?.links ?? []).map((links) => new LinkSet(links));
    this.floor = picture?.view?.floors?.[0]?.variable;
    this.zoom = stage.memory.zoom ?? 1;
    this.frame = h("div", { class: "sc-frame" });
    this.legend = h("div", { class: "sc-legend" });
    this.caption = h("p", { class: "sc-visually-hidden", id: fresh("caption") });
    this.tools = h(
      "div",
      { class: "sc-tools" },
      button("−", "Zoom out", () => this.rescale(this.zoom / 1.25), "sc-button sc-small"),
      button("+", "Zoom in", () => this.rescale(this.zoom * 1.25), "sc-button sc-small"),
      button("SVG", "Download this picture as SVG", () => this.export(), "sc-button sc-small"),
    );
    this.element = h("div", { class: "sc-grid-view", "data-view": "grid" }, this.frame, this.legend, this.caption, settings(this));
    this.rebuild();
  }

  get run(): Stage["run"] {
    return this.stage.run;
  }

  get floors(): string[] {
    return (this.stage.picture?.view?.floors ?? []).map((floor) => floor.variable);
  }

  private get size(): { width: number; height: number } {
    if (!this.look.placed) return { width: 2 * this.radius + 200, height: this.run.agents.length <= 2 ? 110 : 2 * this.radius + 90 };
    return { width: this.look.width * CELL, height: this.look.height * this.row };
  }

  /** The radius of the ring of agents without places. */
  private get radius(): number {
    const count = this.run.agents.length;
    return count <= 5 ? 110 : Math.min(RING + Math.max(0, count - 16) * 4, 260);
  }

  /** The height of a row. On a line there is room to stand above each other, so that links can be seen. */
  private get row(): number {
    return this.look.height === 1 ? CELL * Math.min(3, Math.max(1, this.run.agents.length)) : CELL;
  }

  private rescale(zoom: number): void {
    this.zoom = Math.max(0.5, Math.min(6, zoom));
    this.stage.memory.zoom = this.zoom;
    const { width } = this.size;
    this.svg.style.width = `${100 * this.zoom}%`;
    this.svg.style.maxWidth = `${Math.max(width * 1.6, 320) * this.zoom}px`;
    this.svg.style.maxHeight = this.zoom > 1 ? "none" : "";
  }

  /** Draws everything anew: for another look, not for another step. */
  rebuild(): void {
    cancelAnimationFrame(this.animation);
    this.animation = 0;
    this.moving.clear();
    this.wires.clear();
    this.tiles = [];
    this.things = [];
    this.figures.clear();
    const { width, height } = this.size;
    const edge = this.look.placed ? 22 : 4;
    this.layers = {
      floor: s("g", { class: "sc-floors" }),
      links: s("g", { class: "sc-links" }),
      things: s("g", { class: "sc-things" }),
      messages: s("g", { class: "sc-messages" }),
      agents: s("g", { class: "sc-agents" }),
    };
    const head = (id: string, name: string, size: number): SVGMarkerElement =>
      s(
        "marker",
        { id, class: name, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: size, markerHeight: size, orient: "auto-start-reverse", markerUnits: "userSpaceOnUse" },
        s("path", { d: "M0 1 10 5 0 9z" }),
      );
    this.svg = s(
      "svg",
      {
        viewBox: `${-edge} ${-edge} ${width + edge + 6} ${height + edge + 6}`,
        role: "img",
        class: "sc-svg sc-grid",
        "aria-label": this.look.placed ? `Grid of ${this.look.width} × ${this.look.height}` : "Agents in a ring",
        "aria-describedby": this.caption.id,
      },
      s(
        "defs",
        {},
        head(this.arrowhead, "sc-message-head", 9),
        head(this.linkhead, "sc-link-head", 7),
        s("clipPath", { id: this.clip }, s("rect", { width, height })),
      ),
    );
    if (this.look.placed) this.space(width, height);
    const inside = s("g", this.look.placed ? { "clip-path": `url(#${this.clip})` } : {}, this.layers.links, this.layers.things, this.layers.messages);
    this.svg.append(inside, this.layers.agents);
    for (const { agent, kind, name } of this.run.agents) this.figure(agent, kind, name);
    this.frame.replaceChildren(this.svg);
    this.rescale(this.zoom);
    this.explain();
    const step = Math.max(this.shown, 0);
    this.shown = -1;
    this.show(step);
  }

  private space(width: number, height: number): void {
    const { look } = this;
    this.svg.append(s("rect", { class: "sc-space", width, height, rx: 2 }), this.layers.floor);
    if (this.floor) this.tile(this.floor);
    const lines = s("g", { class: "sc-lines" });
    for (let x = 0; x <= look.width; x += 1) lines.append(s("line", { x1: x * CELL, x2: x * CELL, y1: 0, y2: height }));
    for (let y = 0; y <= look.height; y += 1) lines.append(s("line", { y1: y * this.row, y2: y * this.row, x1: 0, x2: width }));
    const axes = s("g", { class: "sc-axes" });
    const every = Math.max(look.width, look.height) > 16 ? 5 : 1;
    for (let x = 0; x < look.width; x += every) axes.append(s("text", { x: (x + 0.5) * CELL, y: -7, "text-anchor": "middle" }, String(x)));
    if (look.height > 1) {
      for (let y = 0; y < look.height; y += every) axes.append(s("text", { x: -6, y: (y + 0.5) * CELL + 4, "text-anchor": "end" }, String(y)));
    }
    this.svg.append(lines, axes);
    for (const things of look.things) {
      for (let index = 0; index < things.cells; index += 1) {
        const group = s("g", { class: "sc-thing", "data-thing": things.name, "data-index": index }, s("path", { d: "M0-9 9 0 0 9-9 0z" }), s("title", {}, `${things.name} ${index}`));
        this.layers.things.append(group);
        const x = this.run.variable(undefined, things.x)?.slot ?? 0;
        const y = this.run.variable(undefined, things.y)?.slot ?? 0;
        this.things.push({ group, x: x + index, y: y + index });
      }
    }
  }

  private tile(variable: string): void {
    const known = this.run.variable(undefined, variable);
    if (!known) return;
    const { width, height } = this.look;
    const byColumn = this.stage.picture?.view?.floors?.find((f) => f.variable === variable)?.by_column ?? false;
    const range = this.run.range([undefined], variable);
    this.heat = { low: Math.min(range.low, 0), high: Math.max(range.high, range.low + 1, 1) };
    const numbered = width <= 16;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const index = byColumn ? x * height + y : y * width + x;
        if (index >= known.cells) continue;
        const rect = s("rect", { class: "sc-floor", x: x * CELL, y: y * this.row, width: CELL, height: this.row, "data-x": x, "data-y": y, "data-variable": variable });
        const text = numbered ? s("text", { class: "sc-floor-value", x: (x + 1) * CELL - 4, y: y * this.row + 12, "text-anchor": "end" }) : undefined;
        this.layers.floor.append(rect);
        if (text) this.layers.floor.append(text);
        this.tiles.push({ rect, text, slot: known.slot + index });
      }
    }
  }

  private figure(agent: number, kind: string, name: string): void {
    const body = s("path", { class: "sc-body" });
    const text = s("text", { class: "sc-tag", y: 3.6, "text-anchor": "middle" });
    const title = s("title", {}, name);
    const group = s("g", { class: "sc-agent", "data-agent": agent }, title, s("circle", { class: "sc-halo", r: 15 }), body, text);
    if (!this.look.placed) group.append(s("text", { class: "sc-name" }, name));
    group.addEventListener("click", () => this.stage.follow(this.stage.followed() === agent ? undefined : agent));
    const now = { x: 0, y: 0, scale: 1 };
    this.layers.agents.append(group);
    this.figures.set(agent, { agent, kind, group, body, text, title, now, from: now, to: now, looks: undefined });
  }

  /** What colours, lines and shades mean. */
  explain(): void {
    clear(this.legend);
    const group = (title: string): HTMLElement => {
      const list = h("ul", { class: "sc-keys" });
      if (title) list.append(h("li", { class: "sc-keys-title" }, title));
      this.legend.append(list);
      return list;
    };
    const swatch = (colour: string): HTMLElement => {
      const element = h("i", { class: "sc-swatch" });
      element.style.background = colour;
      return element;
    };
    for (const { title, keys, ramp } of this.look.legend()) {
      const list = group(title);
      if (ramp) list.append(h("li", {}, ramp[0], ...keys.map((key) => swatch(key.colour)), ramp[1]));
      else for (const key of keys) list.append(h("li", {}, swatch(key.colour), key.text));
    }
    if (this.floor && this.look.placed) {
      const ramp = h("span", { class: "sc-ramp" });
      group(this.floor).append(h("li", {}, String(this.heat.low), ramp, String(this.heat.high)));
    }
    for (const things of this.look.placed ? this.look.things : []) {
      group("").append(h("li", {}, h("i", { class: "sc-diamond" }), things.name));
    }
    const drawn = this.links.filter((links) => !this.hidden.has(links.name));
    if (drawn.length > 0) {
      const list = group("links");
      for (const links of drawn) {
        const index = this.links.indexOf(links) % 4;
        list.append(h("li", { title: links.predicate }, h("i", { class: `sc-stroke sc-links-${index}` }), links.name));
      }
    }
    if (this.run.rows.some((row) => (row.arrows ?? []).length > 0)) {
      group("").append(h("li", {}, h("i", { class: "sc-stroke sc-stroke-message" }), "message of this step"));
    }
  }

  show(step: number): void {
    const { run, look } = this;
    const adjacent = this.shown >= 0 && Math.abs(step - this.shown) === 1;
    const pace = this.stage.pace();
    const slow = adjacent && !calm() && (pace === 0 || pace >= 120);
    this.shown = step;
    this.place(step);
    for (const { rect, text, slot } of this.tiles) {
      const value = run.read(step, slot);
      const shown = value === null ? "undef" : String(value);
      if (rect.getAttribute("data-value") === shown) continue;
      set(rect, "data-value", shown);
      const part = value === null ? 0 : (value - this.heat.low) / (this.heat.high - this.heat.low);
      set(rect, "fill-opacity", (0.9 * part).toFixed(3));
      if (text) say(text, value === 0 || value === null ? "" : shown);
    }
    for (const { group, x, y } of this.things) {
      const [column, row] = [run.read(step, x), run.read(step, y)];
      const inside = column !== null && row !== null && column >= 0 && row >= 0 && column < look.width && row < look.height;
      set(group, "data-x", column);
      set(group, "data-y", row);
      set(group, "display", inside ? undefined : "none");
      if (inside) set(group, "transform", `translate(${(column + 0.5) * CELL} ${(row + 0.5) * this.row})`);
    }
    const actor = run.trace.steps[step - 1]?.agent;
    const followed = this.stage.followed();
    // Lines of agents that were still on their way have to be drawn again, too.
    const put = new Set<Figure>(this.moving);
    this.moving = new Set();
    for (const figure of this.figures.values()) {
      figure.group.classList.toggle("sc-acts", figure.agent === actor);
      figure.group.classList.toggle("sc-followed", figure.agent === followed);
      const { now, to } = figure;
      if (now.x === to.x && now.y === to.y && now.scale === to.scale) continue;
      const far = look.placed && (Math.abs(now.x - to.x) > (look.width * CELL) / 2 || Math.abs(now.y - to.y) > this.size.height / 2);
      if (slow && !far) {
        figure.from = now;
        this.moving.add(figure);
      } else {
        figure.now = to;
        this.put(figure);
        put.add(figure);
      }
    }
    this.connect(step, put);
    this.flash(step, slow);
    cancelAnimationFrame(this.animation);
    if (this.moving.size > 0 || this.flights.length > 0) {
      this.began = performance.now();
      this.lasts = pace === 0 ? 180 : Math.min(220, pace * 0.6);
      this.animation = requestAnimationFrame((time) => this.glide(time));
    }
    this.describe(step);
    set(this.element, "data-step", step);
  }

  /** Where everybody goes: agents in one cell stand side by side. */
  private place(step: number): void {
    const { look } = this;
    const cells = new Map<string, Figure[]>();
    const { width, height } = this.size;
    const count = this.figures.size;
    let index = 0;
    for (const figure of this.figures.values()) {
      const looks = look.of(step, figure.agent, figure.kind);
      this.dress(figure, looks);
      if (!look.placed) {
        const angle = (2 * Math.PI * index) / count - (count === 2 ? Math.PI : Math.PI / 2);
        const scale = Math.min(1.5, Math.max(0.5, 20 / count));
        figure.to = { x: width / 2 + this.radius * Math.cos(angle), y: height / 2 + this.radius * Math.sin(angle), scale: scale * looks.size };
        const name = figure.group.lastElementChild as SVGTextElement;
        const side = Math.abs(Math.cos(angle)) < 0.3 ? "middle" : Math.cos(angle) > 0 ? "start" : "end";
        set(name, "text-anchor", side);
        set(name, "x", (side === "middle" ? 0 : 18 * Math.sign(Math.cos(angle))).toFixed(1));
        set(name, "y", (side === "middle" ? (Math.sin(angle) > 0 ? 26 : -18) : 4).toFixed(1));
      } else if (looks.x !== undefined && looks.y !== undefined) {
        const key = `${looks.x} ${looks.y}`;
        const here = cells.get(key);
        if (here) here.push(figure);
        else cells.set(key, [figure]);
      }
      index += 1;
    }
    for (const here of cells.values()) {
      const high = this.row / CELL;
      const side = Math.ceil(Math.sqrt(here.length / high));
      const rows = Math.ceil(here.length / side);
      const room = Math.min((CELL - 4) / side, (this.row - 4) / rows);
      for (const [i, figure] of here.entries()) {
        const { x, y, size } = figure.looks as Looks;
        const column = (i % side) - (Math.min(side, here.length - Math.floor(i / side) * side) - 1) / 2;
        const row = Math.floor(i / side) - (rows - 1) / 2;
        const scale = side === 1 ? 1.15 : Math.min(1.15, room / 23);
        figure.to = {
          x: ((x as number) + 0.5) * CELL + column * room,
          y: ((y as number) + 0.5) * this.row + row * room,
          scale: scale * size,
        };
      }
    }
  }

  private dress(figure: Figure, looks: Looks): void {
    const old = figure.looks;
    figure.looks = looks;
    const { group, body, text } = figure;
    set(group, "data-x", looks.x);
    set(group, "data-y", looks.y);
    set(group, "data-dx", looks.dx);
    set(group, "data-dy", looks.dy);
    set(group, "data-colour", looks.coloured);
    set(group, "display", this.look.placed && looks.x === undefined ? "none" : undefined);
    if (old?.colour !== looks.colour) {
      body.style.fill = looks.colour;
      text.style.fill = ink(looks.colour);
    }
    const [dx, dy] = [looks.dx ?? 0, looks.dy ?? 0];
    set(body, "d", dx === 0 && dy === 0 ? ROUND : NOSE);
    set(body, "transform", dx === 0 && dy === 0 ? undefined : `rotate(${((Math.atan2(dy, dx) * 180) / Math.PI).toFixed(1)})`);
    if (old?.label !== looks.label) {
      say(text, looks.label);
      text.style.fontSize = looks.label.length > 2 ? `${Math.max(3.5, 22 / looks.label.length)}px` : "";
    }
    if (!old || old.coloured !== looks.coloured || old.x !== looks.x || old.y !== looks.y) {
      const name = this.run.agentName(figure.agent);
      say(figure.title, looks.x === undefined ? name : `${name} at ${looks.x}, ${looks.y}`);
    }
  }

  private put(figure: Figure): void {
    const { x, y, scale } = figure.now;
    set(figure.group, "transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(3)})`);
  }

  /** One frame of what moves: agents to their new places, messages to their receivers. */
  private glide(time: number): void {
    const part = Math.min(1, Math.max(0, (time - this.began) / this.lasts));
    const eased = part * (2 - part);
    for (const figure of this.moving) {
      const { from, to } = figure;
      const mix = (a: number, b: number): number => a + (b - a) * eased;
      figure.now = part === 1 ? to : { x: mix(from.x, to.x), y: mix(from.y, to.y), scale: mix(from.scale, to.scale) };
      this.put(figure);
    }
    if (this.moving.size > 0) {
      for (const wire of this.wires.values()) if (this.moving.has(wire.a) || this.moving.has(wire.b)) this.span(wire);
    }
    if (part === 1) this.moving.clear();
    const flown = Math.min(1, Math.max(0, (time - this.began) / FLIGHT));
    for (const { dot, from, to } of this.flights) {
      set(dot, "display", flown < 1 ? undefined : "none");
      set(dot, "cx", (from.x + (to.x - from.x) * flown).toFixed(1));
      set(dot, "cy", (from.y + (to.y - from.y) * flown).toFixed(1));
    }
    if (flown === 1) this.flights = [];
    if (this.moving.size > 0 || this.flights.length > 0) this.animation = requestAnimationFrame((later) => this.glide(later));
  }

  /** Makes a line for every link of the state, one for both directions. */
  private connect(step: number, put: ReadonlySet<Figure>): void {
    const wanted = new Set<string>();
    for (const [index, links] of this.links.entries()) {
      if (this.hidden.has(links.name)) continue;
      const pairs = links.at(step);
      for (const pair of pairs) {
        const [from, to] = pair.split(" ").map(Number) as [number, number];
        const both = pairs.has(`${to} ${from}`);
        if (from === to || (both && from > to)) continue;
        const key = `${index} ${pair} ${both}`;
        wanted.add(key);
        if (this.wires.has(key)) continue;
        const [a, b] = [this.figures.get(from), this.figures.get(to)];
        if (!a || !b) continue;
        const line = s("line", {
          class: `sc-link sc-links-${index % 4}`,
          "data-from": from,
          "data-to": to,
          "data-both": both ? "true" : undefined,
          "data-links": links.name,
          "marker-end": both ? undefined : `url(#${this.linkhead})`,
        });
        this.layers.links.append(line);
        const aside = (index - (this.links.length - 1) / 2) * 3 * (from < to ? 1 : -1);
        const wire = { a, b, line, echo: undefined, aside, wraps: links.wraps };
        this.wires.set(key, wire);
        this.span(wire);
      }
    }
    for (const [key, wire] of this.wires) {
      if (wanted.has(key)) {
        if (put.has(wire.a) || put.has(wire.b)) this.span(wire);
        continue;
      }
      wire.line.remove();
      wire.echo?.remove();
      this.wires.delete(key);
    }
    set(this.layers.links, "data-many", this.wires.size > 60 ? "true" : undefined);
  }

  /** The end of a line from `a` to `b`, on the shorter way if the space is a torus and the line may cross its border. */
  private toward(a: Spot, b: Spot, across: boolean): { x: number; y: number; wraps: boolean } {
    if (!this.look.placed || !this.look.torus || !across) return { x: b.x, y: b.y, wraps: false };
    const { width, height } = this.size;
    const shift = (from: number, to: number, size: number): number => {
      const distance = to - from;
      return Math.abs(distance) > size / 2 + 1 ? to - Math.sign(distance) * size : to;
    };
    const [x, y] = [shift(a.x, b.x, width), shift(a.y, b.y, height)];
    return { x, y, wraps: x !== b.x || y !== b.y };
  }

  private span(wire: Wire): void {
    const [a, b] = [wire.a.now, wire.b.now];
    const end = this.toward(a, b, wire.wraps);
    this.line(wire.line, a, end, b.scale, 1, wire.aside);
    if (!end.wraps) {
      wire.echo?.remove();
      wire.echo = undefined;
      return;
    }
    if (!wire.echo) {
      wire.echo = s("line", { class: wire.line.getAttribute("class")?.replace("sc-link ", "sc-link-echo ") });
      this.layers.links.append(wire.echo);
    }
    this.line(wire.echo, { x: a.x + b.x - end.x, y: a.y + b.y - end.y, scale: a.scale }, b, b.scale, 1, wire.aside);
    set(wire.echo, "marker-end", wire.line.getAttribute("marker-end"));
  }

  /** A line that ends at the border of the body it points to. */
  private line(line: SVGLineElement, a: Spot, b: { x: number; y: number }, scale: number, gap = 1, aside = 0): void {
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const [ux, uy] = length === 0 ? [0, 0] : [(b.x - a.x) / length, (b.y - a.y) / length];
    const inset = Math.min((BODY + gap) * scale, length / 2.2);
    const start = Math.min(BODY * a.scale, length / 2.2);
    set(line, "x1", (a.x + ux * start - uy * aside).toFixed(1));
    set(line, "y1", (a.y + uy * start + ux * aside).toFixed(1));
    set(line, "x2", (b.x - ux * inset - uy * aside).toFixed(1));
    set(line, "y2", (b.y - uy * inset + ux * aside).toFixed(1));
  }

  /** The messages of the step. */
  private flash(step: number, slow: boolean): void {
    const row = this.run.rows[step - 1];
    const arrows = row?.arrows ?? [];
    const lines = this.layers.messages;
    // Messages take the way of the links, if there are any.
    const across = this.links.length === 0 || this.links.some((links) => links.wraps);
    this.flights = [];
    while (lines.childElementCount > arrows.length * 3) lines.lastElementChild?.remove();
    for (const [index, arrow] of arrows.entries()) {
      const [a, b] = [this.figures.get(arrow.from), this.figures.get(arrow.to)];
      let [line, echo] = [lines.children[index * 3], lines.children[index * 3 + 1]] as (SVGLineElement | undefined)[];
      let dot = lines.children[index * 3 + 2] as SVGCircleElement | undefined;
      if (!line || !echo || !dot) {
        line = s("line");
        echo = s("line", { "aria-hidden": "true" });
        dot = s("circle", { class: "sc-dot", r: 4 });
        lines.append(line, echo, dot);
      }
      const head = arrow.idle ? undefined : `url(#${this.arrowhead})`;
      set(line, "class", arrow.idle ? "sc-message sc-idle" : "sc-message");
      set(echo, "class", arrow.idle ? "sc-message-echo sc-idle" : "sc-message-echo");
      set(line, "marker-end", head);
      set(echo, "marker-end", head);
      set(line, "data-from", arrow.from);
      set(line, "data-to", arrow.to);
      set(line, "data-label", row?.label);
      const hide = !a || !b || a === b || this.look.placed && (a.looks?.x === undefined || b.looks?.x === undefined);
      set(line, "display", hide ? "none" : undefined);
      set(dot, "display", "none");
      set(echo, "display", "none");
      if (hide || !a || !b) continue;
      const end = this.toward(a.to, b.to, across);
      const answered = arrows.some((other) => other.from === arrow.to && other.to === arrow.from);
      this.line(line, a.to, end, b.to.scale, 3, answered ? 4 : 0);
      if (end.wraps) {
        set(echo, "display", undefined);
        this.line(echo, { x: a.to.x + b.to.x - end.x, y: a.to.y + b.to.y - end.y, scale: a.to.scale }, b.to, b.to.scale, 3);
      }
      if (slow && !arrow.idle) this.flights.push({ dot, from: a.to, to: end });
    }
  }

  private describe(step: number): void {
    const row = this.run.rows[step - 1];
    const said = row && (row.arrows ?? []).length > 0 ? ` Message ${row.label} to ${(row.arrows ?? []).map((a) => this.run.agentName(a.to)).join(", ")}.` : "";
    say(this.caption, `Step ${step}. The table shows the same values as text.${said}`);
  }

  private export(): void {
    download(`grid-step-${this.shown}.svg`, "image/svg+xml", standalone(this.svg, { width: 480, legend: this.legend }));
  }

  destroy(): void {
    cancelAnimationFrame(this.animation);
  }
}
