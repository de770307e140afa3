//! The dates of a purchase under 223-FZ. Depending on kind and version of the notice they
//! are in elements of their own, in `placingProcedure`, or in `extendFields`, the fields
//! that a customer's template adds, under an `integrCode`.

use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, day, moment};
use crate::model::{Date, Moment};

/// The elements of a notice and the fields of its template.
pub struct Dates<'e, 'd> {
    data: &'e Element<'d>,
    extended: Vec<(&'e str, &'e Element<'d>)>,
}

impl<'e, 'd> Dates<'e, 'd> {
    /// The dates of a notice; the fields of its lots come after its own.
    pub fn new(data: &'e Element<'d>) -> Self {
        let lots = data.all("lots").flat_map(|lots| lots.all("lot"));
        let extended = std::iter::once(data)
            .chain(lots)
            .flat_map(|owner| owner.all("extendFields"))
            .flat_map(|fields| fields.all("noticeExtendField"))
            .flat_map(|block| block.all("extendField"))
            .filter_map(|field| Some((field.text_at("integrCode"), field.at("value")?)))
            .collect();
        Self { data, extended }
    }

    /// The first day at any of `paths`, else in the template's fields with any of `codes`.
    pub fn day(&self, paths: &[&str], codes: &[&str]) -> Result<Option<Date>> {
        for path in paths {
            if let Some(found) = day(self.data, path)? {
                return Ok(Some(found));
            }
        }
        for code in codes {
            for value in self.values(code) {
                if let Some(found) = extended_day(value)
                    .map_err(|problem| format!("extendFields/{code}/value/{problem}"))?
                {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// The time under `name`, an element or a template's field: in the card's format if it
    /// is one, else its text.
    pub fn time(&self, name: &str) -> String {
        let own = worded(self.data, name);
        if !own.is_empty() {
            return own;
        }
        let kinds = ["dateTime", "date", "time", "text", "string"];
        self.values(name)
            .flat_map(|value| kinds.map(|kind| worded(value, kind)))
            .find(|words| !words.is_empty())
            .unwrap_or_default()
    }

    fn values(&self, code: &str) -> impl Iterator<Item = &'e Element<'d>> {
        let fields = self.extended.iter().filter(move |(own, _)| *own == code);
        fields.map(|(_, value)| *value)
    }
}

/// The day in a template's field: a date, or a text that begins with one.
fn extended_day(value: &Element<'_>) -> Result<Option<Date>> {
    for kind in ["dateTime", "date"] {
        if let Some(found) = day(value, kind)? {
            return Ok(Some(found));
        }
    }
    let text = value.first_text(&["text", "string"]);
    Ok(text.get(..10).and_then(Date::parse_dotted))
}

fn worded(element: &Element<'_>, path: &str) -> String {
    match moment(element, path) {
        Ok(Some(moment)) => dotted(moment),
        Ok(None) | Err(_) => element.words_at(path).to_owned(),
    }
}

/// `DD.MM.YYYY HH:MM`, or the day alone if there is no time.
fn dotted(moment: Moment) -> String {
    let mut out = Vec::new();
    moment.write_dotted(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
