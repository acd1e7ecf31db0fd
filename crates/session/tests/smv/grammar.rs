//! A reader of SMV text, written from the grammar of the NuSMV 2.6 manual: the parts of it that are used, and nothing
//! besides. What it does not know is an error.

use std::collections::BTreeMap;

/// An expression, a formula included.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Bool(bool),
    Int(i64),
    Name(String),
    /// `!`, `-`, `X`, `F`, `G`, `EF`, `AG`.
    Unary(String, Box<Expr>),
    /// Operators by their signs; `U`, `V`, and `EU` for `E [a U b]`.
    Binary(String, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Case(Vec<(Expr, Expr)>),
}

/// The type of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    Boolean,
    Range(i64, i64),
    Symbols(Vec<String>),
}

/// A module.
#[derive(Debug, Default)]
pub struct Module {
    pub inputs: Vec<(String, Domain)>,
    pub variables: Vec<(String, Domain)>,
    pub defines: BTreeMap<String, Expr>,
    pub init: BTreeMap<String, Expr>,
    pub next: BTreeMap<String, Expr>,
    pub trans: Vec<Expr>,
    /// The word that begins it, its name, and what it says.
    pub specifications: Vec<(String, String, Expr)>,
}

type Read<T> = Result<T, String>;

/// The words, numbers and signs of a text, without remarks.
fn tokens(text: &str) -> Read<Vec<String>> {
    let mut out = vec![];
    for line in text.lines() {
        let line = line.split("--").next().unwrap_or("");
        let letters: Vec<char> = line.chars().collect();
        let mut at = 0;
        while at < letters.len() {
            let c = letters[at];
            let long = |test: fn(char) -> bool| letters[at..].iter().take_while(|c| test(**c)).count();
            let length = match c {
                c if c.is_whitespace() => {
                    at += 1;
                    continue;
                }
                c if c.is_ascii_alphabetic() || c == '_' => long(|c| c.is_ascii_alphanumeric() || c == '_'),
                c if c.is_ascii_digit() => long(|c| c.is_ascii_digit()),
                _ => {
                    let two: String = letters[at..].iter().take(2).collect();
                    match [":=", "!=", "<=", ">=", "->", ".."].contains(&two.as_str()) {
                        true => 2,
                        false if "(){}[];:,=<>!&|+-*/?".contains(c) => 1,
                        false => return Err(format!("{c:?} is no sign of SMV, in {line:?}")),
                    }
                }
            };
            out.push(letters[at..at + length].iter().collect());
            at += length;
        }
    }
    Ok(out)
}

const SECTIONS: &[&str] = &["IVAR", "VAR", "DEFINE", "ASSIGN", "TRANS", "INVARSPEC", "LTLSPEC", "CTLSPEC"];

struct Cursor {
    tokens: Vec<String>,
    at: usize,
}

/// Reads a text that is one module.
pub fn module(text: &str) -> Read<Module> {
    let mut c = Cursor { tokens: tokens(text)?, at: 0 };
    c.expect("MODULE")?;
    c.expect("main")?;
    let mut out = Module::default();
    while c.at < c.tokens.len() {
        let section = c.next()?;
        match section.as_str() {
            "IVAR" | "VAR" => {
                while !c.ended() {
                    let name = c.name()?;
                    c.expect(":")?;
                    let domain = c.domain()?;
                    c.expect(";")?;
                    let list = if section == "IVAR" { &mut out.inputs } else { &mut out.variables };
                    list.push((name, domain));
                }
            }
            "DEFINE" => {
                while !c.ended() {
                    let name = c.name()?;
                    c.expect(":=")?;
                    let e = c.expression()?;
                    c.expect(";")?;
                    if out.defines.insert(name.clone(), e).is_some() {
                        return Err(format!("{name} is defined twice"));
                    }
                }
            }
            "ASSIGN" => {
                while !c.ended() {
                    let which = c.next()?;
                    c.expect("(")?;
                    let name = c.name()?;
                    c.expect(")")?;
                    c.expect(":=")?;
                    let e = c.expression()?;
                    c.expect(";")?;
                    let list = match which.as_str() {
                        "init" => &mut out.init,
                        "next" => &mut out.next,
                        other => return Err(format!("{other} is not assigned to")),
                    };
                    if list.insert(name.clone(), e).is_some() {
                        return Err(format!("{which}({name}) is assigned twice"));
                    }
                }
            }
            "TRANS" => {
                out.trans.push(c.expression()?);
                c.expect(";")?;
            }
            "INVARSPEC" | "LTLSPEC" | "CTLSPEC" => {
                c.expect("NAME")?;
                let name = c.name()?;
                c.expect(":=")?;
                let e = c.expression()?;
                c.expect(";")?;
                out.specifications.push((section, name, e));
            }
            other => return Err(format!("no section begins with {other}")),
        }
    }
    Ok(out)
}

