//! A run in which a person chooses every step, over a line-based terminal.

use crate::exit::Exit;
use crate::open::Prepared;
use crate::sink::blame;
use crate::walk::Plan;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use swarmcheck_engine::system::initial_states;
use swarmcheck_engine::trace::text;
use swarmcheck_engine::trace::view::Clock;
use swarmcheck_ir::flat::Machine;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Fault, Modality, Value, VarId};
use swarmcheck_simulate::{Menu, Offer, Rng, Run, Start};

/// Asks for every step until the person leaves or the input ends. With a plan, the person can also follow that.
pub fn interactive(
    prepared: &Prepared,
    seed: u64,
    plan: Option<Plan>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let start = match &plan {
        Some(plan) => plan.initial.clone(),
        None => match Run::start(&prepared.flat, Rng::for_run(seed, 0), &|| false) {
            Ok(Start::Ready(run)) => run.state().to_vec(),
            Ok(Start::Stopped) => return Ok(Exit::Interrupted),
            Ok(Start::Impossible) => {
                writeln!(out, "no initial state satisfies the assumptions")?;
                return Ok(Exit::Model);
            }
            Err(fault) => {
                writeln!(out, "model error in the initial state: {}", blame(prepared, fault))?;
                return Ok(Exit::Model);
            }
        },
    };
    let mut at = Where::begin(prepared, start, out)?;
    if let Some(plan) = &plan {
        writeln!(out, "<a trace of {} steps: n takes the next one>", plan.steps.len())?;
    }
    loop {
        let offers = at.menu.offers();
        list(prepared, at.clock(), &offers, out)?;
        let offer = loop {
            write!(out, "step {}> ", at.menu.depth() + 1)?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(out)?;
                return Ok(Exit::Fine);
            }
            let mut words = line.split_whitespace();
            match (words.next().unwrap_or("?"), words.next()) {
                ("q", None) => return Ok(Exit::Fine),
                ("?" | "h", None) => writeln!(out, "{HELP}")?,
                ("s", None) => write!(out, "{}", state(prepared, at.clock(), &at.menu))?,
                ("b", None) => {
                    if at.back(out)? {
                        break None;
                    }
                    writeln!(out, "this is the initial state")?;
                }
                ("n", None) => match at.planned(plan.as_ref(), &offers) {
                    Ok(offer) => break Some(offer),
                    Err(why) => writeln!(out, "{why}")?,
                },
                ("i", None) => starts(prepared, out)?,
                ("i", Some(word)) => match word.parse().ok().and_then(|n| nth_start(prepared, n)) {
                    Some(state) => {
                        at = Where::begin(prepared, state, out)?;
                        break None;
                    }
                    None => writeln!(out, "there is no initial state {word:?}; i lists them")?,
                },
                (word, None) => match word.parse::<usize>() {
                    Ok(n) if (1..=offers.len()).contains(&n) => break Some(&offers[n - 1]),
                    _ => writeln!(out, "there is no step {word:?}; {HELP}")?,
                },
                _ => writeln!(out, "{:?} is not understood; {HELP}", line.trim())?,
            }
        };
        let Some(offer) = offer else { continue };
        if let Err(fault) = &offer.step.result {
            writeln!(out, "<model error: {}>", blame(prepared, *fault))?;
            return Ok(Exit::Model);
        }
        at.take(offer, out)?;
        if let Some(plan) = &plan
            && at.menu.depth() == plan.steps.len()
            && at.on(plan)
        {
            match plan.back_to {
                Some(to) => writeln!(out, "<the trace goes on from step {to} for ever>")?,
                None => writeln!(out, "<end of the trace>")?,
            }
        }
    }
}

/// Where the person is, and how they got there.
struct Where<'p> {
    prepared: &'p Prepared,
    menu: Menu<'p>,
    /// The clock of each state on the way, so that going back also takes timestamps back.
    clocks: Vec<Clock<'p>>,
    /// What was said of the properties.
    known: Vec<Result<bool, Fault>>,
}

