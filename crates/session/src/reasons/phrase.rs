//! Expressions of the program in the words of the user: `agent of Hasty 1 = 0`, `fork[(id + 1) % 3] = 0`. Bound agents are
//! named if they are known; otherwise quantifiers get letters, because the program does not keep the user's.

use super::evaluate::Scope;
use swarmcheck_ir::flat::Cell;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Quantifier, UNDEF, UnaryOp, VarId};

/// How tightly an expression binds.
const LOOSE: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const COMPARE: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const ATOM: u8 = 8;

/// Letters for the agents of open quantifiers.
type Letters = Vec<(u32, String)>;

/// An expression as text.
pub(super) fn phrase(scope: &Scope<'_>, e: &Expr) -> String {
    Writer { scope }.at(e, LOOSE, &mut vec![])
}

/// A place as text.
pub(super) fn place(scope: &Scope<'_>, place: &Place) -> String {
    Writer { scope }.place(place, &mut vec![])
}

/// `x`, `fork[1]`, `agent of Hasty 0`.
pub(super) fn cell(scope: &Scope<'_>, cell: Cell) -> String {
    let var = scope.flat.program.var(cell.var);
    let name = match var.role {
        Role::Location => state_name(&var.name),
        _ => cell.name(&scope.flat.program),
    };
    match cell.agent {
        Some(agent) => format!("{name} of {}", scope.flat.program.agent_name(agent)),
        None => name,
    }
}

/// Whether an expression is about things that the user has written: data, and the states of automata.
pub(super) fn is_users(scope: &Scope<'_>, e: &Expr) -> bool {
    let mut fine = true;
    e.walk(&mut |e| {
        if let Expr::Read(place) = e {
            let var = scope.flat.program.var(place.var);
            let state = var.name == swarmcheck_rcheck::lower::AUTOMATON_STATE;
            fine &= matches!(var.role, Role::Data { .. }) || state;
        }
    });
    fine
}

fn state_name(name: &str) -> String {
    name.replace("automaton-state", "state")
}

struct Writer<'a, 'f> {
    scope: &'a Scope<'f>,
}

impl Writer<'_, '_> {
    fn at(&self, e: &Expr, level: u8, letters: &mut Letters) -> String {
        let (own, text) = self.text(e, letters);
        if own < level { format!("({text})") } else { text }
    }

