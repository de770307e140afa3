//! `/purchase/demo44`, `/purchase/demo223`, `/purchase/demo615`: purchase cards, whose shape
//! depends on the length of the number. `/purchase/won-by-supplier`: purchases that a supplier won.
//! `/purchase/search`: purchases by content.

use std::cell::Cell;

use super::super::error::{ErrorKind, Failure};
use super::super::request::groups::PageRange;
use super::super::request::parameter::ParameterRow;
use super::super::request::parameter_table as table;
use super::super::request::reader::Reader;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::{AnswerHeaders, Endpoint, Group, Lookup, LookupCommand, Question};
use crate::model::{Date, Inn, PurchaseFilter, PurchaseNumber, PurchaseOrder, Regime, Words};
use crate::render::schema::Answer;
use crate::render::{self, PurchasePage, Root, WonPage};
use crate::store::Prefetch;

pub(super) const PURCHASE_44: Endpoint = Endpoint {
    path: "/purchase/demo44",
    id: "getPurchase44",
    group: Group::Purchases,
    title: Words("Закупка по 44-ФЗ", "A purchase under 44-FZ"),
    text: Words(
        "Карточка закупки. Наборы полей в XML и JSON различаются.",
        "The card of a purchase. XML and JSON have different fields.",
    ),
    own_parameters: &[&[table::PURCHASE_NUMBER_44]],
    read: |reader| {
        Ok(Box::new(PurchaseCard::read(
            reader,
            &table::PURCHASE_NUMBER_44,
            &[Regime::Fz44],
        )?))
    },
    errors: &[ErrorKind::BadPurchaseNumber, ErrorKind::PurchaseNotFound],
    has_statuses: false,
    answers: &[Answer::Purchase44],
    root: Root::Purchase44,
    headers: AnswerHeaders::None,
    rests_on_registries: false,
    file: "purchase",
    command: Some(LookupCommand {
        about: Some("The card of a purchase; the law follows from the length of its number"),
        number: Some("19 digits (44-FZ), 11 digits (223-FZ) or 18 digits (PP-615)"),
        ..LookupCommand::named("purchase")
    }),
};

pub(super) const PURCHASE_223: Endpoint = Endpoint {
    path: "/purchase/demo223",
    id: "getPurchase223",
    group: Group::Purchases,
    title: Words(
        "Закупка по 223-ФЗ или ПП РФ № 615",
        "A purchase under 223-FZ or PP-615",
    ),
    text: Words(
        "Карточка закупки; её вид зависит от длины номера.",
        "The card of a purchase. The length of the number shows under which law the purchase is.",
    ),
    own_parameters: &[&[table::PURCHASE_NUMBER_223]],
    read: |reader| {
        Ok(Box::new(PurchaseCard::read(
            reader,
            &table::PURCHASE_NUMBER_223,
            &[Regime::Fz223, Regime::Pp615],
        )?))
    },
    errors: &[ErrorKind::BadPurchaseNumber, ErrorKind::PurchaseNotFound],
    has_statuses: false,
    answers: &[Answer::Purchase223, Answer::Purchase615],
    root: Root::Purchase223,
    headers: AnswerHeaders::None,
    rests_on_registries: false,
    file: "purchase",
    command: Some(LookupCommand {
        lengths: &[11, 18],
        ..LookupCommand::named("purchase")
    }),
};

pub(super) const PURCHASE_615: Endpoint = Endpoint {
    path: "/purchase/demo615",
    id: "getPurchase615",
    group: Group::Purchases,
    title: Words("Закупка по ПП РФ № 615", "A purchase under PP-615"),
    text: Words(
        "Карточка закупки на капитальный ремонт.",
        "The card of a purchase for capital repairs.",
    ),
    own_parameters: &[&[table::PURCHASE_NUMBER_615]],
    read: |reader| {
        Ok(Box::new(PurchaseCard::read(
            reader,
            &table::PURCHASE_NUMBER_615,
            &[Regime::Pp615],
        )?))
    },
    errors: &[ErrorKind::BadPurchaseNumber, ErrorKind::PurchaseNotFound],
    has_statuses: false,
    answers: &[Answer::Purchase615],
    root: Root::Purchase615,
    headers: AnswerHeaders::None,
    rests_on_registries: false,
    file: "purchase",
    command: None,
};

pub(super) const PURCHASES_WON: Endpoint = Endpoint {
    path: "/purchase/won-by-supplier",
    id: "getPurchasesWon",
    group: Group::Purchases,
    title: Words(
        "Закупки по 223-ФЗ и ПП РФ № 615, где победил поставщик",
        "Purchases under 223-FZ and PP-615 that a supplier won",
    ),
    text: Words(
        "Закупки, в карточках которых поставщик назван победителем, сначала новые. Закупок по 44-ФЗ здесь нет: победы по этому закону видны из контрактов поставщика.",
        "Purchases under 223-FZ and PP-615 that the supplier won, newest first. Purchases under \
         44-FZ are not included, because their winners have contracts.",
    ),
    own_parameters: &[&[table::SUPPLIER_INN, table::SKIP, table::LIMIT]],
    read: |reader| Ok(Box::new(PurchasesWon::read(reader)?)),
    errors: &[ErrorKind::BadInn, ErrorKind::LimitTooLarge],
    has_statuses: false,
    answers: &[Answer::PurchasesWon],
    root: Root::Data,
    headers: AnswerHeaders::RowCount,
    rests_on_registries: false,
    file: "purchases-won",
    command: Some(LookupCommand::named("won")),
};

