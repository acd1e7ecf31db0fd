//! The interpreter at a terminal: reads commands line by line, asks, and prints the answers. It has no program, only what
//! the answers say.

mod words;

pub use words::words;

use crate::output::{Target, Unwritable};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use swarmcheck_session::interpreter::{
    ChoiceData, InterpreterRefusal, InterpreterReply, InterpreterRequest, LISTED, Legend, PropertyTruth,
    StartsData, StateData, TraceData, Truth, WalkEnd, text,
};
use swarmcheck_session::listing::{Listing, Style};
use swarmcheck_session::words::{count, fault};

/// How a conversation ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The person leaves, or the input ends.
    Left,
    /// The model is wrong: it has no initial state, or a step has met an error.
    Model,
    /// No initial state was found.
    Undecided,
}

/// Whoever answers.
type Ask<'a> = &'a mut dyn FnMut(InterpreterRequest) -> InterpreterReply;

const HELP: &str = "type the number of a step, b to go back, g N to go to step N, s for the state, i to list initial states \
                    and i N to start from one, i such that PREDICATE to list some, n for the next step of a trace, r N [SEED] [until \
                    PREDICATE] for random steps, w FILE to save the run as a trace, q to quit";

/// Asks for every step until the person leaves or the input ends.
pub fn interactive(
    ask: &mut dyn FnMut(InterpreterRequest) -> InterpreterReply,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<End> {
    let legend = match ask(InterpreterRequest::Legend) {
        InterpreterReply::Legend { legend } => legend,
        _ => Legend::default(),
    };
    let listing = Listing::new(legend.clone(), Style::default());
    let mut session = Session { legend, listing, known: vec![], out };
    let mut state = match ask(InterpreterRequest::State) {
        InterpreterReply::State { state } => state,
        reply => return session.impossible(&reply),
    };
    session.begin(&state)?;
    if let Some(trace) = &state.trace {
        let steps = count(trace.steps, "step");
        writeln!(session.out, "<a trace of {steps}: n takes the next one>")?;
    }
    loop {
        let choices = match ask(InterpreterRequest::Choices) {
            InterpreterReply::Choices { choices } => choices,
            reply => return session.impossible(&reply),
        };
        session.list(&choices)?;
        // Until a command leads somewhere, the list stays valid.
        loop {
            write!(session.out, "step {}> ", state.step + 1)?;
            session.out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(session.out)?;
                return Ok(End::Left);
            }
            match session.command(&line, &state, choices.len(), ask)? {
                Next::Ask => {}
                Next::Moved(to) => {
                    state = *to;
                    break;
                }
                Next::End(end) => return Ok(end),
            }
        }
    }
}

/// What a command leads to.
enum Next {
    /// To the next question about the same state.
    Ask,
    /// To another state.
    Moved(Box<StateData>),
    /// To the end.
    End(End),
}

