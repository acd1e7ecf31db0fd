//! R-CHECK.

use crate::asked::{self, AskedKind, AskedPart};
use crate::languages::EditorSupport;
use crate::open::ModelOptions;
use crate::process::{Act, Process, with_acts};
use crate::reach::{self, PredicateFrame};
use crate::reasons;
use crate::show::{Shape, calculus};
use crate::specification::{
    LanguageFrontEnd, Lowered, MadeStep, PropertyParts, PropertyReading, Specification,
};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use swarmcheck_calculi::lower::Described;
use swarmcheck_certify::{Claim, Confirmed, Refused, Replayed, recipe};
use swarmcheck_engine::Note;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::trace::explain::{ObstacleData, WaitData};
use swarmcheck_engine::trace::message::{AutomatonData, MessageData, WhyRefused};
use swarmcheck_ir::coverage::Points;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::written::Written;
use swarmcheck_ir::{Expr, Linear, Value, VarId};
use swarmcheck_labs::lower::Choice;
use swarmcheck_rcheck as rcheck;
use swarmcheck_rcheck::editor;
use swarmcheck_rcheck::model::{Atom, Command};
use swarmcheck_rcheck::reference::{Block, Blocked, Interpreter, Local, Refusal, State};
use swarmcheck_source::{Diagnostic, Diagnostics, SourceFile, Span};

/// What editors ask about its files.
pub(super) const EDITOR: EditorSupport = EditorSupport {
    pieces: swarmcheck_rcheck::syntax::pieces,
    index: editor::index,
    candidates: editor::candidates,
    meaning: editor::meaning,
    signature: editor::signature,
    words: editor::WORDS,
    name_problem: editor::name_problem,
    fixed_name: |_| None,
};

struct Rcheck {
    spec: rcheck::Specification,
    /// What it was read from.
    text: String,
}

/// A predicate that is to be reached is read as a specification that it never holds.
pub(super) const FRAME: PredicateFrame = PredicateFrame { before: "SPEC G !(", after: "\n)\n" };

/// Parts of queries are read as specifications.
pub(super) fn asked_frame(kind: AskedKind) -> PredicateFrame {
    match kind {
        AskedKind::Condition => PredicateFrame { before: "SPEC G (", after: "\n)\n" },
        AskedKind::Value => PredicateFrame { before: "SPEC G ((", after: "\n) = 0)\n" },
        AskedKind::Formula => PredicateFrame { before: "SPEC ", after: "\n" },
    }
}

/// Reads and checks a script.
pub(super) fn read(
    file: &SourceFile,
    _: Option<&str>,
    options: &ModelOptions,
    _: &AtomicBool,
) -> (Option<Specification>, Diagnostics) {
    let (mut spec, mut found) = rcheck::check_with(file.text(), options.precedence);
    if let (Some(predicate), Some(at), Some(spec)) =
        (&options.reach, reach::place(file, options), spec.as_mut())
        && let Err(diagnostic) = name_predicate(spec, predicate, at)
    {
        found.push(*diagnostic);
    }
    if let Some(spec) = spec.as_mut() {
        let places = asked::places(file, options);
        for ((number, part), at) in options.asked.parts.iter().enumerate().zip(places) {
            if let Err(diagnostic) = name_asked(spec, number, part, at) {
                found.push(*diagnostic);
            }
        }
    }
    let text = file.text().to_string();
    (spec.map(|spec| Box::new(Rcheck { spec, text }) as Specification), found)
}

/// Gives the specification behind the script its name. It must say one thing about single states.
fn name_predicate(
    spec: &mut rcheck::Specification,
    predicate: &str,
    at: Range<usize>,
) -> Result<(), Box<Diagnostic>> {
    let refuse = |message: &str, place: Range<usize>| {
        let span = Span::new(at.start + place.start, at.start + place.end);
        let error = Diagnostic::error(rcheck::codes::TEMPORAL, span, message);
        let error = error
            .help("ask for one state: a predicate without G, F, X, U, W, R and observations")
            .help("a question about executions is a formula: write it as a SPEC in the model, and verify that property");
        Err(Box::new(error))
    };
    if let Some(span) = rcheck::syntax::closes_nothing(predicate) {
        let span = Span::new(at.start + span.start as usize, at.start + span.end as usize);
        let error = Diagnostic::error(rcheck::codes::TEMPORAL, span, "this parenthesis closes nothing");
        return Err(Box::new(error.help("remove it, or open one before it")));
    }
    let name = reach::name(predicate);
    for one in spec.specs.iter_mut().filter(|one| one.span.end as usize > at.start) {
        let of_state = match &one.formula {
            Linear::Release(a, b) => **a == Linear::falsity() && matches!(**b, Linear::Atom(Atom::State(_))),
            _ => false,
        };
        if !of_state {
            let place = rcheck::syntax::temporal_word(predicate).map(Span::range);
            return refuse(
                "a state is to be reached, and this formula is about executions",
                place.unwrap_or(0..predicate.len()),
            );
        }
        match &mut one.reading {
            Some(reading) => {
                one.name = format!("{name} ({})", reading.precedence.word());
                reading.of = name.clone();
            }
            None => one.name = name.clone(),
        }
    }
    Ok(())
}

