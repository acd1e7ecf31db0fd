//! Declarations: parameters, kinds, variables, stigmergies, and initial values.

use super::world::{AgentKind, Class, Stigmergy, Var, World};

impl World {
    /// Decides what there is. Nothing is written yet.
    pub fn declare(&mut self) {
        if self.random.chance(30) {
            self.parameters.push(("n", self.random.between(1, 2) as u32));
        }
        self.declare_kinds();
        if self.profile.maze {
            let var = self.add("e0".to_string(), Class::Environment);
            self.environment.push(var);
            return;
        }
        for at in 0..self.random.below(3) {
            let var = self.add(format!("e{at}"), Class::Environment);
            self.environment.push(var);
        }
        let attributes: Vec<usize> =
            (0..self.random.below(4)).map(|at| self.add(format!("x{at}"), Class::Attribute)).collect();
        // Every attribute belongs to some kind: its owner, and most of the other kinds.
        for var in attributes {
            let owner = self.random.below(self.kinds.len());
            for kind in 0..self.kinds.len() {
                if kind == owner || self.alike || self.random.chance(60) {
                    self.kinds[kind].attributes.push(var);
                }
            }
        }
        self.declare_stigmergies();
    }

    fn declare_kinds(&mut self) {
        let names = ["Ant", "Bee"];
        let (some, many) = (if self.profile.maze { 0 } else { 5 }, if self.profile.plain { 0 } else { 4 });
        let total = self.random.weighted(&[(2, 1), (some, 2), (many, 3)]);
        let total = if self.alike { self.random.between(2, 3) as u32 } else { total };
        let first = match self.random.below(10) {
            _ if total == 1 => 1,
            0..5 if self.alike => total - 1,
            0..5 => total,
            _ => self.random.between(1, total as usize - 1) as u32,
        };
        let mut counts = vec![first];
        if first < total || self.random.chance(8) {
            counts.push(total - first);
        }
        for (name, count) in names.into_iter().zip(counts) {
            self.kinds.push(AgentKind { name, count, attributes: vec![], stigmergies: vec![] });
        }
    }

    fn declare_stigmergies(&mut self) {
        let names = ["Left", "Right"];
        let count = self.random.weighted(&[(3, 0), (6, 1), (2, 2)]);
        for name in &names[..count] {
            let mut tuples = vec![];
            for _ in 0..self.random.between(1, 2) {
                let tuple: Vec<usize> = (0..self.random.between(1, 2))
                    .map(|_| self.add(format!("s{}", self.vars.len()), Class::Stigmergic))
                    .collect();
                tuples.push(tuple);
            }
            self.stigmergies.push(Stigmergy { name, tuples });
        }
        for kind in 0..self.kinds.len() {
            let joined = (0..count).filter(|_| self.alike || self.random.chance(85)).collect();
            self.kinds[kind].stigmergies = joined;
        }
    }

    fn add(&mut self, name: String, class: Class) -> usize {
        let mut sizes = vec![];
        if self.random.chance(self.profile.array) {
            sizes.push(self.random.between(1, 3) as u32);
            if self.random.chance(30) {
                sizes.push(self.random.between(1, 2) as u32);
            }
        }
        self.vars.push(Var { name, class, sizes });
        self.vars.len() - 1
    }

    /// `x[sizes]`, as it is declared.
    pub fn declared(&mut self, var: usize) -> String {
        let sizes: Vec<String> = self.vars[var].sizes.clone().iter().map(|s| self.constant(*s)).collect();
        let sizes = match sizes.as_slice() {
            [] => String::new(),
            all if self.random.chance(70) => format!("[{}]", all.join(", ")),
            all => all.iter().map(|s| format!("[{s}]")).collect(),
        };
        format!("{}{sizes}", self.vars[var].name)
    }

    /// A constant expression with this value.
    pub fn constant(&mut self, value: u32) -> String {
        let parameter = self.parameters.iter().find(|(_, v)| *v == value).map(|(name, _)| format!("_{name}"));
        match (self.random.below(10), parameter) {
            (0..5, Some(name)) => name,
            (5, _) => format!("{} - 1", value + 1),
            (6, _) => format!("max({value}, 0)"),
            _ => value.to_string(),
        }
    }

    /// The initial values of a variable that this many agents have.
    pub fn init(&mut self, var: usize, copies: u32) -> String {
        let shared = self.vars[var].class == Class::Environment;
        let cells = self.vars[var].sizes.iter().product::<u32>() * copies;
        if self.random.chance(self.profile.undef) {
            self.undefined.push(var);
            return "undef".to_string();
        }
        let options = self.random.weighted(&[(6, 1u64), (3, 2), (1, 3)]);
        let grown = options.checked_pow(cells).and_then(|n| n.checked_mul(self.initial));
        let Some(grown) = grown.filter(|n| options > 1 && *n <= self.profile.initial) else {
            return self.one_value(shared);
        };
        self.initial = grown;
        let low = self.random.below(2) as u64;
        if self.profile.zero > 0 && self.profile.huge == 0 && self.random.chance(3) {
            // No number lies between 0 and ⊥: there is no initial state, and an error elsewhere may go unnoticed.
            return format!("0..{options} / 0");
        }
        match self.random.below(8) {
            0 | 1 => format!("{low}..{}", low + options),
            2 => format!("[{low}..{}]", low + options),
            3 if !shared => format!("id..id + {options}"),
            4 if !shared => format!("[id % 2..id % 2 + {options}]"),
            kind => {
                let values: Vec<String> = (0..options).map(|_| self.one_value(shared)).collect();
                let values = values.join(", ");
                if kind == 5 { format!("[{values}]") } else { format!("{{{values}}}") }
            }
        }
    }

    fn one_value(&mut self, shared: bool) -> String {
        let small = self.random.below(3);
        match self.random.below(24) {
            0 => format!("-{}", small + 1),
            1 => format!("7 : {}", small + 1),
            2 if self.profile.zero > 0 => format!("{small} / 0"),
            3 if self.profile.huge > 0 && !self.overflows => {
                self.overflows = small > 0;
                format!("9223372036854775807 + {small}")
            }
            4 if self.profile.huge > 0 => "9223372036854775806".to_string(),
            5..9 if !shared => "id".to_string(),
            9 if !shared => "(id + 1) % 2".to_string(),
            10 if !shared => "if id = 0 then 1 else 2".to_string(),
            11 => format!("min({small}, 1) + 1"),
            _ => small.to_string(),
        }
    }
}
