//! The table `purchase_winner`: winners of purchases, taken from the cards.

use rusqlite::params;

use super::error::Result;
use super::file::OpenFile;
use crate::model::Purchase;

pub(super) fn put(db: &OpenFile, card: &Purchase) -> Result<()> {
    let number = card.number().as_str();
    db.execute("DELETE FROM purchase_winner WHERE number = ?1", [number])?;
    for (inn, day) in rows(card) {
        let sql = "INSERT INTO purchase_winner (inn, day, number) VALUES (?1, ?2, ?3)";
        db.execute(sql, params![inn, day, number])?;
    }
    Ok(())
}

/// Returns the INNs of the winners on a card, each with the day as YYYYMMDD, or 0 if unknown.
fn rows(card: &Purchase) -> impl Iterator<Item = (&str, u32)> {
    let winners = card.winner_inns();
    winners.filter_map(|inn| {
        let won = card.won_by(inn)?;
        Some((inn, won.date.map_or(0, |day| day.number())))
    })
}

/// Checks that the file has a row for each winner on the card. Returns the number of rows.
pub(super) fn check(file: &OpenFile, card: &Purchase) -> Result<u64> {
    let mut count = 0;
    for (inn, day) in rows(card) {
        let number = card.number().as_str();
        let sql = "SELECT 1 FROM purchase_winner WHERE inn = ?1 AND day = ?2 AND number = ?3";
        if file
            .one(sql, params![inn, day, number], |_| Ok(()))?
            .is_none()
        {
            return Err(file.damaged(
                "a winner on the card of a purchase is missing from the index of winners",
            ));
        }
        count += 1;
    }
    Ok(count)
}
