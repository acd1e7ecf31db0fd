// The pane that plays: one trace at a time, whether a random run, a counterexample or a run that somebody chooses. It fetches
// the picture of the trace, and shows the trace at once while the picture is on its way.

import { Player, type PlayerData } from "../player/index";
import type { Picture, Trace } from "../types";
import { ask, Refused } from "./api";
import { button, download, fileName, fill, h, say } from "./dom";
import type { Store } from "./store";

export interface Showing {
  title: string;
  kind: "run" | "counterexample" | "interpreter";
  trace: Trace;
  source: { name: string; text: string };
  model: Record<string, unknown>;
  picture?: Picture;
  /** The story of a counterexample is told beside it. */
  explain?: boolean;
}

export interface StageOptions {
  onStep(step: number, at?: string): void;
  onWhatIf(showing: Showing, step: number): void;
  onCompare(showing: Showing): void;
  /** Decide again, with agents that take turns. */
  onFair(): void;
}

const FORMATS: [string, string, string, string][] = [
  ["html", "HTML page that plays", "html", "text/html"],
  ["svg", "SVG sequence chart", "svg", "image/svg+xml"],
  ["json", "JSON, to replay", "json", "application/json"],
  ["markdown", "Markdown", "md", "text/markdown"],
  ["text", "Text", "txt", "text/plain"],
  ["itf", "ITF", "itf.json", "application/json"],
];

export class Stage {
  private player: Player | undefined;
  private readonly title = h("h2", { class: "stage-title" });
  private readonly actions = h("div", { class: "stage-actions" });
  private readonly body = h("div", { class: "stage-body" });
  private readonly empty = h("p", { class: "hint" }, "A run appears here: press Verify, or Run.");
  showing: Showing | undefined;
  private kind = "";
  private asked = 0;
  /** Somebody has used what is shown since it was put there. */
  private touched = false;
  /** Who else wants to know which step is shown. */
  readonly followers: ((step: number) => void)[] = [];

  constructor(
    readonly root: HTMLElement,
    readonly store: Store,
    private readonly options: StageOptions,
  ) {
    root.append(h("header", { class: "stage-head" }, this.title, this.actions), this.body);
    this.body.append(this.empty);
    this.title.textContent = "Player";
    for (const event of ["keydown", "pointerdown"]) this.body.addEventListener(event, () => (this.touched = true), { capture: true });
  }

  get step(): number {
    return this.player?.step ?? 0;
  }

  get picture(): Picture | undefined {
    return this.showing?.picture;
  }

  /** Plays a trace from a step on; without one, a counterexample is shown where it breaks the property. */
  async show(showing: Showing, wanted?: number, playing = false): Promise<void> {
    const before = this.showing;
    const step = wanted ?? 0;
    this.showing = showing;
    const number = ++this.asked;
    this.title.textContent = showing.title;
    this.root.dataset.kind = showing.kind;
    this.buttons(showing);
    const data = (): PlayerData => ({ trace: showing.trace, picture: showing.picture });
    // The picture is soon there. If not, what was known of the model before is good enough to go on.
    const model = before && JSON.stringify(before.model) === JSON.stringify(showing.model) ? before.picture : undefined;
    const known = model && { ...model, links: undefined, chart: undefined, causes: undefined, breaks: undefined, story: undefined };
    let early = false;
    const late = setTimeout(() => {
      if (number !== this.asked) return;
      this.put({ ...data(), picture: known }, step);
      early = true;
      this.touched = false;
    }, showing.picture ? 0 : 400);
    if (!showing.picture) {
      try {
        const request = { do: "picture", model: showing.model, trace: showing.trace, explain: Boolean(showing.explain) };
        showing.picture = (await ask(request)).picture as Picture;
      } catch (error) {
        if (number === this.asked && !(error instanceof Refused)) say(String(error), true);
        // A trace that cannot be followed again still has its values: the view of the model alone places the agents.
        if (number === this.asked && error instanceof Refused) showing.picture = known ?? (await this.alone(showing.model));
      }
    }
    clearTimeout(late);
    if (number !== this.asked) return;
    // Who has begun to step through the trace is not moved elsewhere.
    const here = early && this.touched ? this.step : undefined;
    const aim = here ?? wanted ?? (showing.kind === "counterexample" ? showing.picture?.breaks : undefined) ?? step;
    this.put(data(), Math.min(aim, showing.trace.steps.length));
    if (playing) this.player?.play();
    for (const follow of this.followers) follow(this.step);
  }

