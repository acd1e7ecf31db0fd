// Writes the four TextMate grammars in syntaxes/. `node tools/grammars.mjs --check` says whether they are up to date.
//
// A grammar sees one line at a time and does not know what a name stands for; the server's semantic tokens do, and they win in editors
// that have both. Most words of the languages are keywords only in their place, so most rules look at what stands around a word.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../syntaxes/", import.meta.url));

const one = (scope, match) => ({ name: scope, match });
const parts = (match, ...scopes) => ({
  match,
  captures: Object.fromEntries(scopes.map((scope, at) => [String(at + 1), { name: scope }])),
});
const include = (...names) => names.map((name) => ({ include: `#${name}` }));
const words = (list) => `\\b(?:${list.split(" ").join("|")})\\b`;

/** What follows a name, but not a word of the language: an owner, an index, an assignment or an operator. */
const NOT_A_NAME = "(?!\\s*(?:of\\b|\\[(?!\\s*\\])|<-|<~|:=|[=<>!+*/%:,;)}]|-(?!>)))";
/** A temporal operator before its operand. */
const OPERAND = "(?=\\s*(?:[A-Za-z0-9_('!\\[¬]|<>|<))";
const DECIMAL = "\\b[0-9]+(?:\\.[0-9]+)?\\b";

/** A braced section that starts with a word at the top of a file. */
function section(language, name, begin, captures, body) {
  return {
    name: `meta.${name}.${language}`,
    begin,
    beginCaptures: captures,
    end: "(?<=\\})",
    patterns: [
      ...include("comment"),
      {
        begin: "\\{",
        beginCaptures: { 0: { name: `punctuation.section.block.begin.${language}` } },
        end: "\\}",
        endCaptures: { 0: { name: `punctuation.section.block.end.${language}` } },
        patterns: body,
      },
      one(`entity.name.type.${language}`, "\\b[A-Z]\\w*"),
    ],
  };
}

/** Braces inside of a section. They are matched in pairs, or the first `}` would end the section. */
const braces = (language, ...inside) => ({
  begin: "\\{",
  beginCaptures: { 0: { name: `punctuation.bracket.${language}` } },
  end: "\\}",
  endCaptures: { 0: { name: `punctuation.bracket.${language}` } },
  patterns: include(...inside),
});

const punctuation = (language) => [
  one(`punctuation.separator.${language}`, "[,;]"),
  one(`punctuation.bracket.${language}`, "[()\\[\\]]"),
];

