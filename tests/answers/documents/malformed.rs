//! Malformed documents: `malformed.txt` contains the documents, with line feeds written as `\n`,
//! and the expected messages. Other documents of the same import are stored.
//!
//! To rewrite the messages:
//!
//! ```text
//! GOLDEN=bless cargo test --test answers malformed
//! ```

use super::*;
use crate::bad_inputs;

#[test]
fn malformed_documents_are_reported_and_good_ones_imported() {
    bad_inputs::check("documents/malformed.txt", |bad| {
        let folder = Folder::new();
        for (number, bad) in bad.iter().enumerate() {
            folder.write(&format!("in/{number:02}.xml"), bad.replace("\\n", "\n"));
            let good = GOOD.replace(">1<", &format!(">{number}<"));
            folder.write(&format!("in/{number:02}_.xml"), good);
        }
        let (summary, problems) = folder.import_files(&["in"], false);
        assert_eq!(summary.skipped as usize, bad.len());
        assert_eq!(folder.answers().contract_page(A).contracts.len(), bad.len());
        let messages = problems.iter().enumerate().map(|(number, problem)| {
            let place = format!("in/{number:02}.xml:");
            problem.strip_prefix(&place).expect(problem).to_owned()
        });
        messages.collect()
    });
}

/// Checks the message about a document. The file name is left out of the message.
fn check_bad(content: impl AsRef<[u8]>, expected: &str) {
    let (summary, problems) = Folder::new().import_file("x.xml", content);
    assert_eq!((problems.len(), summary.skipped), (1, 1), "{problems:?}");
    let is_told = problems[0].starts_with("x.xml:") && problems[0].contains(expected);
    assert!(is_told, "{expected} in {problems:?}");
}

#[test]
fn a_bad_document_does_not_affect_others_in_its_file() {
    let folder = Folder::new();
    let bad = "<contract><regNum>9</regNum><signDate>never</signDate></contract>";
    let two = GOOD.replace(">1<", ">2<");
    let (summary, problems) =
        folder.import_file("x.xml", format!("<export>{GOOD}{bad}{two}</export>"));
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].contains(": contract 9: signDate"),
        "{problems:?}"
    );
    let (tally, skipped) = summary.kinds["contract"];
    assert_eq!((tally.new, skipped), (2, 1));
    assert_eq!(folder.answers().contract_page(A).contracts.len(), 2);
}

#[test]
fn documents_before_an_error_are_imported() {
    let folder = Folder::new();
    let content = format!("<export>{GOOD}\n<contract><regNum>");
    let (summary, problems) = folder.import_file("x.xml", content);
    assert_eq!((summary.skipped, problems.len()), (1, 1));
    assert!(problems[0].starts_with("x.xml:2:"), "{problems:?}");
    assert_eq!(folder.answers().contract_page(A).contracts.len(), 1);
    check_bad("", ": not an XML document");
}

#[test]
fn documents_over_a_bound_are_reported() {
    let nested = |depth: usize| {
        let inside = format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        format!(
            "<export>{}</export>",
            GOOD.replace("</regNum>", &format!("</regNum>{inside}"))
        )
    };
    check_bad(nested(MAX_DEPTH + 1), ":1:");
    check_bad(nested(200_000), ":1:");
    let folder = Folder::new();
    folder.take_xml(nested(MAX_DEPTH - 1));
    assert_eq!(folder.answers().contract_page(A).contracts.len(), 1);
    let many = GOOD.replace(
        "</regNum>",
        &format!("</regNum>{}", "<a/>".repeat(MAX_ELEMENTS)),
    );
    check_bad(many, ":1:");
}

