//! Properties that can be read in two ways: each reading is a property of the program, decided like any other, and the two
//! answers become one. Equal verdicts are the verdict; different ones are none, with both readings.

use super::VerifyOptions;
use crate::open::Prepared;
use crate::outcome::{Answer, Answered, Outcome, ReadingOutcome, Reason};
use swarmcheck_engine::Note;
use swarmcheck_engine::certificate::Uncertified;

/// What a property of the program is called in questions and answers.
pub(crate) fn question_of(prepared: &Prepared, property: usize) -> &str {
    match prepared.model.reading(property) {
        Some(reading) => reading.of,
        None => &prepared.flat.program.properties[property].name,
    }
}

/// Answers that wait for that about the other reading.
pub(super) struct Readings<'p> {
    prepared: &'p Prepared,
    /// Each engine answers, so answers of the same engine belong together.
    by_engine: bool,
    waiting: Vec<Answer>,
}

impl<'p> Readings<'p> {
    pub(super) fn new(prepared: &'p Prepared, options: &VerifyOptions) -> Readings<'p> {
        Readings { prepared, by_engine: options.cross_check, waiting: vec![] }
    }

    /// Takes an answer about a property of the program, and gives what can be told now.
    pub(super) fn take(&mut self, answer: Answer) -> Option<Answer> {
        let properties = &self.prepared.flat.program.properties;
        let number = properties.iter().position(|p| p.name == answer.name);
        let Some(of) = number.and_then(|number| self.prepared.model.reading(number)).map(|r| r.of) else {
            return Some(answer);
        };
        let fits = |other: &Answer| {
            let name = properties.iter().position(|p| p.name == other.name);
            let same = name.and_then(|n| self.prepared.model.reading(n)).is_some_and(|r| r.of == of);
            same && other.name != answer.name && (!self.by_engine || other.engine == answer.engine)
        };
        let Some(at) = self.waiting.iter().position(fits) else {
            self.waiting.push(answer);
            return None;
        };
        let other = self.waiting.remove(at);
        let order = |answer: &Answer| properties.iter().position(|p| p.name == answer.name);
        let (first, second) = if order(&other) < order(&answer) { (other, answer) } else { (answer, other) };
        Some(self.joined(of.to_string(), first, Some(second)))
    }

    /// What is left if an engine has answered about one reading only.
    pub(super) fn rest(&mut self) -> Vec<Answer> {
        let waiting = std::mem::take(&mut self.waiting);
        let name = |answer: &Answer| {
            let properties = &self.prepared.flat.program.properties;
            let number = properties.iter().position(|p| p.name == answer.name);
            number.map_or(answer.name.clone(), |n| question_of(self.prepared, n).to_string())
        };
        waiting.into_iter().map(|answer| self.joined(name(&answer), answer, None)).collect()
    }

    fn joined(&self, name: String, first: Answer, second: Option<Answer>) -> Answer {
        let properties = &self.prepared.flat.program.properties;
        let reading = |answer: &Answer| {
            let number = properties.iter().position(|p| p.name == answer.name)?;
            let reading = self.prepared.model.reading(number)?;
            let outcome = Box::new(answer.outcome.clone());
            let (precedence, formula) = (reading.precedence.to_string(), reading.text.to_string());
            Some(ReadingOutcome { precedence, formula, outcome })
        };
        let readings: Vec<ReadingOutcome> =
            [Some(&first), second.as_ref()].into_iter().flatten().filter_map(reading).collect();
        // Two answers that are not known may be missing for different reasons.
        let equal = first.verdict() != Answered::Unknown
            && second.as_ref().is_some_and(|second| second.verdict() == first.verdict());
        // A proof of one reading is none of the other.
        let uncertified = first.certificate.is_some().then_some(Uncertified::NotAsWritten);
        let uncertified = uncertified.or(first.uncertified);
        let mut answer =
            Answer { name, certificate: None, trusted: None, uncertified, because: None, ..first };
        if let Some(second) = second {
            let new: Vec<Note> =
                second.notes.into_iter().filter(|note| !answer.notes.contains(note)).collect();
            answer.notes.extend(new);
            answer.effort.seconds = answer.effort.seconds.max(second.effort.seconds);
            if let (Outcome::Holds { vacuous, .. }, Outcome::Holds { vacuous: other, .. }) =
                (&mut answer.outcome, second.outcome)
            {
                *vacuous = vacuous.take().or(other);
            }
        }
        if equal {
            let formulas = readings.into_iter().map(|reading| reading.formula).collect();
            answer.notes.push(Note::BothReadings { formulas });
        } else {
            answer.trace = None;
            answer.others.clear();
            answer.outcome = Outcome::unknown(Reason::Ambiguous { readings });
        }
        answer
    }
}

/// Answers about properties of the program as answers to questions.
pub(super) fn joined(prepared: &Prepared, options: &VerifyOptions, answers: Vec<Answer>) -> Vec<Answer> {
    let mut readings = Readings::new(prepared, options);
    let mut out: Vec<Answer> = answers.into_iter().filter_map(|answer| readings.take(answer)).collect();
    out.extend(readings.rest());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::{ModelOptions, prepare};
    use crate::outcome::{Evidence, Violation};

    const MODEL: &str = "agent A\n local: x : bool\n init: !x\n repeat: go: {!x} *! (true)()[x := true]\nsystem = A(a, true)\n\
                         SPEC P: G a-x -> F a-x\nSPEC Q: G a-x\n";

    /// What is told of P if its readings have these verdicts.
    fn told(verdicts: [Answered; 2]) -> Answer {
        let Ok(prepared) = prepare("m.rcp", MODEL.as_bytes(), ModelOptions::default()) else {
            panic!("refused")
        };
        let outcome = |verdict| match verdict {
            Answered::Holds => Outcome::Holds { evidence: Evidence::Explored, vacuous: None },
            Answered::Violated => Outcome::Violated { evidence: Violation::NoExecution },
            _ => Outcome::unknown(Reason::Memory),
        };
        let names: Vec<&str> = prepared.flat.program.properties.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["P (conventional)", "P (rcheck)", "Q"]);
        let answer = |at: usize| Answer {
            outcome: outcome(verdicts[at]),
            ..Answer::open(names[at], "", Reason::NoAnswer)
        };
        // They may come in any order.
        let mut readings = Readings::new(&prepared, &VerifyOptions::default());
        assert!(readings.take(answer(1)).is_none());
        let told = readings.take(answer(0)).expect("both are known");
        assert!(readings.rest().is_empty());
        told
    }

