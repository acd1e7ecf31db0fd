//! A naive checker of specifications: all states, then fixpoints. Formulas of linear time are read on the product of the
//! states with what is still to be shown.

use crate::grammar::Expr;
use crate::meaning::{Machine, State, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Larger modules are not decided.
const MOST: usize = 3000;
/// Nor are formulas with more obligations.
const MOST_NODES: usize = 60_000;

struct Graph<'a> {
    machine: &'a Machine<'a>,
    states: Vec<State>,
    next: Vec<Vec<usize>>,
}

/// Whether all specifications hold; `None` if there is too much to look at.
pub fn decide(machine: &Machine<'_>) -> Option<bool> {
    let graph = Graph::new(machine)?;
    let mut all = true;
    for (kind, name, e) in &machine.module.specifications {
        let holds = match kind.as_str() {
            "INVARSPEC" => graph.states.iter().all(|s| machine.holds(e, s)),
            "CTLSPEC" => graph.satisfying(e)[0],
            "LTLSPEC" => graph.linear(e)?,
            other => panic!("{other} {name}"),
        };
        all &= holds;
    }
    Some(all)
}

/// What NuSMV would print: first the other specifications, then the invariants, each with a counterexample if it is an
/// invariant that does not hold.
pub fn answer(machine: &Machine<'_>) -> Option<String> {
    let graph = Graph::new(machine)?;
    let mut out = "*** This is not NuSMV\n\n".to_string();
    let mut traces = 0;
    for invariants in [false, true] {
        for (kind, name, e) in &machine.module.specifications {
            match (kind == "INVARSPEC", invariants) {
                (true, true) => {}
                (false, false) => {
                    let holds = if kind == "CTLSPEC" { graph.satisfying(e)[0] } else { graph.linear(e)? };
                    out += &format!("-- specification {name} is {holds}\n");
                    continue;
                }
                _ => continue,
            }
            let bad = (0..graph.states.len()).find(|at| !machine.holds(e, &graph.states[*at]));
            out += &format!("-- invariant {name} is {}\n", bad.is_none());
            if let Some(bad) = bad {
                traces += 1;
                out += "-- as demonstrated by the following execution sequence\n";
                out += "Trace Description: AG alpha Counterexample \nTrace Type: Counterexample \n";
                out += &graph.trace(bad, traces);
            }
        }
    }
    Some(out)
}

