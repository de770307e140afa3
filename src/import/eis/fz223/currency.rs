//! Reads currencies under 223-FZ (`currencyType` in `Types.xsd`). A currency has a `letterCode`, or
//! a `digitalCode` that may come with a letter code in `code`.

use crate::import::eis::node::{FieldName, Node, Paths, Result};
use crate::model::{Amount, is_rouble};

/// Paths of the currency code, below the element with the amount. Letter codes come first.
const CODES: Paths<'_> = &[
    "currency/letterCode",
    "currency/code",
    "currency/digitalCode",
];

/// Returns the currency code in `holder`, or an empty text.
pub fn code<'e>(holder: &Node<'e>, field: FieldName) -> &'e str {
    holder.text(field, CODES)
}

/// Returns the amount at `sums` if the currency is the rouble or not stated. Otherwise, returns the
/// equivalent in roubles at `converted`.
pub fn roubles(
    holder: &Node<'_>,
    field: FieldName,
    sums: Paths<'_>,
    converted: Paths<'_>,
) -> Result<Option<Amount>> {
    let paths = if is_rouble(code(holder, field)) {
        sums
    } else {
        converted
    };
    holder.amount(field, paths)
}
