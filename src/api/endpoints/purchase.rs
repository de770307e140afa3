//! `/purchase/demo44`, `/purchase/demo223`, `/purchase/demo615`: the card of a purchase, in the
//! shape for the length of its number. `/purchase/won-by-supplier`: the purchases that a supplier
//! won.

use std::cell::Cell;

use super::super::error::{ErrorKind, Failure};
use super::super::request::parameter_table as table;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::{Endpoint, Group, Lookup};
use crate::model::Words;
use crate::render::schema::Answer;
use crate::render::{self, Root, WonPage};

/// The card of a purchase under 44-FZ.
pub(super) const PURCHASE_44: Endpoint = Endpoint {
    path: "/purchase/demo44",
    id: "getPurchase44",
    group: Group::Purchases,
    title: Words("Закупка по 44-ФЗ", "A purchase under 44-FZ"),
    text: Words(
        "Карточка закупки. Состав полей в XML и JSON разный.",
        "The card of a purchase. XML and JSON have different fields.",
    ),
    own_parameters: &[&[table::PURCHASE_NUMBER_44]],
    answers: &[Answer::Purchase44],
    errors: &[ErrorKind::BadPurchaseNumber, ErrorKind::PurchaseNotFound],
    root: Root::Purchase44,
    has_verdict: false,
    file: "purchase",
    command: Some("purchase"),
    depends_on_day: true,
    is_page: false,
    handler: write,
};

/// The card of a purchase under 223-FZ or, by the number's length, PP-615.
pub(super) const PURCHASE_223: Endpoint = Endpoint {
    path: "/purchase/demo223",
    id: "getPurchase223",
    title: Words(
        "Закупка по 223-ФЗ или ПП РФ № 615",
        "A purchase under 223-FZ or PP-615",
    ),
    text: Words(
        "Карточка закупки; её вид определяет длина номера.",
        "The card of a purchase; the length of its number tells the law.",
    ),
    own_parameters: &[&[table::PURCHASE_NUMBER_223]],
    answers: &[Answer::Purchase223, Answer::Purchase615],
    root: Root::Purchase223,
    command: None,
    ..PURCHASE_44
};

/// The card of a purchase under PP-615.
pub(super) const PURCHASE_615: Endpoint = Endpoint {
    path: "/purchase/demo615",
    id: "getPurchase615",
    title: Words("Закупка по ПП РФ № 615", "A purchase under PP-615"),
    text: Words(
        "Карточка закупки на капитальный ремонт.",
        "The card of a purchase for capital repairs.",
    ),
    own_parameters: &[&[table::PURCHASE_NUMBER_615]],
    answers: &[Answer::Purchase615],
    root: Root::Purchase615,
    command: None,
    ..PURCHASE_44
};

/// The purchases that a supplier won.
pub(super) const PURCHASES_WON: Endpoint = Endpoint {
    path: "/purchase/won-by-supplier",
    id: "getPurchasesWon",
    group: Group::Purchases,
    title: Words(
        "Закупки по 223-ФЗ и ПП РФ № 615, где победил поставщик",
        "Purchases under 223-FZ and PP-615 that a supplier won",
    ),
    text: Words(
        "Закупки, в карточках которых поставщик назван победителем, сначала новые. Закупок по 44-ФЗ здесь нет: по ним есть контракты.",
        "Purchases whose cards name the supplier as a winner, newest first. Purchases under 44-FZ are not among them: they have contracts.",
    ),
    own_parameters: &[&[table::SUPPLIER_INN, table::SKIP, table::LIMIT]],
    answers: &[Answer::PurchasesWon],
    errors: &[ErrorKind::BadInn, ErrorKind::LimitTooLarge],
    root: Root::Data,
    has_verdict: false,
    file: "purchases-won",
    command: Some("won"),
    depends_on_day: false,
    is_page: false,
    handler: write_won,
};

/// Writes the card as of the day of the request.
fn write(lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
    let number = table::PURCHASE_NUMBER_44.given(lookup.parameters.purchase_number.as_ref())?;
    let purchase = lookup.database.purchase(number)?;
    let purchase = purchase.ok_or(ErrorKind::PurchaseNotFound)?;
    let day = lookup.day()?;
    let body = lookup.write(buffer, |body| render::purchase(body, &purchase, day))?;
    Ok(Answered::new(body, LookupResult::Count(1)))
}

/// Writes the purchases that a supplier won.
fn write_won(lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
    let (parameters, database) = (lookup.parameters, lookup.database);
    let inn = table::SUPPLIER_INN.given(parameters.inn.as_ref())?;
    let (first, limit) = (parameters.first(), parameters.limit());
    let supplier = database.supplier(inn)?;
    let (total, numbers) = database.purchases_won(inn, first, limit)?;
    let name = supplier.as_ref().map_or("", |supplier| supplier.name());
    let head = lookup.page_head(inn.as_str(), name, total);
    let damage = Cell::new(None);
    let page = WonPage {
        head,
        purchases: &|show| damage.set(database.show_won(inn, &numbers, show).err()),
    };
    lookup.write_page(buffer, &page, head, &damage)
}
