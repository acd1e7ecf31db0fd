//! A run in which a person chooses every step, over a line-based terminal.

use crate::exit::Exit;
use crate::open::Prepared;
use crate::sink::blame;
use std::io::{self, BufRead, Write};
use swarmcheck_engine::trace::text;
use swarmcheck_engine::trace::view::Clock;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Fault, Modality, VarId};
use swarmcheck_simulate::{Menu, Offer, Rng, Run, Start};

/// Asks for every step until the person leaves or the input ends.
pub fn interactive(
    prepared: &Prepared,
    seed: u64,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let start = match Run::start(&prepared.flat, Rng::for_run(seed, 0), &|| false) {
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
    };
    let mut menu = Menu::new(&prepared.flat, start);
    // The clock of each state on the way, so that going back also takes timestamps back.
    let mut clocks = vec![Clock::new(&prepared.flat, menu.state())];
    write!(out, "{}", text::initial(&clocks[0], menu.state()))?;
    let mut known = vec![];
    properties(prepared, &mut menu, &mut known, out)?;
    loop {
        let offers = menu.offers();
        list(prepared, &clocks[clocks.len() - 1], &offers, out)?;
        let offer = loop {
            write!(out, "step {}> ", menu.depth() + 1)?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(out)?;
                return Ok(Exit::Fine);
            }
            match line.trim() {
                "q" => return Ok(Exit::Fine),
                "" | "?" | "h" => writeln!(out, "{HELP}")?,
                "s" => write!(out, "{}", state(prepared, &clocks[clocks.len() - 1], &menu))?,
                "b" => {
                    if menu.back() {
                        clocks.pop();
                        writeln!(out, "<back to step {}>", menu.depth())?;
                        properties(prepared, &mut menu, &mut known, out)?;
                        break None;
                    }
                    writeln!(out, "this is the initial state")?;
                }
                word => match word.parse::<usize>() {
                    Ok(n) if (1..=offers.len()).contains(&n) => break Some(&offers[n - 1]),
                    _ => writeln!(out, "there is no step {word:?}; {HELP}")?,
                },
            }
        };
        let Some(offer) = offer else { continue };
        if let Err(fault) = &offer.step.result {
            writeln!(out, "<model error: {}>", blame(prepared, *fault))?;
            return Ok(Exit::Model);
        }
        menu.take(offer);
        let mut clock = clocks[clocks.len() - 1].clone();
        let assigned = clock.step(offer.step.instance, &offer.writes, menu.state());
        write!(out, "{}", text::step(&prepared.flat, offer.step.instance, &assigned))?;
        clocks.push(clock);
        properties(prepared, &mut menu, &mut known, out)?;
    }
}

const HELP: &str = "type the number of a step, b to go back, s for the state, q to quit";

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
