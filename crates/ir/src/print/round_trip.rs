//! Reading printed expressions back gives the same expression: no parenthesis is missing.
//!
//! The reader below is written from the table of precedences alone, and the expressions are all that can be built
//! from a few leaves with every operator at two depths.

use super::{condition_to_string, expr_to_string};
use crate::expr::{BinaryOp, Expr, Place, Quantifier, UnaryOp};
use crate::program::{AgentKind, KindId, Program, Role, Var, VarId};
use swarmcheck_source::Span;

fn program() -> Program {
    let x = Var {
        name: "x".to_string(),
        owners: None,
        dimensions: vec![],
        domain: None,
        may_be_undef: true,
        role: Role::Turn,
    };
    let kinds = vec![AgentKind { name: "K".to_string(), first: 0, count: 2 }];
    Program { kinds, vars: vec![x], init_locals: vec![], init: vec![], functions: vec![], properties: vec![] }
}

const OPERATORS: [(&str, BinaryOp); 11] = [
    ("+", BinaryOp::Add),
    ("-", BinaryOp::Sub),
    ("*", BinaryOp::Mul),
    ("/", BinaryOp::Div),
    ("%", BinaryOp::Mod),
    ("=", BinaryOp::Eq),
    ("!=", BinaryOp::Ne),
    ("<", BinaryOp::Lt),
    ("<=", BinaryOp::Le),
    (">", BinaryOp::Gt),
    (">=", BinaryOp::Ge),
];
const CALLS: [(&str, BinaryOp); 3] =
    [("round", BinaryOp::Round), ("min", BinaryOp::Min), ("max", BinaryOp::Max)];

struct Reader<'a> {
    words: Vec<&'a str>,
    at: usize,
}

fn read(text: &str) -> Expr {
    let mut words = vec![];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let same = |f: fn(char) -> bool| rest.find(|c| !f(c)).unwrap_or(rest.len());
        let length = match c {
            ' ' => 1,
            'a'..='z' | 'A'..='Z' | '0'..='9' => same(|c| c.is_ascii_alphanumeric()),
            '<' | '>' | '!' | '=' => same(|c| "<>!=".contains(c)),
            _ => 1,
        };
        words.push(&rest[..length]);
        rest = &rest[length..];
    }
    words.retain(|w| *w != " ");
    let mut reader = Reader { words, at: 0 };
    let e = reader.open();
    assert_eq!(reader.at, reader.words.len(), "all of {text} is read");
    e
}

impl Reader<'_> {
    fn eat(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, word: &str) {
        assert!(self.eat(word), "{word} expected at {} of {:?}", self.at, self.words);
    }

    fn open(&mut self) -> Expr {
        if self.eat("if") {
            let c = self.open();
            self.need("then");
            let a = self.open();
            self.need("else");
            return Expr::If(Box::new(c), Box::new(a), Box::new(self.open()));
        }
        let quantifiers =
            [("forall", Quantifier::Forall), ("exists", Quantifier::Exists), ("count", Quantifier::Count)];
        for (word, quantifier) in quantifiers {
            if self.eat(word) {
                ["a", "in", "K", ":"].into_iter().for_each(|w| self.need(w));
                return Expr::Quantified(quantifier, vec![KindId(0)], 0, Box::new(self.open()));
            }
        }
        self.junction("or", Expr::Or, |r| r.junction("and", Expr::And, Reader::negation))
    }

    fn junction(&mut self, word: &str, build: fn(Vec<Expr>) -> Expr, part: fn(&mut Self) -> Expr) -> Expr {
        let mut parts = vec![part(self)];
        while self.eat(word) {
            parts.push(part(self));
        }
        if parts.len() == 1 { parts.remove(0) } else { build(parts) }
    }

    fn negation(&mut self) -> Expr {
        if self.eat("not") {
            return Expr::Unary(UnaryOp::Not, Box::new(self.negation()));
        }
        let left = self.sum();
        match self.operator(&OPERATORS[5..]) {
            Some(op) => binary(op, left, self.sum()),
            None => left,
        }
    }

    fn operator(&mut self, among: &[(&str, BinaryOp)]) -> Option<BinaryOp> {
        among.iter().find(|(word, _)| self.eat(word)).map(|(_, op)| *op)
    }

    fn sum(&mut self) -> Expr {
        let mut left = self.product();
        while let Some(op) = self.operator(&OPERATORS[..2]) {
            left = binary(op, left, self.product());
        }
        left
    }

    fn product(&mut self) -> Expr {
        let mut left = self.sign();
        while let Some(op) = self.operator(&OPERATORS[2..5]) {
            left = binary(op, left, self.sign());
        }
        left
    }

    fn sign(&mut self) -> Expr {
        if self.eat("-") { Expr::unary(UnaryOp::Neg, self.atom()) } else { self.atom() }
    }

    fn parenthesised(&mut self) -> Expr {
        self.need("(");
        let e = self.open();
        self.need(")");
        e
    }

    fn atom(&mut self) -> Expr {
        for (word, op) in CALLS {
            if self.eat(word) {
                self.need("(");
                let a = self.open();
                self.need(",");
                let b = self.open();
                self.need(")");
                return binary(op, a, b);
            }
        }
        let word = self.words[self.at];
        self.at += 1;
        match word {
            "abs" => Expr::Unary(UnaryOp::Abs, Box::new(self.parenthesised())),
            "defined" => Expr::Defined(Box::new(self.parenthesised())),
            "(" => {
                self.at -= 1;
                self.parenthesised()
            }
            "true" => Expr::TRUE,
            "false" => Expr::FALSE,
            "me" => Expr::Me,
            "x" => Expr::Read(Place::global(VarId(0))),
            number => Expr::Const(number.parse().expect("a number")),
        }
    }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b), Span::default())
}

