//! Random systems aimed at where independent testers found wrong verdicts: several stigmergies that several kinds share,
//! links over stigmergic values and the environment, ⊥ in links, arrays indexed by stigmergic values, locks, and rings in
//! which agents store the ids of others.
//!
//! A system has two or three of these themes. Values are small and processes short, because a wrong verdict needs a rare
//! combination and not a large system. [`crate::features`] counts how often each theme occurs.

use super::random::Random;

struct Aimed {
    random: Random,
    kinds: Vec<Kind>,
    stigmergies: Vec<Stigmergy>,
    agents: usize,
    /// The environment has `lock`, and agents enter and leave what it protects.
    lock: bool,
    /// Agents have `next`, the id of another agent.
    ring: bool,
    /// The environment has `row`, an array of three cells, and agents `v`, one of two.
    arrays: bool,
}

struct Kind {
    name: &'static str,
    count: usize,
    /// Positions of its stigmergies.
    joined: Vec<usize>,
}

struct Stigmergy {
    name: &'static str,
    /// The names in each tuple.
    tuples: Vec<Vec<&'static str>>,
}

/// The names of stigmergic variables, by stigmergy.
const VARIABLES: [[&str; 2]; 3] = [["s", "t"], ["u", "w"], ["p", "q"]];

/// The system with this number.
pub(super) fn written(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xA13ED);
    let counts: &[usize] = random.weighted(&[
        (3, &[1, 1][..]),
        (2, &[2, 1]),
        (2, &[1, 1, 1]),
        (1, &[1, 2]),
        (1, &[2]),
        (1, &[3]),
        (1, &[2, 0, 1]),
    ]);
    let shared = random.weighted(&[(2, 0), (3, 1), (5, 2), (2, 3)]);
    let kinds = counts.iter().zip(["Ant", "Bee", "Cow"]).map(|(&count, name)| {
        let joined = (0..shared).filter(|_| random.chance(80)).collect();
        Kind { name, count, joined }
    });
    let kinds: Vec<Kind> = kinds.collect();
    let stigmergies = (0..shared).map(|at| {
        let names = VARIABLES[at];
        let tuples = match random.below(5) {
            0 => vec![vec![names[0]], vec![names[1]]],
            1 | 2 => vec![names.to_vec()],
            _ => vec![vec![names[0]]],
        };
        Stigmergy { name: ["Left", "Right", "Top"][at], tuples }
    });
    let stigmergies: Vec<Stigmergy> = stigmergies.collect();
    let (lock, ring, arrays) = (random.chance(30), random.chance(35), random.chance(40));
    let agents = counts.iter().sum();
    Aimed { random, kinds, stigmergies, agents, lock, ring, arrays }.system()
}

impl Aimed {
    fn system(&mut self) -> String {
        let mut environment = vec![format!("e: {}", self.random.pick(&["0", "0", "1", "0..2", "undef"]))];
        if self.lock {
            environment.push("lock: 0".to_string());
        }
        if self.arrays {
            environment.push(format!("row[3]: {}", self.random.pick(&["0", "0", "1", "undef"])));
        }
        let spawn: Vec<String> = self.kinds.iter().map(|k| format!("{}: {}", k.name, k.count)).collect();
        let mut out = format!(
            "system {{\n  environment = {}\n  spawn = {}\n}}\n",
            environment.join("; "),
            spawn.join(", ")
        );
        for at in 0..self.stigmergies.len() {
            out += &self.stigmergy(at);
        }
        for at in 0..self.kinds.len() {
            out += &self.agent(at);
        }
        out + &self.properties()
    }

    fn stigmergy(&mut self, at: usize) -> String {
        let link = self.link(at);
        let mut out = format!("stigmergy {} {{\n  link = {link}\n", self.stigmergies[at].name);
        for tuple in self.stigmergies[at].tuples.clone() {
            let values: Vec<&str> = tuple
                .iter()
                .map(|_| {
                    self.random.weighted(&[(4, "0"), (3, "id % 2"), (3, "undef"), (1, "0..2"), (2, "id")])
                })
                .collect();
            out += &format!("  {}: {}\n", tuple.join(", "), values.join(", "));
        }
        out + "}\n"
    }

