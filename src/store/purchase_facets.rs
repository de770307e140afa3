//! The table `purchase_facet`: for each purchase, a row with the same id and with the values by
//! which purchases are filtered and ordered. These values are computed from the records. Law,
//! region and customer are tokens in the content index (`content_index.rs`).

use rusqlite::{Row, params};

use super::error::Result;
use super::file::OpenFile;
use crate::model::{Moment, Purchase, Regime};

const MINUTES_OF_A_DAY: i64 = 24 * 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PurchaseFacets {
    pub id: i64,
    /// The law as a number: 44, 223 or 615.
    pub law: i64,
    /// Day of publication as YYYYMMDD; 0 if missing.
    pub published: u32,
    /// [`crate::model::Amount::hundredths_below`]; `None` without a price.
    pub price: Option<i64>,
    /// The price, if [`crate::model::Amount::as_hundredths`] cannot express it.
    pub price_text: Option<String>,
    /// End of submission ([`closing_minute`]); `None` if unknown.
    pub closes: Option<i64>,
}

/// Converts a moment to minutes since 1 January 1970, 00:00 Moscow time. A day without a time counts
/// as the end of that day.
pub(super) fn closing_minute(moment: Moment) -> i64 {
    let minute = match moment.time() {
        Some((hour, minute)) => i64::from(hour) * 60 + i64::from(minute),
        None => MINUTES_OF_A_DAY,
    };
    moment.date().days_since_1970() * MINUTES_OF_A_DAY + minute
}

/// The columns that [`PurchaseFacets::read`] reads.
macro_rules! purchase_facet_columns {
    () => {
        "id, law, published, price, price_text, closes"
    };
}
#[cfg(feature = "postgresql")]
pub(super) use purchase_facet_columns;

impl PurchaseFacets {
    pub fn new(id: i64, purchase: &Purchase) -> Self {
        let price = purchase.price();
        let other = price.filter(|price| price.as_hundredths().is_none());
        Self {
            id,
            law: match purchase.number().regime() {
                Regime::Fz44 => 44,
                Regime::Fz223 => 223,
                Regime::Pp615 => 615,
            },
            published: purchase.published().map_or(0, |day| day.number()),
            price: price.map(|price| price.hundredths_below()),
            price_text: other.map(|price| price.to_string()),
            closes: purchase.closes().map(closing_minute),
        }
    }

    /// Query for the rows with ids from a bound on, in ascending order.
    pub const FROM: &str = concat!(
        "SELECT ",
        purchase_facet_columns!(),
        " FROM purchase_facet WHERE id >= ?1 ORDER BY id"
    );

    /// Reads [`purchase_facet_columns`].
    pub fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            law: row.get(1)?,
            published: row.get(2)?,
            price: row.get(3)?,
            price_text: row.get(4)?,
            closes: row.get(5)?,
        })
    }

    pub fn stored(db: &OpenFile, id: i64) -> Result<Option<Self>> {
        let sql = concat!(
            "SELECT ",
            purchase_facet_columns!(),
            " FROM purchase_facet WHERE id = ?1"
        );
        db.one(sql, [id], Self::read)
    }

    pub fn put(&self, db: &OpenFile) -> Result<()> {
        let sql = concat!(
            "INSERT OR REPLACE INTO purchase_facet (",
            purchase_facet_columns!(),
            ") VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        );
        let Self {
            id,
            law,
            published,
            price,
            price_text,
            closes,
        } = self;
        db.execute(sql, params![id, law, published, price, price_text, closes])
    }
}
