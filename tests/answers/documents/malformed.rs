//! Malformed documents.

use super::*;

/// Checks the problem of a document between two valid files.
fn check_bad(content: impl AsRef<[u8]>, expected: &str) -> String {
    let folder = Folder::new();
    let files = [
        ("a.xml", GOOD.as_bytes()),
        ("b.xml", content.as_ref()),
        ("c.xml", &GOOD.replace(">1<", ">2<").into_bytes()),
    ];
    let paths = files.map(|(name, content)| {
        let path = folder.0.path().join(name);
        fs::write(&path, content).expect("the file is written");
        path
    });
    let (summary, mut problems) = folder.import_paths(&paths, false);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(
        problems[0].starts_with(&format!("b.xml{expected}")),
        "{expected} in {problems:?}"
    );
    assert!(!problems[0].contains('\n'), "one line: {problems:?}");
    assert_eq!(summary.skipped, 1);
    assert_eq!(folder.answers().page(A).contracts.len(), 2);
    problems.remove(0)
}

/// Checks what is said of a document of one line, after line and column.
fn check_wrong(document: impl AsRef<[u8]>, what: &str) {
    let problem = check_bad(document, ":1:");
    assert!(
        problem.contains(&format!(": {what}")),
        "{what} in {problem}"
    );
}

#[test]
fn what_a_document_lacks_or_has_wrong_is_named_with_its_element() {
    let contract = |inside: &str| format!("<export><contract>{inside}</contract></export>");
    let numbered = |inside: &str| contract(&format!("<regNum>77</regNum>{inside}"));
    check_wrong(contract(""), "contract: regNum: is missing");
    for (inside, problem) in [
        ("<signDate>2025-02-30</signDate>", "signDate: not a date"),
        ("<signDate>01.02.2025</signDate>", "signDate: not a date"),
        (
            "<publishDate>yesterday</publishDate>",
            "publishDate: not a date",
        ),
        (
            "<versionNumber>1.5</versionNumber>",
            "versionNumber: not a whole number",
        ),
        ("<price>dear</price>", "price: "),
        (
            "<priceInfo><priceRUR>1,5</priceRUR></priceInfo>",
            "priceRUR: ",
        ),
        (
            "<priceInfo><price>12345678901234567890123456789</price></priceInfo>",
            "price: not a decimal number of up to 28 digits",
        ),
        (
            "<products><product><sum>1</sum></product><product><sum>x</sum></product></products>",
            "sum: ",
        ),
        (
            "<currentContractStage>X</currentContractStage>",
            "currentContractStage: ",
        ),
        (
            "<executionDate><month>13</month><year>2014</year></executionDate>",
            "executionDate: not a month of a year",
        ),
        (
            "<quantityContractStages>-1</quantityContractStages>",
            "quantityContractStages: ",
        ),
        (
            "<bankSupportContractRequiredInfo><bankSupportContractRequired>да</bankSupportContractRequired></bankSupportContractRequiredInfo>",
            "bankSupportContractRequired: not true or false",
        ),
    ] {
        check_wrong(numbered(inside), &format!("contract 77: {problem}"));
    }
    let unfair =
        |inside: &str| format!("<export><unfairSupplier>{inside}</unfairSupplier></export>");
    check_wrong(unfair(""), "unfairSupplier: registryNum: is missing");
    check_wrong(
        unfair("<registryNum>РНП.1</registryNum><approveDate>2021-13-01</approveDate>"),
        "unfairSupplier РНП.1: approveDate: not a date",
    );
}

#[test]
fn one_bad_document_of_a_file_does_not_keep_the_others_out() {
    let folder = Folder::new();
    let bad = "<contract><regNum>9</regNum><signDate>never</signDate></contract>";
    let two = GOOD.replace(">1<", ">2<");
    let (summary, problems) = folder.import("x.xml", format!("<export>{GOOD}{bad}{two}</export>"));
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].contains(": contract 9: signDate"),
        "{problems:?}"
    );
    let (tally, skipped) = summary.kinds["contract"];
    assert_eq!((tally.new, skipped), (2, 1));
    assert_eq!(folder.answers().page(A).contracts.len(), 2);
}

#[test]
fn a_malformed_document_is_named_with_line_and_column() {
    for (content, place) in [
        (
            "<export>\n<contract>\n  <regNum>1</regNumber>\n</contract></export>",
            ":3:",
        ),
        ("<export>\n<contract>\n<regNum>1</regNum>\n", ":4:"),
        (
            "<export>\n<contract><regNum>1 & 2</regNum></contract></export>",
            ":2:",
        ),
        (
            "<export>\n\n<contract><regNum>1&nbsp;2</regNum></contract></export>",
            ":3:",
        ),
        ("nothing of XML", ":1:"),
    ] {
        check_bad(content, place);
    }
    // The documents before the place are in.
    let folder = Folder::new();
    let (summary, problems) = folder.import("x.xml", format!("<export>{GOOD}\n<contract><regNum>"));
    assert_eq!((summary.skipped, problems.len()), (1, 1));
    assert!(problems[0].starts_with("x.xml:2:"), "{problems:?}");
    assert_eq!(folder.answers().page(A).contracts.len(), 1);
}

