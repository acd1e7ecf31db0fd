//! The one table of commands and options: the command line is built from it, and so is `docs/command-line.md`.

/// A command.
pub struct Command {
    /// What the user types.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// What it takes besides options.
    pub arguments: &'static [Argument],
    /// Its options, by name in [`OPTIONS`].
    pub options: &'static [&'static str],
    /// Command lines with what they do.
    pub examples: &'static [(&'static str, &'static str)],
}

/// A positional argument.
pub struct Argument {
    /// Its name in the help.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// Whether there can be several.
    pub many: bool,
}

/// An option.
pub struct Opt {
    /// Without the dashes.
    pub name: &'static str,
    /// A one-letter form.
    pub short: Option<char>,
    /// The name of its value; `None` for a switch.
    pub value: Option<&'static str>,
    /// The values it may have; empty for any.
    pub choices: &'static [&'static str],
    /// What it does.
    pub help: &'static str,
}

const FILE: Argument = Argument {
    name: "FILE",
    help: "the model, a .labs, .ccs, .chor or .rcp file; - reads a LAbS model from standard input",
    required: true,
    many: false,
};
const PARAMETERS: Argument = Argument {
    name: "PARAMETERS",
    help: "values for the model's external parameters, as in n=5 or _n=5; several may be joined by commas",
    required: false,
    many: true,
};

const COMPARED: &str = "a model without parameters; FILE.ccs:NAME for a process of it, FILE.chor:choreography for the choreography itself; or \
     a transition system in a .aut file";

