// The editor: CodeMirror with the words of the language, marks of the last check, fixes, and the line of the current step.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { DiagnosticData, Fix } from "./api";
import { languageSupport, WORDS } from "./languages";
import type { Store } from "./store";

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.definitionKeyword, color: "var(--code-section)", fontWeight: "600" },
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: [tags.number, tags.atom], color: "var(--code-number)" },
  { tag: tags.macroName, color: "var(--code-parameter)" },
  { tag: tags.propertyName, color: "var(--code-parameter)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.operator, color: "var(--code-operator)" },
]);

const looks = EditorView.theme({
  "&": { height: "100%", fontSize: "13.5px", backgroundColor: "var(--sc-bg)", color: "var(--sc-fg)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--sc-mono)", lineHeight: "1.55" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--sc-accent)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--sc-quiet)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--line-active)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--sc-fg)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-cursor": { borderLeftColor: "var(--sc-accent)" },
  ".cm-tooltip": { backgroundColor: "var(--sc-panel)", color: "var(--sc-fg)", border: "1px solid var(--sc-line)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--sc-accent)", color: "var(--sc-on-accent)" },
  ".cm-panels": { backgroundColor: "var(--sc-panel)", color: "var(--sc-fg)", borderColor: "var(--sc-line)" },
  ".cm-panel button, .cm-panel input": { fontFamily: "inherit" },
  ".cm-textfield": { backgroundColor: "var(--sc-bg)", border: "1px solid var(--sc-line)", borderRadius: "4px" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--sc-sunken)", border: "1px solid var(--sc-line)", borderRadius: "4px" },
  ".cm-diagnostic": { padding: "6px 10px", maxWidth: "48em" },
  ".cm-diagnosticAction": { backgroundColor: "var(--sc-accent)", color: "var(--sc-on-accent)", borderRadius: "4px", padding: "2px 8px" },
  ".cm-step": { backgroundColor: "var(--line-step)", boxShadow: "inset 3px 0 0 var(--sc-accent)" },
  ".cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "none" },
});

const light = StateEffect.define<number | null>();
const lit = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    marks = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(light)) continue;
      const line = effect.value;
      const known = line !== null && line >= 1 && line <= transaction.state.doc.lines;
      marks = known ? Decoration.set([Decoration.line({ class: "cm-step" }).range(transaction.state.doc.line(line).from)]) : Decoration.none;
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Editor {
  readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly states = new Map<number, EditorState>();
  private shown = -1;

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    private readonly verify: () => void,
  ) {
    this.view = new EditorView({ parent: root, state: this.fresh("") });
    store.on("file", () => this.open());
    this.open();
  }

  private fresh(text: string): EditorState {
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
    const extensions: Extension[] = [
      nonce ? EditorView.cspNonce.of(nonce) : [],
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      indentUnit.of("  "),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      autocompletion({ override: [(context) => this.complete(context)] }),
      syntaxHighlighting(colours),
      looks,
      lit,
      this.language.of(languageSupport(this.store.files.length ? this.store.language : "labs")),
      EditorView.contentAttributes.of({ "aria-label": "Model", spellcheck: "false" }),
      keymap.of([
        { key: "Mod-Enter", run: () => (this.verify(), true) },
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
      ]),
      // A browser that types over a selection copies its looks into a style attribute, which the policy of the page forbids.
      EditorView.domEventHandlers({
        beforeinput(event, view) {
          const { from, to, empty } = view.state.selection.main;
          const text = event.data;
          if (event.inputType !== "insertText" || text === null || empty || view.composing) return false;
          event.preventDefault();
          const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
          if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
          return true;
        },
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.store.write(update.state.doc.toString());
      }),
    ];
    return EditorState.create({ doc: text, extensions });
  }

  /** Shows the current file; each keeps its own history of changes. */
  private open(): void {
    const { file } = this.store;
    if (this.shown !== file.id) {
      if (this.shown >= 0) this.states.set(this.shown, this.view.state);
      const kept = this.states.get(file.id);
      this.shown = file.id;
      this.view.setState(kept && kept.doc.toString() === file.text ? kept : this.fresh(file.text));
    } else if (this.view.state.doc.toString() !== file.text) {
      this.replace(file.text);
    }
    this.view.dispatch({ effects: this.language.reconfigure(languageSupport(this.store.language)) });
  }

  replace(text: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Marks what a check found. */
  mark(diagnostics: DiagnosticData[]): void {
    const { doc } = this.view.state;
    const at = offsets(doc.toString());
    const marks = diagnostics.map((d): Diagnostic => {
      const from = Math.min(at(d.start), doc.length);
      const to = Math.min(Math.max(at(d.end), from), doc.length);
      return {
        from,
        to,
        severity: d.severity,
        source: d.code,
        message: [`${d.code}: ${d.message}`, ...d.help.map((help) => `help: ${help}`)].join("\n"),
        actions: (d.fixes ?? []).map((fix) => ({ name: fix.title, apply: () => this.fix(fix) })),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Applies a fix; its offsets are those of the text that was checked. */
  fix(fix: Fix): void {
    const text = this.view.state.doc.toString();
    const at = offsets(text);
    this.view.dispatch({ changes: fix.edits.map((e) => ({ from: at(e.start), to: at(e.end), insert: e.text })), userEvent: "input.fix" });
    this.view.focus();
  }

  /** Lights the line of a step, and brings it into view. */
  light(line: number | null): void {
    const effects: StateEffect<unknown>[] = [light.of(line)];
    if (line !== null && line >= 1 && line <= this.view.state.doc.lines) {
      effects.push(EditorView.scrollIntoView(this.view.state.doc.line(line).from, { y: "nearest", yMargin: 40 }));
    }
    this.view.dispatch({ effects });
  }

  /** Puts the cursor at a byte of the text. */
  go(start: number, end = start): void {
    const { doc } = this.view.state;
    const at = offsets(doc.toString());
    const from = Math.min(at(start), doc.length);
    const to = Math.min(at(end), doc.length);
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }

  find(): void {
    openSearchPanel(this.view);
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const before = context.matchBefore(/[A-Za-z_][\w-]*/);
    if (!before || (before.from === before.to && !context.explicit)) return null;
    const words = WORDS[this.store.language];
    const known = new Set([...words.sections, ...words.keywords, ...words.atoms]);
    const names = new Set<string>();
    for (const [name] of context.state.doc.toString().matchAll(/[A-Za-z_]\w+/g)) {
      if (!known.has(name) && name !== before.text) names.add(name);
    }
    return {
      from: before.from,
      validFor: /^[\w-]*$/,
      options: [
        ...[...known].filter((word) => word.length > 1).map((label) => ({ label, type: "keyword" })),
        ...[...names].map((label) => ({ label, type: label.startsWith("_") ? "constant" : /^[A-Z]/.test(label) ? "class" : "variable" })),
      ],
    };
  }
}

/** From bytes of UTF-8 to places in a string. */
export function offsets(text: string): (byte: number) => number {
  // eslint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return (byte) => byte;
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  return (byte) => decoder.decode(bytes.subarray(0, byte)).length;
}
