//! The parallel program: between two complete steps its states and steps are those of the emulation program, whatever the
//! order in which agents deal with a message.

use crate::models::{example, program, written};
use crate::query::{self, System};
use crate::run::{Done, Halt, Machine, Meeting, Store, Value};
use crate::sequential::{Step, decode, expected, initial};
use crate::syntax::{Actual, Module, Statement};
use crate::{check, script, syntax};
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_export::{File, lnt};
use swarmcheck_ir::flat::Flat;

/// A process of the network, and the gates and parameters it was given.
struct Component<'a> {
    name: &'a str,
    gates: BTreeMap<String, String>,
    parameters: Store,
    /// What it does before its loop, and the loop.
    start: &'a [Statement],
    steps: &'a [Statement],
    variables: BTreeSet<&'a str>,
}

/// The state of a component: whether it is in its loop, its variables there, and what it has done since.
type State = (bool, Store, Vec<Done>);

/// How components are put together.
enum Tree {
    Leaf(usize),
    Par(BTreeSet<String>, Vec<(BTreeSet<String>, Tree)>),
}

/// A gate, and which offer of which components meet there.
type Transition = (String, Vec<(usize, usize)>);

/// What a component can do next: what it has done by then, and the meeting it waits for.
type Offers = Vec<(State, Meeting)>;

struct Network<'a> {
    machine: Machine<'a>,
    components: Vec<Component<'a>>,
    tree: Tree,
    hidden: BTreeSet<String>,
}

impl<'a> Network<'a> {
    fn new(module: &'a Module) -> Network<'a> {
        let main = module.processes.iter().find(|p| p.name == "main").expect("MAIN");
        let [Statement::Hide(hidden, body)] = main.body.as_slice() else { panic!("MAIN hides gates") };
        let hidden = hidden.iter().map(|(gate, _)| gate.clone()).collect();
        let mut network =
            Network { machine: Machine::new(module), components: vec![], tree: Tree::Leaf(0), hidden };
        let [body] = body.as_slice() else { panic!("one composition") };
        network.tree = network.build(module, body);
        network
    }

    fn build(&mut self, module: &'a Module, statement: &'a Statement) -> Tree {
        match statement {
            Statement::Par(all, ways) => {
                let way = |(gates, body): &'a (Vec<String>, Vec<Statement>)| {
                    let [body] = body.as_slice() else { panic!("one process per branch") };
                    (gates.iter().cloned().collect(), self.build(module, body))
                };
                Tree::Par(all.iter().cloned().collect(), ways.iter().map(way).collect())
            }
            Statement::Call(name, gates, actuals) => {
                let p = module.processes.iter().find(|p| p.name == *name).expect("a process");
                let gates = p.gates.iter().map(|(g, _)| g.clone()).zip(gates.iter().cloned()).collect();
                let value = |actual: &Actual| match actual {
                    Actual::In(e) => Value::Number(self.machine.number(&Store::new(), e).expect("a number")),
                    _ => panic!("agents are given their number"),
                };
                let parameters =
                    p.parameters.iter().map(|f| f.name.clone()).zip(actuals.iter().map(value)).collect();
                let (body, declared) = match p.body.as_slice() {
                    [Statement::Var(declared, body)] => (body.as_slice(), declared.as_slice()),
                    body => (body, [].as_slice()),
                };
                let (last, start) = body.split_last().expect("a body");
                let Statement::Loop(None, steps) = last else { panic!("{name} does not go on for ever") };
                let variables = declared.iter().map(|(name, _)| name.as_str());
                let variables = variables.chain(p.parameters.iter().map(|f| f.name.as_str())).collect();
                self.components.push(Component { name: &p.name, gates, parameters, start, steps, variables });
                Tree::Leaf(self.components.len() - 1)
            }
            other => panic!("{other:?} in a composition"),
        }
    }

    fn first(&self) -> Vec<State> {
        self.components
            .iter()
            .enumerate()
            .map(|(i, c)| self.settle(i, (false, c.parameters.clone(), vec![])))
            .collect()
    }

