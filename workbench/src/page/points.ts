// Ranges of parameters and what was found at their points, without anything of the page: tests can ask it directly.

import type { Plot, Point } from "./plots";

/** More points than this are for `swarmcheck sweep`, which goes on after it was stopped. */
export const MOST_POINTS = 500;

export interface Range {
  name: string;
  values: number[];
}

/** What was found at a point. */
export interface Found {
  values: number[];
  verdict?: string;
  value?: number | null;
  low?: number | null;
  high?: number | null;
  infinite?: boolean;
  note?: string;
  seconds: number;
}

/** `2..6`, `1,3,5` or both: `1,3..5`. The end belongs to a range. Throws a sentence. */
export function range(name: string, text: string): number[] {
  const wrong = (why: string) => new Error(`${name}: ${why}`);
  const values = new Set<number>();
  for (const part of text.split(",").map((each) => each.trim())) {
    const found = /^(-?\d{1,15})(?:\s*\.\.\s*(-?\d{1,15}))?$/.exec(part);
    if (!found) throw wrong(part === "" ? "a value is missing, write 2..6 or 1,3,5" : `‘${part}’ is no number and no range, write 2..6 or 1,3,5`);
    const from = Number(found[1]);
    const to = Number(found[2] ?? found[1]);
    if (from > to) throw wrong(`${part} is empty, because ${from} is greater than ${to}`);
    if (to - from >= MOST_POINTS) throw wrong(`${part} has more than ${MOST_POINTS} values`);
    for (let value = from; value <= to; value += 1) values.add(value);
  }
  return [...values];
}

/** All combinations; the last parameter varies fastest. */
export function points(ranges: Range[]): number[][] {
  let all: number[][] = [[]];
  for (const { values } of ranges) {
    if (all.length * values.length > MOST_POINTS) throw new Error(`These are more than ${MOST_POINTS} points: take fewer values, or use swarmcheck sweep.`);
    all = all.flatMap((point) => values.map((value) => [...point, value]));
  }
  return all;
}

/** What is drawn: parameters to the right and upwards (or as lines), and the values at which the others are held. */
export interface View {
  kind: "curve" | "heat" | "phase";
  x: number;
  by: number | null;
  held: Map<number, number>;
}

const sorted = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b);
const known = (value: number | null | undefined): number | undefined => value ?? undefined;

/** The picture of what was found so far. */
export function picture(ranges: Range[], all: Found[], view: View, asked: string, notes: string[]): Plot {
  const found = all.filter((one) => [...view.held].every(([at, value]) => one.values[at] === value));
  const held = [...view.held].map(([at, value]) => `${ranges[at]!.name} = ${value}`);
  const caption = { title: `${asked}${held.length ? `, ${held.join(", ")}` : ""}`, notes };
  const x = ranges[view.x]!.name;
  const by = view.by === null ? "" : ranges[view.by]!.name;
  const share = found.every((one) => [one.value, one.low, one.high].every((end) => end === null || end === undefined || (end >= 0 && end <= 1)));
  const scale = share ? { low: 0, high: 1 } : {};
  if (view.kind === "curve") {
    const point = (one: Found): Point => ({ x: one.values[view.x]!, y: one.value ?? null, low: known(one.low), high: known(one.high), infinite: one.infinite });
    const lines = view.by === null ? [null] : sorted(found.map((one) => one.values[view.by!]!));
    const series = lines.map((line) => ({
      name: line === null ? "" : `${by} = ${line}`,
      points: found.filter((one) => line === null || one.values[view.by!] === line).map(point),
    }));
    return { plot: "curve", caption, x: { label: x }, y: { label: asked, ...scale }, series };
  }
  // Places of points that are still to come are there already, so that the picture does not jump.
  const columns = sorted(ranges[view.x]!.values);
  const rows = view.by === null ? [0] : sorted(ranges[view.by]!.values);
  const at = (one: Found) => ({ column: columns.indexOf(one.values[view.x]!), row: view.by === null ? 0 : rows.indexOf(one.values[view.by]!) });
  const grid = { caption, x, y: by, columns: columns.map(String), rows: view.by === null ? [""] : rows.map(String) };
  if (view.kind === "heat") {
    return { plot: "heat", ...grid, value: { label: asked, ...scale }, cells: found.map((one) => ({ ...at(one), value: one.value ?? null, low: known(one.low), high: known(one.high) })) };
  }
  return { plot: "phase", ...grid, cells: found.map((one) => ({ ...at(one), verdict: one.verdict ?? "failed", note: one.note ?? "" })) };
}
