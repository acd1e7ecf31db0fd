// Everything that leaves the page: JSON to the server that the page came from, and answers line by line.

import type { Step, Trace, Write } from "../types";

export interface Place {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  start: number;
  end: number;
  label?: string;
}

export interface Fix {
  title: string;
  edits: { start: number; end: number; text: string }[];
}

export interface DiagnosticData extends Place {
  severity: "error" | "warning";
  code: string;
  message: string;
  file: string;
  related: Place[];
  help: string[];
  fixes?: Fix[];
}

export interface Outline {
  language: string;
  parameters: { name: string; default?: number | null; place?: Place }[];
  properties: { name: string; text?: string; place?: Place }[];
  agents: { kind: string; count?: number | null }[];
}

export interface Example {
  name: string;
  sentence: string;
  language: string;
  file: string;
  text: string;
  parameters?: Record<string, number>;
  fair?: boolean;
  picture?: string;
}

export interface Hello {
  version: string;
  limits: { seconds: number; memory: number; output: number; jobs: number; most?: { seconds: number; memory: number } };
  files: { name: string; text: string }[];
  examples: Example[];
  options?: Record<string, unknown>;
}

export interface Outcome {
  verdict: "holds" | "violated" | "model_error" | "unknown";
  evidence?: { kind: string; why?: string; steps?: number; loop_start?: number | null };
  vacuous?: unknown;
  reason?: { kind?: string } | string;
}

export interface Answer {
  property: string;
  question: string;
  engine: string | null;
  outcome: Outcome;
  notes: unknown[];
  effort: { states: number; transitions: number; seconds: number };
  trace?: { data: Trace; text: string } | null;
  certificate?: unknown;
  others?: { data: Trace; text: string }[];
  said?: { evidence?: string; notes?: string[] };
}

export interface StateData {
  step: number;
  values: Write[];
  pending?: { agent: number; messages: string[] }[];
  automata?: { agent: number; state: number }[];
  properties?: { name: string; truth: unknown }[];
  trace?: { steps: number; followed: boolean; loop?: number };
}

export interface Choice {
  outcome: "step" | "model_error";
  step?: Step;
  agent?: number;
  error?: { kind: string; line: number; column: number };
}

export interface Reply {
  reply: string;
  state?: StateData;
  step?: Step;
  steps?: Step[];
  choices?: Choice[];
  starts?: Write[][];
  more?: boolean;
  legend?: { kinds: { name: string; first: number; count: number }[]; variables: { name: string }[] };
  refusal?: { why: string; diagnostics?: DiagnosticData[] };
  said?: { why?: string };
  trace?: Trace;
  /** Why random steps have ended. */
  why?: unknown;
}

/** A line of the stream; the fields depend on `event`. */
// eslint-disable-next-line
export type Event = { event: string; said?: any } & Record<string, any>;

/** The server said no, or cannot be reached. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status = 0,
    readonly event?: Event,
  ) {
    super(message);
  }
}

const KEY = "swarmcheck-token";
let token = "";

/** Takes the token out of the address bar, so that it is in no link that is copied from there. */
export function findToken(): boolean {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    fragment.delete("token");
    const rest = fragment.toString();
    history.replaceState(null, "", location.pathname + (rest ? `#${rest}` : ""));
  }
  token = sessionStorage.getItem(KEY) ?? "";
  return token !== "";
}

/** Forgets a token that the server does not accept. */
export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
  token = "";
}

async function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Swarmcheck-Token": token },
      body: JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused("The server does not answer. Is swarmcheck web still running?");
  }
  if (!response.ok) {
    const said = await response.json().catch(() => ({}));
    throw new Refused(String(said.error ?? `the server answered ${response.status}`), response.status);
  }
  return response;
}

export async function hello(): Promise<Hello> {
  const said = (await (await post("/api/hello", {})).json()) as Hello;
  places = Math.max(1, said.limits.jobs);
  return said;
}

export interface Limits {
  seconds?: number;
  memory?: number;
}

/** As many jobs at once as the server allows; others wait here, so that none is refused. */
let places = 2;
const queue: (() => void)[] = [];

async function place(): Promise<void> {
  if (places > 0) places -= 1;
  else await new Promise<void>((resolve) => queue.push(resolve));
}

function leave(): void {
  const next = queue.shift();
  if (next) next();
  else places += 1;
}

/** A request that is being worked on. */
export class Job {
  private id = "";
  private readonly abort = new AbortController();
  cancelled = false;
  /** Becomes the last event. */
  readonly done: Promise<Event>;

  constructor(request: unknown, hear: (event: Event) => void, limits?: Limits) {
    this.done = this.run(request, hear, limits);
  }

