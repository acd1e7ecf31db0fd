//! The symbols of a file while its index is made: what is declared, under which name it is found, and which symbols are one.
//!
//! Two kinds of agents may declare an attribute of the same name. These are two symbols, unless some place means both: a link
//! predicate over several kinds, `x of e` where the kind of `e` is not known, a process of the `system` section. Such a place can only
//! keep its meaning if both get a new name together, so the symbols are joined (union-find) and become one symbol with several
//! declarations. It stands where its first declaration does.

use crate::syntax::ast::Name;
use crate::syntax::token::{Bracket, Token, TokenKind};
use std::collections::{HashMap, HashSet};
use swarmcheck_source::Span;
use swarmcheck_source::index::{Index, Occurrence, Role, Symbol, SymbolKind};

/// What a lowercase name may stand for outside of blocks and quantifiers.
#[derive(Default)]
pub(super) struct Variables {
    pub environment: Option<usize>,
    pub stigmergic: Option<usize>,
    /// The number of an agent section, and the symbol of its attribute.
    pub attributes: Vec<(usize, usize)>,
    /// All attributes are one symbol already.
    joined: bool,
}

/// Whose copy of a variable a place means.
#[derive(Clone, Copy)]
pub(super) enum Whose<'w> {
    /// That of an agent of this section.
    Kind(usize),
    /// That of agents of these sections.
    Partners(&'w HashSet<usize>),
    /// That of an agent of any kind.
    Any,
    /// It is not said, and should be.
    Unsaid,
}

/// Symbols by number, places that mean them, and the names under which symbols are found. Of two declarations of a name, the
/// first one is found.
#[derive(Default)]
pub(super) struct Table<'a> {
    pub tokens: Vec<Token>,
    symbols: Vec<Symbol>,
    places: Vec<Occurrence>,
    /// The symbol that a symbol was joined to, perhaps itself.
    parent: Vec<usize>,
    pub variables: HashMap<&'a str, Variables>,
    own: HashMap<(usize, &'a str), usize>,
    /// The number of an agent section.
    pub kinds: HashMap<&'a str, usize>,
    /// The symbols of the agent sections.
    pub agents: Vec<usize>,
    pub stigmergies: HashMap<&'a str, usize>,
    pub processes: HashMap<(Option<usize>, &'a str), usize>,
    pub parameters: HashMap<&'a str, usize>,
}

impl<'a> Table<'a> {
    pub fn new(tokens: Vec<Token>) -> Table<'a> {
        Table { tokens, ..Table::default() }
    }

    /// Declares something.
    pub fn declare(
        &mut self,
        kind: SymbolKind,
        name: &Name,
        extent: Span,
        container: Option<usize>,
    ) -> usize {
        let symbol = self.symbols.len();
        let extent = extent.to(name.span);
        self.symbols.push(Symbol { name: name.text.clone(), kind, span: name.span, extent, container });
        self.parent.push(symbol);
        self.place(name.span, symbol, Role::Declaration);
        symbol
    }

    /// Declares an attribute of an agent section.
    pub fn declare_attribute(&mut self, agent: usize, name: &'a Name, extent: Span) {
        let container = self.agents.get(agent).copied();
        let symbol = self.declare(SymbolKind::Attribute, name, extent, container);
        if self.own.contains_key(&(agent, name.text.as_str())) {
            return;
        }
        self.own.insert((agent, &name.text), symbol);
        self.variables.entry(&name.text).or_default().attributes.push((agent, symbol));
    }

    /// Notes a place that means a symbol.
    pub fn place(&mut self, span: Span, symbol: usize, role: Role) {
        self.places.push(Occurrence { span, symbol, role, within: None });
    }

    /// The state variable that a name means.
    pub fn variable(&mut self, name: &str, whose: Whose) -> Option<usize> {
        if let Whose::Kind(agent) = whose
            && let Some(symbol) = self.own.get(&(agent, name))
        {
            return Some(*symbol);
        }
        let variables = self.variables.get_mut(name)?;
        if let Some(symbol) = variables.environment {
            return Some(symbol);
        }
        let Some(&(_, first)) = variables.attributes.first() else { return variables.stigmergic };
        let together: Vec<usize> = match whose {
            // An agent that lacks the attribute is a mistake, and so is a place that does not say whose it means.
            Whose::Kind(_) | Whose::Unsaid => vec![],
            Whose::Any if variables.joined => vec![],
            Whose::Any => {
                variables.joined = true;
                variables.attributes.iter().map(|(_, symbol)| *symbol).collect()
            }
            // The shorter of both lists, so that many small links over a common name stay cheap.
            Whose::Partners(agents) if agents.len() < variables.attributes.len() => {
                agents.iter().filter_map(|agent| self.own.get(&(*agent, name)).copied()).collect()
            }
            Whose::Partners(agents) => {
                let meant = variables.attributes.iter().filter(|(agent, _)| agents.contains(agent));
                meant.map(|(_, symbol)| *symbol).collect()
            }
        };
        for pair in together.windows(2) {
            if let [one, other] = *pair {
                self.join(one, other);
            }
        }
        Some(together.first().copied().unwrap_or(first))
    }

    /// Makes two symbols one.
    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (first, second) =
            if self.symbols[one].span <= self.symbols[other].span { (one, other) } else { (other, one) };
        self.parent[second] = first;
    }

    fn root(&mut self, mut symbol: usize) -> usize {
        while self.parent[symbol] != symbol {
            let above = self.parent[self.parent[symbol]];
            self.parent[symbol] = above;
            symbol = above;
        }
        symbol
    }

    /// The number of the first token that begins here or later.
    pub fn token_from(&self, start: u32) -> usize {
        self.tokens.partition_point(|token| token.span.start < start)
    }

    /// The place of a word that stands in a span, perhaps in parentheses: the tree drops these, and gives the word their span.
    pub fn word_in(&self, span: Span, kind: TokenKind) -> Option<Span> {
        let tokens = self.tokens.get(self.token_from(span.start)..)?;
        let word = tokens.iter().find(|token| token.kind != TokenKind::Open(Bracket::Round))?;
        (word.kind == kind && word.span.end <= span.end).then_some(word.span)
    }

    /// The index, with symbols in the order of the file.
    pub fn finish(mut self) -> Index {
        let roots: Vec<usize> = (0..self.symbols.len()).map(|symbol| self.root(symbol)).collect();
        let mut kept: Vec<(usize, Symbol)> = self.symbols.into_iter().enumerate().collect();
        kept.retain(|(symbol, _)| roots[*symbol] == *symbol);
        kept.sort_by_key(|(_, symbol)| symbol.span);
        let mut number = vec![0; roots.len()];
        for (at, (symbol, _)) in kept.iter().enumerate() {
            number[*symbol] = at;
        }
        let renumbered = |symbol: usize| number[roots[symbol]];
        let symbols = kept.into_iter().map(|(_, symbol)| {
            let container = symbol.container.map(renumbered);
            Symbol { container, ..symbol }
        });
        let symbols = symbols.collect();
        let places = self.places.into_iter();
        let places = places.map(|place| Occurrence { symbol: renumbered(place.symbol), ..place });
        let mut index = Index { symbols, occurrences: places.collect() };
        index.finish();
        index
    }
}
