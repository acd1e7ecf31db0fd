//! Versions of stored documents: a trace or a certificate says which format it has and which version of it, and a reader
//! refuses what it does not know by that name.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

/// What a document says of itself. The rest is not kept: a trace of many agents takes ten times its size as a tree.
#[derive(Deserialize, Default)]
struct Head {
    #[serde(default, deserialize_with = "present")]
    format: Option<Json>,
    #[serde(default, deserialize_with = "present")]
    version: Option<Json>,
}

fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(from).map(Some)
}

/// What a text of JSON says of itself: nothing if it is no object.
fn head(text: &str) -> Result<Head, serde_json::Error> {
    match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text),
        false => serde_json::from_str::<IgnoredAny>(text).map(|_| Head::default()),
    }
}

/// Whether a text is a document of JSON.
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Reads a document of this format and version. `what` names it in messages, with its article.
pub(crate) fn read<D: DeserializeOwned>(
    text: &str,
    what: &str,
    format: &str,
    version: u32,
) -> Result<D, String> {
    let head = head(text).map_err(|e| format!("not {what}: {e}"))?;
    match head.format.as_ref().map(|found| found.as_str()) {
        None => {
            return Err(format!("not {what}: there is no field \"format\", which should be \"{format}\""));
        }
        Some(Some(found)) if found == format => {}
        Some(Some(found)) => return Err(format!("not {what}: its format is {found:?}, not \"{format}\"")),
        Some(None) => return Err(format!("not {what}: its format is not \"{format}\"")),
    }
    match &head.version {
        None => {
            return Err(format!(
                "not {what}: there is no field \"version\"; this swarmcheck reads {format} version {version}"
            ));
        }
        Some(found) if found.as_u64() == Some(version.into()) => {}
        Some(found) => {
            return Err(format!(
                "it is {format} version {found}, and this swarmcheck reads version {version}: use the swarmcheck that \
                 wrote it, or write it again with this one"
            ));
        }
    }
    // Read from the text and not from the value: then messages have a line and a column.
    serde_json::from_str(text).map_err(|e| format!("not {what}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, Debug)]
    struct Thing {
        version: u32,
    }

    fn check(text: &str, expected: Result<u32, &str>) {
        let read = read::<Thing>(text, "a thing", "swarmcheck-thing", 3).map(|thing| thing.version);
        match (&read, expected) {
            (Ok(found), Ok(version)) => assert_eq!(*found, version),
            (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
            _ => panic!("{text}: {read:?}"),
        }
    }

    #[test]
    fn other_versions_are_refused_by_name() {
        check(r#"{"format": "swarmcheck-thing", "version": 3}"#, Ok(3));
        check(
            r#"{"format": "swarmcheck-thing", "version": 2}"#,
            Err("version 2, and this swarmcheck reads version 3"),
        );
        check(r#"{"format": "swarmcheck-thing", "version": "new"}"#, Err("version \"new\", and this"));
        check(r#"{"format": "swarmcheck-thing"}"#, Err("no field \"version\""));
        check(r#"{"format": "swarmcheck-report", "version": 3}"#, Err("its format is \"swarmcheck-report\""));
        check(r#"{"format": 7, "version": 3}"#, Err("its format is not"));
        check(r#"{"format": null, "version": 3}"#, Err("its format is not"));
        check(r#"{"format": "swarmcheck-thing", "version": 3, "version": 3}"#, Err("duplicate field"));
        check("[3]", Err("no field \"format\""));
        check("{", Err("not a thing: EOF"));
    }
}
