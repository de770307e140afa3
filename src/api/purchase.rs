//! `/purchase/demo44`, `/purchase/demo223`, `/purchase/demo615`: the card of a
//! purchase, in the shape that the length of its number tells.

use super::endpoint::Endpoint;
use super::error::Failure;
use super::query::Query;
use super::{Answer, Body, Calendar, state};
use crate::model::PurchaseNumber;
use crate::render;
use crate::store::Database;

pub fn answer(
    database: &mut Database,
    query: &Query,
    endpoint: Endpoint,
    today: &Calendar,
    known: &dyn Fn(&str) -> bool,
    body: &mut Body,
) -> Result<Answer, Failure> {
    let format = query.format()?;
    let number = query.required("purchaseNumber", Failure::BadPurchaseNumber, |text| {
        PurchaseNumber::parse(text).filter(|number| endpoint.takes(number))
    })?;
    let (snapshot, version) = state(database)?;
    let day = today();
    let parts = ["purchase", number.as_str(), &day.to_string()];
    let answer = Answer::new(format, version, &parts, known);
    if !answer.is_known {
        let purchase = snapshot.purchase(&number)?;
        let purchase = purchase.ok_or(Failure::PurchaseNotFound)?;
        render::purchase(body.out(), &purchase, day, format);
    }
    Ok(answer)
}
