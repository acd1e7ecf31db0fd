//! What the processes of a module share: how variables are kept, which names are taken, and blocks of statements with
//! everything that has to be declared for them.

use super::expr::{Exprs, Local, Places};
use super::helpers::Helper;
use super::names::Names;
use super::shape::{Storage, Touched, VarLayout};
use super::stmt::{Body, Writes};
use super::text::{Lines, declare, line};
use crate::Refusal;
use crate::naming::line_comment;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::{Expr, Function, Place, Program, Rule, Set, Stmt, VarId, print, stmt};

/// What is known while the module is written, and what it turns out to need.
pub(crate) struct Module<'a> {
    pub program: &'a Program,
    /// The layout of its variables.
    pub shapes: Vec<VarLayout>,
    /// Names in use.
    pub names: Names,
    /// The identifiers of the functions.
    pub functions: Vec<String>,
    /// Functions to be defined.
    pub helpers: RefCell<BTreeSet<Helper>>,
    /// Array sizes to be defined.
    pub sizes: RefCell<BTreeSet<u32>>,
    /// Processes that report changes: agents and cells of each.
    pub reports: RefCell<BTreeSet<(u32, u32)>>,
}

impl<'a> Module<'a> {
    /// Nothing is needed yet.
    pub fn new(
        program: &'a Program,
        shapes: Vec<VarLayout>,
        names: Names,
        functions: Vec<String>,
    ) -> Module<'a> {
        let (helpers, sizes, reports) = Default::default();
        Module { program, shapes, names, functions, helpers, sizes, reports }
    }
}

/// How a variable is passed to a process.
pub(crate) struct Parameter {
    pub var: VarId,
    /// Whether the process may change it.
    pub changed: bool,
}

/// What agents are called in a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Actor {
    /// The one that acts.
    pub me: Option<String>,
    /// Those that loops around the block have bound.
    pub bound: BTreeMap<u32, String>,
}

impl Actor {
    /// The agent that runs a function.
    pub(crate) fn acting() -> Actor {
        Actor { me: Some("me".to_string()), bound: BTreeMap::new() }
    }
}

impl Module<'_> {
    pub(crate) fn shape(&self, var: VarId) -> &VarLayout {
        &self.shapes[var.0 as usize]
    }

    /// The locals of a block, with names, and whether they may be ⊥.
    fn locals(
        &self,
        names: &mut Names,
        locals: &[swarmcheck_ir::Local],
        body: &[Stmt],
        places: &dyn Places,
    ) -> Vec<Local> {
        let wanted = print::local_names(self.program, locals);
        let mut out: Vec<Local> = locals
            .iter()
            .zip(wanted)
            .map(|(l, name)| Local { name: names.fresh(&name), undefined: false, length: l.length })
            .collect();
        // A local may be ⊥ because another one is, so what was found is looked at again until nothing is new.
        for _ in 0..=out.len() {
            let known = out.clone();
            let exprs = self.exprs(places, None, &known);
            stmt::walk(body, &mut |s| {
                let (local, may) = match s {
                    Stmt::Let(l, e) => (l, exprs.undefined(e)),
                    Stmt::Havoc(l, Set::Values(values)) => (l, values.iter().any(|e| exprs.undefined(e))),
                    _ => return,
                };
                if let Some(local) = out.get_mut(local.0 as usize) {
                    local.undefined |= may;
                }
            });
        }
        out
    }

    fn exprs<'b>(&'b self, places: &'b dyn Places, me: Option<String>, locals: &'b [Local]) -> Exprs<'b> {
        Exprs { program: self.program, places, me, bound: BTreeMap::new(), locals, helpers: &self.helpers }
    }

    /// A block with its declarations. `wrap` puts its statements together with what else belongs inside.
    pub(crate) fn body<C: Places + Writes>(
        &self,
        cells: &C,
        actor: Actor,
        locals: &[swarmcheck_ir::Local],
        block: &[Stmt],
        wrap: impl FnOnce(&Body<'_>, Vec<Lines>) -> Result<Lines, Refusal>,
    ) -> Result<Lines, Refusal> {
        let mut names = self.names.clone();
        let locals = self.locals(&mut names, locals, block, cells);
        let mut exprs = self.exprs(cells, actor.me, &locals);
        exprs.bound = actor.bound;
        let kind = |l: &Local| match l.length {
            None => "int".to_string(),
            Some(length) => {
                self.sizes.borrow_mut().insert(length);
                format!("CELLS_{length}")
            }
        };
        let declared = locals.iter().map(|l| (l.name.clone(), kind(l))).collect();
        let body = Body {
            exprs: exprs.clone(),
            writes: cells,
            names: RefCell::new(names),
            declared: RefCell::new(declared),
        };
        // LNT wants every variable to have a value on every way to its use.
        let mut statements: Vec<Lines> = vec![];
        for (i, local) in locals.iter().enumerate() {
            match local.length {
                Some(length) => statements.push(line(format!("{} := CELLS_{length} (0)", local.name))),
                None if !assigned_first(block, i as u32) => {
                    statements.push(line(format!("{} := 0", local.name)))
                }
                None => {}
            }
        }
        statements.extend(body.block(&exprs, block)?);
        let lines = wrap(&body, statements)?;
        Ok(declare(&body.declared.borrow(), lines))
    }

    /// The variables that a function needs.
    pub(crate) fn parameters(&self, f: &Function) -> Vec<Parameter> {
        let mut touched = Touched::default();
        touched.block(&f.body);
        touched.expr(&f.guard);
        touched.read.extend(f.entry.iter().map(|(var, _)| *var));
        self.passed(&touched)
    }

    /// How variables that are touched are passed.
    pub(crate) fn passed(&self, touched: &Touched) -> Vec<Parameter> {
        let all: BTreeSet<VarId> = touched.read.union(&touched.written).copied().collect();
        let real = all.into_iter().filter(|v| self.shape(*v).kind != Storage::Absent);
        real.map(|var| Parameter { var, changed: touched.written.contains(&var) }).collect()
    }
}

