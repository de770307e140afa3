//! Currencies under 223-FZ (`currencyType` in `Types.xsd`): a `letterCode`, or a `digitalCode` that
//! may have a letter code beside it, in `code`.

use crate::import::eis::node::{Field, Node, Paths, Result};
use crate::model::{Amount, is_rouble};

/// Paths of a currency's code, below the element that has an amount. A letter code stands first.
const CODES: Paths<'_> = &[
    "currency/letterCode",
    "currency/code",
    "currency/digitalCode",
];

/// Returns the code of the currency of `holder`, or an empty text.
pub fn code<'e>(holder: &Node<'e>, field: Field) -> &'e str {
    holder.text(field, CODES)
}

/// The amount at `sums` if its currency is the rouble or not stated, else the equivalent in
/// roubles at `converted`.
///
/// # Errors
/// As [`Node::amount`].
pub fn roubles(
    holder: &Node<'_>,
    field: Field,
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
