//! Invalid lines: `bad_lines.txt` contains them with the expected messages. Each invalid line is
//! followed by a valid one, which must be stored.
//!
//! To rewrite the messages:
//!
//! ```text
//! GOLDEN=bless cargo test --test answers bad_lines
//! ```

use super::*;
use crate::bad_inputs;

#[test]
fn bad_lines_are_reported_and_good_ones_imported() {
    bad_inputs::check("import/bad_lines.txt", |bad| {
        let lines = bad.iter().enumerate();
        let lines =
            lines.map(|(number, bad)| format!("{bad}\n") + &contract(INN, &number.to_string(), ""));
        let folder = Folder::new();
        let (summary, problems) = folder.import(lines.collect::<String>());
        assert_eq!(summary.skipped as usize, bad.len());
        let page = folder.answers().page(INN);
        let total = format!(r#""totalcount":{},"#, bad.len());
        assert!(page.contains(&total), "{page:.200}");
        let messages = problems.iter().enumerate().map(|(number, problem)| {
            let place = format!("x.jsonl:{}: ", 2 * number + 1);
            problem.strip_prefix(&place).expect(problem).to_owned()
        });
        messages.collect()
    });
}

#[test]
fn a_line_that_is_not_utf_8_is_reported_with_its_byte() {
    let line = b"{\"type\":\"supplier\",\"supplier\":{\"inn\":\"9600000002\",\"name\":\"\xff\"}}";
    let (summary, problems) = Folder::new().import(line);
    assert_eq!(problems, ["x.jsonl:1: not UTF-8 from byte 59 on"]);
    assert_eq!(summary.kinds["JSON line"].1, 1);
}

#[test]
fn surrogate_pairs_are_characters() {
    let folder = Folder::new();
    folder.take(supplier(INN, r"\ud83d\ude00"));
    assert_eq!(folder.answers().name(INN), "\u{1f600}");
}

#[test]
fn only_lines_over_the_bound_are_refused() {
    let line = |length: usize| {
        let short = supplier(INN, "x");
        let spaces = " ".repeat(length + 1 - short.len());
        short.replacen(',', &format!(",{spaces}"), 1)
    };
    let folder = Folder::new();
    let (summary, problems) = folder.import(line(MAX_LINE + 1) + &line(MAX_LINE));
    assert_eq!(problems, ["x.jsonl:1: a line longer than 16 MiB"]);
    assert_eq!(summary.skipped, 1);
    assert_eq!(folder.answers().name(INN), "x");
}

#[test]
fn unreadable_files_are_reported_and_others_imported() {
    let folder = Folder::new();
    folder.write("good.jsonl", contract(INN, "1", ""));
    folder.write("notes.txt", "x");
    let (summary, problems) =
        folder.import_files(&["none.jsonl", "notes.txt", "good.jsonl"], false);
    assert_eq!(summary.skipped, 2);
    assert!(
        problems[0].starts_with("none.jsonl: cannot be read: "),
        "{problems:?}"
    );
    assert_eq!(
        problems[1],
        "notes.txt: not a .xml, .zip or .jsonl file, nor a folder"
    );
    assert_eq!(folder.answers().contracts(INN), ["1"]);
}
