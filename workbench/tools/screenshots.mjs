// Writes the pictures of docs/web.md and of the README: SWARMCHECK_BIN=… npm run screenshots
// A debug build takes the page from a folder: SWARMCHECK_ASSETS=DIR

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { shrink } from "./palette.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const images = process.env.IMAGES ?? join(root, "docs/images");
mkdirSync(images, { recursive: true });
const assets = process.env.SWARMCHECK_ASSETS ? ["--assets", process.env.SWARMCHECK_ASSETS] : [];
const server = spawn(process.env.SWARMCHECK_BIN ?? join(root, "target/release/swarmcheck"), ["web", "--no-open", ...assets], { stdio: ["ignore", "pipe", "ignore"] });
const address = await new Promise((resolve) => server.stdout.on("data", (data) => /http:\/\/\S+/.test(data) && resolve(/http:\/\/\S+/.exec(String(data))[0])));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });

async function shots(options, work) {
  const { width = 1280, height = 800, dark = false } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => console.error(error));
  await page.goto(address);
  await page.waitForSelector(".stage-body .sc-count", { state: "attached" });
  const shoot = async (name) => {
    await page.waitForTimeout(700);
    writeFileSync(join(images, `${name}.png`), shrink(await page.screenshot()));
    console.log(`${name}.png`);
  };
  await work(page, shoot);
  await context.close();
}

const decided = (page) => page.waitForSelector('[data-act="verify"]:visible');
const playing = (page) => page.click(".stage-body .sc-play");

async function flock(page, shoot, suffix = "") {
  await page.waitForFunction(() => /step [5-9]/.test(document.querySelector(".stage-body .sc-count")?.textContent ?? ""));
  await playing(page);
  await shoot(`workbench${suffix}`);
  for (const [name, value] of [["birds", 2], ["grid", 4], ["delta", 1]]) await page.fill(`[data-parameter="${name}"]`, String(value));
  await page.check('[data-option="fair"]');
  await page.click('[data-act="verify"]');
  await decided(page);
  await page.click('.row[data-property="Consensus"] [data-act="trace"]');
  await page.waitForFunction(() => document.querySelector(".stage-title")?.textContent?.startsWith("Counterexample"));
  await page.focus(".stage-body .sc-slider");
  for (let i = 0; i < 4; i += 1) await page.keyboard.press("ArrowRight");
  await shoot(`workbench-counterexample${suffix}`);
}

await shots({}, flock);
await shots({}, async (page, shoot) => {
  const resources = readFileSync(join(root, "examples/rcheck-resources/resources.rcp"), "utf8");
  await page.setInputFiles("[data-open-file]", { name: "resources.rcp", mimeType: "text/plain", buffer: Buffer.from(resources) });
  await page.waitForSelector('.problems-line[data-state="fine"]');
  await page.click("#tab-automata");
  await page.waitForSelector(".automaton svg");
  await shoot("workbench-automata");
  await page.click("#tab-verify");
  await page.click('[data-act="verify"]');
  await decided(page);
  await page.locator('.row[data-property="AllMachinesConnect"]').scrollIntoViewIfNeeded();
  await shoot("workbench-verdicts");
  await page.click('.row[data-property="AllMachinesConnect"] [data-act="load"]');
  await page.waitForSelector(".choice");
  for (let i = 0; i < 2; i += 1) {
    await page.click('[data-act="next"]');
    await page.waitForTimeout(800);
  }
  await shoot("workbench-interpreter");
});
const opinions = readFileSync(join(root, "examples/opinions/opinions.labs"), "utf8");
const everybody = (state) => `(forall Yes a, forall No b, state of a = ${state} and state of b = ${state})`;
async function numbers(page, shoot, suffix = "") {
  await page.setInputFiles("[data-open-file]", { name: "opinions.labs", mimeType: "text/plain", buffer: Buffer.from(opinions) });
  await page.waitForSelector('.problems-line[data-state="fine"]');
  for (const [name, value] of [["yes", 2], ["no", 3]]) await page.fill(`[data-parameter="${name}"]`, String(value));
  await page.waitForTimeout(600);
  await page.click("#tab-estimate");
  await page.locator("[data-query]").first().fill("P(AllYes within 200 steps)");
  await page.click('[data-act="add-query"]');
  await page.locator("[data-query]").last().fill(`E(steps until ${everybody(1)} or ${everybody(0)})`);
  await page.click('[data-act="estimate"]');
  await page.waitForSelector(".distribution svg");
  await shoot(`workbench-estimate${suffix}`);
  await page.selectOption('[data-estimate="method"]', "exact");
  await page.click("#tab-sweep");
  for (const name of ["yes", "no"]) await page.fill(`[data-range="${name}"]`, "1..4");
  await page.selectOption('[data-sweep="what"]', "estimate");
  await page.fill('[data-sweep="query"]', "P(AllYes)");
  await page.click('[data-act="sweep"]');
  await page.waitForSelector('[data-act="sweep"]:visible');
  await page.waitForSelector("#panel-sweep .sc-plot");
  await page.locator("#panel-sweep .sc-mark").nth(6).hover();
  await shoot(`workbench-sweep${suffix}`);
  await page.selectOption('[data-view-of="kind"]', "heat");
}
await shots({}, (page, shoot) => numbers(page, shoot));
if (process.argv.includes("--all")) {
  await shots({ dark: true }, (page, shoot) => numbers(page, shoot, "-dark"));
  // Every other screen, for whoever looks whether they are right.
  await shots({ dark: true }, (page, shoot) => flock(page, shoot, "-dark"));
  for (const dark of [false, true]) {
    const d = dark ? "-dark" : "";
    await shots({ dark }, async (page, shoot) => {
      await page.click('[data-act="gallery"]');
      await shoot(`gallery${d}`);
      await page.keyboard.press("Escape");
      await page.click('[data-open="options"]');
      await shoot(`options${d}`);
      await page.keyboard.press("Escape");
      await page.click('[data-act="share"]');
      await shoot(`share${d}`);
      await page.keyboard.press("Escape");
      await page.click('[data-act="download"]');
      await shoot(`download${d}`);
      await page.keyboard.press("Escape");
      await page.click("#tab-charts");
      await page.waitForSelector(".plot-line");
      await shoot(`charts${d}`);
      await page.click("#tab-automata");
      await shoot(`automata${d}`);
      await page.click("#tab-run");
      await page.click('[data-act="starts"]');
      await page.waitForSelector(".start");
      await shoot(`starts${d}`);
      await page.click('[data-act="start"]');
      await page.waitForSelector(".choice");
      await page.click('[data-act="random"]');
      await shoot(`run${d}`);
      await page.click('[data-act="larger"]');
      await shoot(`larger${d}`);
      await page.click('[data-act="larger"]');
      await page.click('[data-act="tour"]');
      await page.click('[data-tour="next"]');
      await shoot(`tour${d}`);
    });
    await shots({ width: 800, height: 900, dark }, async (page, shoot) => {
      await shoot(`narrow-model${d}`);
      await page.click("#tab-results");
      for (const [name, value] of [["birds", 2], ["grid", 4], ["delta", 1]]) await page.fill(`[data-parameter="${name}"]`, String(value));
      await page.click('[data-act="verify"]');
      await decided(page);
      await shoot(`narrow-check${d}`);
      await page.click('.row[data-property="Consensus"] [data-act="trace"]');
      await shoot(`narrow-player${d}`);
    });
  }
}
await browser.close();
server.kill();
