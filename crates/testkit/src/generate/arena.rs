//! Random systems in which values can often be reflected, or variables exchanged: agents with places and headings on a
//! line or a square. Most of what they do looks the same from all sides; now and then something does not.

use super::random::Random;

struct Arena {
    random: Random,
    /// How long a side is, less one.
    top: usize,
    /// One variable for each dimension, with its heading.
    axes: Vec<(&'static str, &'static str)>,
    /// Headings travel from agent to agent.
    stigmergic: bool,
    /// The percentage of cases in which something breaks the symmetry.
    biased: usize,
}

/// The arena with this number.
pub(super) fn written(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0xA2E4A);
    let agents = random.weighted(&[(3, 1), (2, 2)]);
    let plane = random.chance(if agents == 1 { 70 } else { 25 });
    let top = random.between(1, if plane { 2 } else { 4 });
    let axes = if plane { vec![("x", "dx"), ("y", "dy")] } else { vec![("x", "dx")] };
    let stigmergic = random.chance(35);
    let biased = random.pick(&[0, 0, 5, 15]);
    Arena { random, top, axes, stigmergic, biased }.system(agents)
}

impl Arena {
    fn system(&mut self, agents: usize) -> String {
        let sizes = if self.random.chance(12) { self.top } else { self.top * self.top + 1 };
        let last = self.first_place();
        let mut out = format!(
            "system {{\n  environment = last: {last}; t[{}]: 0\n  spawn = Ant: {agents}\n}}\n",
            sizes.max(1)
        );
        let headings = self.headings();
        if self.stigmergic {
            let link = self.link();
            let (names, values): (Vec<&str>, Vec<String>) = headings.into_iter().unzip();
            let tuple = match self.random.chance(70) {
                true => format!("{}: {}", names.join(", "), values.join(", ")),
                false => self.each(|_, at| format!("{}: {}", names[at], values[at]), "; "),
            };
            out += &format!("stigmergy Wind {{\n  link = {link}\n  {tuple}\n}}\n");
        }
        let mut attributes: Vec<String> = vec![];
        for at in 0..self.axes.len() {
            let place = self.first_place();
            attributes.push(format!("{}: {place}", self.axes[at].0));
        }
        if !self.stigmergic {
            let headings = self.headings();
            attributes.extend(headings.into_iter().map(|(name, value)| format!("{name}: {value}")));
        }
        let wind = if self.stigmergic { "  stigmergies = Wind\n" } else { "" };
        let process = self.process();
        out += &format!(
            "agent Ant {{\n  interface = {}\n{wind}  Behavior = {process}\n}}\n",
            attributes.join("; ")
        );
        let properties: Vec<String> = (0..3).map(|at| format!("  P{at} = {}\n", self.property())).collect();
        out + &format!("check {{\n{}}}\n", properties.concat())
    }

    fn is_biased(&mut self) -> bool {
        self.random.chance(self.biased)
    }

    /// Something for each axis, with its number.
    fn each(&mut self, mut one: impl FnMut(&mut Self, usize) -> String, between: &str) -> String {
        let all: Vec<String> = (0..self.axes.len()).map(|at| one(self, at)).collect();
        all.join(between)
    }

    fn first_place(&mut self) -> String {
        let top = self.top;
        match self.random.below(10) {
            0 => "0".to_string(),
            1 => format!("[0, {top}]"),
            2 => format!("{top}"),
            _ => format!("0..{}", top + 1),
        }
    }

    fn headings(&mut self) -> Vec<(&'static str, String)> {
        let value = self.random.pick(&["[-1, 1]", "[-1, 1]", "[-1, 1]", "-1..2", "1"]).to_string();
        self.axes.iter().map(|(_, heading)| (*heading, value.clone())).collect()
    }

    fn link(&mut self) -> String {
        if self.random.chance(40) {
            return "true".to_string();
        }
        let apart = |at: usize, axes: &[(&str, &str)]| format!("({0} of 1 - {0} of 2)", axes[at].0);
        let squares = self.each(|me, at| format!("{0} * {0}", apart(at, &me.axes)), " + ");
        let bias = if self.is_biased() { "x of 1 > 0 or " } else { "" };
        format!("{bias}{squares} <= {}", self.random.between(0, 2))
    }

