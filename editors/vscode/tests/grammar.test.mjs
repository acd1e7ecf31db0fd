// The grammars on all models of the project, and on places where a word is a keyword in one line and a name in the next.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { allModels, languageOf, project, root, tokens } from "./grammar.mjs";

/** Words that are keywords wherever they stand, by the pages of the languages in docs/. */
const RESERVED = {
  labs: "abs and else exists false forall id if max min not of or then true undef Skip Nil",
  rcheck: "F G X U R W TRUE FALSE true false rep forall exists GET SUPPLY SPEC LTL LTOL LTLSPEC enum",
  ccs: "proc nil tau",
  chor: "choreography skip",
};
const RESERVED_SETS = Object.fromEntries(Object.entries(RESERVED).map(([language, list]) => [language, new Set(list.split(" "))]));

const KEYWORD = /^(?:keyword|constant\.language|variable\.language|support)\b/;
const last = (scopes) => scopes[scopes.length - 1];

/**
 * The comments, numbers and reserved words of a line, found without the grammars. `open` says whether a comment of more than one line
 * has begun before. A word after `-` is a variable in R-CHECK (`lamp-on`), whatever it is called.
 */
function pieces(language, line, open) {
  const found = [];
  const rules = [
    ["comment", language === "rcheck" ? /(?:#|\/\/).*$/y : /#.*$/y],
    ["block", language === "rcheck" ? /\/\*/y : /(?!)/y],
    ["number", /[0-9]+(?:\.[0-9]+)?(?![A-Za-z0-9_])/y],
    ["word", /[A-Za-z0-9_]+/y],
    ["sign", /[^]/y],
  ];
  let at = 0;
  if (language === "ccs" && /^\s*\*/.test(line)) return { found: [["comment", line.search(/\*/), line.length]], open: false };
  while (at < line.length) {
    if (open) {
      const end = line.indexOf("*/", at);
      found.push(["comment", at, end < 0 ? line.length : end + 2]);
      if (end < 0) return { found, open };
      [at, open] = [end + 2, false];
      continue;
    }
    for (const [kind, rule] of rules) {
      rule.lastIndex = at;
      const match = rule.exec(line);
      if (!match) continue;
      const end = at + match[0].length;
      if (kind === "comment" || kind === "number") found.push([kind, at, end]);
      if (kind === "word" && RESERVED_SETS[language].has(match[0]) && line[at - 1] !== "-") found.push(["keyword", at, end]);
      if (kind === "block") {
        found.push(["comment", at, end]);
        open = true;
      }
      at = end;
      break;
    }
  }
  return { found, open };
}

const SCOPES = { comment: /^comment\b/, number: /^constant\.numeric\b/, keyword: KEYWORD };

test("every comment, number and reserved word of the models has its scope", async () => {
  const counts = { files: 0, comment: 0, number: 0, keyword: 0 };
  const languages = new Set();
  const wrong = [];
  for (const path of allModels()) {
    const language = languageOf(path);
    const text = readFileSync(path, "utf8");
    const lines = text.split(/\r?\n/);
    const scoped = lines.map(() => []);
    for (const [line, start, length, scopes] of await tokens(language, text)) {
      if (scopes.some((scope) => scope.startsWith("invalid"))) wrong.push(`${path}:${line + 1}: invalid`);
      scoped[line].push([start, start + length, last(scopes)]);
    }
    let open = false;
    lines.forEach((line, number) => {
      const read = pieces(language, line, open);
      open = read.open;
      const comments = read.found.filter(([kind]) => kind === "comment");
      for (const [kind, start, end] of read.found) {
        const middle = Math.floor((start + end - 1) / 2);
        for (const at of [start, middle, end - 1]) {
          if (/\s/.test(line[at])) continue;
          const scope = scoped[number].find(([from, to]) => from <= at && at < to)?.[2] ?? "nothing";
          if (!SCOPES[kind].test(scope)) wrong.push(`${relative(project, path)}:${number + 1}:${at + 1}: ${kind} has the scope ${scope}`);
        }
        counts[kind] += 1;
      }
      // Nothing else is a comment.
      for (const [start, , scope] of scoped[number]) {
        if (scope.startsWith("comment") && !comments.some(([, from, to]) => from <= start && start < to)) {
          wrong.push(`${relative(project, path)}:${number + 1}:${start + 1}: no comment, but ${scope}`);
        }
      }
    });
    counts.files += 1;
    languages.add(language);
  }
  console.log(`${counts.files} files: ${counts.comment} comments, ${counts.number} numbers, ${counts.keyword} reserved words`);
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.equal(languages.size, 4);
  assert.ok(counts.files >= 60, "too few files");
  assert.ok(counts.comment >= 200 && counts.number >= 800 && counts.keyword >= 900, "too few pieces");
});

/** The scopes that a word of a text gets, one for each time it occurs. */
async function scopesOf(language, text, word) {
  const lines = text.split("\n");
  return (await tokens(language, text)).filter(([line, start, length]) => lines[line].slice(start, start + length) === word).map(([, , , scopes]) => last(scopes));
}

/** `K` stands for a keyword of any sort, `N` for a name, `O` for an operator. */
const kind = (scope) => (/^keyword\.operator\.(?!word)/.test(scope) ? "O" : KEYWORD.test(scope) ? "K" : /^(?:entity|variable)/.test(scope) ? "N" : scope);

const PLACES = [
  // [language, text, word, what it is each time]
  ["labs", "system {\n  spawn = A: 1\n}", "spawn", "K"],
  ["labs", "agent A {\n  interface = spawn: 0\n  Behavior = spawn > 0 -> spawn <- 1\n}", "spawn", "NNN"],
  ["labs", "agent Link {\n  interface = link: 0\n}\nstigmergy S {\n  link = link of 1 = link of 2\n}", "link", "NKNN"],
  ["labs", "check {\n  P = always forall A a, always of a = 1\n}", "always", "KN"],
  ["labs", "check {\n  P = ltl G (next of a = 1 and next delivered)\n}", "next", "NK"],
  ["labs", "check {\n  P = ltl forall G a, G (a can act -> F a acts)\n}", "G", "NK"],
  ["labs", "check {\n  P = ltl forall G a, G (a can act -> F a acts)\n}", "acts", "K"],
  ["labs", "check {\n  P = ltl [] <> exists A a, x of a = 1\n}", "<>", "O"],
  ["labs", "check {\n  P = between x = 1 and x = 2, always x = 1\n}", "between", "K"],
  ["labs", "check {\n  P =\n    from x = 1 until x = 2, always\n    from of a = from of b\n}", "from", "KNN"],
  ["labs", "agent A {\n  Behavior = p := pick 2 B where x of 1 = x of 2; where <- 3\n}", "where", "KN"],
  ["labs", "agent A {\n  interface = count: 0\n  Behavior = count > count B b, x of b = 1 -> Skip\n}", "count", "NNK"],
  ["labs", "view {\n  show Bird at x, y label label\n}", "label", "KN"],
  ["labs", "agent A {\n  rate = 2.5\n  Behavior = x <- 1 @ 2.5; rate <- 1\n}", "rate", "KN"],
  ["labs", "agent A {\n  Behavior = Move; Behavior\n  Move = Skip\n}", "Move", "NN"],
  ["rcheck", "agent A\n  local: local : bool\n  init: local", "local", "KNN"],
  ["rcheck", "agent A\n  local: on : bool\n  repeat: go: {on} *! (TRUE)()[on := FALSE]", "go", "N"],
  ["rcheck", "SPEC Name: G (lamp-G -> X lamp-on)", "G", "KN"],
  ["rcheck", "SPEC Name: G lamp-on\n/* G\n G */\nSPEC F lamp-on", "SPEC", "KK"],
  ["rcheck", "message-structure: M : channel", "message-structure", "K"],
  ["ccs", "proc P = a.P\nset S = {a}\nsystem = P \\ S\ncheck {\n  N = never a\n}", "never", "K"],
  ["ccs", "check {\n  N = ltl <> next\n  M = ltl next a\n}", "next", "NK"],
  ["ccs", "proc P = never.P", "never", "N"],
  ["chor", "choreography C = skip; skip@p", "skip", "KN"],
  ["chor", "check {\n  N = order[a,b] precedes until@a\n}", "until", "N"],
];

test("a word of its place is a keyword there and a name elsewhere", async () => {
  for (const [language, text, word, expected] of PLACES) {
    const found = (await scopesOf(language, text, word)).map(kind).join("");
    assert.equal(found, expected, `${word} in\n${text}`);
  }
  assert.equal(PLACES.length, 25);
});

test("a comment ends where it ends", async () => {
  const asterisk = await tokens("ccs", "* a remark\nproc P = a.P");
  assert.match(last(asterisk[0][3]), /^comment/);
  assert.match(last(asterisk[1][3]), /^keyword/);
  const after = (await tokens("labs", "check { # agent\n}\nagent A { }")).filter(([line]) => line === 2);
  assert.match(last(after[0][3]), /^keyword\.declaration/);
});

test("the grammars are what the tool writes", () => {
  execFileSync(process.execPath, [join(root, "tools/grammars.mjs"), "--check"]);
});
