// How the four languages are coloured and completed. The words are those of the lexers in crates/{labs,rcheck,calculi,ccs,chor}.

import { StreamLanguage, type StreamParser, type StringStream } from "@codemirror/language";
import type { Language } from "./store";

interface Words {
  sections: string[];
  keywords: string[];
  atoms: string[];
  comment: "#" | "//";
}

const TIME = ["always", "eventually", "finally", "fairly", "fairly_inf", "never", "possibly", "precedes", "until", "unless", "release", "next", "ltl"];

export const WORDS: Record<Language, Words> = {
  labs: {
    sections: ["system", "agent", "stigmergy", "assume", "check", "view"],
    keywords: [
      "extern", "environment", "spawn", "interface", "stigmergies", "link", "always", "eventually", "finally", "fairly", "fairly_inf",
      "after", "until", "between", "from", "precedes", "forall", "exists", "count", "and", "or", "not", "of", "if", "then", "else", "pick", "where",
      "min", "max", "abs", "space", "show", "at", "heading", "colour", "label", "floor", "torus",
    ],
    atoms: ["true", "false", "undef", "id", "Skip", "Nil"],
    comment: "#",
  },
  rcheck: {
    sections: ["agent", "system", "enum", "message-structure", "communication-variables", "property-variables", "SPEC", "LTLSPEC"],
    keywords: [
      "local", "init", "relabel", "receive-guard", "repeat", "rep", "guard", "channel", "channels", "bool", "boolean", "int", "integer", "forall", "exists",
      "G", "F", "X", "U", "W", "R", "sender", "chan", "and", "or", "not", "implies", "iff", "globally", "next", "location", "automaton-state",
    ],
    atoms: ["TRUE", "FALSE", "true", "false", "SELF", "GET", "SUPPLY"],
    comment: "//",
  },
  ccs: { sections: ["proc", "set", "system", "check"], keywords: [...TIME, "and", "or", "not"], atoms: ["nil", "tau", "any", "end"], comment: "#" },
  chor: { sections: ["choreography", "peers", "check"], keywords: [...TIME, "and", "or", "not"], atoms: ["skip", "tau", "any", "end"], comment: "#" },
};

interface Coming {
  block: boolean;
}

function parser(words: Words): StreamParser<Coming> {
  const sections = new Set(words.sections);
  const keywords = new Set(words.keywords);
  const atoms = new Set(words.atoms);
  const dashed = words.comment === "//" ? /^[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z][A-Za-z0-9_]*)?/ : /^[A-Za-z][A-Za-z0-9_]*/;
  return {
    startState: () => ({ block: false }),
    token(stream: StringStream, state: Coming): string | null {
      if (state.block) {
        if (stream.skipTo("*/")) {
          stream.match("*/");
          state.block = false;
        } else stream.skipToEnd();
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (stream.match(words.comment)) {
        stream.skipToEnd();
        return "comment";
      }
      if (words.comment === "//" && stream.match("/*")) {
        state.block = true;
        return "comment";
      }
      if (stream.match(/^\d+/)) return "number";
      if (stream.match(/^_[A-Za-z][A-Za-z0-9_]*/)) return "macroName";
      if (words.comment === "#" && stream.match(/^'[a-z][A-Za-z0-9_]*/)) return "propertyName";
      const word = stream.match(dashed) as RegExpMatchArray | null;
      if (word) {
        const text = word[0];
        if (sections.has(text)) return "definitionKeyword";
        if (keywords.has(text)) return "keyword";
        if (atoms.has(text)) return "atom";
        if (text.includes("-")) {
          stream.backUp(text.length - text.indexOf("-"));
          return "variableName";
        }
        return /^[A-Z]/.test(text) ? "typeName" : "variableName";
      }
      if (stream.match(/^(?:<--|<-|<~|->|=>|:=|\+\+|\|\||&&|==|!=|<=|>=|\.\.)/)) return "operator";
      const character = stream.next() ?? "";
      if ("{}()[]".includes(character)) return "bracket";
      return "+-*/%<>=!?@&|;:\\".includes(character) ? "operator" : null;
    },
    languageData: { commentTokens: { line: words.comment }, closeBrackets: { brackets: ["(", "[", "{"] } },
  };
}

const made = new Map<Language, StreamLanguage<Coming>>();

export function languageSupport(language: Language): StreamLanguage<Coming> {
  let support = made.get(language);
  if (!support) {
    support = StreamLanguage.define(parser(WORDS[language]));
    made.set(language, support);
  }
  return support;
}
