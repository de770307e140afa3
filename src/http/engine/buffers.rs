//! Reused buffers for responses.

use std::cell::RefCell;

/// Spare buffers of a thread, and the size of the largest: 4 MiB a worker in all. A usual page
/// has 0.4 MB; the system takes longer to allocate that than it takes to fill it.
const SPARES: usize = 4;
const LARGEST_SPARE: usize = 1 << 20;

thread_local! {
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Returns an empty buffer, a used one if this thread has one.
pub fn take() -> Vec<u8> {
    SPARE.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Keeps a buffer for a later response of this thread.
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
