//! Other verifiers as back ends: the model is exported, they decide, and what they find is replayed on the rules.

use super::trail::{between, execution};
use super::{Answer, NoSuchProperty, Report, VerifyOptions, answer, linear, wanted};
use crate::export::written;
use crate::open::Prepared;
use swarmcheck_engine::{Control, Effort, Evidence, Finding, Reason, Subject, Verdict};
use swarmcheck_export::TARGETS;
use swarmcheck_external::nuxmv::{self, Shown};
use swarmcheck_external::spin::{self, NoAnswer};
use swarmcheck_external::{Ran, Reading, Tools, cbmc};
use swarmcheck_ir::Modality;

/// A verifier of other people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Backend {
    Spin,
    Nuxmv,
    Cbmc,
    Esbmc,
    Cseq,
    Cadp,
    Cpachecker,
}

impl Backend {
    /// The back ends with the words that `--backend` takes.
    pub const TABLE: &[(Backend, &str)] = &[
        (Backend::Spin, "spin"),
        (Backend::Nuxmv, "nuxmv"),
        (Backend::Cbmc, "cbmc"),
        (Backend::Esbmc, "esbmc"),
        (Backend::Cseq, "cseq"),
        (Backend::Cadp, "cadp"),
        (Backend::Cpachecker, "cpachecker"),
    ];

    /// Its word.
    pub fn name(self) -> &'static str {
        Backend::TABLE.iter().find(|(backend, _)| *backend == self).map_or("-", |(_, name)| name)
    }
}

/// Lets another verifier decide, one property after the other.
pub fn verify_with(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    tools: &mut dyn Tools,
    control: &Control<'_>,
) -> Result<Report, NoSuchProperty> {
    let properties = wanted(prepared, &options.properties)?.into_iter().map(Subject::Property);
    let subjects = properties.chain(options.deadlock.then_some(Subject::DeadlockFreedom));
    let mut answers: Vec<Answer> = vec![];
    for subject in subjects {
        let began = control.progress.seconds();
        let mut effort = Effort { search: answers.len() as u32, ..Effort::default() };
        let verdict = match backend {
            _ if control.stopped() => Verdict::Unknown(Reason::Interrupted),
            Backend::Spin => by_spin(prepared, options, subject, tools, control, &mut effort),
            Backend::Nuxmv => by_nuxmv(prepared, options, subject, tools),
            Backend::Cbmc => by_cbmc(prepared, options, subject, tools),
            Backend::Esbmc | Backend::Cseq | Backend::Cadp | Backend::Cpachecker => {
                Verdict::Unknown(Reason::Unsupported(by_hand(backend, tools)))
            }
        };
        effort.seconds = control.progress.seconds() - began;
        let finding = Finding { subject, verdict, vacuous: None, notes: vec![], effort, certificate: None };
        answers.push(answer(prepared, options, backend.name(), finding, control));
    }
    let why = Reason::Unsupported("formulas over actions are decided without --backend only".to_string());
    answers.extend(linear::unanswered(prepared, options, &why));
    Ok(Report::new(answers))
}

/// What a counterexample stands for that another verifier has found elsewhere: for Spin, the output of `spin -t -T -B` on
/// the exported model; for nuXmv, what it prints.
pub fn translate(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    found: &str,
    control: &Control<'_>,
) -> Result<Report, String> {
    let wanted = wanted(prepared, &options.properties).map_err(|missing| missing.to_string())?;
    let property = match (wanted.as_slice(), options.deadlock) {
        ([only], false) => Some(*only),
        ([], true) => None,
        _ if options.deadlock && options.properties.is_empty() => None,
        _ => {
            return Err(
                "a counterexample is about one property: name it with --property, or ask for --deadlock"
                    .to_string(),
            );
        }
    };
    let verdict = match backend {
        Backend::Spin => match spin::trail(found, prepared.flat.width()) {
            Ok(trail) => execution(&prepared.flat, property, options.steps, &trail),
            Err(NoAnswer::Missing(why) | NoAnswer::Unreadable(why)) => return Err(why),
        },
        Backend::Nuxmv => {
            let module = exported(prepared, options, "smv", property)?;
            let ran = Ran {
                ended: swarmcheck_external::Ended::Code(0),
                output: found.to_string(),
                errors: String::new(),
            };
            let verdicts = nuxmv::read(&ran).map_err(|unreadable| unreadable.why)?;
            smv_verdict(prepared, options, property, &module, &verdicts)
        }
        Backend::Cbmc => cbmc_verdict(prepared, options, property, found)?,
        Backend::Esbmc | Backend::Cseq | Backend::Cadp | Backend::Cpachecker => {
            return Err(format!("what {} writes is not read here", backend.name()));
        }
    };
    let subject = property.map_or(Subject::DeadlockFreedom, Subject::Property);
    let effort = Effort::default();
    let finding = Finding { subject, verdict, vacuous: None, notes: vec![], effort, certificate: None };
    Ok(Report::new(vec![answer(prepared, options, backend.name(), finding, control)]))
}

