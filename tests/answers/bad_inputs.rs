//! Files of invalid inputs. Each input is on one line, followed by an indented line with the
//! expected message.

use std::fs;
use std::path::Path;

use crate::released::is_golden;

/// Checks the messages for the inputs in a file of `tests/answers`. `import` imports the inputs and
/// returns their messages in the same order, without file names and line numbers. With
/// `GOLDEN=bless`, writes the messages to the file.
pub fn check(file: &str, import: impl FnOnce(&[&str]) -> Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
    let path = path.join(file);
    let blessed = fs::read_to_string(&path).expect("the inputs");
    let is_input = |line: &&str| !line.starts_with("  ");
    let inputs: Vec<&str> = blessed.lines().filter(is_input).collect();
    let messages = import(&inputs);
    assert_eq!(messages.len(), inputs.len(), "{messages:#?}");
    let mut text = String::new();
    for (input, message) in inputs.iter().zip(&messages) {
        // A message that contains a line feed could pass for two messages.
        assert!(!message.contains(char::is_control), "{message:?}");
        text += &format!("{input}\n  {message}\n");
    }
    if is_golden("bless") {
        fs::write(path, &text).expect("the file is written");
    } else {
        assert_eq!(text, blessed);
    }
}
