//! Purchases with so many contracts that their records are derived in parts.

use std::sync::atomic::{AtomicBool, Ordering};

use super::archives::archive;
use super::family::*;
use super::*;

const CONTRACTS: u32 = 50;

/// Contracts of the auction, each with a different supplier.
fn contracts() -> Vec<String> {
    let one = |at: u32| {
        let number = format!("29600000030250{at:05}");
        contract((&number, AUCTION, 1), 0, CUSTOMER, &[(B, "Первая")])
            .replace(
                "2025-02-01</signDate>",
                &format!("2025-02-{:02}</signDate>", at % 20 + 1),
            )
            .replace("900.5", &format!("{}.5", 900 + at))
    };
    (0..CONTRACTS).map(one).collect()
}

/// Writes each document to a separate file in a new folder.
fn written(folder: &Folder, name: &str, documents: &[String]) -> PathBuf {
    let inner = folder.path().join(name);
    fs::create_dir(&inner).expect("a folder");
    for (index, document) in documents.iter().enumerate() {
        fs::write(inner.join(format!("{index:03}.xml")), document).expect("written");
    }
    inner
}

/// Returns the records after importing these documents, one import after another.
fn records_after(imports: &[&[String]]) -> String {
    let folder = Folder::new();
    for (at, documents) in imports.iter().enumerate() {
        let path = written(&folder, &at.to_string(), documents);
        let (summary, problems) = folder.import_paths(&[path], false);
        assert_eq!((problems, summary.skipped), (Vec::<String>::new(), 0));
        store::check(&folder.database()).expect("the database is as it must be");
    }
    records(&folder.database())
}

#[test]
fn a_purchase_with_many_contracts_does_not_depend_on_the_order() {
    let (notices, contracts) = ([auction(1, "1000"), auction(2, "2000")], contracts());
    let annulled = export(
        "<contractCancel><regNum>2960000003025000019</regNum><cancelDate>2025-05-01</cancelDate></contractCancel>"
            .to_owned(),
    );
    let annulled = [annulled];
    let all = [&notices[..], &contracts, &annulled].concat();
    let expected = records_after(&[&all]);
    assert!(
        expected.contains("2960000003025000039"),
        "the card has the newest"
    );
    assert!(expected.contains("2000"), "the newer notice counts");
    let reversed: Vec<String> = all.iter().rev().cloned().collect();
    assert_eq!(records_after(&[&reversed]), expected);
    let [first, second] = &notices;
    let split: [&[String]; 5] = [
        std::slice::from_ref(second),
        &contracts[..30],
        &annulled,
        std::slice::from_ref(first),
        &contracts[30..],
    ];
    assert_eq!(records_after(&split), expected);
    let notices_last: [&[String]; 4] = [
        &contracts,
        std::slice::from_ref(first),
        &annulled,
        std::slice::from_ref(second),
    ];
    assert_eq!(records_after(&notices_last), expected);
}

#[test]
fn several_purchases_with_many_contracts_are_all_derived() {
    let first = [&[auction(1, "1000")][..], &contracts()].concat();
    let another = |one: &String| {
        one.replace(AUCTION, "0396000000125000002")
            .replace("29600000030250", "29600000030251")
    };
    let second: Vec<String> = first.iter().map(another).collect();
    let together = [&first[..], &second].concat();
    assert_eq!(
        records_after(&[&together]),
        records_after(&[&first, &second])
    );
}

#[test]
fn a_resumed_import_completes_postponed_derivations() {
    let documents = [&[auction(1, "1000")][..], &contracts()].concat();
    let expected = records_after(&[&documents]);
    let folder = Folder::new();
    let first = written(&folder, "0", &documents);
    // The documents take more than one round, so that the import can be interrupted.
    let entries: Vec<(String, &[u8])> = (0..4000)
        .map(|at| (format!("{at}.xml"), b"<unknown/>".as_slice()))
        .collect();
    let entries: Vec<(&str, &[u8])> = entries
        .iter()
        .map(|(name, text)| (&**name, *text))
        .collect();
    let rest = folder.write("rest.zip", archive(&entries, CompressionMethod::Stored));
    let paths = [first, rest];
    let stop = AtomicBool::new(false);
    let options = Options {
        stop: Some(&stop),
        ..Options::default()
    };
    let open = || Writer::open_for(&folder.database(), "these").expect("the database opens");
    let summary = import(&paths, open(), &options, &mut |event| {
        if matches!(event, Event::Progress { .. }) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let summary = summary.expect("the import ends well");
    assert!(summary.interrupted);
    assert_eq!(summary.kinds["contract"].0.new, u64::from(CONTRACTS));
    let summary = import(&paths, open(), &Options::default(), &mut |_| {});
    let summary = summary.expect("the import ends well");
    assert_eq!(summary.kinds["contract"].0.unchanged, u64::from(CONTRACTS));
    assert_eq!(records(&folder.database()), expected);
    store::check(&folder.database()).expect("the database is as it must be");
}
