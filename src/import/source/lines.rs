//! Cuts files of JSON Lines into pieces of whole lines.

use std::io::{self, BufRead, Read};

use super::{Piece, PieceContent, ReadingEnd};
use crate::import::jsonl::MAX_LINE;

const LINES_PIECE: usize = 1 << 20;

const MAX_LINES: u64 = 5000;

/// Passes lines on in pieces. A line longer than [`MAX_LINE`] is truncated to slightly more than
/// that, so that the parser still rejects it.
pub fn read_lines(
    place: &str,
    mut source: impl BufRead,
    each: &mut dyn FnMut(Piece) -> Result<(), ReadingEnd>,
) -> Result<(), ReadingEnd> {
    let mut number = 1;
    let mut at_start = true;
    loop {
        // The last line of a piece may exceed `LINES_PIECE`, so leave some room.
        let mut lines = Vec::with_capacity(LINES_PIECE + LINES_PIECE / 16);
        let mut count = 0;
        let mut consumed = 0;
        let outcome = loop {
            match read_line(&mut source, &mut lines) {
                Ok(0) => break Ok(false),
                Ok(length) => {
                    consumed += length;
                    count += 1;
                    if lines.len() >= LINES_PIECE || count >= MAX_LINES {
                        break Ok(true);
                    }
                }
                Err(error) => break Err(error),
            }
        };
        if std::mem::take(&mut at_start) && lines.starts_with("\u{feff}".as_bytes()) {
            lines.drain(..3);
        }
        if count > 0 {
            each(Piece::new(place, PieceContent::Lines(number, lines)).consuming(consumed))?;
        }
        number += count;
        match outcome {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => {
                let what = format!("cannot be read from line {number} on: {error}");
                return each(Piece::unreadable(place, what));
            }
        }
    }
}

/// Appends the next line with its line feed, truncated to slightly more than [`MAX_LINE`]. Returns
/// the length of the whole line in bytes.
fn read_line(source: &mut impl BufRead, lines: &mut Vec<u8>) -> io::Result<u64> {
    let start = lines.len();
    let mut length = source
        .by_ref()
        .take(MAX_LINE as u64 + 1)
        .read_until(b'\n', lines)? as u64;
    if lines.len() - start > MAX_LINE && lines.last() != Some(&b'\n') {
        length += source.skip_until(b'\n')? as u64;
        lines.push(b'\n');
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut pieces = Vec::new();
        let outcome = read_lines("file", bytes, &mut |piece| {
            match piece.content {
                PieceContent::Lines(number, lines) => pieces.push((number, lines)),
                other => panic!("{other:?}"),
            }
            Ok(())
        });
        assert_eq!(outcome, Ok(()));
        pieces
    }

    #[test]
    fn pieces_consist_of_whole_lines_and_have_the_number_of_the_first() {
        assert_eq!(lines_of(b""), []);
        assert_eq!(lines_of(b"a\nb"), [(1, b"a\nb".to_vec())]);
        assert_eq!(lines_of("\u{feff}a\n".as_bytes()), [(1, b"a\n".to_vec())]);
        let long = vec![b'x'; LINES_PIECE];
        let pieces = lines_of(&[b"a\n", long.as_slice(), b"\nb\n"].concat());
        let numbers: Vec<_> = pieces
            .iter()
            .map(|(number, lines)| (*number, lines.len()))
            .collect();
        assert_eq!(numbers, [(1, LINES_PIECE + 3), (3, 2)]);
    }
}
