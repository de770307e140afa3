//! Where the rows of a supplier stand: `supplier << 32 | ordinal`, of contracts and of what
//! is kept beside them.

/// The row id of a supplier's contract.
pub(super) fn contract_id(supplier: i64, ordinal: u64) -> i64 {
    (supplier << 32).saturating_add_unsigned(ordinal)
}
