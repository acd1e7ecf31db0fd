// The page that the program writes, in a browser: what the program says about positions and links against what the models say, written
// again here. SWARMCHECK_BIN names the program.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SKETCHES } from "../tools/sketch.mjs";
import { launch } from "./browser.mjs";

const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples");
const program = process.env.SWARMCHECK_BIN ?? "swarmcheck";
const folder = mkdtempSync(join(tmpdir(), "swarmcheck-real-"));
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Examples with parameters, read off the models: which variables are the place and the heading, and the size of the space. */
const MODELS = {
  flock: { parameters: { birds: 4, grid: 6, delta: 3 }, place: ["x", "y"], heading: ["dirX", "dirY"], size: (p) => [p.grid, p.grid] },
  formation: { parameters: { n: 4, size: 9, range: 3 }, place: ["pos"], heading: [], size: (p) => [p.size, 1] },
  foraging: { parameters: { robots: 3, grid: 5 }, place: ["x", "y"], heading: [], size: (p) => [p.grid, p.grid] },
  ants: { parameters: { ants: 3, size: 4, scent: 3 }, place: ["x", "y"], heading: [], size: (p) => [p.size, p.size], kind: "Ant", floor: "ph" },
};

for (const [name, model] of Object.entries(MODELS)) {
  test(`the page of ${name} shows what the model says`, async () => {
    const values = Object.entries(model.parameters).map(([key, value]) => `${key}=${value}`);
    const file = join(folder, `${name}.html`);
    const run = ["simulate", `${name}.labs`, ...values, "--seed", "3", "--steps", "25", "--trace-format", "html", "-o", file];
    const made = spawnSync(program, run, { cwd: join(examples, name), encoding: "utf8" });
    const text = readFileSync(file, "utf8");
    const { trace, picture } = JSON.parse(/<script type="application\/json" id="swarmcheck-data">([^]*?)<\/script>/.exec(text)[1]);
    assert.equal(trace.steps.length, 25, made.stderr);
    assert.deepEqual([picture.view.width, picture.view.height], model.size(model.parameters));

    const page = await (await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1280, height: 900 } })).newPage();
    const trouble = [];
    page.on("console", (message) => trouble.push(message.text()));
    page.on("pageerror", (error) => trouble.push(error.message));
    page.on("request", (request) => request.url() !== pathToFileURL(file).href && trouble.push(request.url()));
    await page.goto(pathToFileURL(file).href);

    const cells = new Map();
    const write = (writes) => {
      for (const w of writes) cells.set(`${w.agent ?? ""} ${w.variable} ${w.index ?? ""}`, w.value);
    };
    write(trace.initial);
    const agents = picture.agents.filter(({ kind }) => !model.kind || kind === model.kind);
    const own = (agent) => new Proxy({}, { get: (_, variable) => cells.get(`${agent} ${String(variable)} `) });
    for (let step = 0; step <= trace.steps.length; step += 1) {
      if (step > 0) {
        write(trace.steps[step - 1].writes);
        await page.keyboard.press("ArrowRight");
      }
      const seen = await page.evaluate(() => ({
        step: Number(document.querySelector("[data-view=grid]").dataset.step),
        agents: [...document.querySelectorAll(".sc-agent")].map((e) => ({ ...e.dataset })),
        links: [...document.querySelectorAll(".sc-link[data-from]")].filter((e) => e.getAttribute("display") !== "none").map((e) => ({ ...e.dataset })),
        floor: [...document.querySelectorAll(".sc-floor")].map((e) => ({ ...e.dataset })),
      }));
      assert.equal(seen.step, step);
      for (const { agent } of agents) {
        const shown = seen.agents.find((one) => Number(one.agent) === agent);
        const place = model.place.map((variable) => cells.get(`${agent} ${variable} `));
        assert.deepEqual([shown.x, shown.y].slice(0, place.length).map(Number), place, `${name}, step ${step}, agent ${agent}`);
        const heading = model.heading.map((variable) => cells.get(`${agent} ${variable} `));
        assert.deepEqual([shown.dx, shown.dy].slice(0, heading.length).map(Number), heading);
      }
      for (const [link, holds] of Object.entries(SKETCHES[name].links)) {
        const expected = [];
        for (const { agent: a } of agents) for (const { agent: b } of agents) if (a !== b && holds(own(a), own(b), model.parameters)) expected.push(`${a},${b}`);
        const both = seen.links.filter((one) => one.links === link).flatMap((one) => [`${one.from},${one.to}`, ...(one.both ? [`${one.to},${one.from}`] : [])]);
        assert.deepEqual([...new Set(both)].sort(), expected.sort(), `${name}, step ${step}, ${link}`);
      }
      if (model.floor) {
        const [width, height] = model.size(model.parameters);
        assert.equal(seen.floor.length, width * height);
        // The model writes `ph[x, y]`: the first index is the column, and cells are numbered row by row of the array.
        for (const cell of seen.floor) assert.equal(Number(cell.value), cells.get(` ${model.floor} ${Number(cell.x) * height + Number(cell.y)}`), `${name}, step ${step}`);
      }
    }
    assert.deepEqual(trouble, []);
    await page.context().close();
  });
}
