//! Traces as numbered steps, for people: who acted, with which action of the source, what changed, which messages reached
//! whom, and which parts of the property became true or false. Values that stay as they are are not repeated. Everything is
//! made of the data of a trace and a legend, as text or as Markdown.

use super::end;
use super::pieces::{Flavour, Piece, code, width, words, wrapped, write};
use super::values::{self, agents};
use swarmcheck_engine::trace::change::{ChangeData, Values};
use swarmcheck_engine::trace::data::{ACTION, PropertyData, StepData, TraceData, WriteData};
use swarmcheck_engine::trace::explain::{CauseData, SeenData, TruthData};
use swarmcheck_engine::trace::legend::Legend;
use swarmcheck_engine::trace::message::{self, MessageData, PartData};

/// Lines are broken before they are longer than this, if they can be.
const WIDTH: usize = 100;

/// How a listing looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Plain, coloured or Markdown.
    pub flavour: Flavour,
    /// The whole state after every step.
    pub full: bool,
}

/// A line, and how far it is indented: 0 for a step, 1 for what belongs to it.
pub(super) struct Line {
    pub(super) depth: usize,
    pub(super) pieces: Vec<Piece>,
}

impl Line {
    pub(super) fn new(depth: usize, pieces: Vec<Piece>) -> Line {
        Line { depth, pieces }
    }
}

/// Writes a trace step by step.
#[derive(Clone, Debug)]
pub struct Listing {
    legend: Legend,
    style: Style,
    values: Values,
    /// How many steps were written.
    number: usize,
    loop_start: Option<usize>,
}

impl Listing {
    /// A listing that has not begun.
    pub fn new(legend: Legend, style: Style) -> Listing {
        Listing { legend, style, values: Values::default(), number: 0, loop_start: None }
    }

    /// The names that it uses.
    pub fn legend(&self) -> &Legend {
        &self.legend
    }

    /// A whole trace. Values that `known` has, too, are not printed again.
    pub fn whole(legend: &Legend, style: Style, trace: &TraceData, known: Option<&[WriteData]>) -> String {
        let mut listing = Listing::new(legend.clone(), style);
        let mut out = listing.beginning(trace, known);
        trace.steps.iter().for_each(|step| out += &listing.step(step));
        out + &listing.end(trace)
    }

    /// What stands before the first step of a whole trace.
    pub(super) fn beginning(&mut self, trace: &TraceData, known: Option<&[WriteData]>) -> String {
        self.loop_start = trace.loop_start;
        let claim = trace.claim.iter().map(|claim| Line::new(1, vec![code(claim)])).collect::<Vec<_>>();
        let mut out = if claim.is_empty() { String::new() } else { self.heading(claim) };
        out += &self.initial(&trace.initial, known);
        // In the initial state nothing has become true or false. It matters if nothing else happens.
        if trace.steps.is_empty() || trace.seed.is_some() {
            out += &self.told(&trace.properties, &[]);
        }
        out
    }

    /// The initial state. Of a state that looks almost like a known one, only the difference is printed.
    pub fn initial(&mut self, cells: &[WriteData], known: Option<&[WriteData]>) -> String {
        self.values = Values::new(cells);
        if cells.is_empty() {
            return String::new();
        }
        let (title, shown) = match known.and_then(|known| values::differing(cells, known)) {
            None => ("initial values", cells.to_vec()),
            Some(different) if different.is_empty() => {
                return self.heading(vec![Line::new(0, vec![words("initial values as above")])]);
            }
            Some(different) if different.len() < cells.len() => {
                ("initial values as above, except", different)
            }
            Some(_) => ("initial values", cells.to_vec()),
        };
        let mut lines = vec![Line::new(0, vec![words(title)])];
        lines.extend(self.state(&shown));
        self.heading(lines)
    }

    fn state(&self, cells: &[WriteData]) -> Vec<Line> {
        let mut out = vec![];
        for row in values::rows(&self.legend, cells) {
            let (who, items) = values::pieces(&self.legend, row);
            out.extend(self.list(who, items));
        }
        out
    }

