// A model and its settings in a link: deflated, in the fragment, which browsers do not send to any server. The token of the
// server is never part of it, so a link works for everybody who runs a workbench of their own.

import { button, dialog, h, say } from "./dom";
import { defaults, type ModelFile, type Settings, type Store } from "./store";

/** What a model may use is for whoever runs it to say, not for a link. */
const OWN = new Set(["seconds", "memory"]);
/** The words that options may have. */
const WORDS: Record<string, RegExp> = {
  semantics: /^(sliver|paper)$/,
  choice: /^(late|early)$/,
  precedence: /^(|conventional|rcheck)$/,
  engine: /^[a-z]+$/,
};
/** Longer links do not survive chat programs and issue trackers. */
const LONGEST = 32_000;
/** A link must not unfold to something that fills the memory. */
const LARGEST = 2_000_000;

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error("The link holds too much.");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The text of a fragment for a file. */
export async function pack(file: ModelFile): Promise<string> {
  const usual = defaults();
  const settings = Object.fromEntries(Object.entries(file.settings).filter(([name, value]) => !OWN.has(name) && JSON.stringify(value) !== JSON.stringify(usual[name as keyof Settings])));
  const json = JSON.stringify({ v: 1, name: file.name, text: file.text, settings });
  const packed = await pipe(new TextEncoder().encode(json), new CompressionStream("deflate-raw"), LARGEST);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The file of a fragment. Anything that is not what `pack` writes is refused. */
export async function unpack(packed: string): Promise<{ name: string; text: string; settings: Partial<Settings> }> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const json = new TextDecoder().decode(await pipe(bytes, new DecompressionStream("deflate-raw"), LARGEST));
  const data = JSON.parse(json);
  if (data?.v !== 1 || typeof data.name !== "string" || typeof data.text !== "string") throw new Error("The link holds no model.");
  const usual = defaults();
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data.settings ?? {})) {
    if (OWN.has(name) || !Object.hasOwn(usual, name) || typeof value !== typeof usual[name as keyof Settings]) continue;
    if (!(WORDS[name]?.test(String(value)) ?? true)) continue;
    if (name === "parameters") {
      settings[name] = Object.fromEntries(Object.entries(value as object).filter(([, v]) => typeof v === "string").map(([k, v]) => [k, v]));
    } else settings[name] = value;
  }
  // A file that is downloaded later must not be something that the system would start.
  const name = /\.(labs|rcp|ccs|chor)$/i.test(data.name) ? data.name : `${data.name}.labs`;
  return { name, text: data.text, settings: settings as Partial<Settings> };
}

const KEY = "swarmcheck-link";

/** The fragment of a link that is still to be opened. It waits while the page has no token, also over the reload that brings one. */
export function waitingLink(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("model");
  if (given) sessionStorage.setItem(KEY, given);
  const packed = given ?? sessionStorage.getItem(KEY);
  return packed ? `#model=${packed}` : "";
}

/** The link is opened, or cannot be. */
export function linkDone(): void {
  sessionStorage.removeItem(KEY);
}

/** Opens the model of a link, if it has one. */
export async function openLink(store: Store, link: string): Promise<boolean> {
  const packed = new URLSearchParams(link.slice(link.indexOf("#") + 1)).get("model");
  if (!packed) return false;
  try {
    const { name, text, settings } = await unpack(packed);
    store.add(name, text, settings);
    return true;
  } catch {
    say("This link holds no model that can be read.", true);
    return false;
  }
}

export async function openShare(store: Store): Promise<void> {
  const link = `${location.origin}/#model=${await pack(store.file)}`;
  const fits = link.length <= LONGEST;
  const field = h("textarea", { readonly: true, rows: 4, "aria-label": "Link", "data-share": "link" });
  field.value = fits ? link : "";
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      field.select();
      document.execCommand("copy");
    }
    say("Link copied.");
  };
  const paste = h("textarea", { rows: 3, placeholder: "Paste a link here", "aria-label": "Link to open", "data-share": "paste" });
  const box = dialog(
    "Share",
    fits
      ? h("p", {}, "This link holds the model and its settings. Nothing is stored anywhere: who opens it needs a workbench of their own.")
      : h("p", { class: "bad" }, `The model makes a link of ${link.length} characters, which is more than ${LONGEST}. Download the file instead.`),
    fits ? field : null,
    fits ? button("Copy the link", () => void copy(), { class: "primary", "data-act": "copy" }, "share") : null,
    h("h3", {}, "Open a link"),
    h("p", { class: "faint" }, "A link from somebody else's workbench has another address. Paste it here."),
    paste,
    button("Open", () => void openLink(store, paste.value.trim()).then((opened) => (opened ? box.close() : say("This is no link to a model.", true))), { "data-act": "open-link" }),
  );
}
