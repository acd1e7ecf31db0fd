//! Conditions that are looked at after every step.
//!
//! A quantifier over ten thousand agents takes ten thousand evaluations, and a step changes one or a few agents. So the value of a
//! quantifier is kept from look to look, and what a step wrote says which agents must be asked again:
//!
//! * If the body reads scalars of the bound agent only, its value for each agent is kept.
//! * If two quantifiers of the same kind stand one in the other, as in "any two birds agree", the pair that decided is asked first. If it
//!   still decides, the others do not matter. If no pair decided, only pairs with an agent that has changed can do so now.
//!
//! A body that meets a fault for some agent decides nothing here: then the condition is evaluated as it stands, because what comes
//! before the fault may decide without it. Pairs are kept only if their body cannot fault.

use super::code::Code;
use super::near::interval;
use super::{Flat, Machine};
use crate::arith::{Fault, Value};
use crate::expr::Quantifier;
use std::ops::Range;

/// A condition, or a number, with quantifiers whose values are kept.
#[derive(Clone, Debug)]
pub struct Watched {
    plain: Code,
    /// The same, with quantifiers replaced.
    code: Code,
    quantifiers: Vec<Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    quantifier: Quantifier,
    agents: Box<[Range<u32>]>,
    bound: u32,
    /// The quantifier inside, if pairs are kept.
    inner: Option<(Box<[Range<u32>]>, u32)>,
    body: Code,
    /// By variable, whether the body reads it.
    reads: Vec<bool>,
}

/// What is known from earlier looks along one run.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    quantifiers: Vec<SeenOne>,
    begun: bool,
}

#[derive(Clone, Debug, Default)]
struct SeenOne {
    /// By agent: 0 and 1 as the body says, 2 for a fault.
    each: Vec<u8>,
    holds: u64,
    faults: u64,
    /// The pair that decided, if one did.
    pair: Option<(u32, u32)>,
    changed: Vec<u32>,
}

impl Watched {
    /// Finds the quantifiers of a condition or a number whose values can be kept.
    pub fn new(flat: &Flat, condition: &crate::Expr) -> Watched {
        let plain = flat.compile(condition);
        let mut quantifiers = vec![];
        let code = keep(&plain, flat.program.vars.len(), &mut quantifiers);
        Watched { plain, code, quantifiers }
    }

    /// The value in a state, given what was written since the last look. The first look at a run is with a new memory.
    pub fn value(
        &self,
        machine: &mut Machine,
        flat: &Flat,
        state: &[Value],
        seen: &mut Seen,
        writes: &[(u32, Value)],
    ) -> Result<Value, Fault> {
        if self.quantifiers.is_empty() {
            return machine.value(flat, &self.plain, state);
        }
        let begun = std::mem::replace(&mut seen.begun, true);
        if !begun {
            seen.quantifiers = vec![SeenOne::default(); self.quantifiers.len()];
        }
        let mut faults = 0;
        for (at, (kept, seen)) in self.quantifiers.iter().zip(&mut seen.quantifiers).enumerate() {
            kept.note(flat, seen, writes, state);
            let value = match &kept.inner {
                None => kept.each(machine, flat, state, seen, !begun),
                Some(inner) => kept.pairs(inner, machine, flat, state, seen, !begun),
            };
            seen.changed.clear();
            faults += seen.faults;
            machine.kept.resize(self.quantifiers.len(), 0);
            machine.kept[at] = value;
        }
        let code = if faults == 0 { &self.code } else { &self.plain };
        machine.value(flat, code, state)
    }

    /// The same for a condition.
    pub fn test(
        &self,
        machine: &mut Machine,
        flat: &Flat,
        state: &[Value],
        seen: &mut Seen,
        writes: &[(u32, Value)],
    ) -> Result<bool, Fault> {
        Ok(self.value(machine, flat, state, seen, writes)? != 0)
    }
}

impl Kept {
    /// Notes which agents have changed.
    fn note(&self, flat: &Flat, seen: &mut SeenOne, writes: &[(u32, Value)], state: &[Value]) {
        for (slot, old) in writes {
            let cell = flat.layout.cell(*slot);
            // If a slot has another value than before, its first write says so.
            if self.reads[cell.var.0 as usize] && state[*slot as usize] != *old {
                seen.changed.extend(cell.agent);
            }
        }
        seen.changed.sort_unstable();
        seen.changed.dedup();
    }

    fn each(
        &self,
        machine: &mut Machine,
        flat: &Flat,
        state: &[Value],
        seen: &mut SeenOne,
        all: bool,
    ) -> Value {
        if all {
            let last = self.agents.iter().map(|range| range.end).max().unwrap_or(0);
            seen.each = vec![0; last as usize];
            (seen.holds, seen.faults) = (0, 0);
            for agent in self.agents.iter().cloned().flatten() {
                self.one(machine, flat, state, seen, agent);
            }
        } else {
            let changed = std::mem::take(&mut seen.changed);
            for agent in &changed {
                if self.agents.iter().any(|range| range.contains(agent)) {
                    self.one(machine, flat, state, seen, *agent);
                }
            }
            seen.changed = changed;
        }
        let count: u64 = self.agents.iter().map(|range| range.len() as u64).sum();
        match self.quantifier {
            Quantifier::Forall => Value::from(seen.holds == count),
            Quantifier::Exists => Value::from(seen.holds > 0),
            Quantifier::Count => seen.holds as Value,
        }
    }

