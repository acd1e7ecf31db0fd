//! Random systems with wide numbers.

use super::{Guarded, Num, Test, Wide};
use swarmcheck_simulate::Rng;

/// Numbers at which something happens: the ends of 64 bits, their halves, and the roots of both.
const CORNERS: [i64; 16] = [
    i64::MAX,
    i64::MAX,
    i64::MAX - 1,
    -i64::MAX,
    -i64::MAX,
    1 - i64::MAX,
    1 << 62,
    -(1 << 62),
    (1 << 62) - 1,
    3_037_000_499,
    3_037_000_500,
    -3_037_000_500,
    1 << 32,
    2,
    1,
    -1,
];

struct Source {
    rng: Rng,
    attributes: usize,
}

impl Wide {
    /// The system with this number.
    pub fn new(seed: u64) -> Wide {
        let mut rng = Rng::for_run(0x128, seed);
        let attributes = 1 + rng.below(2) as usize;
        let agents = 1 + usize::from(rng.below(3) == 0);
        let mut source = Source { rng, attributes };
        let actions = (0..1 + source.below(3)).map(|_| source.action()).collect();
        let claims = (0..3).map(|_| source.test(1)).collect();
        Wide {
            agents,
            attributes: (0..attributes).map(|_| source.corner()).collect(),
            environment: source.corner(),
            actions,
            claims,
        }
    }
}

impl Source {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }

    fn corner(&mut self) -> i64 {
        match self.below(4) {
            0 => self.below(4) as i64 - 1,
            _ => CORNERS[self.below(CORNERS.len())],
        }
    }

    fn num(&mut self, depth: usize) -> Num {
        let shape = if depth == 0 { self.below(5) } else { self.below(14) };
        let inner = |source: &mut Source| Box::new(source.num(depth - 1));
        match shape {
            0 => Num::Const(self.corner()),
            1 | 2 => Num::Attribute(self.below(self.attributes)),
            3 => Num::Environment,
            4 => Num::Id,
            5 => Num::Neg(inner(self)),
            6 => Num::Abs(inner(self)),
            7..12 => {
                let op = ["+", "-", "*", "min", "max", "+", "-"][self.below(7)];
                let (a, b) = (inner(self), inner(self));
                Num::Binary(op, a, b)
            }
            _ => {
                let op = ["/", "%"][self.below(2)];
                let by = [-1, 2, 3, -2, i64::MAX, -i64::MAX, 4][self.below(7)];
                Num::Divided(op, inner(self), by)
            }
        }
    }

    fn test(&mut self, depth: usize) -> Test {
        let op = ["=", "!=", "<", "<=", ">", ">="][self.below(6)];
        Test(self.num(depth), op, self.num(depth))
    }

    fn action(&mut self) -> Guarded {
        let test = (self.below(3) > 0).then(|| self.test(1));
        let target = (self.below(3) > 0).then(|| self.below(self.attributes));
        // What is divided stays in few states.
        let value = match self.below(3) {
            0 => self.num(1),
            _ => self.num(2),
        };
        Guarded { test, target, value }
    }
}
