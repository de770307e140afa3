//! Bodies of responses, of any length without being held in memory.

use std::collections::VecDeque;
use std::io::{self, Read};

/// Bytes, and runs of one byte; reading it takes from the front.
#[derive(Clone, Debug, Default)]
pub struct Body {
    segments: VecDeque<Segment>,
}

#[derive(Clone, Debug)]
enum Segment {
    Bytes(Vec<u8>, usize),
    Run(u8, u64),
}

impl Body {
    /// With `bytes` at the end.
    #[must_use]
    pub fn bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.segments.push_back(Segment::Bytes(bytes.into(), 0));
        self
    }

    /// With a run of `count` times `byte` at the end.
    #[must_use]
    pub fn run(mut self, byte: u8, count: u64) -> Self {
        self.segments.push_back(Segment::Run(byte, count));
        self
    }

    /// How many bytes are left to be read.
    pub fn remaining(&self) -> u64 {
        let length = |segment: &Segment| match segment {
            Segment::Bytes(bytes, read) => (bytes.len() - read) as u64,
            Segment::Run(_, count) => *count,
        };
        self.segments.iter().map(length).sum()
    }

    /// All of it in memory.
    pub fn into_bytes(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.read_to_end(&mut bytes) {
            Ok(_) => bytes,
            Err(error) => unreachable!("a body is in memory: {error}"),
        }
    }
}

impl<T: Into<Vec<u8>>> From<T> for Body {
    fn from(bytes: T) -> Self {
        Self::default().bytes(bytes)
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(segment) = self.segments.front_mut() {
            let count = match segment {
                Segment::Bytes(bytes, read) => {
                    let rest = &bytes[*read..];
                    let count = rest.len().min(buffer.len());
                    buffer[..count].copy_from_slice(&rest[..count]);
                    *read += count;
                    count
                }
                Segment::Run(byte, left) => {
                    let count =
                        usize::try_from(*left).map_or(buffer.len(), |left| left.min(buffer.len()));
                    buffer[..count].fill(*byte);
                    *left -= count as u64;
                    count
                }
            };
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.segments.pop_front();
        }
        Ok(0)
    }
}
