//! Links and arrows compared with predicates that are written down here again, and with traces.

use super::super::picture;
use super::{open, traces};
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_engine::trace::data::{TraceData, WriteData};
use swarmcheck_picture::data::{Arrow, Links, Picture};

/// The values of all scalars of all agents after each number of steps.
fn values(trace: &TraceData) -> Vec<BTreeMap<(u32, String), i64>> {
    let mut now = BTreeMap::new();
    let mut set = |writes: &[WriteData]| {
        for write in writes {
            if let (Some(agent), Some(value)) = (write.agent, write.value) {
                now.insert((agent, write.variable.clone()), value);
            }
        }
        now.clone()
    };
    std::iter::once(set(&trace.initial))
        .chain(trace.steps.iter().map(|step| set(&step.writes)).collect::<Vec<_>>())
        .collect()
}

/// The pairs that are linked after each number of steps, from the changes.
fn linked(links: &Links, steps: usize) -> Vec<BTreeSet<(u32, u32)>> {
    let mut now: BTreeSet<(u32, u32)> = links.initial.iter().copied().collect();
    let mut out = vec![now.clone()];
    for step in 1..=steps {
        for change in links.changes.iter().filter(|change| change.step as usize == step) {
            assert!(change.made.iter().all(|pair| now.insert(*pair)), "made twice");
            assert!(change.broken.iter().all(|pair| now.remove(pair)), "broken twice");
        }
        out.push(now.clone());
    }
    out
}

