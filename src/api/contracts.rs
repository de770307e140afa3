//! `/contract/monitor-supplier44`: a page of a supplier's contracts.

use std::cell::Cell;

use super::error::Failure;
use super::parameter::Parameters;
use super::response::Finding;
use crate::render::{self, ContractPage};
use crate::store::{Database, Selection};

/// Appends the page.
pub fn write(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Vec<u8>,
) -> Result<Finding, Failure> {
    let Parameters {
        filter,
        order,
        skip,
        limit,
        ..
    } = parameters;
    let inn = parameters.inn()?;
    let supplier = snapshot.supplier(inn)?;
    // Past the end of any list, if it does not fit 64 bits.
    let first = skip.parse().unwrap_or(u64::MAX);
    let select = |supplier| snapshot.select(supplier, filter, *order, first, *limit);
    let selection = supplier.as_ref().map(select).transpose()?;
    let damage = Cell::new(None);
    let total = selection.as_ref().map_or(0, Selection::count);
    let page = ContractPage {
        inn: inn.as_str(),
        name: supplier.as_ref().map_or("", |supplier| &supplier.name),
        total,
        skip,
        limit: *limit,
        contracts: &|show| {
            if let (Some(supplier), Some(selection)) = (&supplier, &selection) {
                damage.set(snapshot.show(supplier, selection, show).err());
            }
        },
    };
    render::answer(out, &page, parameters.format);
    match damage.take() {
        None => Ok(Finding::Count(total)),
        Some(damage) => Err(damage.into()),
    }
}
