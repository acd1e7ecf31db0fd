//! From a triple structure to an emulation program (TOSEM, section 3.2).
//!
//! The agents are the processes that the structure starts: the branches of an interacting composition at the top, and
//! those of such compositions directly in it. Each gets the components of the program counter that belong to it. A triple
//! of several agents is a function of the first one, which reads and sets the others' components too. For every claim
//! there is a variable that follows it, so that a property is a predicate over states like any other.
//!
//! Formulas are about the labels of steps. If there are any, one more variable holds the label of the step just made
//! (`letters`), and a formula φ over labels is X φ over states.

mod letters;
mod parts;

pub use letters::LAST_LABEL;
use letters::Letters;

use crate::linear::Proposition;
use crate::property::{Claim, Property, Requirement};
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use swarmcheck_ir as ir;
use swarmcheck_ir::parts::Part;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::written::{Written, WrittenNode};
use swarmcheck_source::Span;
use swarmcheck_triples::{Effect, Join, Location, Pc, Structure, Triple, effects};

/// What to make a program of.
pub struct System<'s, A> {
    /// The triples, synchronised.
    pub structure: &'s Structure<A, Infallible>,
    /// The names of the agents, in the order in which the structure starts them.
    pub agents: Vec<String>,
    /// An action for people and for properties.
    pub describe: &'s dyn Fn(&A) -> Described,
    /// The properties.
    pub properties: &'s [Property],
    /// All agents may come to their end, and then the system rests. Otherwise a system that stops is stuck.
    pub ends: bool,
}

/// An action for people and for properties.
pub struct Described {
    /// What an observer sees; without spaces.
    pub label: String,
    /// What else there is to say, perhaps nothing.
    pub remark: String,
    pub span: Span,
}

/// An emulation program, and what an observer sees of each function.
pub struct Lowered {
    pub program: ir::Program,
    /// A label for each function.
    pub labels: Vec<String>,
}

/// The label of the step that a system at its end makes forever.
pub const END: &str = "end";

/// Makes the program.
pub fn lower<A>(system: &System<'_, A>) -> Lowered {
    let agents = Agents::new(system.structure);
    let mut names: Vec<String> = vec![];
    let mut like: HashMap<&str, usize> = HashMap::new();
    system.agents.iter().for_each(|name| *like.entry(name).or_default() += 1);
    let mut before: HashMap<&str, usize> = HashMap::new();
    for number in 0..agents.components.len() {
        let name = system.agents.get(number).map_or("Process", String::as_str);
        let earlier = before.entry(name).or_default();
        let several = like.get(name).is_some_and(|like| *like > 1);
        names.push(if several { format!("{name}#{}", *earlier + 1) } else { name.to_string() });
        *earlier += usize::from(system.agents.get(number).is_some());
    }
    let kinds: Vec<ir::AgentKind> = (0..)
        .zip(&names)
        .map(|(first, name)| ir::AgentKind { name: name.clone(), first, count: 1 })
        .collect();
    let mut vars = vec![];
    for pc in 0..agents.components.iter().map(Vec::len).max().unwrap_or(0) {
        let owners: Vec<usize> =
            (0..agents.components.len()).filter(|&a| agents.components[a].len() > pc).collect();
        let top =
            owners.iter().map(|&a| system.structure.locations[agents.components[a][pc].0 as usize]).max();
        vars.push(variable(
            format!("pc.{pc}"),
            Some(owners.iter().map(|&a| ir::KindId(a as u32)).collect()),
            i64::from(top.unwrap_or(0)),
        ));
    }
    let mut claims = vec![];
    for property in system.properties.iter().filter(|p| p.claim().is_some()) {
        claims.push(ir::VarId(vars.len() as u32));
        vars.push(variable(format!("claim.{}", property.name), None, i64::from(Claim::STATES) - 1));
    }
    let letters = Letters::new(system.properties, ir::VarId(vars.len() as u32));
    vars.extend(letters.as_ref().map(Letters::variable));
    let low = Lowerer { system, agents, names, claims, letters };
    let start = &system.structure.start.set;
    let init = start.iter().filter(|(pc, _)| low.agents.of(*pc).is_some());
    let mut functions = vec![];
    let mut labels = vec![];
    for (number, triple) in system.structure.triples.iter().enumerate() {
        let described = (system.describe)(&triple.action);
        labels.push(described.label.clone());
        functions.push(low.function(number, triple, described));
    }
    if system.ends {
        labels.push(END.to_string());
        functions.push(low.end());
    }
    let properties = low.properties();
    let program = ir::Program {
        kinds,
        vars,
        init_locals: vec![],
        init: init.filter_map(|(pc, at)| low.set(*pc, *at, None)).collect(),
        functions,
        properties,
    };
    Lowered { program, labels }
}

