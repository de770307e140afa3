//! Which versions and lines replace which.

use super::*;

/// A version of a contract.
struct Version<'a> {
    number: &'a str,
    version: u32,
    published: &'a str,
    /// INN and name.
    suppliers: &'a [(&'a str, &'a str)],
}

impl Version<'_> {
    fn xml(&self) -> String {
        let supplier = |(inn, name): &(&str, &str)| {
            format!(
                "<supplier><legalEntityRF><fullName>{name}</fullName><INN>{inn}</INN></legalEntityRF></supplier>"
            )
        };
        let suppliers: String = self.suppliers.iter().map(supplier).collect();
        format!(
            "<export><contract><publishDate>{}</publishDate><versionNumber>{}</versionNumber>\
             <regNum>{}</regNum><signDate>2020-01-01</signDate><suppliers>{suppliers}</suppliers></contract></export>",
            self.published, self.version, self.number
        )
    }
}

/// A version of contract 1 with supplier A.
fn version(version: u32, published: &str) -> String {
    Version {
        number: "1",
        version,
        published,
        suppliers: &[(A, "А")],
    }
    .xml()
}

const B: &str = "9600000023";

#[test]
fn the_newest_version_counts_in_whatever_order_they_come() {
    for (older, newer) in [
        // By version number, whenever it was published.
        (
            version(0, "2021-01-01T00:00:00Z"),
            version(1, "2020-12-31T00:00:00Z"),
        ),
        (
            version(9, "2020-01-01T00:00:00Z"),
            version(10, "2020-01-02T00:00:00Z"),
        ),
        // Of equal versions, by the instant of publication, across zones.
        (
            version(1, "2020-01-02T08:00:00+10:00"),
            version(1, "2020-01-01T23:00:00Z"),
        ),
        (
            version(1, "2020-01-02T08:00:00.100Z"),
            version(1, "2020-01-02T08:00:00.101Z"),
        ),
    ] {
        let mut outcomes = Vec::new();
        for order in [[&older, &newer], [&newer, &older]] {
            // In two imports, and in one.
            let two = Folder::new();
            for document in order {
                two.take(document);
            }
            let one = Folder::new();
            let paths = [0, 1].map(|index| {
                let path = one.0.path().join(format!("{index}.xml"));
                fs::write(&path, order[index]).expect("the file is written");
                path
            });
            one.import_paths(&paths, false);
            for folder in [&two, &one] {
                outcomes.push(folder.answers().json(Endpoint::CONTRACTS, A));
            }
        }
        let alone = Folder::new();
        alone.take(&newer);
        let expected = alone.answers().json(Endpoint::CONTRACTS, A);
        assert_eq!(outcomes, [0; 4].map(|_| expected.clone()));
    }
}

#[test]
fn a_newer_version_is_counted_as_such() {
    let folder = Folder::new();
    let tally = |xml: &str| folder.take(xml).kinds["contract"].0;
    assert_eq!(tally(&version(1, "2020-01-01T00:00:00Z")).new, 1);
    assert_eq!(tally(&version(2, "2020-01-02T00:00:00Z")).newer, 1);
    assert_eq!(tally(&version(1, "2020-01-01T00:00:00Z")).unchanged, 1);
    assert_eq!(tally(&version(2, "2020-01-02T00:00:00Z")).unchanged, 1);
}

#[test]
fn a_supplier_that_a_newer_version_drops_loses_the_contract() {
    let first = Version {
        number: "1",
        version: 0,
        published: "2020-01-01T00:00:00Z",
        suppliers: &[(A, "А"), (B, "Б")],
    };
    let second = Version {
        version: 1,
        suppliers: &[(B, "Б")],
        ..first
    };
    for order in [[&first, &second], [&second, &first]] {
        let folder = Folder::new();
        for document in order {
            folder.take(document.xml());
        }
        let mut answers = folder.answers();
        assert_eq!(answers.page(A).contracts.len(), 0);
        assert_eq!(answers.page(B).contracts.len(), 1);
    }
}

#[test]
fn a_line_about_the_same_contract_is_outranked_in_either_order() {
    let document = version(0, "2020-01-01T00:00:00Z");
    let (of_a, of_b) = (line(A, "1"), line(B, "1"));
    for documents_first in [true, false] {
        let folder = Folder::new();
        if documents_first {
            folder.take(&document);
        }
        for lines in [&of_a, &of_b] {
            let summary = folder.take_lines(lines);
            let (tally, _) = summary.kinds["contract (JSON line)"];
            assert_eq!(tally.unchanged == 1, documents_first);
        }
        if !documents_first {
            folder.take(&document);
        }
        let mut answers = folder.answers();
        assert_eq!(answers.of_contract(A, "updateDate"), "\"2020-01-01\"");
        assert_eq!(answers.page(B).contracts.len(), 0);
        // A line about another contract is imported.
        folder.take_lines(&line(A, "2"));
        assert_eq!(folder.answers().page(A).contracts.len(), 2);
    }
}

#[test]
fn a_line_about_the_same_entry_is_outranked_in_either_order() {
    let document = sample("unfairSupplier-11.xml");
    let line = r#"{"type":"rnpEntry","supplier":{"inn":"9600000062"},"entry":{"registrationNumber":"РНП.96002-21","reason":"line"}}"#;
    for documents_first in [true, false] {
        let folder = Folder::new();
        if documents_first {
            folder.take(&document);
        }
        folder.take_lines(line);
        if !documents_first {
            folder.take(&document);
        }
        let registry = folder.answers_on("2022-01-01").registry("9600000062");
        assert_eq!(registry.entries[0]["reason"].get(), "\"CANCEL_CONTRACT\"");
    }
}

#[test]
fn of_several_names_that_of_the_newest_document_counts() {
    let named = |number, published, name| {
        Version {
            number,
            version: 0,
            published,
            suppliers: &[(A, name)],
        }
        .xml()
    };
    let old = named("3", "2020-01-01T00:00:00Z", "Старое");
    let new = named("1", "2021-01-01T00:00:00Z", "Новое");
    let tie = named("2", "2021-01-01T00:00:00Z", "Равное");
    for (documents, expected) in [
        (vec![&old, &new], "Новое"),
        (vec![&new, &old], "Новое"),
        (vec![&new, &tie, &old], "Равное"),
        (vec![&tie, &old, &new], "Равное"),
    ] {
        let folder = Folder::new();
        for document in documents {
            folder.take(document);
        }
        assert_eq!(folder.answers().name(A), expected);
    }
}
