//! Emulation functions as processes, and the main process, which lets one of them happen after the other.
//!
//! Every process ends with its labels: `ASSIGN !agent !"variable" !value` for each cell that changed (ATLAS paper,
//! section 3.1), `SHARED` for cells of the environment, and `STEP !agent !"function"` when the state is complete again.

use super::expr::{Exprs, Local, refuse};
use super::helpers::Helper;
use super::names::Names;
use super::place::Arrays;
use super::shape::{Kind, Shape, Touched};
use super::stmt::Body;
use super::text::{Lines, branches, declare, guarded, indent, line, nest, sequence};
use crate::Refusal;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::{Expr, Function, Place, Program, Rule, Set, Stmt, VarId, print, stmt};
use swarmcheck_logic::expand::agents;

/// What is known while the module is written, and what it turns out to need.
pub(crate) struct Module<'a> {
    /// The program.
    pub program: &'a Program,
    /// How its variables are kept.
    pub shapes: Vec<Shape>,
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

/// How a variable is passed to a process.
struct Parameter {
    var: VarId,
    changed: bool,
}

impl Module<'_> {
    fn arrays(&self) -> Arrays<'_> {
        Arrays { shapes: &self.shapes }
    }

    fn shape(&self, var: VarId) -> &Shape {
        &self.shapes[var.0 as usize]
    }

    /// The locals of a block, with names, and whether they may be ⊥.
    fn locals(
        &self,
        names: &mut Names,
        locals: &[swarmcheck_ir::Local],
        body: &[Stmt],
        arrays: &Arrays<'_>,
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
            let exprs = self.exprs(arrays, None, &known);
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

    fn exprs<'b>(&'b self, arrays: &'b Arrays<'b>, me: Option<String>, locals: &'b [Local]) -> Exprs<'b> {
        Exprs {
            program: self.program,
            places: arrays,
            me,
            bound: BTreeMap::new(),
            locals,
            helpers: &self.helpers,
        }
    }

    /// A block with its declarations; `finish` goes inside, after it.
    fn body(
        &self,
        locals: &[swarmcheck_ir::Local],
        block: &[Stmt],
        me: Option<String>,
        wrap: impl FnOnce(&Body<'_>, Vec<Lines>) -> Result<Lines, Refusal>,
    ) -> Result<Lines, Refusal> {
        let arrays = self.arrays();
        let mut names = self.names.clone();
        let locals = self.locals(&mut names, locals, block, &arrays);
        let exprs = self.exprs(&arrays, me, &locals);
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
            writes: &arrays,
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

    fn parameters(&self, f: &Function) -> Vec<Parameter> {
        let mut touched = Touched::default();
        touched.block(&f.body);
        touched.expr(&f.guard);
        touched.read.extend(f.entry.iter().map(|(var, _)| *var));
        let all: BTreeSet<VarId> = touched.read.union(&touched.written).copied().collect();
        let real = all.into_iter().filter(|v| self.shape(*v).kind != Kind::Absent);
        real.map(|var| Parameter { var, changed: touched.written.contains(&var) }).collect()
    }

    /// The gates a function needs: for its agents' variables, for shared ones, and for its end.
    fn gates(&self, parameters: &[Parameter]) -> Vec<(&'static str, &'static str)> {
        let shown = |test: &dyn Fn(&Kind) -> bool| {
            parameters.iter().any(|p| p.changed && self.shape(p.var).shown && test(&self.shape(p.var).kind))
        };
        let mut out = vec![];
        if shown(&|kind| matches!(kind, Kind::Cells { .. })) {
            out.push(("ASSIGN", "ASSIGNMENT"));
        }
        if shown(&|kind| matches!(kind, Kind::Scalar | Kind::Table { .. })) {
            out.push(("SHARED", "SHARING"));
        }
        out.push(("STEP", "STEPS"));
        out
    }

    /// The process of one emulation function.
    pub(crate) fn function(&self, number: usize, f: &Function) -> Result<Lines, Refusal> {
        let name = &self.functions[number];
        let parameters = self.parameters(f);
        let formal = |p: &Parameter| {
            let shape = self.shape(p.var);
            let mode = if p.changed { "in out " } else { "" };
            format!("{mode}{}: {}", shape.name, shape.kind.type_name())
        };
        let gates = self.gates(&parameters);
        let gate_list = gates.iter().map(|(g, c)| format!("{g}: {c}")).collect::<Vec<_>>().join(", ");
        let mut formals = vec!["me: nat".to_string()];
        formals.extend(parameters.iter().map(formal));
        let changed: Vec<&Parameter> =
            parameters.iter().filter(|p| p.changed && self.shape(p.var).shown).collect();
        let body = self.body(&f.locals, &f.body, Some("me".to_string()), |body, statements| {
            let mut before = vec![];
            let mut after = vec![];
            for p in &changed {
                let shape = self.shape(p.var);
                let old = body.variable(&format!("before_{}", shape.name), &shape.kind.type_name());
                before.push(line(format!("{old} := {}", shape.name)));
                after.push(self.report(p.var, &old));
            }
            after.push(line(format!("STEP (me, \"{}\")", f.name)));
            let all = before.into_iter().chain(statements).chain(after).collect();
            let entry = f.entry.iter().map(|(pc, at)| {
                let read = Expr::Read(Place::of(*pc, Expr::Me));
                Ok(format!("({} == {at})", body.exprs.operand(&read)?))
            });
            let mut guards = entry.collect::<Result<Vec<_>, Refusal>>()?;
            guards.extend(body.exprs.conjuncts(&f.guard)?);
            Ok(guarded("only if", &guards, sequence(all)))
        })?;
        let what = match &f.rule {
            Rule::Action { words, .. } => words.clone(),
            Rule::System { verb, object, .. } => format!("{verb} '{object}'"),
        };
        let mut out = vec![format!("-- {}", what.replace(['\n', '\r'], " "))];
        out.extend(nest(
            format!("process {name} [{gate_list}]"),
            line(format!("({})", formals.join(", "))),
            "is",
        ));
        out.extend(indent(body));
        out.push("end process".to_string());
        Ok(out)
    }

    /// Labels for what has changed in a variable.
    fn report(&self, var: VarId, old: &str) -> Lines {
        let shape = self.shape(var);
        let (name, label) = (&shape.name, self.program.var(var).name.as_str());
        match shape.kind {
            Kind::Scalar => nest(
                format!("if {name} <> {old} then"),
                line(format!("SHARED (\"{label}\", {name})")),
                "end if",
            ),
            Kind::Table { cells } => {
                self.reports.borrow_mut().insert((0, cells));
                line(format!("REPORT_SHARED_{cells} [SHARED] (\"{label}\", {old}, {name})"))
            }
            Kind::Cells { first, agents, cells } => {
                let scalar = self.program.var(var).dimensions.is_empty();
                let cells = if scalar { 0 } else { cells };
                self.reports.borrow_mut().insert((agents, cells));
                line(format!("{} [ASSIGN] (\"{label}\", {first}, {old}, {name})", report_name(agents, cells)))
            }
            Kind::Absent | Kind::Times { .. } => vec![],
        }
    }

    /// The main process: the initial block, labels for all initial values, then the steps.
    pub(crate) fn main(&self) -> Result<Lines, Refusal> {
        let present =
            || (0..self.shapes.len() as u32).map(VarId).filter(|v| self.shape(*v).kind != Kind::Absent);
        let declared: Vec<(String, String)> =
            present().map(|v| (self.shape(v).name.clone(), self.shape(v).kind.type_name())).collect();
        let mut start = vec![];
        for var in present() {
            let Shape { name, kind, .. } = self.shape(var);
            start.push(line(match kind {
                Kind::Times { agents, .. } => {
                    format!("{name} := {}", self.first_times(var, *agents)?)
                }
                Kind::Scalar => format!("{name} := 0"),
                other => format!("{name} := {} (0)", other.type_name()),
            }));
        }
        let initial =
            self.body(&self.program.init_locals, &self.program.init, None, |_, s| Ok(sequence(s)))?;
        if initial != line("null") {
            start.push(initial);
        }
        for var in present().filter(|v| self.shape(*v).shown) {
            start.extend(self.announce(var));
        }
        start.push(line("START"));
        let mut ways = vec![];
        for (name, f) in self.functions.iter().zip(&self.program.functions) {
            let parameters = self.parameters(f);
            let gates = self.gates(&parameters).iter().map(|(g, _)| *g).collect::<Vec<_>>().join(", ");
            let actual = |p: &Parameter| {
                let sign = if p.changed { "!?" } else { "" };
                format!(", {sign}{}", self.shape(p.var).name)
            };
            let actuals: String = parameters.iter().map(actual).collect();
            for agent in agents(self.program, &f.owners) {
                ways.push(line(format!("{name} [{gates}] ({agent}{actuals})")));
            }
        }
        let steps = match ways.len() {
            0 => line("stop"),
            1 => nest("loop", ways.remove(0), "end loop"),
            _ => nest("loop", branches("select", ways, "[]", "end select"), "end loop"),
        };
        start.push(steps);
        let gates = "process MAIN [ASSIGN: ASSIGNMENT, SHARED: SHARING, START: none, STEP: STEPS] is";
        Ok(nest(gates, declare(&declared, sequence(start)), "end process"))
    }

    /// Timestamps before the first step: in the order of the agents' numbers if the initial block says so for everybody,
    /// all the same if it does not mention them.
    fn first_times(&self, var: VarId, n: u32) -> Result<String, Refusal> {
        let mut numbered: BTreeSet<u32> = BTreeSet::new();
        stmt::walk(&self.program.init, &mut |s| {
            if let Stmt::ForEach(kinds, bound, body) = s {
                let own = |s: &Stmt| matches!(s, Stmt::Assign(place, Expr::Bound(b)) if place.var == var && b == bound);
                if body.iter().any(own) {
                    numbered.extend(agents(self.program, kinds));
                }
            }
        });
        let owners = self.program.var(var).owners.as_ref().map(|kinds| agents(self.program, kinds));
        if numbered.is_empty() {
            return Ok(format!("TIMES_{n} (SAME)"));
        }
        if owners.is_some_and(|o| o.iter().any(|a| !numbered.contains(a))) {
            return refuse("only some agents have an initial timestamp");
        }
        self.helpers.borrow_mut().insert(Helper::ByNumber(n));
        Ok(Helper::ByNumber(n).name())
    }

    /// Labels for all cells of a variable.
    fn announce(&self, var: VarId) -> Vec<Lines> {
        let shape = self.shape(var);
        let (name, label) = (&shape.name, self.program.var(var).name.as_str());
        match shape.kind {
            Kind::Scalar => vec![line(format!("SHARED (\"{label}\", {name})"))],
            Kind::Table { cells } => {
                (0..cells).map(|c| line(format!("SHARED (\"{label}\", {c}, {name}[{c}])"))).collect()
            }
            Kind::Cells { first, cells, .. } => {
                let owners = self.program.var(var).owners.as_deref().unwrap_or_default();
                let scalar = self.program.var(var).dimensions.is_empty();
                let at = |agent: u32, cell: u32| {
                    let index = u64::from(agent - first) * u64::from(cells) + u64::from(cell);
                    let which = if scalar { String::new() } else { format!("{cell}, ") };
                    line(format!("ASSIGN ({agent}, \"{label}\", {which}{name}[{index}])"))
                };
                let agents = agents(self.program, owners);
                agents.iter().flat_map(|&a| (0..cells).map(move |c| (a, c))).map(|(a, c)| at(a, c)).collect()
            }
            Kind::Absent | Kind::Times { .. } => vec![],
        }
    }
}

/// The process that reports changes of a variable of so many agents; `cells` is 0 for variables that are no arrays.
fn report_name(agents: u32, cells: u32) -> String {
    if cells == 0 { format!("REPORT_{agents}") } else { format!("REPORT_{agents}_BY_{cells}") }
}

/// The processes that report changes.
pub(crate) fn report_processes(needed: &BTreeSet<(u32, u32)>) -> Vec<Lines> {
    needed.iter().map(|&(agents, cells)| report_process(agents, cells)).collect()
}

fn report_process(agents: u32, cells: u32) -> Lines {
    let size = u64::from(agents.max(1)) * u64::from(cells.max(1));
    let over = |name: &str, n: u32, body: Lines| {
        nest(format!("for {name} := 0 while {name} < {n} by {name} := {name} + 1 loop"), body, "end loop")
    };
    let (index, label) = match (agents, cells) {
        (0, _) => ("cell".to_string(), "SHARED (name, cell, after[cell])".to_string()),
        (_, 0) => ("number".to_string(), "ASSIGN (first + number, name, after[number])".to_string()),
        _ => {
            let index = format!("(number * {cells}) + cell");
            (index.clone(), format!("ASSIGN (first + number, name, cell, after[{index}])"))
        }
    };
    let report = nest(format!("if before[{index}] <> after[{index}] then"), line(label), "end if");
    let (name, gate, parameters, body) = match (agents, cells) {
        (0, _) => (format!("REPORT_SHARED_{cells}"), "SHARED: SHARING", "", over("cell", cells, report)),
        (_, 0) => {
            (report_name(agents, cells), "ASSIGN: ASSIGNMENT", "first: nat, ", over("number", agents, report))
        }
        _ => {
            let body = over("number", agents, over("cell", cells, report));
            (report_name(agents, cells), "ASSIGN: ASSIGNMENT", "first: nat, ", body)
        }
    };
    let variables: Vec<(String, String)> = ["number", "cell"]
        .iter()
        .filter(|v| body.iter().any(|l| l.trim_start().starts_with(&format!("for {v} "))))
        .map(|v| (v.to_string(), "nat".to_string()))
        .collect();
    let head = format!("process {name} [{gate}]");
    let list = format!("(name: string, {parameters}before: CELLS_{size}, after: CELLS_{size})");
    let mut out = line("-- Labels for the cells that have changed.");
    out.extend(nest(head, line(list), "is"));
    out.extend(indent(declare(&variables, body)));
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
