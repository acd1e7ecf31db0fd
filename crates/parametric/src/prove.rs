//! Finding an inductive invariant that implies a property for every number of agents.
//!
//! Candidates are clauses that hold in all reachable states of small members of the family (the *invisible invariants* of Pnueli, Ruah and
//! Zuck, TACAS 2001, who generalise reachable sets in the same way). Those that a step does not keep are dropped until
//! all that is left is inductive (*Houdini*: C. Flanagan, K. R. M. Leino, FME 2001), at every size that the bound asks for:
//!
//! **Theorem.** Let `Inv` be a conjunction of conditions. If at every size up to `N₀` (or the smallest of the family) all initial states satisfy `Inv`, and
//! every step from a state of `Inv` leads to one, then at every size of the family all reachable states satisfy `Inv`; where
//!
//! `N₀ = keep(Inv, true) + max keep(conjunct, false) + witnesses of a step + global identities`.
//!
//! *Proof.* Suppose that a step `s → s'` at some size begins in `Inv` and violates a conjunct. Keep the agents that `Inv` needs to be true in `s`, those that
//! the conjunct needs to be false in `s'`, the witnesses of the step, and those that global identities of `s` refer to: at most `N₀`. By the deletion
//! lemma ([`crate::deletion`]) and by [`crate::keep`], all others can be deleted one by one, as long as the family has a member
//! without them, and what is left is a step at one of the sizes of [`Family::sizes`] that begins in `Inv` and violates the conjunct.
//! The same for an initial state, with the witnesses of the assumptions. A step that is an error of the model needs its own witnesses and, in a loop or a
//! quantifier, the agents that are bound where the error occurs: not more than a conjunct has quantifiers, which
//! [`Bound::new`] makes sure of. ∎
//!
//! Values of cells are part of `Inv`: sets that were seen, extended where steps lead out of them. So `Inv` has finitely many states at each size.

use crate::check::{Extent, Invariant, Part};
use crate::clause::Clause;
use crate::deletion::{Witnesses, check_condition};
use crate::family::{Family, Sizes};
use crate::obligation::{Checked, Decider, check as decide};
use crate::observe::{Reached, Values, candidates, note_values, reach};
use crate::premise::Premise;
use swarmcheck_engine::Control;
use swarmcheck_engine::system::successors;
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::{Expr, Program, Stmt, Value};

/// Sets of values with more elements are not finite data.
const MOST_VALUES: usize = 64;
/// Sizes with more agents are not checked.
pub(crate) const MOST_AGENTS: u32 = 12;
/// Candidates are dropped by counterexamples with up to so many agents.
const MOST_TRIED: u32 = 5;
/// How many counterexamples to induction are followed for one set of candidates.
const MOST_ROUNDS: usize = 400;

/// A proof for every number of agents.
pub struct Proof {
    /// The property itself, which is a part of the invariant.
    pub property: Expr,
    /// The rest of it.
    pub clauses: Vec<Clause>,
    /// The values that cells have in states of the invariant.
    pub values: Values,
    /// How many agents a counterexample to induction needs.
    pub bound: Bound,
    /// The sizes at which induction was checked.
    pub sizes: Vec<Sizes>,
    /// Sizes that explicit search has checked, too.
    pub searched: usize,
    /// Counterexamples to induction on the way.
    pub rounds: usize,
}

/// Why there is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotProved {
    /// The system or the property is outside the class.
    Premise(Premise),
    /// A state of a small member violates the property.
    Violated,
    /// With few agents, no initial state satisfies the assumptions: there is nothing to generalise.
    NoInitialState,
    /// No invariant was found.
    NoInvariant,
    /// No ranking was found that leads to the goal from everywhere.
    NoRanking {
        /// States from which it was not found, in words.
        state: String,
    },
    /// A ranking would need more abstract states than are looked at.
    TooManyStates,
    /// Numbers in the model do not fit exact arithmetic.
    NumbersTooLarge,
    /// Data has no finite range, or a large one.
    NotFinite {
        /// The variable.
        variable: String,
    },
    /// Steps from states that cannot be told from reachable ones may be errors of the model.
    Errors,
    /// More agents than this would have to be looked at.
    TooManyAgents(u32),
    /// Somebody wanted it to stop.
    Interrupted,
    /// An obligation does not hold.
    Refuted {
        /// Which one.
        part: Part,
        /// At these numbers of agents.
        sizes: Sizes,
    },
    /// An engine could not say; in words.
    Engine(String),
}

