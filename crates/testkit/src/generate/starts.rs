//! Random systems with many ways to begin, of which assumptions leave some, few or none. Nothing happens in them: what is
//! compared is the set of their initial states.

use super::random::Random;

struct Beginnings {
    random: Random,
    /// Kinds of agents with their numbers of agents; both have `x` and `y`, the first an array `v` of two cells as well.
    kinds: Vec<(&'static str, usize)>,
    /// How many values a variable has at most.
    values: usize,
}

/// The system with this number.
pub(super) fn written(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x57A275);
    let second = if random.chance(40) { random.between(1, 2) } else { 0 };
    let first = random.between(1, if second == 0 { 4 } else { 2 });
    let mut kinds = vec![("Ant", first)];
    if second > 0 {
        kinds.push(("Bee", second));
    }
    let values = [4, 4, 3, 2][(first + second).min(3)];
    Beginnings { random, kinds, values }.system()
}

impl Beginnings {
    fn system(&mut self) -> String {
        let spawn: Vec<String> = self.kinds.iter().map(|(kind, n)| format!("{kind}: {n}")).collect();
        let (e, t) = (self.initial(), self.initial());
        let mut out =
            format!("system {{\n  environment = e: {e}; t[2]: {t}\n  spawn = {}\n}}\n", spawn.join("; "));
        for (at, (kind, _)) in self.kinds.clone().into_iter().enumerate() {
            let (x, y) = (self.initial(), self.initial());
            let v = if at == 0 {
                format!(
                    "; v[2]: {}",
                    if self.values > 2 { self.random.pick(&["0", "0..2", "undef"]) } else { "1" }
                )
            } else {
                String::new()
            };
            out += &format!("agent {kind} {{\n  interface = x: {x}; y: {y}{v}\n  Behavior = Nil\n}}\n");
        }
        let assumptions = self.random.weighted(&[(7, 1), (2, 2), (1, 3)]);
        out += "assume {\n";
        for number in 0..assumptions {
            let parts: Vec<String> = (0..self.random.weighted(&[(6, 1), (2, 2), (1, 3)]))
                .map(|_| format!("({})", self.assumption()))
                .collect();
            out += &format!("  Start{number} = {}\n", parts.join(" and "));
        }
        out + "}\n"
    }

    /// What a variable may be at first; sometimes nothing at all.
    fn initial(&mut self) -> String {
        let n = self.random.between(1, self.values);
        let m = self.random.below(4);
        match self.random.below(40) {
            0 => "undef".to_string(),
            1 => format!("[{m}, 1 / 0, {m}]"),
            // No number lies between 0 and ⊥.
            2 if self.random.chance(10) => "0..1 / 0".to_string(),
            2 => format!("{m}..{}", m + 1),
            3 => format!("{m}..{}", m + self.values),
            4 => format!("[{m}, {}]", m + 5),
            5 => format!("-1..{}", n - 1),
            6 => "[4611686018427387904, 1]".to_string(),
            7 => format!("{m}"),
            _ => format!("0..{n}"),
        }
    }

    fn kind(&mut self) -> &'static str {
        let at = self.random.below(self.kinds.len());
        self.kinds[at].0
    }

    fn compare(&mut self) -> &'static str {
        self.random.pick(&["=", "!=", "!=", "<", "<=", "<=", ">", ">=", ">="])
    }

    /// A number that reads variables of an agent or of the environment.
    fn number(&mut self, agent: &str) -> String {
        match self.random.below(16) {
            0..4 => format!("x of {agent}"),
            4..7 => format!("y of {agent}"),
            7 => "e".to_string(),
            8 => "t[1]".to_string(),
            9 => format!("x of {agent} + y of {agent}"),
            10 => format!("x of {agent} - e"),
            11 => format!("abs(y of {agent} - x of {agent})"),
            12 => format!("x of {agent} * {}", self.random.below(3)),
            13 => format!("x of {agent} / y of {agent}"),
            14 => format!("x of {agent} % {}", self.random.below(3)),
            _ => format!("{}", self.random.below(4)),
        }
    }

    fn about(&mut self, agent: &str) -> String {
        let (a, op, b) = (self.number(agent), self.compare(), self.number(agent));
        match self.random.below(12) {
            0 => format!("not ({a} {op} {b})"),
            1 => {
                let (c, p, d) = (self.number(agent), self.compare(), self.number(agent));
                let word = self.random.pick(&["and", "or"]);
                format!("({a} {op} {b}) {word} ({c} {p} {d})")
            }
            // May lie outside of the array, or be ⊥.
            2 => format!("t[{a}] {op} {b}"),
            _ => format!("{a} {op} {b}"),
        }
    }

    fn assumption(&mut self) -> String {
        let (k, l) = (self.kind(), self.kind());
        match self.random.below(14) {
            0 => format!("forall {k} a, forall {k} b, a = b or x of a != x of b"),
            1 => format!("forall {k} a, forall {k} b, a = b or x of a != x of b or y of a != y of b"),
            2 => format!(
                "forall {k} a, forall {l} b, abs(x of a - x of b) + abs(y of a - y of b) > {}",
                self.random.below(2)
            ),
            3 => format!("forall {k} a, exists {l} b, {}", self.pair()),
            4 => format!("exists {k} a, forall {l} b, {}", self.pair()),
            5 => format!("forall {k} a, forall {l} b, {}", self.pair()),
            6 => format!("exists {k} a, {}", self.about("a")),
            7 => {
                let (op, n) = (self.compare(), self.random.below(3));
                format!("(count {k} a, {}) {op} {n}", self.about("a"))
            }
            8 => format!("e {} t[0] + t[1]", self.compare()),
            9 => format!("t[e] {} {}", self.compare(), self.random.below(3)),
            10 if k == "Ant" => format!("forall Ant a, v[0] of a {} v[1] of a", self.compare()),
            11 => format!("not (exists {k} a, {})", self.about("a")),
            _ => format!("forall {k} a, {}", self.about("a")),
        }
    }

    fn pair(&mut self) -> String {
        let (a, op, b) = (self.number("a"), self.compare(), self.number("b"));
        match self.random.below(4) {
            0 => format!("{a} {op} {b} or {}", self.about("b")),
            1 => format!("{a} {op} {b} and x of a {} x of b", self.compare()),
            _ => format!("{a} {op} {b}"),
        }
    }
}