impl<'p> Where<'p> {
    /// Starts in a state and shows it.
    fn begin(prepared: &'p Prepared, state: Vec<Value>, out: &mut dyn Write) -> io::Result<Where<'p>> {
        let clocks = vec![Clock::new(&prepared.flat, &state)];
        let mut at = Where { prepared, menu: Menu::new(&prepared.flat, state), clocks, known: vec![] };
        write!(out, "{}", text::initial(at.clock(), at.menu.state()))?;
        properties(prepared, &mut at.menu, &mut at.known, out)?;
        Ok(at)
    }

    fn clock(&self) -> &Clock<'p> {
        &self.clocks[self.clocks.len() - 1]
    }

    /// Goes back one step; `false` at the start.
    fn back(&mut self, out: &mut dyn Write) -> io::Result<bool> {
        if !self.menu.back() {
            return Ok(false);
        }
        self.clocks.pop();
        writeln!(out, "<back to step {}>", self.menu.depth())?;
        properties(self.prepared, &mut self.menu, &mut self.known, out)?;
        Ok(true)
    }

    /// Takes a step and shows it.
    fn take(&mut self, offer: &Offer, out: &mut dyn Write) -> io::Result<()> {
        self.menu.take(offer);
        let mut clock = self.clock().clone();
        let assigned = clock.step(offer.step.instance, &offer.writes, self.menu.state());
        write!(out, "{}", text::step(&self.prepared.flat, offer.step.instance, &assigned))?;
        self.clocks.push(clock);
        properties(self.prepared, &mut self.menu, &mut self.known, out)
    }

    /// The step of the plan that comes now, or why there is none.
    fn planned<'o>(&self, plan: Option<&Plan>, offers: &'o [Offer]) -> Result<&'o Offer, &'static str> {
        let plan = plan.ok_or("there is no trace to follow; --walk FILE loads one")?;
        let left = "this is not a state of the trace; b goes back";
        if !self.on(plan) {
            return Err(left);
        }
        let (instance, state) = plan.steps.get(self.menu.depth()).ok_or("the trace ends here")?;
        let next = |o: &&Offer| o.step.instance == *instance && o.step.result.as_ref() == Ok(state);
        offers.iter().find(next).ok_or(left)
    }

    /// Whether this state is the one the plan has after so many steps.
    fn on(&self, plan: &Plan) -> bool {
        let planned = match self.menu.depth() {
            0 => Some(&plan.initial),
            n => plan.steps.get(n - 1).map(|(_, state)| state),
        };
        planned.is_some_and(|state| state == self.menu.state())
    }
}

const HELP: &str = "type the number of a step, b to go back, s for the state, i to list initial states and i N to start \
                    from one, n for the next step of a trace, q to quit";

/// How many initial states are listed.
const LISTED: usize = 20;

/// Lists initial states: what the first of them is, and in what the others differ from it.
fn starts(prepared: &Prepared, out: &mut dyn Write) -> io::Result<()> {
    let mut lines: Vec<String> = vec![];
    let mut first: Vec<String> = vec![];
    each_start(prepared, &mut |state| {
        let shown = text::initial(&Clock::new(&prepared.flat, state), state);
        let cells: Vec<String> =
            shown.lines().filter(|l| !l.starts_with('<')).map(|l| l.trim().to_string()).collect();
        let differing = cells.iter().filter(|cell| !first.contains(cell));
        let words: Vec<&str> = differing.map(String::as_str).collect();
        lines.push(format!("{:4}. {}", lines.len() + 1, words.join("; ")));
        if first.is_empty() {
            first = cells;
        }
        lines.len() <= LISTED
    });
    let more = lines.len() > LISTED;
    for line in lines.iter().take(LISTED) {
        writeln!(out, "{line}")?;
    }
    if more {
        writeln!(out, "      and more: i N takes any of them")?;
    }
    Ok(())
}

/// The initial state with this number, counted from 1.
fn nth_start(prepared: &Prepared, number: usize) -> Option<Vec<Value>> {
    let (mut count, mut found) = (0, None);
    each_start(prepared, &mut |state| {
        count += 1;
        if count == number {
            found = Some(state.to_vec());
        }
        count < number
    });
    found
}

