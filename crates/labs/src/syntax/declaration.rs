//! Declarations of variables and tuples, and their initialisers.
//!
//! Initialisers contain no variables, so a name always starts the next declaration, whatever stands between.

use super::ast::{Declaration, Expr, ExprNode, Init, Name, TupleDecl};
use super::cursor::{Failed, Parsed, Parser};
use super::token::{Bracket, COLON, EQUALS, MINUS, TokenKind};

/// How far to look for the `:` of a tuple. Longer tuples must be separated by `;` or a new line.
const LOOKAHEAD: usize = 400;

impl Parser<'_> {
    /// Whether a variable is declared here.
    pub(super) fn at_declaration(&self) -> bool {
        match self.kind() {
            TokenKind::Name => !self.at_part() && !self.at_lowercase_process(),
            _ if self.at_reserved() => {
                matches!(self.nth(1).kind, COLON | TokenKind::Open(Bracket::Square))
            }
            _ => false,
        }
    }

    /// Whether `name = …` here is the definition of a process rather than a declaration with the wrong symbol.
    fn at_lowercase_process(&self) -> bool {
        let process = match self.nth(2).kind {
            TokenKind::Ident => true,
            TokenKind::Open(bracket) => bracket != Bracket::Square && self.has_process(self.at + 2),
            TokenKind::Name => {
                let mut index = self.at + 3;
                while self.kind_at(index) == TokenKind::Open(Bracket::Square) {
                    index = self.after_group(index);
                }
                !matches!(self.kind_at(index), COLON)
            }
            _ => false,
        };
        self.nth(1).kind == EQUALS && !self.parts.contains(&"link") && process
    }

    /// Declarations separated by `,`, `;` or nothing.
    pub(super) fn declarations(&mut self) -> Vec<Declaration> {
        let mut list = Vec::new();
        self.separators();
        // Nothing but a variable can be meant at the front.
        let first = |p: &Self| {
            p.word() == "extern" && p.nth(1).kind == COLON && p.nth(2).kind == TokenKind::Parameter
        };
        while self.at_declaration() || list.is_empty() && first(self) {
            match self.declaration() {
                Ok(declaration) => list.push(declaration),
                Err(Failed) => self.skip_to_declaration(),
            }
            self.separators();
        }
        list
    }

    /// After a mistake, moves to the next separator or declaration.
    pub(super) fn skip_to_declaration(&mut self) {
        self.skip_until(|p| {
            matches!(p.kind(), TokenKind::Comma | TokenKind::Semicolon)
                || matches!(p.kind(), TokenKind::Name | TokenKind::Keyword)
                    && matches!(p.nth(1).kind, COLON | TokenKind::Open(Bracket::Square))
        });
    }

    fn declaration(&mut self) -> Parsed<Declaration> {
        let (name, dimensions) = self.declared()?;
        self.colon();
        Ok(Declaration { name, dimensions, init: self.init()? })
    }

    /// `name[sizes]`.
    fn declared(&mut self) -> Parsed<(Name, Vec<Expr>)> {
        let name = self.name("the name of a variable")?;
        let dimensions = match self.indices() {
            Some((list, _)) => list,
            None => vec![Expr { node: ExprNode::Error, span: self.previous() }],
        };
        Ok((name, dimensions))
    }

    /// `:` before an initialiser; `=` is reported and taken for it.
    fn colon(&mut self) {
        if self.kind() == COLON {
            self.bump();
        } else {
            let fix = match self.kind() {
                EQUALS => Some(self.instead(":")),
                TokenKind::Number | TokenKind::Parameter | MINUS => Some(self.insert(":")),
                _ => None,
            };
            self.fail_fixed("`:` and an initial value", &["a variable is declared as `x: 0`"], fix);
            if self.kind() == EQUALS {
                self.bump();
            }
        }
    }

    /// An initialiser.
    fn init(&mut self) -> Parsed<Init> {
        match self.kind() {
            _ if self.at_part() => Err(self.fail("an initial value")),
            TokenKind::Open(Bracket::Curly) => {
                let (set, span) = self.group(Parser::values);
                set.map(|list| Init::Set(list, span)).ok_or(Failed)
            }
            TokenKind::Open(Bracket::Square)
                if !matches!(self.kind_at(self.after_group(self.at)), TokenKind::Operator(_)) =>
            {
                let (init, span) = self.group(|p| {
                    let first = p.expression()?;
                    if p.eat(TokenKind::Range) {
                        return Ok(Init::Range(first, p.expression()?));
                    }
                    let mut list = vec![first];
                    if p.eat(TokenKind::Comma) {
                        list.extend(p.values()?);
                    }
                    Ok(Init::Set(list, Default::default()))
                });
                match init.ok_or(Failed)? {
                    Init::Set(list, _) => Ok(Init::Set(list, span)),
                    other => Ok(other),
                }
            }
            _ => {
                let first = self.expression()?;
                if self.eat(TokenKind::Range) {
                    Ok(Init::Range(first, self.expression()?))
                } else if let ExprNode::Undef = first.node {
                    Ok(Init::Undef(first.span))
                } else {
                    Ok(Init::Value(first))
                }
            }
        }
    }

    fn values(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expression()?];
        while self.eat(TokenKind::Comma) {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    /// `x, y: init, init`.
    pub(super) fn tuple(&mut self) -> Parsed<TupleDecl> {
        let start = self.token().span;
        let mut variables = vec![self.declared()?];
        while self.eat(TokenKind::Comma) {
            variables.push(self.declared()?);
        }
        self.colon();
        let mut inits = vec![self.init()?];
        while self.kind() == TokenKind::Comma && !self.at_tuple_after_comma() {
            self.bump();
            if self.at_boundary() {
                break;
            }
            inits.push(self.init()?);
        }
        Ok(TupleDecl { variables, inits, span: start.to(self.previous()) })
    }

    /// Whether the comma here separates two tuples rather than two initialisers.
    fn at_tuple_after_comma(&self) -> bool {
        let mut index = self.at + 1;
        while index < self.at + LOOKAHEAD {
            if self.kind_at(index) != TokenKind::Name {
                return false;
            }
            index += 1;
            while self.kind_at(index) == TokenKind::Open(Bracket::Square) {
                index = self.after_group(index);
            }
            match self.kind_at(index) {
                COLON => return true,
                TokenKind::Comma => index += 1,
                _ => return false,
            }
        }
        true
    }
}
