//! Settles RNP inclusions that could not be parsed. At the end of an import, each is compared with
//! what readable documents and lines say.

use rusqlite::{Row, params};

use super::batch::BatchWriter;
use super::documents::{DocumentKind, Documents};
use super::error::Result;
use super::unread_entries::{UnreadRow, about_text};
use crate::model::{DocumentSubject, UnreadAbout, UnreadEntry};

impl BatchWriter<'_> {
    /// Determines which inclusions are settled, and which suppliers the remaining ones may be
    /// about.
    pub(super) fn settle_unread(&mut self) -> Result<()> {
        let sql = "SELECT federal_law, number, version, published, about, archive, entry, place \
                   FROM unread_entry";
        let read = |row: &Row<'_>| Ok((UnreadRow::read(row)?, row.get(7)?));
        let rows: Vec<(UnreadRow, i64)> = self.db.all(sql, (), read)?;
        for (row, place) in rows {
            let damaged = || self.db.damaged("an inclusion that could not be parsed");
            let unread = row.clone().into_entry().ok_or_else(damaged)?;
            let meant = self.meant(&unread)?;
            let meant = meant.as_ref().map(about_text).unwrap_or_default();
            let sql = "UPDATE unread_entry SET meant = ?7, sum = row_sum(place, federal_law, \
                       number, version, published, about, archive, entry, ?7) WHERE place = ?1 \
                       AND federal_law = ?2 AND number = ?3 AND version = ?4 AND published = ?5 \
                       AND about = ?6 AND meant <> ?7";
            let columns = params![
                place,
                row.law,
                row.number,
                row.version,
                row.published,
                row.about,
                meant
            ];
            self.db.execute(sql, columns)?;
        }
        Ok(())
    }

    /// Returns the suppliers that an inclusion may be about, or `None` if the inclusion is settled.
    /// A version of the entry or an exclusion settles the inclusion if it is at least as new. An
    /// entry that comes from a line and has no documents settles it too.
    fn meant(&self, unread: &UnreadEntry) -> Result<Option<UnreadAbout>> {
        if unread.number.is_empty() {
            return Ok(Some(unread.about.clone()));
        }
        let about = DocumentSubject::RnpEntry;
        let documents = Documents(self.db).find_about(about, &unread.number)?;
        let of_kind = |kind: DocumentKind| {
            let documents = documents.iter();
            documents.filter(move |one| one.kind == kind as u8)
        };
        let is_not_older = |published: i64| unread.published.is_none_or(|ours| ours <= published);
        let is_dated = unread.published.is_some() || unread.version.is_some();
        let is_read = of_kind(DocumentKind::RnpEntry).any(|one| {
            let is_version = unread.version.is_none_or(|ours| ours <= one.version);
            is_dated && is_version && is_not_older(one.published)
        });
        let is_excluded =
            of_kind(DocumentKind::RnpExclusion).any(|one| is_not_older(one.published));
        let entry = self.stored_entry(&unread.number)?;
        let has_version = of_kind(DocumentKind::RnpEntry).next().is_some();
        if is_read || is_excluded || entry.is_some() && !has_version {
            return Ok(None);
        }
        let Some(entry) = entry else {
            return Ok(Some(unread.about.clone()));
        };
        // Another version of the entry names its supplier, whom this inclusion may be about as
        // well.
        Ok(Some(match unread.about.clone() {
            UnreadAbout::Anybody | UnreadAbout::NoInn if entry.inn.is_none() => UnreadAbout::NoInn,
            UnreadAbout::Anybody | UnreadAbout::NoInn => UnreadAbout::Inns(vec![entry.inn]),
            UnreadAbout::Inns(mut inns) => {
                if !entry.inn.is_none() && !inns.contains(&entry.inn) {
                    inns.push(entry.inn);
                    inns.sort_unstable();
                }
                UnreadAbout::Inns(inns)
            }
        }))
    }
}
