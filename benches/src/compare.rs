//! The same questions for swarmcheck, Spin and stateright.

use crate::checker::Checker;
use crate::figures::{megabytes, short, whole};
use crate::measured::{self, Cost};
use crate::report::line;
use crate::spin::{self, How, Question};
use std::path::{Path, PathBuf};

/// One question that all tools are asked.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The name of the model: of its folder in `examples`, of its file in `benches/spin`, and for stateright.
    pub model: &'static str,
    /// The number of agents.
    pub size: usize,
    /// What is asked, as a word for stateright and people.
    pub question: &'static str,
    /// The property of the LAbS model.
    pub property: &'static str,
    /// What everybody has to answer.
    pub verdict: &'static str,
    /// The states that everybody has to visit without reductions, if all do the same.
    pub states: Option<u64>,
}

const fn task(
    model: &'static str,
    size: usize,
    question: &'static str,
    property: &'static str,
    verdict: &'static str,
    states: Option<u64>,
) -> Task {
    Task { model, size, question, property, verdict, states }
}

/// All of them. The counts are those of `benches/tables/limits.md`.
pub const TASKS: &[Task] = &[
    task("philosophers", 6, "states", "HandsInRange", "holds", Some(83_008)),
    task("philosophers", 7, "states", "HandsInRange", "holds", Some(548_608)),
    task("philosophers", 8, "states", "HandsInRange", "holds", Some(3_624_448)),
    task("philosophers", 6, "deadlock", "NoDeadlock", "violated", None),
    task("philosophers", 7, "deadlock", "NoDeadlock", "violated", None),
    task("philosophers", 8, "deadlock", "NoDeadlock", "violated", None),
    task("leader", 6, "states", "KnownLeader", "holds", Some(17_653)),
    task("leader", 7, "states", "KnownLeader", "holds", Some(124_916)),
    task("leader", 8, "states", "KnownLeader", "holds", Some(1_002_401)),
    task("leader", 6, "elected", "LeaderIs0", "holds", None),
    task("leader", 7, "elected", "LeaderIs0", "holds", None),
    task("leader", 8, "elected", "LeaderIs0", "holds", None),
];

/// The answer of one tool.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The tool and how it was used.
    pub tool: &'static str,
    /// What it says.
    pub verdict: String,
    /// States, transitions, and steps of the counterexample.
    pub counts: [u64; 3],
    /// Processor time before the search.
    pub preparation: f64,
    /// What the search has cost.
    pub cost: Cost,
    /// Whether it must visit every state.
    pub full: bool,
}

/// The tools, as far as they are there.
pub struct Tools {
    /// Ours.
    pub checker: Checker,
    /// The program with stateright's models.
    pub stateright: Option<PathBuf>,
    /// Whether Spin and a C compiler are installed.
    pub spin: bool,
    /// A folder to fill with files.
    pub scratch: PathBuf,
}

impl Tools {
    /// Asks everybody. An entry is missing where a tool is not there.
    pub fn ask(&self, task: &Task) -> Vec<Result<Entry, String>> {
        let mut entries = vec![];
        if self.spin {
            entries.push(self.spin(task, "Spin, every state", How::Full));
            // Spin refuses to search breadth-first where a model has hidden variables, as that of the leader has.
            if task.model == "philosophers" {
                entries.push(self.spin(task, "Spin, breadth-first", How::Breadth));
            }
            entries.push(self.spin(task, "Spin, partial order", How::Reduced));
        }
        if let Some(program) = &self.stateright {
            entries.push(self.stateright(task, program));
        }
        entries.push(self.ours(task, "swarmcheck, every state", true));
        entries.push(self.ours(task, "swarmcheck, reductions", false));
        entries
    }

    fn ours(&self, task: &Task, tool: &'static str, full: bool) -> Result<Entry, String> {
        let checker = Checker { unreduced: full, ..self.checker.clone() };
        let file = format!("{0}/{0}.labs", task.model);
        let answer = checker.ask(&file, &format!("n={}", task.size), "", task.property);
        if !["holds", "violated"].contains(&answer.verdict.as_str()) {
            return Err(format!("{tool}: {}: {}", answer.verdict, answer.evidence));
        }
        let steps = if answer.verdict == "violated" { answer.depth } else { 0 };
        let counts = [answer.states, answer.transitions, steps];
        Ok(Entry { tool, verdict: answer.verdict, counts, preparation: 0.0, cost: answer.cost, full })
    }

