// Writes what the snippets `model` produce, and lets the program check it.
// Usage: node tests/snippets.mjs SWARMCHECK

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LANGUAGES, root } from "./grammar.mjs";

/** The text of a snippet whose placeholders are left as they are. */
const expand = (body) =>
  body
    .join("\n")
    .replace(/\$\{\d+:([^${}]*)\}/g, "$1")
    .replace(/\$\d+/g, "")
    .replace(/\\(.)/g, "$1");

const folder = mkdtempSync(join(tmpdir(), "swarmcheck-"));
let accepted = 0;
for (const [ending, language] of Object.entries(LANGUAGES)) {
  const snippets = JSON.parse(readFileSync(join(root, "snippets", `${language}.json`), "utf8"));
  const path = join(folder, `model${ending}`);
  writeFileSync(path, expand(snippets["Complete model"].body));
  const { status, stdout, stderr } = spawnSync(process.argv[2], ["check", path], { encoding: "utf8" });
  if (status === 0) accepted += 1;
  else console.log(`${language}: ${stdout}${stderr}`);
}
rmSync(folder, { recursive: true });
console.log(`${accepted} of 4 snippets are models`);
process.exitCode = accepted === 4 ? 0 : 1;
