//! A program as a system of bits, state by state: it makes the same steps as the program, meets the same errors, and
//! evaluates conditions alike.

use crate::search::Space;
use std::collections::BTreeSet;
use swarmcheck_aig::{Lit, Simulation};
use swarmcheck_bits::code::{LISTED, WIDTHS, guesses};
use swarmcheck_bits::encode::{Encoded, encode};
use swarmcheck_engine::system;
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::{Program, Value};

/// With more bits than this a choice is not enumerated.
const MOST_BITS: usize = 10;
/// How many states are looked at.
const MOST_STATES: usize = 25;

#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// States whose steps were compared.
    pub states: usize,
    pub steps: usize,
    /// Errors of the model met by them.
    pub faults: usize,
    /// States without steps.
    pub stuck: usize,
    /// Whether initial states were compared.
    pub initial: usize,
    /// Whether an encoding with listed values was compared as well.
    pub listed: usize,
}

/// What can come of a choice: states, and whether an error can.
type Results = (BTreeSet<Vec<Value>>, bool);

/// Compares an encoding of `program`, which has the states of the flat program, with the naive search of that; the first
/// difference, in words.
pub fn compare(flat: &Flat, program: &Program, space: &Space) -> Result<Compared, String> {
    let mut compared = Compared::default();
    let ground = Ground::new(program);
    // Sixteen bits hold all numbers of nearly all systems.
    compare_guess(flat, (program, &ground), space, 1, &mut compared)?;
    // Where values are listed, circuits for the largest width are met by nobody else.
    if guesses(program, &ground).next() == Some(LISTED) {
        compare_guess(flat, (program, &ground), space, LISTED, &mut compared)?;
        compare_guess(flat, (program, &ground), space, WIDTHS.len() - 1, &mut compared)?;
        compared.listed += 1;
    }
    Ok(compared)
}

/// The same, for one guess of what unknown ranges are. Listed values are those of all states, so each of them fits.
fn compare_guess(
    flat: &Flat,
    (program, ground): (&Program, &Ground),
    space: &Space,
    guess: usize,
    compared: &mut Compared,
) -> Result<(), String> {
    let Ok(mut encoded) = encode(program, ground, guess) else { return Ok(()) };
    let conditions: Vec<_> = program.properties.iter().flat_map(|p| p.exprs()).collect();
    let terms: Vec<_> = conditions.iter().map(|c| ground.condition(program, c)).collect();
    let lits: Vec<(Lit, Lit)> = terms.iter().map(|t| encoded.condition(t)).collect();
    let stuck = encoded.stuck();
    let lemmas = encoded.system.lemmas.clone();
    let mut simulation = Simulation::new(&encoded.system);

    if encoded.system.start_inputs.len() <= MOST_BITS {
        let bits = encoded.system.start_inputs.len();
        let (found, misfit) = outcomes(&encoded, bits, |choice| simulation.start(choice));
        let expected: BTreeSet<_> = space.states[..space.initial].iter().cloned().collect();
        let mut machine = Machine::new(flat);
        let fault = system::initial_states(flat, &mut machine, &mut |_| true).is_err();
        // After an error in the initial block the naive search knows only some of the initial states.
        if !misfit && (found.1 != fault || (!fault && found.0 != expected)) {
            return Err(format!("initial states: {found:?}, expected {expected:?}, error {fault}"));
        }
        compared.initial += 1;
    }
    if encoded.system.inputs.len() > MOST_BITS {
        return Ok(());
    }
    let (mut machine, mut runner) = (Machine::new(flat), Runner::default());
    for state in space.states.iter().take(MOST_STATES) {
        let cells: Option<Vec<Vec<bool>>> =
            encoded.codes.iter().zip(state).map(|(code, value)| code.encode(*value)).collect();
        let Some(cells) = cells else {
            if guess == LISTED {
                return Err(format!("{state:?} is not listed"));
            }
            continue;
        };
        let mut latches = cells.concat();
        latches.resize(encoded.system.latches.len(), false);
        let bits = encoded.system.inputs.len();
        let (found, misfit) = outcomes(&encoded, bits, |choice| simulation.step(&latches, choice));
        let steps = system::successors(flat, &mut machine, state);
        let expected: Results = (
            steps.iter().filter_map(|s| s.result.clone().ok()).collect(),
            steps.iter().any(|s| s.result.is_err()),
        );
        if misfit && guess == LISTED {
            return Err(format!("a step of {state:?} leads to a value that is not listed"));
        }
        if !misfit && found != expected {
            return Err(format!("steps of {state:?}: {found:?}, expected {expected:?}"));
        }
        for (number, (term, (holds, fault))) in terms.iter().zip(&lits).enumerate() {
            let expected = runner.test(term, state).map_err(|_| ());
            let (holds, fault) = (simulation.holds(&latches, *holds), simulation.holds(&latches, *fault));
            let found = if fault { Err(()) } else { Ok(holds) };
            if found != expected {
                return Err(format!("condition {number} is {found:?} in {state:?}, expected {expected:?}"));
            }
        }
        if let Some(stuck) = stuck {
            let found = simulation.holds(&latches, stuck);
            if found != steps.is_empty() {
                return Err(format!("{state:?}: stuck {found}, but there are {} steps", steps.len()));
            }
            compared.stuck += usize::from(found);
        }
        if let Some(at) = lemmas.iter().position(|lemma| !simulation.holds(&latches, *lemma)) {
            return Err(format!("lemma {at} does not hold in {state:?}"));
        }
        compared.states += 1;
        compared.steps += expected.0.len();
        compared.faults += usize::from(expected.1);
    }
    Ok(())
}

/// The results of all choices of this many bits; and whether one gives a number too large for the assumed width.
fn outcomes(
    encoded: &Encoded,
    bits: usize,
    mut run: impl FnMut(&[bool]) -> Option<Vec<bool>>,
) -> (Results, bool) {
    let (mut out, mut misfit) = ((BTreeSet::new(), false), false);
    let flag = |latches: &[bool], lit: Lit| {
        let at = encoded.system.latches.iter().position(|latch| latch.variable == lit);
        at.is_some_and(|at| latches[at])
    };
    for code in 0..1u32 << bits {
        let choice: Vec<bool> = (0..bits).map(|k| code >> k & 1 != 0).collect();
        let Some(latches) = run(&choice) else { continue };
        if flag(&latches, encoded.misfit) {
            misfit = true;
        } else if flag(&latches, encoded.faulty) {
            out.1 = true;
        } else {
            out.0.insert(encoded.decode(&latches));
        }
    }
    (out, misfit)
}
