//! Reads `contract`: the registry's snapshot of a contract under 44-FZ (schema type
//! `zfcs_contract2015Type`) or under 94-FZ, its predecessor (`zfcs_contractType`).
//!
//! Payments, penalties, terminations and guarantee claims come from procedures, and the initial
//! price comes from the notice; `derive` adds them.
//!
//! Amounts in a foreign currency are read only if the document also states them in roubles.

use std::collections::BTreeMap;

use super::kind::Kind;
use super::node::{FieldName, KEY, NUMBER, Node, Result};
use super::party;
use super::value::subject;
use crate::import::facts::{
    ContractFacts, ContractItemFacts, Fact, Facts, StageKey, SupplierFacts,
};
use crate::model::{Amount, ContractStage, Date, PurchaseNumber, Regime, is_rouble};

/// Upper bound on suppliers per contract. Real contracts have a few, and each supplier gets its own
/// row.
pub const MAX_SUPPLIERS: usize = 100;

/// Reads a contract.
///
/// # Errors
/// Returns an error if an element is missing or malformed, or if there are more than
/// [`MAX_SUPPLIERS`] suppliers.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let reg_num = document.required(NUMBER, &["regNum"])?;
    let mut facts = contract(document, reg_num)?;
    if facts.subject.is_empty() {
        facts.product_names = product_names(document);
    }
    if facts.suppliers.len() > MAX_SUPPLIERS {
        return Err(document.error(format!("suppliers: more than {MAX_SUPPLIERS}")));
    }
    let facts = Facts::Contract(Box::new(facts));
    Ok(vec![kind.fact(document, reg_num, "", facts)?])
}

fn contract(document: &Node<'_>, reg_num: &str) -> Result<ContractFacts> {
    let price = price(document)?;
    let lot = document.text("purchaseNumber", &["foundation//lotNumber"]);
    let stages = document.all(&["executionPeriod/stages"]);
    Ok(ContractFacts {
        reg_num: reg_num.to_owned(),
        purchase_number: purchase_number(document),
        purchase_code: document.string("purchaseCode", &["foundation//purchaseCode"]),
        subject: document.verbatim("purchaseObjectInfo", &["contractSubject"]),
        delivery_term: delivery_term(document),
        customer_inn: document.string("customerInn", &["customer/inn"]),
        customer_name: document.verbatim("customerName", &["customer/fullName"]),
        price,
        sign_date: document.day("signDate", &["signDate"])?,
        end_date: end_date(document)?,
        stage: stage(document)?,
        advance_percent: advance_percent(document, price)?,
        stage_count: stage_count(document)?,
        update_date: document.day("updateDate", &["publishDate"])?,
        has_subcontractors: has_subcontractors(document)?,
        subcontractors_sum: subcontractors_sum(document, price)?,
        guarantee: guarantee(document)?,
        bank_support: bank_support(document)?,
        treasury_support: treasury_support(document)?,
        budget_name: document.verbatim("budgetName", BUDGETS),
        oktmo: oktmo(document),
        items: items(document)?,
        stages: stages.iter().map(stage_key).collect(),
        invalid: document.flag("contractStage", &["isInvalid"])?,
        lot: lot.parse().ok(),
        customer_code: document.string("customerInn", &["customer/regNum"]),
        suppliers: suppliers(document),
        product_names: String::new(),
    })
}

/// Returns the stage that a document about a contract states (`currentContractStage`).
///
/// # Errors
/// Returns an error if the code is unknown.
pub fn stage(document: &Node<'_>) -> Result<Option<ContractStage>> {
    document.value("contractStage", &["currentContractStage"], |code| {
        ContractStage::from_code(code).ok_or(ContractStage::EXPECTED)
    })
}

/// From this schema version on, EIS ignores `bankSupportContractRequiredInfo`, which
/// `bankSupportCRNewInfo` replaces (album of formats 16.2, part 14).
const NEW_SUPPORT_SINCE: (u32, u32) = (13, 1);

fn bank_support(document: &Node<'_>) -> Result<bool> {
    let field = "bankSupportContractRequired";
    let path = match document.is_since(field, NEW_SUPPORT_SINCE) {
        true => "bankSupportCRNewInfo/bankSupportContractRequired",
        false => "bankSupportContractRequiredInfo/bankSupportContractRequired",
    };
    document.flag(field, &[path])
}

