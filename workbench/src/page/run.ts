// The interpreter: an initial state, then one step after the other, chosen by a person, by chance or by a trace.

import type { Step, Trace, Write } from "../types";
import { type Choice, type Reply, Session, type StateData } from "./api";
import { button, counted, debounce, download, fill, h, icon, say } from "./dom";
import type { Showing, Stage } from "./stage";
import type { Store } from "./store";

/** Initial states that are listed. */
const LISTED = 40;

export class Run {
  private session: Session | undefined;
  private initial: Write[] = [];
  private steps: Step[] = [];
  private choices: Choice[] = [];
  private state: StateData | undefined;
  private model: Record<string, unknown> = {};
  private source = { name: "", text: "" };
  private names: ((agent: number) => string) | undefined;
  private chosen = 0;
  private tail: Promise<void> = Promise.resolve();
  /** The trace that is followed, and what it is called. */
  private plan: { trace: Trace; title: string } | undefined;

  private readonly status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  private readonly begin = button("Start", () => void this.start(), { class: "primary", "data-act": "start" }, "play");
  private readonly next = button("Next", () => void this.step(), { class: "primary", "data-act": "next", title: "Take the chosen step; along a loaded trace, its next step" });
  private readonly back = button("Back", () => void this.undo(), { "data-act": "back", title: "Undo the last step" });
  private readonly reset = button("Reset", () => this.end(), { "data-act": "reset", title: "Choose another initial state" });
  private readonly save = button("Save", () => void this.guard(() => this.keep()), { class: "quiet", "data-act": "save", title: "Save the run as a trace" }, "download");
  private readonly seed = h("input", { type: "text", inputmode: "numeric", size: 4, value: "1", "data-run": "seed" });
  private readonly suchThat = h("input", { type: "text", placeholder: "any", "data-run": "such-that" });
  private readonly starts = h("div", { class: "starts" });
  private readonly search = h("input", { type: "search", placeholder: "Search steps", "aria-label": "Search steps", "data-run": "search" });
  private readonly list = h("div", { class: "choices", role: "listbox", "aria-label": "Possible steps", tabindex: 0 });
  private readonly truths = h("div", { class: "truths" });
  private readonly many = h("input", { type: "text", inputmode: "numeric", size: 4, value: "10", "aria-label": "Number of random steps", "data-run": "many" });
  private readonly chance = h("input", { type: "text", inputmode: "numeric", size: 4, value: "1", "aria-label": "Seed", "data-run": "chance" });
  private readonly until = h("input", { type: "text", placeholder: "never", "aria-label": "Stop when", "data-run": "until" });
  private readonly jump = h("input", { type: "text", inputmode: "numeric", size: 4, "aria-label": "Step to go to", "data-run": "jump" });
  private readonly before: HTMLElement;
  private readonly during: HTMLElement;

