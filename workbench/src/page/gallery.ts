// The examples that come with the program, each with a sentence and a picture.

import type { Example } from "./api";
import { dialog, h, s } from "./dom";
import { LANGUAGES, languageOf, type Store } from "./store";

/** A picture that the server drew, as an image: markup in it stays inert there. */
function picture(example: Example): Element {
  if (example.picture) {
    return h("img", { class: "card-picture", alt: "", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(example.picture)}` });
  }
  // A mark of its own from the name, so that cards can be told apart.
  let seed = 7;
  for (const character of example.name) seed = (seed * 31 + character.charCodeAt(0)) >>> 0;
  const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 4294967296;
  const dots = Array.from({ length: 7 }, () => [14 + next() * 92, 12 + next() * 46] as const);
  return s(
    "svg",
    { class: "card-picture", viewBox: "0 0 120 70", "aria-hidden": "true" },
    ...dots.slice(1).map(([x, y], i) => s("line", { x1: dots[i]![0], y1: dots[i]![1], x2: x, y2: y })),
    ...dots.map(([x, y]) => s("circle", { cx: x, cy: y, r: 4 })),
  );
}

export function openExample(store: Store, example: Example): void {
  const parameters = Object.fromEntries(Object.entries(example.parameters ?? {}).map(([name, value]) => [name, String(value)]));
  store.add(example.file, example.text, { parameters, fair: Boolean(example.fair) });
}

export function openGallery(store: Store, examples: Example[]): void {
  const search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search examples" });
  const cards = h("div", { class: "cards" });
  const draw = () => {
    const wanted = search.value.trim().toLowerCase();
    cards.replaceChildren(
      ...examples
        .filter((e) => `${e.name} ${e.sentence} ${e.language}`.toLowerCase().includes(wanted))
        .map((example) =>
          h(
            "button",
            {
              type: "button",
              class: "card",
              "data-example": example.name,
              onclick: () => {
                box.close();
                openExample(store, example);
              },
            },
            picture(example),
            h("strong", {}, example.name),
            h("span", { class: "tag" }, LANGUAGES[languageOf(example.file)].label),
            h("span", { class: "card-sentence" }, example.sentence.replace(/[*`]/g, "")),
          ),
        ),
    );
  };
  search.addEventListener("input", draw);
  const box = dialog("Examples", h("div", { class: "bar" }, search), cards);
  box.classList.add("dialog-wide");
  draw();
}
