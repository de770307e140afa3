//! The emitter and the shapes of the answers: any text, in any field of any record,
//! comes back through readers that the program does not write with.
//!
//! An input is a digit for the kind of what follows: a text, or a record as the database
//! stores it.

use procurement_lookup::model::{Contract, Inn, Purchase, RnpEntry};
use procurement_lookup::render::{ContractPage, RnpCheck};
use procurement_lookup::store::{decode_contract, encode_contract};
use serde::Serialize;

use super::answers;

/// Name of the supplier, how many contracts it has, the limit, and the contracts.
pub type PageInput = (String, u64, u64, Vec<Contract>);

/// Name of the supplier, and the entries.
pub type CheckInput = (String, Vec<RnpEntry>);

/// The digits.
pub const TEXT: u8 = b'0';
pub const PAGE: u8 = b'1';
pub const CHECK: u8 = b'2';
pub const CARD: u8 = b'3';

/// The input for `record`.
pub fn input(kind: u8, record: &impl Serialize) -> Vec<u8> {
    let record = postcard::to_stdvec(record).expect("a record can be kept");
    [vec![kind], record].concat()
}

/// Writes a text or a record, and reads it back.
pub fn run(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else {
        return;
    };
    match *kind {
        PAGE => {
            if let Ok((name, total, limit, contracts)) = postcard::from_bytes::<PageInput>(rest) {
                let supplier = Inn::parse("9600000001").expect("an INN");
                answers::checked(&ContractPage {
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
                answers::checked(&RnpCheck {
                    inn: "9600000001",
                    name: &name,
                    entries: &entries,
                    from: &answers::response_origin(),
                });
            }
        }
        CARD => {
            if let Ok(card) = postcard::from_bytes::<Purchase>(rest) {
                answers::purchase(&card);
            }
        }
        _ => {
            if let Ok(text) = std::str::from_utf8(rest) {
                text_comes_back(text);
            }
        }
    }
}

/// Writes a text as a name in XML and in JSON, and reads it back.
fn text_comes_back(text: &str) {
    let supplier = Inn::parse("9600000001").expect("an INN");
    let json = answers::checked(&ContractPage {
        head: answers::page_head(&supplier, text, 0, 0),
        contracts: &|_| {},
    });
    let page: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(page["supplierIName"].as_str().unwrap_or_default(), text);
}
