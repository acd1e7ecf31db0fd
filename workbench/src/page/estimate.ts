// How likely, how long: queries about random runs, or about the chain itself. Intervals as bars, distributions as histograms, and
// always what "random" means.

import { type Event, Job, whyNot } from "./api";
import { button, counted, fill, grouped, h, icon, s, seconds } from "./dom";
import { Picture, shown } from "./plots";
import type { Store } from "./store";

/** As in crates/session/src/estimate/data.rs. */
export interface QueryResult {
  query: string;
  quantity: "probability" | "expectation" | "long_run";
  value: number | null;
  low: number | null;
  high: number | null;
  infinite?: boolean;
  confidence: number | null;
  interval: string;
  runs: number;
  satisfied: number;
  violated: number;
  undecided: number;
  decision?: "accepted" | "rejected" | "undecided";
  distribution?: { count: number; least: number; greatest: number; deviation: number; quantiles: { at: number; value: number | null }[]; bins?: [number, number][] };
  extremes?: { minimum: [number | null, number | null]; maximum: [number | null, number | null] };
  fraction?: string;
}

export interface Report {
  end: { kind: string };
  results: QueryResult[];
  runs: number;
  steps: number;
  states?: number;
}

const SCHEDULERS: [string, string][] = [
  ["steps", "every possible step equally likely"],
  ["agents", "an agent, then one of its steps"],
  ["round_robin", "agents take turns"],
  ["rates", "by the rates of the model"],
  ["any", "all schedulers (exact only)"],
];

const METHODS: [string, string][] = [
  ["runs", "a number of runs"],
  ["width", "as many runs as a width needs"],
  ["exact", "exactly, without runs"],
];

const INTERVALS: Record<string, string> = {
  clopper_pearson: "Clopper–Pearson",
  massart: "Massart, sequential",
  wald: "Wald's test",
  student: "Student",
  hoeffding: "Hoeffding",
  splitting: "splitting",
  certain: "certain bounds",
};

const ENDS: Record<string, string> = {
  interrupted: "It was stopped: the results are those of the runs so far.",
  model_error: "A run met an error of the model; Verify finds the way to it.",
  no_initial_state: "No initial state satisfies the assumptions.",
  initial_states_too_rare: "The assumptions refuse almost all initial states, so none was drawn.",
  choices_too_rare: "Almost all ways to make the choices of a step get stuck, so none was drawn.",
};

const number = (label: string, value: string, name: string, title = "") =>
  h("input", { type: "text", inputmode: "decimal", size: 5, value, "aria-label": label, "data-estimate": name, title, autocomplete: "off" });

/** How estimates are made: also what a sweep does at each point. */
export class EstimateForm {
  readonly scheduler = h("select", { "data-estimate": "scheduler" }, ...SCHEDULERS.map(([word, label]) => h("option", { value: word }, label)));
  readonly method = h("select", { "data-estimate": "method" }, ...METHODS.map(([word, label]) => h("option", { value: word }, label)));
  readonly runs = number("Number of runs", "1000", "runs");
  readonly width = number("Width of the interval", "0.05", "width");
  readonly error = number("Largest error", "1e-9", "error");
  readonly confidence = number("Confidence", "0.95", "confidence");
  readonly seed = number("Seed", "1", "seed", "The same seed gives the same result");
  readonly most = number("Most steps of a run", "500", "most_steps", "For queries without a bound; a run that is cut short counts against both ends of the interval");
  readonly element: HTMLElement;

  constructor() {
    const of = (label: string, input: HTMLElement, ...methods: string[]) => h("label", { "data-for": methods.join(" ") }, `${label} `, input);
    const parts = [
      of("method", this.method),
      of("runs", this.runs, "runs"),
      of("width", this.width, "width"),
      of("error", this.error, "exact"),
      of("scheduler", this.scheduler),
      of("confidence", this.confidence, "runs", "width"),
      of("steps of a run ≤", this.most, "runs", "width"),
      of("seed", this.seed, "runs", "width"),
    ];
    this.element = h("div", { class: "bar bar-small estimate-form", role: "group", "aria-label": "How it is estimated" }, ...parts);
    const choose = () => {
      for (const part of parts) part.hidden = part.dataset.for !== "" && !part.dataset.for!.split(" ").includes(this.method.value);
    };
    this.method.addEventListener("change", choose);
    this.scheduler.addEventListener("change", () => {
      // There is no law by which runs could be drawn.
      if (this.scheduler.value === "any") this.method.value = "exact";
      choose();
    });
    choose();
  }

