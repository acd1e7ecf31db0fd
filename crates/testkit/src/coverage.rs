//! Which constructs of the language a system uses, so that tests can prove that the generator reaches all of them.
//!
//! Spellings are found in the text, everything else in the model, where a construct is what it is and not what it
//! looks like.

use std::collections::BTreeSet;
use swarmcheck_labs::model::{
    Action, Class, Cond, CondNode, Expr, ExprNode, Init, Model, Owner, Process, ProcessNode, Target, Value,
};
use swarmcheck_labs::syntax::ast::AssignOp;

/// Spellings that the text is searched for.
const SPELLINGS: [(&str, &str); 24] = [
    ("Behavior", "Behavior ="),
    ("Behaviour", "Behaviour ="),
    ("extern =", "extern ="),
    ("extern:", "extern:"),
    ("interface =", "interface ="),
    ("interface:", "interface:"),
    ("link:", "link:"),
    ("of 1", " of 1"),
    ("of c2", " of c2"),
    ("| as ||", " | "),
    ("a[i][j]", "]["),
    ("not", "not "),
    ("set {a, b}", ": {"),
    ("set or range [", ": ["),
    ("assume", "assume {"),
    ("always", "always"),
    ("finally", "finally"),
    ("eventually", "eventually"),
    ("fairly", "fairly "),
    ("fairly_inf", "fairly_inf"),
    ("after", "after "),
    ("between", "between"),
    ("from until", "until"),
    ("precedes", "precedes"),
];

/// Constructs found in the model.
const CONSTRUCTS: &str = "\
    no agents of a kind, two kinds, three agents, global Behavior, stigmergy nobody has, \
    environment array, attribute array, stigmergic array, two dimensions, tuple of two, undef, \
    several first values, range of first values, id of sender or receiver, Skip, Nil, <-, <~, <--, :=, \
    compound, block, two local values, pick, pick two, pick of a kind, pick where, picked agent, if, \
    count, truth value, quantified guard, number as condition, negation, and, or, /, %, :, \
    division by zero, min, max, abs, minus, other agent's variable, random value, random value in if, \
    random value in index, random value in arithmetic, random value in bound, random value in owner, \
    huge number, false link";

/// Shapes of processes.
const SHAPES: &str = "\
    sequence, choice, parallel, three branches, parallel in parallel, parallel in choice, \
    parallel in sequence, guard, guarded parallel, guarded choice, conditional, conditional in choice, \
    conditional in sequence, conditional ends a branch, conditional begins a guarded branch, \
    guarded conditional, conditional in conditional, conditional parallel, call, recursion, \
    recursion in a conditional, loop of conditionals";

/// The names of everything that can be found.
pub fn all() -> Vec<&'static str> {
    let spellings = SPELLINGS.iter().map(|(name, _)| *name);
    spellings.chain(CONSTRUCTS.split(", ")).chain(SHAPES.split(", ")).collect()
}

/// What a system uses.
pub fn constructs(text: &str, model: &Model) -> BTreeSet<&'static str> {
    let mut found = Found::default();
    for (name, needle) in SPELLINGS {
        found.note(name, text.contains(needle));
    }
    found.declarations(model);
    model.actions.iter().for_each(|a| found.action(a));
    for (at, process) in model.processes.iter().enumerate() {
        found.process(&process.body, at as u32);
    }
    found.0
}

