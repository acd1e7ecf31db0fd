// Why: the property, what makes it false, the story of the trace, and its steps with those that matter in front.

import { h, set } from "./dom";
import type { Pane, Stage } from "./stage";
import { aboutFormula, aboutLoop, because, whereTrue } from "./why";

const LONG = 200;
/** Paragraphs of a story that are about steps, but about no single one. */
const ASIDE = /^\.\.\.|^from here on|^\d+ of \d+ steps? matter/;
const NOTHING = /^0 of \d+ steps? matter/;

export class Story implements Pane {
  readonly element: HTMLElement;
  private readonly items = new Map<number, HTMLElement>();
  private current: HTMLElement | undefined;
  private closing: HTMLElement | undefined;
  private readonly list = h("ol", { class: "sc-story-steps" });

  constructor(stage: Stage) {
    const { run, picture } = stage;
    const { trace } = run;
    this.element = h("div", { class: "sc-story", "data-view": "story" });
    if (trace.property) {
      this.element.append(h("p", {}, h("b", { class: "sc-bad" }, `${trace.property} is violated`), trace.claim ? ":" : "."));
      if (trace.claim) this.element.append(h("p", {}, h("code", { class: "sc-claim" }, trace.claim)));
    } else if (trace.reach) {
      this.element.append(h("p", {}, "This execution reaches ", h("code", {}, trace.reach), "."));
    }
    const causes = new Set(picture?.causes ?? []);
    if (trace.formula && trace.formula.length > 0) this.element.append(...aboutFormula(run, trace.formula));
    const told = (picture?.story ?? []).map((paragraph) => run.brief(paragraph));
    // If no step matters, what matters is the initial state and the loop: steps are listed, not counted.
    const idle = told.some((paragraph) => NOTHING.test(paragraph));
    for (const paragraph of idle ? told.filter((each) => !ASIDE.test(each)) : told) this.tell(stage, paragraph, causes);
    if (told.length === 0 && trace.because && trace.because.length > 0) {
      this.element.append(h("p", { class: "sc-quiet" }, whereTrue(run, trace.because)), because(run, trace.because));
    }
    if (trace.repeats && trace.loop !== undefined) this.element.append(...aboutLoop(run, trace.repeats));
    if (this.list.childElementCount === 0) this.list.append(...this.plain(stage, causes));
    if (this.list.childElementCount > 0) this.element.append(this.list);
    if (this.closing) this.element.append(this.closing);
  }

  /** A paragraph of the story: about a step, or about all of them. Its first line is a sentence, the others are reasons. */
  private tell(stage: Stage, paragraph: string, causes: Set<number>): void {
    const [first = "", ...lines] = paragraph.split("\n");
    const about = /^step (\d+)\s+(.*)$/.exec(first);
    if (about) {
      this.list.append(this.item(stage, Number(about[1]), about[2] ?? "", lines, causes));
    } else if (this.list.childElementCount === 0 && !ASIDE.test(first)) {
      this.element.append(h("p", {}, first));
      if (lines.length > 0) this.element.append(h("ul", { class: "sc-because" }, ...lines.map((line) => h("li", {}, line))));
    } else if (/^\d+ of \d+ steps? matter/.test(first)) {
      this.closing = h("p", { class: "sc-quiet" }, `${first}.`);
    } else {
      this.list.append(h("li", { class: "sc-aside" }, first.replace(/^\.\.\. /, "… ")));
    }
  }

  private item(stage: Stage, step: number, text: string, lines: string[], causes: Set<number>): HTMLElement {
    const [who = "", ...rest] = text.split(": ");
    const words = rest.length > 0 ? [h("b", {}, `${who}: `), rest.join(": ")] : [text];
    const open = h("button", { type: "button", class: "sc-link-button" }, ...words);
    open.addEventListener("click", () => stage.go(step));
    const item = h("li", { value: step, "data-step": step }, open);
    for (const line of lines) {
      // What a step reads can be long: it is there for those who ask.
      if (line.startsWith("reads ")) item.append(h("details", { class: "sc-reads" }, h("summary", {}, "reads"), line.slice(6)));
      else item.append(h("div", { class: "sc-reason" }, line));
    }
    if (causes.size > 0) item.classList.add(causes.has(step) ? "sc-causal" : "sc-dim");
    if (stage.picture?.breaks === step) item.classList.add("sc-breaking");
    this.items.set(step, item);
    return item;
  }

  /** The steps of a trace that comes without a story. */
  private plain(stage: Stage, causes: Set<number>): HTMLElement[] {
    const { run } = stage;
    const steps = run.steps <= LONG ? run.trace.steps.map((_, index) => index + 1) : [...causes].sort((a, b) => a - b).slice(0, LONG);
    return steps.flatMap((step) => {
      const acts = run.trace.steps[step - 1];
      const repeats = step > 1 && step === (run.trace.loop ?? -1) + 1 ? [h("li", { class: "sc-aside" }, "from here on the run repeats:")] : [];
      return acts ? [...repeats, this.item(stage, step, `${run.agentName(acts.agent)}: ${acts.rule === "action" ? "" : `${acts.rule} `}${acts.what}`, [], causes)] : [];
    });
  }

  show(step: number): void {
    const item = this.items.get(step);
    if (item !== this.current) {
      this.current?.removeAttribute("aria-current");
      item?.setAttribute("aria-current", "step");
      this.current = item;
    }
    if (item && (item.offsetTop < this.list.scrollTop || item.offsetTop + item.offsetHeight > this.list.scrollTop + this.list.clientHeight)) {
      this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
    }
    set(this.element, "data-step", step);
  }
}