    fn spin(&self, task: &Task, tool: &'static str, how: How) -> Result<Entry, String> {
        let path = self.checker.root.join("benches/spin").join(format!("{}.pml", task.model));
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let question = match task.question {
            "states" => Question::States,
            "deadlock" => Question::Deadlock,
            _ => Question::Formula,
        };
        let text = instance(task.size) + &text;
        // A table of the right size, where that is known.
        let bits = task.states.map_or(20, |states| states.ilog2() + 1);
        let said = spin::check(&text, question, how, bits, &self.scratch, self.checker.limit)
            .map_err(|why| format!("{tool}: {why}"))?;
        Ok(Entry {
            tool,
            verdict: said.verdict,
            // Spin counts the initial state as a transition.
            counts: [said.states, said.transitions.saturating_sub(1), said.steps],
            preparation: said.preparation,
            cost: said.cost,
            full: how != How::Reduced,
        })
    }

    fn stateright(&self, task: &Task, program: &Path) -> Result<Entry, String> {
        let tool = "stateright";
        let arguments = [task.model, &task.size.to_string(), task.question].map(String::from);
        let run = measured::run(program.as_os_str(), &arguments, &self.scratch, self.checker.limit)
            .map_err(|e| format!("{tool}: {e}"))?;
        let words: Vec<&str> = run.output.split_whitespace().collect();
        let [verdict, counts @ ..] = words.as_slice() else {
            return Err(format!("{tool}: exit {:?}: {}", run.code, run.errors));
        };
        let count = |i: usize| counts.get(i).and_then(|c| c.parse().ok()).unwrap_or(0);
        let counts = [count(0), count(1), count(2)];
        Ok(Entry { tool, verdict: verdict.to_string(), counts, preparation: 0.0, cost: run.cost, full: true })
    }
}

/// The definitions of an instance for Spin.
fn instance(size: usize) -> String {
    let list =
        |item: fn(usize) -> String, between: &str| (0..size).map(item).collect::<Vec<_>>().join(between);
    format!(
        "#define N {size}\n#define RANKS {{ {} }}\n#define ELECTED ({} == 0)\n",
        list(|i| i.to_string(), ", "),
        list(|i| format!("leader[{i}]"), " + ")
    )
}

/// What is wrong with an answer, if anything.
pub fn complaint(task: &Task, entry: &Entry) -> Option<String> {
    if entry.verdict != task.verdict {
        return Some(format!("{}: {}, must be {}", entry.tool, entry.verdict, task.verdict));
    }
    let expected = task.states.filter(|s| entry.full && *s != entry.counts[0])?;
    Some(format!("{}: {} states, must be {}", entry.tool, whole(entry.counts[0]), whole(expected)))
}

/// The answers to one task as a Markdown table. Ratios are to our search of every state.
pub fn table(task: &Task, entries: &[Result<Entry, String>]) -> String {
    let ours = entries.iter().flatten().find(|e| e.tool == "swarmcheck, every state").map(|e| e.cost);
    let ratio = |mine: f64, unit: Option<f64>| unit.map_or(String::new(), |u| short(mine / u));
    let mut out = format!("## {} {}, {}\n\n", task.model, task.size, task.question);
    out += "| tool | verdict | states | transitions | counterexample (steps) | prepare (CPU s) | search (CPU s) | \
            times ours | MB | times ours |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for entry in entries {
        out += &match entry {
            Err(why) => {
                let (tool, why) = why.split_once(": ").unwrap_or(("", why));
                let first = why.lines().next().unwrap_or("no answer");
                line(
                    [tool, first]
                        .iter()
                        .map(|cell| cell.to_string())
                        .chain((2..10).map(|_| String::new()))
                        .collect(),
                )
            }
            Ok(e) => line(vec![
                e.tool.to_string(),
                e.verdict.clone(),
                whole(e.counts[0]),
                whole(e.counts[1]),
                if e.verdict == "violated" { whole(e.counts[2]) } else { String::new() },
                if e.preparation > 0.0 { short(e.preparation) } else { String::new() },
                short(e.cost.cpu),
                ratio(e.cost.cpu, ours.map(|o| o.cpu.max(0.001))),
                megabytes(e.cost.memory),
                ratio(e.cost.memory as f64, ours.map(|o| o.memory as f64)),
            ]),
        };
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_written_out() {
        assert_eq!(
            instance(3),
            "#define N 3\n#define RANKS { 0, 1, 2 }\n#define ELECTED (leader[0] + leader[1] + leader[2] == 0)\n"
        );
    }

    #[test]
    fn differences_are_noticed() {
        let task = &TASKS[0];
        let entry = Entry { tool: "T", verdict: "holds".into(), counts: [1, 0, 0], ..Entry::default() };
        assert_eq!(complaint(task, &entry), None, "reductions may leave out states");
        let entry = Entry { full: true, ..entry };
        assert_eq!(complaint(task, &entry).unwrap(), "T: 1 states, must be 83,008");
        let entry = Entry { verdict: "violated".into(), ..entry };
        assert_eq!(complaint(task, &entry).unwrap(), "T: violated, must be holds");
    }
}
