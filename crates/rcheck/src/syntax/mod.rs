//! From text to a syntax tree: the spelling of the article and that of the authors' present tool are both read.
//!
//! Parsing never fails: what cannot be read becomes a diagnostic, and reading goes on with the next section.

pub mod ast;
pub(crate) mod expr;
mod grouping;
mod misspelt;
mod process;
mod readings;

pub use readings::Precedence;

use crate::codes;
use ast::{Agent, Expr, Guard, Instance, Name, Node, Script, Spec, TypeName, Variable};
use swarmcheck_calculi::codes::SYNTAX;
use swarmcheck_calculi::cursor::{Cursor, TokenKind};
use swarmcheck_calculi::pieces::{self, Spelling};
use swarmcheck_source::{Diagnostic, Diagnostics, Fix, Severity, Span, token};

/// The characters that are no words.
pub(crate) const SIGNS: &str = "*/+-=!<>&|:;,.(){}[]@?\\∧∨¬≠≤≥→↔⟨⟩⋆←";

/// Words that begin a part of a script.
pub(crate) const PARTS: &[&str] =
    &["channel", "channels", "enum", "message", "property", "communication", "guard", "agent", "system"];
/// Words that begin a specification.
pub(crate) const SPECS: &[&str] = &["SPEC", "LTL", "LTOL", "LTLSPEC"];
/// Words that begin a part of an agent.
pub(crate) const AGENT_PARTS: &[&str] = &["local", "init", "relabel", "receive", "repeat"];
/// Words that are no names.
pub const RESERVED: &[&str] = &[
    "F", "G", "X", "U", "R", "W", "TRUE", "FALSE", "true", "false", "rep", "forall", "exists", "channel",
    "myself", "SELF", "any", "GET", "SUPPLY", "sender", "bool", "int", "location", "SPEC", "LTL", "LTOL",
    "LTLSPEC", "agent", "system", "guard", "enum",
];

/// Signs that belong together where nothing stands between them.
const JOINED: &[&str] =
    &["<->", ":=", "<-", "->", "==", "!=", "<=", ">=", "&&", "||", "/\\", "\\/", "..", "<>"];

/// The pieces of a text, comments included.
pub fn pieces(text: &str) -> Vec<token::Token> {
    pieces::pieces(text, Spelling { signs: SIGNS, joined: JOINED, reserved: RESERVED })
}

/// So many errors of syntax are told.
const MOST_ERRORS: usize = 50;

/// Reads a script. Where nobody has chosen, specifications that can be read in two ways have two formulas.
pub fn parse(text: &str, chosen: Option<Precedence>) -> (Script, Diagnostics) {
    let mut parser = Parser {
        cursor: Cursor::new(text, SIGNS),
        narrow: false,
        level: 0,
        operators: 0,
        groups: 0,
        chosen,
        precedence: chosen.unwrap_or(Precedence::Conventional),
    };
    let mut script = Script::default();
    while parser.cursor.peek().kind != TokenKind::End {
        let declares = !SPECS.contains(&parser.cursor.text(parser.cursor.peek()));
        let before = parser.cursor.peek().span;
        let errors = parser.errors();
        let read = parser.part(&mut script);
        script.broken |= declares && parser.errors() > errors;
        if read.is_none() {
            script.lost |= declares;
            // At least one word is left behind, or reading would not end.
            if parser.cursor.peek().span == before {
                parser.cursor.advance();
            }
            parser.recover(begins_part);
        }
    }
    (script, limited(parser.cursor.diagnostics))
}

/// The first errors of syntax, and how many more there are. Nobody reads hundreds, and most of them follow from others. Errors of
/// other kinds are all told.
fn limited(all: Diagnostics) -> Diagnostics {
    let mut out = Diagnostics::default();
    // While a file is parsed, nearly all errors are of this kind.
    let left_out = all.errors_left_out();
    let (mut errors, mut more) = (0, None);
    for one in all.into_sorted() {
        let counts = one.severity == Severity::Error && one.code == SYNTAX;
        errors += usize::from(counts);
        if counts && errors > MOST_ERRORS {
            more.get_or_insert(one.primary.span);
        } else {
            out.push(one);
        }
    }
    if let Some(span) = more {
        let message = match errors - MOST_ERRORS + left_out {
            1 => "there is one more error of syntax, from here on".to_string(),
            more => format!("there are {more} more errors of syntax, from here on"),
        };
        out.push(Diagnostic::error(SYNTAX, span, message));
    }
    out
}

