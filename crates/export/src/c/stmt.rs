//! Statements in C. A step that turns out not to be possible ends in `assume`, whatever was written before.

use super::bounds::Bounds;
use super::helpers::Helper;
use super::names::{among, cells, ranges};
use super::writer::{Scope, Writer};
use std::fmt::Write;
use swarmcheck_ir::{Expr, KindId, LocalId, Place, Set, Stmt, VarId};

/// Appends one line.
fn line(out: &mut String, depth: usize, text: &str) {
    let _ = writeln!(out, "{}{text}", "  ".repeat(depth));
}

/// The parts of a `Stmt::Pick`.
struct Pick<'a> {
    local: LocalId,
    kinds: &'a [KindId],
    bound: u32,
    condition: &'a Expr,
}

impl<'a> Writer<'a> {
    pub(super) fn block(&'a self, scope: &Scope<'a>, out: &mut String, depth: usize, body: &'a [Stmt]) {
        body.iter().for_each(|s| self.stmt(scope, out, depth, s));
    }

    fn stmt(&'a self, scope: &Scope<'a>, out: &mut String, depth: usize, s: &'a Stmt) {
        match s {
            Stmt::Assign(place, e) => {
                let value = self.alone(scope, e);
                let text = self.assign(scope, place, &value);
                line(out, depth, &text);
            }
            Stmt::Fill(place, set) => self.fill(scope, out, depth, place, set),
            Stmt::Let(local, e) => {
                let text = self.alone(scope, e);
                line(out, depth, &format!("{} = {text};", self.local(scope, *local)));
            }
            Stmt::Havoc(local, set) => {
                let name = self.local(scope, *local);
                self.draw(scope, out, depth, set, &|value| format!("{name} = {value};"));
            }
            Stmt::Pick { local, kinds, bound, condition } => {
                let pick = Pick { local: *local, kinds, bound: *bound, condition };
                self.pick(scope, out, depth, &pick);
            }
            Stmt::Assume(condition) => self.assume(scope, out, depth, condition),
            Stmt::Check(place) => {
                if !scope.known.exists(place) {
                    let mut at = self.coordinates(scope, place);
                    at.push(self.site(place.span).to_string());
                    self.used.borrow_mut().finders.insert(place.var);
                    line(out, depth, &format!("(void)has_{}({});", self.names.var(place.var), at.join(", ")));
                }
            }
            Stmt::If(..) => self.conditional(scope, out, depth, "if", s),
            Stmt::Choose(branches) => self.choose(scope, out, depth, branches),
            Stmt::ForEach(kinds, bound, body) => {
                let agent = self.names.bound(*bound);
                out.push_str(&self.each_agent(&"  ".repeat(depth), &agent, kinds));
                self.block(&scope.under(*bound, kinds), out, depth + 1, body);
                line(out, depth, "}");
            }
            Stmt::Copy(var, to, from) => {
                let (to, from) = (self.alone(scope, to), self.alone(scope, from));
                self.each_cell(out, depth, *var, &mut |out, depth, at| {
                    let with = |agent: &String| [std::slice::from_ref(agent), at].concat();
                    let text = self.store(*var, &with(&to), &self.cell(*var, &with(&from)));
                    line(out, depth, &text);
                });
            }
            Stmt::Rank(var) => {
                self.used.borrow_mut().ranked.insert(*var);
                line(out, depth, &format!("rank_{}();", self.names.var(*var)));
            }
        }
    }

    fn local(&self, scope: &Scope<'a>, local: LocalId) -> String {
        cells(scope.locals, local).first().cloned().unwrap_or_default()
    }

    /// Each part of a conjunction in a line of its own.
    pub(super) fn assume(&'a self, scope: &Scope<'a>, out: &mut String, depth: usize, condition: &'a Expr) {
        if let Expr::And(parts) = condition {
            return parts.iter().for_each(|part| self.assume(scope, out, depth, part));
        }
        let text = self.alone(scope, condition);
        if text != "1" {
            line(out, depth, &format!("assume({text});"));
        }
    }

    fn assign(&'a self, scope: &Scope<'a>, place: &'a Place, value: &str) -> String {
        let mut at = self.coordinates(scope, place);
        if scope.known.exists(place) {
            return self.store(place.var, &at, value);
        }
        at.extend([value.to_string(), self.site(place.span).to_string()]);
        self.used.borrow_mut().writers.insert(place.var);
        format!("write_{}({});", self.names.var(place.var), at.join(", "))
    }

    /// A chain of conditionals stays at one depth.
    fn conditional(&'a self, scope: &Scope<'a>, out: &mut String, depth: usize, word: &str, s: &'a Stmt) {
        let Stmt::If(condition, yes, no) = s else { return };
        let text = self.alone(scope, condition);
        line(out, depth, &format!("{word} ({text}) {{"));
        self.block(scope, out, depth + 1, yes);
        match no.as_slice() {
            [] => line(out, depth, "}"),
            [chain @ Stmt::If(..)] => self.conditional(scope, out, depth, "} else if", chain),
            no => {
                line(out, depth, "} else {");
                self.block(scope, out, depth + 1, no);
                line(out, depth, "}");
            }
        }
    }

