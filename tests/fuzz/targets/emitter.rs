//! Rendering: any text in any field of any record must come back unchanged when independent parsers
//! read the response.
//!
//! The first byte of an input is a digit for the kind of record; the rest is a string, or records
//! in postcard format.

use procurement_lookup::model::{Contract, Inn, Purchase, RnpEntry};
use procurement_lookup::render::{ContractPage, RnpCheck};
use procurement_lookup::store::{decode_contract, encode_contract};
use serde::Serialize;

use super::answers;

/// The supplier's name, the total number of contracts, the limit, and the contracts.
pub type PageInput = (String, u64, u64, Vec<Contract>);

/// The name of a supplier and its RNP entries.
pub type CheckInput = (String, Vec<RnpEntry>);

pub const TEXT: u8 = b'0';
pub const PAGE: u8 = b'1';
pub const CHECK: u8 = b'2';
pub const CARD: u8 = b'3';

/// Encodes a record of this kind as an input.
pub fn input(kind: u8, record: &impl Serialize) -> Vec<u8> {
    let record = postcard::to_stdvec(record).expect("a record can be encoded");
    [vec![kind], record].concat()
}

pub fn run(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else {
        return;
    };
    match *kind {
        PAGE => {
            if let Ok((name, total, limit, contracts)) = postcard::from_bytes::<PageInput>(rest) {
                let supplier = Inn::parse("9600000001").expect("an INN");
                answers::check_formats(&ContractPage {
                    head: answers::page_head(&supplier, &name, total, limit),
                    contracts: &|show| {
                        for contract in &contracts {
                            let record = encode_contract(&supplier, contract);
                            show(&decode_contract(&supplier, &record).expect("a record"));
                        }
                    },
                });
            }
        }
        CHECK => {
            if let Ok((name, entries)) = postcard::from_bytes::<CheckInput>(rest) {
                answers::check_formats(&RnpCheck {
                    inn: "9600000001",
                    name: &name,
                    entries: &entries,
                    from: &answers::response_origin(),
                });
            }
        }
        CARD => {
            if let Ok(card) = postcard::from_bytes::<Purchase>(rest) {
                answers::check_card_formats(&card);
            }
        }
        _ => {
            if let Ok(text) = std::str::from_utf8(rest) {
                check_text(text);
            }
        }
    }
}

/// Asserts that a string in the supplier's name is the same in XML, in JSON, and after parsing.
fn check_text(text: &str) {
    let supplier = Inn::parse("9600000001").expect("an INN");
    let json = answers::check_formats(&ContractPage {
        head: answers::page_head(&supplier, text, 0, 0),
        contracts: &|_| {},
    });
    let page: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(page["supplierIName"].as_str().unwrap_or_default(), text);
}
