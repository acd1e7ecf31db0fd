//! Questions about a process: as Storm reads them, and as our engine answers them.

use super::ask::Said;
use super::{Asked, Batch};
use swarmcheck_chance::{
    Answer, Bits, Expected, FormulaLimits, Optimum, Path, Process, Settings, Share, expected_steps,
    expected_time, formula_probability, long_run, lump, probability, probability_after,
};
use swarmcheck_export::process::{ClaimPath, ProcessExport, drn};
use swarmcheck_ir::Linear;

/// What is asked. Numbers are those of labels.
#[derive(Clone, Debug)]
pub enum Question {
    Until {
        hold: usize,
        goal: usize,
        within: Option<u64>,
    },
    Eventually {
        goal: usize,
        within: Option<u64>,
    },
    Always(usize),
    /// After exactly so many steps.
    After(u32, usize),
    /// Expected.
    Steps(usize),
    /// The share in the long run, of a chain.
    LongRun(usize),
    /// Expected time, of a chain with rates.
    Time(usize),
    /// The share of time in the long run, of a chain with rates.
    TimeShare(usize),
    Formula(Linear<usize>),
}

/// Our answer.
pub enum Ours {
    Probability(Answer),
    Expected(Expected),
    None(String),
}

impl Ours {
    /// Whether there is an answer.
    pub fn is_there(&self) -> bool {
        !matches!(self, Ours::None(_))
    }

    pub fn has_fraction(&self) -> bool {
        match self {
            Ours::Probability(answer) | Ours::Expected(Expected::Finite(answer)) => answer.fraction.is_some(),
            Ours::Expected(Expected::Infinite) | Ours::None(_) => false,
        }
    }

    /// Whether Storm says the same, and if not, how they differ.
    pub fn agrees(&self, said: &Said) -> Result<(), String> {
        let answer = match (self, said) {
            (Ours::None(why), _) => return Err(format!("no answer of ours: {why}")),
            (_, Said::Error(why)) => return Err(format!("no answer of Storm: {why}")),
            (Ours::Expected(Expected::Infinite), Said::Infinite) => return Ok(()),
            (Ours::Expected(Expected::Infinite), said) => return Err(format!("infinite, Storm {said:?}")),
            (Ours::Probability(answer) | Ours::Expected(Expected::Finite(answer)), _) => answer,
        };
        let Said::Value { value, exact } = said else { return Err(format!("{answer:?}, Storm infinite")) };
        // Storm's fraction was rounded once.
        let inside = answer.bounds.low.next_down() <= *value && *value <= answer.bounds.high.next_up();
        if !inside || !answer.is_within(1e-9) {
            return Err(format!("{:?}, Storm {value} = {exact}", answer.bounds));
        }
        match &answer.fraction {
            Some(fraction) if fraction.to_string() != *exact => Err(format!("{fraction}, Storm {exact}")),
            _ => Ok(()),
        }
    }
}

/// In the syntax of Storm.
pub fn text(question: &Question, export: &ProcessExport<'_>, optimum: Optimum) -> String {
    let label = |number: usize| export.label(number);
    let start = export.process.initial().len() != 1;
    // Where a state draws the initial one, it is none of those that count, and it is one step away.
    let or_start =
        |number: usize| if start { format!("({} | \"start\")", label(number)) } else { label(number) };
    let bound = |within: Option<u64>| within.map_or(String::new(), |n| format!("<={}", n + u64::from(start)));
    let end = match optimum {
        Optimum::Chain => "",
        Optimum::Min => "min",
        Optimum::Max => "max",
    };
    match question {
        Question::Until { hold, goal, within } => {
            format!("P{end}=? [{} U{} {}]", or_start(*hold), bound(*within), label(*goal))
        }
        Question::Eventually { goal, within } => format!("P{end}=? [F{} {}]", bound(*within), label(*goal)),
        Question::Always(hold) => format!("P{end}=? [G {}]", or_start(*hold)),
        Question::After(steps, goal) => {
            format!("P{end}=? [{}]", export.path(&ClaimPath::After(*steps, *goal)))
        }
        Question::Steps(goal) => format!("R{{\"steps\"}}{end}=? [F {}]", label(*goal)),
        Question::LongRun(number) | Question::TimeShare(number) => {
            format!("LRA{end}=? [{}]", label(*number))
        }
        Question::Time(goal) => format!("T{end}=? [F {}]", label(*goal)),
        Question::Formula(formula) => {
            format!("P{end}=? [{}]", export.path(&ClaimPath::Formula(formula.clone())))
        }
    }
}

