//! Programs written by hand and swarmcheck, side by side: the tasks, one round of measuring, and what must agree.

use crate::byhand::{Model, Question, Schedule};
use crate::checker::{Answer, Checker};
use crate::figures::whole;
use crate::measured::{self, Cost};
use crate::tables::{Row, Table};
use std::path::PathBuf;
use std::str::FromStr;

/// One model and one question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// The model.
    pub model: Model,
    /// The question.
    pub question: Question,
}

impl Task {
    /// What it is called, as in `leader 8 settle`.
    pub fn name(&self) -> String {
        format!("{} {}", self.model, self.question)
    }

    /// Whether two threads are measured as well: for the largest searches.
    pub fn two_threads(&self) -> bool {
        matches!(self.model, Model::Flock(_))
    }
}

/// Reads the name of a task.
impl FromStr for Task {
    type Err = String;

    fn from_str(text: &str) -> Result<Task, String> {
        let wrong = || format!("{text:?} is no task; examples are `leader 8 settle`, `flock fair explore`");
        let (model, question) = text.rsplit_once(' ').ok_or_else(wrong)?;
        let question = match question {
            "explore" => Question::Explore,
            "settle" => Question::Settle,
            _ => return Err(wrong()),
        };
        Ok(Task { model: model.parse()?, question })
    }
}

/// All of them, in the order of the report.
pub fn tasks() -> Vec<Task> {
    use Schedule::{Free, RoundRobin};
    let mut models = vec![];
    models.extend((6..=8).map(Model::Leader));
    models.extend((2..=4).map(Model::Twophase));
    models.extend([RoundRobin, Free].map(Model::Flock));
    models.extend([RoundRobin, Free].map(Model::Formation));
    let settling = models.clone();
    models.extend((6..=8).map(Model::Philosophers));
    let task = |question| move |model| Task { model, question };
    let explore = models.into_iter().map(task(Question::Explore));
    explore.chain(settling.into_iter().map(task(Question::Settle))).collect()
}

/// What everybody has to find.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// `holds` or `violated`.
    pub verdict: String,
    /// States without reductions.
    pub states: u64,
    /// Transitions without reductions.
    pub transitions: u64,
}

/// What the table of limits says of a task. Counts depend on the model alone, so any row that has them will do.
pub fn expected(table: &Table, task: &Task) -> Option<Expected> {
    let (file, parameters, options) = task.model.arguments();
    let rows =
        || table.rows.iter().filter(|r| r.file == file && r.parameters == parameters && r.options == options);
    let counted: &Row = rows().find(|r| r.states.is_some() && r.transitions.is_some())?;
    let property = task.model.property(task.question);
    let verdict = match rows().find(|r| r.property == property) {
        Some(row) => row.verdict.clone(),
        // Invariants that serve to visit every state hold.
        None if task.question == Question::Explore => "holds".to_string(),
        None => return None,
    };
    Some(Expected { verdict, states: counted.states?, transitions: counted.transitions? })
}

/// The programs to run.
pub struct Tools {
    /// This program, which has the ones written by hand inside.
    pub itself: PathBuf,
    /// Ours.
    pub checker: Checker,
}

/// The least of what several runs have cost.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Seconds of user time.
    pub user: f64,
    /// Seconds on the clock.
    pub wall: f64,
    /// Peak resident memory in bytes.
    pub memory: u64,
}

impl Default for Best {
    fn default() -> Best {
        Best { user: f64::INFINITY, wall: f64::INFINITY, memory: u64::MAX }
    }
}

impl Best {
    fn add(&mut self, cost: &Cost) {
        self.user = self.user.min(cost.user);
        self.wall = self.wall.min(cost.wall);
        self.memory = self.memory.min(cost.memory);
    }
}

/// What all runs of a task have given.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The task.
    pub task: Task,
    /// What had to be found.
    pub expected: Expected,
    /// Written by hand.
    pub hand: Best,
    /// Ours, every state, one thread.
    pub ours: Best,
    /// The same with two threads.
    pub two: Option<Best>,
    /// Ours with reductions, one thread.
    pub reduced: Best,
    /// States that are visited with reductions.
    pub reduced_states: u64,
    /// What was not as it must be.
    pub complaints: Vec<String>,
}

impl Measured {
    /// Nothing was run yet.
    pub fn new(task: Task, expected: Expected) -> Measured {
        let none = Best::default();
        let two = task.two_threads().then_some(none);
        Measured {
            task,
            expected,
            hand: none,
            ours: none,
            two,
            reduced: none,
            reduced_states: 0,
            complaints: vec![],
        }
    }

    /// Runs everybody once, one after the other, so that a change of the machine's speed meets all of them.
    pub fn round(&mut self, tools: &Tools) {
        match self.by_hand(tools) {
            Ok(cost) => self.hand.add(&cost),
            Err(why) => self.complain(format!("by hand: {why}")),
        }
        if let Some(answer) = self.swarmcheck(tools, 1, true) {
            self.ours.add(&answer.cost);
        }
        if self.two.is_some()
            && let Some(answer) = self.swarmcheck(tools, 2, true)
            && let Some(two) = &mut self.two
        {
            two.add(&answer.cost);
        }
        if let Some(answer) = self.swarmcheck(tools, 1, false) {
            self.reduced.add(&answer.cost);
            self.reduced_states = answer.states;
        }
    }

