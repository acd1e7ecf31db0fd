//! Proofs of bounded variants, checked by brute force: all states within the ranges of the variables, reachable or not.
//!
//! The invariant contains the initial states, every step from a state in it leads into it, and after k states in it that satisfy
//! the property comes one that does. That is what the solvers say, without a solver and without the formulas.

use crate::asking::{there, with};
use crate::properties::MODELS;
use std::collections::{BTreeSet, HashMap};
use swarmcheck_engine::certificate::Proof;
use swarmcheck_engine::system::{initial_states, successors};
use swarmcheck_engine::{Reductions, SolverName};
use swarmcheck_ir::flat::Machine;
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_session::certificate::CertificateData;
use swarmcheck_session::verify::{Decider, VerifyOptions};
use swarmcheck_session::{ModelOptions, Prepared, prepare};
use swarmcheck_smt::formula::{Formula, Valued};
use swarmcheck_smt::text::Variable;

/// What is looked at of a variable whose range was not found.
const BOX: (Value, Value) = (-12, 12);

/// Larger boxes are not looked through.
const MOST_STATES: usize = 300_000;

/// A bounded variant: the name of the model, what is written instead of what, and the properties. Numbers in braces are bounds.
type Variant = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const BOUNDED: &[Variant] = &[
    (
        "twins.labs",
        &[("Behavior = n, m, d", "Behavior = n < {5} -> n, m, d")],
        &["Double", "Positive", "Opposite", "Even"],
    ),
    ("queue.labs", &[("put - got < 3 ->", "put < {6} and put - got < 3 ->")], &["Capacity", "Order"]),
    (
        "near.labs",
        &[("x <= y ->", "x < {6} and x <= y ->"), ("y <= x ->", "y < {6} and y <= x ->")],
        &["Near"],
    ),
    (
        "sequence.labs",
        &[("sent = got ->", "sent < {4} and sent = got ->"), ("seen <- seen + 1", "seen <- (seen + 1) % 9")],
        &["Window", "Newest"],
    ),
];

/// The bounded variants as text, with the name of the model and the properties. Bounds are larger by `more`, but at most 9.
pub fn bounded(more: u32) -> impl Iterator<Item = (&'static str, String, Vec<String>)> {
    BOUNDED.iter().map(move |(name, changes, properties)| {
        let (_, text, _) = MODELS.iter().find(|(other, ..)| other == name).expect("it is there");
        let mut text = text.to_string();
        for (from, to) in *changes {
            assert!(text.contains(from), "{name}: {from}");
            let mut to = to.to_string();
            for bound in 0..=6 {
                to = to.replace(&format!("{{{bound}}}"), &(bound + more).min(9).to_string());
            }
            text = text.replace(from, &to);
        }
        (*name, text, properties.iter().map(ToString::to_string).collect())
    })
}

/// A bounded variant, opened, and how it is asked about: the states of the proof are those of the program.
pub fn asked(name: &str, text: &str, properties: &[String]) -> (Prepared, VerifyOptions) {
    let prepared = prepare(name, text.as_bytes(), ModelOptions::default()).ok().expect("it is accepted");
    let options = VerifyOptions {
        engine: Decider::Smt,
        reductions: Reductions { ranges: true, ..Reductions::NONE },
        properties: properties.to_vec(),
        ..VerifyOptions::default()
    };
    (prepared, options)
}

/// The variables of a proof.
pub fn variables(data: &CertificateData) -> Vec<Variable> {
    let sort = |name: &str| if name.ends_with(" is defined") { "Bool" } else { "Int" };
    let variable = |name: &String| Variable { slot: 0, name: name.clone(), sort: sort(name) };
    data.certificate.bits.iter().map(variable).collect()
}

struct Brute<'a> {
    prepared: &'a Prepared,
    machine: Machine,
    property: usize,
    invariant: Formula,
    slots: HashMap<String, usize>,
}

impl Brute<'_> {
    fn inside(&self, state: &[Value]) -> bool {
        let known = |name: &str| match name.strip_suffix(" is defined") {
            Some(name) => self.slots.get(name).map(|slot| Valued::Bool(state[*slot] != UNDEF)),
            None => self.slots.get(name).map(|slot| Valued::Int(state[*slot].into())),
        };
        self.invariant.holds(&known).expect("all variables are known")
    }

    fn good(&mut self, state: &[Value]) -> bool {
        self.prepared.flat.holds(&mut self.machine, self.property, state).expect("no error")
    }

    fn next(&mut self, state: &[Value]) -> Vec<Vec<Value>> {
        let all = successors(&self.prepared.flat, &mut self.machine, state);
        all.into_iter().map(|step| step.result.expect("no error")).collect()
    }
}

