// Expressions over time, as lines: several series, and several runs of the model over each other.

import { button, clear, download, fresh, h, s, say, set } from "./dom";
import { evaluate, ExpressionError, parseExpression, type Expression } from "./expression";
import { hue, type Pane, type Stage } from "./stage";
import type { AgentName, Run } from "./state";

const HEIGHT = 240;
const EDGE = { left: 44, right: 14, top: 12, bottom: 30 };

interface Series {
  text: string;
  expression: Expression;
  colour: string;
  /** The values at every step; the first is of the run that plays. */
  runs: (number | null)[][];
  truth: boolean;
  chip: HTMLElement;
  value: HTMLElement;
}

/** The values of an expression at every step. */
export function track(run: Run, expression: Expression): { values: (number | null)[]; truth: boolean } {
  const values: (number | null)[] = [];
  let truth = false;
  for (let step = 0; step <= run.steps; step += 1) {
    const result = evaluate(expression, run.values(step));
    if (typeof result === "boolean") truth = true;
    values.push(typeof result === "boolean" ? Number(result) : result);
  }
  return { values, truth };
}

/** Round steps for an axis. */
export function ticks(low: number, high: number, wanted: number): number[] {
  const rough = (high - low) / Math.max(wanted, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-9)));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 1);
  const found: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9; tick += step) found.push(Math.round(tick));
  return found;
}

