// Bundles the player and the page into the crates that embed them. `cargo build` never runs this: the result is committed.
// With --verify nothing is written; the exit code says whether what is committed is what the sources make.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bundles = [
  { assets: "../crates/picture/assets", entry: "src/player/main.ts", name: "player", format: "iife", copy: {} },
  { assets: "../crates/picture/assets/plot", entry: "src/plot/main.ts", name: "plot", format: "iife", copy: {} },
  {
    assets: "../crates/web/assets",
    entry: "src/page/main.ts",
    name: "workbench",
    format: "iife",
    copy: { "index.html": "src/page/index.html" },
  },
];

/** The licence of every package that is part of a bundle. */
function licences(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) names.add(match[1]);
  }
  return [...names].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "license"].map((n) => join(folder, n)).find(existsSync);
    return `${name} ${version} (${license})\n\n${file ? readFileSync(file, "utf8").trim() : ""}\n`;
  });
}

async function contents(bundle) {
  const result = await build({
    entryPoints: [join(here, bundle.entry)],
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    outdir: "out",
    entryNames: bundle.name,
    format: bundle.format,
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    absWorkingDir: here,
    loader: { ".svg": "text" },
  });
  const files = new Map();
  for (const file of result.outputFiles) files.set(file.path.split("/").pop(), file.text);
  for (const [name, from] of Object.entries(bundle.copy)) files.set(name, readFileSync(join(here, from), "utf8"));
  const used = licences(result.metafile);
  files.set("LICENSES.txt", used.length > 0 ? used.join("\n----\n\n") : "Nothing but this project's own code.\n");
  const sums = [...files].map(([name, text]) => `${createHash("sha256").update(text).digest("base64")} ${name}\n`);
  files.set("checksums.txt", sums.sort().join(""));
  return files;
}

let different = 0;
for (const bundle of bundles) {
  if (!existsSync(join(here, bundle.entry))) continue;
  const folder = join(here, bundle.assets);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of await contents(bundle)) {
    const path = join(folder, name);
    const same = existsSync(path) && readFileSync(path, "utf8") === text;
    if (process.argv.includes("--verify")) {
      if (!same) {
        different += 1;
        console.error(`${bundle.assets}/${name} is not what the sources make: run npm run build`);
      }
    } else if (!same) {
      writeFileSync(path, text);
      console.log(`${bundle.assets}/${name}: ${Math.round(Buffer.byteLength(text) / 1024)} kB`);
    }
  }
}
process.exit(different > 0 ? 1 : 0);