function labs() {
  const k = "labs";
  const keyword = { 1: { name: `keyword.declaration.${k}` } };
  const named = { 1: { name: `keyword.declaration.${k}` }, 2: { name: `entity.name.type.${k}` } };
  return {
    name: "LAbS",
    scopeName: "source.labs",
    fileTypes: ["labs"],
    patterns: include("comment", "system", "agent", "stigmergy", "properties", "view", "expression"),
    repository: {
      comment: { patterns: [one(`comment.line.number-sign.${k}`, "#.*$")] },
      system: section(k, "system", "\\b(system)\\b", keyword, [
        parts("\\b(extern|environment|spawn)\\b(?=\\s*(?:[=:]|$))", `keyword.other.${k}`),
        ...include("process"),
      ]),
      agent: section(k, "agent", "\\b(agent)\\b(?:\\s+([A-Z]\\w*))?", named, [
        parts("\\b(interface|stigmergies)\\b(?=\\s*(?:[=:]|$))", `keyword.other.${k}`),
        parts("(?:^|(?<=[{;]))\\s*(rate)\\b(?=\\s*=)", `keyword.other.${k}`),
        ...include("process"),
      ]),
      stigmergy: section(k, "stigmergy", "\\b(stigmergy)\\b(?:\\s+([A-Z]\\w*))?", named, [
        parts("\\b(link)\\b(?=\\s*(?:[=:]|$))", `keyword.other.${k}`),
        parts("(?:^|(?<=[{;]))\\s*(rate)\\b(?=\\s*=)", `keyword.other.${k}`),
        ...include("braces", "expression"),
      ]),
      properties: section(k, "properties", "\\b(assume|check)\\b", keyword, include("comment", "definition", "formula", "braces", "expression")),
      view: section(k, "view", "\\b(view)\\b", keyword, [
        ...include("comment"),
        parts("\\b(space|floor)\\b(?=\\s*=)", `keyword.other.${k}`),
        parts("\\b(show)\\b(?=\\s+[A-Z])", `keyword.other.${k}`),
        one(`keyword.other.${k}`, "\\b(?:at|heading|colou?r|label|size)\\b(?=\\s+[a-z])"),
        one(`keyword.other.${k}`, "\\btorus\\b"),
        ...include("expression"),
      ]),
      definition: {
        patterns: [
          // In `count A a, n` and the like, an identifier before `=` would be a kind; a kind is never compared.
          parts("\\b([A-Z]\\w*)\\s*(=)(?!>)", `entity.name.function.${k}`, `keyword.operator.${k}`),
        ],
      },
      formula: {
        patterns: [
          parts(`(?:(?<==)|^)\\s*(ltl)\\b${NOT_A_NAME}`, `keyword.control.${k}`),
          parts(`(${words("always finally eventually fairly fairly_inf thereIs")})${NOT_A_NAME}`, `keyword.control.${k}`),
          // Long properties have a line of their own after `=`.
          parts(`(?:(?<==)|^)\\s*(after|between|from)\\b${NOT_A_NAME}`, `keyword.control.${k}`),
          parts(`(${words("until precedes release unless")})${NOT_A_NAME}`, `keyword.control.${k}`),
          parts(`(${words("next globally")})${OPERAND}${NOT_A_NAME}`, `keyword.control.${k}`),
          parts(`\\b([GFXURVW])\\b${OPERAND}`, `keyword.control.${k}`),
          parts("(?<=[\\w)])\\s+(can)\\s+(act|send)\\b", `keyword.other.${k}`, `keyword.other.${k}`),
          parts("(?<=[\\w)])\\s+(acts|sends)\\b", `keyword.other.${k}`),
          parts(`\\b(delivered)\\b${NOT_A_NAME.replace(")}", "}")}`, `keyword.other.${k}`),
          parts("\\b(agent)\\b(?=\\s*[0-9_(])", `keyword.other.${k}`),
          one(`keyword.operator.${k}`, "<>|\\[\\s*\\]"),
        ],
      },
      process: { patterns: include("comment", "definition", "choice", "braces", "expression") },
      braces: braces(k, "choice", "braces", "expression"),
      choice: {
        patterns: [
          one(`constant.language.${k}`, "\\b(?:Skip|Nil)\\b"),
          parts("\\b(pick)\\b(?=\\s*[0-9_(])", `keyword.other.${k}`),
          parts(`\\b(where)\\b${NOT_A_NAME}`, `keyword.other.${k}`),
          one(`entity.name.function.${k}`, "\\b[A-Z]\\w*\\b(?!\\s*(?::|[a-z]))"),
        ],
      },
      expression: {
        patterns: [
          ...include("comment"),
          parts(
            "\\b(forall|exists)\\s+([A-Z]\\w*)\\s+([a-z]\\w*)",
            `keyword.control.${k}`,
            `entity.name.type.${k}`,
            `variable.parameter.${k}`,
          ),
          parts("\\b(count)\\s+([A-Z]\\w*)\\s+([a-z]\\w*)", `keyword.control.${k}`, `entity.name.type.${k}`, `variable.parameter.${k}`),
          one(`keyword.control.${k}`, words("forall exists if then else")),
          one(`keyword.operator.word.${k}`, words("and or not of")),
          one(`constant.language.${k}`, words("true false undef")),
          one(`variable.language.${k}`, "\\bid\\b"),
          one(`support.function.${k}`, words("abs min max")),
          one(`constant.numeric.${k}`, DECIMAL),
          one(`variable.parameter.${k}`, "\\b_[a-z]\\w*"),
          one(`entity.name.type.${k}`, "\\b[A-Z]\\w*"),
          one(`variable.other.${k}`, "\\b[a-z]\\w*"),
          one(`keyword.operator.${k}`, "<--|<-|<~|:=|->|=>|\\+\\+|\\|\\||\\.\\.|<=|>=|!=|[=<>+\\-*/%:!|@]"),
          ...punctuation(k),
        ],
      },
    },
  };
}

