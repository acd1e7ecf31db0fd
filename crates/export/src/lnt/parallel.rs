//! Target `lnt-parallel`: one process per agent, one for the timestamps of each tuple, and a scheduler (ATLAS paper,
//! section 5, figure 3), with a script that builds the transition system piece by piece.
//!
//! A step is: the scheduler lets an agent act (`ACT`) or send (`TELL`); what it does; `STEP`, with the scheduler again. A
//! message is one rendezvous of all agents that take part in the tuple. Each receiver asks how its timestamp compares to
//! the sender's, does what the rule says, and all meet at `DONE` before the step is complete. The order in which the
//! receivers do so makes no difference: each reads what it has received, itself, and how the two compare, and none of
//! that is changed by the others.

use super::expr::refuse;
use super::helpers;
use super::module::{Gate, Module, gate, gates_text};
use super::names::Names;
use super::network::{Network, Tuple};
use super::shape::{self, Storage};
use super::text::{Lines, branches, line, nest};
use super::{channel, module_text, remarks};
use crate::naming::line_comment;
use crate::{Export, File, Refusal, svl};
use std::collections::BTreeSet;
use swarmcheck_ir::{KindId, Program};

/// The name of the module and of its file.
pub const MODULE: &str = "parallel";

/// Writes the parallel program, a script for it, and the queries of the properties that the script is to check.
pub fn write(export: &Export<'_>) -> Result<Vec<File>, Refusal> {
    if export.bound.is_some() {
        return refuse("LNT programs run without a bound on their steps");
    }
    let program = export.program;
    let mut names = Names::new();
    let mut shapes = shape::shapes(program, &mut names);
    // Every agent has its own copies.
    for (shape, var) in shapes.iter_mut().zip(&program.vars) {
        if let Storage::Cells { cells, .. } = shape.kind {
            shape.kind = if var.dimensions.is_empty() { Storage::Scalar } else { Storage::Table { cells } };
        }
    }
    let functions = program.functions.iter().map(|f| names.fresh(&f.name)).collect();
    let kinds = program.kinds.iter().map(|k| names.fresh(&k.name)).collect();
    let network = Network::new(program, &shapes, &mut names)?;
    let module = Module::new(program, shapes, names, functions);
    let writer = Writer { module, network, kinds };
    let composition = writer.composition();
    let text = writer.text(export.file.name(), &composition)?;
    let mut out = vec![File { name: format!("{MODULE}.lnt"), text }];
    out.extend(svl::write(export, MODULE, &composition));
    Ok(out)
}

/// Writes the processes.
pub(super) struct Writer<'a> {
    /// Names, helpers and shapes.
    pub module: Module<'a>,
    /// Tuples and messages.
    pub network: Network<'a>,
    /// The processes of the kinds of agents.
    pub kinds: Vec<String>,
}

