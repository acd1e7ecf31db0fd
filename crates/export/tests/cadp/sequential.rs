//! The sequential program: its states and steps are those of the emulation program, its labels say what changed.

use crate::models::{ccs, example, program, rcheck, written};
use crate::run::{Label, Machine, Store, Value};
use crate::{check, syntax};
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_export::lnt;
use swarmcheck_ir::flat::{Enumerate, Flat, Outcome};
use swarmcheck_ir::program::Role;

/// The text for a program.
pub fn text(flat: &Flat) -> String {
    let files = written(lnt::write, flat, None, None).expect("a program that LNT can express");
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].name, "emulation.lnt");
    files[0].text.clone()
}

/// A state of the emulation program, from the variables of the LNT program. Timestamps are ranked: an agent's rank is
/// the number of different timestamps that are less than its own.
pub fn decode(flat: &Flat, store: &Store) -> Vec<i64> {
    (0..flat.width() as u32)
        .map(|slot| {
            let cell = flat.layout.cell(slot);
            let var = flat.program.var(cell.var);
            let name = match var.role {
                Role::Order => var.name.replace("order.", "time."),
                Role::Pending => format!("to.{}", var.name),
                _ => var.name.clone(),
            };
            let name = name.replace(['.', '-'], "_").to_lowercase();
            let cells = match &store[&name] {
                Value::Number(n) => std::slice::from_ref(n),
                Value::Cells(cells) => cells,
                Value::Text(_) => panic!("no text in states"),
            };
            let owners = var.owners.as_ref().map(|o| swarmcheck_logic::expand::agents(&flat.program, o));
            let first = owners.as_ref().map_or(0, |o| o[0]);
            let agent = (cell.agent.unwrap_or(0) - first) as usize;
            let value = if var.role == Role::Order {
                let owners = owners.expect("agents have timestamps");
                let n = (owners[owners.len() - 1] - first + 1) as usize;
                let row = |a: usize| owners.iter().map(move |b| cells[a * n + (b - first) as usize]);
                let older = owners.iter().map(|b| (b - first) as usize).filter(|b| cells[agent * n + b] == 2);
                older.map(|b| row(b).collect::<Vec<_>>()).collect::<BTreeSet<_>>().len() as i64
            } else {
                cells[agent * var.cells() + cell.index as usize]
            };
            if value == -2_147_483_647 { swarmcheck_ir::UNDEF } else { value }
        })
        .collect()
}

/// A step: who, what, the labels in front of it in some order, and the state after it.
pub type Step = (u32, String, BTreeSet<Label>, Vec<i64>);

/// The steps of the emulation program from a state.
pub fn expected(flat: &Flat, state: &[i64]) -> BTreeSet<Step> {
    let mut machine = swarmcheck_ir::flat::Machine::new(flat);
    let mut out = BTreeSet::new();
    for instance in (0..flat.instances()).map(|i| flat.instance(i)) {
        let mut chooser = Enumerate::default();
        loop {
            let mut next = state.to_vec();
            match machine.step(flat, instance, &mut next, &mut chooser) {
                Outcome::Done => {
                    let name = flat.program.functions[instance.function as usize].name.clone();
                    out.insert((instance.agent, name, changes(flat, Some(state), &next), next));
                }
                Outcome::Disabled => {}
                Outcome::Fault(fault) => panic!("{fault}"),
            }
            if !chooser.advance() {
                break;
            }
        }
    }
    out
}

/// The labels for what differs between two states, as section 3.1 of the ATLAS paper prescribes them; for all cells if
/// there is no state before.
fn changes(flat: &Flat, before: Option<&[i64]>, after: &[i64]) -> BTreeSet<Label> {
    let slots = 0..flat.width() as u32;
    let mut mentioned = BTreeSet::new();
    for e in flat.program.properties.iter().flat_map(|p| p.exprs()) {
        e.walk(&mut |e| {
            if let swarmcheck_ir::Expr::Read(place) = e {
                mentioned.insert(place.var.0);
            }
        });
    }
    let label = |slot: u32| {
        let cell = flat.layout.cell(slot);
        let var = flat.program.var(cell.var);
        let value = match after[slot as usize] {
            swarmcheck_ir::UNDEF => -2_147_483_647,
            value => value,
        };
        if !(matches!(var.role, Role::Data { .. }) || mentioned.contains(&cell.var.0))
            || before.is_some_and(|b| b[slot as usize] == after[slot as usize])
        {
            return None;
        }
        let index = if var.dimensions.is_empty() { String::new() } else { format!(" !{}", cell.index) };
        Some(match cell.agent {
            Some(agent) => format!("ASSIGN !{agent} !\"{}\"{index} !{value}", var.name),
            None => format!("SHARED !\"{}\"{index} !{value}", var.name),
        })
    };
    slots.filter_map(label).collect()
}

