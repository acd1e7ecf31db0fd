// The player in a browser. What the pictures show is read back from the document at every step and compared with values that are
// computed here from the trace, by applying its writes from the beginning.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { page as html } from "../tools/sketch.mjs";
import { fixture, launch, open } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** The state after `step` steps: `agent variable index` → value, with the changes of the last step. */
function stateOf(trace, step) {
  const state = new Map();
  const key = (w) => `${w.agent ?? ""} ${w.variable} ${w.index ?? ""}`;
  for (const w of trace.initial) state.set(key(w), w);
  let old = new Map(state);
  for (const s of trace.steps.slice(0, step)) {
    old = new Map(state);
    for (const w of s.writes) state.set(key(w), w);
  }
  const changed = step === 0 ? [] : [...state.keys()].filter((k) => state.get(k).value !== old.get(k)?.value);
  return { get: (agent, variable, index = "") => state.get(`${agent ?? ""} ${variable} ${index}`)?.value, state, changed };
}

/** The pairs that are linked after `step` steps, applying all changes in order. */
function linksOf(links, step) {
  const pairs = new Set(links.initial.map(String));
  for (const change of links.changes ?? []) {
    if (change.step > step) break;
    for (const pair of change.broken ?? []) pairs.delete(String(pair));
    for (const pair of change.made ?? []) pairs.add(String(pair));
  }
  return [...pairs].sort();
}

/** `client1 0` is shown as `client1`, unless there is another `client1`. */
function shortName(agents, number) {
  const bare = agents.map((each) => each.name.replace(/ \d+$/, ""));
  return bare.filter((name) => name === bare[number]).length > 1 ? agents[number].name : bare[number];
}

/** Everything that the pictures show, as data. */
const read = () => {
  const all = (selector, pick) => [...document.querySelectorAll(selector)].map(pick);
  return {
    step: Number(document.querySelector("[data-view=timeline]").dataset.step),
    count: document.querySelector(".sc-count").textContent,
    steps: all("[data-view]", (e) => e.dataset.step),
    agents: all(".sc-agent", (e) => {
      const [x, y] = (/translate\(([-\d.]+) ([-\d.]+)\)/.exec(e.getAttribute("transform") ?? "") ?? []).slice(1).map(Number);
      const turn = /rotate\(([-\d.]+)\)/.exec(e.querySelector(".sc-body").getAttribute("transform") ?? "");
      return { ...e.dataset, px: x, py: y, turn: turn ? Number(turn[1]) : undefined, shown: e.getAttribute("display") !== "none" };
    }),
    links: all(".sc-link", (e) => ({ ...e.dataset })),
    messages: all(".sc-message", (e) => ({ ...e.dataset, idle: e.classList.contains("sc-idle") })),
    floor: all(".sc-floor", (e) => ({ ...e.dataset })),
    things: all(".sc-thing", (e) => ({ ...e.dataset, shown: e.getAttribute("display") !== "none" })),
    cells: all("td[data-variable]", (e) => ({ ...e.dataset, text: e.textContent, changed: e.classList.contains("sc-changed") })),
    arrows: all(".sc-arrow", (e) => ({ ...e.dataset, idle: e.classList.contains("sc-idle") })),
    lit: document.querySelector("[data-line]")?.dataset.line,
    words: document.querySelector(".sc-step").textContent,
  };
};