fn variable(name: String, owners: Option<Vec<ir::KindId>>, top: i64) -> ir::Var {
    let domain = Some((0, top));
    ir::Var { name, owners, dimensions: vec![], domain, may_be_undef: false, role: Role::Location }
}

fn equal(place: ir::Place, value: i64) -> ir::Expr {
    ir::Expr::binary(ir::BinaryOp::Eq, ir::Expr::Read(place), ir::Expr::Const(value), Span::default())
}

/// The components of each agent, in the order of the agents; the one it starts with comes first. Component `n` of an agent is the
/// variable with this number.
pub fn components<A>(structure: &Structure<A, Infallible>) -> Vec<Vec<Pc>> {
    Agents::new(structure).components
}

/// Which components belong to which agent.
struct Agents {
    /// The components of each agent, the one it starts with first.
    components: Vec<Vec<Pc>>,
    /// For each component its agent and its number there; `None` for those that only hold agents together.
    place: Vec<Option<(usize, usize)>>,
}

impl Agents {
    fn new<A>(structure: &Structure<A, Infallible>) -> Agents {
        let mut place = vec![None; structure.locations.len()];
        let mut components: Vec<Vec<Pc>> = vec![];
        let starts = |join: &&Join| join.composition.is_some() && structure.start.set.contains(&join.parent);
        let holding: Vec<&Join> = structure.joins.iter().filter(starts).collect();
        let branches: HashSet<Pc> = holding.iter().flat_map(|join| join.branches.iter().copied()).collect();
        let parents: HashSet<(Pc, Location)> = holding.iter().map(|join| join.parent).collect();
        for (pc, at) in &structure.start.set {
            let outermost = *pc == Pc(0) || branches.contains(pc);
            if outermost && !parents.contains(&(*pc, *at)) {
                place[pc.0 as usize] = Some((components.len(), 0));
                components.push(vec![*pc]);
            }
        }
        // Compositions are made from the outside to the inside, so a parent has its agent before its branches.
        for join in &structure.joins {
            let Some((agent, _)) = place[join.parent.0.0 as usize] else { continue };
            for pc in &join.branches {
                place[pc.0 as usize] = Some((agent, components[agent].len()));
                components[agent].push(*pc);
            }
        }
        Agents { components, place }
    }

    fn of(&self, pc: Pc) -> Option<(usize, usize)> {
        self.place[pc.0 as usize]
    }
}

struct Lowerer<'s, A> {
    system: &'s System<'s, A>,
    agents: Agents,
    names: Vec<String>,
    /// The variables that follow claims.
    claims: Vec<ir::VarId>,
    letters: Option<Letters>,
}