impl Writer<'_> {
    pub(super) fn program(&self) -> &Program {
        self.module.program
    }

    fn text(&self, origin: &str, composition: &Lines) -> Result<String, Refusal> {
        let mut processes = vec![];
        for (i, f) in self.program().functions.iter().enumerate() {
            let f = self.network.without_turn(f)?;
            match &self.network.messages[i] {
                None => processes.push(self.action(i, &f)?),
                Some(message) => {
                    processes.push(self.sender(i, &f, message)?);
                    processes.push(self.receiver(&f, message)?);
                }
            }
        }
        for (i, kind) in self.program().kinds.iter().enumerate() {
            if kind.count > 0 {
                processes.push(self.agent(KindId(i as u32))?);
            }
        }
        for tuple in &self.network.tuples {
            processes.push(self.timestamps(tuple)?);
        }
        processes.push(self.scheduler());
        processes.push(self.main(composition));
        let mut parts = super::types(&self.module);
        parts.extend(self.channels());
        parts.extend(helpers::definitions(&self.module.helpers.borrow()));
        parts.extend(processes);
        let (lo, hi) = self.network.bounds();
        let pragmas = [
            "!nat_bits 32".to_string(),
            format!("!nat_sup {}", self.program().agents()),
            "!int_bits 32".to_string(),
            format!("!int_inf {lo}"),
            format!("!int_sup {hi}"),
            "!int_check 1".to_string(),
        ];
        let title =
            format!("-- The parallel emulation program of {}, written by swarmcheck.", line_comment(origin));
        Ok(module_text(remarks(title, self.program()), MODULE, &pragmas, parts))
    }

    fn channels(&self) -> Vec<Lines> {
        let mut out = super::channels(self.program());
        out.push(channel("An agent.", "AGENTS", "(nat)"));
        if !self.network.tuples.is_empty() {
            out.push(channel("Two agents.", "PAIRS", "(nat, nat)"));
            out.push(channel(
                "How the first one's timestamp compares to the second one's.",
                "COMPARISONS",
                "(nat, nat, RELATION)",
            ));
        }
        let sizes: BTreeSet<usize> =
            self.network.messages.iter().flatten().map(|m| m.payload.len()).collect();
        for size in sizes {
            let profile = format!("(nat{})", ", int".repeat(size));
            out.push(channel(
                "The sender of a message, and what it says.",
                &format!("MESSAGES_{size}"),
                &profile,
            ));
        }
        out
    }

    /// The processes put together, for the main process and for the script.
    fn composition(&self) -> Lines {
        let names = |gates: &[Gate]| gates.iter().map(|(g, _)| g.as_str()).collect::<Vec<_>>().join(", ");
        let mut all = vec![];
        for (i, kind) in self.program().kinds.iter().enumerate() {
            let (gates, meet) = self.agent_gates(KindId(i as u32));
            for agent in kind.first..kind.first + kind.count {
                let call = format!("{} [{}] ({agent})", self.kinds[i], names(&gates));
                all.push(vec![format!("{} ->", meet.join(", ")), format!("   {call}")]);
            }
        }
        let mut inner = match all.len() {
            0 => line("stop"),
            1 => line(all[0][1].trim_start()),
            _ => branches("par", all, "||", "end par"),
        };
        if !self.network.tuples.is_empty() {
            let tuples = &self.network.tuples;
            let gates = |t: &Tuple| [t.refresh.clone(), t.compare.clone(), t.adopt.clone()].join(", ");
            let one = |t: &Tuple| line(format!("{} [{}]", t.process, gates(t)));
            let matrices = match tuples.as_slice() {
                [only] => one(only),
                _ => branches("par", tuples.iter().map(one).collect(), "||", "end par"),
            };
            let meet = tuples.iter().map(gates).collect::<Vec<_>>().join(", ");
            inner = branches(&format!("par {meet} in"), vec![inner, matrices], "||", "end par");
        }
        let gates = names(&scheduler_gates());
        let scheduler = line(format!("SCHEDULER [{gates}]"));
        branches(&format!("par {gates} in"), vec![inner, scheduler], "||", "end par")
    }

    fn main(&self, composition: &Lines) -> Lines {
        let mut hidden = vec![gate("ACT", "AGENTS"), gate("TELL", "AGENTS")];
        for (i, tuple) in self.network.tuples.iter().enumerate() {
            let messages = self.network.messages.iter().flatten().filter(|m| m.tuple == i);
            hidden.extend(messages.map(Self::message_gate));
            hidden.push(gate(&tuple.done, "none"));
            hidden.extend([
                gate(&tuple.refresh, "AGENTS"),
                gate(&tuple.compare, "COMPARISONS"),
                gate(&tuple.adopt, "PAIRS"),
            ]);
        }
        let hide = nest(format!("hide {} in", gates_text(&hidden)), composition.clone(), "end hide");
        nest("process MAIN [ASSIGN: ASSIGNMENT, START: none, STEP: STEPS] is", hide, "end process")
    }
}

pub(super) fn scheduler_gates() -> [Gate; 4] {
    [gate("START", "none"), gate("STEP", "STEPS"), gate("ACT", "AGENTS"), gate("TELL", "AGENTS")]
}