function compare(data, shown, step) {
  const { trace, picture } = data;
  const { get, state, changed } = stateOf(trace, step);
  const at = `step ${step}`;
  assert.equal(shown.step, step);
  assert.equal(shown.count, `step ${step} of ${trace.steps.length}`);
  assert.ok(shown.steps.every((s) => s === String(step)), at);
  // The table.
  assert.equal(shown.cells.length, state.size, at);
  for (const cell of shown.cells) {
    const key = `${cell.agent ?? ""} ${cell.variable} ${cell.index ?? ""}`;
    const write = state.get(key);
    assert.equal(cell.value, String(write.value ?? "undef"), `${at}: ${key}`);
    assert.equal(cell.changed, changed.includes(key), `${at}: ${key}`);
    const text = write.name ?? String(write.value ?? "undef");
    if (cell.changed) assert.match(cell.text, new RegExp(`^.+ → ${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`), at);
    else assert.equal(cell.text, text, at);
  }
  // The grid: places, headings, colours.
  assert.equal(shown.agents.length, picture.agents.length);
  for (const agent of shown.agents) {
    const number = Number(agent.agent);
    const kind = picture.agents[number].kind;
    const shows = picture.view?.shows.find((s) => s.kind === kind);
    if (!shows) {
      assert.equal(agent.x, undefined);
      assert.equal(agent.shown, !picture.view, `${at}: ${kind}`);
      continue;
    }
    const [x, y] = [get(number, shows.x), shows.y ? get(number, shows.y) : 0];
    assert.equal(agent.x, String(x), at);
    assert.equal(agent.y, String(y), at);
    // Cells are 40 wide and high; on a line they are higher, and all in one row.
    const row = picture.view.height === 1 ? 0 : Math.floor(agent.py / 40);
    assert.deepEqual([Math.floor(agent.px / 40), row], [x, y], `${at}: agent ${number} is drawn in its cell`);
    if (shows.dx) {
      const [dx, dy] = [get(number, shows.dx), get(number, shows.dy)];
      assert.deepEqual([agent.dx, agent.dy], [String(dx), String(dy)], at);
      if (dx !== 0 || dy !== 0) assert.ok(Math.abs(agent.turn - (Math.atan2(dy, dx) * 180) / Math.PI) < 0.1, at);
    }
    if (shows.colour) assert.equal(agent.colour, String(get(number, shows.colour)), at);
  }
  const spots = shown.agents.filter((a) => a.shown).map((a) => `${a.px} ${a.py}`);
  assert.equal(new Set(spots).size, spots.length, `${at}: nobody hides anybody`);
  // Links, in both directions.
  for (const links of picture.links ?? []) {
    const drawn = shown.links.filter((l) => l.links === links.name);
    const pairs = drawn.flatMap((l) => (l.both ? [`${l.from},${l.to}`, `${l.to},${l.from}`] : [`${l.from},${l.to}`]));
    assert.deepEqual(pairs.sort(), linksOf(links, step), `${at}: ${links.name}`);
  }
  // Messages of the step.
  const arrows = step === 0 ? [] : (picture.chart[step - 1].arrows ?? []);
  const told = (list) => list.map((a) => `${a.from} ${a.to} ${Boolean(a.idle)}`).sort();
  assert.deepEqual(told(shown.messages), told(arrows), at);
  // Floors and things.
  for (const floor of picture.view?.floors ?? []) {
    const { width, height } = picture.view;
    assert.equal(shown.floor.length, width * height);
    for (const cell of shown.floor) {
      const index = floor.by_column ? cell.x * height + Number(cell.y) : cell.y * width + Number(cell.x);
      assert.equal(cell.value, String(get(undefined, floor.variable, index)), `${at}: ${cell.x}, ${cell.y}`);
    }
  }
  for (const thing of shown.things) {
    const [x, y] = [get(undefined, `${thing.thing}X`, thing.index), get(undefined, `${thing.thing}Y`, thing.index)];
    assert.deepEqual([thing.x, thing.y, thing.shown], [String(x), String(y), x >= 0 && y >= 0], at);
  }
  // The line of the model.
  const acts = trace.steps[step - 1];
  const place = acts?.at ?? acts?.message?.by.at;
  assert.equal(shown.lit, place?.split(":")[0], at);
  if (acts) assert.ok(shown.words.includes(shortName(picture.agents, acts.agent)), at);
}

for (const name of ["flock", "boids", "ants", "foraging", "formation", "predator", "leader", "resources", "commit", "travel"]) {
  test(`${name}: every step shows what the trace says`, async () => {
    const data = fixture(name);
    const { page, trouble, close } = await open(browser, name, data);
    const total = data.trace.steps.length;
    await page.keyboard.press("Home");
    compare(data, await page.evaluate(read), 0);
    for (let step = 1; step <= total; step += 1) {
      await page.keyboard.press("ArrowRight");
      compare(data, await page.evaluate(read), step);
    }
    // And backwards, over the same states.
    for (let step = total - 1; step >= 0; step -= 5) {
      await page.locator(".sc-slider").fill(String(step));
      compare(data, await page.evaluate(read), step);
    }
    // All arrows of the chart, unfolded.
    const fold = page.getByLabel("fold", { exact: true });
    if ((await fold.count()) > 0) await fold.uncheck();
    const { arrows } = await page.evaluate(read);
    const wanted = data.picture.chart.flatMap((row, i) => (row.arrows ?? []).map((a) => `${i + 1} ${a.from} ${a.to} ${row.label} ${Boolean(a.idle)}`));
    assert.deepEqual(arrows.map((a) => `${a.step} ${a.from} ${a.to} ${a.label} ${a.idle}`).sort(), wanted.sort());
    assert.deepEqual(trouble, []);
    await close();
  });
}