#[derive(Default)]
struct Found(BTreeSet<&'static str>);

impl Found {
    fn note(&mut self, name: &'static str, here: bool) {
        if here {
            self.0.insert(name);
        }
    }

    fn declarations(&mut self, model: &Model) {
        self.note("no agents of a kind", model.kinds.iter().any(|k| k.count == 0));
        self.note("two kinds", model.kinds.len() > 1);
        self.note("three agents", model.agents() > 2);
        let global = |b: u32| model.processes[b as usize].kind.is_none();
        self.note("global Behavior", model.kinds.iter().any(|k| global(k.behavior.0)));
        for (at, stigmergy) in model.stigmergies.iter().enumerate() {
            let has =
                |k: &swarmcheck_labs::model::AgentKind| k.stigmergies.iter().any(|s| s.0 as usize == at);
            self.note("stigmergy nobody has", !model.kinds.iter().any(has));
            self.note("false link", matches!(stigmergy.link.node, CondNode::Bool(false)));
            self.cond(&stigmergy.link);
        }
        for var in &model.variables {
            let name = match var.class {
                Class::Environment => "environment array",
                Class::Attribute => "attribute array",
                Class::Stigmergic(_) => "stigmergic array",
            };
            self.note(name, !var.dimensions.is_empty());
            self.note("two dimensions", var.dimensions.len() == 2);
        }
        self.note("tuple of two", model.tuples.iter().any(|t| t.variables.len() > 1));
        let attributes = model.kinds.iter().flat_map(|k| &k.attributes);
        let shared = model.tuples.iter().flat_map(|t| &t.variables);
        for (_, init) in model.environment.iter().chain(attributes).chain(shared) {
            self.note("undef", matches!(init, Init::Undef));
            self.note("several first values", matches!(init, Init::OneOf(values) if values.len() > 1));
            self.note("range of first values", matches!(init, Init::Range(..)));
        }
    }

    fn action(&mut self, action: &Action) {
        self.note("Skip", action.assignments.is_empty() && !action.pass);
        self.note("block", action.assignments.len() > 1);
        self.note("two local values", action.locals.len() > 1);
        for assignment in &action.assignments {
            let arrow = match assignment.op {
                AssignOp::Attribute => "<-",
                AssignOp::Stigmergy => "<~",
                AssignOp::Environment => "<--",
                AssignOp::Local => ":=",
            };
            self.note(arrow, true);
            self.note("compound", assignment.targets.len() > 1);
            for value in &assignment.values {
                match value {
                    Value::Expr(e) => self.expr(e),
                    Value::Pick { count, kind, condition } => {
                        self.note("pick", true);
                        self.note("pick two", *count > 1);
                        self.note("pick of a kind", kind.is_some());
                        self.note("pick where", condition.is_some());
                        condition.iter().for_each(|c| self.cond(c));
                    }
                }
            }
            for target in &assignment.targets {
                if let Target::Variable(_, index, _) = target {
                    index.iter().for_each(|e| self.expr(e));
                }
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        let parts = parts(e);
        let random = |e: &&Expr| matches!(e.node, ExprNode::Range(..));
        let name = match &e.node {
            ExprNode::Number(n) if *n > 1 << 30 => "huge number",
            ExprNode::IdOf(_) => "id of sender or receiver",
            ExprNode::Neg(_) => "minus",
            ExprNode::Abs(_) => "abs",
            ExprNode::Count(..) => "count",
            ExprNode::Truth(_) => "truth value",
            ExprNode::Range(..) => "random value",
            ExprNode::If(..) => "if",
            ExprNode::LocalCell(..) => "picked agent",
            ExprNode::Var(_, owner, _) if matches!(**owner, Owner::Agent(_)) => "other agent's variable",
            ExprNode::Binary(op, _, b) => {
                use swarmcheck_labs::syntax::ast::BinaryOp::{Div, Max, Min, Mod, Round};
                let zero = matches!(b.node, ExprNode::Number(0));
                self.note("division by zero", zero && matches!(op, Div | Mod | Round));
                match op {
                    Div => "/",
                    Mod => "%",
                    Round => ":",
                    Min => "min",
                    Max => "max",
                    _ => "",
                }
            }
            _ => "",
        };
        self.note(name, !name.is_empty());
        if parts.iter().any(random) {
            self.note("random value in if", matches!(e.node, ExprNode::If(..)));
            self.note("random value in bound", matches!(e.node, ExprNode::Range(..)));
            self.note("random value in arithmetic", matches!(e.node, ExprNode::Binary(..)));
        }
        if let ExprNode::Var(_, owner, index) = &e.node {
            let under = |e: &Expr| format!("{e:?}").contains("Range(");
            self.note("random value in index", index.iter().any(under));
            self.note("random value in owner", matches!(&**owner, Owner::Agent(a) if under(a)));
        }
        if let ExprNode::If(c, ..) | ExprNode::Count(_, _, c) | ExprNode::Truth(c) = &e.node {
            self.cond(c);
        }
        parts.into_iter().for_each(|part| self.expr(part));
    }

    fn cond(&mut self, c: &Cond) {
        match &c.node {
            CondNode::Bool(_) => {}
            CondNode::NonZero(e) => {
                self.note("number as condition", true);
                self.expr(e);
            }
            CondNode::Compare(_, a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            CondNode::Not(c) => {
                self.note("negation", true);
                self.cond(c);
            }
            CondNode::And(parts) | CondNode::Or(parts) => {
                self.note(if matches!(c.node, CondNode::And(_)) { "and" } else { "or" }, true);
                parts.iter().for_each(|c| self.cond(c));
            }
            CondNode::Forall(_, _, c) | CondNode::Exists(_, _, c) => {
                self.note("quantified guard", true);
                self.cond(c);
            }
        }
    }

    fn process(&mut self, p: &Process, definition: u32) {
        let par = |p: &Process| matches!(p.node, ProcessNode::Par(_));
        match &p.node {
            ProcessNode::Nil => self.note("Nil", true),
            ProcessNode::Action(_) => {}
            ProcessNode::Call(callee) => {
                self.note("call", true);
                self.note("recursion", callee.0 == definition);
            }
            ProcessNode::Seq(parts) => {
                self.note("sequence", true);
                self.note("conditional in sequence", parts.iter().any(conditional));
                if let [first @ .., last] = &parts[..] {
                    let loops = matches!(last.node, ProcessNode::Call(id) if id.0 == definition);
                    self.note("loop of conditionals", loops && first.iter().all(conditional));
                }
                self.note("parallel in sequence", parts.iter().any(par));
            }
            ProcessNode::Choice(parts) => {
                self.note("choice", true);
                self.note("conditional in choice", parts.iter().any(conditional));
                self.note("parallel in choice", parts.iter().any(par));
            }
            ProcessNode::Par(parts) => {
                self.note("parallel", true);
                self.note("three branches", parts.len() > 2);
                self.note("parallel in parallel", parts.iter().any(par));
                self.note("conditional ends a branch", parts.iter().any(ends_conditionally));
            }
            ProcessNode::Guard(c, body) => {
                self.note("guard", true);
                self.note("guarded parallel", par(body));
                self.note("guarded conditional", conditional(body));
                let branches = if let ProcessNode::Par(branches) = &body.node { &branches[..] } else { &[] };
                self.note("conditional begins a guarded branch", branches.iter().any(conditional));
                self.note("guarded choice", matches!(body.node, ProcessNode::Choice(_)));
                self.cond(c);
            }
            ProcessNode::Conditional(c, _, body) => {
                self.note("conditional", true);
                self.note("conditional parallel", par(body));
                self.note("conditional in conditional", conditional(body));
                self.note("recursion in a conditional", ends_in_a_call(body, definition));
                self.cond(c);
            }
        }
        subterms(p).into_iter().for_each(|part| self.process(part, definition));
    }
}

fn conditional(p: &Process) -> bool {
    matches!(p.node, ProcessNode::Conditional(..))
}

fn ends_in_a_call(p: &Process, definition: u32) -> bool {
    match &p.node {
        ProcessNode::Call(id) => id.0 == definition,
        ProcessNode::Seq(parts) => parts.last().is_some_and(|last| ends_in_a_call(last, definition)),
        _ => false,
    }
}

fn ends_conditionally(p: &Process) -> bool {
    match &p.node {
        ProcessNode::Conditional(..) => true,
        ProcessNode::Seq(parts) => parts.last().is_some_and(ends_conditionally),
        _ => false,
    }
}

fn subterms(p: &Process) -> Vec<&Process> {
    match &p.node {
        ProcessNode::Seq(parts) | ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
            parts.iter().collect()
        }
        ProcessNode::Guard(_, body) | ProcessNode::Conditional(_, _, body) => vec![body],
        ProcessNode::Nil | ProcessNode::Action(_) | ProcessNode::Call(_) => vec![],
    }
}

/// The expressions directly below an expression, conditions aside.
pub(crate) fn parts(e: &Expr) -> Vec<&Expr> {
    match &e.node {
        ExprNode::Var(_, owner, index) => {
            let owner = if let Owner::Agent(e) = &**owner { Some(e) } else { None };
            owner.into_iter().chain(index).collect()
        }
        ExprNode::Neg(a) | ExprNode::Abs(a) | ExprNode::LocalCell(_, a) => vec![a],
        ExprNode::Binary(_, a, b) | ExprNode::Range(a, b) | ExprNode::If(_, a, b) => vec![a, b],
        _ => vec![],
    }
}
