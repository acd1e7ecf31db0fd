// What the current step does, in words.

import { h, set } from "./dom";
import type { Pane, Stage } from "./stage";

/** `line:column` of a step: of its action, or of the command that sends. */
export function placeOf(stage: Stage, step: number): string | undefined {
  const acts = stage.run.trace.steps[step - 1];
  return acts?.at ?? acts?.message?.by.at;
}

/** Where the agent is drawn, if changed values are places: `Bird 0`, coloured like everywhere. */
const agent = (stage: Stage, number: number): HTMLElement => h("b", { class: "sc-who" }, stage.run.agentName(number));
const code = (text: string): HTMLElement => h("code", {}, text);

export class StepWords implements Pane {
  readonly element: HTMLElement;
  private readonly headline = h("p", { class: "sc-headline" });
  private readonly details = h("ul", { class: "sc-details" });

  constructor(private readonly stage: Stage) {
    this.element = h("section", { class: "sc-step", "aria-label": "What the step does" }, this.headline, this.details);
  }

  show(step: number): void {
    const { run, picture } = this.stage;
    const acts = run.trace.steps[step - 1];
    set(this.element, "data-step", step);
    this.headline.replaceChildren();
    this.headline.title = acts && acts.what.length > 120 ? acts.what : "";
    this.details.replaceChildren();
    const detail = (...children: (Node | string)[]): void => this.details.append(h("li", {}, ...children));
    if (!acts) {
      this.headline.append(h("b", {}, "Initial state"), run.steps > 0 ? ", before the first step." : ". No step was taken yet.");
    } else {
      const where = placeOf(this.stage, step);
      const line = where ? `, line ${where.split(":")[0]}` : "";
      if (acts.message) {
        const { by, channel, data } = acts.message;
        const said = data.map((d) => `${d.variable} = ${d.name ?? d.value}`).join(", ");
        const to = channel === undefined ? "" : channel === "*" ? " to everybody (*)" : ` on channel ${channel}`;
        const verb = acts.rule === "get" || acts.rule === "supply" ? " asks" : " sends";
        this.headline.append(agent(this.stage, by.agent), verb, said ? " " : "", said ? code(said) : "", to, line);
      } else if (acts.rule === "propagate" || acts.rule === "confirm") {
        this.headline.append(agent(this.stage, acts.agent), acts.rule === "propagate" ? " propagates " : " confirms ", code(acts.what), line);
      } else {
        this.headline.append(agent(this.stage, acts.agent), `${line}: `, code(run.brief(acts.what)));
      }
      const arrows = run.rows[step - 1]?.arrows ?? [];
      const told = arrows.filter((arrow) => !arrow.idle);
      const heard = told.map((arrow) => run.agentName(arrow.to));
      const deaf = arrows.filter((arrow) => arrow.idle).map((arrow) => run.agentName(arrow.to));
      for (const from of new Set(told.map((arrow) => arrow.from))) {
        const to = told.filter((arrow) => arrow.from === from).map((arrow) => run.agentName(arrow.to));
        detail(from === acts.agent ? "" : `from ${run.agentName(from)} `, "to ", h("b", {}, to.join(", ")));
      }
      const message = acts.rule === "propagate" || acts.rule === "confirm" || acts.message !== undefined;
      if (message && heard.length === 0) detail("nobody takes it over");
      const more = heard.length > 0 ? "other " : "";
      if (deaf.length > 5) detail(h("span", { class: "sc-quiet" }, `without effect on ${deaf.length} ${more}agents`));
      else if (deaf.length > 0) detail(h("span", { class: "sc-quiet" }, `without effect on ${deaf.join(", ")}`));
    }
    const changes = run.changes(step);
    for (const { variable, index, old, now } of changes.slice(0, 8)) {
      const name = variable.array ? `${variable.name}[${index}]` : variable.name;
      const owner = variable.agent === undefined ? "" : ` of ${run.agentName(variable.agent)}`;
      const text = (value: number | null): string => run.text(variable.agent, variable.name, value);
      detail(`${name}${owner}: `, h("span", { class: "sc-old" }, text(old)), " → ", h("b", {}, text(now)));
    }
    if (changes.length > 8) detail(`and ${changes.length - 8} more, see the table`);
    for (const property of (step === 0 ? [] : acts?.properties) ?? []) {
      detail(h("b", { class: property.holds ? "sc-good" : "sc-bad" }, `${property.name} becomes ${property.holds ? "true" : "false"}`));
    }
    if (picture?.breaks === step && step > 0) detail(h("b", { class: "sc-bad" }, `This state breaks ${run.trace.property ?? "the property"}.`));
    if (step === run.steps) {
      if (run.trace.loop !== undefined) {
        detail(run.trace.loop < run.steps ? `From here the execution goes on after step ${run.trace.loop}, for ever.` : "From here on nothing changes.");
      } else if (run.trace.end === "deadlock") detail("No step is possible any more.");
      else if (run.trace.end.startsWith("model error")) detail(h("b", { class: "sc-bad" }, run.trace.end));
    }
  }
}
