//! Expressions on values. Nothing is the value of what is not set, and of what does not fit into 64 bits; a comparison
//! with it does not hold.

use crate::model::{Expr, Party, Specification, Variable};
use crate::syntax::ast::Op;

/// A message m = (ch, d, k, π), or what is said in a point-to-point step.
pub(super) struct Message<'a> {
    pub(super) channel: Option<i64>,
    pub(super) data: Vec<Option<i64>>,
    pub(super) from: usize,
    pub(super) sender_values: &'a [i64],
    pub(super) target: &'a Expr,
    pub(super) supplier: Option<usize>,
}

/// An agent's properties, as its relabelling gives them.
fn properties(spec: &Specification, agent: usize, values: &[i64]) -> Vec<Option<i64>> {
    let view = View { spec, me: agent, values, message: None, properties: None };
    spec.agent_of(agent).relabel.iter().map(|f| f.as_ref().and_then(|e| view.value(e))).collect()
}

/// ∃PV.f: the property variables have the values that the agent's relabelling gives, each among those of its type.
pub(super) fn is_relabelled(spec: &Specification, agent: usize, values: &[i64]) -> bool {
    let within = |(value, variable): (Option<i64>, &Variable)| match (value, spec.domain(variable.ty)) {
        (Some(value), Some((low, high))) => (low..=high).contains(&value),
        _ => true,
    };
    properties(spec, agent, values).into_iter().zip(&spec.properties).all(within)
}

impl Message<'_> {
    /// Whether π holds of an agent's properties, as its relabelling gives them.
    pub(super) fn admits(&self, spec: &Specification, other: usize, values: &[i64]) -> bool {
        is_relabelled(spec, other, values) && self.admits_all(spec, &properties(spec, other, values))
    }

    fn admits_all(&self, spec: &Specification, properties: &[Option<i64>]) -> bool {
        let view = View {
            spec,
            me: self.from,
            values: self.sender_values,
            message: Some(self),
            properties: Some(properties),
        };
        view.holds(self.target)
    }
}

/// What an expression can see.
pub(super) struct View<'a> {
    pub(super) spec: &'a Specification,
    pub(super) me: usize,
    pub(super) values: &'a [i64],
    pub(super) message: Option<&'a Message<'a>>,
    pub(super) properties: Option<&'a [Option<i64>]>,
}

impl View<'_> {
    pub(super) fn holds(&self, e: &Expr) -> bool {
        self.value(e) == Some(1)
    }

    pub(super) fn value(&self, e: &Expr) -> Option<i64> {
        match e {
            Expr::Value(value) => Some(*value),
            Expr::Local(at) => Some(self.values[*at]),
            Expr::Message(at) => self.message?.data[*at],
            Expr::Property(at) => self.properties?[*at],
            Expr::Channel => self.message?.channel,
            Expr::Myself => Some(self.me as i64),
            Expr::Party(party) => self.party(*party).map(|agent| agent as i64),
            Expr::PointToPoint => Some(i64::from(self.message?.channel.is_none())),
            Expr::Not(inner) => Some(i64::from(!self.holds(inner))),
            Expr::Negative(inner) => self.value(inner)?.checked_neg(),
            Expr::Binary(op, a, b, _) => binary(*op, self.value(a), self.value(b)),
            Expr::Admitted(all, body) => Some(i64::from(self.admitted(*all, body)?)),
            // The state of the whole system is no business of an agent or of a message.
            Expr::Of(..) | Expr::State(_) | Expr::Label(..) | Expr::Enabled(..) | Expr::Changed => None,
        }
    }

    fn party(&self, party: Party) -> Option<usize> {
        let message = self.message?;
        match (party, message.channel) {
            (Party::Sender, Some(_)) | (Party::Getter, None) | (Party::Initiator, _) => Some(message.from),
            (Party::Supplier, _) => message.supplier,
            (Party::Producer, _) => Some(message.supplier.unwrap_or(message.from)),
            (Party::Sender, None) | (Party::Getter, Some(_)) => None,
        }
    }

    /// •∃ and •∀ (section 5.1): over the assignments c with c ⊨ π.
    fn admitted(&self, all: bool, body: &Expr) -> Option<bool> {
        let message = self.message?;
        let domains: Option<Vec<(i64, i64)>> =
            self.spec.properties.iter().map(|v| self.spec.domain(v.ty)).collect();
        let domains = domains?;
        let mut values: Vec<i64> = domains.iter().map(|(low, _)| *low).collect();
        loop {
            let properties: Vec<Option<i64>> = values.iter().map(|v| Some(*v)).collect();
            if message.admits_all(self.spec, &properties) {
                let holds = View { properties: Some(&properties), ..*self }.holds(body);
                if holds != all {
                    return Some(!all);
                }
            }
            // The next assignment, as a number is counted up.
            let Some(digit) = (0..values.len()).find(|&d| values[d] < domains[d].1) else { return Some(all) };
            values[digit] += 1;
            (0..digit).for_each(|d| values[d] = domains[d].0);
        }
    }
}

/// An operator on values.
pub(super) fn binary(op: Op, a: Option<i64>, b: Option<i64>) -> Option<i64> {
    let truth = |value: bool| Some(i64::from(value));
    let (yes, also) = (a == Some(1), b == Some(1));
    let compare = |holds: fn(&i64, &i64) -> bool| truth(a.zip(b).is_some_and(|(a, b)| holds(&a, &b)));
    match op {
        Op::And => truth(yes && also),
        Op::Or => truth(yes || also),
        Op::Implies => truth(!yes || also),
        Op::Iff => truth(yes == also),
        Op::Eq => compare(i64::eq),
        Op::Ne => compare(i64::ne),
        Op::Lt => compare(i64::lt),
        Op::Le => compare(i64::le),
        Op::Gt => compare(i64::gt),
        Op::Ge => compare(i64::ge),
        Op::Add => a?.checked_add(b?),
        Op::Sub => a?.checked_sub(b?),
        Op::Mul => a?.checked_mul(b?),
        Op::Div => a?.checked_div(b?),
        Op::Until | Op::Release | Op::WeakUntil => None,
    }
}