impl<'a> Graph<'a> {
    /// A shortest way to a state, each state with what has changed.
    fn trace(&self, goal: usize, number: usize) -> String {
        let mut before = vec![None; self.states.len()];
        let mut queue = std::collections::VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            for next in &self.next[at] {
                if *next != 0 && before[*next].is_none() {
                    before[*next] = Some(at);
                    queue.push_back(*next);
                }
            }
        }
        let mut way = vec![goal];
        while let Some(at) = before[way[way.len() - 1]] {
            way.push(at);
        }
        way.reverse();
        let mut out = String::new();
        for (place, at) in way.iter().enumerate() {
            if place > 0 {
                out += &format!("  -> Input: {number}.{} <-\n    step = something\n", place + 1);
            }
            out += &format!("  -> State: {number}.{} <-\n", place + 1);
            for (slot, (name, _)) in self.machine.module.variables.iter().enumerate() {
                let value = &self.states[*at][slot];
                if place == 0 || self.states[way[place - 1]][slot] != *value {
                    let text = match value {
                        Value::Bool(b) => b.to_string().to_uppercase(),
                        Value::Int(n) => n.to_string(),
                        Value::Symbol(s) => s.clone(),
                    };
                    out += &format!("    {name} = {text}\n");
                }
            }
        }
        out
    }

    fn new(machine: &'a Machine<'a>) -> Option<Graph<'a>> {
        let mut graph = Graph { machine, states: vec![machine.initial()], next: vec![] };
        let mut number: BTreeMap<State, usize> = BTreeMap::from([(machine.initial(), 0)]);
        let mut at = 0;
        while at < graph.states.len() {
            let mut after = BTreeSet::new();
            for (_, state) in machine.successors(&graph.states[at], &|step| step.starts_with("begin")) {
                let fresh = graph.states.len();
                let place = *number.entry(state.clone()).or_insert(fresh);
                if place == fresh {
                    graph.states.push(state);
                }
                after.insert(place);
            }
            assert!(!after.is_empty(), "a state has no successor");
            graph.next.push(after.into_iter().collect());
            at += 1;
            if graph.states.len() > MOST {
                return None;
            }
        }
        Some(graph)
    }

    /// The states that satisfy a formula of branching time.
    fn satisfying(&self, e: &Expr) -> Vec<bool> {
        let both = |a: Vec<bool>, b: Vec<bool>, f: fn(bool, bool) -> bool| -> Vec<bool> {
            a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
        };
        match e {
            Expr::Unary(sign, a) if sign == "!" => self.satisfying(a).into_iter().map(|b| !b).collect(),
            Expr::Unary(sign, a) if sign == "EF" => {
                self.until(vec![true; self.states.len()], self.satisfying(a))
            }
            Expr::Unary(sign, a) if sign == "AG" => {
                let bad = self.satisfying(a).into_iter().map(|b| !b).collect();
                self.until(vec![true; self.states.len()], bad).into_iter().map(|b| !b).collect()
            }
            Expr::Binary(sign, a, b) if sign == "EU" => self.until(self.satisfying(a), self.satisfying(b)),
            Expr::Binary(sign, a, b) if sign == "&" => {
                both(self.satisfying(a), self.satisfying(b), |a, b| a && b)
            }
            Expr::Binary(sign, a, b) if sign == "|" => {
                both(self.satisfying(a), self.satisfying(b), |a, b| a || b)
            }
            Expr::Binary(sign, a, b) if sign == "->" => {
                both(self.satisfying(a), self.satisfying(b), |a, b| !a || b)
            }
            e => self.states.iter().map(|s| self.machine.holds(e, s)).collect(),
        }
    }

    fn until(&self, along: Vec<bool>, mut goal: Vec<bool>) -> Vec<bool> {
        loop {
            let grows = |at: &usize| !goal[*at] && along[*at] && self.next[*at].iter().any(|n| goal[*n]);
            let more: Vec<usize> = (0..goal.len()).filter(grows).collect();
            if more.is_empty() {
                return goal;
            }
            more.into_iter().for_each(|at| goal[at] = true);
        }
    }

    /// Whether all executions satisfy a formula: none satisfies its negation. A node is a state with the formulas that
    /// must hold from there on; an execution is accepted if every until that is owed is paid again and again, so a
    /// component of nodes counts if, for each until, one of its nodes does not owe it or pays it.
    fn linear(&self, formula: &Expr) -> Option<bool> {
        let negated = normal(formula, true);
        let mut untils = vec![];
        collect(&negated, &mut untils);
        let mut nodes: Vec<(usize, BTreeSet<String>, Vec<bool>)> = vec![];
        let mut number: BTreeMap<(usize, BTreeSet<String>, Vec<bool>), usize> = BTreeMap::new();
        let mut texts: BTreeMap<String, Form> = BTreeMap::new();
        let mut next: Vec<Vec<usize>> = vec![];
        let mut add =
            |state: usize, owed: Vec<Form>, nodes: &mut Vec<_>, texts: &mut BTreeMap<String, Form>| {
                let mut out = vec![];
                for (later, paid) in self.expanded(state, owed, &untils) {
                    let keys: BTreeSet<String> = later.iter().map(|f| format!("{f:?}")).collect();
                    later.iter().for_each(|f| {
                        texts.insert(format!("{f:?}"), f.clone());
                    });
                    let node = (state, keys, paid);
                    let fresh = nodes.len();
                    let place = *number.entry(node.clone()).or_insert(fresh);
                    if place == fresh {
                        nodes.push(node);
                    }
                    out.push(place);
                }
                out
            };
        add(0, vec![negated.clone()], &mut nodes, &mut texts);
        let mut done = 0;
        while done < nodes.len() {
            let (state, keys, _) = nodes[done].clone();
            let owed: Vec<Form> = keys.iter().map(|k| texts[k].clone()).collect();
            let mut after = vec![];
            for follower in &self.next[state] {
                after.extend(add(*follower, owed.clone(), &mut nodes, &mut texts));
            }
            next.push(after);
            done += 1;
            if nodes.len() > MOST_NODES {
                return None;
            }
        }
        Some(!accepted(&nodes, &next, untils.len()))
    }

    /// The ways to satisfy formulas in a state: what must hold in the next one, and which untils are not owed.
    fn expanded(&self, state: usize, owed: Vec<Form>, untils: &[Form]) -> Vec<(Vec<Form>, Vec<bool>)> {
        let mut out = vec![];
        let mut work = vec![(owed, Vec::<Form>::new(), Vec::<Form>::new())];
        while let Some((mut now, later, waits)) = work.pop() {
            let Some(form) = now.pop() else {
                let paid = untils.iter().map(|u| !waits.contains(u)).collect();
                out.push((later, paid));
                continue;
            };
            let with = |list: &[Form], more: &[&Form]| {
                let mut list = list.to_vec();
                list.extend(more.iter().map(|f| (*f).clone()));
                list
            };
            match &form {
                Form::Atom(e, positive) => {
                    if self.machine.holds(e, &self.states[state]) == *positive {
                        work.push((now, later, waits));
                    }
                }
                Form::And(a, b) => work.push((with(&now, &[a, b]), later, waits)),
                Form::Or(a, b) => {
                    work.push((with(&now, &[a]), later.clone(), waits.clone()));
                    work.push((with(&now, &[b]), later, waits));
                }
                Form::Next(a) => work.push((now, with(&later, &[a]), waits)),
                Form::Until(a, b) => {
                    work.push((with(&now, &[b]), later.clone(), waits.clone()));
                    work.push((with(&now, &[a]), with(&later, &[&form]), with(&waits, &[&form])));
                }
                Form::Release(a, b) => {
                    work.push((with(&now, &[a, b]), later.clone(), waits.clone()));
                    work.push((with(&now, &[b]), with(&later, &[&form]), waits));
                }
            }
        }
        out
    }
}

