//! Refinement in rounds, and the formulas that come of it.
//!
//! In round 0 all states are in one block. In round n + 1 two states are in the same block if they were in round n and
//! have the same *signature* there: the labels they offer with the blocks these lead to; for branching bisimilarity, what
//! they offer after invisible steps inside their block, apart from invisible steps inside it. The rounds end when the two
//! states in question are apart, or nothing changes.
//!
//! **Formulas.** `apart(s, t)` is true of every state that is in the block of s in the first round in which s and t are
//! apart, and false of every state in the block of t. If s offers a label to a block that t does not, it says so, and
//! tells that block apart from all blocks that t offers by this label, one round earlier; if it is t that offers more, it
//! is the negation of `apart(t, s)`. For branching bisimilarity, t may also leave the block by invisible steps before the
//! label: the condition on the way tells the block of s apart from the blocks that t leaves to.

use super::formula::{Formula, Step};
use crate::stop::{Stop, Stopped, go_on};
use crate::system::Lts;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Larger formulas are unreadable and are not built.
const MOST_PARTS: usize = 5_000;

/// Nor do deeper ones: every round that is needed is a modality inside another one.
const MOST_ROUNDS: usize = 1_000;

/// A formula that is true of the first state and false of the second; `None` if they are equivalent, or if it would be
/// too large.
pub(super) fn distinguish(
    lts: &Lts,
    [s, t]: [u32; 2],
    step: Step,
    stop: Stop<'_>,
) -> Result<Option<Formula>, Stopped> {
    let mut rounds =
        Rounds { lts, step, blocks: vec![vec![0; lts.states() as usize]], known: HashMap::new(), parts: 0 };
    loop {
        let last = &rounds.blocks[rounds.blocks.len() - 1];
        if last[s as usize] != last[t as usize] {
            break;
        }
        if rounds.blocks.len() > MOST_ROUNDS {
            return Ok(None);
        }
        let next = rounds.refined(stop)?;
        let count = |blocks: &[u32]| blocks.iter().max().copied();
        if count(&next) == count(last) {
            return Ok(None);
        }
        rounds.blocks.push(next);
    }
    let formula = rounds.apart(s, t);
    Ok((rounds.parts <= MOST_PARTS).then_some(formula))
}

/// A label and the block that it leads to.
type Offer = (u32, u32);

struct Rounds<'a> {
    lts: &'a Lts,
    step: Step,
    /// The block of each state, round by round.
    blocks: Vec<Vec<u32>>,
    known: HashMap<(u32, u32), Formula>,
    /// How many parts the formulas have that were put together so far.
    parts: usize,
}

impl Rounds<'_> {
    fn refined(&self, stop: Stop<'_>) -> Result<Vec<u32>, Stopped> {
        let round = self.blocks.len() - 1;
        let bytes = (self.blocks.len() + 1) * self.blocks[round].len() * size_of::<u32>();
        let mut numbers: HashMap<(u32, Vec<Offer>), u32> = HashMap::new();
        let mut out = vec![];
        for state in 0..self.lts.states() {
            if state % 1024 == 0 {
                go_on(stop, bytes)?;
            }
            let steps = self.steps(state, round).into_iter();
            let mut offers: Vec<Offer> = steps.map(|(label, to)| (label, self.block(round, to))).collect();
            offers.sort_unstable();
            offers.dedup();
            let next = numbers.len() as u32;
            out.push(*numbers.entry((self.block(round, state), offers)).or_insert(next));
        }
        Ok(out)
    }

    fn block(&self, round: usize, state: u32) -> u32 {
        self.blocks[round][state as usize]
    }

    /// The states that invisible steps inside a block lead to, itself included.
    fn inside(&self, state: u32, round: usize) -> Vec<u32> {
        let mut seen = vec![state];
        if self.step == Step::Branching {
            let mut known = HashSet::from([state]);
            let mut at = 0;
            while let Some(&next) = seen.get(at) {
                for &(label, to) in self.lts.steps(next) {
                    let inert =
                        Some(label) == self.lts.tau() && self.block(round, to) == self.block(round, state);
                    if inert && known.insert(to) {
                        seen.push(to);
                    }
                }
                at += 1;
            }
        }
        seen
    }

    /// What counts for the signature of a state: label and target.
    fn steps(&self, state: u32, round: usize) -> Vec<(u32, u32)> {
        if self.step != Step::Branching {
            return self.lts.steps(state).to_vec();
        }
        let home = self.block(round, state);
        let inert =
            |&(label, to): &(u32, u32)| Some(label) == self.lts.tau() && self.block(round, to) == home;
        let from = self.inside(state, round);
        let all = from.iter().flat_map(|&at| self.lts.steps(at)).copied();
        all.filter(|step| !inert(step)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// A formula that is true of `s` and false of `t`, which some round has distinguished.
    fn apart(&mut self, s: u32, t: u32) -> Formula {
        if let Some(known) = self.known.get(&(s, t)) {
            self.parts += known.size();
            return known.clone();
        }
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Formula::And(vec![]);
        }
        let first = (0..self.blocks.len()).find(|&round| self.block(round, s) != self.block(round, t));
        // The caller knows that they are apart; the last round is as good as any.
        let round = first.unwrap_or(self.blocks.len()).saturating_sub(1);
        let formula = match self.surplus(s, t, round) {
            Some((label, to)) => self.says(s, t, round, label, to),
            None => match self.surplus(t, s, round) {
                Some((label, to)) => Formula::Not(Box::new(self.says(t, s, round, label, to))),
                None => Formula::And(vec![]),
            },
        };
        self.known.insert((s, t), formula.clone());
        formula
    }

    /// A step that `s` offers to a block to which `t` offers none.
    fn surplus(&self, s: u32, t: u32, round: usize) -> Option<(u32, u32)> {
        let theirs: BTreeSet<Offer> =
            self.steps(t, round).into_iter().map(|(label, to)| (label, self.block(round, to))).collect();
        self.steps(s, round)
            .into_iter()
            .find(|&(label, to)| !theirs.contains(&(label, self.block(round, to))))
    }

    /// That there is such a step, and that it leads where `t` does not get.
    fn says(&mut self, s: u32, t: u32, round: usize, label: u32, to: u32) -> Formula {
        let text = self.lts.label(label).to_string();
        let offered = self.steps(t, round);
        let mut others: Vec<u32> = offered.iter().filter(|(l, _)| *l == label).map(|(_, end)| *end).collect();
        if self.step != Step::Branching {
            let inner = Box::new(self.all_apart(to, &others, round));
            return match self.step {
                Step::Weak => Formula::WeaklyCan(text, inner),
                _ => Formula::Can(text, inner),
            };
        }
        let invisible = Some(label) == self.lts.tau();
        // An invisible step need not be made, so the target must be distinguished from where t is, too.
        if invisible {
            others.push(t);
        }
        let leaves: Vec<u32> =
            offered.iter().filter(|(l, _)| Some(*l) == self.lts.tau()).map(|(_, end)| *end).collect();
        let through = self.all_apart(s, &leaves, round);
        let inner = self.all_apart(to, &others, round);
        Formula::Via(Box::new(through), text, Box::new(inner))
    }

    /// What tells a state apart from all of these, as a round knows them.
    fn all_apart(&mut self, state: u32, others: &[u32], round: usize) -> Formula {
        let mut parts = BTreeSet::new();
        let mut blocks = BTreeSet::new();
        for &other in others {
            if blocks.insert(self.block(round, other)) {
                parts.insert(self.apart(state, other));
            }
        }
        let mut parts: Vec<Formula> = parts.into_iter().collect();
        if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) }
    }
}