impl std::fmt::Display for NotProved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotProved::Premise(premise) => premise.broken.fmt(f),
            NotProved::Violated => f.write_str("some instance with few agents violates the property: --up-to N finds it, unless --where leaves it out"),
            NotProved::NoInvariant => {
                f.write_str("no inductive invariant was found that implies the property")
            }
            NotProved::NoInitialState => {
                f.write_str("with few agents, no initial state satisfies the assumptions")
            }
            NotProved::NoRanking { state } if state.is_empty() => {
                f.write_str("no ranking was found that leads to the goal from everywhere")
            }
            NotProved::NoRanking { state } => {
                write!(f, "no ranking was found that leads to the goal from states with {state}")
            }
            NotProved::TooManyStates => f.write_str("a ranking would need too many abstract states"),
            NotProved::NumbersTooLarge => f.write_str("numbers in the model do not fit exact arithmetic"),
            NotProved::NotFinite { variable } => {
                write!(f, "'{variable}' has too many values, or their number grows with that of agents")
            }
            NotProved::Errors => f.write_str("a step may be an error of the model"),
            NotProved::TooManyAgents(count) => {
                write!(f, "members with {count} agents would have to be looked at, which is too many")
            }
            NotProved::Refuted { part, sizes } => {
                let agents: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                let what = match part {
                    Part::Initial => "an initial state is not in the invariant",
                    Part::Step => "a step leads out of the invariant",
                };
                write!(f, "{what}, with {} agents", agents.join(" and "))
            }
            NotProved::Interrupted => f.write_str("the search was interrupted"),
            NotProved::Engine(why) => f.write_str(why),
        }
    }
}

impl From<Premise> for NotProved {
    fn from(premise: Premise) -> NotProved {
        NotProved::Premise(premise)
    }
}

/// How many agents a counterexample to induction needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Bound {
    /// Agents that keep the invariant true.
    pub invariant: u32,
    /// Agents that violate a conjunct.
    pub violation: u32,
    /// Agents that a step depends on, the one that makes it among them.
    pub step: u32,
    /// Agents that assumptions about initial states need.
    pub assumptions: u32,
    /// Agents that global identities refer to.
    pub identities: u32,
}

impl Bound {
    /// The bound for a family and an invariant.
    pub fn new(
        family: &Family,
        witnesses: &Witnesses,
        property: &Expr,
        clauses: &[Clause],
    ) -> Result<Bound, Premise> {
        let open = family.open();
        let mut invariant = open.keep(property, true)?;
        let mut violated = open.keep(property, false)?;
        for clause in clauses {
            let condition = clause.expr(family.base());
            invariant = invariant.saturating_add(open.keep(&condition, true)?);
            violated = violated.max(open.keep(&condition, false)?);
        }
        // Values of cells are conditions on one agent, and errors occur where quantifiers bind agents.
        let depth = deepest(family.base()).max(1);
        let error = open.error(property)?.map_or(0, |needed| needed.saturating_add(quantifiers(property)));
        Ok(Bound {
            invariant,
            violation: violated.max(error).max(depth),
            step: witnesses.most(),
            assumptions: witnesses.initial,
            identities: witnesses.globals,
        })
    }

    /// For steps.
    pub fn induction(&self) -> u32 {
        [self.violation, self.step, self.identities].into_iter().fold(self.invariant, u32::saturating_add)
    }

    /// For initial states.
    pub fn initiation(&self) -> u32 {
        [self.assumptions, self.identities].into_iter().fold(self.violation, u32::saturating_add)
    }
}

/// How deep quantifiers and loops of steps are nested.
fn deepest(program: &Program) -> u32 {
    fn block(body: &[Stmt]) -> u32 {
        let inside = |stmt: &Stmt| {
            let own = stmt.exprs().into_iter().map(quantifiers).max().unwrap_or(0);
            own.max(match stmt {
                Stmt::ForEach(_, _, body) => 1 + block(body),
                Stmt::If(_, yes, no) => block(yes).max(block(no)),
                Stmt::Choose(branches) => branches.iter().map(|(_, body)| block(body)).max().unwrap_or(0),
                _ => 0,
            })
        };
        body.iter().map(inside).max().unwrap_or(0)
    }
    let functions = program.functions.iter().map(|f| quantifiers(&f.guard).max(block(&f.body)));
    functions.max().unwrap_or(0).max(block(&program.init))
}

