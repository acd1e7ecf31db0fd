//! Random LAbS systems: their processes under all schedulers.

use super::random::formula;
use super::{Batch, Question, questions};
use swarmcheck_chance::{BuildOptions, Control, Optimum, Settings, Watched, build};
use swarmcheck_export::process::{ProcessExport, drn};
use swarmcheck_ir::Expr;
use swarmcheck_simulate::Scheduler;
use swarmcheck_testkit::verify;

/// Adds the system with this number. `false` if it has too many states, or an error.
pub fn add(seed: u64, most: usize, batch: &mut Batch) -> bool {
    let reading = verify::reading(seed);
    let Some(text) = verify::system(seed, reading, most, 3) else { return false };
    let Ok(prepared) = verify::open(&text, reading) else { return false };
    let conditions: Vec<Expr> =
        prepared.flat.program.properties.iter().map(|p| p.predicate.clone()).take(4).collect();
    if conditions.is_empty() {
        return false;
    }
    let watched = Watched { conditions, ..Watched::default() };
    let scheduler = [Scheduler::Steps, Scheduler::Agents, Scheduler::Any][seed as usize % 3].clone();
    let whole =
        BuildOptions { states: 20 * most, symmetry: false, lumping: false, ..BuildOptions::default() };
    // Errors of the model are met by both or by none; that is looked at elsewhere.
    let Ok(plain) = build(&prepared.flat, &scheduler, &watched, &whole, Control::NONE) else { return false };
    let reduced = build(&prepared.flat, &scheduler, &watched, &BuildOptions::default(), Control::NONE);
    let reduced = reduced.unwrap_or_else(|why| panic!("system {seed}: {why:?}\n{text}"));
    let labels = plain.labels.len();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut asked = vec![
        Question::Eventually { goal: random.usize(..labels), within: None },
        Question::Eventually { goal: random.usize(..labels), within: Some(random.u64(..9)) },
        Question::Until { hold: random.usize(..labels), goal: random.usize(..labels), within: None },
        Question::Always(random.usize(..labels)),
        Question::Steps(random.usize(..labels)),
        Question::After(random.u32(..6), random.usize(..labels)),
        Question::Formula(formula(&mut random, labels, 3)),
    ];
    let optima: &[Optimum] = match plain.process.is_chain() && scheduler != Scheduler::Any {
        true => {
            asked.push(Question::LongRun(random.usize(..labels)));
            &[Optimum::Chain]
        }
        false => &[Optimum::Min, Optimum::Max],
    };
    let names = ["a", "b", "c", "d"].into_iter().map(str::to_string);
    let named: Vec<_> = names.zip(plain.labels.iter().cloned()).collect();
    let export = ProcessExport {
        process: &plain.process,
        deadlocks: plain.process.deadlocks(),
        labels: &named,
        remarks: &[],
        claims: &[],
    };
    let settings =
        Settings { fraction_states: if seed.is_multiple_of(2) { 0 } else { 500 }, ..Settings::default() };
    let mut all = vec![];
    for question in &asked {
        for optimum in optima {
            // A decision process without decisions is written as a chain.
            let theirs = if plain.process.is_chain() { Optimum::Chain } else { *optimum };
            all.push(super::Asked {
                whence: format!(
                    "system {seed}, {scheduler:?}, {} of {} states\n{text}",
                    reduced.process.states(),
                    plain.process.states()
                ),
                question: questions::text(question, &export, theirs),
                ours: questions::ours(question, &reduced.process, &reduced.labels, *optimum, &settings),
            });
        }
    }
    batch.add(drn(&export), all);
    true
}