/// Gives the specification that a part of a query became its name. It must have one reading, and, but for formulas, be about single
/// states.
fn name_asked(
    spec: &mut rcheck::Specification,
    number: usize,
    part: &AskedPart,
    at: Range<usize>,
) -> Result<(), Box<Diagnostic>> {
    let refuse = |message: &str, help: &str| {
        let error = Diagnostic::error(rcheck::codes::TEMPORAL, Span::new(at.start, at.end), message);
        Err(Box::new(error.help(help)))
    };
    let inside = |one: &rcheck::model::Spec| {
        let (start, end) = (one.span.start as usize, one.span.end as usize);
        start <= at.end && end >= at.start
    };
    let mine: Vec<usize> = (0..spec.specs.len()).filter(|one| inside(&spec.specs[*one])).collect();
    let [one] = mine.as_slice() else {
        return refuse(
            "this can be read in two ways",
            "put parentheses around the operands, or choose a reading with the precedence of operators",
        );
    };
    let one = &mut spec.specs[*one];
    let of_state = match &one.formula {
        Linear::Release(a, b) => **a == Linear::falsity() && matches!(**b, Linear::Atom(Atom::State(_))),
        _ => false,
    };
    if part.kind != AskedKind::Formula && !of_state {
        return refuse(
            "a condition on states is needed, and this formula is about executions",
            "a formula about executions is asked for with P(ltl …)",
        );
    }
    one.name = asked::property_name(number);
    Ok(())
}

impl LanguageFrontEnd for Rcheck {
    fn summary(&self) -> String {
        let spec = &self.spec;
        let name = |i: &rcheck::model::Instance| format!("{} {}", spec.agents[i.agent].name, i.name);
        let agents: Vec<String> = spec.instances.iter().map(name).collect();
        format!(
            "agents: {}; channels: {}; message variables: {}; specifications: {}",
            agents.join(", "),
            spec.channels.len(),
            spec.messages.len(),
            spec.specs.len()
        )
    }

    fn lower(&self, _: &str, _: &ModelOptions, claims: bool) -> Result<Lowered, Box<Diagnostic>> {
        let rcheck::lower::Lowered { program, labels, value_names } =
            rcheck::lower::lower(&self.spec, claims);
        Ok(Lowered { program, labels: Some(labels), value_names })
    }

    fn reading(&self, property: usize) -> Option<PropertyReading<'_>> {
        let reading = self.spec.specs.get(property)?.reading.as_ref()?;
        Some(PropertyReading { of: &reading.of, precedence: reading.precedence.word(), text: &reading.text })
    }

    fn remarks(&self, property: usize) -> Vec<Note> {
        let named = self.spec.specs.get(property).is_some_and(|spec| spec.names_steps);
        if named { vec![Note::StepLabels] } else { vec![] }
    }

    fn triples(&self, _: &SourceFile, _: Choice, shape: Shape) -> String {
        self.spec.agents.iter().map(|agent| automaton(agent, shape)).collect()
    }

    /// What the literal rules say about the step: which command the program ran is known by its place in the file, and
    /// choices are numbered in the same order there.
    fn message(&self, file: &SourceFile, flat: &Flat, step: &MadeStep<'_>) -> Option<MessageData> {
        let agent = step.instance.agent as usize;
        let span = flat.program.functions[step.instance.function as usize].span;
        let command = self.spec.agent_of(agent).commands.iter().position(|c| c.span == span)?;
        let before = self.state(flat, step.before)?;
        let explained = Interpreter::new(&self.spec).chosen(&before, agent, command, step.choices)?;
        let written = |command: &Command| {
            let text = file.text().get(command.span.range()).unwrap_or(&command.words);
            (text.split_whitespace().collect::<Vec<_>>().join(" "), file.position(command.span))
        };
        Some(recipe::message(&self.spec, &explained, &written))
    }

    fn waits(&self, file: &SourceFile, flat: &Flat, state: &[Value], agent: u32) -> Option<Vec<WaitData>> {
        let before = self.state(flat, state)?;
        let blocked = Interpreter::new(&self.spec).blocked(&before, agent as usize);
        let commands =
            &self.spec.instances.get(agent as usize).map(|i| &self.spec.agents[i.agent].commands)?;
        let wait = |one: Blocked| {
            let command = &commands[one.command];
            let text = file.text().get(command.span.range()).unwrap_or(&command.words);
            let what = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let obstacles = one
                .reasons
                .into_iter()
                .flat_map(|block| self.obstacles(file, flat, state, (agent, command), block));
            WaitData { what, at: Some(file.position(command.span)), obstacles: obstacles.collect() }
        };
        Some(blocked.into_iter().map(wait).collect())
    }

    fn automata(&self, flat: &Flat, state: &[Value]) -> Vec<AutomatonData> {
        let agents = self.state(flat, state).unwrap_or_default();
        let numbered = (0..).zip(agents);
        numbered.map(|(agent, local)| AutomatonData { agent, state: local.state }).collect()
    }

    fn parts(&self, property: usize, options: &ModelOptions) -> PropertyParts {
        match rcheck::lower::parts::parts(&self.text, options.precedence, property) {
            Some(rcheck::lower::parts::Parts { program, parts, left_off }) => {
                PropertyParts { program: Some(program), parts, left_off }
            }
            None => PropertyParts::default(),
        }
    }

    fn written(&self, property: usize, options: &ModelOptions) -> Option<Written<Expr>> {
        rcheck::lower::written::written(&self.text, options.precedence, property)
    }

    fn asked_value(&self, property: usize, _: &ModelOptions) -> Option<Expr> {
        rcheck::lower::value::compared(&self.spec, property)
    }

    fn coverage(&self, _: &ModelOptions, claims: bool) -> Result<Option<Points>, Box<Diagnostic>> {
        Ok(Some(rcheck::lower::coverage::points(&self.spec, claims)))
    }

    fn replay(&self, _: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused> {
        recipe::replay(&self.spec, trace)
    }

    fn violated(&self, _: &SourceFile, trace: &TraceData, claim: &Claim<'_>) -> Result<Confirmed, Refused> {
        recipe::violated(&self.spec, trace, claim)
    }

    fn processes(&self, file: &SourceFile, _: Choice) -> Vec<Process> {
        let process = |(number, agent): (usize, &rcheck::model::Agent)| {
            let structure = rcheck::automaton::automaton(agent).structure();
            let act = |_: &[std::convert::Infallible], command: &usize| {
                let command = &agent.commands[*command];
                Act::new(&command.words, file, command.span)
            };
            let instances = (0..).zip(&self.spec.instances).filter(|(_, i)| i.agent == number);
            Process {
                name: Some(agent.name.clone()),
                agents: instances.map(|(at, _)| at).collect(),
                structure: with_acts(&structure, act),
                from_zero: true,
            }
        };
        self.spec.agents.iter().enumerate().map(process).collect()
    }
}

