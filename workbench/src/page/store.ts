// What a person has made: files with their settings. It stays in the tab's session storage, so that a reload loses nothing;
// it leaves the page only as part of a request, a download or a link.

import type { DiagnosticData, Outline, Place } from "./api";
import { debounce } from "./dom";

export interface Settings {
  parameters: Record<string, string>;
  fair: boolean;
  sync: boolean;
  semantics: "sliver" | "paper";
  choice: "late" | "early";
  precedence: "" | "conventional" | "rcheck";
  engine: string;
  steps: string;
  deadlock: boolean;
  ignore_deadlock: boolean;
  fairness: "none" | "weak" | "strong";
  cross_check: boolean;
  certify: boolean;
  why: boolean;
  traces: string;
  seconds: string;
  memory: string;
}

export function defaults(): Settings {
  return {
    parameters: {},
    fair: false,
    sync: false,
    semantics: "sliver",
    choice: "late",
    precedence: "",
    engine: "auto",
    steps: "",
    deadlock: false,
    ignore_deadlock: false,
    fairness: "none",
    cross_check: false,
    certify: false,
    why: false,
    traces: "1",
    seconds: "60",
    memory: "1000",
  };
}

export interface ModelFile {
  id: number;
  name: string;
  text: string;
  settings: Settings;
}

/** What the last check found. */
export interface Checked {
  diagnostics: DiagnosticData[];
  outline?: Outline;
  summary?: string | null;
}

type Kind = "files" | "file" | "text" | "settings" | "checked";
const KEY = "swarmcheck-files";

export class Store {
  files: ModelFile[] = [];
  private at = 0;
  private next = 1;
  checked: Checked = { diagnostics: [] };
  private readonly listeners: [Kind, () => void][] = [];
  private readonly save = debounce(150, () => this.keep());

  constructor() {
    window.addEventListener("pagehide", () => this.keep());
  }

  on(kind: Kind, call: () => void): void {
    this.listeners.push([kind, call]);
  }

  tell(kind: Kind): void {
    for (const [what, call] of this.listeners) if (what === kind) call();
    if (kind !== "checked") this.save();
  }

  get file(): ModelFile {
    return this.files[this.at]!;
  }

  get language(): Language {
    return languageOf(this.file.name);
  }

  add(name: string, text: string, settings: Partial<Settings> = {}): ModelFile {
    const file = { id: this.next++, name: safeName(name), text, settings: { ...defaults(), ...settings } };
    this.files.push(file);
    this.select(this.files.length - 1);
    return file;
  }

  select(at: number): void {
    this.at = Math.max(0, Math.min(at, this.files.length - 1));
    this.checked = { diagnostics: [] };
    this.tell("files");
    this.tell("file");
  }

  get index(): number {
    return this.at;
  }

  close(at: number): void {
    this.files.splice(at, 1);
    if (this.files.length === 0) this.add("model.labs", TEMPLATES.labs);
    else this.select(at < this.at || this.at >= this.files.length ? this.at - 1 : this.at);
  }

  rename(at: number, name: string): void {
    const file = this.files[at];
    if (!file || !name.trim()) return;
    file.name = safeName(name.trim());
    this.tell("files");
    this.tell("file");
  }

  write(text: string): void {
    if (this.file.text === text) return;
    this.file.text = text;
    this.tell("text");
  }

  set<K extends keyof Settings>(name: K, value: Settings[K]): void {
    this.file.settings[name] = value;
    this.tell("settings");
  }

