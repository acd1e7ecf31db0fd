//! Operands: everything an expression consists of besides operators between operands.

use super::ast::{BinaryOp, Expr, ExprNode, Name, Quantifier, UnaryOp};
use super::cursor::{Failed, Parsed, Parser, Place};
use super::expr::{HEIGHT, Tree};
use super::lexer::integers_only;
use super::token::{Bracket, COLON, EQUALS, TokenKind};
use crate::codes;
use swarmcheck_source::{Diagnostic, Span};

const EXPRESSION: &str = "an expression";

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Parsed<Tree> {
        let token = self.token();
        match token.kind {
            TokenKind::Number | TokenKind::BadNumber | TokenKind::Parameter => {
                self.bump();
                Ok(Tree::new(self.constant(token.kind, token.span), token.span, 1))
            }
            TokenKind::Decimal => {
                self.log.push(integers_only(self.slice(token.span), token.span));
                self.bump();
                Ok(Tree::error(token.span))
            }
            TokenKind::Open(Bracket::Round) => Ok(self.parenthesised()),
            TokenKind::Open(Bracket::Square) if let Some(help) = self.help_for_formula() => {
                Err(self.fail_with(EXPRESSION, &[help]))
            }
            TokenKind::Open(Bracket::Square) => Ok(self.range()),
            TokenKind::Name if self.at_count() => self.quantified(Quantifier::Count),
            TokenKind::Name if self.at_pick() => {
                let d = Diagnostic::error(codes::SYNTAX, token.span, "`pick` is not part of an expression")
                    .label("misplaced")
                    .help("it stands alone on the right of an assignment: `p[] := pick 2 Bird`");
                self.log.push(d);
                let pick = self.pick()?;
                Ok(Tree::error(pick.span))
            }
            TokenKind::Name if self.at_part_for_operand() => Err(self.fail(EXPRESSION)),
            TokenKind::Name => self.variable(true),
            TokenKind::Keyword => self.keyword(),
            TokenKind::Ident if !self.at_definition() => {
                let help = "variables start with a lowercase letter, parameters with `_`";
                let help = self.help_for_formula().unwrap_or(help);
                Err(self.fail_with(EXPRESSION, &[help]))
            }
            _ => Err(self.fail(EXPRESSION)),
        }
    }

    fn constant(&self, kind: TokenKind, span: Span) -> ExprNode {
        let text = self.slice(span);
        match kind {
            TokenKind::Parameter => ExprNode::Parameter(text[1..].to_string()),
            _ => text.parse().map_or(ExprNode::Error, ExprNode::Number),
        }
    }

    fn keyword(&mut self) -> Parsed<Tree> {
        let span = self.token().span;
        let round = self.nth(1).kind == TokenKind::Open(Bracket::Round);
        match self.word() {
            "true" => Ok(self.leaf(ExprNode::Bool(true))),
            "false" => Ok(self.leaf(ExprNode::Bool(false))),
            "undef" => Ok(self.leaf(ExprNode::Undef)),
            "id" => {
                self.bump();
                let (of, height) = self.owner()?;
                let span = span.to(self.previous());
                Ok(Tree::new(ExprNode::Id(of), span, height + 1))
            }
            "abs" | "min" | "max" if round => Ok(self.function()),
            "if" => self.conditional(),
            "forall" => self.quantified(Quantifier::Forall),
            "exists" => self.quantified(Quantifier::Exists),
            "of" | "then" | "else" => Err(self.fail(EXPRESSION)),
            "abs" | "min" | "max"
                if matches!(self.nth(1).kind, TokenKind::Name | TokenKind::Number | TokenKind::Hole) =>
            {
                self.bump();
                Err(self.fail("`(`"))
            }
            _ => {
                self.reserved();
                self.bump();
                Ok(Tree::error(span))
            }
        }
    }

    fn leaf(&mut self, node: ExprNode) -> Tree {
        Tree::new(node, self.bump().span, 1)
    }

    /// A group whose tree must not get too high either.
    fn checked(&mut self, tree: Tree) -> Tree {
        if tree.height <= HEIGHT {
            return tree;
        }
        let message = format!("this expression is more than {HEIGHT} levels high");
        self.log.too_deep(tree.expr.span, &message, "give parts of it names with `:=` in a block");
        Tree::error(tree.expr.span)
    }

    fn parenthesised(&mut self) -> Tree {
        match self.group(Parser::tree) {
            (Some(inner), span) => Tree::new(inner.expr.node, span, inner.height),
            (None, span) => Tree::error(span),
        }
    }

    /// `[a..b]`.
    fn range(&mut self) -> Tree {
        let (bounds, span) = self.group(|p| {
            let low = p.tree()?;
            if p.kind() != TokenKind::Range {
                let help =
                    "a value chosen at run time is written `[0..n]`; a set can only initialise a variable";
                return Err(p.fail_with("`..`", &[help]));
            }
            p.bump();
            Ok((low, p.tree()?))
        });
        let Some((low, high)) = bounds else { return Tree::error(span) };
        let height = low.height.max(high.height) + 1;
        self.checked(Tree::new(ExprNode::Range(Box::new(low.expr), Box::new(high.expr)), span, height))
    }

    /// `abs(a)`, `min(a, b)`, `max(a, b)`.
    fn function(&mut self) -> Tree {
        let token = self.bump();
        let name = self.slice(token.span);
        let (arguments, group) = self.group(Parser::trees);
        let span = token.span.to(group);
        let Some((mut arguments, height)) = arguments else { return Tree::error(span) };
        let last = arguments.pop().map(Box::new);
        let first = arguments.pop().map(Box::new);
        let node = match (name, first, last, arguments.is_empty()) {
            ("abs", None, Some(a), _) => ExprNode::Unary(UnaryOp::Abs, a),
            ("min", Some(a), Some(b), true) => ExprNode::Binary(BinaryOp::Min, a, b),
            ("max", Some(a), Some(b), true) => ExprNode::Binary(BinaryOp::Max, a, b),
            _ => {
                let wanted = if name == "abs" { "one argument" } else { "two arguments" };
                let message = format!("`{name}` takes {wanted}");
                self.log.push(Diagnostic::error(codes::SYNTAX, group, message).label("the arguments"));
                ExprNode::Error
            }
        };
        self.checked(Tree::new(node, span, height + 1))
    }

    /// Expressions separated by commas, and the height of the highest.
    fn trees(&mut self) -> Parsed<(Vec<Expr>, usize)> {
        let (mut list, mut height) = (Vec::new(), 0);
        loop {
            let tree = self.tree()?;
            height = height.max(tree.height);
            list.push(tree.expr);
            if !self.eat(TokenKind::Comma) {
                return Ok((list, height));
            }
        }
    }

    /// `if c then a else b`; `b` reaches as far right as it can.
    fn conditional(&mut self) -> Parsed<Tree> {
        let start = self.bump().span;
        let condition = self.deeper(Parser::tree)?;
        if !self.eat_word("then") {
            return Err(self.fail("`then`"));
        }
        let yes = self.deeper(Parser::tree)?;
        if !self.eat_word("else") {
            return Err(self.fail_with("`else`", &["an `if` always has an `else`: it must have a value"]));
        }
        let no = self.deeper(Parser::tree)?;
        let span = start.to(no.expr.span);
        let height = condition.height.max(yes.height).max(no.height) + 1;
        let node = ExprNode::If(Box::new(condition.expr), Box::new(yes.expr), Box::new(no.expr));
        Ok(self.checked(Tree::new(node, span, height)))
    }

    /// Whether `count` opens a quantifier here: it may also be a variable.
    pub(super) fn at_count(&self) -> bool {
        let kind = match self.nth(1).kind {
            TokenKind::Ident => true,
            // A kind without capital letter.
            TokenKind::Name => self.nth(3).kind == TokenKind::Comma,
            _ => false,
        };
        self.word() == "count" && kind && self.nth(2).kind == TokenKind::Name
    }

    /// `forall K a, p`; the body reaches as far right as it can.
    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Tree> {
        let start = self.bump().span;
        if self.kind() == TokenKind::Name && self.nth(1).kind != TokenKind::Name {
            let help = "an agent is introduced with its kind: `forall Bird b, …`";
            return Err(self.fail_with("a kind of agents", &[help]));
        }
        let kind = self.ident("a kind of agents")?;
        let agent = self.name("a name for the agent")?;
        self.comma_of_quantifier()?;
        let place = self.place;
        let count = (quantifier == Quantifier::Count).then_some(start);
        self.place = Place { process: false, count, ..place };
        let body = self.deeper(Parser::tree);
        self.place = place;
        let body = body?;
        let span = start.to(body.expr.span);
        let node = ExprNode::Quantified(quantifier, kind, agent, Box::new(body.expr));
        Ok(self.checked(Tree::new(node, span, body.height + 1)))
    }

    /// The comma after `forall K a`.
    pub(super) fn comma_of_quantifier(&mut self) -> Parsed<()> {
        if self.eat(TokenKind::Comma) {
            return Ok(());
        }
        let fix = match self.kind() {
            COLON | TokenKind::Semicolon => self.instead(","),
            _ => self.insert(","),
        };
        Err(self.fail_fixed("`,`", &[], [fix]))
    }

    /// A variable with its indices, and with its owner if that is allowed here.
    fn variable(&mut self, owned: bool) -> Parsed<Tree> {
        let span = self.bump().span;
        let name = Name { text: self.slice(span).to_string(), span };
        let indices = self.indices();
        let (of, of_height) = if owned { self.owner()? } else { (None, 0) };
        let span = span.to(self.previous());
        let Some((index, height)) = indices else { return Ok(Tree::error(span)) };
        let owner = of.as_ref().map(|of| of.span);
        let node = ExprNode::Var { name, index, of };
        Ok(self.checked(Tree::new(node, span, height.max(of_height) + 1)).with_owner(span, owner))
    }

    /// `[a, b]` or `[a][b]` and the greatest height in there; `None` if any of it could not be read.
    pub(super) fn indices(&mut self) -> Option<(Vec<Expr>, usize)> {
        let (mut index, mut height, mut fine) = (Vec::new(), 0, true);
        while self.kind() == TokenKind::Open(Bracket::Square) {
            match self.group(Parser::trees).0 {
                Some((list, h)) => {
                    index.extend(list);
                    height = height.max(h);
                }
                None => fine = false,
            }
        }
        fine.then_some((index, height))
    }

    /// `of a`, if it is there: a single operand, so that `x of 1 - x of 2` is a difference.
    fn owner(&mut self) -> Parsed<(Option<Box<Expr>>, usize)> {
        if !self.eat_word("of") {
            return Ok((None, 0));
        }
        let token = self.token();
        let tree = match token.kind {
            TokenKind::Number | TokenKind::BadNumber | TokenKind::Parameter => self.operand()?,
            TokenKind::Open(Bracket::Round) => self.parenthesised(),
            TokenKind::Name => self.variable(false)?,
            TokenKind::Keyword if self.word() == "id" => self.leaf(ExprNode::Id(None)),
            _ => return Err(self.fail("an agent after `of`")),
        };
        Ok((Some(Box::new(tree.expr)), tree.height))
    }

    /// Whether `pick` opens a choice of agents here: it may also be a variable.
    pub(super) fn at_pick(&self) -> bool {
        self.word() == "pick"
            && match self.nth(1).kind {
                TokenKind::Number
                | TokenKind::BadNumber
                | TokenKind::Parameter
                | TokenKind::Open(Bracket::Round) => true,
                TokenKind::Ident => self.nth(2).kind != EQUALS,
                TokenKind::Name => self.slice(self.nth(1).span) == "where",
                _ => false,
            }
    }

    /// `pick k [Kind] [where condition]`.
    pub(super) fn pick(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        let count = self.quantity("the number of agents to pick")?;
        let kind = if self.kind() == TokenKind::Ident && !self.at_definition() {
            Some(self.ident("a kind of agents")?)
        } else {
            None
        };
        let place = self.place;
        self.place = Place::default();
        let condition = if self.eat_word("where") { Some(self.expression()) } else { None };
        self.place = place;
        let condition = condition.transpose()?.map(Box::new);
        let span = start.to(self.previous());
        Ok(Expr { node: ExprNode::Pick { count: Box::new(count), kind, condition }, span })
    }

    /// A number, a parameter, or an expression in parentheses.
    pub(super) fn quantity(&mut self, expected: &str) -> Result<Expr, Failed> {
        match self.kind() {
            TokenKind::Number | TokenKind::BadNumber | TokenKind::Parameter => Ok(self.operand()?.expr),
            TokenKind::Open(Bracket::Round) => Ok(self.parenthesised().expr),
            _ => Err(self.fail(expected)),
        }
    }
}
