//! Random models of interchangeable agents, aimed at what can be proved for every number of them.

use fastrand::Rng;

/// A model with candidates for properties.
pub struct Random {
    /// Everything but the section with properties.
    pub model: String,
    /// Predicates.
    pub candidates: Vec<String>,
    /// The open kinds with their smallest numbers.
    pub open: Vec<(&'static str, u32)>,
}

impl Random {
    /// The model with properties `P0`, `P1`, …
    pub fn text(&self, chosen: &[String]) -> String {
        let claims: Vec<String> =
            chosen.iter().enumerate().map(|(n, claim)| format!("  P{n} = always {claim}\n")).collect();
        format!("{}check {{\n{}}}\n", self.model, claims.concat())
    }
}

struct Maker {
    rng: Rng,
    kinds: Vec<&'static str>,
    values: i64,
    owner: bool,
    second: bool,
    message: bool,
    array: bool,
    start_undef: bool,
    /// Nothing but a lock writes `v` and `e`, so that exclusion holds and its proof needs clauses.
    calm: bool,
}

/// The system with this number.
pub fn random(seed: u64) -> Random {
    let mut rng = Rng::with_seed(seed);
    let two = rng.u8(..4) == 0;
    let kinds = if two { vec!["A", "B"] } else { vec!["A"] };
    let mut maker = Maker {
        kinds,
        values: rng.i64(2..4),
        owner: rng.u8(..3) == 0,
        second: rng.u8(..3) == 0,
        message: rng.u8(..4) == 0,
        array: rng.u8(..8) == 0,
        start_undef: rng.u8(..6) == 0,
        calm: rng.u8(..3) == 0,
        rng,
    };
    maker.second |= maker.calm;
    let model = maker.model();
    let mut candidates: Vec<String> = (0..6).map(|_| maker.property()).collect();
    if maker.calm {
        let kind = maker.pick(&maker.kinds.clone());
        let more = [
            format!("(count {kind} a, v of a = 1) <= 1"),
            format!("e = 1 or (forall {kind} a, v of a = 0)"),
            format!("forall {kind} a, forall {kind} b, id of a = id of b or v of a = 0 or v of b = 0"),
            format!("e = 0 or (exists {kind} a, v of a = 1)"),
            format!("forall {kind} a, v of a = 0 or owner = id of a"),
        ];
        let at = maker.rng.usize(..4);
        candidates.insert(0, more[at + usize::from(maker.owner && maker.rng.bool())].clone());
    }
    let mut open = vec![];
    let closed = maker.rng.u8(..4) == 0 && maker.kinds.len() == 2;
    for kind in maker.kinds.iter().skip(usize::from(closed)) {
        open.push((*kind, [0, 1, 1, 1, 2][maker.rng.usize(..5)]));
    }
    Random { model, candidates, open }
}

impl Maker {
    fn chance(&mut self, one_in: u32) -> bool {
        self.rng.u32(..one_in) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(..from.len())].clone()
    }

    fn value(&mut self) -> i64 {
        self.rng.i64(0..self.values)
    }

    fn start(&mut self) -> String {
        match self.rng.u8(..4) {
            0 => format!("0..{}", self.values),
            1 if self.start_undef => "undef".to_string(),
            _ => self.pick(&["0", "0", "1"]).to_string(),
        }
    }

