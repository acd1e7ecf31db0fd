//! The end of a listing: why no step is possible, what repeats for ever, what an error of the model met.

use super::circle::circles;
use super::pieces::{Piece, code, words};
use super::steps::{Line, action, causes, third_person};
use super::values::agents;
use swarmcheck_engine::Fairness;
use swarmcheck_engine::trace::data::{ACTION, TraceData};
use swarmcheck_engine::trace::explain::{FaultData, LoopData, ObstacleData, RepeatData, StillData, StopData};
use swarmcheck_engine::trace::explain::{StoppedData, WaitData, WriterData};
use swarmcheck_engine::trace::legend::Legend;
use swarmcheck_engine::trace::message::WhyRefused;

/// Of a longer circle, only the first agents are named.
const MOST_IN_CIRCLE: usize = 6;

/// More actions than this are not listed for one value that could change.
const MOST_WRITERS: usize = 6;

pub(super) fn lines(legend: &Legend, trace: &TraceData) -> Vec<Line> {
    let mut out = vec![];
    if !trace.because.is_empty() {
        let name = trace.property.as_deref().unwrap_or("the property");
        let title = match trace.loop_start {
            None => format!("in the last state, the predicate of {name}:"),
            Some(_) => format!("in the last state of the loop, the predicate of {name}:"),
        };
        out.push(Line::new(0, vec![words(title)]));
        out.extend(trace.because.iter().flat_map(|one| causes(1, vec![], one)));
    }
    if let Some(predicate) = &trace.reach {
        out.push(Line::new(0, vec![words("reached: "), code(crate::reach::one_line(predicate))]));
    }
    out.extend(super::formula::lines(trace));
    if let Some(repeats) = &trace.repeats {
        out.extend(repeated(legend, repeats, trace.fairness));
        out.extend(
            crate::words::fairness::of_loop(trace.fairness).map(|line| Line::new(0, vec![words(line)])),
        );
    }
    // A counterexample may end where no step is possible, even if that is not what it shows.
    if trace.end == "deadlock" || trace.stopped.is_some() {
        let title = Piece::Bad("no step is possible".to_string());
        out.push(Line::new(0, vec![title, words(if trace.stopped.is_some() { ":" } else { "" })]));
        out.extend(trace.stopped.iter().flat_map(|stop| stopped(legend, stop)));
    }
    if trace.meets_error() {
        if let Some(tried) = &trace.tried {
            let mut pieces = vec![Piece::Agent(legend.agent_name(tried.agent)), words(" tries")];
            match tried.rule == ACTION {
                true => pieces.extend(action(" line", &tried.what, Some(&tried.at))),
                false => pieces.extend([words(format!(" to {} ", tried.rule)), code(&tried.what)]),
            }
            out.push(Line::new(0, pieces));
        }
        let mut pieces = vec![Piece::Bad(trace.end.clone())];
        if let Some(fault) = &trace.fault {
            pieces.push(words(format!(": {}", fault_words(fault, legend))));
        }
        out.push(Line::new(0, pieces));
    }
    out
}

fn stopped(legend: &Legend, stop: &StopData) -> Vec<Line> {
    let mut out: Vec<Line> = vec![];
    let ended = stop.agents.iter().filter(|one| one.waits.is_empty()).map(|one| one.agent).collect();
    let mut told = Told { cells: vec![], ended };
    // Agents that wait for the same things for the same reasons are told together.
    let mut groups: Vec<(Vec<u32>, &[WaitData])> = vec![];
    for StoppedData { agent, waits } in &stop.agents {
        match groups.iter_mut().find(|(_, known)| *known == &waits[..]) {
            Some((who, _)) => who.push(*agent),
            None => groups.push((vec![*agent], waits)),
        }
    }
    for (who, waits) in groups {
        out.extend(waiting(legend, &who, waits, &mut told));
    }
    out.extend(circles(stop).into_iter().map(|circle| Line::new(1, in_a_circle(legend, &circle))));
    out
}

/// `in a circle: A 0 waits for A 1, A 1 waits for A 0`.
fn in_a_circle(legend: &Legend, circle: &[u32]) -> Vec<Piece> {
    let name = |agent: &u32| Piece::Agent(legend.agent_name(*agent));
    let mut out = vec![words("in a circle: ")];
    let next = circle.iter().cycle().skip(1);
    for (place, (agent, other)) in circle.iter().zip(next).enumerate() {
        if place == MOST_IN_CIRCLE {
            out.push(words(format!(", and so on through {} agents", circle.len())));
            break;
        }
        if place > 0 {
            out.push(words(", "));
        }
        out.extend([name(agent), words(" waits for "), name(other)]);
    }
    out
}

