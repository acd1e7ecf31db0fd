// The data that the page and the player receive: traces (docs/traces.md), pictures (crates/picture/src/data.rs), events of
// the façade (crates/session/src/event.rs). Field names are those of the JSON.

export interface Write {
  agent?: number;
  variable: string;
  index?: number;
  value: number | null;
  name?: string;
  timestamp?: number;
  heard?: boolean;
}

export interface Change {
  agent?: number;
  variable: string;
  index?: number;
  old: number | null;
  new: number | null;
  old_name?: string;
  new_name?: string;
}

export interface Cause {
  condition: string;
  holds: boolean;
  values?: { what: string; value: number | null; name?: string }[];
}

export interface PropertyTruth {
  name: string;
  holds: boolean;
  because?: Cause[];
}

export interface Part {
  agent: number;
  label?: string;
  command: string;
  at: string;
  from: number;
  to: number;
}

export interface Datum {
  variable: string;
  value: number;
  name?: string;
}

export interface Message {
  by: Part;
  channel?: string;
  data: Datum[];
  received: Part[];
  answer?: Datum[];
  refused?: { agent: number; why: "send_guard" | "no_receive" }[];
}

export interface Step {
  agent: number;
  kind: string;
  rule: string;
  what: string;
  at?: string;
  message?: Message;
  writes: Write[];
  pending?: { agent: number; messages: string[] }[];
  properties?: PropertyTruth[];
  changes?: Change[];
  truths?: { part: string; holds: boolean }[];
}

export interface Trace {
  format: "swarmcheck-trace";
  version: number;
  model: string;
  parameters: Record<string, number>;
  fair: boolean;
  semantics: string;
  choice?: string;
  initial: Write[];
  properties?: PropertyTruth[];
  steps: Step[];
  end: string;
  loop?: number;
  reach?: string;
  property?: string;
  claim?: string;
  because?: Cause[];
  sync?: boolean;
  precedence?: string;
  seed?: number;
  run?: number;
  repeats?: LoopRound;
  formula?: FormulaPart[];
}

/** What a loop repeats, and who takes no part in it. */
export interface LoopRound {
  repeats: { agent: number; rule: string; what: string; at?: string; times: number }[];
  still?: { agent: number; able: boolean; waits?: Wait[] }[];
}

/** An action that is not possible, and what is in its way. */
export interface Wait {
  what: string;
  at?: string;
  obstacles?: Obstacle[];
}

export type Obstacle =
  | ({ kind: "guard"; writers?: unknown[] } & Cause)
  | { kind: "turn" | "partner"; agent: number }
  | { kind: "pending"; messages: string[] }
  | { kind: "undefined" | "range"; what: string }
  | { kind: "listener"; agent: number; why: "send_guard" | "no_receive" }
  | { kind: "passive"; channel?: string }
  | { kind: "no_choice" | "no_supplier" };

/** A reason why an execution violates a formula of linear time. */
export type FormulaPart =
  | { kind: "agent"; name: string; agent: string }
  | { kind: "opened"; part: string; after: number; became?: boolean }
  | { kind: "condition"; part: string; after: number; holds: boolean; because?: Cause[] }
  | { kind: "observed"; part: string; step?: number; holds: boolean }
  | { kind: "forever"; part: string; after: number; holds: boolean }
  | { kind: "kept"; part: string; from: number; to: number }
  | { kind: "before"; part: string; after: number; until: string; inclusive: boolean };

export interface Picture {
  format: "swarmcheck-picture";
  version: number;
  agents: { agent: number; kind: string; name: string }[];
  view?: View;
  links?: Links[];
  chart?: Row[];
  automata?: Automaton[];
  places?: { step: number; agent: number; at: number[] }[];
  causes?: number[];
  breaks?: number;
  story?: string[];
}

export interface View {
  width: number;
  height: number;
  torus?: boolean;
  shows: Shows[];
  floors?: { variable: string; by_column?: boolean }[];
  said?: boolean;
}

export interface Shows {
  kind: string;
  x: string;
  y?: string;
  dx?: string;
  dy?: string;
  colour?: string;
  label?: string;
  size?: string;
}

export interface Links {
  name: string;
  predicate: string;
  initial: [number, number][];
  changes?: { step: number; made?: [number, number][]; broken?: [number, number][] }[];
}

export interface Row {
  agent?: number;
  label: string;
  kind: string;
  arrows?: { from: number; to: number; effect?: string; idle?: boolean }[];
}

export interface Automaton {
  name: string;
  agents: number[];
  drawing: Drawing;
}

export interface Drawing {
  width: number;
  height: number;
  nodes: DrawingNode[];
  edges: DrawingEdge[];
}

export interface DrawingNode {
  id: number;
  label: string;
  x: number;
  y: number;
  width: number;
  height: number;
  initial?: boolean;
  last?: boolean;
  location?: number;
}

export interface DrawingEdge {
  from: number;
  to: number;
  label: string[];
  points: [number, number][];
  at: [number, number];
  place?: string;
}
