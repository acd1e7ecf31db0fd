// The automata of all agents, with the places lit where the agents of the shown step are; and the whole state space on request.

import type { Picture } from "../types";
import { ask } from "./api";
import { button, counted, download, fill, h } from "./dom";
import { draw } from "./drawing";
import type { Stage } from "./stage";
import type { Store } from "./store";

export class Automata {
  private readonly pictures = h("div", { class: "automata", "data-pictures": "automata" });
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly buttons: Record<string, HTMLButtonElement> = {};
  private visible = false;
  private drawn = "";
  private own: { key: string; picture: Picture } | undefined;

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    private readonly stage: Stage,
    private readonly goLine: (line: number) => void,
  ) {
    this.buttons.space = button("State space", () => void this.space(), { "data-act": "state-space", title: "All reachable states, merged where they behave alike if there are many" });
    this.buttons.automata = button("Automata", () => void this.open(), { "data-act": "automata" });
    root.append(h("div", { class: "bar" }, this.buttons.automata, this.buttons.space, this.status), this.pictures);
    stage.followers.push(() => this.visible && this.drawn !== "space" && void this.open());
    store.on("file", () => this.visible && void this.open());
  }

  /** Called when the tab is chosen or left. */
  shown(on: boolean): void {
    this.visible = on;
    if (on) void this.open();
  }

  private press(which: "automata" | "space"): void {
    this.drawn = which;
    for (const [name, each] of Object.entries(this.buttons)) each.setAttribute("aria-pressed", String(name === which));
  }

  private async picture(): Promise<Picture | undefined> {
    const playing = this.stage.showing;
    if (playing?.picture?.automata?.length && playing.source.text === this.store.file.text) return playing.picture;
    const model = this.store.model();
    const key = JSON.stringify(model);
    if (this.own?.key !== key) {
      this.status.textContent = "Building…";
      const { picture } = await ask({ do: "picture", model, trace: null, explain: false });
      this.own = { key, picture };
    }
    return this.own.picture;
  }

  private async open(): Promise<void> {
    try {
      const picture = await this.picture();
      const automata = picture?.automata ?? [];
      const step = this.stage.step;
      const at = new Map<number, number[]>();
      if (picture === this.stage.picture) for (const place of picture?.places ?? []) if (place.step <= step) at.set(place.agent, place.at);
      const name = (agent: number) => picture?.agents.find((a) => a.agent === agent)?.name ?? String(agent);
      this.press("automata");
      this.status.textContent = automata.length ? `${counted(automata.length, "automaton").replace("automatons", "automata")}${at.size ? ` at step ${step}` : ""}` : "This model has no automata to draw.";
      fill(
        this.pictures,
        ...automata.map((automaton) => {
          const current = new Map<number, string>();
          for (const agent of automaton.agents) for (const place of at.get(agent) ?? []) current.set(place, [current.get(place), name(agent)].filter(Boolean).join(", "));
          const drawing = draw(automaton.drawing, current, (place) => this.goLine(Number(place.split(":")[0])));
          drawing.setAttribute("aria-label", `Automaton ${automaton.name}`);
          return h(
            "figure",
            { class: "automaton", "data-automaton": automaton.name },
            h("figcaption", {}, h("strong", {}, automaton.name), " ", h("span", { class: "faint" }, automaton.agents.map(name).join(", "))),
            h("div", { class: "scroll" }, drawing),
          );
        }),
      );
    } catch (error) {
      this.status.textContent = (error as Error).message;
    }
  }

  private async space(): Promise<void> {
    this.status.textContent = "Exploring…";
    this.press("space");
    fill(this.pictures);
    try {
      const { drawing, states, minimised } = await ask({ do: "state_space", model: this.store.model(), limit: 200 });
      if (this.drawn !== "space") return;
      const svg = draw(drawing, new Map());
      svg.setAttribute("aria-label", "State space");
      this.status.textContent = `${counted(states, "state")}${minimised ? `, drawn as ${counted(drawing.nodes.length, "class").replace("classs", "classes")} of states that behave alike` : ""}`;
      fill(
        this.pictures,
        h("figure", { class: "automaton", "data-automaton": "state space" }, h("figcaption", {}, h("strong", {}, "State space "), button("SVG", () => download("state-space.svg", serialise(svg), "image/svg+xml"), { class: "small quiet" }, "download")), h("div", { class: "scroll" }, svg)),
      );
    } catch (error) {
      if (this.drawn !== "space") return;
      const { message } = error as Error;
      this.status.textContent = "";
      const way = this.store.parameters().length ? "Choose smaller parameters above the model, then press State space again." : "Automata shows the agents one by one.";
      fill(this.pictures, h("p", { class: "hint", "data-refused": "space" }, `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."} ${way}`));
    }
  }
}

/** A drawing as a file of its own, with the looks that the page gives it. */
export function serialise(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const looks = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight"];
  const from = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const look of looks) to[i]!.setAttribute(look, style.getPropertyValue(look));
    to[i]!.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}
