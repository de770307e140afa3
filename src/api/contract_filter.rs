//! The parameters that say which of a supplier's contracts are asked for, and in which
//! order.

use super::error::Failure;
use super::etag::Parts;
use super::query::Query;
use crate::model::{ContractFilter, ContractOrder, ContractStage, OrderBy, Stages};

/// How many digits the INN of a customer may have: it has 10 or 12, and records keep
/// what came.
pub const MAX_INN: usize = 20;

/// The orders by their names; what stands before one says that it descends.
const ORDERS: [(&str, OrderBy); 3] = [
    ("signDate", OrderBy::SignDate),
    ("contractPrice", OrderBy::Price),
    ("updateDate", OrderBy::UpdateDate),
];

/// The filter of a query; of the wrong parameters in it the first is the failure.
pub fn filter(query: &Query<'_>) -> Result<ContractFilter, Failure> {
    Ok(ContractFilter {
        stages: query.optional("stage", stages)?.unwrap_or_default(),
        signed_from: query.day("signedFrom")?,
        signed_to: query.day("signedTo")?,
        updated_from: query.day("updatedFrom")?,
        customer_inn: query.optional("customerInn", customer_inn)?,
    })
}

/// The order of a query: the newest first where none is given.
pub fn order(query: &Query<'_>) -> Result<ContractOrder, Failure> {
    let order = query.optional("sort", |text| {
        let name = text.strip_prefix('-').unwrap_or(text);
        let by = ORDERS.iter().find(|(given, _)| *given == name)?.1;
        let ascending = name == text;
        Some(ContractOrder { by, ascending })
    });
    Ok(order?.unwrap_or_default())
}

/// Tells what an answer depends on. Where nothing is asked for it tells nothing.
pub fn tell(filter: &ContractFilter, order: ContractOrder, parts: &mut Parts) {
    if filter.is_everything() && order == ContractOrder::default() {
        return;
    }
    let ContractFilter {
        stages,
        signed_from,
        signed_to,
        updated_from,
        customer_inn,
    } = filter;
    parts.tell(b"filter");
    parts.tell(&[stages.number()]);
    for day in [signed_from, signed_to, updated_from] {
        parts.tell(&day.map_or(0, |day| day.number()).to_le_bytes());
    }
    // An empty one is none.
    parts.tell(customer_inn.as_deref().unwrap_or_default().as_bytes());
    parts.tell(&[order.by as u8, order.ascending.into()]);
}

/// The codes of stages, separated by commas.
fn stages(text: &str) -> Option<Stages> {
    let codes = text.split(',').map(ContractStage::from_code);
    codes.collect::<Option<Vec<_>>>().map(Stages::of)
}

fn customer_inn(text: &str) -> Option<String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    (digits && text.len() <= MAX_INN).then(|| text.to_owned())
}
