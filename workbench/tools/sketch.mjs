// Pictures for traces, computed here from the traces themselves: for trying the player without the binary, and as fixtures of its
// tests. Link predicates are those of the examples, written again in JavaScript.
//   node tools/sketch.mjs NAME trace.json [model] > data.json      {trace, picture, source, title}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const square = (view) => ({ torus: false, ...view });
const near = (range) => (a, b, p) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y) <= p[range];

export const SKETCHES = {
  flock: {
    view: (p) => square({ width: p.grid, height: p.grid, torus: true, shows: [{ kind: "Bird", x: "x", y: "y", dx: "dirX", dy: "dirY" }] }),
    links: { Alignment: (a, b, p) => (a.x - b.x) ** 2 + (a.y - b.y) ** 2 <= p.delta ** 2 },
  },
  boids: {
    view: (p) => square({ width: p.grid, height: p.grid, torus: true, shows: [{ kind: "Bird", x: "x", y: "y", dx: "dirX", dy: "dirY", colour: "leader" }] }),
    links: { Cohesion: near("delta") },
  },
  ants: {
    view: (p) => square({ width: p.size, height: p.size, shows: [{ kind: "Ant", x: "x", y: "y", colour: "food" }], floors: [{ variable: "ph", by_column: true }] }),
    links: {},
  },
  foraging: {
    view: (p) => square({ width: p.grid, height: p.grid, torus: true, shows: [{ kind: "Robot", x: "x", y: "y" }] }),
    links: {},
  },
  formation: {
    view: (p) => square({ width: p.size, height: 1, shows: [{ kind: "Robot", x: "pos" }] }),
    links: {
      Left: (a, b, p) => a.pos - b.pos >= 0 && a.pos - b.pos <= p.range,
      Right: (a, b, p) => b.pos - a.pos > 0 && b.pos - a.pos <= p.range,
    },
  },
  predator: {
    view: (p) => square({ width: p.grid, height: p.grid, torus: true, shows: [{ kind: "Bird", x: "x", y: "y" }, { kind: "Hunter", x: "x", y: "y" }] }),
    links: {},
  },
  leader: { links: { Election: () => true } },
};

export function sketch(name, trace, source) {
  const how = SKETCHES[name] ?? {};
  const kinds = new Map();
  for (const w of trace.initial) if (w.agent !== undefined && !kinds.has(w.agent)) kinds.set(w.agent, "");
  for (const step of trace.steps) {
    kinds.set(step.agent, step.kind);
    const partner = / with (\S+) (\d+)$/.exec(step.what);
    if (partner) kinds.set(Number(partner[2]), partner[1]);
  }
  const usual = [...kinds.values()].find((kind) => kind !== "") ?? "agent";
  const agents = [...kinds].sort(([a], [b]) => a - b).map(([agent, kind]) => ({ agent, kind: kind || usual, name: `${kind || usual} ${agent}` }));
  const picture = { format: "swarmcheck-picture", version: 1, agents };
  if (how.view) picture.view = how.view(trace.parameters);
  const state = agents.map(() => ({}));
  const write = (writes) => { for (const w of writes) if (w.agent !== undefined && w.index === undefined) state[w.agent][w.variable] = w.value; };
  write(trace.initial);
  const linked = (test) => {
    const pairs = [];
    for (const { agent: a } of agents) for (const { agent: b } of agents) if (a !== b && test(state[a], state[b], trace.parameters)) pairs.push([a, b]);
    return pairs;
  };
  const entries = Object.entries(how.links ?? {});
  picture.links = entries.map(([link, test]) => ({ name: link, predicate: String(test).replace(/^.*=> /, ""), initial: linked(test), changes: [] }));
  const before = picture.links.map((l) => new Set(l.initial.map(String)));
  for (const [index, step] of trace.steps.entries()) {
    write(step.writes);
    for (const [i, [, test]] of entries.entries()) {
      const now = linked(test);
      const keys = new Set(now.map(String));
      const made = now.filter((pair) => !before[i].has(String(pair)));
      const broken = [...before[i]].filter((key) => !keys.has(key)).map((key) => key.split(",").map(Number));
      if (made.length + broken.length > 0) picture.links[i].changes.push({ step: index + 1, made, broken });
      before[i] = keys;
    }
  }
  picture.chart = trace.steps.map((step) => row(step, agents));
  if (trace.property) {
    picture.breaks = trace.loop ?? trace.steps.length;
    picture.causes = trace.steps.flatMap((step, i) => ((step.changes ?? []).length > 0 || step.message ? [i + 1] : [])).slice(0, 6);
    picture.story = [`${trace.property} does not hold: this execution shows why.`];
  }
  return { trace, picture, source, title: basename(trace.model) };
}

function row(step, agents) {
  if (step.message) {
    const { by, data, channel, received } = step.message;
    const said = data.map((d) => `${d.variable}=${d.name ?? d.value}`).join(", ");
    return { agent: step.agent, label: `${channel ?? ""} ${said}`, kind: "send", arrows: received.map((p) => ({ from: by.agent, to: p.agent, effect: p.label ?? "" })) };
  }
  const partner = /^(.*) with \S+ (\d+)$/.exec(step.what);
  if (partner) return { agent: step.agent, label: partner[1], kind: "sync", arrows: [{ from: step.agent, to: Number(partner[2]) }] };
  const message = step.rule === "propagate" || step.rule === "confirm";
  const heard = [...new Set(step.writes.filter((w) => w.heard || (message && w.agent !== step.agent)).map((w) => w.agent))];
  const arrows = message ? agents.filter((a) => a.agent !== step.agent).map((a) => ({ from: step.agent, to: a.agent, ...(heard.includes(a.agent) ? {} : { idle: true }) })) : [];
  return { agent: step.agent, label: message ? `${step.rule} ${step.what}` : step.what, kind: step.rule, arrows };
}

/** A page around the built player, with the content security policy of `--trace-format html`. */
export function page(data, assets) {
  const json = JSON.stringify(data).replace(/</g, "\\u003c");
  const [script, style] = ["player.js", "player.css"].map((name) => readFileSync(`${assets}/${name}`, "utf8"));
  const sum = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${sum(script)}; style-src ${sum(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>trace</title>
<style>${style}</style>
</head>
<body>
<script type="application/json" id="swarmcheck-data">${json}</script>
<script>${script}</script>
</body>
</html>
`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , name, file, model] = process.argv;
  const trace = JSON.parse(readFileSync(file, "utf8"));
  const data = sketch(name, trace, model ? readFileSync(model, "utf8") : undefined);
  process.stdout.write(JSON.stringify(data));
}