fn by_spin(
    prepared: &Prepared,
    options: &VerifyOptions,
    subject: Subject,
    tools: &mut dyn Tools,
    control: &Control<'_>,
    effort: &mut Effort,
) -> Verdict {
    let unsupported = |why: String| Verdict::Unknown(Reason::Unsupported(why));
    if options.ignore_deadlock {
        return unsupported(
            "Spin does not excuse executions that stop: leave out --ignore-deadlock".to_string(),
        );
    }
    let property = subject.property();
    let model = match exported(prepared, options, "promela", property) {
        Ok(model) => model,
        Err(why) => return unsupported(why),
    };
    let modality = property.and_then(|p| prepared.flat.program.properties.get(p)).map(|p| &p.modality);
    let question = spin::Question {
        model: &model,
        forever: goes_on(modality, options.steps),
        width: prepared.flat.width(),
        memory: control.budget.memory.map(|bytes| bytes >> 20),
    };
    let (size, verdict) = match spin::ask(tools, &question) {
        Err(NoAnswer::Missing(how)) => return unsupported(how),
        Err(NoAnswer::Unreadable(why)) => return Verdict::Unknown(Reason::Internal(why)),
        Ok(spin::Answer::Stopped) => return Verdict::Unknown(Reason::Interrupted),
        Ok(spin::Answer::Memory) => return Verdict::Unknown(Reason::Memory),
        Ok(spin::Answer::GaveUp(why)) => return unsupported(format!("Spin gave up: {why}")),
        Ok(spin::Answer::Holds(size)) => {
            let steps = match modality {
                Some(Modality::After(steps)) => Some(*steps),
                _ => options.steps,
            };
            (size, Verdict::Holds(Evidence::Said("Spin", steps)))
        }
        Ok(spin::Answer::Violated(trail, size)) => {
            (size, execution(&prepared.flat, property, options.steps, &trail))
        }
    };
    effort.states = size.states;
    effort.transitions = size.transitions;
    verdict
}

fn by_nuxmv(
    prepared: &Prepared,
    options: &VerifyOptions,
    subject: Subject,
    tools: &mut dyn Tools,
) -> Verdict {
    let unsupported = |why: String| Verdict::Unknown(Reason::Unsupported(why));
    if options.ignore_deadlock {
        return unsupported(
            "nuXmv does not excuse executions that stop: leave out --ignore-deadlock".to_string(),
        );
    }
    let property = subject.property();
    let module = match exported(prepared, options, "smv", property) {
        Ok(module) => module,
        Err(why) => return unsupported(why),
    };
    match nuxmv::ask(tools, &module) {
        Err(unreadable) => Verdict::Unknown(Reason::Internal(unreadable.why)),
        Ok(nuxmv::Answer::Missing(how)) => unsupported(how),
        Ok(nuxmv::Answer::Stopped) => Verdict::Unknown(Reason::Interrupted),
        Ok(nuxmv::Answer::Said(verdicts)) => smv_verdict(prepared, options, property, &module, &verdicts),
    }
}

/// What the verdicts about the specifications of a module say about the property. There is one specification for it, and
/// another one before it where an error of the model is possible.
fn smv_verdict(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: Option<usize>,
    module: &str,
    verdicts: &[nuxmv::Verdict],
) -> Verdict {
    let internal = |why: &str| Verdict::Unknown(Reason::Internal(why.to_string()));
    let errors = module.contains("\nINVARSPEC NAME no_model_error ");
    let is_invariant = module.matches("\nINVARSPEC NAME ").count() == 1 + usize::from(errors);
    let (invariants, others): (Vec<_>, Vec<_>) = verdicts.iter().partition(|v| v.invariant);
    let (error, main) = match (errors, is_invariant, invariants.as_slice(), others.as_slice()) {
        (false, true, [main], []) | (false, false, [], [main]) => (None, *main),
        (true, true, [error, main], []) | (true, false, [error], [main]) => (Some(*error), *main),
        _ => return internal("nuXmv has not answered what it was asked"),
    };
    let (shown, broken) = match (error, main) {
        (Some(error), _) if !error.holds => (&error.shown, true),
        (_, main) if !main.holds => (&main.shown, false),
        _ => {
            let steps = match property.map(|p| &prepared.flat.program.properties[p].modality) {
                Some(Modality::After(steps)) => Some(*steps),
                _ => options.steps,
            };
            return Verdict::Holds(Evidence::Said("nuXmv", steps));
        }
    };
    let Some(shown) = shown else { return internal("nuXmv shows no counterexample") };
    match followed(prepared, module, shown, broken) {
        Ok(trail) => execution(&prepared.flat, property, options.steps, &trail),
        Err(why) => internal(&format!("the counterexample of nuXmv is wrong: {why}")),
    }
}

