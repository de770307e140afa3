//! `/contract/summary-supplier44`: how many contracts a supplier has, and their sums.

use super::error::Failure;
use super::parameter::Parameters;
use super::response::Finding;
use crate::model::ContractSummary;
use crate::render::{self, Body, SummaryAnswer};
use crate::store::Database;

/// Appends the summary.
pub fn write(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let inn = parameters.inn()?;
    let supplier = snapshot.supplier(inn)?;
    let summary = match &supplier {
        Some(supplier) => snapshot.summary(supplier, &parameters.filter)?,
        None => ContractSummary::default(),
    };
    let answer = SummaryAnswer {
        inn: inn.as_str(),
        name: supplier.as_ref().map_or("", |supplier| &supplier.name),
        summary: &summary,
    };
    render::answer(out, &answer).map_err(Failure::Server)?;
    Ok(Finding::Count(summary.count))
}
