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

pub use contract::read as contract;
pub use notice::read as notice;
pub use protocol::{auction, cancellation, examination, exclusion, exclusion_cancelled};
