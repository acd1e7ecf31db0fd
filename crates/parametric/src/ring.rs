//! Token rings: a cutoff theorem, and the check that a program is in its class.
//!
//! **Source.** E. A. Emerson, K. S. Namjoshi, *Reasoning about Rings*, POPL 1995 (*On Reasoning about Rings*, IJFCS 14(4), 2003): alike processes in
//! a one-way ring, which interact only by passing one token without a value to their neighbours, satisfy `∀i f(i)` at all sizes from 2 on if they do at size 2, and
//! `∀i≠j f(i, j)` at all sizes from 4 on if they do at size 4, for f in CTL* without X. B. Aminof, S. Jacobs, A. Khalimov, S. Rubin, *Parameterized Model
//! Checking of Token-Passing Systems*, VMCAI 2014, extend it. We use it for LTL without X and for `always` only, and in a narrower class than theirs, for which
//! the argument is short enough to be written out in full below; so nothing depends on details in which versions of the theorem differ (fairness, who begins with the
//! token, executions that end).
//!
//! **Class.** `P(n)` has one kind of agents, with numbers `0..n`, and one global variable, `token`, which is 0 at first. All agents begin with the same constant values
//! ([`NotARing::Beginning`]). A step of agent `m` reads and writes variables of `m` only ([`NotARing::Others`]), asks whether `token = m` and nothing else
//! about `token` or `m` ([`NotARing::Token`], [`NotARing::Identity`]), and writes nothing to `token` but `(m + 1) % n`. So what a step of `m` does
//! depends on the *state of `m`*, the values of its variables and whether it has the token, and on nothing else; in particular not on n, as long as `n ≥ 2`: writing
//! `token` is giving the token away. The states of an agent and its steps are the *template*, a finite graph, which [`Ring::new`] explores: from the
//! initial values with and without the token, along steps, and along the reception of the token in every state without it, which is possible at any time. It contains all
//! states that an agent can be in at any size. On it these premises are checked:
//!
//! 1. No step is an error of the model ([`NotARing::Error`]), and no step writes `token` in a state without the token ([`NotARing::Forged`]).
//! 2. From every state with the token, some steps without a write of `token`, and then a step with one, are possible ([`NotARing::Kept`]).
//! 3. *For formulas of linear time*: every state with the token has a step, and neither steps with the token kept nor steps without the token form a cycle
//!    ([`NotARing::Waits`]).
//!
//! By 1 exactly one agent has the token at all times.
//!
//! **Theorem.** Let `f(i, j)` be a formula of LTL without X about the states of `i` and `j` and about whether `i = j`, and let `n ≥ 4`. With premises 1 to 3, if `P(4)` satisfies `∧ f(i, j)`
//! over all pairs, so does `P(n)`. If `f` is about one agent, the same holds of `P(2)` and `n ≥ 2`. If `f` is `G p`, premise 3 is not needed.
//!
//! *Proof.* Let an execution of `P(n)` violate `f(i, j)` with `i ≠ j`; the others form two gaps, those after `i` and before `j`, and those after `j` and before `i`. Build an execution
//! of a ring with two gaps that have at least one agent each if they have in `P(n)`, and none otherwise. Such a ring of size 4 exists: gaps of 1 and 1, of 0 and 2, or of
//! 2 and 0 agents; both gaps cannot be empty, because `n > 2`. In it `i` and `j` make the same steps in the same order, and
//! agents of gaps make no step without the token. When in `P(n)` the token leaves a gap, the agents of the gap here pass it on, one after the other, each by the steps of
//! premise 2; such steps are possible from whatever state they are in. (For that, the token has entered the gap before, or was there at first.) These are steps of the smaller ring: a step of `i` or `j`
//! depends on its own state, which is the same as in `P(n)`, and the token enters and leaves gaps in the same order relative to these steps. Between them the states of `i` and
//! `j` do not change, so the execution shows the same states of `i` and `j` up to repetition, which LTL without X does not notice, if it is infinite. It is: by premise 3 every
//! execution of `P(n)` is infinite, since the agent with the token has a step, and passes the token infinitely often, because an agent makes at most as many steps as it has
//! states before it passes the token or receives it. So `i` and `j` make infinitely many steps. For `G p` an execution up to the state
//! that violates `p` is finite, and its image ends in a state with the same states of `i` and `j`. Last, agent 0 begins with the token. In the ring of
//! size 4 the agent that begins is the one that does in `P(n)`, or one of its gap; turning the ring makes it agent 0, and turns `(i, j)` to
//! another pair. All agents have the same initial values, and `f` depends on numbers of agents only by `i = j`, so that pair violates `f`. If `i = j`, or with one agent, there is one gap, and a ring of
//! size 2, or of any larger size, will do. ∎
//!
//! *Fair executions.* With premise 3 every agent makes infinitely many steps in every execution, so all are weakly and strongly fair: restricting executions to fair ones changes nothing.
//!
//! A ring with one agent is no ring here: writing `token` keeps it. That instance is decided on its own, as are those below the cutoff.