pub(super) const PURCHASE_SEARCH: Endpoint = Endpoint {
    path: "/purchase/search",
    id: "searchPurchases",
    group: Group::Purchases,
    title: Words("Поиск закупок", "Search of purchases"),
    text: Words(
        "Поиск закупок по 44-ФЗ, 223-ФЗ и ПП РФ № 615 по словам в предмете, лотах и позициях, кодам ОКПД2 и КТРУ, региону и заказчику, с фильтрами по закону, дате размещения, начальной цене и тому, идёт ли подача заявок. Без sort сначала идут новые.",
        "Searches purchases under 44-FZ, 223-FZ and PP-615 by words in the subject, lots and \
         items, OKPD2 and KTRU codes, region and customer. There are filters by law, date of \
         publication, initial price, and whether submission is open. Without sort, the newest \
         come first.",
    ),
    own_parameters: &[&[
        table::SKIP,
        table::LIMIT,
        table::PURCHASE_WORDS,
        table::CODE,
        table::REGION,
        table::PURCHASE_CUSTOMER,
        table::LAW,
        table::PUBLISHED_FROM,
        table::PUBLISHED_TO,
        table::INITIAL_PRICE_FROM,
        table::INITIAL_PRICE_TO,
        table::OPEN,
        table::PURCHASE_SORT,
    ]],
    read: |reader| Ok(Box::new(PurchaseSearch::read(reader)?)),
    errors: &[ErrorKind::LimitTooLarge, ErrorKind::TooBroad],
    has_statuses: true,
    answers: &[Answer::PurchaseSearch],
    root: Root::Data,
    headers: AnswerHeaders::RowCount,
    rests_on_registries: false,
    file: "purchase-search",
    command: Some(LookupCommand::named("purchase-search")),
};

struct PurchaseCard {
    number: PurchaseNumber,
    /// The card shows the stage on this day.
    day: Date,
}

impl PurchaseCard {
    fn read(
        reader: &mut Reader<'_>,
        row: &ParameterRow,
        regimes: &[Regime],
    ) -> Result<Self, Failure> {
        Ok(Self {
            number: reader.purchase_number(row, regimes)?,
            day: reader.today(),
        })
    }
}

impl Question for PurchaseCard {
    fn prefetch(&self) -> Prefetch<'_> {
        Prefetch::Purchase(&self.number)
    }

    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let purchase = lookup.database.purchase(&self.number)?;
        let purchase = purchase.ok_or(ErrorKind::PurchaseNotFound)?;
        let body = lookup.write(buffer, |body| render::purchase(body, &purchase, self.day))?;
        Ok(Answered::new(body, LookupResult::Count(1)))
    }
}

struct PurchasesWon<'q> {
    supplier: Inn,
    page: PageRange<'q>,
}

impl<'q> PurchasesWon<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        Ok(Self {
            supplier: reader.supplier()?,
            page: reader.page()?,
        })
    }
}

impl Question for PurchasesWon<'_> {
    fn prefetch(&self) -> Prefetch<'_> {
        Prefetch::Suppliers(std::slice::from_ref(&self.supplier))
    }

    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let (inn, database) = (&self.supplier, lookup.database);
        let supplier = database.supplier(inn)?;
        let (first, limit) = (self.page.first(), self.page.limit);
        let (total, numbers) = database.purchases_won(inn, first, limit)?;
        let name = supplier.as_ref().map_or("", |supplier| supplier.name());
        let head = self.page.head(inn.as_str(), name, total);
        let damage = Cell::new(None);
        let page = WonPage {
            head,
            purchases: &|show| damage.set(database.show_won(inn, &numbers, show).err()),
        };
        lookup.write_page(buffer, &page, head.counts, &damage)
    }
}

struct PurchaseSearch<'q> {
    page: PageRange<'q>,
    filter: PurchaseFilter,
    order: PurchaseOrder,
    /// The list shows the stages on this day.
    day: Date,
}

impl<'q> PurchaseSearch<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        let page = reader.page()?;
        let filter = reader.purchase_filter()?;
        let order = reader.purchase_order()?;
        if !filter.has_content() {
            return Err(table::PURCHASE_WORDS.wrong());
        }
        Ok(Self {
            page,
            filter,
            order,
            day: reader.today(),
        })
    }
}

impl Question for PurchaseSearch<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let (first, limit) = (self.page.first(), self.page.limit);
        let found = database.search_purchases(&self.filter, self.order, first, limit)??;
        let counts = self.page.counts(found.count);
        let damage = Cell::new(None);
        let page = PurchasePage {
            counts,
            purchases: &|show| {
                let shown = database.show_purchases(&found, &mut |purchase| {
                    show(&purchase.listed(self.day));
                });
                damage.set(shown.err());
            },
        };
        lookup.write_page(buffer, &page, counts, &damage)
    }
}