/// Compares every reachable state; returns how many there are, and how many steps.
fn compare(flat: &Flat) -> (usize, usize) {
    compare_text(flat, &text(flat))
}

fn compare_text(flat: &Flat, text: &str) -> (usize, usize) {
    let module = syntax::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check::check(&module).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let machine = Machine::new(&module);
    let mut seen: BTreeMap<Vec<i64>, Store> = BTreeMap::new();
    let mut todo = vec![];
    let mut found = BTreeSet::new();
    for (mut labels, store) in machine.initial() {
        assert_eq!(labels.pop().as_deref(), Some("START"));
        let state = decode(flat, &store);
        assert_eq!(labels.iter().cloned().collect::<BTreeSet<_>>(), changes(flat, None, &state));
        found.insert(state.clone());
        assert!(seen.insert(state.clone(), store).is_none(), "two initial states for one");
        todo.push(state);
    }
    assert_eq!(found, initial(flat), "initial states");
    let mut steps = 0;
    while let Some(state) = todo.pop() {
        let store = seen[&state].clone();
        let mut found = BTreeSet::new();
        for (mut labels, store) in machine.steps(&store) {
            let step = labels.pop().expect("every step has a label");
            let (agent, name) =
                step.strip_prefix("STEP !").and_then(|s| s.split_once(" !")).expect("who and what");
            let after = decode(flat, &store);
            let labels = labels.into_iter().collect();
            found.insert((
                agent.parse().expect("a number"),
                name.trim_matches('"').to_string(),
                labels,
                after.clone(),
            ));
            match seen.get(&after) {
                None => {
                    seen.insert(after.clone(), store);
                    todo.push(after);
                }
                // The matrix says no more than the ranks do: one state here is one state there.
                Some(other) => assert_eq!(*other, store),
            }
        }
        steps += found.len();
        assert_eq!(found, expected(flat, &state), "steps from {state:?}");
    }
    (seen.len(), steps)
}

pub fn initial(flat: &Flat) -> BTreeSet<Vec<i64>> {
    let mut machine = swarmcheck_ir::flat::Machine::new(flat);
    let mut chooser = Enumerate::default();
    let mut out = BTreeSet::new();
    loop {
        let mut state = vec![0; flat.width()];
        if machine.initialise(flat, &mut state, &mut chooser) == Outcome::Done {
            out.insert(state);
        }
        if !chooser.advance() {
            return out;
        }
    }
}

/// The numbers of states are those of the examples' tables of verdicts, where they come from the reference interpreter.
#[test]
fn the_same_states_and_steps() {
    let check = |path, parameters, fair, states| {
        let found = compare(&example(path, parameters, fair));
        assert_eq!(found.0, states, "{path} {parameters}");
        assert!(found.1 > 0);
    };
    check("leader/leader.labs", "n=3", false, 106);
    check("twophase/twophase.labs", "workers=1", false, 449);
    check("approx/approx.labs", "yes=1 no=2", false, 55);
    check("majority/majority.labs", "yes=1 no=1", false, 15);
    check("philosophers/philosophers.labs", "n=2", false, 40);
    check("ants/ants.labs", "ants=1 size=2 scent=1", false, 111);
    check("foraging/foraging.labs", "robots=1 grid=2", false, 336);
    check("waiting/waiting.labs", "hasty=2 careful=0", false, 39);
    check("waiting/waiting.labs", "hasty=1 careful=1", false, 27);
}

/// Variables that are called like words of LAbS.
#[test]
fn words_of_sections_as_names() {
    let model = "system { environment = system: 0; check: 1; finally: 2  spawn = A: 1 }
        stigmergy S { link = agent of 1 = agent of 2  agent, link: 0, 1 }
        agent A { interface = interface: 0; spawn: 1; extern: undef; always: 3; stigmergy: 0  stigmergies = S
            Behavior = (interface = 1 => Nil); (extern = 1 => Nil); system <-- spawn + link;
                       { count := agent + finally; interface, always <- count, stigmergy }; agent <~ check }
        check { P = always system >= 0 }";
    // At least two steps that pass, three that act, and one message for each tuple that these read or write.
    let (states, steps) = compare(&program(model, "", false));
    assert!(states >= 7 && steps >= 7, "{states}, {steps}");
}

/// All kinds of division by numbers of both signs and by 0, absolute values, minima and maxima of what may be ⊥, and
/// comparisons with ⊥. The emulation program computes with exact arithmetic; its meaning is fixed by `docs/labs.md`.
#[test]
fn arithmetic() {
    let model = "system { spawn = A: 1 }
        agent A { interface = x: -5..6; y: -2..3; q: undef; s: undef
            Behavior = q <- x / y; s <- x % y; q <- x : y; s <- abs(q) - min(q, -s) * max(q, 3);
                       ((s > 0 -> q <- if s > 3 then s else -s) ++ (!(s > 0) -> q <- 7)) }
        check { }";
    let (states, steps) = compare(&program(model, "", false));
    assert!(states > 200 && steps > 200, "{states}, {steps}");
}