/// Looks through everything: how many states satisfy the invariant and how many do not, or why it is no proof. Where only
/// different states are in a row, the last step is not looked at.
pub fn look(prepared: &Prepared, data: &CertificateData) -> Result<[usize; 2], String> {
    let program = &prepared.flat.program;
    let ground = Ground::new(program);
    let narrow = swarmcheck_passes::ranges::narrow(program).program;
    let mut slots = HashMap::new();
    let mut domains: Vec<Vec<Value>> = vec![];
    for (slot, (_, cell)) in ground.layout.cells().enumerate() {
        let owner = cell.agent.map_or(String::new(), |agent| format!(" of {}", program.agent_name(agent)));
        slots.insert(format!("{}{owner}", cell.name(program)), slot);
        let (low, high) = narrow.var(cell.var).domain.unwrap_or(BOX);
        domains.push((low..=high).collect());
    }
    let count = domains.iter().fold(1, |count: usize, domain| count.saturating_mul(domain.len()));
    assert!(count <= MOST_STATES, "{count} states are too many");
    let [Proof::Integers { invariant, states, distinct, rounds: None, .. }] = &data.certificate.proofs[..]
    else {
        panic!("one proof of a property of states was expected")
    };
    let invariant = Formula::read(invariant, &variables(data)).expect("it was written by the engine");
    let property = program.properties.iter().position(|p| Some(&p.name) == data.property.as_ref());
    let mut brute = Brute {
        prepared,
        machine: Machine::new(&prepared.flat),
        property: property.expect("it is a property of the model"),
        invariant,
        slots,
    };
    let mut first: BTreeSet<Vec<Value>> = BTreeSet::new();
    let mut machine = Machine::new(&prepared.flat);
    let all = initial_states(&prepared.flat, &mut machine, &mut |state| {
        first.insert(state.to_vec());
        true
    });
    if all.is_err() || !first.iter().all(|state| brute.inside(state)) {
        return Err("an initial state is outside".to_string());
    }
    // The first k states of executions.
    let mut layer = first;
    for _ in 0..*states {
        if !layer.iter().all(|state| brute.good(state)) {
            return Err("a bad state is reachable".to_string());
        }
        layer = layer.iter().flat_map(|state| brute.next(state)).collect();
    }
    // All states within the ranges.
    let mut path: BTreeSet<Vec<Value>> = BTreeSet::new();
    let mut seen = [0, 0];
    for number in 0..count {
        let mut rest = number;
        let mut state = vec![];
        for domain in &domains {
            state.push(domain[rest % domain.len()]);
            rest /= domain.len();
        }
        let inside = brute.inside(&state);
        seen[usize::from(!inside)] += 1;
        if !inside {
            continue;
        }
        for after in brute.next(&state) {
            if !brute.inside(&after) {
                return Err(format!("a step leads out of the invariant: {state:?} to {after:?}"));
            }
        }
        path.insert(state);
    }
    // Ends of paths of states in the invariant that are good, one state longer each time.
    for _ in 0..*states {
        path.retain(|state| brute.good(state));
        path = path.iter().flat_map(|state| brute.next(state)).collect();
    }
    if !distinct && !path.iter().all(|state| brute.good(state)) {
        return Err("the proof allows a bad state".to_string());
    }
    Ok(seen)
}

#[test]
fn proofs_of_bounded_variants_stand_brute_force() {
    if !there(&[SolverName::Z3]) {
        return;
    }
    let (mut proofs, mut all) = (0, [0, 0]);
    for (name, text, properties) in bounded(0) {
        let (prepared, options) = asked(name, &text, &properties);
        for answer in with(&prepared, &options, &[SolverName::Z3], 120) {
            let data = answer.certificate.as_ref().unwrap_or_else(|| panic!("{name}: {}", answer.evidence()));
            let seen = look(&prepared, data).unwrap_or_else(|why| panic!("{name}: {why}"));
            proofs += 1;
            all = [all[0] + seen[0], all[1] + seen[1]];
        }
    }
    println!("{proofs} proofs, {all:?} states inside and outside");
    assert!(proofs >= 8 && all[0] > 100, "{proofs} {all:?}");
}
