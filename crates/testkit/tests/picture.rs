//! Pictures of random systems: who is linked with whom in every state of a trace, and whom a message reaches, is what the reference
//! interpreter says of every pair.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_labs::model::{Class, Model, StigmergyId, VarId};
use swarmcheck_reference::{Interpreter, Options, State};
use swarmcheck_session::picture::picture;
use swarmcheck_session::simulate::simulate;
use swarmcheck_session::{
    Budget, Control, ModelOptions, Prepared, SimulateOptions, TraceData, TraceFormat, WriteData, prepare,
};
use swarmcheck_testkit::{generate, read};

type Pairs = BTreeSet<(u32, u32)>;

fn opened(text: &str) -> Prepared {
    let first = text.lines().next().unwrap_or_default();
    let values = first.strip_prefix("#!").unwrap_or_default();
    let pairs = values.split([' ', ',']).filter_map(|pair| pair.split_once('='));
    let parameters = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    prepare("m.labs", text.as_bytes(), options).unwrap_or_else(|_| panic!("refused:\n{text}"))
}

fn run(prepared: &Prepared, seed: u64) -> Option<TraceData> {
    let options =
        SimulateOptions { steps: 25, seed, format: TraceFormat::Json, ..SimulateOptions::default() };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let mut out = vec![];
    simulate(prepared, options, &control, &mut out).ok()?;
    serde_json::from_slice(&out).ok()
}

/// Writes a value into a state of the reference interpreter. Only values matter to links.
fn set(model: &Model, state: &mut State, write: &WriteData) {
    let at = model.variables.iter().position(|v| v.name == write.variable).expect("a variable");
    let (var, index) = (VarId(at as u32), write.index.unwrap_or(0) as usize);
    let cells = match (model.variable(var).class, write.agent) {
        (Class::Environment, _) => state.env.get_mut(&var),
        (Class::Attribute, Some(agent)) => state.agents[agent as usize].interface.get_mut(&var),
        (Class::Stigmergic(tuple), Some(agent)) => {
            let entry = state.agents[agent as usize].stigmergy.get_mut(&tuple);
            entry.and_then(|entry| entry.values.get_mut(&var))
        }
        _ => None,
    };
    cells.expect("a cell")[index] = write.value;
}

/// All pairs that are linked in a state.
fn linked(interpreter: &Interpreter<'_>, state: &State, stigmergy: StigmergyId) -> Pairs {
    let model = interpreter.model();
    let takes_part = |agent: &u32| model.kind(model.kind_of(*agent)).stigmergies.contains(&stigmergy);
    let agents: Vec<u32> = (0..model.agents()).filter(takes_part).collect();
    let pairs = agents.iter().flat_map(|one| agents.iter().map(|other| (*one, *other)));
    let link = &model.stigmergy(stigmergy).link;
    pairs.filter(|(a, b)| a != b && interpreter.satisfies_link(state, link, *a, *b) == Ok(true)).collect()
}

#[test]
fn links_are_those_of_the_reference_interpreter() {
    let (mut states, mut yes, mut no, mut messages) = (0, 0, 0, 0);
    for seed in 0..120 {
        let text = match seed % 3 {
            0 => generate::messages(seed),
            1 => generate::arena(seed),
            _ => generate::system(seed),
        };
        let model = read(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let prepared = opened(&text);
        let Some(trace) = run(&prepared, seed) else { continue };
        let Ok(picture) = picture(&prepared, Some(&trace), false) else {
            panic!("seed {seed}: the trace is refused\n{text}")
        };
        let interpreter = Interpreter::new(&model, Options::default());
        // Any state will do to write the values into.
        let mut first = None;
        let _ = interpreter.for_each_initial(&mut |state| {
            first = Some(state);
            ControlFlow::Break(())
        });
        let Some(mut state) = first else { continue };
        trace.initial.iter().for_each(|write| set(&model, &mut state, write));
        let ids = || (0..model.stigmergies.len() as u32).map(StigmergyId);
        let mut told: Vec<Pairs> =
            picture.links.iter().map(|links| links.initial.iter().copied().collect()).collect();
        assert_eq!(told.len(), model.stigmergies.len(), "seed {seed}");
        for number in 0..=trace.steps.len() {
            let expected: Vec<Pairs> = ids().map(|id| linked(&interpreter, &state, id)).collect();
            assert_eq!(told, expected, "seed {seed}, after {number} steps\n{text}");
            states += 1;
            yes += expected.iter().map(Pairs::len).sum::<usize>();
            let agents = model.agents() as usize;
            no += expected.iter().filter(|pairs| pairs.len() < agents * (agents - 1)).count();
            let Some(step) = trace.steps.get(number) else { break };
            if step.rule != "action" {
                let tuple = |id: &StigmergyId| {
                    model.stigmergy(*id).tuples.iter().any(|tuple| model.tuple_name(*tuple) == step.what)
                };
                let id = ids().find(tuple).expect("a stigmergy");
                let meant: Pairs =
                    expected[id.0 as usize].iter().copied().filter(|(from, _)| *from == step.agent).collect();
                let arrows = picture.chart[number].arrows.iter().map(|arrow| (arrow.from, arrow.to));
                assert_eq!(arrows.collect::<Pairs>(), meant, "seed {seed}, step {}\n{text}", number + 1);
                messages += 1;
            }
            step.writes.iter().for_each(|write| set(&model, &mut state, write));
            for (links, pairs) in picture.links.iter().zip(&mut told) {
                for change in links.changes.iter().filter(|change| change.step as usize == number + 1) {
                    assert!(change.made.iter().all(|pair| pairs.insert(*pair)), "seed {seed}");
                    assert!(change.broken.iter().all(|pair| pairs.remove(pair)), "seed {seed}");
                }
            }
        }
    }
    assert!(states > 800 && yes > 500 && no > 200 && messages > 150, "{states}, {yes}, {no}, {messages}");
}