use crate::keep::place as place_of;
use std::collections::HashMap;
use swarmcheck_engine::system::{initial_states, successors};
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Program, Set, Stmt, Value, VarId};
use swarmcheck_source::Span;

/// An agent with more states is not finite for us.
const MOST_STATES: usize = 20_000;
/// In the ring in which the template is explored, agent 0 has a neighbour, and somebody else who may have the token.
const EXPLORED: u32 = 3;

/// Why a program is not in the class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotARing {
    /// There are other kinds of agents.
    Kinds,
    /// Agents take turns.
    Schedule,
    /// A variable is neither the token nor an agent's own data.
    Variable,
    /// Agents do not begin alike, or the token does not begin at agent 0.
    Beginning,
    /// A step depends on other agents, or changes them.
    Others,
    /// The token is read or written otherwise.
    Token,
    /// An agent's number is used otherwise.
    Identity,
    /// A step may be an error of the model.
    Error,
    /// An agent passes a token that it may not have.
    Forged,
    /// An agent may keep the token for ever.
    Kept,
    /// An agent may go on for ever without passing or receiving the token, or stop with it.
    Waits,
    /// Agents have too many states.
    States,
}

impl std::fmt::Display for NotARing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotARing::Kinds => "there are several kinds of agents",
            NotARing::Schedule => "the round-robin schedule depends on the number of agents",
            NotARing::Variable => "a variable is neither the token nor an attribute",
            NotARing::Beginning => "agents must begin with the same constants and the token with 0, without assumptions",
            NotARing::Others => "a step depends on other agents, or changes them",
            NotARing::Token => "the token is used otherwise than by 'token = id' and 'token <-- (id + 1) % n'",
            NotARing::Identity => "the number of an agent is used for something else than the token",
            NotARing::Error => "a step may be an error of the model",
            NotARing::Forged => "an agent may pass the token without having it",
            NotARing::Kept => "an agent may have the token and be unable to pass it",
            NotARing::Waits => {
                "an agent may go on for ever without passing or receiving the token, or stop with it: that is covered for 'always' only"
            }
            NotARing::States => "agents have too many states",
        })
    }
}

/// A premise that fails, with its place.
type Refused = (NotARing, Span);

/// A program that is a token ring.
#[derive(Clone, Debug)]
pub struct Ring {
    base: Program,
    token: VarId,
    /// The states of an agent, with and without the token.
    pub states: usize,
    /// Premise 3; otherwise why it fails.
    passes: Result<(), Refused>,
}

/// Smaller rings do not stand for larger ones, and rings of this size do.
pub fn cutoff(agents: u32) -> u32 {
    if agents > 1 { 4 } else { 2 }
}

impl Ring {
    /// Checks that a program is in the class. It has at least two agents.
    pub fn new(base: Program) -> Result<Ring, Refused> {
        let token = Class::of(&base)?;
        let mut ring = Ring { base, token, states: 0, passes: Ok(()) };
        let template = Template::explore(&ring)?;
        ring.states = template.states.len();
        template.can_pass()?;
        ring.passes = template.passes();
        Ok(ring)
    }

    /// Whether every execution passes the token for ever, as formulas of linear time need.
    pub fn passes(&self) -> Result<(), Refused> {
        self.passes
    }

