//! SMV, for NuSMV and nuXmv: one variable per cell, one input that says which step is made.
//!
//! Every way to make a step is one value of the input `step`, so that a step leaves nothing open; `begin` is the initial
//! block, whose draws are inputs of their own, and `rest` is what happens forever where no step is possible. What cells
//! are after a step is worked out here: the body is run on terms. Properties of what can be reached are CTL, those of
//! executions are LTL; formulas of linear time are printed as they are.

mod domains;
mod draws;
mod names;
mod paths;
mod spec;
mod text;

use crate::naming::line_comment;
use crate::question::{ExportClaim, ExportQuestion};
use crate::term::Term;
use crate::total::Known;
use crate::{Export, File, Refusal, Written, refuse};
use domains::Domains;
use names::Names;
use paths::{Define, Input, Path, Runner, Who, agents};
use std::cell::RefCell;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{BinaryOp, Expr, Place, Program, Rule, Stmt, VarId};
use swarmcheck_passes::ranges::{Range, ranges};
use text::{condition, number};

/// The name of the file.
const FILE: &str = "emulation.smv";

/// Larger domains are refused: no decision diagram likes them.
const LARGEST: i64 = 1_000_000;

/// One way to make a step.
struct Way {
    /// The value of the input `step`.
    name: String,
    /// What the step is, in words.
    words: String,
    path: Path,
}

/// Everything that goes into the file.
struct Model<'a> {
    question: &'a ExportQuestion,
    /// The names of the cells.
    cells: Vec<String>,
    /// The domains of the cells.
    domains: Vec<(i64, i64)>,
    begin: Vec<Way>,
    steps: Vec<Way>,
    rest: Path,
}

/// Writes the program and what is asked about it.
pub fn write(export: &Export<'_>) -> Written {
    let question = ExportQuestion::new(export, true)?;
    let flat = Flat::new(question.program.clone());
    let program = &question.program;
    let (late, early) = bounds(program)?;
    let all = late.iter().chain(&early);
    let least = all.map(|k| k.bounds.0).min().unwrap_or(0).min(0);
    let mut names = Names::new();
    let mut runner = Runner {
        program,
        layout: &flat.layout,
        known: early.clone(),
        undefined: least - 1,
        defines: RefCell::default(),
        inputs: RefCell::default(),
        draws_inputs: true,
        prefix: "begin".to_string(),
    };
    let cells: Vec<String> =
        (0..flat.width() as u32).map(|slot| cell_name(&flat, slot, &mut names)).collect();
    let domain = |slot: u32| {
        let var = flat.layout.cell(slot).var.0 as usize;
        let (a, b) = (late[var], early[var]);
        let lo = if a.undef || b.undef { least - 1 } else { a.bounds.0.min(b.bounds.0).min(0) };
        (lo, a.bounds.1.max(b.bounds.1).max(0))
    };
    let domains: Vec<(i64, i64)> = (0..flat.width() as u32).map(domain).collect();
    let zeros = runner.start(vec![Term::Number(0); flat.width()], &program.init_locals);
    let paths = runner.block(&program.init, vec![zeros], &Who::default())?;
    let begin = ways(paths, &names.fresh("begin"), "the initial block", &mut names);
    runner.known = late;
    runner.draws_inputs = false;
    let now = current(&cells, &domains);
    let mut steps = vec![];
    for function in &program.functions {
        for agent in agents(program, &function.owners) {
            let base = names.fresh(&format!("{}_{agent}", function.name));
            runner.prefix.clone_from(&base);
            let who = Who { me: Some(agent), ..Who::default() };
            let start = runner.start(now.clone(), &function.locals);
            let mut body = vec![Stmt::Assume(guard(function))];
            body.extend(function.body.iter().cloned());
            let paths = runner.block(&body, vec![start], &who)?;
            let words = format!("{}: {}", program.agent_name(agent), describe(&function.rule));
            steps.extend(ways(paths, &base, &words, &mut names));
        }
    }
    runner.prefix = "rest".to_string();
    let resting: &[Stmt] = match &question.ask {
        ExportClaim::Formula(linear) => &linear.rest,
        _ => &[],
    };
    let start = runner.start(now, &[]);
    let Some(rest) = runner.block(resting, vec![start], &Who::default())?.into_iter().next() else {
        return refuse("the step of a system at rest cannot be expressed");
    };
    runner.prefix = "property".to_string();
    let model = Model { question: &question, cells, domains, begin, steps, rest };
    let spec = spec::spec(&runner, &model, &mut names)?;
    runner.prefix = "next".to_string();
    Ok(vec![File { name: FILE.to_string(), text: assemble(export, &runner, &model, &spec) }])
}

