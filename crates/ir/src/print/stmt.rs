//! Statements on paper: one a line, nested blocks indented.

use super::expr::Exprs;
use crate::stmt::{Set, Stmt};

/// Prints blocks with the given names.
pub(super) struct Stmts<'a> {
    pub exprs: Exprs<'a>,
    /// The length of each local array, by local.
    pub lengths: Vec<Option<u32>>,
}

impl Stmts<'_> {
    /// Appends a block; an empty one shows as `skip`.
    pub(super) fn block(&self, out: &mut String, depth: usize, body: &[Stmt]) {
        if body.is_empty() {
            line(out, depth, "skip");
        }
        body.iter().for_each(|s| self.stmt(out, depth, s));
    }

    fn stmt(&self, out: &mut String, depth: usize, s: &Stmt) {
        let e = &self.exprs;
        match s {
            Stmt::If(..) => self.conditional(out, depth, "if", s),
            Stmt::Choose(branches) => {
                line(out, depth, "choose");
                for (condition, body) in branches {
                    line(out, depth + 1, &format!("when {}", e.condition(condition)));
                    self.block(out, depth + 2, body);
                }
            }
            Stmt::ForEach(kinds, bound, body) => {
                let (agent, kinds) = (e.names.bound(*bound), e.names.kinds(kinds));
                line(out, depth, &format!("for each {agent} in {kinds}"));
                self.block(out, depth + 1, body);
            }
            simple => line(out, depth, &self.simple(simple)),
        }
    }

    /// A chain of conditionals stays at one depth: `else if`.
    fn conditional(&self, out: &mut String, depth: usize, word: &str, s: &Stmt) {
        let Stmt::If(condition, yes, no) = s else {
            return;
        };
        line(out, depth, &format!("{word} {}", self.exprs.condition(condition)));
        self.block(out, depth + 1, yes);
        match no.as_slice() {
            [] => {}
            [chain @ Stmt::If(..)] => self.conditional(out, depth, "else if", chain),
            no => {
                line(out, depth, "else");
                self.block(out, depth + 1, no);
            }
        }
    }

    fn simple(&self, s: &Stmt) -> String {
        let e = &self.exprs;
        match s {
            Stmt::Assign(place, value) => format!("{} := {}", e.place(place), e.number(value)),
            Stmt::Fill(place, set) => {
                let every = if e.names.is_array(place.var) { "every cell of " } else { "" };
                format!("{every}{} := {}", e.place(place), self.set(set))
            }
            Stmt::Let(local, value) => format!("let {} = {}", e.names.local(*local), e.number(value)),
            Stmt::Havoc(local, set) => format!("let {} = {}", e.names.local(*local), self.set(set)),
            Stmt::Pick { local, kinds, bound, condition } => format!(
                "pick {}[{}], each {} in {} with {}",
                e.names.local(*local),
                self.lengths.get(local.0 as usize).copied().flatten().unwrap_or(0),
                e.names.bound(*bound),
                e.names.kinds(kinds),
                e.condition(condition)
            ),
            Stmt::Assume(condition) => format!("assume {}", e.condition(condition)),
            Stmt::Check(place) => format!("check {}", e.place(place)),
            Stmt::Copy(var, to, from) => {
                format!("copy {} from {} to {}", e.names.var(*var), e.number(from), e.number(to))
            }
            Stmt::Rank(var) => format!("rank {}", e.names.var(*var)),
            Stmt::If(..) | Stmt::Choose(_) | Stmt::ForEach(..) => unreachable!("not one line"),
        }
    }

    /// A set of one value needs no choice, so it reads like the value.
    fn set(&self, set: &Set) -> String {
        match set {
            Set::Values(values) => match values.as_slice() {
                [only] => self.exprs.number(only),
                values => format!("any of {{{}}}", self.exprs.numbers(values)),
            },
            Set::Range(lo, hi) => format!("any of {}", self.exprs.half_open(lo, hi)),
        }
    }
}

/// Appends one line.
pub(super) fn line(out: &mut String, depth: usize, text: &str) {
    out.push_str(&"  ".repeat(depth));
    out.push_str(text);
    out.push('\n');
}
