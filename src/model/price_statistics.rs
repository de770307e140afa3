//! Exact statistics of prices.

use super::natural::Natural;
use super::sum::decimal;
use super::{Amount, Sum};

/// The prices of items in one unit of measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitPrices {
    /// Code of the unit; empty if the items state none.
    pub okei: String,
    /// Name of the unit in the newest contract that states one.
    pub okei_name: String,
    pub statistics: PriceStatistics,
}

/// Distribution of the prices of items in one unit of measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceStatistics {
    /// At least 1.
    pub count: u64,
    pub min: Amount,
    /// The price at position ⌈n/4⌉ of n prices in ascending order.
    pub quartile1: Amount,
    /// The price at position ⌈n/2⌉.
    pub median: Amount,
    /// The price at position ⌈3n/4⌉.
    pub quartile3: Amount,
    pub max: Amount,
    /// Rounded half up to two decimals.
    pub mean: String,
    /// Coefficient of variation: the sample standard deviation in percent of the mean. Computed
    /// exactly, then rounded half up to two decimals. `None` for a single price.
    pub variation: Option<String>,
}

impl PriceStatistics {
    /// Computes the statistics of positive prices. Returns `None` if there are none.
    pub fn new(mut prices: Vec<Amount>) -> Option<Self> {
        prices.sort_unstable_by(|one, other| {
            let by_hundredths = one.hundredths_below().cmp(&other.hundredths_below());
            by_hundredths.then_with(|| one.order(*other))
        });
        let count = prices.len();
        let at = |quarters: usize| {
            prices
                .get((count * quarters).div_ceil(4).max(1) - 1)
                .copied()
        };
        let (mut sum, mut squares) = (Sum::default(), Sum::default());
        for price in &prices {
            sum.add(*price);
            squares.add_square(*price);
        }
        Some(Self {
            count: count as u64,
            min: at(0)?,
            quartile1: at(1)?,
            median: at(2)?,
            quartile3: at(3)?,
            max: at(4)?,
            mean: sum.mean(count as u64)?,
            variation: variation(count as u64, &sum, &squares),
        })
    }
}

