//! Names in C: those of the model, made into identifiers that collide with nothing.
//!
//! Variables of agents are called `x_of`, global ones `the_x`, emulation functions `step_f` and locals `x_`: so no name
//! of a model can be a word of C, a macro, or a function that compilers know.

pub(super) use crate::naming::block_comment as comment;
use std::collections::BTreeSet;
use swarmcheck_ir::cells::indices;
use swarmcheck_ir::{KindId, Local, LocalId, Program, Var, VarId};

/// The names of a program.
pub(super) struct Names {
    vars: Vec<String>,
    /// Array-free: the cells of each variable that some agent has, by their coordinates.
    cells: Vec<Vec<(Vec<u32>, String)>>,
    functions: Vec<String>,
    bound: Vec<String>,
}

impl Names {
    pub(super) fn new(program: &Program, array_free: bool) -> Names {
        let mut taken = BTreeSet::new();
        let vars = program.vars.iter().map(|var| match var.owners {
            Some(_) => unique(&mut taken, format!("{}_of", identifier(&var.name))),
            None => unique(&mut taken, format!("the_{}", identifier(&var.name))),
        });
        let vars: Vec<String> = vars.collect();
        let functions = program.functions.iter();
        let functions =
            functions.map(|f| unique(&mut taken, format!("step_{}", identifier(&f.name)))).collect();
        let mut cells = vec![];
        for (var, name) in program.vars.iter().zip(&vars).filter(|_| array_free) {
            let mut called = |at: Vec<u32>| {
                let name = at.iter().fold(name.clone(), |name, i| format!("{name}_{i}"));
                // A scalar is called what its variable is called.
                let name = if at.is_empty() { name } else { unique(&mut taken, name) };
                (at, name)
            };
            cells.push(coordinates(program, var).into_iter().map(&mut called).collect());
        }
        let rounds = (0..).map(|n| if n == 0 { String::new() } else { n.to_string() });
        let letters = rounds.flat_map(|n| ('a'..='z').map(move |letter| format!("{letter}{n}")));
        Names { vars, cells, functions, bound: letters.take(program.binders() as usize + 1).collect() }
    }

    /// The name of a variable.
    pub(super) fn var(&self, var: VarId) -> &str {
        &self.vars[var.0 as usize]
    }

    /// The names of the cells of a variable, where each has its own.
    pub(super) fn cells(&self, var: VarId) -> &[(Vec<u32>, String)] {
        self.cells.get(var.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The name of an emulation function.
    pub(super) fn function(&self, function: usize) -> &str {
        &self.functions[function]
    }

    /// The name of a bound agent.
    pub(super) fn bound(&self, bound: u32) -> String {
        self.bound.get(bound as usize).cloned().unwrap_or_else(|| format!("agent_{bound}"))
    }

    /// The names of the locals of a function: one for each cell of each.
    pub(super) fn locals(&self, locals: &[Local]) -> Vec<Vec<String>> {
        let mut taken = BTreeSet::new();
        let mut one = |local: &Local| {
            let name = format!("{}_", identifier(&local.name));
            let name = if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                name
            } else {
                format!("local{name}")
            };
            match local.length {
                None => vec![unique(&mut taken, name)],
                Some(n) => (0..n).map(|i| unique(&mut taken, format!("{name}{i}_"))).collect(),
            }
        };
        locals.iter().map(&mut one).collect()
    }
}

/// The name with everything that C does not allow in identifiers replaced.
pub(super) fn identifier(name: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(fits).collect()
}

/// All cells of a variable that some agent has: the agent first, if it is an agent's, then the indices.
fn coordinates(program: &Program, var: &Var) -> Vec<Vec<u32>> {
    let owners: Vec<Vec<u32>> = match &var.owners {
        None => vec![vec![]],
        Some(owners) => {
            let agents = ranges(program, owners).into_iter().flat_map(|(first, end)| first..end);
            agents.map(|agent| vec![agent]).collect()
        }
    };
    let cells = || (0..var.cells() as u32).map(|place| indices(&var.dimensions, place));
    owners.iter().flat_map(|owner| cells().map(|at| [&owner[..], &at].concat())).collect()
}

/// The name, or the name with a number. What is called like a local, with an underscore at the end, stays so.
fn unique(taken: &mut BTreeSet<String>, name: String) -> String {
    let mut candidate = name.clone();
    let mut next = 2;
    while !taken.insert(candidate.clone()) {
        candidate = if name.ends_with('_') { format!("{name}{next}_") } else { format!("{name}_{next}") };
        next += 1;
    }
    candidate
}

/// A string of C. A program that prints it steers no terminal.
pub(super) fn string(text: &str) -> String {
    let one = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        '?' => "\\?".to_string(),
        c => c.to_string(),
    };
    format!("\"{}\"", crate::naming::line_comment(text).chars().map(one).collect::<String>())
}

/// The agents of some kinds as ranges with the end excluded, in order; neighbours are one range.
pub(super) fn ranges(program: &Program, kinds: &[KindId]) -> Vec<(u32, u32)> {
    let kinds = kinds.iter().map(|k| program.kind(*k)).filter(|k| k.count > 0);
    let mut all: Vec<(u32, u32)> = kinds.map(|k| (k.first, k.first + k.count)).collect();
    all.sort_unstable();
    let mut out: Vec<(u32, u32)> = vec![];
    for (first, end) in all {
        match out.last_mut() {
            Some(last) if last.1 == first => last.1 = end,
            _ => out.push((first, end)),
        }
    }
    out
}

/// The condition that an agent is in one of the ranges; `None` if every agent is.
pub(super) fn among(agent: &str, ranges: &[(u32, u32)], agents: u32) -> Option<String> {
    if ranges == [(0, agents)] {
        return None;
    }
    let one = |&(first, end): &(u32, u32)| match (first, end) {
        (first, end) if end == first + 1 => format!("{agent} == {first}"),
        (0, end) => format!("{agent} < {end}"),
        (first, end) if end == agents => format!("{agent} >= {first}"),
        (first, end) => format!("({agent} >= {first} && {agent} < {end})"),
    };
    match ranges {
        [] => Some("0".to_string()),
        ranges => Some(ranges.iter().map(one).collect::<Vec<_>>().join(" || ")),
    }
}

/// Whether a word stands in a text of C.
pub(super) fn mentions(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c: char| !inside(c)).any(|found| found == word)
}

/// The names of the cells of a local.
pub(super) fn cells(names: &[Vec<String>], local: LocalId) -> &[String] {
    names.get(local.0 as usize).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_model_cannot_end_a_comment_or_a_string() {
        assert_eq!(comment("a */ b /* c\n d"), "a * / b / * c  d");
        assert_eq!(string("say \"a\\b\""), "\"say \\\"a\\\\b\\\"\"");
        assert_eq!(identifier("order.dirX"), "order_dirX");
    }

    #[test]
    fn agents_by_ranges() {
        assert_eq!(among("a", &[(0, 3)], 3), None);
        assert_eq!(among("a", &[(0, 2), (4, 5)], 6).as_deref(), Some("a < 2 || a == 4"));
        assert_eq!(among("a", &[], 6).as_deref(), Some("0"));
    }
}
