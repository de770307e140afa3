//! The page without scripts: a form, and what the server found, as plain HTML.

use maud::{DOCTYPE, Markup, html};

use super::path;
use super::texts::{text, text_with};
use crate::model::{Amount, ContractStage, Date, Hit, HitKind, Language, RnpEntry};

/// How long what is searched for may be, in characters. The lookup page takes the rest from its
/// address, the page without scripts refuses it.
pub const MAX_QUERY: usize = 200;

/// Where it is served.
pub const PLAIN_PATH: &str = "/lookup";

/// A page without scripts.
#[derive(Debug)]
pub struct PlainPage<'a> {
    /// Its language.
    pub language: Language,
    /// What was looked for, as it was typed.
    pub query: &'a str,
    /// Is it answered from the demonstration data?
    pub is_demo: bool,
    /// When an import last changed anything, in Moscow: begins `YYYY-MM-DDTHH:MM`; none where
    /// the data cannot be had.
    pub updated: Option<String>,
    /// What was found.
    pub content: PlainContent,
}

/// What a page without scripts says below its form.
#[derive(Debug)]
pub enum PlainContent {
    /// Nothing was looked for.
    Nothing,
    /// A heading, as the key of its text, and a sentence.
    Trouble(&'static str, String),
    /// What a text is found in: how many there are, and the first of them.
    Hits(u64, Vec<Hit>),
    /// A supplier.
    Supplier(Box<PlainSupplier>),
    /// A purchase.
    Purchase(PlainPurchase),
}

/// What is said of a purchase.
#[derive(Debug)]
pub struct PlainPurchase {
    /// Its number.
    pub number: String,
    /// Its main fields, by the keys of their names.
    pub facts: Vec<(&'static str, String)>,
    /// Its address on the official site; may be empty.
    pub official: String,
}

/// What is said of a supplier.
#[derive(Debug)]
pub struct PlainSupplier {
    /// Its INN.
    pub inn: String,
    /// Its name; may be empty.
    pub name: String,
    /// The verdict that may be shown, as the keys of its texts have it.
    pub verdict: &'static str,
    /// The day that it is of: today in Moscow.
    pub day: Date,
    /// What each registry is good for, as the keys of its texts have it; its law, and the
    /// day as of which it is complete.
    pub registries: Vec<(&'static str, &'static str, Option<Date>)>,
    /// The entries in force.
    pub entries: Vec<RnpEntry>,
    /// Those that are over.
    pub previous: Vec<RnpEntry>,
    /// How many contracts there are.
    pub total: u64,
    /// The first of them, newest first.
    pub contracts: Vec<PlainContract>,
}

/// A contract in the table.
#[derive(Debug)]
pub struct PlainContract {
    /// Registry number.
    pub reg_num: String,
    /// Day of signing.
    pub sign_date: Option<Date>,
    /// Customer's name.
    pub customer: String,
    /// What it is about.
    pub subject: String,
    /// Price, roubles.
    pub price: Option<Amount>,
    /// Stage.
    pub stage: Option<ContractStage>,
}

impl PlainPage<'_> {
    /// The page as an HTML document.
    pub fn html(&self) -> String {
        let language = self.language;
        let t = |key| text(language, key);
        let page = html! {
            (DOCTYPE)
            html lang=(language.code()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title()) " · procurement-lookup" }
                    link rel="icon" href=(path("icon.svg"));
                    link rel="stylesheet" href=(path("docs.css"));
                }
                body {
                    header {
                        form action=(PLAIN_PATH) method="get" role="search" {
                            p {
                                a href="/" { (t("brand")) } " "
                                label for="q" { (t("search.label")) ": " }
                                input #q type="search" name="q" maxlength=(MAX_QUERY) value=(self.query);
                                input type="hidden" name="lang" value=(language.code());
                                " " button { (t("search.go")) }
                            }
                        }
                        @if let Some(updated) = &self.updated { p { (self.data_line(updated)) } }
                    }
                    main { (self.main()) }
                }
            }
        };
        page.into_string()
    }

    fn title(&self) -> String {
        match &self.content {
            PlainContent::Nothing => text(self.language, "home.title").to_owned(),
            PlainContent::Trouble(heading, _) => text(self.language, heading).to_owned(),
            PlainContent::Hits(..) => text_with(self.language, "find.title", "text", self.query),
            PlainContent::Supplier(supplier) => supplier.heading(self.language),
            PlainContent::Purchase(purchase) => purchase.number.clone(),
        }
    }

    /// How old the data is, and whether it is invented.
    fn data_line(&self, updated: &str) -> Markup {
        let (day, time) = updated.split_once('T').unwrap_or((updated, ""));
        let day = Date::parse_iso(day).map(|day| shown_day(self.language, day));
        let time = time.get(..5).unwrap_or_default();
        let moment = [&day.unwrap_or_default(), ", ", time].concat();
        html! {
            (text_with(self.language, "data.updated", "time", &moment))
            @if self.is_demo { ". " strong { (text(self.language, "data.demo")) } }
        }
    }

    fn main(&self) -> Markup {
        let t = |key| text(self.language, key);
        html! {
            h1 { (self.title()) }
            @match &self.content {
                PlainContent::Nothing => p { (t("home.lead")) },
                PlainContent::Trouble(_, words) => p { (words) },
                PlainContent::Hits(total, hits) => (hit_list(self.language, *total, hits)),
                PlainContent::Supplier(supplier) => (supplier.html(self.language)),
                PlainContent::Purchase(purchase) => (purchase.html(self.language)),
            }
        }
    }
}

