//! What NuSMV refuses although grammar and sorts are right. It evaluates every expression for all values of all variables,
//! reachable or not, before it looks at anything else:
//!
//! - a value that is assigned must be in the domain of its variable, whatever guards the branch and whatever `TRANS` excludes;
//! - a variable with one value is a constant, and constants are not assigned;
//! - no divisor may be 0, in definitions included, whoever guards their use;
//! - the words of its scanner are no names.
//!
//! NuSMV works out the exact set of values. Here they are bounded from above, so what is accepted here is accepted there: an interval for
//! every expression, made narrower where a condition compares the very expression with a number.

use crate::grammar::{Domain, Expr, Module};
use std::cell::RefCell;
use std::collections::HashMap;

/// The words of the scanners of NuSMV 2.5, 2.6 and 2.7, those that the manuals of NuSMV and nuXmv reserve besides, and single
/// letters that are operators.
pub const WORDS: &str = "A ABF ABG AF AG ASSIGN AX BU COMPASSION COMPID COMPUTE COMPWFF CONSTANTS CONSTARRAY CONSTRAINT CTLSPEC \
    CTLWFF DEFINE E EBF EBG EF EG EX F FAIRNESS FALSE FROZENVAR FUN G H IN INIT INVAR INVARSPEC ISA ITYPE IVAR Integer \
    JUSTICE LTLSPEC LTLWFF MAX MDEFINE MIN MIRROR MODULE NAME NEXTWFF O PARSYNTH PRED PREDICATES PSLSPEC PSLWFF READ Real S \
    SIMPWFF SPEC T TRANS TRUE U URGENT V VAR WRITE Word X Y Z abs array at bool boolean case clock count esac extend floor \
    in init integer last max min mod next noncontinuous of pi process real resize self signed sizeof swconst time time_since time_until \
    toint typeof union unsigned uwconst word word1 xnor xor";

/// Bounds of the values of an expression; conditions are 0 and 1.
type Interval = (i64, i64);

struct Values<'a> {
    module: &'a Module,
    domains: HashMap<&'a str, &'a Domain>,
    /// Bounds of definitions that were looked at without further knowledge.
    known: RefCell<HashMap<String, Interval>>,
}

/// What is known about the value of an expression where something is evaluated.
#[derive(Clone, Copy)]
enum Fact {
    Within(i64, i64),
    NotZero,
}

type Facts = Vec<(Expr, Fact)>;

const ALL: Interval = (i64::MIN / 4, i64::MAX / 4);

/// Refuses what NuSMV refuses.
pub fn accepted(module: &Module) -> Result<(), String> {
    let declared = module.variables.iter().chain(&module.inputs);
    let values = Values {
        module,
        domains: declared.map(|(n, d)| (n.as_str(), d)).collect(),
        known: RefCell::default(),
    };
    for (name, domain) in &module.variables {
        let (lo, hi) = match domain {
            Domain::Boolean => (0, 1),
            Domain::Range(lo, hi) => (*lo, *hi),
            Domain::Symbols(all) => (0, all.len() as i64 - 1),
        };
        if lo == hi {
            return Err(format!("{name} has one value: it is a constant, and cannot be assigned"));
        }
        for e in [&module.init[name], &module.next[name]] {
            let branches: Vec<&Expr> = match e {
                Expr::Case(all) => all.iter().map(|(_, e)| e).collect(),
                e => vec![e],
            };
            for e in branches {
                let found = values.of(e, &vec![])?;
                if !matches!(domain, Domain::Symbols(_)) && (found.0 < lo || found.1 > hi) {
                    return Err(format!("{name} : {lo}..{hi} may become {found:?}: {e:?}"));
                }
            }
            values.of(e, &vec![])?;
        }
    }
    for name in module.defines.keys() {
        values.definition(name)?;
    }
    let formulas = module.trans.iter().chain(module.specifications.iter().map(|(.., e)| e));
    formulas.map(|e| values.of(e, &vec![])).collect::<Result<Vec<_>, _>>().map(|_| ())
}

