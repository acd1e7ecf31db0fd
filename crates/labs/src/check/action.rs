//! Actions: assignments with the right arrow, the right number of values, and block-local variables.

use super::AGENTS_MAX;
use super::reference::Wanted;
use super::scope::{Context, LocalEntry, LocalShape, Place};
use super::words::{self, arrow};
use crate::codes;
use crate::model::{Action, Assignment, Class, KindId, Local, LocalId, Target, Value, VarId};
use crate::syntax::ast::{self, AssignOp, ExprNode};
use swarmcheck_source::{Diagnostic, Fix, Span};

/// Stands for a target that makes no sense.
const UNKNOWN_TARGET: Target = Target::Local(LocalId(u32::MAX));

impl Context<'_, '_> {
    /// One action: nothing (`Skip`), one assignment, or a block of them.
    pub fn action(&mut self, assignments: &[ast::Assignment], block: bool, span: Span) -> Action {
        if block {
            for assignment in assignments.iter().filter(|a| a.op == AssignOp::Local) {
                let names = assignment.targets.iter().map(|t| (t.name.text.clone(), t.name.span));
                self.block.extend(names);
            }
        }
        let assignments = assignments.iter().map(|a| self.assignment(a, block)).collect();
        self.block.clear();
        let locals = self.locals.drain(..).map(|local| {
            self.facts.locals.entry(local.name.clone()).or_insert(local.span);
            let length = match local.shape {
                LocalShape::Array(length) => length,
                LocalShape::Scalar | LocalShape::Broken => None,
            };
            Local { name: local.name, length }
        });
        Action { span, pass: false, assignments, locals: locals.collect() }
    }

    fn assignment(&mut self, source: &ast::Assignment, block: bool) -> Assignment {
        let (targets, values) = (source.targets.len(), source.values.len());
        let op = source.op;
        if targets != values {
            let (left, right) =
                (words::count(targets, "variable", "variables"), words::count(values, "value", "values"));
            let message = format!("{left} on the left of `{}`, but {right} on the right", op.symbol());
            self.error(Diagnostic::error(codes::ARITY, source.span, message));
        }
        if op == AssignOp::Local && !block {
            self.local_outside_block(source);
        }
        self.check_targets_differ(&source.targets);
        // Indices and values see the state before the assignment: its locals are declared afterwards.
        let pairs = source.values.iter().enumerate().map(|(i, v)| (source.targets.get(i), v));
        let read: Vec<Value> = pairs.map(|(target, value)| self.value(op, target, value)).collect();
        let lengths: Vec<Option<LocalShape>> = read.iter().map(shape).collect();
        let targets = source.targets.iter().enumerate().map(|(i, target)| match op {
            AssignOp::Local if block => self.local_target(target, lengths.get(i).copied().flatten()),
            AssignOp::Local => UNKNOWN_TARGET,
            _ => self.target(op, source, target, source.values.get(i)),
        });
        Assignment { op, targets: targets.collect(), values: read, span: source.span }
    }

    fn local_outside_block(&mut self, source: &ast::Assignment) {
        let declared = |t: &&ast::Target| self.names.variable(&t.name.text);
        if let Some((target, var)) = source.targets.iter().find_map(|t| declared(&t).map(|v| (t, v))) {
            self.wrong_arrow(target, var, source);
            return;
        }
        let message = "`:=` assigns a block-local variable, and there is no block here";
        let error = Diagnostic::error(codes::LOCAL, source.op_span, message);
        self.error(error.help("put braces around the actions that share it: `{ v := …; … }`"));
    }

    fn wrong_arrow(&mut self, target: &ast::Target, var: VarId, source: &ast::Assignment) {
        let variable = self.names.var(var);
        let right = arrow(variable.class).symbol();
        let message =
            format!("`{}` is {}: assign it with `{right}`", target.name.text, words::class(variable.class));
        let mut error = Diagnostic::error(codes::ARROW, target.name.span, message)
            .also(source.op_span, format!("`{}` assigns {}", source.op.symbol(), assigned_by(source.op)))
            .also(variable.span, "declared here");
        let arrow_of =
            |t: &ast::Target| self.names.variable(&t.name.text).map(|v| arrow(self.names.var(v).class));
        let fits = |t: &ast::Target| arrow_of(t) == Some(source.op);
        if source.targets.iter().all(|t| arrow_of(t) == Some(arrow(variable.class))) {
            error = error.fix(Fix::replace(source.op_span, right, format!("write `{right}`")));
        }
        if source.targets.iter().any(fits) {
            let wrong = source.op.symbol();
            error = error
                .help(format!("to assign both in one step, use a block: `{{ … {wrong} …; … {right} … }}`"));
        }
        self.error(error);
    }