impl PlainPurchase {
    fn html(&self, language: Language) -> Markup {
        let is_address = ["https://", "http://"]
            .iter()
            .any(|scheme| self.official.starts_with(scheme));
        html! {
            (facts(language, &self.facts))
            @if is_address {
                p { a href=(self.official) rel="noopener noreferrer" { (text(language, "purchase.official")) } }
            }
        }
    }
}

impl PlainSupplier {
    fn heading(&self, language: Language) -> String {
        match self.name.as_str() {
            "" => text_with(language, "supplier.title", "inn", &self.inn),
            name => name.to_owned(),
        }
    }

    fn html(&self, language: Language) -> Markup {
        let t = |key: &str| text(language, key);
        let verdict = |part: &str| t(&["verdict.", self.verdict, part].concat());
        html! {
            p { (t("inn")) " " (self.inn) }
            h2 { (verdict("")) }
            p { (verdict(".means")) }
            p { (t("rnp.asOf")) " " (shown_day(language, self.day)) ". " (self.registry_sentences(language)) }
            (entries(language, "rnp.entries", &self.entries))
            (entries(language, "rnp.previous", &self.previous))
            h2 { (t("contracts.title")) }
            @if self.contracts.is_empty() {
                p { (t("contracts.none")) }
            } @else {
                p { (self.range(language)) }
                div.table { (self.table(language)) }
            }
        }
    }

    /// Which contracts are shown, of how many.
    fn range(&self, language: Language) -> String {
        let range = text_with(language, "contracts.range", "from", "1");
        let range = range.replace("{to}", &self.contracts.len().to_string());
        range.replace("{all}", &self.total.to_string())
    }

    fn registry_sentences(&self, language: Language) -> String {
        let sentence = |(standing, law, day): &(&str, &str, Option<Date>)| {
            let law = text(language, &["law.", law].concat());
            let named = match day {
                Some(day) => text_with(language, "registry.law", "law", law)
                    .replace("{day}", &shown_day(language, *day)),
                None => law.to_owned(),
            };
            text_with(language, &["registry.", standing].concat(), "laws", &named)
        };
        let sentences: Vec<_> = self.registries.iter().map(sentence).collect();
        sentences.join(" ")
    }

    fn table(&self, language: Language) -> Markup {
        let columns = [
            "column.signDate",
            "regNum",
            "customerName",
            "purchaseObjectInfo",
            "column.contractPrice",
            "contractStage",
        ];
        html! {
            table {
                thead { tr { @for column in columns { th scope="col" { (text(language, column)) } } } }
                tbody {
                    @for contract in &self.contracts {
                        tr {
                            td { @if let Some(day) = contract.sign_date { (shown_day(language, day)) } }
                            td { (contract.reg_num) }
                            td { (contract.customer) }
                            td { (contract.subject) }
                            td { @if let Some(price) = contract.price { (roubles(price)) } }
                            td { @if let Some(stage) = contract.stage { (text(language, &["stage.", stage.code()].concat())) } }
                        }
                    }
                }
            }
        }
    }
}

