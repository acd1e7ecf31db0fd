//! What several tests need: specifications from text, random ones, and states of the program in the words of the
//! definitions.

use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Rule, VarId};
use swarmcheck_rcheck::reference::{Local, State};
use swarmcheck_rcheck::{Specification, check, lower};

/// A specification without errors.
#[allow(dead_code)]
pub fn read(text: &str) -> Specification {
    let (spec, found) = check(text);
    spec.unwrap_or_else(|| panic!("{text}\n{found:?}"))
}

#[allow(dead_code)]
pub fn program(spec: &Specification) -> Flat {
    let program = lower::lower(spec, true).program;
    swarmcheck_ir::validate::validate(&program).unwrap_or_else(|problems| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("{}", problems.join("\n"))
    });
    Flat::new(program)
}

fn variable(flat: &Flat, name: &str) -> VarId {
    let at = flat.program.vars.iter().position(|v| v.name == name);
    VarId(at.unwrap_or_else(|| panic!("no variable {name}")) as u32)
}

/// A state of the program as a state of the system.
#[allow(dead_code)]
pub fn state(spec: &Specification, flat: &Flat, cells: &[i64]) -> State {
    let read = |name: &str, agent: usize| {
        let slot = flat.layout.copy(variable(flat, name), agent as u32).expect("a copy");
        cells[slot as usize]
    };
    (0..spec.instances.len())
        .map(|agent| Local {
            state: read("automaton-state", agent) as u32,
            values: spec.agent_of(agent).locals.iter().map(|v| read(&v.name, agent)).collect(),
        })
        .collect()
}

/// Which observations the step to a state satisfied.
#[allow(dead_code)]
pub fn observed(spec: &Specification, flat: &Flat, cells: &[i64]) -> Vec<bool> {
    let one = |number: usize| {
        let var = variable(flat, &format!("observed.{}", number + 1));
        cells[flat.layout.global(var) as usize] == 1
    };
    (0..spec.observations.len()).map(one).collect()
}

/// What a function of the program is called in traces.
#[allow(dead_code)]
pub fn words(flat: &Flat, function: u32) -> String {
    match &flat.program.functions[function as usize].rule {
        Rule::Action { words, .. } => words.clone(),
        Rule::System { object, .. } => object.clone(),
    }
}

/// Random scripts, the same for the same seed on every machine.
#[allow(dead_code)]
pub struct Random(fastrand::Rng);

impl Random {
    /// From a seed.
    #[allow(dead_code)]
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// A number below another one.
    #[allow(dead_code)]
    pub fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    #[allow(dead_code)]
    pub fn one<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn condition(&mut self, atoms: &[&str], depth: usize) -> String {
        match if depth == 0 { 0 } else { self.below(5) } {
            0 | 1 => self.one(atoms).to_string(),
            2 => format!("!({})", self.condition(atoms, depth - 1)),
            3 => format!("({} & {})", self.condition(atoms, depth - 1), self.condition(atoms, depth - 1)),
            _ => format!("({} | {})", self.condition(atoms, depth - 1), self.condition(atoms, depth - 1)),
        }
    }

    fn command(&mut self) -> String {
        let own = ["x < 2", "x = 1", "b", "link = c", "link != *", "k = on", "true", "true"];
        let seen = ["M = 1", "M < 2", "K = on", "L = link", "x = 0", "b", "true", "true"];
        let properties = ["@p", "@q = 1", "q != x", "chan = c", "@p = b", "true", "true"];
        let values =
            ["M := x", "M := x + 1", "M := 1, K := k", "K := off, L := link", "M := 2, L := d, K := on", ""];
        let mut updates =
            vec!["x := x + 1", "x := 0", "b := !b", "link := c", "link := d, b := false", "k := on", ""];
        let channel = ["*", "*", "c", "d", "link", "link"];
        match self.below(9) {
            0..=3 => {
                let data = self.one(&values);
                // A send guard may read what its message sets.
                let mut properties = properties.to_vec();
                if data.contains("M :=") {
                    properties.extend(["@q = M", "M < x", "M = 1"]);
                }
                if data.contains("L :=") {
                    properties.push("L = chan");
                }
                format!(
                    "{{{}}} {}! ({})({data})[{}]",
                    self.condition(&own, 1),
                    self.one(&channel),
                    self.condition(&properties, 1),
                    self.one(&updates)
                )
            }
            4..=6 => {
                updates.extend(["x := M", "k := K, x := 1", "link := L", "x := M, b := true"]);
                format!("{{{}}} {}? [{}]", self.condition(&seen, 1), self.one(&channel), self.one(&updates))
            }
            7 => {
                let place = self.one(&["who", "myself", "@p", "@q = x", "true"]);
                updates.extend(["who := WHO", "x := M"]);
                let values = self.one(&["WHO := myself", "M := x, WHO := who", "", "K := k"]);
                let guard = self.condition(&["x < 2", "b", "true", "M = 1", "true"], 1);
                format!("{{{guard}}} GET@({place})({values})[{}]", self.one(&updates))
            }
            _ => {
                let place = self.one(&["any", "any", "myself", "who"]);
                updates.extend(["who := WHO", "k := K"]);
                let values = self.one(&["WHO := myself", "M := x, WHO := myself", "", "K := k, M := 1"]);
                let guard = self.condition(&["x < 2", "b", "true", "K = on", "true"], 1);
                format!("{{{guard}}} SUPPLY@({place})({values})[{}]", self.one(&updates))
            }
        }
    }

