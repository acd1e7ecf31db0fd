//! Random systems with numbers near 2⁶³, and an oracle that computes with 128 bits.
//!
//! A system is a tree of Rust values here, never read from its text. The oracle ([`Wide::explore`]) evaluates the tree with
//! 128 bits: operands have 64, so no result is lost, and a result outside of ±(2⁶³ − 1) is the error that an engine
//! must report. Nothing is shared with the code under test, neither arithmetic nor the order of evaluation. What evaluates
//! to an error is an error whatever stands beside it, so that all orders agree; conditions have no `and` and `or`.

pub mod compare;
pub mod oracle;
pub mod random;

/// A number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Num {
    Const(i64),
    /// The attribute `x0` or `x1` of the acting agent; in a property, of every agent in turn.
    Attribute(usize),
    /// `e`.
    Environment,
    Id,
    Neg(Box<Num>),
    Abs(Box<Num>),
    /// `+ - * min max`.
    Binary(&'static str, Box<Num>, Box<Num>),
    /// `/` and `%` by a number that is not 0.
    Divided(&'static str, Box<Num>, i64),
}

/// `a op b`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test(pub Num, pub &'static str, pub Num);

/// `test -> target := value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guarded {
    pub test: Option<Test>,
    /// An attribute, or the environment.
    pub target: Option<usize>,
    pub value: Num,
}

/// Agents that take one of these actions again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wide {
    pub agents: usize,
    /// What attributes are at first.
    pub attributes: Vec<i64>,
    /// What `e` is at first.
    pub environment: i64,
    pub actions: Vec<Guarded>,
    /// What is said of every agent, always.
    pub claims: Vec<Test>,
}

impl Wide {
    /// The system as text.
    pub fn text(&self) -> String {
        let attributes: Vec<String> =
            self.attributes.iter().enumerate().map(|(at, value)| format!("x{at}: {}", value)).collect();
        let actions: Vec<String> = self.actions.iter().map(Guarded::text).collect();
        let claims: String = (self.claims.iter().enumerate())
            .map(|(at, claim)| format!("  P{at} = always forall Ant a, {}\n", claim.text(" of a")))
            .collect();
        format!(
            "system {{\n  environment = e: {}\n  spawn = Ant: {}\n}}\nagent Ant {{\n  interface = {}\n  \
             Behavior = ({}); Behavior\n}}\ncheck {{\n{claims}}}\n",
            self.environment,
            self.agents,
            attributes.join("; "),
            actions.join(" ++ ")
        )
    }

    /// The same with less, in all ways that leave out or simplify one thing.
    pub fn smaller(&self) -> Vec<Wide> {
        let mut out = vec![];
        if self.agents > 1 {
            out.push(Wide { agents: self.agents - 1, ..self.clone() });
        }
        for at in 0..self.actions.len() {
            if self.actions.len() > 1 {
                let mut less = self.clone();
                less.actions.remove(at);
                out.push(less);
            }
            let action = &self.actions[at];
            let mut others: Vec<Guarded> =
                action.value.smaller().into_iter().map(|value| Guarded { value, ..action.clone() }).collect();
            if let Some(test) = &action.test {
                others.push(Guarded { test: None, ..action.clone() });
                others
                    .extend(test.smaller().into_iter().map(|t| Guarded { test: Some(t), ..action.clone() }));
            }
            for other in others {
                let mut less = self.clone();
                less.actions[at] = other;
                out.push(less);
            }
        }
        for at in 0..self.claims.len() {
            if self.claims.len() > 1 {
                let mut less = self.clone();
                less.claims.remove(at);
                out.push(less);
            }
            for test in self.claims[at].smaller() {
                let mut less = self.clone();
                less.claims[at] = test;
                out.push(less);
            }
        }
        out
    }
}

impl Wide {
    /// The smallest system found that still fails; this one must.
    pub fn shrunk(&self, mut fails: impl FnMut(&Wide) -> bool) -> Wide {
        let mut best = self.clone();
        while let Some(less) = best.smaller().into_iter().find(|less| fails(less)) {
            best = less;
        }
        best
    }
}

impl Guarded {
    fn text(&self) -> String {
        let (name, arrow) = match self.target {
            Some(at) => (format!("x{at}"), "<-"),
            None => ("e".to_string(), "<--"),
        };
        let action = format!("{name} {arrow} {}", self.value.text(""));
        match &self.test {
            Some(test) => format!("({} -> {action})", test.text("")),
            None => format!("({action})"),
        }
    }
}

impl Test {
    fn text(&self, owner: &str) -> String {
        format!("{} {} {}", self.0.text(owner), self.1, self.2.text(owner))
    }

    fn smaller(&self) -> Vec<Test> {
        let left = self.0.smaller().into_iter().map(|n| Test(n, self.1, self.2.clone()));
        let right = self.2.smaller().into_iter().map(|n| Test(self.0.clone(), self.1, n));
        left.chain(right).collect()
    }
}

impl Num {
    fn text(&self, owner: &str) -> String {
        let inner = |n: &Num| n.text(owner);
        match self {
            Num::Const(value) => format!("({})", value),
            Num::Attribute(at) => format!("x{at}{owner}"),
            Num::Environment => "e".to_string(),
            Num::Id => format!("id{owner}"),
            Num::Neg(a) => format!("(-{})", inner(a)),
            Num::Abs(a) => format!("abs({})", inner(a)),
            Num::Binary(op @ ("min" | "max"), a, b) => format!("{op}({}, {})", inner(a), inner(b)),
            Num::Binary(op, a, b) => format!("({} {op} {})", inner(a), inner(b)),
            Num::Divided(op, a, by) => format!("({} {op} ({}))", inner(a), by),
        }
    }

    fn smaller(&self) -> Vec<Num> {
        match self {
            Num::Const(0) | Num::Attribute(_) | Num::Environment | Num::Id => vec![],
            Num::Const(_) => vec![Num::Const(0)],
            Num::Neg(a) | Num::Abs(a) | Num::Divided(_, a, _) => vec![(**a).clone()],
            Num::Binary(op, a, b) => {
                let mut out = vec![(**a).clone(), (**b).clone()];
                out.extend(a.smaller().into_iter().map(|n| Num::Binary(op, Box::new(n), b.clone())));
                out.extend(b.smaller().into_iter().map(|n| Num::Binary(op, a.clone(), Box::new(n))));
                out
            }
        }
    }
}
