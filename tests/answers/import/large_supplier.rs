//! A supplier with many contracts, however their lines come.

use super::*;

/// How many contracts: several pages of answers.
const CONTRACTS: usize = 3000;

/// The line of a contract; the sign date follows the number, with exceptions.
fn numbered(number: usize) -> String {
    let day = if number.is_multiple_of(7) {
        number / 3
    } else {
        number
    };
    let date = format!(
        "20{:02}-{:02}-{:02}",
        10 + day / 336,
        day / 28 % 12 + 1,
        day % 28 + 1
    );
    contract(
        INN,
        &format!("{number:019}"),
        &format!(r#","signDate":"{date}""#),
    )
}

fn all_of(folder: &Folder) -> Vec<String> {
    let mut answers = folder.answers();
    (0..=CONTRACTS / 200)
        .map(|page| answers.page(INN, page * 200))
        .collect()
}

#[test]
fn lines_in_any_order_come_to_the_same_pages() {
    let ordered = Folder::new();
    ordered.take((0..CONTRACTS).map(numbered).collect::<String>());
    let shuffled = Folder::new();
    let numbers = (0..CONTRACTS).map(|number| number * 1009 % CONTRACTS);
    shuffled.take(numbers.map(numbered).collect::<String>());
    assert!(all_of(&ordered) == all_of(&shuffled));
}

#[test]
fn late_contracts_of_later_imports_land_in_their_places() {
    let once = Folder::new();
    once.take((0..CONTRACTS).map(numbered).collect::<String>());
    let late = Folder::new();
    for part in [0, 2, 1] {
        let numbers = (part..CONTRACTS).step_by(3);
        late.take(numbers.map(numbered).collect::<String>());
    }
    assert!(all_of(&once) == all_of(&late));
    let summary = late.take((0..CONTRACTS).rev().map(numbered).collect::<String>());
    let (tally, _) = summary.kinds["contract (JSON line)"];
    assert_eq!(tally.unchanged, CONTRACTS as u64);
}