    fn process(&mut self) -> String {
        let count = self.random.between(1, 3);
        let actions: Vec<String> = (0..count).map(|_| self.action()).collect();
        let together = self.random.pick(&[" ++ ", "; "]);
        let end = if self.random.chance(70) { "; Behavior" } else { "" };
        format!("({}){end}", actions.join(together))
    }

    /// `x, y <- …`, with the same for each axis.
    fn assign(&mut self, heading: bool, value: impl Fn(&str, &str) -> String) -> String {
        let stigmergic = heading && self.stigmergic;
        let names = self.each(|me, at| if heading { me.axes[at].1 } else { me.axes[at].0 }.to_string(), ", ");
        let values = self.each(|me, at| value(me.axes[at].0, me.axes[at].1), ", ");
        format!("{names} {} {values}", if stigmergic { "<~" } else { "<-" })
    }

    fn action(&mut self) -> String {
        let top = self.top;
        let side = top + 1;
        if self.is_biased() {
            return match self.random.below(5) {
                0 => format!("x <- (x + 1) % {side}"),
                1 => format!("(x < {top} -> x <- x + 1)"),
                2 => self.assign(true, |_, _| "1".to_string()),
                3 => format!("(x + 9223372036854775807 > 0 -> x <- {top} - x)"),
                _ => format!("x <- x * x % {side}"),
            };
        }
        match self.random.below(11) {
            0 | 1 => self.assign(false, |x, d| format!("({x} + {d}) % {side}")),
            2 => self.assign(false, |x, d| format!("max(min({x} + {d}, {top}), 0)")),
            3 => {
                let inside = |me: &mut Self, at: usize| {
                    let (x, d) = me.axes[at];
                    format!("{x} + {d} >= 0 and {x} + {d} <= {top}")
                };
                let inside = self.each(inside, " and ");
                format!("({inside} -> {})", self.assign(false, |x, d| format!("{x} + {d}")))
            }
            4 => self.assign(true, |_, d| format!("0 - {d}")),
            5 => self.assign(false, |x, _| format!("{top} - {x}")),
            6 => format!("x <- [0..{side}]"),
            7 if self.axes.len() == 2 => "x, y <- y, x".to_string(),
            7 | 8 => self
                .random
                .pick(&["last <-- x", "x <- last", "last <-- if last = x then x else last"])
                .to_string(),
            9 => {
                format!("{{ coin := [0..2]; x <- if coin = 0 then x else {top} - x; last <-- {top} - last }}")
            }
            _ => format!("(t[x * ({top} - x)] = 0 -> {})", self.assign(true, |_, d| d.to_string())),
        }
    }

    fn property(&mut self) -> String {
        let top = self.top;
        let predicate = match self.random.below(8) {
            _ if self.is_biased() => "exists Ant a, x of a = 0".to_string(),
            0 => self.each(|me, at| format!("{} of a <= {top}", me.axes[at].0), " and "),
            1 | 2 => self.each(|me, at| format!("{0} of a = 0 or {0} of a = {top}", me.axes[at].0), " or "),
            3 | 4 => self.each(|me, at| format!("{0} of a = {0} of b", me.axes[at].0), " and "),
            5 => self.each(|me, at| format!("{0} of a = {0} of b", me.axes[at].1), " and "),
            6 => format!("2 * x of a = {top} or last != x of b"),
            _ => self.each(|me, at| format!("abs(2 * {} of a - {top}) > 1", me.axes[at].0), " or "),
        };
        let quantifiers = self.random.pick(&["forall Ant a, forall Ant b, ", "exists Ant a, exists Ant b, "]);
        let predicate =
            if predicate.starts_with("exists") { predicate } else { format!("{quantifiers}{predicate}") };
        match self.random.below(8) {
            0 => format!("finally {predicate}"),
            1 => format!("eventually {predicate}"),
            2 => format!("fairly {predicate}"),
            3 => format!("fairly_inf {predicate}"),
            4 => format!("after {} {predicate}", self.random.below(4)),
            5 => {
                let start =
                    self.each(|me, at| format!("{0} of c = 0 or {0} of c = {top}", me.axes[at].0), " or ");
                format!("from (exists Ant c, {start}) until (2 * last = {top}), thereIs {predicate}")
            }
            _ => format!("always {predicate}"),
        }
    }
}
