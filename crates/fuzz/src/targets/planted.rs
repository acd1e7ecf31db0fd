//! Targets with faults that were put there, one of each sort: tests look whether they are found.

use super::PROGRAM;
use crate::Target;
use crate::seeds::From;

const fn planted(name: &'static str, run: fn(&[u8])) -> Target {
    let from = From { endings: &[], crates: &[], corpus: &[] };
    Target {
        name,
        about: "a planted fault",
        run,
        from,
        words: &["fault", "a", "b", "c"],
        usual: 20,
        stack: PROGRAM,
    }
}

/// Every eighth or so of the first inputs has the word.
fn is_hit(input: &[u8]) -> bool {
    input.windows(5).any(|part| part == b"fault")
}

pub const PLANTED: &[Target] = &[
    planted("planted-panic", |input| assert!(!is_hit(input), "the planted panic")),
    planted("planted-caught", |input| {
        if is_hit(input) {
            let _ = std::thread::spawn(|| panic!("in another thread, and caught")).join();
        }
    }),
    planted("planted-hang", |input| while is_hit(input) {}),
    planted("planted-memory", |input| {
        let mut all = vec![];
        while is_hit(input) {
            all.push(vec![1u8; 16 << 20]);
        }
    }),
    planted("planted-crash", |input| {
        if is_hit(input) {
            deeper(1);
        }
    }),
];

/// Overflows the stack.
fn deeper(n: u64) -> u64 {
    let here = std::hint::black_box([n; 64]);
    if n == 0 { 0 } else { here[1] + deeper(here[0] + 1) + std::hint::black_box(here)[2] }
}
