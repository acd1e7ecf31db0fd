//! What a model does with its variables, as far as it tells where agents are: wrapped positions, distances, indices of arrays, headings.
//! The expressions of the checked model are looked at; parameters have their values there.

use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_labs::model::{
    Action, Assignment, Class, Cond, CondNode, Expr, ExprNode, Init, Inside, LocalId, Modality, Model, Owner,
    Process, ProcessNode, Side, Target, Value, VarId,
};
use swarmcheck_labs::syntax::ast::BinaryOp;

/// Locals that are defined by locals are followed so far.
const DEEPEST: u32 = 4;

/// What was found. Numbers are sizes: positions are smaller.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Variables that are assigned themselves, or a sum with themselves, modulo a number.
    pub(super) wraps: BTreeMap<VarId, i64>,
    /// Variables that are assigned a value below a number, by `min`.
    pub(super) clamps: BTreeMap<VarId, i64>,
    /// Variables that are compared with a number that they are below.
    pub(super) below: BTreeMap<VarId, i64>,
    /// The greatest initial values of attributes that have a range from 0 or above, plus 1.
    pub(super) ranges: BTreeMap<VarId, i64>,
    /// Variables of which a link predicate or a condition of `pick` takes the difference between two agents.
    pub(super) distances: BTreeSet<VarId>,
    /// Variables that are assigned at all.
    pub(super) assigned: BTreeSet<VarId>,
    /// Pairs of variables that are assigned together, or whose differences are taken in the same condition.
    pub(super) together: BTreeSet<(VarId, VarId)>,
    /// Arrays of the environment with the variables in their indices.
    pub(super) indices: Vec<(VarId, Vec<BTreeSet<VarId>>)>,
    /// Variables with others that are added to them when they are assigned.
    pub(super) added: BTreeSet<(VarId, VarId)>,
    /// Whether a value is compared with itself modulo a number: then who is at the border stays there.
    pub(super) walled: bool,
    /// Variables of agents in properties, in order.
    pub(super) mentioned: Vec<VarId>,
}

/// Looks at a whole model.
pub(super) fn evidence(model: &Model) -> Evidence {
    let mut look = Look { model, found: Evidence::default() };
    for kind in &model.kinds {
        for (var, init) in &kind.attributes {
            look.initial(*var, init);
        }
    }
    for stigmergy in &model.stigmergies {
        look.condition(&stigmergy.link, true);
    }
    for process in &model.processes {
        look.process(&process.body);
    }
    for action in &model.actions {
        look.action(action);
    }
    for assumption in &model.assumptions {
        look.condition(&assumption.predicate, false);
    }
    for property in &model.properties {
        let mut all = vec![&property.predicate];
        if let Modality::Scoped { start, end, inside, .. } = &property.modality {
            all.extend([start, end]);
            if let Inside::Precedes(first) = inside {
                all.push(first);
            }
        }
        for cond in all {
            look.condition(cond, false);
            let mut mentioned = vec![];
            walk_cond(cond, &mut |e| {
                if let ExprNode::Var(var, owner, _) = &e.node
                    && matches!(**owner, Owner::Agent(_))
                {
                    mentioned.push(*var);
                }
            });
            look.found.mentioned.extend(mentioned);
        }
    }
    look.found
}

struct Look<'m> {
    model: &'m Model,
    found: Evidence,
}

type Locals<'m> = BTreeMap<LocalId, Vec<&'m Expr>>;

impl<'m> Look<'m> {
    fn initial(&mut self, var: VarId, init: &Init) {
        let Init::Range(low, high) = init else { return };
        if let (Some(low), Some(high)) = (constant(low), constant(high))
            && low >= 0
        {
            let known = self.found.ranges.entry(var).or_insert(high);
            *known = (*known).max(high);
        }
    }