function rcheck() {
  const k = "rcheck";
  const specification = "(?:SPEC|LTLSPEC|LTOL|LTL)";
  // What ends a specification: the next part of the script, which starts a line wherever a formatter has been.
  const part = `(?=^\\s*(?:${specification}|agent\\s+\\w|system\\s*=|enum\\s+\\w|guard\\s+\\w|channels?\\s*:|(?:message|property|communication)-))`;
  return {
    name: "R-CHECK",
    scopeName: "source.rcheck",
    fileTypes: ["rcp"],
    patterns: include("comment", "part", "specification", "agent", "command", "expression"),
    repository: {
      comment: {
        patterns: [
          one(`comment.line.double-slash.${k}`, "//.*$"),
          one(`comment.line.number-sign.${k}`, "#.*$"),
          { name: `comment.block.${k}`, begin: "/\\*", end: "\\*/" },
        ],
      },
      part: {
        patterns: [
          parts("\\b(enum)\\s+(channels?)\\b", `keyword.declaration.${k}`, `support.type.${k}`),
          parts("\\b(enum)\\s+(\\w+)", `keyword.declaration.${k}`, `entity.name.type.enum.${k}`),
          parts("\\b(agent)\\s+(\\w+)", `keyword.declaration.${k}`, `entity.name.type.${k}`),
          parts("\\b(guard)\\s+(\\w+)", `keyword.declaration.${k}`, `entity.name.function.${k}`),
          parts("\\b(system)\\b(?=\\s*=)", `keyword.declaration.${k}`),
          parts("^\\s*(channels?)\\b(?=\\s*:)", `keyword.declaration.${k}`),
          one(`keyword.declaration.${k}`, "\\b(?:message\\s*-\\s*structure|(?:property|communication)\\s*-\\s*variables)\\b"),
        ],
      },
      agent: {
        patterns: [
          parts("(?<![:,])(?<![:,]\\s)\\b(local|init|relabel|repeat)\\b(?=\\s*:(?!=))", `keyword.other.${k}`),
          parts("\\b(receive\\s*-\\s*guard)\\b", `keyword.other.${k}`),
        ],
      },
      specification: {
        name: `meta.specification.${k}`,
        begin: `\\b(${specification})\\b(?:\\s+(\\w+)\\s*(:)(?!=))?`,
        beginCaptures: {
          1: { name: `keyword.declaration.${k}` },
          2: { name: `entity.name.function.${k}` },
          3: { name: `keyword.operator.${k}` },
        },
        end: part,
        patterns: [
          ...include("comment"),
          parts("\\b(forall|exists)\\s+(\\w+)\\s*(:)", `keyword.control.${k}`, `variable.parameter.${k}`, `keyword.operator.${k}`),
          one(`keyword.operator.${k}`, "/\\\\|\\\\/|<>|\\[\\s*\\]"),
          // A word after `-` is a variable or a label of an agent, whatever it looks like.
          parts("(-)(automaton-state|state|name)\\b", `keyword.operator.${k}`, `variable.language.${k}`),
          parts("(?<=\\w)(-)(\\w+)", `keyword.operator.${k}`, `variable.other.property.${k}`),
          one(`keyword.control.${k}`, "\\b[GFXURW]\\b(?!\\s*-\\w)"),
          parts(`\\b(V|next|globally|until|releases?|unless|weakuntil|always|eventually|finally|sometime)\\b(?!-)${OPERAND}`, `keyword.control.${k}`),
          one(`support.function.${k}`, "\\benabled\\b(?=\\s*\\()"),
          one(`variable.language.${k}`, "\\b(?:p2p|getter|supplier|initiator|producer|progress|PROGRESS)\\b(?!-)"),
          ...include("expression"),
        ],
      },
      command: {
        patterns: [
          one(`keyword.control.${k}`, "\\brep\\b"),
          one(`keyword.other.${k}`, "\\b(?:GET|SUPPLY)\\b(?=\\s*@)"),
          parts("\\b(\\w+)\\s*(:)(?=\\s*[{<])", `entity.name.function.${k}`, `keyword.operator.${k}`),
        ],
      },
      expression: {
        patterns: [
          ...include("comment"),
          one(`constant.language.${k}`, "\\b(?:TRUE|FALSE|True|False|true|false)\\b"),
          one(`constant.language.${k}`, "\\bkeep-all\\b"),
          one(`support.type.${k}`, "\\b(?:bool|boolean|Bool|int|integer|Int|channels?|location)\\b"),
          one(`keyword.control.${k}`, "\\b(?:forall|exists)\\b"),
          one(`keyword.operator.word.${k}`, words("and or not implies iff")),
          one(`variable.language.${k}`, "\\b(?:sender|chan|ch|myself|SELF|any)\\b"),
          one(`constant.numeric.${k}`, "\\b[0-9]+\\b"),
          one(`variable.other.${k}`, "\\b[A-Za-z_]\\w*"),
          one(`punctuation.bracket.${k}`, "[{}]"),
          one(`keyword.operator.${k}`, ":=|<-|->|<->|\\.\\.|\\|\\||&&|==|!=|<=|>=|[*/+\\-=!<>&|:.@?∧∨¬≠≤≥→↔⟨⟩⋆←]"),
          ...punctuation(k),
        ],
      },
    },
  };
}

