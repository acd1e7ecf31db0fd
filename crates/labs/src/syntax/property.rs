//! Assumptions and properties.

use super::ast::{Assumption, Expr, ExprNode, Inside, Modality, Name, Property, Scope};
use super::cursor::{Failed, Parsed, Parser};
use super::token::{Bracket, COLON, EQUALS, MINUS, TokenKind};
use swarmcheck_source::suggest::nearest;
use swarmcheck_source::{Fix, Span};

/// The words that a property begins with.
pub const MODALITIES: [&str; 9] =
    ["always", "finally", "eventually", "fairly", "fairly_inf", "after", "between", "from", "ltl"];

/// Words of other languages for a modality.
const SYNONYMS: [(&str, &str); 9] = [
    ("infinitely", "fairly_inf"),
    ("infinitely_often", "fairly_inf"),
    ("inf", "fairly_inf"),
    ("repeatedly", "fairly_inf"),
    ("globally", "always"),
    ("invariant", "always"),
    ("invariantly", "always"),
    ("sometime", "eventually"),
    ("sometimes", "eventually"),
];

impl Parser<'_> {
    /// `Name = predicate`.
    pub(super) fn assumption(&mut self) -> Parsed<Assumption> {
        let name = self.definition_head()?;
        let predicate = self.predicate();
        Ok(Assumption { name, predicate })
    }

    /// `Name = modality predicate`.
    pub(super) fn property(&mut self) -> Parsed<Property> {
        let name = self.definition_head()?;
        let start = self.token().span;
        let modality = self.modality()?;
        if let Modality::Linear(formula) = &modality {
            let span = start.to(formula.span);
            let predicate = Expr { node: ExprNode::Bool(true), span: formula.span };
            return Ok(Property { name, modality, predicate, span });
        }
        let predicate = self.predicate();
        let span = start.to(predicate.span);
        Ok(Property { name, modality, predicate, span })
    }

    fn definition_head(&mut self) -> Parsed<Name> {
        let name = self.ident("the name of a property")?;
        self.expect(EQUALS, "`=`")?;
        Ok(name)
    }

    /// A predicate up to the next definition.
    fn predicate(&mut self) -> Expr {
        let start = self.token().span;
        let result = self.expression();
        if result.is_ok()
            && !self.at_boundary()
            && !matches!(self.kind(), TokenKind::Comma | TokenKind::Semicolon)
        {
            let help: &[&str] = match self.kind() {
                TokenKind::Parallel => &["in a predicate, write `or`"],
                TokenKind::Guard | TokenKind::Conditional => &["for 'a implies b' write `!a or b`"],
                _ => match &self.help_for_formula() {
                    Some(help) => &[help],
                    None => &[],
                },
            };
            let fix = match (self.kind(), &result) {
                (TokenKind::Guard | TokenKind::Conditional, Ok(before)) => self.implication_as_or(before),
                _ => self.or_for_parallel(),
            };
            self.fail_fixed("an operator or the next definition", help, fix);
            self.skip_until(|_| false);
        }
        result.unwrap_or_else(|Failed| {
            self.skip_until(|_| false);
            Expr { node: ExprNode::Error, span: start }
        })
    }

    /// Writes the implication whose arrow stands here with `!` and `or`. What quantifiers bind holds on both sides of it.
    fn implication_as_or(&self, before: &Expr) -> Option<Fix> {
        let mut left = before;
        while let ExprNode::Quantified(.., body) = &left.node {
            left = body;
        }
        // The body of a quantifier within it would reach over the arrow.
        let words = self.slice(left.span);
        if ["forall", "exists", "count"].iter().any(|word| words.contains(word)) {
            return None;
        }
        let end = left.span.end;
        let arrow = self.instead("or");
        let fix = Fix { title: "write `!(a) or b`".into(), ..arrow };
        Some(
            fix.and(Span { start: left.span.start, end: left.span.start }, "!(")
                .and(Span { start: end, end }, ")"),
        )
    }

    /// Whether the word this many places ahead is a variable, as what follows it shows.
    pub(super) fn is_variable(&self, ahead: usize) -> bool {
        let next = self.nth(ahead + 1);
        match next.kind {
            MINUS => false,
            TokenKind::Operator(_) => true,
            TokenKind::Open(Bracket::Square) => self.unary_operator(ahead + 1).is_none(),
            TokenKind::Keyword => self.slice(next.span) == "of",
            _ => false,
        }
    }

    /// Moves over a word that says what must hold inside a scope. It may also begin a condition before `precedes`.
    fn eat_inside(&mut self, word: &str) -> bool {
        let next = self.nth(1);
        let precedes = next.kind == TokenKind::Name && self.slice(next.span) == "precedes";
        let operand = self.is_variable(0) || precedes && !self.is_variable(1);
        !operand && self.eat_word(word)
    }

    fn modality(&mut self) -> Parsed<Modality> {
        let word = self.word();
        if !MODALITIES.contains(&word) || self.is_variable(0) {
            return Ok(self.missing_modality(word));
        }
        self.bump();
        Ok(match word {
            "always" => Modality::Always,
            "finally" => Modality::Eventually { finally: true },
            "eventually" => Modality::Eventually { finally: false },
            "fairly" => Modality::Fairly,
            "fairly_inf" => Modality::FairlyInf,
            "ltl" => Modality::Linear(Box::new(self.formula())),
            "after" => Modality::After(self.quantity("the number of steps")?),
            _ => Modality::Scoped(Box::new(self.scope(word == "from")?)),
        })
    }

    /// Reports a missing or misspelt modality and goes on as if it were `always`.
    fn missing_modality(&mut self, word: &str) -> Modality {
        let meant = SYNONYMS.iter().find(|(other, _)| *other == word).map(|(_, own)| *own);
        let near = if word.len() <= 40 { meant.or_else(|| nearest(word, MODALITIES)) } else { None };
        let near = near.filter(|_| !self.is_variable(0));
        let temporal = self.unary_operator(0).is_some() && !self.is_variable(0) && near.is_none();
        let help = match near {
            None if temporal => {
                "a formula of linear time begins with `ltl`: `Name = ltl G (p -> F q)`".to_string()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "the modalities are `always`, `finally`, `eventually`, `fairly`, `fairly_inf`, `after N`, \
                     `between (p) and (q), …`, `from (p) until (q), …` and `ltl` before a formula"
                    .to_string()
            }
        };
        let fix = match near {
            None if temporal => Some(Fix::insert(self.token().span.start, "ltl ", "insert `ltl`")),
            None => None,
            Some(near) => {
                let often = self.nth(1);
                let fix = self.instead(near);
                let two = self.slice(often.span) == "often";
                Some(if two {
                    fix.and(Span { start: self.token().span.end, end: often.span.end }, "")
                } else {
                    fix
                })
            }
        };
        self.fail_fixed("a modality", &[&help], fix);
        if temporal {
            return Modality::Linear(Box::new(self.formula()));
        }
        if near.is_some() {
            self.bump();
            self.eat_word("often");
        }
        if near == Some("ltl") {
            return Modality::Linear(Box::new(self.formula()));
        }
        Modality::Always
    }

    /// The rest of `between (p) and (q), …` or `from (p) until (q), …`, up to the property's own predicate.
    fn scope(&mut self, open: bool) -> Parsed<Scope> {
        let parentheses = "both events of a scope stand in parentheses";
        let start = self.comparison()?;
        let joined = if open { self.eat_word("until") } else { self.eat(AND) };
        if !joined {
            let expected = if open { "`until`" } else { "`and`" };
            return Err(self.fail_with(expected, &[parentheses]));
        }
        let end = self.comparison()?;
        if !self.eat(TokenKind::Comma) && !self.eat(COLON) {
            return Err(self.fail_with("`,`", &[parentheses]));
        }
        let inside = if self.eat_inside("always") {
            Inside::Always
        } else if self.eat_inside("thereIs") {
            Inside::ThereIs
        } else {
            let first = self.expression()?;
            if !self.eat_word("precedes") {
                let help = "a scope is followed by `always p`, `thereIs p` or `q precedes p`";
                return Err(self.fail_with("`precedes`", &[help]));
            }
            Inside::Precedes(first)
        };
        Ok(Scope { open, start, end, inside })
    }
}

const AND: TokenKind = TokenKind::Operator(super::ast::BinaryOp::And);