    /// A link reads what every member has: `x`, its own tuples, tuples of other stigmergies that all members share, and
    /// the environment. Where one of these is ⊥, neither the link nor its negation is satisfied.
    fn link(&mut self, at: usize) -> String {
        let members: Vec<usize> =
            (0..self.kinds.len()).filter(|&k| self.kinds[k].joined.contains(&at)).collect();
        let everybody = |s: &usize| members.iter().all(|&k| self.kinds[k].joined.contains(s));
        let common: Vec<usize> = (0..self.stigmergies.len()).filter(everybody).collect();
        let from = self.random.any(&common).unwrap_or(at);
        let names: Vec<&str> = self.stigmergies[from].tuples.concat();
        let read = self.random.pick(&names);
        let op = self.random.pick(&["=", "!=", "<=", ">="]);
        let mut choices = vec![
            format!("{read} of 1 {op} {read} of 2"),
            format!("!({read} of 2 = {})", self.random.below(2)),
            format!("e = {} or {read} of 1 {op} {read} of 2", self.random.below(2)),
            format!("e != {read} of 1"),
            format!("x of 1 {op} {read} of 2"),
            "true".to_string(),
        ];
        if self.arrays {
            // An index of 3 or more lies outside, which is an error of the model.
            let modulo = self.random.weighted(&[(4, " % 3"), (1, " + 1")]);
            choices.push(format!("row[{read} of 2{modulo}] = 0"));
            choices.push(format!("row[{read} of 1 % 3] {op} row[x of 2 % 3]"));
        }
        if self.ring {
            choices.push("next of 1 = id of 2".to_string());
            choices.push(format!("next of 1 = id of 2 or {read} of 1 = id of 2"));
        }
        if self.lock {
            choices.push("lock != id of 2 + 1".to_string());
        }
        let first = self.random.any(&choices).unwrap_or_default();
        match self.random.below(5) {
            0 => format!("({first}) and id of 1 != id of 2"),
            1 => format!("({first}) or ({})", self.random.any(&choices).unwrap_or_default()),
            _ => first,
        }
    }

    fn agent(&mut self, at: usize) -> String {
        let ring = self.agents.max(1);
        let mut interface = vec![format!("x: {}", self.random.pick(&["0", "id % 2", "id", "0..2"]))];
        if self.ring {
            let next =
                self.random.weighted(&[(5, None), (2, Some("id")), (1, Some("0")), (1, Some("undef"))]);
            let next = next.map_or_else(|| format!("(id + 1) % {ring}"), str::to_string);
            interface.push(format!("next: {next}"));
        }
        if self.arrays {
            interface.push("v[2]: 0".to_string());
        }
        if self.lock {
            interface.push("crit: 0".to_string());
        }
        let joined: Vec<&str> = self.kinds[at].joined.iter().map(|&s| self.stigmergies[s].name).collect();
        let member = match joined.is_empty() {
            true => String::new(),
            false => format!("  stigmergies = {}\n", joined.join(", ")),
        };
        let behavior = self.behavior(at);
        format!(
            "agent {} {{\n  interface = {}\n{member}  Behavior = {behavior}\n}}\n",
            self.kinds[at].name,
            interface.join("; ")
        )
    }

