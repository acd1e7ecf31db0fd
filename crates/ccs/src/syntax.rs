//! What a `.ccs` file says, and reading it. The notation is that of the Concurrency Workbench: `proc P = a.'b.Q + tau.0`,
//! `P | Q`, `P \ {a, b}`, `P[b/a]`; Hoare's operator is `P |[a, b]| Q`.
//!
//! As in Milner's book, restriction and relabelling bind tightest, then prefixing, then composition, then choice.

use std::collections::HashMap;
use swarmcheck_calculi::codes;
use swarmcheck_calculi::cursor::{Cursor, TokenKind};
use swarmcheck_calculi::pieces::{self, Spelling};
use swarmcheck_calculi::property::{self, Section};
use swarmcheck_source::{Diagnostic, Diagnostics, Span, token};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// τ.
    Tau,
    Name(u32),
    /// Its co-name.
    Co(u32),
}

impl Action {
    /// ā for a, and a for ā.
    pub fn complement(self) -> Action {
        match self {
            Action::Tau => Action::Tau,
            Action::Name(name) => Action::Co(name),
            Action::Co(name) => Action::Name(name),
        }
    }

    /// The name behind it.
    pub fn name(self) -> Option<u32> {
        match self {
            Action::Tau => None,
            Action::Name(name) | Action::Co(name) => Some(name),
        }
    }
}

/// An operator that says what the outside sees of a process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operator {
    /// `\ {a, b}`: these names are not seen.
    Restrict(Vec<u32>),
    /// `[b/a]`: new name, old name.
    Relabel(Vec<(u32, u32)>),
}

impl Operator {
    /// What becomes of a name.
    pub fn apply(&self, name: u32) -> Option<u32> {
        match self {
            Operator::Restrict(names) => (!names.contains(&name)).then_some(name),
            Operator::Relabel(pairs) => {
                Some(pairs.iter().find(|(_, old)| *old == name).map_or(name, |(new, _)| *new))
            }
        }
    }
}

/// A process term.
#[derive(Clone, Debug)]
pub enum Process {
    /// `0`.
    Nil,
    /// `a.b.P`.
    Prefix(Vec<(Action, Span)>, Box<Process>),
    /// `P + Q`.
    Choice(Vec<Process>),
    /// `P | Q`.
    Par(Vec<Process>),
    /// `P |[a, b]| Q`, with the same actions throughout.
    Hoare(Vec<Action>, Vec<Process>),
    /// `P \ {a}[c/b]`: operators, the innermost first.
    Seen(Box<Process>, Vec<Operator>),
    /// A constant; its number, once it is known.
    Constant(usize, String, Span),
}

impl Process {
    /// The processes directly below.
    pub fn parts(&self) -> &[Process] {
        match self {
            Process::Nil | Process::Constant(..) => &[],
            Process::Prefix(_, body) | Process::Seen(body, _) => std::slice::from_ref(body),
            Process::Choice(parts) | Process::Par(parts) | Process::Hoare(_, parts) => parts,
        }
    }

    /// The same, to change them.
    pub fn parts_mut(&mut self) -> &mut [Process] {
        match self {
            Process::Nil | Process::Constant(..) => &mut [],
            Process::Prefix(_, body) | Process::Seen(body, _) => std::slice::from_mut(body),
            Process::Choice(parts) | Process::Par(parts) | Process::Hoare(_, parts) => parts,
        }
    }
}

/// A definition `proc name = body`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The constant.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// What it stands for.
    pub body: Process,
}

#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// The names of actions, by number.
    pub names: Vec<String>,
    pub definitions: Vec<Definition>,
    /// The definition that is the system.
    pub system: usize,
    /// Claims about it.
    pub properties: Section,
}

impl Specification {
    /// An action as the file writes it.
    pub fn label(&self, action: Action) -> String {
        match action {
            Action::Tau => "tau".to_string(),
            Action::Name(name) => self.names[name as usize].clone(),
            Action::Co(name) => format!("'{}", self.names[name as usize]),
        }
    }
}

/// The characters that are no words.
pub(crate) const SIGNS: &str = "'.+|\\{}[](),;=/<>-!";

const DECLARATIONS: &[&str] = &["proc", "set", "system", "check"];