/// What is known besides the agent that waits.
#[derive(Default)]
struct Told {
    /// Cells of which it was said who could change them. Once is enough.
    cells: Vec<String>,
    /// Agents that have no action left.
    ended: Vec<u32>,
}

fn waiting(legend: &Legend, agents: &[u32], waits: &[WaitData], told: &mut Told) -> Vec<Line> {
    let mut out = vec![];
    let who = Piece::Agent(self::agents(legend, agents));
    let one = agents.len() == 1;
    if waits.is_empty() {
        let has = if one { " has no action left" } else { " have no action left" };
        return vec![Line::new(1, vec![who, words(has)])];
    }
    let passive = |wait: &&WaitData| matches!(wait.obstacles[..], [ObstacleData::Passive { .. }]);
    for wait in waits.iter().filter(|wait| !passive(wait)) {
        let mut pieces = vec![who.clone(), words(if one { " waits" } else { " wait" })];
        pieces.extend(action(" at line", &wait.what, wait.at.as_deref()));
        out.push(Line::new(1, pieces));
        for obstacle in &wait.obstacles {
            out.extend(in_the_way(legend, obstacle, told));
        }
    }
    let receives: Vec<String> = waits.iter().filter(passive).map(receive).collect();
    if !receives.is_empty() {
        out.push(Line::new(1, vec![who, words(format!(" would receive {}", receives.join(", ")))]));
    }
    out
}

/// `on c (line 29)`.
fn receive(wait: &WaitData) -> String {
    let line = wait.at.as_deref().and_then(|at| at.split(':').next()).unwrap_or("?");
    match wait.obstacles.first() {
        Some(ObstacleData::Passive { channel: Some(channel) }) => format!("on {channel} (line {line})"),
        _ => format!("if asked (line {line})"),
    }
}

fn in_the_way(legend: &Legend, obstacle: &ObstacleData, told: &mut Told) -> Vec<Line> {
    let name = |agent: &u32| Piece::Agent(legend.agent_name(*agent));
    let one = |pieces: Vec<Piece>| vec![Line::new(2, pieces)];
    match obstacle {
        ObstacleData::Guard { cause: why, writers } => {
            let mut out = causes(2, vec![], why);
            if writers.is_empty() && !why.values.is_empty() {
                out.push(Line::new(2, vec![words("nobody else can change that")]));
            }
            out.extend(could(legend, writers, told));
            out
        }
        ObstacleData::Turn { agent } => one(vec![words("it is the turn of "), name(agent)]),
        ObstacleData::Pending { messages } => {
            one(vec![words(format!("it has messages to send first: {}", messages.join(", ")))])
        }
        ObstacleData::Partner { agent } => {
            let is = if told.ended.contains(agent) { "has no action left" } else { "is elsewhere" };
            one(vec![words("needs "), name(agent), words(format!(", which {is}"))])
        }
        ObstacleData::Undefined { what } => one(vec![code(what), words(" is undefined")]),
        ObstacleData::NoChoice => one(vec![words("there is nothing to choose from")]),
        ObstacleData::Range { what } => {
            one(vec![code(what), words(" would leave the range of the variable")])
        }
        ObstacleData::Listener { agent, why: WhyRefused::SendGuard } => {
            one(vec![name(agent), words(" listens to the channel, but the send guard leaves it out")])
        }
        ObstacleData::Listener { agent, why: WhyRefused::NoReceive } => {
            one(vec![name(agent), words(" listens to the channel and has no receive that is enabled")])
        }
        ObstacleData::Passive { channel: Some(channel) } => {
            one(vec![words("somebody would have to send on "), code(channel)])
        }
        ObstacleData::Passive { channel: None } => one(vec![words("somebody would have to ask for it")]),
        ObstacleData::NoSupplier => one(vec![words("nobody can supply it")]),
    }
}

