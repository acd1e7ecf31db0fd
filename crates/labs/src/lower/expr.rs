//! Arithmetic expressions of the model as expressions of the program.

use super::{Lowerer, undefined};
use crate::model::{Expr, ExprNode, LocalId, Owner, Side};
use crate::syntax::ast::BinaryOp;
use swarmcheck_ir as ir;

/// What the names in an expression stand for, which depends on where it is: in an action, a link predicate, an
/// initialiser or a property.
#[derive(Clone)]
pub(super) struct Names {
    /// The acting agent.
    pub me: ir::Expr,
    /// The sender of a link predicate.
    pub sender: ir::Expr,
    pub receiver: ir::Expr,
    /// The current program local of each model local: every assignment to a local makes a new one.
    pub locals: Vec<Option<ir::LocalId>>,
}

impl Names {
    /// For code that an agent runs. In links, it is the sender and the bound agent 0 the receiver.
    pub fn acting() -> Names {
        Names { me: ir::Expr::Me, sender: ir::Expr::Me, receiver: ir::Expr::Bound(0), locals: vec![] }
    }

    /// For initialisers, with the agent being initialised bound as agent 0.
    pub fn initialising() -> Names {
        Names { me: ir::Expr::Bound(0), ..Names::acting() }
    }

    /// For properties: there is no acting agent.
    pub fn closed() -> Names {
        Names::acting()
    }
}

/// Lowers expressions under given names.
pub(super) struct Exprs<'a> {
    pub low: &'a Lowerer<'a>,
    pub names: &'a Names,
}

impl Lowerer<'_> {
    pub(super) fn exprs<'a>(&'a self, names: &'a Names) -> Exprs<'a> {
        Exprs { low: self, names }
    }

    /// Whether an expression may be ⊥.
    pub(super) fn may_be_undefined(&self, e: &Expr) -> bool {
        undefined::expr(&self.undefined, e)
    }
}

impl Exprs<'_> {
    /// The value of an expression without run-time choices.
    pub fn value(&self, e: &Expr) -> ir::Expr {
        match &e.node {
            ExprNode::Number(n) => ir::Expr::Const(*n),
            ExprNode::Id => self.names.me.clone(),
            ExprNode::IdOf(side) => self.side(*side),
            ExprNode::Agent(binder) => ir::Expr::Bound(binder.0),
            ExprNode::Var(var, owner, index) => ir::Expr::Read(ir::Place {
                var: ir::VarId(var.0),
                agent: self.owner(owner).map(Box::new),
                index: index.iter().map(|i| self.value(i)).collect(),
                span: e.span,
            }),
            ExprNode::Local(local) => ir::Expr::Local(self.local(*local)),
            ExprNode::LocalCell(local, index) => {
                ir::Expr::LocalCell(self.local(*local), Box::new(self.value(index)), e.span)
            }
            ExprNode::Neg(e) => ir::Expr::unary(ir::UnaryOp::Neg, self.value(e)),
            ExprNode::Abs(e) => ir::Expr::unary(ir::UnaryOp::Abs, self.value(e)),
            ExprNode::Binary(op, a, b) => {
                ir::Expr::binary(operator(*op), self.value(a), self.value(b), e.span)
            }
            ExprNode::If(c, a, b) => {
                let otherwise = ir::Expr::ite(self.defined(c), self.value(b), ir::Expr::Const(ir::UNDEF));
                ir::Expr::ite(self.satisfied(c), self.value(a), otherwise)
            }
            ExprNode::Count(kind, binder, c) => ir::Expr::Quantified(
                ir::Quantifier::Count,
                vec![ir::KindId(kind.0)],
                binder.0,
                Box::new(self.satisfied(c)),
            ),
            ExprNode::Truth(c) => {
                let (one, zero, undef) = (ir::Expr::Const(1), ir::Expr::Const(0), ir::Expr::Const(ir::UNDEF));
                let otherwise = ir::Expr::ite(self.defined(c), zero, undef);
                ir::Expr::ite(self.satisfied(c), one, otherwise)
            }
            ExprNode::Range(..) => {
                unreachable!("the checker allows run-time choices only in assigned values")
            }
        }
    }

    pub fn local(&self, local: LocalId) -> ir::LocalId {
        self.names.locals[local.0 as usize]
            .expect("the checker makes sure that locals are assigned before use")
    }

    pub fn owner(&self, owner: &Owner) -> Option<ir::Expr> {
        match owner {
            Owner::Environment => None,
            Owner::Me => Some(self.names.me.clone()),
            Owner::Side(side) => Some(self.side(*side)),
            Owner::Agent(e) => Some(self.value(e)),
        }
    }

    fn side(&self, side: Side) -> ir::Expr {
        match side {
            Side::Sender => self.names.sender.clone(),
            Side::Receiver => self.names.receiver.clone(),
        }
    }
}

/// The program's operator for the language's.
pub(super) fn operator(op: BinaryOp) -> ir::BinaryOp {
    match op {
        BinaryOp::Add => ir::BinaryOp::Add,
        BinaryOp::Sub => ir::BinaryOp::Sub,
        BinaryOp::Mul => ir::BinaryOp::Mul,
        BinaryOp::Div => ir::BinaryOp::Div,
        BinaryOp::Round => ir::BinaryOp::Round,
        BinaryOp::Mod => ir::BinaryOp::Mod,
        BinaryOp::Min => ir::BinaryOp::Min,
        BinaryOp::Max => ir::BinaryOp::Max,
        BinaryOp::Eq => ir::BinaryOp::Eq,
        BinaryOp::Ne => ir::BinaryOp::Ne,
        BinaryOp::Lt => ir::BinaryOp::Lt,
        BinaryOp::Le => ir::BinaryOp::Le,
        BinaryOp::Gt => ir::BinaryOp::Gt,
        BinaryOp::Ge => ir::BinaryOp::Ge,
        BinaryOp::And => ir::BinaryOp::And,
        BinaryOp::Or => ir::BinaryOp::Or,
    }
}