/// The pieces of a text, comments included.
pub fn pieces(text: &str) -> Vec<token::Token> {
    let spelling = Spelling { signs: SIGNS, joined: &["|[", "]|", "->", "<>"], reserved: DECLARATIONS };
    pieces::pieces(text, spelling)
}

/// Reads a file. Declarations that cannot be read are left out.
pub fn parse(text: &str) -> (Specification, Diagnostics) {
    let cursor = Cursor::new(text, SIGNS);
    let mut parser = Parser {
        cursor,
        names: HashMap::new(),
        sets: HashMap::new(),
        first: vec![],
        out: Default::default(),
    };
    let mut system = None;
    while parser.cursor.peek().kind != TokenKind::End {
        if parser.declaration(&mut system).is_none() {
            // A word that begins a declaration may itself be the mistake.
            parser.cursor.advance();
            parser.cursor.skip_to(DECLARATIONS);
        }
    }
    let Parser { mut cursor, mut out, sets, first, .. } = parser;
    // A set that is used before it is defined, or inside braces, has been read as an action.
    for (name, span) in first.into_iter().filter(|(name, _)| sets.contains_key(name)) {
        let message = format!("`{name}` is a set and cannot be an action");
        let error = Diagnostic::error(codes::SET, span, message);
        cursor.diagnostics.push(error.help("define a set before it is used, and use it without braces"));
    }
    out.system = system.unwrap_or(out.definitions.len().saturating_sub(1));
    (out, cursor.diagnostics)
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    names: HashMap<&'t str, u32>,
    sets: HashMap<&'t str, Vec<Action>>,
    /// Where each name occurs first.
    first: Vec<(&'t str, Span)>,
    out: Specification,
}

impl<'t> Parser<'t> {
    fn declaration(&mut self, system: &mut Option<usize>) -> Option<()> {
        let keyword = self.cursor.peek();
        if self.cursor.take_word("proc") {
            let token = self.cursor.name("the name of a process")?;
            self.define(self.cursor.text(token).to_string(), token.span)
        } else if self.cursor.take_word("system") {
            *system = Some(self.out.definitions.len());
            self.define("system".to_string(), keyword.span)
        } else if self.cursor.take_word("set") {
            let token = self.cursor.name("the name of a set")?;
            self.cursor.expect('=')?;
            let actions = self.set()?;
            let name = self.cursor.text(token);
            if self.sets.insert(name, actions).is_some() {
                let message = format!("the set `{name}` is defined twice");
                self.cursor.diagnostics.push(Diagnostic::error(codes::DUPLICATE, token.span, message));
            }
            Some(())
        } else if self.cursor.take_word("check") {
            let label = |cursor: &mut Cursor<'_>| {
                let bar = if cursor.take('\'') { "'" } else { "" };
                let token = cursor.name("an action")?;
                Some(format!("{bar}{}", cursor.text(token)))
            };
            property::section(&mut self.cursor, &label, &mut self.out.properties)
        } else {
            self.cursor.wrong_word("`proc`, `set`, `system` or `check`", DECLARATIONS)
        }
    }

    fn define(&mut self, name: String, span: Span) -> Option<()> {
        self.cursor.expect('=')?;
        let body = self.choice()?;
        self.cursor.take(';');
        self.out.definitions.push(Definition { name, span, body });
        Some(())
    }

    /// `P + Q`.
    fn choice(&mut self) -> Option<Process> {
        let mut parts = vec![self.composition()?];
        while self.cursor.take('+') {
            parts.push(self.composition()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Process::Choice(parts) })
    }

    /// `P | Q` and `P |[a]| Q`, from left to right; neighbours with the same operator are one composition.
    fn composition(&mut self) -> Option<Process> {
        let mut left = self.prefix()?;
        let mut changes = 0;
        while self.cursor.take('|') {
            let mut hoare = None;
            if self.cursor.sees('[') {
                hoare = Some(self.actions('[', ']')?);
                self.cursor.expect('|')?;
            }
            let right = self.prefix()?;
            match (&mut left, &hoare) {
                (Process::Par(parts), None) => parts.push(right),
                (Process::Hoare(before, parts), Some(now)) if before == now => parts.push(right),
                _ => {
                    changes += 1;
                    // Every change of the operator nests what is to the left one level deeper.
                    self.cursor.enter()?;
                    left = match hoare {
                        None => Process::Par(vec![left, right]),
                        Some(actions) => Process::Hoare(actions, vec![left, right]),
                    };
                }
            }
        }
        self.cursor.leave(changes);
        Some(left)
    }

    /// `a.b.P`.
    fn prefix(&mut self) -> Option<Process> {
        let mut actions = vec![];
        while self.cursor.sees('\'')
            || (self.cursor.peek().kind == TokenKind::Word
                && self.cursor.ahead(1).kind == TokenKind::Sign('.'))
        {
            let first = self.cursor.peek().span;
            let action = self.action()?;
            let last = self.cursor.peek().span;
            self.cursor.expect('.')?;
            actions.push((action, Span { start: first.start, end: last.start }));
        }
        let body = self.seen()?;
        Some(if actions.is_empty() { body } else { Process::Prefix(actions, Box::new(body)) })
    }

    /// `P \ {a}[c/b]`.
    fn seen(&mut self) -> Option<Process> {
        let inner = self.atom()?;
        let mut operators = vec![];
        loop {
            if self.cursor.take('\\') {
                let names = self.set()?.into_iter().filter_map(Action::name).collect();
                operators.push(Operator::Restrict(names));
            } else if self.cursor.take('[') {
                let mut pairs = vec![];
                loop {
                    let new = self.name()?;
                    self.cursor.expect('/')?;
                    pairs.push((new, self.name()?));
                    if !self.cursor.take(',') {
                        break;
                    }
                }
                self.cursor.expect(']')?;
                operators.push(Operator::Relabel(pairs));
            } else {
                return Some(match operators.is_empty() {
                    true => inner,
                    false => Process::Seen(Box::new(inner), operators),
                });
            }
        }
    }

    fn atom(&mut self) -> Option<Process> {
        if self.cursor.take('(') {
            // All recursion is through parentheses, so this bounds the depth of every term.
            self.cursor.enter()?;
            let inner = self.choice()?;
            self.cursor.leave(1);
            self.cursor.expect(')')?;
            return Some(inner);
        }
        if DECLARATIONS.iter().any(|word| self.cursor.sees_word(word)) {
            return self.cursor.wrong("a process");
        }
        let token = self.cursor.name("a process")?;
        Some(match self.cursor.text(token) {
            "0" | "nil" => Process::Nil,
            name => Process::Constant(usize::MAX, name.to_string(), token.span),
        })
    }

    fn action(&mut self) -> Option<Action> {
        if self.cursor.take('\'') {
            return Some(Action::Co(self.name()?));
        }
        if self.cursor.take_word("tau") {
            return Some(Action::Tau);
        }
        Some(Action::Name(self.name()?))
    }

    /// The number of a name.
    fn name(&mut self) -> Option<u32> {
        let token = self.cursor.name("the name of an action")?;
        let text = self.cursor.text(token);
        if text == "tau" || text == "0" || text == "nil" {
            let message = format!("`{text}` is not the name of an action");
            self.cursor.diagnostics.push(Diagnostic::error(codes::SYNTAX, token.span, message));
            return None;
        }
        let next = self.names.len() as u32;
        let number = *self.names.entry(text).or_insert(next);
        if number == next {
            self.out.names.push(text.to_string());
            self.first.push((text, token.span));
        }
        Some(number)
    }

    /// `{a, b}`, a single name, or the name of a set.
    fn set(&mut self) -> Option<Vec<Action>> {
        if self.cursor.sees('{') {
            return self.actions('{', '}');
        }
        let known = self.sets.get(self.cursor.text(self.cursor.peek())).cloned();
        match known {
            Some(set) => {
                self.cursor.advance();
                Some(set)
            }
            None => Some(vec![Action::Name(self.name()?)]),
        }
    }

    fn actions(&mut self, open: char, close: char) -> Option<Vec<Action>> {
        self.cursor.expect(open)?;
        let mut out = vec![];
        while !self.cursor.take(close) {
            out.push(self.action()?);
            if !self.cursor.take(',') {
                self.cursor.expect(close)?;
                break;
            }
        }
        Some(out)
    }
}
