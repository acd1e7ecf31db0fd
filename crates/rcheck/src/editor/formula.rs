//! The names in a specification: agents, bound or of the system, with their variables and labels.

use super::index::{Names, is_keep_all, is_member};
use super::outline::Section;
use super::{Tokens, is_reserved};
use crate::syntax::{PARTS, SPECS};
use swarmcheck_ir::linear::words::{BinaryOperator, UnaryOperator};
use swarmcheck_source::index::{Role, SymbolKind};

/// More brackets and quantifiers around a place than these are not followed: the parser refuses so many.
const MOST_NESTED: usize = 200;

/// The agent types that an agent may be of.
enum Range {
    Everybody,
    Kinds(Vec<usize>),
}

/// An agent that a quantifier binds.
struct Bound<'t> {
    name: &'t str,
    ranges: Range,
    symbol: usize,
    /// How many brackets are open around the quantifier, which reaches to the end of the innermost one.
    depth: usize,
}

/// Where reading has come to.
#[derive(Default)]
pub(super) struct Formula<'t> {
    bound: Vec<Bound<'t>>,
    /// Open brackets; `<` is one only where an observation begins.
    pub open: Vec<char>,
    /// An operand has just ended.
    pub ended: bool,
}

impl Formula<'_> {
    pub fn is_observation(&self) -> bool {
        self.open.iter().any(|bracket| matches!(bracket, '<' | '[' | '⟨'))
    }

    /// Takes a sign; how many tokens belong to it.
    pub fn sign(&mut self, tokens: &Tokens<'_>, at: usize, sign: char) -> usize {
        let ended = std::mem::replace(&mut self.ended, false);
        if !ended && (tokens.sees(at, "[]") || tokens.sees(at, "<>")) {
            return 2;
        }
        match sign {
            '(' | '[' | '⟨' => self.push(sign),
            '<' if !ended => self.push(sign),
            ')' => {
                self.close('(');
                self.ended = true;
            }
            ']' => self.close('['),
            '⟩' => self.close('⟨'),
            '>' if self.open.last() == Some(&'<') => {
                let arrow = at.checked_sub(1).is_some_and(|before| tokens.sees(before, "->"));
                if !arrow && !tokens.sees(at, ">=") {
                    self.open.pop();
                }
            }
            // Broadcast, where an operand belongs.
            '*' | '⋆' => self.ended = !ended,
            _ => {}
        }
        1
    }

    fn push(&mut self, bracket: char) {
        if self.open.len() < MOST_NESTED {
            self.open.push(bracket);
        }
    }

    /// Closes a bracket, and those inside of it that were left open.
    fn close(&mut self, bracket: char) {
        if let Some(at) = self.open.iter().rposition(|open| *open == bracket) {
            self.open.truncate(at);
        }
    }
}

/// Whether a word is an operator where it stands.
pub(super) fn is_operator(tokens: &Tokens<'_>, at: usize, ended: bool) -> bool {
    let word = tokens.word(at);
    let reserved = is_reserved(word);
    let unary = UnaryOperator::named(word).is_some() && !ended;
    let binary = BinaryOperator::named(word).is_some() && ended;
    (unary && (reserved || begins_operand(tokens, at + 1) && !tokens.is_joined(at)))
        || (binary && (reserved || begins_operand(tokens, at + 1)))
}

/// Whether an operand begins at a token. Words that begin a part of the script do not.
fn begins_operand(tokens: &Tokens<'_>, at: usize) -> bool {
    let word = tokens.word(at);
    match tokens.sign(at) {
        None if tokens.is_word(at) => {
            !SPECS.contains(&word) && !PARTS.contains(&word) && !tokens.is_sign(at + 1, ':')
        }
        None => false,
        Some(sign) => matches!(sign, '(' | '!' | '¬' | '@') || tokens.sees(at, "[]") || tokens.sees(at, "<>"),
    }
}

