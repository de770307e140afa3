//! Documents under Government Decree 615 (`Integration615Types.xsd`): auctions on capital
//! repairs, `pprf615…`.
//!
//! The cancellation of a notice is not read, as a card under PP-615 has no stage. Nor are
//! changes to the execution of a contract, which the card does not show, nor the preliminary
//! selection (`pprf615NotificationPO`), which is no purchase.

mod contract;
mod notice;
mod protocol;
#[cfg(test)]
mod tests;

use super::node::{Node, PUBLISHED, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::PurchaseNumber;

pub use contract::read as contract;
pub use notice::read as notice;
pub use protocol::{auction, cancellation, examination};

/// The fact, with `versionNumber` (0 without one) and `commonInfo/docPublishDate`.
fn fact(
    document: &Node<'_>,
    number: &PurchaseNumber,
    key: &str,
    facts: Facts,
) -> Result<Vec<Fact>> {
    Ok(vec![Fact {
        number: number.to_string(),
        key: key.to_owned(),
        version: document.version(&["versionNumber"])?,
        published: document.instant(PUBLISHED, &["commonInfo/docPublishDate"])?,
        facts,
    }])
}
