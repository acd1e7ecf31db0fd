//! A dialogue with a solver: commands and their answers, and an end where somebody says so.

use crate::sexp::Sexp;
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_engine::{Control, Dialogue, Reason, SolverName};

/// What those who talk to solvers consult.
#[derive(Clone, Copy)]
pub struct Talk<'a> {
    /// When to stop, and who starts solvers.
    pub control: &'a Control<'a>,
    /// Somebody else has the answer.
    pub done: &'a AtomicBool,
}

impl Talk<'_> {
    /// Whether nobody needs an answer any more.
    pub fn is_over(&self) -> bool {
        self.done.load(Ordering::Relaxed) || self.control.stopped()
    }

    /// Those that are there, the preferred one first.
    pub fn there(&self) -> Vec<SolverName> {
        let solvers = self.control.progress.solvers();
        SolverName::ALL.into_iter().filter(|name| solvers.has(*name)).collect()
    }
}

/// What a solver says of assertions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Satisfiable {
    /// They are satisfiable.
    Yes,
    /// They are not.
    No,
    /// It does not know.
    Unknown,
}

/// A solver that was started.
pub struct Solver<'a> {
    dialogue: Box<dyn Dialogue>,
    talk: Talk<'a>,
    name: SolverName,
    /// Commands that were not sent yet.
    waiting: String,
    /// How many answers were marked.
    marks: u64,
}

impl<'a> Solver<'a> {
    /// Starts a solver.
    pub fn start(name: SolverName, talk: Talk<'a>) -> Result<Solver<'a>, Reason> {
        let dialogue = talk.control.progress.solvers().start(name).map_err(Reason::Unsupported)?;
        Ok(Solver { dialogue, talk, name, waiting: String::new(), marks: 0 })
    }

    /// The same, for formulas without quantifiers, with models.
    pub fn linear(name: SolverName, talk: Talk<'a>) -> Result<Solver<'a>, Reason> {
        let mut solver = Solver::start(name, talk)?;
        solver.say("(set-option :produce-models true)\n(set-logic QF_LIA)\n");
        Ok(solver)
    }

    /// Commands without an answer.
    pub fn say(&mut self, text: &str) {
        self.waiting += text;
    }

    /// The answers to commands.
    pub fn ask(&mut self, text: &str) -> Result<String, Reason> {
        // What follows the answer is known, so its end is.
        self.marks += 1;
        let mark = format!("answered-{}", self.marks);
        let all = format!("{}{text}\n(echo \"{mark}\")\n", std::mem::take(&mut self.waiting));
        let ended = |why: String| Reason::Unsupported(why);
        self.dialogue.say(&all).map_err(ended)?;
        let mut answer = String::new();
        loop {
            // A solver that has much to say does not keep anybody from stopping.
            if self.talk.is_over() {
                return Err(Reason::Interrupted);
            }
            match self.dialogue.hear().map_err(ended)? {
                Some(line) if line.trim().trim_matches('"') == mark => break,
                Some(line) => {
                    answer += &line;
                    answer.push('\n');
                }
                None => {}
            }
        }
        if answer.contains("(error") {
            let name = self.name.program();
            return Err(Reason::Internal(format!("{name} says {}", answer.trim())));
        }
        Ok(answer)
    }

    /// Whether the assertions are satisfiable together with these conditions, which are names of Boolean variables.
    pub fn check(&mut self, assumed: &[&str]) -> Result<Satisfiable, Reason> {
        let said = match assumed {
            [] => self.ask("(check-sat)")?,
            _ => self.ask(&format!("(check-sat-assuming ({}))", assumed.join(" ")))?,
        };
        match said.trim() {
            "sat" => Ok(Satisfiable::Yes),
            "unsat" => Ok(Satisfiable::No),
            "unknown" => Ok(Satisfiable::Unknown),
            other => Err(Reason::Internal(format!("{} says {other:?}", self.name.program()))),
        }
    }

    /// The values of names in the model of the last answer.
    pub fn values(&mut self, names: &[String]) -> Result<Vec<Sexp>, Reason> {
        if names.is_empty() {
            return Ok(vec![]);
        }
        let said = self.ask(&format!("(get-value ({}))", names.join(" ")))?;
        let unreadable = |why: String| Reason::Internal(format!("{}: {why}", self.name.program()));
        let Sexp::List(pairs) = Sexp::read(&said).map_err(unreadable)? else {
            return Err(unreadable("it gives no values".to_string()));
        };
        let value = |pair: Sexp| match pair {
            Sexp::List(mut pair) if pair.len() == 2 => pair.pop(),
            _ => None,
        };
        let values: Option<Vec<Sexp>> = pairs.into_iter().map(value).collect();
        let values = values.filter(|values| values.len() == names.len());
        values.ok_or_else(|| unreadable("it gives other values than those asked for".to_string()))
    }
}