  constructor(
    private readonly root: HTMLElement,
    private readonly store: Store,
    private readonly stage: Stage,
    private readonly show: () => void,
  ) {
    const file = h("input", { type: "file", accept: ".json,application/json", hidden: true });
    file.addEventListener("change", () => void this.read(file));
    this.before = h(
      "div",
      { class: "run-before" },
      h(
        "div",
        { class: "bar" },
        this.begin,
        h("label", {}, "seed ", this.seed),
        h("label", { class: "wide" }, "initial state such that ", this.suchThat),
        button("List initial states", () => void this.listStarts(), { "data-act": "starts" }),
        button("Load a trace…", () => file.click(), { class: "quiet" }, "open"),
        file,
      ),
      this.starts,
    );
    this.during = h(
      "div",
      { class: "run-during", hidden: true },
      h("div", { class: "bar" }, this.next, this.back, this.reset, this.save, this.status),
      h(
        "div",
        { class: "bar bar-small" },
        h("label", {}, "random steps ", this.many),
        h("label", {}, "seed ", this.chance),
        h("label", {}, "stop when ", this.until),
        button("Go", () => void this.walk(), { "data-act": "random" }),
        h("label", {}, "step ", this.jump),
      ),
      this.truths,
      h("div", { class: "choices-head" }, h("h3", {}, "Possible steps"), this.search),
      this.list,
    );
    root.append(this.before, this.during);
    this.search.addEventListener("input", () => this.draw());
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.jump.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && /^\d+$/.test(this.jump.value)) void this.goTo(Number(this.jump.value));
    });
    this.until.addEventListener("keydown", (event) => event.key === "Enter" && void this.walk());
    for (const input of [this.seed, this.suchThat]) input.addEventListener("keydown", (event) => event.key === "Enter" && void this.start());
    store.on("file", () => this.end());
    const changed = debounce(100, () => this.session && JSON.stringify(this.store.model()) !== JSON.stringify(this.model) && (this.status.textContent = "The model has changed: Reset to run the new one."));
    store.on("text", changed);
    store.on("settings", changed);
  }

  private async open(model = this.store.model(), source = this.store.source()): Promise<Session> {
    this.session?.close();
    this.model = model;
    this.source = source;
    this.plan = undefined;
    const session: Session = new Session(model, Number(this.seed.value) || 0, (why) => {
      if (this.session !== session) return;
      this.session = undefined;
      this.end();
      say(why, true);
    });
    this.session = session;
    const { legend } = await session.ask({ request: "legend" });
    const kinds = legend?.kinds ?? [];
    this.names = (agent) => {
      const kind = kinds.find((k) => agent >= k.first && agent < k.first + k.count);
      if (!kind) return `agent ${agent}`;
      return kind.count === 1 && this.store.language !== "labs" ? kind.name : `${kind.name} ${agent}`;
    };
    return session;
  }

  /** One thing after the other: a click that comes too early waits for its turn. */
  private guard(work: () => Promise<void>): Promise<void> {
    this.tail = this.tail.then(async () => {
      try {
        await work();
      } catch (error) {
        say((error as Error).message, true);
        this.status.textContent = (error as Error).message;
      }
    });
    return this.tail;
  }

  /** Starts in a state that the seed determines, or in the first one that satisfies the constraint. */
  async start(): Promise<void> {
    await this.guard(async () => {
      const session = await this.open();
      if (this.suchThat.value.trim()) {
        if (!(await this.find(1)).starts?.length) throw new Error("No initial state satisfies this.");
        await this.arrive(await session.ask({ request: "start_at", start: 0 }));
      } else await this.arrive(await session.ask({ request: "state" }));
    });
  }

  /** Initial states that satisfy the constraint; `start_at` counts in this list. */
  private async find(limit: number): Promise<Reply> {
    const wanted = this.suchThat.value.trim();
    return this.session!.ask(wanted ? { request: "starts", limit, such_that: wanted } : { request: "starts", limit });
  }

  private async listStarts(): Promise<void> {
    await this.guard(async () => {
      const session = await this.open();
      const { starts = [], more } = await this.find(LISTED);
      fill(
        this.starts,
        h("p", { class: "faint" }, `${counted(starts.length, "initial state")}${more ? ", and more" : ""}`),
        ...starts.map((values, number) =>
          h(
            "button",
            { type: "button", class: "start", onclick: () => void this.guard(async () => this.arrive(await session.ask({ request: "start_at", start: number }))) },
            h("span", { class: "faint" }, String(number + 1)),
            h("code", {}, this.line(values)),
          ),
        ),
      );
    });
  }

  private line(values: Write[]): string {
    const agents = new Map<string, string[]>();
    for (const write of values) {
      const who = write.agent === undefined ? "environment" : this.names!(write.agent);
      const index = write.index === undefined ? "" : `[${write.index}]`;
      agents.set(who, [...(agents.get(who) ?? []), `${write.variable}${index} = ${write.name ?? write.value ?? "undef"}`]);
    }
    return [...agents].map(([who, parts]) => `${who}: ${parts.join(", ")}`).join("; ");
  }

  private async arrive(reply: Reply, steps: Step[] = []): Promise<void> {
    this.state = reply.state!;
    this.initial = steps.length ? this.initial : this.state.values;
    this.steps = steps;
    this.before.hidden = true;
    this.during.hidden = false;
    await this.look();
  }

  /** Asks what is possible now, and shows everything. */
  private async look(): Promise<void> {
    this.choices = (await this.session!.ask({ request: "choices" })).choices ?? [];
    this.chosen = Math.max(0, this.ahead());
    this.draw();
    const on = this.state?.trace?.followed && this.steps.length <= this.state.trace.steps;
    const plan = this.plan;
    const title = !plan ? "Run" : on ? plan.title : `Your run, from ${plan.title.replace(/^(Counterexample|Random run|Execution|Way)/, (word) => `the ${word.toLowerCase()}`)}`;
    // Along a trace all of it can be seen; whoever leaves it sees the run that was chosen instead.
    const showing: Showing = { title, kind: "interpreter", trace: plan && on ? plan.trace : this.trace(), source: this.source, model: this.model };
    void this.stage.show(showing, this.steps.length);
  }

  /** Whether a run is under way. */
  get active(): boolean {
    return this.session !== undefined && this.state !== undefined;
  }

  /** Which of the choices the trace takes next, if it is known. */
  private ahead(): number {
    const next = this.following() ? this.plan?.trace.steps[this.steps.length] : undefined;
    if (!next) return -1;
    const alike = (step: Step | undefined, more: boolean) =>
      step !== undefined && step.agent === next.agent && step.rule === next.rule && step.what === next.what && step.at === next.at && (!more || JSON.stringify(step.writes) === JSON.stringify(next.writes));
    const exact = this.choices.findIndex((choice) => alike(choice.step, true));
    return exact >= 0 ? exact : this.choices.findIndex((choice) => alike(choice.step, false));
  }

  private header(): Partial<Trace> {
    const parameters = Object.fromEntries(((this.model.parameters ?? []) as [string, string][]).map(([name, value]) => [name, Number(value)]));
    const { fair, semantics, choice } = this.model as unknown as Trace;
    return { format: "swarmcheck-trace", version: 1, model: this.source.name, parameters, fair, semantics, choice, end: "open" };
  }

  private trace(): Trace {
    const { length } = this.choices;
    return { ...this.header(), initial: this.initial, steps: this.steps, end: length === 0 ? "deadlock" : "open" } as Trace;
  }

  private following(): boolean {
    const plan = this.state?.trace;
    return Boolean(plan?.followed && this.steps.length < plan.steps);
  }

  /** Next: along a trace if there is one, the chosen step otherwise. */
  private async step(): Promise<void> {
    await this.guard(async () => {
      if (this.following()) await this.took(await this.session!.ask({ request: "next" }));
      else await this.takeNow(this.chosen);
    });
  }

  private async takeNow(number: number): Promise<void> {
    if (this.choices.length === 0) throw new Error("No step is possible.");
    await this.took(await this.session!.ask({ request: "take", choice: number }));
  }

  take(number: number): void {
    void this.guard(() => this.takeNow(number));
  }

  private async took(reply: Reply): Promise<void> {
    this.steps = [...this.steps, reply.step!];
    this.state = reply.state;
    await this.look();
  }

  private async undo(): Promise<void> {
    await this.guard(async () => {
      this.state = (await this.session!.ask({ request: "back" })).state;
      this.steps = this.steps.slice(0, -1);
      await this.look();
    });
  }

  async goTo(step: number): Promise<void> {
    await this.guard(async () => {
      while (step > this.steps.length && this.following()) {
        const reply = await this.session!.ask({ request: "next" });
        this.steps = [...this.steps, reply.step!];
        this.state = reply.state;
      }
      if (step < this.steps.length) {
        this.state = (await this.session!.ask({ request: "go_to", step })).state;
        this.steps = this.steps.slice(0, step);
      }
      await this.look();
    });
  }

  /** Random steps, until there are enough or the predicate holds. */
  private async walk(): Promise<void> {
    await this.guard(async () => {
      const until = this.until.value.trim();
      const message: Record<string, unknown> = { request: "random", steps: Number(this.many.value) || 1, seed: Number(this.chance.value) || 0 };
      if (until) message.until = until;
      const reply = await this.session!.ask(message);
      this.steps = [...this.steps, ...(reply.steps ?? [])];
      this.state = reply.state;
      // The next walk goes on in another way.
      this.chance.value = String((Number(this.chance.value) || 0) + 1);
      await this.look();
      if (reply.why === "until") say(`Stopped: ${until}`);
      else if (reply.why === "deadlock") say("No step is possible any more.");
      else if (reply.why !== "steps") say("The model meets an error in the next step.", true);
    });
  }

  end(): void {
    const session = this.session;
    this.session = undefined;
    session?.close();
    this.steps = [];
    this.choices = [];
    this.state = undefined;
    this.before.hidden = false;
    this.during.hidden = true;
    this.status.textContent = "";
    fill(this.starts);
  }

  /** Goes along a trace up to a step; from there on, everything is possible. */
  async load(showing: Showing, step: number): Promise<void> {
    this.show();
    await this.guard(async () => {
      const session = await this.open(showing.model, showing.source);
      this.plan = { trace: showing.trace, title: showing.title.replace(/^Your run, from the (.)/, (_, letter: string) => letter.toUpperCase()) };
      const reply = await session.ask({ request: "load_trace", trace: showing.trace });
      this.initial = reply.state!.values;
      const steps = showing.trace.steps.slice(0, step);
      await this.arrive(step > 0 ? await session.ask({ request: "go_to", step }) : reply, steps);
    });
    this.list.focus({ preventScroll: true });
    this.root.scrollTop = 0;
  }

  private async read(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    try {
      const trace = JSON.parse(await file.text()) as Trace;
      if (trace.format !== "swarmcheck-trace") throw new Error();
      await this.load({ title: file.name, kind: "counterexample", trace, source: this.store.source(), model: this.store.model() }, 0);
    } catch {
      say(`${file.name} is no trace in JSON.`, true);
    }
  }

  private async keep(): Promise<void> {
    const { trace } = await this.session!.ask({ request: "trace" });
    download(`${this.source.name.replace(/\.[^.]*$/, "")}-run.json`, `${JSON.stringify(trace, null, 2)}\n`, "application/json");
  }

  private describe(step: Step): { main: string; more: string } {
    const name = this.names!;
    if (step.message) {
      const { by, channel, data, received } = step.message;
      const says = data.map((d) => `${d.variable} = ${d.name ?? d.value}`).join(", ");
      const to = received.map((r) => `${name(r.agent)}${r.label ? ` (${r.label})` : ""}`).join(", ");
      return { main: `${by.label ?? step.what}`, more: `on ${channel ?? "*"}${says ? `: ${says}` : ""} → ${to || "nobody"}` };
    }
    const rule = step.rule === "propagate" || step.rule === "confirm" ? `${step.rule}s ${step.what}` : step.what;
    const changed = (step.changes ?? []).map((c) => `${c.variable}${c.index === undefined ? "" : `[${c.index}]`}${c.agent !== undefined && c.agent !== step.agent ? ` of ${name(c.agent)}` : ""} → ${c.new_name ?? c.new ?? "undef"}`);
    const writes = changed.length ? changed : step.writes.map((w) => `${w.variable}${w.agent !== undefined && w.agent !== step.agent ? ` of ${name(w.agent)}` : ""} → ${w.name ?? w.value ?? "undef"}`);
    return { main: rule, more: [step.at ? `line ${step.at.split(":")[0]}` : "", writes.slice(0, 6).join(", ")].filter(Boolean).join(" · ") };
  }

  private draw(): void {
    const plan = this.state?.trace;
    const at = this.steps.length;
    const along = plan ? (plan.followed ? `, along a trace of ${plan.steps}` : ", away from the trace") : "";
    this.status.textContent = `step ${at}${along}`;
    this.back.disabled = at === 0;
    this.next.lastElementChild!.textContent = this.following() ? "Next of the trace" : "Next";
    this.next.disabled = this.choices.length === 0;
    fill(
      this.truths,
      ...(this.state?.properties ?? []).map((p) => {
        const holds = p.truth === "true";
        return h("span", { class: `truth ${holds ? "truth-yes" : "truth-no"}`, title: `The predicate of ${p.name} is ${holds ? "true" : "false"} in this state` }, icon(holds ? "check" : "cross"), p.name);
      }),
    );
    const wanted = this.search.value.trim().toLowerCase();
    const ahead = this.ahead();
    const first = this.choices[ahead]?.step?.agent;
    const groups = new Map<number, HTMLElement[]>();
    this.choices.forEach((choice, number) => {
      const agent = choice.step?.agent ?? choice.agent ?? 0;
      const { main, more } = choice.step ? this.describe(choice.step) : { main: "error of the model", more: `line ${choice.error?.line}: ${choice.error?.kind.replaceAll("_", " ")}` };
      if (wanted && !`${this.names!(agent)} ${main} ${more}`.toLowerCase().includes(wanted)) return;
      const item = h(
        "div",
        { class: `choice${number === ahead ? " choice-ahead" : ""}`, role: "option", id: `choice-${number}`, "aria-selected": String(number === this.chosen), "data-choice": number, "data-agent": agent, onclick: () => this.take(number) },
        number === ahead ? h("span", { class: "choice-tag" }, "next of the trace") : null,
        h("span", { class: "choice-main" }, main),
        h("span", { class: "choice-more" }, more),
      );
      groups.set(agent, [...(groups.get(agent) ?? []), item]);
    });
    fill(
      this.list,
      // Whoever acts next in the trace stands first, where it is seen without scrolling.
      ...[...groups].sort(([a], [b]) => Number(b === first) - Number(a === first) || a - b).map(([agent, items]) => h("div", { class: "choice-group", role: "group", "aria-label": this.names!(agent) }, h("h4", {}, this.names!(agent)), ...items)),
      groups.size === 0 ? h("p", { class: "hint" }, this.choices.length ? "No step matches." : "No step is possible: the run ends here.") : null,
    );
    this.mark();
  }

  private mark(): void {
    for (const item of this.list.querySelectorAll<HTMLElement>(".choice")) {
      const on = Number(item.dataset.choice) === this.chosen;
      item.setAttribute("aria-selected", String(on));
      if (on) {
        this.list.setAttribute("aria-activedescendant", item.id);
        if (document.activeElement === this.list) item.scrollIntoView({ block: "nearest" });
      }
    }
  }

  private key(event: KeyboardEvent): void {
    const items = [...this.list.querySelectorAll<HTMLElement>(".choice")].map((item) => Number(item.dataset.choice));
    const at = items.indexOf(this.chosen);
    if (event.key === "ArrowDown") this.chosen = items[Math.min(at + 1, items.length - 1)] ?? 0;
    else if (event.key === "ArrowUp") this.chosen = items[Math.max(at - 1, 0)] ?? 0;
    else if (event.key === "Enter" || event.key === " ") this.take(this.chosen);
    else if (event.key === "Backspace") void this.undo();
    else return;
    event.preventDefault();
    this.mark();
  }
}