    fn model(&mut self) -> String {
        let start = if self.calm { "0" } else { self.pick(&["0", "0", "1", "0..2", "undef"]) };
        let mut environment = vec![format!("e: {start}")];
        if self.owner {
            environment.push(format!("owner: {}", self.pick(&["undef", "undef", "-1"])));
        }
        if self.array {
            environment.push(format!("r[2]: {}", self.pick(&["0", "0..2"])));
        }
        let spawn: Vec<String> =
            self.kinds.clone().iter().map(|kind| format!("{kind}: {}", self.rng.u8(1..4))).collect();
        let mut out = format!(
            "system {{\n  environment = {}\n  spawn = {}\n}}\n",
            environment.join("; "),
            spawn.join(", ")
        );
        if self.chance(4) {
            let kind = self.pick(&self.kinds.clone());
            let c = self.value();
            let condition = match self.rng.u8(..6) {
                0 => format!("forall {kind} a, exists {kind} b, v of a = v of b"),
                1 => format!("exists {kind} a, v of a = {c}"),
                2 => format!("(count {kind} a, v of a = {c}) <= 1"),
                3 => format!("forall {kind} a, v of a = {c} or e = 1"),
                4 => format!("forall {kind} a, forall {kind} b, v of a = v of b"),
                _ => format!("(exists {kind} a, v of a = {c}) or (forall {kind} a, v of a != {c})"),
            };
            out.push_str(&format!("assume {{ Start = {condition} }}\n"));
        }
        if self.message {
            let link = self.pick(&[
                "true",
                "v of c1 = v of c2",
                "v of c1 <= v of c2",
                "v of c2 = 0",
                "id of c1 < id of c2",
                "e = 0",
            ]);
            let start = self.pick(&["0", "undef", "0..2", "1"]);
            out.push_str(&format!("stigmergy S {{ link = {link}\n  x: {start} }}\n"));
        }
        for kind in self.kinds.clone() {
            let start = if self.calm { "0".to_string() } else { self.start() };
            let mut interface = format!("v: {start}");
            if self.second {
                interface.push_str(&format!("; w: {}", self.start()));
            }
            let messages = if self.message { "  stigmergies = S\n" } else { "" };
            let behavior = self.behavior();
            out.push_str(&format!(
                "agent {kind} {{\n  interface = {interface}\n{messages}  Behavior = {behavior}\n}}\n"
            ));
        }
        out
    }

    fn behavior(&mut self) -> String {
        let mut parts: Vec<String> = vec![];
        // A lock, so that some invariants need clauses.
        if self.calm || self.chance(3) {
            let lock = match (self.owner, self.rng.u8(..4)) {
                (true, 0 | 1) => {
                    "(e = 0 -> { e <-- 1; owner <-- id; v <- 1 }); (owner = id -> { v <- 0; e <-- 0 })"
                }
                (_, 2) => "(e = 0 -> { e <-- 1; v <- 1 }); Skip; { v <- 0; e <-- 0 }",
                (_, 3) => "Skip; (e = 0 -> { e <-- 1; v <- 1 }); (v = 1 -> e <-- 2); { v <- 0; e <-- 0 }",
                _ => "(e = 0 -> { e <-- 1; v <- 1 }); { v <- 0; e <-- 0 }",
            };
            parts.push(lock.to_string());
        }
        for _ in 0..self.rng.u8(1..4) {
            let one = self.action();
            let one = if self.chance(4) { format!("{one}; {}", self.action()) } else { one };
            parts.push(one);
        }
        let body = parts.iter().map(|p| format!("({p})")).collect::<Vec<_>>().join("\n    ++ ");
        match self.rng.u8(..8) {
            0 => body,
            _ => format!("({body}); Behavior"),
        }
    }

    fn action(&mut self) -> String {
        let effect = self.effect();
        match self.rng.u8(..5) {
            0 => effect,
            1 => format!("({} and {} -> {effect})", self.condition("v", "id"), self.condition("v", "id")),
            2 => format!("(!({}) -> {effect})", self.condition("v", "id")),
            _ => format!("({} -> {effect})", self.condition("v", "id")),
        }
    }

    fn number(&mut self) -> String {
        let c = self.value();
        match self.rng.u8(..10) {
            0 if self.second => "w".to_string(),
            1 if self.message => "x".to_string(),
            2 => "e".to_string(),
            3 => format!("(v + 1) % {}", self.values),
            4 => "v".to_string(),
            5 if self.owner => "v of owner".to_string(),
            6 => format!("if {} then {c} else v", self.quantified()),
            _ => c.to_string(),
        }
    }

