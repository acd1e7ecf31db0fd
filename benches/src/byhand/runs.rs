//! Random runs of `examples/flock/flock.labs`, by hand: the same runs as swarmcheck's, draw by draw, so that the last states can be compared.
//!
//! A bird is a struct, positions are in a table of lists by squares of the grid, and timestamps are numbers that grow. Nothing is
//! checked and no property is watched.

/// A bird.
#[derive(Clone, Copy, Default)]
pub struct Bird {
    pub x: i32,
    pub y: i32,
    pub heading: (i32, i32),
    pub stamp: u32,
    pub confirms: bool,
    pub propagates: bool,
}

/// A run.
pub struct Flock {
    birds: Vec<Bird>,
    grid: i32,
    delta: i32,
    random: u64,
    /// Squares of `delta` by `delta`, and how many there are in a row.
    squares: Vec<Vec<u32>>,
    row: i32,
    /// Whether to look for receivers among all birds.
    everybody: bool,
    near: Vec<u32>,
}

impl Flock {
    /// Draws an initial state with a generator that starts from this state.
    pub fn new(birds: usize, grid: i32, delta: i32, random: u64, everybody: bool) -> Flock {
        let row = grid / delta + 1;
        let squares = vec![vec![]; (row * row) as usize];
        let mut flock = Flock { birds: vec![], grid, delta, random, squares, row, everybody, near: vec![] };
        for stamp in 0..birds as u32 {
            let (x, y) = (flock.below(grid as u64) as i32, flock.below(grid as u64) as i32);
            let mut side = || 2 * flock.below(2) as i32 - 1;
            let heading = (side(), side());
            flock.birds.push(Bird { x, y, heading, stamp, ..Bird::default() });
            let square = flock.square(x, y);
            flock.squares[square].push(stamp);
        }
        flock
    }

    /// SplitMix64, and a number below `n` without bias.
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        loop {
            self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.random;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            let product = u128::from(z ^ (z >> 31)) * u128::from(n);
            let low = product as u64;
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    #[inline]
    fn square(&self, x: i32, y: i32) -> usize {
        (y / self.delta * self.row + x / self.delta) as usize
    }

    /// The birds.
    pub fn birds(&self) -> &[Bird] {
        &self.birds
    }

    /// One step: a function and a bird are drawn until they fit. After many draws those that fit are listed.
    #[inline]
    pub fn step(&mut self) {
        let n = self.birds.len();
        for _ in 0..(6 * n + 8).min(64) {
            let drawn = self.below(3 * n as u64) as usize;
            if self.fits(drawn) {
                return self.take(drawn);
            }
        }
        let open: Vec<usize> = (0..3 * n).filter(|number| self.fits(*number)).collect();
        let at = self.below(open.len() as u64) as usize;
        self.take(open[at]);
    }

    #[inline]
    fn fits(&self, number: usize) -> bool {
        let n = self.birds.len();
        let bird = &self.birds[number % n];
        match number / n {
            0 => !bird.confirms && !bird.propagates,
            1 => bird.propagates,
            _ => bird.confirms,
        }
    }

    #[inline]
    fn take(&mut self, number: usize) {
        let n = self.birds.len();
        match number / n {
            0 => self.fly(number),
            1 => self.deliver(number % n, false),
            _ => self.deliver(number % n, true),
        }
    }

    fn fly(&mut self, at: usize) {
        let bird = self.birds[at];
        let x = (bird.x + bird.heading.0).rem_euclid(self.grid);
        let y = (bird.y + bird.heading.1).rem_euclid(self.grid);
        let (from, to) = (self.square(bird.x, bird.y), self.square(x, y));
        if from != to {
            self.squares[from].retain(|other| *other != at as u32);
            self.squares[to].push(at as u32);
        }
        self.birds[at] = Bird { x, y, confirms: true, ..bird };
    }

    fn deliver(&mut self, at: usize, confirms: bool) {
        let me = self.birds[at];
        if confirms {
            self.birds[at].confirms = false;
        } else {
            self.birds[at].propagates = false;
        }
        if self.everybody {
            for other in 0..self.birds.len() {
                self.receive(me, other, confirms);
            }
            return;
        }
        let mut near = std::mem::take(&mut self.near);
        let (x, y) = (me.x / self.delta, me.y / self.delta);
        for row in (y - 1).max(0)..=(y + 1).min(self.row - 1) {
            for column in (x - 1).max(0)..=(x + 1).min(self.row - 1) {
                near.extend_from_slice(&self.squares[(row * self.row + column) as usize]);
            }
        }
        near.iter().for_each(|other| self.receive(me, *other as usize, confirms));
        near.clear();
        self.near = near;
    }

    #[inline]
    fn receive(&mut self, me: Bird, other: usize, confirms: bool) {
        let bird = &mut self.birds[other];
        let (dx, dy) = (bird.x - me.x, bird.y - me.y);
        if bird.stamp == me.stamp || dx * dx + dy * dy > self.delta * self.delta {
            return;
        }
        if bird.stamp < me.stamp {
            (bird.heading, bird.stamp) = (me.heading, me.stamp);
            (bird.confirms, bird.propagates) = (false, true);
        } else if confirms {
            bird.propagates = true;
        }
    }
}
