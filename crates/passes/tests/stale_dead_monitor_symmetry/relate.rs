//! Whether the graph before a pass and the one after are related as the pass claims.

use crate::explore::{Graph, explore};
use crate::models::valid;
use std::collections::{HashMap, HashSet};
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{Expr, Function, KindId, Program, Rule, Stmt, Value};
use swarmcheck_passes::Reduced;

/// Runs a block that no agent runs on states of a program.
pub struct Block {
    flat: Flat,
    machine: Machine,
    at: Instance,
}

impl Block {
    pub fn new(program: &Program, body: &[Stmt]) -> Block {
        let mut program = program.clone();
        let kind = program.kinds.iter().position(|k| k.count > 0).expect("somebody is there");
        let agent = program.kinds[kind].first;
        program.functions.push(Function {
            name: "the block".to_string(),
            rule: Rule::System { verb: "run", object: String::new(), site: 0 },
            owners: vec![KindId(kind as u32)],
            entry: vec![],
            guard: Expr::TRUE,
            locals: vec![],
            body: body.to_vec(),
            span: Default::default(),
        });
        let at = Instance { function: program.functions.len() as u32 - 1, agent };
        let flat = Flat::new(valid(program));
        let machine = Machine::new(&flat);
        Block { flat, machine, at }
    }

    pub fn run(&mut self, state: &[Value]) -> Vec<Value> {
        let mut out = state.to_vec();
        let mut choices = Enumerate::default();
        let outcome = self.machine.step(&self.flat, self.at, &mut out, &mut choices);
        assert_eq!(outcome, Outcome::Done);
        assert!(!choices.advance(), "the block is deterministic");
        out
    }
}

/// How steps must match.
#[derive(Clone, Copy, PartialEq)]
pub enum Match {
    Steps,
    /// Steps that change nothing may be left out.
    Stuttering,
}

/// Checks by brute force that `normalise` relates the two programs, and that they give the same answers. Returns the
/// numbers of states.
pub fn related(before: &Program, reduced: &Reduced, how: Match) -> (usize, usize) {
    let mut normal = Block::new(before, &reduced.normalise);
    let old = explore(before.clone());
    let new = explore(valid(reduced.program.clone()));
    assert_eq!(old.answers(), new.answers(), "the same answers");
    let index: HashMap<&[Value], usize> = new.states.iter().enumerate().map(|(i, s)| (&s[..], i)).collect();
    let to: Vec<usize> = old
        .states
        .iter()
        .map(|s| *index.get(&normal.run(s)[..]).unwrap_or_else(|| panic!("{s:?} has no image")))
        .collect();
    let images: HashSet<usize> = to.iter().copied().collect();
    assert_eq!(images.len(), new.states.len(), "every state stands for one of the program before");
    let first =
        |g: &Graph, f: &dyn Fn(usize) -> usize| g.initial.iter().map(|s| f(*s)).collect::<HashSet<_>>();
    assert_eq!(first(&old, &|s| to[s]), first(&new, &|s| s), "the same initial states");
    for s in 0..old.states.len() {
        for n in &old.next[s] {
            let stutters = how == Match::Stuttering && to[*n] == to[s];
            assert!(stutters || new.next[to[s]].contains(&to[*n]), "{:?} cannot follow", old.states[s]);
        }
        // What can follow in the old program, after steps that change nothing.
        let mut reached: HashSet<usize> = HashSet::from([s]);
        let mut work = vec![s];
        let mut follow = HashSet::new();
        while let Some(u) = work.pop() {
            for n in &old.next[u] {
                follow.insert(to[*n]);
                if how == Match::Stuttering && to[*n] == to[s] && reached.insert(*n) {
                    work.push(*n);
                }
            }
        }
        for n in &new.next[to[s]] {
            assert!(follow.contains(n), "{:?} cannot do {:?}", old.states[s], new.states[*n]);
        }
    }
    (old.states.len(), new.states.len())
}
