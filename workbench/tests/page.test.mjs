// The page in a real browser, against the real program: SWARMCHECK_BIN is its path, SWARMCHECK_ASSETS a folder
// with another page, for debug builds. One browser and one server serve all tests.
//
// Expected verdicts are those of examples/*/swarmcheck.toml, which name their sources, or follow from an argument beside the model.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const BIN = process.env.SWARMCHECK_BIN ?? join(root, "target/debug/swarmcheck");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
let server;
let browser;
let address;

before(async () => {
  server = spawn(BIN, ["web", "--no-open", ...(process.env.SWARMCHECK_ASSETS ? ["--assets", process.env.SWARMCHECK_ASSETS] : [])], { stdio: ["ignore", "pipe", "ignore"] });
  address = await new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (data) => {
      said += data;
      const found = /http:\/\/\S+#token=\S+/.exec(said);
      if (found) resolve(new URL(found[0]));
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
});

after(async () => {
  await browser?.close();
  server?.kill();
});

/** A page of its own. It fails the test if anything is complained about or asked elsewhere. */
async function withPage(options, work) {
  const { url = address.href, width = 1280, height = 800, dark = false, complaints = [] } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const wrong = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error.stack)));
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (to.origin !== address.origin && !["data:", "blob:"].includes(to.protocol)) wrong.push(`a request to ${request.url()}`);
  });
  try {
    await page.goto(url);
    await work(page);
    assert.deepEqual(wrong.filter((text) => !complaints.some((known) => text.includes(known))), []);
  } finally {
    await context.close();
  }
}

/** Opens a file as a person would; `checked` waits for the list of problems. */
async function open(page, name, text) {
  await page.setInputFiles("[data-open-file]", { name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.waitForFunction((wanted) => document.querySelector('.file-on [role="tab"]')?.textContent === wanted, name);
}

const fine = (page) => page.waitForSelector('.problems-line[data-state="fine"], .problems-line[data-state="warning"]');
const decided = (page) => page.waitForSelector('[data-act="verify"]:visible');
const verdict = (page, name) => page.getAttribute(`.row[data-property="${name}"]`, "data-verdict");
/** Waits for the pictures of what has this title: what was there before may still play when the title has changed. */
const shown = (page, title) => page.waitForSelector(`.stage-body[data-shown="${title}"]`);
const title = (page) => page.textContent(".stage-title");
const step = async (page) => Number(/step (\d+)/.exec(await page.textContent(".stage-body .sc-count"))?.[1]);
/** Replaces the text by typing over it. */
async function write(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}
async function set(page, name, value) {
  await page.fill(`[data-parameter="${name}"]`, String(value));
}
const text = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem("swarmcheck-files")));

test("the first minute: the flock runs, is verified, and its counterexample plays", async () => {
  await withPage({}, async (page) => {
    await page.waitForSelector('[data-view="grid"] .sc-agent');
    assert.equal(await page.locator('[data-view="grid"] .sc-agent').count(), 3);
    const from = await step(page);
    await page.waitForFunction((before) => Number(/step (\d+)/.exec(document.querySelector(".sc-count")?.textContent ?? "")?.[1]) > before + 1, from);
    // Two birds on a torus of 2 x 2, decided at once; verdicts of examples/flock/swarmcheck.toml.
    for (const [name, value] of [["birds", 2], ["grid", 2], ["delta", 2]]) await set(page, name, value);
    await page.click('[data-act="verify"]');
    await decided(page);
    assert.equal(await verdict(page, "Consensus"), "violated");
    assert.equal(await verdict(page, "ConsensusAgain"), "holds");
    assert.equal(await verdict(page, "OnTheGrid"), "holds");
    assert.match(await page.textContent('.row[data-property="Consensus"] .badge'), /violated/);
    await page.click('.row[data-property="Consensus"] [data-act="trace"]');
    await shown(page, "Counterexample of Consensus");
    await page.waitForSelector('.stage-body [data-view="grid"] .sc-agent');
    assert.equal(await page.locator('[data-view="grid"] .sc-agent').count(), 2);
  });
});

