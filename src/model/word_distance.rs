//! Compares words by typos. A typo is a letter that is missing, added or replaced, or two adjacent
//! letters that are swapped.

/// Returns whether two words are one typo apart. The words must differ.
pub(super) fn is_one_mistake(one: &str, other: &str) -> bool {
    // A letter takes at most 4 bytes.
    if one.len().abs_diff(other.len()) > 4 {
        return false;
    }
    let (one, other) = differing(one, other);
    let (mut one, mut other) = (one.chars(), other.chars());
    match (one.next(), one.next(), other.next(), other.next()) {
        (_, None, _, None) => true,
        (Some(a), Some(b), Some(c), Some(d)) => {
            (a, b) == (d, c) && one.next().is_none() && other.next().is_none()
        }
        _ => false,
    }
}

/// Strips the beginning and the end that two words share.
fn differing<'a>(one: &'a str, other: &'a str) -> (&'a str, &'a str) {
    let same = |(a, b): &(char, char)| a == b;
    let letter = |(a, _): (char, char)| a.len_utf8();
    let pairs = one.chars().zip(other.chars());
    let start: usize = pairs.take_while(same).map(letter).sum();
    let (one, other) = (one.split_at(start).1, other.split_at(start).1);
    let ends = one.chars().rev().zip(other.chars().rev());
    let end: usize = ends.take_while(same).map(letter).sum();
    (
        one.split_at(one.len() - end).0,
        other.split_at(other.len() - end).0,
    )
}

pub(super) fn is_within_two_mistakes(one: &str, other: &str) -> bool {
    let (one, other) = differing(one, other);
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    are_apart(&one, &other, 2)
}

/// Returns whether two words are at most `most` typos apart. Takes time proportional to 4^`most`.
fn are_apart(one: &[char], other: &[char], most: usize) -> bool {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    if one.len().abs_diff(other.len()) > most {
        return false;
    }
    let Some(less) = most.checked_sub(1) else {
        return one.is_empty() && other.is_empty();
    };
    match (one, other) {
        ([], rest) | (rest, []) => rest.len() <= most,
        ([a, one_rest @ ..], [b, other_rest @ ..]) => {
            let is_exchanged = one_rest.first() == Some(b) && other_rest.first() == Some(a);
            are_apart(one_rest, other_rest, less)
                || are_apart(one_rest, other, less)
                || are_apart(one, other_rest, less)
                || (is_exchanged && are_apart(&one_rest[1..], &other_rest[1..], less))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The number of typos, computed with a table over all prefixes.
    fn distance(one: &str, other: &str) -> usize {
        let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
        let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
        for i in 0..=one.len() {
            for j in 0..=other.len() {
                if i == 0 || j == 0 {
                    table[i][j] = i + j;
                    continue;
                }
                let other_letter = usize::from(one[i - 1] != other[j - 1]);
                let mut least = (table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                least = least.min(table[i - 1][j - 1] + other_letter);
                if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                table[i][j] = least;
            }
        }
        table[one.len()][other.len()]
    }

    proptest! {
        #[test]
        fn distances_equal_those_of_the_usual_table(one in "[абв]{0,7}", other in "[абв]{0,7}") {
            let distance = distance(&one, &other);
            if distance > 0 {
                prop_assert_eq!(is_one_mistake(&one, &other), distance == 1);
            }
            prop_assert_eq!(is_within_two_mistakes(&one, &other), distance <= 2);
        }
    }
}
