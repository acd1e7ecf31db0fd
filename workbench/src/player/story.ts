// Why: the property, what makes it false, the story of the trace, and its steps with those that matter in front.

import type { Cause } from "../types";
import { h, set } from "./dom";
import type { Pane, Stage } from "./stage";

const LONG = 200;

/** `x of Bird 0 = 3 is false: x of Bird 0 is 2` */
function because(causes: Cause[]): HTMLElement {
  return h(
    "ul",
    { class: "sc-because" },
    ...causes.slice(0, 12).map((cause) => {
      const values = (cause.values ?? []).map((each) => `${each.what} is ${each.name ?? each.value ?? "undef"}`).join(", ");
      return h("li", {}, h("code", {}, cause.condition), ` is ${cause.holds ? "true" : "false"}`, values ? h("span", { class: "sc-quiet" }, `: ${values}`) : "");
    }),
  );
}

export class Story implements Pane {
  readonly element: HTMLElement;
  private readonly items = new Map<number, HTMLElement>();
  private current: HTMLElement | undefined;
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
    for (const paragraph of picture?.story ?? []) this.element.append(h("p", {}, paragraph));
    if (trace.because && trace.because.length > 0) {
      this.element.append(h("p", { class: "sc-quiet" }, "In the last state:"), because(trace.because));
    }
    const causes = new Set(picture?.causes ?? []);
    if (causes.size > 0) this.element.append(h("p", { class: "sc-quiet" }, causes.size === 1 ? "The step that matters is marked; the others are dimmed." : `${causes.size} steps matter and are marked; the others are dimmed.`));
    const steps = run.steps <= LONG ? trace.steps.map((_, index) => index + 1) : [...causes].sort((a, b) => a - b).slice(0, LONG);
    for (const step of steps) {
      const acts = trace.steps[step - 1];
      if (!acts) continue;
      const words = acts.rule === "action" ? acts.what : `${acts.rule === "propagate" ? "propagates" : acts.rule === "confirm" ? "confirms" : acts.rule === "send" ? "sends" : acts.rule} ${acts.what}`;
      const open = h("button", { type: "button", class: "sc-link-button" }, h("b", {}, run.agentName(acts.agent)), ` ${words}`);
      open.addEventListener("click", () => stage.go(step));
      const item = h("li", { value: step, "data-step": step }, open);
      if (causes.size > 0) item.classList.add(causes.has(step) ? "sc-causal" : "sc-dim");
      if (picture?.breaks === step) item.classList.add("sc-breaking");
      this.items.set(step, item);
      this.list.append(item);
    }
    if (this.items.size > 0) this.element.append(this.list);
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