/** A model with a mistake, the word that mends it, the error, and the property that is violated. */
const LANGUAGES = [
  {
    // The counter stops at _most, which is 2: so n < 2 is violated, after two steps of one counter.
    name: "count.labs",
    code: "E0105",
    wrong: "_msot",
    right: "_most",
    violated: "Below",
    holds: "Bounded",
    text: `system {
  extern = _most: 2
  spawn = Counter: 2
}
agent Counter {
  interface = n: 0
  Behavior = n < _msot -> n <- n + 1; Behavior
}
check {
  Bounded = always forall Counter c, n of c <= _most
  Below = always forall Counter c, n of c < 2
}
`,
  },
  {
    // Offers fall from 7 by one. Ann bids 5 and is served at 5; then bob, who bids 3, at 3: so he does not stay without.
    name: "shop.rcp",
    code: "E2101",
    wrong: "pirce",
    right: "price",
    violated: "BobStaysWithout",
    holds: "AnnBuys",
    text: `message-structure: MSG : 0..9
property-variables: buys : bool
agent Seller
  local: price : 0..9
  init: price = 7
  relabel: buys <- FALSE
  repeat: offer: <price > 0> *! (@buys)(MSG := price)[price := pirce - 1]
agent Buyer
  local: bid : 0..9, paid : 0..9
  init: paid = 0
  relabel: buys <- paid = 0
  repeat: take: <MSG <= bid> *? [paid := MSG]
system = Seller(shop, TRUE) || Buyer(ann, bid = 5) || Buyer(bob, bid = 3)
SPEC AnnBuys: F (ann-paid != 0)
SPEC BobStaysWithout: G (bob-paid = 0)
`,
  },
  {
    // coffee is not restricted, so whoever is outside may take it after a coin.
    name: "machine.ccs",
    code: "E1101",
    wrong: "Guets",
    right: "Guest",
    violated: "NoCoffee",
    holds: "TeaAgain",
    text: `proc Machine = coin.(tea.Machine + coffee.Machine)
proc Guest = 'coin.'tea.Guets
system = (Machine | Guest) \\ {coin}
check {
  TeaAgain = fairly_inf tea
  NoCoffee = always not coffee
}
`,
  },
  {
    // The question comes first, so the answer does not precede it.
    name: "talk.chor",
    code: "E1103",
    wrong: "sevrer",
    right: "server",
    violated: "AnsweredFirst",
    holds: "AskedFirst",
    text: `choreography Talk = ask[client,server]; work@server; answer[server,client]
check {
  AskedFirst = ask[client,sevrer] precedes answer[server,client]
  AnsweredFirst = answer[server,client] precedes ask[client,server]
}
`,
  },
];

for (const language of LANGUAGES) {
  test(`${language.name}: mistake, mark, mending, verdicts, counterexample, download`, async () => {
    await withPage({}, async (page) => {
      await open(page, language.name, language.text);
      await page.waitForSelector(`.problem[data-code="${language.code}"]`);
      await page.waitForSelector(".cm-lintRange-error");
      assert.equal(await page.textContent(".cm-lintRange-error"), language.wrong === "sevrer" ? "ask[client,sevrer]" : language.wrong);
      // The list goes to the place.
      await page.click(`.problem[data-code="${language.code}"] .problem-main`);
      assert.ok(await page.evaluate(() => document.activeElement?.classList.contains("cm-content")));
      await write(page, language.text.replace(language.wrong, language.right));
      await fine(page);
      assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
      await page.click('[data-act="verify"]');
      await decided(page);
      assert.equal(await verdict(page, language.violated), "violated");
      assert.equal(await verdict(page, language.holds), "holds");
      assert.ok((await page.textContent(`.row[data-property="${language.violated}"] .evidence`)).length > 10);
      await page.click(`.row[data-property="${language.violated}"] [data-act="trace"]`);
      await shown(page, `Counterexample of ${language.violated}`);
      await page.waitForSelector('.stage-body [data-view="chart"]');
      // Step, back, play: the slider's keys are those of every slider.
      await page.focus(".stage-body .sc-slider");
      await page.keyboard.press("Home");
      assert.equal(await step(page), 0);
      await page.keyboard.press("ArrowRight");
      assert.equal(await step(page), 1);
      await page.keyboard.press("ArrowLeft");
      assert.equal(await step(page), 0);
      await page.click(".stage-body .sc-play");
      await page.waitForFunction(() => /step [1-9]/.test(document.querySelector(".stage-body .sc-count")?.textContent ?? ""));
      // The trace that is saved is the one of the property, and the model can be saved as it is.
      await page.click(".stage-actions summary");
      const [trace] = await Promise.all([page.waitForEvent("download"), page.click('[data-format="json"]')]);
      const saved = JSON.parse(readFileSync(await trace.path(), "utf8"));
      assert.equal(saved.format, "swarmcheck-trace");
      assert.equal(saved.property, language.violated);
      await page.click('[data-act="download"]');
      const [model] = await Promise.all([page.waitForEvent("download"), page.click('[data-act="download-model"]')]);
      assert.equal(model.suggestedFilename(), language.name);
      assert.equal(readFileSync(await model.path(), "utf8"), language.text.replace(language.wrong, language.right));
    });
  });
}

