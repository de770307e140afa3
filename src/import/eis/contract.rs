//! `contract`: the registry's snapshot of a contract under 44-FZ, of every schema
//! version seen (4.5 to 15.3), and of 94-FZ before it (the mapping, section 1).
//!
//! What only other documents tell (payments, penalties, terminations, guarantee
//! claims: the procedures; the initial price: the notice) stays empty here.

use std::collections::BTreeSet;

use super::element::Element;
use super::value::{Result, amount, day, first_amount, flag, instant};
use crate::model::{
    Amount, Contract, ContractStage, Date, Inn, Product, PurchaseNumber, Regime, Supplier,
};
use crate::store::{Document, DocumentContent, DocumentKind};

/// How long a subject made of the products' names may be, in characters.
const MAX_SUBJECT: usize = 2000;

/// Reads the document.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(document: &Element<'_>) -> Result<Document> {
    let reg_num = document.text_at("regNum");
    if reg_num.is_empty() {
        return Err("regNum: is missing".to_owned());
    }
    read_numbered(document, reg_num).map_err(|problem| format!("contract {reg_num}: {problem}"))
}

fn read_numbered(document: &Element<'_>, reg_num: &str) -> Result<Document> {
    let version = match document.text_at("versionNumber") {
        "" => 0,
        text => text
            .parse()
            .map_err(|_| "versionNumber: not a whole number".to_owned())?,
    };
    Ok(Document {
        kind: DocumentKind::Contract,
        key: reg_num.to_owned(),
        version,
        published: instant(document, "publishDate")?,
        content: DocumentContent::Contract {
            contract: Box::new(contract(document, reg_num)?),
            suppliers: suppliers(document),
        },
    })
}

fn contract(document: &Element<'_>, reg_num: &str) -> Result<Contract> {
    let price = price(document)?;
    let subcontractors = document.at("subContractorsSum");
    Ok(Contract {
        reg_num: reg_num.to_owned(),
        purchase_number: purchase_number(document),
        purchase_code: purchase_code(document),
        subject: subject(document),
        delivery_term: delivery_term(document),
        customer_inn: document
            .first_text(&["customer/inn", "customer/INN"])
            .to_owned(),
        customer_name: document.words_at("customer/fullName").to_owned(),
        price,
        sign_date: day(document, "signDate")?,
        end_date: end_date(document)?,
        stage: Some(stage(document)?),
        advance_percent: advance_percent(document, price)?,
        stage_count: stage_count(document)?,
        update_date: day(document, "publishDate")?,
        has_subcontractors: subcontractors.is_some(),
        subcontractors_sum: subcontractors_sum(document, price)?,
        guarantee: first_amount(document, GUARANTEES)?,
        bank_support: flag(
            document,
            "bankSupportContractRequiredInfo/bankSupportContractRequired",
        )?,
        treasury_support: flag(
            document,
            "bankSupportContractRequiredInfo/treasurySupportContractRequired",
        )? || flag(
            document,
            "bankSupportContractRequiredInfo/treasurySupportContractInfo/treasurySupportContractRequired",
        )?,
        budget_name: document.first_words(BUDGETS).to_owned(),
        oktmo: oktmo(document),
        products: products(document)?,
        ..Contract::default()
    })
}

/// Where the guarantee of the contract stands.
const GUARANTEES: &[&str] = &[
    "enforcement/cashAccount/amountRUR",
    "enforcement/bankGuarantee/guaranteeAmountRUR",
    "enforcement/independentGuarantee/guaranteeAmountRUR",
    "enforcement/cashAccount/amount",
    "enforcement/bankGuarantee/guaranteeAmount",
    "enforcement/independentGuarantee/guaranteeAmount",
];

/// Where the name of the budget stands: that of budget funds before that of
/// others, in the order of the schemas' age, newest last.
const BUDGETS: &[&str] = &[
    "finances/budgetFunds/budget/name",
    "finances/financingPlan/financeSource/budgetFunds/budget/name",
    "finances/extrabudgetFunds/extrabudget/name",
    "finances/financingPlan/financeSource/extrabudgetFunds/extrabudget/name",
    "finances/budget/name",
    "finances/extrabudget/name",
];

/// Older documents have free text in its place ("25-06/347/6"): only a number of
/// a purchase under 44-FZ counts.
fn purchase_number(document: &Element<'_>) -> String {
    let found = document
        .at("foundation")
        .and_then(|foundation| foundation.anywhere("notificationNumber"));
    let number = found.and_then(|element| PurchaseNumber::parse(element.text()));
    match number {
        Some(number) if number.regime() == Regime::Fz44 => number.to_string(),
        _ => String::new(),
    }
}