/// All commands, in the order of the help.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "check",
        about: "Read a model and report everything that is wrong with it",
        arguments: &[FILE, PARAMETERS],
        options: &["json"],
        examples: &[
            ("swarmcheck check examples/leader/leader.labs n=3", "report errors and warnings"),
            (
                "swarmcheck check examples/leader/leader.labs n=3 --json",
                "the same as data, for editors and scripts",
            ),
        ],
    },
    Command {
        name: "show",
        about: "Show a model in another shape: its triple structures or its emulation program",
        arguments: &[FILE, PARAMETERS],
        options: &["as", "fair", "semantics", "choice"],
        examples: &[
            ("swarmcheck show examples/leader/leader.labs n=3 --as triples", "one line per action"),
            (
                "swarmcheck show examples/leader/leader.labs n=3 --as emulation",
                "the sequential program of the papers",
            ),
            ("swarmcheck show examples/leader/leader.labs n=3 --as dot", "a drawing for Graphviz' dot"),
        ],
    },
    Command {
        name: "simulate",
        about: "Run a model at random, or step by step",
        arguments: &[FILE, PARAMETERS],
        options: &[
            "steps",
            "runs",
            "seed",
            "fair",
            "semantics",
            "choice",
            "interactive",
            "walk",
            "trace-format",
            "trace-file",
            "timeout",
        ],
        examples: &[
            ("swarmcheck simulate examples/leader/leader.labs n=3", "one random run"),
            (
                "swarmcheck simulate examples/leader/leader.labs n=3 --steps 100 --runs 5 --seed 7",
                "five runs that anybody can repeat",
            ),
            ("swarmcheck simulate examples/leader/leader.labs n=3 --runs 1000 --quiet", "statistics only"),
            (
                "swarmcheck simulate examples/leader/leader.labs n=3 --trace-format json --trace-file run.json",
                "a trace for 'swarmcheck replay'",
            ),
            (
                "swarmcheck simulate examples/leader/leader.labs n=3 --interactive",
                "choose every step yourself",
            ),
            (
                "swarmcheck simulate examples/leader/leader.labs n=3 --walk run.json",
                "walk along a stored trace, look around, and leave it where you like",
            ),
        ],
    },
    Command {
        name: "verify",
        about: "Decide the properties of a model: holds, violated or unknown, with evidence",
        arguments: &[FILE, PARAMETERS],
        options: &[
            "property",
            "fair",
            "semantics",
            "choice",
            "steps@verify",
            "deadlock",
            "ignore-deadlock",
            "engine",
            "backend",
            "translate-cex",
            "cross-check",
            "depth",
            "witness",
            "threads",
            "memory",
            "timeout",
            "json",
            "trace-format",
            "trace-file",
            "certificate",
            "no-reductions",
            "no-ranges",
            "no-fold",
            "no-slice",
            "no-stale",
            "no-dead",
            "no-symmetry",
            "no-data-symmetry",
            "no-order",
            "no-packed",
            "hash-bits",
        ],
        examples: &[
            ("swarmcheck verify examples/leader/leader.labs n=5", "decide every property of the file"),
            (
                "swarmcheck verify examples/flock/flock.labs birds=3 grid=5 delta=5 --fair --property Consensus",
                "one property, under the round-robin schedule",
            ),
            (
                "swarmcheck verify examples/boids/aw.labs birds=3 grid=10 delta=13 --fair --steps 12",
                "executions of exactly 12 steps",
            ),
            (
                "swarmcheck verify examples/formation/formation.labs n=3 size=10 range=2 --engine ic3 --property OnTheLine",
                "prove by an invariant, whatever the number of states",
            ),
            (
                "swarmcheck verify examples/philosophers/philosophers.labs n=5 --deadlock",
                "look for deadlocks",
            ),
            (
                "swarmcheck verify examples/leader/leader.labs n=3 --backend spin",
                "let Spin decide, and replay what it finds",
            ),
            (
                "swarmcheck verify examples/leader/leader.labs n=8 --no-reductions --json",
                "every single state, and the answers as data",
            ),
        ],
    },
    Command {
        name: "lts",
        about: "Write the states and steps of a model as a labelled transition system",
        arguments: &[FILE, PARAMETERS],
        options: &["as@lts", "output", "minimise", "fair", "semantics", "choice", "memory", "timeout"],
        examples: &[
            ("swarmcheck lts examples/leader/leader.labs n=3 -o leader.aut", "Aldebaran, for CADP and mCRL2"),
            (
                "swarmcheck lts examples/leader/leader.labs n=3 --minimise strong",
                "the smallest system with the same behaviour",
            ),
            ("swarmcheck lts examples/approx/approx.labs yes=1 no=2 --as dot", "a drawing for Graphviz' dot"),
        ],
    },
    Command {
        name: "export",
        about: "Write a model in the language of another tool",
        arguments: &[FILE, PARAMETERS],
        options: &[
            "to",
            "property@export",
            "output@export",
            "steps@export",
            "fair",
            "semantics",
            "choice",
            "memory",
            "timeout",
        ],
        examples: &[
            (
                "swarmcheck export examples/leader/leader.labs n=3 --to emulation",
                "the sequential program of the papers, as swarmcheck prints it",
            ),
            (
                "swarmcheck export examples/leader/leader.labs n=3 --to c-run -o leader.c",
                "a random simulator in C",
            ),
            (
                "swarmcheck export examples/leader/leader.labs n=3 --to aut -o leader.aut",
                "all states and steps",
            ),
            (
                "swarmcheck export examples/leader/leader.labs n=3 --property LeaderIs0 --to aiger -o leader.aig",
                "the question about a property, for a model checker of circuits",
            ),
        ],
    },
    Command {
        name: "compare",
        about: "Say whether two models behave alike, and what tells them apart if not",
        arguments: &[
            Argument { name: "FIRST", help: COMPARED, required: true, many: false },
            Argument { name: "SECOND", help: COMPARED, required: true, many: false },
        ],
        options: &["by", "json", "memory", "timeout"],
        examples: &[
            (
                "swarmcheck compare examples/alternating-bit/abp.ccs examples/alternating-bit/abp.ccs:Spec",
                "an implementation and its specification, both in one file",
            ),
            (
                "swarmcheck compare examples/commit/free.ccs examples/commit/forced.ccs --by trace",
                "only what can be seen, in which order",
            ),
        ],
    },
    Command {
        name: "realize",
        about: "Say whether the peers of a choreography do what it says: no deadlock, and the same traces",
        arguments: &[Argument {
            name: "FILE",
            help: "a choreography, a .chor file",
            required: true,
            many: false,
        }],
        options: &["json", "memory", "timeout"],
        examples: &[
            ("swarmcheck realize examples/stock/stock.chor", "board and broker may take different branches"),
            ("swarmcheck realize examples/stock/safe.chor", "they cannot any more"),
        ],
    },
    Command {
        name: "replay",
        about: "Check a stored trace, step by step, against the rules of the language",
        arguments: &[Argument { name: "TRACE", help: "a trace in JSON", required: true, many: false }],
        options: &["model"],
        examples: &[
            ("swarmcheck replay run.json", "the model is the file the trace names"),
            ("swarmcheck replay run.json --model leader.labs", "or another one"),
        ],
    },
    Command {
        name: "certify",
        about: "Check a stored proof on the model, with another solver than the one that has found it",
        arguments: &[Argument { name: "CERTIFICATE", help: "a proof in JSON", required: true, many: false }],
        options: &["model", "timeout"],
        examples: &[
            ("swarmcheck certify proof.json", "the model is the file the proof names"),
            ("swarmcheck certify proof.json --model leader.labs", "or another one"),
        ],
    },
    Command {
        name: "completions",
        about: "Print a completion script for a shell",
        arguments: &[Argument {
            name: "SHELL",
            help: "bash, zsh, fish, elvish or powershell",
            required: true,
            many: false,
        }],
        options: &[],
        examples: &[("swarmcheck completions bash > swarmcheck.bash", "then source that file")],
    },
];

