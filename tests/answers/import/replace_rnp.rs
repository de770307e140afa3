//! --replace-rnp.

use super::*;

#[test]
fn what_is_not_in_the_registry_given_goes() {
    let (folder, inns) = registry();
    let before = folder.version();
    folder.write(
        "new.jsonl",
        entry(inns[0], "4", "44") + &entry(INN, "5", "44"),
    );
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(2));
    let mut answers = folder.answers();
    assert_eq!(answers.entries(inns[0]), ["4"]);
    assert_eq!(answers.entries(INN), ["5"]);
    assert_eq!(answers.entries(inns[1]), [""; 0]);
    assert!(
        answers.rnp(inns[1]).contains(r#""inRNP":false"#),
        "its contract is here"
    );
    assert_eq!(answers.entries(inns[2]), ["3"], "of another law");
    assert_ne!(folder.version(), before);
    let version = folder.version();
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(0), "the same day again");
    assert_eq!(folder.version(), version);
}

#[test]
fn a_supplier_known_by_an_entry_that_went_is_unknown_again() {
    let (folder, inns) = registry();
    folder.write("new.jsonl", entry(inns[1], "2", "44"));
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(1));
    let mut answers = folder.answers();
    assert!(answers.rnp(inns[0]).contains(r#""code":404"#));
    assert!(answers.page(inns[0], 0).contains(r#""totalcount":0"#));
    assert_eq!(answers.entries(inns[1]), ["2"]);
}

#[test]
fn nothing_goes_where_something_was_skipped_or_no_entry_came() {
    for bad in ["nonsense\n", &supplier("1", "x"), &entry(INN, "", "44")] {
        let (folder, inns) = registry();
        folder.write("new.jsonl", entry(INN, "5", "44") + bad);
        let (summary, problems) = folder.import_files(&["new.jsonl"], true);
        assert_eq!((summary.rnp_entries_gone, problems.len()), (None, 1));
        let mut answers = folder.answers();
        assert_eq!(answers.entries(inns[0]), ["1"]);
        assert_eq!(answers.entries(INN), ["5"], "what is new goes in");
    }
    let (folder, inns) = registry();
    folder.write("new.jsonl", contract(INN, "1", ""));
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(0));
    assert_eq!(folder.answers().entries(inns[0]), ["1"]);
}

#[test]
fn without_the_option_nothing_goes() {
    let (folder, inns) = registry();
    let summary = folder.take(entry(INN, "5", "44"));
    assert_eq!(summary.rnp_entries_gone, None);
    assert_eq!(folder.answers().entries(inns[0]), ["1"]);
}
