//! Maximum-weight assignment: picks a different column for each row so that the total weight is as
//! large as possible.

/// Returns the largest total weight of a complete assignment, or `None` if there is no complete
/// assignment. A weight of `None` forbids the pair.
///
/// Hungarian algorithm, O(rows² × columns).
pub(super) fn heaviest(weights: &[Vec<Option<usize>>]) -> Option<usize> {
    let columns = weights.first().map_or(0, Vec::len);
    if weights.len() > columns {
        return weights.is_empty().then_some(0);
    }
    heaviest_alone(weights, columns).unwrap_or_else(|| hungarian(weights, columns))
}

/// Fast path: gives each row its best column. Returns `None` if two rows want the same column, and
/// `Some(None)` if a row has no allowed column at all.
fn heaviest_alone(weights: &[Vec<Option<usize>>], columns: usize) -> Option<Option<usize>> {
    let mut is_taken = vec![false; columns];
    let mut sum = 0;
    for row in weights {
        let pairs = row.iter().enumerate();
        let pairs = pairs.filter_map(|(column, weight)| Some((*weight.as_ref()?, column)));
        let Some((weight, column)) = pairs.max_by_key(|(weight, _)| *weight) else {
            return Some(None);
        };
        if std::mem::replace(&mut is_taken[column], true) {
            return None;
        }
        sum += weight;
    }
    Some(Some(sum))
}

/// Finds a shortest augmenting path for each row in turn, with potentials for rows and columns.
/// Indexes start at 1; column 0 stands for the row that is being assigned.
fn hungarian(weights: &[Vec<Option<usize>>], columns: usize) -> Option<usize> {
    let most = weights.iter().flatten().flatten().max().copied()?;
    let most = i64::try_from(most).ok()?;
    let none = (most + 1) * (i64::try_from(weights.len()).ok()? + 1);
    let cost = |row: usize, column: usize| {
        let weight = weights[row - 1][column - 1];
        weight.map_or(none, |weight| most - i64::try_from(weight).unwrap_or(most))
    };
    let mut of_rows = vec![0; weights.len() + 1];
    let mut of_columns = vec![0; columns + 1];
    let mut row_of = vec![0; columns + 1];
    for row in 1..=weights.len() {
        row_of[0] = row;
        let mut least = vec![i64::MAX; columns + 1];
        let mut before = vec![0; columns + 1];
        let mut is_done = vec![false; columns + 1];
        let mut at = 0;
        while row_of[at] != 0 {
            is_done[at] = true;
            let (mut step, mut next) = (i64::MAX, 0);
            for column in (1..=columns).filter(|column| !is_done[*column]) {
                let row = row_of[at];
                let reduced = cost(row, column) - of_rows[row] - of_columns[column];
                if reduced < least[column] {
                    (least[column], before[column]) = (reduced, at);
                }
                if least[column] < step {
                    (step, next) = (least[column], column);
                }
            }
            for column in 0..=columns {
                if is_done[column] {
                    of_rows[row_of[column]] += step;
                    of_columns[column] -= step;
                } else {
                    least[column] = least[column].saturating_sub(step);
                }
            }
            at = next;
        }
        while at != 0 {
            row_of[at] = row_of[before[at]];
            at = before[at];
        }
    }
    let pairs = row_of
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, row)| **row != 0);
    let chosen = pairs.map(|(column, row)| weights[row - 1][column - 1]);
    chosen.sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(weights: &[Vec<Option<usize>>], taken: &mut Vec<usize>) -> Option<usize> {
        let Some((row, rest)) = weights.split_first() else {
            return Some(0);
        };
        let mut best = None;
        for (column, weight) in row.iter().enumerate() {
            let Some(weight) = weight else { continue };
            if !taken.contains(&column) {
                taken.push(column);
                best = best.max(naive(rest, taken).map(|sum| sum + weight));
                taken.pop();
            }
        }
        best
    }

    fn weights() -> impl Strategy<Value = Vec<Vec<Option<usize>>>> {
        (0..5_usize, 0..6_usize).prop_flat_map(|(rows, columns)| {
            let weight = proptest::option::weighted(0.6, 1..6_usize);
            let row = proptest::collection::vec(weight, columns);
            proptest::collection::vec(row, rows)
        })
    }

    proptest! {
        #[test]
        fn no_other_assignment_is_heavier(weights in weights()) {
            prop_assert_eq!(heaviest(&weights), naive(&weights, &mut Vec::new()));
        }
    }
}