export class Charts implements Pane {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  private readonly series: Series[] = [];
  private readonly input: HTMLInputElement;
  private readonly error: HTMLElement;
  private readonly chips = h("ul", { class: "sc-series" });
  private readonly svg = s("svg", { class: "sc-svg sc-plot", role: "img" });
  private readonly lines = s("g");
  private readonly axes = s("g", { class: "sc-axes" });
  private readonly cursor = s("line", { class: "sc-cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
  private readonly data = h("details", { class: "sc-settings" }, h("summary", {}, "Values as a table"));
  private width = 560;
  private readonly observer: ResizeObserver;
  private used = 0;
  private shown = 0;

  constructor(private readonly stage: Stage) {
    const list = h("datalist", { id: fresh("suggestions") });
    for (const text of this.suggestions()) list.append(h("option", { value: text }));
    const input = h("input", { type: "text", class: "sc-input", id: fresh("expression"), list: list.id, autocomplete: "off", spellcheck: "false", placeholder: this.suggestions()[0] ?? "count Bird a, x of a > 2" });
    this.input = input;
    this.error = h("p", { class: "sc-error", role: "alert", id: fresh("error") });
    set(input, "aria-describedby", this.error.id);
    const form = h("form", { class: "sc-add" }, h("label", { class: "sc-visually-hidden", for: input.id }, "Expression"), input, h("button", { class: "sc-button", type: "submit" }, "Add"), list);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.add(input.value)) input.value = "";
    });
    this.svg.append(this.axes, this.lines, this.cursor);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * this.width;
      stage.go(Math.round(((x - EDGE.left) / (this.width - EDGE.left - EDGE.right)) * this.length));
    });
    this.data.addEventListener("toggle", () => this.fill());
    this.tools = h("div", { class: "sc-tools" }, button("CSV", "Download the values as CSV", () => download("chart.csv", "text/csv", this.csv()), "sc-button sc-small"));
    this.element = h("div", { class: "sc-charts-view", "data-view": "charts" }, form, this.error, this.svg, this.chips, this.data);
    const kept = stage.memory.series;
    for (const text of kept ?? this.first()) this.add(text);
    // An expression of another model is no mistake of the reader.
    say(this.error, "");
    set(this.input, "aria-invalid", undefined);
    stage.memory.series = kept;
    this.observer = new ResizeObserver(() => {
      const width = Math.max(240, Math.round(this.element.clientWidth));
      if (width === this.width) return;
      this.width = width;
      this.draw();
    });
    this.observer.observe(this.element);
  }

  private get length(): number {
    return Math.max(1, this.stage.run.steps, ...this.stage.others.map(({ run }) => run.steps));
  }

  /** Expressions that make sense for this model. */
  private suggestions(): string[] {
    const { run } = this.stage;
    const found: string[] = [];
    for (const variable of run.variables) {
      if (variable.agent === undefined && !variable.array) found.push(variable.name);
    }
    const kindOf = (a: AgentName): string => a.type ?? a.kind;
    for (const kind of new Set(run.agents.map(kindOf))) {
      const agent = run.agents.find((a) => kindOf(a) === kind)?.agent;
      for (const { name } of run.variables.filter((v) => v.agent === agent && !v.array)) {
        const { values } = run.range(run.agents.filter((a) => kindOf(a) === kind).map((a) => a.agent), name);
        const last = values[values.length - 1] ?? 0;
        found.push(`count ${kind} a, ${name} of a = ${run.nameOf(agent, name, last) ?? last}`, `max ${kind} a, ${name} of a`, `min ${kind} a, ${name} of a`, `sum ${kind} a, ${name} of a`);
      }
    }
    return found.slice(0, 60);
  }

  /** What is drawn at first: what changes. */
  private first(): string[] {
    const { run } = this.stage;
    const environment = run.variables.filter((v) => v.agent === undefined && !v.array && run.range([undefined], v.name).values.length > 1).map((v) => v.name);
    if (environment.length > 0) return environment.slice(0, 3);
    for (const { agent, ...names } of run.agents) {
      const kind = names.type ?? names.kind;
      const candidates = run.variables.filter((v) => v.agent === agent && !v.array).reverse();
      const all = run.agents.filter((a) => (a.type ?? a.kind) === kind).map((a) => a.agent);
      const changing = candidates.find((v) => run.range(all, v.name).values.length > 1);
      if (!changing) continue;
      const { values } = run.range(all, changing.name);
      if (values.length > 6) return [`max ${kind} a, ${changing.name} of a`, `min ${kind} a, ${changing.name} of a`];
      return values.slice(0, 4).map((value) => `count ${kind} a, ${changing.name} of a = ${run.nameOf(agent, changing.name, value) ?? value}`);
    }
    return [];
  }

  /** Adds a series. False if the expression has a mistake, which is then shown. */
  add(text: string): boolean {
    try {
      const expression = parseExpression(text);
      const main = track(this.stage.run, expression);
      const others = this.stage.others.map(({ run }) => track(run, expression).values);
      const colour = hue(this.used);
      this.used += 1;
      const value = h("b", {});
      const swatch = h("i", { class: "sc-swatch" });
      swatch.style.background = colour;
      const chip = h("li", {}, swatch, h("code", {}, text), value);
      const series: Series = { text, expression, colour, runs: [main.values, ...others], truth: main.truth, chip, value };
      chip.append(button("×", `Remove ${text}`, () => this.remove(series), "sc-close"));
      this.chips.append(chip);
      this.series.push(series);
      say(this.error, "");
      set(this.input, "aria-invalid", undefined);
    } catch (mistake) {
      if (!(mistake instanceof ExpressionError)) throw mistake;
      say(this.error, `Column ${mistake.position + 1}: ${mistake.message}.`);
      set(this.input, "aria-invalid", "true");
      this.input.setSelectionRange(mistake.position, mistake.position);
      return false;
    }
    this.remember();
    this.draw();
    return true;
  }

  private remove(series: Series): void {
    this.series.splice(this.series.indexOf(series), 1);
    series.chip.remove();
    this.remember();
    this.draw();
  }

  private remember(): void {
    this.stage.memory.series = this.series.map((each) => each.text);
  }

  private draw(): void {
    set(this.svg, "viewBox", `0 0 ${this.width} ${HEIGHT}`);
    clear(this.axes);
    clear(this.lines);
    const all = this.series.flatMap((each) => each.runs.flat()).filter((value): value is number => value !== null);
    let [low, high] = [all.reduce((a, b) => Math.min(a, b), 0), all.reduce((a, b) => Math.max(a, b), 1)];
    if (all.length > 0 && low === 0 && Math.min(...all.slice(0, 5000)) > 20) low = Math.min(...all.slice(0, 5000));
    if (low === high) high = low + 1;
    const x = (step: number): number => EDGE.left + (step / this.length) * (this.width - EDGE.left - EDGE.right);
    const y = (value: number): number => HEIGHT - EDGE.bottom - ((value - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
    for (const tick of ticks(low, high, 5)) {
      this.axes.append(s("line", { class: "sc-rule", x1: EDGE.left, x2: this.width - EDGE.right, y1: y(tick), y2: y(tick) }), s("text", { x: EDGE.left - 8, y: y(tick) + 4, "text-anchor": "end" }, String(tick)));
    }
    for (const tick of ticks(0, this.length, 8)) {
      this.axes.append(s("text", { x: x(tick), y: HEIGHT - EDGE.bottom + 16, "text-anchor": "middle" }, String(tick)));
    }
    this.axes.append(s("text", { x: this.width - EDGE.right, y: HEIGHT - 2, "text-anchor": "end" }, "step"));
    for (const series of this.series) {
      for (const [index, values] of [...series.runs.entries()].reverse()) {
        let path = "";
        let pen = false;
        for (const [step, value] of values.entries()) {
          if (value === null) {
            pen = false;
            continue;
          }
          // A value holds until the next step: the line is a staircase.
          path += pen ? `H${x(step).toFixed(1)}V${y(value).toFixed(1)}` : `M${x(step).toFixed(1)} ${y(value).toFixed(1)}`;
          pen = true;
        }
        const line = s("path", { class: index === 0 ? "sc-curve" : "sc-curve sc-other", d: path, "data-series": series.text, "data-run": index });
        line.style.stroke = series.colour;
        this.lines.append(line);
      }
    }
    set(this.svg, "aria-label", this.series.length > 0 ? `${this.series.map((each) => each.text).join("; ")}, over ${this.length} steps` : "No expression yet");
    this.show(this.shown);
    this.fill();
  }

  private csv(): string {
    const { others } = this.stage;
    const quote = (text: string): string => `"${text.replace(/"/g, '""')}"`;
    const head = this.series.flatMap((each) => each.runs.map((_, run) => quote(run === 0 ? each.text : `${each.text} (${others[run - 1]?.name ?? run})`)));
    const lines = [["step", ...head].join(",")];
    for (let step = 0; step <= this.length; step += 1) {
      lines.push([step, ...this.series.flatMap((each) => each.runs.map((values) => values[step] ?? ""))].join(","));
    }
    return `${lines.join("\n")}\n`;
  }

  /** The values as text, for readers who do not see the lines. Made when it is opened. */
  private fill(): void {
    this.data.querySelector("div")?.remove();
    if (!this.data.open) return;
    const head = h("tr", {}, h("th", { scope: "col" }, "step"), ...this.series.map((each) => h("th", { scope: "col" }, each.text)));
    const body = h("tbody");
    for (let step = 0; step <= this.stage.run.steps; step += 1) {
      body.append(h("tr", {}, h("th", { scope: "row" }, String(step)), ...this.series.map((each) => h("td", {}, this.text(each, step)))));
    }
    this.data.append(h("div", { class: "sc-scroll sc-data" }, h("table", { class: "sc-table" }, h("thead", {}, head), body)));
  }

  private text(series: Series, step: number): string {
    const value = series.runs[0]?.[step];
    if (value === null || value === undefined) return "undef";
    return series.truth ? String(value === 1) : String(value);
  }

  show(step: number): void {
    this.shown = step;
    const x = EDGE.left + (step / this.length) * (this.width - EDGE.left - EDGE.right);
    set(this.cursor, "x1", x.toFixed(1));
    set(this.cursor, "x2", x.toFixed(1));
    for (const series of this.series) {
      say(series.value, this.text(series, step));
      set(series.chip, "data-value", this.text(series, step));
    }
    set(this.element, "data-step", step);
  }

  destroy(): void {
    this.observer.disconnect();
  }
}