/// The same by a predicate of two agents in a state.
fn expected(
    states: &[BTreeMap<(u32, String), i64>],
    agents: u32,
    is: impl Fn(&dyn Fn(&str) -> i64, &dyn Fn(&str) -> i64) -> bool,
) -> Vec<BTreeSet<(u32, u32)>> {
    let pairs: Vec<(u32, u32)> =
        (0..agents).flat_map(|a| (0..agents).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
    let holds = |state: &BTreeMap<(u32, String), i64>, (a, b): &(u32, u32)| {
        let of = |agent: u32| move |name: &str| state[&(agent, name.to_string())];
        is(&of(*a), &of(*b))
    };
    states.iter().map(|state| pairs.iter().copied().filter(|pair| holds(state, pair)).collect()).collect()
}

/// Messages reach exactly those who are linked with the sender before the step; an arrow is idle if it wrote nothing there and
/// made nobody answer.
fn check_messages(
    picture: &Picture,
    trace: &TraceData,
    tuples: &[&str],
    linked: &[BTreeSet<(u32, u32)>],
) -> (usize, usize) {
    let (mut idle, mut busy) = (0, 0);
    assert_eq!(picture.chart.len(), trace.steps.len());
    for (number, (row, step)) in picture.chart.iter().zip(&trace.steps).enumerate() {
        assert_eq!(row.agent, Some(step.agent));
        assert_eq!(row.kind, step.rule);
        if step.rule == "action" {
            assert_eq!((row.label.as_str(), &row.arrows[..]), (step.what.as_str(), &[][..]));
            continue;
        }
        assert_eq!(row.label, format!("{} {}", step.rule, step.what));
        if !tuples.contains(&step.what.as_str()) {
            continue;
        }
        let reached: BTreeSet<(u32, u32)> = row.arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
        let meant = linked[number].iter().copied().filter(|(from, _)| *from == step.agent);
        assert_eq!(reached, meant.collect(), "step {}", number + 1);
        for arrow in &row.arrows {
            let wrote = step.writes.iter().any(|write| write.agent == Some(arrow.to));
            let pending = |steps: &[_], at: usize| -> Vec<String> {
                let steps: &[swarmcheck_engine::trace::data::StepData] = steps;
                let own = steps[at].pending.iter().find(|pending| pending.agent == arrow.to);
                own.map(|pending| pending.messages.clone()).unwrap_or_default()
            };
            let before = if number == 0 { vec![] } else { pending(&trace.steps, number - 1) };
            let answers = pending(&trace.steps, number) != before;
            assert_eq!(arrow.idle, !wrote && !answers, "step {}", number + 1);
            *(if arrow.idle { &mut idle } else { &mut busy }) += 1;
        }
    }
    (idle, busy)
}

#[test]
fn birds_see_each_other_within_delta() {
    let text = include_str!("../../../../../examples/flock/flock.labs");
    let prepared = open("flock.labs", text, "birds=4 grid=6 delta=2", false);
    let (mut idle, mut busy) = (0, 0);
    for trace in traces(&prepared, 4, 60) {
        let picture = picture(&prepared, Some(&trace), true).expect("a picture");
        assert_eq!(picture.agents[3].name, "Bird 3");
        let [links] = &picture.links[..] else { panic!("one stigmergy") };
        assert_eq!(links.name, "Alignment");
        let near = expected(&values(&trace), 4, |one, other| {
            let (dx, dy) = (one("x") - other("x"), one("y") - other("y"));
            dx * dx + dy * dy <= 4
        });
        assert_eq!(linked(links, trace.steps.len()), near);
        let counted = check_messages(&picture, &trace, &["dirX"], &near);
        (idle, busy) = (idle + counted.0, busy + counted.1);
    }
    assert!(idle > 20 && busy > 20, "{idle} idle, {busy} not");
}

/// Two stigmergies; one of the predicates is not symmetric.
#[test]
fn robots_hear_one_side_only() {
    let text = include_str!("../../../../../examples/formation/formation.labs");
    let prepared = open("formation.labs", text, "n=4 size=8 range=2", false);
    for trace in traces(&prepared, 3, 60) {
        let picture = picture(&prepared, Some(&trace), false).expect("a picture");
        let states = values(&trace);
        let left = expected(&states, 4, |one, other| (0..=2).contains(&(one("pos") - other("pos"))));
        let right = expected(&states, 4, |one, other| (1..=2).contains(&(other("pos") - one("pos"))));
        let [one, other] = &picture.links[..] else { panic!("two stigmergies") };
        assert_eq!(linked(one, trace.steps.len()), left);
        assert_eq!(linked(other, trace.steps.len()), right);
        check_messages(&picture, &trace, &["idLeft"], &left);
        check_messages(&picture, &trace, &["idRight"], &right);
    }
}

/// With `--sync`, the first of a chain of three is heard by the second, and by the third through the second.
#[test]
fn deliveries_go_along_links() {
    let text = "system { spawn = Node: 3 }
stigmergy Chain { link = id of 2 - id of 1 = 1  item: 0 }
agent Node { stigmergies = Chain  Behavior = id = 0 -> item <~ 7; Nil }
check { Told = finally forall Node n, item of n = 7 }
";
    let prepared = open("chain.labs", text, "", true);
    let trace = traces(&prepared, 1, 1).remove(0);
    let picture = picture(&prepared, Some(&trace), false).expect("a picture");
    let arrow = |from, to| Arrow { from, to, effect: "item = 7".into(), idle: false };
    assert_eq!(picture.chart.len(), 1);
    assert_eq!(picture.chart[0].arrows, [arrow(0, 1), arrow(1, 2)]);
}

#[test]
fn messages_of_rcheck_have_all_their_parts() {
    let resources = include_str!("../../../../../examples/rcheck-resources/resources.rcp");
    let rating = include_str!("../../../../../examples/rcheck-rating/rating.rcp");
    let (mut received, mut refused, mut answered) = (0, 0, 0);
    for (text, count) in [(resources, 6), (rating, 6)] {
        let prepared = open("model.rcp", text, "", false);
        for trace in traces(&prepared, count, 40) {
            let picture = picture(&prepared, Some(&trace), false).expect("a picture");
            assert_eq!(picture.chart.len(), trace.steps.len());
            for (row, step) in picture.chart.iter().zip(&trace.steps) {
                let message = step.message.as_ref().expect("every step is a message");
                let forth: BTreeSet<(u32, bool)> = row
                    .arrows
                    .iter()
                    .filter(|a| a.from == message.by.agent)
                    .map(|a| (a.to, a.idle))
                    .collect();
                let meant = message.received.iter().map(|part| (part.agent, false));
                let meant: BTreeSet<(u32, bool)> =
                    meant.chain(message.refused.iter().map(|one| (one.agent, true))).collect();
                assert_eq!(forth, meant);
                let back: Vec<u32> =
                    row.arrows.iter().filter(|a| a.to == message.by.agent).map(|a| a.from).collect();
                assert_eq!(back.len(), message.answer.iter().count());
                assert_eq!(row.kind, if message.channel.is_some() { "send" } else { "get" });
                assert!(message.channel.iter().all(|channel| row.label.starts_with(channel.as_str())));
                if message.data.is_empty() {
                    assert_eq!(row.label, message.channel.as_deref().unwrap_or("get"));
                }
                received += message.received.len();
                refused += message.refused.len();
                answered += back.len();
            }
        }
    }
    assert!(received > 20 && refused > 0 && answered > 0, "{received}, {refused}, {answered}");
}

/// `Coord = vote.('agree…` and `Worker = 'vote.agree…`: the worker sends the first message, the coordinator the second.
#[test]
fn synchronisations_go_from_output_to_input() {
    let text = include_str!("../../../../../examples/commit/forced.ccs");
    let prepared = open("forced.ccs", text, "", false);
    let trace = traces(&prepared, 1, 2).remove(0);
    let picture = picture(&prepared, Some(&trace), false).expect("a picture");
    let arrows: Vec<(u32, u32)> =
        picture.chart.iter().flat_map(|row| &row.arrows).map(|a| (a.from, a.to)).collect();
    assert_eq!(arrows, [(1, 0), (0, 1)]);
    assert_eq!(picture.chart[0].label, "tau (vote)");
    assert!(picture.chart.iter().all(|row| row.kind == "sync"));
}

/// `bid[bk,mk]` goes from `bk` to `mk`, whoever of the two is said to act.
#[test]
fn communications_go_from_role_to_role() {
    let text = include_str!("../../../../../examples/stock/stock.chor");
    let prepared = open("stock.chor", text, "", false);
    let mut seen = BTreeSet::new();
    for trace in traces(&prepared, 10, 30) {
        let picture = picture(&prepared, Some(&trace), false).expect("a picture");
        let name = |agent: u32| picture.agents[agent as usize].kind.as_str();
        for row in picture.chart.iter().filter(|row| row.kind == "communicate") {
            let [arrow] = &row.arrows[..] else { panic!("one arrow") };
            let (_, peers) = row.label.split_once('[').expect("the label names the peers");
            assert_eq!(peers, format!("{},{}]", name(arrow.from), name(arrow.to)));
            seen.insert((arrow.from, arrow.to));
        }
    }
    assert!(seen.len() > 1, "{seen:?}");
}

/// A trace of another model, or with agents that do not exist, is refused.
#[test]
fn strangers_are_refused() {
    let text = include_str!("../../../../../examples/flock/flock.labs");
    let prepared = open("flock.labs", text, "birds=2 grid=3 delta=1", false);
    let trace = traces(&prepared, 1, 10).remove(0);
    let wrong: [fn(&mut TraceData); 5] = [
        |trace| trace.steps[3].agent = u32::MAX,
        |trace| trace.initial[0].value = Some(i64::MAX),
        |trace| trace.initial.clear(),
        |trace| trace.steps[9].writes.push(WriteData { index: Some(u32::MAX), ..trace.initial[0].clone() }),
        |trace| trace.loop_start = Some(usize::MAX),
    ];
    for change in wrong {
        let mut trace = trace.clone();
        change(&mut trace);
        assert!(picture(&prepared, Some(&trace), true).is_err());
    }
}