/// A formula with negations at its atoms only.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    Atom(Expr, bool),
    And(Box<Form>, Box<Form>),
    Or(Box<Form>, Box<Form>),
    Next(Box<Form>),
    Until(Box<Form>, Box<Form>),
    Release(Box<Form>, Box<Form>),
}

fn is_temporal(e: &Expr) -> bool {
    match e {
        Expr::Unary(sign, a) => ["X", "F", "G"].contains(&sign.as_str()) || is_temporal(a),
        Expr::Binary(sign, a, b) => ["U", "V"].contains(&sign.as_str()) || is_temporal(a) || is_temporal(b),
        _ => false,
    }
}

fn normal(e: &Expr, negated: bool) -> Form {
    let one = |e: &Expr| Box::new(normal(e, negated));
    let truth = |value: bool| Box::new(Form::Atom(Expr::Bool(value), true));
    match e {
        e if !is_temporal(e) => Form::Atom(e.clone(), !negated),
        Expr::Unary(sign, a) => match (sign.as_str(), negated) {
            ("!", _) => normal(a, !negated),
            ("X", _) => Form::Next(one(a)),
            ("F", false) | ("G", true) => Form::Until(truth(true), one(a)),
            ("G", false) | ("F", true) => Form::Release(truth(false), one(a)),
            other => panic!("{other:?}"),
        },
        Expr::Binary(sign, a, b) => match (sign.as_str(), negated) {
            ("&", false) | ("|", true) => Form::And(one(a), one(b)),
            ("|", false) | ("&", true) => Form::Or(one(a), one(b)),
            ("->", false) => Form::Or(Box::new(normal(a, true)), one(b)),
            ("->", true) => Form::And(Box::new(normal(a, false)), one(b)),
            ("U", false) | ("V", true) => Form::Until(one(a), one(b)),
            ("V", false) | ("U", true) => Form::Release(one(a), one(b)),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn collect(form: &Form, untils: &mut Vec<Form>) {
    match form {
        Form::Atom(..) => {}
        Form::Next(a) => collect(a, untils),
        Form::And(a, b) | Form::Or(a, b) | Form::Until(a, b) | Form::Release(a, b) => {
            collect(a, untils);
            collect(b, untils);
        }
    }
    if matches!(form, Form::Until(..)) && !untils.contains(form) {
        untils.push(form.clone());
    }
}

/// Whether some cycle has, for each until, a node that does not owe it. Nodes without a way to go on are taken away, then
/// every node is asked whether it comes back to itself along nodes that pay all in turn.
fn accepted(nodes: &[(usize, BTreeSet<String>, Vec<bool>)], next: &[Vec<usize>], untils: usize) -> bool {
    // Going round through the untils in turn: a node with a counter is reached again with the counter at its beginning.
    let rounds = untils.max(1);
    let step = |at: usize, counter: usize| {
        let paid = untils == 0 || nodes[at].2[counter];
        if paid { (counter + 1) % rounds } else { counter }
    };
    let good = |at: usize, counter: usize| counter == 0 && (untils == 0 || nodes[at].2[0]);
    let index = |at: usize, counter: usize| at * rounds + counter;
    let total = nodes.len() * rounds;
    // Fixpoint: the accepting places from which another accepting place can be reached, again and again.
    let mut alive: Vec<bool> = (0..total).map(|i| good(i / rounds, i % rounds)).collect();
    loop {
        let mut reach = vec![false; total];
        loop {
            let mut changed = false;
            for (at, after) in next.iter().enumerate() {
                for counter in 0..rounds {
                    let here = index(at, counter);
                    let to = step(at, counter);
                    let hit = after.iter().any(|n| alive[index(*n, to)] || reach[index(*n, to)]);
                    if hit && !reach[here] {
                        reach[here] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let after: Vec<bool> = alive.iter().zip(&reach).map(|(a, r)| *a && *r).collect();
        if after == alive {
            break;
        }
        alive = after;
    }
    // All nodes were reached from the initial ones.
    alive.into_iter().any(|a| a)
}
