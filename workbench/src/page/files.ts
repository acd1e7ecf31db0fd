// Tabs of files; opening, dropping and downloading them. Files come as text and leave as downloads.

import { button, dialog, fill, h, icon, say } from "./dom";
import { type Language, LANGUAGES, languageOf, type Store, TEMPLATES } from "./store";

const MOST = 4_000_000;

export class Files {
  private readonly tabs = h("div", { class: "files", role: "tablist", "aria-label": "Files" });
  private readonly input = h("input", { type: "file", multiple: true, hidden: true, accept: ".labs,.rcp,.ccs,.chor,.txt,text/plain", "data-open-file": true });

  constructor(
    root: HTMLElement,
    private readonly store: Store,
  ) {
    root.append(this.tabs, button("New file", () => this.create(), { class: "quiet icon-only", title: "New file", "data-act": "new" }, "plus"), this.input);
    this.input.addEventListener("change", () => {
      void this.open([...(this.input.files ?? [])]);
      this.input.value = "";
    });
    store.on("files", () => this.draw());
    this.dropping();
    this.draw();
  }

  choose(): void {
    this.input.click();
  }

  async open(files: File[]): Promise<void> {
    for (const file of files) {
      if (file.size > MOST) {
        say(`${file.name} is too large: a model may have at most 4 MB.`, true);
        continue;
      }
      this.store.add(file.name, (await file.text()).replaceAll("\r\n", "\n"));
    }
  }

  private dropping(): void {
    let over = 0;
    const mark = () => document.body.classList.toggle("dropping", over > 0);
    window.addEventListener("dragenter", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      over += 1;
      mark();
    });
    window.addEventListener("dragleave", () => {
      over = Math.max(0, over - 1);
      mark();
    });
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      over = 0;
      mark();
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      void this.open([...event.dataTransfer.files]);
    });
  }

  private draw(): void {
    fill(
      this.tabs,
      ...this.store.files.map((file, at) => {
        const on = at === this.store.index;
        const select = (to: number) => {
          this.store.select(to);
          this.tabs.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus();
        };
        return h(
          "div",
          { class: `file${on ? " file-on" : ""}`, role: "presentation" },
          h(
            "button",
            {
              type: "button",
              role: "tab",
              "aria-selected": String(on),
              tabindex: on ? 0 : -1,
              title: on ? "F2 or double click: rename; Delete: close" : file.name,
              onclick: () => !on && this.store.select(at),
              ondblclick: () => this.rename(at),
              onkeydown: (event: KeyboardEvent) => {
                const last = this.store.files.length - 1;
                if (event.key === "ArrowRight") select(at === last ? 0 : at + 1);
                else if (event.key === "ArrowLeft") select(at === 0 ? last : at - 1);
                else if (event.key === "F2") this.rename(at);
                else if (event.key === "Delete") this.close(at);
                else return;
                event.preventDefault();
              },
            },
            file.name,
          ),
          on && this.store.files.length > 1 ? h("button", { type: "button", class: "file-close", "aria-label": `Close ${file.name}`, onclick: () => this.close(at) }, icon("cross")) : null,
        );
      }),
    );
    requestAnimationFrame(() => this.tabs.querySelector(".file-on")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  }

  private close(at: number): void {
    const file = this.store.files[at];
    if (!file) return;
    this.store.close(at);
    // Nothing is lost by a wrong click.
    const undo = button("Undo", () => {
      this.store.add(file.name, file.text, file.settings);
      note.remove();
    }, { class: "small" });
    const note = h("div", { class: "undo", role: "status" }, `${file.name} is closed. `, undo);
    document.body.append(note);
    setTimeout(() => note.remove(), 10_000);
  }

  private rename(at: number): void {
    const file = this.store.files[at];
    if (!file) return;
    const input = h("input", { type: "text", value: file.name, "aria-label": "Name" });
    const done = () => {
      this.store.rename(at, input.value);
      box.close();
    };
    input.addEventListener("keydown", (event) => event.key === "Enter" && done());
    const box = dialog("Rename", h("p", { class: "faint" }, "The ending says the language: .labs, .rcp (R-CHECK), .ccs or .chor."), h("div", { class: "bar" }, input, button("Rename", done, { class: "primary" })));
    input.select();
  }

  private create(): void {
    const box = dialog(
      "New file",
      h(
        "div",
        { class: "cards" },
        ...(Object.keys(LANGUAGES) as Language[]).map((language) => {
          const { label, ending, about } = LANGUAGES[language];
          return h(
            "button",
            {
              type: "button",
              class: "card",
              "data-language": language,
              onclick: () => {
                box.close();
                const taken = new Set(this.store.files.map((f) => f.name));
                let name = `model.${ending}`;
                for (let n = 2; taken.has(name); n += 1) name = `model${n}.${ending}`;
                this.store.add(name, TEMPLATES[languageOf(name)]);
              },
            },
            h("strong", {}, label),
            h("span", { class: "faint" }, about),
          );
        }),
      ),
    );
  }
}
