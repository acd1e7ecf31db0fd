//! Random systems about messages: up to five agents that hear only some others, tuples that are often undefined at first,
//! and actions that read them all the same. What a value does on its way through several agents, and what becomes of
//! agents that have read ⊥, shows here.

use super::random::Random;

struct Messages {
    random: Random,
    agents: usize,
    tuples: Vec<Tuple>,
}

/// One tuple: the names of its variables, and whether they are arrays of two cells.
struct Tuple {
    names: Vec<&'static str>,
    array: bool,
}

/// The system with this number.
pub(super) fn written(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x3E55A);
    let agents = random.weighted(&[(1, 1), (2, 2), (4, 3), (3, 4), (1, 5)]);
    let mut tuples = vec![];
    for names in [["s", "t"], ["u", "v"]] {
        let length = random.weighted(&[(3, 1), (2, 2)]);
        tuples.push(Tuple { names: names[..length].to_vec(), array: length == 1 && random.chance(15) });
    }
    if agents > 3 || random.chance(50) {
        tuples.truncate(1);
    }
    Messages { random, agents, tuples }.system()
}

impl Messages {
    fn system(&mut self) -> String {
        let first = self.random.between(1, self.agents);
        let mut out = format!(
            "system {{\n  environment = e: 0; row[{}]: 0\n  spawn = Ant: {first}, Bee: {}\n}}\n",
            self.agents,
            self.agents - first
        );
        let apart = self.tuples.len() > 1 && self.random.chance(40);
        let groups: Vec<Vec<usize>> =
            if apart { vec![vec![0], vec![1]] } else { vec![(0..self.tuples.len()).collect()] };
        let names = &["Left", "Right"][..groups.len()];
        for (name, group) in names.iter().zip(&groups) {
            let link = self.link();
            out += &format!("stigmergy {name} {{\n  link = {link}\n");
            for tuple in group {
                let line = self.declaration(*tuple);
                out += &format!("  {line}\n");
            }
            out += "}\n";
        }
        let joined = names.join(", ");
        for kind in ["Ant", "Bee"] {
            let behavior = self.behavior();
            out += &format!(
                "agent {kind} {{\n  interface = x: id % 2; y: 0\n  stigmergies = {joined}\n  Behavior = {behavior}\n}}\n"
            );
        }
        let (a, b) = (self.variable("a"), self.variable("b"));
        let claims = [
            format!("always forall Ant a, forall Ant b, {a} = {b} or y of a < 2"),
            format!("fairly_inf exists Ant a, {a} = 1"),
        ];
        out + &format!("check {{\n  P0 = {}\n  P1 = {}\n}}\n", claims[0], claims[1])
    }

    /// Who hears whom: everybody, a row, a ring, one way only, or depending on what they know.
    fn link(&mut self) -> String {
        let known = self.tuples[0].names[0];
        let known = if self.tuples[0].array { format!("{known}[0]") } else { known.to_string() };
        let ring = self.agents;
        match self.random.below(12) {
            0..2 => "true".to_string(),
            2..5 => "abs(id of 1 - id of 2) = 1".to_string(),
            5 => format!("(id of 1 + 1) % {ring} = id of 2"),
            6 => "id of 1 > id of 2".to_string(),
            7 => "x of 1 != x of 2".to_string(),
            8 => format!("{known} of 1 >= {known} of 2 or id of 1 < id of 2"),
            9 => format!("!({known} of 2 = 1)"),
            10 => "e = 0 or id of 2 = 0".to_string(),
            // Now and then the index lies outside.
            _ => format!("row[(id of 2 + x of 1) % {}] = 0", ring + 1),
        }
    }

    fn declaration(&mut self, tuple: usize) -> String {
        let size = if self.tuples[tuple].array { "[2]" } else { "" };
        let names: Vec<String> = self.tuples[tuple].names.iter().map(|n| format!("{n}{size}")).collect();
        let mut values: Vec<&str> = vec![];
        for _ in &names {
            values.push(self.random.weighted(&[(9, "undef"), (2, "id % 2"), (1, "0"), (2, "2 / (id % 2)")]));
        }
        format!("{}: {}", names.join(", "), values.join(", "))
    }

    /// A variable of a tuple; of the agent that is bound to a name, if there is one.
    fn variable(&mut self, owner: &str) -> String {
        let tuple = self.random.below(self.tuples.len());
        let at = self.random.below(self.tuples[tuple].names.len());
        let cell = if self.tuples[tuple].array { self.random.pick(&["[0]", "[1]"]) } else { "" };
        let of = if owner.is_empty() { String::new() } else { format!(" of {owner}") };
        format!("{}{cell}{of}", self.tuples[tuple].names[at])
    }

    fn behavior(&mut self) -> String {
        let parts: Vec<String> = (0..self.random.between(1, 3)).map(|_| self.part()).collect();
        match self.random.below(3) {
            0 => format!("{}; Behavior", parts.join("; ")),
            _ => format!("({}); Behavior", parts.join(" ++ ")),
        }
    }

    fn part(&mut self) -> String {
        let action = self.action();
        let guard = self.guard();
        match self.random.below(8) {
            0..5 => format!("({guard} -> {action})"),
            5 => format!("(({guard} => {action}); x <- 1 - x)"),
            _ => action,
        }
    }

    /// Mostly one that can be satisfied although it reads ⊥.
    fn guard(&mut self) -> String {
        let (read, value) = (self.variable(""), self.random.below(3));
        match self.random.below(6) {
            0..2 => format!("{read} = {value} or x < 2"),
            2 => format!("{read} = {value} or x = {}", value % 2),
            3 => format!("{read} = {value}"),
            4 => format!("y < 2 or !({read} > {value})"),
            _ => format!("id = {value}"),
        }
    }

    fn action(&mut self) -> String {
        let (read, written) = (self.variable(""), self.variable(""));
        let value = self.random.below(3);
        match self.random.below(9) {
            0 => format!("{written} <~ id % 3"),
            1 => format!("{written} <~ {value}"),
            2 => format!("{written} <~ ({read} + 1) % 3"),
            3 => format!("y <- if {read} = {value} or x = 1 then 2 else 1"),
            4 => format!("y <- {read}"),
            5 => format!("{{ {written} <~ {value}; y <- {read} }}"),
            6 => format!("{{ {written} <~ y; x <- 1 - x; {read} <~ {value} }}"),
            7 => "e <-- 1 - e".to_string(),
            _ => "Skip".to_string(),
        }
    }
}
