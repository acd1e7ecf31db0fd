//! What several tests need: specifications from text, and their transition systems by two independent ways.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use swarmcheck_calculi::lower::Lowered;
use swarmcheck_calculi::rules::Rules;
use swarmcheck_ccs::{Specification, check, lower};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};
use swarmcheck_explicit::labelled::explore;
use swarmcheck_lts::{Builder, Lts};

/// A specification without errors.
pub fn read(text: &str) -> Specification {
    let (spec, found) = check(text, None);
    spec.unwrap_or_else(|| panic!("{text}\n{found:?}"))
}

/// By the rules, term after term; `None` if there are more terms than `most`.
#[allow(dead_code)]
pub fn by_rules(spec: &Specification, most: usize) -> Option<Lts> {
    let mut numbers = BTreeMap::from([(spec.start(), 0)]);
    let mut todo = vec![spec.start()];
    let mut builder = Builder::new();
    builder.at_least(1);
    while let Some(term) = todo.pop() {
        for (label, next) in spec.steps(&term) {
            let fresh = numbers.len() as u32;
            let number = *numbers.entry(next.clone()).or_insert(fresh);
            if number == fresh {
                todo.push(next);
            }
            builder.step(numbers[&term], &label, number);
        }
        if numbers.len() > most {
            return None;
        }
    }
    Some(builder.finish(0))
}

/// By the emulation program.
#[allow(dead_code)]
pub fn by_triples(spec: &Specification) -> Lts {
    let Lowered { program, labels } = lower::lower(spec, false).expect("triples");
    swarmcheck_ir::validate::validate(&program).expect("a valid program");
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let found = explore(&program, &control).expect("a system");
    let mut builder = Builder::new();
    builder.at_least(found.states);
    for (from, instance, to) in &found.steps {
        builder.step(*from, &labels[instance.function as usize], *to);
    }
    builder.finish(0)
}
