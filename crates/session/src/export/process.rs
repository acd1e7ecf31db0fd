//! A model as a chain or decision process, for probabilistic model checkers.

use super::{ExportOptions, File};
use crate::estimate::SchedulerWord;
use crate::lts::given_up;
use crate::open::Prepared;
use crate::outcome::ModelFault;
use crate::refusal::Refusal;
use crate::start::assumptions;
use swarmcheck_chance::automaton::numbered;
use swarmcheck_chance::automaton_program::{rest_scheduler, rest_steps};
use swarmcheck_chance::build::{self, BuildError, BuildOptions, Built, Watched};
use swarmcheck_engine::{Control, Phase, Snapshot};
use swarmcheck_export::process::{Claim, ClaimPath, ProcessExport, drn, jani, label_names, prism};
use swarmcheck_ir::property::{Inside, LinearTime};
use swarmcheck_ir::{Expr, Modality};
use swarmcheck_simulate::Scheduler;

/// The format of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProcessFormat {
    Drn,
    Jani,
    Prism,
}

/// Targets that are made from the chain or decision process of a model.
pub(super) const PROCESSES: &[(&str, &str, ProcessFormat)] = &[
    ("drn", "the chain or decision process, state by state, for Storm", ProcessFormat::Drn),
    ("jani", "the same in JANI, for Storm, Modest and others", ProcessFormat::Jani),
    ("prism", "the same as explicit files for PRISM", ProcessFormat::Prism),
];

/// Larger files help nobody.
const MOST: BuildOptions =
    BuildOptions { states: 1_000_000, transitions: 5_000_000, symmetry: false, lumping: false };

/// What the properties of a model say about states, and what can be asked with it.
#[derive(Default)]
struct Asked {
    names: Vec<String>,
    conditions: Vec<Expr>,
    claims: Vec<Claim>,
    remarks: Vec<String>,
}

impl Asked {
    fn label(&mut self, name: &str, condition: &Expr) -> usize {
        self.names.push(name.to_string());
        self.conditions.push(condition.clone());
        self.names.len() - 1
    }

    fn property(&mut self, prepared: &Prepared, number: usize) {
        let property = &prepared.flat.program.properties[number];
        let name = property.name.as_str();
        // The program has the negation of what is said to be possible.
        if prepared.model.is_possibility(number) {
            self.remarks.push(format!("{name} asks whether an execution exists, and is left out"));
            return;
        }
        let claim = |path| Claim { name: name.to_string(), path };
        match &property.modality {
            Modality::Always => {
                let label = self.label(name, &property.predicate);
                self.claims.push(claim(ClaimPath::Always(label)));
            }
            Modality::Eventually | Modality::Finally => {
                let label = self.label(name, &property.predicate);
                self.claims.push(claim(ClaimPath::Eventually(label)));
            }
            Modality::After(steps) => {
                let label = self.label(name, &property.predicate);
                self.claims.push(claim(ClaimPath::After(*steps, label)));
            }
            // What they say of all executions together is no probability.
            Modality::Fairly | Modality::FairlyInf => _ = self.label(name, &property.predicate),
            Modality::Scoped { start, end, inside, .. } => {
                self.label(name, &property.predicate);
                self.label(&format!("{name}_start"), start);
                self.label(&format!("{name}_end"), end);
                if let Inside::Precedes(first) = inside {
                    self.label(&format!("{name}_first"), first);
                }
            }
            Modality::Linear(linear) => {
                let (formula, atoms) = numbered(&linear.formula);
                let several = atoms.len() > 1;
                let labels: Vec<usize> = (1..)
                    .zip(&atoms)
                    .map(|(n, atom)| match several {
                        true => self.label(&format!("{name}_{n}"), atom),
                        false => self.label(name, atom),
                    })
                    .collect();
                self.claims.push(claim(ClaimPath::Formula(formula.map(&mut |atom| labels[*atom]))));
            }
        }
    }
}