    fn process(&mut self, process: &'m Process) {
        match &process.node {
            ProcessNode::Nil | ProcessNode::Action(_) | ProcessNode::Call(_) => {}
            ProcessNode::Seq(parts) | ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
                parts.iter().for_each(|part| self.process(part));
            }
            ProcessNode::Guard(cond, body) | ProcessNode::Conditional(cond, _, body) => {
                self.condition(cond, false);
                self.process(body);
            }
        }
    }

    fn action(&mut self, action: &'m Action) {
        let mut locals = Locals::new();
        for assignment in &action.assignments {
            for (target, value) in assignment.targets.iter().zip(&assignment.values) {
                if let (Target::Local(local), Value::Expr(e)) = (target, value) {
                    locals.entry(*local).or_default().push(e);
                }
            }
        }
        action.assignments.iter().for_each(|assignment| self.assignment(assignment, &locals));
    }

    fn assignment(&mut self, assignment: &'m Assignment, locals: &Locals<'m>) {
        let mut targets = vec![];
        for (target, value) in assignment.targets.iter().zip(&assignment.values) {
            match value {
                Value::Expr(e) => {
                    self.expression(e);
                    if let Target::Variable(var, index, _) = target {
                        self.indexed(*var, index);
                        self.assigned(*var, e, locals);
                    }
                }
                Value::Pick { condition: Some(cond), .. } => self.condition(cond, true),
                Value::Pick { .. } => {}
            }
            if let Target::Variable(var, ..) = target {
                targets.push(*var);
            }
        }
        self.together(&targets);
    }

    fn together(&mut self, vars: &[VarId]) {
        for one in vars {
            self.found.together.extend(vars.iter().filter(|other| *other != one).map(|other| (*one, *other)));
        }
    }

    fn assigned(&mut self, var: VarId, value: &'m Expr, locals: &Locals<'m>) {
        self.found.assigned.insert(var);
        let mut all: Vec<&Expr> = vec![];
        unfolded(value, locals, DEEPEST, &mut all);
        let mentions = |e: &'m Expr| {
            let mut inner: Vec<&Expr> = vec![];
            unfolded(e, locals, DEEPEST, &mut inner);
            inner.iter().any(|e| mine(e) == Some(var))
        };
        for e in all {
            let ExprNode::Binary(op, a, b) = &e.node else { continue };
            match op {
                BinaryOp::Mod => {
                    if let Some(size) = constant(b).filter(|_| mentions(a)) {
                        self.found.wraps.insert(var, size);
                    }
                }
                BinaryOp::Min => {
                    let limits = [(a, b), (b, a)];
                    for (limit, other) in limits {
                        if let Some(top) = constant(limit).filter(|_| mentions(other)) {
                            self.found.clamps.insert(var, top.saturating_add(1));
                        }
                    }
                }
                BinaryOp::Add | BinaryOp::Sub => {
                    let sides = [mine(a), mine(b)];
                    if let [Some(one), Some(other)] = sides
                        && one != other
                        && (one == var || other == var)
                    {
                        self.found.added.insert((var, if one == var { other } else { one }));
                    }
                }
                _ => {}
            }
        }
    }

    fn indexed(&mut self, var: VarId, index: &[Expr]) {
        if self.model.variable(var).class != Class::Environment || index.is_empty() {
            return;
        }
        let vars = |e: &Expr| {
            let mut out = BTreeSet::new();
            walk(e, &mut |e| out.extend(mine(e)));
            out
        };
        self.found.indices.push((var, index.iter().map(vars).collect()));
    }

    fn expression(&mut self, e: &Expr) {
        let mut arrays = vec![];
        let mut conds = vec![];
        walk(e, &mut |e| match &e.node {
            ExprNode::Var(var, _, index) if !index.is_empty() => arrays.push((*var, index.clone())),
            ExprNode::If(cond, ..) | ExprNode::Count(_, _, cond) | ExprNode::Truth(cond) => {
                conds.push((**cond).clone())
            }
            _ => {}
        });
        arrays.iter().for_each(|(var, index)| self.indexed(*var, index));
        conds.iter().for_each(|cond| self.compared(cond));
    }

    /// A condition; `near` if it decides who has to do with whom.
    fn condition(&mut self, cond: &Cond, near: bool) {
        self.compared(cond);
        let mut arrays = vec![];
        let mut differences = vec![];
        walk_cond(cond, &mut |e| match &e.node {
            ExprNode::Var(var, _, index) if !index.is_empty() => arrays.push((*var, index.clone())),
            ExprNode::Binary(BinaryOp::Sub, a, b) => differences.extend(difference(a, b)),
            _ => {}
        });
        arrays.iter().for_each(|(var, index)| self.indexed(*var, index));
        if near {
            differences.sort_unstable();
            differences.dedup();
            self.together(&differences);
            self.found.distances.extend(differences);
        }
    }

    fn compared(&mut self, cond: &Cond) {
        each_cond(cond, &mut |cond| {
            let CondNode::Compare(op, a, b) = &cond.node else { return };
            match op {
                BinaryOp::Lt | BinaryOp::Le => {
                    if let (ExprNode::Var(var, _, _), Some(top)) = (&a.node, constant(b)) {
                        let size = if *op == BinaryOp::Lt { top } else { top.saturating_add(1) };
                        let known = self.found.below.entry(*var).or_insert(size);
                        *known = (*known).max(size);
                    }
                }
                BinaryOp::Eq | BinaryOp::Ne => {
                    let wraps = |whole: &Expr, part: &Expr| match &whole.node {
                        ExprNode::Binary(BinaryOp::Mod, inner, n) => {
                            constant(n).is_some() && same(inner, part)
                        }
                        _ => false,
                    };
                    self.found.walled |= wraps(a, b) || wraps(b, a);
                }
                _ => {}
            }
        });
    }
}