    /// The ring with this number of agents, without its properties: what they say of a size shows in the text only.
    pub fn at(&self, count: u32) -> Program {
        let mut program = without_properties(self.base.clone(), self.token);
        program.kinds[0].count = count;
        for function in &mut program.functions {
            resize(&mut function.body, self.token, count);
        }
        program
    }

    /// Whether a program is the ring with its number of agents.
    pub fn includes(&self, program: Program) -> bool {
        program.vars.len() == self.base.vars.len() && {
            let count = program.agents();
            without_properties(program, self.token) == self.at(count)
        }
    }
}

/// The number of agents shows in properties, and in what is known of the token's values.
fn without_properties(mut program: Program, token: VarId) -> Program {
    program.properties.clear();
    program.vars[token.0 as usize].domain = None;
    program
}

/// `(me + 1) % n`.
fn is_next(e: &Expr, count: u32) -> bool {
    matches!(e, Expr::Binary(BinaryOp::Mod, sum, size, _)
        if **size == Expr::Const(i64::from(count))
            && matches!(&**sum, Expr::Binary(BinaryOp::Add, me, one, _)
                if **me == Expr::Me && **one == Expr::Const(1)))
}

fn resize(block: &mut [Stmt], token: VarId, count: u32) {
    for stmt in block {
        match stmt {
            Stmt::Assign(place, Expr::Binary(BinaryOp::Mod, _, size, _)) if place.var == token => {
                **size = Expr::Const(i64::from(count));
            }
            Stmt::If(_, yes, no) => {
                resize(yes, token, count);
                resize(no, token, count);
            }
            Stmt::Choose(branches) => {
                branches.iter_mut().for_each(|(_, body)| resize(body, token, count));
            }
            _ => {}
        }
    }
}

/// The part of the class that shows in the syntax.
struct Class {
    token: VarId,
    count: u32,
}

impl Class {
    /// The token, if the program is in the class.
    fn of(program: &Program) -> Result<VarId, Refused> {
        let here = Span::default();
        let [kind] = &program.kinds[..] else { return Err((NotARing::Kinds, here)) };
        if program.vars.iter().any(|var| var.role == Role::Turn) {
            return Err((NotARing::Schedule, here));
        }
        let mut token = None;
        for (number, var) in (0..).zip(&program.vars) {
            let fits = match (&var.owners, &var.role) {
                (None, Role::Data { order: None, .. }) => {
                    token.replace(VarId(number)).is_none() && var.dimensions.is_empty()
                }
                (Some(owners), Role::Data { order: None, .. } | Role::Location) => owners[..] == [KindId(0)],
                _ => false,
            };
            if !fits {
                return Err((NotARing::Variable, here));
            }
        }
        let token = token.ok_or((NotARing::Variable, here))?;
        let class = Class { token, count: kind.count };
        class.beginning(&program.init)?;
        for function in &program.functions {
            let located = |refused: Refused| match refused.1 == here {
                true => (refused.0, function.span),
                false => refused,
            };
            if function.owners[..] != [KindId(0)]
                || function.entry.iter().any(|(var, _)| program.var(*var).role != Role::Location)
            {
                return Err((NotARing::Others, function.span));
            }
            class.value(&function.guard).map_err(located)?;
            class.block(&function.body).map_err(located)?;
        }
        Ok(token)
    }

    /// Constants for the token and, for every agent alike, for all its variables.
    fn beginning(&self, block: &[Stmt]) -> Result<(), Refused> {
        let constant = |stmt: &Stmt, agent: Option<u32>| -> Option<(VarId, Value)> {
            let (place, e) = match stmt {
                Stmt::Assign(place, e) => (place, e),
                Stmt::Fill(place, Set::Values(values)) => {
                    (place, values.first().filter(|_| values.len() == 1)?)
                }
                _ => return None,
            };
            let owner = match place.agent.as_deref() {
                None => None,
                Some(Expr::Bound(bound)) => Some(*bound),
                Some(_) => return None,
            };
            let Expr::Const(value) = e else { return None };
            let fixed = place.index.iter().all(|index| matches!(index, Expr::Const(_)));
            (owner == agent && fixed).then_some((place.var, *value))
        };
        for stmt in block {
            let fits = match stmt {
                Stmt::ForEach(kinds, bound, body) => {
                    kinds[..] == [KindId(0)] && body.iter().all(|stmt| constant(stmt, Some(*bound)).is_some())
                }
                stmt => constant(stmt, None) == Some((self.token, 0)),
            };
            if !fits {
                let places = stmt.exprs().into_iter().map(place_of);
                let span = places.into_iter().find(|span| *span != Span::default()).unwrap_or_default();
                return Err((NotARing::Beginning, span));
            }
        }
        Ok(())
    }

