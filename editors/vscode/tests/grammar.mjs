// Runs the grammars as VS Code does: the same matcher of expressions, and the same walk over lines.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { join, extname } from "node:path";

const require = createRequire(import.meta.url);
const { Registry, INITIAL, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

export const root = fileURLToPath(new URL("../", import.meta.url));
export const project = fileURLToPath(new URL("../../../", import.meta.url));
export const LANGUAGES = { ".labs": "labs", ".rcp": "rcheck", ".ccs": "ccs", ".chor": "chor" };

export const languageOf = (path) => LANGUAGES[extname(path)];

const ready = oniguruma
  .loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer)
  .then(() => ({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }));

const registry = new Registry({
  onigLib: ready,
  loadGrammar: async (scope) => {
    const path = join(root, "syntaxes", `${scope.replace("source.", "")}.tmLanguage.json`);
    return parseRawGrammar(readFileSync(path, "utf8"), path);
  },
});

/** `[line, start, length, scopes]` for each token, in UTF-16 units, white space left out. */
export async function tokens(language, text) {
  const grammar = await registry.loadGrammar(`source.${language}`);
  const found = [];
  let state = INITIAL;
  text.split(/\r?\n/).forEach((line, number) => {
    const read = grammar.tokenizeLine(line, state);
    state = read.ruleStack;
    for (const { startIndex, endIndex, scopes } of read.tokens) {
      const end = Math.min(endIndex, line.length);
      const piece = line.slice(startIndex, end);
      if (piece.trim() === "") continue;
      found.push([number, startIndex, end - startIndex, scopes]);
    }
  });
  return found;
}

/** The files of the four languages below a folder, sorted. */
export function models(folder) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== "target") found.push(...models(path));
    else if (languageOf(path)) found.push(path);
  }
  return found.sort();
}

/** All models that are part of the project: examples, templates and regressions. */
export const allModels = () => ["examples", "crates/cli/src/templates", "crates/testkit"].flatMap((folder) => models(join(project, folder)));
