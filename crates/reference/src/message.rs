//! The rules of systems: table 3.8.
//!
//! A message is one step: the sender's half (PROPAGATE, CONFIRM) and the reaction of every other agent at once, to which
//! the rules PUT, QRY1 and QRY2 are applied one agent after the other, in the order of their ids. Link predicates
//! read the state before the delivery (`docs/labs.md` 13), and only if the timestamps make them matter.

use crate::error::ModelError;
use crate::expr::Scope;
use crate::state::{Entry, State};
use crate::{Interpreter, Semantics};
use swarmcheck_labs::model::TupleId;

/// put(I, L, x, v, t) or qry(I, L, x, v, t): what the label of a message carries. I and L are those of the sender in the
/// state before.
struct Message<'a> {
    before: &'a State,
    sender: u32,
    tuple: TupleId,
    entry: &'a Entry,
}

impl Interpreter<'_> {
    /// The premise L(x) = (v, t) of PROPAGATE and CONFIRM (table 3.8): a partial function has a value there. A tuple is one
    /// key, and is sent as soon as one of its elements can be (thesis 3.2.4). By default ⊥ is sent as well
    /// (`docs/labs.md` 15).
    pub(crate) fn can_be_sent(&self, state: &State, sender: u32, tuple: TupleId) -> bool {
        match self.options.semantics {
            Semantics::Sliver => true,
            Semantics::Paper => state.agents[sender as usize].stigmergy[&tuple].has_value(),
        }
    }

    /// PROPAGATE (table 3.8): x ∈ Zp leaves Zp and is sent to all others.
    pub(crate) fn propagate(&self, before: &State, sender: u32, tuple: TupleId) -> Result<State, ModelError> {
        let message = Message::new(before, sender, tuple);
        let mut after = before.clone();
        after.agents[sender as usize].zp.remove(&tuple);
        for receiver in self.receivers(&message) {
            self.put(&message, receiver, &mut after)?;
        }
        Ok(after)
    }

    /// CONFIRM (table 3.8): x ∈ Zc leaves Zc, and all others are queried.
    pub(crate) fn confirm(&self, before: &State, sender: u32, tuple: TupleId) -> Result<State, ModelError> {
        let message = Message::new(before, sender, tuple);
        let mut after = before.clone();
        after.agents[sender as usize].zc.remove(&tuple);
        for receiver in self.receivers(&message) {
            self.qry1(&message, receiver, &mut after)?;
            self.qry2(&message, receiver, &mut after)?;
        }
        Ok(after)
    }

    /// PUT (table 3.8): L ⊕ (x, v, t) ≠ L and the two are neighbours.
    fn put(&self, message: &Message, receiver: u32, after: &mut State) -> Result<(), ModelError> {
        if message.time_of(receiver) < message.entry.time && self.linked(message, receiver)? {
            message.update(receiver, after);
        }
        Ok(())
    }

    /// QRY1 (table 3.8): time(L, x) < t and the two are neighbours.
    fn qry1(&self, message: &Message, receiver: u32, after: &mut State) -> Result<(), ModelError> {
        if message.time_of(receiver) < message.entry.time && self.linked(message, receiver)? {
            message.update(receiver, after);
        }
        Ok(())
    }

    /// QRY2 (table 3.8): time(L, x) ≥ t and the two are neighbours; strictly greater by default (`docs/labs.md` 15).
    fn qry2(&self, message: &Message, receiver: u32, after: &mut State) -> Result<(), ModelError> {
        let time = message.time_of(receiver);
        let concerned = match self.options.semantics {
            Semantics::Sliver => time > message.entry.time,
            Semantics::Paper => time >= message.entry.time,
        };
        if concerned && self.linked(message, receiver)? {
            after.agents[receiver as usize].zp.insert(message.tuple);
        }
        Ok(())
    }

    /// Every agent but the sender that has the tuple.
    fn receivers(&self, message: &Message) -> Vec<u32> {
        let has = |agent: &u32| message.before.agents[*agent as usize].stigmergy.contains_key(&message.tuple);
        (0..self.model.agents()).filter(|agent| *agent != message.sender).filter(has).collect()
    }

    /// I', L', I, L ⊨ φx: whether the two are neighbours.
    fn linked(&self, message: &Message, receiver: u32) -> Result<bool, ModelError> {
        let stigmergy = self.model.stigmergy(self.model.tuple(message.tuple).stigmergy);
        Scope::of_link(self.model, message.before, message.sender, receiver).sat(&stigmergy.link)
    }
}

