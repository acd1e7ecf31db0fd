//! From a model to an emulation program (thesis, sections 4.2 and 5.3).
//!
//! Each kind's `Behavior` becomes a triple structure; each triple becomes one emulation function, and each
//! stigmergic tuple gets two more, `propagate` and `confirm`, for the rules of table 3.8; with `--sync` messages are
//! part of the action that causes them (`synchronous`). Functions are parametric in the agent, so the program is as
//! large as the specification, whatever the number of agents.

mod action;
mod cond;
pub mod coverage;
mod expr;
mod formula;
mod init;
mod keys;
pub mod links;
mod message;
pub mod parts;
pub mod rates;
mod synchronous;
mod undefined;
pub mod value;

use crate::codes;
use crate::model::{ActionId, Class, Cond, KindId, Model, ProcessNode, TupleId};
use swarmcheck_ir as ir;
use swarmcheck_source::Diagnostic;
use swarmcheck_triples::{Structure, Term};

pub use swarmcheck_triples::Choice;

/// What a specification leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Round-robin: agents act in circular order.
    pub fair: bool,
    /// What a confirmation does to a receiver with an equal timestamp, and what becomes of undefined tuples.
    pub semantics: Semantics,
    /// When a choice is made (`docs/labs.md` 10).
    pub choice: Choice,
    /// Messages are delivered in the step that causes them (`docs/labs.md` 8).
    pub sync: bool,
}

/// `docs/labs.md` 15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// A confirmation does nothing to an equal timestamp, and ⊥ is sent like any other value, as SLiVER does.
    #[default]
    Sliver,
    /// Whoever has an equal timestamp propagates its value (rule QRY2), and a tuple that is ⊥ is not sent (rules
    /// PROPAGATE and CONFIRM of table 3.8).
    Paper,
}

/// A guard of a triple: a condition of the model, or that it is not satisfied (for the step past `g => P`).
#[derive(Clone, Copy, Debug)]
pub struct Guard<'m> {
    pub cond: &'m Cond,
    /// Whether it must not be satisfied; other than for `!g`, it may be undefined.
    pub negated: bool,
}

/// The result of lowering.
pub struct Lowered<'m> {
    /// The emulation program.
    pub program: ir::Program,
    /// The triple structure of each kind's behavior, in the order of the kinds.
    pub structures: Vec<Structure<ActionId, Guard<'m>>>,
}

/// More triples than this in one behavior means that definitions double at each level of calls.
const MOST_TRIPLES: usize = 50_000;
/// A thousand processes in parallel. The program has a condition for each pair of them.
const MOST_ENDINGS: usize = 1_000_000;

/// A formula of linear time as it is written, over conditions of the program that [`lower`] makes with the same options.
pub fn written(model: &Model, property: usize, options: Options) -> Option<ir::written::Written<ir::Expr>> {
    let property = model.properties.get(property)?;
    let written = property.written.as_ref()?;
    let structures = structures(model, options.choice).ok()?;
    let mut low = Lowerer::new(model, options, &structures);
    low.program = lower(model, "", options).ok()?.program;
    Some(low.written_formula(property, written))
}

/// Lowers a model. `source` is the text it was read from: functions quote their action.
pub fn lower<'m>(model: &'m Model, source: &str, options: Options) -> Result<Lowered<'m>, Box<Diagnostic>> {
    let structures = structures(model, options.choice)?;
    let mut low = Lowerer::new(model, options, &structures);
    low.program.init = low.initial_block(&structures);
    for (i, structure) in structures.iter().enumerate() {
        for (number, triple) in structure.triples.iter().enumerate() {
            let function = low.emulation_function(KindId(i as u32), structure, number, triple, source);
            low.program.functions.push(function);
        }
    }
    if !options.sync {
        for tuple in (0..model.tuples.len() as u32).map(TupleId) {
            let functions = [low.propagate(tuple), low.confirm(tuple)];
            low.program.functions.extend(functions);
        }
    }
    if formula::needs_steps(model) {
        ir::units::track(&mut low.program);
    }
    let properties = model.properties.iter().map(|p| low.property(p));
    low.program.properties = properties.collect::<Result<_, _>>()?;
    Ok(Lowered { program: low.program, structures })
}

