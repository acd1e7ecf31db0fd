//! The static variable order of the diagrams.
//!
//! Diagrams are small if variables that depend on each other are close in the order. The way to such an order is FORCE
//! (Aloul, Markov and Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic", 2003): each group of
//! variables that belong together pulls its members towards its middle, again and again.

/// After so many rounds the order hardly changes any more.
const ROUNDS: usize = 50;

/// An order of the numbers below this, given groups that should stay close together: the numbers, first to last. It is the
/// order of the numbers themselves if that cannot be improved.
pub fn variable_order(numbers: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..numbers).collect();
    let mut best = (spread(&places(&order), groups), order.clone());
    for _ in 0..ROUNDS {
        let place = places(&order);
        let mut pulls = vec![(0.0, 0.0); numbers];
        for group in groups.iter().filter(|group| group.len() > 1) {
            let middle = group.iter().map(|&i| place[i] as f64).sum::<f64>() / group.len() as f64;
            for &i in group {
                pulls[i].0 += middle;
                pulls[i].1 += 1.0;
            }
        }
        let wanted = |i: usize| match pulls[i] {
            (_, 0.0) => place[i] as f64,
            (sum, count) => sum / count,
        };
        order.sort_by(|&a, &b| wanted(a).total_cmp(&wanted(b)).then(place[a].cmp(&place[b])));
        let now = spread(&places(&order), groups);
        if now < best.0 {
            best = (now, order.clone());
        }
    }
    best.1
}

/// The place of each number in an order.
fn places(order: &[usize]) -> Vec<usize> {
    let mut place = vec![0; order.len()];
    for (at, &number) in order.iter().enumerate() {
        place[number] = at;
    }
    place
}

/// How far the members of groups are from each other, in all.
fn spread(place: &[usize], groups: &[Vec<usize>]) -> usize {
    let span = |group: &Vec<usize>| {
        let places = || group.iter().map(|&i| place[i]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    groups.iter().map(span).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs in a row that was shuffled: in the best order the members of each pair are neighbours again.
    #[test]
    fn a_row_is_put_in_order() {
        let names = [3, 7, 1, 5, 0, 6, 2, 4];
        let groups: Vec<Vec<usize>> = names.windows(2).map(|pair| pair.to_vec()).collect();
        let found = variable_order(names.len(), &groups);
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..8).collect::<Vec<_>>(), "a permutation");
        let before = spread(&(0..8).collect::<Vec<_>>(), &groups);
        // By hand: |3-7| + |7-1| + |1-5| + |5-0| + |0-6| + |6-2| + |2-4| = 31. The best is 7; what pulls does not always find it.
        assert_eq!(before, 31);
        assert!(2 * spread(&places(&found), &groups) < before, "{found:?}");
    }

    #[test]
    fn what_is_in_order_stays() {
        let groups: Vec<Vec<usize>> = (0..7).map(|i| vec![i, i + 1]).collect();
        assert_eq!(variable_order(8, &groups), (0..8).collect::<Vec<_>>());
    }
}
