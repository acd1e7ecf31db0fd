//! BTOR2 files as constrained Horn clauses in SMT-LIB, which Z3 decides: no packaged program reads BTOR2 itself.
//!
//! Our files have one sort, single bits, and ten words. The states that can be reached are a relation; it contains the initial state, it is
//! closed under steps, and no bad state is in it. There is such a relation, which Z3 calls `sat`, exactly if no bad state can be reached.

use std::fmt::Write;

/// The clauses, or the line that is not understood.
pub fn clauses(btor2: &str) -> Result<String, String> {
    let (mut inputs, mut states, mut next, mut bad) = (vec![], vec![], vec![], vec![]);
    let mut gates = String::new();
    let mut depth = 0;
    for line in btor2.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, "sort", "bitvec", "1"] => {}
            [n, "input", "1", ..] => inputs.push(format!("n{n}")),
            [n, "state", "1", ..] => states.push(format!("n{n}")),
            // All states begin with 0; the line 2 is that.
            [_, "init", "1", _, "2"] => {}
            [_, "next", "1", state, to] => next.push((format!("n{state}"), format!("n{to}"))),
            [_, "bad", n] => bad.push(format!("n{n}")),
            [n, ref operation @ ..] => {
                let term = match *operation {
                    ["zero", "1"] => "false".to_string(),
                    ["not", "1", a] => format!("(not n{a})"),
                    ["and", "1", a, b] => format!("(and n{a} n{b})"),
                    _ => return Err(line.to_string()),
                };
                let _ = write!(gates, "(let ((n{n} {term})) ");
                depth += 1;
            }
            [] => {}
        }
    }
    let after = |state: &String| next.iter().find(|(name, _)| name == state).map(|(_, to)| to.clone());
    let after: Option<Vec<String>> = states.iter().map(after).collect();
    let after = after.ok_or("a state has no line that says what it is next")?;
    let bools = vec!["Bool"; states.len()].join(" ");
    let all: String = states.iter().chain(&inputs).map(|name| format!("({name} Bool)")).collect();
    let close = ")".repeat(depth);
    let mut out = format!("(set-logic HORN)\n(declare-fun reached ({bools}) Bool)\n");
    let _ = writeln!(out, "(assert (reached {}))", vec!["false"; states.len()].join(" "));
    let here = format!("(reached {})", states.join(" "));
    let _ =
        writeln!(out, "(assert (forall ({all}) {gates}(=> {here} (reached {})){close}))", after.join(" "));
    let _ = writeln!(
        out,
        "(assert (forall ({all}) {gates}(=> (and {here} (or {} false)) false){close}))",
        bad.join(" ")
    );
    Ok(out + "(check-sat)\n")
}

/// A counter of two bits that stops at 2: 3 is not reached, 2 is.
#[test]
fn a_counter_as_clauses() {
    let counter = |bad: &str| {
        format!(
            "1 sort bitvec 1\n2 zero 1\n3 state 1 low\n4 init 1 3 2\n5 state 1 high\n6 init 1 5 2\n7 not 1 3\n8 not 1 5\n\
             9 and 1 7 8\n10 and 1 3 8\n11 and 1 7 5\n12 not 1 10\n13 not 1 11\n14 and 1 12 13\n15 not 1 14\n16 and 1 3 5\n\
             17 next 1 3 9\n18 next 1 5 15\n19 bad {bad}\n"
        )
    };
    for (bad, said) in [("16", "sat"), ("11", "unsat")] {
        let text = clauses(&counter(bad)).unwrap();
        assert_eq!(text.matches("(assert").count(), 3, "{text}");
        assert_eq!(text.matches('(').count(), text.matches(')').count(), "{text}");
        if crate::common::tool("Z3", "z3") {
            let file = crate::common::scratch(&format!("counter-{bad}.smt2"), text.as_bytes());
            let output = std::process::Command::new("z3").arg(file).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), said, "{text}");
        }
    }
    assert!(clauses("1 sort bitvec 1\n2 zero 1\n3 add 1 2 2\n").is_err());
}
