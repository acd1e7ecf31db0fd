// The values of every variable at every step of a trace. A trace holds the initial values and what each step writes; a cursor
// walks over it in both directions, and snapshots every SNAPSHOT steps make jumps cheap.

import type { Picture, Row, Trace, Write } from "../types";

const SNAPSHOT = 64;

/** A value of a variable; null is undefined. */
export type Value = number | null;

export interface AgentName {
  agent: number;
  kind: string;
  name: string;
  /** The automaton that it runs: in R-CHECK every agent is a kind of its own, but several run the same. */
  type?: string;
}

/** A variable of one agent, or of the environment. An array has several cells. */
export interface Variable {
  agent: number | undefined;
  name: string;
  /** The slot of its first cell. */
  slot: number;
  cells: number;
  array: boolean;
}

/** Where an expression finds its values. */
export interface Values {
  agents: AgentName[];
  parameters: Record<string, number>;
  /** The value of a cell; undefined if there is no such variable or cell. */
  get(agent: number | undefined, variable: string, index?: number): Value | undefined;
  /** Whether the variable has cells. */
  isArray(agent: number | undefined, variable: string): boolean | undefined;
  /** The name of a value, where the language has names. */
  nameOf(agent: number | undefined, variable: string, value: Value): string | undefined;
  /** The number that a name of a value stands for. */
  valueOf(name: string): number | undefined;
  /** The length of the rows of an array with two indices, if it is known. */
  columns?(agent: number | undefined, variable: string): number | undefined;
}

interface Delta {
  slot: number;
  old: number;
  now: number;
}

/** What a step changed. */
export interface Changed {
  variable: Variable;
  index: number;
  old: Value;
  now: Value;
  heard: boolean;
}

const key = (agent: number | undefined, variable: string): string => `${agent ?? ""}\n${variable}`;
const value = (number: number): Value => (Number.isNaN(number) ? null : number);

export class Run {
  readonly steps: number;
  readonly agents: AgentName[];
  readonly variables: Variable[] = [];
  readonly rows: Row[];
  private readonly byKey = new Map<string, Variable>();
  private readonly bySlot: Variable[] = [];
  private readonly names = new Map<string, Map<number, string>>();
  private readonly numbers = new Map<string, number>();
  private readonly deltas: Delta[][] = [];
  private readonly heard: Set<number>[] = [];
  private readonly snapshots: Float64Array[] = [];
  private readonly current: Float64Array;
  /** Names of agents as traces have them, and how they are shown. */
  private readonly shortened: [RegExp, string][] = [];
  private at = 0;

  constructor(
    readonly trace: Trace,
    readonly picture?: Picture,
  ) {
    this.steps = trace.steps.length;
    const known = picture && picture.agents.length > 0 ? picture.agents : agentsOf(trace);
    // `client1 0` is `client1` if there is no other client1.
    const bare = ({ agent, name }: AgentName): string => (name.endsWith(` ${agent}`) ? name.slice(0, -` ${agent}`.length) : name);
    const bares = known.map(bare);
    const short = (each: AgentName): AgentName => {
      const name = bare(each);
      if (name === each.name || name === "" || bares.filter((other) => other === name).length > 1) return each;
      this.shortened.push([new RegExp(`(?<![\\p{L}\\p{N}_])${each.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}_])`, "gu"), name]);
      return { ...each, name };
    };
    this.agents = known.map(short).map((each) => {
      const type = picture?.automata?.find((automaton) => automaton.agents.includes(each.agent))?.name;
      return type === undefined || type === each.kind ? each : { ...each, type };
    });
    this.declare(trace);
    const total = this.bySlot.length;
    this.current = new Float64Array(total).fill(Number.NaN);
    for (const write of trace.initial) this.current[this.slotOf(write)] = write.value ?? Number.NaN;
    this.snapshots.push(this.current.slice());
    const running = this.current.slice();
    for (const [number, step] of trace.steps.entries()) {
      const deltas: Delta[] = [];
      const heard = new Set<number>();
      for (const write of step.writes) {
        const slot = this.slotOf(write);
        const now = write.value ?? Number.NaN;
        if (write.heard) heard.add(slot);
        const old = running[slot] as number;
        if (!Object.is(old, now)) deltas.push({ slot, old, now });
        running[slot] = now;
      }
      this.deltas.push(deltas);
      this.heard.push(heard);
      if ((number + 1) % SNAPSHOT === 0) this.snapshots.push(running.slice());
    }
    this.rows = picture?.chart && picture.chart.length > 0 ? picture.chart : chartOf(trace);
  }

