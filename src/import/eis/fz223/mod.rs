//! Documents under 223-FZ: notices, rejections, protocols and contracts of purchases. Their
//! contents are in `body/item/…Data`; a document may have many items, and each is read
//! as a document.

mod contract;
mod dates;
mod lots;
mod notice;
mod organization;
mod outcome;
#[cfg(test)]
mod tests;

use super::node::{Node, PUBLISHED, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::PurchaseNumber;

pub use contract::{NOTICE, cancelled_contract, contract, report};
pub use notice::read as notice;
pub use outcome::{lot_cancellation, protocol, protocol_cancellation, rejection};

/// The fact, published at `publicationDateTime` (contracts: `publicationDate`).
fn fact(data: &Node<'_>, number: &PurchaseNumber, key: &str, facts: Facts) -> Result<Fact> {
    Ok(Fact {
        number: number.to_string(),
        key: key.to_owned(),
        version: data.version(&["version"])?,
        published: data.instant(PUBLISHED, &["publicationDateTime", "publicationDate"])?,
        facts,
    })
}