    fn text(&self, e: &Expr, letters: &mut Letters) -> (u8, String) {
        match e {
            Expr::Const(UNDEF) => (ATOM, "undef".to_string()),
            Expr::Const(value) => (ATOM, value.to_string()),
            Expr::Me => (ATOM, "id".to_string()),
            Expr::Bound(bound) => (ATOM, format!("id of {}", self.bound(*bound, letters))),
            Expr::Read(place) => (ATOM, self.place(place, letters)),
            Expr::Local(local) => {
                let known = self.scope.value(e).filter(|_| self.scope.state.is_some());
                (ATOM, known.map_or_else(|| format!("local {}", local.0), |value| value.to_string()))
            }
            Expr::LocalCell(local, index, _) => {
                (ATOM, format!("local {}[{}]", local.0, self.at(index, LOOSE, letters)))
            }
            Expr::Unary(UnaryOp::Neg, e) => (PRODUCT, format!("-{}", self.at(e, ATOM, letters))),
            Expr::Unary(UnaryOp::Abs, e) => (ATOM, format!("abs({})", self.at(e, LOOSE, letters))),
            Expr::Unary(UnaryOp::Not, e) => (ATOM, format!("not ({})", self.at(e, LOOSE, letters))),
            Expr::Binary(op, a, b, _) => self.binary(*op, a, b, letters),
            Expr::And(parts) => (AND, self.joined(parts, " and ", AND + 1, letters)),
            Expr::Or(parts) => (OR, self.joined(parts, " or ", OR + 1, letters)),
            Expr::If(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|part| self.at(part, OR, letters));
                (LOOSE, format!("if {c} then {a} else {b}"))
            }
            Expr::Defined(e) => (ATOM, format!("defined({})", self.at(e, LOOSE, letters))),
            Expr::Quantified(quantifier, kinds, bound, body) => {
                let word = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Count => "count",
                };
                let letter = self.letter(kinds, letters);
                letters.push((*bound, letter.clone()));
                let body = self.at(body, LOOSE, letters);
                letters.pop();
                (LOOSE, format!("{word} {} {letter}, {body}", self.kinds(kinds)))
            }
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, letters: &mut Letters) -> (u8, String) {
        let (level, sign) = match op {
            BinaryOp::Add => (SUM, "+"),
            BinaryOp::Sub => (SUM, "-"),
            BinaryOp::Mul => (PRODUCT, "*"),
            BinaryOp::Div => (PRODUCT, "/"),
            BinaryOp::Round => (PRODUCT, ":"),
            BinaryOp::Mod => (PRODUCT, "%"),
            BinaryOp::Min | BinaryOp::Max => {
                let name = if op == BinaryOp::Min { "min" } else { "max" };
                let [a, b] = [a, b].map(|part| self.at(part, LOOSE, letters));
                return (ATOM, format!("{name}({a}, {b})"));
            }
            BinaryOp::Eq => (COMPARE, "="),
            BinaryOp::Ne => (COMPARE, "!="),
            BinaryOp::Lt => (COMPARE, "<"),
            BinaryOp::Le => (COMPARE, "<="),
            BinaryOp::Gt => (COMPARE, ">"),
            BinaryOp::Ge => (COMPARE, ">="),
            BinaryOp::And => (AND, "and"),
            BinaryOp::Or => (OR, "or"),
        };
        let alike = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if let (true, Expr::Bound(x), Expr::Bound(y)) = (alike, a, b) {
            return (level, format!("{} {sign} {}", self.bound(*x, letters), self.bound(*y, letters)));
        }
        let [left, right] = [(a, level), (b, level + 1)].map(|(part, level)| self.at(part, level, letters));
        // A number that has a name in the language is shown by its name.
        let named = |number: &Expr, other: &Expr| match (number, other) {
            (Expr::Const(value), Expr::Read(place)) => {
                self.scope.flat.value_name(place.var, *value).map(str::to_string)
            }
            _ => None,
        };
        let (left, right) = (named(a, b).unwrap_or(left), named(b, a).unwrap_or(right));
        // A truth value is its own condition.
        match (op, right.as_str()) {
            (BinaryOp::Ne, "false") | (BinaryOp::Eq, "true") => return (ATOM, left),
            (BinaryOp::Eq, "false") | (BinaryOp::Ne, "true") => return (ATOM, format!("not {left}")),
            _ => {}
        }
        (level, format!("{left} {sign} {right}"))
    }

    fn joined(&self, parts: &[Expr], sign: &str, level: u8, letters: &mut Letters) -> String {
        parts.iter().map(|part| self.at(part, level, letters)).collect::<Vec<_>>().join(sign)
    }

    fn place(&self, place: &Place, letters: &mut Letters) -> String {
        let var = self.scope.flat.program.var(place.var);
        let mut name = match var.role {
            Role::Location => state_name(&var.name),
            _ => var.name.clone(),
        };
        for index in &place.index {
            name += &format!("[{}]", self.at(index, LOOSE, letters));
        }
        match place.agent.as_deref() {
            None | Some(Expr::Me) => name,
            Some(Expr::Bound(bound)) => format!("{name} of {}", self.bound(*bound, letters)),
            Some(Expr::Const(agent)) => match u32::try_from(*agent) {
                Ok(agent) if self.scope.me == Some(agent) => name,
                Ok(agent) if agent < self.scope.flat.program.agents() => {
                    format!("{name} of {}", self.scope.flat.program.agent_name(agent))
                }
                _ => format!("{name} of {agent}"),
            },
            Some(other) => format!("{name} of {}", self.at(other, ATOM, letters)),
        }
    }

    fn bound(&self, bound: u32, letters: &Letters) -> String {
        if let Some((_, letter)) = letters.iter().rev().find(|(number, _)| *number == bound) {
            return letter.clone();
        }
        match self.scope.agent(bound) {
            Some(agent) => self.scope.flat.program.agent_name(agent),
            None => format!("agent {bound}"),
        }
    }

    fn kinds(&self, kinds: &[KindId]) -> String {
        let names = kinds.iter().map(|kind| self.scope.flat.program.kind(*kind).name.as_str());
        names.collect::<Vec<_>>().join("|")
    }

    /// A letter that no other open quantifier has.
    fn letter(&self, kinds: &[KindId], letters: &Letters) -> String {
        let name = kinds.first().map_or("a", |kind| &self.scope.flat.program.kind(*kind).name);
        let first: String = name.chars().take(1).flat_map(char::to_lowercase).collect();
        let variable = |name: &str| self.scope.flat.program.vars.iter().any(|var| var.name == name);
        let taken = |name: &str| letters.iter().any(|(_, known)| known == name) || variable(name);
        let mut candidates = std::iter::once(first.clone()).chain((2..).map(|n| format!("{first}{n}")));
        candidates.find(|name| !taken(name)).unwrap_or(first)
    }
}

/// The value of a cell by name, if it has one.
pub(super) fn named(scope: &Scope<'_>, var: VarId, value: i64) -> Option<String> {
    scope.flat.value_name(var, value).map(str::to_string)
}