/// Returns the coefficient of variation of `count` positive prices in percent, with two decimals. S
/// is the sum of the prices, Q the sum of their squares.
///
/// In hundredths of a percent, the coefficient is √(A / B) with A = 10⁸ n (n Q − S²) and
/// B = (n − 1) S². Rounded half up, this is the largest r with r − ½ ≤ √(A / B), that is,
/// (2 r − 1)² B ≤ 4 A.
fn variation(count: u64, sum: &Sum, squares: &Sum) -> Option<String> {
    let divisor = count.checked_sub(1).filter(|rest| *rest > 0)?;
    let n = Natural::from(count);
    let (_, sum, sum_at) = sum.scaled();
    let (_, squares, squares_at) = squares.scaled();
    let lowest = squares_at.min(2 * sum_at);
    let squares = squares.shifted(squares_at.abs_diff(lowest) as usize);
    let square_of_sum = sum
        .times(&sum)
        .shifted((2 * sum_at).abs_diff(lowest) as usize);
    // Never negative, by the Cauchy–Schwarz inequality.
    let spread = n.times(&squares).minus(&square_of_sum)?;
    let a = Natural::from(400_000_000).times(&n).times(&spread);
    let b = Natural::from(divisor).times(&square_of_sum);
    let fits = |rounded: u64| {
        let doubled = Natural::from(2 * rounded - 1);
        doubled.times(&doubled).times(&b) <= a
    };
    // The coefficient is below √n, which it approaches if all prices but one are close to zero.
    let (mut fitting, mut excess) = (0, 10_000 * (count.isqrt() + 1) + 1);
    while excess - fitting > 1 {
        let middle = fitting + (excess - fitting) / 2;
        match fits(middle) {
            true => fitting = middle,
            false => excess = middle,
        }
    }
    Some(decimal(&Natural::from(fitting), 2))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn statistics(prices: &[&str]) -> PriceStatistics {
        let prices = prices.iter().map(|text| text.parse().expect("an amount"));
        PriceStatistics::new(prices.collect()).expect("prices")
    }

    #[test]
    fn quartiles_are_prices_that_occur() {
        let check = |prices: &[&str], expected: [&str; 5]| {
            let found = statistics(prices);
            let found = [
                found.min,
                found.quartile1,
                found.median,
                found.quartile3,
                found.max,
            ];
            assert_eq!(found.map(|price| price.to_string()), expected, "{prices:?}");
        };
        check(&["7"], ["7"; 5]);
        check(&["9", "1"], ["1", "1", "1", "9", "9"]);
        check(&["3", "1", "2"], ["1", "1", "2", "3", "3"]);
        check(&["4", "3", "2", "1"], ["1", "1", "2", "3", "4"]);
        check(&["5", "1", "2", "4", "3"], ["1", "2", "3", "4", "5"]);
        check(
            &["0.005", "0.0049", "0.00501"],
            ["0.0049", "0.0049", "0.005", "0.00501", "0.00501"],
        );
    }

    #[test]
    fn mean_and_variation_are_rounded_half_up_from_exact_values() {
        let check = |prices: &[&str], mean: &str, variation: Option<&str>| {
            let found = statistics(prices);
            assert_eq!(found.mean, mean, "{prices:?}");
            assert_eq!(found.variation.as_deref(), variation, "{prices:?}");
        };
        check(&["7"], "7", None);
        check(&["5", "5", "5"], "5", Some("0"));
        check(&["0.01", "0.02"], "0.02", Some("47.14"));
        check(&["1", "1", "2"], "1.33", Some("43.3"));
        // In the first list, the standard deviation is exactly 0.00005 of the mean; in the second,
        // slightly less.
        check(&["99995", "100000", "100005"], "100000", Some("0.01"));
        check(
            &["99995.0001", "100000", "100004.9999"],
            "100000",
            Some("0"),
        );
        // If one of n prices makes up almost the whole sum, the coefficient rounds to √n.
        check(
            &["1e27", "1e-27", "1e-27", "1e-27"],
            "250000000000000000000000000",
            Some("200"),
        );
        check(
            &["1e99", "1e-99"],
            &format!("5{}", "0".repeat(98)),
            Some("141.42"),
        );
    }

    proptest! {
        /// Computes the variation in machine integers from the differences of all pairs: n² times
        /// the population variance is the sum of (xᵢ − xⱼ)² over i < j.
        #[test]
        fn variation_follows_from_the_differences_of_all_pairs(
            hundredths in vec(1..1_000_000_i64, 2..12),
        ) {
            let prices = hundredths.iter().copied().map(Amount::from_hundredths);
            let found = PriceStatistics::new(prices.collect()).expect("prices");
            let n = hundredths.len() as u128;
            let pairs = hundredths.iter().enumerate();
            let differences = pairs.flat_map(|(at, one)| {
                hundredths.iter().skip(at).map(move |other| one.abs_diff(*other))
            });
            let squares: u128 = differences.map(|it| u128::from(it).pow(2)).sum();
            let sum: u128 = hundredths.iter().map(|it| u128::from(it.unsigned_abs())).sum();
            // (2 × coefficient × 10⁴)², rounded down.
            let square = 4 * 100_000_000 * n * squares / ((n - 1) * sum * sum);
            let rounded = square.isqrt().div_ceil(2);
            let text = format!("{}.{:02}", rounded / 100, rounded % 100);
            let text = text.trim_end_matches('0').trim_end_matches('.');
            prop_assert_eq!(found.variation.as_deref(), Some(text));
            let mean = (200 * sum + 100 * n) / (2 * n * 100);
            let text = format!("{}.{:02}", mean / 100, mean % 100);
            prop_assert_eq!(found.mean.as_str(), text.trim_end_matches('0').trim_end_matches('.'));
        }

        #[test]
        fn quartiles_follow_from_the_number_of_prices_that_are_not_greater(
            hundredths in vec(1..30_i64, 1..40),
        ) {
            let prices = hundredths.iter().copied().map(Amount::from_hundredths);
            let found = PriceStatistics::new(prices.collect()).expect("prices");
            for (quarters, price) in [(1, found.quartile1), (2, found.median), (3, found.quartile3)] {
                let price = price.as_hundredths().expect("hundredths");
                let count = |counts: &dyn Fn(i64) -> bool| {
                    4 * hundredths.iter().filter(|one| counts(**one)).count()
                };
                prop_assert!(count(&|one| one <= price) >= quarters * hundredths.len());
                prop_assert!(count(&|one| one < price) < quarters * hundredths.len());
            }
        }
    }
}
