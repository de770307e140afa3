//! Recycled buffers for responses.

use std::cell::RefCell;

/// Number of spare buffers per thread, and maximum size of one: 4 MiB per worker in total. A
/// typical page has 0.4 MB; allocating a buffer of that size takes longer than filling it.
const SPARES: usize = 4;
const LARGEST_SPARE: usize = 1 << 20;

thread_local! {
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Returns an empty buffer, recycled if possible.
pub fn take() -> Vec<u8> {
    SPARE.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Keeps a buffer for a later response on this thread.
pub fn reuse(mut buffer: Vec<u8>) {
    if (1..=LARGEST_SPARE).contains(&buffer.capacity()) {
        buffer.clear();
        SPARE.with_borrow_mut(|spare| {
            if spare.len() < SPARES {
                spare.push(buffer);
            }
        });
    }
}