impl<'t> Names<'t, '_> {
    pub(super) fn specification(&mut self, section: Section) {
        let tokens = self.tokens;
        let mut at = section.body;
        let named = tokens.is_word(at) && tokens.is_sign(at + 1, ':');
        let container = named.then(|| {
            let extent = tokens.range(section.first, section.end);
            self.builder.declare(SymbolKind::Property, tokens.word(at), tokens.span(at), extent, None)
        });
        at += if named { 2 } else { 0 };
        let mut formula = Formula::default();
        while at < section.end {
            at += match tokens.sign(at) {
                Some(sign) => {
                    let length = formula.sign(tokens, at, sign);
                    self.unbind(&mut formula, at);
                    length
                }
                None => self.formula_word(&mut formula, at, section.end, container),
            }
            .max(1);
        }
        formula.open.clear();
        formula.bound.iter_mut().for_each(|bound| bound.depth += 1);
        self.unbind(&mut formula, section.end);
    }

    /// Quantifiers inside a bracket that was closed are over. They reach to the token before it.
    fn unbind(&mut self, formula: &mut Formula<'t>, at: usize) {
        while let Some(bound) = formula.bound.last().filter(|bound| bound.depth > formula.open.len()) {
            let last = at.saturating_sub(1);
            self.builder.extend(bound.symbol, self.tokens.span(last).end);
            formula.bound.pop();
        }
    }

    /// A word of a formula; how many tokens were read.
    fn formula_word(
        &mut self,
        formula: &mut Formula<'t>,
        at: usize,
        end: usize,
        container: Option<usize>,
    ) -> usize {
        let tokens = self.tokens;
        let word = tokens.word(at);
        if tokens.is_sign(at + 1, ':') && !is_reserved(word) {
            return self.bind(formula, at, end, container);
        }
        let dotted = tokens.is_sign(at + 1, '.') && tokens.is_joined(at) && tokens.is_joined(at + 1);
        if is_member(tokens, at) || dotted && tokens.is_word(at + 2) && self.is_agent(formula, word) {
            return self.agent_member(formula, at);
        }
        if is_operator(tokens, at, formula.ended) || matches!(word, "forall" | "exists") {
            formula.ended = false;
            return 1;
        }
        formula.ended = true;
        if tokens.is_number(at) || is_reserved(word) {
            return 1;
        }
        let bound = formula.bound.iter().rev().find(|bound| bound.name == word).map(|bound| bound.symbol);
        if let Some(number) = bound.or(self.globals.get(word).copied()) {
            let guard = self.builder.kind(number) == Some(SymbolKind::Guard);
            let role = if guard && tokens.is_sign(at + 1, '(') { Role::Call } else { Role::Read };
            self.builder.refer(number, tokens.span(at), role);
        }
        // Arguments follow.
        formula.ended &= !tokens.is_sign(at + 1, '(');
        1
    }

    fn is_agent(&self, formula: &Formula<'t>, name: &str) -> bool {
        self.instances.contains_key(name) || formula.bound.iter().any(|bound| bound.name == name)
    }

    /// `k : Client | Machine .`
    fn bind(&mut self, formula: &mut Formula<'t>, at: usize, end: usize, container: Option<usize>) -> usize {
        let tokens = self.tokens;
        let mut next = at + 2;
        let (mut kinds, mut everybody) = (vec![], false);
        while next < end && tokens.is_word(next) {
            let name = tokens.word(next);
            match self.kinds.get(name) {
                Some(number) => kinds.push(*number),
                // All agents, where no type is called so.
                None => everybody |= name == "Agent",
            }
            let symbol = self.globals.get(name).filter(|_| self.kinds.contains_key(name));
            if let Some(number) = symbol {
                self.builder.refer(*number, tokens.span(next), Role::Read);
            }
            next += 1;
            if tokens.is_sign(next, '|') && tokens.is_word(next + 1) {
                next += 1;
            } else {
                break;
            }
        }
        next += usize::from(tokens.is_sign(next, '.'));
        let (name, span) = (tokens.word(at), tokens.span(at));
        // The quantifier is a word or a sign of one or two characters.
        let quantifier = at.checked_sub(1).map_or(span, |before| match tokens.word(before) {
            "forall" | "exists" => tokens.span(before),
            _ => span,
        });
        let symbol = self.builder.declare(SymbolKind::BoundAgent, name, span, quantifier.to(span), container);
        if formula.bound.len() < MOST_NESTED {
            let ranges = if everybody { Range::Everybody } else { Range::Kinds(kinds) };
            formula.bound.push(Bound { name, ranges, symbol, depth: formula.open.len() });
        }
        formula.ended = false;
        next.min(end) - at
    }

    /// `k-x`: the variable or label of every type that `k` ranges over.
    fn agent_member(&mut self, formula: &mut Formula<'t>, at: usize) -> usize {
        let tokens = self.tokens;
        let (agent, name) = (tokens.word(at), tokens.word(at + 2));
        formula.ended = true;
        let bound = formula.bound.iter().rev().find(|bound| bound.name == agent);
        let known = bound.map(|bound| bound.symbol).or_else(|| {
            let instance = self.instances.contains_key(agent);
            self.globals.get(agent).copied().filter(|_| instance)
        });
        let Some(symbol) = known else {
            return if is_keep_all(tokens, at) { 3 } else { self.difference(at) };
        };
        self.builder.refer(symbol, tokens.span(at), Role::Read);
        if name == "automaton" && tokens.is_sign(at + 3, '-') && tokens.word(at + 4) == "state" {
            return 5;
        }
        // In an observation, `k-name` is the agent itself.
        if name == "name" && formula.is_observation() {
            return 3;
        }
        let found = match bound.map(|bound| &bound.ranges) {
            Some(Range::Everybody) => self.shared(name),
            Some(Range::Kinds(kinds)) => self.members(kinds.iter().copied(), name),
            None => self.members(self.instances.get(agent).copied().flatten().into_iter(), name),
        };
        if let Some(first) = found.first() {
            found.iter().skip(1).for_each(|other| self.builder.join(*first, *other));
            self.builder.refer(*first, tokens.span(at + 2), Role::Read);
        }
        3
    }

    /// The variables or labels with a name, of some agent types.
    fn members(&self, kinds: impl Iterator<Item = usize>, name: &str) -> Vec<usize> {
        let kinds = kinds.filter_map(|kind| self.agents.get(kind));
        kinds.filter_map(|kind| kind.locals.get(name).or(kind.labels.get(name)).copied()).collect()
    }

    /// The same of all agent types. They are joined once, and then one of them is enough.
    fn shared(&mut self, name: &'t str) -> Vec<usize> {
        if let Some(known) = self.everybody.get(name) {
            return known.iter().copied().collect();
        }
        let found = self.members(0..self.agents.len(), name);
        self.everybody.insert(name, found.first().copied());
        found
    }

    /// In an observation, `a-b` may be a difference of numbers.
    fn difference(&mut self, at: usize) -> usize {
        for word in [at, at + 2] {
            if let Some(number) = self.globals.get(self.tokens.word(word)) {
                self.builder.refer(*number, self.tokens.span(word), Role::Read);
            }
        }
        3
    }
}
