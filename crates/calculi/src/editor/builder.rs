//! Makes an index of names out of declarations and places, in whatever order they are found.

use swarmcheck_source::Span;
use swarmcheck_source::index::{Index, Occurrence, Role, Symbol, SymbolKind};

/// An index that grows.
///
/// Symbols can be joined: then they are one, the one that is declared first, and the declarations of the others are places of
/// it. That is a union-find structure, because joining is transitive.
#[derive(Default)]
pub struct Builder {
    index: Index,
    /// What each symbol was joined with; itself, if it stands for all of them.
    joined: Vec<usize>,
}

impl Builder {
    /// Declares a symbol at a place.
    pub fn declare(
        &mut self,
        kind: SymbolKind,
        name: &str,
        span: Span,
        extent: Span,
        container: Option<usize>,
    ) -> usize {
        let number = self.index.symbols.len();
        self.index.symbols.push(Symbol { name: name.to_string(), kind, span, extent, container });
        self.joined.push(number);
        self.refer(number, span, Role::Declaration);
        number
    }

    /// A place that means a symbol.
    pub fn refer(&mut self, symbol: usize, span: Span, role: Role) {
        self.index.occurrences.push(Occurrence { span, symbol, role, within: None });
    }

    pub fn symbol(&self, number: usize) -> Option<&Symbol> {
        self.index.symbols.get(number)
    }

    pub fn kind(&self, number: usize) -> Option<SymbolKind> {
        self.symbol(number).map(|symbol| symbol.kind)
    }

    /// Lets the declaration of a symbol reach to an offset.
    pub fn extend(&mut self, number: usize, end: u32) {
        if let Some(symbol) = self.index.symbols.get_mut(number) {
            symbol.extent.end = symbol.extent.end.max(end);
        }
    }

    /// The symbol that stands for all that were joined with one.
    fn head(&mut self, mut number: usize) -> usize {
        while let Some(&above) = self.joined.get(number).filter(|above| **above != number) {
            // Halving the path keeps later searches short.
            let next = self.joined.get(above).copied().unwrap_or(above);
            if let Some(entry) = self.joined.get_mut(number) {
                *entry = next;
            }
            number = next;
        }
        number
    }

    /// From now on two symbols are one.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.head(a), self.head(b));
        let (first, later) = (a.min(b), a.max(b));
        if let Some(entry) = self.joined.get_mut(later) {
            *entry = first;
        }
    }

    /// The index: symbols and places in the order of the file.
    pub fn finish(mut self) -> Index {
        let count = self.index.symbols.len();
        let mut heads: Vec<usize> = (0..count).map(|number| self.head(number)).collect();
        // The one that is declared first stands for a group, whatever was found first.
        let mut first: Vec<usize> = (0..count).collect();
        let start = |number: usize| self.index.symbols.get(number).map_or(0, |symbol| symbol.span.start);
        for number in 0..count {
            if let Some(best) = heads.get(number).and_then(|head| first.get_mut(*head))
                && start(number) < start(*best)
            {
                *best = number;
            }
        }
        for head in &mut heads {
            *head = first.get(*head).copied().unwrap_or(*head);
        }
        let mut order: Vec<usize> = (0..count).filter(|number| heads.get(*number) == Some(number)).collect();
        order.sort_by_key(|number| (start(*number), *number));
        let mut position = vec![0; count];
        for (place, number) in order.iter().enumerate() {
            if let Some(entry) = position.get_mut(*number) {
                *entry = place;
            }
        }
        let moved = |number: usize| {
            let head = heads.get(number).copied().unwrap_or(number);
            position.get(head).copied().unwrap_or(head)
        };
        let mut all: Vec<Option<Symbol>> = self.index.symbols.into_iter().map(Some).collect();
        let mut symbols: Vec<Symbol> = Vec::with_capacity(order.len());
        for number in &order {
            if let Some(symbol) = all.get_mut(*number).and_then(Option::take) {
                let container = symbol.container.map(moved);
                symbols.push(Symbol { container, ..symbol });
            }
        }
        let mut out = Index { symbols, occurrences: self.index.occurrences };
        out.occurrences.iter_mut().for_each(|place| place.symbol = moved(place.symbol));
        out.finish();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_symbols_are_the_one_that_is_declared_first() {
        let mut builder = Builder::default();
        let span = Span::new;
        // Found in another order than that of the file: c, a, b; b and c are one.
        let c = builder.declare(SymbolKind::Attribute, "x", span(8, 9), span(8, 9), None);
        let a = builder.declare(SymbolKind::AgentKind, "A", span(0, 1), span(0, 6), None);
        let b = builder.declare(SymbolKind::Attribute, "x", span(4, 5), span(4, 5), Some(a));
        builder.refer(c, span(12, 13), Role::Read);
        builder.join(c, b);
        builder.join(b, c);
        let index = builder.finish();
        let symbols: Vec<_> =
            index.symbols.iter().map(|s| (s.name.as_str(), s.span.start, s.container)).collect();
        assert_eq!(symbols, [("A", 0, None), ("x", 4, Some(0))]);
        let places: Vec<_> = index.occurrences.iter().map(|o| (o.span.start, o.symbol, o.within)).collect();
        assert_eq!(places, [(0, 0, None), (4, 1, Some(0)), (8, 1, None), (12, 1, None)]);
    }
}
