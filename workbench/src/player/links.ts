// Who is linked with whom after a number of steps: the changes of a link predicate, applied forwards or backwards.

import type { Links } from "../types";

export class LinkSet {
  readonly name: string;
  readonly predicate: string;
  /** The predicate looks across the border of a torus: only a remainder can do that. */
  readonly wraps: boolean;
  private readonly pairs = new Set<string>();
  private readonly changes: NonNullable<Links["changes"]>;
  /** How many changes are applied. */
  private applied = 0;

  constructor(links: Links) {
    this.name = links.name;
    this.predicate = links.predicate;
    this.wraps = /%|\bmod\b/.test(links.predicate);
    this.changes = links.changes ?? [];
    for (const [from, to] of links.initial) this.pairs.add(`${from} ${to}`);
  }

  /** The pairs that are linked after `step` steps, as `from to`. */
  at(step: number): ReadonlySet<string> {
    while (this.applied < this.changes.length && (this.changes[this.applied]?.step ?? 0) <= step) {
      const change = this.changes[this.applied];
      for (const [from, to] of change?.made ?? []) this.pairs.add(`${from} ${to}`);
      for (const [from, to] of change?.broken ?? []) this.pairs.delete(`${from} ${to}`);
      this.applied += 1;
    }
    while (this.applied > 0 && (this.changes[this.applied - 1]?.step ?? 0) > step) {
      this.applied -= 1;
      const change = this.changes[this.applied];
      for (const [from, to] of change?.made ?? []) this.pairs.delete(`${from} ${to}`);
      for (const [from, to] of change?.broken ?? []) this.pairs.add(`${from} ${to}`);
    }
    return this.pairs;
  }
}