/// Options that every command takes.
pub const GLOBAL: &[&str] = &["quiet", "verbose", "color"];

/// All options.
pub const OPTIONS: &[Opt] = &[
    Opt { name: "json", short: None, value: None, choices: &[], help: "Print findings as one JSON document" },
    Opt {
        name: "as",
        short: None,
        value: Some("SHAPE"),
        choices: &["triples", "dot", "emulation", "peers"],
        help: "The shape to show; 'peers' is for choreographies [default: triples]",
    },
    Opt {
        name: "steps",
        short: Some('s'),
        value: Some("N"),
        choices: &[],
        help: "Stop a run after N steps [default: 100]",
    },
    Opt { name: "runs", short: Some('r'), value: Some("N"), choices: &[], help: "Make N runs [default: 1]" },
    Opt {
        name: "seed",
        short: None,
        value: Some("N"),
        choices: &[],
        help: "Start the random generator from N; the same seed gives the same runs on any machine \
               [default: a new one, which is printed]",
    },
    Opt {
        name: "fair",
        short: None,
        value: None,
        choices: &[],
        help: "Round-robin: agents act in circular order; messages are delivered at any time",
    },
    Opt {
        name: "semantics",
        short: None,
        value: Some("WHICH"),
        choices: &["sliver", "paper"],
        help: "What a confirmation does to an agent whose timestamp is equal: nothing (sliver), or make it \
               propagate (paper) [default: sliver]",
    },
    Opt {
        name: "choice",
        short: None,
        value: Some("WHEN"),
        choices: &["late", "early"],
        help: "When one of several alternatives is chosen: by the action that is taken (late), or already when the \
               action before it ends (early), for comparison with tools that do so [default: late]",
    },
    Opt {
        name: "interactive",
        short: Some('i'),
        value: None,
        choices: &[],
        help: "List the possible steps and ask which one to take",
    },
    Opt {
        name: "walk",
        short: None,
        value: Some("TRACE"),
        choices: &[],
        help: "Interactively, along a trace in JSON: n takes its next step; the model and its options must be those of the trace",
    },
    Opt {
        name: "trace-format",
        short: None,
        value: Some("FORMAT"),
        choices: &["text", "json", "itf"],
        help: "How to write traces [default: text]",
    },
    Opt {
        name: "trace-file",
        short: Some('o'),
        value: Some("PATH"),
        choices: &[],
        help: "Write traces to a file instead of standard output",
    },
    Opt {
        name: "certificate",
        short: None,
        value: Some("PATH"),
        choices: &[],
        help: "Write proofs of properties that hold to a file, for 'swarmcheck certify'; kind and ic3 have them",
    },
    Opt {
        name: "timeout",
        short: None,
        value: Some("SECONDS"),
        choices: &[],
        help: "Stop after so many seconds, say what was found, and exit with 124",
    },
    Opt {
        name: "model",
        short: None,
        value: Some("FILE"),
        choices: &[],
        help: "Use this model instead of the one that the file names",
    },
    Opt {
        name: "to",
        short: None,
        value: Some("TARGET"),
        choices: &[
            "emulation",
            "c",
            "c-run",
            "c-cbmc",
            "c-esbmc",
            "c-svcomp",
            "c-flat",
            "lnt",
            "lnt-parallel",
            "mcl",
            "promela",
            "smv",
            "aiger",
            "btor2",
            "aut",
            "dot",
        ],
        help: "The language to write [default: emulation]",
    },
    Opt {
        name: "property@export",
        short: Some('p'),
        value: Some("NAME"),
        choices: &[],
        help: "The property to write along [default: the only one, where there is one only]",
    },
    Opt {
        name: "output@export",
        short: Some('o'),
        value: Some("PATH"),
        choices: &[],
        help: "Write to a file, or into a directory where there are several, instead of standard output",
    },
    Opt {
        name: "steps@export",
        short: Some('s'),
        value: Some("B"),
        choices: &[],
        help: "Only executions of B steps, for targets that can say so",
    },
    Opt {
        name: "property",
        short: Some('p'),
        value: Some("NAME"),
        choices: &[],
        help: "Only this property; may be given several times, or as a list with commas [default: all]",
    },
    Opt {
        name: "steps@verify",
        short: Some('s'),
        value: Some("B"),
        choices: &[],
        help: "Only executions of B steps: 'always' within B steps, 'eventually' at some point within B steps, 'finally' \
               after exactly B steps [default: all executions]",
    },
    Opt {
        name: "deadlock",
        short: None,
        value: None,
        choices: &[],
        help: "Also check that some step is possible in every reachable state",
    },
    Opt {
        name: "ignore-deadlock",
        short: None,
        value: None,
        choices: &[],
        help: "Excuse executions that stop: they do not violate 'eventually', and for 'fairly' and 'fairly_inf' a state \
               from which one can get stuck is excused",
    },
    Opt {
        name: "engine",
        short: None,
        value: Some("ENGINE"),
        choices: swarmcheck_portfolio::table::WORDS,
        help: "Who decides: whoever is first (auto), or one engine alone: visit every state (explicit), visit those of a program that knows less, which can only prove (abstract), or write the \
               program as a formula and search executions of growing length (bmc), prove by induction (kind), find an \
               invariant (ic3), or hold sets of states as decision diagrams (bdd) [default: auto]",
    },
    Opt {
        name: "cross-check",
        short: None,
        value: None,
        choices: &[],
        help: "Ask every engine that can answer, one after the other, and fail if two disagree",
    },
    Opt {
        name: "backend",
        short: None,
        value: Some("PROGRAM"),
        choices: &["spin", "nuxmv", "cbmc", "esbmc", "cseq", "cadp", "cpachecker"],
        help: "Let another verifier decide, which must be installed; what it shows is replayed here, and what it only claims \
               is unknown. cbmc and cseq need --steps",
    },
    Opt {
        name: "translate-cex",
        short: None,
        value: Some("FILE"),
        choices: &[],
        help: "With --backend: do not run the verifier, but read the counterexample it has written to this file: what it \
               prints, for cadp a diagnostic in Aldebaran format, for cpachecker a test harness",
    },
    Opt {
        name: "depth",
        short: None,
        value: Some("N"),
        choices: &[],
        help: "With bmc and kind, also in the race: give up after executions of N steps, where --steps does not say how many count",
    },
    Opt {
        name: "witness",
        short: None,
        value: Some("FILE"),
        choices: &[],
        help: "Decide by what another model checker found about an exported question: an AIGER or BTOR2 witness, or what ABC's \
               write_cex writes",
    },
    Opt {
        name: "threads",
        short: Some('t'),
        value: Some("N"),
        choices: &[],
        help: "Search with N threads; answers, counts and traces are the same for any number [default: one per core]",
    },
    Opt {
        name: "memory",
        short: None,
        value: Some("SIZE"),
        choices: &[],
        help: "Stop when states need more than this, as in 800M or 8G [default: three quarters of what is free]",
    },
    Opt {
        name: "no-reductions",
        short: None,
        value: None,
        choices: &[],
        help: "Visit every state of the model: switch off all reductions below except --no-ranges and --no-packed",
    },
    Opt {
        name: "no-ranges",
        short: None,
        value: None,
        choices: &[],
        help: "Do not work out the ranges of variables; states then take more memory",
    },
    Opt {
        name: "no-fold",
        short: None,
        value: None,
        choices: &[],
        help: "Do not replace by a constant what the ranges show to be constant, nor move quantifiers of predicates inwards",
    },
    Opt {
        name: "no-slice",
        short: None,
        value: None,
        choices: &[],
        help: "Do not leave out variables and messages that cannot influence the property",
    },
    Opt {
        name: "no-stale",
        short: None,
        value: None,
        choices: &[],
        help: "Do not drop messages that inform nobody",
    },
    Opt {
        name: "no-dead",
        short: None,
        value: None,
        choices: &[],
        help: "Do not reset variables that are written before they are read again",
    },
    Opt {
        name: "no-symmetry",
        short: None,
        value: None,
        choices: &[],
        help: "Do not take states for equal that differ only in who is who",
    },
    Opt {
        name: "no-data-symmetry",
        short: None,
        value: None,
        choices: &[],
        help: "Do not take states for equal that differ only by mirrored values or exchanged variables",
    },
    Opt {
        name: "no-order",
        short: None,
        value: None,
        choices: &[],
        help: "Do not fix an order for steps that do not depend on each other",
    },
    Opt {
        name: "no-packed",
        short: None,
        value: None,
        choices: &[],
        help: "Unpack every state before anything is done to it; the same states, more time",
    },
    Opt {
        name: "hash-bits",
        short: None,
        value: Some("N"),
        choices: &[],
        help: "Use only N bits of hashes, to test that collisions do no harm [default: 64]",
    },
    Opt {
        name: "as@lts",
        short: None,
        value: Some("FORMAT"),
        choices: &["aut", "dot"],
        help: "The format to write [default: aut]",
    },
    Opt {
        name: "output",
        short: Some('o'),
        value: Some("PATH"),
        choices: &[],
        help: "Write to a file instead of standard output",
    },
    Opt {
        name: "minimise",
        short: None,
        value: Some("UP-TO"),
        choices: &["strong", "branching", "divbranching"],
        help: "Merge states with the same behaviour; for 'branching' and 'divbranching' (which keeps endless invisible \
               behaviour apart) messages are invisible",
    },
    Opt {
        name: "by",
        short: None,
        value: Some("RELATION"),
        choices: &["strong", "branching", "weak", "trace"],
        help: "What it is to behave alike [default: branching]",
    },
    Opt {
        name: "quiet",
        short: Some('q'),
        value: None,
        choices: &[],
        help: "Print results only: no traces, no progress, no warnings",
    },
    Opt {
        name: "verbose",
        short: Some('v'),
        value: None,
        choices: &[],
        help: "Say more about what is being done",
    },
    Opt {
        name: "color",
        short: None,
        value: Some("WHEN"),
        choices: &["auto", "always", "never"],
        help: "Colours: only on a terminal, always, or never [default: auto]",
    },
];