/// What cells contain before a step. A cell with one value is no variable: NuSMV makes it a constant, which cannot be assigned. All
/// cells are 0 before the initial block, so that is its value.
fn current(cells: &[String], domains: &[(i64, i64)]) -> Vec<Term> {
    let content = |(name, domain): (&String, &(i64, i64))| match domain {
        (0, 0) => Term::Number(0),
        _ => Term::Name(name.clone()),
    };
    cells.iter().zip(domains).map(content).collect()
}

/// Entry condition and guard of a function in one.
fn guard(function: &swarmcheck_ir::Function) -> Expr {
    let at = |(var, value): &(VarId, i64)| {
        let here = Expr::Read(Place::of(*var, Expr::Me));
        Expr::binary(BinaryOp::Eq, here, Expr::Const(*value), Default::default())
    };
    Expr::and(function.entry.iter().map(at).chain([function.guard.clone()]))
}

/// The bounds of all variables, after the initial block and in it.
fn bounds(program: &Program) -> Result<(Vec<Known>, Vec<Known>), Refusal> {
    let found = ranges(program);
    let start = found.at_start(program);
    let (mut late, mut early) = (vec![], vec![]);
    for (number, var) in program.vars.iter().enumerate() {
        let id = VarId(number as u32);
        let first = var.owners.as_ref().and_then(|kinds| agents(program, kinds).first().copied());
        let place = Place {
            var: id,
            agent: first.map(|agent| Box::new(Expr::Const(i64::from(agent)))),
            index: var.dimensions.iter().map(|_| Expr::Const(0)).collect(),
            span: Default::default(),
        };
        late.push(known(&var.name, &found.value(id))?);
        early.push(match var.owners.is_some() && first.is_none() {
            true => Known { bounds: (0, 0), undef: false },
            false => known(&var.name, &start.eval(&Expr::Read(place)).range)?,
        });
    }
    Ok((late, early))
}

fn known(name: &str, range: &Range) -> Result<Known, Refusal> {
    let bounds = match &range.values {
        Some(values) => (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0)),
        None => match (range.lo, range.hi) {
            (Some(lo), Some(hi)) if lo >= -LARGEST && hi <= LARGEST => (lo, hi),
            _ => {
                return refuse(&format!("SMV needs finite domains, and '{name}' has no known bounds"));
            }
        },
    };
    Ok(Known { bounds, undef: range.undef })
}

fn cell_name(flat: &Flat, slot: u32, names: &mut Names) -> String {
    let cell = flat.layout.cell(slot);
    let var = flat.program.var(cell.var);
    let agent = cell.agent.map_or(String::new(), |a| format!("_{a}"));
    let index = if var.dimensions.is_empty() { String::new() } else { format!("_{}", cell.index) };
    names.fresh(&format!("{}{agent}{index}", var.name))
}

fn ways(paths: Vec<Path>, base: &str, words: &str, names: &mut Names) -> Vec<Way> {
    let several = paths.len() > 1;
    let way = |(number, path): (usize, Path)| Way {
        name: if several { names.fresh(&format!("{base}_way{number}")) } else { base.to_string() },
        words: words.to_string(),
        path,
    };
    paths.into_iter().enumerate().map(way).collect()
}

/// What a step does, in one line.
pub(crate) fn describe(rule: &Rule) -> String {
    let words = match rule {
        Rule::Action { words, .. } => words.clone(),
        Rule::System { verb, object, .. } => format!("{verb} {object}"),
    };
    line_comment(&words)
}