  /** The options of a request. */
  options(queries: string[]): Record<string, unknown> {
    const value = (input: HTMLInputElement, otherwise: number, least: number): number => {
      const given = Number(input.value.trim().replace(",", "."));
      const good = input.value.trim() !== "" && Number.isFinite(given) && given >= least;
      input.setAttribute("aria-invalid", String(!good));
      return good ? given : otherwise;
    };
    const exact = this.method.value === "exact";
    const method = exact
      ? { method: "exact", error: value(this.error, 1e-9, 0) }
      : this.method.value === "width"
        ? { method: "width", width: value(this.width, 0.05, 0) }
        : { method: "runs", runs: Math.round(value(this.runs, 1000, 1)) };
    const options: Record<string, unknown> = {
      queries,
      method,
      scheduler: this.scheduler.value,
      confidence: value(this.confidence, 0.95, 0),
      seed: Math.round(value(this.seed, 1, 0)),
    };
    if (!exact) {
      options.most_steps = Math.round(value(this.most, 500, 1));
      if (this.method.value === "runs" && queries.some((query) => /^\s*E/.test(query))) {
        options.bins = 24;
        options.quantiles = [0.5, 0.9];
      }
    }
    return options;
  }
}

/** Queries that make sense for a model: the probability of each property that one run can satisfy or violate, with a bound, so that runs end. */
export function suggested(store: Store): string[] {
  const properties = store.checked.outline?.properties ?? [];
  const queries: string[] = [];
  for (const { name, text = "" } of properties) {
    const [, modality, rest] = /^\s*(\w+)\s+([^]*)$/.exec(text) ?? [];
    // These speak of all executions together.
    if (/^(fairly|fairly_inf|possibly|exists_path)$/.test(modality ?? "")) continue;
    // What is so in the end is not known of a run that is cut short; what is so at a moment is.
    if (modality === "finally") queries.push(`P(${rest!.replace(/\s+/g, " ").trim()} after 100 steps)`);
    else queries.push(`P(${name} within 100 steps)`);
  }
  return queries;
}

export class Estimate {
  readonly form = new EstimateForm();
  private readonly start: HTMLButtonElement;
  private readonly cancel: HTMLButtonElement;
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly list = h("div", { class: "queries", role: "list", "aria-label": "Queries" });
  private readonly examples = h("details", { class: "menu" });
  private readonly results = h("div", { class: "estimates" });
  private job: Job | undefined;
  private touched = false;
  private asked = 0;

  constructor(
    root: HTMLElement,
    private readonly store: Store,
  ) {
    this.start = button("Estimate", () => void this.run(), { class: "primary", "data-act": "estimate" }, "play");
    this.cancel = button("Cancel", () => this.stop(), { "data-act": "cancel-estimate", hidden: true }, "stop");
    const add = button("Add a query", () => {
      this.touched = true;
      this.row("").focus();
    }, { class: "small quiet", "data-act": "add-query" }, "plus");
    root.append(h("div", { class: "bar bar-stays" }, this.start, this.cancel, this.status), this.list, h("div", { class: "bar" }, add, this.examples), this.form.element, this.results);
    store.on("file", () => {
      this.stop();
      this.touched = false;
      this.asked += 1;
      fill(this.list);
      fill(this.results);
      this.status.textContent = "";
    });
    store.on("checked", () => this.suggest());
    for (const kind of ["text", "settings"] as const) store.on(kind, () => this.results.classList.toggle("old", this.results.childElementCount > 0));
    this.suggest();
  }

  /** Something to begin with, and more of it in a menu. */
  private suggest(): void {
    const all = suggested(this.store);
    const more = this.store.language === "labs" || this.store.language === "rcheck" ? ["P(eventually … within 100 steps)", "E(steps until …)"] : [];
    const pick = (text: string) => {
      this.touched = true;
      this.examples.removeAttribute("open");
      const empty = [...this.list.querySelectorAll("input")].find((input) => input.value.trim() === "");
      const input = empty ?? this.row("");
      input.value = text;
      input.focus();
      const hole = text.indexOf("…");
      if (hole >= 0) input.setSelectionRange(hole, hole + 1);
    };
    fill(this.examples, h("summary", {}, "Examples ▾"), h("div", { class: "menu-items menu-left" }, ...[...all, ...more].map((text) => button(text, () => pick(text), { "data-example-query": text }))));
    this.examples.hidden = all.length + more.length === 0;
    if (this.touched) return;
    const shown = this.queries();
    const wanted = all.slice(0, 2);
    if (shown.join("\n") === wanted.join("\n") && (shown.length > 0 || this.list.childElementCount > 0)) return;
    fill(this.list);
    for (const text of wanted) this.row(text);
    if (wanted.length === 0) this.row("");
  }