impl<A> Lowerer<'_, A> {
    /// A component as seen by the agent that runs a function.
    fn place(&self, pc: Pc, runs: Option<usize>) -> Option<ir::Place> {
        let (agent, number) = self.agents.of(pc)?;
        let whose = if runs == Some(agent) { ir::Expr::Me } else { ir::Expr::Const(agent as i64) };
        Some(ir::Place::of(ir::VarId(number as u32), whose))
    }

    fn set(&self, pc: Pc, at: Location, runs: Option<usize>) -> Option<ir::Stmt> {
        Some(ir::Stmt::Assign(self.place(pc, runs)?, ir::Expr::Const(i64::from(at.0))))
    }

    fn function(&self, number: usize, triple: &Triple<A, Infallible>, described: Described) -> ir::Function {
        let mut who: Vec<usize> =
            triple.entry.iter().filter_map(|(pc, _)| Some(self.agents.of(*pc)?.0)).collect();
        who.dedup();
        let runs = who.first().copied().unwrap_or(0);
        let mut entry = vec![];
        let mut guard = vec![];
        for (pc, at) in &triple.entry {
            match self.agents.of(*pc) {
                Some((agent, var)) if agent == runs => entry.push((ir::VarId(var as u32), i64::from(at.0))),
                _ => guard.extend(self.place(*pc, Some(runs)).map(|place| equal(place, i64::from(at.0)))),
            }
        }
        let mut words = described.label.clone();
        if !described.remark.is_empty() {
            words += &format!(" {}", described.remark);
        }
        let others: Vec<String> =
            who.iter().filter(|&&a| a != runs).map(|&a| format!("{} {a}", self.names[a])).collect();
        if !others.is_empty() {
            words += &format!(" with {}", others.join(", "));
        }
        let mut body = self.effects(&effects(&self.system.structure.joins, &triple.exit), runs);
        body.extend(self.follow(&described.label));
        ir::Function {
            name: format!("{}_{}", self.names.get(runs).map_or("", String::as_str), number + 1),
            rule: ir::Rule::Action { words, site: number as u32 },
            owners: vec![ir::KindId(runs as u32)],
            entry,
            guard: ir::Expr::and(guard),
            locals: vec![],
            body,
            span: described.span,
        }
    }

    /// The effects of an exit. Joins that only hold agents together are left out. Choices are late, so there is
    /// nothing to pick.
    fn effects(&self, list: &[Effect], runs: usize) -> Vec<ir::Stmt> {
        let one = |effect: &Effect| match effect {
            Effect::Set(pc, at) => self.set(*pc, *at, Some(runs)),
            Effect::Join(number, others, then) => {
                self.agents.of(self.system.structure.joins[*number].parent.0)?;
                let ended = others.iter().filter_map(|pc| Some(equal(self.place(*pc, Some(runs))?, 0)));
                Some(ir::Stmt::If(ir::Expr::and(ended), self.effects(then, runs), vec![]))
            }
            Effect::Pick(_) => None,
        };
        list.iter().filter_map(one).collect()
    }

    /// The claims, each with the variable that follows it.
    fn claims(&self) -> impl Iterator<Item = (&Claim, ir::Place)> {
        let claims = self.system.properties.iter().filter_map(Property::claim);
        claims.zip(&self.claims).map(|(claim, var)| (claim, ir::Place::global(*var)))
    }

    /// Lets every claim and every formula read a label.
    fn follow(&self, label: &str) -> Vec<ir::Stmt> {
        let mut out = vec![];
        for (claim, place) in self.claims() {
            let mut value = ir::Expr::Read(place.clone());
            let mut changes = false;
            for state in 0..Claim::STATES {
                let next = claim.after(state, label);
                if next != state {
                    changes = true;
                    let here = equal(place.clone(), i64::from(state));
                    value = ir::Expr::ite(here, ir::Expr::Const(i64::from(next)), value);
                }
            }
            if changes {
                out.push(ir::Stmt::Assign(place, value));
            }
        }
        out.extend(self.letters.as_ref().map(|letters| letters.note(label)));
        out
    }

    /// All agents are at their end.
    fn ended(&self, whose: impl Fn(usize) -> ir::Expr) -> ir::Expr {
        let ended = |agent| equal(ir::Place::of(ir::VarId(0), whose(agent)), 0);
        ir::Expr::and((0..self.agents.components.len()).map(ended))
    }

    /// The rule of a system at its end: it rests. That is no action, so no claim reads a label.
    fn end(&self) -> ir::Function {
        let whose = |agent| if agent == 0 { ir::Expr::Me } else { ir::Expr::Const(agent as i64) };
        ir::Function {
            name: END.to_string(),
            rule: ir::Rule::Action {
                words: END.to_string(),
                site: self.system.structure.triples.len() as u32,
            },
            owners: vec![ir::KindId(0)],
            entry: vec![],
            guard: self.ended(whose),
            locals: vec![],
            body: self.letters.iter().map(Letters::forget).collect(),
            span: Span::default(),
        }
    }

    /// Some triple is enabled.
    fn acts(&self) -> ir::Expr {
        let enabled = |triple: &Triple<A, Infallible>| {
            let places = triple.entry.iter().filter_map(|(pc, at)| Some((self.place(*pc, None)?, *at)));
            ir::Expr::and(places.map(|(place, at)| equal(place, i64::from(at.0))))
        };
        ir::Expr::or(self.system.structure.triples.iter().map(enabled))
    }

    /// No step is possible.
    fn stuck(&self) -> ir::Expr {
        let ended = self.system.ends.then(|| self.ended(|agent| ir::Expr::Const(agent as i64)));
        ir::Expr::not(ir::Expr::or([self.acts()].into_iter().chain(ended)))
    }

    fn properties(&self) -> Vec<ir::Property> {
        let mut claims = self.claims();
        let mut out = vec![];
        for property in self.system.properties {
            let (modality, predicate) = match &property.requirement {
                Requirement::Claim(_) => match claims.next() {
                    Some((claim, place)) => (claim.modality(), self.predicate(claim, &place)),
                    None => continue,
                },
                Requirement::Formula(formula) => {
                    let Some(letters) = &self.letters else { continue };
                    let linear = ir::property::LinearTime {
                        formula: ir::Linear::next(letters.formula(&formula.required())),
                        rests: self.stuck(),
                        rest: vec![letters.forget()],
                    };
                    (ir::Modality::Linear(Box::new(linear)), ir::Expr::TRUE)
                }
            };
            let (name, span) = (property.name.clone(), property.span);
            out.push(ir::Property { name, modality, predicate, span, vacuous: false });
        }
        out
    }

    fn predicate(&self, claim: &Claim, place: &ir::Place) -> ir::Expr {
        let good = (0..Claim::STATES).filter(|state| claim.holds(*state, true));
        let predicate = ir::Expr::or(good.map(|state| equal(place.clone(), i64::from(state))));
        match claim.looks_ahead() {
            true => ir::Expr::and([predicate, self.acts()]),
            false => predicate,
        }
    }
}

