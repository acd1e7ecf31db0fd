// The workbench: puts the parts together. The page opens on the flock, running; everything else is one click away.

import "../player/player.css";
import "./page.css";
import { findToken, forgetToken, hello, type Hello, Job, Refused } from "./api";
import { Automata } from "./automata";
import { Charts, simulate } from "./charts";
import { compare } from "./compare";
import { button, debounce, fill, h, icon, say } from "./dom";
import { Editor } from "./editor";
import { Estimate } from "./estimate";
import { openExports } from "./exports";
import { Files } from "./files";
import { openExample, openGallery } from "./gallery";
import { Options } from "./options";
import { Parameters } from "./parameters";
import { Problems } from "./problems";
import { Run } from "./run";
import { linkDone, openLink, openShare, waitingLink } from "./share";
import { splitter } from "./split";
import { type Showing, Stage } from "./stage";
import { bare, type ModelFile, type Settings, Store, TEMPLATES } from "./store";
import { Sweep } from "./sweep";
import { Tabs } from "./tabs";
import { tour } from "./tour";
import { Verify } from "./verify";

const app = document.getElementById("app")!;
/** The flock of the first minute: small enough to be decided at once, large enough to be watched. */
const FIRST = { name: "flock", parameters: { birds: "3", grid: "4", delta: "2" } };

/** How much of the height the views take, in percent; the player has the rest. Pictures need more than rows. */
const SHARES = { verify: 31, run: 40, automata: 46, charts: 50 };

function theme(): HTMLButtonElement {
  const wanted = localStorage.getItem("swarmcheck-theme");
  if (wanted === "dark" || wanted === "light") document.documentElement.dataset.theme = wanted;
  const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const toggle = button("Dark", () => {
    const next = dark() ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("swarmcheck-theme", next);
    toggle.setAttribute("aria-pressed", String(next === "dark"));
  }, { class: "quiet icon-only", title: "Light or dark", "aria-label": "Dark mode", "aria-pressed": String(dark()), "data-act": "theme" }, "theme");
  return toggle;
}

/** Nothing works without the token: the page says where it is. */
function withoutToken(why: string): void {
  const field = h("input", { type: "text", placeholder: "http://127.0.0.1:…/#token=…", "aria-label": "Address", "data-token": true });
  const go = () => {
    const given = /token=([\w-]+)/.exec(field.value)?.[1] ?? field.value.trim();
    if (!given) return;
    // Only the fragment changes here; the model of a link waits in the session storage.
    history.replaceState(null, "", `${location.pathname}#token=${given}`);
    location.reload();
  };
  field.addEventListener("keydown", (event) => event.key === "Enter" && go());
  // The printed address, put into the address bar of this tab, changes the fragment only.
  window.addEventListener("hashchange", () => location.hash.includes("token=") && location.reload());
  fill(
    app,
    h(
      "main",
      { class: "welcome" },
      h("h1", {}, "swarmcheck workbench"),
      h("p", {}, why),
      h("p", {}, "The program that serves this page printed an address that ends in #token=… when it started. Open that address, or paste it here."),
      h("div", { class: "bar" }, field, button("Open", go, { class: "primary" })),
      waitingLink() ? h("p", { "data-waiting": "link" }, "The link that you opened holds a model. It opens as soon as the token is here.") : null,
      h("p", { class: "faint" }, "The token keeps other pages of this browser from using the workbench."),
    ),
  );
  field.focus();
}

async function start(): Promise<void> {
  const toggle = theme();
  const shared = waitingLink();
  if (!findToken()) return withoutToken("This page needs a token.");
  let welcome: Hello;
  try {
    welcome = await hello();
  } catch (error) {
    if (error instanceof Refused && error.status === 403) {
      forgetToken();
      return withoutToken("The token of this page is not the one of the program that is running now.");
    }
    return withoutToken((error as Error).message);
  }
  const store = new Store();
  const restored = store.restore();
  for (const file of welcome.files) if (!store.files.some((f) => f.name === file.name)) store.add(file.name, file.text);
  const flock = welcome.examples.find((e) => e.name === FIRST.name);
  if (store.files.length === 0) {
    if (flock) store.add(flock.file, flock.text, { parameters: { ...FIRST.parameters } });
    else store.add("model.labs", TEMPLATES.labs);
  }
  const first = !restored && welcome.files.length === 0;
  build(store, welcome, toggle, first);
  const link = async (fragment: string) => {
    await openLink(store, fragment);
    linkDone();
    history.replaceState(null, "", location.pathname);
  };
  if (shared) await link(shared);
  window.addEventListener("hashchange", () => {
    if (location.hash.includes("model=")) void link(location.hash);
    else if (location.hash.includes("token=")) location.reload();
  });
}