test("a fix of a misspelt name is one click", async () => {
  await withPage({}, async (page) => {
    await open(page, "count.labs", LANGUAGES[0].text);
    await page.waitForSelector('.problem[data-code="E0105"]');
    await page.click('.problem[data-code="E0105"] button.small');
    await fine(page);
    assert.match(await page.textContent(".cm-content"), /n < _most/);
  });
});

test("a guard with two readings has a fix for each", async () => {
  const text = "system { spawn = A: 1 }\nagent A {\n  interface = x: 0\n  Behavior = x = 0 -> x <- 1 ++ x <- 2\n}\ncheck { P = always forall A a, x of a < 3 }\n";
  await withPage({}, async (page) => {
    await open(page, "guard.labs", text);
    await page.waitForSelector('.problem[data-code="W0501"]');
    const fixes = page.locator('.problem[data-code="W0501"] button.small');
    assert.equal(await fixes.count(), 2);
    await fixes.nth(1).click();
    await fine(page);
    assert.match(await page.textContent(".cm-content"), /\(x = 0 -> x <- 1\) \+\+ x <- 2/);
  });
});

test("a long search shows its progress and is cancelled", async () => {
  await withPage({}, async (page) => {
    await page.waitForSelector('[data-parameter="birds"]');
    for (const [name, value] of [["birds", 4], ["grid", 9], ["delta", 3]]) await set(page, name, value);
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction(() => /states/.test(document.querySelector(".row-progress")?.textContent ?? ""));
    const began = Date.now();
    await page.click('[data-act="cancel"]');
    await decided(page);
    assert.ok(Date.now() - began < 2000, "cancelling took too long");
    assert.match(await page.textContent(".panel .status"), /Cancelled/);
  });
});

test("everything with the keyboard alone", async () => {
  await withPage({}, async (page) => {
    await page.waitForSelector('[data-parameter="birds"]');
    /** Walks with Tab until something is focused. */
    const reach = async (selector, key = "Tab") => {
      for (let i = 0; i < 80; i += 1) {
        if (await page.evaluate((wanted) => Boolean(document.activeElement?.matches(wanted)), selector)) return;
        await page.keyboard.press(key);
      }
      assert.fail(`Tab does not reach ${selector}`);
    };
    for (const name of ["birds", "grid", "delta"]) {
      await reach(`[data-parameter="${name}"]`);
      await page.keyboard.press("Control+a");
      await page.keyboard.type("2");
    }
    await page.keyboard.press("Control+Enter");
    await decided(page);
    await reach('.row[data-property="Consensus"] [data-act="trace"]');
    await page.keyboard.press("Enter");
    await shown(page, "Counterexample of Consensus");
    await reach(".stage-body .sc-slider");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await step(page), 1);
    // Tabs with arrows; then the interpreter.
    await reach("#tab-verify", "Shift+Tab");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.getAttribute("#tab-run", "aria-selected"), "true");
    await reach('[data-act="start"]');
    await page.keyboard.press("Enter");
    await page.waitForSelector(".choice");
    await reach(".choices");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /step 1/.test(document.querySelector(".run-during .status")?.textContent ?? ""));
    await page.keyboard.press("Backspace");
    await page.waitForFunction(() => /step 0/.test(document.querySelector(".run-during .status")?.textContent ?? ""));
    // Dialogs open with Enter, close with Esc, and give the focus back.
    await reach('[data-act="gallery"]', "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open] .card");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.ok(await page.evaluate(() => document.activeElement?.matches('[data-act="gallery"]')));
  });
});

