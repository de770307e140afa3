//! `/purchase/demo44`, `/purchase/demo223`, `/purchase/demo615`: the card of a purchase, in
//! the shape that the length of its number selects.

use super::super::error::Failure;
use super::super::request::parameter::Parameters;
use super::super::response::Finding;
use crate::model::Date;
use crate::render::{self, Body};
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
