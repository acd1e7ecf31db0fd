//! Follows the output of an executable program on the reference interpreter.
//!
//! The states of the program have locations where the reference has process terms, so a run is followed through all
//! states of the reference that look alike and are reached by steps of the same name. If there is none, the program has
//! made a step that the rules do not allow. Every distinct combination is looked at once.

use std::collections::HashMap;
use std::ops::ControlFlow;
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::model::Model;
use swarmcheck_reference::{ErrorKind, Interpreter, Label, ModelError, Observation, Options, State};
use swarmcheck_testkit::sides::{label, observe_flat};

/// What became of following.
#[derive(Default, Debug)]
pub struct Followed {
    pub runs: usize,
    pub steps: usize,
    pub deadlocks: usize,
    pub errors: usize,
    /// Distinct transitions that were looked up in the reference.
    pub distinct: usize,
}

/// A step of the reference, its states by number.
type Steps = Vec<(Label, Result<usize, ModelError>)>;

/// Follows runs of one program.
pub struct Follower<'m> {
    interpreter: Interpreter<'m>,
    model: &'m Model,
    flat: &'m Flat,
    property: Option<usize>,
    states: Vec<State>,
    numbers: HashMap<State, usize>,
    seen: Vec<Observation>,
    steps: HashMap<usize, Steps>,
    /// Sets of states of the reference, and their numbers.
    sets: Vec<Vec<usize>>,
    set_numbers: HashMap<Vec<usize>, usize>,
    initial: Result<Vec<usize>, ModelError>,
    known_initial: HashMap<String, usize>,
    known: HashMap<(usize, String, String), usize>,
    pub done: Followed,
    /// Where the run is: a set, and the step that was announced.
    at: Option<usize>,
    announced: String,
}