/// The first parenthesis of a text that closes nothing. Those in comments do not count.
pub fn closes_nothing(text: &str) -> Option<Span> {
    let mut cursor = Cursor::new(text, SIGNS);
    let mut depth = 0;
    loop {
        let token = cursor.advance();
        match token.kind {
            TokenKind::End => return None,
            TokenKind::Sign('(') => depth += 1,
            TokenKind::Sign(')') if depth == 0 => return Some(token.span),
            TokenKind::Sign(')') => depth -= 1,
            _ => {}
        }
    }
}

/// The first temporal operator of a text that has a word.
pub fn temporal_word(text: &str) -> Option<Span> {
    let mut cursor = Cursor::new(text, SIGNS);
    loop {
        let token = cursor.advance();
        match token.kind {
            TokenKind::End => return None,
            TokenKind::Word if ["G", "F", "X", "U", "W", "R"].contains(&cursor.text(token)) => {
                return Some(token.span);
            }
            _ => {}
        }
    }
}

/// Whether a part of a script begins here. Words alone do not tell: `channel` is a type, too, and `receive-guard`
/// ends like a part begins.
fn begins_part(cursor: &Cursor<'_>) -> bool {
    let (word, next) = (cursor.text(cursor.peek()), cursor.ahead(1).kind);
    match word {
        "channel" | "channels" => next == TokenKind::Sign(':'),
        "message" | "property" | "communication" => next == TokenKind::Sign('-'),
        "system" => next == TokenKind::Sign('='),
        "enum" | "guard" | "agent" => next == TokenKind::Word,
        _ => SPECS.contains(&word),
    }
}

/// Whether a part of an agent begins here.
fn begins_agent_part(cursor: &Cursor<'_>) -> bool {
    let (word, next) = (cursor.text(cursor.peek()), cursor.ahead(1).kind);
    match word {
        "receive" => next == TokenKind::Sign('-'),
        _ => AGENT_PARTS.contains(&word) && next == TokenKind::Sign(':'),
    }
}

/// Whether a part of a script or of an agent begins here.
fn begins_anything(cursor: &Cursor<'_>) -> bool {
    begins_part(cursor) || begins_agent_part(cursor)
}

pub(super) struct Parser<'t> {
    cursor: Cursor<'t>,
    /// Between `<` and `>`, where these cannot be comparisons.
    narrow: bool,
    /// How many expressions are around the current one.
    level: usize,
    /// How many operators that make a tree deeper the outermost expression has so far.
    operators: usize,
    /// How many parentheses of processes are open.
    groups: usize,
    /// What the user wants.
    chosen: Option<Precedence>,
    /// How the current expression is read.
    precedence: Precedence,
}