impl Opt {
    /// What the user types after the dashes: one option may have different meanings for different commands.
    pub fn long(&self) -> &'static str {
        self.name.split('@').next().unwrap_or(self.name)
    }
}

/// The option with this name.
pub fn option(name: &str) -> Option<&'static Opt> {
    OPTIONS.iter().find(|o| o.name == name)
}

/// `docs/command-line.md` as the table has it.
pub fn manual() -> String {
    let mut out = String::from(
        "# The command line\n\n<!-- Generated from crates/session/src/options.rs; a test compares. -->\n",
    );
    for command in COMMANDS {
        let words: Vec<String> = command
            .arguments
            .iter()
            .map(|a| match (a.required, a.many) {
                (true, _) => a.name.to_string(),
                (_, true) => format!("[{}...]", a.name),
                _ => format!("[{}]", a.name),
            })
            .collect();
        out += &format!("\n## swarmcheck {}\n\n{}.\n\n", command.name, command.about);
        out += &format!("    swarmcheck {} {} [OPTIONS]\n\n", command.name, words.join(" "));
        for a in command.arguments {
            out += &format!("- `{}`: {}.\n", a.name, a.help);
        }
        for name in command.options {
            out += &described(name);
        }
        out += "\n| example | what it does |\n|---|---|\n";
        for (line, what) in command.examples {
            out += &format!("| `{line}` | {what} |\n");
        }
    }
    out += "\n## Options of every command\n\n";
    GLOBAL.iter().for_each(|name| out += &described(name));
    out
}

fn described(name: &str) -> String {
    let Some(o) = option(name) else { return String::new() };
    let short = o.short.map_or(String::new(), |c| format!("-{c}, "));
    let value = o.value.map_or(String::new(), |v| format!(" {v}"));
    let choices =
        if o.choices.is_empty() { String::new() } else { format!(" One of: {}.", o.choices.join(", ")) };
    format!("- `{short}--{}{value}`: {}.{choices}\n", o.long(), o.help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_a_command_is_in_the_table_and_used() {
        let used: Vec<&str> = COMMANDS.iter().flat_map(|c| c.options).chain(GLOBAL).copied().collect();
        assert!(used.iter().all(|name| option(name).is_some()), "{used:?}");
        assert!(OPTIONS.iter().all(|o| used.contains(&o.name)));
    }
}
