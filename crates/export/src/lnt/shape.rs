//! How the variables of a program are kept in LNT.
//!
//! A variable of agents is one array over the agents that have it, arrays inside it laid out row by row. Timestamps are
//! not numbers but a matrix of comparisons (ATLAS paper, section 3.1): LESS, SAME or GREATER for every pair of agents.

use super::names::Names;
use std::collections::BTreeSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Program, Stmt, VarId, stmt};
use swarmcheck_logic::expand::agents;

/// How one variable is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Its identifier.
    pub name: String,
    /// What it is made of.
    pub kind: Kind,
    /// Whether its changes are shown as labels: data of the model, and whatever properties speak of.
    pub shown: bool,
}

/// What a variable is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nobody has a copy.
    Absent,
    /// A global number.
    Scalar,
    /// A global array.
    Table {
        /// How many cells it has.
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

impl Kind {
    /// The type.
    pub(crate) fn type_name(&self) -> String {
        match self {
            Kind::Absent | Kind::Scalar => "int".to_string(),
            Kind::Table { cells } => format!("CELLS_{cells}"),
            Kind::Cells { agents, cells, .. } => format!("CELLS_{}", u64::from(*agents) * u64::from(*cells)),
            Kind::Times { agents, .. } => format!("TIMES_{agents}"),
        }
    }
}

/// The shapes of all variables, by their ids.
pub(crate) fn shapes(program: &Program, names: &mut Names) -> Vec<Shape> {
    let mentioned = mentioned(program);
    let one = |(i, var): (usize, &swarmcheck_ir::Var)| {
        let cells = var.cells() as u32;
        let owners = var.owners.as_ref().map(|kinds| agents(program, kinds));
        let kind = match owners.as_deref() {
            _ if cells == 0 => Kind::Absent,
            None if var.dimensions.is_empty() => Kind::Scalar,
            None => Kind::Table { cells },
            Some([]) => Kind::Absent,
            Some([first, rest @ ..]) => {
                let agents = rest.last().unwrap_or(first) - first + 1;
                match var.role {
                    Role::Order => Kind::Times { first: *first, agents },
                    _ => Kind::Cells { first: *first, agents, cells },
                }
            }
        };
        let is_data = matches!(var.role, Role::Data { .. }) || mentioned.contains(&VarId(i as u32));
        let shown = is_data && !matches!(kind, Kind::Absent | Kind::Times { .. });
        let wanted = match var.role {
            Role::Order => format!("time.{}", var.name.strip_prefix("order.").unwrap_or(&var.name)),
            // Processes are called like what they do; a variable says that it is still to be done.
            Role::Pending => format!("to.{}", var.name),
            _ => var.name.clone(),
        };
        Shape { name: names.fresh(&wanted), kind, shown }
    };
    program.vars.iter().enumerate().map(one).collect()
}

/// The variables that properties speak of.
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

/// What a block of statements reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// Variables that are read.
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