/// How deep quantifiers are nested.
fn quantifiers(e: &Expr) -> u32 {
    let deepest = |parts: &[&Expr]| parts.iter().map(|part| quantifiers(part)).max().unwrap_or(0);
    match e {
        Expr::Quantified(_, _, _, body) => 1 + quantifiers(body),
        Expr::Unary(_, e) | Expr::Defined(e) | Expr::LocalCell(_, e, _) => quantifiers(e),
        Expr::Binary(_, a, b, _) => deepest(&[a, b]),
        Expr::If(c, a, b) => deepest(&[c, a, b]),
        Expr::And(parts) | Expr::Or(parts) => parts.iter().map(quantifiers).max().unwrap_or(0),
        Expr::Read(place) => {
            let parts = place.agent.iter().map(|agent| &**agent).chain(&place.index);
            parts.map(quantifiers).max().unwrap_or(0)
        }
        Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => 0,
    }
}

/// Looks for a proof that a condition holds in every reachable state at every size.
pub fn prove(family: &Family, property: &Expr, control: &Control<'_>) -> Result<Proof, NotProved> {
    let witnesses = Witnesses::new(family.open())?;
    check_condition(family.open(), property)?;
    let stop = || control.stopped();
    let mut reached: Vec<Reached> = vec![];
    let mut values = Values::new();
    for count in 1..=3 {
        let sizes: Sizes = family.open.iter().map(|(_, low)| count.max(*low)).collect();
        let found = reach(family.at(&sizes), &stop);
        if control.stopped() {
            return Err(NotProved::Interrupted);
        }
        note_values(&mut values, &found.flat, &found.states);
        reached.push(found);
    }
    if reached.iter().all(|found| found.states.is_empty()) {
        return Err(NotProved::NoInitialState);
    }
    for Reached { flat, states } in &reached {
        let (code, mut machine) = (flat.compile(property), Machine::new(flat));
        if states.iter().any(|state| machine.test(flat, &code, state) != Ok(true)) {
            return Err(NotProved::Violated);
        }
    }
    let mut last = NotProved::NoInvariant;
    // Nothing but the property, then pairs of facts, then triples; then with facts about somebody.
    for (length, existential) in [(0, false), (2, false), (3, false), (2, true), (3, true)] {
        let clauses = candidates(family, &values, &reached, length, existential);
        let mut attempt = Attempt {
            family,
            witnesses: &witnesses,
            property,
            clauses,
            values: values.clone(),
            control,
            rounds: 0,
        };
        match attempt.run() {
            Ok(()) => match attempt.finish() {
                Ok(proof) => return Ok(proof),
                Err(NotProved::Interrupted) => return Err(NotProved::Interrupted),
                Err(other) => last = other,
            },
            Err(NotProved::NoInvariant) => {}
            Err(NotProved::Errors) => last = NotProved::Errors,
            Err(other) => return Err(other),
        }
    }
    Err(last)
}

struct Attempt<'a> {
    family: &'a Family,
    witnesses: &'a Witnesses,
    property: &'a Expr,
    clauses: Vec<Clause>,
    values: Values,
    control: &'a Control<'a>,
    rounds: usize,
}

