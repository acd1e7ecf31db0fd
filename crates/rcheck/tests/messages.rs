//! What is told of a step: sender, data, receivers and who could not receive. On random systems it is compared with two
//! independent sources: with the steps of definition 2, and with what the emulation program remembers of a step for
//! observations and labels of receives, which the lowering makes without the literal rules. On a small system it is
//! compared with what the definitions say, argued by hand.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a long run is asked for by the environment, and counted"
)]

mod common;

use common::{Random, observed, program, read, state};
use std::collections::BTreeSet;
use swarmcheck_engine::successors;
use swarmcheck_engine::system::initial_states;
use swarmcheck_ir::flat::Machine;
use swarmcheck_rcheck::Specification;
use swarmcheck_rcheck::reference::{Explained, Interpreter, Refusal};

const MOST_STATES: usize = 40;

/// An observation, and whether it is true of a step.
type Question = (String, Box<dyn Fn(&Explained) -> bool>);

/// Observations that tell everything about a message, and what each says about a step in detail.
fn questions() -> Vec<Question> {
    let mut out: Vec<Question> = vec![];
    for (number, name) in ["a1", "a2", "b1"].into_iter().enumerate() {
        out.push((format!("sender = {name}"), Box::new(move |m| m.channel.is_some() && m.agent == number)));
        out.push((format!("getter = {name}"), Box::new(move |m| m.channel.is_none() && m.agent == number)));
        out.push((
            format!("supplier = {name}"),
            Box::new(move |m| m.answer.is_some() && m.received[0].0 == number),
        ));
    }
    // The first channel is broadcast.
    for (number, name) in (0..).zip(["*", "c", "d"]) {
        out.push((format!("chan = {name}"), Box::new(move |m| m.channel == Some(number))));
    }
    out.push(("p2p".to_string(), Box::new(|m| m.channel.is_none())));
    // An observer sees what both sides say; where both set a variable, what the supplier says.
    let said = |m: &Explained, at: usize| m.answer.as_ref().and_then(|a| a[at]).or(m.data[at]);
    for value in 0..3 {
        out.push((format!("M = {value}"), Box::new(move |m| said(m, 0) == Some(value))));
    }
    for (value, name) in (0..).zip(["on", "off"]) {
        out.push((format!("K = {name}"), Box::new(move |m| said(m, 1) == Some(value))));
    }
    for (value, name) in (0..).zip(["*", "c", "d"]) {
        out.push((format!("L = {name}"), Box::new(move |m| said(m, 2) == Some(value))));
    }
    for (value, name) in (0..).zip(["a1", "a2", "b1"]) {
        out.push((format!("WHO = {name}"), Box::new(move |m| said(m, 3) == Some(value))));
    }
    out
}

