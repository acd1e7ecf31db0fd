// The model for other tools, as downloads.

import { ask } from "./api";
import { button, dialog, download, fill, h } from "./dom";
import type { Store } from "./store";

const TARGETS: [string, string][] = [
  ["emulation", "the emulation program, to read"],
  ["c", "C, for CBMC, ESBMC and others"],
  ["c-run", "C that can be compiled and run"],
  ["c-cbmc", "C for CBMC"],
  ["c-esbmc", "C for ESBMC"],
  ["c-svcomp", "C as in the software verification competition"],
  ["lnt", "LNT, for CADP"],
  ["lnt-parallel", "LNT with parallel agents, for CADP"],
  ["mcl", "the property in MCL, for CADP"],
  ["promela", "Promela, for Spin"],
  ["smv", "SMV, for nuXmv"],
  ["aiger", "AIGER, for hardware model checkers"],
  ["btor2", "BTOR2, for word-level model checkers"],
  ["aut", "all states and steps in Aldebaran format"],
  ["dot", "all states and steps as a drawing for Graphviz"],
];

export function openExports(store: Store, offered: unknown): void {
  const known = Array.isArray(offered) ? offered.map((t) => (typeof t === "string" ? [t, TARGETS.find(([n]) => n === t)?.[1] ?? ""] : [t.name, t.about ?? ""]) as [string, string]) : TARGETS;
  const properties = store.checked.outline?.properties ?? [];
  const property = h("select", { id: "export-property" }, h("option", { value: "" }, "none"), ...properties.map((p) => h("option", { value: p.name }, p.name)));
  const status = h("p", { class: "status", role: "status" });
  const get = async (target: string) => {
    status.textContent = `Writing ${target}…`;
    try {
      const options = { target, property: property.value || null, bound: store.file.settings.steps ? Number(store.file.settings.steps) : null };
      const { files } = await ask({ do: "export", model: store.model(), options });
      for (const file of files) {
        download(file.name, new Uint8Array(file.bytes), "application/octet-stream");
      }
      status.textContent = files.map((f: { name: string }) => f.name).join(", ");
    } catch (error) {
      status.textContent = (error as Error).message;
    }
  };
  const model = button("The model itself", () => download(store.file.name, store.file.text), { "data-act": "download-model" }, "download");
  const list = h("ul", { class: "targets" });
  fill(list, ...known.map(([name, about]) => h("li", {}, button(name, () => void get(name), { class: "small", "data-target": name }), h("span", {}, about))));
  dialog("Download", h("div", { class: "bar" }, model), h("h3", {}, "For another tool"), h("div", { class: "bar" }, h("label", { for: "export-property" }, "with the property"), property), list, status);
}
