// The manifest and what it names: files, scopes, commands, settings, snippets.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import Module from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { LANGUAGES, root } from "./grammar.mjs";

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { contributes } = manifest;
const json = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
const sources = readdirSync(join(root, "src")).map((name) => readFileSync(join(root, "src", name), "utf8"));

test("every file that is named exists", () => {
  const paths = [
    manifest.icon,
    ...contributes.languages.flatMap(({ configuration, icon }) => [configuration, icon.light, icon.dark]),
    ...contributes.grammars.map(({ path }) => path),
    ...contributes.snippets.map(({ path }) => path),
    ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown)),
    "README.md",
    "CHANGELOG.md",
    "LICENSE.txt",
    "LICENSE-MIT",
    "LICENSE-APACHE",
  ];
  for (const path of paths) assert.ok(existsSync(join(root, path)), path);
  assert.equal(paths.length, 31);
  const licences = ["LICENSE-MIT", "LICENSE-APACHE"];
  for (const name of licences) assert.equal(readFileSync(join(root, name), "utf8"), readFileSync(join(root, "../..", name), "utf8"));
});

test("the icon is a picture of 128 by 128", () => {
  const icon = readFileSync(join(root, manifest.icon));
  assert.equal(icon.subarray(1, 4).toString(), "PNG");
  assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [128, 128]);
});

test("languages, grammars and snippets belong together", () => {
  assert.deepEqual(Object.fromEntries(contributes.languages.map(({ id, extensions }) => [extensions[0], id])), LANGUAGES);
  for (const { language, scopeName, path } of contributes.grammars) {
    const grammar = json(path);
    assert.equal(grammar.scopeName, scopeName);
    assert.equal(scopeName, `source.${language}`);
    assert.ok(LANGUAGES[`.${grammar.fileTypes[0]}`] === language);
    // Scopes end with the language, so that themes can tell the languages apart.
    const names = [...JSON.stringify(grammar).matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name).slice(1);
    for (const name of names) assert.ok(name.endsWith(`.${language}`), name);
    assert.ok(names.length > 20);
  }
  assert.deepEqual(contributes.snippets.map(({ language }) => language).sort(), Object.values(LANGUAGES).sort());
});

test("the rules of language configurations are regular expressions", () => {
  let rules = 0;
  for (const { configuration } of contributes.languages) {
    const { comments, indentationRules, onEnterRules, wordPattern } = json(configuration);
    assert.ok(comments.lineComment);
    for (const rule of [wordPattern, ...Object.values(indentationRules), ...onEnterRules.flatMap(({ beforeText, afterText }) => [beforeText, afterText ?? ""])]) {
      new RegExp(rule);
      rules += 1;
    }
  }
  assert.ok(rules >= 20);
  const { increaseIndentPattern } = json("./language/labs.json").indentationRules;
  const increases = (line) => new RegExp(increaseIndentPattern).test(line);
  assert.ok(increases("agent A {") && increases("  Behavior =") && increases("  ( # a remark"));
  assert.ok(!increases("# agent A {") && !increases("  x <= 1") && !increases("}"));
});

test("snippets have a prefix, a text and placeholders that are numbered", () => {
  let snippets = 0;
  for (const { path } of contributes.snippets) {
    for (const [name, { prefix, description, body }] of Object.entries(json(path))) {
      assert.ok(prefix && description && Array.isArray(body), name);
      snippets += 1;
    }
    assert.ok(json(path)["Complete model"], path);
  }
  assert.ok(snippets >= 15);
});

/** Where the extension's commands come from, other than from the extension: the server, by its language client. */
const SERVER = ["verify", "simulateToViolation", "showTrace", "showPlayer", "showAutomaton", "setParameters", "cancel"].map((name) => `swarmcheck.${name}`);

