//! Random models, each small.

use crate::compare_all;
use crate::models::read;
use swarmcheck_labs::lower::{Choice, Options};

struct Dice(fastrand::Rng);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const GUARDS: [&str; 9] = [
    "x = 0",
    "x > 0",
    "y != x",
    "g = 0",
    "g = 1 and x = 0",
    "a[x] = 0",
    "y + x < 2",
    "a[g] = g or y = 1",
    "a[g + g] = 0 and x = 1",
];
const ACTIONS: [&str; 15] = [
    "x <- 1",
    "x <- 0",
    "y <- x",
    "x <- y",
    "y <- 1 - y",
    "x, y <- y, x",
    "x <- a[y]",
    "y <- [0..2]",
    "y <- [0..x + 1]",
    "x <- g",
    "g <-- 1",
    "g <-- x",
    "a[x] <-- y",
    "a[x + y] <-- 1",
    "Skip",
];

fn process(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 || dice.below(4) == 0 {
        return dice.one_of(&ACTIONS).to_string();
    }
    match dice.below(7) {
        0 => format!("({} ++ {})", process(dice, depth - 1), process(dice, depth - 1)),
        1 => format!("({} || {})", process(dice, depth - 1), process(dice, depth - 1)),
        2 => format!("({} -> {})", dice.one_of(&GUARDS), process(dice, depth - 1)),
        _ => format!("({}; {})", process(dice, depth - 1), process(dice, depth - 1)),
    }
}

fn model(dice: &mut Dice) -> String {
    let behavior = |dice: &mut Dice| {
        let body = process(dice, 3);
        if dice.below(2) == 0 { format!("{body}; Behavior") } else { body }
    };
    format!(
        "system {{ environment = g: 0; a[2]: 0 spawn = A: {}, B: 1 }}
         agent A {{ interface = x: 0; y: 0..2 Behavior = {} }}
         agent B {{ interface = x: 0; y: 0 Behavior = {} }}
         check {{
           Global = always g = 0
           Everybody = always forall A p, x of p = 0 or y of p = 0
           Several = always (count A p, x of p = 1) < 2
           Pairs = always forall A p, forall B q, x of p != x of q or y of p = y of q
           Indexed = always forall A p, a[x of p] = 0
         }}",
        1 + dice.below(2),
        behavior(dice),
        behavior(dice)
    )
}

#[test]
fn nothing_is_lost() {
    let mut smaller = 0;
    for seed in 0..150 {
        let text = model(&mut Dice(fastrand::Rng::with_seed(seed)));
        let choice = if seed % 4 == 3 { Choice::Early } else { Choice::Late };
        let program = read(&text, "", Options { choice, ..Options::default() });
        for (_, sizes) in compare_all(&text, &program, 3000) {
            smaller += usize::from(sizes.is_some_and(|s| s.small < s.full));
        }
    }
    assert!(smaller > 50, "only {smaller} were made smaller");
}