fn assemble(export: &Export<'_>, runner: &Runner<'_>, model: &Model<'_>, spec: &spec::Spec) -> String {
    let question = model.question;
    let mut out =
        format!("-- {}: the emulation program, written by swarmcheck.\n", line_comment(export.file.name()));
    let asked = question.name.as_deref().unwrap_or("is some step possible in every state?");
    let asked = line_comment(asked);
    out += &format!("-- Property: {asked}\n-- Undefined values are {}.\n", runner.undefined);
    out += &format!("-- Cells: {}.\n\nMODULE main\n\n", originals(export.flat, runner, model).join(" "));
    let all = || model.begin.iter().chain(&model.steps);
    let names: Vec<&str> = all().map(|w| w.name.as_str()).chain(["rest"]).collect();
    out += &format!("IVAR\n  step : {{{}}};\n", names.join(", "));
    for Input { name, lo, hi } in runner.inputs.borrow().iter() {
        out += &format!("  {name} : {lo}..{hi};\n");
    }
    out += "\nVAR\n  started : boolean;\n  model_error : boolean;\n";
    if let Some(last) = question.last.filter(|last| *last > 0) {
        out += &format!("  steps : 0..{last};\n");
    }
    out += &spec.variables;
    let variables = || model.cells.iter().zip(&model.domains).enumerate().filter(|(_, (_, d))| **d != (0, 0));
    for (_, (name, (lo, hi))) in variables() {
        out += &format!("  {name} : {lo}..{hi};\n");
    }
    let known = Domains::new(runner, model);
    let assigned = |(slot, (name, domain)): (usize, (&String, &(i64, i64)))| {
        assigned(model, slot, name, &|term| known.within(runner, term, *domain))
    };
    let cells: String = variables().map(assigned).collect();
    out += "\nDEFINE\n";
    if question.last == Some(0) {
        out += "  steps := 0;\n";
    }
    for Define { name, term, is_condition } in runner.defines.borrow().iter() {
        let term = if *is_condition { condition(term) } else { number(term) };
        out += &format!("  {name} := {term};\n");
    }
    let mut can = vec![];
    for way in &model.steps {
        let enabled = Term::any([way.path.possible.clone(), way.path.wrong.clone()]);
        can.push(enabled);
    }
    let more = question.last.map_or(String::new(), |last| format!("steps < {last} & "));
    out += &format!("  can_step := !model_error & {more}({});\n", condition(&Term::any(can)));
    out += &spec.defines;
    out += "\nASSIGN\n  init(started) := FALSE;\n  next(started) := TRUE;\n  init(model_error) := FALSE;\n";
    let wrong = all().filter(|w| w.path.wrong != Term::FALSE);
    let errors: Vec<String> =
        wrong.map(|w| format!("step = {} & {} : TRUE;", w.name, spec::atom(&w.path.wrong))).collect();
    out += &format!("  next(model_error) := case {} TRUE : model_error; esac;\n", errors.join(" "));
    if let Some(last) = question.last.filter(|last| *last > 0) {
        out += "  init(steps) := 0;\n";
        let more = format!("steps < {last} ? steps + 1 : steps");
        out += &format!("  next(steps) := case started & step != rest : {more}; TRUE : steps; esac;\n");
    }
    out += &spec.assigns;
    out += &cells;
    out += "\nTRANS\n  case\n";
    for way in &model.begin {
        let enabled = Term::any([way.path.possible.clone(), way.path.wrong.clone()]);
        out +=
            &format!("    step = {} : !started & ({});  -- {}\n", way.name, condition(&enabled), way.words);
    }
    for way in &model.steps {
        let enabled = Term::any([way.path.possible.clone(), way.path.wrong.clone()]);
        out += &format!(
            "    step = {} : started & !model_error & {more}({});  -- {}\n",
            way.name,
            condition(&enabled),
            way.words
        );
    }
    out += "    TRUE : started & !can_step;  -- rest\n  esac;\n\n";
    out += &spec.specifications;
    out
}

/// What a cell is at first and after a step.
fn assigned(model: &Model<'_>, slot: usize, name: &str, within: &dyn Fn(&Term) -> Option<Term>) -> String {
    let mut out = format!("  init({name}) := 0;\n  next({name}) := case\n");
    let same = Term::Name(name.to_string());
    let mut branch = |step: &str, fine: &str, term: &Term| {
        if let Some(term) = within(term) {
            out += &format!("    step = {step}{fine} : {};\n", number(&term));
        }
    };
    for way in model.begin.iter().chain(&model.steps) {
        let term = &way.path.cells[slot];
        if *term == same || (*term == Term::Number(0) && model.begin.iter().any(|b| b.name == way.name)) {
            continue;
        }
        let fine = match way.path.wrong == Term::FALSE {
            true => String::new(),
            false => format!(" & !{}", spec::atom(&way.path.wrong)),
        };
        branch(&way.name, &fine, term);
    }
    if model.rest.cells[slot] != same {
        branch("rest", "", &model.rest.cells[slot]);
    }
    out + &format!("    TRUE : {name};\n  esac;\n")
}

/// The names of the cells of the original program, in the order of its layout, and 0 for those that are no variables: they are needed
/// to read a counterexample.
fn originals(flat: &Flat, runner: &Runner<'_>, model: &Model<'_>) -> Vec<String> {
    let name = |slot: u32| {
        let slot = runner.layout.slot(flat.layout.cell(slot)).map(|slot| slot as usize);
        match slot.and_then(|slot| Some((model.cells.get(slot)?, model.domains.get(slot)?))) {
            Some((name, domain)) if *domain != (0, 0) => name.clone(),
            _ => "0".to_string(),
        }
    };
    (0..flat.width() as u32).map(name).collect()
}