fn treasury_support(document: &Node<'_>) -> Result<bool> {
    let field = "treasurySupportContractRequired";
    let path = match document.is_since(field, NEW_SUPPORT_SINCE) {
        true => "bankSupportCRNewInfo/treasurySupportContractInfo/treasurySupportContractRequired",
        false => "bankSupportContractRequiredInfo/treasurySupportContractRequired",
    };
    document.flag(field, &[path])
}

/// Returns the guarantee in roubles. A guarantee without a currency is in the currency of the
/// contract.
fn guarantee(document: &Node<'_>) -> Result<Option<Amount>> {
    let field = "contractGuarantee";
    for (path, converted, original) in GUARANTEES {
        let Some(holder) = document.first(&[path]) else {
            continue;
        };
        let converted = holder.amount(field, &[converted])?;
        let original = holder.amount(field, &[original])?;
        let in_roubles = match holder.text(field, &["currency/code"]) {
            "" => is_in_roubles(document, field),
            own => is_rouble(own),
        };
        let found = converted.or(original.filter(|_| in_roubles));
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The forms of guarantee: path, and below it the paths of the amount in roubles and of the
/// original amount. The first guarantee with an amount in roubles counts.
const GUARANTEES: [(&str, &str, &str); 2] = [
    ("enforcement/cashAccount", "amountRUR", "amount"),
    (
        "enforcement/bankGuarantee",
        "guaranteeAmountRUR",
        "guaranteeAmount",
    ),
];

/// Returns whether amounts that state no currency are in roubles.
fn is_in_roubles(document: &Node<'_>, field: FieldName) -> bool {
    is_rouble(document.text(field, &["priceInfo/currency/code", "currency/code"]))
}

/// Paths of the budget's name. Budget funds come before extrabudgetary funds. `financingPlan` comes
/// first, because EIS ignores funds outside of it (schema 14.1).
const BUDGETS: &[&str] = &[
    "finances/financingPlan/financeSource/budgetFunds/budget/name",
    "finances/budgetFunds/budget/name",
    "finances/financingPlan/financeSource/extrabudgetFunds/extrabudget/name",
    "finances/extrabudgetFunds/extrabudget/name",
    "finances/budget/name",
    "finances/extrabudget/name",
];

/// Returns the purchase number if it is one under 44-FZ, or else an empty text. Older documents
/// have free text in this element (`25-06/347/6`).
fn purchase_number(document: &Node<'_>) -> String {
    let text = document.text("purchaseNumber", &["foundation//notificationNumber"]);
    let number = PurchaseNumber::parse_under(Regime::Fz44, text);
    number.map_or_else(String::new, |number| number.to_string())
}

/// Returns a subject for a contract that states none: the names of the products.
fn product_names(document: &Node<'_>) -> String {
    let products = product_elements(document);
    let names = products.iter();
    subject(names.map(|product| product.text("purchaseObjectInfo", &["name"])))
}

/// Returns the term of delivery that the contract states: `start..end`, or a single day. Responses
/// prefer the term in the notice.
fn delivery_term(document: &Node<'_>) -> String {
    let period = ["executionPeriod/startDate", "executionPeriod/endDate"];
    match period.map(|path| document.text("deliveryTerm", &[path])) {
        ["", end] => end.to_owned(),
        [start, ""] => start.to_owned(),
        [start, end] => format!("{start}..{end}"),
    }
}

/// Returns the price in roubles: the converted price, or else the price if it is in roubles, or
/// else the price of the right to conclude the contract.
fn price(document: &Node<'_>) -> Result<Option<Amount>> {
    let field = "contractPrice";
    let currency = "priceInfo/currency/code";
    let price = document.roubles(field, "priceInfo/priceRUR", "priceInfo/price", currency)?;
    if price.is_some() {
        return Ok(price);
    }
    // In `zfcs_contractType`, `price` is in roubles whatever the currency.
    if let Some(price) = document.amount(field, &["price"])? {
        return Ok(Some(price));
    }
    document.roubles(
        field,
        "priceInfo/rightToConcludeContractPriceInfo/priceRUR",
        "priceInfo/rightToConcludeContractPriceInfo/price",
        "priceInfo/rightToConcludeContractPriceInfo/currency/code",
    )
}

/// Returns the last day of execution. The oldest documents state only a month, so it is the last
/// day of that month.
fn end_date(document: &Node<'_>) -> Result<Option<Date>> {
    if let Some(day) = document.day("endDate", &["executionPeriod/endDate"])? {
        return Ok(Some(day));
    }
    let Some(term) = document.first(&["executionDate"]) else {
        return Ok(None);
    };
    let month = term.text("endDate", &["month"]);
    let year = term.text("endDate", &["year"]);
    if month.is_empty() || year.is_empty() {
        return Ok(None);
    }
    let last = || Date::last_of_month(year.parse().ok()?, month.parse().ok()?);
    let problem = || term.error("executionDate: not a month of a year");
    last().map(Some).ok_or_else(problem)
}

/// Returns the advance in percent: the stated percentage, or else the advance divided by the price
/// in the same currency.
fn advance_percent(document: &Node<'_>, price: Option<Amount>) -> Result<Option<Amount>> {
    let field = "advanceInPercents";
    if let Some(percent) = document.amount(field, &["advancePaymentSum/sumInPercents"])? {
        return Ok(Some(percent));
    }
    let converted = document.amount(field, &["advancePaymentSum/priceValueRUR"])?;
    // `priceValue` and `price` are both in the currency of the contract.
    let advance = document.amount(field, &["advancePaymentSum/priceValue"])?;
    let whole = document.amount(field, &["priceInfo/price"])?;
    let percent = |(advance, price): (Amount, Amount)| advance.percent_of(price);
    let in_roubles = converted.zip(price).and_then(percent);
    Ok(in_roubles.or_else(|| advance.zip(whole).and_then(percent)))
}

/// Returns the stated number of stages, or else the number of stages listed.
fn stage_count(document: &Node<'_>) -> Result<u64> {
    let field = "ContractStages";
    let stated = document.value(field, &["quantityContractStages"], |text| {
        let count = text.parse().ok().and_then(Amount::as_count);
        count.ok_or("a whole number from 0 on")
    })?;
    Ok(stated.unwrap_or(document.number_of(field, "executionPeriod/stages")))
}

/// Returns whether subcontractors perform a part of the contract. A stated part of zero does not
/// count, unless the document lists subcontractors.
fn has_subcontractors(document: &Node<'_>) -> Result<bool> {
    let field = "subContractors";
    let stated = [
        document.amount(field, &["subContractorsSum/sumInPercents"])?,
        document.amount(field, &["subContractorsSum/priceValueRUR"])?,
    ];
    let mut stated = stated.into_iter().flatten().peekable();
    let is_none = stated.peek().is_some() && stated.all(|part| part.as_count() == Some(0));
    let listed = "subContractorsSum/subContractors/subContractor";
    Ok(match is_none {
        true => document.number_of(field, listed) > 0,
        false => document.has(field, "subContractorsSum"),
    })
}

/// Returns the sum for subcontractors: as stated, or else the stated percentage of the price.
fn subcontractors_sum(document: &Node<'_>, price: Option<Amount>) -> Result<Option<Amount>> {
    let field = "subContractorsSum";
    if let Some(sum) = document.amount(field, &["subContractorsSum/priceValueRUR"])? {
        return Ok(Some(sum));
    }
    let percents = document.amount(field, &["subContractorsSum/sumInPercents"])?;
    let part = percents.and_then(Amount::percent);
    Ok(part
        .zip(price)
        .and_then(|(part, price)| part.checked_mul(price)))
}

/// Returns the OKTMO code, followed by the name of the territory if there is one.
fn oktmo(document: &Node<'_>) -> String {
    let territory = document.first(&[
        "finances/financingPlan/financeSource/budgetFunds/OKTMO",
        "finances/budgetFunds/OKTMO",
    ]);
    let Some(territory) = territory else {
        return String::new();
    };
    let code = territory.text("OKTMO", &["code"]);
    match territory.verbatim("OKTMO", &["name"]).as_str() {
        "" => code.to_owned(),
        name => format!("{code}-{name}"),
    }
}

/// Leaves out `products/parentProduct`, which repeats the sums of its children.
fn product_elements<'e>(document: &Node<'e>) -> Vec<Node<'e>> {
    document.all(&["products/product"])
}

