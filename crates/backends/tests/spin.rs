//! Reading Spin's answers strictly: stored answers, whole and damaged, in place of the program.

use swarmcheck_backends::spin::{SpinQuestion, ask};
use swarmcheck_backends::{Ended, Job, NoAnswer, Ran, Reading, Reply, Size, Tools, Trail};
use swarmcheck_ir::UNDEF;

/// Says what was stored, whatever the model.
struct Stored {
    report: String,
    ended: Ended,
    trail: String,
}

impl Tools for Stored {
    fn find(&self, _: &str) -> bool {
        true
    }

    fn put(&mut self, _: &str, _: &str) -> Result<(), String> {
        Ok(())
    }

    fn get(&self, name: &str) -> Result<String, String> {
        Err(format!("{name} was not stored"))
    }

    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        let (output, ended) = match (job.program.as_str(), job.arguments[0].as_str()) {
            ("./pan", _) => (self.report.clone(), self.ended),
            ("spin", "-t") => (self.trail.clone(), Ended::Code(0)),
            _ => (String::new(), Ended::Code(0)),
        };
        Ok(Ran { ended, output, errors: String::new() })
    }
}

/// A search that has found nothing, as version 6.5.2 reports it.
const NOTHING: &str = "
(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
\tnever claim         \t- (none specified)
\tassertion violations\t+
\tcycle checks       \t- (disabled by -DSAFETY)
\tinvalid end states\t+

State-vector 44 byte, depth reached 9, errors: 0
      158 states, stored
      989 states, matched
     1147 transitions (= stored+matched)
       21 atomic steps
hash conflicts:         0 (resolved)

Stats on memory usage (in Megabytes):
   11.419\tequivalent memory usage for states (stored*(State-vector + overhead))
    7.842\tactual memory usage for states (compression: 68.68%)
         \tstate-vector as stored = 38 byte + 28 byte overhead
  128.000\tmemory used for hash table (-w24)
    0.534\tmemory used for DFS stack (-m10000)
  136.338\ttotal actual memory usage

pan: elapsed time 0 seconds
";

const TRAIL: &str =
    "@state\n@cells 1 -2147483647\n@step 3 0\n@state\n@cells 2 5\nspin: trail ends after 4 steps\n";

/// The same with an assertion that is violated.
fn found() -> String {
    let first = "pan:1: assertion violated (x!=2) (at depth 4)\npan: wrote emulation.pml.trail\n";
    format!(
        "{first}{}",
        NOTHING.replace("errors: 0", "errors: 1").replace("\nFull", "Warning: Search not completed\n\nFull")
    )
}

fn asked(report: &str, ended: Ended, trail: &str) -> Result<Reply, NoAnswer> {
    let mut tools = Stored { report: report.to_string(), ended, trail: trail.to_string() };
    ask(&mut tools, &SpinQuestion { model: "", forever: false, width: 2, memory: None })
}

#[track_caller]
fn unreadable(report: &str, ended: Ended, trail: &str) {
    let answer = asked(report, ended, trail);
    assert!(matches!(answer, Err(NoAnswer::Unreadable(_))), "{answer:?}");
}

/// The trail that an answer shows, and what was searched for it.
fn followed(answer: Result<Reply, NoAnswer>) -> Option<(Trail, Size)> {
    match answer {
        Ok(Reply { reading: Reading::Followed(trail), size, .. }) => Some((trail, size)),
        _ => None,
    }
}

const FINE: Ended = Ended::Code(0);

#[test]
fn whole_answers() {
    let size = Size { states: 158, transitions: 1147 };
    assert_eq!(asked(NOTHING, FINE, ""), Ok(Reply { reading: Reading::Holds, who: "Spin", size }));
    let grown = format!("pan: resizing hashtable to -w22..  done\n{NOTHING}");
    assert_eq!(asked(&grown, FINE, ""), Ok(Reply { reading: Reading::Holds, who: "Spin", size }));
    let Some((trail, same)) = followed(asked(&found(), FINE, TRAIL)) else { panic!("no trail") };
    assert_eq!(same, size);
    assert_eq!(trail.states, [vec![1, UNDEF], vec![2, 5]]);
    assert_eq!((trail.steps, trail.attempted, trail.cycle), (vec![(3, 0)], None, None));
}

#[test]
fn the_trail_says_where_it_goes_round_and_what_it_tried() {
    let round = TRAIL.replace("@step", "<<<<<START OF CYCLE>>>>>\n@step");
    let Some((trail, _)) = followed(asked(&found(), FINE, &round)) else { panic!("no trail") };
    assert_eq!(trail.cycle, Some(0));
    let doubted = format!("spin: warning, \"emulation.pml\" is newer than emulation.pml.trail\n{round}");
    let Some((trail, _)) = followed(asked(&found(), FINE, &doubted)) else { panic!("no trail") };
    assert_eq!(trail.cycle, Some(0));
    let tried = TRAIL
        .replace("spin: trail", "@step 1 7\nspin: emulation.pml:9, Error: assertion violated\nspin: trail");
    let Some((trail, _)) = followed(asked(&found(), FINE, &tried)) else { panic!("no trail") };
    assert_eq!(trail.attempted, Some((1, 7)));
    // What comes after the violation is not part of the execution.
    let on = tried.replace("violated\nspin: trail", "violated\n@state\n@cells 1 1\nspin: trail");
    assert_ne!(on, tried);
    let Some((trail, _)) = followed(asked(&found(), FINE, &on)) else { panic!("no trail") };
    assert_eq!((trail.states.len(), trail.attempted), (2, Some((1, 7))));
}

#[test]
fn an_unfinished_search_is_no_verdict() {
    let depth = format!("error: max search depth too small\n{NOTHING}");
    assert!(matches!(asked(&depth, FINE, ""), Err(NoAnswer::Unsupported(_))));
    let memory = format!(
        "pan: reached -DMEMLIM bound\n\t6.28654e+07 bytes used\nhint: to reduce memory, recompile with\n{}",
        NOTHING.replace("\nFull", "Warning: Search not completed\n\nFull")
    );
    assert_eq!(asked(&memory, FINE, ""), Err(NoAnswer::Memory));
    assert_eq!(asked("", Ended::Interrupted, ""), Err(NoAnswer::Stopped));
    assert_eq!(asked("", Ended::TimeLimit, ""), Err(NoAnswer::Stopped));
    unreadable(&NOTHING.replace("\nFull", "Warning: Search not completed\n\nFull"), FINE, "");
    unreadable(NOTHING, Ended::Killed, "");
    unreadable(NOTHING, Ended::Code(1), "");
}

#[test]
fn what_is_not_understood_is_no_verdict() {
    unreadable("", FINE, "");
    unreadable(&format!("{NOTHING}pan: something new\n"), FINE, "");
    unreadable(&NOTHING.replace("assertion violations\t+", "assertion violations\t- (disabled)"), FINE, "");
    unreadable(&NOTHING.replace("Full statespace", "Bit statespace"), FINE, "");
    unreadable(&NOTHING.replace("errors: 0", "errors: 2"), FINE, "");
    unreadable(&NOTHING.replace("errors: 0", "errors: 1"), FINE, TRAIL);
    unreadable(&found().replace("assertion violated", "new kind of error"), FINE, TRAIL);
    unreadable(&found().replace("pan: wrote emulation.pml.trail\n", ""), FINE, TRAIL);
}

#[test]
fn damaged_trails_are_no_counterexamples() {
    unreadable(&found(), FINE, &TRAIL.replace("spin: trail ends after 4 steps\n", ""));
    unreadable(&found(), FINE, &TRAIL.replace("@cells 2 5", "@cells 2"));
    unreadable(&found(), FINE, &TRAIL.replace("@cells 2 5", "@cells 2 5 6"));
    unreadable(&found(), FINE, &TRAIL.replace("@cells 2 5", "@cells 2 x"));
    unreadable(&found(), FINE, &TRAIL.replace("@step 3 0\n", ""));
    unreadable(&found(), FINE, &format!("hello\n{TRAIL}"));
}