  /** Gives every cell a slot. Cells of an array stand together, in order. */
  private declare(trace: Trace): void {
    const cells = new Map<string, { agent: number | undefined; name: string; cells: number; array: boolean }>();
    const see = (write: Write): void => {
      const k = key(write.agent, write.variable);
      const known = cells.get(k) ?? { agent: write.agent, name: write.variable, cells: 1, array: false };
      if (write.index !== undefined) {
        known.array = true;
        known.cells = Math.max(known.cells, write.index + 1);
      }
      cells.set(k, known);
      if (write.name !== undefined && write.value !== null) {
        const names = this.names.get(k) ?? new Map<number, string>();
        names.set(write.value, write.name);
        this.names.set(k, names);
        if (!this.numbers.has(write.name)) this.numbers.set(write.name, write.value);
      }
    };
    for (const write of trace.initial) see(write);
    for (const step of trace.steps) for (const write of step.writes) see(write);
    let slot = 0;
    for (const [k, known] of cells) {
      const variable: Variable = { ...known, slot };
      this.byKey.set(k, variable);
      this.variables.push(variable);
      for (let i = 0; i < known.cells; i += 1) this.bySlot[slot + i] = variable;
      slot += known.cells;
    }
  }

  private slotOf(write: Write): number {
    return (this.byKey.get(key(write.agent, write.variable)) as Variable).slot + (write.index ?? 0);
  }

  /** Moves the cursor to the state after `step` steps. */
  private seek(step: number): void {
    const target = Math.max(0, Math.min(this.steps, step));
    if (Math.abs(target - this.at) > SNAPSHOT) {
      const snapshot = Math.floor(target / SNAPSHOT);
      this.current.set(this.snapshots[snapshot] as Float64Array);
      this.at = snapshot * SNAPSHOT;
    }
    while (this.at < target) {
      for (const delta of this.deltas[this.at] as Delta[]) this.current[delta.slot] = delta.now;
      this.at += 1;
    }
    while (this.at > target) {
      this.at -= 1;
      const deltas = this.deltas[this.at] as Delta[];
      for (let i = deltas.length - 1; i >= 0; i -= 1) {
        const delta = deltas[i] as Delta;
        this.current[delta.slot] = delta.old;
      }
    }
  }

  variable(agent: number | undefined, name: string): Variable | undefined {
    return this.byKey.get(key(agent, name));
  }

  /** The value of a slot after `step` steps. */
  read(step: number, slot: number): Value {
    this.seek(step);
    return value(this.current[slot] as number);
  }

  /** The value of a cell after `step` steps; undefined if there is no such cell. */
  get(step: number, agent: number | undefined, name: string, index = 0): Value | undefined {
    const variable = this.byKey.get(key(agent, name));
    if (!variable || index < 0 || index >= variable.cells) return undefined;
    return this.read(step, variable.slot + index);
  }

  /** What a step changed: the net effect, in the order of the writes. */
  changes(step: number): Changed[] {
    const net = new Map<number, { old: number; now: number }>();
    for (const delta of this.deltas[step - 1] ?? []) {
      const known = net.get(delta.slot);
      if (known) known.now = delta.now;
      else net.set(delta.slot, { old: delta.old, now: delta.now });
    }
    const changed: Changed[] = [];
    for (const [slot, { old, now }] of net) {
      if (Object.is(old, now)) continue;
      const variable = this.bySlot[slot] as Variable;
      const heard = this.heard[step - 1]?.has(slot) ?? false;
      changed.push({ variable, index: slot - variable.slot, old: value(old), now: value(now), heard });
    }
    return changed;
  }

  nameOf(agent: number | undefined, name: string, number: Value): string | undefined {
    return number === null ? undefined : this.names.get(key(agent, name))?.get(number);
  }

  /** A value as people read it. */
  text(agent: number | undefined, name: string, number: Value | undefined): string {
    if (number === undefined) return "";
    if (number === null) return "undef";
    return this.nameOf(agent, name, number) ?? String(number);
  }

  agentName(agent: number | undefined): string {
    if (agent === undefined) return "environment";
    return this.agents.find((a) => a.agent === agent)?.name ?? `agent ${agent}`;
  }

  /** A text of the trace with the names of agents as they are shown. */
  brief(text: string): string {
    return this.shortened.reduce((said, [long, short]) => said.replace(long, () => short), text);
  }