    fn value(&mut self, op: AssignOp, target: Option<&ast::Target>, value: &ast::Expr) -> Value {
        if let ExprNode::Pick { count, kind, condition } = &value.node {
            if op != AssignOp::Local {
                // Says what is wrong with it.
                self.number(value);
            }
            let picked = self.pick(count, kind.as_ref(), condition.as_deref());
            if let Some(target) = target.filter(|t| op == AssignOp::Local && !t.whole && t.index.is_empty()) {
                let name = &target.name.text;
                let message = format!("`pick` fills an array, and `{name}` is not written as one");
                let error = Diagnostic::error(codes::LOCAL, target.name.span, message);
                let fix = Fix::insert(target.name.span.end, "[]", format!("write `{name}[]`"));
                let help = format!("write `{name}[] := pick …`, and `{name}[0]` for the first agent");
                self.error(error.help(help).fix(fix));
            }
            return picked;
        }
        self.random = true;
        let read = self.number(value);
        self.random = false;
        if let Some(target) = target.filter(|t| op == AssignOp::Local && t.whole) {
            let message =
                format!("`{}[]` stands for a whole array, which only `pick` can fill", target.name.text);
            let error = Diagnostic::error(codes::LOCAL, target.name.span, message);
            self.error(error.help(format!("for one number write `{} := …`", target.name.text)));
        }
        Value::Expr(read)
    }

    fn pick(&mut self, count: &ast::Expr, kind: Option<&ast::Name>, condition: Option<&ast::Expr>) -> Value {
        let count = self.constant_within("the number of agents to pick", count, 1, AGENTS_MAX);
        let found = kind.and_then(|name| self.kind_named(name));
        self.partners = match (kind, found) {
            (None, _) => self.names.kind_ids().collect(),
            (Some(_), found) => found.into_iter().collect(),
        };
        let condition = condition.map(|c| self.at(Place::Pick, |context| context.cond(c)));
        Value::Pick { count: count.unwrap_or(0), kind: found.or(kind.map(|_| KindId(u32::MAX))), condition }
    }

    /// A block-local target. `shape` says what its value is.
    fn local_target(&mut self, target: &ast::Target, shape: Option<LocalShape>) -> Target {
        let name = &target.name;
        if let Some(var) = self.names.variable(&name.text) {
            let variable = self.names.var(var);
            let (what, right) = (words::class(variable.class), arrow(variable.class).symbol());
            let message = format!("`{}` is {what} and cannot be a block-local variable too", name.text);
            let error =
                Diagnostic::error(codes::DUPLICATE, name.span, message).also(variable.span, "declared here");
            self.error(error.help(format!("write `{right}` to assign it, or choose another name")));
            return UNKNOWN_TARGET;
        }
        let shape = match shape {
            Some(LocalShape::Scalar) if target.whole => LocalShape::Broken,
            Some(LocalShape::Array(_)) if !target.whole => LocalShape::Broken,
            Some(shape) => shape,
            None => LocalShape::Broken,
        };
        for index in &target.index {
            self.number(index);
        }
        let local = match self.local(&name.text) {
            Some(known) => known,
            None => {
                let shape = if target.index.is_empty() { shape } else { LocalShape::Broken };
                self.locals.push(LocalEntry { name: name.text.clone(), span: name.span, shape });
                LocalId(self.locals.len() as u32 - 1)
            }
        };
        let known = &self.locals[local.0 as usize];
        let (first, before) = (known.span, known.shape);
        if !target.index.is_empty() {
            let message = "a cell of a block-local array cannot be assigned";
            let error = Diagnostic::error(codes::LOCAL, name.span, message);
            self.error(
                error.help("`pick` fills the whole array, and a variable for one number takes no index"),
            );
        } else if before != shape
            && ![before, shape].contains(&LocalShape::Broken)
            && !may_be_same(before, shape)
        {
            let message =
                format!("`{}` is {} here, but {} before", name.text, in_words(shape), in_words(before));
            let error =
                Diagnostic::error(codes::LOCAL, name.span, message).also(first, "first assigned here");
            self.error(error.help("choose another name"));
        }
        if target.whole { Target::Array(local) } else { Target::Local(local) }
    }