test("a lasso is played inside its loop", async () => {
  const data = fixture("flock");
  const { page, trouble, close } = await open(browser, "loop", data);
  const loop = await page.locator(".sc-loop").evaluate((e) => ({ ...e.dataset }));
  assert.deepEqual(loop, { from: "1", to: "13" });
  // After step 13 the state after step 1 is current again, so the next step is the second.
  await page.keyboard.press("End");
  assert.equal(await page.locator(".sc-count").textContent(), "step 13 of 13");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".sc-count").textContent(), "step 2 of 13");
  await page.keyboard.press("End");
  await page.getByLabel("Speed").selectOption("30");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => Number(document.querySelector("[data-view=timeline]").dataset.step) < 13);
  await page.getByRole("button", { name: "Pause" }).click();
  assert.ok(Number(await page.locator("[data-view=timeline]").getAttribute("data-step")) >= 2);
  assert.deepEqual(trouble, []);
  await close();
});

test("mouse and keyboard play, step and scrub", async () => {
  const data = fixture("boids");
  const { page, trouble, close } = await open(browser, "keys", data, { reducedMotion: "no-preference" });
  const step = () => page.locator("[data-view=timeline]").getAttribute("data-step").then(Number);
  const playing = () => page.locator("[data-view=timeline]").getAttribute("data-playing");
  await page.keyboard.press("Space");
  assert.equal(await playing(), "true");
  await page.waitForFunction(() => Number(document.querySelector("[data-view=timeline]").dataset.step) >= 2);
  await page.keyboard.press("Space");
  assert.equal(await playing(), "false");
  const rests = await step();
  await page.waitForTimeout(700);
  assert.equal(await step(), rests);
  await page.getByRole("button", { name: "First state" }).click();
  assert.equal(await step(), 0);
  await page.getByRole("button", { name: "Step forward" }).click();
  await page.getByRole("button", { name: "Step forward" }).click();
  await page.getByRole("button", { name: "Step back" }).click();
  assert.equal(await step(), 1);
  await page.getByRole("button", { name: "Last state" }).click();
  assert.equal(await step(), 30);
  const box = await page.locator(".sc-slider").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal(await step(), 15);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.equal(await step(), 0);
  await page.locator(".sc-slider").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await step(), 1);
  await page.keyboard.press("End");
  assert.equal(await step(), 30);
  await page.keyboard.press("Home");
  assert.equal(await step(), 0);
  // A click on a row of the chart goes to its step; keys in a field do not play.
  await page.locator('.sc-row[data-step="2"]').click();
  assert.equal(await step(), 2);
  await page.locator('[data-pane="charts"].sc-tab').click();
  await page.getByLabel("Expression").click();
  await page.keyboard.type("x of ");
  assert.equal(await playing(), "false");
  assert.deepEqual(trouble, []);
  await close();
});

test("following an agent skips the steps of the others", async () => {
  const data = fixture("formation");
  const { page, close } = await open(browser, "follow", data);
  await page.getByLabel("Follow").selectOption("1");
  const mine = data.trace.steps.flatMap((s, i) => {
    const { changed } = stateOf(data.trace, i + 1);
    const heard = (data.picture.chart[i].arrows ?? []).some((a) => a.to === 1 && !a.idle);
    return s.agent === 1 || heard || changed.some((key) => key.startsWith("1 ")) ? [i + 1] : [];
  });
  assert.ok(mine.length > 2 && mine.length < data.trace.steps.length);
  for (const step of mine.slice(0, 5)) {
    await page.getByRole("button", { name: "Step forward" }).click();
    assert.equal(Number(await page.locator("[data-view=timeline]").getAttribute("data-step")), step);
  }
  await close();
});

test("charts draw an expression, say its value, and report mistakes", async () => {
  const data = fixture("ants");
  const { page, trouble, close } = await open(browser, "charts", data);
  await page.locator('[data-pane="charts"].sc-tab').click();
  const field = page.getByLabel("Expression");
  await field.fill("sum Ant a, x of a + y of a");
  await page.getByRole("button", { name: "Add" }).click();
  const value = page.locator('.sc-series li:has-text("sum Ant a") b');
  for (const step of [0, 7, 19, 40]) {
    await page.locator(".sc-slider").fill(String(step));
    const { get } = stateOf(data.trace, step);
    assert.equal(await value.textContent(), String(get(0, "x") + get(0, "y") + get(1, "x") + get(1, "y")));
  }
  await field.fill("sum Ant a, x off a");
  await page.getByRole("button", { name: "Add" }).click();
  assert.match(await page.locator(".sc-error").textContent(), /^Column 14: .*‘off’/);
  await field.fill("height of Ant 0");
  await page.getByRole("button", { name: "Add" }).click();
  assert.match(await page.locator(".sc-error").textContent(), /no variable ‘height’/);
  assert.deepEqual(trouble, []);
  await close();
});