    /// Everything a component can do next. The end of its loop is the start of it.
    fn offers(&self, number: usize, state: &State) -> Offers {
        let component = &self.components[number];
        let mut out = vec![];
        let mut todo = vec![state.clone()];
        while let Some((looping, store, history)) = todo.pop() {
            let block = if looping { component.steps } else { component.start };
            match self.machine.component(&store, &component.gates, block, &history) {
                Ok(mut next) => {
                    next.retain(|name, _| component.variables.contains(name.as_str()));
                    todo.push((true, next, vec![]));
                }
                Err(Halt::Decide(n)) => todo.extend((0..n).map(|branch| {
                    let mut history = history.clone();
                    history.push(Done::Took(branch));
                    (looping, store.clone(), history)
                })),
                Err(Halt::Meet(meeting)) => out.push(((looping, store, history), meeting)),
                Err(Halt::Blocked) => {}
                Err(Halt::Error(why)) => panic!("{}: {why}", component.name),
            }
        }
        out
    }

    /// Who can meet at which gates, before values are looked at.
    fn transitions(tree: &Tree, offers: &[Offers]) -> Vec<Transition> {
        match tree {
            Tree::Leaf(c) => {
                let one =
                    |(i, (_, meeting)): (usize, &(State, Meeting))| (meeting.gate.clone(), vec![(*c, i)]);
                offers[*c].iter().enumerate().map(one).collect()
            }
            Tree::Par(all, ways) => {
                let found: Vec<Vec<Transition>> =
                    ways.iter().map(|(_, t)| Self::transitions(t, offers)).collect();
                let meets = |i: usize, gate: &str| all.contains(gate) || ways[i].0.contains(gate);
                let mut out = vec![];
                for (i, transitions) in found.iter().enumerate() {
                    for (gate, who) in transitions {
                        if !meets(i, gate) {
                            out.push((gate.clone(), who.clone()));
                            continue;
                        }
                        let partners: Vec<usize> = (0..ways.len()).filter(|&j| meets(j, gate)).collect();
                        // Every combination is found once: from its first participant.
                        if partners[0] != i {
                            continue;
                        }
                        let mut sets = vec![who.clone()];
                        for &j in &partners[1..] {
                            let fitting: Vec<_> = found[j].iter().filter(|(g, _)| g == gate).collect();
                            sets = sets
                                .iter()
                                .flat_map(|set| {
                                    fitting
                                        .iter()
                                        .map(move |(_, more)| set.iter().chain(more).copied().collect())
                                })
                                .collect();
                        }
                        out.extend(sets.into_iter().map(|set| (gate.clone(), set)));
                    }
                }
                out
            }
        }
    }

    /// The values on which participants agree, if they do. Where all receive, it is how timestamps compare: one of three.
    fn agree(&self, meetings: &[&Meeting]) -> Vec<Vec<Value>> {
        let length = meetings[0].offers.len();
        assert!(meetings.iter().all(|m| m.offers.len() == length));
        let mut ways: Vec<Vec<Value>> = vec![vec![]];
        for at in 0..length {
            let sent: BTreeSet<&Value> = meetings.iter().filter_map(|m| m.offers[at].as_ref().ok()).collect();
            let possible: Vec<Value> = match sent.len() {
                0 => (0..3).map(Value::Number).collect(),
                1 => sent.into_iter().cloned().collect(),
                _ => return vec![],
            };
            ways = ways
                .iter()
                .flat_map(|way| possible.iter().map(move |v| way.iter().chain([v]).cloned().collect()))
                .collect();
        }
        ways.retain(|values: &Vec<Value>| {
            meetings.iter().all(|m| {
                let mut frame = m.frame.clone();
                for (offer, value) in m.offers.iter().zip(values) {
                    if let Err(name) = offer {
                        frame.insert(name.clone(), value.clone());
                    }
                }
                m.condition.as_ref().is_none_or(|c| self.machine.number(&frame, c).expect("a condition") != 0)
            })
        });
        ways
    }

