//! The variables of the state: their declarations, and functions that look whether a cell exists.
//!
//! An agent's variable has a place for every agent, also for those that do not have it; these are never read. Array-free
//! programs have a variable per cell, and functions that find it.

use super::names::{among, comment, ranges};
use super::writer::Writer;
use std::fmt::Write;
use swarmcheck_ir::{KindId, VarId};

/// Prints the text around emulation functions that has to do with variables.
impl<'a> Writer<'a> {
    /// The sizes of a variable in C: the agents first, if it is theirs.
    fn sizes(&self, var: VarId) -> Vec<u32> {
        let found = self.program.var(var);
        let agents = found.owners.is_some().then(|| self.program.agents());
        agents.into_iter().chain(found.dimensions.iter().copied()).collect()
    }

    /// The names of the parameters that find a cell.
    fn parameters(&self, var: VarId) -> Vec<String> {
        let found = self.program.var(var);
        let agent = found.owners.is_some().then(|| "agent".to_string());
        agent.into_iter().chain((0..found.dimensions.len()).map(|d| format!("at{d}"))).collect()
    }

    /// The declarations of all variables, each with what it is called in the model. `kind` gives the type of a variable.
    pub(super) fn declarations(&self, kind: &dyn Fn(VarId) -> String, indent: &str) -> String {
        let mut out = String::new();
        for at in 0..self.program.vars.len() {
            let var = VarId(at as u32);
            let remark = comment(&self.program.var(var).name);
            if self.style.array_free {
                for (_, cell) in self.names.cells(var) {
                    let _ = writeln!(out, "{} {cell}; /* {remark} */", kind(var));
                }
                continue;
            }
            let sizes: String = self.sizes(var).iter().map(|n| format!("[{}]", n.max(&1))).collect();
            let name = self.names.var(var);
            let _ = writeln!(out, "{indent}{} {name}{sizes}; /* {remark} */", kind(var));
        }
        out
    }

    /// The functions through which cells are read, written and looked for, as far as they are used.
    pub(super) fn accessors(&self) -> String {
        let (readers, writers, finders, ranked) = {
            let used = self.used.borrow();
            (used.readers.clone(), used.writers.clone(), used.finders.clone(), used.ranked.clone())
        };
        let mut out = String::new();
        for at in 0..self.program.vars.len() {
            let var = VarId(at as u32);
            let (reads, writes, ranks) =
                (readers.contains(&var), writers.contains(&var), ranked.contains(&var));
            if reads || writes || finders.contains(&var) {
                out += &self.finder(var);
            }
            let name = self.names.var(var);
            let at = self.parameters(var);
            let list: String = at.iter().map(|p| format!("value {p}, ")).collect();
            let pass: String = at.iter().map(|p| format!("{p}, ")).collect();
            if reads {
                let cell = self.cell(var, &at);
                let body = format!("  return has_{name}({pass}where) ? {cell} : UNDEF;\n");
                let _ = write!(out, "static value read_{name}({list}int where)\n{{\n{body}}}\n\n");
            }
            if writes {
                let store = self.store(var, &at, "to");
                let body = format!("  assume(has_{name}({pass}where));\n  {store}\n");
                let _ = write!(out, "static void write_{name}({list}value to, int where)\n{{\n{body}}}\n\n");
            }
            if ranks {
                out += &self.ranking(var);
            }
        }
        // Last, because the functions above use them too.
        self.cell_functions() + &out
    }

    /// Whether a cell exists: not if its coordinates are undefined; otherwise a cell that does not is an error.
    fn finder(&self, var: VarId) -> String {
        let (name, at, sizes) = (self.names.var(var), self.parameters(var), self.sizes(var));
        let list: String = at.iter().map(|p| format!("value {p}, ")).collect();
        let mut out = format!("static int has_{name}({list}int where)\n{{\n");
        if at.is_empty() {
            out += "  (void)where;\n";
        } else {
            let undefined: Vec<String> = at.iter().map(|p| format!("{p} == UNDEF")).collect();
            let _ = writeln!(out, "  if ({}) return 0;", undefined.join(" || "));
        }
        let mut check = |wrong: String, kind: &str| {
            let _ = writeln!(out, "  if ({wrong}) {{\n    fault({kind}, where);\n    return 0;\n  }}");
        };
        let agents = self.program.agents();
        let owners: Option<&[KindId]> = self.program.var(var).owners.as_deref();
        for (p, size) in at.iter().zip(&sizes) {
            let outside = format!("{p} < 0 || {p} >= {size}");
            match owners {
                Some(owners) if p == "agent" => {
                    check(outside, "NO_AGENT");
                    if let Some(owned) = among(p, &ranges(self.program, owners), agents) {
                        check(format!("!({owned})"), "NO_VARIABLE");
                    }
                }
                _ => check(outside, "INDEX"),
            }
        }
        out += "  return 1;\n}\n\n";
        out
    }

    /// Dense ranks in place: in ascending order, each value that occurs becomes the number of smaller ones. What has been
    /// replaced is never met again, because no rank is larger than the value it replaces.
    fn ranking(&self, var: VarId) -> String {
        let found = self.program.var(var);
        let (name, top) = (self.names.var(var), found.domain.map_or(0, |(_, hi)| hi));
        self.note(super::bounds::Bounds::of(0, i128::from(top) + 1));
        let agent = vec!["agent".to_string()];
        let each = self.each_agent("    ", "agent", found.owners.as_deref().unwrap_or(&[]));
        let (cell, store) = (self.cell(var, &agent), self.store(var, &agent, "next"));
        format!(
            "/* The values of {} become their dense ranks: only their order counts. */\n\
             static void rank_{name}(void)\n{{\n  value next = 0;\n  for (value old = 0; old <= {top}; old++) {{\n    \
             value present = 0;\n{each}      if ({cell} == old) {{\n        {store}\n        present = 1;\n      }}\n    \
             }}\n    next = next + present;\n  }}\n}}\n\n",
            comment(&found.name)
        )
    }

    /// Array-free: functions that find a cell by comparing numbers.
    fn cell_functions(&self) -> String {
        let (getters, setters) = {
            let used = self.used.borrow();
            (used.getters.clone(), used.setters.clone())
        };
        let mut out = String::new();
        let condition = |p: &[String], at: &[u32]| {
            let equal = p.iter().zip(at).map(|(p, i)| format!("{p} == {i}"));
            equal.collect::<Vec<_>>().join(" && ")
        };
        for var in getters.union(&setters) {
            let (name, p) = (self.names.var(*var), self.parameters(*var));
            let list: Vec<String> = p.iter().map(|p| format!("value {p}")).collect();
            let list = list.join(", ");
            let cells = self.names.cells(*var);
            if getters.contains(var) {
                let _ = write!(out, "static value get_{name}({list})\n{{\n");
                for (at, cell) in cells {
                    let _ = writeln!(out, "  if ({}) return {cell};", condition(&p, at));
                }
                out += "  return 0;\n}\n\n";
            }
            if setters.contains(var) {
                let _ = write!(out, "static void set_{name}({list}, value to)\n{{\n");
                for (at, cell) in cells {
                    let _ = writeln!(out, "  if ({}) {cell} = to;", condition(&p, at));
                }
                out += "}\n\n";
            }
        }
        out
    }
}