/// A formula of linear time as it is written, over the states of the program that [`lower`] makes of a system with these
/// properties. None of a property that is no such formula, or that one execution is enough for.
pub fn written<A>(
    structure: &Structure<A, Infallible>,
    properties: &[Property],
    number: usize,
) -> Option<Written<ir::Expr>> {
    let (formula, letters) = of_all(structure, properties, number)?;
    let inner = formula.map(&|label| letters.formula(label));
    Some(Written { span: inner.span, node: WrittenNode::Next(Box::new(inner)) })
}

/// The parts of such a formula, each with the property in which it is replaced, and how many more there are. `lowered` is
/// the property of the program.
pub fn parts<A>(
    structure: &Structure<A, Infallible>,
    properties: &[Property],
    number: usize,
    lowered: &ir::Property,
) -> Option<(Vec<Part>, u32)> {
    let (formula, letters) = of_all(structure, properties, number)?;
    let mut maker = parts::Parts::new(&letters, lowered);
    let found = maker.below(formula, true, &|part| part);
    Some((found, maker.left_off))
}

/// A formula that is said of all executions, and what its labels are in the program.
fn of_all<'p, A>(
    structure: &Structure<A, Infallible>,
    properties: &'p [Property],
    number: usize,
) -> Option<(&'p Written<Proposition>, Letters)> {
    let property = properties.get(number).filter(|property| !property.is_possibility())?;
    let formula = &property.formula()?.written;
    let locations = components(structure).iter().map(Vec::len).max().unwrap_or(0);
    let claims = properties.iter().filter(|p| p.claim().is_some()).count();
    Some((formula, Letters::new(properties, ir::VarId((locations + claims) as u32))?))
}
