//! The back ends: one row for each, with what all of them are asked about in the same way.

use crate::question::BackendQuestion;
use crate::{NoAnswer, Reply, Tools, Unreadable, c, cadp, nuxmv, spin};
use serde::{Deserialize, Serialize};
use swarmcheck_export::File;

/// A verifier of other people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    Spin,
    Nuxmv,
    Cbmc,
    Esbmc,
    Cseq,
    Cadp,
    Cpachecker,
}

/// What is known of a back end before it is asked.
pub struct Entry {
    pub backend: Backend,
    /// The word that `--backend` takes.
    pub word: &'static str,
    /// What its authors call it.
    pub title: &'static str,
    /// The targets of `export` that write what it reads, in the order in which they may refuse.
    pub targets: &'static [&'static str],
    /// The programs that must be installed: of each group one, the preferred one first.
    pub programs: &'static [&'static [&'static str]],
    /// How to get a group of programs that is missing.
    pub missing: fn(&Entry, &[&str]) -> String,
    /// Whether it is asked about deadlocks.
    pub deadlocks: bool,
    /// Whether it can say something about executions of any length.
    pub unbounded: bool,
    /// What it does about executions that stop and are to be excused.
    pub stops: Stops,
    pub(crate) dialogue: &'static dyn Dialogue,
}

/// What executions that stop are for a back end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stops {
    /// They count, in every question.
    Count,
    /// They count in questions about executions of any length, invariants excepted.
    CountForever,
}

/// How a verifier is asked and read.
pub(crate) trait Dialogue: Sync {
    /// Asks it. `files` are what each target has written, and `programs` the installed ones, group by group.
    fn ask(
        &self,
        question: &BackendQuestion<'_>,
        files: &[Vec<File>],
        programs: &[&'static str],
        tools: &mut dyn Tools,
    ) -> Result<Reply, NoAnswer>;

    /// Reads a counterexample, or an answer, that was kept elsewhere.
    fn read(&self, question: &BackendQuestion<'_>, found: &str) -> Result<Reply, Unreadable>;
}

/// All back ends, in the order of the help.
pub static BACKENDS: &[Entry] = &[
    Entry {
        backend: Backend::Spin,
        word: "spin",
        title: "Spin",
        targets: &["promela"],
        programs: &[&["spin"], &["cc"]],
        missing: |_, group| {
            let program = group[0];
            let package = if program == "cc" { "gcc" } else { program };
            format!(
                "the program '{program}' is not installed: on Debian and Ubuntu, run 'apt install {package}'"
            )
        },
        deadlocks: true,
        unbounded: true,
        stops: Stops::Count,
        dialogue: &spin::Spin,
    },
    Entry {
        backend: Backend::Nuxmv,
        word: "nuxmv",
        title: "nuXmv",
        targets: &["smv"],
        programs: &[&["nuXmv", "NuSMV", "nusmv"]],
        missing: |_, _| {
            "neither nuXmv nor NuSMV is installed: get one of them from nuxmv.fbk.eu or nusmv.fbk.eu"
                .to_string()
        },
        deadlocks: true,
        unbounded: true,
        stops: Stops::Count,
        dialogue: &nuxmv::Smv,
    },
    Entry {
        backend: Backend::Cbmc,
        word: "cbmc",
        title: "CBMC",
        targets: &["c-cbmc"],
        programs: &[&["cbmc"]],
        missing: |entry, group| missing(entry, group, "github.com/diffblue/cbmc"),
        deadlocks: false,
        unbounded: false,
        stops: Stops::CountForever,
        dialogue: &c::cbmc::VERIFIER,
    },
    Entry {
        backend: Backend::Esbmc,
        word: "esbmc",
        title: "ESBMC",
        targets: &["c-esbmc"],
        programs: &[&["esbmc"]],
        missing: |entry, group| missing(entry, group, "esbmc.org"),
        deadlocks: false,
        unbounded: true,
        stops: Stops::CountForever,
        dialogue: &c::esbmc::VERIFIER,
    },
    Entry {
        backend: Backend::Cseq,
        word: "cseq",
        title: "CSeq",
        targets: &["c-cbmc"],
        programs: &[&["cseq.py", "cseq"]],
        missing: |entry, group| missing(entry, group, "github.com/omainv/cseq"),
        deadlocks: false,
        unbounded: false,
        stops: Stops::CountForever,
        dialogue: &c::cseq::VERIFIER,
    },
    Entry {
        backend: Backend::Cadp,
        word: "cadp",
        title: "CADP",
        targets: &["mcl", "lnt"],
        programs: &[&["lnt.open"], &["bcg_io"]],
        missing: |_, group| {
            format!(
                "CADP is not installed (no program '{}'; get it from cadp.inria.fr, with a licence): an export to \
                 LNT and one to MCL are what it reads",
                group[0]
            )
        },
        deadlocks: false,
        unbounded: true,
        stops: Stops::Count,
        dialogue: &cadp::Cadp,
    },
    Entry {
        backend: Backend::Cpachecker,
        word: "cpachecker",
        title: "CPAchecker",
        targets: &["c-svcomp"],
        programs: &[&["cpachecker", "cpa.sh"]],
        missing: |entry, group| missing(entry, group, "cpachecker.sosy-lab.org"),
        deadlocks: false,
        unbounded: true,
        stops: Stops::CountForever,
        dialogue: &c::cpachecker::VERIFIER,
    },
];

/// How to get a verifier of C programs.
fn missing(entry: &Entry, group: &[&str], whence: &str) -> String {
    format!(
        "{} is not installed (no program '{}'; get it from {whence}): an export to {} is what it reads, \
         and what it writes can be translated into a trace",
        entry.title,
        group.join("' or '"),
        entry.targets[0]
    )
}

impl Backend {
    /// Its row. There is one for each; a test compares.
    pub fn entry(self) -> &'static Entry {
        BACKENDS.iter().find(|entry| entry.backend == self).unwrap_or(&BACKENDS[0])
    }

    /// The word that stands for it.
    pub fn name(self) -> &'static str {
        self.entry().word
    }

    /// The back end that a word stands for.
    pub fn named(word: &str) -> Option<Backend> {
        BACKENDS.iter().find(|entry| entry.word == word).map(|entry| entry.backend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_export::TARGETS;

    /// The enumeration has seven members; the words on the wire are those of the table.
    #[test]
    fn every_back_end_has_a_row_and_one_word() {
        use Backend::{Cadp, Cbmc, Cpachecker, Cseq, Esbmc, Nuxmv, Spin};
        let all = [Spin, Nuxmv, Cbmc, Esbmc, Cseq, Cadp, Cpachecker];
        assert_eq!(BACKENDS.iter().map(|entry| entry.backend).collect::<Vec<_>>(), all);
        for entry in BACKENDS {
            assert_eq!(serde_json::to_value(entry.backend).unwrap(), entry.word);
            assert_eq!(Backend::named(entry.word), Some(entry.backend));
            for target in entry.targets {
                assert!(TARGETS.iter().any(|known| known.name == *target), "{target}");
            }
        }
    }
}
