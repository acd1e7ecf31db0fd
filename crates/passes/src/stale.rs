//! Elimination of stale messages: a pending message that cannot change any state is dropped at once. The smaller
//! program is stuttering bisimilar to the original (Browne, Clarke and Grumberg, 1988).
//!
//! An agent that has something to tell sets a *pending* flag and does nothing else until the message is out. Many
//! messages are stale: every agent knows the value already. Sending one only clears its flag, but it can be sent at
//! any time, so every such flag doubles the states. This pass clears it in the step that made it useless.
//!
//! # What is recognised
//!
//! For an *order* variable `t` (dense ranks: 0 is the oldest, no rank is skipped) two message functions, with the
//! flags `tell` and `ask`, run by agent `a` and delivered to every other holder `b` that the condition `link` admits:
//!
//! ```text
//! tell:  tell[a] := 0;  if t[b] < t[a] and link  accept(b, a);                                         rank t
//! ask:   ask[a]  := 0;  if t[b] < t[a] and link  accept(b, a) else if t[b] ≥ t[a] and link  tell[b] := 1;  rank t
//! ```
//!
//! (`>` in place of `≥` is fine.) `accept` copies `t` and any other variables from `a` to `b`, sets `tell[b]` to 1 and
//! `ask[b]` to 0. Elsewhere `t[me]` may only become a number greater than all ranks, in a function that needs
//! `tell[me] = ask[me] = 0` and sets `tell[me]`; a flag may only be set, by its owner; and it may only be read by
//! guards that need it to be 0. What does not fit is left alone.
//!
//! # What is cleared
//!
//! 1. A flag of a message that never reaches anybody: there is one holder, or the link is never true.
//! 2. `tell[a]` if `t[a] = 0`: no agent is older.
//! 3. If links are always true: `ask[a]` if `t[a] = 0 or tell[a] = 1`, and `t[b] ≤ t[a] or tell[b] = 1` for all `b`.
//! 4. If nothing but messages changes `t`: `ask[a]` if all ranks are 0. (Not with `≥` and a link that is not always
//!    true: evaluating it could fault.)
//!
//! # Soundness
//!
//! Let `n(s)` be the state `s` after clearing; it changes flags only, and flags do not influence what is cleared
//! except through 3, which looks at `tell[b]` only where `t[b] > 0`, so clearing by 2 does not disturb it.
//!
//! *What is cleared stays useless.* Suppose a flag of `a` is cleared by `n` in `s`, and a step `s → s'` does not write
//! it. Then `n` clears it in `s'`. For the step is not one in which `a` writes `t[a]` (that needs the flag to be 0),
//! and `a` does not accept (that writes the flag). So `t[a]` keeps its place, while the others only move up: to the top,
//! or to the rank of a newer agent. That settles 2. For 3: no agent becomes older than `a`; one that becomes newer
//! than `a` has written or accepted, so its `tell` is set; who is newer and sends its `tell` reaches `a`, since links
//! are true, and `a` accepts; and if `a` itself sends `tell[a]`, no agent is older afterwards. With links that can be
//! false 3 would be wrong: a newer agent may have sent its value while `a` was out of reach, and the question of `a`,
//! however old, makes it send again. For 4: where all ranks are 0 no message changes them.
//!
//! *Steps match.* Let `s → s'` be a step by a function `f`. Either `f` sends a message whose flag `n` clears. Under 1, 2
//! and 4, and under 3 with `t[a] = 0`, it does nothing, or sets `tell[b]` where it is set or where 2 clears it, so
//! `n(s') = n(s)`. Under 3 with `t[a] > 0` we have `tell[a] = 1`, and sending *that* from `n(s)` has the same effect:
//! both leave everybody who was older with the value of `a` and at rank 0 with `a`, where 2 clears all `tell`. Or `f` is
//! something else: its guard holds in `n(s)` too, since guards need flags to be 0; it does the same, since nothing but
//! guards reads flags; and by the paragraph above `n(s') = n(f(n(s)))`. Conversely, from `s` the useless messages can be
//! sent one after the other, which leads to `n(s)` but for the `ask` of those that also have `tell` set and are not at
//! rank 0. These agents can do nothing but send in either state (functions that need `ask[me] = 0` need `tell[me] = 0`
//! too), and all other steps of `n(s)` are possible with these flags set. So a step of the new program is a step of the
//! old one after finitely many useless messages, which change nothing but flags: the two are stuttering bisimilar, with
//! the same faults and the same deadlocks. All modalities but `after` keep their truth; the *number* of steps does not:
//! callers look at [`crate::Needs::steps`].

mod check;
mod shape;

use crate::Reduced;
use shape::Message;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Program, Quantifier, Stmt, VarId, stmt};

/// One rule of clearing.
struct Rule {
    /// The flag that is cleared.
    flag: VarId,
    holders: Vec<KindId>,
    /// The states in which the message is useless.
    when: When,
    /// The variables that `when` reads, and the flag: only a step that writes one of them can make it useless.
    touched: Vec<VarId>,
}