    fn effect(&mut self) -> String {
        let n = self.number();
        if self.calm {
            return match self.rng.u8(..6) {
                0 if self.message => format!("x <~ {n}"),
                1 if self.owner && self.chance(4) => "owner <-- id".to_string(),
                2 => "{ k[] := pick 1; w <- v of k[0] }".to_string(),
                3 => "Skip".to_string(),
                _ => format!("w <- {n}"),
            };
        }
        let kind = self.pick(&self.kinds.clone());
        match self.rng.u8(..14) {
            0 | 1 => format!("e <-- {n}"),
            2 if self.owner && self.chance(4) => {
                format!("owner <-- if {} then id else -1", self.condition("v", "id"))
            }
            2 if self.owner => "owner <-- id".to_string(),
            3 if self.owner => format!("owner, e <-- id, {n}"),
            4 | 5 if self.message => format!("x <~ {n}"),
            6 => format!("{{ k[] := pick 1; v <- v of k[0]; e <-- {n} }}"),
            7 => format!(
                "{{ k[] := pick {} {kind} where v of 2 = {}; v <- v of k[0] }}",
                self.rng.u8(1..3),
                self.value()
            ),
            8 => format!("{{ e <-- {n}; v <- {} }}", self.number()),
            9 => format!("{{ l := {n}; v <- l }}"),
            10 if self.array && self.chance(2) => {
                format!("r[if {} then 1 else 0] <-- {n}", self.quantified())
            }
            10 if self.array => format!("r[v] <-- {n}"),
            11 if self.second => format!("w <- {n}"),
            12 => "Skip".to_string(),
            _ => format!("v <- {n}"),
        }
    }

    fn quantified(&mut self) -> String {
        let kind = self.pick(&self.kinds.clone());
        let c = self.value();
        match self.rng.u8(..10) {
            8 => format!("(exists {kind} b, v of b = {c} and id of b < id)"),
            9 => format!(
                "(exists {kind} b, exists {kind} d, v of b = {c} and v of d = v and id of b != id of d)"
            ),
            0 | 1 => format!("(exists {kind} b, v of b = {c})"),
            2 => format!("(exists {kind} b, v of b = {c} and id of b != id)"),
            3 => format!("(forall {kind} b, v of b != {c})"),
            4 => format!("(forall {kind} b, v of b = {c} or id of b = id)"),
            5 => format!("(count {kind} b, v of b = {c}) <= {}", self.rng.u8(..2)),
            6 => format!("(count {kind} b, v of b = {c}) >= {}", self.rng.u8(1..3)),
            _ => format!("(count {kind} b, v of b = {c}) = {}", self.rng.u8(..3)),
        }
    }

    fn condition(&mut self, own: &str, id: &str) -> String {
        let c = self.value();
        match self.rng.u8(..12) {
            0 | 1 => format!("e = {c}"),
            2 if self.owner => format!("owner = {id}"),
            3 if self.owner => {
                let op = self.pick(&["!=", "!=", "<", ">="]);
                let who = if self.chance(6) { "(if e = 0 then 2 else -1)" } else { id };
                format!("owner {op} {who}")
            }
            8 if self.array && id == "id" && self.chance(2) => {
                format!("({} or r[{own}] = {c})", self.quantified())
            }
            4 if self.message && id == "id" => format!("x = {c}"),
            5 if id == "id" => self.quantified(),
            6 if id == "id" => format!("{} and {own} = {c}", self.quantified()),
            7 => format!("{own} != {c}"),
            8 if self.array => format!("r[0] = {c}"),
            9 if id == "id" => format!("{own} = e"),
            _ => format!("{own} = {c}"),
        }
    }

    fn property(&mut self) -> String {
        let kind = self.pick(&self.kinds.clone());
        let other = self.pick(&self.kinds.clone());
        let (c, d, k) = (self.value(), self.value(), self.rng.u8(..3));
        let at = |maker: &mut Maker, name: &str| {
            maker.condition(&format!("v of {name}"), &format!("id of {name}"))
        };
        let (pa, pb, pc) = (at(self, "a"), at(self, "b"), at(self, "a"));
        match self.rng.u8(..13) {
            0 => format!("forall {kind} a, v of a <= {c}"),
            1 => format!("forall {kind} a, !({pa} and {pc})"),
            2 => format!("exists {kind} a, {pa}"),
            3 => format!("(count {kind} a, {pa}) <= {k}"),
            4 => format!("(count {kind} a, {pa} and {pc}) <= {k}"),
            5 | 6 => format!("forall {kind} a, forall {other} b, id of a = id of b or !({pa} and {pb})"),
            7 => format!("e = {c} or (forall {kind} a, v of a != {d})"),
            8 => format!("e != {c} or (exists {kind} a, v of a = {d})"),
            9 => format!("(count {kind} a, v of a = {c}) + (count {other} a, v of a = {c}) <= {k}"),
            10 => format!("forall {kind} a, exists {other} b, {pa} or {pb}"),
            11 => format!("e != {c} or (count {kind} a, {pa}) = 1"),
            _ => format!("forall {kind} a, {pa} or {pc}"),
        }
    }
}