/// The files of a process.
pub(super) fn files(
    prepared: &Prepared,
    options: &ExportOptions,
    format: ProcessFormat,
    property: Option<usize>,
    control: &Control<'_>,
) -> Result<Vec<File>, Refusal> {
    let refused = |why: &str| Refusal::Target { target: options.target.clone(), why: why.to_string() };
    if options.bound.is_some() {
        return Err(Refusal::NoBound { target: options.target.clone() });
    }
    let scheduler = match options.scheduler {
        SchedulerWord::Steps | SchedulerWord::RoundRobin => Scheduler::Steps,
        SchedulerWord::Agents => Scheduler::Agents,
        SchedulerWord::Any => Scheduler::Any,
        SchedulerWord::Rates => match prepared.model.rates(&prepared.flat.program) {
            Some(rates) => Scheduler::Rates(rates),
            None => return Err(refused("the model gives no rates")),
        },
    };
    let all = 0..prepared.flat.program.properties.len();
    let wanted: Vec<usize> = property.map_or_else(|| all.collect(), |one| vec![one]);
    let mut asked = Asked::default();
    asked.remarks.push(law(prepared, options.scheduler));
    wanted.iter().for_each(|number| asked.property(prepared, *number));
    let formula =
        wanted.iter().find_map(|number| match &prepared.flat.program.properties[*number].modality {
            Modality::Linear(linear) => Some(&**linear),
            _ => None,
        });
    let (built, deadlocks) = built(prepared, &asked, formula, &scheduler, control)
        .map_err(|why| unbuilt(prepared, options, why, control))?;
    let names = label_names(asked.names.iter().map(String::as_str));
    let labels: Vec<_> = names.into_iter().zip(built.labels).collect();
    let export = ProcessExport {
        process: &built.process,
        deadlocks: &deadlocks,
        labels: &labels,
        remarks: &asked.remarks,
        claims: &asked.claims,
    };
    let file = |extension: &str, text: String| File {
        name: format!("process.{extension}"),
        bytes: text.into_bytes(),
    };
    Ok(match format {
        ProcessFormat::Drn => vec![file("drn", drn(&export))],
        ProcessFormat::Jani => vec![file("jani", jani(&export))],
        ProcessFormat::Prism => {
            let files = prism(&export)
                .ok_or_else(|| refused("PRISM has no format for rates with several initial states"))?;
            files.into_iter().map(|(extension, text)| file(extension, text)).collect()
        }
    })
}

/// What "random" means in the file, as a remark.
fn law(prepared: &Prepared, scheduler: SchedulerWord) -> String {
    let turns = if prepared.options.fair { ", agents act in turn" } else { "" };
    let steps = match scheduler {
        SchedulerWord::Steps | SchedulerWord::RoundRobin => "every enabled step is equally likely",
        SchedulerWord::Agents => "an agent with an enabled step, then one of its steps",
        SchedulerWord::Rates => "a race of exponentially distributed times",
        SchedulerWord::Any => "a decision for every enabled step",
    };
    format!("{}: {steps}{turns}; choices inside a step are equally likely", prepared.file.name())
}

/// The process, and the states in which a run has stopped.
fn built(
    prepared: &Prepared,
    asked: &Asked,
    formula: Option<&LinearTime>,
    scheduler: &Scheduler,
    control: &Control<'_>,
) -> Result<(Built, swarmcheck_chance::Bits), BuildError> {
    let control = build::Control {
        // Memory is looked at by whoever has begun the export.
        stopped: &|| control.stopped(),
        progress: &|found, expanded, _| {
            let waiting = found.saturating_sub(expanded);
            let snapshot = Snapshot { phase: Phase::Searching, done: found, waiting, ..Snapshot::default() };
            control.progress.report(snapshot);
        },
    };
    let mut watched = Watched { conditions: asked.conditions.clone(), ..Watched::default() };
    // All formulas of a program rest in the same way: what was observed of the last step is forgotten.
    let rests = formula.and_then(|linear| Some((rest_steps(&prepared.flat, linear)?, linear)));
    match rests {
        None => {
            let built = build::build(&prepared.flat, scheduler, &watched, &MOST, control)?;
            let deadlocks = built.process.deadlocks().clone();
            Ok((built, deadlocks))
        }
        Some((flat, linear)) => {
            watched.conditions.push(linear.rests.clone());
            let scheduler = rest_scheduler(&prepared.flat, scheduler);
            let mut built = build::build(&flat, &scheduler, &watched, &MOST, control)?;
            let deadlocks = built.labels.pop().unwrap_or_default();
            Ok((built, deadlocks))
        }
    }
}

fn unbuilt(prepared: &Prepared, options: &ExportOptions, why: BuildError, control: &Control<'_>) -> Refusal {
    let large = |why: String| Refusal::Target { target: options.target.clone(), why };
    match why {
        BuildError::NoInitialState => Refusal::NoInitialState { assumptions: assumptions(prepared) },
        BuildError::Fault { fault, .. } => Refusal::ModelError { error: ModelFault::new(prepared, fault) },
        BuildError::States(most) => {
            large(format!("the process has more than {most} states: choose smaller parameters"))
        }
        BuildError::Transitions(most) => {
            large(format!("the process has more than {most} transitions: choose smaller parameters"))
        }
        BuildError::TooFine => {
            large("some probability is a fraction whose denominator has more than 53 bits".to_string())
        }
        BuildError::Stopped => given_up(control),
    }
}
