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
fn the_same_again_changes_nothing() {
    let folder = Folder::new();
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/answers/documents");
    let (first, problems) = folder.import_paths(std::slice::from_ref(&samples), false);
    assert_eq!(problems, [""; 0]);
    let (version, bytes) = (folder.version(), fs::read(folder.database()));
    let (second, _) = folder.import_paths(&[samples], false);
    for (kind, (tally, _)) in &first.kinds {
        let (again, _) = second.kinds[kind];
        assert_eq!((again.new, again.newer), (0, 0), "{kind}");
        assert_eq!(again.unchanged, tally.new, "{kind}");
    }
    assert_eq!(folder.version(), version);
    assert!(
        bytes.expect("the file") == fs::read(folder.database()).expect("the file"),
        "not a byte of the file"
    );
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

/// Versions of three contracts and two entries, with suppliers that come and go
/// and change their names.
fn family() -> Vec<String> {
    let mut documents = Vec::new();
    for number in ["1", "2", "3"] {
        for version in 0..3 {
            // The third is the newest, and its last version names nobody.
            let year = if number == "3" { 2023 } else { 2020 } + version;
            let published = format!("{year}-0{number}-01T00:00:00Z");
            let name = format!("Имя {number}.{version}");
            let both = [(A, name.as_str()), (B, name.as_str())];
            let suppliers = match (number, version) {
                ("1", 2) | ("2", 1) => &both[1..],
                ("3", 2) => &both[..0],
                ("2", 2) => &both[..1],
                _ => &both[..],
            };
            let published = published.as_str();
            documents.push(
                Version {
                    number,
                    version,
                    published,
                    suppliers,
                }
                .xml(),
            );
        }
    }
    let entry = sample("unfairSupplier-11.xml");
    documents.push(entry.replace("9600000062", A));
    documents.push(
        entry
            .replace("9600000062", B)
            .replace("2021-03-02", "2021-04-02"),
    );
    documents.push(entry.replace("96002", "96003").replace("9600000062", A));
    documents.push(
        entry
            .replace("96002", "96003")
            .replace("9600000062", A)
            .replace("2021-03-02", "2021-04-02")
            .replace("PUBLISHED", "REVIEW_CANCELED"),
    );
    documents
}

fn answers_of(folder: &Folder) -> Vec<String> {
    let mut answers = folder.answers_on("2022-01-01");
    [Endpoint::CONTRACTS, Endpoint::RNP_CHECK]
        .iter()
        .flat_map(|endpoint| [A, B].map(|inn| (*endpoint, inn)))
        .map(|(endpoint, inn)| answers.json(endpoint, inn))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_and_any_split_of_documents_gives_the_same_answers(
        order in Just((0..family().len()).collect::<Vec<_>>()).prop_shuffle(),
        cuts in prop::collection::vec(any::<bool>(), family().len()),
    ) {
        let family = family();
        let expected = {
            let folder = Folder::new();
            folder.take(in_one_file(&family));
            answers_of(&folder)
        };
        let folder = Folder::new();
        let mut together = Vec::new();
        for (index, cut) in order.into_iter().zip(cuts) {
            together.push(family[index].clone());
            if cut {
                folder.take(in_one_file(&std::mem::take(&mut together)));
            }
        }
        if !together.is_empty() {
            folder.take(in_one_file(&together));
        }
        prop_assert_eq!(answers_of(&folder), expected);
    }
}

/// Documents of one file, as in the bulk exports.
fn in_one_file(documents: &[String]) -> String {
    let inner = |document: &String| {
        let start = document.find("export").expect("an export");
        let start = start + document[start..].find('>').expect("its end") + 1;
        let end = document.rfind("</").expect("its end tag");
        document[start..end].replace("ns2:", "")
    };
    let all: String = documents.iter().map(inner).collect();
    format!("<export>{all}</export>")
}
