//! `--format json` of commands: the output matches its schema and agrees with the text output.

use procurement_lookup::api::described;
use procurement_lookup::model::Language;
use serde_json::{Map, Value};

use super::*;

/// Returns the schema served as `/schemas/NAME.schema.json`.
fn schema(name: &str) -> Value {
    let path = format!("/schemas/{name}.schema.json");
    let file = described::files().find(|file| file.path == path);
    let text = (file.expect(name).body)(Language::English);
    serde_json::from_str(&text).expect("JSON")
}

/// Runs a command that prints a JSON document, and validates the document against the schema.
#[track_caller]
fn printed(folder: &Path, line: &str, name: &str) -> Value {
    let output = run(folder, line);
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "{line}: {text}{}", stderr(&output));
    let value: Value = serde_json::from_str(&text).expect("JSON");
    follows(&value, name);
    value
}

#[track_caller]
pub fn follows(value: &Value, name: &str) {
    let schema = schema(name);
    if let Err(fault) = check(value, &schema, &schema) {
        panic!("{name}: {fault}: {value}");
    }
}

/// Validates a value. Supports only the keywords that the schemas of command output use.
fn check(value: &Value, schema: &Value, document: &Value) -> Result<(), String> {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let part = document.pointer(target.trim_start_matches('#'));
        return check(value, part.ok_or(target)?, document);
    }
    if let Some(all) = schema.get("anyOf").and_then(Value::as_array) {
        let mut all = all.iter().map(|one| check(value, one, document));
        return match all.any(|outcome| outcome.is_ok()) {
            true => Ok(()),
            false => Err(format!("{value} is none of {schema}")),
        };
    }
    let allowed = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        other => return Err(format!("no type: {other}")),
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !allowed.contains(&kind) {
        return Err(format!("{value} is not {allowed:?}"));
    }
    let is_of = |all: &Value| all.as_array().is_none_or(|all| all.contains(value));
    if !value.is_null() && !is_of(&schema["enum"]) {
        return Err(format!("{value} is none of {}", schema["enum"]));
    }
    match value {
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| check(item, &schema["items"], document)),
        Value::Object(members) => members_follow(members, schema, document),
        _ => Ok(()),
    }
}

fn members_follow(
    members: &Map<String, Value>,
    schema: &Value,
    document: &Value,
) -> Result<(), String> {
    let properties = schema["properties"].as_object().ok_or("no properties")?;
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
        members.get(name).ok_or(format!("{name} is missing"))?;
    }
    members.iter().try_for_each(|(name, value)| {
        let schema = properties.get(name).ok_or(format!("{name} is unknown"))?;
        check(value, schema, document).map_err(|fault| format!("{name}: {fault}"))
    })
}

#[test]
fn check_and_import_print_their_counts_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let lines = [contract("1", "9602003012"), "nonsense".to_owned()].join("\n");
    fs::write(folder.join("lines.jsonl"), lines).expect("a file");
    fs::write(folder.join("notes.txt"), "notes").expect("a file");
    let import = "import --database data.sqlite --format json lines.jsonl";
    let first = printed(folder, import, "import-summary");
    let kinds = first["kinds"].as_array().expect("kinds");
    let kind = kinds
        .iter()
        .find(|kind| kind["new"] == 1)
        .expect("contracts");
    assert_eq!((&kind["read"], &kind["new"]), (&1.into(), &1.into()));
    assert_eq!(first["skipped"], 1);
    assert_eq!(first["suppliersChanged"], 1);
    assert_eq!(
        run(folder, import).status.code(),
        Some(1),
        "a line was skipped"
    );
    let again = printed(folder, import, "import-summary");
    assert_eq!(again["suppliersChanged"], 0);
    let dry = "import --dry-run --format json lines.jsonl";
    assert_eq!(printed(folder, dry, "import-summary")["dryRun"], true);
    let checked = printed(
        folder,
        "check --database data.sqlite --format json",
        "check",
    );
    assert_eq!(
        (&checked["contracts"], &checked["suppliers"]),
        (&1.into(), &1.into())
    );
    assert_eq!(checked["registries"].as_array().map(Vec::len), Some(3));
    let damaged = run(folder, "check --database lines.jsonl --format json");
    assert_eq!(
        (damaged.status.code(), stdout(&damaged).as_str()),
        (Some(1), "")
    );
}

#[test]
fn official_documents_are_counted_by_kind() {
    let folder = tempfile::tempdir().expect("a folder");
    let documents = concat!(env!("CARGO_MANIFEST_DIR"), "/data/documents");
    let import = format!("import --database data.sqlite --format json {documents}");
    let summary = printed(folder.path(), &import, "import-summary");
    assert!(
        summary["kinds"]
            .as_array()
            .is_some_and(|kinds| kinds.len() > 50),
        "{summary}"
    );
    let checked = printed(
        folder.path(),
        "check --database data.sqlite --format json",
        "check",
    );
    assert!(checked["documents"].as_u64() > Some(100), "{checked}");
}

#[test]
fn keys_are_listed_with_limits_and_history() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    succeed(folder, "keys issue бюро --rate 5 --burst 7 --expires 90d");
    succeed(folder, "keys issue office");
    succeed(folder, "keys revoke office");
    let list = printed(folder, "keys list --format json", "keys-list");
    let keys = list["keys"].as_array().expect("keys");
    let key = |name: &str| keys.iter().find(|key| key["name"] == name).expect(name);
    let (limited, revoked) = (key("бюро"), key("office"));
    assert_eq!(
        (&limited["rate"], &limited["burst"]),
        (&5.into(), &7.into())
    );
    assert!(
        limited["ends"].is_string() && limited["revoked"].is_null(),
        "{list}"
    );
    assert!(
        revoked["revoked"].is_string() && revoked["rate"].is_null(),
        "{list}"
    );
    let log = printed(folder, "keys log --format json", "keys-log");
    let events = log["events"].as_array().expect("events");
    let actions: Vec<&str> = events
        .iter()
        .filter_map(|event| event["action"].as_str())
        .collect();
    assert_eq!(actions, ["issued", "issued", "revoked"]);
    let none = printed(
        folder,
        "keys list --keys none.sqlite --format json",
        "keys-list",
    );
    assert_eq!(none["keys"].as_array().map(Vec::len), Some(0));
}