    /// Draws from a set and does something with the value, one statement.
    fn draw(
        &'a self,
        scope: &Scope<'a>,
        out: &mut String,
        depth: usize,
        set: &'a Set,
        with: &dyn Fn(&str) -> String,
    ) {
        self.note(scope.known.drawn(set));
        match set {
            Set::Values(values) => match values.as_slice() {
                [] => line(out, depth, "assume(0);"),
                [only] => line(out, depth, &with(&self.alone(scope, only))),
                values => {
                    line(out, depth, &format!("switch (choose({})) {{", values.len()));
                    for (at, value) in values.iter().enumerate() {
                        let label =
                            if at + 1 == values.len() { "default".into() } else { format!("case {at}") };
                        line(out, depth, &format!("{label}: {} break;", with(&self.alone(scope, value))));
                    }
                    line(out, depth, "}");
                }
            },
            Set::Range(lo, hi) => {
                let [lo, hi] = [lo, hi].map(|e| {
                    self.note(scope.known.eval(e));
                    self.alone(scope, e)
                });
                line(out, depth, &with(&format!("{}({lo}, {hi})", self.help(Helper::Between))));
            }
        }
    }

    fn fill(&'a self, scope: &Scope<'a>, out: &mut String, depth: usize, place: &'a Place, set: &'a Set) {
        let var = self.program.var(place.var);
        let agent: Vec<String> = place.agent.iter().map(|a| self.alone(scope, a)).collect();
        if let (Some(agent), Some(owners)) = (agent.first(), &var.owners)
            && !scope.known.exists(&Place { index: vec![], ..place.clone() })
        {
            let agents = self.program.agents();
            let owned = among(agent, &ranges(self.program, owners), agents).unwrap_or("1".to_string());
            line(out, depth, &format!("assume({agent} >= 0 && {agent} < {agents} && ({owned}));"));
        }
        self.each_cell(out, depth, place.var, &mut |out, depth, at| {
            let at = [&agent, at].concat();
            self.draw(scope, out, depth, set, &|value| self.store(place.var, &at, value));
        });
    }

    /// Loops over all cells of an array; a scalar has one.
    fn each_cell(
        &self,
        out: &mut String,
        depth: usize,
        var: VarId,
        inside: &mut dyn FnMut(&mut String, usize, &[String]),
    ) {
        let sizes = &self.program.var(var).dimensions;
        let at: Vec<String> = (0..sizes.len()).map(|d| format!("at{d}")).collect();
        for (d, (size, i)) in sizes.iter().zip(&at).enumerate() {
            self.note(Bounds::of(0, (*size).into()));
            line(out, depth + d, &format!("for (value {i} = 0; {i} < {size}; {i}++) {{"));
        }
        inside(out, depth + sizes.len(), &at);
        (0..sizes.len()).rev().for_each(|d| line(out, depth + d, "}"));
    }

    /// Any branch whose condition holds.
    fn choose(
        &'a self,
        scope: &Scope<'a>,
        out: &mut String,
        depth: usize,
        branches: &'a [(Expr, Vec<Stmt>)],
    ) {
        if branches.is_empty() {
            return line(out, depth, "assume(0);");
        }
        if branches.iter().all(|(condition, _)| *condition == Expr::TRUE) {
            line(out, depth, &format!("switch (choose({})) {{", branches.len()));
            for (at, (_, body)) in branches.iter().enumerate() {
                let label = if at + 1 == branches.len() { "default".into() } else { format!("case {at}") };
                line(out, depth, &format!("{label}:"));
                self.block(scope, out, depth + 1, body);
                line(out, depth + 1, "break;");
            }
            return line(out, depth, "}");
        }
        line(out, depth, "{");
        let open: Vec<String> = (0..branches.len()).map(|at| format!("open{at}")).collect();
        for (name, (condition, _)) in open.iter().zip(branches) {
            let text = self.alone(scope, condition);
            line(out, depth + 1, &format!("int {name} = {text};"));
        }
        line(out, depth + 1, "number skip;");
        line(out, depth + 1, &format!("assume({});", open.join(" || ")));
        line(out, depth + 1, &format!("skip = choose((number)({}));", open.join(" + ")));
        for (at, (name, (_, body))) in open.iter().zip(branches).enumerate() {
            let word = if at == 0 { "if" } else { "} else if" };
            line(out, depth + 1, &format!("{word} ({name} && skip-- == 0) {{"));
            self.block(scope, out, depth + 2, body);
        }
        line(out, depth + 1, "}");
        line(out, depth, "}");
    }

    /// Distinct agents, one after the other: a candidate among those not yet taken, then its condition.
    fn pick(&'a self, scope: &Scope<'a>, out: &mut String, depth: usize, pick: &Pick<'a>) {
        let Pick { local, kinds, bound, condition } = *pick;
        let agent = self.names.bound(bound);
        let inside = scope.under(bound, kinds);
        let slots = cells(scope.locals, local);
        for (at, slot) in slots.iter().enumerate() {
            let mut free = vec![format!("{agent} != me")];
            free.extend(slots[..at].iter().map(|taken| format!("{agent} != {taken}")));
            let free = free.join(" && ");
            line(out, depth, "{");
            line(out, depth + 1, "number left = 0, skip;");
            out.push_str(&self.each_agent(&"  ".repeat(depth + 1), &agent, kinds));
            line(out, depth + 2, &format!("if ({free}) left++;"));
            line(out, depth + 1, "}");
            line(out, depth + 1, "assume(left > 0);");
            line(out, depth + 1, "skip = choose(left);");
            out.push_str(&self.each_agent(&"  ".repeat(depth + 1), &agent, kinds));
            line(out, depth + 2, &format!("if ({free} && skip-- == 0) {{"));
            self.assume(&inside, out, depth + 3, condition);
            line(out, depth + 3, &format!("{slot} = {agent};"));
            line(out, depth + 3, "break;");
            line(out, depth + 2, "}");
            line(out, depth + 1, "}");
            line(out, depth, "}");
        }
    }
}