    /// A list behind its head; further lines are indented.
    fn list(&self, head: Vec<Piece>, items: Vec<Vec<Piece>>) -> Vec<Line> {
        let head_width = width(&head);
        let most = if self.style.flavour == Flavour::Markdown { usize::MAX } else { WIDTH };
        let mut lines = wrapped(items, most.saturating_sub(head_width + 7)).into_iter();
        let mut first = head;
        first.extend(lines.next().unwrap_or_default());
        let rest = lines.map(|pieces| Line::new(2, pieces));
        std::iter::once(Line::new(1, first)).chain(rest).collect()
    }

    /// Goes to a state in the middle of a run, the one after so many steps; the next step is told from there.
    pub fn go_to(&mut self, number: usize, values: &[WriteData]) {
        self.number = number;
        self.values = Values::new(values);
    }

    /// The next step, with its number.
    pub fn step(&mut self, step: &StepData) -> String {
        let mut lines = vec![];
        if self.loop_start == Some(self.number) {
            lines.push(self.mark("from here on, what follows repeats for ever"));
        }
        self.number += 1;
        let changes = self.values.assign(&step.writes);
        let name = |agent: u32| Piece::Agent(self.legend.agent_name(agent));
        let mut head = vec![words(format!("{:>3}. ", self.number)), name(step.agent)];
        match &step.message {
            Some(message) => {
                head.extend(saying(message));
                lines.push(Line::new(0, head));
                lines.extend(self.message(step, message, &changes));
            }
            None if step.rule == ACTION => {
                head.extend(action(", line", &step.what, step.at.as_deref()));
                lines.push(Line::new(0, head));
                let heard = |c: &ChangeData| step.writes.iter().any(|w| w.heard && same_cell(w, c));
                let (heard, own): (Vec<_>, Vec<_>) = changes.into_iter().partition(heard);
                lines.extend(self.changes(&own));
                let writes: Vec<WriteData> = step.writes.iter().filter(|w| w.heard).cloned().collect();
                lines.extend(self.delivered(&writes, &heard));
            }
            None => {
                head.push(words(format!(" {} ", third_person(&step.rule))));
                head.push(code(&step.what));
                if step.writes.is_empty() {
                    head.push(words(": nobody takes it over"));
                }
                lines.push(Line::new(0, head));
                lines.extend(self.delivered(&step.writes, &changes));
                lines.extend(self.unlinked(&step.unlinked));
            }
        }
        let mut out = self.lines(lines);
        out += &self.told(&step.properties, &step.truths);
        if self.style.full && !self.values.cells().is_empty() {
            let mut lines = vec![Line::new(1, vec![Piece::Faint("state:".to_string())])];
            let state = self.state(self.values.cells());
            lines.extend(state.into_iter().map(|line| Line::new(line.depth + 1, line.pieces)));
            out += &self.lines(lines);
        }
        out
    }

    /// What became true or false.
    pub fn told(&self, properties: &[PropertyData], truths: &[TruthData]) -> String {
        let mut lines = vec![];
        for TruthData { part, holds } in truths {
            lines.push(Line::new(1, vec![words(format!("now {holds}: ")), code(part)]));
        }
        for PropertyData { name, holds, because } in properties {
            let becomes = if self.number == 0 { "is" } else { "becomes" };
            let head = format!("{name} {becomes} {holds}");
            let head = if *holds { Piece::Good(head) } else { Piece::Bad(head) };
            // What makes it true is seldom asked for; the data has it.
            match &because[..] {
                [one] if !holds => lines.extend(causes(1, vec![head, words(": ")], one)),
                all => {
                    lines.push(Line::new(1, vec![head]));
                    lines.extend(all.iter().filter(|_| !holds).flat_map(|one| causes(2, vec![], one)));
                }
            }
        }
        self.lines(lines)
    }

    fn changes(&self, changes: &[ChangeData]) -> Vec<Line> {
        let items: Vec<Vec<Piece>> = changes.iter().map(|change| self.change(change, true)).collect();
        if items.is_empty() { vec![] } else { self.list(vec![], items) }
    }

