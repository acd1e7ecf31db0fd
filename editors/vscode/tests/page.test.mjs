// Pages of the server in a webview, and versions of the program.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { newNonce, policy, secured } = require("../src/page.js");
const { INSTALL, OLDEST, isNewEnough, versionIn } = require("../src/version.js");
const { readFileSync } = await import("node:fs");

test("each script of a page gets the nonce, and text inside scripts does not change", () => {
  const inside = 'const tag = "<script>"; if (a<b) { x = "<SCRIPT src=y>"; }';
  const page = `<!doctype html><html><head lang="en"><title>t</title></head><body><script type="application/json">{"a":"<script "}</script><SCRIPT>${inside}</SCRIPT></body></html>`;
  const safe = secured(page, "N");
  assert.equal(safe.split('nonce="N"').length - 1, 2);
  assert.ok(safe.includes(`<script nonce="N">${inside}</SCRIPT>`));
  assert.ok(safe.includes('<script nonce="N" type="application/json">{"a":"<script "}</script>'));
  assert.ok(safe.startsWith('<!doctype html><html><head lang="en"><meta http-equiv="Content-Security-Policy"'));
});

test("the policy allows nothing from outside", () => {
  const rules = policy("N").split("; ");
  assert.equal(rules[0], "default-src 'none'");
  assert.ok(!policy("N").includes("http") && !policy("N").includes("*") && !policy("N").includes("unsafe-eval"));
  assert.deepEqual(rules.filter((rule) => rule.startsWith("script-src")), ["script-src 'nonce-N'"]);
});

test("pages without a head, without an end and without scripts are made safe too", () => {
  for (const page of ["", "<p>text", "<script>a", "<header></header>", "<scripture>"]) {
    const safe = secured(page, "N");
    assert.ok(safe.indexOf("Content-Security-Policy") >= 0 && safe.indexOf("Content-Security-Policy") < safe.indexOf("<body>"), page);
  }
  assert.ok(!secured("<scripture>", "N").includes('nonce="N"'));
});

test("a page of megabytes takes a moment only", () => {
  const page = `<head></head>${"<script>x</script>".repeat(100_000)}`;
  const began = performance.now();
  secured(page, "N");
  assert.ok(performance.now() - began < 2000);
});

test("nonces differ and need no escapes", () => {
  const many = new Set(Array.from({ length: 1000 }, newNonce));
  assert.equal(many.size, 1000);
  for (const nonce of many) assert.match(nonce, /^[\w-]{24}$/);
});

test("versions are compared by their numbers", () => {
  assert.equal(versionIn("swarmcheck 0.10.2\n"), "0.10.2");
  assert.equal(versionIn("something 1.2.3"), undefined);
  assert.ok(isNewEnough("0.10.0", "0.9.9") && isNewEnough("0.1.0", "0.1.0") && isNewEnough("1.0.0", "0.9.0"));
  assert.ok(!isNewEnough("0.9.9", "0.10.0") && !isNewEnough("0.1.0", "0.1.1"));
  assert.ok(isNewEnough(OLDEST));
});

test("the command that installs the program is that of the README of the project", () => {
  assert.ok(readFileSync(new URL("../../../README.md", import.meta.url), "utf8").includes(`\`${INSTALL}\``));
});
