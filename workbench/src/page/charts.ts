// An expression over time, in several random runs laid over each other.

import { evaluate, parseExpression } from "../player/index";
import { Run as Values } from "../player/state";
import type { Trace } from "../types";
import { serialise } from "./automata";
import { ask, type Event } from "./api";
import { button, counted, download, fill, h, s } from "./dom";
import type { Stage } from "./stage";
import type { Store } from "./store";

const WIDTH = 640;
const HEIGHT = 260;
const LEFT = 46;
const BOTTOM = 34;
const COLOURS = 6;

interface Series {
  expression: string;
  run: number;
  values: (number | null)[];
}

/** Random runs as traces. */
export async function simulate(model: unknown, steps: number, runs: number, seed: number): Promise<Trace[]> {
  let text = "";
  const options = { steps, runs, seed, format: "json", traces: true };
  await ask({ do: "simulate", model, options }, (event: Event) => {
    if (event.event === "output") text += event.text;
  });
  return text.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Trace);
}

export class Charts {
  private readonly expressions = h("input", { type: "text", "aria-label": "Expressions, separated by semicolons", "data-chart": "expression" });
  private readonly runs = h("input", { type: "text", inputmode: "numeric", size: 4, value: "8" });
  private readonly steps = h("input", { type: "text", inputmode: "numeric", size: 4, value: "60" });
  private readonly seed = h("input", { type: "text", inputmode: "numeric", size: 4, value: "1" });
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly picture = h("div", { class: "chart", "data-pictures": "runs" });
  private series: Series[] = [];
  private suggested = "";

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    private readonly stage: Stage,
  ) {
    const go = button("Draw", () => void this.draw(), { class: "primary", "data-act": "draw" });
    root.append(
      h("div", { class: "bar" }, h("label", { class: "wide" }, "expression ", this.expressions), go),
      h("div", { class: "bar bar-small" }, h("label", {}, "random runs ", this.runs), h("label", {}, "steps ", this.steps), h("label", {}, "seed ", this.seed), this.status),
      this.picture,
    );
    for (const input of [this.expressions, this.runs, this.steps, this.seed]) input.addEventListener("keydown", (event) => event.key === "Enter" && void this.draw());
    store.on("file", () => {
      fill(this.picture);
      this.status.textContent = "";
      this.expressions.value = "";
    });
  }

  /** Something to begin with: a sum over the first kind of agents. */
  shown(on: boolean): void {
    if (!on || this.expressions.value !== this.suggested) return;
    const trace = this.stage.showing?.trace;
    const agents = this.stage.picture?.agents ?? [];
    const mine = trace?.initial.filter((w) => w.agent === 0 && w.index === undefined) ?? [];
    const variable = mine.find((w) => w.timestamp !== undefined) ?? mine[0];
    const shared = trace?.initial.find((w) => w.agent === undefined);
    const kind = agents[0]?.kind ?? "Agent";
    if (variable) this.expressions.value = this.suggested = `sum ${/^\w+$/.test(kind) ? kind : "Agent"} a, ${variable.variable} of a`;
    else if (shared) this.expressions.value = this.suggested = shared.index === undefined ? shared.variable : `${shared.variable}[0]`;
    if (this.suggested && this.picture.childElementCount === 0) void this.draw();
  }

  private async draw(): Promise<void> {
    const texts = this.expressions.value.split(";").map((text) => text.trim()).filter(Boolean);
    try {
      if (texts.length === 0) throw new Error("Write an expression, such as: sum Bird b, x of b");
      const parsed = texts.map((text) => parseExpression(text));
      this.status.textContent = "Running…";
      const traces = await simulate(this.store.model(), Math.min(2000, Number(this.steps.value) || 60), Math.min(50, Number(this.runs.value) || 1), Number(this.seed.value) || 0);
      this.series = traces.flatMap((trace, run) => {
        const values = new Values(trace, this.stage.picture);
        return parsed.map((expression, i) => ({
          expression: texts[i]!,
          run,
          values: Array.from({ length: trace.steps.length + 1 }, (_, step) => {
            const value = evaluate(expression, values.values(step));
            return typeof value === "boolean" ? Number(value) : value;
          }),
        }));
      });
      this.show(texts);
      this.status.textContent = `${counted(traces.length, "random run")}; who acts next is drawn uniformly`;
    } catch (error) {
      this.status.textContent = (error as Error).message;
    }
  }

  private show(texts: string[]): void {
    const all = this.series.flatMap((line) => line.values.filter((v): v is number => v !== null));
    const longest = Math.max(1, ...this.series.map((line) => line.values.length - 1));
    let low = Math.min(...all, 0);
    let high = Math.max(...all, low + 1);
    const gap = step((high - low) / 5);
    low = Math.floor(low / gap) * gap;
    high = Math.ceil(high / gap) * gap;
    const x = (at: number) => LEFT + (at / longest) * (WIDTH - LEFT - 12);
    const y = (value: number) => 12 + (1 - (value - low) / (high - low)) * (HEIGHT - BOTTOM - 12);
    const svg = s("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${texts.join(", ")} over time, in ${this.series.length / texts.length} runs` });
    for (let value = low; value <= high + gap / 2; value += gap) {
      svg.append(s("line", { class: "plot-rule", x1: LEFT, x2: WIDTH - 12, y1: y(value), y2: y(value) }), s("text", { x: LEFT - 8, y: y(value), "text-anchor": "end", "dominant-baseline": "central" }, String(Math.round(value * 1000) / 1000)));
    }
    const across = step(longest / 6);
    for (let at = 0; at <= longest; at += across) svg.append(s("text", { x: x(at), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, String(at)));
    svg.append(s("text", { x: WIDTH - 12, y: HEIGHT - 2, "text-anchor": "end" }, "step"));
    for (const line of this.series) {
      const colour = texts.indexOf(line.expression) % COLOURS;
      let path = "";
      let before: number | null = null;
      line.values.forEach((value, at) => {
        if (value === null) before = null;
        else {
          path += before === null ? `M${x(at)} ${y(value)}` : `H${x(at)}V${y(value)}`;
          before = value;
        }
      });
      svg.append(s("path", { class: `plot-line plot-${colour}`, d: path, "data-run": line.run, "data-expression": line.expression, "data-values": line.values.join(" ") }, s("title", {}, `run ${line.run + 1}: ${line.expression}`)));
    }
    const csv = () => {
      const rows = [["run", "step", ...texts].map((text) => `"${text.replaceAll('"', '""')}"`).join(",")];
      for (let run = 0; run < this.series.length / texts.length; run += 1) {
        const lines = this.series.filter((line) => line.run === run);
        for (let at = 0; at < (lines[0]?.values.length ?? 0); at += 1) rows.push([run + 1, at, ...lines.map((line) => line.values[at] ?? "")].join(","));
      }
      return `${rows.join("\n")}\n`;
    };
    fill(
      this.picture,
      svg,
      h("div", { class: "legend" }, ...texts.map((text, i) => h("span", { class: `legend-item plot-${i % COLOURS}` }, h("i", { "aria-hidden": "true" }), text))),
      h("div", { class: "bar" }, button("CSV", () => download("runs.csv", csv(), "text/csv"), { class: "small quiet" }, "download"), button("SVG", () => download("runs.svg", serialise(svg), "image/svg+xml"), { class: "small quiet" }, "download")),
    );
  }
}

/** A round distance between marks. */
function step(rough: number): number {
  if (rough <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const part = rough / power;
  return Math.round((part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * power);
}
