//! Messages of R-CHECK in traces and in the interpreter: what is said of a step, that steps which differ look different, and
//! that neither depends on the specifications of the file.

#[path = "../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;

use common::Random;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_session::interpreter::{
    ChoiceData, Interpreter, MessageData, PartData, StepData, TraceData, WhyRefused, text,
};
use swarmcheck_session::replay::{ReplayAnswer, replay};
use swarmcheck_session::verify::{Budget, Control, Decider, VerifyOptions, verify};
use swarmcheck_session::{ModelOptions, Prepared, prepare};
use swarmcheck_symbolic::Method;

fn open(model: &str) -> Prepared {
    match prepare("model.rcp", model.as_bytes(), ModelOptions::default()) {
        Ok(prepared) => prepared,
        Err(_) => panic!("refused:\n{model}"),
    }
}

fn counterexample(prepared: &Prepared, property: &str, engine: Decider) -> TraceData {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options =
        VerifyOptions { properties: vec![property.to_string()], engine, ..VerifyOptions::default() };
    let Ok(report) = verify(prepared, &options, &control) else { panic!("no such property") };
    report.answers[0].trace.as_ref().expect("a counterexample").data.clone()
}

/// Who took part, by label, and between which states.
fn parts(message: &MessageData) -> Vec<(u32, &str, u32, u32)> {
    let part = |p: &'_ PartData| (p.agent, p.from, p.to);
    let all = std::iter::once(&message.by).chain(&message.received);
    all.map(|p| (part(p).0, p.label.as_deref().unwrap_or(""), part(p).1, part(p).2)).collect()
}

/// Figure 8b of the article: a client asks the manager, who goes to state 1 and the client to state 2; the manager forwards on
/// the channel of its high-priority machines and goes to state 2, and machine1 and machine2 receive it and go to state 1.
/// Machine3 listens elsewhere. Which of the clients reserves is open. All engines tell the same.
#[test]
fn figure_8b() {
    let model = include_str!("../../../examples/rcheck-resources/resources.rcp");
    let prepared = open(model);
    for engine in [Decider::Explicit, Decider::Symbolic(Method::Bounded)] {
        let trace = counterexample(&prepared, "AllMachinesConnect", engine);
        let [reserve, request, forward] = &trace.steps[..] else { panic!("{} steps", trace.steps.len()) };
        let of = |step: &StepData| step.message.clone().expect("every step is a message");
        let (reserve, request, forward) = (of(reserve), of(request), of(forward));
        let client = reserve.by.agent;
        assert!(client < 3, "the clients come first");
        // Clients are meant by the reservation, and each receives it; the role of all others is another one.
        assert_eq!((reserve.channel.as_deref(), reserve.received.len()), (Some("*"), 2));
        let left_out: Vec<u32> = reserve.refused.iter().map(|r| r.agent).collect();
        assert_eq!(left_out, [3, 4, 5, 6]);
        assert!(reserve.refused.iter().all(|r| r.why == WhyRefused::SendGuard));
        assert_eq!(parts(&request), [(client, "sRequest", 1, 2), (3, "rRequest", 0, 1)]);
        assert_eq!(
            parts(&forward),
            [(3, "sForward", 1, 2), (4, "rForward", 0, 1), (5, "rForward", 0, 1)],
            "machine3 is number 6"
        );
        assert_eq!(forward.channel.as_deref(), Some("g1"));
        let said: Vec<_> = forward.data.iter().map(|d| (d.variable.as_str(), d.name.as_deref())).collect();
        assert_eq!(said, [("MSG", Some("request"))]);
        // A multicast that somebody cannot receive is blocked, so nobody is left over.
        assert_eq!((request.refused.len(), forward.refused.len()), (0, 0));
        // As written, with the place in the file.
        let line = model.lines().position(|line| line.contains("sForward:")).expect("the command") + 1;
        assert_eq!(forward.by.command, "sForward: <TRUE> hLink! (TRUE)(MSG := request)[]");
        assert!(forward.by.at.starts_with(&format!("{line}:")), "{}", forward.by.at);
        let printed = text::step_data(&Interpreter::new(&prepared, 1).legend(), &trace.steps[2]);
        assert!(printed.contains(&format!(
            "manager 3 sends, state 1 -> 2: sForward: <TRUE> hLink! (TRUE)(MSG := request)[] (at {})\n",
            forward.by.at
        )));
    }
}

/// Two receives that do the same to the state, one of them without a label; and a reader that lets both pass.
const TWINS: &str = "message-structure: M : 0..2
agent A
  local: x : 0..2
  init: x = 0
  repeat: {x < 2} *! (true)(M := x)[x := x + 1]
agent B
  local: y : 0..2
  init: y = 0
  repeat: {M = 0} *? [y := M] + {M < 2} *? [y := M]
