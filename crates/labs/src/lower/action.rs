//! Emulation functions of actions: rules SKIP, ATTR, LSTIG, ENV, EVAL and AWAIT (tables 3.7, 3.10, 3.11). The step that
//! passes `g => P` is a `Skip` whose guard is that `g` is not satisfied.

use super::expr::Names;
use super::keys::Keys;
use super::message::{is, set};
use super::{Guard, Lowerer};
use crate::model::{
    Action, ActionId, Assignment, Class, Expr, ExprNode, KindId, Owner, Target, TupleId, Value,
};
use std::collections::BTreeSet;
use swarmcheck_ir as ir;
use swarmcheck_source::Span;
use swarmcheck_triples::{Effect, Exit, Pc, Structure, Triple, effects};

impl Lowerer<'_> {
    /// The function of one triple. Everything an action needs is checked at its start: the entry condition, that
    /// nothing is pending (Zc = Zp = ∅), whose turn it is, the guards; then it runs to its end.
    pub(super) fn emulation_function(
        &self,
        kind: KindId,
        structure: &Structure<ActionId, Guard<'_>>,
        number: usize,
        triple: &Triple<ActionId, Guard<'_>>,
        source: &str,
    ) -> ir::Function {
        let action = self.model.action(triple.action);
        let names = Names { locals: vec![None; action.locals.len()], ..Names::acting() };
        let mut guard = vec![self.ready(kind)];
        guard.extend(triple.guards.iter().map(|g| self.exprs(&names).guard(g)));

        let mut body = Body { low: self, names, locals: vec![], stmts: vec![] };
        for assignment in &action.assignments {
            body.assignment(action, assignment);
        }
        let Body { locals, mut stmts, .. } = body;
        stmts.extend(self.pending(triple, action));
        stmts.extend(self.next_turn());
        stmts.extend(self.exit(structure, &triple.exit, &ir::Expr::Me));
        ir::Function {
            name: format!("{}_{}", self.model.kind(kind).name, number + 1),
            rule: ir::Rule::Action { words: action.words(source), site: triple.action.0 },
            owners: vec![ir::KindId(kind.0)],
            entry: triple.entry.iter().map(|(pc, at)| (self.pcs[pc.0 as usize], i64::from(at.0))).collect(),
            guard: ir::Expr::and(guard),
            locals,
            body: stmts,
            span: action.span,
        }
    }

    /// An agent may act: nothing is pending (Zc = Zp = ∅), and it is its turn.
    pub(super) fn ready(&self, kind: KindId) -> ir::Expr {
        let mut guard = vec![];
        for tuple in self.tuples_of(kind) {
            let vars = self.tuples[tuple.0 as usize];
            // Between synchronous steps nothing is pending but what waits for a value.
            if !self.options.sync || self.waits(tuple) {
                guard.push(is(vars.confirm, ir::Expr::Me, 0));
            }
            if !self.options.sync {
                guard.push(is(vars.propagate, ir::Expr::Me, 0));
            }
        }
        if let Some(turn) = self.turn {
            let turn = ir::Expr::Read(ir::Place::global(turn));
            guard.push(ir::Expr::binary(ir::BinaryOp::Eq, turn, ir::Expr::Me, Span::default()));
        }
        ir::Expr::and(guard)
    }

    /// Zc ∪ what was read, Zp ∪ what was written; with `--sync`, all that comes of it.
    fn pending(&self, triple: &Triple<ActionId, Guard<'_>>, action: &Action) -> Vec<ir::Stmt> {
        let mut read = Keys::new(self.model);
        triple.guards.iter().for_each(|g| read.cond(g.cond));
        read.action(action);
        let written: BTreeSet<TupleId> = action.assignments.iter().flat_map(|a| self.written(a)).collect();
        if self.options.sync {
            return self.delivered(&read.found, &written);
        }
        let confirm = read.found.iter().map(|t| set(self.tuples[t.0 as usize].confirm, ir::Expr::Me, 1));
        let propagate = written.iter().map(|t| set(self.tuples[t.0 as usize].propagate, ir::Expr::Me, 1));
        confirm.chain(propagate).collect()
    }

    /// The tuples an assignment writes.
    fn written(&self, assignment: &Assignment) -> BTreeSet<TupleId> {
        let tuple = |target: &Target| match target {
            Target::Variable(var, ..) => match self.model.variable(*var).class {
                Class::Stigmergic(tuple) => Some(tuple),
                _ => None,
            },
            _ => None,
        };
        assignment.targets.iter().filter_map(tuple).collect()
    }

    fn next_turn(&self) -> Option<ir::Stmt> {
        let turn = ir::Place::global(self.turn?);
        let agents = i64::from(self.model.agents());
        let one = ir::Expr::binary(
            ir::BinaryOp::Add,
            ir::Expr::Read(turn.clone()),
            ir::Expr::Const(1),
            Default::default(),
        );
        let next = ir::Expr::binary(ir::BinaryOp::Mod, one, ir::Expr::Const(agents), Default::default());
        Some(ir::Stmt::Assign(turn, next))
    }

    /// The exit of a triple for this agent.
    pub(super) fn exit(
        &self,
        structure: &Structure<ActionId, Guard<'_>>,
        exit: &Exit,
        agent: &ir::Expr,
    ) -> Vec<ir::Stmt> {
        self.effects(&effects(&structure.joins, exit), agent)
    }

    fn effects(&self, list: &[Effect], agent: &ir::Expr) -> Vec<ir::Stmt> {
        let pc = |pc: &Pc| self.pcs[pc.0 as usize];
        let one = |effect: &Effect| match effect {
            Effect::Set(at, to) => set(pc(at), agent.clone(), i64::from(to.0)),
            Effect::Pick(ways) => {
                let ways = ways.iter().map(|way| (ir::Expr::TRUE, self.effects(way, agent)));
                ir::Stmt::Choose(ways.collect())
            }
            Effect::Join(_, others, then) => {
                let ended = ir::Expr::and(others.iter().map(|at| is(pc(at), agent.clone(), 0)));
                ir::Stmt::If(ended, self.effects(then, agent), vec![])
            }
        };
        list.iter().map(one).collect()
    }
}