#[test]
fn documents_that_are_not_utf_8_are_reported() {
    let mut windows = b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><contract>".to_vec();
    windows.extend([0xcf, 0xf0, 0xe8]);
    check_bad(&windows, ": not UTF-8 from byte 56 on");
    let utf_16: Vec<u8> = std::iter::once(0xfeff)
        .chain(GOOD.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    check_bad(utf_16, ": not UTF-8 from byte 1 on");
    let folder = Folder::new();
    folder.take_xml(format!("\u{feff}{GOOD}"));
    assert_eq!(folder.answers().contract_page(A).contracts.len(), 1);
}

#[test]
fn documents_of_other_kinds_are_counted_by_name() {
    let folder = Folder::new();
    let contract223 = "<contract><header><guid>1</guid></header><body><item/></body></contract>";
    let summary = folder.take_xml(format!(
        "<export><tenderPlan2020><regNum>1</regNum></tenderPlan2020>{GOOD}<tenderPlan2020/>{contract223}\
         <co><contract><regNum>1</regNum></contract></co></export>"
    ));
    assert_eq!(summary.skipped, 0);
    let passed: Vec<(&str, u64)> = summary
        .counted
        .passed_over
        .iter()
        .map(|(kind, count)| (kind.as_str(), *count))
        .collect();
    assert_eq!(passed, [("co/contract", 1), ("tenderPlan2020", 2)]);
    assert_eq!(summary.counted.about_nothing["contract (223-FZ)"], 1);
    assert_eq!(folder.answers().contract_page(A).contracts.len(), 1);
}

#[test]
fn values_over_a_bound_are_reported() {
    let contract = |inside: &str| format!("<contract><regNum>77</regNum>{inside}</contract>");
    let suppliers = |count: u64| {
        let one = |number: u64| format!("<supplier><inn>96{number:08}</inn></supplier>");
        let suppliers: String = (0..count).map(one).collect();
        contract(&format!("<suppliers>{suppliers}</suppliers>"))
    };
    check_bad(
        suppliers(MAX_SUPPLIERS as u64 + 1),
        "contract 77: suppliers: more than 100",
    );
    let folder = Folder::new();
    folder.take_xml(suppliers(MAX_SUPPLIERS as u64));
    assert_eq!(
        folder.answers().contract_page("9600000099").contracts.len(),
        1
    );
    let long = "я".repeat(MAX_FACTS / 2);
    check_bad(
        contract(&format!("<contractSubject>{long}</contractSubject>")),
        ": 77: its facts take more than 4 MiB",
    );
    let number = "7".repeat(MAX_NUMBER + 1);
    check_bad(
        format!("<contract><regNum>{number}</regNum></contract>"),
        ": a number longer than 200 bytes",
    );
}

#[test]
fn a_file_with_too_many_documents_is_reported() {
    let many = "<contract/>".repeat(MAX_DOCUMENTS);
    let folder = Folder::new();
    let (summary, problems) =
        folder.import_file("x.xml", format!("<export>\n{many}<contract/></export>"));
    assert_eq!(summary.skipped as usize, MAX_DOCUMENTS + 1);
    let last = problems.last().expect("a problem");
    assert!(last.starts_with("x.xml:2:1100"), "{last}");
    assert!(
        last.contains("more than 100000 documents in a file"),
        "{last}"
    );
}

#[test]
fn a_card_that_is_too_large_affects_no_other() {
    let card = |number: &str, length| {
        let line =
            format!(r#"{{"type":"purchase615","purchase":{{"purchaseNumber":"{number}"}}}}"#);
        let line = procurement_lookup::import::parse_line(line.as_bytes());
        let Some(procurement_lookup::import::Line::Purchase(Purchase::Pp615(mut card))) =
            line.expect("a line")
        else {
            panic!("not a card");
        };
        card.object_info = "x".repeat(length);
        Purchase::Pp615(card)
    };
    let cards = [
        card("039600000012500001", 64 << 20),
        card("039600000012500002", 1),
    ];
    let folder = Folder::new();
    let mut writer = Writer::open(&folder.database()).expect("the database opens");
    let set = |writing: &mut store::BatchWriter<'_>| {
        let mut cards = cards.iter();
        cards.try_for_each(|card| writing.set_purchase(card))
    };
    writer.set_records(set).expect("it is written");
    let mut problems = Vec::new();
    let summary = import(&[], writer, &Options::default(), &mut |event| {
        if let Event::Problem(what) = event {
            problems.push(what.to_owned());
        }
    });
    let summary = summary.expect("the import ends well");
    assert_eq!(
        problems,
        ["purchase 039600000012500001: the card would be larger than 64 MiB"]
    );
    assert_eq!((summary.skipped, summary.changed.purchases), (1, 1));
}
