//! Random small systems as text: every construct of the language, in every spelling.
//!
//! A system is made from a seed and is the same forever, so a number names it. The text is always accepted by the
//! parser and the checker: a test generator whose systems are refused tests nothing.
//!
//! Values are kept small most of the time, so that a system has tens to thousands of states, not millions: what is
//! compared is exactness, and small systems have all the corners. See `world` for the profiles that decide which
//! corners a system goes for.

mod action;
mod aimed;
mod arena;
mod cond;
mod declare;
mod expr;
mod messages;
mod process;
mod random;
mod starts;
mod text;
mod world;

use world::{Place, Scope, World};

/// The system with this number. Its first line names the values of its parameters; see [`crate::read()`].
pub fn system(seed: u64) -> String {
    written(World::new(seed))
}

/// The system with this number among those with two kinds of agents that have the same variables and run the same
/// process: only their initial values differ.
pub fn alike(seed: u64) -> String {
    written(World::alike(seed))
}

/// The system with this number among those in which values can often be mirrored or variables exchanged.
pub fn arena(seed: u64) -> String {
    arena::written(seed)
}

/// The system with this number among those that are about messages and undefined tuples.
pub fn messages(seed: u64) -> String {
    messages::written(seed)
}

/// The system with this number among those aimed at shared stigmergies, links over state, locks and stored ids.
pub fn aimed(seed: u64) -> String {
    aimed::written(seed)
}

/// The system with this number among those that do nothing but begin, in one of many ways that assumptions leave.
pub fn beginnings(seed: u64) -> String {
    starts::written(seed)
}

fn written(mut world: World) -> String {
    world.declare();
    let values: Vec<String> = world.parameters.iter().map(|(name, v)| format!("{name}={v}")).collect();
    let mut sections = vec![world.system_section()];
    for at in 0..world.stigmergies.len() {
        sections.push(world.stigmergy_section(at));
    }
    let behavior = world.alike || world.random.chance(8);
    let (shared, globals) = world.global_processes(behavior);
    sections[0] += &format!("{shared}}}\n");
    for at in 0..world.kinds.len() {
        let own = !behavior || (!world.alike && world.random.chance(40));
        sections.push(world.agent_section(at, &globals, own));
    }
    if world.random.chance(if world.initial > 1 { 15 } else { 3 }) && !world.overflows {
        let text = world.predicate(1).words;
        sections.push(format!("assume {{\n  Start = {text}\n}}\n"));
    }
    sections.push(world.check_section());
    if world.random.chance(20) {
        sections.reverse();
    }
    let mut text = sections.join("\n");
    if world.random.chance(90) {
        text = without_unused(&text, "Shared");
    }
    let head = if values.is_empty() { String::new() } else { format!("#! {}\n", values.join(" ")) };
    format!("{head}{text}")
}

/// The text without the definitions of such names that are never called. Each definition is one line.
fn without_unused(text: &str, prefix: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        let calls = |name: &str, at: usize| lines[at].contains(name);
        let unused = (0..lines.len()).find(|&at| {
            let name = lines[at].trim_start().split(" =").next().unwrap_or_default();
            name.starts_with(prefix) && !(0..lines.len()).any(|other| other != at && calls(name, other))
        });
        match unused {
            Some(at) => drop(lines.remove(at)),
            None => return lines.join("\n") + "\n",
        }
    }
}

impl World {
    /// `=` or `:` after the name of a part.
    fn part(&mut self, name: &str) -> String {
        let sign = if self.random.chance(75) { " =" } else { ":" };
        format!("  {name}{sign} ")
    }