/// The variable of the acting agent that an expression is.
fn mine(e: &Expr) -> Option<VarId> {
    match &e.node {
        ExprNode::Var(var, owner, index) if index.is_empty() && matches!(**owner, Owner::Me) => Some(*var),
        _ => None,
    }
}

/// The variable of which this is the difference between two agents.
fn difference(a: &Expr, b: &Expr) -> Option<VarId> {
    let (ExprNode::Var(one, of, _), ExprNode::Var(other, of_other, _)) = (&a.node, &b.node) else {
        return None;
    };
    let sides = [&**of, &**of_other];
    let apart = matches!(
        sides,
        [Owner::Side(Side::Sender), Owner::Side(Side::Receiver)]
            | [Owner::Side(Side::Receiver), Owner::Side(Side::Sender)]
    );
    (one == other && apart).then_some(*one)
}

/// The value of an expression without variables.
pub(super) fn constant(e: &Expr) -> Option<i64> {
    match &e.node {
        ExprNode::Number(n) => Some(*n),
        ExprNode::Neg(e) => constant(e)?.checked_neg(),
        ExprNode::Binary(op, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div => a.checked_div(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether two expressions are the same but for their places. Only what positions are made of is compared.
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.node, &b.node) {
        (ExprNode::Number(a), ExprNode::Number(b)) => a == b,
        (ExprNode::Binary(op, a, b), ExprNode::Binary(other, c, d)) => {
            op == other && same(a, c) && same(b, d)
        }
        _ => mine(a).is_some() && mine(a) == mine(b),
    }
}

/// All expressions in one, with what its locals stand for.
fn unfolded<'m>(e: &'m Expr, locals: &Locals<'m>, deep: u32, out: &mut Vec<&'m Expr>) {
    let mut inner = vec![];
    walk(e, &mut |e| {
        out.push(e);
        if let ExprNode::Local(local) = &e.node {
            inner.extend(locals.get(local).into_iter().flatten().copied());
        }
    });
    if deep > 0 {
        inner.into_iter().for_each(|e| unfolded(e, locals, deep - 1, out));
    }
}

/// Calls `visit` for an expression and all below it.
fn walk<'m>(e: &'m Expr, visit: &mut dyn FnMut(&'m Expr)) {
    visit(e);
    match &e.node {
        ExprNode::Var(_, owner, index) => {
            if let Owner::Agent(e) = &**owner {
                walk(e, visit);
            }
            index.iter().for_each(|e| walk(e, visit));
        }
        ExprNode::LocalCell(_, e) | ExprNode::Neg(e) | ExprNode::Abs(e) => walk(e, visit),
        ExprNode::Binary(_, a, b) | ExprNode::Range(a, b) => {
            walk(a, visit);
            walk(b, visit);
        }
        ExprNode::If(cond, a, b) => {
            walk_cond(cond, visit);
            walk(a, visit);
            walk(b, visit);
        }
        ExprNode::Count(_, _, cond) | ExprNode::Truth(cond) => walk_cond(cond, visit),
        ExprNode::Number(_) | ExprNode::Id | ExprNode::IdOf(_) | ExprNode::Agent(_) | ExprNode::Local(_) => {}
    }
}

/// Calls `visit` for all expressions in a condition.
fn walk_cond<'m>(cond: &'m Cond, visit: &mut dyn FnMut(&'m Expr)) {
    match &cond.node {
        CondNode::Bool(_) => {}
        CondNode::NonZero(e) => walk(e, visit),
        CondNode::Compare(_, a, b) => {
            walk(a, visit);
            walk(b, visit);
        }
        CondNode::Not(cond) | CondNode::Forall(_, _, cond) | CondNode::Exists(_, _, cond) => {
            walk_cond(cond, visit)
        }
        CondNode::And(parts) | CondNode::Or(parts) => parts.iter().for_each(|part| walk_cond(part, visit)),
    }
}

/// Calls `visit` for a condition and all below it.
fn each_cond<'m>(cond: &'m Cond, visit: &mut dyn FnMut(&'m Cond)) {
    visit(cond);
    match &cond.node {
        CondNode::Not(cond) | CondNode::Forall(_, _, cond) | CondNode::Exists(_, _, cond) => {
            each_cond(cond, visit)
        }
        CondNode::And(parts) | CondNode::Or(parts) => parts.iter().for_each(|part| each_cond(part, visit)),
        _ => {}
    }
}