function build(store: Store, welcome: Hello, toggle: HTMLButtonElement, first: boolean): void {
  const pane = (name: string, label: string) => h("section", { class: `pane pane-${name}`, "aria-label": label, "data-pane": name });
  const editorPane = pane("editor", "Editor");
  const resultPane = pane("results", "Results");
  const stagePane = pane("stage", "Player");
  const code = h("div", { class: "code" });
  const problemsBox = h("div", { class: "problems" });
  const panels = { verify: h("div", { class: "panel" }), run: h("div", { class: "panel" }), automata: h("div", { class: "panel" }), charts: h("div", { class: "panel" }), estimate: h("div", { class: "panel" }), sweep: h("div", { class: "panel" }) };
  const form = h("div", { class: "parameters", role: "group", "aria-label": "Parameters" });

  const files = h("div", { class: "files-box" });
  const top = h(
    "header",
    { class: "top" },
    h("h1", { class: "brand" }, icon("tour"), h("span", {}, "swarmcheck")),
    files,
    h(
      "nav",
      { "aria-label": "Workbench", class: "tools" },
      button("Examples", () => openGallery(store, welcome.examples), { class: "quiet", "data-act": "gallery", title: "Models that come with the program" }, "gallery"),
      button("Open", () => tabsOfFiles.choose(), { class: "quiet", "data-act": "open", title: "Open files from this computer" }, "open"),
      button("Download", () => openExports(store, welcome.options?.targets), { class: "quiet", "data-act": "download", title: "Download the model, also for other tools" }, "download"),
      button("Share", () => void openShare(store), { class: "quiet", "data-act": "share", title: "A link that holds the model" }, "share"),
      button("Tour", () => guide(), { class: "quiet", "data-act": "tour", title: "Two minutes with the flock" }, "tour"),
      toggle,
    ),
  );
  const tabsOfFiles = new Files(files, store);

  const stage = new Stage(stagePane, store, {
    onStep: (_, at) => {
      const line = stage.showing?.source.text === store.file.text && at ? Number(at.split(":")[0]) : null;
      editor.light(line);
    },
    onWhatIf: (showing, step) => {
      large(false);
      void (showing.kind === "interpreter" && run.active ? run.goTo(step) : run.load(showing, step));
    },
    onCompare: (showing) => compare(showing),
    onFair: () => {
      large(false);
      store.set("fair", true);
      void verify.run();
    },
  });
  const editor: Editor = new Editor(code, store, () => void verify.run());
  editorPane.append(code, problemsBox);
  const problems = new Problems(problemsBox, store, () => editor);
  const parameters = new Parameters(form, store);
  const options = new Options(store);
  options.hello = welcome;
  const go = (start: number, end: number) => {
    narrow.select("editor");
    editor.go(start, end);
  };
  const verify: Verify = new Verify(panels.verify, store, stage, () => work("verify"), go);
  const run = new Run(panels.run, store, stage, () => work("run"));
  const automata = new Automata(panels.automata, store, stage, (line) => editor.light(line));
  const charts = new Charts(panels.charts, store, stage);
  const estimate = new Estimate(panels.estimate, store);
  new Sweep(panels.sweep, store, estimate);
  const bench = h("main", { class: "bench" });
  const upper = splitter(bench, "upper", "Border of the player", SHARES.verify);
  const tabs = new Tabs(
    "Views",
    [
      { id: "verify", label: "Verify", panel: panels.verify },
      { id: "run", label: "Run", panel: panels.run },
      { id: "automata", label: "Automata", panel: panels.automata },
      { id: "charts", label: "Charts", panel: panels.charts },
      { id: "estimate", label: "Estimate", panel: panels.estimate },
      { id: "sweep", label: "Sweep", panel: panels.sweep },
    ],
    (id) => {
      // These are about many runs: a player of one has nothing to show beside them.
      document.body.classList.toggle("results-large", id === "estimate" || id === "sweep");
      if (id in SHARES) upper.suggest(SHARES[id as keyof typeof SHARES]);
      automata.shown(id === "automata");
      charts.shown(id === "charts");
    },
  );
  resultPane.append(tabs.list, ...Object.values(panels));
  // The settings belong to the model; in a narrow window they stay above all panes, with the button that uses them.
  const settings = h("div", { class: "settings" }, form, options.fair, options.opener, button("Verify", () => void verify.run(), { class: "primary narrow-only", "data-act": "verify-here" }, "check"));

  // Below 900 pixels one pane is shown at a time.
  const holders = { editor: editorPane, results: resultPane, stage: stagePane };
  const narrow = new Tabs(
    "Panes",
    [
      { id: "editor", label: "Model", panel: h("div") },
      { id: "results", label: "Check", panel: h("div") },
      { id: "stage", label: "Player", panel: h("div") },
    ],
    (id) => {
      for (const [name, holder] of Object.entries(holders)) holder.classList.toggle("pane-chosen", name === id);
    },
  );
  narrow.list.classList.add("narrow-tabs");
  narrow.list.querySelectorAll("[role=tab]").forEach((tab, i) => tab.setAttribute("aria-controls", (Object.values(holders)[i]!.id = `pane-${Object.keys(holders)[i]}`)));
  const work = (tab: string) => {
    narrow.select("results");
    if (tabs.current !== tab) tabs.select(tab);
  };
  document.addEventListener("load", (event) => {
    large(false);
    void run.load((event as CustomEvent).detail, 0);
  });
  document.addEventListener("stage", () => {
    narrow.select("stage");
    stagePane.scrollIntoView?.({ block: "nearest" });
  });
  const larger = button("Larger", () => large(!document.body.classList.contains("stage-large")), { class: "quiet icon-only", "data-act": "larger" }, "larger");
  const large = (on: boolean) => {
    document.body.classList.toggle("stage-large", on);
    larger.setAttribute("aria-pressed", String(on));
    larger.title = on ? "Back to all panes (Esc)" : "Player in the whole window";
  };
  large(false);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open], details.menu[open], .tour")) large(false);
  });
  stagePane.querySelector("header")?.append(larger);
  bench.append(h("div", { class: "left" }, settings, editorPane), splitter(bench, "left", "Border of the editor", 39).bar, resultPane, upper.bar, stagePane);
  fill(app, top, narrow.list, bench);

  // Checks follow the typing; an older one does not overtake a newer one.
  let checking: Job | undefined;
  let asked = 0;
  const check = async (again = true): Promise<boolean> => {
    const number = ++asked;
    checking?.drop();
    problems.waiting();
    const sent = store.parameters();
    checking = new Job({ do: "check", model: store.model() }, () => {});
    try {
      const last = await checking.done;
      if (number !== asked) return false;
      if (last.event !== "done") throw new Refused(String(last.said?.why ?? "The check has failed."));
      store.checked = last.result;
      // Values that the model does not know, or parameters without one: ask again with what is known now.
      const known = (store.checked.outline?.parameters ?? []).map((p) => bare(p.name));
      const filled = parameters.complete();
      if (again && store.checked.outline && (filled || sent.some(([name]) => !known.includes(name)))) return await check(false);
      editor.mark(store.checked.diagnostics);
      store.tell("checked");
      return store.errors === 0;
    } catch (error) {
      if (number === asked) say((error as Error).message, true);
      return false;
    }
  };
  // What plays follows the model, as long as it is only a sample of it.
  const soon = debounce(180, async () => {
    const sample = (await check()) && stage.showing?.kind === "run";
    if (sample && JSON.stringify(stage.showing?.model) !== JSON.stringify(store.model())) await preview(false);
  });
  store.on("text", soon);
  store.on("settings", soon);
  let playing = first;
  // Each file keeps what it played, as long as its text and settings are the same.
  const played = new Map<number, { showing: Showing; step: number }>();
  let opened = 0;
  store.on("file", () => {
    large(false);
    if (stage.showing && opened !== store.file.id) played.set(opened, { showing: stage.showing, step: stage.step });
    opened = store.file.id;
    void check().then(async (good) => {
      if (!good) return;
      const kept = played.get(opened);
      played.delete(opened);
      if (kept && JSON.stringify(kept.showing.model) === JSON.stringify(store.model())) await stage.show(kept.showing, kept.step);
      else await preview(playing);
      playing = false;
    });
  });

  /** A random run of the model, playing. */
  const preview = async (playing: boolean): Promise<void> => {
    const model = store.model();
    const source = store.source();
    try {
      const [trace] = await simulate(model, 60, 1, 1);
      if (trace && source.text === store.file.text) await stage.show({ title: "Random run", kind: "run", trace, source, model }, 0, playing);
    } catch {
      // The check says what is wrong with the model.
    }
  };

  const guide = () => {
    const flock = welcome.examples.find((e) => e.name === FIRST.name);
    if (!flock) return;
    const settle = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    let before: { file: ModelFile; settings: Settings } | undefined;
    // What the tour has set is put back when it ends.
    const restore = () => {
      if (!before || !store.files.includes(before.file)) return;
      before.file.settings = before.settings;
      store.tell("settings");
      say("The parameters and options are as they were before the tour.");
    };
    tour([
      {
        title: "A flock without a leader",
        text: "Each bird flies ahead, and takes over the newer heading of a bird that it sees. Do they all agree in the end? This tour finds out, in two minutes.",
        target: ".top .brand",
        before: () => {
          if (store.file.name !== flock.file || store.file.text !== flock.text) openExample(store, { ...flock, parameters: { birds: 3, grid: 4, delta: 2 } });
        },
      },
      { title: "The model", text: "A Bird has a place, x and y. Its heading is in a stigmergy, Alignment: every bird has a copy, and the newer one wins. link says who sees whom. Change something: mistakes are marked as you type.", target: ".pane-editor .code", before: () => narrow.select("editor") },
      { title: "One run", text: "This is one random run. Each drop is a bird, and its tip points to where the bird heads. Lines join birds that see each other. Play it, or drag the timeline; the line of the step is lit in the model.", target: ".pane-stage", before: () => narrow.select("stage"), act: { label: "Play", run: () => stage.play() } },
      { title: "Parameters", text: "How many birds, how large the world, how far they see; fair makes the birds take turns. The button sets two birds on a torus of 4 × 4 that see one cell far, and ticks fair. Your own values come back when the tour ends.", target: ".settings", before: () => work("verify"), act: { label: "Set these values", run: async () => {
        before ??= { file: store.file, settings: store.file.settings };
        store.file.settings = { ...store.file.settings, parameters: { birds: "2", grid: "4", delta: "1" }, fair: true };
        store.tell("settings");
        await settle(300);
      } } },
      { title: "Verify", text: "A run shows what can happen. Verify decides what must happen, in every execution.", target: '[data-act="verify"], [data-act="cancel"]', before: () => work("verify"), act: { label: "Verify", run: () => verify.run() } },
      { title: "Verdicts", text: "OnTheGrid holds, and the row says why. Consensus is violated: there is an execution in which the birds never agree. ConsensusAgain is violated for a like reason: from some states they cannot agree any more.", target: ".rows", before: () => work("verify"), act: { label: "Show why", run: () => document.querySelector<HTMLElement>('.row[data-property="Consensus"] [data-act="trace"]')?.click() } },
      { title: "The counterexample", text: "The birds fly round a loop, and never come close enough to see each other. The end of the timeline marks the loop. Step through it.", target: ".pane-stage", before: () => narrow.select("stage"), act: { label: "Play", run: () => stage.play() } },
      { title: "What if?", text: "Go on from any step in another way: the possible steps are listed by agent, and you choose.", target: '.stage-body .sc-foot', before: () => narrow.select("stage") },
      { title: "Your turn", text: "Examples has more models in four languages. Open or drop a file, or type your own. Share puts the model into a link.", target: ".tools" },
    ], restore);
  };

  // Ctrl+Enter verifies from everywhere.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      void verify.run();
    }
  });
  store.tell("file");
}

void start();
