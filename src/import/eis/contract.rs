//! `contract`: the registry's snapshot of a contract under 44-FZ, of every schema
//! version seen (4.5 to 15.3), and of 94-FZ before it (the mapping, section 1).
//!
//! What only other documents have (payments, penalties, terminations, guarantee claims: the
//! procedures; the initial price: the notice) is added by `derive`.

use std::collections::{BTreeMap, BTreeSet};

use super::element::Element;
use super::value::{Result, amount, day, first_amount, flag, instant, person_name, stage, version};
use crate::import::facts::{ContractFacts, ContractSupplier, Fact, Facts};
use crate::model::{Amount, CardSupplier, Contract, Date, Inn, Product, PurchaseNumber, Regime};

/// How many suppliers a contract may have. It is listed under each of them; real ones
/// have a few.
pub const MAX_SUPPLIERS: usize = 100;

/// The longest subject made of the products' names, in characters.
const MAX_SUBJECT: usize = 2000;

/// Reads the document.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let reg_num = document.text_at("regNum");
    if reg_num.is_empty() {
        return Err("contract: regNum: is missing".to_owned());
    }
    read_numbered(document, reg_num)
        .map(|fact| vec![fact])
        .map_err(|problem| format!("contract {reg_num}: {problem}"))
}

fn read_numbered(document: &Element<'_>, reg_num: &str) -> Result<Fact> {
    let version = version(document, &["versionNumber"])?;
    let facts = ContractFacts {
        contract: contract(document, reg_num)?,
        product_names: product_names(document),
        invalid: flag(document, "isInvalid")?,
        lot: lot(document),
        customer_code: document.text_at("customer/regNum").to_owned(),
        suppliers: suppliers(document),
    };
    if facts.suppliers.len() > MAX_SUPPLIERS {
        return Err(format!("suppliers: more than {MAX_SUPPLIERS}"));
    }
    Ok(Fact {
        number: reg_num.to_owned(),
        key: String::new(),
        version,
        published: instant(document, "publishDate")?,
        facts: Facts::Contract(Box::new(facts)),
    })
}

