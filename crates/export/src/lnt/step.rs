//! What agents do, as processes of the parallel program: actions, messages that are sent, messages that are received.

use super::expr::refuse;
use super::module::{Actor, Gate, Parameter, gate, gates_text, guard, process, remark};
use super::network::{Message, Network};
use super::own::{self, Own};
use super::parallel::Writer;
use super::shape::{Storage, Touched};
use super::stmt::Body;
use super::text::{Lines, guarded, line, sequence};
use crate::Refusal;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::{Expr, Function, Stmt, VarId, stmt};
use swarmcheck_logic::expand::agents;

impl Writer<'_> {
    pub(super) fn message_gate(message: &Message<'_>) -> Gate {
        (message.gate.clone(), format!("MESSAGES_{}", message.payload.len()))
    }

    /// The variables that a process is given; timestamps are elsewhere.
    pub(super) fn parameters(&self, touched: &Touched) -> Vec<Parameter> {
        let mut out = self.module.passed(touched);
        out.retain(|p| !matches!(self.module.shape(p.var).kind, Storage::Times { .. }));
        out
    }

    /// What a function touches when its agent runs it, without what receivers do.
    pub(super) fn touched(&self, f: &Function, message: Option<&Message<'_>>) -> Touched {
        let mut touched = Touched::default();
        touched.expr(&f.guard);
        touched.read.extend(f.entry.iter().map(|(var, _)| *var));
        match message {
            None => touched.block(&f.body),
            Some(message) => {
                touched.block(message.before);
                touched.read.extend(message.payload.iter().copied());
            }
        }
        touched
    }

    /// What a receiver touches.
    pub(super) fn received(message: &Message<'_>, network: &Network<'_>) -> Touched {
        let mut all = Touched::default();
        all.block(message.receive);
        // What belongs to the sender comes with the message, unless the receiver's own copy is meant as well.
        let mut own = BTreeSet::new();
        let mut note = |e: &Expr| {
            e.walk(&mut |e| {
                if let Expr::Read(place) = e
                    && place.agent.as_deref() == Some(&Expr::Bound(message.bound))
                {
                    own.insert(place.var);
                }
            });
        };
        stmt::walk(message.receive, &mut |s| s.exprs().into_iter().for_each(&mut note));
        all.read = own;
        let is_time = |v: &VarId| network.tuples.iter().any(|t| t.order == *v);
        all.written.retain(|v| !is_time(v));
        all
    }

    /// Those of them whose changes are shown.
    fn shown(&self, parameters: &[Parameter]) -> Vec<VarId> {
        let shown = |p: &&Parameter| p.changed && self.module.shape(p.var).shown;
        parameters.iter().filter(shown).map(|p| p.var).collect()
    }

    /// Gates of what an agent does by itself.
    pub(super) fn action_gates(&self, f: &Function) -> Vec<Gate> {
        let touched = self.touched(f, None);
        let mut out = vec![];
        if !self.shown(&self.parameters(&touched)).is_empty() {
            out.push(gate("ASSIGN", "ASSIGNMENT"));
        }
        out.extend([gate("STEP", "STEPS"), gate("ACT", "AGENTS")]);
        let stamped = self.network.tuples.iter().filter(|t| touched.written.contains(&t.order));
        out.extend(stamped.map(|t| gate(&t.refresh, "AGENTS")));
        out
    }

    /// What an agent's process can see.
    pub(super) fn own(&self, me: Expr, sender: Option<(Expr, BTreeMap<VarId, String>)>) -> Own<'_> {
        Own {
            shapes: &self.module.shapes,
            tuples: &self.network.tuples,
            me,
            sender,
            refreshed: RefCell::new(vec![]),
        }
    }

    /// An action: what may block comes before the scheduler is asked, so a step that has begun is completed.
    pub(super) fn action(&self, number: usize, f: &Function) -> Result<Lines, Refusal> {
        let nested = |s: &Stmt| {
            !matches!(s, Stmt::Assign(..)) && {
                let mut touched = Touched::default();
                touched.block(std::slice::from_ref(s));
                self.network.tuples.iter().any(|t| touched.written.contains(&t.order))
            }
        };
        if f.body.iter().any(nested) {
            return refuse(format!("`{}` writes a timestamp only sometimes", f.name));
        }
        let parameters = self.parameters(&self.touched(f, None));
        let shown = self.shown(&parameters);
        let cells = self.own(Expr::Me, None);
        let body = self.module.body(&cells, Actor::acting(), &f.locals, &f.body, |body, statements| {
            let (before, after) = self.reports(body, &shown);
            let mut all = before;
            all.extend(statements);
            all.push(line("ACT (me)"));
            for order in cells.refreshed.borrow().iter() {
                let tuple = self.network.tuples.iter().find(|t| t.order == *order);
                all.extend(tuple.map(|t| line(format!("{} ({})", t.refresh, t.position("me")))));
            }
            all.extend(after);
            all.push(line(format!("STEP (me, \"{}\")", f.name)));
            Ok(guarded("only if", &guard(body, f)?, sequence(all)))
        })?;
        let head =
            format!("process {} [{}]", self.module.functions[number], gates_text(&self.action_gates(f)));
        Ok(process(remark(f), head, &self.module.formals(&parameters), body))
    }

    /// Old values to be remembered, and labels where they have changed.
    fn reports(&self, body: &Body<'_>, shown: &[VarId]) -> (Vec<Lines>, Vec<Lines>) {
        let label = |var: VarId, old: &str| {
            own::labels(self.module.shape(var), &self.program().var(var).name, Some(old))
        };
        self.module.remember(body, shown, label)
    }

    /// Gates of an agent that sends.
    pub(super) fn sender_gates(&self, message: &Message<'_>) -> Vec<Gate> {
        let tuple = &self.network.tuples[message.tuple];
        vec![
            gate("STEP", "STEPS"),
            gate("TELL", "AGENTS"),
            Self::message_gate(message),
            gate(&tuple.done, "none"),
        ]
    }

    /// The rule of the system at the agent that sends.
    pub(super) fn sender(
        &self,
        number: usize,
        f: &Function,
        message: &Message<'_>,
    ) -> Result<Lines, Refusal> {
        let parameters = self.parameters(&self.touched(f, Some(message)));
        if !self.shown(&parameters).is_empty() {
            return refuse(format!("`{}` changes data of the agent that sends", f.name));
        }
        let cells = self.own(Expr::Me, None);
        let body = self.module.body(&cells, Actor::acting(), &[], message.before, |body, mut all| {
            if !cells.refreshed.borrow().is_empty() {
                return refuse(format!("`{}` writes a timestamp before it sends", f.name));
            }
            let payload = message.payload.iter().map(|v| format!(", {}", self.module.shape(*v).name));
            all.push(line("TELL (me)"));
            all.push(line(format!("{} (me{})", message.gate, payload.collect::<String>())));
            all.push(line(self.network.tuples[message.tuple].done.clone()));
            all.push(line(format!("STEP (me, \"{}\")", f.name)));
            Ok(guarded("only if", &guard(body, f)?, sequence(all)))
        })?;
        let head = format!(
            "process {} [{}]",
            self.module.functions[number],
            gates_text(&self.sender_gates(message))
        );
        Ok(process(remark(f), head, &self.module.formals(&parameters), body))
    }

    /// Gates of an agent that receives.
    pub(super) fn receiver_gates(&self, message: &Message<'_>) -> Vec<Gate> {
        let tuple = &self.network.tuples[message.tuple];
        let touched = Self::received(message, &self.network);
        let mut out = vec![];
        if !self.shown(&self.parameters(&touched)).is_empty() {
            out.push(gate("ASSIGN", "ASSIGNMENT"));
        }
        out.extend([
            Self::message_gate(message),
            gate(&tuple.done, "none"),
            gate(&tuple.compare, "COMPARISONS"),
            gate(&tuple.adopt, "PAIRS"),
        ]);
        out
    }

    /// The same rule at an agent that receives.
    pub(super) fn receiver(&self, f: &Function, message: &Message<'_>) -> Result<Lines, Refusal> {
        let tuple = &self.network.tuples[message.tuple];
        let parameters = self.parameters(&Self::received(message, &self.network));
        let shown = self.shown(&parameters);
        let mut names = self.module.names.clone();
        let sent: BTreeMap<VarId, String> = (message.payload.iter())
            .map(|v| (*v, names.fresh(&format!("sent_{}", self.module.shape(*v).name))))
            .collect();
        let senders = agents(self.program(), &tuple.kinds);
        let (first, last) = (senders.first().copied().unwrap_or(0), senders.last().copied().unwrap_or(0));
        let mut possible = vec!["(from <> me)".to_string(), format!("(from <= {last})")];
        if first > 0 {
            possible.push(format!("(from >= {first})"));
        }
        for (var, name) in &sent {
            possible.push(self.network.possible(*var, name)?);
        }
        let cells = self.own(Expr::Bound(message.bound), Some((Expr::Me, sent.clone())));
        let actor = Actor {
            me: Some("from".to_string()),
            bound: BTreeMap::from([(message.bound, "me".to_string())]),
        };
        let mut blocks = false;
        stmt::walk(message.receive, &mut |s| {
            blocks |= matches!(s, Stmt::Assume(_) | Stmt::Choose(_) | Stmt::Havoc(..) | Stmt::Pick { .. });
        });
        if blocks {
            return refuse(format!("the receiver of `{}` has a choice", f.name));
        }
        let body = self.module.body(&cells, actor, &[], message.receive, |body, statements| {
            if !cells.refreshed.borrow().is_empty() {
                return refuse(format!("the receiver of `{}` writes a new timestamp", f.name));
            }
            body.declared.borrow_mut().push(("from".to_string(), "nat".to_string()));
            body.declared.borrow_mut().push(("comparison".to_string(), "RELATION".to_string()));
            body.declared.borrow_mut().extend(sent.values().map(|name| (name.clone(), "int".to_string())));
            let (before, after) = self.reports(body, &shown);
            let received = sent.values().map(|name| format!(", ?{name}")).collect::<String>();
            let mut all = vec![
                line(format!("{} (?from{received}) where {}", message.gate, possible.join(" and "))),
                line(format!(
                    "{} ({}, {}, ?comparison)",
                    tuple.compare,
                    tuple.position("me"),
                    tuple.position("from")
                )),
            ];
            all.extend(before.into_iter().chain(statements).chain(after));
            all.push(line(tuple.done.clone()));
            Ok(sequence(all))
        })?;
        let head = format!("process {} [{}]", message.receiver, gates_text(&self.receiver_gates(message)));
        Ok(process(format!("{}, received", remark(f)), head, &self.module.formals(&parameters), body))
    }
}