impl Attempt<'_> {
    /// How many agents are looked at while candidates are dropped. What is left is checked with as many as it needs.
    fn bound(&self) -> Result<[(Part, u32); 2], NotProved> {
        let bound = Bound::new(self.family, self.witnesses, self.property, &self.clauses)?;
        let tried = |needed: u32| needed.min(MOST_TRIED);
        Ok([(Part::Initial, tried(bound.initiation())), (Part::Step, tried(bound.induction()))])
    }

    fn invariant<'i>(&'i self, clauses: &'i [Clause]) -> Invariant<'i> {
        Invariant { family: self.family, property: self.property, clauses, values: &self.values }
    }

    /// Checks an invariant at one size.
    fn check(&self, part: Part, sizes: &[u32], clauses: &[Clause]) -> Checked {
        let obligation = self.invariant(clauses).obligation(part, sizes);
        decide(obligation.program, part.steps(), Decider::Sat, self.control)
    }

    /// Drops candidates until the rest is inductive at all sizes.
    fn run(&mut self) -> Result<(), NotProved> {
        loop {
            let before = self.rounds;
            for (part, needed) in self.bound()? {
                for sizes in self.family.sizes(needed) {
                    self.settle(part, &sizes)?;
                }
            }
            if self.rounds == before {
                return Ok(());
            }
        }
    }

    /// Drops what is not kept at one size.
    fn settle(&mut self, part: Part, sizes: &[u32]) -> Result<(), NotProved> {
        loop {
            if self.control.stopped() {
                return Err(NotProved::Interrupted);
            }
            match self.check(part, sizes, &self.clauses) {
                Checked::Holds => return Ok(()),
                Checked::Error => return Err(NotProved::Errors),
                Checked::Unknown(_) if self.control.stopped() => return Err(NotProved::Interrupted),
                Checked::Unknown(why) => return Err(NotProved::Engine(why)),
                Checked::Fails(before, after) => {
                    self.rounds += 1;
                    if self.rounds > MOST_ROUNDS {
                        return Err(NotProved::NoInvariant);
                    }
                    self.learn(sizes, &before, after.as_deref())?;
                }
            }
        }
    }

    /// Drops all clauses that are violated after the state, and extends values.
    fn learn(&mut self, sizes: &[u32], before: &[Value], after: Option<&[Value]>) -> Result<(), NotProved> {
        let flat = Flat::new(self.family.at(sizes));
        let mut machine = Machine::new(&flat);
        let mut states: Vec<Vec<Value>> = vec![];
        match after {
            None => states.push(before.to_vec()),
            Some(after) => {
                states.push(after.to_vec());
                let others = successors(&flat, &mut machine, before);
                states.extend(others.into_iter().filter_map(|step| step.result.ok()));
            }
        }
        let code = flat.compile(self.property);
        if states.iter().any(|state| machine.test(&flat, &code, state) != Ok(true)) {
            return Err(NotProved::NoInvariant);
        }
        let program = &flat.program;
        self.clauses.retain(|clause| states.iter().all(|state| clause.test(program, &flat.layout, state)));
        note_values(&mut self.values, &flat, &states);
        let large = self.values.iter().find(|(_, seen)| seen.len() > MOST_VALUES);
        match large {
            Some(((var, _), _)) => {
                Err(NotProved::NotFinite { variable: self.family.base().var(*var).name.clone() })
            }
            None => Ok(()),
        }
    }

    /// Whether some clauses alone are enough; if not, the state that they do not exclude, with its size.
    fn enough(&self, clauses: &[Clause]) -> Result<Option<(Sizes, Vec<Value>)>, NotProved> {
        let bound = Bound::new(self.family, self.witnesses, self.property, clauses)?.induction();
        if bound > MOST_AGENTS {
            return Err(NotProved::TooManyAgents(bound));
        }
        for sizes in self.family.sizes(bound) {
            if self.control.stopped() {
                return Err(NotProved::Interrupted);
            }
            match self.check(Part::Step, &sizes, clauses) {
                Checked::Holds => {}
                Checked::Fails(before, _) => return Ok(Some((sizes, before))),
                Checked::Error => return Ok(Some((sizes, vec![]))),
                Checked::Unknown(_) if self.control.stopped() => return Err(NotProved::Interrupted),
                Checked::Unknown(why) => return Err(NotProved::Engine(why)),
            }
        }
        Ok(None)
    }

    /// Takes the few clauses that are needed out of the many that are inductive together.
    fn few(&self) -> Result<Vec<Clause>, NotProved> {
        let mut chosen: Vec<Clause> = vec![];
        while let Some((sizes, state)) = self.enough(&chosen)? {
            let member = self.family.at(&sizes);
            let flat = Flat::new(member);
            let excludes = |clause: &&Clause| {
                !chosen.contains(clause)
                    && (state.is_empty() || !clause.test(&flat.program, &flat.layout, &state))
            };
            let candidates = self.clauses.iter().filter(excludes);
            match candidates.min_by_key(|clause| (clause.never.len(), clause.kinds.len())) {
                Some(clause) => chosen.push(clause.clone()),
                None => return Ok(self.clauses.clone()),
            }
        }
        let mut at = 0;
        while at < chosen.len() {
            let mut fewer = chosen.clone();
            fewer.remove(at);
            match self.enough(&fewer)? {
                None => chosen = fewer,
                Some(_) => at += 1,
            }
        }
        Ok(chosen)
    }

    /// Checks the proof once more, with few clauses, at all sizes.
    fn finish(mut self) -> Result<Proof, NotProved> {
        self.clauses = self.few()?;
        let checked = self.invariant(&self.clauses).check(self.control);
        let Extent { bound, searched, .. } = match checked {
            // Candidates were dropped with fewer agents than the rest needs.
            Err(NotProved::Refuted { .. }) => return Err(NotProved::NoInvariant),
            checked => checked?,
        };
        let sizes = self.family.sizes(bound.induction());
        Ok(Proof {
            property: self.property.clone(),
            clauses: self.clauses,
            values: self.values,
            bound,
            sizes,
            searched,
            rounds: self.rounds,
        })
    }
}