    /// The stigmergic variables that a kind has.
    fn owned(&self, kind: usize) -> Vec<&'static str> {
        self.kinds[kind].joined.iter().flat_map(|&s| self.stigmergies[s].tuples.concat()).collect()
    }

    fn behavior(&mut self, kind: usize) -> String {
        let mut parts = vec![];
        if self.lock && self.random.chance(70) {
            parts.push(self.critical());
        }
        for _ in 0..self.random.weighted(&[(2, 1), (4, 2), (1, 3)]) {
            parts.push(self.part(kind));
        }
        let joined = match self.random.below(3) {
            0 => parts.join("; "),
            _ => parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" ++ "),
        };
        let end = if self.random.chance(80) { "; Behavior" } else { "" };
        format!("({joined}){end}")
    }

    /// Takes the lock and gives it back. Some test it first and take it later, which is a race.
    fn critical(&mut self) -> String {
        let taken = match self.random.below(3) {
            0 => "(lock = 0 -> Skip); lock <-- id + 1",
            1 => "(lock = 0 -> lock <-- id + 1)",
            _ => "(lock = 0 -> lock <-- id + 1); (lock = id + 1 -> Skip)",
        };
        let freed = self.random.pick(&["lock <-- 0", "(lock = id + 1 -> lock <-- 0)"]);
        format!("{taken}; crit <- 1; crit <- 0; {freed}")
    }

    fn part(&mut self, kind: usize) -> String {
        let action = self.action(kind);
        match self.random.below(4) {
            0 => action,
            1 => format!("({} => {action}); x <- 1 - x", self.guard(kind)),
            _ => format!("({} -> {action})", self.guard(kind)),
        }
    }

    fn guard(&mut self, kind: usize) -> String {
        let owned = self.owned(kind);
        let read = self.random.any(&owned).unwrap_or("x");
        let value = self.random.below(3);
        let mut choices = vec![
            format!("{read} = {value}"),
            format!("{read} < 2 or x = 0"),
            format!("!({read} = {value})"),
            "e = 0".to_string(),
            format!("e != {read}"),
        ];
        if self.ring {
            choices.extend([
                format!("x of next != {value}"),
                "next != id".to_string(),
                format!("{read} != next"),
            ]);
        }
        if self.arrays {
            choices.extend([format!("row[{read} % 3] = {}", value % 2), format!("v[{read} % 2] = 0")]);
        }
        self.random.any(&choices).unwrap_or_default()
    }

    fn action(&mut self, kind: usize) -> String {
        let owned = self.owned(kind);
        let agents = self.agents.max(1);
        let read = self.random.any(&owned).unwrap_or("x");
        let value = self.random.below(3);
        let mut choices = vec![
            "e <-- 1 - e".to_string(),
            format!("e <-- {read} % 2"),
            format!("x <- {read}"),
            "x <- 1 - x".to_string(),
        ];
        if let Some(written) = self.random.any(&owned) {
            choices.extend([
                format!("{written} <~ {value}"),
                format!("{written} <~ ({read} + 1) % 3"),
                format!("{written} <~ id"),
                format!("{written} <~ e"),
                format!("{{ {written} <~ x; x <- {read} }}"),
            ]);
        }
        if self.ring {
            choices.extend([
                "next <- next of next".to_string(),
                format!("next <- (next + 1) % {agents}"),
                "x <- x of next".to_string(),
                format!("next <- {read} % {agents}"),
            ]);
            if let Some(written) = self.random.any(&owned) {
                choices.push(format!("{written} <~ max(next, {read})"));
            }
        }
        if self.arrays {
            choices.extend([
                format!("row[{read} % 3] <-- {}", value % 2),
                format!("row[{read} % 3] <-- 1 - row[x % 3]"),
                format!("v[{read} % 2] <- row[{read} % 3]"),
                // Outside for 2.
                format!("v[{read}] <- {}", value % 2),
                format!("row[{read} + 1] <-- {}", value % 2),
                format!("x <- v[e + {read}]"),
            ]);
        }
        self.random.any(&choices).unwrap_or_default()
    }

    fn properties(&mut self) -> String {
        let (one, other) = (self.kind(), self.kind());
        let mut claims = vec![format!("always forall {one} a, forall {other} b, x of a = x of b or e = 0")];
        if self.lock {
            claims.push(format!(
                "always forall {one} a, forall {other} b, id of a = id of b or crit of a = 0 or crit of b = 0"
            ));
            claims.push(format!("fairly_inf forall {one} a, crit of a = 0"));
        }
        if self.ring {
            claims.push(format!("always forall {one} a, next of a < {}", self.agents));
            claims.push(format!("eventually exists {one} a, next of a = id of a"));
        }
        let lines = claims.iter().enumerate().map(|(at, claim)| format!("  Aim{at} = {claim}\n"));
        format!("check {{\n{}}}\n", lines.collect::<String>())
    }

    fn kind(&mut self) -> &'static str {
        let at = self.random.below(self.kinds.len());
        self.kinds[at].name
    }
}
