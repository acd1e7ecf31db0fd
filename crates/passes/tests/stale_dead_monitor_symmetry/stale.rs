//! Stale messages.

use crate::models::{example, read};
use crate::relate::{Match, related};
use swarmcheck_labs::lower::{Options, Semantics};
use swarmcheck_passes::stale::stale;

/// Numbers of states before and after, if all is well.
fn counts(file: &str, parameters: &str, fair: bool, semantics: Semantics) -> (usize, usize) {
    let before = example(file, parameters, Options { fair, semantics, ..Options::default() });
    related(&before, &stale(&before), Match::Stuttering)
}

#[test]
fn links_that_are_always_true() {
    let free = |file, parameters| counts(file, parameters, false, Semantics::Sliver);
    assert_eq!(free("twophase/twophase.labs", "workers=2"), (6_163, 64));
    assert_eq!(free("twophase/twophase.labs", "workers=3"), (65_747, 86));
    assert_eq!(free("leader/leader.labs", "n=4"), (521, 105));
    assert_eq!(free("leader/leader.labs", "n=5"), (2_846, 531));
}

#[test]
fn other_schedules_and_semantics() {
    let (leader, formation) = ("leader/leader.labs", "formation/formation_id.labs");
    let robots = "n=2 size=3 range=1";
    assert_eq!(counts(leader, "n=4", true, Semantics::Sliver), (185, 20));
    assert_eq!(counts(leader, "n=4", false, Semantics::Paper), (521, 105));
    assert_eq!(counts(leader, "n=4", true, Semantics::Paper), (185, 20));
    assert_eq!(counts("twophase/twophase.labs", "workers=2", false, Semantics::Paper), (8_577, 64));
    assert_eq!(counts(formation, robots, true, Semantics::Sliver), (494, 296));
    assert_eq!(counts(formation, robots, false, Semantics::Paper), (1_716, 864));
    assert_eq!(counts(formation, robots, true, Semantics::Paper), (516, 296));
}

#[test]
fn links_that_depend_on_the_state() {
    let free = |file, parameters| counts(file, parameters, false, Semantics::Sliver);
    assert_eq!(free("formation/formation.labs", "n=2 size=3 range=1"), (1_804, 944));
    assert_eq!(free("formation/formation_id.labs", "n=2 size=3 range=1"), (1_660, 864));
    assert_eq!(free("flock/flock.labs", "birds=2 grid=2 delta=1"), (2_608, 2_112));
}

/// Who speaks: one agent, nobody to hear it; or several that are never linked.
fn speakers(agents: u32, link: &str) -> String {
    format!(
        "system {{ spawn = A: {agents} }}
        stigmergy S {{ link = {link} said: 0 }}
        agent A {{ interface = x: 0 stigmergies = S Behavior = (said <~ said + 1; x <- 1) ++ x <- said }}
        check {{ Some = always forall A a, x of a = 0  All = finally forall A a, x of a = 1 }}"
    )
}

#[test]
fn nobody_hears() {
    let counts = |agents, link| {
        let program = read(&speakers(agents, link), "", Options::default());
        let reduced = stale(&program);
        (reduced.notes.len(), related(&program, &reduced, Match::Stuttering))
    };
    assert_eq!(counts(1, "true"), (2, (8, 4)));
    assert_eq!(counts(2, "false"), (2, (89, 20)));
    // Here a question may make somebody tell again: only what is told to nobody is dropped.
    assert_eq!(counts(2, "x of 1 = x of 2"), (1, (128, 79)));
}

#[test]
fn a_property_that_reads_a_flag_forbids_it() {
    let mut program = example("leader/leader.labs", "n=3", Options::default());
    let flag = program.vars.iter().position(|v| v.name.starts_with("propagate")).expect("there is one");
    let place = swarmcheck_ir::Place::of(swarmcheck_ir::VarId(flag as u32), swarmcheck_ir::Expr::Const(0));
    let zero = swarmcheck_ir::Expr::Const(0);
    program.properties[0].predicate = swarmcheck_ir::Expr::binary(
        swarmcheck_ir::BinaryOp::Eq,
        swarmcheck_ir::Expr::Read(place),
        zero,
        Default::default(),
    );
    assert_eq!(stale(&program).program, program);
}