    fn block(&self, block: &[Stmt]) -> Result<(), Refused> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&self, stmt: &Stmt) -> Result<(), Refused> {
        match stmt {
            Stmt::Assign(place, e) if place.var == self.token => match is_next(e, self.count) {
                true => Ok(()),
                false => Err((NotARing::Token, place.span)),
            },
            Stmt::Assign(place, e) => {
                self.own(place)?;
                self.value(e)
            }
            Stmt::Fill(place, set) => {
                self.own(place)?;
                self.set(set)
            }
            Stmt::Let(_, e) | Stmt::Assume(e) => self.value(e),
            Stmt::Havoc(_, set) => self.set(set),
            Stmt::Check(place) => self.own(place),
            Stmt::If(c, yes, no) => {
                self.value(c)?;
                self.block(yes)?;
                self.block(no)
            }
            Stmt::Choose(branches) => branches.iter().try_for_each(|(c, body)| {
                self.value(c)?;
                self.block(body)
            }),
            Stmt::ForEach(..) | Stmt::Pick { .. } | Stmt::Copy(..) | Stmt::Rank(_) => {
                let places = stmt.exprs().into_iter().map(place_of);
                Err((NotARing::Others, places.into_iter().next().unwrap_or_default()))
            }
        }
    }

    fn set(&self, set: &Set) -> Result<(), Refused> {
        match set {
            Set::Values(values) => values.iter().try_for_each(|e| self.value(e)),
            Set::Range(lo, hi) => {
                self.value(lo)?;
                self.value(hi)
            }
        }
    }

    /// A variable of the agent that makes the step.
    fn own(&self, place: &Place) -> Result<(), Refused> {
        if place.var == self.token {
            return Err((NotARing::Token, place.span));
        }
        if place.agent.as_deref() != Some(&Expr::Me) {
            return Err((NotARing::Others, place.span));
        }
        place.index.iter().try_for_each(|index| self.value(index))
    }

    fn is_token(&self, e: &Expr) -> bool {
        matches!(e, Expr::Read(place) if place.var == self.token)
    }

    /// A value that depends on the state of the agent only.
    fn value(&self, e: &Expr) -> Result<(), Refused> {
        match e {
            Expr::Const(_) | Expr::Local(_) => Ok(()),
            Expr::Read(place) => self.own(place),
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b, _)
                if (self.is_token(a) && **b == Expr::Me) || (**a == Expr::Me && self.is_token(b)) =>
            {
                Ok(())
            }
            // The token always has a value, and so has an agent its number.
            Expr::Defined(inner) if self.is_token(inner) || **inner == Expr::Me => Ok(()),
            Expr::Unary(_, inner) | Expr::Defined(inner) => self.value(inner),
            Expr::Binary(_, a, b, span) => {
                if [a, b].iter().any(|side| ***side == Expr::Me) {
                    return Err((NotARing::Identity, *span));
                }
                self.value(a)?;
                self.value(b)
            }
            Expr::And(parts) | Expr::Or(parts) => parts.iter().try_for_each(|part| self.value(part)),
            Expr::If(c, a, b) => [c, a, b].into_iter().try_for_each(|part| self.value(part)),
            Expr::Me => Err((NotARing::Identity, Span::default())),
            Expr::Bound(_) | Expr::LocalCell(..) | Expr::Quantified(..) => {
                Err((NotARing::Others, place_of(e)))
            }
        }
    }
}

/// A state of an agent: its own cells, and whether it has the token.
type AgentState = (Vec<Value>, bool);