system = A(a, true) || B(b, true)
";

/// The messages of the choices in the initial state, and their lines.
fn listed(model: &str) -> (Vec<StepData>, Vec<String>) {
    let prepared = open(model);
    let mut interpreter = Interpreter::new(&prepared, 1);
    let legend = interpreter.legend();
    let choices = interpreter.choices().expect("choices");
    let steps = choices.into_iter().filter_map(|choice| match choice {
        ChoiceData::Step { step, .. } => Some(step),
        ChoiceData::ModelError { .. } => None,
    });
    let steps: Vec<StepData> = steps.collect();
    let lines = steps.iter().map(|step| text::choice_data(&legend, step)).collect();
    (steps, lines)
}

/// `a` sends 0, which `b` can receive in two ways: two steps, whatever is asked about the system. The second receive does
/// what the first one does, so only the command tells them apart.
#[test]
fn steps_that_differ_are_listed_differently() {
    let (_, lines) = listed(TWINS);
    assert_eq!(
        lines,
        [
            "a 0 (0 -> 0) sends by {x < 2} *! (true)(M := x)[x := x + 1] (at 5:11); on *: M = 0; \
             b 1 (0 -> 0) receives by {M = 0} *? [y := M] (at 9:11); b 1: y := 0; a 0: x := 1",
            "a 0 (0 -> 0) sends by {x < 2} *! (true)(M := x)[x := x + 1] (at 5:11); on *: M = 0; \
             b 1 (0 -> 0) receives by {M < 2} *? [y := M] (at 9:33); b 1: y := 0; a 0: x := 1",
        ]
    );
    for specs in ["SPEC G <M = 0> b-y = 0\n", "SPEC F b-y = 1\nSPEC G [sender = a & M = 1] a-x = 2\n"] {
        assert_eq!(listed(&format!("{TWINS}{specs}")).1, lines, "{specs}");
    }
}

/// On random systems: all lines of a list are different, and the list is the same without specifications.
#[test]
fn lists_do_not_depend_on_specifications() {
    let (mut steps, mut several) = (0, 0);
    for seed in 0..150 {
        let with = Random::new(seed).script();
        let without = &with[..with.find("SPEC").expect("specifications")];
        let ((mut all, lines), (plain, plain_lines)) = (listed(&with), listed(without));
        all.iter_mut().for_each(|step| step.properties.clear());
        assert_eq!(lines, plain_lines, "seed {seed}\n{with}");
        assert_eq!(all, plain, "seed {seed}\n{with}");
        let different: BTreeSet<&String> = lines.iter().collect();
        assert_eq!(different.len(), lines.len(), "seed {seed}: {lines:#?}\n{with}");
        steps += all.len();
        several += usize::from(all.len() > 1);
    }
    assert!(steps > 150 && several > 50, "{steps} steps, {several} lists with several");
}

/// A trace whose message is changed is none of the model; one that says nothing of messages is. Along the trace the
/// interpreter takes the receive that the trace names, although another one leads to the same state.
#[test]
fn a_message_is_part_of_its_trace() {
    let prepared = open(TWINS);
    let mut interpreter = Interpreter::new(&prepared, 1);
    let initial = interpreter.state().expect("a state");
    assert_eq!(initial.automata.iter().map(|a| (a.agent, a.state)).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
    let (step, _) = interpreter.take(1).expect("the second choice");
    let trace: TraceData = serde_json::from_value(serde_json::json!({
        "format": "swarmcheck-trace", "version": 1, "model": "model.rcp", "parameters": {}, "fair": false,
        "semantics": "sliver", "initial": initial.values, "steps": [step], "end": "open",
    }))
    .expect("a trace");
    let accepted = |trace: &TraceData| match replay(trace, "model.rcp", TWINS.as_bytes()) {
        Ok(answer) => matches!(answer, ReplayAnswer::Accepted { .. }),
        Err(_) => panic!("the model is fine"),
    };
    let changed = |change: &dyn Fn(&mut MessageData)| {
        let mut trace = trace.clone();
        change(trace.steps[0].message.as_mut().expect("a message"));
        accepted(&trace)
    };
    assert!(accepted(&trace));
    assert!(!changed(&|m| m.channel = Some("c".to_string())));
    assert!(!changed(&|m| m.data[0].value = 1));
    assert!(!changed(&|m| m.received.clear()));
    assert!(!changed(&|m| m.received[0].to = 1));
    // What people read is not compared.
    assert!(changed(&|m| m.by.command = "the same".to_string()));
    let mut old = trace.clone();
    old.steps[0].message = None;
    assert!(accepted(&old));
    let mut walk = Interpreter::new(&prepared, 1);
    walk.load_trace(&trace).expect("the trace fits");
    let (taken, _) = walk.next().expect("its step");
    assert_eq!(taken.message, trace.steps[0].message);
}