test("automata light the locations of their agents", async () => {
  const data = fixture("travel");
  const nodes = [0, 1, 2].map((id) => ({ id, label: `s${id}`, x: 40 + 100 * id, y: 20, width: 40, height: 28, location: id, ...(id === 0 ? { initial: true } : {}), ...(id === 2 ? { last: true } : {}) }));
  const edges = [0, 1].map((from) => ({ from, to: from + 1, label: ["go"], points: [[60 + 100 * from, 20], [120 + 100 * from, 20]], at: [90 + 100 * from, 10], place: data.trace.steps[from].at }));
  data.picture.automata = [{ name: "client", agents: [0, 1], drawing: { width: 280, height: 40, nodes, edges } }];
  data.picture.places = [{ step: 0, agent: 0, at: [0] }, { step: 0, agent: 1, at: [0] }, { step: 1, agent: 0, at: [1] }, { step: 4, agent: 0, at: [1, 2] }, { step: 6, agent: 1, at: [2] }];
  const { page, trouble, close } = await open(browser, "automata", data);
  if ((await page.locator('section[data-pane="automata"]').count()) === 0) await page.locator('[data-pane="automata"].sc-tab').click();
  const lit = () => page.locator(".sc-node").evaluateAll((all) => all.map((e) => e.dataset.current));
  const expected = { 0: ["0 1", "", ""], 1: ["1", "0", ""], 3: ["1", "0", ""], 4: ["1", "0", "0"], 6: ["", "0", "0 1"], 10: ["", "0", "0 1"] };
  for (const [step, current] of Object.entries(expected)) {
    await page.locator(".sc-slider").fill(step);
    assert.deepEqual(await lit(), current, `step ${step}`);
  }
  await page.locator(".sc-slider").fill("1");
  assert.deepEqual(await page.locator(".sc-edge").evaluateAll((all) => all.map((e) => e.classList.contains("sc-taken"))), [true, false]);
  assert.deepEqual(trouble, []);
  await close();
});

test("pictures can be downloaded as SVG, and values as CSV", async () => {
  const data = fixture("boids");
  const { page, trouble, close } = await open(browser, "download", data);
  const take = async (act) => {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return readFileSync(await download.path(), "utf8");
  };
  await page.keyboard.press("End");
  const grid = await take(() => page.getByLabel("Download this picture as SVG").click());
  // Styles are inside the file: it looks the same without the page.
  assert.match(grid, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.equal(grid.match(/data-agent=/g).length, 3);
  assert.doesNotMatch(grid, /var\(--|class=/);
  const chart = await take(() => page.getByLabel("Download the chart as SVG").click());
  for (const name of ["Bird 0", "Bird 1", "Bird 2"]) assert.ok(chart.includes(`>${name}<`));
  // The outline that keeps labels readable is painted below them.
  assert.match(chart, /paint-order="stroke"/);
  await page.locator('[data-pane="charts"].sc-tab').click();
  const csv = (await take(() => page.getByLabel("Download the values as CSV").click())).trim().split("\n");
  assert.equal(csv.length, data.trace.steps.length + 2);
  assert.match(csv[0], /^step,"/);
  assert.deepEqual(trouble, []);
  await close();
});

test("exported pictures keep their texts, in the colours of paper", async () => {
  const data = fixture("flock");
  const { page, trouble, close } = await open(browser, "paper", data, { colorScheme: "dark" });
  await page.keyboard.press("End");
  const take = async (label) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByLabel(label).click()]);
    const text = readFileSync(await download.path(), "utf8");
    // Read as a file of its own, without the styles of the page.
    return page.evaluate((source) => {
      const root = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
      const own = (e, name) => (e === null ? null : (e.getAttribute(name) ?? own(e.parentElement, name)));
      const texts = [...root.querySelectorAll("text")].map((e) => ({ text: e.textContent, fill: own(e, "fill"), stroke: own(e, "stroke"), order: own(e, "paint-order"), join: own(e, "stroke-linejoin"), legend: e.closest("[data-legend]") !== null }));
      return { name: root.nodeName, width: Number(root.getAttribute("width")), texts, colours: [...root.querySelectorAll("*")].flatMap((e) => [e.getAttribute("fill"), e.getAttribute("stroke")]) };
    }, text);
  };
  const texts = (selector) => page.locator(selector).evaluateAll((all) => all.map((e) => e.textContent).filter((text) => text !== "").sort());
  const chart = await take("Download the chart as SVG");
  assert.equal(chart.name, "svg");
  assert.deepEqual(chart.texts.map((t) => t.text).sort(), await texts(".sc-chart-head text, .sc-chart text"));
  assert.ok(chart.texts.filter((t) => t.stroke !== "none").length >= data.trace.steps.length);
  for (const each of chart.texts) {
    if (each.stroke === "none") continue;
    assert.deepEqual([each.order, each.join, each.stroke], ["stroke", "round", "rgb(255, 255, 255)"], each.text);
  }
  // --sc-fg of the light theme, for names and labels.
  for (const each of chart.texts.filter((t) => /^Bird|<-/.test(t.text))) assert.equal(each.fill, "rgb(27, 31, 36)", each.text);
  const grid = await take("Download this picture as SVG");
  assert.ok(grid.width >= 480);
  assert.deepEqual(grid.texts.filter((t) => !t.legend && t.text !== "").map((t) => t.text).sort(), await texts(".sc-grid text"));
  assert.deepEqual(grid.texts.filter((t) => t.legend).map((t) => t.text), ["Bird", "links", "Alignment", ...(data.picture.chart.some((row) => row.arrows?.length) ? ["message of this step"] : [])]);
  // None of the colours of the dark theme: its ground, panels, text, lines, links and accent.
  const dark = ["#14171b", "#1b1f25", "#22272e", "#e6e9ed", "#9aa5b1", "#323941", "#2b3138", "#7d8894", "#6cb6ff", "#1d3145"].map((c) => `rgb(${[1, 3, 5].map((i) => Number.parseInt(c.slice(i, i + 2), 16)).join(", ")})`);
  for (const colour of [...chart.colours, ...grid.colours]) assert.ok(!dark.includes(colour), colour);
  assert.deepEqual(trouble, []);
  await close();
});

