//! A sliced program gives the same answers.

use crate::examples::{SMALL, example, valid};
use crate::search::Space;
use std::collections::{BTreeSet, HashSet};
use swarmcheck_ir::flat::{Enumerate, Flat, Machine, Outcome};
use swarmcheck_ir::{BinaryOp, Expr, Function, Place, Program, Rule, Stmt, Value, VarId};
use swarmcheck_passes::fold::fold;
use swarmcheck_passes::ranges::narrow;
use swarmcheck_passes::slice::{kept, slice};
use swarmcheck_passes::{Needs, Reduced};

const STEPS: Needs = Needs { steps: true, endings: true };
const ENDINGS: Needs = Needs { steps: false, endings: true };
const VALUES: Needs = Needs { steps: false, endings: false };

fn folded(program: &Program) -> Program {
    fold(&narrow(program).program).program
}

/// Runs the block that turns states of the original program into those of the smaller one.
fn normalised(program: &Program, reduced: &Reduced, states: &[Vec<Value>]) -> HashSet<Vec<Value>> {
    let mut program = program.clone();
    program.functions.push(Function {
        name: "normalise".to_string(),
        rule: Rule::Action { words: String::new(), site: 0 },
        owners: vec![program.kind_of(0)],
        entry: vec![],
        guard: Expr::TRUE,
        locals: vec![],
        body: reduced.normalise.clone(),
        span: Default::default(),
    });
    valid(&program);
    let flat = Flat::new(program);
    let mut machine = Machine::new(&flat);
    let last = flat.instance(flat.instances() - 1);
    let run = |state: &Vec<Value>| {
        let mut state = state.clone();
        assert_eq!(machine.step(&flat, last, &mut state, &mut Enumerate::default()), Outcome::Done);
        state
    };
    states.iter().map(run).collect()
}

/// Checks one slice against the states of the original program.
fn agrees(program: &Program, before: &Space, property: usize, needs: Needs, name: &str) {
    let folded = folded(program);
    let reduced = slice(&folded, &[property], needs);
    let small = &reduced.program;
    valid(small);
    let name = format!("{name} {} {needs:?}", program.properties[property].name);
    let after = Space::explore(small, 50_000, None);
    let keep = kept(&folded, &[property], needs);
    assert_eq!(before.fault.is_some(), after.fault.is_some(), "{name}");
    let states: HashSet<Vec<Value>> = after.states.iter().cloned().collect();
    assert!(states == before.projected(|v| keep.contains(&v)), "{name}: other states");
    assert!(states == normalised(&folded, &reduced, &before.states), "{name}: normalise");
    if before.fault.is_some() {
        return;
    }
    let (old, new) = (&program.properties[property], &small.properties[property]);
    for (old, new) in old.exprs().into_iter().zip(new.exprs()) {
        assert_eq!(before.always(old), after.always(new), "{name}: always");
        assert_eq!(before.fairly_always(old), after.fairly_always(new), "{name}: fairly");
        if needs.endings {
            assert_eq!(before.eventually(old), after.eventually(new), "{name}: eventually");
        }
    }
    if needs.endings {
        assert_eq!(before.ends(), after.ends(), "{name}: endings");
    }
    if needs.steps {
        let project = |s: &[Value]| -> Vec<Value> {
            let cell = |i: usize| before.flat.layout.cell(i as u32).var;
            s.iter().enumerate().map(|(i, v)| if keep.contains(&cell(i)) { *v } else { 0 }).collect()
        };
        let expected: HashSet<_> = crate::fold::steps(before)
            .into_iter()
            .map(|(s, f, a, t)| (project(s), f, a, project(t)))
            .collect();
        let found: HashSet<_> = crate::fold::steps(&after)
            .into_iter()
            .map(|(s, f, a, t)| (s.to_vec(), f, a, t.to_vec()))
            .collect();
        assert!(expected == found, "{name}: other steps");
    }
    // What was sliced can be looked at again.
    let again = self::folded(small);
    valid(&again);
    let once_more = Space::explore(&again, 50_000, None);
    assert!(states == once_more.states.into_iter().collect(), "{name}: folded again");
}

