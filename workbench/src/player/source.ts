// The model's text, with the line of the current step lit.

import { h, set } from "./dom";
import type { Pane, Stage } from "./stage";
import { placeOf } from "./step";

export class Source implements Pane {
  readonly element: HTMLElement;
  private readonly lines: HTMLElement[];
  private readonly box: HTMLElement;
  private lit: HTMLElement[] = [];

  constructor(private readonly stage: Stage) {
    this.lines = (stage.source ?? "").split("\n").map((text) => h("li", {}, h("span", {}, text === "" ? " " : text)));
    if (this.lines.length > 1 && (stage.source ?? "").endsWith("\n")) this.lines.pop();
    this.box = h("ol", { class: "sc-source-lines", tabindex: 0, "aria-label": "The model" }, ...this.lines);
    this.element = h("div", { class: "sc-source", "data-view": "source" }, this.box);
  }

  private light(line: number, name: string): HTMLElement | undefined {
    const element = this.lines[line - 1];
    if (!element) return undefined;
    element.classList.add(name);
    this.lit.push(element);
    return element;
  }

  show(step: number): void {
    for (const element of this.lit) element.classList.remove("sc-lit", "sc-heard");
    this.lit = [];
    const line = Number(placeOf(this.stage, step)?.split(":")[0] ?? 0);
    for (const part of this.stage.run.trace.steps[step - 1]?.message?.received ?? []) this.light(Number(part.at.split(":")[0]), "sc-heard");
    const element = this.light(line, "sc-lit");
    set(this.box, "data-line", line || undefined);
    set(this.element, "data-step", step);
    if (!element) return;
    const [top, view] = [element.offsetTop, this.box.clientHeight];
    if (top < this.box.scrollTop + 10 || top + element.offsetHeight > this.box.scrollTop + view - 10) this.box.scrollTop = top - view / 2;
  }
}

