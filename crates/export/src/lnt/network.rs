//! What a program looks like as a network of processes (ATLAS paper, section 5): which functions an agent runs by
//! itself, which ones are messages, what messages carry, and which values can arrive.

use super::expr::refuse;
use super::names::Names;
use super::shape::{Storage, VarLayout};
use crate::Refusal;
use std::collections::BTreeSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Function, KindId, Place, Program, Stmt, VarId, stmt};
use swarmcheck_logic::expand::agents;
use swarmcheck_passes::ranges::{Range, Ranges, ranges};

/// A stigmergic tuple: its timestamps have a process of their own.
pub(crate) struct Tuple {
    /// The variable that holds timestamps in the program.
    pub order: VarId,
    /// The first agent that has one.
    pub first: u32,
    /// How many agents there are from the first to the last that has one.
    pub agents: u32,
    /// The kinds of agents that have one.
    pub kinds: Vec<KindId>,
    pub process: String,
    /// The gate that says: I have written.
    pub refresh: String,
    /// The gate that asks how two timestamps compare.
    pub compare: String,
    /// The gate that says: I take the other one's timestamp.
    pub adopt: String,
    /// The gate where all agents that take part wait until a message has been dealt with.
    pub done: String,
}

impl Tuple {
    /// Where an agent is in the matrix.
    pub(crate) fn position(&self, agent: &str) -> String {
        if self.first == 0 { agent.to_string() } else { format!("{agent} - {}", self.first) }
    }
}

/// A function that sends a message to all agents that take part in a tuple.
pub(crate) struct Message<'a> {
    /// Its tuple, an index.
    pub tuple: usize,
    /// How the receiver is bound.
    pub bound: u32,
    /// What the sender does before it sends.
    pub before: &'a [Stmt],
    /// What a receiver does.
    pub receive: &'a [Stmt],
    /// The sender's variables that receivers look at.
    pub payload: Vec<VarId>,
    pub gate: String,
    /// The process that receives.
    pub receiver: String,
}

pub(crate) struct Network<'a> {
    pub program: &'a Program,
    pub tuples: Vec<Tuple>,
    /// For each function: the message it is, or nothing if an agent runs it by itself.
    pub messages: Vec<Option<Message<'a>>>,
    /// Whose turn it is, under round-robin scheduling.
    pub turn: Option<VarId>,
    ranges: Ranges,
}

impl<'a> Network<'a> {
    /// Takes a program apart.
    pub(crate) fn new(
        program: &'a Program,
        shapes: &[VarLayout],
        names: &mut Names,
    ) -> Result<Network<'a>, Refusal> {
        let turn = program.vars.iter().position(|v| v.role == Role::Turn).map(|i| VarId(i as u32));
        for (i, var) in program.vars.iter().enumerate() {
            if var.owners.is_none() && Some(VarId(i as u32)) != turn {
                return refuse(format!(
                    "`{}` is shared, but LNT processes of agents share no variables",
                    var.name
                ));
            }
        }
        let tuples: Vec<Tuple> = tuples(program, shapes, names);
        let message = |f: &'a Function| message(program, &tuples, f, names);
        let messages = program.functions.iter().map(message).collect::<Result<Vec<_>, _>>()?;
        Ok(Network { program, tuples, messages, turn, ranges: ranges(program) })
    }

    /// A condition that holds for every value that a message can bring for a variable (section 5: `where` clauses by an
    /// interval analysis). Without one CADP would have to try all numbers.
    pub(crate) fn possible(&self, var: VarId, name: &str) -> Result<String, Refusal> {
        let Range { lo, hi, undef, values } = self.ranges.value(var);
        let called = &self.program.var(var).name;
        if undef {
            return refuse(format!("`{called}` may be undefined when it is sent"));
        }
        if let Some(values) = &values
            && values.windows(2).any(|w| w[0] + 1 != w[1])
        {
            let each: Vec<String> = values.iter().map(|v| format!("({name} == {v})")).collect();
            return Ok(format!("({})", each.join(" or ")));
        }
        match (lo, hi) {
            (Some(lo), Some(hi)) if lo == hi => Ok(format!("({name} == {lo})")),
            (Some(lo), Some(hi)) => Ok(format!("({name} >= {lo}) and ({name} <= {hi})")),
            _ => refuse(format!("no bounds are known for `{called}`, so CADP would have to try all numbers")),
        }
    }

    /// The least and the greatest number that any message can bring.
    pub(crate) fn bounds(&self) -> (i64, i64) {
        let sent: BTreeSet<VarId> =
            self.messages.iter().flatten().flat_map(|m| m.payload.iter().copied()).collect();
        let ranges: Vec<Range> = sent.iter().map(|v| self.ranges.value(*v)).collect();
        let lo = ranges.iter().filter_map(|r| r.lo).min().unwrap_or(0);
        let hi = ranges.iter().filter_map(|r| r.hi).max().unwrap_or(0);
        (lo.min(0), hi.max(0))
    }

    /// A function as its agent sees it: whose turn it is and who is next is the scheduler's business.
    pub(crate) fn without_turn(&self, f: &Function) -> Result<Function, Refusal> {
        let mut out = f.clone();
        let Some(turn) = self.turn else {
            return Ok(out);
        };
        let is_turn = |e: &Expr| {
            let read = Expr::Read(Place::global(turn));
            matches!(e, Expr::Binary(BinaryOp::Eq, a, b, _) if **a == read && **b == Expr::Me)
        };
        let parts = match f.guard.clone() {
            Expr::And(parts) => parts,
            other => vec![other],
        };
        let (turns, rest): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(is_turn);
        out.guard = Expr::and(rest);
        out.body.retain(|s| !matches!(s, Stmt::Assign(place, _) if place.var == turn));
        let acts = !f.body.iter().any(|s| matches!(s, Stmt::ForEach(..)));
        let changes = f.body.len() - out.body.len();
        if (turns.len(), changes) != if acts { (1, 1) } else { (0, 0) } {
            return refuse("the scheduler does not support this order of turns");
        }
        Ok(out)
    }
}

