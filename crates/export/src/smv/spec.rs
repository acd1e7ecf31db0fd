//! Specifications in SMV: invariants, LTL and CTL.

use super::Model;
use super::names::Names;
use super::paths::{Runner, Who};
use super::text::condition;
use crate::Refusal;
use crate::question::ExportClaim;
use crate::term::Term;
use swarmcheck_ir::{Expr, Linear};

/// The parts of a file that depend on what is asked.
#[derive(Default)]
pub(super) struct Spec {
    pub(super) variables: String,
    pub(super) defines: String,
    pub(super) assigns: String,
    pub(super) specifications: String,
}

/// A condition that binds tightly.
pub(super) fn atom(t: &Term) -> String {
    match t {
        Term::Flag(name) => name.clone(),
        t => format!("({})", condition(t)),
    }
}

struct Writer<'a> {
    runner: &'a Runner<'a>,
    model: &'a Model<'a>,
    out: Spec,
    wrong: Vec<Term>,
}

pub(super) fn spec(runner: &Runner<'_>, model: &Model<'_>, names: &mut Names) -> Result<Spec, Refusal> {
    let mut writer = Writer { runner, model, out: Spec::default(), wrong: vec![] };
    let question = model.question;
    let name = names.fresh(question.name.as_deref().unwrap_or("no_deadlock"));
    let last = question.last.unwrap_or(0);
    let line = match &question.ask {
        ExportClaim::Alive => format!("INVARSPEC NAME {name} := (started & !model_error) -> can_step;"),
        ExportClaim::Always(p) => {
            writer.define("holds", p)?;
            format!("INVARSPEC NAME {name} := started -> holds;")
        }
        ExportClaim::AtLast(p) => {
            writer.define("holds", p)?;
            format!("INVARSPEC NAME {name} := (started & steps = {last}) -> holds;")
        }
        ExportClaim::ByLast(p) => {
            writer.define("holds", p)?;
            writer.out.variables += "  seen : boolean;\n";
            writer.out.assigns += "  init(seen) := FALSE;\n  next(seen) := seen | (started & holds);\n";
            format!("INVARSPEC NAME {name} := (started & steps = {last}) -> (seen | holds);")
        }
        ExportClaim::Eventually(p) => {
            writer.define("holds", p)?;
            format!("LTLSPEC NAME {name} := F (started & holds);")
        }
        ExportClaim::Promised { kept, waiting } => {
            writer.define("kept", kept)?;
            writer.define("waiting", waiting)?;
            format!("LTLSPEC NAME {name} := (G (started -> kept)) & !(F (G (started & waiting)));")
        }
        ExportClaim::Never(p) => {
            writer.define("holds", p)?;
            format!("LTLSPEC NAME {name} := !(G (F (started & holds)));")
        }
        ExportClaim::Formula(linear) => {
            let text = writer.formula(&linear.formula)?;
            // Before the first state of the program there is one in which nothing has begun.
            format!("LTLSPEC NAME {name} := X {text};")
        }
        ExportClaim::Reachable { goal, again: true } => {
            writer.define("holds", goal)?;
            format!("CTLSPEC NAME {name} := AG (started -> EF holds);")
        }
        // A state is reached without the goal if the goal held nowhere on the way, and does not hold there.
        ExportClaim::Reachable { goal, again: false } => {
            writer.define("holds", goal)?;
            format!("CTLSPEC NAME {name} := !E [!(started & holds) U (started & !holds & !(EF holds))];")
        }
    };
    writer.finish(&line)
}

impl Writer<'_> {
    fn term(&mut self, e: &Expr) -> Result<Term, Refusal> {
        let now = super::current(&self.model.cells, &self.model.domains);
        let path = self.runner.start(now, &[]);
        let total = self.runner.total(e, &path, &Who::default())?;
        self.wrong.push(self.runner.plain(total.wrong.clone()));
        Ok(self.runner.plain(total.truth()))
    }

    fn define(&mut self, name: &str, e: &Expr) -> Result<(), Refusal> {
        let term = self.term(e)?;
        self.out.defines += &format!("  {name} := {};\n", condition(&term));
        Ok(())
    }

    /// A formula, in parentheses wherever one could be in doubt.
    fn formula(&mut self, formula: &Linear<Expr>) -> Result<String, Refusal> {
        Ok(match formula {
            Linear::Atom(e) => format!("({})", condition(&self.term(e)?)),
            Linear::Not(a) => format!("(!{})", self.formula(a)?),
            Linear::And(parts) => self.joined(parts, " & ", "TRUE")?,
            Linear::Or(parts) => self.joined(parts, " | ", "FALSE")?,
            Linear::Next(a) => format!("(X {})", self.formula(a)?),
            Linear::Until(a, b) if **a == Linear::truth() => format!("(F {})", self.formula(b)?),
            Linear::Release(a, b) if **a == Linear::falsity() => format!("(G {})", self.formula(b)?),
            Linear::Until(a, b) => format!("({} U {})", self.formula(a)?, self.formula(b)?),
            Linear::Release(a, b) => format!("({} V {})", self.formula(a)?, self.formula(b)?),
        })
    }

    fn joined(&mut self, parts: &[Linear<Expr>], word: &str, nothing: &str) -> Result<String, Refusal> {
        if parts.is_empty() {
            return Ok(nothing.to_string());
        }
        let parts = parts.iter().map(|p| self.formula(p)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("({})", parts.join(word)))
    }

    /// An error of the model makes it invalid, whatever the property: where one is possible, it is asked for, too.
    fn finish(mut self, line: &str) -> Result<Spec, Refusal> {
        let steps = self.model.begin.iter().chain(&self.model.steps);
        let possible = steps.clone().any(|w| w.path.wrong != Term::FALSE);
        let wrong = Term::any(self.wrong.clone());
        if wrong != Term::FALSE {
            self.out.defines += &format!("  wrong_property := {};\n", condition(&wrong));
        }
        if possible || wrong != Term::FALSE {
            let property = if wrong == Term::FALSE { "" } else { " & (started -> !wrong_property)" };
            self.out.specifications += &format!("INVARSPEC NAME no_model_error := !model_error{property};\n");
        }
        self.out.specifications += line;
        self.out.specifications.push('\n');
        Ok(self.out)
    }
}
