//! Units of a program with two kinds, and the variable that follows them.

use super::*;
use crate::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use crate::program::{AgentKind, KindId};

/// Node 0 and 1 act and send; hub 2 sends only.
fn program() -> Program {
    let function = |rule, owners: &[u32]| Function {
        name: format!("{rule:?}"),
        rule,
        owners: owners.iter().map(|k| KindId(*k)).collect(),
        entry: vec![],
        guard: Expr::TRUE,
        locals: vec![],
        body: vec![],
        span: Span::default(),
    };
    let kind = |name: &str, first, count| AgentKind { name: name.to_string(), first, count };
    Program {
        kinds: vec![kind("Node", 0, 2), kind("Hub", 2, 1)],
        vars: vec![],
        init_locals: vec![],
        init: vec![],
        functions: vec![
            function(Rule::Action { words: "Skip".to_string(), site: 0 }, &[0]),
            function(Rule::System { verb: "propagate", object: "x".to_string(), site: 0 }, &[0, 1]),
        ],
        properties: vec![],
    }
}

#[test]
fn only_who_owns_a_function_is_a_unit() {
    let (acts, sends) = (UnitKind::Acts, UnitKind::Sends);
    let expected = [(0, acts), (0, sends), (1, acts), (1, sends), (2, sends)];
    assert_eq!(units(&program()), expected.map(|(agent, kind)| Unit { agent, kind }));
    assert_eq!(can_move(&program(), Unit { agent: 2, kind: acts }), Some(Expr::FALSE));
    assert_eq!(can_move(&program(), Unit { agent: 7, kind: acts }), Some(Expr::FALSE));
    assert_eq!(can_move(&program(), Unit { agent: 2, kind: sends }), Some(Expr::TRUE));
}

#[test]
fn every_step_says_whose_it_was() {
    let mut program = program();
    let var = track(&mut program);
    assert_eq!(track(&mut program), var, "there is one only");
    assert_eq!(program.vars.len(), 1);
    assert_eq!(crate::validate::validate(&program), Ok(()));
    let all = units(&program);
    let somebody = moved_somebody(&program, var, UnitKind::Sends);
    let flat = Flat::new(program.clone());
    let mut machine = Machine::new(&flat);
    let mut holds = |e: &Expr, state: &[i64]| machine.test(&flat, &flat.compile(e), state);
    assert!(all.iter().all(|unit| holds(&moved(var, *unit), &[0]) == Ok(false)), "nobody has moved yet");
    for (function, agent) in [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)] {
        let mut state = vec![0];
        let outcome = Machine::new(&flat).step(
            &flat,
            Instance { function, agent },
            &mut state,
            &mut Enumerate::default(),
        );
        assert_eq!(outcome, Outcome::Done);
        let kind = kind(&program.functions[function as usize]);
        for unit in &all {
            assert_eq!(holds(&moved(var, *unit), &state), Ok(*unit == Unit { agent, kind }), "{unit:?}");
        }
        assert_eq!(holds(&somebody, &state), Ok(kind == UnitKind::Sends));
    }
}