fn purchase_code(document: &Element<'_>) -> String {
    let found = document
        .at("foundation")
        .and_then(|foundation| foundation.anywhere("purchaseCode"));
    found.map_or_else(String::new, |element| element.text().to_owned())
}

/// The subject, or the distinct names of the products.
fn subject(document: &Element<'_>) -> String {
    let subject = document.words_at("contractSubject");
    if !subject.is_empty() {
        return subject.to_owned();
    }
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for product in product_elements(document) {
        let name = product
            .text_at("name")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if !name.is_empty() && seen.insert(name.clone()) {
            names.push(name);
        }
    }
    cut_at_word(&names.join("; "))
}

fn cut_at_word(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_SUBJECT) else {
        return text.to_owned();
    };
    let head = &text[..end];
    let at_word = text[end..].starts_with(' ');
    let cut = if at_word {
        head
    } else {
        head.rsplit_once(' ').map_or(head, |(words, _)| words)
    };
    cut.trim_end_matches([' ', ';']).to_owned()
}

/// The notice tells it; without one, the contract's own period.
fn delivery_term(document: &Element<'_>) -> String {
    let period = ["executionPeriod/startDate", "executionPeriod/endDate"];
    match period.map(|path| document.text_at(path)) {
        ["", end] => end.to_owned(),
        [start, ""] => start.to_owned(),
        [start, end] => format!("{start}..{end}"),
    }
}

/// In roubles: as converted, or as it stands where the currency is the rouble.
fn price(document: &Element<'_>) -> Result<Option<Amount>> {
    if let Some(converted) = amount(document, "priceInfo/priceRUR")? {
        return Ok(Some(converted));
    }
    let in_roubles = |path: &str| matches!(document.text_at(path), "" | "RUB" | "RUR" | "643");
    if in_roubles("priceInfo/currency/code")
        && let Some(price) = amount(document, "priceInfo/price")?
    {
        return Ok(Some(price));
    }
    if let Some(price) = amount(document, "price")? {
        return Ok(Some(price).filter(|_| in_roubles("currency/code")));
    }
    let right = "priceInfo/rightToConcludeContractPriceInfo";
    if let Some(converted) = amount(document, &format!("{right}/priceRUR"))? {
        return Ok(Some(converted));
    }
    let price = amount(document, &format!("{right}/price"))?;
    Ok(price.filter(|_| in_roubles(&format!("{right}/currency/code"))))
}

/// A day, or in the oldest documents a month, which ends with its last day.
fn end_date(document: &Element<'_>) -> Result<Option<Date>> {
    if let Some(day) = day(document, "executionPeriod/endDate")? {
        return Ok(Some(day));
    }
    for name in ["executionDate", "execution"] {
        let Some(term) = document.at(name) else {
            continue;
        };
        let (month, year) = (term.text_at("month"), term.text_at("year"));
        if month.is_empty() || year.is_empty() {
            continue;
        }
        let last = year
            .parse()
            .ok()
            .zip(month.parse().ok())
            .and_then(|(year, month)| Date::last_of_month(year, month));
        return last
            .map(Some)
            .ok_or_else(|| format!("{name}: not a month of a year"));
    }
    Ok(None)
}

/// The stage it says, else what the document alone tells.
fn stage(document: &Element<'_>) -> Result<ContractStage> {
    match document.text_at("currentContractStage") {
        "" if flag(document, "isInvalid")? => Ok(ContractStage::Annulled),
        "" => Ok(ContractStage::InExecution),
        code => ContractStage::from_code(code)
            .ok_or_else(|| "currentContractStage: neither E, EC, ET nor IN".to_owned()),
    }
}

fn advance_percent(document: &Element<'_>, price: Option<Amount>) -> Result<Option<Amount>> {
    if let Some(percent) = amount(document, "advancePaymentSum/sumInPercents")? {
        return Ok(Some(percent));
    }
    let paths = [
        "advancePaymentSum/priceValueRUR",
        "advancePaymentSum/priceValue",
    ];
    let advance = first_amount(document, &paths)?;
    Ok(advance
        .zip(price)
        .and_then(|(advance, price)| advance.percent_of(price)))
}

/// As it says, else one a stage of its execution.
fn stage_count(document: &Element<'_>) -> Result<u64> {
    match amount(document, "quantityContractStages")? {
        Some(count) => count
            .as_count()
            .ok_or_else(|| "quantityContractStages: not a whole number from 0 on".to_owned()),
        None => {
            let period = document.at("executionPeriod");
            Ok(period.map_or(0, |period| period.all("stages").count() as u64))
        }
    }
}