    #[test]
    fn equal_verdicts_are_the_verdict_and_others_are_none() {
        let both = told([Answered::Holds, Answered::Holds]);
        assert_eq!((both.name.as_str(), both.verdict()), ("P", Answered::Holds));
        let formulas = vec!["(G a-x) -> (F a-x)".to_string(), "G (a-x -> (F a-x))".to_string()];
        assert_eq!(both.notes, [Note::BothReadings { formulas: formulas.clone() }]);
        let neither = told([Answered::Holds, Answered::Violated]);
        let Some(Reason::Ambiguous { readings }) = neither.reason() else { panic!("{neither:?}") };
        let said: Vec<(&str, Answered)> =
            readings.iter().map(|r| (r.formula.as_str(), r.outcome.verdict())).collect();
        assert_eq!(
            said,
            [(formulas[0].as_str(), Answered::Holds), (formulas[1].as_str(), Answered::Violated)]
        );
        // What kept one of them from being decided is still known.
        for verdicts in [[Answered::Holds, Answered::Unknown], [Answered::Unknown; 2]] {
            let open = told(verdicts);
            assert_eq!(open.verdict(), Answered::Unknown);
            assert!(open.reason().is_some_and(|reason| reason.includes(&Reason::Memory)));
            assert_eq!(open.notes, []);
        }
    }
}
