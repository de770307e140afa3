//! Reads the dates of a purchase under 223-FZ. Depending on the kind and version of the notice,
//! they are in separate elements, in `placingProcedure`, or in `extendFields`. `extendFields` has
//! the fields of a customer's template, each with a code (`integrCode`).

use crate::import::eis::node::{FieldName, Node, Result};
use crate::import::eis::value;
use crate::model::{Date, Moment};

/// Looks up dates in a notice and its template fields.
pub struct Dates<'n> {
    data: &'n Node<'n>,
    extended: Vec<Node<'n>>,
}

impl<'n> Dates<'n> {
    /// Collects the template fields of the notice, then those of its lots.
    pub fn new(data: &'n Node<'n>) -> Self {
        let extended = data.all(&[
            "extendFields/noticeExtendField/extendField",
            "lots/lot/extendFields/noticeExtendField/extendField",
        ]);
        Self { data, extended }
    }

    /// Returns the first day at `paths`, or else in the template fields with any of `codes`.
    pub fn day(&self, field: FieldName, paths: &[&str], codes: &[&str]) -> Result<Option<Date>> {
        if let Some(found) = self.data.day(field, paths)? {
            return Ok(Some(found));
        }
        for code in codes {
            for value in self.values(field, code) {
                if let Some(found) = extended_day(field, &value)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Returns the time in the element named `field`, or else in the template fields with any of
    /// `codes`. A date with a time is formatted as on the card; any other text is kept.
    pub fn time(&self, field: FieldName, codes: &[&str]) -> String {
        let own = worded(field, self.data, field);
        if !own.is_empty() {
            return own;
        }
        let kinds = ["dateTime", "date", "time", "text", "string"];
        let values = codes.iter().flat_map(|code| self.values(field, code));
        values
            .flat_map(|value| kinds.map(|kind| worded(field, &value, kind)))
            .find(|words| !words.is_empty())
            .unwrap_or_default()
    }

    fn values<'d>(
        &'d self,
        field: FieldName,
        code: &'d str,
    ) -> impl Iterator<Item = Node<'n>> + 'd {
        let fields = self.extended.iter();
        let own = fields.filter(move |one| one.text(field, &["integrCode"]) == code);
        own.filter_map(|one| one.first(&["value"]))
    }
}

/// Returns the day in a template field, which contains a date or a text that begins with one.
fn extended_day(field: FieldName, value: &Node<'_>) -> Result<Option<Date>> {
    if let Some(found) = value.day(field, &["dateTime", "date"])? {
        return Ok(Some(found));
    }
    let text = value.text(field, &["text", "string"]);
    Ok(text.get(..10).and_then(Date::parse_dotted))
}

fn worded(field: FieldName, source: &Node<'_>, path: &str) -> String {
    let words = source.verbatim(field, &[path]);
    match value::moment(words.trim()) {
        Ok(moment) => dotted(moment),
        Err(_) => words,
    }
}

/// Formats a moment as `DD.MM.YYYY HH:MM`, or without the time if there is none.
fn dotted(moment: Moment) -> String {
    let mut out = Vec::new();
    moment.write_dotted(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
