//! Which lines replace others.

use super::*;

#[test]
fn a_repeated_line_replaces_the_earlier_one() {
    let folder = Folder::new();
    let summary = folder.take(
        contract(
            INN,
            "1",
            r#","customerName":"before","signDate":"2025-01-01""#,
        ) + &contract(INN, "2", r#","signDate":"2025-02-01""#)
            + &contract(
                INN,
                "1",
                r#","customerName":"after","signDate":"2025-03-01""#,
            ),
    );
    let (tally, _) = summary.kinds["contract (JSON line)"];
    assert_eq!((tally.new, tally.newer, tally.unchanged), (2, 1, 0));
    let mut answers = folder.answers();
    assert_eq!(answers.contracts(INN), ["1", "2"]);
    assert_eq!(members_of(&answers.page(INN), "customerName"), ["after"]);
    // A line of a later import replaces the contract as a whole: fields that it omits become empty.
    let summary = folder.take(contract(INN, "1", ""));
    let (tally, _) = summary.kinds["contract (JSON line)"];
    assert_eq!((tally.new, tally.newer, tally.unchanged), (0, 1, 0));
    let mut answers = folder.answers();
    assert_eq!(answers.contracts(INN), ["2", "1"]);
    assert_eq!(members_of(&answers.page(INN), "customerName"), [""; 0]);
}

#[test]
fn purchases_and_entries_are_replaced_by_number() {
    let folder = Folder::new();
    for (kind, number) in [("44", N44), ("223", N223), ("615", N615)] {
        let line =
            |info: &str| purchase(kind, number, &format!(r#","purchaseObjectInfo":"{info}""#));
        folder.take(line("before") + &line("between"));
        folder.take(line("after"));
        let card = folder.answers().card(number, "json");
        assert_eq!(members_of(&card, "purchaseObjectInfo"), ["after"], "{kind}");
    }
    // If a later line assigns an entry to another supplier, the first one no longer has it.
    folder.take(entry(INN, "А-1", "44") + &entry(INN, "А-2", "44"));
    folder.take(entry(OTHER, "А-1", "44"));
    let mut answers = folder.answers();
    assert_eq!(answers.entries(INN), ["А-2"]);
    assert_eq!(answers.entries(OTHER), ["А-1"]);
}

#[test]
fn files_are_imported_in_the_order_of_arguments_and_paths() {
    let named = |name: &str| supplier(INN, name);
    let folder = Folder::new();
    for name in ["b", "a", "c"] {
        folder.write(&format!("{name}.jsonl"), named(name));
    }
    let last = |names: &[&str]| {
        let (summary, problems) = folder.import_files(names, false);
        assert_eq!((summary.skipped, problems.len()), (0, 0), "{names:?}");
        folder.answers().name(INN)
    };
    assert_eq!(last(&["a.jsonl", "b.jsonl"]), "b");
    assert_eq!(last(&["b.jsonl", "a.jsonl"]), "a");
    assert_eq!(last(&["c.jsonl", "b.jsonl", "a.jsonl", "b.jsonl"]), "b");
    for (order, file) in ["2", "10", "01/z", "1/1", "1/0", "3/a/b"]
        .iter()
        .enumerate()
    {
        folder.write(&format!("all/{file}.jsonl"), named(&order.to_string()));
    }
    folder.write("all/3/readme.txt", "not for us");
    let (summary, _) = folder.import_files(&["all"], false);
    assert_eq!(summary.counted.other_files, 1);
    assert_eq!(folder.answers().name(INN), "5", "3/a/b is the last");
    folder.write("all/4.JSONL", named("capitals"));
    assert_eq!(last(&["all"]), "capitals");
}

#[test]
fn the_last_nonempty_name_of_a_supplier_counts() {
    let folder = Folder::new();
    let named = |line: String| {
        folder.take(line);
        folder.answers().name(INN)
    };
    assert_eq!(named(supplier(INN, "")), "");
    assert_eq!(named(supplier(INN, "one")), "one");
    assert_eq!(named(contract(INN, "1", "")), "one");
    assert_eq!(named(entry(INN, "1", "44")), "ООО А");
    assert_eq!(named(supplier(INN, "two") + &supplier(INN, "")), "two");
    assert_eq!(named(supplier(INN, "b") + &supplier(INN, "a")), "a");
}

#[test]
fn a_supplier_record_makes_a_supplier_known() {
    let folder = Folder::new();
    folder.take(supplier(INN, ""));
    let mut answers = folder.answers();
    let known = answers.rnp(INN);
    assert!(known.contains(r#""inRNP":false,"entries":[]"#), "{known}");
    assert!(answers.rnp(OTHER).contains(r#""code":404"#));
}
