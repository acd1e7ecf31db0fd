//! Process terms P of table 3.2 as they evolve, with the conditional process `g => P`.
//!
//! Terms are plain trees. They stay finite, and equal when they should be, because of these laws, all of which keep the
//! transitions of a term as they are:
//!
//! - √; Q ≡ Q (SEQ2 with TICK of table 3.3), and P; Q ≡ P if P never ends (so `K = a; K; b` does not pile up `b`s);
//! - (P; Q); R ≡ P; (Q; R);
//! - √ | Q ≡ Q (PAR2 with TICK);
//! - K ≡ P if K ≜ P, at the places that may move next (rule CON).
//!
//! The √ of table 3.2 is a process that can end at once, and nothing else can: `g => P` needs a step to be passed. What the
//! language calls `Skip` is an action without assignments.

use std::rc::Rc;
use swarmcheck_labs::model::{ActionId, Cond, Model, Process, ProcessId, ProcessNode};

/// One occurrence of a guard in the text of the model, numbered in textual order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GuardId(pub u32);

/// A process term.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Term {
    /// 0, the idle process.
    Nil,
    /// √, which may end.
    Done,
    /// α.
    Act(ActionId),
    /// P; Q.
    Seq(Rc<Term>, Rc<Term>),
    /// P + Q + ….
    Choice(Vec<Rc<Term>>),
    /// P | Q | ….
    Par(Vec<Rc<Term>>),
    /// g → P.
    Guard(GuardId, Rc<Term>),
    /// `g => P`, and the name of the step that passes it.
    Conditional(GuardId, ActionId, Rc<Term>),
    /// K.
    Call(ProcessId),
}

/// The process definitions K ≜ P.
pub struct Program<'m> {
    guards: Vec<&'m Cond>,
    bodies: Vec<Rc<Term>>,
    /// Which constants may end, now or after some steps.
    ends: Vec<bool>,
}

impl<'m> Program<'m> {
    /// Translates all definitions of a model.
    pub fn new(model: &'m Model) -> Program<'m> {
        let mut program = Program { guards: vec![], bodies: vec![], ends: constants_that_end(model) };
        for definition in &model.processes {
            let body = program.translate(&definition.body);
            program.bodies.push(body);
        }
        program
    }

    /// The condition with this number.
    pub fn guard(&self, id: GuardId) -> &'m Cond {
        self.guards[id.0 as usize]
    }

    /// What a constant stands for.
    pub fn body(&self, id: ProcessId) -> &Rc<Term> {
        &self.bodies[id.0 as usize]
    }

    fn translate(&mut self, process: &'m Process) -> Rc<Term> {
        match &process.node {
            ProcessNode::Nil => Rc::new(Term::Nil),
            ProcessNode::Action(action) => Rc::new(Term::Act(*action)),
            ProcessNode::Seq(parts) => {
                let parts = self.translate_all(parts);
                parts.into_iter().rev().reduce(|rest, first| self.seq(first, rest)).expect("parts")
            }
            ProcessNode::Choice(parts) => Rc::new(Term::Choice(self.translate_all(parts))),
            ProcessNode::Par(parts) => par(self.translate_all(parts)),
            ProcessNode::Guard(g, p) => {
                let g = self.new_guard(g);
                Rc::new(Term::Guard(g, self.translate(p)))
            }
            ProcessNode::Conditional(g, pass, p) => {
                let g = self.new_guard(g);
                Rc::new(Term::Conditional(g, *pass, self.translate(p)))
            }
            ProcessNode::Call(id) => Rc::new(Term::Call(*id)),
        }
    }

    fn translate_all(&mut self, parts: &'m [Process]) -> Vec<Rc<Term>> {
        parts.iter().map(|part| self.translate(part)).collect()
    }

    fn new_guard(&mut self, g: &'m Cond) -> GuardId {
        self.guards.push(g);
        GuardId(self.guards.len() as u32 - 1)
    }

    /// P; Q, up to the laws above.
    pub fn seq(&self, p: Rc<Term>, q: Rc<Term>) -> Rc<Term> {
        match p.as_ref() {
            Term::Done => q,
            _ if !self.may_end(&p) => p,
            Term::Seq(first, second) => self.seq(first.clone(), self.seq(second.clone(), q)),
            _ => Rc::new(Term::Seq(p, q)),
        }
    }

    /// Whether a term can ever become √, guards disregarded.
    fn may_end(&self, p: &Term) -> bool {
        match p {
            Term::Nil => false,
            Term::Done | Term::Act(_) | Term::Conditional(..) => true,
            Term::Seq(p, q) => self.may_end(p) && self.may_end(q),
            Term::Choice(parts) => parts.iter().any(|part| self.may_end(part)),
            Term::Par(parts) => parts.iter().all(|part| self.may_end(part)),
            Term::Guard(_, p) => self.may_end(p),
            Term::Call(id) => self.ends[id.0 as usize],
        }
    }

    /// The same process with its constants replaced wherever it may move next, so that a process is the same term at
    /// its first and at its second round. Recursion is guarded, hence this ends.
    pub fn unfold(&self, p: &Rc<Term>) -> Rc<Term> {
        match p.as_ref() {
            Term::Call(id) => self.unfold(self.body(*id)),
            Term::Seq(p, q) => self.seq(self.unfold(p), q.clone()),
            Term::Par(parts) => par(parts.iter().map(|part| self.unfold(part)).collect()),
            _ => p.clone(),
        }
    }
}

/// P | Q | …, up to the laws above.
pub fn par(mut parts: Vec<Rc<Term>>) -> Rc<Term> {
    parts.retain(|part| **part != Term::Done);
    match parts.len() {
        0 => Rc::new(Term::Done),
        1 => parts.remove(0),
        _ => Rc::new(Term::Par(parts)),
    }
}

/// Which constants may end, now or after some steps: the least solution.
fn constants_that_end(model: &Model) -> Vec<bool> {
    fn ends(p: &Process, known: &[bool]) -> bool {
        match &p.node {
            ProcessNode::Nil => false,
            ProcessNode::Action(_) | ProcessNode::Conditional(..) => true,
            ProcessNode::Seq(parts) | ProcessNode::Par(parts) => parts.iter().all(|part| ends(part, known)),
            ProcessNode::Choice(parts) => parts.iter().any(|part| ends(part, known)),
            ProcessNode::Guard(_, p) => ends(p, known),
            ProcessNode::Call(id) => known[id.0 as usize],
        }
    }
    let mut known = vec![false; model.processes.len()];
    loop {
        let next: Vec<bool> = model.processes.iter().map(|d| ends(&d.body, &known)).collect();
        if next == known {
            return known;
        }
        known = next;
    }
}
