//! A contract as the bytes the file keeps: its record, and the CRC-32 of it behind it.
//!
//! What is copied into an answer is not looked at again: that the bytes are those that
//! were written, with all that their forms promise, the checksum tells.

use crate::model::{Contract, EncodedContract};

/// The bytes of a contract.
pub fn encode(contract: &Contract) -> Vec<u8> {
    let mut bytes = contract.encode();
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// The contract of `bytes`; none where they are damaged.
#[inline(always)]
pub fn decode(bytes: &[u8]) -> Option<EncodedContract<'_>> {
    let (record, sum) = bytes.split_last_chunk()?;
    if crc32fast::hash(record) != u32::from_le_bytes(*sum) {
        return None;
    }
    EncodedContract::decode(record)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_record_that_is_cut_or_longer_or_has_another_bit_is_damaged(
            subject in ".{0,40}",
            at in any::<usize>(),
            bit in 0..8_u32,
        ) {
            let contract = Contract { subject, ..Contract::default() };
            let mut bytes = encode(&contract);
            let at = at % bytes.len();
            prop_assert!(decode(&bytes[..at]).is_none());
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(decode(&bytes).is_none());
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(decode(&bytes).is_some());
            bytes.push(b' ');
            prop_assert!(decode(&bytes).is_none());
        }
    }
}