fn items(document: &Node<'_>) -> Result<Vec<ContractItemFacts>> {
    let field = "products";
    let in_roubles = is_in_roubles(document, field);
    let sum_in_roubles = is_in_roubles(document, "products.sum");
    let unit_names = unit_names(document);
    let item = |product: Node<'_>| {
        let unit = product.text(field, &["OKEI/code"]);
        let unit_name = product.text(field, &["OKEI/fullName", "OKEI/nationalCode"]);
        let price = product.amount(field, &["priceRUR"])?;
        let given = product.amount(field, &["price"])?;
        let codes = ["KTRU/code", "OKPD2/code", "OKPD/code"];
        Ok(ContractItemFacts {
            code: product.string("products.code", &codes),
            sum: product_sum(&product, sum_in_roubles)?,
            name: product.string(field, &["name"]),
            okpd2: product.string(field, &["OKPD2/code", "KTRU/OKPD2/code"]),
            ktru: product.string(field, &["KTRU/code"]),
            unit: unit.to_owned(),
            unit_name: match unit_name {
                "" => unit_names.get(unit).copied().unwrap_or_default(),
                stated => stated,
            }
            .to_owned(),
            quantity: product.amount(field, &["quantity"])?,
            price: price.or(given.filter(|_| in_roubles)),
        })
    };
    product_elements(document).into_iter().map(item).collect()
}