impl Cursor {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> Read<String> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().ok_or_else(|| "the text ends too early".to_string())
    }

    fn expect(&mut self, what: &str) -> Read<()> {
        let found = self.next()?;
        let around = self.tokens[self.at.saturating_sub(8)..self.at].join(" ");
        if found == what { Ok(()) } else { Err(format!("{what} was expected, not {found}, after {around}")) }
    }

    fn ended(&self) -> bool {
        self.at >= self.tokens.len() || SECTIONS.contains(&self.peek())
    }

    fn name(&mut self) -> Read<String> {
        let name = self.next()?;
        let first = name.chars().next().unwrap_or('0');
        let reserved = crate::nusmv::WORDS.split_whitespace().any(|word| word == name);
        match (first.is_ascii_alphabetic() || first == '_') && !reserved {
            true => Ok(name),
            false => Err(format!("{name} is no name")),
        }
    }

    fn integer(&mut self) -> Read<i64> {
        let minus = self.peek() == "-";
        if minus {
            self.at += 1;
        }
        let text = self.next()?;
        let number: i64 = text.parse().map_err(|_| format!("{text} is no number"))?;
        Ok(if minus { -number } else { number })
    }

    fn domain(&mut self) -> Read<Domain> {
        match self.peek() {
            "boolean" => {
                self.at += 1;
                Ok(Domain::Boolean)
            }
            "{" => {
                self.at += 1;
                let mut all = vec![self.name()?];
                while self.peek() == "," {
                    self.at += 1;
                    all.push(self.name()?);
                }
                self.expect("}")?;
                Ok(Domain::Symbols(all))
            }
            _ => {
                let lo = self.integer()?;
                self.expect("..")?;
                let hi = self.integer()?;
                if lo > hi {
                    return Err(format!("{lo}..{hi} is empty"));
                }
                Ok(Domain::Range(lo, hi))
            }
        }
    }

    /// From the loosest operator to the tightest: `->`, `? :`, `|`, `&`, temporal ones, comparisons, sums, products,
    /// signs.
    fn expression(&mut self) -> Read<Expr> {
        let left = self.choice()?;
        if self.peek() != "->" {
            return Ok(left);
        }
        self.at += 1;
        Ok(Expr::Binary("->".to_string(), Box::new(left), Box::new(self.expression()?)))
    }

    fn choice(&mut self) -> Read<Expr> {
        let c = self.level(0)?;
        if self.peek() != "?" {
            return Ok(c);
        }
        self.at += 1;
        let a = self.choice()?;
        self.expect(":")?;
        Ok(Expr::Choice(Box::new(c), Box::new(a), Box::new(self.choice()?)))
    }

    fn level(&mut self, level: usize) -> Read<Expr> {
        const LEVELS: &[&[&str]] = &[
            &["|"],
            &["&"],
            &["U", "V"],
            &["=", "!=", "<", ">", "<=", ">="],
            &["+", "-"],
            &["*", "/", "mod"],
        ];
        let Some(signs) = LEVELS.get(level) else { return self.sign() };
        let mut left = self.level(level + 1)?;
        let mut times = 0;
        while signs.contains(&self.peek()) {
            let sign = self.next()?;
            times += 1;
            // The manual does not say how these group: they must not.
            if times > 1 && (level == 2 || level == 3) {
                return Err(format!("a second {sign} needs parentheses"));
            }
            left = Expr::Binary(sign, Box::new(left), Box::new(self.level(level + 1)?));
        }
        Ok(left)
    }

    fn sign(&mut self) -> Read<Expr> {
        match self.peek() {
            "-" | "!" | "X" | "F" | "G" | "EF" | "AG" => {
                let sign = self.next()?;
                Ok(Expr::Unary(sign, Box::new(self.sign()?)))
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        match self.peek() {
            "TRUE" | "FALSE" => Ok(Expr::Bool(self.next()? == "TRUE")),
            "(" => {
                self.at += 1;
                let e = self.expression()?;
                self.expect(")")?;
                Ok(e)
            }
            "E" => {
                self.at += 1;
                self.expect("[")?;
                let a = self.level(3)?;
                self.expect("U")?;
                let b = self.level(3)?;
                self.expect("]")?;
                Ok(Expr::Binary("EU".to_string(), Box::new(a), Box::new(b)))
            }
            "case" => {
                self.at += 1;
                let mut all = vec![];
                while self.peek() != "esac" {
                    let c = self.choice()?;
                    self.expect(":")?;
                    let e = self.expression()?;
                    self.expect(";")?;
                    all.push((c, e));
                }
                self.at += 1;
                Ok(Expr::Case(all))
            }
            text if text.chars().all(|c| c.is_ascii_digit()) && !text.is_empty() => {
                Ok(Expr::Int(self.integer()?))
            }
            _ => Ok(Expr::Name(self.name()?)),
        }
    }
}
