//! x
use std::collections::*;
use swarmcheck_reference::*;
use swarmcheck_testkit::*;
fn main() {
    for seed in 3000..3040 {
        let text = generate::system(seed);
        let m = read(&text).unwrap();
        let s = compare(&text, &m, Default::default(), Limits { states: 400, depth: 80 }).unwrap();
        if s.complete && s.performed * 3 < m.actions.len() {
            let i = Interpreter::new(&m, Default::default());
            let mut seen = HashSet::new();
            let mut done = BTreeSet::new();
            let mut tried = BTreeMap::new();
            let Ok(mut todo) = i.initial_states() else { continue };
            while let Some(st) = todo.pop() {
                if !seen.insert(st.clone()) {
                    continue;
                }
                for a in 0..m.agents() {
                    for t in i.moves(&st, a) {
                        tried.entry(t.action.0).or_insert(t.guards.len());
                    }
                }
                for (l, t) in i.successors(&st) {
                    if let Label::Action { action, .. } = l {
                        done.insert(action.0);
                    }
                    if let Ok(t) = t {
                        todo.push(t)
                    }
                }
            }
            println!(
                "=== seed {seed} {} states, {} of {} done\n{text}",
                seen.len(),
                done.len(),
                m.actions.len()
            );
            for (a, g) in tried {
                if !done.contains(&a) {
                    println!("   tried ({g} guards): {}", &text[m.actions[a as usize].span.range()]);
                }
            }
        }
    }
}
