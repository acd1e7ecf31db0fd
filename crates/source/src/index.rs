//! What the names of a file stand for: declarations, and every place that means one of them. Editors jump, rename, list and
//! complete with it. A language makes it of its syntax tree, so that it is there while the file has errors.

use crate::Span;
use serde::{Deserialize, Serialize};

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SymbolKind {
    /// An external parameter of LAbS. Its name is without the underscore, its places are with it.
    Parameter,
    /// A kind of agents.
    AgentKind,
    Stigmergy,
    /// A variable of one agent: an attribute of LAbS, a local variable of R-CHECK.
    Attribute,
    StigmergicVariable,
    EnvironmentVariable,
    /// A variable that lives until the end of its block (`:=`), or the parameter of a guard.
    LocalVariable,
    /// A process definition, or a choreography.
    Process,
    Property,
    Assumption,
    /// An agent that a quantifier binds.
    BoundAgent,
    Channel,
    /// A type with its values (`enum`).
    Enumeration,
    EnumerationValue,
    MessageField,
    /// A property variable (communication variable) of R-CHECK.
    PropertyVariable,
    /// A guard definition of R-CHECK.
    Guard,
    /// The label of a command of R-CHECK.
    Label,
    /// An agent of an R-CHECK system, by its name.
    Instance,
    /// An action of a calculus.
    Action,
    /// A peer of a choreography.
    Peer,
}

/// Something that has a name. Actions and peers of calculi are declared nowhere: their first place counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The place of the name where it is declared.
    pub span: Span,
    /// The whole declaration, body included.
    pub extent: Span,
    /// The symbol that it is a part of, by its number: an attribute of an agent, a value of an enumeration.
    pub container: Option<usize>,
}

/// What a place does with a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Declaration,
    Read,
    Write,
    /// A process is called.
    Call,
}

/// A place that means a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The name, and nothing else.
    pub span: Span,
    /// The number of the symbol.
    pub symbol: usize,
    pub role: Role,
    /// The innermost process, property, agent or other symbol whose extent it stands in.
    pub within: Option<usize>,
}

/// All names of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// In the order of the file.
    pub symbols: Vec<Symbol>,
    /// In the order of the file; no two overlap. Declarations are occurrences, too.
    pub occurrences: Vec<Occurrence>,
}

impl Index {
    /// The place at an offset, which may also be directly behind its name.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let from = self.occurrences.partition_point(|place| place.span.end < offset);
        let here = self.occurrences[from..].iter().take_while(|place| place.span.start <= offset);
        // Where two touch, the one that begins here.
        here.last()
    }

    /// All places of a symbol, in the order of the file.
    pub fn of(&self, symbol: usize) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |place| place.symbol == symbol)
    }

    /// Sorts places, drops a second one at the same place, and fills in `within`.
    pub fn finish(&mut self) {
        self.occurrences.sort_by_key(|place| (place.span.start, place.span.end));
        self.occurrences.dedup_by_key(|place| place.span);
        // Extents nest, so the open ones are a stack.
        let mut order: Vec<usize> = (0..self.symbols.len()).collect();
        order.sort_by_key(|&at| {
            (self.symbols[at].extent.start, std::cmp::Reverse(self.symbols[at].extent.end), at)
        });
        let (mut next, mut open): (usize, Vec<usize>) = (0, vec![]);
        for place in &mut self.occurrences {
            while let Some(&symbol) = order.get(next) {
                if self.symbols[symbol].extent.start > place.span.start {
                    break;
                }
                open.push(symbol);
                next += 1;
            }
            open.retain(|&symbol| self.symbols[symbol].extent.end >= place.span.end);
            place.within = open
                .iter()
                .rev()
                .copied()
                .find(|&symbol| symbol != place.symbol || place.role != Role::Declaration);
        }
    }
}

/// Something that may be written at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// What is shown and, without `insert`, written.
    pub label: String,
    /// The symbol's kind; none for a word of the language.
    pub kind: Option<SymbolKind>,
    /// A few words beside it.
    pub detail: String,
    /// Text with places to fill in: `${1:name}`, `$0`.
    pub insert: Option<String>,
}

/// What is written at a place with several parts: a function with its arguments, a command, an instance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Signature {
    /// The whole form, as `min(a, b)`.
    pub label: String,
    /// The bytes of the label that are its parts.
    pub parts: Vec<(u32, u32)>,
    /// The number of the part that the place is in.
    pub active: u32,
    /// One or two sentences.
    pub says: String,
}

/// What a word or sign of a language means, and where the papers say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// One or two sentences.
    pub says: &'static str,
    /// Rule, table or section of a paper, or a section of the reference: `thesis, table 3.6, rule ATTR`.
    pub cites: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_know_what_they_stand_in() {
        let symbol = |name: &str, span: Span, extent: Span| Symbol {
            name: name.to_string(),
            kind: SymbolKind::Process,
            span,
            extent,
            container: None,
        };
        let place =
            |symbol, start, end, role| Occurrence { span: Span::new(start, end), symbol, role, within: None };
        // agent A { P = Q }  with Q declared behind it
        let mut index = Index {
            symbols: vec![
                symbol("A", Span::new(6, 7), Span::new(0, 17)),
                symbol("P", Span::new(10, 11), Span::new(10, 15)),
                symbol("Q", Span::new(20, 21), Span::new(20, 25)),
            ],
            occurrences: vec![
                place(2, 14, 15, Role::Call),
                place(2, 20, 21, Role::Declaration),
                place(1, 10, 11, Role::Declaration),
                place(0, 6, 7, Role::Declaration),
                place(2, 14, 15, Role::Read),
            ],
        };
        index.finish();
        let within: Vec<_> = index.occurrences.iter().map(|place| (place.symbol, place.within)).collect();
        assert_eq!(within, [(0, None), (1, Some(0)), (2, Some(1)), (2, None)]);
        assert_eq!(index.at(15).map(|place| place.symbol), Some(2));
        assert_eq!(index.at(8), None);
        assert_eq!(index.of(2).count(), 2);
    }
}