fn tuples(program: &Program, shapes: &[VarLayout], names: &mut Names) -> Vec<Tuple> {
    let mut out = vec![];
    for (i, (var, shape)) in program.vars.iter().zip(shapes).enumerate() {
        let Storage::Times { first, agents } = shape.kind else { continue };
        let name = shape.name.strip_prefix("time_").unwrap_or(&shape.name).to_uppercase();
        out.push(Tuple {
            order: VarId(i as u32),
            first,
            agents,
            kinds: var.owners.clone().unwrap_or_default(),
            process: names.fresh(&format!("TIMESTAMPS_{name}")),
            refresh: names.fresh(&format!("REFRESH_{name}")),
            compare: names.fresh(&format!("REQUEST_{name}")),
            adopt: names.fresh(&format!("ADOPT_{name}")),
            done: names.fresh(&format!("DONE_{name}")),
        });
    }
    out
}

/// Takes a function apart that sends a message; one without a loop over agents is none.
fn message<'a>(
    program: &Program,
    tuples: &[Tuple],
    f: &'a Function,
    names: &mut Names,
) -> Result<Option<Message<'a>>, Refusal> {
    let Some(at) = f.body.iter().position(|s| matches!(s, Stmt::ForEach(..))) else {
        return Ok(None);
    };
    let Stmt::ForEach(kinds, bound, receive) = &f.body[at] else {
        return Ok(None);
    };
    if !f.body[at + 1..].iter().all(|s| matches!(s, Stmt::Rank(_))) || !f.locals.is_empty() {
        return refuse(format!(
            "`{}` acts and sends messages in one step, but agents in parallel send each message in a step of its own",
            f.name
        ));
    }
    let mut payload = BTreeSet::new();
    let mut orders = BTreeSet::new();
    stmt::walk(receive, &mut |s| {
        if let Stmt::Copy(var, _, _) = s {
            payload.insert(*var);
        }
        for e in s.exprs() {
            e.walk(&mut |e| {
                if let Expr::Read(place) = e
                    && place.agent.as_deref() == Some(&Expr::Me)
                {
                    payload.insert(place.var);
                }
            });
        }
    });
    payload.retain(|v| {
        let is_order = program.var(*v).role == Role::Order;
        if is_order {
            orders.insert(*v);
        }
        !is_order
    });
    if let Some(array) = payload.iter().find(|v| !program.var(**v).dimensions.is_empty()) {
        return refuse(format!("messages do not carry arrays such as `{}`", program.var(*array).name));
    }
    let tuple = tuples.iter().position(|t| orders.len() == 1 && orders.contains(&t.order));
    let Some(tuple) = tuple.filter(|t| agents(program, kinds) == agents(program, &tuples[*t].kinds)) else {
        return refuse(format!("`{}` is not a message about one tuple", f.name));
    };
    Ok(Some(Message {
        tuple,
        bound: *bound,
        before: &f.body[..at],
        receive,
        payload: payload.into_iter().collect(),
        gate: names.fresh(&format!("{}_MESSAGE", f.name.to_uppercase())),
        receiver: names.fresh(&format!("receive_{}", f.name)),
    }))
}
