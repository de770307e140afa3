//! What is found by a part of a name.

use super::super::error::Result;
use super::super::suppliers::KnownSupplier;
use super::source::Source;
use crate::model::is_legal_form;

/// The suppliers whose names have a text in them.
#[derive(Clone, Debug, Default)]
pub struct NameMatches {
    /// How many there are.
    pub count: u64,
    /// The first of them: those whose names begin with the text, or do after a legal form,
    /// then those with most contracts, then by INN.
    pub suppliers: Vec<KnownSupplier>,
}

/// As [`super::Database::find_names`].
pub(super) fn find_names(source: &dyn Source, text: &str, limit: usize) -> Result<NameMatches> {
    let (mut beginning, mut others) = (Vec::new(), Vec::new());
    let count = source.names_with(text, limit, &mut |id, before| {
        if is_legal_form(before) {
            beginning.push(id);
        } else if others.len() < limit {
            others.push(id);
        }
        beginning.len() < limit
    })?;
    beginning.extend(others);
    beginning.truncate(limit);
    Ok(NameMatches {
        count,
        suppliers: source.suppliers_with_ids(&beginning)?,
    })
}
