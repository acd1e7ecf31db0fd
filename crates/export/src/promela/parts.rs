//! The parts of a Promela file: declarations, the initial block, one step per function, checks.

use super::body::{Body, loop_name, rank_name};
use super::conditions;
use super::early::{chooses, early};
use super::formula::{AtomNames, claim, distinct};
use super::locals::locals;
use super::names::Names;
use super::text::{atom, text};
use super::variables::Variables;
use crate::Refusal;
use crate::question::{ExportClaim, ExportQuestion};
use crate::term::Term;
use crate::total::{Scope, Total, spans};
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{BinaryOp, Expr, Local, Program, Stmt, VarId};

/// How many values one line of a printed state has.
const PER_LINE: usize = 16;

/// A function as text.
pub(super) struct Step {
    /// Its number in the program.
    pub(super) number: usize,
    pub(super) name: String,
    /// When it is enabled.
    pub(super) guard: Term,
    /// When finding that out is an error, if it can be.
    pub(super) wrong: Option<Term>,
    pub(super) body: String,
    /// It leaves nothing open and cannot fail half-way.
    pub(super) indivisible: bool,
    /// It may fail half-way.
    pub(super) dead_ends: bool,
    /// It draws from ranges.
    draws: bool,
    /// It may turn out to be impossible although its guard holds.
    pub(super) late: bool,
    /// The variables of loops it uses.
    loops: u32,
    ranked: BTreeSet<VarId>,
}

/// The check after each step.
pub(super) struct Check {
    /// Macros and the procedure `done`.
    pub(super) text: String,
    /// A formula, where an assertion does not do.
    pub(super) formula: Option<String>,
}

/// Locals with the same key share a variable of the model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LocalKey {
    name: String,
    array: bool,
    /// The number of locals with this name before it in its function.
    number: usize,
}

/// The keys of the locals of one function.
fn keys(locals: &[Local]) -> Vec<LocalKey> {
    let alike = |at: usize, local: &Local| locals[..at].iter().filter(|l| l.name == local.name).count();
    let key = |(at, local): (usize, &Local)| LocalKey {
        name: local.name.clone(),
        array: local.length.is_some(),
        number: alike(at, local),
    };
    locals.iter().enumerate().map(key).collect()
}

