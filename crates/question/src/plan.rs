//! Which questions are answered together.

use crate::questions::{Questions, SearchShape, questions};
use crate::reduce::{self, FoldedProgram};
use crate::refusal::Refusal;
use crate::setting::{Fairness, Setting, Subject};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use swarmcheck_ir::{Modality, VarId};

/// A search to be made. Monitors and products with automata may take long to work out, so that is left to whoever makes
/// the search.
pub struct Plan {
    /// The questions that it answers.
    pub subjects: Vec<Subject>,
    folded: Arc<FoldedProgram>,
    questions: OnceLock<Result<Questions, Refusal>>,
}

impl Plan {
    fn later(subject: Subject, folded: &Arc<FoldedProgram>) -> Plan {
        Plan { subjects: vec![subject], folded: Arc::clone(folded), questions: OnceLock::new() }
    }

    fn ready(
        subjects: Vec<Subject>,
        questions: Result<Questions, Refusal>,
        folded: &Arc<FoldedProgram>,
    ) -> Plan {
        Plan { subjects, folded: Arc::clone(folded), questions: questions.into() }
    }

    /// The questions, worked out now if they were not before; or why there are none.
    pub fn questions(&self, setting: &Setting) -> &Result<Questions, Refusal> {
        self.questions.get_or_init(|| self.work_out(setting))
    }

    /// The same, if they have been worked out.
    pub fn known(&self) -> Option<&Result<Questions, Refusal>> {
        self.questions.get()
    }

    fn work_out(&self, setting: &Setting) -> Result<Questions, Refusal> {
        // What is not worked out from the beginning has one question.
        let mut found = questions(setting, self.subjects[0])?;
        found.folded.get_or_insert_with(|| Arc::clone(&self.folded));
        Ok(found)
    }
}

/// Searches share at most so many questions: the conditions of a state are kept in one byte, together with one flag.
const TOGETHER: usize = 7;

/// Divides questions among searches.
pub fn plan(setting: &Setting, subjects: impl IntoIterator<Item = Subject>) -> Vec<Plan> {
    let mut out: Vec<Plan> = vec![];
    let mut whole: Vec<(BTreeSet<VarId>, Questions)> = vec![];
    let folded = setting.folded();
    let setting = &Setting { folded: Some(Arc::clone(&folded)), ..setting.clone() };
    for subject in subjects {
        let modality = subject.property().map(|number| &setting.program.properties[number].modality);
        let later = match modality {
            Some(Modality::Linear(_) | Modality::Scoped { .. }) => true,
            // So does a program that keeps track of who moves.
            Some(Modality::Eventually | Modality::Finally) => setting.fairness != Fairness::None,
            _ => false,
        };
        if later {
            out.push(Plan::later(subject, &folded));
            continue;
        }
        match questions(setting, subject) {
            Ok(found) if found.shape == SearchShape::Whole && found.hidden.is_empty() => {
                // Questions about the same variables share a search.
                let relevant = reduce::relevant(&folded, &found.properties(), found.needs);
                let fits = |(vars, other): &&mut (_, Questions)| {
                    *vars == relevant && other.needs == found.needs && other.questions.len() < TOGETHER
                };
                match whole.iter_mut().find(fits) {
                    Some((_, other)) => {
                        other.questions.extend(found.questions);
                        other.watched.extend(found.watched);
                    }
                    None => whole.push((relevant, found)),
                }
            }
            other => out.push(Plan::ready(vec![subject], other, &folded)),
        }
    }
    // Small searches first: what can be answered soon is answered soon.
    whole.sort_by_key(|(vars, _)| vars.len());
    let ready = |(_, found): (_, Questions)| {
        Plan::ready(found.questions.iter().map(|q| q.subject).collect(), Ok(found), &folded)
    };
    out.extend(whole.into_iter().map(ready));
    out
}