    /// All labels and states after them; hidden gates have no label.
    fn next(&self, states: &[State]) -> Vec<(Option<String>, Vec<State>)> {
        let offers: Vec<Offers> = states.iter().enumerate().map(|(i, s)| self.offers(i, s)).collect();
        let mut out = vec![];
        for (gate, who) in Self::transitions(&self.tree, &offers) {
            let meetings: Vec<&Meeting> = who.iter().map(|&(c, i)| &offers[c][i].1).collect();
            for values in self.agree(&meetings) {
                let mut after = states.to_vec();
                for &(c, i) in &who {
                    let mut state = offers[c][i].0.clone();
                    state.2.push(Done::Met(values.clone()));
                    after[c] = self.settle(c, state);
                }
                let text = |v: &Value| match v {
                    Value::Number(n) => format!(" !{n}"),
                    Value::Text(t) => format!(" !\"{t}\""),
                    Value::Cells(_) => panic!("no arrays in labels"),
                };
                let label = format!("{}{}", gate.to_uppercase(), values.iter().map(text).collect::<String>());
                out.push(((!self.hidden.contains(&gate)).then_some(label), after));
            }
        }
        out
    }

    /// A component that has come to the end of its loop is at its start.
    fn settle(&self, number: usize, (looping, store, history): State) -> State {
        let component = &self.components[number];
        let block = if looping { component.steps } else { component.start };
        match self.machine.component(&store, &component.gates, block, &history) {
            Ok(mut next) => {
                next.retain(|name, _| component.variables.contains(name.as_str()));
                (true, next, vec![])
            }
            _ => (looping, store, history),
        }
    }

    /// All ways from a complete state to the next one: labels, the one that completes the step, and the state.
    fn steps(&self, from: &[State], last: &str) -> BTreeSet<(BTreeSet<String>, String, Vec<State>)> {
        let mut out = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut todo = vec![(BTreeSet::new(), from.to_vec())];
        while let Some((labels, states)) = todo.pop() {
            let next = self.next(&states);
            assert!(!next.is_empty() || states == from, "a step has begun and cannot be completed");
            for (label, after) in next {
                match label {
                    Some(label) if label.starts_with(last) => out.extend([(labels.clone(), label, after)]),
                    label => {
                        let labels: BTreeSet<String> = labels.iter().cloned().chain(label).collect();
                        if seen.insert((labels.clone(), after.clone())) {
                            todo.push((labels, after));
                        }
                    }
                }
            }
        }
        out
    }

    /// A state of the emulation program, put together from the variables of all components.
    fn decode(&self, flat: &Flat, states: &[State]) -> Vec<i64> {
        let mut all: BTreeMap<String, BTreeMap<i64, Vec<i64>>> = BTreeMap::new();
        let mut store = Store::new();
        for (component, (looping, variables, history)) in self.components.iter().zip(states) {
            assert!(*looping && history.is_empty(), "{} is in the middle of a step", component.name);
            if let Some(tuple) = component.name.strip_prefix("timestamps_") {
                store.insert(format!("time_{tuple}"), variables["time"].clone());
            } else if component.name == "scheduler" {
                store.extend(variables.get("turn").map(|turn| ("schedule_turn".to_string(), turn.clone())));
            } else {
                let Value::Number(me) = variables["me"] else { panic!("an agent has a number") };
                for (name, value) in variables {
                    let cells = match value {
                        Value::Number(n) => vec![*n],
                        Value::Cells(cells) => cells.clone(),
                        Value::Text(_) => panic!("no text in states"),
                    };
                    all.entry(name.clone()).or_default().insert(me, cells);
                }
            }
        }
        for (name, copies) in all {
            store.insert(name, Value::Cells(copies.into_values().flatten().collect()));
        }
        decode(flat, &store)
    }
}

/// The files for a model.
pub fn files(flat: &Flat) -> Vec<File> {
    written(lnt::parallel::write, flat, None, None).unwrap_or_else(|e| panic!("{}", e.why))
}

/// The whole transition system, with hidden labels as `i`.
pub fn system(flat: &Flat) -> System {
    let text = files(flat).remove(0).text;
    let module = syntax::parse(&text).expect("a module");
    let network = Network::new(&module);
    let mut numbers: BTreeMap<Vec<State>, usize> = BTreeMap::from([(network.first(), 0)]);
    let mut todo = vec![network.first()];
    let mut out: System = vec![vec![]];
    while let Some(states) = todo.pop() {
        let from = numbers[&states];
        for (label, after) in network.next(&states) {
            let next = *numbers.entry(after).or_insert_with_key(|after| {
                todo.push(after.clone());
                out.push(vec![]);
                out.len() - 1
            });
            out[from].push((query::label(label.as_deref().unwrap_or("i")), next));
        }
    }
    out
}

