// Tabs that are walked with the arrow keys, as the authoring practices of WAI-ARIA say.

import { h } from "./dom";

export interface Tab {
  id: string;
  label: string;
  panel: HTMLElement;
}

export class Tabs {
  readonly list: HTMLElement;
  private readonly buttons = new Map<string, HTMLButtonElement>();
  current = "";

  constructor(
    label: string,
    private readonly tabs: Tab[],
    private readonly chosen: (id: string) => void = () => {},
  ) {
    this.list = h("div", { role: "tablist", "aria-label": label, class: "tablist" });
    for (const tab of tabs) {
      const tabId = `tab-${tab.id}`;
      tab.panel.id ||= `panel-${tab.id}`;
      tab.panel.setAttribute("role", "tabpanel");
      tab.panel.setAttribute("aria-labelledby", tabId);
      const button = h(
        "button",
        { type: "button", role: "tab", id: tabId, "aria-controls": tab.panel.id, onclick: () => this.select(tab.id) },
        tab.label,
      );
      this.buttons.set(tab.id, button);
      this.list.append(button);
    }
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.select(tabs[0]!.id);
  }

  private key(event: KeyboardEvent): void {
    const at = this.tabs.findIndex((tab) => tab.id === this.current);
    const last = this.tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.select(this.tabs[to]!.id);
    this.buttons.get(this.current)?.focus();
  }

  select(id: string): void {
    this.current = id;
    for (const tab of this.tabs) {
      const on = tab.id === id;
      const button = this.buttons.get(tab.id)!;
      button.setAttribute("aria-selected", String(on));
      button.tabIndex = on ? 0 : -1;
      tab.panel.hidden = !on;
    }
    this.chosen(id);
  }
}