/// The triple structure of each kind's behavior.
pub fn structures(
    model: &Model,
    choice: Choice,
) -> Result<Vec<Structure<ActionId, Guard<'_>>>, Box<Diagnostic>> {
    let definitions: Vec<Term<ActionId, Guard<'_>>> = model.processes.iter().map(|p| term(&p.body)).collect();
    let build = |kind: &crate::model::AgentKind| {
        let root = kind.behavior.0 as usize;
        let too_large = |message: String, help: &str| {
            Err(Box::new(Diagnostic::error(codes::TOO_LARGE, kind.span, message).help(help)))
        };
        match swarmcheck_triples::build(&definitions, root, choice, MOST_TRIPLES) {
            Ok(built) if endings(&built) <= MOST_ENDINGS => Ok(built),
            Ok(_) => too_large(
                format!("the behavior of {} has too many processes in parallel", kind.name),
                "each of them asks all others whether they have ended: spawn agents instead",
            ),
            Err(_) => too_large(
                format!("the behavior of {} needs more than {MOST_TRIPLES} triples", kind.name),
                "a definition that is called twice is expanded twice: call it less often",
            ),
        }
    };
    model.kinds.iter().map(build).collect()
}

/// How many tests whether another branch has ended the functions contain at most: each branch asks all others.
fn endings<A, G>(structure: &Structure<A, G>) -> usize {
    structure.joins.iter().map(|join| join.branches.len().saturating_mul(join.branches.len())).sum()
}

fn term(process: &crate::model::Process) -> Term<ActionId, Guard<'_>> {
    match &process.node {
        ProcessNode::Nil => Term::Nil,
        ProcessNode::Action(action) => Term::Act(*action),
        ProcessNode::Seq(parts) => Term::Seq(parts.iter().map(term).collect()),
        ProcessNode::Choice(parts) => Term::Choice(parts.iter().map(term).collect()),
        ProcessNode::Par(parts) => Term::Par(parts.iter().map(term).collect()),
        ProcessNode::Guard(cond, body) => Term::Guard(Guard { cond, negated: false }, Box::new(term(body))),
        ProcessNode::Conditional(cond, pass, body) => Term::Conditional {
            yes: Guard { cond, negated: false },
            no: Guard { cond, negated: true },
            pass: *pass,
            body: Box::new(term(body)),
        },
        ProcessNode::Call(callee) => Term::Call(callee.0 as usize),
    }
}

/// The program under construction and where its bookkeeping variables are. Model variables keep their numbers.
struct Lowerer<'m> {
    model: &'m Model,
    options: Options,
    program: ir::Program,
    /// Which variables may be ⊥.
    undefined: Vec<bool>,
    /// Program counter components; kinds with fewer components have the first ones only.
    pcs: Vec<ir::VarId>,
    /// For each tuple: the order of its timestamps, what waits to be confirmed, what waits to be propagated.
    tuples: Vec<TupleVars>,
    turn: Option<ir::VarId>,
}

#[derive(Clone, Copy)]
struct TupleVars {
    order: ir::VarId,
    confirm: ir::VarId,
    propagate: ir::VarId,
}