/// Returns the names of units of measure by code, which newer documents state after the products,
/// once for each unit.
fn unit_names<'e>(document: &Node<'e>) -> BTreeMap<&'e str, &'e str> {
    let field = "products";
    let units = document.all(&["addInformationFromClassifiers/OKEI"]);
    let name = |unit: Node<'e>| {
        let code = unit.text(field, &["code"]);
        (code, unit.text(field, &["fullName", "nationalCode"]))
    };
    units.into_iter().map(name).collect()
}

/// Returns the product's sum, or else price × quantity. A product without a quantity has only a
/// price per unit, and therefore no sum (`quantityUndefined`, `volumeSpecifyingMethod` VTF).
/// Amounts without a conversion count only if the contract is in roubles.
fn product_sum(product: &Node<'_>, in_roubles: bool) -> Result<Option<Amount>> {
    let field = "products.sum";
    let roubles = |converted, original| {
        let converted = product.amount(field, &[converted])?;
        let original = product.amount(field, &[original])?;
        Result::Ok(converted.or(original.filter(|_| in_roubles)))
    };
    if let Some(sum) = roubles("sumRUR", "sum")? {
        return Ok(Some(sum));
    }
    let price = roubles("priceRUR", "price")?;
    let quantity = product.amount(field, &["quantity"])?;
    Ok(price
        .zip(quantity)
        .and_then(|(price, quantity)| price.checked_mul(quantity)))
}

/// Reads the key of a stage, from `executionPeriod/stages` of a contract or `executions/stage` of a
/// procedure.
pub fn stage_key(stage: &Node<'_>) -> StageKey {
    let text = |path| stage.text(KEY, &[path]);
    let end = text("endDate");
    StageKey {
        sid: stage.string(KEY, &["sid", "externalSid"]),
        end: end.get(..10).unwrap_or(end).to_owned(),
    }
}

/// Returns the suppliers. Of several with the same INN, keeps the first; if that one has no name,
/// it gets the name of a later one.
fn suppliers(document: &Node<'_>) -> Vec<SupplierFacts> {
    let mut suppliers: Vec<SupplierFacts> = Vec::new();
    let mut places = BTreeMap::new();
    let elements = document.all(&["suppliers/supplier", "suppliersInfo/supplierInfo"]);
    for supplier in elements.iter().map(supplier) {
        let inn = supplier.inn();
        let place = inn.as_ref().and_then(|inn| places.get(inn));
        match place.and_then(|place: &usize| suppliers.get_mut(*place)) {
            None => {
                if let Some(inn) = inn {
                    places.insert(inn, suppliers.len());
                }
                suppliers.push(supplier);
            }
            Some(first) if first.name.is_empty() => first.name = supplier.name,
            Some(_) => {}
        }
    }
    suppliers.retain(|supplier| *supplier != SupplierFacts::default());
    suppliers
}

fn supplier(element: &Node<'_>) -> SupplierFacts {
    party::read(element, ["supplierIName", "supplierINN", "supplierINN"])
}