/// Links to what was found.
fn hit_list(language: Language, total: u64, hits: &[Hit]) -> Markup {
    let t = |key: &str| text(language, key);
    let state = |hit: &Hit| match (hit.kind, hit.in_rnp) {
        (HitKind::Supplier, Some(true)) => Some(t("find.listed")),
        (HitKind::RnpEntry, Some(true)) => Some(t("find.inForce")),
        (HitKind::RnpEntry, Some(false)) => Some(t("find.over")),
        _ => None,
    };
    html! {
        ul {
            @for hit in hits {
                @let subject = if hit.supplier_inn.is_empty() { &hit.key } else { &hit.supplier_inn };
                li {
                    a href={ (PLAIN_PATH) "?q=" (subject) "&lang=" (language.code()) } {
                        (if hit.name.is_empty() { &hit.key } else { &hit.name })
                    }
                    " · " (t(&["find.", hit.kind.code()].concat())) " " (hit.key)
                    @if let Some(state) = state(hit) { " · " strong { (state) } }
                }
            }
        }
        @if total > hits.len() as u64 {
            p { (text_with(language, "find.first", "n", &hits.len().to_string())) }
        }
    }
}

/// The entries of the registry under their heading; nothing where there are none.
fn entries(language: Language, heading: &str, entries: &[RnpEntry]) -> Markup {
    html! {
        @if !entries.is_empty() {
            h2 { (text(language, heading)) }
            @for one in entries { (entry(language, one)) }
        }
    }
}

fn entry(language: Language, entry: &RnpEntry) -> Markup {
    let t = |key| text(language, key);
    let from = entry
        .registration_date
        .map(|day| text_with(language, "rnp.from", "day", &shown_day(language, day)));
    let until = entry.exclude_date.map_or_else(
        || t("rnp.noEnd").to_owned(),
        |day| text_with(language, "rnp.until", "day", &shown_day(language, day)),
    );
    html! {
        h3 { (entry.registration_number) " · " (text(language, &["law.", &entry.federal_law].concat())) }
        p { (from.unwrap_or_default()) " " (until) }
        p { (reason(language, &entry.reason)) }
        @if !entry.customer_name.is_empty() || !entry.customer_inn.is_empty() {
            p { (t("rnp.customer")) " " (entry.customer_name) " · " (t("inn")) " " (entry.customer_inn) }
        }
        @if !entry.contract_number.is_empty() {
            p { (t("contractNumber")) ": " (entry.contract_number) }
        }
    }
}

/// The ground of an entry: the words for its code before it, where it is one.
fn reason(language: Language, reason: &str) -> String {
    match text(language, &["reason.", reason].concat()) {
        "" => reason.to_owned(),
        words => format!("{words} ({reason})"),
    }
}

/// Fields with their names; those without a value are left out.
fn facts(language: Language, fields: &[(&'static str, String)]) -> Markup {
    html! {
        table {
            @for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
                tr { th scope="row" { (text(language, name)) } td { (value) } }
            }
        }
    }
}

/// A day as people write it.
pub fn shown_day(language: Language, day: Date) -> String {
    let digits = language.pick(day.dotted(), day.iso());
    String::from_utf8_lossy(&digits).into_owned()
}

/// An amount of roubles: all its digits, grouped by threes, two places at least.
pub fn roubles(amount: Amount) -> String {
    const NARROW: char = '\u{202f}';
    let text = amount.to_string();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("\u{2212}", digits),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(NARROW);
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped},{fraction:0<2}{NARROW}₽")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_all_their_digits_in_groups_of_three() {
        for (amount, expected) in [
            ("0", "0,00 ₽"),
            ("1234567.5", "1 234 567,50 ₽"),
            ("999", "999,00 ₽"),
            ("-1000.123", "−1 000,123 ₽"),
        ] {
            let shown = roubles(amount.parse().expect("an amount"));
            assert_eq!(shown.replace('\u{202f}', " "), expected);
        }
    }
}