/// The states of an agent, and its steps.
struct Template {
    states: Vec<AgentState>,
    /// By state: the states after steps in which it keeps the token, or keeps having none.
    inner: Vec<Vec<usize>>,
    /// By state: some step passes the token.
    sends: Vec<bool>,
    /// By state: where a step from it stands.
    spans: Vec<Span>,
}

impl Template {
    fn explore(ring: &Ring) -> Result<Template, Refused> {
        let flat = Flat::new(ring.at(EXPLORED));
        let mut machine = Machine::new(&flat);
        let mut first = None;
        let begun = initial_states(&flat, &mut machine, &mut |state| {
            first = Some(state.to_vec());
            true
        });
        let (Ok(()), Some(first)) = (begun, first) else {
            return Err((NotARing::Beginning, Span::default()));
        };
        let token = flat.layout.global(ring.token) as usize;
        let own: Vec<usize> = (0..)
            .zip(flat.layout.cells())
            .filter(|(_, (_, cell))| cell.agent == Some(0))
            .map(|(slot, _)| slot)
            .collect();
        let of = |state: &[Value], has: bool| (own.iter().map(|slot| state[*slot]).collect(), has);
        let mut template = Template { states: vec![], inner: vec![], sends: vec![], spans: vec![] };
        let mut known: HashMap<AgentState, usize> = HashMap::new();
        template.add(&mut known, of(&first, true));
        template.add(&mut known, of(&first, false));
        let mut next = 0;
        while let Some((cells, has)) = template.states.get(next).cloned() {
            if template.states.len() > MOST_STATES {
                return Err((NotARing::States, Span::default()));
            }
            let mut state = first.clone();
            own.iter().zip(&cells).for_each(|(slot, value)| state[*slot] = *value);
            // Without the token it is not the neighbour who has it: then a token that is passed would not show.
            state[token] = if has { 0 } else { 2 };
            if !has {
                template.add(&mut known, (cells, true));
            }
            for step in successors(&flat, &mut machine, &state) {
                if step.instance.agent != 0 {
                    continue;
                }
                let span = flat.program.functions[step.instance.function as usize].span;
                let Ok(after) = step.result else { return Err((NotARing::Error, span)) };
                template.spans[next] = span;
                match (has, after[token]) {
                    (true, 0) | (false, 2) => {
                        let to = template.add(&mut known, of(&after, has));
                        template.inner[next].push(to);
                    }
                    (true, 1) => {
                        template.sends[next] = true;
                        template.add(&mut known, of(&after, false));
                    }
                    _ => return Err((NotARing::Forged, span)),
                }
            }
            next += 1;
        }
        Ok(template)
    }

    fn add(&mut self, known: &mut HashMap<AgentState, usize>, state: AgentState) -> usize {
        *known.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.inner.push(vec![]);
            self.sends.push(false);
            self.spans.push(Span::default());
            self.states.len() - 1
        })
    }

    /// Premise 2.
    fn can_pass(&self) -> Result<(), Refused> {
        let mut can = self.sends.clone();
        loop {
            let more: Vec<usize> =
                (0..can.len()).filter(|at| !can[*at] && self.inner[*at].iter().any(|to| can[*to])).collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|at| can[at] = true);
        }
        match (0..can.len()).find(|at| self.states[*at].1 && !can[*at]) {
            Some(at) => Err((NotARing::Kept, self.spans[at])),
            None => Ok(()),
        }
    }

    /// Premise 3. That a state with the token has a step follows from premise 2.
    fn passes(&self) -> Result<(), Refused> {
        // States from which steps that are left lead nowhere are taken away, until only cycles and what leads to them are left.
        let mut left: Vec<bool> = vec![true; self.states.len()];
        loop {
            let ended: Vec<usize> = (0..left.len())
                .filter(|at| left[*at] && !self.inner[*at].iter().any(|to| left[*to]))
                .collect();
            if ended.is_empty() {
                break;
            }
            ended.into_iter().for_each(|at| left[at] = false);
        }
        match left.iter().position(|left| *left) {
            Some(at) => Err((NotARing::Waits, self.spans[at])),
            None => Ok(()),
        }
    }
}
