// The settings of the grid: which variables decide place, heading, colour, size and label, and which links are drawn.

import { clear, fresh, h } from "./dom";
import type { Grid } from "./grid";
import type { Shows } from "../types";

const PARTS: [keyof Shows, string][] = [
  ["x", "column (x)"],
  ["y", "row (y)"],
  ["dx", "heading, x"],
  ["dy", "heading, y"],
  ["colour", "colour"],
  ["size", "size"],
  ["label", "label"],
];

function select(label: string, options: [string, string][], chosen: string, act: (value: string) => void): HTMLElement {
  const element = h("select", { id: fresh("choice"), class: "sc-select" });
  for (const [value, text] of options) element.append(h("option", { value, selected: value === chosen }, text));
  element.addEventListener("change", () => act(element.value));
  return h("div", { class: "sc-field" }, h("label", { for: element.id }, label), element);
}

function check(label: string, chosen: boolean, act: (chosen: boolean) => void, title?: string): HTMLElement {
  const box = h("input", { type: "checkbox", id: fresh("check"), checked: chosen });
  box.addEventListener("change", () => act(box.checked));
  return h("div", { class: "sc-field sc-check", title }, box, h("label", { for: box.id }, label));
}

/** A closed panel below the grid. */
export function settings(grid: Grid): HTMLElement {
  const panel = h("details", { class: "sc-settings" }, h("summary", {}, "View settings"));
  const fields = h("div", { class: "sc-fields" });
  panel.append(fields);
  let kind = grid.look.kinds[0] ?? "";
  const fill = (): void => {
    clear(fields);
    const { look } = grid;
    const shows = look.shows.get(kind);
    if (look.kinds.length > 1) {
      const kinds = look.kinds.map((name): [string, string] => [name, name]);
      fields.append(select("kind of agents", kinds, kind, (value) => { kind = value; fill(); }));
    }
    if (shows) {
      const variables = look.variables(kind).map((name): [string, string] => [name, name]);
      for (const [part, label] of PARTS) {
        const options: [string, string][] = [["", "–"], ...variables];
        if (part === "label" || part === "colour") options.push(["id", "id"]);
        fields.append(select(label, options, shows[part] ?? "", (value) => { look.choose(kind, part, value); grid.rebuild(); }));
      }
    }
    if (grid.floors.length > 0) {
      const floors = grid.floors.map((name): [string, string] => [name, name]);
      fields.append(select("floor", [["", "–"], ...floors], grid.floor ?? "", (value) => { grid.floor = value || undefined; grid.rebuild(); }));
    }
    if (look.placed) fields.append(check("torus", look.torus, (on) => { look.torus = on; grid.rebuild(); }));
    for (const links of grid.links) {
      const act = (on: boolean): void => {
        if (on) grid.hidden.delete(links.name);
        else grid.hidden.add(links.name);
        grid.rebuild();
      };
      fields.append(check(`links of ${links.name}`, !grid.hidden.has(links.name), act, links.predicate));
    }
  };
  panel.addEventListener("toggle", () => { if (panel.open && fields.childElementCount === 0) fill(); });
  return panel;
}