test("links cross the border of a torus only if their predicate does", async () => {
  const straight = fixture("flock");
  const { grid } = straight.trace.parameters;
  // Two birds at opposite borders of a row, always linked.
  for (const write of straight.trace.initial) if (write.variable === "x" || write.variable === "y") write.value = write.variable === "x" && write.agent === 1 ? grid - 1 : 0;
  straight.trace.steps = [];
  straight.trace.loop = undefined;
  straight.picture.chart = [];
  const near = (predicate) => ({ ...straight, picture: { ...straight.picture, links: [{ name: "Near", predicate, initial: [[0, 1], [1, 0]] }] } });
  for (const [index, [predicate, across]] of [["abs(x of 1 - x of 2) <= 9", false], ["(x of 1 - x of 2) % _grid <= 1", true], ["(x of 1 - x of 2) mod 5 = 1", true], ["model of 1 = 2", false]].entries()) {
    const { page, trouble, close } = await open(browser, `border-${index}`, near(predicate));
    const { x1, x2 } = await page.locator(".sc-link").evaluate((e) => ({ x1: Number(e.getAttribute("x1")), x2: Number(e.getAttribute("x2")) }));
    // Bird 0 is in the leftmost cell, and bird 1 in the last one: the short way leads to the left.
    assert.equal(x2 < x1, across, predicate);
    assert.equal(await page.locator(".sc-link-echo").count(), across ? 1 : 0, predicate);
    assert.deepEqual(trouble, []);
    await close();
  }
});

test("the explanation of a loop tells who never acts, and why", async () => {
  const data = fixture("flock");
  const cause = (what, value) => ({ condition: `${what} = 9`, holds: false, values: [{ what, value }] });
  const changed = data.trace.steps.slice(data.trace.loop).flatMap((s, i) => stateOf(data.trace, data.trace.loop + i + 1).changed);
  assert.ok(changed.includes("0 x ") && !changed.some((key) => key.includes("dirX")));
  data.trace.repeats = {
    repeats: [{ agent: 0, rule: "action", what: "x <- 1", at: "22:9", times: 4 }, { agent: 0, rule: "confirm", what: "dirX", times: 1 }],
    still: [{ agent: 0, able: true }, { agent: 1, able: true }, { agent: 2, able: false, waits: [{ what: "y <- 2", at: "7:3", obstacles: [{ kind: "guard", ...cause("x of Bird 2", 3) }] }] }],
  };
  const told = async (name, story, because) => {
    const picture = { ...data.picture, story, causes: [], breaks: undefined };
    const { page, trouble, close } = await open(browser, name, { ...data, picture, trace: { ...data.trace, because } });
    const text = await page.locator(".sc-story").innerText();
    const items = await page.locator(".sc-story-steps li[data-step]").count();
    assert.deepEqual(trouble, []);
    await close();
    return { text, items };
  };
  const total = data.trace.steps.length;
  const idle = await told("idle", ["Consensus: the run repeats, because\ndirX of Bird 0 = 1", "from here on the run repeats:", `... ${total} steps of Bird 0 that do not matter`, `0 of ${total} steps matter`], []);
  assert.match(idle.text, /Birds 0 and 1 never act in this loop, though they could\./);
  assert.match(idle.text, /Bird 2 never acts in this loop, because it cannot:\s+line 7: y <- 2\s+x of Bird 2 = 9 is false: x of Bird 2 is 3; nobody else can change that/);
  assert.match(idle.text, /In every round of the loop:\s+Bird 0: line 22: x <- 1 \(4 times\); confirms dirX/);
  assert.doesNotMatch(idle.text, /matter|In the last state/);
  assert.equal(idle.items, total);
  assert.match(idle.text, /from here on the run repeats:/);
  // What no step of the loop changes is true in all of its states.
  assert.match((await told("stays", undefined, [cause("dirX of Bird 0", -1)])).text, /In every state of the loop:/);
  assert.match((await told("moves", undefined, [cause("x of Bird 0", 1)])).text, /When the loop begins:/);
  assert.match((await told("counts", ["all", "step 1  Bird 0: x <- 1", `1 of ${total} steps matter`], [])).text, /1 of \d+ steps matter\./);
});

