//! Sums and comparisons of amounts that may be missing.

use crate::model::Amount;

/// Adds up the amounts that are not `None`. Returns `None` if there are none, or if the sum has too
/// many digits.
pub fn sum(amounts: impl Iterator<Item = Option<Amount>>) -> Option<Amount> {
    amounts
        .flatten()
        .try_fold(None, |total: Option<Amount>, amount| match total {
            None => Some(Some(amount)),
            Some(total) => total.checked_add(amount).map(Some),
        })
        .flatten()
}

pub fn greater(a: Option<Amount>, b: Option<Amount>) -> Option<Amount> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a.is_less_than(b) { b } else { a }),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Option<Amount> {
        text.parse().ok()
    }

    #[test]
    fn missing_amounts_are_ignored_and_a_sum_of_none_is_none() {
        assert_eq!(sum([].into_iter()), None);
        assert_eq!(sum([None, None].into_iter()), None);
        assert_eq!(
            sum([amount("0.1"), None, amount("0.2")].into_iter()),
            amount("0.3")
        );
        assert_eq!(sum([amount("1e27"), amount("1e-9")].into_iter()), None);
    }

    #[test]
    fn amounts_are_compared_by_value() {
        assert_eq!(greater(amount("2"), amount("10")), amount("10"));
        assert_eq!(greater(amount("-1"), amount("-2")), amount("-1"));
        assert_eq!(greater(amount("0.1"), None), amount("0.1"));
        assert_eq!(greater(amount("1e300"), amount("9e299")), amount("1e300"));
        assert_eq!(greater(amount("1e-300"), amount("0")), amount("1e-300"));
    }
}