impl Values<'_> {
    fn definition(&self, name: &str) -> Result<Interval, String> {
        if let Some(found) = self.known.borrow().get(name) {
            return Ok(*found);
        }
        let found = self.of(&self.module.defines[name], &vec![])?;
        self.known.borrow_mut().insert(name.to_string(), found);
        Ok(found)
    }

    /// The values of an expression, for all values of variables that fit the facts; no divisor in it may be 0 for any.
    fn of(&self, e: &Expr, facts: &Facts) -> Result<Interval, String> {
        let found = self.raw(e, facts)?;
        let narrow = |(lo, hi): Interval, (_, fact): &(Expr, Fact)| match *fact {
            Fact::Within(least, most) => (lo.max(least), hi.min(most)),
            Fact::NotZero => (lo + i64::from(lo == 0), hi - i64::from(hi == 0)),
        };
        Ok(facts.iter().filter(|(known, _)| known == e).fold(found, narrow))
    }

    fn raw(&self, e: &Expr, facts: &Facts) -> Result<Interval, String> {
        Ok(match e {
            Expr::Bool(b) => (i64::from(*b), i64::from(*b)),
            Expr::Int(n) => (*n, *n),
            Expr::Name(name) => match self.domains.get(name.as_str()) {
                Some(Domain::Range(lo, hi)) => (*lo, *hi),
                Some(Domain::Boolean) => (0, 1),
                Some(Domain::Symbols(_)) => ALL,
                None if self.module.defines.contains_key(name) => self.definition(name)?,
                None => ALL,
            },
            Expr::Unary(sign, a) => {
                let (lo, hi) = self.of(a, facts)?;
                if sign == "-" { (-hi, -lo) } else { (0, 1) }
            }
            Expr::Binary(sign, a, b) => self.binary(sign, a, b, facts)?,
            Expr::Choice(c, a, b) => {
                let holds = self.of(c, facts)?;
                let (yes, no) = (with(facts, c, true), with(facts, c, false));
                // What is never chosen is evaluated all the same.
                let (first, second) = (self.of(a, &yes)?, self.of(b, &no)?);
                match holds {
                    (1, 1) => first,
                    (0, 0) => second,
                    _ => join(first, second),
                }
            }
            Expr::Case(all) => {
                let mut found: Option<Interval> = None;
                for (c, e) in all {
                    self.of(c, facts)?;
                    let here = self.of(e, facts)?;
                    found = Some(found.map_or(here, |f| join(f, here)));
                }
                found.unwrap_or(ALL)
            }
        })
    }

    fn binary(&self, sign: &str, a: &Expr, b: &Expr, facts: &Facts) -> Result<Interval, String> {
        let (x, y) = (self.of(a, facts)?, self.of(b, facts)?);
        let corners = |f: fn(i64, i64) -> i64| {
            let all = [f(x.0, y.0), f(x.0, y.1), f(x.1, y.0), f(x.1, y.1)];
            (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
        };
        Ok(match sign {
            "+" => corners(i64::saturating_add),
            "-" => corners(i64::saturating_sub),
            "*" => corners(i64::saturating_mul),
            "/" | "mod" => {
                // What guards the division does not count, only what the divisor itself says.
                let y = self.of(b, &vec![])?;
                if y.0 <= 0 && 0 <= y.1 {
                    return Err(format!("a divisor may be 0: {b:?}"));
                }
                let size = |i: Interval| i.0.abs().max(i.1.abs());
                let most = if sign == "/" { size(x) } else { size(x).min(size(y) - 1) };
                (if x.0 >= 0 && y.0 >= 0 { 0 } else { -most }, most)
            }
            _ => (0, 1),
        })
    }
}

fn join(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// What is also known where a condition holds, or does not: only comparisons with numbers, and parts of conjunctions.
fn with(facts: &Facts, c: &Expr, holds: bool) -> Facts {
    let mut out = facts.clone();
    let Expr::Binary(sign, a, b) = c else { return out };
    let number = match &**b {
        Expr::Int(n) => Some(*n),
        Expr::Unary(sign, b) => match (sign.as_str(), &**b) {
            ("-", Expr::Int(n)) => Some(-n),
            _ => None,
        },
        _ => None,
    };
    match (sign.as_str(), number, holds) {
        ("&", _, true) => return with(&with(facts, a, true), b, true),
        ("|", _, false) => return with(&with(facts, a, false), b, false),
        (sign, Some(n), _) => {
            let fact = match (sign, holds) {
                ("<", true) | (">=", false) => Fact::Within(ALL.0, n - 1),
                ("<=", true) | (">", false) => Fact::Within(ALL.0, n),
                (">", true) | ("<=", false) => Fact::Within(n + 1, ALL.1),
                (">=", true) | ("<", false) => Fact::Within(n, ALL.1),
                ("=", true) | ("!=", false) => Fact::Within(n, n),
                ("!=", true) | ("=", false) if n == 0 => Fact::NotZero,
                _ => return out,
            };
            out.push(((**a).clone(), fact));
        }
        _ => {}
    }
    out
}