fn subcontractors_sum(document: &Element<'_>, price: Option<Amount>) -> Result<Option<Amount>> {
    if let Some(sum) = amount(document, "subContractorsSum/priceValueRUR")? {
        return Ok(Some(sum));
    }
    let part = amount(document, "subContractorsSum/sumInPercents")?.and_then(Amount::percent);
    Ok(part
        .zip(price)
        .and_then(|(part, price)| part.checked_mul(price)))
}

/// The code, and the name where it stands.
fn oktmo(document: &Element<'_>) -> String {
    let paths = [
        "finances/budgetFunds/OKTMO",
        "finances/financingPlan/financeSource/budgetFunds/OKTMO",
    ];
    let Some(territory) = paths.iter().find_map(|path| document.at(path)) else {
        return String::new();
    };
    match [territory.text_at("code"), territory.words_at("name")] {
        [code, ""] => code.to_owned(),
        [code, name] => format!("{code}-{name}"),
    }
}

fn product_elements<'e, 'd>(document: &'e Element<'d>) -> impl Iterator<Item = &'e Element<'d>> {
    let products = document
        .at("products")
        .into_iter()
        .flat_map(|products| products.all("product"));
    // A parent repeats the sum of those below it.
    products.filter(|product| product.text_at("hierarchyType") != "P")
}

fn products(document: &Element<'_>) -> Result<Vec<Product>> {
    let product = |(index, product): (usize, &Element<'_>)| {
        let sum = product_sum(product)
            .map_err(|problem| format!("products/product[{index}]/{problem}"))?;
        let code = product.first_text(&["KTRU/code", "OKPD2/code", "OKPD/code", "OKDP/code"]);
        Ok(Product {
            code: code.to_owned(),
            sum,
        })
    };
    product_elements(document)
        .enumerate()
        .map(product)
        .collect()
}

/// The sum; else price times quantity; else the price.
fn product_sum(product: &Element<'_>) -> Result<Option<Amount>> {
    if let Some(sum) = first_amount(product, &["sumRUR", "sum"])? {
        return Ok(Some(sum));
    }
    let price = first_amount(product, &["priceRUR", "price"])?;
    match (price, amount(product, "quantity")?) {
        (Some(price), Some(quantity)) => Ok(price.checked_mul(quantity)),
        (price, _) => Ok(price),
    }
}

/// Those it was concluded with that have an INN, each once.
fn suppliers(document: &Element<'_>) -> Vec<Supplier> {
    let old = document
        .at("suppliers")
        .into_iter()
        .flat_map(|list| list.all("supplier"));
    let new = document
        .at("suppliersInfo")
        .into_iter()
        .flat_map(|list| list.all("supplierInfo"));
    let mut suppliers: Vec<Supplier> = Vec::new();
    for supplier in old.chain(new).filter_map(supplier) {
        match suppliers.iter_mut().find(|known| known.inn == supplier.inn) {
            None => suppliers.push(supplier),
            Some(known) if known.name.is_empty() => known.name = supplier.name,
            Some(_) => {}
        }
    }
    suppliers
}

/// A supplier stands in an element of its kind (organisation or person, Russian
/// or foreign), since 2022 in a register's extract within that; before 2015 it
/// stood directly in `supplier`.
fn supplier(element: &Element<'_>) -> Option<Supplier> {
    let kind = element
        .children()
        .iter()
        .find(|child| PARTIES.contains(&child.name))
        .unwrap_or(element);
    let extracts = kind
        .children()
        .iter()
        .filter(|child| child.name.ends_with("Info") && child.name != "contactInfo");
    let places: Vec<&Element<'_>> = std::iter::once(kind).chain(extracts).collect();
    let inn_paths = ["INN", "inn", "registerInRFTaxBodies/INN", "taxPayerCode"];
    let inn = places
        .iter()
        .find_map(|place| Inn::parse(place.first_text(&inn_paths)))?;
    let organization = places
        .iter()
        .map(|place| place.first_words(&["fullName", "organizationName"]));
    let person = places.iter().map(|place| person_name(place));
    let contact = kind.at("contactInfo").map(person_name);
    let name = organization
        .map(str::to_owned)
        .chain(person)
        .chain(contact)
        .find(|name| !name.is_empty());
    Some(Supplier {
        inn,
        name: name.unwrap_or_default(),
    })
}

/// The elements that hold a supplier, by its kind.
const PARTIES: &[&str] = &[
    "legalEntityRF",
    "legalEntityForeignState",
    "individualPersonRF",
    "individualPersonRFIndEntr",
    "individualPersonForeignState",
    "individualBusinessmanRF",
];

fn person_name(element: &Element<'_>) -> String {
    let parts = ["lastName", "firstName", "middleName"].map(|part| element.text_at(part));
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
