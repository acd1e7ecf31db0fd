// The sequence chart: lifelines, messages, and the actions in between. Rows of a long trace that are not near the current step, not
// a cause and not the break are folded; a click opens them. Rows are drawn when they are first needed and then only moved.

import { button, clear, download, fresh, h, s, set } from "./dom";
import { standalone } from "./export";
import type { Pane, Stage } from "./stage";

const LEFT = 52;
const NEAR = 8;
/** Traces up to this length are not folded. */
const SHORT = 60;
/** Runs shorter than this are not worth a fold. */
const RUN = 4;

/** How far an answer stands below its question. */
const ANSWER = 14;
/** So many drawn rows are kept when they are folded. */
const KEPT = 250;

interface Item {
  /** A row for one step, or for a folded run of steps. */
  from: number;
  to: number;
  y: number;
  height: number;
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`);

export class Chart implements Pane {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  private readonly scroll: HTMLElement;
  private readonly head = s("svg", { class: "sc-svg sc-chart-head", "aria-hidden": "true" });
  private readonly body: SVGSVGElement;
  private readonly lifelines = s("g", { class: "sc-lifelines" });
  private readonly rowLayer = s("g");
  private readonly here = s("rect", { class: "sc-here", x: 0 });
  private readonly loop = s("g", { class: "sc-chart-loop" });
  private readonly rows = new Map<number, { group: SVGGElement; height: number }>();
  private readonly folds = new Map<string, SVGGElement>();
  private readonly opened = new Set<number>();
  private readonly causes: Set<number>;
  private readonly columns = new Map<number, number>();
  private width = 0;
  private column = 0;
  private headHeight = 0;
  private room = 0;
  private readonly observer: ResizeObserver;
  private items: Item[] = [];
  private window: [number, number] = [-1, -1];
  private fold: boolean;
  private shown = 0;
  private now: SVGGElement | undefined;

  constructor(private readonly stage: Stage) {
    const { run, picture } = stage;
    this.causes = new Set(picture?.causes ?? []);
    this.fold = run.steps > SHORT;
    this.body = s(
      "svg",
      { class: "sc-svg sc-chart", role: "img", "aria-label": `Sequence chart of ${run.steps} steps` },
      this.here,
      this.lifelines,
      this.loop,
      this.rowLayer,
    );
    this.scroll = h("div", { class: "sc-chart-scroll", tabindex: 0, role: "group", "aria-label": "Sequence chart. Up and down go through the steps." }, this.head, this.body);
    this.scroll.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (by === 0) return;
      event.preventDefault();
      stage.go(this.shown + by);
    });
    this.tools = h("div", { class: "sc-tools" });
    if (run.steps > RUN) {
      const box = h("input", { type: "checkbox", id: fresh("fold"), checked: this.fold });
      box.addEventListener("change", () => {
        this.fold = box.checked;
        this.opened.clear();
        this.window = [-1, -1];
        this.show(this.shown);
      });
      this.tools.append(h("span", { class: "sc-field sc-check" }, box, h("label", { for: box.id }, "fold")));
    }
    this.tools.append(button("SVG", "Download the chart as SVG, as it is folded now", () => this.export(), "sc-button sc-small"));
    this.element = h("div", { class: "sc-chart-view", "data-view": "chart" }, this.scroll);
    this.observer = new ResizeObserver(() => {
      if (Math.abs(this.scroll.clientWidth - this.room) > 30) this.show(this.shown);
    });
    this.observer.observe(this.scroll);
  }

  /** Lays out the lifelines in the room there is. Rows have to be drawn again. */
  private build(): void {
    const { run } = this.stage;
    this.room = this.scroll.clientWidth;
    const count = Math.max(run.agents.length, 1);
    this.column = Math.max(count > 14 ? 46 : 68, Math.min(170, 2 * Math.floor((this.room - LEFT - 50) / count / 2)));
    clear(this.head);
    clear(this.lifelines);
    clear(this.rowLayer);
    this.rows.clear();
    this.folds.clear();
    this.window = [-1, -1];
    const longest = Math.max(...run.agents.map((a) => a.name.length), 1) * 7.8;
    const slanted = longest > this.column - 6;
    this.width = Math.max(LEFT + this.column * count + (slanted ? 44 : 24), this.room - 2);
    this.headHeight = slanted ? Math.min(90, 24 + longest * 0.6) : 28;
    set(this.head, "width", this.width);
    set(this.head, "height", this.headHeight);
    set(this.head, "viewBox", `0 0 ${this.width} ${this.headHeight}`);
    for (const [index, { agent, name }] of run.agents.entries()) {
      const x = LEFT + this.column * (index + 0.5);
      const y = this.headHeight - 9;
      this.columns.set(agent, x);
      const label = s("text", { x, y, "text-anchor": slanted ? "start" : "middle", class: "sc-lifeline-name", "data-agent": agent }, name);
      if (slanted) label.setAttribute("transform", `rotate(-38 ${x} ${y})`);
      label.addEventListener("click", () => this.stage.follow(this.stage.followed() === agent ? undefined : agent));
      this.head.append(label);
      this.lifelines.append(s("line", { class: "sc-lifeline", x1: x, x2: x, y1: 0, "data-agent": agent }));
    }
  }

  private x(agent: number | undefined): number {
    return (agent === undefined ? undefined : this.columns.get(agent)) ?? LEFT;
  }

  /** Draws the row of a step at height 0. */
  private row(step: number): { group: SVGGElement; height: number } {
    const known = this.rows.get(step);
    if (known) return known;
    const { run, picture } = this.stage;
    const row = run.rows[step - 1] ?? { label: "", kind: "action" };
    const actor = row.agent ?? run.trace.steps[step - 1]?.agent;
    const arrows = row.arrows ?? [];
    const effects = arrows.length <= 6 && arrows.some((arrow) => arrow.effect && !arrow.idle);
    const senders = new Set(arrows.map((arrow) => arrow.from)).size;
    const height = arrows.length === 0 ? 26 : (effects ? 44 : 34) + (effects ? 2 : 1) * ANSWER * (senders - 1);
    const group = s("g", { class: "sc-row", "data-step": step, "data-kind": row.kind });
    if (this.causes.size > 0) group.classList.add(this.causes.has(step) ? "sc-causal" : "sc-dim");
    if (picture?.breaks === step) group.classList.add("sc-breaking");
    group.append(s("rect", { class: "sc-row-hit", width: this.width, height }), s("title", {}, `step ${step}: ${run.agentName(actor)}: ${row.label}`));
    group.append(s("text", { class: "sc-row-number", x: LEFT - 16, y: height / 2 + 4, "text-anchor": "end" }, String(step)));
    if (this.causes.has(step)) group.append(s("circle", { class: "sc-row-cause", cx: LEFT - 7, cy: height / 2, r: 3 }));
    const from = this.x(actor);
    if (arrows.length === 0) {
      const right = from < this.width * 0.55;
      const room = (right ? this.width - from - 30 : from - LEFT - 14) / 6.4;
      group.append(
        s("circle", { class: "sc-act", cx: from, cy: height / 2, r: 4 }),
        s("text", { class: "sc-row-label", x: from + (right ? 10 : -10), y: height / 2 + 4, "text-anchor": right ? "start" : "end" }, cut(row.label, Math.max(8, room))),
      );
    } else {
      this.arrows(group, step, row.label, arrows, effects);
    }
    group.addEventListener("click", () => this.stage.go(step));
    const made = { group, height };
    this.rows.set(step, made);
    return made;
  }

  private arrows(group: SVGGElement, step: number, label: string, arrows: NonNullable<Stage["run"]["rows"][number]["arrows"]>, effects: boolean): void {
    const senders = [...new Set(arrows.map((arrow) => arrow.from))];
    for (const [index, from] of senders.entries()) {
      const sent = arrows.filter((arrow) => arrow.from === from);
      this.sent(group, step, label, sent, effects, 23 + (effects ? 2 : 1) * ANSWER * index);
      if (index > 0) continue;
      const told = sent.filter((arrow) => !arrow.idle);
      const ends = (told.length > 0 ? told : sent).map((arrow) => this.x(arrow.to));
      const [low, high] = [Math.min(this.x(from), ...ends), Math.max(this.x(from), ...ends)];
      const beside = this.x(from) + (this.x(from) < (low + high) / 2 ? this.column / 2 : -this.column / 2);
      const middle = ends.length === 1 ? (low + high) / 2 : Math.max(low + 40, Math.min(high - 40, beside));
      const room = (2 * Math.min(middle - LEFT, this.width - middle)) / 6.4;
      group.append(s("text", { class: "sc-row-label", x: middle, y: 15, "text-anchor": "middle" }, cut(label, Math.max(10, room))));
    }
  }

  /** The arrows of one sender. They share one line: each draws the part from the receiver before it, so that nothing is drawn
   * twice; a part is solid if any arrow that passes over it has an effect. */
  private sent(group: SVGGElement, step: number, label: string, arrows: NonNullable<Stage["run"]["rows"][number]["arrows"]>, effects: boolean, y: number): void {
    const [first] = arrows;
    if (!first) return;
    const told = arrows.filter((arrow) => !arrow.idle);
    const reach = (arrow: { from: number; to: number }): number => this.x(arrow.to) - this.x(arrow.from);
    for (const side of [1, -1]) {
      const far = Math.max(0, ...told.map((arrow) => reach(arrow) * side));
      let start = this.x(first.from);
      for (const arrow of arrows.filter((each) => reach(each) * side > 0).sort((p, q) => (reach(p) - reach(q)) * side)) {
        const x = this.x(arrow.to);
        const tip = x - 2 * side;
        const dashed = reach(arrow) * side > far;
        const part = this.arrow(step, label, arrow);
        part.append(
          s("path", { class: dashed ? "sc-arrow-line sc-dashed" : "sc-arrow-line", d: `M${start} ${y}H${tip}` }),
          s("path", { class: "sc-arrow-tip", d: `M${tip} ${y}l${-8 * side} -4v8z` }),
        );
        if (effects && arrow.effect && !arrow.idle) {
          const room = Math.floor(this.column / 5.6);
          part.append(s("text", { class: "sc-effect", x, y: y + 14, "text-anchor": "middle" }, cut(arrow.effect, room), s("title", {}, arrow.effect)));
        }
        group.append(part);
        start = x;
      }
    }
    for (const arrow of arrows.filter((each) => reach(each) === 0)) {
      const x = this.x(arrow.to);
      const part = this.arrow(step, label, arrow);
      part.append(s("path", { class: "sc-arrow-line", d: `M${x} ${y - 5}h22v10h-18` }), s("path", { class: "sc-arrow-tip", d: `M${x + 2} ${y + 5}l8 -4v8z` }));
      group.append(part);
    }
    group.append(s("circle", { class: "sc-act", cx: this.x(first.from), cy: y, r: 3.5 }));
  }

  private arrow(step: number, label: string, { from, to, idle }: { from: number; to: number; idle?: boolean }): SVGGElement {
    return s("g", { class: idle ? "sc-arrow sc-idle" : "sc-arrow", "data-step": step, "data-from": from, "data-to": to, "data-label": label });
  }

  private folded(from: number, to: number): SVGGElement {
    const key = `${from} ${to}`;
    const known = this.folds.get(key);
    if (known) return known;
    const text = `${to - from + 1} steps, ${from}–${to}`;
    const group = s(
      "g",
      { class: "sc-fold", tabindex: 0, role: "button", "aria-label": `Open ${text}`, "data-from": from, "data-to": to },
      s("rect", { x: LEFT - 8, y: 3, width: this.width - LEFT - 4, height: 20, rx: 10 }),
      s("text", { x: LEFT + 10, y: 17 }, `⋯ ${text}`),
    );
    const open = (): void => {
      for (let step = from; step <= to; step += 1) this.opened.add(step);
      this.window = [-1, -1];
      this.show(this.shown);
    };
    group.addEventListener("click", open);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      open();
    });
    if (this.folds.size > 200) this.folds.clear();
    this.folds.set(key, group);
    return group;
  }

  /** Decides which rows are open around a step, and puts everything in its place. */
  private layout(step: number): void {
    const { run, picture } = this.stage;
    this.window = this.fold ? [step - NEAR, step + NEAR] : [0, run.steps];
    const open = (k: number): boolean =>
      (k >= this.window[0] && k <= this.window[1]) || k <= 2 || k === run.steps || k === picture?.breaks || this.opened.has(k) || (this.causes.size <= 60 && this.causes.has(k));
    this.items = [];
    let y = 6;
    let k = 1;
    while (k <= run.steps) {
      let end = k;
      while (end <= run.steps && !open(end)) end += 1;
      if (end - k >= RUN) {
        this.items.push({ from: k, to: end - 1, y, height: 26 });
        y += 26;
        k = end;
        continue;
      }
      const height = this.row(k).height;
      this.items.push({ from: k, to: k, y, height });
      y += height;
      k += 1;
    }
    if (this.rows.size > KEPT) {
      const open = new Set(this.items.map((item) => item.from));
      for (const k of this.rows.keys()) if (!open.has(k)) this.rows.delete(k);
    }
    const wanted = new Set<Node>();
    for (const item of this.items) {
      const group = item.from === item.to && this.rows.has(item.from) ? this.row(item.from).group : this.folded(item.from, item.to);
      set(group, "transform", `translate(0 ${item.y})`);
      wanted.add(group);
    }
    for (const child of [...this.rowLayer.childNodes]) if (!wanted.has(child)) child.remove();
    for (const group of wanted) if (group.parentNode !== this.rowLayer) this.rowLayer.append(group);
    const height = y + 8;
    set(this.body, "width", this.width);
    set(this.body, "height", height);
    set(this.body, "viewBox", `0 0 ${this.width} ${height}`);
    for (const line of this.lifelines.children) set(line, "y2", height);
    clear(this.loop);
    const start = run.trace.loop;
    if (start !== undefined && start < run.steps) {
      const first = this.items.find((item) => item.to > start);
      const top = (first?.y ?? 0) + 3;
      this.loop.append(s("path", { d: `M18 ${top}h-5v${Math.max(8, y - top - 3)}h5` }), s("text", { transform: `translate(10 ${(top + y) / 2}) rotate(-90)`, "text-anchor": "middle" }, "loop"));
    }
  }

  show(step: number): void {
    const { run } = this.stage;
    this.shown = step;
    if (this.width === 0 || Math.abs(this.scroll.clientWidth - this.room) > 30) this.build();
    const [low, high] = this.window;
    const inside = this.items.length > 0 && (step >= low + 1 || low <= 1) && (step <= high - 1 || high >= run.steps) && low >= -NEAR && high >= 0;
    if (!inside || low === -1) this.layout(step);
    const item = this.items.find((each) => each.from <= step && step <= each.to);
    set(this.here, "y", item?.y ?? 0);
    set(this.here, "height", item ? item.height : 6);
    set(this.here, "width", this.width);
    if (item || step === 0) {
      const top = item?.y ?? 0;
      const bottom = top + (item?.height ?? 0);
      const view = this.scroll.clientHeight - this.headHeight;
      if (view > 0 && (top < this.scroll.scrollTop + 20 || bottom > this.scroll.scrollTop + view - 40)) {
        this.scroll.scrollTop = Math.max(0, top - view / 2);
      }
    }
    const actor = run.rows[step - 1]?.agent ?? run.trace.steps[step - 1]?.agent;
    if (actor !== undefined && this.width > this.room + 10) {
      const x = this.x(actor) - this.scroll.scrollLeft;
      if (x < LEFT || x > this.room - 60) this.scroll.scrollLeft = Math.max(0, this.x(actor) - this.room / 2);
    }
    const now = this.rows.get(step)?.group;
    if (now !== this.now) {
      this.now?.classList.remove("sc-now");
      now?.classList.add("sc-now");
      this.now = now;
    }
    const followed = this.stage.followed();
    for (const part of [this.head, this.lifelines]) {
      for (const child of part.children) child.classList.toggle("sc-followed", child.getAttribute("data-agent") === String(followed));
    }
    set(this.element, "data-step", step);
  }

  private export(): void {
    const both = s("svg", { viewBox: `0 0 ${this.width} ${this.headHeight + Number(this.body.getAttribute("height"))}`, class: "sc-svg sc-chart" });
    const head = s("g", {}, ...[...this.head.childNodes].map((node) => node.cloneNode(true)));
    const body = s("g", { transform: `translate(0 ${this.headHeight})` }, ...[...this.body.childNodes].map((node) => node.cloneNode(true)));
    for (const node of body.querySelectorAll(".sc-here, .sc-row-hit")) node.remove();
    // On paper no step is the current one.
    for (const node of body.querySelectorAll(".sc-now")) node.classList.remove("sc-now");
    both.append(head, body);
    // Styles are only known for nodes of the document.
    this.element.append(both);
    const text = standalone(both);
    both.remove();
    download("sequence-chart.svg", "image/svg+xml", text);
  }

  destroy(): void {
    this.observer.disconnect();
  }
}
