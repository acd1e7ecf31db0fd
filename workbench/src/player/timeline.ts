// The timeline: play, step and scrub; the loop of a lasso, the steps that matter and the step that breaks the property are marked.

import { button, fresh, h, s, say, set } from "./dom";
import type { Pane, Stage } from "./stage";

const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30];

const ICONS = {
  first: "M5 4v12M16 4 8 10l8 6z",
  back: "M14 4 6 10l8 6z",
  play: "M6 3.5 16 10 6 16.5z",
  pause: "M6.5 4v12M13.5 4v12",
  next: "M6 4l8 6-8 6z",
  last: "M15 4v12M4 4l8 6-8 6z",
};

function icon(name: keyof typeof ICONS): SVGSVGElement {
  return s("svg", { viewBox: "0 0 20 20", class: "sc-icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}

export class Timeline implements Pane {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly count: HTMLElement;
  private readonly toggle: HTMLButtonElement;
  private readonly speedSelect: HTMLSelectElement;
  private timer = 0;
  private last = 0;
  private running = false;

  constructor(
    private readonly stage: Stage,
    private readonly step: () => number,
    private readonly onWhatIf?: () => void,
  ) {
    const { run, picture } = stage;
    const loop = run.trace.loop;
    this.toggle = button("", "Play (space)", () => this.flip(), "sc-button sc-play");
    const iconButton = (name: keyof typeof ICONS, title: string, act: () => void): HTMLButtonElement => {
      const element = button("", title, act, "sc-button sc-icon-button");
      element.append(icon(name));
      return element;
    };
    const buttons = h(
      "div",
      { class: "sc-buttons", role: "group", "aria-label": "Playback" },
      iconButton("first", "First state (Home)", () => stage.go(0)),
      iconButton("back", "Step back (←)", () => this.move(-1)),
      this.toggle,
      iconButton("next", "Step forward (→)", () => this.move(1)),
      iconButton("last", "Last state (End)", () => stage.go(run.steps)),
    );
    this.slider = h("input", {
      type: "range",
      class: "sc-slider",
      min: 0,
      max: Math.max(run.steps, 1),
      step: 1,
      "aria-label": "Step",
      disabled: run.steps === 0,
    });
    this.slider.addEventListener("input", () => stage.go(Number(this.slider.value)));
    this.count = h("output", { class: "sc-count", "aria-live": "off" });
    const marks = h("div", { class: "sc-marks", "aria-hidden": "true" });
    const at = (step: number): string => `${(100 * step) / Math.max(run.steps, 1)}%`;
    if (loop !== undefined && loop < run.steps) {
      const region = h("div", { class: "sc-loop", "data-from": loop, "data-to": run.steps }, h("span", {}, "loop"));
      region.style.left = at(loop);
      region.style.right = `calc(100% - ${at(run.steps)})`;
      marks.append(region);
    }
    const causes = picture?.causes ?? [];
    if (causes.length <= 400) {
      for (const cause of causes.filter((each) => each !== picture?.breaks)) {
        const mark = h("i", { class: "sc-mark sc-cause", "data-step": cause });
        mark.style.left = at(cause);
        marks.append(mark);
      }
    }
    if (picture?.breaks !== undefined) {
      const mark = h("i", { class: "sc-mark sc-breaks", "data-step": picture.breaks });
      mark.style.left = at(picture.breaks);
      marks.append(mark);
    }
    const speed = h("select", { id: fresh("speed"), class: "sc-select" });
    for (const each of SPEEDS) speed.append(h("option", { value: each }, `${each} / s`));
    speed.value = stage.memory.speed ?? "2";
    speed.addEventListener("change", () => { stage.memory.speed = speed.value; });
    this.speedSelect = speed;
    const follow = h("select", { id: fresh("follow"), class: "sc-select sc-follow" }, h("option", { value: "" }, "everybody"));
    for (const { agent, name } of run.agents) follow.append(h("option", { value: agent }, name));
    follow.value = String(stage.followed() ?? "");
    follow.addEventListener("change", () => stage.follow(follow.value === "" ? undefined : Number(follow.value)));
    const options = h(
      "div",
      { class: "sc-options" },
      h("label", { for: speed.id }, "Speed"),
      speed,
      h("label", { for: follow.id }, "Follow"),
      follow,
    );
    if (picture?.breaks !== undefined) {
      const broken = picture.breaks;
      options.append(button("Go to the break", "Go to the step that breaks the property", () => stage.go(broken)));
    }
    if (this.onWhatIf) {
      options.append(button("What if…", "Go on differently from this state", () => this.onWhatIf?.()));
    }
    this.element = h(
      "section",
      { class: "sc-timeline", "data-view": "timeline", "aria-label": "Timeline" },
      buttons,
      h("div", { class: "sc-scrub" }, marks, this.slider),
      this.count,
      options,
    );
    this.paint();
  }

  get playing(): boolean {
    return this.running;
  }

  /** Milliseconds between steps. */
  get interval(): number {
    return 1000 / Number(this.speedSelect.value);
  }

  private paint(): void {
    this.toggle.replaceChildren(icon(this.running ? "pause" : "play"));
    const title = this.running ? "Pause (space)" : "Play (space)";
    set(this.toggle, "title", title);
    set(this.toggle, "aria-label", title);
    set(this.element, "data-playing", String(this.running));
  }

  flip(): void {
    if (this.running) this.pause();
    else this.play();
  }

  play(): void {
    if (this.running || this.stage.run.steps === 0) return;
    if (this.step() >= this.stage.run.steps && this.ahead(this.step()) === undefined) this.stage.go(0);
    this.running = true;
    this.last = performance.now();
    this.paint();
    this.timer = requestAnimationFrame((now) => this.frame(now));
  }

  pause(): void {
    if (!this.running) return;
    this.running = false;
    cancelAnimationFrame(this.timer);
    this.paint();
  }

  private frame(now: number): void {
    if (!this.running) return;
    const interval = this.interval;
    // A frame may come a little early: waiting for the next one would halve the fastest speed.
    if (now - this.last >= interval - 4) {
      this.last = Math.max(this.last + interval, now - interval);
      const next = this.ahead(this.step());
      if (next === undefined) {
        this.pause();
        return;
      }
      this.stage.go(next);
    }
    this.timer = requestAnimationFrame((later) => this.frame(later));
  }

  /** The next state to show: with a followed agent, the next that it takes part in. */
  private ahead(step: number): number | undefined {
    const { run } = this.stage;
    const followed = this.stage.followed();
    let next = run.next(step);
    for (let tries = 0; next !== undefined && followed !== undefined && tries <= run.steps; tries += 1) {
      if (this.concerns(next, followed)) return next;
      next = run.next(next);
    }
    return next;
  }

  private concerns(step: number, agent: number): boolean {
    const { run } = this.stage;
    if (run.trace.steps[step - 1]?.agent === agent) return true;
    if (run.rows[step - 1]?.arrows?.some((arrow) => arrow.to === agent && !arrow.idle)) return true;
    return run.changes(step).some((change) => change.variable.agent === agent);
  }

  move(by: 1 | -1): void {
    const followed = this.stage.followed();
    if (by === 1) {
      const next = this.ahead(this.step());
      if (next !== undefined) this.stage.go(next);
      return;
    }
    let step = this.step() - 1;
    while (followed !== undefined && step > 0 && !this.concerns(step, followed)) step -= 1;
    if (step >= 0) this.stage.go(step);
  }

  show(step: number): void {
    const { run } = this.stage;
    if (this.slider.value !== String(step)) this.slider.value = String(step);
    const text = `step ${step} of ${run.steps}`;
    say(this.count, text);
    const acts = run.trace.steps[step - 1];
    set(this.slider, "aria-valuetext", acts ? `${text}: ${run.agentName(acts.agent)}, ${acts.what}` : `${text}: initial state`);
    set(this.element, "data-step", step);
    this.slider.style.setProperty("--sc-part", `${(100 * step) / Math.max(run.steps, 1)}%`);
  }

  destroy(): void {
    this.pause();
  }
}