/// The steps told in detail are those of the definitions, one for one, and say what the program remembers.
#[test]
fn what_is_told_is_what_happens() {
    let systems: u64 = std::env::var("SWARMCHECK_SYSTEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(120);
    let questions = questions();
    let (mut steps, mut received, mut refused, mut chosen, mut met) = (0, 0, 0, 0, 0);
    for seed in 0..systems {
        let mut text = Random::new(seed).script();
        text.truncate(text.find("SPEC").expect("specifications"));
        // Random commands seldom meet point-to-point, so everybody has some that do.
        let place = ["true", "@p", "who"][seed as usize % 3];
        let more = format!(
            "repeat: {{x < 2}} GET@({place})(M := x, WHO := myself)[who := WHO] + {{true}} SUPPLY@(any)(WHO := myself, K := k)[x := M] + \
             {{b}} SUPPLY@(any)(WHO := who)[] + "
        );
        text = text.replace("repeat: ", &more);
        for (observation, _) in &questions {
            text += &format!("SPEC G <{observation}> a1-hear\nSPEC F (a2-hear | b1-hear)\n");
        }
        let spec = read(&text);
        let flat = program(&spec);
        let oracle = Interpreter::new(&spec);
        let mut machine = Machine::new(&flat);
        let mut cells = vec![];
        initial_states(&flat, &mut machine, &mut |s| {
            cells.push(s.to_vec());
            cells.len() < 5
        })
        .expect("no fault");
        let mut seen: BTreeSet<Vec<i64>> = cells.iter().cloned().collect();
        let mut compared = 0;
        while let Some(at) = cells.pop() {
            let here = state(&spec, &flat, &at);
            let mut ours = vec![];
            for step in successors(&flat, &mut machine, &at) {
                let after = step.result.clone().expect("no fault");
                let agent = step.instance.agent as usize;
                let span = flat.program.functions[step.instance.function as usize].span;
                let commands = &spec.agent_of(agent).commands;
                let command = commands.iter().position(|c| c.span == span).expect("a command");
                let told = oracle.chosen(&here, agent, command, &step.choices);
                let told = told.unwrap_or_else(|| panic!("seed {seed}: nothing is told of {step:?}\n{text}"));
                assert_eq!(told.after, state(&spec, &flat, &after), "seed {seed}: {told:?}\n{text}");
                let remembered = observed(&spec, &flat, &after);
                // The observations of the specifications are numbered in the order of the file.
                assert_eq!(remembered.len(), questions.len());
                for ((question, answer), remembered) in questions.iter().zip(remembered) {
                    assert_eq!(answer(&told), remembered, "seed {seed}: {question} of {told:?}\n{text}");
                }
                for (var, decl) in flat.program.vars.iter().enumerate() {
                    let Some(rest) = decl.name.strip_prefix("received.") else { continue };
                    let parts: Vec<&str> = rest.split('.').collect();
                    let who = spec.instances.iter().position(|i| i.name == parts[0]).expect("an agent");
                    let with: usize = parts[2].parse().expect("a command");
                    let slot = flat.layout.global(swarmcheck_ir::VarId(var as u32));
                    let told =
                        told.received.iter().any(|(agent, edge)| (*agent, edge.command) == (who, with));
                    assert_eq!(told, after[slot as usize] == 1, "seed {seed}: {rest}\n{text}");
                }
                chosen += usize::from(!step.choices.is_empty());
                met += usize::from(told.answer.is_some());
                received += told.received.len();
                refused += told.refused.len();
                ours.push(told);
                if seen.insert(after.clone()) {
                    cells.push(after);
                }
            }
            let theirs = oracle.steps(&here);
            let key = |told: &Explained| {
                let received: Vec<_> = told.received.iter().map(|(who, e)| (*who, e.command)).collect();
                (told.agent, told.edge.command, received, told.after.clone())
            };
            let mut listed: Vec<_> = ours.iter().map(key).collect();
            listed.sort();
            let mut steps_of_definition: Vec<_> =
                theirs.iter().map(|s| (s.agent, s.command, s.received.clone(), s.after.clone())).collect();
            steps_of_definition.sort();
            // One for one: no two steps of the program are told alike, and none is left out.
            assert_eq!(listed, steps_of_definition, "seed {seed}: steps of {here:?} in\n{text}");
            for step in &theirs {
                let detailed = oracle.detailed(&here, step).expect("the step is possible");
                assert!(ours.contains(&detailed), "seed {seed}: {detailed:?}\n{text}");
            }
            bystanders(&spec, &ours);
            steps += ours.len();
            compared += 1;
            if compared == MOST_STATES {
                break;
            }
        }
    }
    println!(
        "{systems} systems, {steps} steps, {received} receives, {refused} refusals, {chosen} with choices, {met} point-to-point"
    );
    let least = [steps as u64 / 4, received as u64, refused as u64, 4 * chosen as u64, 4 * met as u64];
    assert!(least.iter().all(|n| *n > systems), "{least:?}");
}

/// On broadcast everybody but the sender either receives or could not; elsewhere nobody is asked in vain.
fn bystanders(spec: &Specification, steps: &[Explained]) {
    for told in steps {
        let asked = told.received.len() + told.refused.len();
        match told.channel {
            Some(0) => assert_eq!(asked, spec.instances.len() - 1, "{told:?}"),
            _ => assert!(told.refused.is_empty(), "{told:?}"),
        }
    }
}

/// Definition 2 by hand. `boss` broadcasts to agents with property p: `near` has it and receives with one of two commands;
/// `idle` has it, but its only receive waits for another value, so broadcast leaves it as it is; `far` does not have it.
#[test]
fn a_broadcast_by_hand() {
    let spec = read(
        "message-structure: M : 0..3\nproperty-variables: p : bool\n\
         agent Boss local: n : 0..3 init: n = 2 relabel: p <- false\n repeat: say: {true} *! (@p)(M := n)[n := 3]; done: {false} *! (true)()[]\n\
         agent Near local: x : 0..3 init: x = 0 relabel: p <- true\n repeat: one: {true} *? [x := M]; {false} *! (true)()[] + two: {M = 2} *? [x := M]\n\
         agent Idle local: x : 0..3 init: x = 0 relabel: p <- true\n repeat: {M = 1} *? [x := M]\n\
         agent Far local: x : 0..3 init: x = 0 relabel: p <- false\n repeat: {true} *? [x := M]\n\
         system = Far(far, true) || Boss(boss, true) || Near(near, true) || Idle(idle, true)\n",
    );
    let oracle = Interpreter::new(&spec);
    let initial = oracle.initial();
    assert_eq!(initial.len(), 1);
    let told = |choices: &[u64]| oracle.chosen(&initial[0], 1, 0, choices).expect("the step is possible");
    let (one, two) = (told(&[0]), told(&[1]));
    for step in [&one, &two] {
        assert_eq!((step.agent, step.channel, &step.data, &step.answer), (1, Some(0), &vec![Some(2)], &None));
        // It goes on to the second command of a sequence.
        assert_eq!((step.edge.command, step.edge.from, step.edge.to), (0, 0, 1));
        assert_eq!(step.refused, [(0, Refusal::NotMeant), (3, Refusal::NoReceive)]);
        assert_eq!(step.after[2].values, [2]);
    }
    // With `one`, the receiver goes on to the rest of the sequence; `two` leads back to the beginning.
    let edge = |step: &Explained| (step.received.len(), step.received[0].0, step.received[0].1);
    let (count, who, with) = edge(&one);
    assert_eq!((count, who, with.command, with.from, with.to), (1, 2, 0, 0, 1));
    let (count, who, with) = edge(&two);
    assert_eq!((count, who, with.command, with.from, with.to), (1, 2, 2, 0, 0));
    // A choice that there is not, a command that does not take the initiative, and one that cannot be taken.
    assert_eq!(oracle.chosen(&initial[0], 1, 0, &[2]), None);
    assert_eq!(oracle.chosen(&initial[0], 2, 0, &[]), None);
    assert_eq!(oracle.chosen(&initial[0], 1, 1, &[]), None);
}
