// The player of a trace: one timeline and several pictures of the same step. It is used by the page of the workbench and by the
// self-contained page of a trace.

import type { Picture, Trace } from "../types";
import { Automata } from "./automata";
import { Chart } from "./chart";
import { Charts } from "./charts";
import { clear, h, set } from "./dom";
import { Grid } from "./grid";
import { Source } from "./source";
import type { Memory, Pane, Stage } from "./stage";
import { Run } from "./state";
import { placeOf, StepWords } from "./step";
import { Story } from "./story";
import { Table } from "./table";
import { Timeline } from "./timeline";
import "./player.css";

export { evaluate, ExpressionError, parseExpression } from "./expression";
export type { Expression, Result } from "./expression";
export { Run } from "./state";
export type { Values } from "./state";

export interface PlayerData {
  trace: Trace;
  picture?: Picture;
  source?: string;
  /** Other runs of the same model: charts overlay them. */
  runs?: { name: string; trace: Trace }[];
}

export interface PlayerOptions {
  onStep?(step: number, at?: string): void;
  onWhatIf?(step: number): void;
  /** The panes that are open at first, in order: grid, chart, table, charts, automata, story, source. */
  panes?: string[];
  /** Below this width, in pixels, one pane is open at a time; 860 unless it is said. */
  narrow?: number;
}

interface Offer {
  name: string;
  /** About how high it is, for the distribution over columns. */
  weight: number;
  title: string;
  make(stage: Stage): Pane;
  /** Whether there is anything to show. */
  useful(stage: Stage): boolean;
}

function tells({ picture, run }: Stage): boolean {
  return Boolean(picture?.story?.length || picture?.causes?.length || run.trace.property || run.trace.reach);
}

const OFFERS: Offer[] = [
  { name: "grid", weight: 5, title: "Grid", make: (stage) => new Grid(stage), useful: (stage) => stage.run.agents.length > 0 },
  { name: "chart", weight: 5, title: "Sequence chart", make: (stage) => new Chart(stage), useful: (stage) => stage.run.steps > 0 },
  { name: "story", weight: 4, title: "Explanation", make: (stage) => new Story(stage), useful: tells },
  { name: "table", weight: 3, title: "Table", make: (stage) => new Table(stage), useful: (stage) => stage.run.variables.length > 0 },
  { name: "charts", weight: 4, title: "Charts", make: (stage) => new Charts(stage), useful: (stage) => stage.run.variables.length > 0 },
  { name: "automata", weight: 6, title: "Automata", make: (stage) => new Automata(stage), useful: (stage) => (stage.picture?.automata ?? []).length > 0 },
  { name: "source", weight: 5, title: "Model", make: (stage) => new Source(stage), useful: (stage) => stage.source !== undefined },
];

/** Below this width only one pane is open at a time. */
const NARROW = 860;
/** From this width on, panes stand in three columns. */
const WIDE = 1500;

export class Player {
  private at = 0;
  private stage!: Stage;
  private timeline!: Timeline;
  private words!: StepWords;
  private readonly open = new Map<string, { card: HTMLElement; pane: Pane; shown: number }>();
  private readonly tabs = new Map<string, HTMLButtonElement>();
  private panes: HTMLElement = h("div");
  private followed: number | undefined;
  private narrow = false;
  private readonly memory: Memory = {};
  private readonly columns = [0, 1, 2].map(() => h("div", { class: "sc-column" }));
  private readonly observer: ResizeObserver;
  private readonly keys = (event: KeyboardEvent): void => this.key(event);

  constructor(
    private readonly root: HTMLElement,
    data: PlayerData,
    private readonly options: PlayerOptions = {},
  ) {
    root.classList.add("sc-player");
    root.addEventListener("keydown", this.keys);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(root);
    this.set(data);
  }

  get step(): number {
    return this.at;
  }