impl Parser<'_> {
    /// Goes on where something begins.
    fn recover(&mut self, begins: impl Fn(&Cursor<'_>) -> bool) {
        self.cursor.skip_until(begins);
        self.narrow = false;
        self.level = 0;
    }

    fn part(&mut self, script: &mut Script) -> Option<()> {
        let word = self.meant_part();
        match word {
            "channel" | "channels" => {
                self.cursor.advance();
                self.cursor.expect(':')?;
                script.channels.extend(self.names("the name of a channel")?);
            }
            "enum" => {
                self.cursor.advance();
                let name = self.name("the name of the enumeration")?;
                self.cursor.expect('{')?;
                let cases = self.names("a value")?;
                self.cursor.expect('}')?;
                if matches!(name.text.as_str(), "channel" | "channels") {
                    script.channels.extend(cases);
                } else {
                    script.enums.push((name, cases));
                }
            }
            "message" => {
                self.hyphenated("message", "structure")?;
                script.messages.extend(self.declared()?);
            }
            "property" | "communication" => {
                self.hyphenated(word, "variables")?;
                script.properties.extend(self.declared()?);
            }
            "guard" => {
                self.cursor.advance();
                let name = self.name("the name of the guard")?;
                self.cursor.expect('(')?;
                let parameters = if self.cursor.sees(')') { vec![] } else { self.variables()? };
                self.cursor.expect(')')?;
                self.define()?;
                let body = self.expr()?;
                self.cursor.take(';');
                script.guards.push(Guard { name, parameters, body });
            }
            "agent" => {
                self.cursor.advance();
                let agent = self.agent()?;
                script.agents.push(agent);
            }
            "system" => {
                self.cursor.advance();
                self.cursor.expect('=')?;
                loop {
                    let instance = self.instance()?;
                    script.system.push(instance);
                    if !self.cursor.take('|') {
                        break;
                    }
                    self.cursor.take('|');
                }
                self.cursor.take(';');
            }
            _ if SPECS.contains(&word) => {
                self.cursor.advance();
                let named = self.cursor.peek().kind == TokenKind::Word
                    && self.cursor.ahead(1).kind == TokenKind::Sign(':');
                let name = if named { Some(self.name("a name")?) } else { None };
                if named {
                    self.cursor.expect(':')?;
                }
                let (formula, other) = self.both()?;
                let words = |e| readings::show(e, self.cursor.whole());
                let fixes = other
                    .as_ref()
                    .map(|other| [&formula, other].map(|e| readings::parentheses(e, self.cursor.whole())));
                let readings = other.as_ref().map(|other| [words(&formula), words(other)]);
                self.cursor.take(';');
                self.end_of_formula()?;
                script.specs.push(Spec { name, formula, other, readings, fixes });
            }
            _ => {
                return self.cursor.wrong(
                    "`channels`, `enum`, `message-structure`, `property-variables`, `guard`, `agent`, `system` or `SPEC`",
                );
            }
        }
        Some(())
    }

    /// `first-second :`; that the first word is meant is known.
    fn hyphenated(&mut self, first: &str, second: &str) -> Option<()> {
        self.cursor.advance();
        self.cursor.expect('-')?;
        if !self.cursor.take_word(second) {
            let token = self.cursor.peek();
            let fix = (token.kind == TokenKind::Word)
                .then(|| Fix::replace(token.span, second, format!("write `{first}-{second}`")));
            return self.cursor.wrong_but(&format!("`{first}-{second}`"), None, fix);
        }
        self.cursor.expect(':')
    }

    fn define(&mut self) -> Option<()> {
        if self.cursor.take_all(":=") {
            return Some(());
        }
        let (token, next) = (self.cursor.peek(), self.cursor.ahead(1));
        let place = match token.kind {
            TokenKind::Sign('=' | ':' | '←') => Some(token.span),
            TokenKind::Sign('<') if self.cursor.sees_all("<-") => Some(token.span.to(next.span)),
            _ => None,
        };
        let fix = place.map(|place| Fix::replace(place, ":=", "write `:=`"));
        self.cursor.wrong_but("`:=`", None, fix)
    }

    fn name(&mut self, what: &str) -> Option<Name> {
        let token = self.cursor.name(what)?;
        Some(Name { text: self.cursor.text(token).to_string(), span: token.span })
    }

    fn names(&mut self, what: &str) -> Option<Vec<Name>> {
        let mut out = vec![self.name(what)?];
        while self.cursor.take(',') {
            out.push(self.name(what)?);
        }
        Some(out)
    }

    /// What a part declares, which may be nothing.
    fn declared(&mut self) -> Option<Vec<Variable>> {
        let empty = begins_part(&self.cursor) || self.cursor.peek().kind == TokenKind::End;
        if empty { Some(vec![]) } else { self.variables() }
    }

    /// `x : t, y : t`; the comma may be left out at the end of a line.
    fn variables(&mut self) -> Option<Vec<Variable>> {
        let mut out = vec![];
        loop {
            let name = self.name("the name of a variable")?;
            self.cursor.expect(':')?;
            let start = self.cursor.peek().span;
            let ty = self.type_name()?;
            let ty_span = Span { start: start.start, end: self.cursor.before() };
            out.push(Variable { name, ty, ty_span });
            let comma = self.cursor.take(',');
            let word = self.cursor.text(self.cursor.peek());
            let more = self.cursor.peek().kind == TokenKind::Word
                && self.cursor.ahead(1).kind == TokenKind::Sign(':')
                && !AGENT_PARTS.contains(&word)
                && !PARTS.contains(&word)
                && (comma || !self.is_slip_of_part());
            if !comma && !more {
                return Some(out);
            }
        }
    }

    fn type_name(&mut self) -> Option<TypeName> {
        if self.cursor.sees('-') || self.number().is_some() {
            let low = self.signed()?;
            if !self.cursor.take_all("..") {
                return self.cursor.wrong("`..`");
            }
            return Some(TypeName::Range(low, self.signed()?));
        }
        let name = self.name("a type")?;
        Some(match name.text.as_str() {
            "bool" | "boolean" | "Bool" => TypeName::Bool,
            "int" | "integer" | "Int" => TypeName::Int,
            "channel" | "channels" => TypeName::Channel,
            "location" => TypeName::Location,
            _ => TypeName::Named(name.text),
        })
    }

    /// The number at the current place.
    fn number(&self) -> Option<i64> {
        self.cursor.text(self.cursor.peek()).parse().ok()
    }

    fn signed(&mut self) -> Option<i64> {
        let negative = self.cursor.take('-');
        let Some(value) = self.number() else { return self.cursor.wrong("a number") };
        self.cursor.advance();
        Some(if negative { -value } else { value })
    }

    fn agent(&mut self) -> Option<Agent> {
        let name = self.name("the name of the agent type")?;
        let mut agent = Agent::new(name);
        loop {
            let word = self.meant_agent_part();
            let part = self.agent_part(&mut agent, word);
            match part {
                Some(true) => {}
                Some(false)
                    if self.cursor.peek().kind == TokenKind::End
                        || begins_part(&self.cursor)
                        || misspelt::part(&self.cursor).is_some() =>
                {
                    return Some(agent);
                }
                Some(false) => {
                    let words = "`local`, `init`, `relabel`, `receive-guard`, `repeat` or the next part of the script";
                    self.cursor.wrong::<()>(words);
                    self.recover_agent(&mut agent);
                }
                None => self.recover_agent(&mut agent),
            }
        }
    }

    fn recover_agent(&mut self, agent: &mut Agent) {
        agent.broken = true;
        self.recover(|cursor| begins_agent_part(cursor) || begins_part(cursor));
    }

    /// Reads a part of an agent; false if there is no more of it.
    fn agent_part(&mut self, agent: &mut Agent, word: &str) -> Option<bool> {
        match word {
            "local" => {
                self.cursor.advance();
                self.cursor.expect(':')?;
                let named = self.cursor.ahead(1).kind == TokenKind::Sign(':');
                let empty = AGENT_PARTS.contains(&self.cursor.text(self.cursor.peek()));
                if named && !empty {
                    let locals = self.variables()?;
                    self.not_reserved(&locals);
                    agent.locals.extend(locals);
                }
            }
            "init" => {
                self.cursor.advance();
                self.cursor.expect(':')?;
                agent.init.push(self.expr()?);
            }
            "relabel" => {
                self.cursor.advance();
                self.cursor.expect(':')?;
                loop {
                    let named = self.cursor.peek().kind == TokenKind::Word;
                    if !named || !matches!(self.cursor.ahead(1).kind, TokenKind::Sign('<' | '←')) {
                        break;
                    }
                    let variable = self.name("a property variable")?;
                    if !self.cursor.take('←') && !self.cursor.take_all("<-") {
                        return self.cursor.wrong("`<-`");
                    }
                    let value = self.expr()?;
                    self.cursor.take(',');
                    agent.relabel.push((variable, value));
                }
            }
            "receive" => {
                self.hyphenated("receive", "guard")?;
                agent.receive_guard = Some(self.expr()?);
            }
            "repeat" => {
                self.cursor.advance();
                self.cursor.expect(':')?;
                agent.repeat = Some(self.process()?);
            }
            _ => return Some(false),
        }
        Some(true)
    }

    /// Tells of variables that are called like a word of the language. It is told here, because an agent in which such a name
    /// cannot be read is not looked at any further.
    fn not_reserved(&mut self, variables: &[Variable]) {
        for name in variables.iter().map(|variable| &variable.name) {
            if RESERVED.contains(&name.text.as_str()) {
                let message = format!("`{}` cannot be used as a name", name.text);
                self.cursor.diagnostics.push(Diagnostic::error(codes::RESERVED, name.span, message));
            }
        }
    }

    fn instance(&mut self) -> Option<Instance> {
        let agent = self.name("an agent type")?;
        if !self.cursor.sees('(') {
            let help = format!(
                "an agent has a name and a condition on its initial values: `{}(name, true)`",
                agent.text
            );
            return self.wrong_but("`(`", help, None);
        }
        self.cursor.advance();
        let name = self.name("the name of the agent")?;
        if self.cursor.sees(')') {
            let help = format!(
                "write `{}({}, true)`: after the name comes a condition on the initial values, or `true`",
                agent.text, name.text
            );
            let fix = Fix::insert(self.cursor.before(), ", true", "insert `, true`");
            self.wrong_but::<()>("`,` and the initial condition", help, Some(fix));
            let span = self.cursor.advance().span;
            return Some(Instance { agent, name, init: Expr { node: Node::Bool(true), span } });
        }
        self.cursor.expect(',')?;
        let init = self.expr()?;
        self.cursor.expect(')')?;
        Some(Instance { agent, name, init })
    }
}
