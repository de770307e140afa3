//! Documents under Government Decree 615 (`Integration615Types.xsd`): auctions for capital repairs,
//! `pprf615…`.
//!
//! Not read: the cancellation of a notice, because a card under PP-615 has no stage; changes to the
//! execution of a contract, which the card does not show; and the preliminary selection
//! (`pprf615NotificationPO`), which is not a purchase.

mod contract;
mod notice;
mod protocol;
#[cfg(test)]
mod tests;

pub use contract::read as contract;
pub use notice::read as notice;
pub use protocol::{auction, cancellation, examination, exclusion, exclusion_cancelled};
