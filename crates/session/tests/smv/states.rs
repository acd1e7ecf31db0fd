//! The states and steps of an SMV module against those of the emulation program.

use crate::grammar::{self, Module};
use crate::meaning::{Machine, State, Value};
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::system::initial_states;
use swarmcheck_engine::{Budget, Control, successors};
use swarmcheck_ir::UNDEF;
use swarmcheck_ir::flat;
use swarmcheck_session::export::{ExportOptions, export};
use swarmcheck_session::{ModelOptions, Prepared, Refusal, prepare};

/// Larger state spaces are looked at in part.
pub const MOST: usize = 400;

/// A model that is accepted, with values for its parameters as `name=value`.
pub fn open(name: &str, text: &[u8], parameters: &str, fair: bool) -> Prepared {
    let parameters = parameters
        .split_whitespace()
        .filter_map(|p| p.split_once('='))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    match prepare(name, text, ModelOptions { parameters, fair, ..ModelOptions::default() }) {
        Ok(prepared) => prepared,
        Err(_) => panic!("{name} is refused"),
    }
}

/// The SMV text of a model with a property.
pub fn text(prepared: &Prepared, property: Option<&str>) -> Result<String, Refusal> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = ExportOptions {
        target: "smv".to_string(),
        property: property.map(str::to_string),
        ..ExportOptions::default()
    };
    export(prepared, &options, &control).map(|files| String::from_utf8_lossy(&files[0].bytes).into_owned())
}

/// A text that is a module.
pub fn read(text: &str) -> Module {
    grammar::module(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// Goes through states and compares; how many there were, and whether these were all.
pub fn compare(prepared: &Prepared, property: Option<&str>) -> (usize, bool) {
    let text = text(prepared, property).unwrap();
    let module = read(&text);
    let machine = Machine::new(&module).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let flat = &prepared.flat;
    let number = property.map(|p| flat.program.properties.iter().position(|q| q.name == p).unwrap());
    let declared = |name: &str| module.variables.iter().position(|(n, _)| n == name).unwrap();
    let (started, error) = (declared("started"), declared("model_error"));
    let remark = |begin: &str| text.lines().find_map(|l| l.strip_prefix(begin)?.strip_suffix('.')).unwrap();
    let undefined: i64 = remark("-- Undefined values are ").parse().unwrap();
    // A cell with one value is no variable, and stands there as a number.
    let places: Vec<Result<i64, usize>> = remark("-- Cells: ")
        .split_whitespace()
        .map(|word| word.parse().map_err(|_| declared(word)))
        .collect();
    assert_eq!(places.len(), flat.width());
    let cells = |state: &State| -> Vec<i64> {
        let number = |v: &Value| match v {
            Value::Int(n) if *n == undefined => UNDEF,
            Value::Int(n) => *n,
            other => panic!("{other:?} in a cell"),
        };
        let cell = |place: &Result<i64, usize>| place.unwrap_or_else(|place| number(&state[place]));
        places.iter().map(cell).collect()
    };
    let mut engine = flat::Machine::new(flat);
    let begin = |step: &str| step.starts_with("begin");
    let initial = machine.initial();
    let mut mine = BTreeSet::new();
    let started_well = initial_states(flat, &mut engine, &mut |s| {
        mine.insert(s.to_vec());
        true
    });
    let mut queue: VecDeque<State> = VecDeque::new();
    let mut seen: BTreeSet<Vec<i64>> = BTreeSet::new();
    let mut theirs = BTreeSet::new();
    let mut invalid = false;
    for (step, state) in machine.successors(&initial, &begin) {
        assert!(begin(&step) && state[started] == Value::Bool(true), "{step} before the beginning");
        if state[error] == Value::Bool(true) {
            invalid = true;
            continue;
        }
        if theirs.insert(cells(&state)) && seen.len() < MOST {
            seen.insert(cells(&state));
            queue.push_back(state);
        }
    }
    assert_eq!(invalid, started_well.is_err(), "errors in the initial block");
    if invalid {
        return (0, true);
    }
    assert_eq!(theirs, mine, "initial states");
    let mut whole = seen.len() == theirs.len();
    while let Some(state) = queue.pop_front() {
        let here = cells(&state);
        let expected = successors(flat, &mut engine, &here);
        let fine: BTreeSet<Vec<i64>> = expected.iter().filter_map(|s| s.result.clone().ok()).collect();
        let (mut found, mut rests, mut wrong) = (BTreeSet::new(), 0, false);
        for (step, after) in machine.successors(&state, &|_| false) {
            assert!(!begin(&step), "a second beginning");
            if step == "rest" {
                rests += 1;
            } else if after[error] == Value::Bool(true) {
                wrong = true;
            } else {
                found.insert(cells(&after));
                if !seen.contains(&cells(&after)) {
                    match seen.len() < MOST {
                        true => {
                            seen.insert(cells(&after));
                            queue.push_back(after);
                        }
                        false => whole = false,
                    }
                }
            }
        }
        assert_eq!(found, fine, "after {here:?}");
        assert_eq!(wrong, expected.iter().any(|s| s.result.is_err()), "errors after {here:?}");
        assert_eq!(rests, usize::from(expected.is_empty()), "rest after {here:?}");
        if let Some(number) = number
            && module.defines.contains_key("holds")
        {
            let holds = machine.holds(&grammar::Expr::Name("holds".to_string()), &state);
            assert_eq!(Ok(holds), flat.holds(&mut engine, number, &here), "the property in {here:?}");
        }
    }
    (seen.len(), whole)
}
