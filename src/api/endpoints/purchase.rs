//! `/purchase/demo44`, `/purchase/demo223`, `/purchase/demo615`: the card of a purchase, in
//! the shape that the length of its number selects; and `/purchase/won-by-supplier`, the
//! purchases that a supplier won.

use std::cell::Cell;

use super::super::error::Failure;
use super::super::request::parameter::Parameters;
use super::super::response::Finding;
use crate::model::Date;
use crate::render::{self, Body, RowCount, WonPage};
use crate::store::Database;

/// Appends the card as of `day`.
pub fn write(
    parameters: &Parameters<'_>,
    day: Date,
    snapshot: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let purchase = snapshot.purchase(parameters.purchase_number()?)?;
    let purchase = purchase.ok_or(Failure::PurchaseNotFound)?;
    render::purchase(out, &purchase, day)?;
    Ok(Finding::Count(1))
}

/// Appends the purchases that a supplier won.
pub fn write_won(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let inn = parameters.inn()?;
    let (first, limit) = (parameters.first(), parameters.limit());
    let supplier = snapshot.supplier(inn)?;
    let (total, numbers) = snapshot.purchases_won(inn, first, limit)?;
    let rows = RowCount::new(total, first, limit);
    let damage = Cell::new(None);
    let page = WonPage {
        inn: inn.as_str(),
        name: supplier.as_ref().map_or("", |supplier| &supplier.name),
        rows,
        skip: parameters.skip,
        limit,
        purchases: &|show| damage.set(snapshot.show_won(inn, &numbers, show).err()),
    };
    render::answer(out, &page)?;
    match damage.take() {
        None => Ok(Finding::Rows(rows)),
        Some(damage) => Err(damage.into()),
    }
}
