//! `/purchase/demo44`, `/purchase/demo223`, `/purchase/demo615`: the card of a
//! purchase, in the shape that the length of its number tells.

use super::endpoint::Endpoint;
use super::error::Failure;
use super::query::Query;
use super::{Answer, Calendar, state};
use crate::model::PurchaseNumber;
use crate::render;
use crate::store::Database;

pub fn answer(
    database: &mut Database,
    query: &Query,
    endpoint: Endpoint,
    today: &Calendar,
) -> Result<Answer, Failure> {
    let format = query.format()?;
    let number = query.required("purchaseNumber", Failure::BadPurchaseNumber, |text| {
        PurchaseNumber::parse(text).filter(|number| endpoint.takes(number))
    })?;
    let (snapshot, version) = state(database)?;
    let purchase = snapshot
        .purchase(&number)?
        .ok_or(Failure::PurchaseNotFound)?;
    let day = today();
    let body = render::purchase(&purchase, day, format);
    Ok(Answer::new(
        body,
        format,
        version,
        &["purchase", number.as_str(), &day.to_string()],
    ))
}