/// As our engine answers.
pub fn ours(
    question: &Question,
    process: &Process,
    labels: &[Bits],
    optimum: Optimum,
    settings: &Settings,
) -> Ours {
    let stop = &|| false;
    let path = match question {
        Question::Until { hold, goal, within } => {
            Path::Until { hold: labels[*hold].clone(), goal: labels[*goal].clone(), within: *within }
        }
        Question::Eventually { goal, within } => Path::eventually(labels[*goal].clone(), *within),
        Question::Always(hold) => Path::Always { hold: labels[*hold].clone(), within: None },
        Question::After(steps, goal) => {
            let found =
                probability_after(process, &labels[*goal], u64::from(*steps), optimum, settings, stop);
            return found.map_or_else(|why| Ours::None(why.to_string()), Ours::Probability);
        }
        Question::Steps(goal) => {
            let found = expected_steps(process, &labels[*goal], optimum, settings, stop);
            return found.map_or_else(|why| Ours::None(why.to_string()), Ours::Expected);
        }
        Question::Time(goal) => {
            let found = expected_time(process, &labels[*goal], settings, stop);
            return found.map_or_else(|why| Ours::None(why.to_string()), Ours::Expected);
        }
        Question::LongRun(label) | Question::TimeShare(label) => {
            let share = if matches!(question, Question::LongRun(_)) { Share::Steps } else { Share::Time };
            let found = long_run(process, &labels[*label], share, settings, stop);
            return found.map_or_else(|why| Ours::None(why.to_string()), Ours::Probability);
        }
        Question::Formula(formula) => {
            let limits = FormulaLimits::default();
            let found = formula_probability(process, formula, labels, optimum, &limits, settings, stop);
            return found.map_or_else(|why| Ours::None(why.to_string()), Ours::Probability);
        }
    };
    let found = probability(process, &path, optimum, settings, stop);
    found.map_or_else(|why| Ours::None(why.to_string()), Ours::Probability)
}

/// Adds a process with questions. Ours are answered, in turn, on the process and on its quotient, with fractions and without.
pub fn add(
    batch: &mut Batch,
    whence: &str,
    process: &Process,
    labels: &[Bits],
    questions: &[Question],
    seed: u64,
) {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().map(str::to_string);
    let named: Vec<(String, Bits)> = names.zip(labels.iter().cloned()).collect();
    let export =
        ProcessExport { process, deadlocks: process.deadlocks(), labels: &named, remarks: &[], claims: &[] };
    let lumped = (seed % 2 == 1).then(|| {
        let lumped = lump(process, labels, &[], &|| false).expect("nobody stops it");
        let count = lumped.process.states();
        let mut quotient = vec![Bits::new(count); labels.len()];
        for (state, block) in lumped.block.iter().enumerate() {
            for (to, from) in quotient.iter_mut().zip(labels) {
                if from.contains(state) {
                    to.insert(*block as usize);
                }
            }
        }
        (lumped.process, quotient)
    });
    let (ours_process, ours_labels) =
        lumped.as_ref().map_or((process, labels), |(process, labels)| (process, labels.as_slice()));
    let fraction_states = if seed % 4 < 2 { 0 } else { 500 };
    let settings = Settings { fraction_states, ..Settings::default() };
    let optima: &[Optimum] =
        if process.is_chain() { &[Optimum::Chain] } else { &[Optimum::Min, Optimum::Max] };
    let mut asked = vec![];
    for question in questions {
        for optimum in optima {
            if matches!(question, Question::LongRun(_)) && *optimum != Optimum::Chain {
                continue;
            }
            // Rates with several initial states are a Markov automaton for Storm, whose decisions are none.
            let automaton = process.exits().is_some() && process.initial().len() != 1;
            let theirs = if automaton { Optimum::Max } else { *optimum };
            asked.push(Asked {
                whence: format!("{whence}, {} states", ours_process.states()),
                question: text(question, &export, theirs),
                ours: ours(question, ours_process, ours_labels, *optimum, &settings),
            });
        }
    }
    batch.add(drn(&export), asked);
}
