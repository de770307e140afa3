//! Documents under 223-FZ: notices, rejections, protocols and contracts. Their contents are in
//! `body/item/…Data`. A document with several items is read as several documents.

mod contract;
mod currency;
mod dates;
mod lots;
mod notice;
mod organization;
mod outcome;
#[cfg(test)]
mod tests;

pub use contract::{contract, electronic_contract, purchase_contract};
pub use notice::read as notice;
pub use outcome::{bidding_time, lot_cancellation, protocol, protocol_cancellation, rejection};
