//! How project files say that models are read and verified, as requests.

use crate::arguments::{ChoiceWhen, FairnessOf, PrecedenceHow, SemanticsOf};
use clap::ValueEnum;
use swarmcheck_project::Model;
use swarmcheck_session::request::{ModelRequest, Source};
use swarmcheck_session::verify::{Decider, VerifyOptions};

/// A word of an option.
pub fn word<T: ValueEnum>(word: &str) -> Option<T> {
    T::from_str(word, false).ok()
}

/// The model with the parameters and the reading of its row.
pub fn read_as(model: &Model, source: Source) -> ModelRequest {
    let parameters =
        model.parameters.iter().map(|p| (p.name.value.clone(), p.value.value.to_string())).collect();
    let reading = &model.reading;
    ModelRequest {
        fair: reading.fair,
        sync: reading.sync,
        semantics: reading
            .semantics
            .as_deref()
            .and_then(word::<SemanticsOf>)
            .map(Into::into)
            .unwrap_or_default(),
        choice: reading.choice.as_deref().and_then(word::<ChoiceWhen>).map(Into::into).unwrap_or_default(),
        precedence: reading.precedence.as_deref().and_then(word::<PrecedenceHow>).map(Into::into),
        ..ModelRequest::new(source, parameters)
    }
}

/// How its properties are verified.
pub fn verify_options(model: &Model) -> VerifyOptions {
    let engine = model.engine.as_ref().and_then(|engine| Decider::named(&engine.value));
    let fairness = model.fairness.as_deref().and_then(word::<FairnessOf>);
    VerifyOptions {
        steps: model.steps,
        ignore_deadlock: model.ignore_deadlock,
        engine: engine.unwrap_or(Decider::Auto),
        fairness: fairness.map(Into::into).unwrap_or_default(),
        numbers: model.numbers.as_ref().map(|numbers| numbers.value.clone()),
        most_agents: model.most_agents,
        ..VerifyOptions::default()
    }
}
