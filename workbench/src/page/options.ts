// How a model is read and decided: every option with one sentence. They belong to the file that is open.

import type { Hello } from "./api";
import { button, dialog, fill, grouped, h } from "./dom";
import { defaults, type Language, type Settings, type Store } from "./store";

type Name = Exclude<keyof Settings, "parameters">;

interface Option {
  name: Name;
  label: string;
  about: string;
  /** Words that can be chosen, with what they are called; numbers and switches have none. */
  words?: [string, string][];
  unit?: string;
  languages?: Language[];
}

const GROUPS: [string, Option[]][] = [
  [
    "How the model runs",
    [
      { name: "fair", label: "Fair: agents take turns", about: "Agents act in circular order; messages are still delivered at any time." },
      { name: "sync", label: "Deliver messages at once", about: "What an action sends arrives in the same step, with all that it causes.", languages: ["labs"] },
      {
        name: "semantics",
        label: "Rules of messages",
        about: "Whether a confirmation that meets an equal timestamp does nothing (SLiVER) or makes the receiver propagate (paper).",
        words: [["sliver", "as SLiVER"], ["paper", "as the paper"]],
        languages: ["labs"],
      },
      {
        name: "choice",
        label: "When a choice is made",
        about: "By the action that is taken (late), or already when the action before it ends (early).",
        words: [["late", "late"], ["early", "early"]],
        languages: ["labs", "ccs"],
      },
      {
        name: "precedence",
        label: "How operators bind",
        about: "As usual, or on one level from left to right, as the authors' editor reads; both means that ambiguous formulas are decided in both ways.",
        words: [["", "both"], ["conventional", "as usual"], ["rcheck", "left to right"]],
        languages: ["rcheck"],
      },
    ],
  ],
  [
    "What is asked",
    [
      { name: "deadlock", label: "Look for deadlocks", about: "Asks whether some step is possible in every reachable state." },
      { name: "ignore_deadlock", label: "Excuse executions that stop", about: "An execution that stops does not violate “eventually”." },
      {
        name: "fairness",
        label: "Executions that count",
        about: "All; those in which whoever can move from some point on moves again (weak); or those in which whoever can move again and again does so (strong).",
        words: [["none", "all"], ["weak", "weakly fair ones"], ["strong", "strongly fair ones"]],
        languages: ["labs", "rcheck"],
      },
      { name: "steps", label: "Bound on steps", about: "Only executions of this many steps count; empty means all executions.", unit: "steps" },
      { name: "traces", label: "Counterexamples per property", about: "Shows up to so many executions that differ in more than the order of their steps." },
      { name: "why", label: "Say more about why", about: "Looks for parts of a property that do not matter for its verdict." },
    ],
  ],
  [
    "Who decides",
    [
      {
        name: "engine",
        label: "Engine",
        about: "All engines race, or one of them decides alone.",
        words: [
          ["auto", "all in a race"],
          ["explicit", "explicit-state search"],
          ["bdd", "binary decision diagrams"],
          ["ic3", "IC3 (inductive invariant)"],
          ["bmc", "bounded model checking"],
          ["kind", "k-induction"],
          ["abstract", "predicate abstraction"],
        ],
      },
      { name: "cross_check", label: "Ask every engine", about: "Every engine that can answers; the verdict is unknown if two disagree." },
      { name: "certify", label: "Check proofs", about: "A proof counts only after it has been checked again on the model; certificates can be downloaded." },
    ],
  ],
  [
    "Limits",
    [
      { name: "seconds", label: "Time", about: "The work stops after this time and says what was found.", unit: "seconds" },
      { name: "memory", label: "Memory", about: "The work stops when it needs more than this.", unit: "MB" },
    ],
  ],
];

export class Options {
  readonly fair: HTMLElement;
  private readonly badge = h("span", { class: "count" });
  readonly opener: HTMLButtonElement;
  hello: Hello | undefined;

  constructor(private readonly store: Store) {
    const box = h("input", { type: "checkbox", "data-option": "fair" });
    box.addEventListener("change", () => store.set("fair", box.checked));
    this.fair = h("label", { class: "switch", title: "Agents act in circular order." }, box, h("span", {}, "fair"));
    this.opener = button("Options", () => this.open(), { class: "quiet", "data-open": "options" }, "gear");
    this.opener.append(this.badge);
    const show = () => {
      box.checked = store.file.settings.fair;
      const changed = this.changed();
      this.badge.textContent = changed ? String(changed) : "";
      this.badge.hidden = changed === 0;
      this.badge.title = `${changed} changed`;
    };
    store.on("settings", show);
    store.on("file", show);
  }

  private all(): Option[] {
    const { language } = this.store;
    return GROUPS.flatMap(([, options]) => options).filter((o) => !o.languages || o.languages.includes(language));
  }

  /** How many differ from what they are without a choice. */
  private changed(): number {
    const { settings } = this.store.file;
    const usual = defaults();
    return this.all().filter((o) => settings[o.name] !== usual[o.name]).length;
  }

  open(): void {
    const body = h("div", { class: "options" });
    const { language } = this.store;
    const draw = () =>
      fill(
        body,
        ...GROUPS.map(([title, options]) =>
          h(
            "fieldset",
            {},
            h("legend", {}, title),
            ...options.filter((o) => !o.languages || o.languages.includes(language)).map((option) => this.row(option)),
          ),
        ),
        this.hello
          ? h(
              "p",
              { class: "faint" },
              allowed(this.hello),
            )
          : null,
        button(
          "Back to the defaults",
          () => {
            const { parameters } = this.store.file.settings;
            this.store.file.settings = { ...defaults(), parameters };
            this.store.tell("settings");
            draw();
          },
          { class: "small" },
        ),
      );
    draw();
    dialog("Options", body);
  }

  private row(option: Option): HTMLElement {
    const { settings } = this.store.file;
    const value = settings[option.name];
    const id = `option-${option.name}`;
    const about = h("p", { class: "option-about", id: `${id}-about` }, option.about);
    const common = { id, "data-option": option.name, "aria-describedby": about.id };
    if (typeof value === "boolean") {
      const box = h("input", { type: "checkbox", ...common });
      box.checked = value;
      box.addEventListener("change", () => this.store.set(option.name, box.checked as never));
      return h("div", { class: "option" }, h("label", { class: "switch" }, box, h("span", {}, option.label)), about);
    }
    if (option.words) {
      const select = h("select", common, ...option.words.map(([word, label]) => h("option", { value: word }, label)));
      select.value = value;
      select.addEventListener("change", () => this.store.set(option.name, select.value as never));
      return h("div", { class: "option" }, h("label", { for: id }, option.label), select, about);
    }
    const input = h("input", { type: "text", inputmode: "numeric", size: 7, value, autocomplete: "off", ...common });
    input.addEventListener("input", () => {
      const good = /^\d*$/.test(input.value.trim());
      input.setAttribute("aria-invalid", String(!good));
      if (good) this.store.set(option.name, input.value.trim() as never);
    });
    return h(
      "div",
      { class: "option" },
      h("label", { for: id }, option.label),
      h("span", { class: "with-unit" }, input, option.unit ? h("span", { class: "faint" }, option.unit) : null),
      about,
    );
  }
}

function allowed({ limits }: Hello): string {
  const { seconds, memory } = limits.most ?? limits;
  return `This server allows at most ${grouped(seconds)} seconds and ${grouped(memory / 1e6)} MB for a job, and ${limits.jobs} jobs at once. Start it with --timeout and --memory for more.`;
}