  /** The picture of a model without a trace. */
  private async alone(model: Record<string, unknown>): Promise<Picture | undefined> {
    try {
      return (await ask({ do: "picture", model, trace: null, explain: false })).picture as Picture;
    } catch {
      return undefined;
    }
  }

  private put(data: PlayerData, step: number): void {
    const { kind, title } = this.showing!;
    // The title changes at once, and the pictures when their data is there.
    this.body.dataset.shown = title;
    const spatial = data.picture?.view !== undefined;
    const looks = `${kind} ${spatial} ${data.picture !== undefined}`;
    if (this.player && this.kind === looks) this.player.set(data, step);
    else {
      // Another kind of trace is looked at in other pictures.
      this.player?.destroy();
      fill(this.body);
      this.kind = looks;
      this.player = new Player(this.body, data, {
        panes: kind === "interpreter" ? [spatial ? "grid" : "automata", "table"] : [spatial ? "grid" : "chart", kind === "counterexample" ? "story" : spatial ? "chart" : "grid"],
        narrow: 520,
        onStep: (now, at) => {
          this.options.onStep(now, at);
          for (const follow of this.followers) follow(now);
        },
        onWhatIf: (now) => this.showing && this.options.onWhatIf(this.showing, now),
      });
      this.player.show(step);
    }
  }

  jump(step: number): void {
    this.player?.pause();
    this.player?.show(step);
  }

  /** Arrow keys step from here on. */
  focus(): void {
    this.body.querySelector<HTMLElement>(".sc-slider:not(:disabled)")?.focus({ preventScroll: true });
  }

  pause(): void {
    this.player?.pause();
  }

  play(): void {
    this.player?.play();
  }

  private buttons(showing: Showing): void {
    const menu = h(
      "details",
      { class: "menu" },
      h("summary", { class: "quiet" }, "Export"),
      h("div", { class: "menu-items" }, ...FORMATS.map(([format, label, ending, type]) => button(label, () => void this.export(showing, format, ending, type, menu), { "data-format": format }))),
    );
    // An agent that never acts is the usual reason of a loop.
    const unfair = showing.kind === "counterexample" && showing.trace.loop !== undefined && !showing.model.fair && showing.source.name.endsWith(".labs");
    fill(
      this.actions,
      unfair ? button("Try with fair", () => this.options.onFair(), { class: "quiet", "data-act": "try-fair", title: "Tick fair, so that agents take turns, and verify again" }) : null,
      button("Compare", () => this.options.onCompare(showing), { class: "quiet", "data-act": "compare", title: "Keep this run, or show it beside the kept one" }),
      menu,
    );
  }

  private async export(showing: Showing, format: string, ending: string, type: string, menu: HTMLDetailsElement): Promise<void> {
    menu.open = false;
    const name = fileName(`${showing.source.name.replace(/\.[^.]*$/, "")}-${showing.trace.property ?? "run"}`);
    try {
      if (format === "json") return download(`${name}.json`, `${JSON.stringify(showing.trace, null, 2)}\n`, type);
      const result = await ask({ do: "render", source: showing.source, trace: showing.trace, format });
      download(`${name}.${ending}`, String(result.text), type);
    } catch (error) {
      say((error as Error).message, true);
    }
  }
}

// An open menu closes when something else is clicked, or with Esc.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
    if (!menu.contains(event.target as Node)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) menu.open = false;
});
