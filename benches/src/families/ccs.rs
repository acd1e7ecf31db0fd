//! Families in CCS: relays, Milner's scheduler, commits side by side, rings of buffers, philosophers.

use super::{Family, each, with_claim};
use crate::checker::DEADLOCK;

/// The families.
pub const FAMILIES: &[Family] = &[
    family("relay-order", "alternating-bit cells in a chain", 1, relay_order, "InOrder", "holds"),
    family("relay-deadlock", "the same", 1, relay, DEADLOCK, "holds"),
    family("relay-forgetful", "the last cell does not alternate", 1, relay_forgetful, "Progress", "violated"),
    family("milner-order", "cells of Milner's scheduler", 2, milner_order, "InOrder", "holds"),
    family("milner-deadlock", "the same", 2, milner, DEADLOCK, "holds"),
    family("milner-hasty", "a cell passes the turn first", 2, milner_hasty, "InOrder", "violated"),
    family("commits-agree", "two-phase commits side by side", 1, commits_agree, "NeverNok", "holds"),
    family("commits-first", "the same, about the first one", 1, commits_first, "OkAgain", "holds"),
    family("commits-deadlock", "the same", 1, commits, DEADLOCK, "holds"),
    family("commits-doubt", "the last worker may disagree", 1, commits_doubt, "NeverNok", "violated"),
    family("ring-deadlock", "one-place buffers in a ring", 2, ring, DEADLOCK, "holds"),
    family("ring-leak", "the last buffer may lose its item", 2, ring_leak, DEADLOCK, "violated"),
    family("philosophers-alike", "philosophers and forks", 2, philosophers_alike, DEADLOCK, "violated"),
    family("philosophers-left", "the last is left-handed", 2, philosophers_left, DEADLOCK, "holds"),
];

const fn family(
    name: &'static str,
    about: &'static str,
    least: usize,
    text: fn(usize) -> String,
    property: &'static str,
    verdict: &'static str,
) -> Family {
    Family { name, ending: "ccs", about, least, text, property, verdict }
}

/// One cell of a relay, as in `examples/alternating-bit`.
const CELL: &str = "\
proc Send0 = accept.Sending0
proc Sending0 = 's0.(ack0.Send1 + ack1.Sending0 + tau.Sending0)
proc Send1 = accept.Sending1
proc Sending1 = 's1.(ack1.Send0 + ack0.Sending1 + tau.Sending1)
proc Receive0 = r0.'deliver.'b0.Receive1 + r1.'b1.Receive0
proc Receive1 = r1.'deliver.'b1.Receive0 + r0.'b0.Receive1
proc There = s0.('r0.There + tau.There) + s1.('r1.There + tau.There)
proc Back = b0.('ack0.Back + tau.Back) + b1.('ack1.Back + tau.Back)
set Inside = {s0, s1, r0, r1, b0, b1, ack0, ack1}
proc Cell = (Send0 | There | Receive0 | Back) \\ Inside
";

/// Cells in a chain, the last of which may be another one. What a cell delivers, the next one accepts, unseen.
fn chain(cells: usize, text: &str, last: &str) -> String {
    let cell = |i: usize| {
        let name = if i == cells { last } else { "Cell" };
        let accept = (i > 1).then(|| format!("c{}/accept", i - 1));
        let deliver = (i < cells).then(|| format!("c{i}/deliver"));
        let names: Vec<String> = accept.into_iter().chain(deliver).collect();
        if names.is_empty() { name.to_string() } else { format!("{name}[{}]", names.join(", ")) }
    };
    let chain = each(cells, " | ", cell);
    let system = match cells {
        1 => chain,
        _ => format!("({chain}) \\ {{{}}}", each(cells - 1, ", ", |i| format!("c{i}"))),
    };
    format!("{CELL}{text}\nsystem = {system}\n")
}

/// There is no deadlock, because the first cell can always do something. If its channel `There` carries a message, the message
/// can be lost. If the channel is empty, the sender can accept, send, or, where it waits for an answer, do `tau`.
fn relay(cells: usize) -> String {
    chain(cells, "", "Cell")
}

/// A cell delivers only what it has received, which was sent, which was accepted. By induction, the first thing that the
/// last cell delivers was accepted by the first one before.
fn relay_order(cells: usize) -> String {
    with_claim(&relay(cells), "InOrder", "accept precedes 'deliver")
}

/// The last sender never says 1. After its first `'deliver` the last receiver waits for a 1, so there is no second one.
/// The first one is possible: all cells before the last are correct.
fn relay_forgetful(cells: usize) -> String {
    let text = "proc Repeat = accept.Repeating\n\
                proc Repeating = 's0.(ack0.Repeat + ack1.Repeating + tau.Repeating)\n\
                proc Forgetful = (Repeat | There | Receive0 | Back) \\ Inside\n";
    with_claim(&chain(cells, text, "Forgetful"), "Progress", "fairly_inf 'deliver")
}

/// The scheduler of Milner's "Communication and Concurrency", section 5.4. Cell i starts its task (`a`), passes the turn (`c` of
/// the next cell), and waits for the end of its task (`b`) and for the turn, in any order. The first cell has the turn.
fn cells(size: usize, hasty: Option<usize>) -> String {
    let cell = |i: usize| {
        let next = i % size + 1;
        let turn = match hasty == Some(i) {
            true => format!("'c{next}.a{i}"),
            false => format!("a{i}.'c{next}"),
        };
        format!(
            "proc Turn{i} = {turn}.Both{i}\nproc Both{i} = b{i}.Wait{i} + c{i}.Busy{i}\n\
             proc Busy{i} = b{i}.Turn{i}\nproc Wait{i} = c{i}.Turn{i}\n"
        )
    };
    let begin = |i: usize| if i == 1 { "Turn1".to_string() } else { format!("Wait{i}") };
    let names = each(size, ", ", |i| format!("c{i}"));
    format!("{}\nsystem = ({}) \\ {{{names}}}\n", each(size, "", cell), each(size, " | ", begin))
}