impl Rcheck {
    /// What is in the way of a command, as data.
    fn obstacles(
        &self,
        file: &SourceFile,
        flat: &Flat,
        state: &[Value],
        (agent, command): (u32, &Command),
        block: Block,
    ) -> Vec<ObstacleData> {
        let number = |agent: usize| u32::try_from(agent).unwrap_or(u32::MAX);
        vec![match block {
            Block::Guard => {
                // The guard is a part of that of the function that was made of the command.
                let kind = flat.program.kind_of(agent);
                let own = |f: &&swarmcheck_ir::Function| f.span == command.span && f.owners.contains(&kind);
                let function = flat.program.functions.iter().find(own);
                return function.map(|f| reasons::guards(file, flat, state, f, agent)).unwrap_or_default();
            }
            Block::Domain => ObstacleData::Range { what: command.words.clone() },
            Block::Listener(other, Refusal::NotMeant) => {
                ObstacleData::Listener { agent: number(other), why: WhyRefused::SendGuard }
            }
            Block::Listener(other, Refusal::NoReceive) => {
                ObstacleData::Listener { agent: number(other), why: WhyRefused::NoReceive }
            }
            Block::Relabelling(other) => {
                let who = &self.spec.instances[other].name;
                ObstacleData::Range { what: format!("the relabelling of {who}") }
            }
            Block::Passive(channel) => {
                let name = channel.and_then(|c| self.spec.channels.get(usize::try_from(c).ok()?).cloned());
                ObstacleData::Passive { channel: name }
            }
            Block::NoSupplier => ObstacleData::NoSupplier,
        }]
    }

    /// A state of the program as one of the definitions.
    fn state(&self, flat: &Flat, cells: &[Value]) -> Option<State> {
        let variable = |name: &str| {
            let at = flat.program.vars.iter().position(|v| v.name == name && v.owners.is_some())?;
            u32::try_from(at).ok().map(VarId)
        };
        let read = |name: &str, agent: u32| {
            let slot = flat.layout.copy(variable(name)?, agent)?;
            cells.get(slot as usize).copied()
        };
        let local = |(agent, instance): (u32, &rcheck::model::Instance)| {
            let locals = &self.spec.agents[instance.agent].locals;
            Some(Local {
                state: u32::try_from(read(rcheck::lower::AUTOMATON_STATE, agent)?).ok()?,
                values: locals.iter().map(|v| read(&v.name, agent)).collect::<Option<Vec<i64>>>()?,
            })
        };
        (0..).zip(&self.spec.instances).map(local).collect()
    }
}

/// The structure automaton of an agent type.
fn automaton(agent: &rcheck::model::Agent, shape: Shape) -> String {
    let structure = rcheck::automaton::automaton(agent).structure();
    let describe = |command: &usize| Described {
        label: agent.commands[*command].words.clone(),
        remark: String::new(),
        span: agent.commands[*command].span,
    };
    let text = calculus(&structure, &agent.name, shape, describe);
    match shape {
        Shape::Dot => text,
        _ => text.lines().fold(format!("agent {}\n", agent.name), |out, line| out + "  " + line + "\n"),
    }
}
