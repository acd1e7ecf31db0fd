//! Formulas that tell states apart: Hennessy-Milner logic, with the modality that fits the equivalence.

use crate::stop::{Stop, Stopped, go_on};
use crate::system::{Lts, TAU, with_label};
use std::fmt;

/// Which steps a modality refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A single step: `<a>`.
    Strong,
    /// A step with invisible ones around it, or for the invisible label any number of them: `<<a>>`.
    Weak,
    /// Invisible steps through states where a condition holds, then the step: `via P <a>`. For the invisible label the
    /// step itself need not be made.
    Branching,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Formula {
    /// All of these; `true` if there are none.
    And(Vec<Formula>),
    Not(Box<Formula>),
    /// `<a> P`.
    Can(String, Box<Formula>),
    /// `<<a>> P`.
    WeaklyCan(String, Box<Formula>),
    /// `via P <a> Q`.
    Via(Box<Formula>, String, Box<Formula>),
}

impl Formula {
    /// The number of parts.
    pub fn size(&self) -> usize {
        1 + match self {
            Formula::And(parts) => parts.iter().map(Formula::size).sum(),
            Formula::Not(inner) | Formula::Can(_, inner) | Formula::WeaklyCan(_, inner) => inner.size(),
            Formula::Via(through, _, inner) => through.size() + inner.size(),
        }
    }

    /// The states of a system that satisfy it.
    pub fn satisfied(&self, lts: &Lts, stop: Stop<'_>) -> Result<Vec<bool>, Stopped> {
        go_on(stop, 0)?;
        let states = 0..lts.states();
        let is = |label: u32, text: &str| lts.label(label) == text;
        Ok(match self {
            Formula::And(parts) => {
                let mut all = vec![true; lts.states() as usize];
                for part in parts {
                    all.iter_mut().zip(part.satisfied(lts, stop)?).for_each(|(all, one)| *all &= one);
                }
                all
            }
            Formula::Not(inner) => inner.satisfied(lts, stop)?.into_iter().map(|holds| !holds).collect(),
            Formula::Can(label, inner) => {
                let inner = inner.satisfied(lts, stop)?;
                let can = |s| lts.steps(s).iter().any(|&(l, to)| is(l, label) && inner[to as usize]);
                states.map(can).collect()
            }
            Formula::WeaklyCan(label, inner) => {
                let target = backwards(lts, inner.satisfied(lts, stop)?, &|_| true);
                if label == TAU {
                    return Ok(target);
                }
                let can = |s| lts.steps(s).iter().any(|&(l, to)| is(l, label) && target[to as usize]);
                backwards(lts, states.map(can).collect(), &|_| true)
            }
            Formula::Via(through, label, inner) => {
                let (through, inner) = (through.satisfied(lts, stop)?, inner.satisfied(lts, stop)?);
                if label == TAU {
                    return Ok(backwards(lts, inner, &|s| through[s as usize]));
                }
                let can = |s: u32| {
                    through[s as usize]
                        && lts.steps(s).iter().any(|&(l, to)| is(l, label) && inner[to as usize])
                };
                backwards(lts, states.map(can).collect(), &|s| through[s as usize])
            }
        })
    }
}

/// The states from which invisible steps, each from an allowed state, lead to one of these.
fn backwards(lts: &Lts, mut reach: Vec<bool>, allowed: &dyn Fn(u32) -> bool) -> Vec<bool> {
    let Some(tau) = lts.tau() else { return reach };
    let mut sources: Vec<Vec<u32>> = vec![vec![]; reach.len()];
    for state in (0..lts.states()).filter(|state| allowed(*state)) {
        with_label(lts.steps(state), tau).iter().for_each(|(_, to)| sources[*to as usize].push(state));
    }
    let mut todo: Vec<u32> = (0..lts.states()).filter(|state| reach[*state as usize]).collect();
    while let Some(state) = todo.pop() {
        for &source in &sources[state as usize] {
            if !std::mem::replace(&mut reach[source as usize], true) {
                todo.push(source);
            }
        }
    }
    reach
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tight = |inner: &Formula| match inner {
            Formula::And(parts) if parts.len() > 1 => format!("({inner})"),
            _ => inner.to_string(),
        };
        match self {
            Formula::And(parts) => match &parts[..] {
                [] => f.write_str("true"),
                [only] => only.fmt(f),
                all => f.write_str(&all.iter().map(tight).collect::<Vec<_>>().join(" and ")),
            },
            Formula::Not(inner) => write!(f, "not {}", tight(inner)),
            Formula::Can(label, inner) => write!(f, "<{label}> {}", tight(inner)),
            Formula::WeaklyCan(label, inner) => write!(f, "<<{label}>> {}", tight(inner)),
            Formula::Via(through, label, inner) => {
                write!(f, "via {} <{label}> {}", tight(through), tight(inner))
            }
        }
    }
}
