// Compares the grammars with the semantic tokens of the server, class by class, on all models of the project.
// Usage: node tests/compare-tokens.mjs SWARMCHECK
//
// The server knows what a word is at its place; a grammar guesses it. What the server calls a comment, a number, a keyword or an
// operator must have such a scope, and what it calls a name must not be coloured as a comment, a number or an operator. A name that
// looks like a word of the language to the grammar is counted, and must stay rare.

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { allModels, languageOf, project, tokens } from "./grammar.mjs";
import { Client } from "./lsp.mjs";

const TYPES = "namespace type class enum interface struct typeParameter parameter variable property enumMember event function method macro keyword modifier comment string number regexp operator decorator label".split(" ");
const MODIFIERS = "declaration definition readonly static deprecated abstract async modification documentation defaultLibrary".split(" ");
const KEYWORD = /^(?:keyword(?!\.operator(?!\.word))|constant\.language|variable\.language|support)\b/;
const EXPECTED = {
  comment: (scope) => /^comment\b/.test(scope),
  number: (scope) => /^constant\.numeric\b/.test(scope),
  // The signs of formulas, as `[]`, are operators for one and words for the other. So are `and`, `or` and `not`.
  keyword: (scope) => KEYWORD.test(scope) || /^keyword\b/.test(scope),
  // In `message-structure` the sign belongs to a word for the grammar.
  operator: (scope) => /^keyword\b/.test(scope) || /^punctuation\b/.test(scope),
};
const NAMES = new Set(["class", "enum", "enumMember", "variable", "parameter", "property", "function", "event", "type", "namespace", "method", "label"]);

/** The tokens of the server with absolute places. */
function decode({ data }, legend) {
  const found = [];
  let [line, start] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    [line, start] = [line + data[at], data[at] > 0 ? data[at + 1] : start + data[at + 1]];
    found.push({ line, start, length: data[at + 2], type: legend.tokenTypes[data[at + 3]] ?? `number ${data[at + 3]}` });
  }
  return found;
}

const program = process.argv[2];
if (!program) {
  console.error("usage: node tests/compare-tokens.mjs SWARMCHECK");
  process.exit(2);
}
const client = new Client(program);
const answer = await client.request("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(project).href,
  capabilities: {
    general: { positionEncodings: ["utf-16"] },
    textDocument: {
      semanticTokens: { requests: { full: true }, tokenTypes: TYPES, tokenModifiers: MODIFIERS, formats: ["relative"], multilineTokenSupport: false, overlappingTokenSupport: false },
    },
  },
});
client.notify("initialized", {});
const legend = answer.capabilities.semanticTokensProvider.legend;

const counts = {};
const wrong = [];
const looksLikeAWord = [];
let files = 0;
for (const path of allModels()) {
  const language = languageOf(path);
  const text = readFileSync(path, "utf8");
  const uri = pathToFileURL(path).href;
  client.notify("textDocument/didOpen", { textDocument: { uri, languageId: language, version: 1, text } });
  const result = await client.request("textDocument/semanticTokens/full", { textDocument: { uri } });
  client.notify("textDocument/didClose", { textDocument: { uri } });
  files += 1;
  const source = text.split(/\r?\n/);
  const lines = source.map(() => []);
  for (const [line, start, length, scopes] of await tokens(language, text)) lines[line].push([start, start + length, scopes[scopes.length - 1]]);
  let before = [-1, 0];
  for (const { line, start, length, type } of decode(result ?? { data: [] }, legend)) {
    const place = `${relative(project, path)}:${line + 1}:${start + 1}`;
    const shown = (source[line] ?? "").slice(start, start + length);
    if (line < before[0] || (line === before[0] && start < before[1])) wrong.push(`${place}: ${type} '${shown}' overlaps the token before it`);
    before = [line, start + length];
    const scope = (lines[line] ?? []).find(([from, to]) => from <= start && start < to)?.[2] ?? "nothing";
    counts[type] = (counts[type] ?? 0) + 1;
    if (length === 0 || shown.length !== length) wrong.push(`${place}: ${type} of length ${length} is outside of its line`);
    else if (EXPECTED[type]) {
      if (!EXPECTED[type](scope)) wrong.push(`${place}: ${type} '${shown}' has the scope ${scope}`);
    } else if (!NAMES.has(type)) wrong.push(`${place}: '${shown}' has the type ${type}, which is not known here`);
    else if (/^(?:comment|constant\.numeric|keyword\.operator(?!\.word)|punctuation)\b/.test(scope)) wrong.push(`${place}: ${type} '${shown}' has the scope ${scope}`);
    else if (KEYWORD.test(scope)) looksLikeAWord.push(`${place}: ${type} '${shown}' has the scope ${scope}`);
  }
}
await client.stop();

const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
for (const line of wrong.slice(0, 40)) console.log(line);
for (const line of looksLikeAWord.slice(0, 20)) console.log(`note: ${line}`);
console.log(`${files} files, ${total} tokens compared (${Object.entries(counts).map(([type, count]) => `${type} ${count}`).join(", ")})`);
console.log(`${wrong.length} differ, ${looksLikeAWord.length} names look like words`);
const names = total - Object.keys(EXPECTED).reduce((sum, type) => sum + (counts[type] ?? 0), 0);
const enough = files >= 60 && ["comment", "keyword", "number"].every((type) => (counts[type] ?? 0) > 200) && names > 1000;
if (!enough) console.log("too few tokens were compared");
process.exitCode = wrong.length > 0 || looksLikeAWord.length * 100 > names || !enough ? 1 : 0;
