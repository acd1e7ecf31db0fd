//! The schemas of `docs/schema`, in a strict reading: what they do not name is an error here. Readers ignore it.

use crate::common::{files, root};
use jsonschema::{Registry, Validator};
use serde_json::{Value as Json, json};

/// All schemas by name, strict.
fn schemas() -> Vec<(String, Json)> {
    let read = |path: &std::path::PathBuf| {
        let mut schema: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        close(&mut schema);
        (path.file_name().unwrap().to_string_lossy().to_string(), schema)
    };
    files(&root().join("docs/schema"), ".schema.json").iter().map(read).collect()
}

/// No object has fields that are not listed.
fn close(schema: &mut Json) {
    match schema {
        Json::Object(fields) => {
            if fields.contains_key("properties") && fields.get("type") == Some(&json!("object")) {
                fields.entry("additionalProperties").or_insert(json!(false));
            }
            fields.values_mut().for_each(close);
        }
        Json::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}

/// What a schema says about a document: nothing, or what is wrong with it.
#[track_caller]
pub fn errors(name: &str, document: &Json) -> Vec<String> {
    let mut registry = Registry::new();
    for (_, schema) in schemas() {
        let id = schema["$id"].as_str().unwrap().to_string();
        registry = registry.add(id, schema).unwrap();
    }
    let registry = registry.prepare().unwrap();
    let wanted = json!({ "$ref": format!("swarmcheck:/schema/{name}.schema.json") });
    let validator: Validator =
        jsonschema::options().with_registry(&registry).offline().build(&wanted).unwrap();
    validator.iter_errors(document).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

/// Checks a document; a long message is cut.
#[track_caller]
pub fn check(name: &str, document: &Json) {
    let errors: Vec<String> = errors(name, document).iter().map(|e| e.chars().take(600).collect()).collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}

#[test]
fn schemas_are_schemas() {
    let all = schemas();
    assert!(all.len() >= 16, "{} schemas", all.len());
    for (name, schema) in &all {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        assert_eq!(schema["$id"], format!("swarmcheck:/schema/{name}"));
        assert!(jsonschema::meta::is_valid(schema), "{name}");
    }
}

/// A schema that accepts everything would make the other tests pass, too.
#[test]
fn schemas_refuse_what_is_wrong() {
    let fine = json!({
        "format": "swarmcheck-shape", "version": 1, "model": "m.labs", "shape": "triples", "text": "", "diagnostics": [],
    });
    check("shape", &fine);
    let with = |field: &str, value: Json| {
        let mut document = fine.clone();
        document[field] = value;
        document
    };
    let mut without = fine.clone();
    without.as_object_mut().unwrap().remove("version");
    let wrong = [
        without,
        with("version", json!(2)),
        with("format", json!("swarmcheck-report")),
        with("shape", json!("round")),
        with("diagnostics", json!([{ "severity": "error" }])),
        with("colour", json!("red")),
    ];
    for document in &wrong {
        assert_ne!(errors("shape", document), [""; 0], "{document}");
    }
}
