//! What the user has chosen: options of the client, and what the project file says about a model.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::time::Duration;
use swarmcheck_session::request::{ModelRequest, Source};
use swarmcheck_session::verify::VerifyOptions;

/// How a model of a project is read and verified.
#[derive(Clone, Debug)]
pub struct ProjectModel {
    /// The model; its text is not looked at.
    pub model: ModelRequest,
    /// How it is verified.
    pub options: VerifyOptions,
}

/// Options of the client, from `initializationOptions` and `workspace/didChangeConfiguration`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Settings {
    /// Seconds that a verification may take.
    pub timeout: f64,
    /// Megabytes that it may use.
    pub memory: u64,
    /// Threads of a search; 0 for as many as there are cores.
    pub threads: usize,
    /// The name of the engine, or `auto`.
    pub engine: String,
    /// Verify all properties whenever a document is saved.
    pub verify_on_save: bool,
    /// Values of parameters, for models that nothing else says them for.
    pub parameters: Map<String, Json>,
    /// `notification` if the client shows pages itself.
    pub player: String,
    /// The client asks for the text of documents that are no files.
    pub virtual_documents: bool,
    /// The client can ask for values of parameters.
    pub ask_parameters: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            timeout: 60.0,
            memory: 2048,
            threads: 0,
            engine: "auto".to_string(),
            verify_on_save: false,
            parameters: Map::new(),
            player: "file".to_string(),
            virtual_documents: false,
            ask_parameters: false,
        }
    }
}

impl Settings {
    /// Takes over what a client says. What it does not mention stays; what makes no sense is told.
    pub fn update(&mut self, said: &Json) -> Result<(), String> {
        let said = said.get("swarmcheck").unwrap_or(said);
        let Json::Object(said) = said else { return Ok(()) };
        let Ok(Json::Object(mut fields)) = serde_json::to_value(&*self) else { return Ok(()) };
        fields.extend(said.iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.clone(), v.clone())));
        let updated: Settings = serde_json::from_value(Json::Object(fields))
            .map_err(|e| format!("the settings of swarmcheck cannot be read: {e}"))?;
        *self = updated;
        Ok(())
    }

    /// How long a verification may take.
    pub fn time(&self) -> Duration {
        Duration::try_from_secs_f64(self.timeout.max(0.1)).unwrap_or(Duration::from_secs(60))
    }

    /// Values of parameters as text.
    pub fn values(&self) -> Vec<(String, String)> {
        self.parameters.iter().map(|(name, value)| (bare(name), plain(value))).collect()
    }
}

/// A name without the underscore of a parameter.
pub(crate) fn bare(name: &str) -> String {
    name.strip_prefix('_').unwrap_or(name).to_string()
}

/// A number or a text as it would be typed.
pub(crate) fn plain(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToString::to_string)
}

/// A model without anything that somebody has chosen.
pub(crate) fn unread(name: &str) -> ModelRequest {
    ModelRequest::new(Source { name: name.to_string(), text: String::new(), language: None }, vec![])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_said_stays() {
        let mut settings = Settings::default();
        settings.update(&json!({ "timeout": 5, "parameters": { "_n": 4, "m": "7" } })).unwrap();
        settings.update(&json!({ "swarmcheck": { "memory": 100, "engine": null } })).unwrap();
        assert_eq!((settings.timeout, settings.memory, settings.engine.as_str()), (5.0, 100, "auto"));
        let values = settings.values();
        assert!(
            values.contains(&("n".to_string(), "4".to_string()))
                && values.contains(&("m".to_string(), "7".to_string()))
        );
        assert!(settings.update(&json!({ "memory": "much" })).is_err());
        assert_eq!(settings.memory, 100);
        assert!(settings.update(&json!(null)).is_ok());
    }
}