    /// The program written by hand, in a process of its own, so that its memory is not ours.
    fn by_hand(&self, tools: &Tools) -> Result<Cost, String> {
        let states = self.expected.states.to_string();
        let arguments = ["--by-hand", &self.task.name(), "--states", &states].map(String::from);
        let (folder, limit) = (&tools.checker.root, tools.checker.limit);
        let run =
            measured::run(tools.itself.as_os_str(), &arguments, folder, limit).map_err(|e| e.to_string())?;
        if run.late {
            return Err(format!("no answer in {limit} s"));
        }
        let words: Vec<&str> = run.output.split_whitespace().collect();
        let [verdict, states, transitions] = words.as_slice() else {
            return Err(format!("exit {:?}: {}", run.code, run.errors.trim()));
        };
        let count = |word: &str| word.parse::<u64>().map_err(|_| format!("{word:?} is not a number"));
        difference(&self.expected, verdict, Some([count(states)?, count(transitions)?]))?;
        Ok(run.cost)
    }

    /// An answer of ours, if it is right.
    fn swarmcheck(&mut self, tools: &Tools, threads: u64, unreduced: bool) -> Option<Answer> {
        let checker = Checker { threads, unreduced, ..tools.checker.clone() };
        let (file, parameters, options) = self.task.model.arguments();
        let answer = checker.ask(file, &parameters, options, self.task.model.property(self.task.question));
        let counts = unreduced.then_some([answer.states, answer.transitions]);
        match difference(&self.expected, &answer.verdict, counts) {
            Ok(()) => Some(answer),
            Err(why) => {
                let how = if unreduced { "every state" } else { "reductions" };
                // Where there is no verdict, the evidence is the reason.
                let answered = ["holds", "violated"].contains(&answer.verdict.as_str());
                let reason = if answered { "" } else { &answer.evidence };
                self.complain(format!("swarmcheck, {how}, threads {threads}: {why} {reason}"));
                None
            }
        }
    }

    fn complain(&mut self, why: String) {
        let complaint = format!("{}: {}", self.task.name(), why.trim());
        if !self.complaints.contains(&complaint) {
            self.complaints.push(complaint);
        }
    }
}

/// An error if an answer is not as it must be.
fn difference(expected: &Expected, verdict: &str, counts: Option<[u64; 2]>) -> Result<(), String> {
    if verdict == "unknown" {
        return Err("no answer within the limits:".to_string());
    }
    if verdict != expected.verdict {
        return Err(format!("{verdict}, must be {}", expected.verdict));
    }
    let must = [expected.states, expected.transitions];
    match counts {
        Some(counts) if counts != must => {
            let text = |[states, transitions]: [u64; 2]| {
                format!("{} states and {} transitions", whole(states), whole(transitions))
            };
            Err(format!("{}, must be {}", text(counts), text(must)))
        }
        _ => Ok(()),
    }
}

/// The answer of a program written by hand, as `by_hand` reads it: the verdict and the counts.
pub fn run_by_hand(task: &Task, most: usize) -> Result<String, String> {
    let found = task.model.run(task.question, most)?;
    let verdict = if found.lost.unwrap_or(0) == 0 { "holds" } else { "violated" };
    Ok(format!("{verdict} {} {}", found.states, found.transitions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables;

    #[test]
    fn every_task_has_a_name_and_an_expected_answer() {
        let table = tables::read("limits", include_str!("../tables/limits.md")).unwrap();
        for task in tasks() {
            assert_eq!(task.name().parse(), Ok(task));
            assert!(expected(&table, &task).is_some(), "{}", task.name());
        }
        let lines = Task { model: Model::Formation(Schedule::RoundRobin), question: Question::Settle };
        let must = Expected { verdict: "violated".into(), states: 491_785, transitions: 1_667_462 };
        assert_eq!(expected(&table, &lines), Some(must));
        assert!("leader 8".parse::<Task>().is_err() && "leader settle".parse::<Task>().is_err());
        let unknown = Task { model: Model::Leader(9), question: Question::Settle };
        assert_eq!(expected(&table, &unknown), None);
    }

    #[test]
    fn differences_are_noticed() {
        let must = Expected { verdict: "holds".into(), states: 7, transitions: 9 };
        assert_eq!(difference(&must, "holds", Some([7, 9])), Ok(()));
        assert_eq!(difference(&must, "holds", None), Ok(()));
        assert!(difference(&must, "unknown", None).unwrap_err().starts_with("no answer"));
        assert_eq!(difference(&must, "violated", Some([7, 9])).unwrap_err(), "violated, must be holds");
        for counts in [[7, 8], [6, 9]] {
            assert!(difference(&must, "holds", Some(counts)).unwrap_err().contains("must be 7 states and 9"));
        }
    }

    #[test]
    fn programs_answer_with_verdict_and_counts() {
        let run = |name: &str, most| run_by_hand(&name.parse().unwrap(), most);
        // The counts are those of the table of limits.
        assert_eq!(run("leader 3 settle", 106), Ok("holds 106 366".to_string()));
        // All philosophers can take their first fork.
        assert!(run("philosophers 2 settle", 64).unwrap().starts_with("violated "));
        assert!(run("leader 3 settle", 5).is_err());
    }

    #[test]
    fn the_best_of_several_runs_is_kept() {
        let mut best = Best::default();
        best.add(&Cost { cpu: 3.0, user: 2.0, wall: 9.0, memory: 5 });
        best.add(&Cost { cpu: 3.0, user: 2.5, wall: 8.0, memory: 6 });
        assert_eq!((best.user, best.wall, best.memory), (2.0, 8.0, 5));
    }
}
