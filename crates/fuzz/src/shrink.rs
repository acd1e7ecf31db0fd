//! A smaller input that panics at the same place: pieces are left out, from halves down to single bytes (delta debugging,
//! Zeller and Hildebrandt 2002, without complements).

use crate::Target;
use crate::child::execute;

/// So many executions are spent.
const MOST: usize = 20_000;

/// The input, smaller where that was possible; none if it does not panic.
pub fn shrink(target: &Target, input: &[u8]) -> Option<(Vec<u8>, String)> {
    let place = |panic: &str| panic.split(' ').next().unwrap_or_default().to_string();
    let first = execute(target, input)?;
    let wanted = place(&first);
    let mut best = input.to_vec();
    let mut size = best.len().div_ceil(2).max(1);
    let mut tried = 0;
    loop {
        let (mut at, mut smaller) = (0, false);
        while at < best.len() && tried < MOST {
            let mut shorter = best.clone();
            shorter.drain(at..(at + size).min(best.len()));
            tried += 1;
            match execute(target, &shorter) {
                Some(panic) if place(&panic) == wanted => (best, smaller) = (shorter, true),
                _ => at += size,
            }
        }
        if tried >= MOST || (size == 1 && !smaller) {
            return Some((best, first));
        }
        size = size.div_ceil(2).max(1);
    }
}