impl Module<'_> {
    /// Formal parameters of a process: an agent, and variables.
    pub(crate) fn formals(&self, parameters: &[Parameter]) -> Vec<String> {
        let one = |p: &Parameter| {
            let shape = self.shape(p.var);
            format!("{}{}: {}", if p.changed { "in out " } else { "" }, shape.name, shape.kind.type_name())
        };
        std::iter::once("me: nat".to_string()).chain(parameters.iter().map(one)).collect()
    }

    /// Statements that remember the values of variables, and labels where they have changed.
    pub(crate) fn remember(
        &self,
        body: &Body<'_>,
        vars: &[VarId],
        label: impl Fn(VarId, &str) -> Lines,
    ) -> (Vec<Lines>, Vec<Lines>) {
        let (mut before, mut after) = (vec![], vec![]);
        for &var in vars {
            let shape = self.shape(var);
            let old = body.variable(&format!("before_{}", shape.name), &shape.kind.type_name());
            before.push(line(format!("{old} := {}", shape.name)));
            after.push(label(var, &old));
        }
        (before, after)
    }

    /// A process with its gates, for an agent, and with variables.
    pub(crate) fn call(&self, name: &str, gates: &[Gate], agent: &str, parameters: &[Parameter]) -> Lines {
        let gates = gates.iter().map(|(g, _)| g.as_str()).collect::<Vec<_>>().join(", ");
        let actual =
            |p: &Parameter| format!(", {}{}", if p.changed { "!?" } else { "" }, self.shape(p.var).name);
        line(format!("{name} [{gates}] ({agent}{})", parameters.iter().map(actual).collect::<String>()))
    }
}

/// A gate with its channel.
pub(crate) type Gate = (String, String);

pub(crate) fn gate(name: &str, channel: &str) -> Gate {
    (name.to_string(), channel.to_string())
}

/// Gates with their channels, as they are declared.
pub(crate) fn gates_text(gates: &[Gate]) -> String {
    gates.iter().map(|(gate, channel)| format!("{gate}: {channel}")).collect::<Vec<_>>().join(", ")
}

/// The parts of a function's guard, its entry condition first.
pub(crate) fn guard(body: &Body<'_>, f: &Function) -> Result<Vec<String>, Refusal> {
    let entry = f.entry.iter().map(|(pc, at)| {
        Ok(format!("({} == {at})", body.exprs.operand(&Expr::Read(Place::of(*pc, Expr::Me)))?))
    });
    let mut out = entry.collect::<Result<Vec<_>, Refusal>>()?;
    out.extend(body.exprs.conjuncts(&f.guard)?);
    Ok(out)
}

/// A line that says what a function stands for: the text of the action, or the rule of the system.
pub(crate) fn remark(f: &Function) -> String {
    let what = match &f.rule {
        Rule::Action { words, .. } => words.clone(),
        Rule::System { verb, object, .. } => format!("{verb} '{object}'"),
    };
    format!("-- {}", line_comment(&what))
}

/// A process definition.
pub(crate) fn process(remark: String, head: String, parameters: &[String], body: Lines) -> Lines {
    let mut out = vec![remark, head, format!("   ({})", parameters.join(", ")), "is".to_string()];
    out.extend(super::text::indent(body));
    out.push("end process".to_string());
    out
}

/// Whether the first statement that mentions a local gives it its value.
fn assigned_first(block: &[Stmt], local: u32) -> bool {
    for s in block {
        if let Stmt::Let(l, e) = s
            && l.0 == local
        {
            let mut reads = false;
            e.walk(&mut |e| reads |= matches!(e, Expr::Local(l) if l.0 == local));
            return !reads;
        }
        if matches!(s, Stmt::Havoc(l, _) if l.0 == local) {
            return true;
        }
        let mut mentioned = false;
        stmt::walk(std::slice::from_ref(s), &mut |s| {
            mentioned |= matches!(s, Stmt::Let(l, _) | Stmt::Havoc(l, _) if l.0 == local);
            for e in s.exprs() {
                e.walk(&mut |e| mentioned |= matches!(e, Expr::Local(l) if l.0 == local));
            }
        });
        if mentioned {
            return false;
        }
    }
    true
}