#[test]
fn a_file_that_ends_before_its_export_does_or_goes_on_after_it_is_named() {
    for (content, place) in [
        ("<export>\n", ":2:"),
        ("<export>\n<tenderPlan2020/>\n", ":3:"),
        ("<export>\n</export>\n<export/>", ":3:"),
        ("<export>\n</export>\n<tenderPlan2020/>", ":3:"),
        ("<export/>\nafter", ":2:"),
    ] {
        check_bad(content, place);
    }
}

#[test]
fn an_empty_document_is_named() {
    for content in [
        "",
        "\u{feff}",
        "\n\n",
        "<?xml version=\"1.0\"?>",
        "<!-- nothing -->",
    ] {
        check_bad(content, ": not an XML document");
    }
}

#[test]
fn a_document_type_or_an_entity_of_its_own_is_not_accepted() {
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE export [<!ENTITY a \"xxxxxxxx\"><!ENTITY b \"&a;&a;\">]>\n<export><contract><regNum>&b;</regNum></contract></export>";
    check_bad(bomb, ":2:");
    check_bad(
        "<!DOCTYPE export SYSTEM \"file:///etc/passwd\"><export/>",
        ":1:",
    );
    let folder = Folder::new();
    let (_, problems) = folder.import("x.xml", bomb);
    assert!(
        problems[0].contains("a document type declaration"),
        "{problems:?}"
    );
}

#[test]
fn a_document_over_a_bound_is_named() {
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
    folder.take(nested(MAX_DEPTH - 1));
    assert_eq!(folder.answers().page(A).contracts.len(), 1);
    let many = GOOD.replace(
        "</regNum>",
        &format!("</regNum>{}", "<a/>".repeat(MAX_ELEMENTS)),
    );
    check_bad(many, ":1:");
}

#[test]
fn a_document_that_is_not_utf_8_is_named() {
    let mut windows = b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><contract>".to_vec();
    windows.extend([0xcf, 0xf0, 0xe8]);
    check_bad(&windows, ": not UTF-8 from byte 56 on");
    let utf_16: Vec<u8> = std::iter::once(0xfeff)
        .chain(GOOD.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    check_bad(utf_16, ": not UTF-8 from byte 1 on");
    let folder = Folder::new();
    folder.take(format!("\u{feff}{GOOD}"));
    assert_eq!(folder.answers().page(A).contracts.len(), 1);
}

#[test]
fn a_document_of_another_kind_is_passed_over_by_name() {
    let folder = Folder::new();
    let contract223 = "<contract><header><guid>1</guid></header><body><item/></body></contract>";
    let summary = folder.take(format!(
        "<export><tenderPlan2020><regNum>1</regNum></tenderPlan2020>{GOOD}<tenderPlan2020/>{contract223}</export>"
    ));
    assert_eq!(summary.skipped, 0);
    let passed: Vec<(&str, u64)> = summary
        .counted
        .passed_over
        .iter()
        .map(|(kind, count)| (kind.as_str(), *count))
        .collect();
    assert_eq!(passed, [("tenderPlan2020", 2)]);
    assert_eq!(summary.counted.about_nothing["contract (223-FZ)"], 1);
    assert_eq!(folder.answers().page(A).contracts.len(), 1);
}

#[test]
fn what_is_said_over_a_bound_is_named() {
    let contract = |inside: &str| format!("<contract><regNum>77</regNum>{inside}</contract>");
    let suppliers = |count: u64| {
        let one = |number: u64| format!("<supplier><inn>96{number:08}</inn></supplier>");
        let suppliers: String = (0..count).map(one).collect();
        contract(&format!("<suppliers>{suppliers}</suppliers>"))
    };
    check_wrong(
        suppliers(MAX_SUPPLIERS as u64 + 1),
        "contract 77: suppliers: more than 100",
    );
    let folder = Folder::new();
    folder.take(suppliers(MAX_SUPPLIERS as u64));
    assert_eq!(folder.answers().page("9600000099").contracts.len(), 1);
    let long = "я".repeat(MAX_FACTS / 2);
    check_bad(
        contract(&format!("<contractSubject>{long}</contractSubject>")),
        ": 77: says more than 4 MiB",
    );
    let number = "7".repeat(MAX_NUMBER + 1);
    check_bad(
        format!("<contract><regNum>{number}</regNum></contract>"),
        ": a number longer than 200 bytes",
    );
}

#[test]
fn a_file_of_too_many_documents_is_named() {
    let many = "<contract/>".repeat(MAX_DOCUMENTS);
    let folder = Folder::new();
    let (summary, problems) =
        folder.import("x.xml", format!("<export>\n{many}<contract/></export>"));
    assert_eq!(summary.skipped as usize, MAX_DOCUMENTS + 1);
    let last = problems.last().expect("a problem");
    assert!(last.starts_with("x.xml:2:1100"), "{last}");
    assert!(
        last.contains("more than 100000 documents in a file"),
        "{last}"
    );
}

#[test]
fn a_card_that_is_too_large_is_an_error_of_that_card_alone() {
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
    writer.write(set).expect("it is written");
    let mut problems = Vec::new();
    let summary = import(&[], writer, &Options::default(), &mut |event| {
        if let Event::Problem(what) = event {
            problems.push(what.to_owned());
        }
    });
    let summary = summary.expect("the import ends well");
    assert_eq!(
        problems,
        ["purchase 039600000012500001: its card would be larger than 64 MiB"]
    );
    assert_eq!((summary.skipped, summary.changed.purchases), (1, 1));
}
