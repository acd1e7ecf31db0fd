//! Expressions in LNT, with all operands in parentheses: LNT has no precedence that one could rely on.
//!
//! Agents' numbers have type `nat`, because they index arrays; everything else has type `int` or `bool`. ⊥ is one
//! number that nothing else equals. Operations whose operands are surely defined are LNT's own; the others are functions
//! of the module.

use super::helpers::Helper;
use crate::Refusal;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::{BinaryOp, Expr, LocalId, Place, Program, UNDEF, UnaryOp};
use swarmcheck_logic::defined::may_be_undefined;
use swarmcheck_logic::expand;

/// Where cells are: in arrays, or among the variables of one agent's process.
pub(crate) trait Places {
    /// The value of a cell.
    fn read(&self, exprs: &Exprs<'_>, place: &Place) -> Result<String, Refusal>;
    /// A comparison of two timestamps.
    fn compare(&self, exprs: &Exprs<'_>, op: BinaryOp, a: &Place, b: &Place) -> Result<String, Refusal>;
    /// Whether a variable holds timestamps.
    fn is_time(&self, place: &Place) -> bool;
}

/// A local of a function.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// Its identifier.
    pub name: String,
    /// Whether it may be ⊥.
    pub undefined: bool,
    /// Its length, if it is an array.
    pub length: Option<u32>,
}

/// Prints expressions.
#[derive(Clone)]
pub(crate) struct Exprs<'a> {
    /// The program they belong to.
    pub program: &'a Program,
    /// Where cells are.
    pub places: &'a dyn Places,
    /// What the acting agent is called, if there is one.
    pub me: Option<String>,
    /// What agents bound by loops are called.
    pub bound: BTreeMap<u32, String>,
    pub locals: &'a [Local],
    /// Functions that turned out to be needed.
    pub helpers: &'a RefCell<BTreeSet<Helper>>,
}

/// Text, and whether it needs no parentheses as an operand.
struct Text {
    text: String,
    atom: bool,
}

impl Text {
    fn atom(text: impl Into<String>) -> Text {
        Text { text: text.into(), atom: true }
    }

    fn open(text: impl Into<String>) -> Text {
        Text { text: text.into(), atom: false }
    }

    fn operand(self) -> String {
        if self.atom { self.text } else { format!("({})", self.text) }
    }
}

/// A refusal in words.
pub(crate) fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { why: why.into() })
}

