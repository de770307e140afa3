//! 223-FZ: `dishonestSupplier` and the documents of an inclusion, an exclusion and
//! a refusal (`dishonestSupplier.xsd`; data in `body/item/<name>Data`).

use super::super::element::Element;
use super::super::value::{Result, day, instant, version};
use super::{EntryFacts, by_law, inclusion, supplier};
use crate::import::facts::{Fact, Facts};
use crate::model::RnpEntry;

/// Reads the document: one item or more.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    // The schema's roots are named after their types, except that of the refusal.
    let name = document.name.strip_suffix("Type").unwrap_or(document.name);
    let data_name = format!("{name}Data");
    let items = document.all("body").flat_map(|body| body.all("item"));
    let mut data: Vec<&Element<'_>> = items
        .flat_map(|item| {
            item.children()
                .iter()
                .filter(|child| child.name == data_name)
        })
        .collect();
    // Without the wrapper of a packet.
    if data.is_empty() {
        data.push(document.at(&data_name).unwrap_or(document));
    }
    data.into_iter().map(|item| fact(name, item)).collect()
}

fn fact(name: &str, item: &Element<'_>) -> Result<Fact> {
    let number = item.text_at("registrationNumber");
    if number.is_empty() {
        return Err(format!("{name}: registrationNumber: is missing"));
    }
    reading(name, item, number)
        .map(|reading| reading.into_fact(number))
        .map_err(|problem| format!("{name} {number}: {problem}"))
}

fn reading(name: &str, item: &Element<'_>, number: &str) -> Result<EntryFacts> {
    let dates = ["publicationDateTime", "createDateTime"];
    let published = super::first_path(item, &dates);
    let facts = if name == "dishonestSupplierExclude" {
        Facts::RnpExclusion(day(item, super::first_path(item, EXCLUSIONS))?)
    } else {
        let supplier = supplier(
            "commonApplicationInfo/supplier/inn",
            item.text_at("commonApplicationInfo/supplier/inn"),
            item.words_at("commonApplicationInfo/supplier/name"),
        );
        let refused = name == "dishonestSupplierReject" || item.text_at("approveStatus") == "PR";
        inclusion(supplier, entry(item, number)?, refused)?
    };
    Ok(EntryFacts {
        version: version(item, &["version"])?,
        published: instant(item, published)?,
        facts,
    })
}

/// The day of an exclusion: that of the decision.
const EXCLUSIONS: &[&str] = &["decisionExcludeDate", "excludeDate", "publicationDateTime"];

/// `approveStatus` `AR` is the archive, `status` `I` invalid.
fn entry(item: &Element<'_>, number: &str) -> Result<RnpEntry> {
    let registration_date = match day(item, "includeDate")? {
        Some(included) => Some(included),
        None => day(item, "publicationDateTime")?,
    };
    let application = "commonApplicationInfo";
    let reasons = ["includeReason", "includeReasonText"].map(|it| format!("{application}/{it}"));
    let [customer_name, customer_inn] = customer(item);
    Ok(RnpEntry {
        registration_number: number.to_owned(),
        registration_date,
        reason: item
            .first_words(&reasons.each_ref().map(String::as_str))
            .to_owned(),
        contract_number: item
            .text_at(&format!("{application}/contractInfo/contractNumber"))
            .to_owned(),
        exclude_date: day(item, "excludeDate")?.or(by_law(registration_date)),
        federal_law: "223".to_owned(),
        customer_name: customer_name.to_owned(),
        customer_inn: customer_inn.to_owned(),
        withdrawn: item.text_at("approveStatus") == "AR" || item.text_at("status") == "I",
    })
}

/// The customer: named as such, else the organisation that made the record (`placer`),
/// unless that is the registry's authority (`controlAgency`).
fn customer<'e>(item: &'e Element<'_>) -> [&'e str; 2] {
    for path in ["customer/mainInfo", "customer", "placer/mainInfo", "placer"] {
        let Some(party) = item.at(path) else { continue };
        let inn = party.text_at("inn");
        let keeper = item.text_at("commonApplicationInfo/controlAgency/inn");
        let name = party.first_words(&["fullName", "name"]);
        let is_keeper = !inn.is_empty() && inn == keeper;
        let is_named = !name.is_empty() || !inn.is_empty();
        if is_named && !is_keeper {
            return [name, inn];
        }
    }
    [""; 2]
}
