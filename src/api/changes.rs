//! `/changes`: whose answers imports have changed.

use super::error::Failure;
use super::parameter::Parameters;
use crate::render::{self, ChangePage};
use crate::store::Database;

/// Appends the changes after a revision.
pub fn write(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    let oldest = snapshot.oldest_revision()?;
    // Later than any revision, if it does not fit 64 bits; likewise past the end.
    let [after, skip] =
        [parameters.after, parameters.skip].map(|it| it.parse().unwrap_or(u64::MAX));
    if after < oldest {
        return Err(Failure::RevisionTooOld);
    }
    let page = ChangePage {
        revision: snapshot.version().revision.try_into().unwrap_or_default(),
        oldest,
        changes: &snapshot.changes_after(after, skip, parameters.limit)?,
    };
    render::answer(out, &page, parameters.format);
    Ok(())
}
