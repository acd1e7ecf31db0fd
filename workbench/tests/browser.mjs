// A browser for the tests: Debian's Chromium, driven by playwright-core. CHROMIUM names another one.

import { mkdtempSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { page as html, sketch } from "../tools/sketch.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "swarmcheck-player-"));

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

/** A trace of the fixtures with its picture and the model's text. */
export function fixture(name) {
  const trace = JSON.parse(readFileSync(join(here, "fixtures", `${name}.json`), "utf8"));
  return sketch(name, trace, readFileSync(join(here, "../..", trace.model), "utf8"));
}

/** Opens the self-contained page of some data. `trouble` collects errors and requests. */
export async function open(browser, name, data, options = {}) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, html(data, join(here, "../../crates/picture/assets")));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => trouble.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) trouble.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, trouble, close: () => context.close() };
}
