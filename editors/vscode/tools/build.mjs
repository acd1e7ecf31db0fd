// Bundles the extension into dist/extension.js, and collects the licences of the packages that went into it.

import { build } from "esbuild";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const root = fileURLToPath(new URL("../", import.meta.url));
const ALLOWED = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"]);

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  minify: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});

const packages = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
const texts = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  if (!ALLOWED.has(license)) throw new Error(`${name} has the licence ${license}, which may not be shipped`);
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file || !existsSync(join(root, folder, file))) throw new Error(`${name} has no text of its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
});
const head = "The extension contains these packages.\n";
writeFileSync(join(root, "dist/LICENSES.txt"), [head, ...texts].join(`\n${"-".repeat(60)}\n\n`));
console.log(`dist/extension.js: ${metafile.outputs["dist/extension.js"].bytes} bytes, ${texts.length} packages`);
