//! JSON Lines: parses, renders and imports any bytes as lines.

use procurement_lookup::import::{Line, parse_line};
use procurement_lookup::model::EncodedContractItems;
use procurement_lookup::render;
use procurement_lookup::store::{decode_contract, encode_contract};

use super::{answers, documents};

/// Asserts that every line is parsed or reported, that each record survives rendering and parsing, and
/// that the import counts the same good and bad lines.
pub fn run(data: &[u8]) {
    let text = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let (mut read, mut bad) = (0, 0);
    for line in text.split(|byte| *byte == b'\n') {
        match parse_line(line) {
            Ok(None) => {}
            Ok(Some(line)) => {
                read += 1;
                check_round_trip(&line);
            }
            Err(problem) => {
                bad += 1;
                drop(problem.to_string());
            }
        }
    }
    let imported = documents::import("lines.jsonl", data);
    assert_eq!(imported.summary.skipped, bad);
    assert_eq!(imported.problems.len() as u64, bad);
    let counted: u64 = imported.summary.counted.documents.values().sum();
    assert_eq!(counted, read);
}

fn check_round_trip(line: &Line) {
    match line {
        Line::Contract(supplier, contract) => {
            let record = encode_contract(&supplier.inn, contract);
            let kept = decode_contract(&supplier.inn, &record).expect("a record");
            answers::contract_round_trip(supplier, &kept);
            let items = contract.encode_items();
            let items = EncodedContractItems::decode(&items).unwrap_or_default();
            let mut line = Vec::new();
            let inn = supplier.inn.as_str();
            render::contract_line(&mut line, inn, &supplier.name, &kept, items);
            match parse_line(&line) {
                Ok(Some(Line::Contract(_, again))) => assert_eq!(again.products, contract.products),
                other => panic!("{other:?}"),
            }
        }
        Line::Purchase(card) => answers::purchase_round_trip(card),
        Line::RnpEntry(supplier, entry) => answers::entry_round_trip(supplier, entry),
        Line::Coverage(run) => answers::coverage_round_trip(run),
        Line::Supplier(_) | Line::Registry(..) => {}
    }
}
