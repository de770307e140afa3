//! The table of endpoints: one row each, from which routing, checks, the OpenAPI document,
//! the reference, `lookup`'s commands and the list of errors follow.

mod changes;
mod contracts;
mod documents;
mod find;
mod purchase;
pub(super) mod rnp;

use super::error::{Failure, MAX_LIMIT};
use super::request::parameter::{Defaults, Parameter, Parameters, Values};
use super::request::parameter_table as parameters;
use super::request::query::{Query, QueryValue};
use super::response::Finding;
use super::response::workbook::Subject;
use crate::model::{Date, Words};
use crate::render::schema::{AnswerSchema, answer};
use crate::render::{Body, Root};
use crate::store::Database;

/// How many characters of the name of an unknown parameter are shown at most. In a header longer
/// ones are left out, as a key has 43.
pub const MAX_IGNORED_LENGTH: usize = 40;

/// An endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// Its path.
    pub path: &'static str,
    /// What a generated client's function for it is called.
    pub id: &'static str,
    /// What it belongs to.
    pub group: Group,
    /// What it gives.
    pub title: Words,
    /// The same in a few sentences.
    pub text: Words,
    /// Its parameters, in the order in which they are checked.
    pub parameters: &'static [Parameter],
    /// The names of its responses' schemas.
    schemas: &'static [&'static str],
    /// The error where the data does not have what is looked for.
    not_found: Option<&'static Failure>,
    /// The root element of its errors in XML.
    pub root: Root,
    /// Whether headers say the verdict and its ground, as the body has no place for them.
    pub has_verdict: bool,
    /// What a file with its response is called, before what it is about.
    pub file: &'static str,
    /// Its command in `lookup`; none where another command serves it as well.
    pub command: Option<&'static str>,
    /// What answers.
    pub(crate) handler: Handler,
}

/// What appends a response to a buffer, and returns what it says, in short. Where it fails, a part of a response may be there.
#[derive(Clone, Copy, Debug)]
pub enum Handler {
    /// The response is the same on any day, unless a filter depends on it.
    OfAnyDay(fn(&Parameters<'_>, &Database, &mut Body<'_>) -> Result<Finding, Failure>),
    /// The response depends on a day.
    OfDay(fn(&Parameters<'_>, Date, &Database, &mut Body<'_>) -> Result<Finding, Failure>),
}

/// Endpoints that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Contracts of a supplier.
    Contracts,
    /// Cards of purchases.
    Purchases,
    /// The registry of unfair suppliers.
    Rnp,
    /// What is asked of all of the data.
    Data,
    /// What needs no key.
    Service,
}

/// The parameters of an endpoint of contracts: those before the filters, the filters of a
/// supplier's or a customer's contracts, those behind them.
macro_rules! contract_parameters {
    ([$($before:ident),*] supplier [$($after:ident),*]) => {
        contract_parameters!([$($before),*] [CUSTOMER_INN] [$($after),*])
    };
    ([$($before:ident),*] customer [$($after:ident),*]) => {
        contract_parameters!([$($before),*] [] [$($after),*])
    };
    ([$($before:ident),*] [$($customer:ident)?] [$($after:ident),*]) => {
        &[
            $(parameters::$before,)*
            parameters::STAGE,
            parameters::SIGNED_FROM,
            parameters::SIGNED_TO,
            parameters::UPDATED_FROM,
            $(parameters::$customer,)?
            parameters::PRICE_FROM,
            parameters::PRICE_TO,
            parameters::HAS_SUBCONTRACTORS,
            parameters::OVERDUE,
            $(parameters::$after,)*
        ]
    };
}

impl Endpoint {
    /// All of them, in the order in which they are shown.
    pub const ALL: [&'static Self; 13] = [
        Self::CONTRACTS,
        Self::CUSTOMER_CONTRACTS,
        Self::CONTRACT_SUMMARY,
        Self::PURCHASE_223,
        Self::PURCHASE_44,
        Self::PURCHASE_615,
        Self::PURCHASES_WON,
        Self::RNP_CHECK,
        Self::RNP_CHECK_MANY,
        Self::FIND,
        Self::FIND_NAMES,
        Self::DOCUMENTS,
        Self::CHANGES,
    ];