enum When {
    Always,
    /// At rank 0 of this order.
    Oldest(VarId),
    /// Every other agent knows the value or is about to send it.
    Answered {
        order: VarId,
        tell: VarId,
    },
    /// All are at rank 0 of this order.
    Settled(VarId),
}

/// Drops stale messages. Not for callers that count steps.
pub fn stale(program: &Program) -> Reduced {
    let rules = rules(program);
    let mut out = program.clone();
    for f in &mut out.functions {
        let written = written(&f.body);
        let fits = |r: &&Rule| r.touched.iter().any(|v| written.contains(v));
        f.body.extend(rules.iter().filter(fits).map(Rule::stmt));
    }
    // A flag that nothing in the initial block sets is 0: nothing to clear.
    let first = written(&program.init);
    out.init.extend(rules.iter().filter(|r| first.contains(&r.flag)).map(Rule::stmt));
    let notes = rules.iter().map(|r| r.note(program)).collect();
    Reduced { program: out, normalise: rules.iter().map(Rule::stmt).collect(), notes }
}

fn rules(program: &Program) -> Vec<Rule> {
    let messages: Vec<Message<'_>> =
        program.functions.iter().enumerate().filter_map(|(i, f)| shape::message(program, i, f)).collect();
    let mut out = vec![];
    for message in messages.iter().filter(|m| m.reaches_nobody(program)) {
        if check::idle(program, message, &messages) {
            let touched = vec![message.flag];
            let holders = message.holders.clone();
            out.push(Rule { flag: message.flag, holders, when: When::Always, touched });
        }
    }
    for tell in messages.iter().filter(|m| !m.reaches_nobody(program) && m.is_tell()) {
        let Some(order) = tell.order else { continue };
        if !check::tell(program, tell, order, &messages) {
            continue;
        }
        for ask in &messages {
            if let Some(when) = check::ask(program, ask, tell, order, &messages) {
                let touched = vec![ask.flag, tell.flag, order];
                out.push(Rule { flag: ask.flag, holders: tell.holders.clone(), when, touched });
            }
        }
        let touched = vec![tell.flag, order];
        let holders = tell.holders.clone();
        out.push(Rule { flag: tell.flag, holders, when: When::Oldest(order), touched });
    }
    out
}

/// The variables that a block writes.
fn written(block: &[Stmt]) -> Vec<VarId> {
    let mut out = vec![];
    stmt::walk(block, &mut |s| match s {
        Stmt::Assign(place, _) | Stmt::Fill(place, _) => out.push(place.var),
        Stmt::Copy(var, ..) | Stmt::Rank(var) => out.push(*var),
        _ => {}
    });
    out
}

impl Rule {
    /// Clears the flag of all holders for whom it is useless.
    fn stmt(&self) -> Stmt {
        let (holder, other) = (Expr::Bound(0), Expr::Bound(1));
        let read = |var, agent: &Expr| Expr::Read(Place::of(var, agent.clone()));
        let compare = |op, a, b| Expr::binary(op, a, b, Default::default());
        let is = |var, agent: &Expr, value| compare(BinaryOp::Eq, read(var, agent), Expr::Const(value));
        let clear = Stmt::Assign(Place::of(self.flag, holder.clone()), Expr::Const(0));
        let each = |body| Stmt::ForEach(self.holders.clone(), 0, vec![body]);
        let all = |body| Expr::Quantified(Quantifier::Forall, self.holders.clone(), 1, Box::new(body));
        match &self.when {
            When::Always => each(clear),
            When::Oldest(order) => each(Stmt::If(is(*order, &holder, 0), vec![clear], vec![])),
            When::Settled(order) => Stmt::If(all(is(*order, &other, 0)), vec![each(clear)], vec![]),
            When::Answered { order, tell } => {
                let known = compare(BinaryOp::Le, read(*order, &other), read(*order, &holder));
                let told = Expr::or([known, is(*tell, &other, 1)]);
                let useless = Expr::and([
                    // The other conditions are dear, and most agents have nothing to ask.
                    is(self.flag, &holder, 1),
                    Expr::or([is(*order, &holder, 0), is(*tell, &holder, 1)]),
                    all(told),
                ]);
                each(Stmt::If(useless, vec![clear], vec![]))
            }
        }
    }

    fn note(&self, program: &Program) -> String {
        let name = &program.var(self.flag).name;
        match &self.when {
            When::Always => format!("{name} is cleared at once: no agent can be reached"),
            When::Oldest(order) => format!("{name} is cleared where {} is 0", program.var(*order).name),
            When::Settled(order) => {
                format!("{name} is cleared where {} is 0 for all", program.var(*order).name)
            }
            When::Answered { .. } => {
                format!("{name} is cleared where every agent knows the value or is about to send it")
            }
        }
    }
}
