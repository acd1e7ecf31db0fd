// The form of a model's parameters. It appears from `extern`, with defaults filled in.

import { fill, h } from "./dom";
import { bare, type Store } from "./store";

/** A value that shows something and is decided soon. */
const SMALL = 3;

export class Parameters {
  private shown = "";

  constructor(
    private readonly root: HTMLElement,
    private readonly store: Store,
  ) {
    store.on("checked", () => this.draw());
    // Values that something else has set.
    store.on("settings", () => {
      for (const input of this.root.querySelectorAll<HTMLInputElement>("[data-parameter]")) {
        const value = this.store.file.settings.parameters[input.dataset.parameter!];
        if (value !== undefined && input !== document.activeElement && input.value !== value) input.value = value;
      }
    });
    store.on("file", () => {
      this.shown = "";
      fill(this.root);
    });
  }

  /** Fills in values of parameters that have none; says whether there were any. */
  complete(): boolean {
    const { outline } = this.store.checked;
    const values = this.store.file.settings.parameters;
    let filled = false;
    for (const parameter of outline?.parameters ?? []) {
      const name = bare(parameter.name);
      if (values[name] === undefined) {
        values[name] = String(parameter.default ?? SMALL);
        filled = true;
      }
    }
    return filled;
  }

  private draw(): void {
    const { outline } = this.store.checked;
    if (!outline) return;
    this.complete();
    const names = outline.parameters.map((p) => bare(p.name));
    const shown = JSON.stringify([this.store.file.id, names]);
    if (shown === this.shown) return;
    this.shown = shown;
    fill(
      this.root,
      ...names.map((name) => {
        const input = h("input", {
          type: "text",
          inputmode: "numeric",
          size: 4,
          autocomplete: "off",
          "data-parameter": name,
          value: this.store.file.settings.parameters[name] ?? "",
        });
        const check = () => {
          const value = input.value.trim();
          const good = /^-?\d{1,18}$/.test(value);
          input.setAttribute("aria-invalid", String(!good));
          input.title = good ? "" : "A whole number, such as 3";
          this.store.file.settings.parameters[name] = value;
          if (good) this.store.tell("settings");
        };
        input.addEventListener("input", check);
        input.addEventListener("keydown", (event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (!by || !/^-?\d+$/.test(input.value.trim())) return;
          event.preventDefault();
          input.value = String(Number(input.value) + by);
          check();
        });
        return h("label", { class: "parameter" }, h("span", {}, name), input);
      }),
      names.length === 0 ? h("span", { class: "faint" }, "no parameters") : null,
    );
  }
}
