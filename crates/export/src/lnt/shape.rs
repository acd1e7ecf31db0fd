//! How the variables of a program are kept in LNT.
//!
//! A variable of agents is one array over the agents that have it, arrays inside it laid out row by row. Timestamps are
//! not numbers but a matrix of comparisons (ATLAS paper, section 3.1): LESS, SAME or GREATER for every pair of agents.

use super::names::Names;
use std::collections::BTreeSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Program, Stmt, VarId, stmt};
use swarmcheck_logic::expand::agents;

/// The layout of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VarLayout {
    /// Its identifier.
    pub name: String,
    pub kind: Storage,
    /// Whether its changes are shown as labels: data of the model, and whatever properties refer to.
    pub shown: bool,
}

/// What a variable is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// No agent has a copy.
    Absent,
    /// A global number.
    Scalar,
    /// A global array.
    Table {
        /// The number of cells.
        cells: u32,
    },
    /// Numbers of agents.
    Cells {
        /// The first agent that has a copy.
        first: u32,
        /// How many agents there are from the first to the last that has one.
        agents: u32,
        /// Cells per agent.
        cells: u32,
    },
    /// Timestamps of agents.
    Times {
        /// The first agent that has one.
        first: u32,
        /// How many agents there are from the first to the last that has one.
        agents: u32,
    },
}

impl Storage {
    pub(crate) fn type_name(&self) -> String {
        match self {
            Storage::Absent | Storage::Scalar => "int".to_string(),
            Storage::Table { cells } => format!("CELLS_{cells}"),
            Storage::Cells { agents, cells, .. } => {
                format!("CELLS_{}", u64::from(*agents) * u64::from(*cells))
            }
            Storage::Times { agents, .. } => format!("TIMES_{agents}"),
        }
    }
}

/// The shapes of all variables, by their ids.
pub(crate) fn shapes(program: &Program, names: &mut Names) -> Vec<VarLayout> {
    let mentioned = mentioned(program);
    let one = |(i, var): (usize, &swarmcheck_ir::Var)| {
        let cells = var.cells() as u32;
        let owners = var.owners.as_ref().map(|kinds| agents(program, kinds));
        let kind = match owners.as_deref() {
            _ if cells == 0 => Storage::Absent,
            None if var.dimensions.is_empty() => Storage::Scalar,
            None => Storage::Table { cells },
            Some([]) => Storage::Absent,
            Some([first, rest @ ..]) => {
                let agents = rest.last().unwrap_or(first) - first + 1;
                match var.role {
                    Role::Order => Storage::Times { first: *first, agents },
                    _ => Storage::Cells { first: *first, agents, cells },
                }
            }
        };
        let is_data = matches!(var.role, Role::Data { .. }) || mentioned.contains(&VarId(i as u32));
        let shown = is_data && !matches!(kind, Storage::Absent | Storage::Times { .. });
        let wanted = match var.role {
            Role::Order => format!("time.{}", var.name.strip_prefix("order.").unwrap_or(&var.name)),
            // Processes are called like what they do; a variable says that it is still to be done.
            Role::Pending => format!("to.{}", var.name),
            _ => var.name.clone(),
        };
        VarLayout { name: names.fresh(&wanted), kind, shown }
    };
    program.vars.iter().enumerate().map(one).collect()
}

/// The variables that properties refer to.
fn mentioned(program: &Program) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    for e in program.properties.iter().flat_map(|p| p.exprs()) {
        e.walk(&mut |e| {
            if let swarmcheck_ir::Expr::Read(place) = e {
                out.insert(place.var);
            }
        });
    }
    out
}

/// The variables that a block of statements reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    pub read: BTreeSet<VarId>,
    /// Variables that are written, perhaps in part.
    pub written: BTreeSet<VarId>,
}

impl Touched {
    /// Notes what an expression reads.
    pub(crate) fn expr(&mut self, e: &swarmcheck_ir::Expr) {
        e.walk(&mut |e| {
            if let swarmcheck_ir::Expr::Read(place) = e {
                self.read.insert(place.var);
            }
        });
    }

    /// Notes what statements do. A rank only renames timestamps, so it touches nothing.
    pub(crate) fn block(&mut self, block: &[Stmt]) {
        stmt::walk(block, &mut |s| {
            s.exprs().into_iter().for_each(|e| self.expr(e));
            match s {
                Stmt::Assign(place, _) | Stmt::Fill(place, _) => {
                    self.written.insert(place.var);
                }
                Stmt::Check(place) => {
                    self.read.insert(place.var);
                }
                Stmt::Copy(var, _, _) => {
                    self.read.insert(*var);
                    self.written.insert(*var);
                }
                _ => {}
            }
        });
    }
}
