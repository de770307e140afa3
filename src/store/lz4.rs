//! LZ4, by which records of purchases were packed up to format 5: read in upgrades, never
//! written.

use super::record::{MAX_CARD, RowChecksum, pack_card, unseal};

/// Converts the record of a purchase from format 5; none if it is damaged.
pub(super) fn repacked(number: &str, record: &[u8]) -> Option<Vec<u8>> {
    let packed = unseal(record, RowChecksum::default().text(number.as_bytes()))?;
    pack_card(number, &unpacked(packed, MAX_CARD)?).ok()
}

/// The shortest match.
const MIN_REPEATED: usize = 4;

/// The contents, up to `most` bytes, of a block with its size in front; none if it is not a
/// block (LZ4 block format description, "Compressed block format").
fn unpacked(block: &[u8], most: usize) -> Option<Vec<u8>> {
    let (size, mut rest) = block.split_first_chunk()?;
    let size = usize::try_from(u32::from_le_bytes(*size)).ok()?;
    // A byte expands to 255 at most, so that a damaged size allocates no memory.
    if size > most || size / 255 > rest.len() {
        return None;
    }
    let mut out = Vec::with_capacity(size);
    loop {
        let token = usize::from(*rest.split_off_first()?);
        let literals = length(token >> 4, &mut rest)?;
        out.extend_from_slice(rest.split_off(..literals)?);
        if rest.is_empty() {
            return (out.len() == size).then_some(out);
        }
        let (offset, after) = rest.split_first_chunk()?;
        rest = after;
        let start = out.len().checked_sub(u16::from_le_bytes(*offset).into())?;
        let end = start.checked_add(length(token & 15, &mut rest)? + MIN_REPEATED)?;
        if start == out.len() || out.len() + (end - start) > size {
            return None;
        }
        // A match may overlap its own output.
        for at in start..end {
            out.push(*out.get(at)?);
        }
    }
}

/// A length whose first part is four bits of a token; each byte of 255 goes on.
fn length(first: usize, rest: &mut &[u8]) -> Option<usize> {
    let mut length = first;
    let mut goes_on = first == 15;
    while goes_on {
        let byte = *rest.split_off_first()?;
        length += usize::from(byte);
        goes_on = byte == 255;
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn block(size: u32, parts: &[&[u8]]) -> Vec<u8> {
        [&size.to_le_bytes()[..], &parts.concat()].concat()
    }

    #[test]
    fn a_block_is_literals_and_repetitions() {
        let check = |block: Vec<u8>, expected: Option<&[u8]>| {
            assert_eq!(unpacked(&block, 1000).as_deref(), expected, "{block:?}");
        };
        check(block(0, &[&[0]]), Some(b""));
        check(block(3, &[&[0x30], b"abc"]), Some(b"abc"));
        // Seven bytes from offset two, then the last literals.
        let abab = block(10, &[&[0x23], b"ab", &[2, 0], &[0x10], b"!"]);
        check(abab, Some(b"ababababa!"));
        let long = b"x".repeat(300);
        check(block(300, &[&[0xf0, 255, 30], &long]), Some(&long));
        let repeated = block(301, &[&[0x1f], b"x", &[1, 0], &[255, 25], &[0x10], b"x"]);
        check(repeated, Some(&b"x".repeat(301)));
        for damaged in [
            block(0, &[]),
            block(2, &[&[0x30], b"abc"]),
            block(4, &[&[0x30], b"abc"]),
            block(10, &[&[0x23], b"ab", &[0, 0], &[0x10], b"!"]),
            block(10, &[&[0x23], b"ab", &[3, 0], &[0x10], b"!"]),
            block(8, &[&[0x23], b"ab", &[2, 0], &[0x10], b"!"]),
            block(1001, &[&[0xf0, 255, 30], &long]),
        ] {
            check(damaged, None);
        }
    }

    #[test]
    fn a_record_of_format_5_is_packed_anew() {
        let number = "0373100000125000001";
        let mut record = block(10, &[&[0x23], b"ab", &[2, 0], &[0x10], b"!"]);
        assert_eq!(repacked(number, &record), None);
        super::super::record::seal(&mut record, RowChecksum::default().text(number.as_bytes()));
        let expected = pack_card(number, b"ababababa!").ok();
        assert_eq!(repacked(number, &record), expected);
    }

    proptest! {
        #[test]
        fn no_bytes_do_any_harm(block in any::<Vec<u8>>()) {
            if let Some(out) = unpacked(&block, 1000) {
                prop_assert!(out.len() <= 1000);
            }
        }
    }
}
