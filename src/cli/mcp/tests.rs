use std::collections::BTreeSet;
use std::io::Cursor;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::excerpt::excerpt;
use super::*;
use crate::api::{Api, DataSource, Endpoint, described};
use crate::model::{Date, Moment};

/// Sends lines to a session over the demonstration data, and returns the responses.
fn answers(lines: &str) -> Vec<Value> {
    let day = Date::parse_iso("2026-11-28").expect("a day");
    let now = Box::new(move || Moment::from_day(day));
    let api = Api::new(DataSource::Bundled, KeyRing::empty(), now);
    let answerer = Arc::new(api).answerer().expect("the data");
    let mut output = Vec::new();
    let mut session = Session::new(answerer, true);
    serve(&mut session, Cursor::new(lines), &mut output).expect("memory");
    let output = String::from_utf8(output).expect("UTF-8");
    let parse = |line: &str| serde_json::from_str(line).expect(line);
    output.lines().map(parse).collect()
}

fn call(tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    let mut answers = answers(&message.to_string());
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(answers[0]["id"], 7);
    answers[0]["result"].take()
}

fn texts(result: &Value) -> Vec<&str> {
    let content = result["content"].as_array().expect("content");
    content
        .iter()
        .filter_map(|one| one["text"].as_str())
        .collect()
}

#[test]
fn a_session_begins_with_the_revision_and_a_tool_for_each_endpoint() {
    let answers = answers(concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n\n",
        r#"{"jsonrpc":"2.0","id":"two","method":"ping"}"#,
        "\r\n",
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#,
    ));
    let [hello, pong, list] = answers.as_slice() else {
        panic!("{answers:?}");
    };
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(hello["result"]["capabilities"], json!({ "tools": {} }));
    assert_eq!((&pong["id"], &pong["result"]), (&json!("two"), &json!({})));
    let tools = list["result"]["tools"].as_array().expect("tools");
    assert_eq!(tools.len(), Endpoint::ALL.len());
    let names: BTreeSet<_> = tools.iter().map(|tool| tool["name"].as_str()).collect();
    assert!(names.contains(&Some("contract_monitor_supplier44")));
    assert!(names.contains(&Some("find_names")));
    for tool in tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object", "{}", tool["name"]);
            check_references(schema, schema);
        }
    }
}

/// Each `$ref` must point to a part of the same schema.
fn check_references(part: &Value, schema: &Value) {
    match part {
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get("$ref") {
                let path = target.strip_prefix('#').expect(target);
                assert!(schema.pointer(path).is_some(), "{target}");
            }
            members
                .values()
                .for_each(|value| check_references(value, schema));
        }
        Value::Array(items) => items.iter().for_each(|item| check_references(item, schema)),
        _ => {}
    }
}

#[test]
fn a_result_has_the_answer_of_the_endpoint_as_text_and_as_json() {
    let result = call(
        "contract_monitor_supplier44",
        &json!({ "supplierINN": "9602000445", "limit": 2 }),
    );
    assert_eq!(result["isError"], false);
    let text = texts(&result)[0];
    assert_eq!(
        serde_json::from_str::<Value>(text).expect("JSON"),
        result["structuredContent"]
    );
    let contracts = &result["structuredContent"]["contracts"];
    assert_eq!(contracts.as_array().map(Vec::len), Some(2), "{result}");
}

#[test]
fn a_verdict_comes_with_the_registries_it_is_based_on() {
    let result = call(
        "rnp_check_supplier",
        &json!({ "supplierINN": "9602000445" }),
    );
    let said = texts(&result);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[1].starts_with("RNP verdict as of 2026-11-28: "),
        "{said:?}"
    );
    assert!(said[1].contains("Registries it rests on: 44="), "{said:?}");
}

#[test]
fn arguments_may_be_numbers_lists_and_null() {
    for arguments in [
        json!({ "supplierINN": ["9602000445", 9_770_523_221_u64] }),
        json!({ "supplierINN": "9602000445,9770523221", "asOf": null }),
    ] {
        let result = call("rnp_check_suppliers", &arguments);
        let checked = result["structuredContent"]["suppliers"].as_array();
        assert_eq!(checked.map(Vec::len), Some(2), "{result}");
    }
}

#[test]
fn a_list_of_names_has_a_name_on_each_line() {
    let result = call("find_names", &json!({ "q": ["фармстрой", "ООО Ромашка"] }));
    let names = result["structuredContent"]["names"].as_array();
    assert_eq!(names.map(Vec::len), Some(2), "{result}");
}