  /** The values of one state, for expressions. */
  values(step: number): Values {
    return {
      agents: this.agents,
      parameters: this.trace.parameters,
      get: (agent, variable, index) => this.get(step, agent, variable, index),
      isArray: (agent, variable) => this.byKey.get(key(agent, variable))?.array,
      nameOf: (agent, variable, number) => this.nameOf(agent, variable, number),
      valueOf: (name) => this.numbers.get(name),
      columns: (agent, variable) => this.columns(agent, variable),
    };
  }

  /** The length of the rows of an array with two indices: from the view, or because it is a square. */
  columns(agent: number | undefined, name: string): number | undefined {
    const cells = this.byKey.get(key(agent, name))?.cells ?? 0;
    const view = this.picture?.view;
    const floor = view?.floors?.find((f) => f.variable === name);
    if (view && floor && agent === undefined) return floor.by_column ? view.height : view.width;
    const side = Math.round(Math.sqrt(cells));
    return side * side === cells ? side : undefined;
  }

  /** The next step when playing: back to the start of the loop after the last step. */
  next(step: number): number | undefined {
    if (step < this.steps) return step + 1;
    const loop = this.trace.loop;
    return loop !== undefined && loop < this.steps ? loop + 1 : undefined;
  }

  /** The least and the greatest value of a variable of the given agents, over the whole run. */
  range(agents: (number | undefined)[], name: string): { low: number; high: number; values: number[] } {
    const seen = new Set<number>();
    for (const agent of agents) {
      const variable = this.byKey.get(key(agent, name));
      if (!variable) continue;
      for (let slot = variable.slot; slot < variable.slot + variable.cells; slot += 1) {
        const first = (this.snapshots[0] as Float64Array)[slot] as number;
        if (!Number.isNaN(first)) seen.add(first);
      }
    }
    const wanted = new Set(agents);
    for (const deltas of this.deltas) {
      for (const delta of deltas) {
        const variable = this.bySlot[delta.slot] as Variable;
        if (variable.name === name && wanted.has(variable.agent) && !Number.isNaN(delta.now)) seen.add(delta.now);
      }
    }
    const values = [...seen].sort((a, b) => a - b);
    return { low: values[0] ?? 0, high: values[values.length - 1] ?? 0, values };
  }
}

/** The agents of a trace that comes without a picture. */
function agentsOf(trace: Trace): AgentName[] {
  const kinds = new Map<number, string>();
  const see = (agent: number | undefined): void => {
    if (agent !== undefined && !kinds.has(agent)) kinds.set(agent, "");
  };
  for (const write of trace.initial) see(write.agent);
  for (const step of trace.steps) {
    kinds.set(step.agent, step.kind);
    for (const write of step.writes) see(write.agent);
    for (const part of step.message?.received ?? []) see(part.agent);
    for (const refusal of step.message?.refused ?? []) see(refusal.agent);
    const partner = /^(.*) with (\S+) (\d+)$/.exec(step.what);
    if (partner && !kinds.get(Number(partner[3]))) kinds.set(Number(partner[3]), partner[2] as string);
  }
  return [...kinds.entries()]
    .sort(([a], [b]) => a - b)
    .map(([agent, kind]) => ({ agent, kind: kind || "agent", name: `${kind || "agent"} ${agent}` }));
}

/** The rows of a sequence chart for a trace that comes without a picture. */
function chartOf(trace: Trace): Row[] {
  return trace.steps.map((step) => {
    if (step.message) {
      const { by, data, channel, received } = step.message;
      const said = data.map((d) => `${d.variable} = ${d.name ?? d.value}`).join(", ");
      const arrows = received.map((part) => ({ from: by.agent, to: part.agent, effect: part.label ?? "" }));
      return { agent: step.agent, label: `${channel ?? ""}: ${said}`, kind: "send", arrows };
    }
    const partner = /^(.*) with \S+ (\d+)$/.exec(step.what);
    if (partner) {
      const arrows = [{ from: step.agent, to: Number(partner[2]) }];
      return { agent: step.agent, label: partner[1] as string, kind: "sync", arrows };
    }
    // A message writes at those who take it over; with --sync an action does, too.
    const message = step.rule === "propagate" || step.rule === "confirm";
    const taken = step.writes.filter((w) => w.agent !== undefined && (w.heard || (message && w.agent !== step.agent)));
    const hearers = new Set(taken.map((w) => w.agent as number));
    const arrows = [...hearers].map((to) => ({ from: step.agent, to }));
    return { agent: step.agent, label: step.what, kind: step.rule, arrows };
  });
}
