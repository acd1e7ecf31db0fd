// The self-contained page that plays one trace: its data is in the document, as JSON.

import type { Picture, Trace } from "../types";
import { button, h } from "./dom";
import { Player } from "./index";
import "./main.css";

interface Data {
  trace: Trace;
  picture?: Picture;
  source?: string;
  title?: string;
  runs?: { name: string; trace: Trace }[];
}

/** What the trace shows, in a few words. */
function verdict(trace: Trace): HTMLElement {
  const badge = (name: string, text: string): HTMLElement => h("span", { class: `sc-verdict ${name}` }, text);
  if (trace.property) return h("p", {}, badge("sc-violated", "violated"), h("b", {}, trace.property));
  if (trace.reach) return h("p", {}, badge("sc-plain", "reached"), h("code", {}, trace.reach));
  return h("p", {}, badge("sc-plain", "run"));
}

function shape(trace: Trace): string {
  const steps = (count: number): string => (count === 1 ? "1 step" : `${count} steps`);
  const total = trace.steps.length;
  if (trace.loop !== undefined && trace.loop < total) return `${steps(trace.loop)}, then a loop of ${steps(total - trace.loop)}`;
  if (trace.end === "deadlock") return `${steps(total)}, then no step is possible`;
  return steps(total);
}

/** How the model was read, where that is not the usual way. */
function readings(trace: Trace): [string, string][] {
  const told: [string, string][] = [];
  if (trace.fair) told.push(["fair", "Agents act in circular order"]);
  if (trace.sync) told.push(["sync", "Messages are delivered in the step that causes them"]);
  if (trace.semantics && trace.semantics !== "sliver") told.push([`semantics: ${trace.semantics}`, "The rules that the model was read with"]);
  if (trace.choice && trace.choice !== "late") told.push([`choice: ${trace.choice}`, "When a choice between processes is made"]);
  if (trace.precedence) told.push([`precedence: ${trace.precedence}`, "How operators bind"]);
  return told;
}

function header(data: Data): HTMLElement {
  const { trace } = data;
  const parameters = h("ul", { class: "sc-parameters", "aria-label": "Parameters and reading of the model" });
  for (const [name, value] of Object.entries(trace.parameters)) parameters.append(h("li", {}, `${name} = ${value}`));
  for (const [text, title] of readings(trace)) parameters.append(h("li", { class: "sc-reading", title }, text));
  const theme = button("◐", "Switch between dark and light", () => {
    const root = document.documentElement;
    const dark = root.dataset["theme"] ? root.dataset["theme"] === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset["theme"] = dark ? "light" : "dark";
  }, "sc-button sc-small");
  return h(
    "header",
    { class: "sc-header" },
    h("div", { class: "sc-title" }, h("h1", {}, trace.model.split("/").pop() || data.title || trace.model), parameters),
    h("div", { class: "sc-about" }, verdict(trace), h("span", { class: "sc-quiet" }, shape(trace)), theme),
  );
}

function start(): void {
  const element = document.getElementById("swarmcheck-data");
  let data: Data;
  try {
    data = JSON.parse(element?.textContent ?? "") as Data;
    if (data.trace?.format !== "swarmcheck-trace") throw new Error("no trace");
  } catch {
    document.body.append(h("p", { class: "sc-page" }, "This page holds no trace of swarmcheck."));
    return;
  }
  document.body.classList.add("sc-page");
  const main = h("main", { tabindex: -1 });
  document.body.append(header(data), main);
  const player = new Player(main, data);
  const breaks = data.picture?.breaks;
  if (breaks !== undefined && data.trace.loop === undefined) player.show(breaks);
  // Keys work at once, without a click into the page.
  document.addEventListener("keydown", (event) => {
    if (event.target !== document.body) return;
    // A key that the player takes does not scroll the page as well.
    if (!main.dispatchEvent(new KeyboardEvent("keydown", event))) event.preventDefault();
  });
}

start();