/// Agents that are picked, quantifiers and counts in guards and values, environments, arrays of several dimensions, and
/// initial values that are assumed to fit together.
#[test]
fn everything_else() {
    let model = "system { environment = e: 0; g[2, 2]: 0  spawn = Cat: 1, Mouse: 3 }
        agent Cat { interface = at: 1; near: 0
            Behavior = exists Mouse m, at of m > 1 ->
                { m[] := pick 1 Mouse where abs(at of 1 - at of 2) <= 1; near <- m[0]; e <-- at of m[0] };
                near <- count Mouse x, at of x = at;
                g[min(near, 1), 1] <-- e + 1; { k := [0..2]; g[k, 1 - k] <-- k + 3 } }
        agent Mouse { interface = at: 0..3  Behavior = at <- (at + 1) % 3 }
        assume { Spread = exists Mouse a, exists Mouse b, at of a > at of b + 1 }
        check { Some = always forall Cat c, near of c < 4 }";
    let (states, steps) = compare(&program(model, "", false));
    assert!(states > 200 && steps > states, "{states}, {steps}");
}

/// Programs of other languages: rendezvous of processes, and agents that send on channels.
#[test]
fn other_languages() {
    let (states, steps) = compare(&ccs("mutual-exclusion/peterson.ccs"));
    assert!(states > 10 && steps > states, "{states}, {steps}");
    // An empty buffer, one that holds one or two things, and whether the last step was one that the claims refer to.
    let (states, steps) = compare(&rcheck("rcheck-buffer/buffer.rcp"));
    assert!(states >= 3 && steps > states, "{states}, {steps}");
}

/// Round-robin scheduling: whose turn it is belongs to the state.
#[test]
fn in_turn() {
    let free = compare(&example("leader/leader.labs", "n=3", false));
    let fair = compare(&example("leader/leader.labs", "n=3", true));
    assert_ne!(free, fair);
}

/// The text with one thing changed, which must be there.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

/// The parser and the checks refuse text that is wrong in one place.
#[test]
fn mistakes_are_noticed() {
    let text = text(&example("leader/leader.labs", "n=3", false));
    let good = |text: &str| syntax::parse(text).and_then(|m| check::check(&m));
    assert_eq!(good(&text), Ok(()));
    for (from, to) in [
        ("leader[me] := NatToInt (me);", "leader[me] := NatToInt (me)"),
        ("leader[me] := NatToInt (me)", "leader[me] := me"),
        ("leader[me] := NatToInt (me)", "boss[me] := NatToInt (me)"),
        ("(pc_0[me] == 1) and", "pc_0[me] == 1 and"),
        ("STEP (me, \"Node_1\")", "STEP (\"Node_1\", me)"),
        ("STEP (me, \"Node_1\")", "STEP (me)"),
        ("STEP (me, \"Node_1\")", "FINISHED (me, \"Node_1\")"),
        ("eval Newest_3 (!?time_leader, me)", "eval Newest_3 (time_leader, me)"),
        ("eval Newest_3 (!?time_leader, me)", "eval Newest_4 (!?time_leader, me)"),
        ("REPORT_3 [ASSIGN] (", "REPORT_3 [STEP] ("),
        ("REPORT_3 [ASSIGN] (\"leader\", 0, ", "REPORT_3 [ASSIGN] (\"leader\", "),
        ("LESS, SAME, GREATER", "LESS, GREATER"),
        ("end process", "end function"),
        ("var before_leader: CELLS_3 in", "var before_leader: CELLS_4 in"),
        ("in out pc_0: CELLS_3", "pc_0: CELLS_3"),
    ] {
        assert!(good(&changed(&text, from, to)).is_err(), "{from} became {to}");
    }
}

/// A receiver that takes over only the comparison with its sender, which is all that section 3.1 of the paper mentions,
/// still compares to others as its old value did: that is another system.
#[test]
fn a_receiver_compares_as_its_sender_does() {
    let flat = example("leader/leader.labs", "n=3", false);
    let text = text(&flat);
    let (head, adopt) = text.split_once("function Adopt_3").expect("the function");
    let adopt = changed(adopt, "if q <> p then", "if q == k then");
    let adopt = changed(&adopt, "time[(k * 3) + q];", "SAME;");
    let adopt = changed(&adopt, "time[(q * 3) + k]\n", "SAME\n");
    let wrong = format!("{head}function Adopt_3{adopt}");
    assert!(syntax::parse(&wrong).and_then(|m| check::check(&m)).is_ok());
    assert!(std::panic::catch_unwind(|| compare_text(&flat, &wrong)).is_err());
    assert_eq!(compare_text(&flat, &text).0, 106);
}