  private row(text: string): HTMLInputElement {
    const input = h("input", { type: "text", class: "query", value: text, placeholder: "P(eventually … within 100 steps), E(steps until …)", "aria-label": "Query", "data-query": true, autocomplete: "off", spellcheck: "false" });
    const row = h("div", { class: "query-row", role: "listitem" }, input, button("Remove", () => {
      this.touched = true;
      row.remove();
      if (this.list.childElementCount === 0) this.row("");
    }, { class: "quiet icon-only", title: "Remove this query", "data-act": "remove-query" }, "cross"));
    input.addEventListener("input", () => (this.touched = true));
    input.addEventListener("keydown", (event) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && void this.run());
    this.list.append(row);
    return input;
  }

  queries(): string[] {
    return [...this.list.querySelectorAll("input")].map((input) => input.value.trim()).filter(Boolean);
  }

  stop(): void {
    if (!this.job) return;
    this.status.textContent = "Cancelling…";
    void this.job.cancel();
  }

  private busy(on: boolean): void {
    this.cancel.hidden = !on;
    this.start.hidden = on;
    if (on) this.cancel.focus({ preventScroll: true });
    else if (document.activeElement === document.body || document.activeElement === this.cancel) this.start.focus({ preventScroll: true });
  }

  private async run(): Promise<void> {
    if (this.job) return;
    const queries = this.queries();
    if (queries.length === 0) {
      this.status.textContent = "Write a query, or choose one of the examples.";
      return;
    }
    const asked = ++this.asked;
    const { settings } = this.store.file;
    const began = performance.now();
    const took = () => seconds((performance.now() - began) / 1000);
    this.busy(true);
    this.status.textContent = "Starting…";
    let done = 0;
    const hear = (event: Event): void => {
      if (event.event === "progress") done = Number(event.done) || done;
    };
    const job = new Job({ do: "estimate", model: this.store.model(), options: this.form.options(queries) }, hear, { seconds: Number(settings.seconds) || 60, memory: (Number(settings.memory) || 1000) * 1_000_000 });
    this.job = job;
    const clock = window.setInterval(() => {
      if (asked === this.asked && !job.cancelled) this.status.textContent = `${done ? `${grouped(done)} so far · ` : ""}${((performance.now() - began) / 1000).toFixed(1)} s`;
    }, 100);
    let end = "";
    try {
      const last = await job.done;
      if (asked === this.asked) {
        if (last.event === "done") {
          const report = last.result.report as Report;
          this.show(report, String(last.said?.text ?? ""), (last.said?.notes ?? []) as string[][]);
          end = job.cancelled || report.end.kind === "interrupted" ? `Stopped after ${took()}.` : `${report.states ? `${counted(report.states, "state")} · ` : report.runs ? `${counted(report.runs, "run")} · ` : ""}${took()}`;
        } else {
          end = job.cancelled ? "Cancelled." : "";
          if (!job.cancelled) fill(this.results, h("p", { class: "note-bad", role: "alert" }, whyNot(last)));
          this.results.classList.remove("old");
        }
      }
    } catch (error) {
      end = job.cancelled ? "Cancelled." : (error as Error).message;
    }
    clearInterval(clock);
    if (this.job === job) this.job = undefined;
    if (!this.job) this.busy(false);
    if (asked === this.asked) this.status.textContent = end;
  }

  private show(report: Report, said: string, notes: string[][]): void {
    this.results.classList.remove("old");
    const note = ENDS[report.end.kind];
    const pictures: HTMLElement[] = [];
    for (const result of report.results) {
      const bins = result.distribution?.bins ?? [];
      if (bins.length < 1) continue;
      const { greatest, quantiles } = result.distribution!;
      const picture = new Picture("distribution");
      pictures.push(h("div", { class: "distribution" }, picture.element, h("div", { class: "bar" }, picture.saver)));
      void picture.show({
        plot: "histogram",
        caption: { title: `Distribution of ${result.query}`, notes: [`${grouped(result.distribution!.count)} values, standard deviation ${shown(result.distribution!.deviation)}.`] },
        x: { label: result.query.replace(/^E\w*\((.*)\)$/, "$1") },
        bins: bins.map(([from, count], i) => ({ from, to: bins[i + 1]?.[0] ?? (i > 0 ? Math.max(greatest, from + (from - bins[i - 1]![0])) : greatest), count })),
        marks: [...(result.value === null ? [] : [{ label: "mean", value: result.value }]), ...quantiles.flatMap(({ at, value }) => (value === null ? [] : [{ label: at === 0.5 ? "median" : `${at * 100} % quantile`, value }]))],
      });
    }
    fill(
      this.results,
      note ? h("p", { class: "note" }, note) : null,
      h("div", { class: "estimate-rows", role: "list", "aria-label": "Results" }, ...report.results.map((result, i) => this.result(result, notes[i] ?? []))),
      said ? h("p", { class: "law", "data-law": true }, said) : null,
      ...pictures,
    );
    this.results.scrollIntoView({ block: "nearest" });
  }