test("the interpreter: initial states, random steps, breakpoint, what if, compare, save", async () => {
  await withPage({}, async (page) => {
    await open(page, "count.labs", LANGUAGES[0].text.replace("_msot", "_most"));
    await fine(page);
    const at = (n) => page.waitForFunction((wanted) => document.querySelector(".run-during .status")?.textContent?.startsWith(`step ${wanted}`), n);
    await page.click("#tab-run");
    await page.click('[data-act="starts"]');
    await page.waitForSelector(".start");
    assert.equal(await page.locator(".start").count(), 1);
    await page.click('[data-act="start"]');
    await at(0);
    // Both counters can act, and nobody else.
    assert.equal(await page.locator(".choice").count(), 2);
    assert.equal(await page.locator(".choice-group").count(), 2);
    await page.fill('[data-run="search"]', "Counter 1");
    assert.equal(await page.locator(".choice").count(), 1);
    await page.click(".choice");
    await at(1);
    await page.fill('[data-run="search"]', "");
    await page.click('[data-act="back"]');
    await at(0);
    // Four steps are all there are: each counter makes two. A breakpoint stops before.
    await page.fill('[data-run="until"]', "exists Counter c, n of c = 2");
    await page.fill('[data-run="many"]', "10");
    await page.click('[data-act="random"]');
    await page.waitForFunction(() => /step [23]/.test(document.querySelector(".run-during .status")?.textContent ?? ""));
    await page.fill('[data-run="until"]', "");
    await page.click('[data-act="random"]');
    await at(4);
    assert.equal(await page.locator(".choice").count(), 0);
    const [file] = await Promise.all([page.waitForEvent("download"), page.click('[data-act="save"]')]);
    const saved = JSON.parse(readFileSync(await file.path(), "utf8"));
    assert.equal(saved.steps.length, 4);
    await page.waitForSelector('.stage-actions [data-act="compare"]');
    await page.click('[data-act="compare"]');
    await page.fill('[data-run="jump"]', "1");
    await page.press('[data-run="jump"]', "Enter");
    await at(1);
    await page.click('[data-act="compare"]');
    await page.waitForSelector("dialog[open] .compare-side");
    assert.equal(await page.locator(".compare-side").count(), 2);
    await page.click('[data-act="difference"]');
    assert.match(await page.textContent(".compare-step"), /step 2/);
    await page.keyboard.press("Escape");
    await page.click('[data-act="reset"]');
    await page.waitForSelector('[data-act="start"]:visible');
  });
});

test("the figures of the R-CHECK article", async () => {
  const resources = readFileSync(join(root, "examples/rcheck-resources/resources.rcp"), "utf8");
  await withPage({}, async (page) => {
    // Figure 7: the editor above, the automata of all agents.
    await open(page, "resources.rcp", resources);
    await fine(page);
    await page.click("#tab-automata");
    await page.waitForSelector(".automaton svg");
    const names = await page.locator(".automaton figcaption").allTextContents();
    for (const kind of ["Client", "Manager", "Machine"]) assert.ok(names.some((name) => name.includes(kind)), `${kind} is missing in ${names}`);
    // Figure 8a: the outcome of the model checker. The article: Mission holds, AllMachinesConnect is violated.
    await page.click("#tab-verify");
    await page.click('[data-act="verify"]');
    await page.waitForSelector('.row[data-property="AllMachinesConnect"][data-verdict="violated"]', { timeout: 60_000 });
    await page.waitForSelector('.row[data-property="Mission"][data-verdict="holds"]', { timeout: 60_000 });
    if (await page.locator('[data-act="cancel"]:visible').count()) await page.click('[data-act="cancel"]').catch(() => {});
    // Figure 8b: the counterexample in the interpreter. After the manager's request machine1 and machine2 are connected to
    // the link c, and machine3 is not.
    await page.click('.row[data-property="AllMachinesConnect"] [data-act="load"]');
    await page.waitForFunction(() => /along a trace/.test(document.querySelector(".run-during .status")?.textContent ?? ""));
    const steps = Number(/trace of (\d+)/.exec(await page.textContent(".run-during .status"))[1]);
    for (let i = 1; i <= steps; i += 1) {
      await page.click('[data-act="next"]');
      await page.waitForFunction((n) => document.querySelector(".run-during .status")?.textContent?.startsWith(`step ${n}`), i);
    }
    await page.waitForFunction((n) => new RegExp(`step ${n} of`).test(document.querySelector(".stage-body .sc-count")?.textContent ?? ""), steps);
    if ((await page.locator('.stage-body [data-view="table"]').count()) === 0) await page.click('.stage-body .sc-tab[data-pane="table"]');
    const link = (agent) => page.textContent(`.stage-body td[data-agent="${agent}"][data-variable="cLink"]`);
    assert.deepEqual([await link(4), await link(5), await link(6)].map((text) => text.split("→").pop().trim()), ["c", "c", "empty"]);
    await page.click('[data-act="back"]');
    await page.waitForFunction((n) => document.querySelector(".run-during .status")?.textContent?.startsWith(`step ${n}`), steps - 1);
  });
});

