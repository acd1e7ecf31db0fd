//! Families of systems that grow with a number: what one adds per step is small, and the whole state space explodes.
//!
//! They are for engines that put a system together from its parts. Each member is a model text with one question. Its answer is
//! the same for all sizes, and the function that writes the text says why.

pub mod agents;
pub mod ccs;

use crate::checker::DEADLOCK;

/// A family with one question about its members.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What tells it from others; files are named after it.
    pub name: &'static str,
    /// What files end in.
    pub ending: &'static str,
    /// What its members are, and what is counted.
    pub about: &'static str,
    /// The smallest member.
    pub least: usize,
    /// The text of the member with this size.
    pub text: fn(usize) -> String,
    /// The name of the property, or [`DEADLOCK`].
    pub property: &'static str,
    /// `holds` or `violated`, for all sizes.
    pub verdict: &'static str,
}

impl Family {
    /// The name of the file with the member of this size.
    pub fn file(&self, size: usize) -> String {
        format!("{}-{size}.{}", self.name, self.ending)
    }

    /// What `verify` must be told to ask the question.
    pub fn options(&self) -> &'static str {
        if self.property == DEADLOCK { "--deadlock" } else { "" }
    }

    /// The sizes to try: 1, 2, 3, 4, 6, 8, 12, 16, 24, …, from the least one on.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + use<> {
        let least = self.least;
        let doubled = (1..usize::BITS - 1).flat_map(|bit| [1 << bit, 3 << (bit - 1)]);
        std::iter::once(1).chain(doubled).filter(move |size| *size >= least)
    }
}

/// All families, in the order of the report.
pub fn all() -> impl Iterator<Item = &'static Family> {
    ccs::FAMILIES.iter().chain(agents::FAMILIES)
}

/// Something for each number up to a size, one after the other.
fn each(size: usize, separator: &str, one: impl Fn(usize) -> String) -> String {
    (1..=size).map(one).collect::<Vec<_>>().join(separator)
}

/// A text with one claim, for the languages that have a section for claims.
fn with_claim(text: &str, name: &str, claim: &str) -> String {
    format!("{text}\ncheck {{\n  {name} = {claim}\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::atomic::AtomicBool;
    use swarmcheck_engine::control::Silent;
    use swarmcheck_session::verify::{Budget, Control, Decider, Reductions, VerifyOptions, verify};
    use swarmcheck_session::{ModelOptions, prepare};

    /// The verdict of the explicit engine, which replays its counterexamples on the rules of the language.
    fn decided(family: &Family, size: usize, reductions: Reductions) -> String {
        let text = (family.text)(size);
        let Ok(prepared) = prepare(&family.file(size), text.as_bytes(), ModelOptions::default()) else {
            panic!("{} is not accepted:\n{text}", family.file(size));
        };
        let options = VerifyOptions {
            deadlock: family.property == DEADLOCK,
            engine: Decider::Explicit,
            reductions,
            ..VerifyOptions::default()
        };
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let report = verify(&prepared, &options, &control).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(report.answers.len(), 1, "{}: one question", family.file(size));
        assert_eq!(report.answers[0].name, family.property);
        report.answers[0].verdict().word().to_string()
    }

    /// Four relays have millions of states, which is for the benchmark and not for a test.
    fn largest(family: &Family) -> usize {
        if family.name.starts_with("relay") { 2 } else { 4 }
    }

    #[test]
    fn small_members_are_decided_as_expected() {
        let mut counts = [0, 0];
        for family in all() {
            for size in family.least..=largest(family) {
                for reductions in [Reductions::ALL, Reductions::NONE] {
                    let verdict = decided(family, size, reductions);
                    assert_eq!(verdict, family.verdict, "{}", family.file(size));
                    counts[usize::from(verdict == "violated")] += 1;
                }
            }
        }
        assert!(counts[0] >= 100 && counts[1] >= 40, "{counts:?}");
    }

    #[test]
    fn names_are_different_and_languages_are_all() {
        let names: BTreeSet<&str> = all().map(|family| family.name).collect();
        assert_eq!(names.len(), all().count());
        let endings: BTreeSet<&str> = all().map(|family| family.ending).collect();
        assert_eq!(endings.into_iter().collect::<Vec<_>>(), ["ccs", "chor", "labs", "rcp"]);
    }

    #[test]
    fn sizes_grow_by_half() {
        let family = all().find(|family| family.least == 2).unwrap();
        assert_eq!(family.sizes().take(8).collect::<Vec<_>>(), [2, 3, 4, 6, 8, 12, 16, 24]);
        let family = all().find(|family| family.least == 1).unwrap();
        assert_eq!(family.sizes().take(4).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }
}
