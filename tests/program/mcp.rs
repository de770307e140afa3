//! Runs `mcp` the way an assistant does.

use serde_json::{Value, json};

use super::*;

/// Sends messages to the program, closes its input, and returns the responses.
fn converse(messages: &[Value]) -> Vec<Value> {
    let folder = TempDir::new().expect("a folder");
    let mut command = program(folder.path());
    command.arg("mcp").stdin(Stdio::piped());
    let mut running = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = running.stdin.take().expect("its input");
    let writer = std::thread::spawn({
        let lines: String = messages.iter().map(|one| format!("{one}\n")).collect();
        move || input.write_all(lines.as_bytes()).expect("written")
    });
    let output = running.wait_with_output().expect("it ends");
    writer.join().expect("all written");
    assert!(output.status.success(), "{output:?}");
    let parse = |line: &str| serde_json::from_str(line).expect(line);
    stdout(&output).lines().map(parse).collect()
}

/// Returns the tool calls in the chapter in a language.
fn calls(language: &str) -> Vec<Value> {
    let path = format!(
        "{}/src/manual/{language}/assistants.md",
        env!("CARGO_MANIFEST_DIR")
    );
    let chapter = fs::read_to_string(path).expect("the chapter");
    let lines = chapter.lines().filter(|line| line.starts_with("{\"name\""));
    lines
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

#[test]
fn calls_in_the_manual_work_and_standard_output_has_only_protocol_messages() {
    let all = calls("en");
    assert_eq!(all, calls("ru"));
    assert!(all.len() >= 5, "{all:?}");
    let message = |method: &str, params: &Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut messages = vec![message("initialize", &json!({}))];
    messages.extend(all.iter().map(|call| message("tools/call", call)));
    let answers = converse(&messages);
    assert_eq!(answers.len(), messages.len());
    for (call, answer) in all.iter().zip(&answers[1..]) {
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{call} {answer}");
        // The examples must find something, so no list at the top level may be empty.
        let members = result["structuredContent"].as_object().expect("an object");
        let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
        let is_answered = call["name"] == "rnp_check_supplier" || !members.values().any(is_empty);
        assert!(is_answered, "{call} {answer:.500}");
    }
}