impl<'m> Follower<'m> {
    pub fn new(model: &'m Model, flat: &'m Flat, options: Options, property: Option<usize>) -> Follower<'m> {
        let interpreter = Interpreter::new(model, options);
        let mut first = vec![];
        let found = interpreter.for_each_initial(&mut |state| {
            first.push(state);
            ControlFlow::Continue(())
        });
        let mut follower = Follower {
            interpreter,
            model,
            flat,
            property,
            states: vec![],
            numbers: HashMap::new(),
            seen: vec![],
            steps: HashMap::new(),
            sets: vec![],
            set_numbers: HashMap::new(),
            initial: Ok(vec![]),
            known_initial: HashMap::new(),
            known: HashMap::new(),
            done: Followed::default(),
            at: None,
            announced: String::new(),
        };
        follower.initial = found.map(|_| first.into_iter().map(|s| follower.number(s)).collect());
        follower
    }

    fn number(&mut self, state: State) -> usize {
        if let Some(number) = self.numbers.get(&state) {
            return *number;
        }
        self.seen.push(self.interpreter.observe(&state));
        self.states.push(state.clone());
        self.numbers.insert(state, self.states.len() - 1);
        self.states.len() - 1
    }

    fn set(&mut self, mut states: Vec<usize>) -> usize {
        states.sort_unstable();
        states.dedup();
        if let Some(number) = self.set_numbers.get(&states) {
            return *number;
        }
        self.sets.push(states.clone());
        self.set_numbers.insert(states, self.sets.len() - 1);
        self.sets.len() - 1
    }

    fn steps(&mut self, state: usize) -> Steps {
        if let Some(steps) = self.steps.get(&state) {
            return steps.clone();
        }
        let found = self.interpreter.successors(&self.states[state]);
        let steps: Steps = found.into_iter().map(|(l, to)| (l, to.map(|s| self.number(s)))).collect();
        self.steps.insert(state, steps.clone());
        steps
    }

    /// The function and the agent of a step.
    fn label(&self, step: &str) -> Option<Label> {
        let mut words = step.split(' ').map(|word| word.parse().ok());
        let (function, agent) = (words.next()??, words.next()??);
        ((function as usize) < self.flat.program.functions.len()).then(|| label(self.flat, function, agent))
    }

    /// Takes in one line of the program's output.
    pub fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "run" => {
                self.done.runs += 1;
                self.at = None;
            }
            "init" => self.announced = "init".to_string(),
            "step" => {
                // What is chosen inside the step does not matter to the reference.
                self.announced = rest.split(' ').take(2).collect::<Vec<_>>().join(" ");
                self.done.steps += 1;
            }
            "state" => self.state(rest)?,
            "holds" => self.holds(rest)?,
            "deadlock" => {
                self.done.deadlocks += 1;
                let here = self.sets[self.at.ok_or("a deadlock before the first state")?].clone();
                if !here.into_iter().any(|s| self.steps(s).is_empty()) {
                    return Err("a deadlock where there are steps".to_string());
                }
            }
            "error" => self.error(rest)?,
            _ => return Err(format!("an unknown line: {line}")),
        }
        Ok(())
    }

    fn state(&mut self, words: &str) -> Result<(), String> {
        let known = match self.at {
            None => self.known_initial.get(words).copied(),
            Some(at) => self.known.get(&(at, self.announced.clone(), words.to_string())).copied(),
        };
        if let Some(set) = known {
            self.at = Some(set);
            return Ok(());
        }
        self.done.distinct += 1;
        let value = |word: &str| if word == "undef" { Ok(i64::MIN) } else { word.parse() };
        let cells: Result<Vec<i64>, _> = words.split(' ').filter(|w| !w.is_empty()).map(value).collect();
        let cells = cells.map_err(|e| format!("{words}: {e}"))?;
        if cells.len() != self.flat.width() {
            return Err(format!("{} cells instead of {}", cells.len(), self.flat.width()));
        }
        let look = observe_flat(self.model, self.flat, &cells);
        let mut next = vec![];
        match self.at {
            None => next.extend(self.initial.clone().map_err(|e| format!("no error at first: {e}"))?),
            Some(at) => {
                let label = self.label(&self.announced).ok_or("an unknown step")?;
                for state in self.sets[at].clone() {
                    let steps = self.steps(state).into_iter();
                    next.extend(steps.filter(|(l, _)| *l == label).filter_map(|(_, to)| to.ok()));
                }
            }
        }
        next.retain(|s| self.seen[*s] == look);
        if next.is_empty() {
            return Err(format!("no step of the reference: {} to {words}", self.announced));
        }
        let set = self.set(next);
        match self.at {
            None => self.known_initial.insert(words.to_string(), set),
            Some(at) => self.known.insert((at, self.announced.clone(), words.to_string()), set),
        };
        self.at = Some(set);
        Ok(())
    }

    /// The condition of a property reads data only, so all states that look alike agree about it.
    fn holds(&mut self, word: &str) -> Result<(), String> {
        let (Some(at), Some(property)) = (self.at, self.property) else {
            return Err("no property".to_string());
        };
        let state = &self.states[self.sets[at][0]];
        let expected = self.interpreter.satisfies(state, &self.model.properties[property].predicate);
        match expected {
            Ok(truth) if (word == "1") == truth => Ok(()),
            other => Err(format!("the property is said to be {word}, and is {other:?}")),
        }
    }

    fn error(&mut self, words: &str) -> Result<(), String> {
        self.done.errors += 1;
        let numbers: Vec<u32> = words.split(' ').filter_map(|w| w.parse().ok()).collect();
        let [kind, start, end] = numbers[..] else { return Err(format!("an unknown error: {words}")) };
        let kinds = [ErrorKind::Index, ErrorKind::NoAgent, ErrorKind::NoVariable, ErrorKind::Overflow];
        let kind = *kinds.get(kind as usize).ok_or("an unknown error")?;
        let is = |e: &ModelError| e.kind == kind && (e.span.start, e.span.end) == (start, end);
        let Some(at) = self.at else {
            return match &self.initial {
                Err(e) if is(e) => Ok(()),
                other => Err(format!("error {words} at first instead of {:?}", other.as_ref().err())),
            };
        };
        let label = self.label(&self.announced).ok_or("an unknown step")?;
        let all: Vec<_> = self.sets[at].clone().into_iter().flat_map(|s| self.steps(s)).collect();
        let fails = |(l, to): &(Label, Result<usize, ModelError>)| *l == label && to.as_ref().is_err_and(is);
        if all.iter().any(fails) { Ok(()) } else { Err(format!("error {words}, but {all:?}")) }
    }
}
