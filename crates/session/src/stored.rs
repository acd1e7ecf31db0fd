//! How a model was read when a trace or a certificate was written. Both say so in the same fields; whoever uses them again
//! reads the model in the same way.

use crate::certificate::CertificateData;
use crate::languages::LanguageWord;
use crate::open::ModelOptions;
use crate::sink::{choice_word, semantics_word};
use serde_json::{Map, Value as Json};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_labs::lower::{Choice, Semantics};
use swarmcheck_rcheck::Precedence;

/// The fields that say how a model was read.
pub(crate) struct StoredReading<'a> {
    parameters: &'a Map<String, Json>,
    fair: bool,
    semantics: &'a str,
    choice: &'a str,
    sync: bool,
    precedence: Option<&'a str>,
    reach: Option<&'a str>,
}

impl<'a> From<&'a TraceData> for StoredReading<'a> {
    fn from(trace: &'a TraceData) -> StoredReading<'a> {
        StoredReading {
            parameters: &trace.parameters,
            fair: trace.fair,
            semantics: &trace.semantics,
            choice: &trace.choice,
            sync: trace.sync,
            precedence: trace.precedence.as_deref(),
            reach: trace.reach.as_deref(),
        }
    }
}

impl<'a> From<&'a CertificateData> for StoredReading<'a> {
    fn from(data: &'a CertificateData) -> StoredReading<'a> {
        StoredReading {
            parameters: &data.parameters,
            fair: data.fair,
            semantics: &data.semantics,
            choice: &data.choice,
            sync: data.sync,
            precedence: data.precedence.as_deref(),
            reach: None,
        }
    }
}

impl StoredReading<'_> {
    /// The options that read the model in this way; otherwise the field and the word that no version has written.
    pub(crate) fn options(&self, language: Option<LanguageWord>) -> Result<ModelOptions, String> {
        let semantics = [Semantics::Sliver, Semantics::Paper]
            .into_iter()
            .find(|one| semantics_word(*one) == self.semantics)
            .ok_or_else(|| format!("unknown semantics {:?}", self.semantics))?;
        let choice = [Choice::Late, Choice::Early]
            .into_iter()
            .find(|one| choice_word(*one) == self.choice)
            .ok_or_else(|| format!("unknown choice {:?}", self.choice))?;
        let precedence = self
            .precedence
            .map(|word| Precedence::named(word).ok_or_else(|| format!("unknown precedence {word:?}")))
            .transpose()?;
        Ok(ModelOptions {
            parameters: self.parameters.iter().map(|(n, v)| (n.clone(), v.to_string())).collect(),
            fair: self.fair,
            semantics,
            choice,
            sync: self.sync,
            precedence,
            language,
            reach: self.reach.map(str::to_string),
            asked: crate::asked::Asked::default(),
        })
    }
}