    fn change(&self, change: &ChangeData, whose: bool) -> Vec<Piece> {
        let cell = self.legend.indexed_name(&change.variable, change.index);
        let owner = change.agent.filter(|_| whose);
        let owner = owner.map(|agent| format!(" of {}", self.legend.agent_name(agent))).unwrap_or_default();
        let old = values::value(change.old, change.old_name.as_deref());
        let new = values::value(change.new, change.new_name.as_deref());
        vec![code(format!("{cell}{owner}: {old} → {new}"))]
    }

    /// What a message changed, by receiver. Who takes over a value that it has already is told, too.
    fn delivered(&self, writes: &[WriteData], changes: &[ChangeData]) -> Vec<Line> {
        let mut receivers: Vec<Option<u32>> = vec![];
        for write in writes {
            if !receivers.contains(&write.agent) {
                receivers.push(write.agent);
            }
        }
        let of = |receiver: Option<u32>| {
            let own = changes.iter().filter(move |change| change.agent == receiver);
            let items: Vec<Vec<Piece>> = own.map(|change| self.change(change, false)).collect();
            if items.is_empty() { vec![vec![words("the value stays the same")]] } else { items }
        };
        // Receivers that take over the same values are told together.
        let mut groups: Vec<(Vec<u32>, Vec<Vec<Piece>>)> = vec![];
        for receiver in receivers {
            let items = of(receiver);
            match (receiver, groups.iter_mut().find(|(_, known)| *known == items)) {
                (Some(agent), Some((who, _))) => who.push(agent),
                (receiver, _) => groups.push((receiver.into_iter().collect(), items)),
            }
        }
        let mut out = vec![];
        for (who, items) in groups {
            let who = Piece::Agent(agents(&self.legend, &who));
            out.extend(self.list(vec![words("delivered to "), who, words(": ")], items));
        }
        out
    }

    /// Whom the link predicate left out.
    fn unlinked(&self, who: &[u32]) -> Option<Line> {
        let mut named = agents(&self.legend, who);
        if named.chars().count() > WIDTH / 2 {
            named = format!("{} agents", who.len());
        }
        (!who.is_empty())
            .then(|| Line::new(1, vec![words("not to "), Piece::Agent(named), words(": not linked")]))
    }

    /// A step that is a message: all commands that take part, and what they change.
    fn message(&self, step: &StepData, message: &MessageData, changes: &[ChangeData]) -> Vec<Line> {
        let mut lines = vec![];
        let mut part = |part: &PartData, head: Vec<Piece>| {
            let mut pieces = head;
            let line = part.at.split(':').next().unwrap_or("?");
            pieces.extend([words(format!("line {line}: ")), code(&part.command)]);
            if part.from != part.to {
                pieces.push(words(format!(", state {} → {}", part.from, part.to)));
            }
            lines.push(Line::new(1, pieces));
            let own: Vec<_> = changes.iter().filter(|c| c.agent == Some(part.agent)).cloned().collect();
            lines.extend(self.changes(&own).into_iter().map(|line| Line::new(line.depth + 1, line.pieces)));
        };
        part(&message.by, vec![]);
        let (_, receives) = message::verbs(message);
        for one in &message.received {
            let mut head = vec![Piece::Agent(self.legend.agent_name(one.agent))];
            let answer = message.answer.as_ref().map(|said| format!(" ({})", message::data(said)));
            head.push(words(format!(" {receives}{}, ", answer.unwrap_or_default())));
            part(one, head);
        }
        let took_part = |agent: Option<u32>| {
            agent == Some(step.agent) || message.received.iter().any(|one| Some(one.agent) == agent)
        };
        let others: Vec<_> = changes.iter().filter(|c| !took_part(c.agent)).cloned().collect();
        lines.extend(self.changes(&others));
        let name = |agent: u32| self.legend.agent_name(agent);
        lines.extend(message::refusals(message, &name).into_iter().map(|t| Line::new(1, vec![words(t)])));
        lines
    }

    /// From here on, the loop of a lasso begins after this many steps.
    pub fn repeat_from(&mut self, loop_start: Option<usize>) {
        self.loop_start = loop_start;
    }

