//! Traces and certificates: JSON that says which of the small models it is about, and is checked on it.

use super::{WORKER, models, text};
use crate::Target;
use crate::seeds::From;
use swarmcheck_session::{Trouble, certificate, explain, replay};

pub const TRACE: Target = Target {
    name: "trace",
    about: "traces: read, replayed, explained",
    run: trace,
    from: From { endings: &[], crates: &[], corpus: &[] },
    words: &[
        "\"steps\"",
        "\"initial\"",
        "\"agent\"",
        "\"writes\"",
        "\"variable\"",
        "\"value\"",
        "\"kind\"",
        "\"rule\"",
        "\"what\"",
        "\"loop\"",
        "\"cycle\"",
        "\"model\"",
        "\"a.labs\"",
        "\"b.ccs\"",
        "\"c.chor\"",
        "\"d.rcp\"",
        "null",
        "true",
        "false",
        "[]",
        "{}",
        "\"reach\"",
        "\"property\"",
        "\"parameters\"",
        "\"seed\"",
        "\"choice\"",
        "\"early\"",
        "\"paper\"",
        "\"fair\"",
        "\"sync\"",
    ],
    usual: 1600,
    stack: WORKER,
};

pub const CERTIFICATE: Target = Target {
    name: "certificate",
    about: "certificates: read and checked",
    run: certified,
    from: From { endings: &[], crates: &[], corpus: &[] },
    words: &[
        "\"proofs\"",
        "\"clauses\"",
        "\"kind\"",
        "\"invariant\"",
        "\"induction\"",
        "\"states\"",
        "\"integers\"",
        "\"words\"",
        "\"layout\"",
        "\"bits\"",
        "\"property\"",
        "\"model\"",
        "\"a.labs\"",
        "\"b.ccs\"",
        "\"c.chor\"",
        "\"d.rcp\"",
        "null",
        "true",
        "false",
        "[]",
        "{}",
        "\"fairness\"",
        "\"weak\"",
        "\"strong\"",
        "\"ignore_deadlock\"",
        "\"every\"",
        "\"reductions\"",
    ],
    usual: 900,
    stack: WORKER,
};

fn trace(input: &[u8]) {
    let text = text(input);
    let Ok(trace) = replay::read(&text) else { return };
    let (name, model) = models::named(&text);
    if let Err(Trouble::Internal(why)) = replay::replay(&trace, name, model.as_bytes()) {
        panic!("internal error: {why}");
    }
    if let Err(Trouble::Internal(why)) = explain::explain_as(&trace, None, name, model.as_bytes(), None) {
        panic!("internal error: {why}");
    }
}

fn certified(input: &[u8]) {
    let text = text(input);
    let Ok(data) = certificate::read(&text) else { return };
    let (name, model) = models::named(&text);
    if let Err(Trouble::Internal(why)) =
        certificate::check(&data, name, model.as_bytes(), &super::host::control())
    {
        panic!("internal error: {why}");
    }
}