/// Everything with one operator above these numbers and conditions.
fn numbers(numbers: &[Expr], conditions: &[Expr]) -> Vec<Expr> {
    let mut out = vec![];
    for a in numbers {
        out.extend([UnaryOp::Neg, UnaryOp::Abs].map(|op| Expr::unary(op, a.clone())));
        for b in numbers {
            let operators = OPERATORS[..5].iter().chain(&CALLS);
            out.extend(operators.map(|(_, op)| binary(*op, a.clone(), b.clone())));
        }
    }
    for c in conditions {
        out.push(Expr::Quantified(Quantifier::Count, vec![KindId(0)], 0, Box::new(c.clone())));
        let boxed = |e: &Expr| Box::new(e.clone());
        out.push(Expr::If(boxed(c), boxed(&numbers[0]), boxed(&numbers[numbers.len() - 1])));
        out.push(Expr::If(boxed(c), boxed(&numbers[numbers.len() - 1]), boxed(&numbers[0])));
    }
    out
}

fn conditions(numbers: &[Expr], conditions: &[Expr]) -> Vec<Expr> {
    let mut out = vec![];
    for a in numbers {
        out.push(Expr::Defined(Box::new(a.clone())));
        for b in numbers {
            out.extend([BinaryOp::Eq, BinaryOp::Le].map(|op| binary(op, a.clone(), b.clone())));
        }
    }
    for c in conditions {
        out.push(Expr::Unary(UnaryOp::Not, Box::new(c.clone())));
        out.push(Expr::Quantified(Quantifier::Forall, vec![KindId(0)], 0, Box::new(c.clone())));
        for d in conditions {
            let boxed = |e: &Expr| Box::new(e.clone());
            out.push(Expr::And(vec![c.clone(), d.clone()]));
            out.push(Expr::Or(vec![c.clone(), d.clone(), c.clone()]));
            out.push(Expr::If(boxed(c), boxed(d), boxed(c)));
        }
    }
    out
}

#[test]
fn no_parenthesis_is_missing() {
    let program = program();
    let n0 = [Expr::Read(Place::global(VarId(0))), Expr::Const(-3), Expr::Me];
    let c0 = [Expr::TRUE, Expr::Defined(Box::new(n0[0].clone()))];
    let (n1, c1) = (numbers(&n0, &c0), conditions(&n0, &c0));
    let n2 = numbers(&n1, &c1);
    let c2 = conditions(&n1[n1.len() - 30..], &c1);
    for e in n1.iter().chain(&n2) {
        let text = expr_to_string(&program, &[], e);
        assert_eq!(read(&text), *e, "{text}");
    }
    for e in c1.iter().chain(&c2) {
        let text = condition_to_string(&program, &[], e);
        assert_eq!(read(&text), *e, "{text}");
    }
    assert!(n2.len() + c2.len() > 50_000, "{} numbers, {} conditions", n2.len(), c2.len());
}

#[test]
fn no_parenthesis_is_superfluous() {
    let program = program();
    let same = |text: &str| assert_eq!(condition_to_string(&program, &[], &read(text)), text);
    same("x + me * -3 - (x - 1) < x % 2 and not x = 2 or true");
    same("x / me / 2 * x = -(x + 1)");
    same("not (x = 1 and x = 2) and (x = 3 or x = 4)");
    same("(forall a in K: x = 1 or x = 2) and not not x = 3");
    same("if x = 1 then x = 2 else if x = 3 then x = 4 else forall a in K: x = 5");
    same("max(x + 1, 2) * abs(-x) >= (if true then 1 else 2)");
}

/// What no valid program or constructor makes is still unambiguous.
#[test]
fn odd_expressions() {
    let program = program();
    let show = |e: &Expr| expr_to_string(&program, &[], e);
    let compared = binary(BinaryOp::Eq, Expr::Me, Expr::Const(2));
    assert_eq!(show(&binary(BinaryOp::Lt, compared.clone(), compared)), "(me = 2) < (me = 2)");
    assert_eq!(show(&Expr::Unary(UnaryOp::Neg, Box::new(Expr::Const(-3)))), "-(-3)");
}
