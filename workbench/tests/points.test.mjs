// Ranges of parameters, their points, and the pictures of what was found there. Expected values are worked out by hand.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const { outputFiles } = await build({ entryPoints: [join(here, "../src/page/points.ts")], bundle: true, write: false, format: "esm" });
const file = join(mkdtempSync(join(tmpdir(), "swarmcheck-points-")), "points.mjs");
writeFileSync(file, outputFiles[0].text);
const { picture, points, range } = await import(pathToFileURL(file).href);

test("ranges include their ends, lists keep their order", () => {
  assert.deepEqual(range("n", "2..4"), [2, 3, 4]);
  assert.deepEqual(range("n", " 5, 1 ,3..4,-1"), [5, 1, 3, 4, -1]);
  assert.deepEqual(range("n", "7..7,7"), [7]);
  for (const [text, why] of [["", /missing/], ["1,,2", /missing/], ["3..2", /empty/], ["a", /no number/], ["1..2..3", /no number/], ["1.5", /no number/], ["0..99999", /more than/]]) assert.throws(() => range("n", text), why);
});

test("points are all combinations, the last parameter fastest", () => {
  assert.deepEqual(points([{ name: "a", values: [1, 2] }, { name: "b", values: [3, 4] }]), [[1, 3], [1, 4], [2, 3], [2, 4]]);
  assert.throws(() => points([{ name: "a", values: range("a", "1..50") }, { name: "b", values: range("b", "1..50") }]), /more than/);
});

test("what was found becomes a picture", () => {
  const ranges = [{ name: "a", values: [2, 1] }, { name: "b", values: [3, 4] }, { name: "c", values: [5, 6] }];
  const found = [
    { values: [2, 3, 5], value: 0.5, low: 0.4, high: 0.6, seconds: 1 },
    { values: [1, 3, 5], value: 0.2, low: null, high: 0.3, seconds: 1 },
    { values: [1, 4, 6], value: 0.9, low: 0.8, high: 1, seconds: 1 },
  ];
  // Only what is held at c = 5 is drawn.
  const curve = picture(ranges, found, { kind: "curve", x: 0, by: 1, held: new Map([[2, 5]]) }, "P(x)", []);
  assert.deepEqual(curve.series.map((line) => [line.name, line.points.map(({ x, y }) => [x, y])]), [["b = 3", [[2, 0.5], [1, 0.2]]]]);
  assert.deepEqual([curve.y.low, curve.y.high, curve.caption.title], [0, 1, "P(x), c = 5"]);
  const heat = picture(ranges, found, { kind: "heat", x: 0, by: 1, held: new Map([[2, 5]]) }, "P(x)", []);
  assert.deepEqual([heat.columns, heat.rows], [["1", "2"], ["3", "4"]]);
  assert.deepEqual(heat.cells.map(({ column, row, value }) => [column, row, value]), [[1, 0, 0.5], [0, 0, 0.2]]);
  const phase = picture(ranges, [{ values: [2, 3, 5], verdict: "holds", seconds: 0 }, { values: [1, 3, 5], seconds: 0 }], { kind: "phase", x: 0, by: null, held: new Map() }, "Safe", []);
  assert.deepEqual(phase.cells.map(({ column, row, verdict }) => [column, row, verdict]), [[1, 0, "holds"], [0, 0, "failed"]]);
});