    /// Asks one agent again.
    fn one(&self, machine: &mut Machine, flat: &Flat, state: &[Value], seen: &mut SeenOne, agent: u32) {
        machine.bind(self.bound, agent);
        let now = match machine.value(flat, &self.body, state) {
            Ok(value) => u8::from(value != 0),
            Err(_) => 2,
        };
        let before = std::mem::replace(&mut seen.each[agent as usize], now);
        seen.holds = seen.holds + u64::from(now == 1) - u64::from(before == 1);
        seen.faults = seen.faults + u64::from(now == 2) - u64::from(before == 2);
    }

    fn pairs(
        &self,
        (agents, bound): &(Box<[Range<u32>]>, u32),
        machine: &mut Machine,
        flat: &Flat,
        state: &[Value],
        seen: &mut SeenOne,
        all: bool,
    ) -> Value {
        let deciding = self.quantifier == Quantifier::Exists;
        let mut decides = |a: u32, b: u32| {
            machine.bind(self.bound, a);
            machine.bind(*bound, b);
            let holds = machine.value(flat, &self.body, state).is_ok_and(|value| value != 0);
            (holds == deciding).then_some((a, b))
        };
        let is_in = |agents: &[Range<u32>], agent: u32| agents.iter().any(|range| range.contains(&agent));
        seen.pair = match seen.pair {
            Some((a, b)) if decides(a, b).is_some() => Some((a, b)),
            None if !all => {
                let mut with = |agent: u32| {
                    let first =
                        is_in(&self.agents, agent).then(|| each(agents).find_map(|b| decides(agent, b)));
                    let second = || {
                        is_in(agents, agent)
                            .then(|| each(&self.agents).find_map(|a| decides(a, agent)))
                            .flatten()
                    };
                    first.flatten().or_else(second)
                };
                seen.changed.iter().find_map(|agent| with(*agent))
            }
            before => {
                // Agents near the one that decided are as good as any to begin with; all are asked in the end.
                let from = before.map_or(0, |(a, _)| a);
                let mut row = |a: u32| each(agents).find_map(|b| decides(a, b));
                let later = each(&self.agents).filter(|a| *a >= from).find_map(&mut row);
                later.or_else(|| each(&self.agents).filter(|a| *a < from).find_map(&mut row))
            }
        };
        Value::from(seen.pair.is_some() == deciding)
    }
}

fn each(agents: &[Range<u32>]) -> impl Iterator<Item = u32> {
    agents.iter().cloned().flatten()
}

/// Replaces the quantifiers of an expression that can be kept.
fn keep(code: &Code, vars: usize, out: &mut Vec<Kept>) -> Code {
    let mut all = |parts: &[Code]| parts.iter().map(|part| keep(part, vars, out)).collect();
    match code {
        Code::And(parts) => Code::And(all(parts)),
        Code::Or(parts) => Code::Or(all(parts)),
        Code::Unary(op, e) => Code::Unary(*op, Box::new(keep(e, vars, out))),
        Code::Binary(op, sides, span) => {
            let sides = (keep(&sides.0, vars, out), keep(&sides.1, vars, out));
            Code::Binary(*op, Box::new(sides), *span)
        }
        Code::If(parts) => {
            let parts = (keep(&parts.0, vars, out), keep(&parts.1, vars, out), keep(&parts.2, vars, out));
            Code::If(Box::new(parts))
        }
        Code::Quantified(quantifier, agents, bound, body) => {
            match kept(*quantifier, agents, *bound, body, vars) {
                Some(one) => {
                    out.push(one);
                    Code::Kept(out.len() as u32 - 1)
                }
                None => code.clone(),
            }
        }
        other => other.clone(),
    }
}

fn kept(quantifier: Quantifier, agents: &[Range<u32>], bound: u32, body: &Code, vars: usize) -> Option<Kept> {
    let mut reads = vec![false; vars];
    let agents: Box<[Range<u32>]> = agents.into();
    if let Code::Quantified(inner, others, second, body) = body
        && *inner == quantifier
        && quantifier != Quantifier::Count
    {
        let fits = *second != bound
            && reads_only(body, &[bound, *second], &mut reads)
            && interval(body, &[]).is_some();
        let inner = Some((others.clone(), *second));
        return fits.then(|| Kept { quantifier, agents, bound, inner, body: (**body).clone(), reads });
    }
    let fits = reads_only(body, &[bound], &mut reads);
    fits.then(|| Kept { quantifier, agents, bound, inner: None, body: body.clone(), reads })
}

/// Whether an expression reads only scalars of these bound agents; notes the variables. Global variables have slots and not numbers
/// here, so bodies that read them are evaluated as they stand.
fn reads_only(code: &Code, bound: &[u32], reads: &mut [bool]) -> bool {
    let mut all = |parts: &[Code]| parts.iter().all(|part| reads_only(part, bound, reads));
    match code {
        Code::Const(_) => true,
        Code::Bound(b) => bound.contains(b),
        Code::OfBound { var, bound: b } => {
            reads[*var as usize] = true;
            bound.contains(b)
        }
        Code::And(parts) | Code::Or(parts) => all(parts),
        Code::Unary(_, e) | Code::Defined(e) => reads_only(e, bound, reads),
        Code::Binary(_, sides, _) => reads_only(&sides.0, bound, reads) && reads_only(&sides.1, bound, reads),
        Code::If(parts) => {
            reads_only(&parts.0, bound, reads)
                && reads_only(&parts.1, bound, reads)
                && reads_only(&parts.2, bound, reads)
        }
        _ => false,
    }
}