/// Who could change a value, a line for each value.
fn could(legend: &Legend, writers: &[WriterData], told: &mut Told) -> Vec<Line> {
    let mut cells: Vec<&str> = writers.iter().map(|w| w.cell.as_str()).collect();
    cells.dedup();
    cells.retain(|cell| told.cells.iter().all(|known| known != cell));
    told.cells.extend(cells.iter().map(|cell| cell.to_string()));
    let mut out = vec![];
    for cell in cells {
        let own: Vec<&WriterData> = writers.iter().filter(|w| w.cell == cell).collect();
        out.push(Line::new(2, vec![code(cell), words(" could be changed by")]));
        for writer in own.iter().take(MOST_WRITERS) {
            let mut pieces = vec![Piece::Agent(agents(legend, &writer.agents))];
            match writer.rule == ACTION {
                true => pieces.extend(action(", line", &writer.what, writer.at.as_deref())),
                false => {
                    pieces.extend([
                        words(format!(", when it {} ", third_person(&writer.rule))),
                        code(&writer.what),
                    ]);
                    let line = writer.at.as_deref().and_then(|at| at.split(':').next());
                    pieces.extend(line.map(|line| words(format!(" (line {line})"))));
                }
            }
            out.push(Line::new(3, pieces));
        }
        if own.len() > MOST_WRITERS {
            out.push(Line::new(3, vec![words(format!("and {} more", own.len() - MOST_WRITERS))]));
        }
    }
    out
}

fn repeated(legend: &Legend, repeats: &LoopData, fairness: Fairness) -> Vec<Line> {
    let mut out = vec![];
    // What each agent does is one line.
    let mut who: Vec<u32> = vec![];
    for one in &repeats.repeats {
        if !who.contains(&one.agent) {
            who.push(one.agent);
        }
    }
    if !who.is_empty() {
        out.push(Line::new(0, vec![words("in every round of the loop:")]));
    }
    for agent in who {
        let mut pieces = vec![Piece::Agent(legend.agent_name(agent)), words(": ")];
        let own = repeats.repeats.iter().filter(|one| one.agent == agent);
        for (at, RepeatData { rule, what, at: place, times, .. }) in own.enumerate() {
            if at > 0 {
                pieces.push(words("; "));
            }
            match (rule == ACTION, place.as_deref().and_then(|p| p.split(':').next())) {
                (true, Some(line)) => pieces.push(words(format!("line {line}: "))),
                (true, None) => {}
                (false, _) => pieces.push(words(format!("{} ", third_person(rule)))),
            }
            pieces.push(code(what));
            if *times > 1 {
                pieces.push(words(format!(" ({times} times)")));
            }
        }
        out.push(Line::new(1, pieces));
    }
    let able: Vec<u32> = repeats.still.iter().filter(|s| s.able).map(|s| s.agent).collect();
    if !able.is_empty() {
        let who = Piece::Agent(agents(legend, &able));
        let never = if able.len() == 1 { "is never chosen" } else { "are never chosen" };
        let never = match fairness {
            Fairness::None => format!(" could act in the loop, but {never}: the schedule is unfair"),
            _ => format!(" could act in some states of the loop, not in all of them, and {never}"),
        };
        out.push(Line::new(0, vec![who, words(never)]));
    }
    for one in repeats.still.iter().filter(|s| s.able) {
        for obstacle in one.waits.iter().flat_map(|wait| &wait.obstacles).take(1) {
            if let ObstacleData::Pending { messages } = obstacle {
                let never = format!(" never gets to send {}", messages.join(", "));
                out.push(Line::new(1, vec![Piece::Agent(legend.agent_name(one.agent)), words(never)]));
            }
        }
    }
    let mut never: Vec<(Vec<u32>, &[WaitData])> = vec![];
    for StillData { agent, able, waits } in &repeats.still {
        match never.iter_mut().find(|(_, known)| *known == &waits[..]) {
            _ if *able => {}
            Some((who, _)) => who.push(*agent),
            None => never.push((vec![*agent], waits)),
        }
    }
    if !never.is_empty() {
        out.push(Line::new(0, vec![words("never able to act in the loop:")]));
    }
    for (who, waits) in never {
        out.extend(waiting(legend, &who, waits, &mut Told::default()));
    }
    out
}

/// What an error of the model met, as words.
fn fault_words(fault: &FaultData, legend: &Legend) -> String {
    match fault {
        FaultData::NoVariable { agent, variable } => {
            format!("{} does not have {variable}", legend.agent_name(*agent))
        }
        other => other.to_string(),
    }
}