/// What the parts of one file share.
pub(super) struct Parts<'a> {
    question: &'a ExportQuestion,
    /// The program as it was, for printing states.
    flat: &'a Flat,
    variables: Variables,
    /// The names of locals, which functions share, with the longest length of an array.
    locals: BTreeMap<LocalKey, (String, u32)>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(question: &'a ExportQuestion, flat: &'a Flat, names: &mut Names) -> Parts<'a> {
        let program = &question.program;
        let variables = Variables::new(program, names);
        let mut found: BTreeMap<LocalKey, (String, u32)> = BTreeMap::new();
        for locals in program.functions.iter().map(|f| &f.locals).chain([&program.init_locals]) {
            for (key, local) in keys(locals).into_iter().zip(locals) {
                let entry = found.entry(key).or_insert_with(|| (names.fresh(&local.name), 0));
                entry.1 = entry.1.max(local.length.unwrap_or(0));
            }
        }
        (0..program.binders()).for_each(|bound| {
            names.fresh(&loop_name(bound));
        });
        Parts { question, flat, variables, locals: found }
    }

    fn program(&self) -> &'a Program {
        &self.question.program
    }

    /// All variables with what they are for.
    pub(super) fn declarations(&self) -> String {
        let mut out = String::new();
        for (number, var) in self.program().vars.iter().enumerate() {
            if let Some(declaration) = self.variables.declaration(VarId(number as u32)) {
                let whose = match &var.owners {
                    None => String::new(),
                    Some(kinds) => {
                        let names: Vec<&str> =
                            kinds.iter().map(|k| self.program().kind(*k).name.as_str()).collect();
                        format!(" of {}", names.join(", "))
                    }
                };
                out += &format!("{declaration}  /* {}{whose} */\n", super::comment(&var.name));
            }
        }
        out
    }

    /// Locals and variables of loops.
    pub(super) fn helpers(&self, initial: &Step, steps: &[Step]) -> String {
        let mut out = String::new();
        for (key, (name, length)) in &self.locals {
            match key.array {
                true => out += &format!("int {name}[{length}];\n"),
                false => out += &format!("int {name};\n"),
            }
        }
        let loops = steps.iter().map(|s| s.loops).chain([initial.loops]).max().unwrap_or(0);
        (0..loops).for_each(|bound| out += &format!("int {};\n", loop_name(bound)));
        if initial.draws || steps.iter().any(|s| s.draws) {
            out += "int drawn;\nint drawn_end;\n";
        }
        if initial.ranked.len() + steps.iter().map(|s| s.ranked.len()).sum::<usize>() > 0 {
            out += "int rank_old;\nint rank_next;\nint rank_agent;\nbit rank_seen;\n";
        }
        out
    }

    /// Procedures that make ranks dense.
    pub(super) fn ranking(&self, initial: &Step, steps: &[Step]) -> String {
        let ranked: BTreeSet<VarId> =
            steps.iter().flat_map(|s| &s.ranked).chain(&initial.ranked).copied().collect();
        let mut out = String::new();
        for var in ranked {
            let it = self.program().var(var);
            out += &format!("/* Dense ranks for {}: none is skipped. */\n", super::comment(&it.name));
            out += &format!("inline {}() {{\n  rank_next = 0;\n", rank_name(var));
            out += &format!("  for (rank_old : 0 .. {}) {{\n    rank_seen = 0;\n", self.variables.top(var));
            let agent = Term::Name("rank_agent".to_string());
            let cell = self.variables.cell(var, Some(&agent), &Term::Number(0));
            for (first, last) in spans(self.program(), it.owners.as_deref().unwrap_or(&[])) {
                out += &format!("    for (rank_agent : {first} .. {last}) {{\n");
                out += &format!(
                    "      if\n      :: {cell} == rank_old -> {cell} = rank_next; rank_seen = 1\n      :: else -> skip\n      fi\n    }}\n"
                );
            }
            out += "    rank_next = rank_next + rank_seen\n  }\n";
            out += "  rank_old = 0; rank_next = 0; rank_agent = 0; rank_seen = 0\n}\n\n";
        }
        out
    }

    /// The initial block.
    pub(super) fn initial(&mut self) -> Result<Step, Refusal> {
        self.variables.start = true;
        let program = self.program();
        let written = self.body(None, &program.init_locals, &program.init, &Expr::TRUE, &[]);
        self.variables.start = false;
        written
    }

    /// One function; `None` if no agent can run it.
    pub(super) fn step(&mut self, number: usize, names: &mut Names) -> Result<Option<Step>, Refusal> {
        let program = self.program();
        let function = &program.functions[number];
        if spans(program, &function.owners).is_empty() {
            return Ok(None);
        }
        let (function, late) = early(function);
        let me = Total::agent(program, Term::Name("me".to_string()), &function.owners);
        let step = self.body(Some(me), &function.locals, &function.body, &function.guard, &function.entry)?;
        let indivisible = step.indivisible && !chooses(&function.body);
        let name = names.fresh(&function.name);
        Ok(Some(Step { number, name, indivisible, late: late || step.late, ..step }))
    }

    fn body(
        &self,
        me: Option<Total>,
        list: &[Local],
        block: &[Stmt],
        guard: &Expr,
        entry: &[(VarId, i64)],
    ) -> Result<Step, Refusal> {
        let mut scope = Scope {
            program: self.program(),
            cells: &self.variables,
            me: me.clone(),
            bound: vec![],
            locals: vec![],
        };
        let name = |key: LocalKey| self.locals.get(&key).map_or(key.name, |(name, _)| name.clone());
        let names: Vec<String> = keys(list).into_iter().map(name).collect();
        let condition = scope.total(guard)?;
        let at = entry.iter().map(|(var, value)| {
            let place = self.variables.cell(*var, me.as_ref().map(|m| &m.value), &Term::Number(0));
            Term::compare(BinaryOp::Eq, Term::Name(place), Term::Number(*value))
        });
        let at = Term::all(at);
        locals(&mut scope, list, &names, block)?;
        let mut body = Body {
            scope,
            variables: &self.variables,
            out: String::new(),
            depth: 1,
            dead_ends: false,
            draws: false,
            late: false,
            used: BTreeSet::new(),
            ranked: BTreeSet::new(),
        };
        body.block(block)?;
        let used = std::mem::take(&mut body.used);
        for name in &used {
            body.line(&format!("{name} = 0;"));
        }
        let wrong = Term::all([at.clone(), condition.wrong.clone()]);
        Ok(Step {
            number: 0,
            name: String::new(),
            guard: Term::all([at, condition.truth()]),
            wrong: (wrong != Term::FALSE).then_some(wrong),
            indivisible: !body.dead_ends,
            dead_ends: body.dead_ends,
            draws: body.draws,
            late: body.late,
            loops: used
                .iter()
                .filter_map(|n| n.strip_prefix("agent")?.parse::<u32>().ok())
                .max()
                .map_or(0, |n| n + 1),
            body: body.out,
            ranked: body.ranked,
        })
    }

    /// What is done after each step: the number of steps, the property, and what a trail shows.
    pub(super) fn check(&mut self, dead_ends: bool, names: &mut Names) -> Result<Check, Refusal> {
        let mut text_of = String::new();
        let mut body = String::new();
        let ask = &self.question.ask;
        let atoms = match ask {
            ExportClaim::Formula(linear) => distinct(&linear.formula),
            _ => vec![],
        };
        let atom_names = AtomNames::new(atoms.len(), names);
        let asked = conditions(ask).into_iter();
        let atoms = atom_names.conditions.iter().map(String::as_str).zip(atoms);
        for (name, condition) in asked.chain(atoms) {
            let mut scope = Scope {
                program: self.program(),
                cells: &self.variables,
                me: None,
                bound: vec![],
                locals: vec![],
            };
            let condition = scope.total(condition)?;
            if condition.wrong != Term::FALSE {
                body += &format!("  assert(!{});\n", atom(&condition.wrong));
            }
            text_of += &format!("#define {name} ({})\n", text(&condition.truth()));
            // Formulas read variables: their syntax is poorer than that of expressions.
            if matches!(ask, ExportClaim::Eventually(_) | ExportClaim::Promised { .. }) {
                text_of += &format!("bit {name}_now;\n");
                body += &format!("  {name}_now = {name};\n");
            }
        }
        if let ExportClaim::Formula(_) = ask {
            text_of += &atom_names.declarations();
            body += &atom_names.update();
        }
        let mut out =
            format!("{text_of}\n/* After each step, and after the initial block. */\ninline done() {{\n");
        out += &self.state();
        if let Some(last) = self.question.last {
            out += "  if :: started -> steps = steps + 1 :: else -> skip fi;\n";
            if let ExportClaim::ByLast(_) = ask {
                body += &format!(
                    "  if :: holds -> seen = 1 :: else -> skip fi;\n  assert(steps != {last} || seen);\n"
                );
            }
            if let ExportClaim::AtLast(_) = ask {
                body += &format!("  assert(steps != {last} || holds);\n");
            }
        }
        if let ExportClaim::Always(_) = ask {
            body += "  assert(holds);\n";
        }
        out += &body;
        out += "  started = 1\n}\n\n";
        let formula = match ask {
            ExportClaim::Eventually(_) => Some("<> (started && holds_now)".to_string()),
            ExportClaim::Promised { .. } => {
                Some("([] (!started || kept_now)) && !(<> [] (started && waiting_now))".to_string())
            }
            ExportClaim::Formula(linear) => Some(claim(&linear.formula, &atom_names)),
            _ => None,
        };
        // An execution that runs into a dead end is none.
        let excused = if dead_ends { "(<> impossible_step) || " } else { "" };
        let formula = formula.map(|formula| format!("{excused}({formula})"));
        Ok(Check { text: out, formula })
    }

    /// Prints the cells of the original program in the order of its layout.
    fn state(&self) -> String {
        let mut cells = vec![];
        for (_, cell) in self.flat.layout.cells() {
            let agent = cell.agent.map(|a| Term::Number(i64::from(a)));
            cells.push(self.variables.cell(cell.var, agent.as_ref(), &Term::Number(i64::from(cell.index))));
        }
        let mut out = "  printf(\"@state\\n\");\n".to_string();
        for line in cells.chunks(PER_LINE) {
            let places = vec!["%d"; line.len()].join(" ");
            out += &format!("  printf(\"@cells {places}\\n\", {});\n", line.join(", "));
        }
        out
    }
}
