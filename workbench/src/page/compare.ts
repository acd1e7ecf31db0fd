// Two runs side by side, step by step, and the first step in which they differ.

import { Player } from "../player/index";
import { button, dialog, h, say } from "./dom";
import type { Showing } from "./stage";

let kept: Showing | undefined;

/** Keeps the first run; shows it beside the second. */
export function compare(showing: Showing): void {
  if (!kept || kept.trace === showing.trace) {
    kept = { ...showing };
    say("This run is kept. Open or make another one, and press Compare again.");
    return;
  }
  const sides = [kept, { ...showing }];
  const last = Math.max(...sides.map((side) => side.trace.steps.length));
  const differ = first(sides[0]!, sides[1]!);
  const number = h("output", { class: "compare-step" }, "0");
  const slider = h("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Step of both runs", "data-compare": "step" });
  const players: Player[] = [];
  const go = (step: number) => {
    slider.value = String(step);
    number.textContent = `step ${step}`;
    players.forEach((player, i) => player.show(Math.min(step, sides[i]!.trace.steps.length)));
  };
  slider.addEventListener("input", () => go(Number(slider.value)));
  const columns = sides.map((side) => {
    const body = h("div", { class: "stage-body" });
    return { body, element: h("section", { class: "compare-side", "aria-label": side.title }, h("h3", {}, side.title, " ", h("span", { class: "faint" }, `${side.trace.steps.length} steps`)), body) };
  });
  const box = dialog(
    "Two runs",
    h(
      "div",
      { class: "bar" },
      button("◀", () => go(Math.max(0, Number(slider.value) - 1)), { "aria-label": "Back" }),
      slider,
      button("▶", () => go(Math.min(last, Number(slider.value) + 1)), { "aria-label": "Next" }),
      number,
      differ === undefined ? h("span", { class: "faint" }, "the runs are the same") : button(`First difference: ${differ === 0 ? "initial state" : `step ${differ}`}`, () => go(differ), { "data-act": "difference" }),
      button("Forget the kept run", () => ((kept = undefined), box.close()), { class: "quiet" }),
    ),
    h("div", { class: "compare" }, ...columns.map((column) => column.element)),
  );
  box.classList.add("dialog-full");
  columns.forEach((column, i) => {
    const { trace, picture } = sides[i]!;
    players.push(new Player(column.body, { trace, picture }));
  });
  box.addEventListener("close", () => players.forEach((player) => player.destroy()));
  go(0);
}

function first(one: Showing, other: Showing): number | undefined {
  if (JSON.stringify(one.trace.initial) !== JSON.stringify(other.trace.initial)) return 0;
  const bare = (showing: Showing, i: number) => {
    const step = showing.trace.steps[i];
    return step ? JSON.stringify([step.agent, step.rule, step.what, step.writes]) : "";
  };
  for (let i = 0; i < Math.max(one.trace.steps.length, other.trace.steps.length); i += 1) if (bare(one, i) !== bare(other, i)) return i + 1;
  return undefined;
}