  /** Another trace, at a step. Open panes stay open. */
  set(data: PlayerData, step = 0): void {
    const open = this.open.size > 0 ? [...this.open.keys()] : this.options.panes;
    const told = this.stage ? tells(this.stage) : true;
    this.dismantle();
    const run = new Run(data.trace, data.picture);
    if (!run.agents.some((a) => a.agent === this.followed)) this.followed = undefined;
    this.stage = {
      run,
      picture: data.picture,
      source: data.source,
      memory: this.memory,
      others: (data.runs ?? []).map(({ name, trace }) => ({ name, run: new Run(trace, data.picture) })),
      go: (to) => this.show(to),
      pace: () => (this.timeline.playing ? this.timeline.interval : 0),
      followed: () => this.followed,
      follow: (agent) => this.follow(agent),
    };
    const whatIf = this.options.onWhatIf;
    this.timeline = new Timeline(this.stage, () => this.at, whatIf ? () => whatIf(this.at) : undefined);
    this.words = new StepWords(this.stage);
    this.panes = h("div", { class: "sc-panes" });
    for (const column of this.columns) clear(column);
    const bar = h("div", { class: "sc-tabs", role: "group", "aria-label": "Pictures" });
    const offers = OFFERS.filter((offer) => offer.useful(this.stage));
    for (const offer of offers) {
      const tab = h("button", { type: "button", class: "sc-tab", "data-pane": offer.name, "aria-pressed": "false" }, this.titleOf(offer));
      tab.addEventListener("click", () => this.press(offer.name));
      this.tabs.set(offer.name, tab);
      bar.append(tab);
    }
    const foot = h("div", { class: "sc-foot" }, this.words.element, this.timeline.element);
    this.root.append(bar, this.panes, foot);
    this.narrow = this.root.clientWidth > 0 && this.root.clientWidth < (this.options.narrow ?? NARROW);
    // Nothing is painted before the step is known.
    this.at = -1;
    const wanted = (open ?? this.usual()).filter((name) => this.tabs.has(name));
    for (const name of wanted.length > 0 ? wanted : [...this.tabs.keys()].slice(0, 1)) this.openPane(name);
    // A trace with an explanation shows it, even if the one before had none.
    if (!told && !this.narrow && tells(this.stage)) this.openPane("story");
    if (this.narrow) this.only([...this.open.keys()][0]);
    this.show(step);
  }

  private usual(): string[] {
    const { run, source, picture } = this.stage;
    const names = ["grid", "chart"];
    if (tells(this.stage)) names.push("story");
    if (run.variables.length > 0) names.push("table");
    if (!picture?.view) names.push("automata");
    if (source !== undefined) names.push("source");
    return names;
  }

  private dismantle(): void {
    this.timeline?.destroy();
    for (const { pane } of this.open.values()) pane.destroy?.();
    this.open.clear();
    this.tabs.clear();
    clear(this.root);
  }

  private press(name: string): void {
    if (this.narrow) {
      this.openPane(name);
      this.only(name);
    } else if (this.open.has(name)) this.closePane(name);
    else this.openPane(name);
  }

  /** Agents without places are not in a grid. */
  private titleOf(offer: Offer): string {
    return offer.name === "grid" && !this.stage.picture?.view ? "Agents" : offer.title;
  }

  private openPane(name: string): void {
    const offer = OFFERS.find((each) => each.name === name);
    if (!offer || this.open.has(name)) return;
    const pane = offer.make(this.stage);
    const title = this.titleOf(offer);
    const close = h("button", { type: "button", class: "sc-close", "aria-label": `Close ${title}`, title: "Close" }, "×");
    close.addEventListener("click", () => {
      this.closePane(name);
      this.tabs.get(name)?.focus();
    });
    const card = h(
      "section",
      { class: "sc-pane", "data-pane": name, "aria-label": title },
      h("header", { class: "sc-pane-head" }, h("h2", {}, title), pane.tools ?? "", close),
      pane.element,
    );
    this.open.set(name, { card, pane, shown: -1 });
    set(this.tabs.get(name) as Element, "aria-pressed", "true");
    this.arrange();
    if (this.at >= 0) this.paint();
  }

