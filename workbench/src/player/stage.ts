// What the views of the player share.

import type { Picture } from "../types";
import type { Run } from "./state";

/** What the reader has chosen, kept when another trace is shown. */
export interface Memory {
  speed?: string;
  /** The expressions of the charts. */
  series?: string[];
  /** The scale of the grid. */
  zoom?: number;
}

/** The one run that all views show, and how they ask to go elsewhere in it. */
export interface Stage {
  run: Run;
  picture: Picture | undefined;
  source: string | undefined;
  memory: Memory;
  /** Other runs of the same model, for charts. */
  others: { name: string; run: Run }[];
  /** Goes to a step. */
  go(step: number): void;
  /** Milliseconds between two steps while playing; 0 otherwise. */
  pace(): number;
  /** The agent that is followed. */
  followed(): number | undefined;
  follow(agent: number | undefined): void;
}

/** One picture of the run. */
export interface Pane {
  readonly element: HTMLElement;
  /** Buttons for the head of the pane. */
  readonly tools?: HTMLElement;
  show(step: number): void;
  destroy?(): void;
}

// Okabe and Ito, Color Universal Design (2008), without black: it has no contrast in dark mode.
const PALETTE = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#8C8C8C"];
// Five points of the cividis scale (Nuñez, Anderton, Renslow 2018): ordered by lightness for every reader.
const SCALE = [
  [0, 56, 110],
  [78, 90, 108],
  [125, 124, 120],
  [176, 160, 107],
  [241, 223, 84],
] as const;

export const hue = (index: number): string => PALETTE[((index % PALETTE.length) + PALETTE.length) % PALETTE.length] as string;
export const hues = PALETTE.length;

/** A colour for a part between 0 and 1. */
export function shade(part: number): string {
  const at = Math.max(0, Math.min(1, part)) * (SCALE.length - 1);
  const low = Math.min(Math.floor(at), SCALE.length - 2);
  const [a, b] = [SCALE[low] as readonly number[], SCALE[low + 1] as readonly number[]];
  const mixed = a.map((channel, i) => Math.round(channel + ((b[i] as number) - channel) * (at - low)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Black or white, whichever can be read on the colour. */
export function ink(colour: string): string {
  const channels = [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.2 ? "#111" : "#fff";
}
