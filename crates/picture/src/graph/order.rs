//! The items of each layer are ordered so that few edges cross.
//!
//! Layer by layer, to the right and back, items are sorted by the barycentre or the median of their neighbours in the layer before;
//! the order with the fewest crossings is kept. In small drawings neighbours are also exchanged as long as that helps (Gansner et
//! al., section 3).

use super::chain::Net;

/// Drawings with more pieces of edges than this are not improved by exchanging neighbours.
const MOST_EXCHANGED: usize = 3_000;

/// Orders the layers.
pub(super) fn reduce_crossings(net: &mut Net) {
    let mut place = vec![0; net.items.len()];
    begin(net);
    number(net, &mut place);
    let pieces = net.pieces();
    let sweeps = (400_000 / pieces.max(1)).clamp(4, 24);
    let mut best = (crossings(net, &place), net.layers.clone());
    for sweep in 0..sweeps {
        if best.0 == 0 {
            break;
        }
        let to_the_right = sweep % 2 == 0;
        let count = net.layers.len();
        for step in 1..count {
            let layer = if to_the_right { step } else { count - 1 - step };
            sort(net, &mut place, layer, to_the_right, sweep);
        }
        if pieces <= MOST_EXCHANGED {
            exchange(net, &mut place);
        }
        let now = crossings(net, &place);
        if now < best.0 {
            best = (now, net.layers.clone());
        }
    }
    net.layers = best.1;
}

/// The first order is that of a depth-first search along the edges, so that what belongs together is together.
fn begin(net: &mut Net) {
    let mut seen = vec![false; net.items.len()];
    let mut layers = vec![vec![]; net.layers.len()];
    let roots: Vec<usize> = net.layers.iter().flatten().copied().collect();
    for root in roots {
        let mut stack = vec![root];
        while let Some(item) = stack.pop() {
            if !std::mem::replace(&mut seen[item], true) {
                layers[net.layer[item]].push(item);
                stack.extend(net.right[item].iter().rev());
            }
        }
    }
    net.layers = layers;
}

fn number(net: &Net, place: &mut [usize]) {
    net.layers.iter().for_each(|layer| layer.iter().enumerate().for_each(|(at, &item)| place[item] = at));
}

/// Sorts a layer by the neighbours on one side. Items without any stay behind the one above them.
fn sort(net: &mut Net, place: &mut [usize], layer: usize, by_left: bool, sweep: usize) {
    let median = sweep % 4 >= 2;
    let mut last = -1.0;
    let mut keyed: Vec<(f64, usize)> = vec![];
    for &item in &net.layers[layer] {
        let beside = if by_left { &net.left[item] } else { &net.right[item] };
        let mut at: Vec<usize> = beside.iter().map(|&other| place[other]).collect();
        let key = if at.is_empty() {
            last
        } else if median {
            at.sort_unstable();
            let half = at.len() / 2;
            if at.len() % 2 == 1 { at[half] as f64 } else { (at[half - 1] + at[half]) as f64 / 2.0 }
        } else {
            at.iter().sum::<usize>() as f64 / at.len() as f64
        };
        last = key;
        keyed.push((key, item));
    }
    // Equal items change places in every other round: they may be in the wrong order.
    if sweep % 8 >= 4 {
        keyed.reverse();
    }
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (at, (_, item)) in keyed.iter().enumerate() {
        place[*item] = at;
    }
    net.layers[layer] = keyed.into_iter().map(|(_, item)| item).collect();
}

/// Exchanges neighbours in a layer as long as that makes fewer crossings.
fn exchange(net: &mut Net, place: &mut [usize]) {
    for _ in 0..8 {
        let mut better = false;
        for layer in 0..net.layers.len() {
            for at in 1..net.layers[layer].len() {
                let (above, below) = (net.layers[layer][at - 1], net.layers[layer][at]);
                let crossed = |a: usize, b: usize| {
                    crossed_pairs(&net.left[a], &net.left[b], place)
                        + crossed_pairs(&net.right[a], &net.right[b], place)
                };
                if crossed(below, above) < crossed(above, below) {
                    net.layers[layer].swap(at - 1, at);
                    place.swap(above, below);
                    better = true;
                }
            }
        }
        if !better {
            break;
        }
    }
}

