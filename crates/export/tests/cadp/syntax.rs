//! A strict parser for the part of LNT that the exporter writes, made from the grammar in the LNT2LOTOS manual.
//!
//! It is stricter than the manual in one thing: operators of different kinds must not stand side by side without
//! parentheses, because the text should not depend on precedence.

use crate::lexer::{Cursor, Token, tokens};

#[derive(Debug, Default)]
pub struct Module {
    pub types: Vec<Type>,
    pub channels: Vec<(String, Vec<Vec<String>>)>,
    pub functions: Vec<Routine>,
    pub processes: Vec<Routine>,
}

#[derive(Debug)]
pub enum Type {
    Enumeration(String, Vec<String>),
    Array(String, i64, i64, String),
}

/// A function or a process.
#[derive(Debug)]
pub struct Routine {
    pub name: String,
    /// Gates and their channels.
    pub gates: Vec<(String, String)>,
    pub parameters: Vec<Parameter>,
    pub result: Option<String>,
    pub body: Vec<Statement>,
}

/// How a value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    In,
    Out,
    InOut,
}

/// A formal parameter.
#[derive(Debug)]
pub struct Parameter {
    pub mode: Mode,
    pub name: String,
    pub kind: String,
}

/// A statement or behaviour.
#[derive(Debug)]
pub enum Statement {
    Null,
    Stop,
    Return(Expr),
    Assert(Expr),
    Var(Vec<(String, String)>, Vec<Statement>),
    If(Vec<(Expr, Vec<Statement>)>, Option<Vec<Statement>>),
    OnlyIf(Expr, Vec<Statement>),
    Select(Vec<Vec<Statement>>),
    Loop(Option<String>, Vec<Statement>),
    For(Box<Statement>, Expr, Box<Statement>, Vec<Statement>),
    Break(String),
    Assign(String, Expr),
    AssignCell(String, Expr, Expr),
    Eval(String, Vec<Actual>),
    Call(String, Vec<String>, Vec<Actual>),
    Action(String, Vec<Offer>, Option<Expr>),
    /// Gates that all branches synchronise on, and branches with the gates each synchronises on besides.
    Par(Vec<String>, Vec<(Vec<String>, Vec<Statement>)>),
    Hide(Vec<(String, String)>, Vec<Statement>),
}

/// An actual parameter.
#[derive(Debug)]
pub enum Actual {
    In(Expr),
    Out(String),
    InOut(String),
}

/// An offer of an action.
#[derive(Debug)]
pub enum Offer {
    Send(Expr),
    Receive(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Number(i64),
    Text(String),
    Name(String),
    Call(String, Vec<Expr>),
    Cell(String, Box<Expr>),
    Minus(Box<Expr>),
    Not(Box<Expr>),
    Infix(String, Box<Expr>, Box<Expr>),
}

/// Words that name nothing.
const KEYWORDS: &str = "access any array as assert break by case channel disrupt else elsif end ensure eval for function \
    hide if in is list loop module null of only out par process raise range require result return select set sorted stop \
    then type use var where while with";
const OPERATORS: [&str; 16] = [
    "==", "<>", "<", "<=", ">", ">=", "+", "-", "*", "div", "rem", "mod", "and", "or", "and_then", "or_else",
];

/// Parses a module.
pub fn parse(text: &str) -> Result<Module, String> {
    let mut parser = Parser { cursor: Cursor::new(tokens(text, true)?) };
    let module = parser.module()?;
    if parser.cursor.done() { Ok(module) } else { Err(parser.cursor.complain("the end")) }
}

struct Parser {
    cursor: Cursor,
}

type Parsed<T> = Result<T, String>;

impl Parser {
    fn module(&mut self) -> Parsed<Module> {
        let mut out = Module::default();
        self.cursor.expect_word("module")?;
        self.identifier()?;
        self.cursor.expect_word("is")?;
        while let Some(Token::Pragma(name)) = self.cursor.peek() {
            if !["nat_bits", "nat_sup", "int_bits", "int_inf", "int_sup", "int_check"]
                .contains(&name.as_str())
            {
                return Err(format!("unknown pragma {name}"));
            }
            self.cursor.take();
            self.cursor.sign("-");
            self.cursor.number()?;
        }
        loop {
            if self.cursor.word("type") {
                let definition = self.definition()?;
                out.types.push(definition);
            } else if self.cursor.word("channel") {
                let name = self.identifier()?;
                self.cursor.expect_word("is")?;
                let mut profiles = vec![];
                loop {
                    self.cursor.expect_sign("(")?;
                    profiles.push(self.list(Parser::identifier)?);
                    self.cursor.expect_sign(")")?;
                    if !self.cursor.sign(",") {
                        break;
                    }
                }
                self.end("channel")?;
                out.channels.push((name, profiles));
            } else if self.cursor.word("function") {
                let routine = self.routine("function")?;
                out.functions.push(routine);
            } else if self.cursor.word("process") {
                let routine = self.routine("process")?;
                out.processes.push(routine);
            } else {
                self.end("module")?;
                return Ok(out);
            }
        }
    }