    /// The contracts of a supplier.
    pub const CONTRACTS: &'static Self = &Self {
        path: "/contract/monitor-supplier44",
        id: "getContracts",
        group: Group::Contracts,
        title: Words("Контракты поставщика", "Contracts of a supplier"),
        text: Words(
            "Страница контрактов поставщика, сначала новые. Дальше листают с помощью skip. У поставщика, о котором ничего не известно, список пуст.",
            "A page of a supplier's contracts, newest first. Page with skip. For an unknown supplier the list is empty.",
        ),
        parameters: contract_parameters![
            [FORMAT, SUPPLIER_INN, SKIP, LIMIT]
            supplier
            [SORT, LANG, ERRORS, RECEIPT, STRICT]
        ],
        schemas: &["ContractPage"],
        not_found: None,
        root: Root::Data,
        has_verdict: false,
        file: "contracts",
        command: Some("contracts"),
        handler: Handler::OfAnyDay(contracts::write),
    };

    /// The contracts of a customer.
    pub const CUSTOMER_CONTRACTS: &'static Self = &Self {
        path: "/contract/monitor-customer44",
        id: "getCustomerContracts",
        title: Words("Контракты заказчика", "Contracts of a customer"),
        text: Words(
            "Страница контрактов заказчика со всеми поставщиками, сначала новые. Отбор, порядок и листание — как у контрактов поставщика. У заказчика, о котором ничего не известно, список пуст.",
            "A page of a customer's contracts with all suppliers, newest first. Filters, order and paging as for a supplier's contracts. For an unknown customer the list is empty.",
        ),
        parameters: contract_parameters![
            [FORMAT, CUSTOMER, SKIP, LIMIT]
            customer
            [SORT, LANG, ERRORS, RECEIPT, STRICT]
        ],
        schemas: &["CustomerPage"],
        file: "customer-contracts",
        command: Some("customer"),
        handler: Handler::OfAnyDay(contracts::write_of_customer),
        ..*Self::CONTRACTS
    };

    /// The summary of a supplier's contracts.
    pub const CONTRACT_SUMMARY: &'static Self = &Self {
        path: "/contract/summary-supplier44",
        id: "getContractSummary",
        title: Words(
            "Сводка по контрактам поставщика",
            "Summary of a supplier's contracts",
        ),
        text: Words(
            "Сколько контрактов и на какую сумму: всего, по годам, по состоянию, у крупнейших заказчиков. Фильтры те же, что у списка контрактов.",
            "The number and total value of contracts: overall, by year, by status, by largest customers. The same filters as for contracts.",
        ),
        parameters: contract_parameters![
            [FORMAT, SUPPLIER_INN]
            supplier
            [LANG, ERRORS, RECEIPT, STRICT]
        ],
        schemas: &["ContractSummary"],
        file: "contract-summary",
        command: Some("summary"),
        handler: Handler::OfAnyDay(contracts::write_summary),
        ..*Self::CONTRACTS
    };

    /// The card of a purchase under 44-FZ.
    pub const PURCHASE_44: &'static Self = &Self {
        path: "/purchase/demo44",
        id: "getPurchase44",
        group: Group::Purchases,
        title: Words("Закупка по 44-ФЗ", "A purchase under 44-FZ"),
        text: Words(
            "Карточка закупки. Состав полей в XML и JSON разный.",
            "The card of a purchase. XML and JSON have different fields.",
        ),
        parameters: &[
            parameters::FORMAT,
            parameters::PURCHASE_NUMBER_44,
            parameters::LANG,
            parameters::ERRORS,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["Purchase44"],
        not_found: Some(&Failure::PurchaseNotFound),
        root: Root::Purchase44,
        has_verdict: false,
        file: "purchase",
        command: Some("purchase"),
        handler: Handler::OfDay(purchase::write),
    };

    /// The card of a purchase under 223-FZ or, by the number's length, PP-615.
    pub const PURCHASE_223: &'static Self = &Self {
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
        parameters: &[
            parameters::FORMAT,
            parameters::PURCHASE_NUMBER_223,
            parameters::LANG,
            parameters::ERRORS,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["Purchase223", "Purchase615"],
        root: Root::Purchase223,
        command: None,
        ..*Self::PURCHASE_44
    };

    /// The card of a purchase under PP-615.
    pub const PURCHASE_615: &'static Self = &Self {
        path: "/purchase/demo615",
        id: "getPurchase615",
        title: Words("Закупка по ПП РФ № 615", "A purchase under PP-615"),
        text: Words(
            "Карточка закупки на капитальный ремонт.",
            "The card of a purchase for capital repairs.",
        ),
        parameters: &[
            parameters::FORMAT,
            parameters::PURCHASE_NUMBER_615,
            parameters::LANG,
            parameters::ERRORS,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["Purchase615"],
        root: Root::Purchase615,
        command: None,
        ..*Self::PURCHASE_44
    };

    /// The purchases that a supplier won.
    pub const PURCHASES_WON: &'static Self = &Self {
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
        parameters: &[
            parameters::FORMAT,
            parameters::SUPPLIER_INN,
            parameters::SKIP,
            parameters::LIMIT,
            parameters::LANG,
            parameters::ERRORS,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["PurchasesWon"],
        not_found: None,
        root: Root::Data,
        has_verdict: false,
        file: "purchases-won",
        command: Some("won"),
        handler: Handler::OfAnyDay(purchase::write_won),
    };

    /// Is a supplier in the registry of unfair suppliers?
    pub const RNP_CHECK: &'static Self = &Self {
        path: "/rnp/check-supplier",
        id: "checkSupplier",
        group: Group::Rnp,
        title: Words("Есть ли поставщик в РНП?", "Is a supplier in the RNP?"),
        text: Words(
            "Действующие записи реестра о поставщике. Запись действует с даты включения по дату исключения включительно, по московскому времени. Заключение и его основание — в заголовках X-RNP-Verdict и X-Registries.",
            "A supplier's entries in force. An entry is listed from its day of inclusion to its day of exclusion, both included, by the Moscow calendar. The headers X-RNP-Verdict and X-Registries have the verdict and its ground.",
        ),
        parameters: &[
            parameters::FORMAT,
            parameters::SUPPLIER_INN,
            parameters::AS_OF,
            parameters::LAWS,
            parameters::LANG,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["RnpCheck"],
        not_found: Some(&Failure::SupplierNotFound(None)),
        root: Root::Data,
        has_verdict: true,
        file: "rnp",
        command: Some("supplier"),
        handler: Handler::OfDay(rnp::write),
    };

    /// Are these suppliers in it?
    pub const RNP_CHECK_MANY: &'static Self = &Self {
        path: "/rnp/check-suppliers",
        id: "checkSuppliers",
        title: Words(
            "Есть ли в РНП поставщики из списка?",
            "Are suppliers in the RNP?",
        ),
        text: Words(
            "То же о нескольких поставщиках сразу, с заключением в одно слово о каждом и его основанием: что известно о реестре каждого закона. HTTP 200 при любых заключениях.",
            "The same for several suppliers at once, with a one-word verdict for each and its ground: what is known of each law's registry. HTTP 200 whatever the verdicts.",
        ),
        parameters: &[
            parameters::FORMAT,
            parameters::SUPPLIER_INNS,
            parameters::AS_OF,
            parameters::LAWS,
            parameters::HISTORY,
            parameters::LANG,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["RnpCheckSuppliers"],
        not_found: None,
        has_verdict: false,
        command: Some("suppliers"),
        handler: Handler::OfDay(rnp::write_many),
        ..*Self::RNP_CHECK
    };

    /// What is found by a name or a number?
    pub const FIND: &'static Self = &Self {
        path: "/find",
        id: "find",
        group: Group::Data,
        title: Words("Поиск по наименованию или номеру", "Find by name or number"),
        text: Words(
            "Поставщики и заказчики по словам наименования или ИНН; контракты, закупки и записи РНП по номеру. Регистр букв, ё, знаки препинания и порядок слов не важны; ООО и «общество с ограниченной ответственностью» — одно и то же, как и другие формы. Если такого наименования нет — с одной опечаткой в слове.",
            "Suppliers and customers by words of their name or by INN; contracts, purchases and RNP entries by number. Letter case, ё, punctuation and the order of words do not matter; legal forms in short and in full are the same. Where no name is found so, names with one mistake a word.",
        ),
        parameters: &[
            parameters::FORMAT,
            parameters::Q,
            parameters::HITS,
            parameters::LAWS,
            parameters::LANG,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["Find"],
        not_found: None,
        root: Root::Data,
        has_verdict: false,
        file: "find",
        command: Some("find"),
        handler: Handler::OfDay(find::write),
    };

    /// Suppliers of a list of names.
    pub const FIND_NAMES: &'static Self = &Self {
        path: "/find/names",
        id: "findNames",
        title: Words("Поиск по списку наименований", "Find a list of names"),
        text: Words(
            "Для списков без ИНН: по каждому наименованию — до трёх наиболее похожих поставщиков, как в /find, с оценкой сходства.",
            "For lists without INNs: for each name up to three suppliers that fit it best, as in /find, with their scores.",
        ),
        parameters: &[
            parameters::FORMAT,
            parameters::NAMES,
            parameters::LAWS,
            parameters::LANG,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["FindNames"],
        file: "find-names",
        command: Some("names"),
        handler: Handler::OfDay(find::write_names),
        ..*Self::FIND
    };

    /// Which documents does the answer about a number follow from?
    pub const DOCUMENTS: &'static Self = &Self {
        path: "/documents",
        id: "getDocuments",
        group: Group::Data,
        title: Words("Источники", "Where it comes from"),
        text: Words(
            "Официальные документы, из которых следует ответ о контракте, закупке или записи РНП с этим номером: вид, версия, время публикации, подсистема ЕИС и официальная страница. От каждого документа — последняя версия; сначала давние.",
            "The official documents that the answer about a contract, a purchase or an RNP entry of this number follows from: kind, version, time of publication, subsystem of EIS and official page. The newest version of each, oldest documents first.",
        ),
        parameters: &[
            parameters::FORMAT,
            parameters::NUMBER,
            parameters::LANG,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["Documents"],
        not_found: Some(&Failure::DocumentsNotFound),
        root: Root::Data,
        has_verdict: false,
        file: "documents",
        command: Some("documents"),
        handler: Handler::OfAnyDay(documents::write),
    };

    /// What imports changed.
    pub const CHANGES: &'static Self = &Self {
        path: "/changes",
        id: "getChanges",
        group: Group::Data,
        title: Words("Что изменилось при загрузках", "What imports changed"),
        text: Words(
            "Поставщики, заказчики, закупки и реестры, ответы о которых изменились при загрузках после отметки; сначала давние изменения. Передавайте next из ответа в after, пока changes не станет пустым: ничего не пропадёт, что бы тем временем ни загружалось. Позже продолжайте с последнего next.",
            "Suppliers, customers, purchases and registries whose answers imports have changed since a cursor, oldest changes first. Pass next of each answer as after until changes is empty: nothing is lost, whatever is imported meanwhile. Later go on with the last next.",
        ),
        parameters: &[
            parameters::FORMAT,
            parameters::AFTER,
            parameters::CHANGE_LIMIT,
            parameters::LANG,
            parameters::RECEIPT,
            parameters::STRICT,
        ],
        schemas: &["Changes"],
        not_found: Some(&Failure::CursorGone),
        root: Root::Data,
        has_verdict: false,
        file: "changes",
        command: Some("changes"),
        handler: Handler::OfAnyDay(changes::write),
    };

    /// The endpoint at `path`, if there is one.
    pub fn at(path: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|endpoint| endpoint.path == path)
    }

    /// Reads the parameters of a request to it.
    ///
    /// # Errors
    /// The first of them that is missing or wrong.
    pub(super) fn read<'a>(
        &self,
        query: &'a Query<'_>,
        defaults: Defaults,
        today: Date,
    ) -> Result<Parameters<'a>, Failure> {
        let parameters = Parameters::read(self.path, self.parameters, query, defaults, today)?;
        match self.unknown_parameters(query).next() {
            Some(name) if parameters.strict => Err(Failure::UnknownParameter(shortened(name))),
            _ => Ok(parameters),
        }
    }

    /// The names of the parameters in a query that it does not know, each as often as it is
    /// given.
    pub(super) fn unknown_parameters<'q>(
        &self,
        query: &'q Query<'_>,
    ) -> impl Iterator<Item = &'q str> {
        let (key, alias) = parameters::KEY;
        let is_key = move |name: &str| name == key || Some(name) == alias;
        let names = query.names().filter(|name| !name.is_empty());
        names.filter(move |name| !is_key(name) && !self.takes(name))
    }

    /// Does it answer a request's errors with statuses of HTTP?
    pub(super) fn has_statuses(&self, query: &Query<'_>) -> bool {
        let is_asked = || query.get(parameters::ERRORS.name, None) == QueryValue::One("http");
        self.group.has_statuses() || (self.takes(parameters::ERRORS.name) && is_asked())
    }

    /// Is it one of its parameters, in this spelling?
    pub(super) fn takes(&self, name: &str) -> bool {
        let mut rows = self.parameters.iter();
        rows.any(|row| row.name == name || row.alias == Some(name))
    }

    /// Returns whether the response rests on the registries of unfair suppliers.
    pub(super) fn is_about_rnp(&self) -> bool {
        // A search tells of each of its hits whether it is in the registry.
        self.group == Group::Rnp || self == Self::FIND || self == Self::FIND_NAMES
    }

    /// The day that a response is about, where it depends on one: `asOf`, else today.
    pub(super) fn day(&self, parameters: &Parameters<'_>) -> Option<Date> {
        match self.handler {
            Handler::OfAnyDay(_) => parameters.filter.overdue.map(|overdue| overdue.on),
            Handler::OfDay(_) => Some(parameters.as_of.unwrap_or(parameters.today)),
        }
    }

    /// What a workbook with its response is of.
    pub(super) fn subject(&self, day: Option<Date>) -> Subject {
        Subject {
            title: self.title,
            file: self.file,
            day,
        }
    }

    /// The schemas of its responses.
    pub fn schemas(&self) -> impl Iterator<Item = &'static AnswerSchema> {
        self.schemas.iter().filter_map(|name| answer(name))
    }

    /// Its errors, in the order of the checks; an example of each.
    pub fn failures(&self) -> Vec<Failure> {
        let required = self.parameters.iter().filter_map(|one| one.required);
        let has_limit = |one: &Parameter| matches!(one.values, Values::Rows);
        let has_limit = self.parameters.iter().any(has_limit);
        let too_large = has_limit.then(|| Failure::LimitTooLarge("500".to_owned(), MAX_LIMIT));
        [
            Failure::BadKey,
            Failure::TooManyRequests(1),
            Failure::BadParameter(parameters::RECEIPT.name),
        ]
        .into_iter()
        .chain(required.cloned())
        .chain(too_large)
        .chain(self.not_found.cloned())
        .chain(self.has_verdict.then_some(Failure::Undetermined(None)))
        .chain([
            Failure::Unavailable(String::new()),
            Failure::Server(String::new()),
        ])
        .collect()
    }
}