    /// A state variable on the left of an arrow.
    fn target(
        &mut self,
        op: AssignOp,
        source: &ast::Assignment,
        target: &ast::Target,
        value: Option<&ast::Expr>,
    ) -> Target {
        let name = &target.name;
        let local = self.block.iter().find(|(n, _)| *n == name.text).map(|(_, span)| *span);
        let var = match (local, self.names.variable(&name.text)) {
            (Some(span), None) => {
                let message = format!("`{}` is a block-local variable: assign it with `:=`", name.text);
                self.error(
                    Diagnostic::error(codes::ARROW, name.span, message).also(span, "first assigned here"),
                );
                None
            }
            (_, var) => {
                if var.is_none() {
                    self.unknown_variable(name, Wanted::Assigned(target, source));
                }
                var
            }
        };
        let Some(var) = var else {
            target.index.iter().for_each(|index| {
                self.number(index);
            });
            return UNKNOWN_TARGET;
        };
        let class = self.names.var(var).class;
        if arrow(class) != op && !self.names.ambiguous.contains(&var) {
            self.wrong_arrow(target, var, source);
        }
        self.facts.written.insert(var);
        let span = target.index.iter().fold(name.span, |span, index| span.to(index.span));
        if class != Class::Environment {
            self.need(var, span);
        }
        if target.whole {
            if !value.is_some_and(|v| matches!(v.node, ExprNode::Pick { .. })) {
                let message =
                    format!("`{}[]` stands for a whole array, which only `:= pick` can assign", name.text);
                let error = Diagnostic::error(codes::LOCAL, name.span, message);
                self.error(error.help(format!("assign one cell: `{}[0] {} …`", name.text, op.symbol())));
            }
            return UNKNOWN_TARGET;
        }
        Target::Variable(var, self.indices(var, &target.index, name.span.end, span), span)
    }

    /// No cell may be assigned twice at once, as far as that can be seen from the text.
    fn check_targets_differ(&mut self, targets: &[ast::Target]) {
        for (at, target) in targets.iter().enumerate() {
            let same =
                |t: &&ast::Target| t.name.text == target.name.text && same_cells(&t.index, &target.index);
            if let Some(first) = targets[..at].iter().find(same) {
                let message = format!("`{}` is assigned twice at once", target.name.text);
                let error = Diagnostic::error(codes::TARGET_TWICE, target.name.span, message);
                let error = error.also(first.name.span, "first here");
                self.error(error.help("to assign one after the other, use a block with two assignments"));
            }
        }
    }
}

fn assigned_by(op: AssignOp) -> &'static str {
    match op {
        AssignOp::Attribute => "attributes",
        AssignOp::Stigmergy => "stigmergic variables",
        AssignOp::Environment => "environment variables",
        AssignOp::Local => "block-local variables",
    }
}

/// What a value makes of the local it is assigned to; `None` if that is not known.
fn shape(value: &Value) -> Option<LocalShape> {
    match value {
        Value::Pick { count, .. } => Some(LocalShape::Array(Some(*count).filter(|k| *k > 0))),
        Value::Expr(_) => Some(LocalShape::Scalar),
    }
}

/// Arrays whose length is not known may be the same.
fn may_be_same(a: LocalShape, b: LocalShape) -> bool {
    matches!((a, b), (LocalShape::Array(a), LocalShape::Array(b)) if a.is_none() || b.is_none())
}

fn in_words(shape: LocalShape) -> String {
    match shape {
        LocalShape::Array(Some(length)) => format!("an array of {length}"),
        LocalShape::Array(None) => "an array".to_string(),
        LocalShape::Scalar | LocalShape::Broken => "a number".to_string(),
    }
}

fn same_cells(a: &[ast::Expr], b: &[ast::Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// Whether two expressions read the same.
fn same(a: &ast::Expr, b: &ast::Expr) -> bool {
    match (&a.node, &b.node) {
        (ExprNode::Number(a), ExprNode::Number(b)) => a == b,
        (ExprNode::Parameter(a), ExprNode::Parameter(b)) => a == b,
        (ExprNode::Id(None), ExprNode::Id(None)) => true,
        (ExprNode::Var { name, index, of }, ExprNode::Var { name: other, index: cells, of: owner }) => {
            let owners = match (of, owner) {
                (None, None) => true,
                (Some(a), Some(b)) => same(a, b),
                _ => false,
            };
            owners && name.text == other.text && same_cells(index, cells)
        }
        (ExprNode::Unary(p, a), ExprNode::Unary(q, b)) => p == q && same(a, b),
        (ExprNode::Binary(p, a, c), ExprNode::Binary(q, b, d)) => p == q && same(a, b) && same(c, d),
        _ => false,
    }
}
