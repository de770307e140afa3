//! Which versions and lines replace others.

use super::family::{AUCTION, auction};
use super::*;

fn version(version: u32, published: &str) -> String {
    format!(
        "<export><contract><publishDate>{published}</publishDate><versionNumber>{version}</versionNumber>\
         <regNum>1</regNum><signDate>2020-01-01</signDate><suppliers><supplier><inn>{A}</inn></supplier></suppliers>\
         </contract></export>"
    )
}

#[test]
fn the_newest_version_counts_in_any_order() {
    for (older, newer) in [
        // The higher version number wins, even if it was published earlier.
        ((0, "2021-01-01T00:00:00Z"), (1, "2020-12-31T00:00:00Z")),
        ((9, "2020-01-01T00:00:00Z"), (10, "2020-01-02T00:00:00Z")),
        // If version numbers are equal, the later time of publication wins, across time zones.
        (
            (1, "2020-01-02T08:00:00+10:00"),
            (1, "2020-01-01T23:00:00Z"),
        ),
        (
            (1, "2020-01-02T08:00:00.100Z"),
            (1, "2020-01-02T08:00:00.101Z"),
        ),
    ] {
        let [older, newer] = [older, newer].map(|(number, time)| version(number, time));
        let answer = |documents: &[&String]| {
            let folder = Folder::new();
            for document in documents {
                folder.take_xml(document);
            }
            folder.answers().json(Endpoint::CONTRACTS, A)
        };
        let expected = answer(&[&newer]);
        assert_eq!(answer(&[&older, &newer]), expected);
        assert_eq!(answer(&[&newer, &older]), expected);
    }
}

#[test]
fn documents_outrank_lines_in_any_order() {
    let contract = version(0, "2020-01-01T00:00:00Z");
    let entry = sample("unfairSupplier-11.xml");
    let card = format!(
        r#"{{"type":"purchase44","purchase":{{"purchaseNumber":"{AUCTION}","href":"line"}}}}"#
    );
    let entry_line = r#"{"type":"rnpEntry","supplier":{"inn":"9600000062"},"entry":{"registrationNumber":"РНП.96002-21","reason":"line"}}"#;
    let inn = |inn| ("supplierINN", inn);
    for (document, line, endpoint, asked, expected) in [
        (
            contract,
            line(A, "1"),
            Endpoint::CONTRACTS,
            inn(A),
            "2020-01-01",
        ),
        (
            entry,
            entry_line.to_owned(),
            Endpoint::RNP_CHECK,
            inn("9600000062"),
            "CANCEL_CONTRACT",
        ),
        (
            auction(1, "1"),
            card,
            Endpoint::PURCHASE_44,
            ("purchaseNumber", AUCTION),
            "https://example.org/1",
        ),
    ] {
        for documents_first in [true, false] {
            let folder = Folder::new();
            if documents_first {
                folder.take_xml(&document);
            }
            let summary = folder.take(&line);
            let unchanged: u64 = summary
                .kinds
                .values()
                .map(|(tally, _)| tally.unchanged)
                .sum();
            assert_eq!(unchanged == 1, documents_first);
            if !documents_first {
                folder.take_xml(&document);
            }
            let found = folder.answers_on("2022-01-01").ask(endpoint, &[asked]);
            assert!(found.contains(expected), "{found}");
        }
    }
    // A document also outranks a line that names another supplier. A line about another contract is
    // imported.
    let folder = Folder::new();
    folder.take_xml(version(0, "2020-01-01T00:00:00Z"));
    folder.take(&(line("9600000023", "1") + "\n" + &line(A, "2")));
    assert_eq!(
        folder.answers().contract_page("9600000023").contracts.len(),
        0
    );
    assert_eq!(folder.answers().contract_page(A).contracts.len(), 2);
}