test("the explanation of a formula follows its parts", async () => {
  const data = fixture("resources");
  // The kinds and sentences of docs/explain.md.
  data.trace = { ...data.trace, property: "Fills", loop: 1, steps: data.trace.steps.slice(0, 3) };
  data.trace.formula = [
    { kind: "agent", name: "k", agent: "pump" },
    { kind: "opened", part: "level = 1", after: 1, became: true },
    { kind: "forever", part: "level = 3", after: 1, holds: false },
    { kind: "condition", part: "k-level = 3", after: 3, holds: false, because: [{ condition: "k-level = 3", holds: false, values: [{ what: "level of pump 0", value: 1 }] }] },
    { kind: "before", part: "level < 2", after: 2, until: "level = 3", inclusive: true },
    { kind: "observed", part: "sender = pump", holds: false },
    { kind: "kept", part: "level > 0", from: 0, to: 2 },
  ];
  data.picture.chart = data.picture.chart.slice(0, 3);
  const { page, trouble, close } = await open(browser, "formula", data);
  const lines = await page.locator(".sc-formula > li").evaluateAll((all) => all.map((e) => e.textContent));
  assert.deepEqual(lines, [
    "for k = pump:",
    "step 1 makes level = 1 true",
    "from then on, level = 3 is never true: the loop (steps 2 to 3) repeats without it",
    "after step 3, k-level = 3 is false: level of pump 0 is 1",
    "after step 2, level < 2 is false, and level = 3 has not been true by then",
    "no step follows that satisfies sender = pump",
    "level > 0 is true at first and up to step 2",
  ]);
  assert.deepEqual(trouble, []);
  await close();
});

test("the head names parameters once, and every unusual reading", async () => {
  const data = fixture("flock");
  const chips = async (name, more) => {
    const { page, close } = await open(browser, name, { ...data, title: "flock.labs birds=3: Consensus", trace: { ...data.trace, fair: false, semantics: "sliver", choice: "late", ...more } });
    const [title, found] = [await page.locator("h1").textContent(), await page.locator(".sc-parameters li").allTextContents()];
    await close();
    assert.equal(title, "flock.labs");
    return found;
  };
  const parameters = Object.entries(data.trace.parameters).map(([name, value]) => `${name} = ${value}`);
  assert.deepEqual(await chips("usual", {}), parameters);
  assert.deepEqual(await chips("unusual", { fair: true, sync: true, semantics: "paper", choice: "early" }), [...parameters, "fair", "sync", "semantics: paper", "choice: early"]);
});

test("in a low window the last step and its words are seen in full", async () => {
  for (const name of ["ants", "predator"]) {
    const { page, trouble, close } = await open(browser, `low-${name}`, fixture(name), { viewport: { width: 1280, height: 720 } });
    const total = fixture(name).trace.steps.length;
    for (let step = 0; step < total; step += 1) {
      await page.keyboard.press("ArrowRight");
      const { inner, outer } = await page.locator(".sc-step").evaluate((e) => ({ inner: e.scrollHeight, outer: e.clientHeight }));
      assert.ok(inner <= outer, `${name}, step ${step + 1}: ${inner} in ${outer}`);
    }
    await page.keyboard.press("Home");
    await page.keyboard.press("End");
    // The key moves the trace, not the page.
    assert.equal(await page.evaluate(() => scrollY), 0);
    const row = await page.locator(`.sc-row[data-step="${total}"]`).boundingBox();
    const box = await page.locator(".sc-chart-scroll").boundingBox();
    const foot = await page.locator(".sc-foot").boundingBox();
    assert.ok(row.y + row.height <= Math.min(box.y + box.height, foot.y), name);
    assert.deepEqual(trouble, []);
    await close();
  }
});

