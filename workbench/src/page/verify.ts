// A row per property: verdict, evidence in one sentence, engine, time. Progress while it goes on; cancel; the counterexample.

import type { Trace } from "../types";
import { type Answer, type Event, Job, whyNot } from "./api";
import { button, counted, download, fileName, fill, grouped, h, icon, seconds } from "./dom";
import type { Stage } from "./stage";
import type { Store } from "./store";

const WORDS: Record<string, [string, string]> = {
  holds: ["holds", "check"],
  violated: ["violated", "cross"],
  model_error: ["model error", "warning"],
  unknown: ["unknown", "question"],
  reachable: ["reachable", "check"],
  unreachable: ["unreachable", "cross"],
};

const PHASES: Record<string, string> = {
  preparing: "preparing",
  initial: "enumerating initial states",
  searching: "searching",
  graph: "looking for cycles",
  confirming: "confirming",
};

interface Row {
  element: HTMLElement;
  name: string;
  progress: HTMLElement;
  engines: Set<string>;
  answers: number;
}

/** What is known about one file. */
class Sheet {
  readonly rows = h("div", { class: "rows", role: "list", "aria-label": "Properties" });
  readonly byName = new Map<string, Row>();
  /** The text and settings that the answers are about; empty before anything is decided. */
  about = "";
  violated = 0;
  status = "";
  /** The last attempt failed because of the model. */
  refused = false;
}