    /// A separator of declarations.
    fn separator(&mut self) -> &'static str {
        self.random.pick(&["; ", ", ", "\n    ", ";\n    "])
    }

    /// The `system` section, without its global processes and its closing brace.
    fn system_section(&mut self) -> String {
        let mut out = "system {\n".to_string();
        if !self.parameters.is_empty() {
            let names: Vec<String> = self.parameters.iter().map(|(name, _)| format!("_{name}")).collect();
            out += &format!("{}{}\n", self.part("extern"), names.join(", "));
        }
        if !self.environment.is_empty() {
            let separator = self.separator();
            let vars: Vec<String> = (self.environment.clone().iter())
                .map(|&var| format!("{}: {}", self.declared(var), self.init(var, 1)))
                .collect();
            out += &format!("{}{}\n", self.part("environment"), vars.join(separator));
        }
        let separator = self.separator();
        let mut kinds = vec![];
        for at in 0..self.kinds.len() {
            let (name, count) = (self.kinds[at].name, self.kinds[at].count);
            // A kind that is not mentioned has no agents either.
            if count > 0 || self.random.chance(50) {
                kinds.push(format!("{name}: {}", self.constant(count)));
            }
        }
        if self.random.chance(25) {
            kinds.reverse();
        }
        out + &format!("{}{}\n", self.part("spawn"), kinds.join(separator))
    }

    fn stigmergy_section(&mut self, at: usize) -> String {
        let copies: u32 = self.members(at).iter().map(|&k| self.kinds[k].count).sum();
        let mut out = format!("stigmergy {} {{\n", self.stigmergies[at].name);
        let end = self.random.pick(&["\n", ";\n"]);
        out += &format!("{}{}{end}", self.part("link"), self.link(at));
        let separator = self.random.pick(&["\n  ", ";\n  ", "; ", ", "]);
        let mut tuples = vec![];
        for tuple in self.stigmergies[at].tuples.clone() {
            let names: Vec<String> = tuple.iter().map(|&var| self.declared(var)).collect();
            let inits: Vec<String> = tuple.iter().map(|&var| self.init(var, copies)).collect();
            tuples.push(format!("{}: {}", names.join(", "), inits.join(", ")));
        }
        format!("{out}  {}\n}}\n", tuples.join(separator))
    }

    /// Process definitions for all kinds, perhaps with a `Behavior`: they use what all kinds have.
    fn global_processes(&mut self, behavior: bool) -> (String, Vec<String>) {
        let kinds: Vec<usize> = (0..self.kinds.len()).collect();
        let scope = Scope { mine: self.common(&kinds), ..Scope::new(Place::Process) };
        let (mut text, helpers) = self.helpers("Shared", &scope, &[]);
        if behavior {
            let lines = self.behavior(&scope, &helpers);
            text += &self.definitions(lines);
        }
        (text, helpers)
    }

    fn helpers(&mut self, prefix: &str, scope: &Scope, known: &[String]) -> (String, Vec<String>) {
        let mut helpers = known.to_vec();
        let mut lines = vec![];
        let count = self.random.weighted(&[(6, 0), (3, 1), (1, 2)]);
        for at in 0..count {
            let name = format!("{prefix}{at}");
            lines.push(self.helper(&name, scope, &helpers));
            helpers.push(name);
        }
        (self.definitions(lines), helpers)
    }

    fn definitions(&mut self, mut lines: Vec<String>) -> String {
        if self.random.chance(50) {
            lines.reverse();
        }
        let end = self.random.pick(&["\n", ";\n"]);
        lines.iter().map(|line| format!("  {line}{end}")).collect()
    }

    /// An `agent` section, with its own `Behavior` or not.
    fn agent_section(&mut self, at: usize, globals: &[String], behavior: bool) -> String {
        let mut out = format!("agent {} {{\n", self.kinds[at].name);
        if !self.kinds[at].attributes.is_empty() {
            let separator = self.separator();
            let copies = self.kinds[at].count;
            let vars: Vec<String> = (self.kinds[at].attributes.clone().iter())
                .map(|&var| format!("{}: {}", self.declared(var), self.init(var, copies)))
                .collect();
            out += &format!("{}{}\n", self.part("interface"), vars.join(separator));
        }
        if !self.kinds[at].stigmergies.is_empty() {
            let separator = self.separator();
            let names: Vec<&str> =
                self.kinds[at].stigmergies.iter().map(|&s| self.stigmergies[s].name).collect();
            out += &format!("{}{}\n", self.part("stigmergies"), names.join(separator));
        }
        let scope = Scope { mine: self.owned(at), ..Scope::new(Place::Process) };
        let (lines, helpers) = self.helpers("Own", &scope, globals);
        out += &lines;
        if behavior {
            let lines = self.behavior(&scope, &helpers);
            out += &self.definitions(lines);
        }
        if self.random.chance(90) { without_unused(&out, "Own") + "}\n" } else { out + "}\n" }
    }

    fn check_section(&mut self) -> String {
        let mut out = "check {\n".to_string();
        for at in 0..self.random.between(1, 2) {
            let modality = match self.random.below(12) {
                0..4 => "always".to_string(),
                4 => "finally".to_string(),
                5 => "eventually".to_string(),
                6 => "fairly".to_string(),
                7 => "fairly_inf".to_string(),
                8 => format!("after {}", self.random.below(4)),
                9 => self.scoped("between", "and", "always"),
                10 => self.scoped("from", "until", "thereIs"),
                _ => {
                    let first = self.predicate(0).at(7);
                    self.scoped("between", "and", &format!("{first} precedes"))
                }
            };
            out += &format!("  Claim{at} = {modality} {}\n", self.predicate(2).words);
        }
        out + "}\n"
    }

    fn scoped(&mut self, from: &str, to: &str, inside: &str) -> String {
        let (start, end) = (self.predicate(0).words, self.predicate(0).words);
        format!("{from} ({start}) {to} ({end}), {inside}")
    }
}
