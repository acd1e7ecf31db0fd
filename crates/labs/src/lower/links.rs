//! Link predicates as conditions of the program, for whoever wants to know who is linked with whom in a state.

use super::expr::Names;
use super::{Lowerer, Options};
use crate::model::Model;
use swarmcheck_ir as ir;
use swarmcheck_source::Span;

/// The link predicate of a stigmergy.
#[derive(Clone, Debug)]
pub struct Link {
    /// The name of the stigmergy.
    pub name: String,
    /// The predicate in the file.
    pub span: Span,
    /// True if the acting agent, as sender, is linked with the bound agent 0, as receiver. The two are different agents.
    pub condition: ir::Expr,
    /// The kinds that take part in the stigmergy.
    pub members: Vec<ir::KindId>,
    /// The names of its tuples, as in traces.
    pub tuples: Vec<String>,
    /// For each tuple, the variable that orders its timestamps.
    pub orders: Vec<ir::VarId>,
}

/// The link predicates of a model, in the order of its stigmergies.
pub fn links(model: &Model, options: Options) -> Vec<Link> {
    // Places in processes do not occur in link predicates, and come after all other variables.
    let low = Lowerer::new(model, options, &[]);
    let names = Names::acting();
    let link = |stigmergy: &crate::model::Stigmergy| {
        let tuples = &stigmergy.tuples;
        Link {
            name: stigmergy.name.clone(),
            span: stigmergy.link.span,
            condition: low.exprs(&names).satisfied(&stigmergy.link),
            members: tuples.first().map(|tuple| low.members(*tuple)).unwrap_or_default(),
            tuples: tuples.iter().map(|tuple| model.tuple_name(*tuple).to_string()).collect(),
            orders: tuples.iter().map(|tuple| low.tuples[tuple.0 as usize].order).collect(),
        }
    };
    model.stigmergies.iter().map(link).collect()
}