/// How often edges of `a`, which is above `b`, cross those of `b` on one side.
fn crossed_pairs(a: &[usize], b: &[usize], place: &[usize]) -> usize {
    a.iter().map(|&x| b.iter().filter(|&&y| place[x] > place[y]).count()).sum()
}

/// How many pairs of edges cross (Barth, Mutzel and Jünger, "Simple and efficient bilayer cross counting", 2004).
fn crossings(net: &Net, place: &[usize]) -> usize {
    let mut total = 0;
    for layers in net.layers.windows(2) {
        let mut tree = vec![0usize; layers[1].len() + 1];
        let mut inserted = 0;
        for &item in &layers[0] {
            let mut ends: Vec<usize> = net.right[item].iter().map(|&other| place[other]).collect();
            ends.sort_unstable();
            for &end in &ends {
                // Those inserted before that end at `end` or above do not cross.
                let (mut at, mut not_below) = (end + 1, 0);
                while at > 0 {
                    not_below += tree[at];
                    at &= at - 1;
                }
                total += inserted - not_below;
            }
            for end in ends {
                let mut at = end + 1;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
                inserted += 1;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::chain::Item;

    /// Layers of plain items with the given edges between neighbouring layers.
    fn net(sizes: &[usize], edges: &[(usize, usize)]) -> Net {
        let count: usize = sizes.iter().sum();
        let item = Item { width: 1.0, above: 1.0, below: 1.0, is_node: true };
        let mut net = Net {
            items: vec![item; count],
            layer: sizes.iter().enumerate().flat_map(|(at, size)| vec![at; *size]).collect(),
            layers: vec![],
            chains: edges.iter().map(|&(a, b)| vec![a, b]).collect(),
            labels: vec![],
            left: vec![vec![]; count],
            right: vec![vec![]; count],
        };
        let mut first = 0;
        for size in sizes {
            net.layers.push((first..first + size).collect());
            first += size;
        }
        for &(a, b) in edges {
            net.right[a].push(b);
            net.left[b].push(a);
        }
        net
    }

    #[test]
    fn crossings_are_counted_as_by_looking_at_all_pairs() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut some = 0;
        for _ in 0..200 {
            let (a, b) = (random.usize(1..8), random.usize(1..8));
            let edges: Vec<(usize, usize)> =
                (0..random.usize(0..20)).map(|_| (random.usize(0..a), a + random.usize(0..b))).collect();
            let net = net(&[a, b], &edges);
            let mut place = vec![0; a + b];
            number(&net, &mut place);
            let mut expected = 0;
            for (i, x) in edges.iter().enumerate() {
                for y in &edges[i + 1..] {
                    expected += usize::from((x.0 < y.0 && x.1 > y.1) || (x.0 > y.0 && x.1 < y.1));
                }
            }
            assert_eq!(crossings(&net, &place), expected);
            some += usize::from(expected > 0);
        }
        assert!(some > 100, "{some}");
    }

    /// A tree can be drawn without crossings, whatever the order of its nodes is at first.
    #[test]
    fn trees_have_no_crossings() {
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..50 {
            // Three layers: every item of the second and third layer has one neighbour to the left.
            let (a, b, c) = (2, 6, 14);
            let mut edges: Vec<(usize, usize)> = (0..b).map(|i| (random.usize(0..a), a + i)).collect();
            edges.extend((0..c).map(|i| (a + random.usize(0..b), a + b + i)));
            let mut net = net(&[a, b, c], &edges);
            reduce_crossings(&mut net);
            let mut place = vec![0; a + b + c];
            number(&net, &mut place);
            assert_eq!(crossings(&net, &place), 0);
        }
    }
}