test("below 900 pixels the panes are tabs", async () => {
  await withPage({ width: 800, height: 700 }, async (page) => {
    await page.waitForSelector(".cm-content");
    assert.ok(await page.isVisible(".pane-editor"));
    assert.ok(!(await page.isVisible(".pane-results")));
    await page.click("#tab-results");
    assert.ok(await page.isVisible(".pane-results"));
    assert.ok(!(await page.isVisible(".pane-editor")));
    for (const [name, value] of [["birds", 2], ["grid", 2], ["delta", 2]]) await set(page, name, value);
    await page.click('[data-act="verify"]');
    await decided(page);
    await page.click('.row[data-property="Consensus"] [data-act="trace"]');
    await page.waitForSelector(".pane-stage:visible .sc-agent");
    // Nothing is wider than the window.
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
});

test("dark mode follows the system, and can be changed", async () => {
  const brightness = (page) =>
    page.evaluate(() => {
      const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
      return (r + g + b) / 3;
    });
  await withPage({ dark: true }, async (page) => {
    await page.waitForSelector(".cm-content");
    assert.ok((await brightness(page)) < 80);
    await page.click('[data-act="theme"]');
    assert.ok((await brightness(page)) > 200);
    await page.reload();
    await page.waitForSelector(".cm-content");
    assert.ok((await brightness(page)) > 200);
  });
});

test("a link holds the model and its settings, and no token", async () => {
  await withPage({}, async (page) => {
    const model = `# Grüße: ü takes two bytes\n${LANGUAGES[0].text.replace("_msot", "_most")}`;
    await open(page, "count.labs", model);
    await fine(page);
    await set(page, "most", 4);
    await page.check('[data-option="fair"]');
    await page.click('[data-act="share"]');
    const link = await page.inputValue('[data-share="link"]');
    assert.ok(!link.includes(address.hash.slice(7)));
    assert.match(link, /#model=[\w-]+$/);
    // Somebody else's workbench: the link is pasted there.
    await withPage({}, async (other) => {
      await other.waitForSelector('[data-parameter="birds"]');
      await other.click('[data-act="share"]');
      await other.fill('[data-share="paste"]', link);
      await other.click('[data-act="open-link"]');
      await other.waitForSelector('[data-parameter="most"]');
      assert.equal(await other.inputValue('[data-parameter="most"]'), "4");
      assert.ok(await other.isChecked('[data-option="fair"]'));
      await other.waitForTimeout(300);
      const kept = await text(other);
      assert.equal(kept.files[kept.at].text, model);
    });
  });
});

test("a link that is opened without a token keeps its model until the token is there", async () => {
  const model = LANGUAGES[0].text.replace("_msot", "_most");
  let link;
  await withPage({}, async (page) => {
    await open(page, "count.labs", model);
    await fine(page);
    await page.click('[data-act="share"]');
    link = await page.inputValue('[data-share="link"]');
  });
  const opened = async (page) => {
    await page.waitForSelector('[data-parameter="most"]');
    assert.equal(await page.textContent('.file-on [role="tab"]'), "count.labs");
    // It is opened once, not again with every reload.
    await page.reload();
    await fine(page);
    assert.deepEqual((await text(page)).files.filter((file) => file.name === "count.labs").length, 1);
  };
  await withPage({ url: link }, async (page) => {
    await page.waitForSelector('[data-waiting="link"]');
    await page.fill("[data-token]", address.href);
    await page.press("[data-token]", "Enter");
    await opened(page);
  });
  // The address is put into the address bar of the same tab.
  await withPage({ url: link }, async (page) => {
    await page.waitForSelector('[data-waiting="link"]');
    await page.goto(address.href);
    await opened(page);
  });
});

test("a loaded counterexample is shown as a whole, and a run that leaves it says so", async () => {
  await withPage({}, async (page) => {
    await open(page, "count.labs", LANGUAGES[0].text.replace("_msot", "_most"));
    await fine(page);
    await page.click('[data-act="verify"]');
    await decided(page);
    await page.click('.row[data-property="Below"] [data-act="load"]');
    // The shortest way to n = 2 has two steps, both of one counter.
    await page.waitForFunction(() => /step 0 of 2/.test(document.querySelector(".stage-body .sc-count")?.textContent ?? ""));
    assert.equal(await title(page), "Counterexample of Below");
    assert.doesNotMatch(await page.textContent(".stage-body"), /Nothing happens/);
    assert.equal(await page.locator(".choice-ahead").count(), 1);
    const agent = await page.getAttribute(".choice-ahead", "data-agent");
    await page.click(`.choice:not([data-agent="${agent}"])`);
    await shown(page, "Your run, from the counterexample of Below");
    await page.waitForFunction(() => /step 1 of 1/.test(document.querySelector(".stage-body .sc-count")?.textContent ?? ""));
    assert.equal(await page.locator(".choice-ahead").count(), 0);
  });
});

test("a mended model has its list of properties again", async () => {
  await withPage({}, async (page) => {
    await open(page, "count.labs", LANGUAGES[0].text);
    await page.waitForSelector(".problem");
    await page.click('[data-act="verify"]');
    await page.waitForFunction(() => /The model has errors/.test(document.querySelector("#panel-verify .status")?.textContent ?? ""));
    // It is said once to those who see it; another element says it aloud.
    assert.equal(await page.locator("#panel-verify p:not(.unseen)", { hasText: "The model has errors" }).count(), 1);
    await write(page, LANGUAGES[0].text.replace("_msot", "_most"));
    await fine(page);
    await page.waitForSelector('.row[data-property="Below"]');
    assert.doesNotMatch(await page.textContent("#panel-verify"), /The model has errors/);
  });
});

test("each file keeps its verdicts and its counterexample", async () => {
  await withPage({}, async (page) => {
    await open(page, "count.labs", LANGUAGES[0].text.replace("_msot", "_most"));
    await fine(page);
    await page.click('[data-act="verify"]');
    await decided(page);
    await page.click('.row[data-property="Below"] [data-act="trace"]');
    await shown(page, "Counterexample of Below");
    await page.waitForSelector(".stage-body .sc-slider");
    await page.focus(".stage-body .sc-slider");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    const tab = (name) => page.click(`.file [role="tab"]:text-is("${name}")`);
    await tab("flock.labs");
    await shown(page, "Random run");
    assert.equal(await page.locator('.row[data-property="Below"]').count(), 0);
    await tab("count.labs");
    assert.equal(await verdict(page, "Below"), "violated");
    assert.equal(await verdict(page, "Bounded"), "holds");
    await shown(page, "Counterexample of Below");
    await page.waitForFunction(() => /step 1/.test(document.querySelector(".stage-body .sc-count")?.textContent ?? ""));
    // Another value of a parameter is another model: in its file, nothing is decided yet.
    await tab("flock.labs");
    await tab("count.labs");
    await set(page, "most", 1);
    await page.waitForSelector(".rows.old");
    await tab("flock.labs");
    await tab("count.labs");
    await page.waitForSelector('.row[data-property="Below"][data-verdict="none"]');
  });
});

test("a link that holds nonsense is refused", async () => {
  await withPage({ url: `${address.href}&model=AAAA` }, async (page) => {
    await page.waitForSelector(".toast-bad");
    assert.equal(await page.textContent('.file-on [role="tab"]'), "flock.labs");
  });
});

test("without a token the page says where it is", async () => {
  await withPage({ url: `${address.origin}/` }, async (page) => {
    await page.waitForSelector(".welcome");
    await page.fill("[data-token]", address.href);
    await page.press("[data-token]", "Enter");
    await page.waitForSelector(".cm-content");
    assert.ok(!page.url().includes("token"), "the token stays in the address bar");
  });
  // The browser itself reports the refused request.
  await withPage({ url: `${address.origin}/#token=${"0".repeat(48)}`, complaints: ["403"] }, async (page) => {
    await page.waitForSelector(".welcome");
    assert.match(await page.textContent(".welcome"), /not the one/);
  });
});

test("markup in names and models stays text", async () => {
  await withPage({}, async (page) => {
    const name = '<img src=x onerror="alert(1)">.labs';
    await open(page, name, 'system { spawn = A: 1 }\nagent A { interface = x: 0 Behavior = <script>alert(1)</script> }\n# "><img src=x onerror=alert(2)>\n');
    await page.waitForSelector(".problem");
    assert.equal(await page.textContent('.file-on [role="tab"]'), name);
    await page.click('[data-act="verify"]');
    await decided(page);
    await page.click('[data-act="share"]');
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("img:not(.card-picture), #app script").count(), 0);
  });
});

test("a reload loses nothing", async () => {
  await withPage({}, async (page) => {
    await page.waitForSelector(".cm-content");
    await write(page, "# mine\n");
    await page.waitForSelector(".problem");
    await page.reload();
    await page.waitForSelector(".cm-content");
    assert.match(await page.textContent(".cm-content"), /# mine/);
  });
});

test("examples open from the gallery, and charts overlay several runs", async () => {
  await withPage({}, async (page) => {
    await page.click('[data-act="gallery"]');
    await page.waitForSelector("[data-example]");
    assert.ok((await page.locator("[data-example]").count()) >= 20);
    await page.click('[data-example="voter"]');
    await fine(page);
    await shown(page, "Random run");
    await page.click("#tab-charts");
    await page.fill('[data-chart="expression"]', "1 + 1");
    await page.click('[data-act="draw"]');
    await page.waitForSelector('.plot-line[data-expression="1 + 1"]', { state: "attached" });
    assert.equal(await page.locator(".plot-line").count(), 8);
    // The value of 1 + 1 is 2 in every state of every run.
    const values = await page.locator(".plot-line").first().getAttribute("data-values");
    assert.ok(values.split(" ").every((value) => value === "2"));
  });
});

test("models with choices inside an action are drawn on their grid", async () => {
  await withPage({}, async (page) => {
    for (const [name, agents] of [["ants", "Ant"], ["predator", "Bird"]]) {
      await page.click('[data-act="gallery"]');
      await page.click(`[data-example="${name}"]`);
      await page.waitForFunction((file) => document.querySelector('.file-on [role="tab"]')?.textContent === file, `${name}.labs`);
      await page.waitForFunction((kind) => document.querySelector('.stage-body [data-view="grid"]')?.textContent?.includes(kind) && document.querySelector('.stage-body .sc-agent[data-x]'), agents);
      assert.equal(await page.textContent('.stage-body .sc-tab[data-pane="grid"]'), "Grid");
    }
  });
});

test("at 1280 x 800 the pictures have 300 pixels, and the large player is left with Esc", async () => {
  await withPage({}, async (page) => {
    await page.waitForSelector('.stage-body [data-view="grid"] .sc-agent');
    const box = await page.locator(".stage-body .sc-panes").boundingBox();
    assert.ok(box.height >= 300, `${box.height}`);
    await page.click('[data-act="larger"]');
    assert.equal(await page.getAttribute('[data-act="larger"]', "aria-pressed"), "true");
    assert.ok(!(await page.isVisible(".pane-editor")));
    await page.keyboard.press("Escape");
    assert.ok(await page.isVisible(".pane-editor"));
    assert.equal(await page.getAttribute('[data-act="larger"]', "aria-pressed"), "false");
  });
});

test("the tour points at controls that are there", async () => {
  await withPage({}, async (page) => {
    await page.waitForSelector('[data-parameter="birds"]');
    await page.click('[data-act="tour"]');
    for (let stop = 1; ; stop += 1) {
      await page.waitForFunction((n) => document.querySelector(".tour-card p")?.textContent?.startsWith(`${n} of`), stop);
      assert.ok(await page.isVisible(".tour-ring"), `stop ${stop} points at nothing`);
      if (await page.locator('[data-tour="done"]').count()) break;
      const act = page.locator('[data-tour="act"]');
      await ((await act.count()) ? act.click() : page.click('[data-tour="next"]'));
    }
    await page.click('[data-tour="done"]');
    assert.equal(await page.locator(".tour").count(), 0);
    assert.equal(await title(page), "Counterexample of Consensus");
    // What it has set is as before: the parameters of the first minute, and no turns.
    assert.equal(await page.inputValue('[data-parameter="birds"]'), "3");
    assert.ok(!(await page.isChecked('[data-option="fair"]')));
  });
});

/** One agent that keeps its number, which is drawn from 0 to _most - 1: so it is always 0 with probability 1 / _most. */
const DRAWN = `system {
  extern = _most: 2
  spawn = A: 1
}
agent A {
  interface = n: 0.._most
  Behavior = n <- n; Behavior
}
check {
  Zero = always forall A a, n of a = 0
  Small = always forall A a, n of a < 3
}
`;

test("an estimate has the true value in its interval, and says what random means", async () => {
  await withPage({}, async (page) => {
    await open(page, "drawn.labs", DRAWN);
    await fine(page);
    await page.click("#tab-estimate");
    // The queries are made of the properties, with a bound.
    assert.deepEqual(await page.locator("[data-query]").evaluateAll((all) => all.map((each) => each.value)), ["P(Zero within 100 steps)", "P(Small within 100 steps)"]);
    await page.locator('[data-act="remove-query"]').nth(1).click();
    await page.fill('[data-estimate="runs"]', "200");
    // One seed in a million would be outside of the interval; this seed is always the same.
    await page.fill('[data-estimate="confidence"]', "0.999999");
    await page.click('[data-act="estimate"]');
    await page.waitForSelector(".estimate-row");
    const row = page.locator(".estimate-row");
    const [low, high] = [Number(await row.getAttribute("data-low")), Number(await row.getAttribute("data-high"))];
    assert.ok(low > 0.2 && low < 0.5 && high > 0.5 && high < 0.8, `${low} to ${high}`);
    assert.match(await row.textContent(), /of 200 runs satisfy it/);
    assert.ok((await page.textContent("[data-law]")).length > 20);
    // A query that cannot be read is refused with a reason.
    await page.fill("[data-query]", "P(Zeor within 10 steps)");
    await page.click('[data-act="estimate"]');
    await page.waitForSelector(".estimates .note-bad");
  });
});

test("a sweep fills its table and draws what it finds", async () => {
  await withPage({}, async (page) => {
    await open(page, "drawn.labs", DRAWN);
    await fine(page);
    await page.click("#tab-sweep");
    await page.fill('[data-range="most"]', "3..2");
    await page.click('[data-act="sweep"]');
    assert.match(await page.textContent("#panel-sweep .status"), /empty/);
    // Numbers below _most are below 3 as long as _most is at most 3.
    await page.fill('[data-range="most"]', "2,3..4");
    await page.selectOption('[data-sweep="property"]', "Small");
    await page.click('[data-act="sweep"]');
    await page.waitForSelector('[data-point="4"]');
    await page.waitForSelector('[data-act="sweep"]:visible');
    const verdicts = await page.locator("[data-point]").evaluateAll((all) => all.map((each) => [each.dataset.point, each.dataset.verdict]));
    assert.deepEqual(verdicts, [["2", "holds"], ["3", "holds"], ["4", "violated"]]);
    await page.waitForFunction(() => document.querySelectorAll("#panel-sweep .sc-cell").length === 3);
    const drawn = await page.locator("#panel-sweep .sc-cell").evaluateAll((all) => all.map((each) => each.dataset.verdict));
    assert.deepEqual(drawn, ["holds", "holds", "violated"]);
    // What a cell says when it is pointed at.
    await page.locator("#panel-sweep .sc-cell").nth(2).hover();
    assert.match(await page.textContent("#panel-sweep .sc-tip"), /most = 4: violated/);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click('#panel-sweep [data-act="download-csv"]')]);
    assert.equal(readFileSync(await saved.path(), "utf8"), "most,Small\n2,holds\n3,holds\n4,violated\n");
  });
});