  private result(result: QueryResult, notes: string[]): HTMLElement {
    const share = result.quantity !== "expectation";
    const percent = result.confidence === null ? "" : `${shown(result.confidence * 100)} % `;
    const how = INTERVALS[result.interval] ?? result.interval.replaceAll("_", " ");
    const ends = result.low === null && result.high === null ? "" : result.high === null ? `at least ${shown(result.low!)}` : result.low === null ? `at most ${shown(result.high)}` : `${shown(result.low)} to ${shown(result.high)}`;
    const value = result.infinite ? "∞" : result.value === null ? "–" : shown(result.value);
    const bar = intervalBar(result, share);
    const counts = result.runs ? (share && result.satisfied + result.violated + result.undecided > 0 ? `${grouped(result.satisfied)} of ${grouped(result.runs)} runs satisfy it${result.undecided ? `, ${grouped(result.undecided)} were cut short` : ""}` : counted(result.runs, "run")) : "";
    const extreme = (name: string, [low, high]: [number | null, number | null]) => `${name} ${low === null ? "∞" : low === high || high === null ? shown(low) : `${shown(low)} to ${shown(high)}`}`;
    const detail = [
      result.extremes ? `${extreme("min", result.extremes.minimum)} · ${extreme("max", result.extremes.maximum)}` : "",
      ends && result.interval !== "wald" ? `${percent}${result.interval === "certain" ? how : `interval: ${how}`}` : "",
      result.fraction ? `= ${result.fraction}` : "",
      counts,
    ].filter(Boolean);
    const decision = result.decision && { accepted: ["holds", "check", "accepted"], rejected: ["violated", "cross", "rejected"], undecided: ["unknown", "question", "undecided"] }[result.decision]!;
    return h(
      "div",
      { class: "estimate-row", role: "listitem", "data-result": result.query, "data-value": result.value, "data-low": result.low, "data-high": result.high },
      h("div", { class: "estimate-query" }, h("code", {}, result.query), decision ? h("span", { class: `badge badge-${decision[0]}` }, icon(decision[1]!), h("span", {}, decision[2]!)) : null),
      h("div", { class: "estimate-value" }, h("strong", {}, value), ends ? h("span", { class: "faint" }, ends) : null),
      bar,
      h("p", { class: "faint estimate-detail" }, detail.join(" · ")),
      ...notes.map((text) => h("p", { class: "note estimate-detail" }, text)),
    );
  }
}

/** The interval on a line: from 0 to 1, or around its ends. */
function intervalBar(result: QueryResult, share: boolean): SVGSVGElement {
  const low = result.low ?? (share ? 0 : (result.value ?? 0));
  const high = result.high ?? (share ? 1 : (result.value ?? low));
  const [from, to] = share ? [0, 1] : [Math.min(0, low), Math.max(high, low, 1e-9) * 1.08];
  const x = (value: number) => 2 + ((value - from) / (to - from || 1)) * 196;
  const words = `${shown(low)} to ${result.high === null && !share ? "∞" : shown(high)} on a scale from ${shown(from)} to ${shown(to)}`;
  return s(
    "svg",
    { class: "interval", viewBox: "0 0 200 26", role: "img", "aria-label": words },
    s("title", {}, words),
    s("line", { class: "interval-axis", x1: 2, x2: 198, y1: 10, y2: 10 }),
    s("rect", { class: "interval-band", x: x(low), y: 5, width: Math.max(1.5, x(high) - x(low)), height: 10, rx: 2 }),
    result.value === null || result.infinite ? null : s("line", { class: "interval-value", x1: x(result.value), x2: x(result.value), y1: 2, y2: 18 }),
    s("text", { x: 2, y: 25 }, shown(from)),
    s("text", { x: 198, y: 25, "text-anchor": "end" }, shown(to)),
  );
}