test("agents in different places of one automaton have their own badges inside the picture", async () => {
  const data = fixture("resources");
  const nodes = [0, 1, 2].map((id) => ({ id, label: `s${id}`, x: 30 + 330 * id, y: 20, width: 40, height: 28, location: id }));
  const label = "a label that is long";
  // The drawing claims to be narrower than its last node and label.
  data.picture.automata = [{ name: "Client", agents: [0, 1, 2], drawing: { width: 680, height: 30, nodes, edges: [{ from: 2, to: 2, label: [label], points: [[710, 10], [700, -30]], at: [690, -40] }] } }];
  data.picture.places = [0, 1, 2].map((agent) => ({ step: 0, agent, at: [agent === 2 ? 2 : 1] }));
  data.picture.agents[0].name = "client1 0";
  data.picture.agents[1].name = "twin 1";
  data.picture.agents[2].name = "twin 2";
  const { page, trouble, close } = await open(browser, "badges", data);
  if ((await page.locator('section[data-pane="automata"]').count()) === 0) await page.locator('[data-pane="automata"].sc-tab').click();
  assert.deepEqual(await page.locator(".sc-node").evaluateAll((all) => all.map((e) => [...e.querySelectorAll(".sc-badges text")].map((t) => t.textContent).join(" "))), ["", "0 1", "2"]);
  const frame = await page.locator(".sc-automaton-frame").boundingBox();
  for (const part of await page.locator(".sc-node, .sc-edge-label, .sc-badges circle").all()) {
    const box = await part.boundingBox();
    assert.ok(box.x >= frame.x && box.x + box.width <= frame.x + frame.width && box.y >= frame.y && box.y + box.height <= frame.y + frame.height);
  }
  // A number is left out only where the name is unique without it.
  assert.equal(await page.locator("figcaption b").textContent(), "Client · client1, twin 1, twin 2");
  assert.deepEqual((await page.locator(".sc-lifeline-name").evaluateAll((all) => all.map((e) => [e.textContent, e.dataset.agent]))).slice(0, 3), [["client1", "0"], ["twin 1", "1"], ["twin 2", "2"]]);
  assert.deepEqual(trouble, []);
  await close();
});

test("names are text, whatever they hold", async () => {
  const data = fixture("flock");
  const bad = '</script><img src=x onerror="alert(1)"><b>';
  const text = JSON.stringify(data).replaceAll('"Bird', `"${JSON.stringify(bad).slice(1, -1)}Bird`).replaceAll("dirX", `dirX${JSON.stringify(bad).slice(1, -1)}`);
  const changed = JSON.parse(text);
  changed.trace.model = bad;
  changed.picture.story = [`step 1  ${bad}`, `${bad}\n${bad}`];
  const { page, trouble, close } = await open(browser, "markup", { ...changed, title: bad });
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("h1").textContent(), bad.split("/").pop());
  assert.ok((await page.locator(".sc-table").first().textContent()).includes(bad));
  await page.locator('[data-pane="charts"].sc-tab').click();
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(trouble, []);
  await close();
});