  private closePane(name: string): void {
    const known = this.open.get(name);
    if (!known) return;
    known.pane.destroy?.();
    known.card.remove();
    this.open.delete(name);
    const tab = this.tabs.get(name);
    if (tab) set(tab, "aria-pressed", "false");
    this.arrange();
  }

  /** Puts each open pane, in the order of the tabs, into the column that is shortest so far. */
  private arrange(): void {
    const width = this.root.clientWidth;
    const count = Math.min(this.open.size || 1, this.narrow ? 1 : width >= WIDE ? 3 : 2);
    const heights = this.columns.slice(0, count).map(() => 0);
    const order: HTMLElement[][] = heights.map(() => []);
    for (const { name, weight } of OFFERS) {
      const card = this.open.get(name)?.card;
      if (!card) continue;
      const column = heights.indexOf(Math.min(...heights));
      heights[column] = (heights[column] as number) + weight;
      order[column]?.push(card);
    }
    for (const [index, column] of this.columns.entries()) {
      if (index >= count) column.remove();
      else if (this.panes.children[index] !== column) this.panes.append(column);
      for (const [place, card] of (order[index] ?? []).entries()) {
        if (column.children[place] !== card) column.insertBefore(card, column.children[place] ?? null);
      }
    }
  }

  private only(name: string | undefined): void {
    for (const other of [...this.open.keys()]) if (other !== name) this.closePane(other);
  }

  private resize(): void {
    const width = this.root.clientWidth;
    if (width === 0) return;
    const narrow = width < (this.options.narrow ?? NARROW);
    if (narrow && !this.narrow) this.only([...this.open.keys()][0]);
    if (!narrow && this.narrow) for (const name of this.options.panes ?? this.usual()) if (this.tabs.has(name)) this.openPane(name);
    this.narrow = narrow;
    this.root.classList.toggle("sc-narrow", narrow);
    this.arrange();
  }

  private follow(agent: number | undefined): void {
    this.followed = agent;
    const select = this.root.querySelector<HTMLSelectElement>("select.sc-follow");
    if (select) select.value = agent === undefined ? "" : String(agent);
    for (const known of this.open.values()) known.shown = -1;
    this.paint();
  }

  private paint(): void {
    for (const known of this.open.values()) {
      if (known.shown === this.at) continue;
      known.pane.show(this.at);
      known.shown = this.at;
    }
  }

  /** Shows the state after `step` steps. */
  show(step: number): void {
    const to = Math.max(0, Math.min(this.stage.run.steps, Math.round(step) || 0));
    if (to === this.at) return;
    this.at = to;
    this.timeline.show(to);
    set(this.words.element, "aria-live", this.timeline.playing ? "off" : "polite");
    this.words.show(to);
    this.paint();
    this.root.dataset["step"] = String(to);
    this.options.onStep?.(to, placeOf(this.stage, to));
  }

  play(): void {
    this.timeline.play();
  }

  pause(): void {
    this.timeline.pause();
  }

  private key(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const slider = target.classList.contains("sc-slider");
    if (!slider && target.closest("input, select, textarea, [contenteditable=true]")) return;
    if (event.key === " ") {
      if (target.closest("button, summary, a") && !target.classList.contains("sc-play")) return;
      this.timeline.flip();
    } else if (event.key === "ArrowRight") this.timeline.move(1);
    else if (event.key === "ArrowLeft") this.timeline.move(-1);
    else if (event.key === "Home") this.show(0);
    else if (event.key === "End") this.show(this.stage.run.steps);
    else return;
    event.preventDefault();
  }

  destroy(): void {
    this.observer.disconnect();
    this.root.removeEventListener("keydown", this.keys);
    this.dismantle();
    this.root.classList.remove("sc-player", "sc-narrow");
  }
}
