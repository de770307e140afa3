//! Reports in CSV and JSON Lines, with one row per changed part of a supplier.

use std::io::Write;

use super::{ChangedSupplier, Watch};
use crate::api::check_supplier;
use crate::cli::BoxedError;
use crate::model::timestamp;
use crate::render::{self, WatchedChange};

impl Watch<'_> {
    pub(super) fn write_changes(
        &self,
        changed: &[ChangedSupplier],
        is_csv: bool,
        out: &mut dyn Write,
    ) -> Result<(), BoxedError> {
        let mut buffer = Vec::new();
        if is_csv {
            render::begin_watched(&mut buffer, &self.from);
        }
        for one in changed {
            let supplier = &one.supplier;
            let inn = supplier.inn.as_str();
            let now = check_supplier(self.database, &self.from.ground, inn)?;
            for change in &one.changes {
                let made = self.database.revision(change.revision)?;
                let change = WatchedChange {
                    row: one.row,
                    inn,
                    name: &now.name,
                    part: change.part,
                    revision: change.revision,
                    changed_at: &made.map_or_else(String::new, |made| timestamp(made.time)),
                    contracts: supplier.contracts,
                    verdict: now.verdict,
                    from: &self.from,
                };
                match is_csv {
                    true => render::add_watched(&mut buffer, &change),
                    false => render::watched_line(&mut buffer, &change),
                }
            }
            out.write_all(&buffer)?;
            buffer.clear();
        }
        out.write_all(&buffer)?;
        Ok(())
    }
}