/** Stands in for the API of VS Code while the bundle is loaded: it only notes which commands are registered. */
function register() {
  const registered = [];
  const anything = () =>
    new Proxy(function () {}, {
      get: (_, name) => (name === Symbol.toPrimitive ? () => "" : name === "then" ? undefined : anything()),
      apply: () => anything(),
      construct: () => anything(),
    });
  const vscode = new Proxy(
    { commands: { registerCommand: (name) => registered.push(name) } },
    { get: (own, name) => own[name] ?? (name === "version" ? "1.82.0" : anything()) },
  );
  const load = Module._load;
  Module._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));
  try {
    require("../src/commands.js").register({});
  } finally {
    Module._load = load;
  }
  return registered;
}

test("the commands of the manifest are those that the code registers", () => {
  const declared = contributes.commands.map(({ command }) => command);
  const registered = register();
  assert.equal(new Set(registered).size, registered.length);
  assert.deepEqual([...declared, "swarmcheck.askParameters"].sort(), [...registered].sort());
  // The language client registers the commands of the server: a second registration would be an error.
  for (const name of SERVER) assert.ok(!registered.includes(name), name);
  const known = new Set([...declared, ...SERVER]);
  const used = [
    ...Object.values(contributes.menus).flatMap((entries) => entries.map(({ command }) => command)),
    ...contributes.keybindings.map(({ command }) => command),
    ...contributes.walkthroughs.flatMap(({ steps }) =>
      steps.flatMap(({ completionEvents }) => completionEvents.filter((event) => event.startsWith("onCommand:")).map((event) => event.slice(10))),
    ),
    ...[...JSON.stringify(contributes.walkthroughs).matchAll(/\(command:(swarmcheck\.\w+)/g)].map(([, name]) => name),
    ...sources.flatMap((text) => [...text.matchAll(/"(swarmcheck\.(?!player|running|path)[a-zA-Z]+)"/g)].map(([, name]) => name)),
  ];
  for (const name of used) assert.ok(known.has(name) || name === "swarmcheck.askParameters", name);
  assert.ok(used.length >= 30);
});

test("the steps of the walkthrough end with events that VS Code knows", () => {
  const events = contributes.walkthroughs.flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents));
  for (const event of events) assert.match(event, /^(?:onCommand|onContext|onLink|onView|onSettingChanged|onStepSelected|extensionInstalled)\b/);
  assert.ok(events.length >= 5);
});

test("the settings of the manifest are those that the code reads", () => {
  const declared = Object.keys(contributes.configuration.properties).map((name) => name.replace("swarmcheck.", ""));
  const server = sources.find((text) => text.includes("class Server"));
  const sent = JSON.parse(/const SETTINGS = (\[[^\]]*\])/.exec(server)[1]);
  // The path is read to start the program, and the language client reads `trace.server` by itself.
  assert.deepEqual([...sent, "path", "trace.server"].sort(), [...declared].sort());
  for (const { description, markdownDescription, default: value } of Object.values(contributes.configuration.properties)) {
    assert.ok(description || markdownDescription);
    assert.notEqual(value, undefined);
  }
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, ["swarmcheck.path"]);
});

test("the extension starts for its languages", () => {
  // From 1.74 on, VS Code activates an extension for the languages and commands that it contributes.
  const oldest = /(\d+)\.(\d+)/.exec(manifest.engines.vscode);
  assert.ok(Number(oldest[1]) > 1 || Number(oldest[2]) >= 74);
  for (const event of manifest.activationEvents) assert.match(event, /^workspaceContains:/);
});

test("the lockfile names no address of packages", () => {
  const { packages } = json("package-lock.json");
  const entries = Object.entries(packages).filter(([path]) => path !== "");
  for (const [path, { resolved, integrity, hasInstallScript }] of entries) {
    assert.ok(resolved === undefined || resolved.startsWith("https://registry.npmjs.org/"), path);
    assert.ok(integrity, path);
    // esbuild only: its script checks the program that its own package for the platform has brought along, and is not run.
    assert.ok(!hasInstallScript || path === "node_modules/esbuild", path);
  }
  assert.ok(entries.length > 100);
  assert.match(readFileSync(join(root, ".npmrc"), "utf8"), /^ignore-scripts=true$/m);
});