  private keep(): void {
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ files: this.files, at: this.at }));
    } catch {
      // The storage is full or forbidden: the page works all the same.
    }
  }

  /** Takes up where the page was left. */
  restore(): boolean {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
      if (!kept?.files?.length) return false;
      for (const file of kept.files) {
        this.files.push({ id: this.next++, name: String(file.name), text: String(file.text), settings: { ...defaults(), ...file.settings } });
      }
      this.at = Math.min(Number(kept.at) || 0, this.files.length - 1);
      return true;
    } catch {
      return false;
    }
  }

  /** The values of the parameters that the model has. */
  parameters(): [string, string][] {
    const known = this.checked.outline?.parameters.map((p) => bare(p.name));
    const values = Object.entries(this.file.settings.parameters);
    return values.filter(([name, value]) => value.trim() !== "" && (!known || known.includes(name)));
  }

  /** The current file as the façade reads it. */
  model(): Record<string, unknown> {
    const { settings } = this.file;
    return {
      source: this.source(),
      parameters: this.parameters(),
      fair: settings.fair,
      sync: settings.sync,
      semantics: settings.semantics,
      choice: settings.choice,
      precedence: settings.precedence || null,
    };
  }

  source(): { name: string; text: string } {
    return { name: this.file.name, text: this.file.text };
  }

  get errors(): number {
    return this.checked.diagnostics.filter((d) => d.severity === "error").length;
  }

  place(property: string): Place | undefined {
    return this.checked.outline?.properties.find((p) => p.name === property)?.place;
  }
}

/** Parameters are written with an underscore in models and without in the form. */
export function bare(name: string): string {
  return name.replace(/^_/, "");
}

/** A name of a file only, never a path, and without characters that are not seen. */
function safeName(name: string): string {
  const last = name.split(/[\\/]/).pop()?.replace(/[\p{Cc}\p{Cf}]/gu, "").trim() || "model.labs";
  return last.slice(0, 120);
}

export type Language = "labs" | "rcheck" | "ccs" | "chor";

export function languageOf(name: string): Language {
  const ending = name.toLowerCase().split(".").pop();
  return ending === "rcp" ? "rcheck" : ending === "ccs" ? "ccs" : ending === "chor" ? "chor" : "labs";
}

export const LANGUAGES: Record<Language, { label: string; ending: string; about: string }> = {
  labs: { label: "LAbS", ending: "labs", about: "agents with attributes, stigmergies and an environment" },
  rcheck: { label: "R-CHECK", ending: "rcp", about: "agents that reconfigure whom they talk to" },
  ccs: { label: "CCS", ending: "ccs", about: "processes that synchronise on actions" },
  chor: { label: "Choreography", ending: "chor", about: "who sends what to whom, seen from above" },
};

export const TEMPLATES: Record<Language, string> = {
  labs: `# Two agents count up to a limit.
system {
  extern = _agents: 2, _most: 3
  spawn = Counter: _agents
}

agent Counter {
  interface = n: 0
  Behavior = n < _most -> n <- n + 1; Behavior
}

check {
  Bounded = always forall Counter c, n of c <= _most
  Done = eventually forall Counter c, n of c = _most
}
`,
  rcheck: `// A seller offers to everybody who buys, for less every time.
message-structure: MSG : 0..9
property-variables: buys : bool

agent Seller
  local: price : 0..9
  init: price = 7
  relabel: buys <- FALSE
  repeat: offer: <price > 0> *! (@buys)(MSG := price)[price := price - 1]

agent Buyer
  local: bid : 0..9, paid : 0..9
  init: paid = 0
  relabel: buys <- paid = 0
  repeat: take: <MSG <= bid> *? [paid := MSG]

system = Seller(shop, TRUE) || Buyer(ann, bid = 5) || Buyer(bob, bid = 3)

SPEC AnnBuys: F (ann-paid != 0)
SPEC NobodyOverpays: G (bob-paid <= 3)
`,
  ccs: `# A machine serves whoever has paid.
proc Machine = coin.(tea.Machine + coffee.Machine)
proc Guest = 'coin.'tea.Guest

system = (Machine | Guest) \\ {coin}

check {
  TeaAgain = fairly_inf tea
  NoCoffee = always not coffee
}
`,
  chor: `# A client asks, a server answers.
choreography Talk =
  ask[client,server]; (work@server); answer[server,client]

check {
  AskedFirst = ask[client,server] precedes answer[server,client]
  Answered = eventually answer[server,client]
}
`,
};