/// The body of an action under construction.
struct Body<'a> {
    low: &'a Lowerer<'a>,
    names: Names,
    locals: Vec<ir::Local>,
    stmts: Vec<ir::Stmt>,
}

impl Body<'_> {
    /// All values are computed in the state before the assignment, then all indices, then everything is written.
    /// A ⊥ value or index disables the action.
    fn assignment(&mut self, action: &Action, assignment: &Assignment) {
        let single = assignment.targets.len() == 1;
        let mut values = vec![];
        for (value, target) in assignment.values.iter().zip(&assignment.targets) {
            values.push(self.value(action, value, target, single));
        }
        let mut places = vec![];
        for target in &assignment.targets {
            places.push(self.place(target, single));
        }
        for ((target, place), value) in assignment.targets.iter().zip(places).zip(values) {
            match (target, place, value) {
                (Target::Local(local) | Target::Array(local), _, ir::Expr::Local(new)) => {
                    self.names.locals[local.0 as usize] = Some(new);
                }
                (_, Some(place), value) => self.stmts.push(ir::Stmt::Assign(place, value)),
                _ => unreachable!("locals get locals, variables get places"),
            }
        }
        for tuple in self.low.written(assignment) {
            // Newer than all others: one more than the largest rank there can be.
            let order = self.low.tuples[tuple.0 as usize].order;
            self.stmts.push(set(order, ir::Expr::Me, i64::from(self.low.model.agents())));
            self.stmts.push(ir::Stmt::Rank(order));
        }
    }

    fn value(&mut self, action: &Action, value: &Value, target: &Target, single: bool) -> ir::Expr {
        match value {
            Value::Expr(e) => {
                let may_be_undefined = self.low.may_be_undefined(e);
                let value = self.choosing(e);
                let to_local = matches!(target, Target::Local(_));
                if single && !may_be_undefined && !to_local {
                    return value;
                }
                let name = match target {
                    Target::Local(local) => action.locals[local.0 as usize].name.clone(),
                    _ => "value".to_string(),
                };
                let local = self.keep(&name, value);
                self.need(&local, may_be_undefined);
                local
            }
            Value::Pick { count, kind, condition } => {
                let name = match target {
                    Target::Array(local) => action.locals[local.0 as usize].name.clone(),
                    _ => "picked".to_string(),
                };
                let local = self.fresh(&name, Some(*count));
                let kinds = match kind {
                    Some(kind) => vec![ir::KindId(kind.0)],
                    None => self.low.kinds_where(|_| true),
                };
                let condition =
                    condition.as_ref().map_or(ir::Expr::TRUE, |c| self.low.exprs(&self.names).satisfied(c));
                self.stmts.push(ir::Stmt::Pick { local, kinds, bound: 0, condition });
                ir::Expr::Local(local)
            }
        }
    }

    fn place(&mut self, target: &Target, single: bool) -> Option<ir::Place> {
        let Target::Variable(var, index, span) = target else {
            return None;
        };
        let agent = match self.low.model.variable(*var).class {
            Class::Environment => None,
            _ => Some(Box::new(ir::Expr::Me)),
        };
        let mut indices = vec![];
        for e in index {
            let value = self.low.exprs(&self.names).value(e);
            indices.push(if single { value } else { self.keep("index", value) });
        }
        if !single {
            for (e, local) in index.iter().zip(&indices) {
                self.need(local, self.low.may_be_undefined(e));
            }
        }
        let place = ir::Place { var: ir::VarId(var.0), agent, index: indices, span: *span };
        if !single && !index.is_empty() {
            self.stmts.push(ir::Stmt::Check(place.clone()));
        }
        Some(place)
    }

    fn fresh(&mut self, name: &str, length: Option<u32>) -> ir::LocalId {
        self.locals.push(ir::Local { name: name.to_string(), length });
        ir::LocalId(self.locals.len() as u32 - 1)
    }

    /// Evaluates now, so that later writes do not matter.
    fn keep(&mut self, name: &str, value: ir::Expr) -> ir::Expr {
        let local = self.fresh(name, None);
        self.stmts.push(ir::Stmt::Let(local, value));
        ir::Expr::Local(local)
    }

    fn need(&mut self, value: &ir::Expr, may_be_undefined: bool) {
        if may_be_undefined {
            self.stmts.push(ir::Stmt::Assume(ir::Expr::defined(value.clone())));
        }
    }

    /// An expression that may contain run-time choices `[a..b]`. A choice becomes a statement of its own, in front;
    /// so whatever is evaluated before it in the expression has to move in front as well, in the same order.
    fn choosing(&mut self, e: &Expr) -> ir::Expr {
        if !chooses(e) {
            return self.low.exprs(&self.names).value(e);
        }
        match &e.node {
            ExprNode::Range(lo, hi) => {
                let lo = self.choosing_before(lo, hi);
                let hi = self.choosing(hi);
                let local = self.fresh("any", None);
                self.stmts.push(ir::Stmt::Havoc(local, ir::Set::Range(lo, hi)));
                ir::Expr::Local(local)
            }
            ExprNode::Neg(inner) => ir::Expr::unary(ir::UnaryOp::Neg, self.choosing(inner)),
            ExprNode::Abs(inner) => ir::Expr::unary(ir::UnaryOp::Abs, self.choosing(inner)),
            ExprNode::Binary(op, a, b) => {
                let a = self.choosing_before(a, b);
                let b = self.choosing(b);
                ir::Expr::binary(super::expr::operator(*op), a, b, e.span)
            }
            ExprNode::If(c, a, b) => {
                let exprs = self.low.exprs(&self.names);
                let (satisfied, defined) = (exprs.satisfied(c), exprs.defined(c));
                let result = self.fresh("chosen", None);
                let yes = self.branch(a, result);
                let no = self.branch(b, result);
                let undefined = vec![ir::Stmt::Let(result, ir::Expr::Const(ir::UNDEF))];
                let otherwise =
                    if defined == ir::Expr::TRUE { no } else { vec![ir::Stmt::If(defined, no, undefined)] };
                self.stmts.push(ir::Stmt::If(satisfied, yes, otherwise));
                ir::Expr::Local(result)
            }
            ExprNode::Var(var, owner, index) => {
                let agent = match &**owner {
                    Owner::Agent(a) => {
                        let agent = self.choosing(a);
                        Some(self.keep("agent", agent))
                    }
                    owner => self.low.exprs(&self.names).owner(owner),
                };
                let mut indices = vec![];
                for i in index {
                    let value = self.choosing(i);
                    indices.push(self.keep("index", value));
                }
                ir::Expr::Read(ir::Place {
                    var: ir::VarId(var.0),
                    agent: agent.map(Box::new),
                    index: indices,
                    span: e.span,
                })
            }
            ExprNode::LocalCell(local, index) => {
                let index = self.choosing(index);
                let local = self.low.exprs(&self.names).local(*local);
                ir::Expr::LocalCell(local, Box::new(index), e.span)
            }
            _ => self.low.exprs(&self.names).value(e),
        }
    }

    /// A left operand; kept in a local if the right one contains a choice.
    fn choosing_before(&mut self, left: &Expr, right: &Expr) -> ir::Expr {
        let value = self.choosing(left);
        let fixed = matches!(value, ir::Expr::Const(_) | ir::Expr::Local(_) | ir::Expr::Me);
        if chooses(right) && !fixed { self.keep("left", value) } else { value }
    }

    /// A branch of a conditional expression as statements that leave its value in a local.
    fn branch(&mut self, e: &Expr, result: ir::LocalId) -> Vec<ir::Stmt> {
        let before = std::mem::take(&mut self.stmts);
        let value = self.choosing(e);
        self.stmts.push(ir::Stmt::Let(result, value));
        std::mem::replace(&mut self.stmts, before)
    }
}

/// Whether an expression contains a run-time choice.
fn chooses(e: &Expr) -> bool {
    match &e.node {
        ExprNode::Range(..) => true,
        ExprNode::Var(_, owner, index) => {
            matches!(&**owner, Owner::Agent(e) if chooses(e)) || index.iter().any(chooses)
        }
        ExprNode::LocalCell(_, e) | ExprNode::Neg(e) | ExprNode::Abs(e) => chooses(e),
        ExprNode::Binary(_, a, b) | ExprNode::If(_, a, b) => chooses(a) || chooses(b),
        _ => false,
    }
}
