// The expressions of charts and breakpoints. Expected values are worked out by hand from the states below.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const entry = 'export * from "./expression"; export { Run } from "./state";';
const { outputFiles } = await build({
  stdin: { contents: entry, resolveDir: join(here, "../src/player"), loader: "ts" },
  bundle: true,
  write: false,
  format: "esm",
});
const file = join(mkdtempSync(join(tmpdir(), "swarmcheck-expression-")), "expression.mjs");
writeFileSync(file, outputFiles[0].text);
const { evaluate, ExpressionError, parseExpression, Run } = await import(pathToFileURL(file).href);

const step = (agent, kind, writes) => ({ agent, kind, rule: "action", what: "x", writes, pending: [] });
// Three birds at x = 1, 4, 7, one undefined weight; a cat; a floor of 2 × 2; two R-CHECK-like values with names.
const trace = {
  format: "swarmcheck-trace",
  version: 1,
  model: "m.labs",
  parameters: { grid: 5 },
  fair: false,
  semantics: "sliver",
  end: "open",
  initial: [
    { variable: "light", value: 2 },
    ...[10, 20, 30, 40].map((value, index) => ({ variable: "ph", index, value })),
    ...[1, 4, 7].map((value, agent) => ({ agent, variable: "x", value })),
    { agent: 0, variable: "weight", value: null },
    { agent: 1, variable: "weight", value: 3 },
    { agent: 2, variable: "weight", value: -2 },
    { agent: 3, variable: "x", value: 0 },
    { agent: 3, variable: "link", value: 3, name: "empty" },
    { agent: 0, variable: "mode", value: 1, name: "empty" },
  ],
  steps: [step(0, "Bird", [{ agent: 0, variable: "x", value: 6 }]), step(3, "Cat", [{ agent: 3, variable: "link", value: 1, name: "c" }, { variable: "ph", index: 3, value: 41 }])],
};
const agents = [0, 1, 2].map((agent) => ({ agent, kind: "Bird", name: `Bird ${agent}` }));
agents.push({ agent: 3, kind: "Cat", name: "tom" });
const run = new Run(trace, { format: "swarmcheck-picture", version: 1, agents });
const value = (text, at = 0) => evaluate(parseExpression(text), run.values(at));

const EXPECTED = [
  ["light", 2],
  ["light + 2 * 3", 8],
  ["(light + 2) * 3", 12],
  ["10 - 3 - 2", 5],
  ["-light", -2],
  ["- 3 + 5", 2],
  // docs/labs.md: / truncates toward zero, % is never negative, : rounds halves away from zero; by 0 all are undefined.
  ["7 / 2", 3], ["-7 / 2", -3], ["7 / -2", -3], ["7 / 0", null],
  ["7 % 2", 1], ["-7 % 2", 1], ["7 % -2", 1], ["7 % 0", null],
  ["7 : 2", 4], ["-7 : 2", -4], ["7 : -2", -4], ["7 : 0", null],
  ["x of Bird 0", 1],
  ["x of 1", 4],
  ["x of Agent 2", 7],
  ["x of tom", 0],
  ["x of Cat 3", 0],
  ["x of Cat", 0],
  ["id of Bird 2", 2],
  ["ph[0]", 10], ["ph[3]", 40], ["ph[light]", 30], ["ph[1, 0]", 30], ["ph[1][1]", 40], ["ph[4]", null], ["ph[0, 2]", null],
  ["_grid", 5], ["grid - 1", 4],
  ["count Bird a, x of a > 2", 2],
  ["count Bird a, true", 3],
  ["count Agent a, x of a >= 0", 4],
  ["sum Bird a, x of a", 12],
  ["max Bird a, x of a", 7],
  ["min Bird a, x of a", 1],
  ["max(x of Bird 0, light, -9)", 2],
  ["min(4, 3)", 3],
  ["abs(-4)", 4],
  // Undefined: left out of sums, equal only to itself, in no order.
  ["weight of Bird 0", null],
  ["weight of Bird 0 + 1", null],
  ["sum Bird a, weight of a", 1],
  ["min Bird a, weight of a", -2],
  ["weight of Bird 0 = undef", true],
  ["weight of Bird 1 = undef", false],
  ["weight of Bird 0 < 5", false],
  ["weight of Bird 0 >= 5", false],
  ["forall Bird a, x of a > 0", true],
  ["forall Bird a, x of a > 1", false],
  ["exists Bird a, x of a = 7", true],
  ["exists Bird a, x of a = 8", false],
  ["forall Bird a, exists Bird b, x of b = x of a + 3 or x of a = 7", true],
  ["forall Bird a, forall Bird b, x of a = x of b => a = b", true],
  ["1 = 1 and 2 = 3 or true", true],
  ["true or false and false", true],
  ["not 1 = 2", true],
  ["!(1 = 2) && 3 != 4", true],
  ["not true or true", true],
  ["false implies false implies false", true],
  ["if light = 2 then 10 else 20", 10],
  ["if light > 2 then 10 else 20", 20],
  ["1 <= 1", true], ["2 < 1", false], ["1 == 1", true],
  // Names of values belong to their variable: empty is 3 for the cat, and 1 for the bird.
  ["link of tom = empty", true],
  ["mode of Bird 0 = empty", true],
  ["empty != mode of Bird 0", false],
  ["mode of Bird 0 = c", false],
  // An agent of the quantifier without the variable has no value.
  ["count Agent a, link of a != undef", 1],
];