/// What is known at this end.
struct Session<'a> {
    legend: Legend,
    /// Tells steps as traces are told.
    listing: Listing,
    /// What was last said of the properties.
    known: Vec<PropertyTruth>,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    fn command(&mut self, line: &str, now: &StateData, choices: usize, ask: Ask<'_>) -> io::Result<Next> {
        let such_that = line.trim().strip_prefix("i such that ").map(str::trim);
        if let Some(predicate) = such_that {
            let such_that = Some(predicate.to_string());
            match ask(InterpreterRequest::Starts { limit: LISTED, such_that }) {
                InterpreterReply::Starts(starts) if starts.starts.is_empty() => {
                    let none = if starts.more { "was found" } else { "satisfies it" };
                    writeln!(self.out, "no initial state {none}")?;
                }
                InterpreterReply::Starts(starts) => self.starts(&starts, "and more")?,
                reply => return self.moved(reply, now),
            }
            return Ok(Next::Ask);
        }
        if let Some(request) = random(line, now.step) {
            return self.moved(ask(request), now);
        }
        let mut words = line.split_whitespace();
        match (words.next().unwrap_or("?"), words.next(), words.next()) {
            ("q", None, None) => return Ok(Next::End(End::Left)),
            ("?" | "h", None, None) => writeln!(self.out, "{HELP}")?,
            ("s", None, None) => self.show(now)?,
            ("b", None, None) => return self.moved(ask(InterpreterRequest::Back), now),
            ("n", None, None) => return self.moved(ask(InterpreterRequest::Next), now),
            ("i", None, None) => match ask(InterpreterRequest::Starts { limit: LISTED, such_that: None }) {
                InterpreterReply::Starts(starts) => {
                    self.starts(&starts, "and more: i N takes any of them")?;
                }
                reply => return self.moved(reply, now),
            },
            ("i", Some(word), None) => {
                let start = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                let reply = start.map(|start| ask(InterpreterRequest::StartAt { start }));
                if let Some(InterpreterReply::State { state }) = reply {
                    self.begin(&state)?;
                    return Ok(Next::Moved(Box::new(state)));
                }
                writeln!(self.out, "there is no initial state {word:?}; i lists them")?;
            }
            ("w", Some(path), None) => match ask(InterpreterRequest::Trace) {
                InterpreterReply::Trace { trace } => match save(path, &trace) {
                    Ok(()) => writeln!(self.out, "<saved in {path}>")?,
                    Err(why) => writeln!(self.out, "{why}")?,
                },
                reply => return self.moved(reply, now),
            },
            ("g", Some(word), None) => match word.parse() {
                Ok(step) => return self.moved(ask(InterpreterRequest::GoTo { step }), now),
                Err(_) => writeln!(self.out, "{word:?} is no number of a step; {HELP}")?,
            },
            (word, None, None) => match word.parse::<usize>() {
                Ok(n) if (1..=choices).contains(&n) => {
                    return self.moved(ask(InterpreterRequest::Take { choice: n - 1 }), now);
                }
                _ => writeln!(self.out, "there is no step {word:?}; {HELP}")?,
            },
            _ => writeln!(self.out, "{:?} is not understood; {HELP}", line.trim())?,
        }
        Ok(Next::Ask)
    }

    /// Shows where a request has led.
    fn moved(&mut self, reply: InterpreterReply, before: &StateData) -> io::Result<Next> {
        let state = match reply {
            InterpreterReply::Taken { step, state } => {
                self.listing.go_to(before.step, &before.values);
                write!(self.out, "{}", self.listing.step(&step))?;
                self.properties(&state.properties, "becomes")?;
                self.end_of_trace(&state)?;
                state
            }
            InterpreterReply::Walked { steps, state, why } => {
                self.listing.go_to(before.step, &before.values);
                for step in &steps {
                    write!(self.out, "{}", self.listing.step(step))?;
                }
                self.properties(&state.properties, "becomes")?;
                match &why {
                    WalkEnd::Until => writeln!(self.out, "<the predicate holds>")?,
                    WalkEnd::Error(error) => writeln!(self.out, "<model error: {}>", fault(error))?,
                    // The list of steps shows a deadlock.
                    WalkEnd::Steps | WalkEnd::Deadlock => {}
                }
                state
            }
            InterpreterReply::State { state } => {
                let ahead = state.step > before.step;
                writeln!(self.out, "<{} to step {}>", if ahead { "on" } else { "back" }, state.step)?;
                self.properties(&state.properties, "is")?;
                if ahead {
                    self.end_of_trace(&state)?;
                }
                state
            }
            InterpreterReply::Refused { refusal: InterpreterRefusal::ModelError { error } } => {
                writeln!(self.out, "<model error: {}>", fault(&error))?;
                return Ok(Next::End(End::Model));
            }
            InterpreterReply::Refused { refusal } => {
                writeln!(self.out, "{}", words(&refusal))?;
                return Ok(Next::Ask);
            }
            InterpreterReply::Legend { .. }
            | InterpreterReply::Choices { .. }
            | InterpreterReply::Trace { .. }
            | InterpreterReply::Starts(_) => {
                return Ok(Next::Ask);
            }
        };
        Ok(Next::Moved(Box::new(state)))
    }

    fn end_of_trace(&mut self, state: &StateData) -> io::Result<()> {
        match &state.trace {
            Some(trace) if trace.followed && trace.steps == state.step => match trace.loop_start {
                Some(to) => writeln!(self.out, "<the trace goes on from step {to} for ever>"),
                None => writeln!(self.out, "<end of the trace>"),
            },
            _ => Ok(()),
        }
    }

    /// There is no state to show.
    fn impossible(&mut self, reply: &InterpreterReply) -> io::Result<End> {
        match reply {
            InterpreterReply::Refused { refusal: InterpreterRefusal::ModelError { error } } => {
                writeln!(self.out, "model error in the initial state: {}", fault(error))?;
            }
            InterpreterReply::Refused { refusal } => {
                writeln!(self.out, "{}", words(refusal))?;
                if matches!(refusal, InterpreterRefusal::InitialStateNotFound { .. }) {
                    return Ok(End::Undecided);
                }
            }
            _ => {}
        }
        Ok(End::Model)
    }

    /// Shows an initial state.
    fn begin(&mut self, state: &StateData) -> io::Result<()> {
        write!(self.out, "{}", self.listing.initial(&state.values, None))?;
        self.known.clear();
        self.properties(&state.properties, "is")
    }

    fn show(&mut self, state: &StateData) -> io::Result<()> {
        for line in text::values_data(&self.legend, &state.values) {
            writeln!(self.out, "{line}")?;
        }
        for line in text::automata_data(&self.legend, &state.automata) {
            writeln!(self.out, "{line}")?;
        }
        if state.values.is_empty() && state.automata.is_empty() {
            writeln!(self.out)?;
        }
        for pending in &state.pending {
            let who = self.legend.agent_name(pending.agent);
            writeln!(self.out, "{who} has to send: {}", pending.messages.join(", "))?;
        }
        Ok(())
    }

    /// Prints the predicates whose truth is not what it was when last printed.
    fn properties(&mut self, now: &[PropertyTruth], is: &str) -> io::Result<()> {
        for property in now.iter().filter(|p| !self.known.contains(p)) {
            let name = &property.name;
            match &property.truth {
                Truth::True => writeln!(self.out, "     {name} {is} true")?,
                Truth::False => writeln!(self.out, "     {name} {is} false")?,
                Truth::Error(error) => writeln!(self.out, "     {name}: model error: {}", fault(error))?,
            }
        }
        self.known = now.to_vec();
        Ok(())
    }

    fn list(&mut self, choices: &[ChoiceData]) -> io::Result<()> {
        if choices.is_empty() {
            writeln!(self.out, "<deadlock>")?;
        }
        let lines: Vec<String> = choices.iter().map(|choice| self.choice(choice)).collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        lines.iter().for_each(|line| *times.entry(line).or_default() += 1);
        for (i, (line, choice)) in lines.iter().zip(choices).enumerate() {
            // Steps may differ in where they lead the agent only, above all with early choice.
            let place = match choice {
                ChoiceData::Step { locations, .. } if times[line.as_str()] > 1 => place(locations),
                _ => String::new(),
            };
            writeln!(self.out, "{:4}. {line}{place}", i + 1)?;
        }
        Ok(())
    }

    /// A step in one line.
    fn choice(&self, choice: &ChoiceData) -> String {
        match choice {
            ChoiceData::Step { step, .. } => text::choice_data(&self.legend, step),
            ChoiceData::ModelError { agent, error } => {
                format!("{}: model error: {}", self.legend.agent_name(*agent), fault(error))
            }
        }
    }

    /// Lists initial states: what the first of them is, and in what the others differ from it.
    fn starts(&mut self, starts: &StartsData, more: &str) -> io::Result<()> {
        let mut first: Vec<String> = vec![];
        for (i, values) in starts.starts.iter().enumerate() {
            let cells = text::values_data(&self.legend, values).into_iter().map(|l| l.trim().to_string());
            let cells: Vec<String> = cells.collect();
            let differing: Vec<&str> =
                cells.iter().filter(|cell| !first.contains(cell)).map(String::as_str).collect();
            writeln!(self.out, "{:4}. {}", i + 1, differing.join("; "))?;
            if first.is_empty() {
                first = cells;
            }
        }
        if starts.more {
            writeln!(self.out, "      {more}")?;
        }
        Ok(())
    }
}