/// There is no deadlock. Exactly one cell has the turn: it is at `Turn` or `Busy`, or about to pass the turn. `a` and `b` are
/// possible whenever it is their time. To pass the turn needs the next cell, which has not got it and so is at `Both` or `Wait`,
/// where it accepts it.
fn milner(size: usize) -> String {
    cells(size, None)
}

/// The last cell needs the turn to start. The first cell has it, and passes it only after its own start.
fn milner_order(size: usize) -> String {
    with_claim(&milner(size), "InOrder", &format!("a1 precedes a{size}"))
}

/// The last cell but one passes the turn before it starts. It gets the turn after all cells before it have started, passes
/// it, and then the last cell can start first.
fn milner_hasty(size: usize) -> String {
    let last = size - 1;
    with_claim(&cells(size, Some(last)), "InOrder", &format!("a{last} precedes a{size}"))
}

/// Pairs as in `examples/commit/forced.ccs`, except that coordinators start again; the last worker may be another one.
fn pairs(size: usize, last: &str) -> String {
    let pair = |i: usize| {
        let name = if i == size { last } else { "Pair" };
        format!("{name}[ok{i}/ok, nok{i}/nok]")
    };
    format!(
        "proc Coord = vote.('agree.commit.'commit.ok.Coord + 'disagree.rollback.'rollback.nok.Coord)\n\
         proc Worker = 'vote.agree.('commit.commit.Worker + 'rollback.rollback.Worker)\n\
         proc Doubter = 'vote.(agree.'commit.commit.Doubter + disagree.'rollback.rollback.Doubter)\n\
         set Inside = {{agree, commit, disagree, rollback, vote}}\n\
         proc Pair = (Coord | Worker) \\ Inside\n\
         proc DoubtfulPair = (Coord | Doubter) \\ Inside\n\n\
         system = {}\n",
        each(size, " | ", pair)
    )
}

/// There is no deadlock: each pair goes round in a circle of vote, agree, commit, commit, ok.
fn commits(size: usize) -> String {
    pairs(size, "Pair")
}

/// No worker ever offers to disagree, and `nok` comes after that.
fn commits_agree(size: usize) -> String {
    let never = each(size, " or ", |i| format!("nok{i}"));
    with_claim(&commits(size), "NeverNok", &format!("never {never}"))
}

/// The first pair goes round in its circle, whatever the others do.
fn commits_first(size: usize) -> String {
    with_claim(&commits(size), "OkAgain", "fairly_inf ok1")
}

/// The last pair can do vote, disagree, rollback, rollback, nok.
fn commits_doubt(size: usize) -> String {
    let never = each(size, " or ", |i| format!("nok{i}"));
    with_claim(&pairs(size, "DoubtfulPair"), "NeverNok", &format!("never {never}"))
}

/// Buffers with one place. The first half of them is full at first; the first one says when it passes an item on.
fn buffers(size: usize, leak: bool) -> String {
    let buffer = |i: usize| {
        let before = if i == 1 { size } else { i - 1 };
        let says = if i == 1 { "pass." } else { "" };
        let loses = if leak && i == size { format!(" + tau.Empty{i}") } else { String::new() };
        format!("proc Full{i} = {says}'c{i}.Empty{i}{loses}\nproc Empty{i} = c{before}.Full{i}\n")
    };
    let begin = |i: usize| format!("{}{i}", if 2 * i <= size { "Full" } else { "Empty" });
    let names = each(size, ", ", |i| format!("c{i}"));
    format!("{}\nsystem = ({}) \\ {{{names}}}\n", each(size, "", buffer), each(size, " | ", begin))
}

/// There is no deadlock. The number of items stays what it is, at least one and fewer than buffers. So some full buffer is
/// before an empty one, and can pass its item on, the first one perhaps after `pass`.
fn ring(size: usize) -> String {
    buffers(size, false)
}

/// All items can come to the last buffer, one after the other, and be lost there. Then no step is possible.
fn ring_leak(size: usize) -> String {
    buffers(size, true)
}

/// Philosophers between their forks; each takes the fork with its own number first, and the last one perhaps last.
fn philosophers(size: usize, left: bool) -> String {
    let seat = |i: usize| {
        let next = i % size + 1;
        let (first, then) = if left && i == size { (next, i) } else { (i, next) };
        format!(
            "proc Fork{i} = take{i}.put{i}.Fork{i}\n\
             proc Phil{i} = 'take{first}.'take{then}.eat{i}.'put{first}.'put{then}.Phil{i}\n"
        )
    };
    let begin = each(size, " | ", |i| format!("Fork{i} | Phil{i}"));
    let names = each(size, ", ", |i| format!("take{i}, put{i}"));
    format!("{}\nsystem = ({begin}) \\ {{{names}}}\n", each(size, "", seat))
}

/// All take their first fork, and wait for the second one.
fn philosophers_alike(size: usize) -> String {
    philosophers(size, false)
}

/// There is no deadlock, as in `examples/fairness`: everybody takes the fork with the smaller number first. If all waited, the
/// holder of the largest fork that is waited for would wait for a larger one.
fn philosophers_left(size: usize) -> String {
    philosophers(size, true)
}
