//! `/contract/monitor-supplier44`, `/contract/monitor-customer44` and
//! `/contract/summary-supplier44`: a page of a supplier's contracts or of a customer's, and how
//! many contracts a supplier has, and their sums.

use std::cell::Cell;

use super::super::error::Failure;
use super::super::request::parameter::Parameters;
use super::super::response::Finding;
use crate::model::ContractSummary;
use crate::render::{self, Body, ContractPage, CustomerPage, RowCount, SummaryAnswer};
use crate::store::Database;

/// Appends the page of a supplier.
pub fn write(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let Parameters {
        filter,
        order,
        skip,
        ..
    } = parameters;
    let limit = parameters.limit();
    let inn = parameters.inn()?;
    let supplier = snapshot.supplier(inn)?;
    let first = parameters.first();
    let select = |supplier| snapshot.select(supplier, filter, *order, first, limit);
    let selection = supplier.as_ref().map(select).transpose()?;
    let damage = Cell::new(None);
    let total = selection.as_ref().map_or(0, |selection| selection.count);
    let rows = RowCount::new(total, first, limit);
    let page = ContractPage {
        inn: inn.as_str(),
        name: supplier.as_ref().map_or("", |supplier| &supplier.name),
        rows,
        skip,
        limit,
        contracts: &|show| {
            if let (Some(supplier), Some(selection)) = (&supplier, &selection) {
                damage.set(snapshot.show(supplier, selection, show).err());
            }
        },
    };
    render::answer(out, &page)?;
    match damage.take() {
        None => Ok(Finding::Rows(rows)),
        Some(damage) => Err(damage.into()),
    }
}

/// Appends the page of a customer.
pub fn write_of_customer(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let Parameters {
        filter,
        order,
        skip,
        ..
    } = parameters;
    let limit = parameters.limit();
    let inn = parameters.customer_inn()?;
    let first = parameters.first();
    let selection = snapshot.select_of_customer(inn, filter, *order, first, limit)?;
    let damage = Cell::new(None);
    let rows = RowCount::new(selection.count, first, limit);
    let page = CustomerPage {
        inn,
        name: &selection.name,
        rows,
        skip,
        limit,
        contracts: &|show| {
            let shown = snapshot.show_of_customer(&selection, &mut |supplier, contract| {
                show(supplier.inn.as_str(), &supplier.name, contract);
            });
            damage.set(shown.err());
        },
    };
    render::answer(out, &page)?;
    match damage.take() {
        None => Ok(Finding::Rows(rows)),
        Some(damage) => Err(damage.into()),
    }
}

/// Appends the summary.
pub fn write_summary(
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
    render::answer(out, &answer)?;
    Ok(Finding::Count(summary.count))
}