/// Compares complete states and steps; returns how many there are.
fn compare(flat: &Flat) -> (usize, usize) {
    let files = files(flat);
    let text = &files[0].text;
    let module = syntax::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check::check(&module).unwrap_or_else(|e| panic!("{e}\n{text}"));
    script::check(&files, &module);
    let network = Network::new(&module);
    let first = network.steps(&network.first(), "START");
    let mut seen: BTreeMap<Vec<i64>, Vec<State>> = BTreeMap::new();
    for (_, _, states) in first {
        seen.insert(network.decode(flat, &states), states);
    }
    assert_eq!(seen.keys().cloned().collect::<BTreeSet<_>>(), initial(flat));
    let mut todo: Vec<Vec<i64>> = seen.keys().cloned().collect();
    let mut count = 0;
    while let Some(state) = todo.pop() {
        let mut found: BTreeSet<Step> = BTreeSet::new();
        for (labels, step, states) in network.steps(&seen[&state].clone(), "STEP") {
            let (agent, name) =
                step.strip_prefix("STEP !").and_then(|s| s.split_once(" !")).expect("who and what");
            let after = network.decode(flat, &states);
            found.insert((
                agent.parse().expect("a number"),
                name.trim_matches('"').to_string(),
                labels,
                after.clone(),
            ));
            if let Some(other) = seen.get(&after) {
                assert_eq!(*other, states, "one state here is one state there");
            } else {
                seen.insert(after.clone(), states);
                todo.push(after);
            }
        }
        count += found.len();
        assert_eq!(found, expected(flat, &state), "steps from {state:?}");
    }
    (seen.len(), count)
}

/// The numbers of states are those of the examples' tables of verdicts.
#[test]
fn the_same_complete_states_and_steps() {
    let (states, steps) = compare(&example("leader/leader.labs", "n=3", false));
    assert!(states == 106 && steps > 0, "{states}");
    let (states, steps) = compare(&example("twophase/twophase.labs", "workers=1", false));
    assert!(states == 449 && steps > 0, "{states}");
}

/// Agents that take part in different tuples, so that some hear of a message and some do not; a link that looks at both
/// sides; an attribute that is an array; choices; agents that act in turn.
const MIXED: &str = "system { spawn = Idle: 1, Left: 1, Both: 1 }
    stigmergy Near { link = x of 1 + x of 2 <= 1  near: 0 }
    stigmergy Far { link = true  far: 1 }
    agent Idle { interface = z: 0  Behavior = z <- 1 - z; Behavior }
    agent Left { interface = x: 1  stigmergies = Near  Behavior = near <~ 1 - near; x <- 0 }
    agent Both { interface = x: [0, 1]; t[2]: 0  stigmergies = Near, Far
        Behavior = t[1 - x] <- near + 1; far <~ min(far + near, 2) }
    check { }";

#[test]
fn agents_of_several_kinds() {
    for fair in [false, true] {
        let (states, steps) = compare(&program(MIXED, "", fair));
        assert!(states > 30 && steps > states, "{states}, {steps}");
    }
}

/// What processes that share nothing cannot do, and what CADP could not enumerate.
#[test]
fn refusals() {
    let refused =
        |flat: &Flat| written(lnt::parallel::write, flat, None, None).expect_err("no parallel program").why;
    let shared = example("philosophers/philosophers.labs", "n=2", false);
    assert!(refused(&shared).contains("`fork` is shared"), "{}", refused(&shared));
    let undefined = example("formation/formation.labs", "n=2 size=3 range=1", false);
    assert!(refused(&undefined).contains("may be undefined"), "{}", refused(&undefined));
    let unbounded = program(
        "system { spawn = A: 2 }
        stigmergy S { link = true  n: 0 }
        agent A { stigmergies = S  Behavior = n <~ n + 1; Behavior }
        check { }",
        "",
        false,
    );
    assert!(refused(&unbounded).contains("no bounds are known for `n`"), "{}", refused(&unbounded));
}
