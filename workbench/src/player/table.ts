// The state as tables: agents as rows, variables as columns, the environment below. What the step changed is marked, old → new.

import { h, say, set } from "./dom";
import type { Pane, Stage } from "./stage";
import type { Value, Variable } from "./state";

interface Cell {
  td: HTMLTableCellElement;
  variable: Variable;
  index: number;
  shown: Value | undefined;
  changed: boolean;
}

export class Table implements Pane {
  readonly element: HTMLElement;
  private readonly cells = new Map<number, Cell>();
  private readonly rows = new Map<number, HTMLTableRowElement>();
  private marked: Cell[] = [];

  constructor(private readonly stage: Stage) {
    const { run } = stage;
    this.element = h("div", { class: "sc-table-view", "data-view": "table" });
    const groups = new Map<string, { variables: string[]; agents: number[] }>();
    for (const { agent } of run.agents) {
      const variables = run.variables.filter((v) => v.agent === agent).map((v) => v.name);
      if (variables.length === 0) continue;
      const signature = variables.join("\n");
      const group = groups.get(signature) ?? { variables, agents: [] };
      group.agents.push(agent);
      groups.set(signature, group);
    }
    for (const { variables, agents } of groups.values()) this.element.append(this.agentTable(variables, agents));
    const environment = run.variables.filter((v) => v.agent === undefined);
    if (environment.length > 0) this.element.append(this.environmentTable(environment));
    if (run.variables.length === 0) {
      this.element.append(h("p", { class: "sc-quiet" }, "This model has no variables. Its automata show where everybody is."));
    }
  }

  private agentTable(variables: string[], agents: number[]): HTMLElement {
    const { run } = this.stage;
    const head = h("tr", {}, h("th", { scope: "col" }, "agent"));
    for (const name of variables) head.append(h("th", { scope: "col" }, name));
    const body = h("tbody");
    for (const agent of agents) {
      const row = h("tr", { "data-agent": agent }, h("th", { scope: "row" }, run.agentName(agent)));
      for (const name of variables) row.append(this.value(run.variable(agent, name) as Variable));
      this.rows.set(agent, row);
      body.append(row);
    }
    return h("div", { class: "sc-scroll" }, h("table", { class: "sc-table" }, h("thead", {}, head), body));
  }

  private environmentTable(variables: Variable[]): HTMLElement {
    const body = h("tbody");
    for (const variable of variables) body.append(h("tr", {}, h("th", { scope: "row" }, variable.name), this.value(variable)));
    return h(
      "div",
      { class: "sc-scroll" },
      h("table", { class: "sc-table sc-environment" }, h("caption", {}, "Environment"), body),
    );
  }

  /** A cell for a variable; an array is a small table inside it. */
  private value(variable: Variable): HTMLTableCellElement {
    if (!variable.array) return this.cell(variable, 0);
    const { run } = this.stage;
    const columns = variable.cells > 8 ? (run.columns(variable.agent, variable.name) ?? Math.min(variable.cells, 10)) : variable.cells;
    const body = h("tbody");
    for (let from = 0; from < variable.cells; from += columns) {
      const row = h("tr");
      for (let index = from; index < Math.min(from + columns, variable.cells); index += 1) row.append(this.cell(variable, index));
      body.append(row);
    }
    return h("td", { class: "sc-holds-array" }, h("table", { class: "sc-array", "aria-label": variable.name }, body));
  }

  private cell(variable: Variable, index: number): HTMLTableCellElement {
    const td = h("td", {
      "data-agent": variable.agent,
      "data-variable": variable.name,
      "data-index": variable.array ? index : undefined,
      title: variable.array ? `${variable.name}[${index}]` : undefined,
    });
    this.cells.set(variable.slot + index, { td, variable, index, shown: undefined, changed: false });
    return td;
  }

  show(step: number): void {
    const { run } = this.stage;
    for (const cell of this.marked) {
      cell.changed = false;
      cell.shown = undefined;
      cell.td.classList.remove("sc-changed");
    }
    this.marked = [];
    const text = (cell: Cell, value: Value): string => run.text(cell.variable.agent, cell.variable.name, value);
    for (const change of run.changes(step)) {
      const cell = this.cells.get(change.variable.slot + change.index);
      if (!cell) continue;
      cell.changed = true;
      cell.td.classList.add("sc-changed");
      set(cell.td, "data-value", change.now === null ? "undef" : change.now);
      cell.td.replaceChildren(
        h("span", { class: "sc-old" }, text(cell, change.old)),
        h("span", { class: "sc-to" }, " → "),
        h("span", { class: "sc-new" }, text(cell, change.now)),
      );
      this.marked.push(cell);
    }
    for (const [slot, cell] of this.cells) {
      if (cell.changed) continue;
      const value = run.read(step, slot);
      if (value === cell.shown) continue;
      cell.shown = value;
      set(cell.td, "data-value", value === null ? "undef" : value);
      say(cell.td, text(cell, value));
    }
    const actor = run.trace.steps[step - 1]?.agent;
    const followed = this.stage.followed();
    for (const [agent, row] of this.rows) {
      row.classList.toggle("sc-acts", agent === actor);
      row.classList.toggle("sc-followed", agent === followed);
    }
    set(this.element, "data-step", step);
  }
}
