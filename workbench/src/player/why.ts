// Reasons in words: why a loop never leaves, and why a formula of linear time fails. The data is described in docs/traces.md
// and docs/explain.md.

import type { Cause, FormulaPart, LoopRound, Obstacle, Trace, Wait } from "../types";
import { h } from "./dom";
import type { Run } from "./state";

type Piece = HTMLElement | string;
const code = (text: string): HTMLElement => h("code", {}, text);
const lineOf = (at: string | undefined): string => (at ? `line ${at.split(":")[0]}: ` : "");
const many = (items: string[]): string => (items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`);

/** `Birds 0 and 1`, `client1 and manager`. */
export function namesOf(run: Run, agents: number[]): string {
  const kinds = new Set(agents.map((agent) => run.agents.find((each) => each.agent === agent)?.kind));
  const [kind] = kinds;
  const numbered = kinds.size === 1 && kind !== undefined && agents.every((agent) => run.agentName(agent) === `${kind} ${agent}`);
  if (agents.length > 1 && numbered) return `${kind}${/(s|x|z|ch|sh)$/.test(kind) ? "es" : "s"} ${many(agents.map(String))}`;
  return many(agents.map((agent) => run.agentName(agent)));
}

/** `x of Bird 0 = 3 is false: x of Bird 0 is 2` */
function cause(run: Run, each: Cause): Piece[] {
  const values = (each.values ?? []).map((value) => `${run.brief(value.what)} is ${value.name ?? value.value ?? "undef"}`).join(", ");
  return [code(run.brief(each.condition)), ` is ${each.holds ? "true" : "false"}`, values ? h("span", { class: "sc-quiet" }, `: ${values}`) : ""];
}

export function because(run: Run, causes: Cause[]): HTMLElement {
  return h("ul", { class: "sc-because" }, ...causes.slice(0, 12).map((each) => h("li", {}, ...cause(run, each))));
}

/** Where the causes of a violation are true: `because` is about the last state, which in a loop is also the first one. */
export function whereTrue(run: Run, causes: Cause[]): string {
  const { loop } = run.trace;
  if (loop === undefined) return "In the last state:";
  const cell = (agent: number | undefined, name: string): string => `${name}${agent === undefined ? "" : ` of ${run.agentName(agent)}`}`;
  const known = new Set(run.variables.flatMap((v) => Array.from({ length: v.cells }, (_, i) => cell(v.agent, v.array ? `${v.name}[${i}]` : v.name))));
  const changed = new Set<string>();
  for (let step = loop + 1; step <= run.steps; step += 1) {
    for (const { variable, index } of run.changes(step)) changed.add(cell(variable.agent, variable.array ? `${variable.name}[${index}]` : variable.name));
  }
  const stays = causes.every((each) => (each.values ?? []).length > 0 && (each.values ?? []).every(({ what }) => known.has(run.brief(what)) && !changed.has(run.brief(what))));
  return stays ? "In every state of the loop:" : "When the loop begins:";
}

function obstacle(run: Run, each: Obstacle): Piece[] {
  switch (each.kind) {
    case "guard":
      return [...cause(run, each), each.writers?.length || !each.values?.length ? "" : "; nobody else can change that"];
    case "turn":
      return [`it is the turn of ${run.agentName(each.agent)}`];
    case "pending":
      return [`it has messages to send first: ${each.messages.join(", ")}`];
    case "partner":
      return [`it needs ${run.agentName(each.agent)}, which is elsewhere`];
    case "undefined":
      return [code(each.what), " is undefined"];
    case "no_choice":
      return ["there is nothing to choose from"];
    case "range":
      return [code(each.what), " would leave the range of the variable"];
    case "listener":
      return [`${run.agentName(each.agent)} listens to the channel${each.why === "send_guard" ? ", but the send guard leaves it out" : " and has no receive that is enabled"}`];
    case "passive":
      return each.channel === undefined ? ["somebody would have to ask for it"] : ["somebody would have to send on ", code(each.channel)];
    case "no_supplier":
      return ["nobody can supply it"];
    default:
      return [];
  }
}

function waits(run: Run, all: Wait[]): HTMLElement {
  const items = all.slice(0, 8).map((wait) => {
    const reasons = (wait.obstacles ?? []).map((each) => h("li", {}, ...obstacle(run, each)));
    return h("li", {}, lineOf(wait.at), code(wait.what), reasons.length > 0 ? h("ul", { class: "sc-because" }, ...reasons) : "");
  });
  if (all.length > 8) items.push(h("li", {}, `and ${all.length - 8} more`));
  return h("ul", { class: "sc-because" }, ...items);
}

/** Who never acts in a loop, and what the others do in every round. */
export function aboutLoop(run: Run, round: LoopRound): HTMLElement[] {
  const told: HTMLElement[] = [];
  const still = round.still ?? [];
  const able = still.filter((each) => each.able).map((each) => each.agent);
  const [acts, they] = able.length === 1 ? ["acts", "it"] : ["act", "they"];
  if (able.length > 0) told.push(h("p", {}, h("b", {}, namesOf(run, able)), ` never ${acts} in this loop, though ${they} could.`));
  // Agents that wait for the same things are told together.
  const groups = new Map<string, { agents: number[]; waits: Wait[] }>();
  for (const each of still.filter((one) => !one.able)) {
    const key = JSON.stringify(each.waits ?? []);
    const group = groups.get(key) ?? { agents: [], waits: each.waits ?? [] };
    group.agents.push(each.agent);
    groups.set(key, group);
  }
  for (const group of groups.values()) {
    const one = group.agents.length === 1;
    const who = h("b", {}, namesOf(run, group.agents));
    const never = ` never ${one ? "acts" : "act"} in this loop, because ${one ? "it" : "they"}`;
    if (group.waits.length === 0) told.push(h("p", {}, who, `${never} ${one ? "has" : "have"} no action left.`));
    else told.push(h("p", {}, who, `${never} cannot:`), waits(run, group.waits));
  }
  const who = [...new Set(round.repeats.map((each) => each.agent))];
  if (who.length > 0) {
    const items = who.map((agent) => {
      const own = round.repeats.filter((each) => each.agent === agent);
      const pieces = own.flatMap((each, index): Piece[] => [
        index > 0 ? "; " : "",
        each.rule === "action" ? lineOf(each.at) : `${each.rule}s `,
        code(each.what),
        each.times > 1 ? ` (${each.times} times)` : "",
      ]);
      return h("li", {}, h("b", {}, run.agentName(agent)), ": ", ...pieces);
    });
    told.push(h("p", {}, "In every round of the loop:"), h("ul", { class: "sc-because sc-round" }, ...items));
  }
  return told;
}

const place = (after: number): string => (after === 0 ? "at first" : `after step ${after}`);

/** What an execution does for ever. */
function without(trace: Trace, holds: boolean): string {
  const last = trace.steps.length;
  if (trace.loop === undefined) return ": no step is possible any more";
  const steps = trace.loop + 1 === last ? `step ${last}` : `steps ${trace.loop + 1} to ${last}`;
  return `: the loop (${steps}) repeats ${holds ? "with" : "without"} it`;
}

/** Why a formula of linear time fails, from the whole formula to the part that decides. */
export function aboutFormula(run: Run, parts: FormulaPart[]): HTMLElement[] {
  let here: number | undefined;
  const items = parts.map((each): HTMLElement => {
    switch (each.kind) {
      case "agent":
        return h("li", {}, "for ", code(each.name), " = ", code(run.brief(each.agent)), ":");
      case "opened":
        here = each.after;
        return each.became ? h("li", {}, `step ${each.after} makes `, code(each.part), " true") : h("li", {}, code(each.part), ` is true ${place(each.after)}`);
      case "condition": {
        here = each.after;
        const all = each.because ?? [];
        const [only] = all;
        const whole = cause(run, { condition: each.part, holds: each.holds, values: all.length === 1 ? (only?.values ?? []) : [] });
        return h("li", {}, `${place(each.after)}, `, ...whole, all.length > 1 ? because(run, all) : "");
      }
      case "observed": {
        here = each.step;
        const does = each.step === undefined ? "no step follows that satisfies " : `step ${each.step} ${each.holds ? "satisfies" : "does not satisfy"} `;
        return h("li", {}, does, code(each.part));
      }
      case "forever": {
        const from = here === each.after ? "from then on, " : each.after === 0 ? "" : `after step ${each.after}, `;
        return h("li", {}, from, code(each.part), h("b", { class: "sc-bad" }, each.holds ? " is always true" : " is never true"), without(run.trace, each.holds));
      }
      case "kept": {
        const states = each.from === each.to ? place(each.to) : each.from === 0 ? `at first and up to step ${each.to}` : `from step ${each.from} to step ${each.to}`;
        return h("li", {}, code(each.part), ` is true ${states}`);
      }
      case "before":
        return h("li", {}, `${place(each.after)}, `, code(each.part), " is false, and ", code(each.until), each.inclusive ? " has not been true by then" : " has not been true before");
      default:
        return h("li", {}, code((each as { part?: string }).part ?? ""));
    }
  });
  return [h("p", {}, "Why the formula fails:"), h("ul", { class: "sc-because sc-formula" }, ...items)];
}