    /// How the trace ends.
    pub fn end(&self, trace: &TraceData) -> String {
        let mut lines = vec![];
        if let Some(back) = trace.loop_start {
            let to = match back {
                0 => "back in the initial state".to_string(),
                back => format!("back in the state after step {back}"),
            };
            lines.push(self.mark(&to));
        }
        lines.extend(end::lines(&self.legend, trace));
        self.heading(lines)
    }

    fn mark(&self, text: &str) -> Line {
        Line::new(0, vec![Piece::Faint(format!("     -- {text} --"))])
    }

    fn lines(&self, lines: Vec<Line>) -> String {
        let mut out = String::new();
        for Line { depth, pieces } in lines {
            let text = write(&pieces, self.style.flavour);
            out += &match (self.style.flavour, depth) {
                (Flavour::Markdown, 0) => format!("{}\n", text.trim_start()),
                (Flavour::Markdown, depth) => format!("{}- {text}\n", "  ".repeat(depth + 1)),
                (_, 0) => format!("{text}\n"),
                (_, depth) => format!("{}{text}\n", "  ".repeat(depth).to_string() + "   "),
            };
        }
        out
    }

    /// Lines that are no step: in Markdown, they are paragraphs and lists of their own.
    fn heading(&self, lines: Vec<Line>) -> String {
        if self.style.flavour != Flavour::Markdown {
            return self.lines(lines);
        }
        let mut out = String::new();
        for Line { depth, pieces } in lines {
            let text = write(&pieces, self.style.flavour);
            out += &match depth {
                0 => format!("\n{}\n\n", text.trim().trim_end_matches(':')),
                depth => format!("{}- {text}\n", "  ".repeat(depth - 1)),
            };
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }
}

/// `, line 19: { … }`, or what there is of it.
pub(super) fn action(before: &str, what: &str, at: Option<&str>) -> Vec<Piece> {
    match at.and_then(|at| at.split(':').next()) {
        Some(line) => vec![words(format!("{before} {line}: ")), code(what)],
        None => vec![words(": "), code(what)],
    }
}

/// `x < 3 is false: x is 3`; in several lines, if one is too short for it.
pub(super) fn causes(depth: usize, head: Vec<Piece>, cause: &CauseData) -> Vec<Line> {
    let mut first = head;
    first.extend([code(&cause.condition), words(format!(" is {}", cause.holds))]);
    let items: Vec<Vec<Piece>> = match &cause.values[..] {
        // A truth value has been said already.
        [one] if one.what.split(" of ").next() == Some(cause.condition.as_str()) => vec![],
        values => values.iter().map(seen).collect(),
    };
    if items.is_empty() {
        return vec![Line::new(depth, first)];
    }
    first.push(words(":"));
    let most = WIDTH.saturating_sub(2 * depth + 5);
    let mut whole = first.clone();
    whole.push(words(" "));
    let mut lines = wrapped(items, most);
    match &mut lines[..] {
        [one] if width(&whole) + width(one) <= most => {
            whole.append(one);
            vec![Line::new(depth, whole)]
        }
        _ => {
            let values = lines.into_iter().map(|pieces| Line::new(depth + 1, pieces));
            std::iter::once(Line::new(depth, first)).chain(values).collect()
        }
    }
}

fn seen(seen: &SeenData) -> Vec<Piece> {
    vec![code(&seen.what), words(format!(" is {}", values::value(seen.value, seen.name.as_deref())))]
}

/// What a message says.
fn saying(message: &MessageData) -> Vec<Piece> {
    let data = message::data(&message.data);
    match &message.channel {
        Some(channel) if message.data.is_empty() => vec![words(" sends on "), code(channel)],
        Some(channel) => vec![words(" sends on "), code(channel), words(format!(": {data}"))],
        None if message.data.is_empty() => vec![words(" asks")],
        None => vec![words(format!(" asks, saying {data}"))],
    }
}

pub(super) fn third_person(verb: &str) -> String {
    format!("{verb}s")
}

fn same_cell(write: &WriteData, change: &ChangeData) -> bool {
    (write.agent, &write.variable, write.index) == (change.agent, &change.variable, change.index)
}