/** What CCS and choreographies have in common: claims about actions. */
function claims(k, label) {
  const word = (scope, list) => parts(`(${words(list)})(?!\\s*(?:[@\\[](?!\\s*\\])|$))`, scope);
  return section(k, "properties", "\\b(check)\\b(?=\\s*(?:\\{|$|#))", { 1: { name: `keyword.declaration.${k}` } }, [
    ...include("comment"),
    parts("\\b(\\w+)\\s*(=)\\s*(always|never|eventually|finally|fairly_inf|fairly|possibly|ltl)\\b", `entity.name.function.${k}`, `keyword.operator.${k}`, `keyword.control.${k}`),
    parts("\\b(\\w+)\\s*(=)", `entity.name.function.${k}`, `keyword.operator.${k}`),
    one(`keyword.operator.word.${k}`, words("not and or")),
    one(`constant.language.${k}`, words("any tau")),
    word(`keyword.control.${k}`, "precedes until unless releases release"),
    parts(`\\b(next|globally)\\b(?![@\\[])${OPERAND}(?!\\s*(?:until|unless|releases?|and|or)\\b)`, `keyword.control.${k}`),
    parts(`\\b([GFX])\\b(?![@\\[])${OPERAND}(?!\\s*(?:until|unless|releases?|and|or)\\b)`, `keyword.control.${k}`),
    parts(`(?<=[\\w)\\]])\\s+([URVW])\\b${OPERAND}`, `keyword.control.${k}`),
    one(`keyword.operator.${k}`, "<>|\\[\\s*\\]|->|!"),
    ...label,
    ...punctuation(k),
  ]);
}

function ccs() {
  const k = "ccs";
  const label = [
    parts("(')\\s*(\\w+)", `keyword.operator.${k}`, `variable.other.event.${k}`),
    one(`constant.numeric.${k}`, "\\b0\\b"),
    one(`variable.other.event.${k}`, "\\b\\w+"),
  ];
  return {
    name: "CCS",
    scopeName: "source.ccs",
    fileTypes: ["ccs"],
    patterns: [
      ...include("comment", "properties"),
      parts("\\b(proc)\\s+(\\w+)", `keyword.declaration.${k}`, `entity.name.function.${k}`),
      parts("\\b(set)\\s+(\\w+)", `keyword.declaration.${k}`, `entity.name.type.${k}`),
      parts("\\b(system)\\b(?=\\s*=)", `keyword.declaration.${k}`),
      one(`constant.language.${k}`, words("nil tau")),
      one(`constant.numeric.${k}`, "\\b0\\b"),
      parts("(')\\s*(\\w+)", `keyword.operator.${k}`, `variable.other.event.${k}`),
      // A word before `.` is an action, others are constants; a set after `\` and the like are actions, which only the server knows.
      parts("\\b(\\w+)(?=\\s*\\.)", `variable.other.event.${k}`),
      one(`entity.name.function.${k}`, "\\b[A-Z]\\w*"),
      one(`variable.other.event.${k}`, "\\b\\w+"),
      one(`keyword.operator.${k}`, "\\|\\[|\\]\\||[.+|\\\\/=]"),
      one(`punctuation.bracket.${k}`, "[{}]"),
      ...punctuation(k),
    ],
    repository: {
      comment: {
        patterns: [
          one(`comment.line.number-sign.${k}`, "#.*$"),
          parts("^\\s*(\\*.*)$", `comment.line.asterisk.${k}`),
        ],
      },
      properties: claims(k, label),
    },
  };
}

function chor() {
  const k = "chor";
  const label = [
    parts("\\b(\\w+)\\s*(@)\\s*(\\w+)", `variable.other.event.${k}`, `keyword.operator.${k}`, `variable.other.peer.${k}`),
    parts(
      "\\b(\\w+)\\s*(\\[)\\s*(\\w+)\\s*(,)\\s*(\\w+)\\s*(\\])",
      `variable.other.event.${k}`,
      `punctuation.bracket.${k}`,
      `variable.other.peer.${k}`,
      `punctuation.separator.${k}`,
      `variable.other.peer.${k}`,
      `punctuation.bracket.${k}`,
    ),
    one(`variable.other.event.${k}`, "\\b\\w+"),
    one(`keyword.operator.${k}`, "[@']"),
  ];
  return {
    name: "Choreography",
    scopeName: "source.chor",
    fileTypes: ["chor"],
    patterns: [
      ...include("comment", "properties"),
      parts("\\b(choreography)\\s+(\\w+)", `keyword.declaration.${k}`, `entity.name.function.${k}`),
      parts("\\b(skip)\\b(?!\\s*[@\\[])", `constant.language.${k}`),
      ...label,
      one(`keyword.operator.${k}`, "\\|\\||[+*=|]"),
      ...punctuation(k),
    ],
    repository: {
      comment: { patterns: [one(`comment.line.number-sign.${k}`, "#.*$")] },
      properties: claims(k, label),
    },
  };
}

let stale = 0;
for (const [name, grammar] of Object.entries({ labs: labs(), rcheck: rcheck(), ccs: ccs(), chor: chor() })) {
  const path = `${folder}${name}.tmLanguage.json`;
  const text = JSON.stringify(grammar, null, 2) + "\n";
  if (process.argv.includes("--check")) {
    if (readFileSync(path, "utf8") !== text) {
      console.error(`${name}: the grammar is not what tools/grammars.mjs writes`);
      stale += 1;
    }
  } else {
    writeFileSync(path, text);
  }
}
process.exitCode = stale;