  private async run(request: unknown, hear: (event: Event) => void, limits?: Limits): Promise<Event> {
    // Interpreters wait for people; the server counts them apart.
    const counted = (request as { do?: string }).do !== "interpret";
    if (counted) await place();
    try {
      if (this.cancelled) throw new Refused("cancelled");
      return await this.stream(request, hear, limits);
    } finally {
      if (counted) leave();
    }
  }

  private async stream(request: unknown, hear: (event: Event) => void, limits?: Limits): Promise<Event> {
    let response: Response | undefined;
    // Another tab may have taken the places: one is free soon.
    for (let tries = 0; !response; tries += 1) {
      try {
        response = await post("/api/job", limits ? { request, limits } : { request }, this.abort.signal);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 429 || tries >= 20 || this.cancelled) throw error;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    }
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let last: Event | undefined;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!line) continue;
        const event = JSON.parse(line) as Event;
        if (event.event === "job") {
          this.id = event.job;
          if (this.cancelled) void this.cancel();
        } else if (["done", "refused", "failed"].includes(event.event)) last = event;
        hear(event);
      }
    }
    if (!last) throw new Refused("The answer ended before its end.");
    return last;
  }

  /** Ends it; the stream then ends with what was found. */
  async cancel(): Promise<void> {
    this.cancelled = true;
    if (!this.id) return;
    try {
      await post("/api/cancel", { job: this.id });
    } catch {
      this.abort.abort();
    }
  }

  /** Ends it, and nobody wants to hear more. */
  drop(): void {
    this.done.catch(() => {});
    void this.cancel();
  }

  /** Sends a message to an interpreter. */
  async tell(message: unknown): Promise<void> {
    await post("/api/say", { job: this.id, message });
  }
}

/** Why there is no result, as a sentence. */
export function whyNot(last: Event): string {
  const said = last.said?.why;
  if (said) return String(said);
  if (last.refusal?.kind === "model") return "The model has errors.";
  if (last.refusal?.why) return String(last.refusal.why);
  const kind = last.refusal?.kind ?? last.reason?.kind ?? last.reason ?? "no result";
  return String(kind).replaceAll("_", " ");
}

/** One request and its result. */
export async function ask(request: unknown, hear: (event: Event) => void = () => {}, limits?: Limits): Promise<any> {
  const last = await new Job(request, hear, limits).done;
  if (last.event !== "done") throw new Refused(whyNot(last), 0, last);
  return last.result;
}

/** A conversation with an interpreter: questions are answered in order. */
export class Session {
  private readonly waiting: ((reply: Reply) => void)[] = [];
  private readonly job: Job;
  private ready!: () => void;
  private readonly started = new Promise<void>((resolve) => (this.ready = resolve));
  private queue: Promise<unknown> = Promise.resolve();
  ended = false;
  /** Why it has ended, if it has. */
  why = "";

  constructor(model: unknown, seed: number, onEnd: (why: string) => void) {
    this.job = new Job({ do: "interpret", model, seed }, (event) => {
      if (event.event === "job") this.ready();
      if (event.event === "reply") {
        const reply = event.reply as Reply;
        if (event.said) reply.said = event.said;
        this.waiting.shift()?.(reply);
      }
    });
    const end = (why: string) => {
      this.ended = true;
      this.why = why;
      this.ready();
      for (const give of this.waiting.splice(0)) give({ reply: "refused", refusal: { why: "gone" }, said: { why } });
      onEnd(why);
    };
    this.job.done.then(
      (last) => end(last.event === "done" ? "The run has ended." : whyNot(last)),
      (error) => end(String((error as Error).message)),
    );
  }

  /** Asks; a refusal is thrown. */
  async ask(message: Record<string, unknown>): Promise<Reply> {
    const turn = this.queue.then(async () => {
      await this.started;
      if (this.ended) throw new Refused(this.why);
      const reply = new Promise<Reply>((resolve) => this.waiting.push(resolve));
      await this.job.tell(message);
      return reply;
    });
    this.queue = turn.catch(() => {});
    const reply = await turn;
    if (reply.reply === "refused") {
      const wrong = reply.refusal?.diagnostics?.[0]?.message;
      throw new Refused(wrong ?? reply.said?.why ?? REFUSALS[reply.refusal?.why ?? ""] ?? String(reply.refusal?.why).replaceAll("_", " "));
    }
    return reply;
  }

  close(): void {
    if (!this.ended) this.job.drop();
  }
}

const REFUSALS: Record<string, string> = {
  no_initial_state: "The assumptions allow no initial state.",
  initial_state_not_found: "No initial state was found that the assumptions allow.",
  model_error: "The model meets an error in this step.",
  at_start: "This is the initial state.",
  end_of_trace: "The trace ends here.",
  left_trace: "The run has left the trace.",
  trace_misfit: "The trace does not fit the model any more.",
  no_such_start: "There is no such initial state.",
  gone: "The run has ended.",
};
