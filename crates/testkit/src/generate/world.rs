//! What has been declared so far, and the profile of the system.
//!
//! The profile says how often each kind of unusual construct occurs. If every system had a little of everything, most
//! executions would run into a model error after two steps and nothing deep would ever be compared.

use super::random::Random;

/// The three stores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Environment,
    Attribute,
    Stigmergic,
}

impl Class {
    pub fn arrow(self) -> &'static str {
        match self {
            Class::Environment => "<--",
            Class::Attribute => "<-",
            Class::Stigmergic => "<~",
        }
    }
}

pub(super) struct Var {
    pub name: String,
    pub class: Class,
    /// Array sizes; empty for a scalar.
    pub sizes: Vec<u32>,
}

pub(super) struct AgentKind {
    pub name: &'static str,
    pub count: u32,
    /// Positions in [`World::vars`].
    pub attributes: Vec<usize>,
    /// Positions in [`World::stigmergies`].
    pub stigmergies: Vec<usize>,
}

pub(super) struct Stigmergy {
    pub name: &'static str,
    pub tuples: Vec<Vec<usize>>,
}

/// Percentages, most of them 0 in most systems.
pub(super) struct Profile {
    /// Numbers near the limit of 64 bits.
    pub huge: usize,
    /// Indices that may lie outside.
    pub outside: usize,
    /// `undef` as the initial value.
    pub undef: usize,
    /// Divisors that may be 0.
    pub zero: usize,
    /// Values that are not kept small.
    pub large: usize,
    /// Run-time choices.
    pub choice: usize,
    /// Copies of other agents.
    pub foreign: usize,
    pub array: usize,
    pub parallel: usize,
    pub conditional: usize,
    pub block: usize,
    /// At most this many initial states. The fewer there are, the deeper a search gets.
    pub initial: u64,
    /// Whether expressions are simple and processes intricate.
    pub plain: bool,
    /// Whether the system is nothing but processes: one agent, one variable that changes all the time.
    pub maze: bool,
}

impl Profile {
    fn new(random: &mut Random) -> Profile {
        if random.chance(6) {
            return Profile::storm();
        }
        if random.chance(12) {
            return Profile::maze();
        }
        let plain = random.chance(30);
        let initial = random.pick(&[1, 2, 4, 8, 48]);
        let mut often = |likely: usize, percent: usize| if random.chance(likely) { percent } else { 0 };
        Profile {
            huge: often(10, 6),
            outside: often(20, 10),
            undef: often(30, 20),
            zero: often(30, 15),
            large: often(15, 25),
            choice: often(50, 15),
            foreign: often(50, 15),
            array: often(50, 40),
            parallel: often(if plain { 80 } else { 50 }, 30),
            conditional: often(if plain { 80 } else { 50 }, 30),
            block: often(if plain { 0 } else { 60 }, 30),
            initial,
            plain,
            maze: false,
        }
    }

    /// Everything at once: what matters then is which of several troubles is met first.
    fn storm() -> Profile {
        Profile {
            huge: 12,
            outside: 30,
            undef: 25,
            zero: 40,
            large: 30,
            choice: 30,
            foreign: 25,
            array: 50,
            parallel: 15,
            conditional: 15,
            block: 50,
            initial: 4,
            plain: false,
            maze: false,
        }
    }

    fn maze() -> Profile {
        Profile {
            huge: 0,
            outside: 0,
            undef: 10,
            zero: 0,
            large: 0,
            choice: 0,
            foreign: 0,
            array: 0,
            parallel: 40,
            conditional: 40,
            block: 0,
            initial: 1,
            plain: true,
            maze: true,
        }
    }
}

/// Everything known about the system under construction.
pub(super) struct World {
    pub random: Random,
    pub profile: Profile,
    pub vars: Vec<Var>,
    /// Positions of the environment's variables.
    pub environment: Vec<usize>,
    pub kinds: Vec<AgentKind>,
    pub stigmergies: Vec<Stigmergy>,
    /// External parameters with their values.
    pub parameters: Vec<(&'static str, u32)>,
    /// How many initial states there are so far, at most.
    pub initial: u64,
    /// How many indices are being written, one in the other.
    pub nesting: usize,
    /// Variables that start undefined for some agent.
    pub undefined: Vec<usize>,
    /// Some initialiser overflows. One is enough: which of two is met first is not specified.
    pub overflows: bool,
    /// Two kinds have the same variables and run the same process.
    pub alike: bool,
}

impl World {
    /// With two kinds that are alike, and little trouble: where errors are near, agents cannot change places.
    pub fn alike(seed: u64) -> World {
        let world = World::new(seed);
        let profile =
            Profile { huge: 0, outside: 0, zero: 0, large: 0, plain: true, maze: false, ..world.profile };
        World { alike: true, profile, ..world }
    }

    pub fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        let profile = Profile::new(&mut random);
        World {
            random,
            profile,
            vars: vec![],
            environment: vec![],
            kinds: vec![],
            stigmergies: vec![],
            parameters: vec![],
            initial: 1,
            nesting: 0,
            undefined: vec![],
            overflows: false,
            alike: false,
        }
    }

    /// The number of agents.
    pub fn agents(&self) -> u32 {
        self.kinds.iter().map(|k| k.count).sum()
    }

    /// The stigmergic variables of a stigmergy.
    pub fn shared_in(&self, stigmergy: usize) -> Vec<usize> {
        self.stigmergies[stigmergy].tuples.concat()
    }

    /// The variables that every agent of a kind has.
    pub fn owned(&self, kind: usize) -> Vec<usize> {
        let kind = &self.kinds[kind];
        let shared = kind.stigmergies.iter().flat_map(|&s| self.shared_in(s));
        kind.attributes.iter().copied().chain(shared).collect()
    }

    /// The variables that the agents of all these kinds have.
    pub fn common(&self, kinds: &[usize]) -> Vec<usize> {
        let has = |kind: usize, var: &usize| self.owned(kind).contains(var);
        self.private().into_iter().filter(|var| kinds.iter().all(|&k| has(k, var))).collect()
    }

    /// The kinds that take part in a stigmergy.
    pub fn members(&self, stigmergy: usize) -> Vec<usize> {
        (0..self.kinds.len()).filter(|&k| self.kinds[k].stigmergies.contains(&stigmergy)).collect()
    }

    /// Variables that belong to agents.
    pub fn private(&self) -> Vec<usize> {
        (0..self.vars.len()).filter(|&v| self.vars[v].class != Class::Environment).collect()
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Process,
    /// Also the condition of a `pick`.
    Link,
    Property,
}

/// What an expression can see.
#[derive(Clone)]
pub(super) struct Scope {
    pub place: Place,
    /// The acting agent's variables; in links, those of agent 1.
    pub mine: Vec<usize>,
    /// In links, the variables of agent 2.
    pub theirs: Vec<usize>,
    /// Bound agents and their kinds.
    pub binders: Vec<(String, usize)>,
    pub locals: Vec<String>,
    /// Arrays filled by `pick`, with their length.
    pub picked: Vec<(String, u32)>,
    /// Whether `[a..b]` may stand here.
    pub random: bool,
}

impl Scope {
    pub fn new(place: Place) -> Scope {
        Scope {
            place,
            mine: vec![],
            theirs: vec![],
            binders: vec![],
            locals: vec![],
            picked: vec![],
            random: false,
        }
    }

    /// The same where nothing is random.
    pub fn fixed(&self) -> Scope {
        Scope { random: false, ..self.clone() }
    }

    /// The same where values are assigned.
    pub fn free(&self) -> Scope {
        Scope { random: true, ..self.clone() }
    }
}
