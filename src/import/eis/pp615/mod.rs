//! Documents under Government Decree 615 (`Integration615Types.xsd`): auctions for capital repairs,
//! `pprf615…`.
//!
//! Three kinds of documents are not read. The cancellation of a notice would change nothing,
//! because a card under PP-615 has no stage. Changes to the execution of a contract are not on the
//! card either. A preliminary selection (`pprf615NotificationPO`) is not a purchase.

mod contract;
mod notice;
mod protocol;
#[cfg(test)]
mod tests;

pub use contract::read as contract;
pub use notice::read as notice;
pub use protocol::{auction, cancellation, examination, exclusion, exclusion_cancelled};
