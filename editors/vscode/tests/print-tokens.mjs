// Prints the tokens of files by the grammars, a JSON list `[line, start, length, scopes]` per line of output.
// Usage: node tests/print-tokens.mjs FILE...

import { readFileSync } from "node:fs";
import { languageOf, tokens } from "./grammar.mjs";

for (const path of process.argv.slice(2)) {
  const language = languageOf(path);
  if (!language) {
    console.error(`${path}: the name does not tell the language`);
    process.exitCode = 2;
    continue;
  }
  for (const token of await tokens(language, readFileSync(path, "utf8"))) console.log(JSON.stringify(token));
}