impl Exprs<'_> {
    pub(crate) fn number(&self, e: &Expr) -> Result<String, Refusal> {
        Ok(self.int(&expand(self.program, e))?.text)
    }

    /// A number as an operand.
    pub(crate) fn operand(&self, e: &Expr) -> Result<String, Refusal> {
        Ok(self.int(&expand(self.program, e))?.operand())
    }

    pub(crate) fn condition(&self, e: &Expr) -> Result<String, Refusal> {
        Ok(self.bool(&expand(self.program, e))?.text)
    }

    /// The parts of a conjunction, each fit to stand between `and`s. Whatever may fail without those before it shares a
    /// part with them.
    pub(crate) fn conjuncts(&self, e: &Expr) -> Result<Vec<String>, Refusal> {
        match expand(self.program, e) {
            Expr::And(parts) if parts.iter().all(safe) => {
                parts.iter().map(|p| Ok(self.bool(p)?.operand())).collect()
            }
            Expr::Const(1) => Ok(vec![]),
            other => Ok(vec![self.bool(&other)?.operand()]),
        }
    }

    /// An agent as an index, and its number if that is known.
    pub(crate) fn agent(&self, e: &Expr) -> Result<Result<u32, String>, Refusal> {
        match e {
            Expr::Me => match &self.me {
                Some(me) => Ok(Err(me.clone())),
                None => refuse("the acting agent is used where no agent acts"),
            },
            Expr::Bound(b) => match self.bound.get(b) {
                Some(name) => Ok(Err(name.clone())),
                None => refuse("an agent is used outside the loop that binds it"),
            },
            Expr::Const(n) => match u32::try_from(*n) {
                Ok(n) if n < self.program.agents() => Ok(Ok(n)),
                _ => refuse("an agent that does not exist"),
            },
            other if self.undefined(other) => refuse("an agent whose number may be undefined"),
            other => {
                let number = self.int(other)?.text;
                self.helpers.borrow_mut().insert(Helper::Checked);
                Ok(Err(format!("Checked ({number}, {})", self.program.agents())))
            }
        }
    }

    /// Whether an expression may be ⊥. Locals are known here, which the text of an expression does not show.
    pub(crate) fn undefined(&self, e: &Expr) -> bool {
        let (mut locals, mut unknown, mut source) = (false, false, false);
        e.walk(&mut |e| match e {
            Expr::Local(l) | Expr::LocalCell(l, ..) => {
                locals = true;
                unknown |= self.local(*l).is_none_or(|l| l.undefined);
            }
            Expr::Const(UNDEF) => source = true,
            Expr::Read(place) => source |= self.program.var(place.var).may_be_undef,
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round, _, b, _) => {
                source |= !matches!(**b, Expr::Const(n) if n != 0 && n != UNDEF);
            }
            _ => {}
        });
        if locals { unknown || source } else { may_be_undefined(self.program, e) }
    }

    fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get(id.0 as usize)
    }

    fn call(&self, helper: Helper, arguments: &[String]) -> Text {
        self.helpers.borrow_mut().insert(helper);
        if arguments.is_empty() {
            return Text::atom(helper.name());
        }
        Text::atom(format!("{} ({})", helper.name(), arguments.join(", ")))
    }

    fn int(&self, e: &Expr) -> Result<Text, Refusal> {
        if is_condition(e) {
            let truth = self.bool(e)?.text;
            return Ok(self.call(Helper::Truth, &[truth]));
        }
        Ok(match e {
            Expr::Const(UNDEF) => self.call(Helper::Undefined, &[]),
            Expr::Const(n) if n.unsigned_abs() >= 2_147_483_647 => {
                return refuse(format!("{n} does not fit 32 bits"));
            }
            Expr::Const(n) if *n < 0 => Text::open(n.to_string()),
            Expr::Const(n) => Text::atom(n.to_string()),
            Expr::Me | Expr::Bound(_) => match self.agent(e)? {
                Ok(number) => Text::atom(number.to_string()),
                Err(name) => Text::atom(format!("NatToInt ({name})")),
            },
            Expr::Read(place) if self.places.is_time(place) => {
                return refuse("a timestamp is used for something else than a comparison");
            }
            Expr::Read(place) => Text::atom(self.places.read(self, place)?),
            Expr::Local(l) => match self.local(*l) {
                Some(local) => Text::atom(local.name.clone()),
                None => return refuse("a local that is not declared"),
            },
            Expr::LocalCell(l, index, _) => match self.local(*l) {
                Some(Local { name, length: Some(length), .. }) => {
                    Text::atom(format!("{name}[{}]", self.index(index, *length)?))
                }
                _ => return refuse("a local array that is not declared"),
            },
            Expr::Unary(op, a) => self.unary(*op, a)?,
            Expr::Binary(op, a, b, _) => self.binary(*op, a, b)?,
            Expr::If(c, a, b) => {
                if !safe(a) || !safe(b) {
                    return refuse("a conditional expression one of whose branches may be an error");
                }
                let (c, a, b) = (self.bool(c)?.text, self.int(a)?.text, self.int(b)?.text);
                self.call(Helper::IfThenElse, &[c, a, b])
            }
            _ => return refuse("a quantifier could not be expanded"),
        })
    }

    fn unary(&self, op: UnaryOp, a: &Expr) -> Result<Text, Refusal> {
        let inner = self.int(a)?;
        Ok(match op {
            UnaryOp::Neg if self.undefined(a) => self.call(Helper::Negated, &[inner.text]),
            UnaryOp::Abs if self.undefined(a) => self.call(Helper::Absolute, &[inner.text]),
            UnaryOp::Neg => Text::open(format!("-{}", inner.operand())),
            _ => Text::atom(format!("abs ({})", inner.text)),
        })
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Text, Refusal> {
        let undefined = self.undefined(a) || self.undefined(b);
        let (x, y) = (self.int(a)?, self.int(b)?);
        let helper = match op {
            BinaryOp::Add if undefined => Helper::Plus,
            BinaryOp::Sub if undefined => Helper::Minus,
            BinaryOp::Mul if undefined => Helper::Times,
            BinaryOp::Min if undefined => Helper::Minimum,
            BinaryOp::Max if undefined => Helper::Maximum,
            BinaryOp::Div => Helper::Quotient,
            BinaryOp::Mod => Helper::Modulo,
            BinaryOp::Round => Helper::Rounded,
            BinaryOp::Add => return Ok(Text::open(format!("{} + {}", x.operand(), y.operand()))),
            BinaryOp::Sub => return Ok(Text::open(format!("{} - {}", x.operand(), y.operand()))),
            BinaryOp::Mul => return Ok(Text::open(format!("{} * {}", x.operand(), y.operand()))),
            BinaryOp::Min => return Ok(Text::atom(format!("min ({}, {})", x.text, y.text))),
            BinaryOp::Max => return Ok(Text::atom(format!("max ({}, {})", x.text, y.text))),
            _ => return refuse("a condition where a number should be"),
        };
        Ok(self.call(helper, &[x.text, y.text]))
    }

    fn bool(&self, e: &Expr) -> Result<Text, Refusal> {
        Ok(match e {
            Expr::Const(n) => Text::atom(if *n != 0 { "true" } else { "false" }),
            Expr::And(parts) => self.junction(parts, "and", "true")?,
            Expr::Or(parts) => self.junction(parts, "or", "false")?,
            Expr::Unary(UnaryOp::Not, a) => Text::open(format!("not ({})", self.bool(a)?.text)),
            Expr::Binary(BinaryOp::And, a, b, _) => {
                Text::open(format!("{} and {}", self.bool(a)?.operand(), self.bool(b)?.operand()))
            }
            Expr::Binary(BinaryOp::Or, a, b, _) => {
                Text::open(format!("{} or {}", self.bool(a)?.operand(), self.bool(b)?.operand()))
            }
            Expr::Binary(op, a, b, _) if op.is_comparison() => self.comparison(*op, a, b)?,
            Expr::Defined(a) if self.undefined(a) => {
                let a = self.int(a)?.operand();
                let undefined = self.call(Helper::Undefined, &[]).text;
                Text::open(format!("{a} <> {undefined}"))
            }
            Expr::Defined(_) => Text::atom("true"),
            Expr::If(c, a, b) if is_condition(e) => {
                let c = self.bool(c)?.text;
                let (a, b) = (self.bool(a)?.operand(), self.bool(b)?.operand());
                Text::open(format!("(({c}) and_then {a}) or_else ((not ({c})) and_then {b})"))
            }
            other => Text::open(format!("{} <> 0", self.int(other)?.operand())),
        })
    }

    fn junction(&self, parts: &[Expr], word: &str, nothing: &str) -> Result<Text, Refusal> {
        let texts: Vec<Text> = parts.iter().map(|p| self.bool(p)).collect::<Result<_, _>>()?;
        // What stands behind a test that guards it must not be evaluated when the test fails.
        let lazy = if word == "and" { "and_then" } else { "or_else" };
        let word = if parts.iter().skip(1).all(safe) { word } else { lazy };
        let mut texts = texts.into_iter();
        let Some(first) = texts.next() else {
            return Ok(Text::atom(nothing));
        };
        if parts.len() == 1 {
            return Ok(first);
        }
        let rest = texts.map(Text::operand);
        let all: Vec<String> = std::iter::once(first.operand()).chain(rest).collect();
        Ok(Text::open(all.join(&format!(" {word} "))))
    }

    fn comparison(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Text, Refusal> {
        if let (Expr::Read(x), Expr::Read(y)) = (a, b)
            && self.places.is_time(x)
            && self.places.is_time(y)
        {
            return Ok(Text::open(self.places.compare(self, op, x, y)?));
        }
        let agents = [a, b].iter().all(|e| matches!(e, Expr::Me | Expr::Bound(_)))
            && matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if agents {
            let name = |e: &Expr| {
                Ok::<_, Refusal>(match self.agent(e)? {
                    Ok(number) => number.to_string(),
                    Err(name) => name,
                })
            };
            return Ok(Text::open(format!("{} {} {}", name(a)?, symbol(op), name(b)?)));
        }
        let undefined = self.undefined(a) || self.undefined(b);
        let (x, y) = (self.int(a)?, self.int(b)?);
        if undefined {
            let both = self.call(Helper::BothDefined, &[x.text.clone(), y.text.clone()]).text;
            return Ok(Text::open(format!("{both} and ({} {} {})", x.operand(), symbol(op), y.operand())));
        }
        Ok(Text::open(format!("{} {} {}", x.operand(), symbol(op), y.operand())))
    }

    /// An index into an array of a given length.
    pub(crate) fn index(&self, e: &Expr, length: u32) -> Result<String, Refusal> {
        match e {
            Expr::Const(n) if (0..i64::from(length)).contains(n) => Ok(n.to_string()),
            e if self.undefined(e) => refuse("an array index that may be undefined"),
            e => {
                let number = self.int(e)?.text;
                self.helpers.borrow_mut().insert(Helper::Checked);
                Ok(format!("Checked ({number}, {length})"))
            }
        }
    }
}

/// The sign of a comparison.
pub(crate) fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "<>",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        _ => ">=",
    }
}

/// Whether an expression is a condition rather than a number.
pub(crate) fn is_condition(e: &Expr) -> bool {
    match e {
        Expr::And(_) | Expr::Or(_) | Expr::Defined(_) | Expr::Unary(UnaryOp::Not, _) => true,
        Expr::Binary(op, ..) => op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or),
        Expr::If(_, a, b) => is_condition(a) && is_condition(b),
        _ => false,
    }
}

/// Whether evaluating an expression cannot meet a cell or an agent that does not exist.
pub(crate) fn safe(e: &Expr) -> bool {
    let mut safe = true;
    e.walk(&mut |e| match e {
        Expr::Read(place) => {
            let known = |a: &Expr| matches!(a, Expr::Me | Expr::Bound(_) | Expr::Const(_));
            safe &= place.agent.as_deref().is_none_or(known);
            safe &= place.index.iter().all(|i| matches!(i, Expr::Const(_)));
        }
        Expr::LocalCell(_, index, _) => safe &= matches!(**index, Expr::Const(_)),
        _ => {}
    });
    safe
}
