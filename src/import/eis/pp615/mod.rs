//! Documents under Government Decree 615 (`Integration615Types.xsd`): auctions for capital repairs,
//! `pprf615…`.
//!
//! The following are not read: the cancellation of a notice, because a card under PP-615 has no
//! stage; changes to the execution of a contract, because the card does not show them; and the
//! preliminary selection (`pprf615NotificationPO`), because it is not a purchase.

mod contract;
mod notice;
mod protocol;
#[cfg(test)]
mod tests;

pub use contract::read as contract;
pub use notice::read as notice;
pub use protocol::{auction, cancellation, examination, exclusion, exclusion_cancelled};