fn followed(prepared: &Prepared, module: &str, shown: &Shown, broken: bool) -> Result<spin::Trail, String> {
    let remark = |begin: &str| module.lines().find_map(|l| l.strip_prefix(begin)?.strip_suffix('.'));
    let undefined = remark("-- Undefined values are ").and_then(|n| n.parse::<i64>().ok());
    let (Some(undefined), Some(cells)) = (undefined, remark("-- Cells: ")) else {
        return Err("the module does not say what its cells are".to_string());
    };
    let cells: Vec<String> = cells.split_whitespace().map(str::to_string).collect();
    let way = shown.way(&cells, undefined).map_err(|unreadable| unreadable.why)?;
    // A condition of the property may be wrong where no step was: then the state is as good as any other.
    let in_step =
        broken && shown.states.last().is_some_and(|s| s.get("model_error").is_some_and(|v| v == "TRUE"));
    between(&prepared.flat, &way, in_step)
}

fn by_cbmc(prepared: &Prepared, options: &VerifyOptions, subject: Subject, tools: &mut dyn Tools) -> Verdict {
    let unsupported = |why: &str| Verdict::Unknown(Reason::Unsupported(why.to_string()));
    let Subject::Property(number) = subject else {
        return unsupported("CBMC is not asked about deadlocks: use --engine or --backend spin");
    };
    let Some(steps) = options.steps else {
        return unsupported("CBMC looks at executions of a number of steps: say how many with --steps");
    };
    let program = match exported(prepared, options, "c-cbmc", Some(number)) {
        Ok(program) => program,
        Err(why) => return unsupported(&why),
    };
    // Loops are those over steps, over agents and over cells; whether that was enough, CBMC says itself.
    let rounds = (steps as usize).max(prepared.flat.width()) + 2;
    match cbmc::ask(tools, &program, rounds) {
        Ok(cbmc::Asked::Missing(how)) => unsupported(&how),
        Ok(cbmc::Asked::Stopped) => Verdict::Unknown(Reason::Interrupted),
        Ok(cbmc::Asked::Said(text)) => cbmc_verdict(prepared, options, Some(number), &text)
            .unwrap_or_else(|why| Verdict::Unknown(Reason::Internal(why))),
        Err(unreadable) => Verdict::Unknown(Reason::Internal(unreadable.why)),
    }
}

/// What the answer of CBMC, in JSON, says about a property.
fn cbmc_verdict(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: Option<usize>,
    text: &str,
) -> Result<Verdict, String> {
    let name = property.and_then(|p| prepared.flat.program.properties.get(p)).map(|p| p.name.as_str());
    let name = name.ok_or("CBMC is not asked about deadlocks")?;
    let reading = cbmc::translate(text, &prepared.flat, name).map_err(|unreadable| unreadable.why)?;
    Ok(match reading {
        Reading::Holds => Verdict::Holds(Evidence::Said("CBMC", options.steps)),
        Reading::Unknown(why) => Verdict::Unknown(Reason::Unsupported(format!("CBMC: {why}"))),
        Reading::Violated(way) => match between(&prepared.flat, &way, false) {
            Ok(trail) => execution(&prepared.flat, property, options.steps, &trail),
            Err(why) => {
                Verdict::Unknown(Reason::Internal(format!("the counterexample of CBMC is wrong: {why}")))
            }
        },
    })
}

/// What to do with verifiers whose answers nobody here can read.
fn by_hand(backend: Backend, tools: &dyn Tools) -> String {
    let (program, full, target, whence) = match backend {
        Backend::Esbmc => ("esbmc", "ESBMC", "c-esbmc", "esbmc.org"),
        Backend::Cseq => ("cseq.py", "CSeq", "c-cbmc", "the pages of its authors"),
        Backend::Cpachecker => ("cpachecker", "CPAchecker", "c-svcomp", "cpachecker.sosy-lab.org"),
        _ => ("svl", "CADP", "lnt-parallel", "cadp.inria.fr, for those with a licence"),
    };
    let export = format!("'swarmcheck export --to {target}' writes what it reads");
    if tools.find(program) {
        format!("answers of {full} are not read here: {export}")
    } else {
        format!(
            "{full} is not installed (no program '{program}'; get it from {whence}), and its answers are not read here: {export}"
        )
    }
}

/// Whether executions that go on for ever count.
fn goes_on(modality: Option<&Modality>, bound: Option<u32>) -> bool {
    bound.is_none()
        && match modality {
            Some(Modality::Eventually | Modality::Finally | Modality::Linear(_)) => true,
            Some(Modality::Scoped { open, inside, .. }) => {
                *open && matches!(inside, swarmcheck_ir::Inside::ThereIs)
            }
            _ => false,
        }
}

/// The text of the model in the language of a target.
fn exported(
    prepared: &Prepared,
    options: &VerifyOptions,
    target: &str,
    property: Option<usize>,
) -> Result<String, String> {
    let Some(target) = TARGETS.iter().find(|t| t.name == target) else {
        return Err(format!("there is no target '{target}'"));
    };
    let files = written(prepared, target, property, options.steps)?;
    files.into_iter().next().map(|file| file.text).ok_or_else(|| "the target wrote nothing".to_string())
}