fn contract(document: &Element<'_>, reg_num: &str) -> Result<Contract> {
    let price = price(document)?;
    let subcontractors = document.at("subContractorsSum");
    Ok(Contract {
        reg_num: reg_num.to_owned(),
        purchase_number: purchase_number(document),
        purchase_code: purchase_code(document),
        subject: document.words_at("contractSubject").to_owned(),
        delivery_term: delivery_term(document),
        customer_inn: document
            .first_text(&["customer/inn", "customer/INN"])
            .to_owned(),
        customer_name: document.words_at("customer/fullName").to_owned(),
        price,
        sign_date: day(document, "signDate")?,
        end_date: end_date(document)?,
        stage: stage(document)?,
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

/// Paths of the guarantee of the contract.
const GUARANTEES: &[&str] = &[
    "enforcement/cashAccount/amountRUR",
    "enforcement/bankGuarantee/guaranteeAmountRUR",
    "enforcement/independentGuarantee/guaranteeAmountRUR",
    "enforcement/cashAccount/amount",
    "enforcement/bankGuarantee/guaranteeAmount",
    "enforcement/independentGuarantee/guaranteeAmount",
];

/// Paths of the name of the budget: that of budget funds before that of others, oldest
/// schemas first.
const BUDGETS: &[&str] = &[
    "finances/budgetFunds/budget/name",
    "finances/financingPlan/financeSource/budgetFunds/budget/name",
    "finances/extrabudgetFunds/extrabudget/name",
    "finances/financingPlan/financeSource/extrabudgetFunds/extrabudget/name",
    "finances/budget/name",
    "finances/extrabudget/name",
];

/// Older documents have free text here ("25-06/347/6"): only a number of a purchase under
/// 44-FZ counts.
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

/// The lot it was concluded for, where there was more than one.
fn lot(document: &Element<'_>) -> Option<u64> {
    let foundation = document.at("foundation")?;
    foundation.anywhere("lotNumber")?.text().parse().ok()
}

/// The distinct names of the products, up to [`MAX_SUBJECT`].
fn product_names(document: &Element<'_>) -> String {
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    let mut length = 0;
    for product in product_elements(document) {
        let name = product
            .text_at("name")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if !name.is_empty() && seen.insert(name.clone()) {
            length += name.len();
            names.push(name);
        }
        // The rest would be cut off: a character has four bytes at most.
        if length > 4 * MAX_SUBJECT {
            break;
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

/// The contract's own period; that of the notice is preferred.
fn delivery_term(document: &Element<'_>) -> String {
    let period = ["executionPeriod/startDate", "executionPeriod/endDate"];
    match period.map(|path| document.text_at(path)) {
        ["", end] => end.to_owned(),
        [start, ""] => start.to_owned(),
        [start, end] => format!("{start}..{end}"),
    }
}

/// The price in roubles: as converted, or as given if the currency is the rouble.
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

/// As stated, else the number of its stages of execution.
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

/// The code, and the name if there is one.
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
    // A parent repeats the sum of its children.
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

/// The suppliers; of several with the same INN the first.
fn suppliers(document: &Element<'_>) -> Vec<ContractSupplier> {
    let old = document
        .at("suppliers")
        .into_iter()
        .flat_map(|list| list.all("supplier"));
    let new = document
        .at("suppliersInfo")
        .into_iter()
        .flat_map(|list| list.all("supplierInfo"));
    let mut suppliers: Vec<ContractSupplier> = Vec::new();
    let mut places = BTreeMap::new();
    for supplier in old.chain(new).map(supplier) {
        let place = supplier.inn.as_ref().and_then(|inn| places.get(inn));
        match place.and_then(|place: &usize| suppliers.get_mut(*place)) {
            None => {
                if let Some(inn) = &supplier.inn {
                    places.insert(inn.clone(), suppliers.len());
                }
                suppliers.push(supplier);
            }
            Some(first) if first.card.name.is_empty() => first.card.name = supplier.card.name,
            Some(_) => {}
        }
    }
    suppliers.retain(|supplier| supplier.card != CardSupplier::default());
    suppliers
}

/// A supplier is in an element of its kind (organisation or person, Russian or foreign),
/// since 2022 in a register extract within that; before 2015 it was directly in `supplier`.
fn supplier(element: &Element<'_>) -> ContractSupplier {
    let children = element.children();
    let of_a_known_kind = children.iter().find(|child| PARTIES.contains(&child.name));
    // Unknown kinds of later schemas are recognised by the number in them.
    let of_another = || {
        let mut others = children.iter().filter(|child| child.name != "contactInfo");
        others.find(|child| child.anywhere("INN").is_some())
    };
    let kind = of_a_known_kind.or_else(of_another).unwrap_or(element);
    let extracts = kind
        .children()
        .iter()
        .filter(|child| child.name.ends_with("Info") && child.name != "contactInfo");
    let places: Vec<&Element<'_>> = std::iter::once(kind).chain(extracts).collect();
    let numbers = || {
        let paths = ["INN", "inn", "registerInRFTaxBodies/INN", "taxPayerCode"];
        places.iter().map(move |place| place.first_text(&paths))
    };
    let inn = numbers().find_map(Inn::parse);
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
    let kpp = places
        .iter()
        .map(|place| place.first_text(&["KPP", "kpp", "registerInRFTaxBodies/KPP"]))
        .find(|kpp| !kpp.is_empty());
    let number = match &inn {
        Some(inn) => inn.as_str().to_owned(),
        None => numbers()
            .find(|text| !text.is_empty())
            .unwrap_or_default()
            .to_owned(),
    };
    ContractSupplier {
        inn,
        card: CardSupplier {
            name: name.unwrap_or_default(),
            inn: number,
            kpp: kpp.unwrap_or_default().to_owned(),
        },
    }
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
