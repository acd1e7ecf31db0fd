//! Versions of stored documents: a trace or a certificate says which format it has and which version of it, and a reader
//! refuses what it does not know by that name.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// Reads a document of this format and version. `what` names it in messages, with its article.
pub(crate) fn read<D: DeserializeOwned>(
    text: &str,
    what: &str,
    format: &str,
    version: u32,
) -> Result<D, String> {
    let document: Json = serde_json::from_str(text).map_err(|e| format!("not {what}: {e}"))?;
    match document.get("format").map(|found| found.as_str()) {
        None => {
            return Err(format!("not {what}: there is no field \"format\", which should be \"{format}\""));
        }
        Some(Some(found)) if found == format => {}
        Some(Some(found)) => return Err(format!("not {what}: its format is {found:?}, not \"{format}\"")),
        Some(None) => return Err(format!("not {what}: its format is not \"{format}\"")),
    }
    match document.get("version") {
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
        check("[3]", Err("no field \"format\""));
        check("{", Err("not a thing: EOF"));
    }
}
