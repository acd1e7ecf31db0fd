// How agents look in the grid: which variables decide place, heading, colour, size and label. It begins with the view of the
// picture, and the settings of the page change it.

import type { Shows, View } from "../types";
import { hue, hues, shade } from "./stage";
import type { Run } from "./state";

export const CELL = 40;

/** What an agent looks like in one state. */
export interface Looks {
  /** The column and the row, or undefined if it has no place. */
  x: number | undefined;
  y: number | undefined;
  dx: number | undefined;
  dy: number | undefined;
  colour: string;
  /** The value that decides the colour, as text. */
  coloured: string;
  size: number;
  label: string;
}

/** A pair of arrays of the environment that holds places of things: `itemX`, `itemY`. */
export interface Things {
  name: string;
  x: string;
  y: string;
  cells: number;
}

interface Key {
  colour: string;
  text: string;
}

export class Look {
  width = 0;
  height = 0;
  torus = false;
  readonly shows = new Map<string, Shows>();
  readonly kinds: string[];
  private readonly types: string[];
  readonly things: Things[] = [];
  private ranges = new Map<string, { low: number; high: number; values: number[] }>();

  constructor(
    readonly run: Run,
    view: View | undefined,
  ) {
    this.kinds = [...new Set(run.agents.map((a) => a.kind))];
    this.types = [...new Set(this.kinds.map((kind) => this.typeOf(kind)))];
    for (const kind of this.kinds) this.shows.set(kind, { kind, x: "", label: "id" });
    if (view) {
      this.width = view.width;
      this.height = view.height;
      this.torus = view.torus ?? false;
      for (const shows of view.shows) this.shows.set(shows.kind, { label: "id", ...shows });
      this.findThings();
    }
  }

  get placed(): boolean {
    return this.width > 0 && [...this.shows.values()].some((shows) => shows.x !== "");
  }

  private typeOf(kind: string): string {
    return this.run.agents.find((a) => a.kind === kind)?.type ?? kind;
  }

  private agentsOf(kind: string): number[] {
    return this.run.agents.filter((a) => a.kind === kind).map((a) => a.agent);
  }

  private range(kind: string, variable: string): { low: number; high: number; values: number[] } {
    const key = `${kind}\n${variable}`;
    const known = this.ranges.get(key) ?? this.run.range(this.agentsOf(kind), variable);
    this.ranges.set(key, known);
    return known;
  }

  /** Pairs of equally long arrays whose names differ only in X and Y. */
  private findThings(): void {
    const environment = this.run.variables.filter((v) => v.agent === undefined && v.array);
    for (const x of environment) {
      const match = /^(.*)(X|_x)$/.exec(x.name);
      if (!match) continue;
      const y = environment.find((v) => v.name === `${match[1]}${match[2] === "X" ? "Y" : "_y"}` && v.cells === x.cells);
      if (y) this.things.push({ name: match[1] as string, x: x.name, y: y.name, cells: x.cells });
    }
  }

  /** Takes over a choice of the settings. An undefined space is made as large as the values need. */
  choose(kind: string, part: keyof Shows, variable: string): void {
    const shows = this.shows.get(kind) as Shows;
    if (part === "x") shows.x = variable;
    else if (part !== "kind") shows[part] = variable === "" ? undefined : variable;
    if (part === "x" || part === "y") this.fit();
  }

  private fit(): void {
    let [width, height] = [this.run.picture?.view?.width ?? 0, this.run.picture?.view?.height ?? 0];
    for (const { kind, x, y } of this.shows.values()) {
      if (x === "") continue;
      width = Math.max(width, Math.min(this.range(kind, x).high + 1, 200), 1);
      height = Math.max(height, y ? Math.min(this.range(kind, y).high + 1, 200) : 1);
    }
    this.width = width;
    this.height = height;
  }

  /** Variables of a kind that are no arrays. */
  variables(kind: string): string[] {
    const agents = new Set(this.agentsOf(kind));
    const names = this.run.variables.filter((v) => v.agent !== undefined && agents.has(v.agent) && !v.array).map((v) => v.name);
    return [...new Set(names)];
  }

  private colourOf(kind: string, variable: string | undefined, value: number | null | undefined): string {
    if (!variable) return hue(this.types.indexOf(this.typeOf(kind)));
    if (value === null || value === undefined) return "#8c8c8c";
    if (variable === "id") return hue(value);
    const { low, high, values } = this.range(kind, variable);
    if (values.length <= hues) return hue(values.indexOf(value));
    return shade((value - low) / Math.max(high - low, 1));
  }

  /** What an agent looks like after `step` steps. */
  of(step: number, agent: number, kind: string): Looks {
    const { run } = this;
    const shows = this.shows.get(kind) as Shows;
    const read = (variable: string | undefined): number | undefined => {
      if (!variable) return undefined;
      if (variable === "id") return agent;
      return run.get(step, agent, variable) ?? undefined;
    };
    const x = this.width > 0 ? read(shows.x) : undefined;
    const y = shows.y ? read(shows.y) : x === undefined ? undefined : 0;
    const colour = read(shows.colour);
    let size = 1;
    if (shows.size) {
      const { low, high } = this.range(kind, shows.size);
      size = 0.6 + (0.5 * ((read(shows.size) ?? low) - low)) / Math.max(high - low, 1);
    }
    const label = shows.label === "id" ? String(agent) : shows.label ? run.text(agent, shows.label, run.get(step, agent, shows.label)) : "";
    const coloured = shows.colour === "id" ? String(agent) : run.text(agent, shows.colour ?? "", colour ?? null);
    return {
      x,
      y,
      dx: read(shows.dx),
      dy: read(shows.dy),
      colour: this.colourOf(kind, shows.colour, colour),
      coloured: shows.colour ? coloured : kind,
      size,
      label,
    };
  }

  /** What the colours mean, for the legend. */
  legend(): { title: string; keys: Key[]; ramp?: [string, string] }[] {
    const entries: { title: string; keys: Key[]; ramp?: [string, string] }[] = [];
    const plain: Key[] = [];
    for (const kind of this.kinds) {
      const shows = this.shows.get(kind) as Shows;
      if (this.placed && shows.x === "") continue;
      const first = this.agentsOf(kind)[0];
      if (!shows.colour || shows.colour === "id") {
        const text = this.typeOf(kind);
        const told = plain.some((key) => key.text === text);
        if (shows.colour !== "id" && !told) plain.push({ colour: this.colourOf(kind, undefined, undefined), text });
        continue;
      }
      const { low, high, values } = this.range(kind, shows.colour);
      const title = this.kinds.length > 1 ? `${shows.colour} of ${kind}` : shows.colour;
      const text = (value: number): string => this.run.text(first, shows.colour as string, value);
      if (values.length <= hues) {
        const keys = values.map((value) => ({ colour: this.colourOf(kind, shows.colour, value), text: text(value) }));
        entries.push({ title, keys });
      } else {
        const keys = [0, 0.25, 0.5, 0.75, 1].map((part) => ({ colour: shade(part), text: "" }));
        entries.push({ title, keys, ramp: [text(low), text(high)] });
      }
    }
    if (plain.length > 0) entries.unshift({ title: "", keys: plain });
    return entries;
  }
}