    fn end(&mut self, what: &str) -> Parsed<()> {
        self.cursor.expect_word("end")?;
        self.cursor.expect_word(what)
    }

    fn identifier(&mut self) -> Parsed<String> {
        let name = self.cursor.name()?;
        let reserved = KEYWORDS.split_whitespace().any(|k| k == name) || OPERATORS.contains(&name.as_str());
        if reserved || name.contains("__") || name.ends_with('_') {
            return Err(format!("`{name}` is no identifier"));
        }
        Ok(name.to_lowercase())
    }

    fn list<T>(&mut self, one: fn(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut out = vec![one(self)?];
        while self.cursor.sign(",") {
            out.push(one(self)?);
        }
        Ok(out)
    }

    fn definition(&mut self) -> Parsed<Type> {
        let name = self.identifier()?;
        self.cursor.expect_word("is")?;
        let out = if self.cursor.word("array") {
            self.cursor.expect_sign("[")?;
            let low = self.cursor.number()?;
            self.cursor.expect_sign("..")?;
            let high = self.cursor.number()?;
            self.cursor.expect_sign("]")?;
            self.cursor.expect_word("of")?;
            Type::Array(name, low, high, self.identifier()?)
        } else {
            let values = self.list(Parser::identifier)?;
            self.cursor.expect_word("with")?;
            loop {
                let predefined = self.cursor.text()?;
                if !["==", "<>"].contains(&predefined.as_str()) {
                    return Err(format!("unknown predefined function {predefined}"));
                }
                if !self.cursor.sign(",") {
                    break;
                }
            }
            Type::Enumeration(name, values)
        };
        self.end("type")?;
        Ok(out)
    }

    fn typed(&mut self) -> Parsed<(String, String)> {
        let name = self.identifier()?;
        self.cursor.expect_sign(":")?;
        Ok((name, self.identifier()?))
    }

    fn routine(&mut self, what: &str) -> Parsed<Routine> {
        let name = self.identifier()?;
        let mut gates = vec![];
        if what == "process" && self.cursor.sign("[") {
            gates = self.list(Parser::typed)?;
            self.cursor.expect_sign("]")?;
        }
        let mut parameters = vec![];
        if self.cursor.sign("(") {
            parameters = self.list(Parser::parameter)?;
            self.cursor.expect_sign(")")?;
        }
        let mut result = None;
        if what == "function" && self.cursor.sign(":") {
            result = Some(self.identifier()?);
        }
        self.cursor.expect_word("is")?;
        let body = self.sequence()?;
        self.end(what)?;
        Ok(Routine { name, gates, parameters, result, body })
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let mode = match (self.cursor.word("in"), self.cursor.word("out")) {
            (true, true) => Mode::InOut,
            (false, true) => Mode::Out,
            _ => Mode::In,
        };
        let (name, kind) = self.typed()?;
        Ok(Parameter { mode, name, kind })
    }

    fn sequence(&mut self) -> Parsed<Vec<Statement>> {
        let mut out = vec![self.statement()?];
        while self.cursor.sign(";") {
            out.push(self.statement()?);
        }
        Ok(out)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        if self.cursor.word("null") {
            return Ok(Statement::Null);
        }
        if self.cursor.word("stop") {
            return Ok(Statement::Stop);
        }
        if self.cursor.word("return") {
            return Ok(Statement::Return(self.expr()?));
        }
        if self.cursor.word("assert") {
            return Ok(Statement::Assert(self.expr()?));
        }
        if self.cursor.word("break") {
            return Ok(Statement::Break(self.identifier()?));
        }
        if self.cursor.word("var") {
            let declared = self.list(Parser::typed)?;
            self.cursor.expect_word("in")?;
            let body = self.sequence()?;
            self.end("var")?;
            return Ok(Statement::Var(declared, body));
        }
        if self.cursor.word("hide") {
            let declared = self.list(Parser::typed)?;
            self.cursor.expect_word("in")?;
            let body = self.sequence()?;
            self.end("hide")?;
            return Ok(Statement::Hide(declared, body));
        }
        if self.cursor.word("only") {
            self.cursor.expect_word("if")?;
            let condition = self.expr()?;
            self.cursor.expect_word("then")?;
            let body = self.sequence()?;
            self.end("if")?;
            return Ok(Statement::OnlyIf(condition, body));
        }
        if self.cursor.word("if") {
            return self.conditional();
        }
        if self.cursor.word("select") {
            let mut ways = vec![self.sequence()?];
            while self.cursor.sign("[]") {
                ways.push(self.sequence()?);
            }
            self.end("select")?;
            return Ok(Statement::Select(ways));
        }
        if self.cursor.word("par") {
            return self.par();
        }
        if self.cursor.word("loop") {
            let label = match self.cursor.peek_at(1) {
                Some(Token::Word(w)) if w == "in" => {
                    let label = self.identifier()?;
                    self.cursor.expect_word("in")?;
                    Some(label)
                }
                _ => None,
            };
            let body = self.sequence()?;
            self.end("loop")?;
            return Ok(Statement::Loop(label, body));
        }
        if self.cursor.word("for") {
            let start = self.statement()?;
            self.cursor.expect_word("while")?;
            let condition = self.expr()?;
            self.cursor.expect_word("by")?;
            let next = self.statement()?;
            self.cursor.expect_word("loop")?;
            let body = self.sequence()?;
            self.end("loop")?;
            return Ok(Statement::For(Box::new(start), condition, Box::new(next), body));
        }
        if self.cursor.word("eval") {
            let name = self.identifier()?;
            return Ok(Statement::Eval(name, self.actuals()?));
        }
        self.named()
    }

    fn conditional(&mut self) -> Parsed<Statement> {
        let mut ways = vec![];
        loop {
            let condition = self.expr()?;
            self.cursor.expect_word("then")?;
            ways.push((condition, self.sequence()?));
            if !self.cursor.word("elsif") {
                break;
            }
        }
        let otherwise = if self.cursor.word("else") { Some(self.sequence()?) } else { None };
        self.end("if")?;
        Ok(Statement::If(ways, otherwise))
    }

    /// `par G1 in G2 -> B || … end par`, where both lists of gates may be missing.
    fn par(&mut self) -> Parsed<Statement> {
        let all = if self.list_before("in") { self.gates("in")? } else { vec![] };
        let mut ways = vec![];
        loop {
            let gates = if self.list_before("->") { self.gates("->")? } else { vec![] };
            ways.push((gates, self.sequence()?));
            if !self.cursor.sign("||") {
                break;
            }
        }
        self.end("par")?;
        if ways.len() < 2 { Err("a lonely branch".to_string()) } else { Ok(Statement::Par(all, ways)) }
    }

    /// Whether a list of names comes next, and then this word or sign.
    fn list_before(&self, end: &str) -> bool {
        let mut at = 0;
        loop {
            match (self.cursor.peek_at(at), self.cursor.peek_at(at + 1)) {
                (Some(Token::Word(_)), Some(Token::Sign(","))) => at += 2,
                (Some(Token::Word(_)), Some(Token::Word(w))) => return w == end,
                (Some(Token::Word(_)), Some(Token::Sign(s))) => return *s == end,
                _ => return false,
            }
        }
    }

    fn gates(&mut self, end: &str) -> Parsed<Vec<String>> {
        let out = self.list(Parser::identifier)?;
        if self.cursor.word(end) || self.cursor.sign(end) { Ok(out) } else { Err(self.cursor.complain(end)) }
    }

    /// An assignment, a process or an action.
    fn named(&mut self) -> Parsed<Statement> {
        let name = self.identifier()?;
        if self.cursor.sign(":=") {
            return Ok(Statement::Assign(name, self.expr()?));
        }
        if self.cursor.sign("[") {
            let inside = self.list(Parser::expr)?;
            self.cursor.expect_sign("]")?;
            if self.cursor.sign(":=") {
                let [index] = inside.as_slice() else {
                    return Err("arrays have one index".to_string());
                };
                return Ok(Statement::AssignCell(name, index.clone(), self.expr()?));
            }
            let gate = |e: Expr| match e {
                Expr::Name(name) => Ok(name),
                other => Err(format!("{other:?} is no gate")),
            };
            let gates = inside.into_iter().map(gate).collect::<Parsed<Vec<_>>>()?;
            let actuals = if self.cursor.is_sign("(") { self.actuals()? } else { vec![] };
            return Ok(Statement::Call(name, gates, actuals));
        }
        let mut offers = vec![];
        if self.cursor.sign("(") {
            offers = self.list(Parser::offer)?;
            self.cursor.expect_sign(")")?;
        }
        let condition = if self.cursor.word("where") { Some(self.expr()?) } else { None };
        Ok(Statement::Action(name, offers, condition))
    }

    fn offer(&mut self) -> Parsed<Offer> {
        if self.cursor.sign("?") {
            Ok(Offer::Receive(self.identifier()?))
        } else {
            Ok(Offer::Send(self.expr()?))
        }
    }

    fn actuals(&mut self) -> Parsed<Vec<Actual>> {
        self.cursor.expect_sign("(")?;
        let out = self.list(|p| {
            if p.cursor.sign("!?") {
                Ok(Actual::InOut(p.identifier()?))
            } else if p.cursor.sign("?") {
                Ok(Actual::Out(p.identifier()?))
            } else {
                Ok(Actual::In(p.expr()?))
            }
        })?;
        self.cursor.expect_sign(")")?;
        Ok(out)
    }

    fn operator(&mut self) -> Option<String> {
        let text = match self.cursor.peek()? {
            Token::Sign(s) => s.to_string(),
            Token::Word(w) => w.clone(),
            _ => return None,
        };
        OPERATORS.contains(&text.as_str()).then(|| {
            self.cursor.take();
            text
        })
    }

    fn expr(&mut self) -> Parsed<Expr> {
        let mut left = self.prefixed()?;
        let mut before: Option<String> = None;
        while let Some(operator) = self.operator() {
            let chain = ["and", "or", "and_then", "or_else"].contains(&operator.as_str());
            if before.as_ref().is_some_and(|b| *b != operator || !chain) {
                return Err(self.cursor.complain("parentheses between operators"));
            }
            let right = self.prefixed()?;
            left = Expr::Infix(operator.clone(), Box::new(left), Box::new(right));
            before = Some(operator);
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Parsed<Expr> {
        if self.cursor.sign("-") {
            return Ok(Expr::Minus(Box::new(self.atom()?)));
        }
        if self.cursor.word("not") {
            if !self.cursor.is_sign("(") {
                return Err(self.cursor.complain("`(` after `not`"));
            }
            return Ok(Expr::Not(Box::new(self.atom()?)));
        }
        self.atom()
    }

    fn atom(&mut self) -> Parsed<Expr> {
        match self.cursor.peek() {
            Some(Token::Number(_)) => Ok(Expr::Number(self.cursor.number()?)),
            Some(Token::Text(_)) => Ok(Expr::Text(self.cursor.text()?)),
            Some(Token::Sign("(")) => {
                self.cursor.take();
                let inner = self.expr()?;
                self.cursor.expect_sign(")")?;
                Ok(inner)
            }
            _ => {
                let name = self.identifier()?;
                if self.cursor.sign("(") {
                    let arguments = self.list(Parser::expr)?;
                    self.cursor.expect_sign(")")?;
                    return Ok(Expr::Call(name, arguments));
                }
                if self.cursor.is_sign("[") {
                    self.cursor.take();
                    let index = self.expr()?;
                    self.cursor.expect_sign("]")?;
                    return Ok(Expr::Cell(name, Box::new(index)));
                }
                Ok(Expr::Name(name))
            }
        }
    }
}