#[test]
fn the_examples() {
    let mut compared = 0;
    for (name, parameters) in SMALL {
        for fair in [false, true] {
            let program = example(name, parameters, fair);
            let before = Space::explore(&program, 50_000, None);
            for property in 0..program.properties.len() {
                for needs in [STEPS, ENDINGS, VALUES] {
                    agrees(&program, &before, property, needs, &format!("{name} {parameters} {fair}"));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 300, "only {compared} compared");
}

fn names(program: &Program, keep: &BTreeSet<VarId>) -> Vec<String> {
    keep.iter().map(|v| program.var(*v).name.clone()).collect()
}

#[test]
fn positions_that_only_decide_who_sees_whom() {
    let far = folded(&example("boids/aw", "birds=3 grid=10 delta=13", true));
    let near = folded(&example("boids/aw", "birds=3 grid=10 delta=12", true));
    let has_x = |program: &Program| names(program, &kept(program, &[0], STEPS)).contains(&"x".to_string());
    assert!(!has_x(&far));
    assert!(has_x(&near));
}

#[test]
fn a_stigmergy_that_does_not_matter() {
    let boids = folded(&example("boids/boids", "birds=3 grid=5 delta=5", true));
    let reduced = slice(&boids, &[0], ENDINGS);
    let keep = names(&boids, &kept(&boids, &[0], ENDINGS));
    for gone in ["x", "y", "posX", "posY", "dirX", "dirY"] {
        assert!(!keep.contains(&gone.to_string()), "{gone} in {keep:?}");
    }
    let property = &reduced.program.properties[0].predicate;
    let space = Space::explore(&reduced.program, 10_000, Some(property));
    assert!(space.eventually(property));
    let goal = space.holds(property);
    let open = goal.iter().filter(|g| !**g).count();
    assert_eq!((space.states.len(), open), (65, 49), "{}", reduced.notes.join("\n"));
}

/// Two birds, whose headings do not matter to the property, with something changed about the messages that carry them.
fn heading_matters(change: impl Fn(&mut Function)) -> bool {
    let mut program = folded(&example("boids/boids", "birds=2 grid=5 delta=5", true));
    let messages = program.functions.iter_mut().filter(|f| f.name.ends_with("dirX"));
    messages.for_each(change);
    valid(&program);
    names(&program, &kept(&program, &[0], ENDINGS)).contains(&"propagate.dirX".to_string())
}

/// Applies a change to every statement of a block.
fn everywhere(body: &mut Vec<Stmt>, change: &mut dyn FnMut(&mut Stmt)) {
    for stmt in body {
        change(stmt);
        match stmt {
            Stmt::If(_, yes, no) => {
                everywhere(yes, change);
                everywhere(no, change);
            }
            Stmt::ForEach(_, _, body) => everywhere(body, change),
            _ => {}
        }
    }
}

#[test]
fn messages_that_may_go_on_for_ever_are_kept() {
    assert!(!heading_matters(|_| {}));
    // The mark is not taken back.
    assert!(heading_matters(|f| {
        f.body.remove(0);
    }));
    // A message needs more than its mark.
    assert!(heading_matters(|f| f.guard = Expr::Or(vec![f.guard.clone(), Expr::FALSE])));
    // Those with the same time accept.
    assert!(heading_matters(|f| {
        everywhere(&mut f.body, &mut |s| {
            let Stmt::If(Expr::And(parts), ..) = s else { return };
            for part in parts {
                if let Expr::Binary(op @ BinaryOp::Lt, ..) = part {
                    *op = BinaryOp::Le;
                }
            }
        });
    }));
    // Those who accept do not take the time over.
    assert!(heading_matters(|f| {
        everywhere(&mut f.body, &mut |s| {
            if let Stmt::If(_, yes, _) = s {
                yes.retain(|s| !matches!(s, Stmt::Copy(..)));
            }
        });
    }));
    // The message can be stopped.
    assert!(heading_matters(|f| {
        let guard = f.guard.clone();
        f.body.push(Stmt::Assume(guard));
    }));
    // Everybody else gets the same mark.
    assert!(heading_matters(|f| {
        let mark = f.body.clone().into_iter().find_map(|s| match s {
            Stmt::Assign(place, _) => Some(place.var),
            _ => None,
        });
        let mark = Place::of(mark.expect("a mark"), Expr::Bound(0));
        if let Stmt::ForEach(_, _, body) = &mut f.body[1] {
            body.push(Stmt::Assign(mark, Expr::Const(1)));
        }
    }));
}
