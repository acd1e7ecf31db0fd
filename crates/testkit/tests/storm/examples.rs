//! The examples: their properties, as `export --to drn` asks Storm about them, and as our engine decides them.

use super::questions::{Ours, Question, ours};
use super::{Asked, Batch};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use swarmcheck_chance::{
    BuildOptions, Control, FormulaLimits, Optimum, Settings, Watched, build, formula_probability,
    formula_process,
};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{self as engine, Budget};
use swarmcheck_ir::Modality;
use swarmcheck_project::{FILE, rows};
use swarmcheck_session::estimate::SchedulerWord;
use swarmcheck_session::export::{ExportOptions, export};
use swarmcheck_session::{ModelOptions, Prepared, Refusal, prepare};
use swarmcheck_simulate::Scheduler;

/// The models of the examples with at most this many states, each once.
fn models(most: u64) -> Vec<(String, Prepared)> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut out: Vec<(String, Prepared)> = vec![];
    for folder in std::fs::read_dir(examples).expect("examples").flatten() {
        let Ok(text) = std::fs::read_to_string(folder.path().join(FILE)) else { continue };
        for row in rows(&text).expect("a correct file") {
            let name = format!("{} {} {}", row.file, row.parameters, row.options);
            let small = row.states.is_some_and(|n| n <= most);
            let known = out.iter().any(|(known, _)| *known == name);
            if !small || known || !matches!(row.options.as_str(), "" | "--fair") {
                continue;
            }
            let parameter = |word: &str| word.split_once('=').map(|(n, v)| (n.to_string(), v.to_string()));
            let options = ModelOptions {
                parameters: row.parameters.split_whitespace().filter_map(parameter).collect(),
                fair: row.options == "--fair",
                ..ModelOptions::default()
            };
            let bytes = std::fs::read(folder.path().join(&row.file)).expect("an example");
            let Ok(prepared) = prepare(&row.file, &bytes, options) else { panic!("refused: {name}") };
            out.push((name, prepared));
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

/// Adds all models with all their properties; how many models there were.
pub fn add(most: u64, batch: &mut Batch) -> usize {
    let mut count = 0;
    for (name, prepared) in models(most) {
        let mut one = false;
        for property in 0..prepared.flat.program.properties.len() {
            for word in [SchedulerWord::Steps, SchedulerWord::Any] {
                one |= add_property(&name, &prepared, property, word, batch);
            }
        }
        count += usize::from(one);
    }
    count
}

fn add_property(
    model: &str,
    prepared: &Prepared,
    number: usize,
    word: SchedulerWord,
    batch: &mut Batch,
) -> bool {
    let property = &prepared.flat.program.properties[number];
    let stop = AtomicBool::new(false);
    let control = engine::Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = ExportOptions {
        target: "drn".to_string(),
        property: Some(property.name.clone()),
        scheduler: word,
        ..ExportOptions::default()
    };
    let file = match export(prepared, &options, &control) {
        Ok(mut files) => files.remove(0),
        // What exists, what can be read in two ways, and faults of the model.
        Err(Refusal::Target { .. } | Refusal::ModelError { .. }) => return false,
        Err(other) => panic!("{model}: {}: {other:?}", property.name),
    };
    let drn = String::from_utf8(file.bytes).expect("text");
    let lines = drn.lines().take_while(|line| line.starts_with("//"));
    let queries: Vec<String> =
        lines.filter_map(|line| line.strip_prefix("// P")).map(|rest| format!("P{rest}")).collect();
    let whence = format!("{model} {}", property.name);
    let mut asked = vec![];
    for question in queries {
        let optimum = match () {
            () if question.starts_with("Pmin") => Optimum::Min,
            () if question.starts_with("Pmax") => Optimum::Max,
            // A decision process without decisions.
            () if word == SchedulerWord::Any => Optimum::Max,
            () => Optimum::Chain,
        };
        let ours = answered(prepared, number, word, optimum);
        asked.push(Asked { whence: whence.clone(), question, ours });
    }
    let any = !asked.is_empty();
    if any {
        batch.add(drn, asked);
    }
    any
}

/// Our probability of a property.
fn answered(prepared: &Prepared, number: usize, word: SchedulerWord, optimum: Optimum) -> Ours {
    let scheduler = if word == SchedulerWord::Any { Scheduler::Any } else { Scheduler::Steps };
    let property = &prepared.flat.program.properties[number];
    let (options, settings) = (BuildOptions::default(), Settings::default());
    if let Modality::Linear(linear) = &property.modality {
        let made =
            formula_process(&prepared.flat, linear, &scheduler, &options, Control::NONE).expect("a process");
        let limits = FormulaLimits::default();
        let (process, labels) = (&made.built.process, &made.built.labels);
        let found =
            formula_probability(process, &made.formula, labels, optimum, &limits, &settings, &|| false);
        return found.map_or_else(|why| Ours::None(why.to_string()), Ours::Probability);
    }
    let watched = Watched { conditions: vec![property.predicate.clone()], ..Watched::default() };
    let built = build(&prepared.flat, &scheduler, &watched, &options, Control::NONE).expect("a process");
    let question = match property.modality {
        Modality::Always => Question::Always(0),
        Modality::Eventually | Modality::Finally => Question::Eventually { goal: 0, within: None },
        Modality::After(steps) => Question::After(steps, 0),
        _ => return Ours::None("no probability".to_string()),
    };
    ours(&question, &built.process, &built.labels, optimum, &settings)
}
