//! Whether a function can be true for some values of some variables.

use std::collections::{BTreeSet, HashMap};
use swarmcheck_aig::{Graph, Lit, Node};

/// More variables than this are not eliminated: each may double the graph.
const MOST: usize = 12;

/// The function with a variable replaced by a constant.
fn cofactor(g: &mut Graph, root: Lit, variable: u32, value: bool) -> Lit {
    let mut done: HashMap<u32, Lit> = HashMap::from([(variable, Lit::constant(value))]);
    let mut stack = vec![root.node()];
    while let Some(&node) = stack.last() {
        if done.contains_key(&node) {
            stack.pop();
            continue;
        }
        let result = match g.node(node) {
            Node::And(a, b) => match (done.get(&a.node()), done.get(&b.node())) {
                (Some(&x), Some(&y)) => g.and(x.negate_if(a.negated()), y.negate_if(b.negated())),
                _ => {
                    stack.extend([a.node(), b.node()]);
                    continue;
                }
            },
            _ => Lit::new(node, false),
        };
        done.insert(node, result);
        stack.pop();
    }
    done.get(&root.node()).map_or(root, |lit| lit.negate_if(root.negated()))
}

/// True where the function is true for some values of these variables. `None` if it depends on too many of them.
pub(crate) fn exists(g: &mut Graph, root: Lit, variables: &[Lit]) -> Option<Lit> {
    let among: BTreeSet<u32> = variables.iter().map(|lit| lit.node()).collect();
    let needed: Vec<u32> = g.support(&[root]).intersection(&among).copied().collect();
    if needed.len() > MOST {
        return None;
    }
    let mut root = root;
    for variable in needed {
        let (zero, one) = (cofactor(g, root, variable, false), cofactor(g, root, variable, true));
        root = g.or(zero, one);
    }
    Some(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_aig::graph::value;

    /// A function of two kept and two eliminated variables, against its truth table.
    #[test]
    fn some_value_makes_it_true() {
        let mut g = Graph::new();
        let v: Vec<Lit> = (0..4).map(|_| g.variable()).collect();
        let (x, y) = (g.xor(v[0], v[2]), g.and(v[1], v[3]));
        let (root, other) = (g.and(x, y), g.or(v[0], v[2]));
        let root = g.and(root, other);
        let result = exists(&mut g, root, &v[2..]).expect("two variables");
        for code in 0..4u32 {
            let mut values = vec![false; g.nodes().len()];
            let mut expected = false;
            for hidden in 0..4u32 {
                (0..4).for_each(|k| values[v[k].node() as usize] = (code | hidden << 2) >> k & 1 != 0);
                g.evaluate(&mut values);
                expected |= value(&values, root);
            }
            assert_eq!(value(&values, result), expected, "{code:02b}");
        }
    }
}
