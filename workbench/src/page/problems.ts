// Below the editor: what the last check found, with a way to the place and to its mending.

import { button, counted, fill, h, icon } from "./dom";
import type { Editor } from "./editor";
import type { Store } from "./store";

export class Problems {
  private readonly list = h("ul", { class: "problems-list" });
  private readonly line = h("p", { class: "problems-line", role: "status", "aria-live": "polite" });

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    private readonly editor: () => Editor,
  ) {
    root.append(this.line, this.list);
    store.on("checked", () => this.draw());
  }

  /** Says that a check is under way. */
  waiting(): void {
    this.line.dataset.state = "waiting";
  }

  private draw(): void {
    const { diagnostics, summary } = this.store.checked;
    const errors = this.store.errors;
    const warnings = diagnostics.length - errors;
    const parts = [errors ? counted(errors, "error") : "", warnings ? counted(warnings, "warning") : ""].filter(Boolean);
    this.line.dataset.state = errors ? "error" : warnings ? "warning" : "fine";
    fill(
      this.line,
      icon(errors ? "cross" : warnings ? "warning" : "check"),
      h("span", {}, parts.length ? parts.join(", ") : "No problems"),
      !errors && summary ? h("span", { class: "faint", title: summary }, summary) : null,
    );
    fill(
      this.list,
      ...diagnostics.map((d) =>
        h(
          "li",
          { class: `problem problem-${d.severity}`, "data-code": d.code },
          h(
            "button",
            { type: "button", class: "problem-main", onclick: () => this.editor().go(d.start, d.end) },
            icon(d.severity === "error" ? "cross" : "warning"),
            h("span", { class: "problem-code" }, d.code),
            h("span", { class: "problem-message" }, d.message),
            h("span", { class: "faint" }, `line ${d.line}, column ${d.column}`),
          ),
          ...d.help.map((text) => h("p", { class: "problem-help" }, text)),
          ...(d.fixes ?? []).map((fix) => button(fix.title, () => this.editor().fix(fix), { class: "small" })),
        ),
      ),
    );
  }
}