test("nothing is wider than the window, from 320 pixels on", async () => {
  for (const [width, name] of [[320, "flock"], [480, "resources"], [800, "ants"], [1280, "boids"], [1900, "predator"]]) {
    const { page, trouble, close } = await open(browser, `width-${width}`, fixture(name), { viewport: { width, height: 800 } });
    for (const tab of await page.locator(".sc-tab[aria-pressed=false]").all()) {
      await tab.click();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${name} at ${width}: ${wide} too wide`);
    }
    assert.deepEqual(trouble, []);
    await close();
  }
});

test("a trace without a picture can be played", async () => {
  for (const name of ["flock", "resources", "commit"]) {
    const { trace } = fixture(name);
    const { page, trouble, close } = await open(browser, `bare-${name}`, { trace });
    await page.keyboard.press("End");
    assert.equal(await page.locator(".sc-count").textContent(), `step ${trace.steps.length} of ${trace.steps.length}`);
    assert.ok((await page.locator(".sc-agent").count()) > 1);
    assert.deepEqual(trouble, []);
    await close();
  }
});

/** Thirty birds on a torus of 16 × 16; every third step is a message to everybody. */
function longTrace(steps) {
  const { trace, picture } = fixture("flock");
  const agents = Array.from({ length: 30 }, (_, agent) => ({ agent, kind: "Bird", name: `Bird ${agent}` }));
  const initial = agents.flatMap(({ agent }) => [["x", agent % 16], ["y", (agent * 7) % 16], ["dirX", 1], ["dirY", -1]].map(([variable, value]) => ({ agent, variable, value })));
  const all = Array.from({ length: steps }, (_, i) => {
    const agent = (i * 11) % 30;
    const writes = i % 3 === 2 ? [] : [["x", (i * 5) % 16], ["y", (i * 3) % 16]].map(([variable, value]) => ({ agent, variable, value }));
    return { agent, kind: "Bird", rule: i % 3 === 2 ? "propagate" : "action", what: i % 3 === 2 ? "dirX" : "x, y <- (x + dirX) % _grid, (y + dirY) % _grid", at: "22:9", writes, pending: [] };
  });
  const near = [...Array(29)].flatMap((_, a) => [[a, a + 1], [a + 1, a], [a, (a * 7) % 30]]).filter(([a, b]) => a !== b);
  const changes = all.map((_, i) => ({ step: i + 1, [i % 2 === 0 ? "broken" : "made"]: [near[i % 2 === 0 ? i % near.length : (i - 1) % near.length]] }));
  const chart = all.map((s) => ({ agent: s.agent, label: s.what, kind: s.rule, arrows: s.rule === "action" ? [] : agents.filter((a) => a.agent !== s.agent).map((a) => ({ from: s.agent, to: a.agent, idle: a.agent % 4 !== 0 })) }));
  const view = { ...picture.view, width: 16, height: 16 };
  return { trace: { ...trace, property: undefined, loop: undefined, initial, steps: all }, picture: { ...picture, agents, view, chart, links: [{ name: "Near", predicate: "…", initial: near, changes }], causes: [], breaks: undefined }, source: "model" };
}

test("a thousand steps of thirty agents are quick and small", async () => {
  const data = longTrace(1000);
  const assets = new URL("../../crates/picture/assets", import.meta.url).pathname;
  assert.ok(html(data, assets).length < 2_000_000);
  assert.ok(readFileSync(`${assets}/player.js`).length < 120 * 1024);
  const { page, trouble, close } = await open(browser, "long", data, { reducedMotion: "no-preference" });
  // Time of the page's own thread: the machine may have other things to do.
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value * 1000;
  const before = await spent();
  await page.evaluate(() => {
    const slider = document.querySelector(".sc-slider");
    for (let step = 701; step <= 1000; step += 1) {
      slider.value = String(step);
      slider.dispatchEvent(new Event("input"));
      document.body.getBoundingClientRect();
    }
  });
  const mean = ((await spent()) - before) / 300;
  assert.ok(mean < 33, `${mean.toFixed(1)} ms per step, layout included`);
  assert.equal(await page.locator("[data-view=grid]").getAttribute("data-step"), "1000");
  assert.deepEqual(trouble, []);
  await close();
});

test("another trace can be set, and choices of the reader are kept", async () => {
  const entry = new URL("../src/player/index.ts", import.meta.url).pathname;
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, outdir: "out", format: "iife", globalName: "SC" });
  const script = outputFiles.find((file) => file.path.endsWith(".js")).text;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const trouble = [];
  page.on("pageerror", (error) => trouble.push(error.message));
  await page.setContent("<div id=root></div>");
  await page.addScriptTag({ content: script });
  const [first, second] = [fixture("boids"), fixture("leader")];
  await page.evaluate((data) => {
    window.heard = [];
    window.player = new SC.Player(document.getElementById("root"), data, { panes: ["grid", "table"], onStep: (step, at) => window.heard.push([step, at]), onWhatIf: (step) => window.heard.push(["what if", step]) });
    window.player.show(25);
  }, first);
  await page.getByLabel("Speed").selectOption("8");
  await page.getByLabel("Follow").selectOption("1");
  await page.getByRole("button", { name: "Go on differently" }).click();
  await page.evaluate((data) => window.player.set(data, 1), second);
  assert.equal(await page.evaluate(() => window.player.step), 1);
  compareTable(await page.evaluate(read), second.trace, 1);
  assert.equal(await page.getByLabel("Speed").inputValue(), "8");
  assert.equal(await page.getByLabel("Follow").inputValue(), "1");
  // The second trace is a counterexample: its explanation opens beside what was open.
  const open = await page.locator("section.sc-pane").evaluateAll((all) => all.map((e) => e.dataset.pane).sort());
  assert.deepEqual(open, ["grid", "story", "table"]);
  const at = (trace, step) => trace.steps[step - 1]?.at;
  assert.deepEqual((await page.evaluate(() => window.heard)).map((each) => each.map((x) => x ?? null)), [[0, null], [25, at(first.trace, 25) ?? null], ["what if", 25], [1, at(second.trace, 1) ?? null]].map((each) => each.map((x) => x ?? null)));
  await page.evaluate(() => window.player.destroy());
  assert.equal(await page.locator("#root > *").count(), 0);
  assert.deepEqual(trouble, []);
  await context.close();
});

function compareTable(shown, trace, step) {
  const { state } = stateOf(trace, step);
  assert.equal(shown.cells.length, state.size);
  for (const cell of shown.cells) assert.equal(cell.value, String(state.get(`${cell.agent ?? ""} ${cell.variable} ${cell.index ?? ""}`).value));
}
