//! SMT-LIB: a program as formulas over mathematical integers.
//!
//! * `smt2`: a symbolic transition system in SMT-LIB 2 with the annotations of VMT (Cimatti, Griggio, Tonetta, *The VMT-LIB
//!   language and tools*, SMT workshop 2022): `:next`, `:init`, `:trans` and the property. For ic3ia, nuXmv, Kratos, AVR, Pono.
//! * `chc`: constrained Horn clauses, satisfiable exactly if the property holds. For Z3's Spacer, Eldarica, Golem.
//!
//! Steps are executed on terms (`swarmcheck_steps`), so what a step writes and requires is a formula over the state before it. No
//! number is too large here. An index outside an array, and an agent that does not exist, must be excluded by the ranges of
//! variables, or the target refuses.

mod obligation;
mod vmt;

use crate::naming::line_comment;
use crate::question::{ExportClaim, ExportQuestion};
use crate::{Export, File, Refusal, Written, refuse};
use swarmcheck_ir::Expr;
use swarmcheck_ir::ground::Ground;
use swarmcheck_smt::horn;
use swarmcheck_smt::system::{self, System, some_step};
use swarmcheck_steps::execute::{self, Executed, Numbers};
use swarmcheck_steps::terms::TermId;

/// The name of the file of clauses.
const CLAUSES: &str = "emulation.chc.smt2";

/// Writes a system in VMT.
pub fn vmt(export: &Export<'_>) -> Written {
    Ok(vec![vmt::write(&Asking::new(export)?)?])
}

/// Writes Horn clauses.
pub fn chc(export: &Export<'_>) -> Written {
    let asking = Asking::new(export)?;
    let Asked::Always(claim) = asking.asked else {
        return refuse(
            "Horn clauses say what holds in every state: a formula about what happens again and again is for --to smt2",
        );
    };
    let mut text = asking.comments();
    text += "; Satisfiable: the property holds, and the model is an inductive invariant. Unsatisfiable: it is violated.\n";
    text += &horn::clauses(&asking.system, &|scope| Ok(format!("(not {})", scope.term(claim)?.truth())))?;
    Ok(vec![File { name: CLAUSES.to_string(), text }])
}

impl From<system::Refusal> for Refusal {
    fn from(refusal: system::Refusal) -> Refusal {
        Refusal { why: refusal.why }
    }
}

/// Writes that a condition holds in the initial states or, with `step`, after one step from them. The condition is the property.
pub fn obligation(export: &Export<'_>, step: bool) -> Result<String, Refusal> {
    obligation::write(&Asking::new(export)?, step)
}

/// What is asked, as a condition on states.
enum Asked {
    /// It holds in every state.
    Always(TermId),
    /// From some point on it never holds.
    NotForever(TermId),
}

/// A program as formulas, and what is asked of it.
struct Asking {
    /// The head of the file, as comments.
    head: Vec<String>,
    system: System,
    asked: Asked,
}

impl Asking {
    fn new(export: &Export<'_>) -> Result<Asking, Refusal> {
        let question = ExportQuestion::new(export, false)?;
        if question.last.is_some() {
            return refuse("formulas over integers have no bound on steps: leave out --steps and 'after'");
        }
        // Without ranges nothing is known about indices.
        let program = swarmcheck_passes::ranges::narrow(&question.program).program;
        let ground = Ground::new(&program);
        let told = |refused: swarmcheck_steps::Refused| Refusal { why: refused.to_string() };
        let mut executed = execute::execute(&program, &ground, Numbers::Integers).map_err(told)?;
        let condition = |executed: &mut Executed, e: &Expr| {
            let condition = ground.condition(&program, e);
            Ok::<TermId, Refusal>(execute::conditions(executed, &[condition]).map_err(told)?.swap_remove(0))
        };
        let asked = match &question.ask {
            ExportClaim::Always(e) => Asked::Always(condition(&mut executed, e)?),
            ExportClaim::Never(e) => Asked::NotForever(condition(&mut executed, e)?),
            ExportClaim::Alive => Asked::Always(some_step(&mut executed)?),
            ExportClaim::Eventually(_) | ExportClaim::Promised { .. } => {
                return refuse(
                    "this property is about executions that stop or wait: write it as an ltl formula, or ask for 'always'",
                );
            }
            ExportClaim::Reachable { .. } => {
                return refuse(
                    "no formula over one execution says what can be reached from every state: 'fairly' is for other targets",
                );
            }
            ExportClaim::Formula(_) | ExportClaim::AtLast(_) | ExportClaim::ByLast(_) => {
                return refuse("the property cannot be expressed by a condition on states");
            }
        };
        let system = System::new(&program, &ground, executed, &[]);
        let asks = question.name.as_deref().unwrap_or("is some step possible in every state?");
        let head = vec![
            format!("{}: the emulation program over integers, written by swarmcheck.", export.file.name()),
            format!("Property: {asks}"),
        ];
        Ok(Asking { head, system, asked })
    }

    /// Comments at the beginning of a file.
    fn comments(&self) -> String {
        self.head.iter().map(|line| format!("; {}\n", line_comment(line))).collect()
    }
}
