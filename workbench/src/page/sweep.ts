// A question at many points of a parameter space: the same property or the same query, one point after the other. The table fills
// and the picture grows while it runs; what was found stays when it is cancelled.

import { type Answer, type Event, Job, whyNot } from "./api";
import { button, counted, download, fill, h, icon, seconds } from "./dom";
import { type Estimate, type Report, suggested } from "./estimate";
import { csv, Picture, shown } from "./plots";
import { type Found, picture, points, type Range, range, type View } from "./points";
import { bare, type Store } from "./store";

const VERDICTS: Record<string, [string, string]> = {
  holds: ["holds", "check"],
  violated: ["violated", "cross"],
  unknown: ["unknown", "question"],
  failed: ["failed", "warning"],
};

interface Results {
  ranges: Range[];
  found: Found[];
  /** The property or the query. */
  asked: string;
  verify: boolean;
  total: number;
  notes: string[];
  /** What "random" means, from the first answer. */
  law: string;
}

export class Sweep {
  private readonly ranges = h("div", { class: "ranges", role: "group", "aria-label": "Ranges of parameters" });
  private readonly what = h("select", { "data-sweep": "what", "aria-label": "What to do at each point" }, h("option", { value: "verify" }, "verify the property"), h("option", { value: "estimate" }, "estimate"));
  private readonly property = h("select", { "data-sweep": "property", "aria-label": "Property" });
  private readonly query = h("input", { type: "text", class: "query", "data-sweep": "query", "aria-label": "Query", placeholder: "P(eventually … within 100 steps)", autocomplete: "off", spellcheck: "false" });
  private readonly hint = h("span", { class: "faint" }, "with the method, scheduler and seed of the tab Estimate");
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly start: HTMLButtonElement;
  private readonly cancel: HTMLButtonElement;
  private readonly meter = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Points that are done" });
  private readonly views = h("div", { class: "bar bar-small sweep-views", role: "group", "aria-label": "What is drawn" });
  private readonly drawing = new Picture("sweep");
  private readonly table = h("div", { class: "sweep-table" });
  private readonly law = h("p", { class: "law", "data-law": true, hidden: true });
  private readonly results = h("div", { class: "sweep-results", hidden: true });
  private shownFor = "";
  private suggestedQuery = "";
  private job: Job | undefined;
  private running = 0;
  private stopped = false;
  private data: Results | undefined;
  private view: View | undefined;
  private drawn = 0;

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    private readonly estimate: Estimate,
  ) {
    this.start = button("Sweep", () => void this.run(), { class: "primary", "data-act": "sweep" }, "play");
    this.cancel = button("Cancel", () => this.stop(), { "data-act": "cancel-sweep", hidden: true }, "stop");
    const save = button("CSV", () => this.save(), { class: "small quiet", "data-act": "download-csv" }, "download");
    const choose = () => {
      const estimating = this.what.value === "estimate";
      this.property.hidden = estimating;
      this.query.hidden = this.hint.hidden = !estimating;
    };
    this.what.addEventListener("change", choose);
    choose();
    this.query.addEventListener("keydown", (event) => event.key === "Enter" && void this.run());
    this.results.append(this.views, this.drawing.element, this.law, h("div", { class: "bar" }, save, this.drawing.saver), this.table);
    root.append(
      h("div", { class: "bar bar-stays" }, this.start, this.cancel, this.meter, this.status),
      h("div", { class: "sweep-form" }, h("span", { class: "faint" }, "for"), this.ranges, h("div", { class: "bar" }, this.what, this.property, this.query, this.hint)),
      this.results,
    );
    store.on("file", () => {
      this.stop();
      this.shownFor = "";
      this.running += 1;
      this.data = undefined;
      this.busy(false);
      this.results.hidden = true;
      this.drawing.clear();
      this.status.textContent = "";
      this.query.value = this.suggestedQuery = "";
    });
    store.on("checked", () => this.outline());
    this.outline();
  }

  /** A field for each parameter, and the properties. */
  private outline(): void {
    const { outline } = this.store.checked;
    if (!outline) return;
    const names = outline.parameters.map((p) => bare(p.name));
    const properties = outline.properties.map((p) => p.name);
    const key = JSON.stringify([this.store.file.id, names, properties]);
    if (key === this.shownFor) return;
    this.shownFor = key;
    const before = new Map([...this.ranges.querySelectorAll("input")].map((input) => [input.dataset.range!, input.value]));
    fill(
      this.ranges,
      ...names.map((name, i) => {
        const now = Number(this.store.file.settings.parameters[name] ?? outline.parameters[i]!.default ?? 2);
        // The first one varies already, around where it is.
        const usual = i === 0 && now > 0 && now < 1000 ? `${Math.max(1, now - 1)}..${now + 1}` : String(now);
        const input = h("input", { type: "text", size: 7, value: before.get(name) ?? usual, "data-range": name, autocomplete: "off", title: "Values: 2..6 or 1,3,5" });
        input.addEventListener("keydown", (event) => event.key === "Enter" && void this.run());
        return h("label", { class: "parameter" }, h("span", {}, name), input);
      }),
      names.length === 0 ? h("span", { class: "faint" }, "(this model has no parameters)") : null,
    );
    const chosen = this.property.value;
    fill(this.property, ...properties.map((name) => h("option", { value: name }, name)));
    if (properties.includes(chosen)) this.property.value = chosen;
    if (this.query.value === this.suggestedQuery) this.query.value = this.suggestedQuery = suggested(this.store)[0] ?? "";
  }

  stop(): void {
    this.stopped = true;
    void this.job?.cancel();
  }

  private busy(on: boolean): void {
    this.cancel.hidden = !on;
    this.start.hidden = on;
    this.meter.hidden = !on;
    if (on) this.cancel.focus({ preventScroll: true });
    else if (document.activeElement === document.body || document.activeElement === this.cancel) this.start.focus({ preventScroll: true });
  }

  private async run(): Promise<void> {
    if (this.start.hidden) return;
    const ranges: Range[] = [];
    let all: number[][] = [];
    const verify = this.what.value === "verify";
    const asked = verify ? this.property.value : this.query.value.trim();
    try {
      for (const input of this.ranges.querySelectorAll("input")) {
        input.setAttribute("aria-invalid", "false");
        try {
          ranges.push({ name: input.dataset.range!, values: range(input.dataset.range!, input.value) });
        } catch (error) {
          input.setAttribute("aria-invalid", "true");
          throw error;
        }
      }
      if (!asked) throw new Error(verify ? "This model states no properties." : "Write a query.");
      all = points(ranges);
    } catch (error) {
      this.status.textContent = (error as Error).message;
      return;
    }
    const number = ++this.running;
    const data: Results = { ranges, found: [], asked, verify, total: all.length, notes: [], law: "" };
    this.data = data;
    this.stopped = false;
    this.choose(data);
    this.results.hidden = false;
    this.drawing.clear();
    this.law.hidden = true;
    this.tableHead(data);
    this.busy(true);
    this.meter.max = all.length;
    const began = performance.now();
    const model = this.store.model();
    for (const values of all) {
      if (this.stopped || number !== this.running) break;
      this.meter.value = data.found.length;
      this.status.textContent = `${data.found.length} of ${counted(all.length, "point")} · ${seconds((performance.now() - began) / 1000)}`;
      const parameters = ranges.map(({ name }, i) => [name, String(values[i])]);
      const found = await this.point({ ...model, parameters }, data, values);
      if (number !== this.running) return;
      if (!found) continue;
      data.found.push(found);
      this.tableRow(data, found);
      if (performance.now() - this.drawn > 400) this.draw();
    }
    if (number !== this.running) return;
    this.draw();
    this.busy(false);
    const took = seconds((performance.now() - began) / 1000);
    const failed = data.found.filter((one) => one.verdict === "failed").length;
    this.status.textContent = `${this.stopped ? `Cancelled: ${data.found.length} of ${counted(all.length, "point")}` : counted(all.length, "point")}${failed ? `, ${failed} failed` : ""} · ${took}`;
  }

  /** One request. A point that fails is recorded, and the rest goes on; nothing is recorded of one that was cancelled. */
  private async point(model: Record<string, unknown>, data: Results, values: number[]): Promise<Found | undefined> {
    const began = performance.now();
    const { settings } = this.store.file;
    const found: Found = { values, seconds: 0 };
    const fails = (note: string) => Object.assign(found, { verdict: "failed", note });
    const hear = (event: Event): void => {
      if (event.event !== "answer") return;
      const answer = event as unknown as Answer;
      const { verdict } = answer.outcome;
      found.verdict = verdict === "model_error" ? "failed" : verdict;
      found.note = verdict === "model_error" ? "model error" : (answer.said?.evidence ?? "");
    };
    const request = data.verify
      ? { do: "verify", model, options: { properties: [data.asked], ignore_deadlock: settings.ignore_deadlock, fairness: settings.fairness, engine: settings.engine, ...(settings.steps ? { steps: Number(settings.steps) } : {}) } }
      : { do: "estimate", model, options: this.estimate.form.options([data.asked]) };
    const job = new Job(request, hear, { seconds: Number(settings.seconds) || 60, memory: (Number(settings.memory) || 1000) * 1_000_000 });
    this.job = job;
    try {
      const last = await job.done;
      if (job.cancelled) return undefined;
      if (last.event !== "done") fails(whyNot(last) === "The model has errors." ? (wrong(last) ?? whyNot(last)) : whyNot(last));
      else if (!data.verify) {
        const report = last.result.report as Report;
        const result = report.results[0];
        if (!result || report.end.kind !== "complete") fails(report.end.kind.replaceAll("_", " "));
        else {
          Object.assign(found, { value: result.value, low: result.low, high: result.high, infinite: result.infinite ?? false });
          if (data.notes.length === 0) {
            if (result.confidence !== null) data.notes.push(`Bands are ${shown(result.confidence * 100)} % intervals.`);
          }
          data.law ||= String(last.said?.text ?? "");
          this.law.textContent = data.law;
          this.law.hidden = data.law === "";
        }
      } else if (!found.verdict) fails("no answer");
    } catch (error) {
      if (job.cancelled) return undefined;
      fails((error as Error).message);
    }
    found.seconds = (performance.now() - began) / 1000;
    return found;
  }

  /** What is drawn without a choice: the parameters that vary, in their order. */
  private choose(data: Results): void {
    const varying = data.ranges.flatMap(({ values }, i) => (values.length > 1 ? [i] : []));
    const x = varying[0] ?? 0;
    const by = varying[1] ?? null;
    const held = new Map<number, number>();
    this.view = { kind: data.verify ? "phase" : by !== null && (data.ranges[by]?.values.length ?? 0) > 8 ? "heat" : "curve", x, by, held };
    const draw = () => {
      const { view } = this;
      if (!view) return;
      for (const at of varying) {
        if (at === view.x || at === view.by) view.held.delete(at);
        else if (!view.held.has(at)) view.held.set(at, data.ranges[at]!.values[0]!);
      }
      const select = (label: string, value: string, words: [string, string][], change: (word: string) => void, name: string) => {
        const element = h("select", { "data-view-of": name }, ...words.map(([word, text]) => h("option", { value: word }, text)));
        element.value = value;
        element.addEventListener("change", () => {
          change(element.value);
          draw();
          this.draw();
          this.views.querySelector<HTMLElement>(`[data-view-of="${name}"]`)?.focus();
        });
        return h("label", {}, `${label} `, element);
      };
      const names = varying.map((at): [string, string] => [String(at), data.ranges[at]!.name]);
      const kinds: [string, string][] = data.verify ? [["phase", "phase diagram"]] : [["curve", "curves"], ["heat", "heat map"]];
      fill(
        this.views,
        kinds.length > 1 ? select("as", view.kind, kinds, (word) => (view.kind = word as View["kind"]), "kind") : null,
        names.length > 1 ? select("across", String(view.x), names, (word) => {
          const next = Number(word);
          if (view.by === next) view.by = view.x;
          view.x = next;
        }, "x") : null,
        names.length > 1 ? select(view.kind === "curve" ? "a line for each" : "up", String(view.by), names.filter(([at]) => at !== String(view.x)), (word) => (view.by = Number(word)), "by") : null,
        ...[...view.held].map(([at, value]) => select(`${data.ranges[at]!.name} =`, String(value), data.ranges[at]!.values.map((v): [string, string] => [String(v), String(v)]), (word) => view.held.set(at, Number(word)), `held-${at}`)),
      );
      this.views.hidden = this.views.childElementCount === 0;
    };
    draw();
  }

  private draw(): void {
    const { data, view } = this;
    if (!data || !view || data.found.length === 0 || data.ranges.length === 0) return;
    this.drawn = performance.now();
    const failed = data.found.filter((one) => one.verdict === "failed" && !data.verify).length;
    const left = data.total - data.found.length;
    const notes = [...(view.kind === "curve" ? data.notes : []), ...(failed ? [`${counted(failed, "point")} failed.`] : []), ...(left > 0 ? [`${data.found.length} of ${data.total} points so far.`] : [])];
    this.drawing.show(picture(data.ranges, data.found, view, data.asked, notes)).catch((error) => (this.status.textContent = (error as Error).message));
  }

  private readonly body = h("tbody");

  private tableHead(data: Results): void {
    fill(this.body);
    const names = [...data.ranges.map(({ name }) => name), ...(data.verify ? [data.asked, "why"] : [data.asked, "low", "high"]), "time"];
    fill(this.table, h("table", { "aria-label": "What was found" }, h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name)))), this.body));
  }

  private tableRow(data: Results, found: Found): void {
    const end = (value: number | null | undefined, infinite = false) => h("td", {}, infinite ? "∞" : value === null || value === undefined ? "–" : shown(value));
    const [word, sign] = VERDICTS[found.verdict ?? ""] ?? ["", ""];
    const badge = h("span", { class: `badge badge-${found.verdict === "failed" ? "unknown" : found.verdict}` }, sign ? icon(sign) : null, h("span", {}, word));
    const cells = data.verify
      ? [h("td", {}, badge), h("td", { class: "faint sweep-why", title: found.note ?? "" }, found.note ?? "")]
      : found.verdict === "failed"
        ? [h("td", {}, badge), h("td", { colspan: 2, class: "faint sweep-why", title: found.note ?? "" }, found.note ?? "")]
        : [end(found.value, found.infinite), end(found.low), end(found.high)];
    this.body.append(h("tr", { "data-point": found.values.join(","), "data-verdict": found.verdict, "data-value": found.value }, ...found.values.map((value) => h("td", {}, value)), ...cells, h("td", { class: "faint" }, seconds(found.seconds))));
  }

  /** The table in the form that `swarmcheck plot` reads. */
  private save(): void {
    const { data } = this;
    if (!data) return;
    const names = data.ranges.map(({ name }) => name);
    const head = data.verify ? [...names, data.asked] : [...names, data.asked, `${data.asked}.low`, `${data.asked}.high`, "error"];
    const rows = data.found.map((one) => (data.verify ? [...one.values, one.verdict] : [...one.values, one.infinite ? "inf" : one.value, one.low, one.high, one.verdict === "failed" ? one.note : ""]));
    download("sweep.csv", csv([head, ...rows]), "text/csv");
  }
}

/** The first error of a model. */
function wrong(last: Event): string | undefined {
  const message = last.refusal?.diagnostics?.find((d: { severity: string }) => d.severity === "error")?.message;
  return message ? String(message) : undefined;
}