/// Calls `visit` with the initial states, each once as long as they are few, until it returns `false`.
fn each_start(prepared: &Prepared, visit: &mut dyn FnMut(&[Value]) -> bool) {
    let mut seen: BTreeSet<Vec<Value>> = BTreeSet::new();
    let mut machine = Machine::new(&prepared.flat);
    // A model whose initial block is in error has been reported before anybody could ask.
    let _ = initial_states(&prepared.flat, &mut machine, &mut |state| {
        !(seen.len() > MOST_TOLD_APART || seen.insert(state.to_vec())) || visit(state)
    });
}

/// Different choices may lead to the same initial state; beyond so many, nobody looks.
const MOST_TOLD_APART: usize = 100_000;

fn list(prepared: &Prepared, clock: &Clock<'_>, offers: &[Offer], out: &mut dyn Write) -> io::Result<()> {
    if offers.is_empty() {
        writeln!(out, "<deadlock>")?;
    }
    let mut lines: Vec<String> = vec![];
    for offer in offers {
        lines.push(match &offer.step.result {
            Ok(after) => {
                let mut clock = clock.clone();
                let assigned = clock.step(offer.step.instance, &offer.writes, after);
                let lines = text::step(&prepared.flat, offer.step.instance, &assigned);
                lines.lines().filter(|l| !l.contains(": end ")).collect::<Vec<_>>().join("; ")
            }
            Err(fault) => {
                let who = prepared.flat.program.agent_name(offer.step.instance.agent);
                format!("{who}: model error: {}", blame(prepared, *fault))
            }
        });
    }
    for (i, line) in lines.iter().enumerate() {
        // Steps may differ in where they lead the agent only, above all with early choice.
        let twice = lines.iter().filter(|other| *other == line).count() > 1;
        let place = if twice { place(prepared, &offers[i]) } else { String::new() };
        writeln!(out, "{:4}. {line}{place}", i + 1)?;
    }
    Ok(())
}

/// Where the agent will be in its process, in the words of `show --as triples`.
fn place(prepared: &Prepared, offer: &Offer) -> String {
    let Ok(after) = &offer.step.result else { return String::new() };
    let vars = prepared.flat.program.vars.iter().enumerate().filter(|(_, v)| v.role == Role::Location);
    let slots =
        vars.filter_map(|(at, _)| prepared.flat.layout.copy(VarId(at as u32), offer.step.instance.agent));
    let parts: Vec<String> =
        slots.enumerate().map(|(pc, slot)| format!("pc{pc} = {}", after[slot as usize])).collect();
    format!(" [then {}]", parts.join(", "))
}

fn state(prepared: &Prepared, clock: &Clock<'_>, menu: &Menu<'_>) -> String {
    let whole = text::initial(clock, menu.state());
    let lines: Vec<&str> = whole.lines().filter(|l| !l.starts_with('<')).collect();
    let mut out = lines.join("\n") + "\n";
    for (agent, messages) in clock.pending(menu.state()) {
        out += &format!("{} has to send: {}\n", prepared.flat.program.agent_name(agent), messages.join(", "));
    }
    out
}

/// Prints the predicates whose truth is not what it was when last printed.
fn properties(
    prepared: &Prepared,
    menu: &mut Menu<'_>,
    known: &mut Vec<Result<bool, Fault>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (number, property) in prepared.flat.program.properties.iter().enumerate() {
        // A formula of linear time is not true or false of a state.
        if matches!(property.modality, Modality::Linear(_)) {
            continue;
        }
        let now = menu.holds(number);
        if known.get(number) == Some(&now) {
            continue;
        }
        match now {
            Ok(true) => writeln!(out, "<{} is true>", property.name)?,
            Ok(false) => writeln!(out, "<{} is false>", property.name)?,
            Err(fault) => writeln!(out, "<{}: model error: {}>", property.name, blame(prepared, fault))?,
        }
        known.resize(number.max(known.len()), Ok(false));
        known.splice(number..(number + 1).min(known.len()), [now]);
    }
    Ok(())
}