export class Verify {
  private readonly sheets = new Map<number, Sheet>();
  private sheet = new Sheet();
  private readonly place = h("div", {}, this.sheet.rows);
  private readonly status = h("p", { class: "status" });
  /** Verdicts for those who hear the page; the running clock is not read aloud. */
  private readonly spoken = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
  readonly start: HTMLButtonElement;
  private readonly cancel: HTMLButtonElement;
  private job: Job | undefined;
  private clock = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly store: Store,
    private readonly stage: Stage,
    private readonly show: () => void,
    private readonly go: (start: number, end: number) => void,
  ) {
    this.start = button("Verify", () => void this.run(), { class: "primary", "data-act": "verify", title: "Decide all properties (Ctrl+Enter)" }, "check");
    this.cancel = button("Cancel", () => this.stop(), { "data-act": "cancel", hidden: true }, "stop");
    const predicate = h("input", { type: "text", placeholder: "a predicate, e.g. exists Bird b, x of b = 0", "aria-label": "Predicate", "data-reach": true });
    const reach = () => predicate.value.trim() && void this.run(predicate.value.trim());
    predicate.addEventListener("keydown", (event) => event.key === "Enter" && reach());
    root.append(
      h("div", { class: "bar bar-stays" }, this.start, this.cancel, this.status, this.spoken),
      this.place,
      h("details", { class: "reach" }, h("summary", {}, "Can it happen? Ask for a state…"), h("div", { class: "bar" }, predicate, button("Ask", reach))),
    );
    store.on("file", () => this.turn());
    store.on("checked", () => {
      if (this.sheet.refused && !this.store.errors) {
        this.sheet.refused = false;
        this.sum("");
        this.spoken.textContent = "";
      }
      this.outline();
    });
    store.on("text", () => this.age());
    store.on("settings", () => this.age());
  }

  get running(): boolean {
    return this.job !== undefined;
  }

  private get rows(): HTMLElement {
    return this.sheet.rows;
  }

  private get byName(): Map<string, Row> {
    return this.sheet.byName;
  }

  /** Shows the answers about the current file, as long as its text and settings are those that were asked about. */
  private turn(): void {
    if (this.job) {
      // Half of the answers would look like all of them.
      this.sheet.about = "";
      this.stop();
      this.job = undefined;
      this.busy(false);
    }
    const { id } = this.store.file;
    const known = this.sheets.get(id);
    this.sheet = known && known.about === this.now() ? known : new Sheet();
    this.sheets.set(id, this.sheet);
    this.rows.classList.remove("old");
    fill(this.place, this.rows);
    this.sum(this.sheet.status);
  }

  /** Says how it went; what is violated is one click away. */
  private sum(text: string): void {
    this.sheet.status = text;
    const part = /^\d+ of \d+ violated/.exec(text)?.[0];
    if (!part) return void (this.status.textContent = text);
    fill(this.status, button(part, () => this.reveal(), { class: "small violated-link", "data-act": "violated", title: "Show the first property that is violated" }), text.slice(part.length));
  }

  /** Scrolls to the first row that is violated. */
  private reveal(): void {
    const row = this.rows.querySelector<HTMLElement>('.row[data-verdict="violated"], .row[data-verdict="model_error"]');
    if (!row) return;
    const by = row.getBoundingClientRect();
    const frame = this.root.getBoundingClientRect();
    const head = this.status.parentElement!.offsetHeight + 8;
    if (by.top < frame.top + head || by.bottom > frame.bottom) this.root.scrollTop += by.top - frame.top - head;
  }

  /** Answers are about the model as it was: if it changes, they fade. */
  private age(): void {
    const { about, status } = this.sheet;
    const old = about !== "" && about !== this.now();
    this.rows.classList.toggle("old", old);
    if (this.job) return;
    if (old) this.status.textContent = "The model or its settings have changed since.";
    else if (about !== "") this.sum(status);
  }

  private now(): string {
    const { name, text, settings } = this.store.file;
    return JSON.stringify([name, text, { ...settings, seconds: "", memory: "" }]);
  }

  /** Before anything is decided, the rows say what can be asked. */
  private outline(): void {
    if (this.sheet.about !== "" || this.job) return;
    const properties = this.store.checked.outline?.properties ?? [];
    const names = properties.map((p) => p.name);
    if (names.join("\n") === [...this.byName.keys()].join("\n")) return;
    this.byName.clear();
    fill(this.rows);
    for (const name of names) this.row(name);
    if (names.length === 0 && !this.store.errors) fill(this.rows, h("p", { class: "hint" }, "This model states no properties. Options has a search for deadlocks."));
  }

  private row(name: string): Row {
    const known = this.byName.get(name);
    if (known) return known;
    if (this.byName.size === 0) fill(this.rows);
    const row: Row = { element: h("div", { class: "row", role: "listitem", "data-property": name }), name, progress: h("div", { class: "row-progress" }), engines: new Set(), answers: 0 };
    this.byName.set(name, row);
    this.rows.append(row.element);
    this.drawWaiting(row, "");
    return row;
  }

  private heading(name: string): HTMLElement {
    const place = this.store.place(name);
    const label = name === "(deadlock)" ? "No deadlock" : name;
    return place
      ? h("button", { type: "button", class: "row-name", title: "Go to the property", onclick: () => this.go(place.start, place.end) }, label)
      : h("span", { class: "row-name" }, label);
  }

  private formula(name: string): string | undefined {
    return this.store.checked.outline?.properties.find((p) => p.name === name)?.text;
  }

  private drawWaiting(row: Row, state: string): void {
    row.element.dataset.verdict = state ? "running" : "none";
    const text = this.formula(row.name);
    fill(
      row.element,
      h("span", { class: "badge badge-none" }, state ? h("span", { class: "spinner", "aria-hidden": "true" }) : null, h("span", {}, state || "not asked")),
      h("div", { class: "row-main" }, this.heading(row.name), text ? h("code", { class: "row-text" }, text) : null, row.progress),
    );
  }

  /** Decides everything, or asks whether a predicate can be reached. */
  async run(reach?: string): Promise<void> {
    if (this.job) return;
    this.show();
    const { settings } = this.store.file;
    const options: Record<string, unknown> = {
      deadlock: settings.deadlock,
      ignore_deadlock: settings.ignore_deadlock,
      fairness: settings.fairness,
      engine: settings.engine,
      cross_check: settings.cross_check,
      certify: settings.certify,
      why: settings.why,
      traces: Math.max(1, Number(settings.traces) || 1),
    };
    if (settings.steps) options.steps = Number(settings.steps);
    if (reach) options.reach = reach;
    const sheet = this.sheet;
    sheet.about = this.now();
    sheet.refused = false;
    this.rows.classList.remove("old");
    this.byName.clear();
    fill(this.rows);
    const source = this.store.source();
    const model = this.store.model();
    const began = performance.now();
    this.busy(true);
    let violated = 0;
    let answered = 0;
    let names: string[] = [];
    const hear = (event: Event): void => {
      // Another file is open: what was left to decide is cancelled.
      if (this.sheet !== sheet) return;
      switch (event.event) {
        case "questions":
          names = event.names;
          for (const name of names) this.drawWaiting(this.row(name), "waiting");
          break;
        case "started": {
          const row = this.row(event.question);
          row.engines.add(event.engine);
          if (row.answers === 0) this.drawWaiting(row, "running");
          this.working(row, [...row.engines].join(", "));
          break;
        }
        case "stopped":
          this.byName.get(event.question)?.engines.delete(event.engine);
          break;
        case "progress": {
          const parts = [PHASES[event.phase] ?? "", event.done ? counted(event.done, "state") : "", event.depth ? `depth ${grouped(event.depth)}` : "", event.memory ? `${grouped(event.memory / 1e6)} MB` : ""];
          const row = event.question ? this.byName.get(event.question) : undefined;
          if (row && row.answers === 0) this.working(row, [event.engine ?? "", ...parts].filter(Boolean).join(" · "));
          break;
        }
        case "answer": {
          const answer = event as unknown as Answer;
          answered += 1;
          if (answer.outcome.verdict === "violated") violated += 1;
          this.answer(answer, source, model, Boolean(reach) && !this.store.place(answer.property));
          break;
        }
      }
    };
    const job = new Job({ do: "verify", model, options }, hear, { seconds: Number(settings.seconds) || 60, memory: (Number(settings.memory) || 1000) * 1_000_000 });
    this.job = job;
    this.clock = window.setInterval(() => {
      const open = names.length ? `${answered} of ${names.length} decided` : "starting";
      this.status.textContent = `${open} · ${((performance.now() - began) / 1000).toFixed(1)} s`;
    }, 100);
    let end = "";
    try {
      const last = await job.done;
      if (last.event !== "done") {
        end = job.cancelled ? "Cancelled." : whyNot(last);
        sheet.refused = last.refusal?.kind === "model";
        if (sheet.refused) end = "The model has errors: see the list below the editor.";
      } else if (job.cancelled) end = "Cancelled.";
    } catch (error) {
      end = job.cancelled ? "Cancelled." : (error as Error).message;
    }
    if (this.sheet !== sheet) return;
    clearInterval(this.clock);
    for (const row of this.byName.values()) if (row.answers === 0) this.drawWaiting(row, "");
    const took = seconds((performance.now() - began) / 1000);
    const sum = violated ? `${violated} of ${names.length} violated` : names.length ? `${counted(answered, "answer")}, none violated` : "";
    this.sum(end || `${sum} · ${took}`);
    this.spoken.textContent = this.status.textContent;
    this.job = undefined;
    this.busy(false);
    if (this.byName.size === 0) {
      // Nothing was decided: the rows say again what can be asked.
      sheet.about = "";
      this.outline();
    }
    this.reveal();
  }

  private busy(on: boolean): void {
    this.cancel.hidden = !on;
    this.start.hidden = on;
    if (on) this.cancel.focus({ preventScroll: true });
    else if (document.activeElement === document.body || document.activeElement === this.cancel) this.start.focus({ preventScroll: true });
  }

  private working(row: Row, text: string): void {
    fill(row.progress, h("span", { class: "runner", "aria-hidden": "true" }), h("span", { class: "faint" }, text));
  }

  stop(): void {
    if (!this.job) return;
    this.status.textContent = "Cancelling…";
    clearInterval(this.clock);
    void this.job.cancel();
  }

  private answer(answer: Answer, source: { name: string; text: string }, model: Record<string, unknown>, reach: boolean): void {
    const row = this.row(answer.property);
    const first = row.answers === 0;
    row.answers += 1;
    const { verdict } = answer.outcome;
    const shown = reach && verdict === "holds" ? "reachable" : reach && verdict === "violated" ? "unreachable" : verdict;
    const [word, picture] = WORDS[shown] ?? [verdict, "question"];
    // With several engines or readings, the worst is what the row is coloured by.
    if (first || verdict !== "holds") row.element.dataset.verdict = verdict;
    if (first) fill(row.element);
    const open = (trace: Trace, which: string) => {
      const title = verdict === "violated" ? `Counterexample of ${answer.property}` : verdict === "model_error" ? "Way to the error" : `Execution that shows ${answer.property}`;
      const from = document.activeElement;
      void this.stage.show({ title: title + which, kind: "counterexample", trace, source, model, explain: true }).then(() => {
        if (document.activeElement === from || document.activeElement === document.body) this.stage.focus();
      });
      document.dispatchEvent(new CustomEvent("stage"));
    };
    const traces = answer.trace ? [answer.trace.data, ...(answer.others ?? []).map((o) => o.data)] : [];
    const label = verdict === "violated" ? "Show why" : "Show it";
    const actions = h(
      "div",
      { class: "row-actions" },
      ...traces.map((trace, i) => button(i === 0 ? label : `no. ${i + 1}`, () => open(trace, i === 0 ? "" : `, no. ${i + 1}`), { class: i === 0 ? "accent" : "small", "data-act": "trace" }, i === 0 ? "play" : undefined)),
      traces[0] && verdict === "violated" ? button("Load into Run", () => document.dispatchEvent(new CustomEvent("load", { detail: { title: `Counterexample of ${answer.property}`, kind: "counterexample", trace: traces[0], source, model } })), { class: "quiet small", "data-act": "load", title: "Step through the counterexample in the interpreter" }) : null,
      answer.certificate ? button("Certificate", () => download(`${fileName(answer.property)}.certificate.json`, `${JSON.stringify(answer.certificate, null, 2)}\n`, "application/json"), { class: "quiet small", "data-act": "certificate" }, "download") : null,
    );
    const evidence = answer.said?.evidence ?? plainly(answer);
    const notes = answer.said?.notes ?? [];
    const text = this.formula(answer.property);
    const states = answer.effort?.states ? counted(answer.effort.states, "state") : "";
    const costs = [answer.engine ?? "", states, seconds(answer.effort?.seconds ?? 0)].filter(Boolean).join(" · ");
    const main = h(
      "div",
      { class: "row-main" },
      h("div", { class: "row-line" }, this.heading(answer.property), h("span", { class: "faint costs" }, costs)),
      text ? h("code", { class: "row-text", title: text }, text) : null,
      h("p", { class: "evidence" }, verdict === "holds" && !reach ? evidence.replace(/^every execution/, "holds in every execution") : evidence),
      ...notes.map((note) => h("p", { class: "note" }, note)),
    );
    row.element.append(h("span", { class: `badge badge-${verdict}` }, icon(picture), h("span", {}, word)), main, actions);
    if (traces.length > 0) {
      row.element.classList.add("row-open");
      main.addEventListener("click", (event) => {
        if (!(event.target as Element).closest("button")) open(traces[0]!, "");
      });
    }
    this.spoken.textContent = `${answer.property}: ${word}`;
  }
}

/** The evidence, if the server says no sentence. */
function plainly(answer: Answer): string {
  const { evidence, verdict } = answer.outcome;
  if (verdict === "unknown") return "not decided";
  const steps = evidence?.steps !== undefined ? ` (${counted(evidence.steps, "step")})` : "";
  return `${evidence?.kind ?? verdict}${steps}`.replaceAll("_", " ");
}