#[test]
fn an_error_of_the_endpoint_is_a_result_that_names_the_reason() {
    for (tool, arguments, words) in [
        (
            "contract_monitor_supplier44",
            json!({}),
            "supplierINN: missing",
        ),
        (
            "contract_monitor_supplier44",
            json!({ "supplierINN": "1" }),
            "supplierINN: 1, allowed is",
        ),
        (
            "contract_monitor_supplier44",
            json!({ "inn": "9602000445" }),
            "inn: unknown argument; the arguments are supplierINN,",
        ),
        (
            "contract_monitor_supplier44",
            json!({ "supplierINN": { "a": 1 } }),
            "supplierINN: give a string",
        ),
        (
            "contract_by_number",
            json!({ "regNum": "0" }),
            "the data has nothing with that number",
        ),
    ] {
        let result = call(tool, &arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert!(texts(&result)[0].contains(words), "{result}");
        assert!(result.get("structuredContent").is_none(), "{result}");
    }
}

#[test]
fn invalid_messages_get_a_protocol_error_and_do_not_end_the_session() {
    let long = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}",
        "x".repeat(1 << 21)
    );
    for (message, code, id) in [
        ("{", -32700, Value::Null),
        ("\u{0}", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            -32600,
            Value::Null,
        ),
        ("7", -32600, Value::Null),
        ("{}", -32600, Value::Null),
        (
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            -32600,
            json!(1),
        ),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600, json!(1)),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            -32600,
            Value::Null,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            -32600,
            Value::Null,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#,
            -32601,
            json!(1),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            -32602,
            json!(1),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_tool"}}"#,
            -32602,
            json!(1),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":[]}}"#,
            -32602,
            json!(1),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#,
            -32602,
            json!(1),
        ),
        (&long, -32600, Value::Null),
    ] {
        let ping = r#"{"jsonrpc":"2.0","id":"after","method":"ping"}"#;
        let answers = answers(&format!("{message}\n{ping}\n"));
        let [error, pong] = answers.as_slice() else {
            panic!("{message:.80}: {answers:?}");
        };
        assert_eq!(error["error"]["code"], code, "{message:.80} {error}");
        assert_eq!(error["id"], id, "{message:.80} {error}");
        assert_eq!(pong["id"], "after");
    }
    let ignored = [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        "",
    ];
    assert!(answers(&ignored.join("\n")).is_empty());
}

#[test]
fn a_long_answer_is_shortened_and_says_how_to_get_the_rest() {
    let arguments = json!({ "supplierINN": "9602000445", "limit": 200, "skip": 3 });
    let whole = call("contract_monitor_supplier44", &arguments);
    let said = texts(&whole);
    assert!(said[0].len() <= 100_000, "{}", said[0].len());
    let [answer, rest] = said.as_slice() else {
        panic!("{} texts", said.len());
    };
    let shown: Value = serde_json::from_str(answer).expect("JSON");
    let shown = shown["contracts"].as_array().expect("contracts").len();
    let next = 3 + shown;
    assert!(
        rest.contains(&format!("contracts, the first {shown} of ")),
        "{rest}"
    );
    assert!(
        rest.ends_with(&format!("For the rest, call again with skip={next}.")),
        "{rest}"
    );
}

/// Any JSON without floating point numbers.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        "[a-zЖ\"\\\\ ]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map("[a-c]{1,2}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Returns whether `short` is `whole` without the last items of some lists.
fn is_excerpt(short: &Value, whole: &Value) -> bool {
    match (short, whole) {
        (Value::Array(some), Value::Array(all)) => {
            some.len() <= all.len() && some.iter().zip(all).all(|(a, b)| is_excerpt(a, b))
        }
        (Value::Object(some), Value::Object(all)) => {
            let mut pairs = some.iter().zip(all);
            some.len() == all.len() && pairs.all(|((n, a), (m, b))| n == m && is_excerpt(a, b))
        }
        _ => short == whole,
    }
}

proptest! {
    #[test]
    fn an_excerpt_fits_and_lacks_only_the_last_items_of_lists(whole in json(), most in 0_usize..400) {
        let text = whole.to_string();
        match excerpt(&text, most) {
            None => prop_assert!(text.len() > most),
            Some(short) => {
                prop_assert!(short.text.len() <= most);
                let parsed: Value = serde_json::from_str(&short.text).expect("JSON");
                prop_assert!(is_excerpt(&parsed, &whole), "{} of {text}", short.text);
                prop_assert_eq!(short.cuts.is_empty(), parsed == whole);
            }
        }
    }
}

#[test]
fn the_longest_list_is_shortened_by_as_few_items_as_possible() {
    let text = json!({ "few": [1, 2, 3], "many": vec![0; 20] }).to_string();
    let most = text.len() - 4;
    let short = excerpt(&text, most).expect("it fits");
    assert_eq!(short.text.len(), most);
    let cuts = short.cuts.iter().map(|cut| (&*cut.path, cut.kept));
    assert_eq!(cuts.collect::<Vec<_>>(), [("many", 18)]);
}

#[test]
fn numbers_keep_all_their_digits() {
    let text = r#"{"sum":12345678901234567890123456.78,"items":[1.10,2,3]}"#;
    let short = excerpt(text, text.len() - 1).expect("it fits");
    assert_eq!(
        short.text,
        r#"{"sum":12345678901234567890123456.78,"items":[1.10,2]}"#
    );
}

#[test]
fn a_tool_is_named_after_its_path() {
    assert_eq!(
        described::tool_name(Endpoint::CONTRACTS),
        "contract_monitor_supplier44"
    );
}
