//! Decides when to retry a request from the number and the kinds of its failures.

use super::failure::FailureKind;

/// Upper bound on attempts if all failures are temporary. The waits between them are 1, 2, 4, 8, 16
/// and 32 pauses (`ClientOptions::pause`).
pub const MAX_ATTEMPTS: u32 = 7;

/// Upper bound on consecutive retries after refusals that ask the client to slow down: too many
/// requests, or a blocked link.
pub const MAX_WAITS: u32 = 20;

/// How many pauses to wait after a refusal because of too many requests (`errorInfo` 13).
const RATE_PAUSES: u32 = 11;

/// How many pauses to wait after a refusal because the link is blocked.
const BLOCKED_PAUSES: u32 = 100;

#[derive(Debug, Default)]
pub(super) struct Retries {
    passing: u32,
    waits: u32,
}

impl Retries {
    /// Returns how many pauses to wait before the next attempt, or `None` to give up.
    pub fn pauses_after(&mut self, failure: FailureKind) -> Option<u32> {
        match failure {
            FailureKind::Lasting => None,
            FailureKind::Passing => {
                self.waits = 0;
                self.passing += 1;
                (self.passing < MAX_ATTEMPTS).then(|| 1 << (self.passing - 1))
            }
            FailureKind::Rate | FailureKind::Blocked => {
                self.waits += 1;
                let pauses = match failure {
                    FailureKind::Rate => RATE_PAUSES,
                    _ => BLOCKED_PAUSES,
                };
                (self.waits <= MAX_WAITS).then_some(pauses)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FailureKind::{Blocked, Lasting, Passing, Rate};

    fn check(failures: &[FailureKind], expected: &[Option<u32>]) {
        let mut retries = Retries::default();
        let pauses: Vec<_> = failures
            .iter()
            .map(|failure| retries.pauses_after(*failure))
            .collect();
        assert_eq!(pauses, expected, "{failures:?}");
    }

    #[test]
    fn transient_failures_are_retried_seven_times_with_doubling_pauses() {
        let pauses = [Some(1), Some(2), Some(4), Some(8), Some(16), Some(32), None];
        check(&[Passing; 7], &pauses);
    }

    #[test]
    fn postponed_answers_are_retried_twenty_times() {
        for (failure, pauses) in [(Rate, 11), (Blocked, 100)] {
            let mut expected = vec![Some(pauses); 20];
            expected.push(None);
            check(&[failure; 21], &expected);
        }
        let mut mixed = vec![Rate; 20];
        mixed.extend([Passing, Rate]);
        let mut expected = vec![Some(11); 20];
        expected.extend([Some(1), Some(11)]);
        check(&mixed, &expected);
    }

    #[test]
    fn permanent_failures_are_not_retried() {
        check(&[Lasting], &[None]);
    }
}
