//! What the article says about its example (section 4).

mod common;

use common::read;
use swarmcheck_rcheck::automaton::{Edge, automaton};
use swarmcheck_rcheck::model::Agent;
use swarmcheck_rcheck::reference::Interpreter;

const RESOURCES: &str = include_str!("../../../examples/rcheck-resources/resources.rcp");

fn edges(agent: &Agent) -> Vec<(u32, String, u32)> {
    let of = |edge: &Edge| (edge.from, agent.commands[edge.command].words.clone(), edge.to);
    automaton(agent).edges.iter().map(of).collect()
}

fn named(edges: &[(u32, &str, u32)]) -> Vec<(u32, String, u32)> {
    edges.iter().map(|(from, name, to)| (*from, name.to_string(), *to)).collect()
}

/// Figure 6: definition 3 applied by hand to figures 3 to 5; fresh states are counted as they are needed.
#[test]
fn structure_automata_of_the_example() {
    let spec = read(RESOURCES);
    let client = [
        (0, "sReserve", 1),
        (0, "rReserve", 1),
        (1, "sRequest", 2),
        (2, "rConnect", 3),
        (3, "sRelease", 4),
        (4, "sBuy", 5),
        (5, "sSolve", 0),
        (5, "rSolve", 0),
        (1, "rRelease", 0),
    ];
    assert_eq!(edges(&spec.agents[0]), named(&client));
    // The loop returns to the state where the choice begins, so `rConnect` can still follow.
    let manager =
        [(0, "rRequest", 1), (1, "sForward", 2), (2, "rConnect", 0), (2, "rFull", 3), (3, "sRequest", 2)];
    assert_eq!(edges(&spec.agents[1]), named(&manager));
    let machine = [
        (0, "rForward", 1),
        (1, "sConnect", 0),
        (1, "sFull", 0),
        (1, "rConnect", 0),
        (1, "rFull", 0),
        (0, "rBuy", 0),
    ];
    assert_eq!(edges(&spec.agents[2]), named(&machine));
}

/// The first steps as section 4 and figure 8 tell them: somebody reserves and all other clients disconnect from `c`; the
/// request reaches the manager alone; the forwarded request connects the two machines of the first group.
#[test]
fn the_first_steps_of_the_example() {
    let spec = read(RESOURCES);
    let oracle = Interpreter::new(&spec);
    let initial = oracle.initial();
    assert_eq!(initial.len(), 1);
    let names = |steps: &[swarmcheck_rcheck::reference::Step]| {
        let name = |s: &swarmcheck_rcheck::reference::Step| {
            let received: Vec<&str> =
                s.received.iter().map(|(j, _)| spec.instances[*j].name.as_str()).collect();
            let command = &spec.agent_of(s.agent).commands[s.command].words;
            format!("{}:{command} to {}", spec.instances[s.agent].name, received.join(" "))
        };
        steps.iter().map(name).collect::<Vec<_>>()
    };
    let first = oracle.steps(&initial[0]);
    assert_eq!(
        names(&first),
        [
            "client1:sReserve to client2 client3",
            "client2:sReserve to client1 client3",
            "client3:sReserve to client1 client2"
        ]
    );
    let second = oracle.steps(&first[1].after);
    assert_eq!(names(&second), ["client2:sRequest to manager"]);
    let third = oracle.steps(&second[0].after);
    assert_eq!(names(&third), ["manager:sForward to machine1 machine2"]);
}
