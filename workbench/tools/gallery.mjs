// Draws the pictures of the examples: SWARMCHECK_BIN=… node tools/gallery.mjs [EXAMPLE…]
//
// Each is a frame of the player, exported as users would: the grid where agents have places, otherwise a sequence chart of the first steps. They are
// committed as examples/NAME/picture.svg, and the gallery of the workbench shows them.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const examples = join(dirname(fileURLToPath(import.meta.url)), "../../examples");
const program = process.env.SWARMCHECK_BIN ?? "swarmcheck";

/** Parameters that make a good picture where the first of the project file are too small; with a step, the frame of the grid after so many steps. */
const frames = {
  flock: { step: 9, parameters: ["birds=6", "grid=8", "delta=4"] },
  boids: { step: 40, parameters: ["birds=7", "grid=10", "delta=13"] },
  ants: { step: 160, parameters: ["ants=5", "size=7", "scent=4"] },
  foraging: { step: 24, parameters: ["robots=4", "grid=6"] },
  formation: { step: 14, parameters: ["n=5", "size=10", "range=3"] },
  predator: { step: 24, parameters: ["birds=6", "grid=8", "sight=2"] },
  majority: { parameters: ["yes=2", "no=2"] },
  philosophers: { parameters: ["n=4"] },
  twophase: { parameters: ["workers=3"] },
  waiting: { parameters: ["hasty=1", "careful=1"] },
  voter: { parameters: ["voters=3", "options=3"] },
};

/** The file and the parameters that the project file names first. */
function first(name) {
  const text = readFileSync(join(examples, name, "swarmcheck.toml"), "utf8");
  const file = /file = "([^"]+)"/.exec(text)[1];
  const block = text.split("[[model]]")[1] ?? "";
  const values = /parameters = \{([^}]*)\}/.exec(block)?.[1] ?? "";
  return { file, parameters: values.split(",").map((one) => one.replaceAll(" ", "")).filter(Boolean) };
}

const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : readdirSync(examples).filter((name) => !name.includes("."));
const folder = mkdtempSync(join(tmpdir(), "gallery-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
for (const name of names) {
  const { file, parameters } = first(name);
  const frame = frames[name] ?? { parameters };
  const page = join(folder, `${name}.html`);
  const run = ["simulate", file, ...frame.parameters, "--seed", "7", "--steps", String(frame.step ?? 7)];
  if (frame.step) {
    // A run that violates a property ends with another exit code than 0.
    spawnSync(program, [...run, "--trace-format", "html", "-o", page], { cwd: join(examples, name) });
    const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await tab.goto(pathToFileURL(page).href);
    for (let step = 0; step < frame.step; step += 1) await tab.keyboard.press("ArrowRight");
    const waiting = tab.waitForEvent("download");
    await tab.getByTitle("Download this picture as SVG").first().click();
    writeFileSync(join(examples, name, "picture.svg"), readFileSync(await (await waiting).path()));
    await tab.close();
  } else {
    const { stdout } = spawnSync(program, [...run, "--trace-format", "svg"], { cwd: join(examples, name) });
    writeFileSync(join(examples, name, "picture.svg"), stdout);
  }
  console.log(name);
}
await browser.close();
