// Plots in the page. They are drawn by the server (crates/picture/src/plot), so the page, the command line and a library show the
// same picture; here they get the page's colours and answer to the pointer.

import "../plot/plot.css";
import { hover } from "../plot/hover";
import { ask } from "./api";
import { button, download, fill, h } from "./dom";

export interface Axis {
  label: string;
  log?: boolean;
  low?: number;
  high?: number;
}

export interface Point {
  x: number;
  y: number | null;
  low?: number;
  high?: number;
  infinite?: boolean;
}

export interface Caption {
  title: string;
  notes?: string[];
}

interface Grid {
  caption: Caption;
  x: string;
  y: string;
  columns: string[];
  rows: string[];
}

/** As in crates/picture/src/plot/data.rs. */
export type Plot =
  | { plot: "curve"; caption: Caption; x: Axis; y: Axis; series: { name: string; points: Point[] }[] }
  | ({ plot: "heat"; value: Axis; cells: { column: number; row: number; value: number | null; low?: number; high?: number }[] } & Grid)
  | ({ plot: "phase"; cells: { column: number; row: number; verdict: string; note?: string }[] } & Grid)
  | { plot: "histogram"; caption: Caption; x: Axis; bins: { from: number; to: number; count: number }[]; marks?: { label: string; value: number }[] };

/** A place for a plot. What is asked for while one is drawn replaces what waits. */
export class Picture {
  readonly element = h("figure", { class: "picture" });
  private svg = "";
  private busy = false;
  private next: Plot | undefined;
  private readonly save: HTMLButtonElement;

  constructor(private readonly name: string) {
    this.save = button("SVG", () => download(`${this.name}.svg`, this.svg, "image/svg+xml"), { class: "small quiet", "data-act": "download-svg", hidden: true }, "download");
  }

  /** The button that saves the picture. */
  get saver(): HTMLButtonElement {
    return this.save;
  }

  clear(): void {
    this.next = undefined;
    this.svg = "";
    this.save.hidden = true;
    fill(this.element);
  }

  async show(plot: Plot): Promise<void> {
    this.next = plot;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.next) {
        const wanted: Plot = this.next;
        this.next = undefined;
        const { svg } = await ask({ do: "plot", plot: wanted });
        // Cleared meanwhile, or replaced by something newer.
        if (this.next) continue;
        this.svg = svg;
        this.save.hidden = false;
        const drawing = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true) as unknown as SVGSVGElement;
        fill(this.element, drawing);
        hover(drawing, this.element);
      }
    } finally {
      this.busy = false;
    }
  }
}

/** A number with about four digits, as people write it. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return "∞";
  if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e7)) return value.toExponential(2).replace("-", "−");
  return String(Number(value.toPrecision(4))).replace("-", "−");
}

/** A table as CSV; texts are quoted where they have to be. */
export function csv(rows: (string | number | null | undefined)[][]): string {
  const cell = (value: string | number | null | undefined): string => {
    if (typeof value === "number") return String(value);
    const text = value ?? "";
    return /[",\n\r]/.test(text) || /^-?\d/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${rows.map((row) => row.map(cell).join(",")).join("\n")}\n`;
}