    fn process(&mut self, depth: usize) -> String {
        match if depth == 0 { 0 } else { self.below(6) } {
            0 | 1 => self.command(),
            2 => format!("{}; {}", self.base(depth - 1), self.base(depth - 1)),
            3 | 4 => format!("{} + {}", self.process(depth - 1), self.process(depth - 1)),
            _ => format!("(rep ({}))", self.process(depth - 1)),
        }
    }

    fn base(&mut self, depth: usize) -> String {
        format!("({})", self.process(depth))
    }

    /// A random script with two agent types and three agents.
    #[allow(dead_code)]
    pub fn script(&mut self) -> String {
        let mut out = "channels: c, d\nenum power {on, off}\nmessage-structure: M : 0..2, K : power, L : channel, WHO : location\n\
                       property-variables: p : bool, q : 0..2\n"
            .to_string();
        for name in ["A", "B"] {
            let guard = self.condition(&["chan = link", "chan = c", "b", "chan = d"], 2);
            let (p, q) =
                (self.one(&["b", "x = 1", "true", "k = on"]), self.one(&["x", "1", "2 - x", "x + 1"]));
            let init = self.one(&["x = 0 & link = c", "x < 2 & link = c", "x = 1 & (link = d | link = *)"]);
            // Without these, few systems would ever receive anything; and specifications refer to their labels.
            let (hears, tells) = (self.one(&["M < 2", "K = on", "true"]), self.one(&["b", "x = 1", "!b"]));
            let (here, there) = (self.one(&["*", "link", "c"]), self.one(&["*", "link", "c"]));
            // Labelled gets and supplies, too, in half of the agent types.
            let asks = match self.below(2) {
                0 => {
                    let place = self.one(&["who", "p", "true", "q = 1"]);
                    let (asks, gives) = (self.one(&["x < 2", "true", "K = on"]), self.one(&["!b", "true"]));
                    format!(
                        " + ask: {{{asks}}} GET@({place})(M := x)[b := true] \
                         + give: {{{gives}}} SUPPLY@(any)(K := on, M := x)[x := M]"
                    )
                }
                _ => " + ask: {b & x = 1} *! (p)()[x := 0] + give: {M = 1} c? [b := false]".to_string(),
            };
            let process = format!(
                "{} + hear: {{{hears}}} {here}? [b := true] + tell: {{{tells}}} {there}! (true)(M := x, K := on)[b := false]{asks}",
                self.process(3)
            );
            out += &format!(
                "agent {name}\n  local: x : 0..2, b : bool, link : channel, k : power, who : location\n  init: !b & k = off & who = a1 & {init}\n  \
                 relabel: p <- {p}\n q <- {q}\n  receive-guard: {guard}\n  repeat: {process}\n"
            );
        }
        out += "system = A(a1, true) || A(a2, x = 0 | x = 1) || B(b1, true)\n";
        for _ in 0..2 {
            let o = [
                "sender = a1",
                "M = 1",
                "chan = *",
                "exists(@p)",
                "forall(q = 1)",
                "p2p",
                "producer != b1",
                "K = on",
            ];
            out += &format!("SPEC G <{}> F a1-b\n", self.condition(&o, 2));
        }
        out
    }

    /// A random formula about the agents of [`Random::script`].
    #[allow(dead_code)]
    pub fn formula(&mut self, depth: usize) -> String {
        let atom = [
            "a1-b",
            "b1-x = 1",
            "a1-link = c",
            "a2-x != b1-x",
            "a1-automaton-state = 0",
            "b1-k = on",
            "a1-tell",
            "b1-hear",
            "a2-hear",
            "b1-tell",
            "b1-ask",
            "a1-ask",
            "a2-give",
            "(a1-tell | a2-tell | b1-tell)",
            "!b1-tell",
            "(a1-b -> a1-tell)",
            "(a1-tell = a1-b)",
            "(b1-ask <-> (a1-ask | a2-b))",
            "(b1-tell != b1-b)",
            "enabled(a1-tell)",
            "enabled(b1-ask)",
            "(enabled(b1-tell) & !b1-tell)",
            "(a1-hear & a1-tell)",
            "keep-all",
            "(keep-all | b1-tell)",
            "progress",
        ];
        let seen = ["sender = a1", "M = 1", "chan = *", "exists(@p)", "p2p", "producer != b1"];
        let inner = |random: &mut Random| random.formula(depth - 1);
        match if depth == 0 { 0 } else { self.below(9) } {
            0 => self.one(&atom).to_string(),
            1 => format!("!({})", inner(self)),
            2 => format!("(({}) & ({}))", inner(self), inner(self)),
            3 => format!("(({}) | ({}))", inner(self), inner(self)),
            4 => format!("(F ({}))", inner(self)),
            5 => format!("(G ({}))", inner(self)),
            6 => format!("(({}) U ({}))", inner(self), inner(self)),
            7 => format!("(<{}> ({}))", self.one(&seen), inner(self)),
            _ => format!("([{}] ({}))", self.one(&seen), inner(self)),
        }
    }
}
