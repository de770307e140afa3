//! Repeating an import changes nothing, and everything is counted as unchanged.

use procurement_lookup::store::Tally;

use super::family::{CONTRACT, TENDER, family};
use super::*;
use crate::properties::few_cases;

/// Lines of all kinds, several of them about the same record.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for (index, name) in ["", "Первое", "Второе", "Третье"].iter().enumerate() {
        for inn in [A, "9600000023"] {
            lines.push(folder::supplier(inn, name));
            lines.push(folder::entry(inn, "РНП.7", &index.to_string()));
            // There is also a document about the second contract.
            for number in ["2960000003025000009", CONTRACT] {
                let signed = format!("2025-01-0{}", 1 + index / 2);
                let fields = format!(r#","signDate":"{signed}","OKTMO":"{name}""#);
                lines.push(folder::contract(inn, number, &fields));
            }
        }
        for (kind, number) in [
            ("44", "0396000000125000009"),
            ("44", TENDER),
            ("223", "32500000009"),
            ("615", "039600000012500009"),
        ] {
            lines.push(folder::purchase(
                kind,
                number,
                &format!(r#","href":"{index}""#),
            ));
        }
    }
    lines
}

/// Returns the tallies of a second identical import: whatever `first` counted is now unchanged.
fn all_unchanged(first: &BTreeMap<String, (Tally, u64)>) -> BTreeMap<String, (Tally, u64)> {
    let unchanged = |(tally, skipped): &(Tally, u64)| {
        let tally = Tally {
            unchanged: tally.new + tally.newer + tally.unchanged,
            ..Tally::default()
        };
        (tally, *skipped)
    };
    first
        .iter()
        .map(|(kind, counted)| (kind.clone(), unchanged(counted)))
        .collect()
}

/// Writes documents and lines in this order. A line is appended to the previous file of lines
/// unless `cuts` starts a new file.
fn write_files(folder: &Path, pieces: &[(bool, String)], cuts: &[bool]) {
    let mut files: Vec<(bool, String)> = Vec::new();
    for ((is_line, text), cut) in pieces.iter().zip(cuts) {
        match files.last_mut() {
            Some((true, lines)) if *is_line && !cut => lines.push_str(text),
            _ => files.push((*is_line, text.clone())),
        }
    }
    for (index, (is_line, text)) in files.into_iter().enumerate() {
        let extension = if is_line { "jsonl" } else { "xml" };
        let path = folder.join(format!("{index:03}.{extension}"));
        fs::write(path, text).expect("the file is written");
    }
}

proptest! {
    #![proptest_config(few_cases(6))]

    #[test]
    fn repeated_imports_change_nothing_in_any_split(
        pieces in prop::sample::subsequence(
            family().into_iter().map(|document| (false, document))
                .chain(lines().into_iter().map(|line| (true, line)))
                .collect::<Vec<_>>(),
            1..80,
        ).prop_shuffle(),
        cuts in prop::collection::vec(any::<bool>(), 80),
    ) {
        let folder = Folder::new();
        let files = tempfile::tempdir().expect("a folder");
        write_files(files.path(), &pieces, &cuts);
        let paths = [files.path().to_owned()];
        let (first, problems) = folder.import_paths(&paths, false);
        prop_assert_eq!(problems, [""; 0]);
        let read: u64 = first.kinds.values()
            .map(|(tally, _)| tally.new + tally.newer + tally.unchanged)
            .sum();
        prop_assert_eq!(read, pieces.len() as u64);
        let version = folder.version();
        let (second, _) = folder.import_paths(&paths, false);
        prop_assert_eq!(second.kinds, all_unchanged(&first.kinds));
        prop_assert_eq!(second.changed.suppliers + second.changed.purchases, 0);
        prop_assert_eq!(folder.version(), version);
    }
}

fn line() -> impl Strategy<Value = String> {
    let lines: [fn(u8) -> String; 4] = [
        |value| folder::contract(A, "1", &format!(r#","OKTMO":"{value}""#)),
        |value| folder::purchase("615", folder::N615, &format!(r#","href":"{value}""#)),
        |value| folder::entry(A, "1", &value.to_string()),
        |value| folder::supplier(A, &value.to_string()),
    ];
    (prop::sample::select(lines.to_vec()), 0..3_u8).prop_map(|(line, value)| line(value))
}

proptest! {
    #![proptest_config(few_cases(10))]

    #[test]
    fn counts_do_not_depend_on_batches(
        lines in prop::collection::vec(line(), 1..20),
        ends in prop::collection::vec(any::<bool>(), 20),
        other_ends in prop::collection::vec(any::<bool>(), 20),
    ) {
        let import = |folder: &Folder, ends: &[bool]| {
            let mut writer = Writer::open(&folder.database()).expect("the database opens");
            for (line, end) in lines.iter().zip(ends) {
                let line = procurement_lookup::import::parse_line(line.as_bytes());
                let line = line.expect("a line").expect("not a blank one");
                writer.line(line.pack().expect("it is packed")).expect("it is taken");
                if *end {
                    writer.write().expect("it is written");
                }
            }
            writer.write().expect("it is written");
            let tallies = writer.finish().expect("it is finished");
            tallies.into_iter().map(|(kind, tally)| (kind.to_owned(), (tally, 0))).collect()
        };
        let folder = Folder::new();
        let first: BTreeMap<_, _> = import(&folder, &ends);
        let version = folder.version();
        let second = import(&folder, &other_ends);
        prop_assert_eq!(&second, &all_unchanged(&first));
        prop_assert_eq!(folder.version(), version);
        prop_assert_eq!(&import(&Folder::new(), &other_ends), &first);
    }
}