/// `r N [SEED] [until PREDICATE]`. Without a seed it is the number of steps so far, so that runs can be repeated.
fn random(line: &str, step: usize) -> Option<InterpreterRequest> {
    let line = line.trim();
    let (numbers, until) = match line.split_once(" until ") {
        Some((numbers, predicate)) => (numbers, Some(predicate.trim().to_string())),
        None => (line, None),
    };
    let words: Vec<&str> = numbers.split_whitespace().collect();
    let (steps, seed) = match words[..] {
        ["r", steps] => (steps.parse().ok()?, step as u64),
        ["r", steps, seed] => (steps.parse().ok()?, seed.parse().ok()?),
        _ => return None,
    };
    Some(InterpreterRequest::Random { steps, seed, until })
}

/// Writes a trace to a file.
fn save(path: &str, trace: &TraceData) -> Result<(), String> {
    let text = serde_json::to_string_pretty(trace).map_err(|e| e.to_string())? + "\n";
    let target = Target::new(path).map_err(|why| match why {
        Unwritable::NoDirectory(directory) => format!("there is no directory {directory}"),
        Unwritable::Other(why) => why,
    })?;
    target.write(text.as_bytes())
}

/// Where the agent will be in its process, in the words of `show --as triples`.
fn place(locations: &[i64]) -> String {
    let parts: Vec<String> =
        locations.iter().enumerate().map(|(pc, location)| format!("pc{pc} = {location}")).collect();
    format!(" [then {}]", parts.join(", "))
}

#[cfg(test)]
mod tests;