for (const [text, expected] of EXPECTED) {
  test(text, () => assert.equal(value(text), expected));
}

test("later states", () => {
  assert.equal(value("x of Bird 0", 1), 6);
  assert.equal(value("max Bird a, x of a", 1), 7);
  assert.equal(value("sum Bird a, x of a", 2), 17);
  assert.equal(value("link of tom = empty", 2), false);
  assert.equal(value("link of tom = c", 2), true);
  assert.equal(value("ph[1, 1]", 2), 41);
  assert.equal(value("ph[1, 1]", 1), 40);
});

// The position is that of the first character that cannot be right.
const MISTAKES = [
  ["", 0], ["1 +", 3], ["1 + * 2", 4], ["(1", 2], ["1)", 1], ["x of", 4], ["x of =", 5], ["count Bird , x", 11], ["count Bird a x of a", 13],
  ["1 = 2 = 3", 6], ["ph[1", 4], ["a # b", 2], ["if 1 then 2", 11], ["abs(1, 2)", 0], ["and", 0], ["1 2", 2],
  ["nothing", 0], ["x of Dog 1", 5], ["1 + x of Bird 9 + 1", 9], ["1 + height of tom", 4], ["forall Dog d, true", 0], ["ph", 0], ["light[0]", 0], ["true or nothing = 1", 8],
];

for (const [text, position] of MISTAKES) {
  test(`mistake: ${text}`, () => {
    assert.throws(() => value(text), (error) => error instanceof ExpressionError && error.position === position && error.message.length > 5);
  });
}

test("deep nesting is refused, not a crash", () => {
  for (const text of ["(".repeat(100000), "-".repeat(100000), "not ".repeat(100000), "1+".repeat(100000), "(".repeat(3000), "-".repeat(3000), "1 => ".repeat(1500)]) {
    assert.throws(() => value(text), (error) => error instanceof ExpressionError);
  }
});

test("every state can be reached from every other", () => {
  // 300 steps that each write one of three variables; values are known in closed form.
  const long = {
    ...trace,
    initial: [0, 1, 2].map((agent) => ({ agent, variable: "x", value: 0 })),
    steps: Array.from({ length: 300 }, (_, i) => step(i % 3, "Bird", [{ agent: i % 3, variable: "x", value: i + 1 }])),
  };
  const many = new Run(long);
  const expected = (k, agent) => Math.max(0, ...[k, k - 1, k - 2].filter((i) => i >= 1 && (i - 1) % 3 === agent));
  let at = 17;
  for (let i = 0; i < 2000; i += 1) {
    at = (at * 73 + 41) % 301;
    for (const agent of [0, 1, 2]) assert.equal(many.get(at, agent, "x"), expected(at, agent), `step ${at}`);
  }
});