/// The first characters of a name, as many as are shown of one.
fn shortened(name: &str) -> String {
    name.chars().take(MAX_IGNORED_LENGTH).collect()
}

impl PartialEq for Endpoint {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for Endpoint {}

impl Group {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] = [
        Self::Contracts,
        Self::Purchases,
        Self::Rnp,
        Self::Data,
        Self::Service,
    ];

    /// Its name, also in a generated client.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contracts => "contracts",
            Self::Purchases => "purchases",
            Self::Rnp => "rnp",
            Self::Data => "data",
            Self::Service => "service",
        }
    }

    /// What it is called for people.
    pub fn title(self) -> Words {
        match self {
            Self::Contracts => Words(
                "Контракты поставщика по 44-ФЗ",
                "Contracts of a supplier under 44-FZ",
            ),
            Self::Purchases => Words("Карточки закупок", "Cards of purchases"),
            Self::Rnp => Words(
                "Реестр недобросовестных поставщиков (РНП)",
                "The registry of unfair suppliers (RNP)",
            ),
            Self::Data => Words("Данные в целом", "The data as a whole"),
            Self::Service => Words(
                "О сервисе; ключ не нужен",
                "About the service; no key is needed",
            ),
        }
    }

    /// Whether errors are answered with HTTP statuses of their own; the other endpoints
    /// answer 200 unless they are asked to (the manual, API, "Errors").
    pub fn has_statuses(self) -> bool {
        matches!(self, Self::Rnp | Self::Data)
    }
}