impl<'m> Lowerer<'m> {
    fn new(model: &'m Model, options: Options, structures: &[Structure<ActionId, Guard<'m>>]) -> Lowerer<'m> {
        let kinds = model
            .kinds
            .iter()
            .map(|k| ir::AgentKind { name: k.name.clone(), first: k.first, count: k.count })
            .collect();
        let program = ir::Program {
            kinds,
            vars: vec![],
            init_locals: vec![],
            init: vec![],
            functions: vec![],
            properties: vec![],
        };
        let undefined = undefined::variables(model);
        let mut low = Lowerer { model, options, program, undefined, pcs: vec![], tuples: vec![], turn: None };
        low.data_variables();
        low.bookkeeping(structures);
        low
    }

    fn add(
        &mut self,
        name: String,
        owners: Option<Vec<ir::KindId>>,
        top: i64,
        role: ir::program::Role,
    ) -> ir::VarId {
        self.program.vars.push(ir::Var {
            name,
            owners,
            dimensions: vec![],
            domain: Some((0, top)),
            may_be_undef: false,
            role,
        });
        ir::VarId(self.program.vars.len() as u32 - 1)
    }

    fn data_variables(&mut self) {
        let first_order = self.model.variables.len() as u32;
        let mut with_attribute = vec![vec![]; self.model.variables.len()];
        for (kind, entry) in self.model.kinds.iter().enumerate() {
            entry
                .attributes
                .iter()
                .for_each(|(v, _)| with_attribute[v.0 as usize].push(ir::KindId(kind as u32)));
        }
        for (i, var) in self.model.variables.iter().enumerate() {
            let (arrow, order) = match var.class {
                Class::Environment => ("<--", None),
                Class::Attribute => ("<-", None),
                Class::Stigmergic(tuple) => ("<~", Some(ir::VarId(first_order + 3 * tuple.0))),
            };
            let owners = match var.class {
                Class::Environment => None,
                Class::Attribute => Some(std::mem::take(&mut with_attribute[i])),
                Class::Stigmergic(tuple) => Some(self.members(tuple)),
            };
            self.program.vars.push(ir::Var {
                name: var.name.clone(),
                owners,
                dimensions: var.dimensions.clone(),
                domain: None,
                may_be_undef: self.undefined[i],
                role: ir::program::Role::Data { arrow, order },
            });
        }
    }

    fn bookkeeping(&mut self, structures: &[Structure<ActionId, Guard<'m>>]) {
        use ir::program::Role;
        let agents = i64::from(self.model.agents());
        for tuple in (0..self.model.tuples.len() as u32).map(TupleId) {
            let owners = self.members(tuple);
            let name = self.model.tuple_name(tuple).to_string();
            let order = self.add(format!("order.{name}"), Some(owners.clone()), agents, Role::Order);
            let confirm = self.add(format!("confirm.{name}"), Some(owners.clone()), 1, Role::Pending);
            let propagate = self.add(format!("propagate.{name}"), Some(owners), 1, Role::Pending);
            self.tuples.push(TupleVars { order, confirm, propagate });
        }
        let components = structures.iter().map(|s| s.locations.len()).max().unwrap_or(0);
        for pc in 0..components {
            let top = structures.iter().filter_map(|s| s.locations.get(pc)).max().copied().unwrap_or(0);
            let owners = self.kinds_where(|k| structures[k.0 as usize].locations.len() > pc);
            let var = self.add(format!("pc.{pc}"), Some(owners), i64::from(top), Role::Location);
            self.pcs.push(var);
        }
        if self.options.fair {
            self.turn = Some(self.add("schedule.turn".to_string(), None, agents - 1, Role::Turn));
        }
    }

    fn kinds_where(&self, test: impl Fn(KindId) -> bool) -> Vec<ir::KindId> {
        (0..self.model.kinds.len() as u32).filter(|&k| test(KindId(k))).map(ir::KindId).collect()
    }

    /// The kinds that take part in a tuple's stigmergy.
    fn members(&self, tuple: TupleId) -> Vec<ir::KindId> {
        let stigmergy = self.model.tuple(tuple).stigmergy;
        self.kinds_where(|k| self.model.kind(k).stigmergies.binary_search(&stigmergy).is_ok())
    }

    /// The tuples that agents of a kind hold.
    fn tuples_of(&self, kind: KindId) -> Vec<TupleId> {
        let stigmergies = &self.model.kind(kind).stigmergies;
        let ids = (0..self.model.tuples.len() as u32).map(TupleId);
        ids.filter(|t| stigmergies.binary_search(&self.model.tuple(*t).stigmergy).is_ok()).collect()
    }

    fn property(&self, property: &crate::model::Property) -> Result<ir::Property, Box<Diagnostic>> {
        use crate::model::{Inside, Modality};
        if let Modality::Linear(formula) = &property.modality {
            return self.formula_property(property, formula);
        }
        let cond = |c: &Cond| self.exprs(&expr::Names::closed()).satisfied(c);
        let modality = match &property.modality {
            Modality::Always | Modality::Linear(_) => ir::Modality::Always,
            Modality::Eventually => ir::Modality::Eventually,
            Modality::Finally => ir::Modality::Finally,
            Modality::Fairly => ir::Modality::Fairly,
            Modality::FairlyInf => ir::Modality::FairlyInf,
            Modality::After(steps) => ir::Modality::After(*steps),
            Modality::Scoped { open, start, end, inside } => ir::Modality::Scoped {
                open: *open,
                start: cond(start),
                end: cond(end),
                inside: match inside {
                    Inside::Always => ir::Inside::Always,
                    Inside::ThereIs => ir::Inside::ThereIs,
                    Inside::Precedes(first) => ir::Inside::Precedes(cond(first)),
                },
            },
        };
        Ok(ir::Property {
            name: property.name.clone(),
            modality,
            predicate: cond(&property.predicate),
            span: property.span,
            vacuous: keys::ranges_over_nobody(self.model, &property.predicate),
        })
    }
}