impl Message<'_> {
    fn new(before: &State, sender: u32, tuple: TupleId) -> Message<'_> {
        Message { before, sender, tuple, entry: &before.agents[sender as usize].stigmergy[&tuple] }
    }

    /// time(L, x) of a receiver; an agent that holds nothing is older than all others (ADD of table 3.1).
    fn time_of(&self, receiver: u32) -> Option<u64> {
        self.before.agents[receiver as usize].time(self.tuple)
    }

    /// ⟨I, L ⊕ (x, v, t), P, Zc \ {x}, Zp ∪ {x}⟩.
    fn update(&self, receiver: u32, after: &mut State) {
        let agent = &mut after.agents[receiver as usize];
        agent.insert(self.tuple, self.entry);
        agent.zc.remove(&self.tuple);
        agent.zp.insert(self.tuple);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::testing::*;
    use crate::{Label, Options};
    use std::collections::BTreeMap;
    use swarmcheck_labs::model::{Cond, Init, Model, VarId};
    use swarmcheck_labs::syntax::ast::BinaryOp::*;

    const T: TupleId = TupleId(0);

    /// Four agents with one tuple (x, y), x = id, y = ⊥; the last of another kind without the stigmergy.
    fn model(link: impl FnOnce(VarId) -> Cond) -> Model {
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        let vars = b.tuple(s, vec![Init::OneOf(vec![id()]), Init::Undef]);
        b.0.stigmergies[0].link = link(vars[0]);
        b.kind(3, vec![], &[s], nil());
        b.kind(1, vec![], &[], nil());
        b.0
    }

    fn show(state: &State) -> String {
        let agent = |at: usize| {
            let agent = &state.agents[at];
            let x = agent.stigmergy[&T].values[&VarId(0)][0].unwrap();
            let zc = if agent.zc.contains(&T) { "c" } else { "" };
            let zp = if agent.zp.contains(&T) { "p" } else { "" };
            format!("{x}@{}{zc}{zp}", state.rank(at, T))
        };
        format!("{} {} {}", agent(0), agent(1), agent(2))
    }

    fn run(model: &Model, semantics: Semantics, set: impl FnOnce(&mut State), message: Label) -> String {
        let i = Interpreter::new(model, Options { semantics, ..Options::default() });
        let mut state = initial(&i);
        set(&mut state);
        show(&step(&i, &state, message).unwrap())
    }

    fn put(agent: u32) -> Label {
        Label::Propagate { agent, tuple: T }
    }

    fn qry(agent: u32) -> Label {
        Label::Confirm { agent, tuple: T }
    }

    fn zp(agent: usize) -> impl FnOnce(&mut State) {
        move |state| {
            state.agents[agent].zp.insert(T);
        }
    }

    fn zc(agent: usize) -> impl FnOnce(&mut State) {
        move |state| {
            state.agents[agent].zc.insert(T);
        }
    }

    #[test]
    fn put_reaches_all_older_neighbours_in_one_step() {
        let m = model(|_| bool_(true));
        assert_eq!(run(&m, Semantics::Sliver, zp(2), put(2)), "2@0p 2@0p 2@0");
        assert_eq!(run(&m, Semantics::Sliver, zp(1), put(1)), "1@0p 1@0 2@1");
        assert_eq!(run(&m, Semantics::Sliver, zp(0), put(0)), "0@0 1@1 2@2");
    }

    #[test]
    fn put_settles_what_the_receiver_wanted_to_confirm() {
        let m = model(|_| bool_(true));
        let both = |state: &mut State| {
            state.agents[2].zp.insert(T);
            state.agents[2].zc.insert(T);
            state.agents[0].zc.insert(T);
        };
        assert_eq!(run(&m, Semantics::Sliver, both, put(2)), "2@0p 2@0p 2@0c");
    }

    #[test]
    fn undefined_values_are_sent_like_others() {
        let m = model(|_| bool_(true));
        let i = interpreter(&m);
        let mut state = initial(&i);
        state.agents[0].stigmergy.get_mut(&T).unwrap().values.insert(VarId(1), vec![Some(9)]);
        zp(2)(&mut state);
        let after = step(&i, &state, put(2)).unwrap();
        let sent = BTreeMap::from([(VarId(0), vec![Some(2)]), (VarId(1), vec![None])]);
        assert_eq!(after.agents[0].stigmergy[&T].values, sent);
    }

    /// The messages that can be sent when agent 0 has to confirm and agent 1 to confirm and propagate a tuple.
    fn sent(first: Init, semantics: Semantics, set: impl FnOnce(&mut State)) -> Vec<Label> {
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        b.tuple(s, vec![first]);
        b.kind(2, vec![], &[s], nil());
        let i = Interpreter::new(&b.0, Options { semantics, ..Options::default() });
        let mut state = initial(&i);
        zc(0)(&mut state);
        zc(1)(&mut state);
        zp(1)(&mut state);
        set(&mut state);
        i.successors(&state).into_iter().map(|(label, _)| label).collect()
    }

    #[test]
    fn by_the_paper_what_is_undefined_is_not_sent() {
        let all = vec![qry(0), put(1), qry(1)];
        assert_eq!(sent(Init::Undef, Semantics::Sliver, |_| ()), all);
        assert_eq!(sent(Init::Undef, Semantics::Paper, |_| ()), []);
        let told = |state: &mut State| {
            let values = BTreeMap::from([(VarId(0), vec![Some(7)])]);
            state.agents[1].stigmergy.insert(T, Entry { values, time: Some(2) });
        };
        assert_eq!(sent(Init::Undef, Semantics::Paper, told), [put(1), qry(1)]);
        assert_eq!(sent(one(0), Semantics::Paper, |_| ()), all);
    }

    #[test]
    fn by_the_paper_any_value_is_newer_than_none() {
        // 6 / (1 - id): agent 1 starts with ⊥, and would be the newest by its number.
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        b.tuple(s, vec![Init::OneOf(vec![op(Div, num(6), op(Sub, num(1), id()))])]);
        b.kind(2, vec![], &[s], nil());
        let told = |semantics| {
            let i = Interpreter::new(&b.0, Options { semantics, ..Options::default() });
            let mut state = initial(&i);
            zp(0)(&mut state);
            zc(1)(&mut state);
            let after = step(&i, &state, put(0)).unwrap();
            (i.observe(&after).values, after.agents[1].zc.is_empty())
        };
        assert_eq!(told(Semantics::Sliver), (vec![Some(6), None], false));
        assert_eq!(told(Semantics::Paper), (vec![Some(6), Some(6)], true));
    }

    #[test]
    fn a_tuple_with_one_element_is_sent() {
        let m = model(|_| bool_(true));
        assert_eq!(run(&m, Semantics::Paper, zc(1), qry(1)), "1@0p 1@0 2@1p", "(1, ⊥) is a value");
    }

    #[test]
    fn qry_updates_the_older_and_wakes_the_newer() {
        let m = model(|_| bool_(true));
        assert_eq!(run(&m, Semantics::Sliver, zc(1), qry(1)), "1@0p 1@0 2@1p");
        let waiting = |state: &mut State| {
            zc(1)(state);
            zc(0)(state);
            zc(2)(state);
        };
        assert_eq!(run(&m, Semantics::Sliver, waiting, qry(1)), "1@0p 1@0 2@1cp", "QRY2 leaves Zc alone");
    }

    #[test]
    fn equal_timestamps_matter_to_the_paper_only() {
        let m = model(|_| bool_(true));
        let equal = |state: &mut State| {
            zc(0)(state);
            let entry = state.agents[0].stigmergy[&T].clone();
            state.agents[1].stigmergy.insert(T, entry);
        };
        assert_eq!(run(&m, Semantics::Sliver, equal, qry(0)), "0@0 0@0 2@1p");
        assert_eq!(run(&m, Semantics::Paper, equal, qry(0)), "0@0 0@0p 2@1p");
    }

    #[test]
    fn links_read_the_state_before_the_delivery() {
        // Neighbours are those whose values differ by one: agent 0 is not one of agent 2, even after agent 1 is updated.
        let m = model(|x| cmp(Eq, op(Sub, sender(x), receiver(x)), num(1)));
        assert_eq!(run(&m, Semantics::Sliver, zp(2), put(2)), "0@0 2@1p 2@1");
        // Sender and receiver are not confused: 1 - 2 is not 1.
        assert_eq!(run(&m, Semantics::Sliver, zc(1), qry(1)), "1@0p 1@0 2@1");
    }

    #[test]
    fn an_undefined_link_is_no_link() {
        let m = model(|_| cmp(Eq, sender(VarId(1)), receiver(VarId(1))));
        assert_eq!(run(&m, Semantics::Sliver, zp(2), put(2)), "0@0 1@1 2@2");
    }

    #[test]
    fn link_errors_arise_only_where_timestamps_make_the_link_matter() {
        // x of (x of 2 + 2): agent 2 as seen from agent 0, agent 3 from agent 1, agent 4 from agent 2.
        let link = |x| {
            let whose = op(Add, receiver(x), num(2));
            cmp(Ge, at(6, of(x, whose)), num(0))
        };
        let m = model(link);
        let i = interpreter(&m);
        let mut state = initial(&i);
        (0..3).for_each(|agent| zp(agent)(&mut state));
        (0..3).for_each(|agent| zc(agent)(&mut state));
        assert!(step(&i, &state, put(0)).is_ok(), "nobody is older");
        assert!(step(&i, &state, put(1)).is_ok(), "agent 0 is a neighbour");
        let kind = |label| step(&i, &state, label).map(drop).map_err(|e| (e.kind, e.span.start));
        assert_eq!(kind(put(2)), Err((ErrorKind::NoVariable, 6)), "agent 1 comes first");
        assert_eq!(kind(qry(0)), Err((ErrorKind::NoVariable, 6)));
        assert_eq!(kind(qry(1)), Err((ErrorKind::NoAgent, 6)));
    }

    #[test]
    fn messages_come_after_actions_propagations_first() {
        let m = model(|_| bool_(true));
        let i = interpreter(&m);
        let mut state = initial(&i);
        zc(0)(&mut state);
        zp(0)(&mut state);
        zp(2)(&mut state);
        let labels: Vec<Label> = i.successors(&state).into_iter().map(|(label, _)| label).collect();
        assert_eq!(labels, [put(0), qry(0), put(2)]);
    }
}
