//! `/contract/monitor-supplier44`, `/contract/monitor-customer44` and
//! `/contract/summary-supplier44`: a page of contracts of a supplier or a customer, and the number
//! and sums of a supplier's contracts.

use std::cell::Cell;

use super::super::error::{ErrorKind, Failure};
use super::super::request::parameter::ParameterRow;
use super::super::request::parameter_table as table;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::{Endpoint, Group, Lookup};
use crate::model::{ContractSummary, Words};
use crate::render::schema::Answer;
use crate::render::{self, ContractPage, CustomerPage, Root, SummaryAnswer};

/// The filters of contracts, in two parts: that by the customer stands between them.
const FILTERS: &[ParameterRow] = &[
    table::STAGE,
    table::SIGNED_FROM,
    table::SIGNED_TO,
    table::UPDATED_FROM,
];
const MORE_FILTERS: &[ParameterRow] = &[
    table::PRICE_FROM,
    table::PRICE_TO,
    table::HAS_SUBCONTRACTORS,
    table::OVERDUE,
];

/// The contracts of a supplier.
pub(super) const CONTRACTS: Endpoint = Endpoint {
    path: "/contract/monitor-supplier44",
    id: "getContracts",
    group: Group::Contracts,
    title: Words("Контракты поставщика", "Contracts of a supplier"),
    text: Words(
        "Страница контрактов поставщика, сначала новые. Дальше листают с помощью skip. У поставщика, о котором ничего не известно, список пуст.",
        "A page of a supplier's contracts, newest first. Page with skip. For an unknown supplier the list is empty.",
    ),
    own_parameters: &[
        &[table::SUPPLIER_INN, table::SKIP, table::LIMIT],
        FILTERS,
        &[table::CUSTOMER_INN],
        MORE_FILTERS,
        &[table::SORT],
    ],
    answers: &[Answer::ContractPage],
    errors: &[ErrorKind::BadInn, ErrorKind::LimitTooLarge],
    root: Root::Data,
    has_verdict: false,
    file: "contracts",
    command: Some("contracts"),
    depends_on_day: false,
    is_page: true,
    handler: write,
};

/// The contracts of a customer.
pub(super) const CUSTOMER_CONTRACTS: Endpoint = Endpoint {
    path: "/contract/monitor-customer44",
    id: "getCustomerContracts",
    title: Words("Контракты заказчика", "Contracts of a customer"),
    text: Words(
        "Страница контрактов заказчика со всеми поставщиками, сначала новые. Отбор, порядок и листание — как у контрактов поставщика. У заказчика, о котором ничего не известно, список пуст.",
        "A page of a customer's contracts with all suppliers, newest first. Filters, order and paging as for a supplier's contracts. For an unknown customer the list is empty.",
    ),
    own_parameters: &[
        &[table::CUSTOMER, table::SKIP, table::LIMIT],
        FILTERS,
        MORE_FILTERS,
        &[table::SORT],
    ],
    answers: &[Answer::CustomerPage],
    errors: &[ErrorKind::LimitTooLarge],
    file: "customer-contracts",
    command: Some("customer"),
    is_page: false,
    handler: write_of_customer,
    ..CONTRACTS
};

/// The summary of a supplier's contracts.
pub(super) const CONTRACT_SUMMARY: Endpoint = Endpoint {
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
    own_parameters: &[
        &[table::SUPPLIER_INN],
        FILTERS,
        &[table::CUSTOMER_INN],
        MORE_FILTERS,
    ],
    answers: &[Answer::ContractSummary],
    errors: &[ErrorKind::BadInn],
    file: "contract-summary",
    command: Some("summary"),
    is_page: false,
    handler: write_summary,
    ..CONTRACTS
};

/// Writes a page of a supplier's contracts.
fn write(lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
    let (parameters, database) = (lookup.parameters, lookup.database);
    let inn = table::SUPPLIER_INN.given(parameters.inn.as_ref())?;
    let supplier = database.supplier(inn)?;
    let (filter, order) = (&parameters.filter, parameters.order);
    let (first, limit) = (parameters.first(), parameters.limit());
    let select = |supplier| database.select(supplier, filter, order, first, limit);
    let selection = supplier.as_ref().map(select).transpose()?;
    let damage = Cell::new(None);
    let total = selection.as_ref().map_or(0, |selection| selection.count);
    let name = supplier.as_ref().map_or("", |supplier| supplier.name());
    let head = lookup.page_head(inn.as_str(), name, total);
    let page = ContractPage {
        head,
        contracts: &|show| {
            if let (Some(supplier), Some(selection)) = (&supplier, &selection) {
                damage.set(database.show(supplier, selection, show).err());
            }
        },
    };
    lookup.write_page(buffer, &page, head, &damage)
}

/// Writes a page of a customer's contracts.
fn write_of_customer(lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
    let (parameters, database) = (lookup.parameters, lookup.database);
    let inn = table::CUSTOMER.given(parameters.customer_inn)?;
    let (filter, order) = (&parameters.filter, parameters.order);
    let (first, limit) = (parameters.first(), parameters.limit());
    let selection = database.select_of_customer(inn, filter, order, first, limit)?;
    let damage = Cell::new(None);
    let head = lookup.page_head(inn, &selection.name, selection.count);
    let page = CustomerPage {
        head,
        contracts: &|show| {
            let shown = database.show_of_customer(&selection, &mut |supplier, contract| {
                show(supplier.inn.as_str(), supplier.name(), contract);
            });
            damage.set(shown.err());
        },
    };
    lookup.write_page(buffer, &page, head, &damage)
}

/// Writes the summary of a supplier's contracts.
fn write_summary(lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
    let (parameters, database) = (lookup.parameters, lookup.database);
    let inn = table::SUPPLIER_INN.given(parameters.inn.as_ref())?;
    let supplier = database.supplier(inn)?;
    let summary = match &supplier {
        Some(supplier) => database.summary(supplier, &parameters.filter)?,
        None => ContractSummary::default(),
    };
    let answer = SummaryAnswer {
        inn: inn.as_str(),
        name: supplier.as_ref().map_or("", |supplier| supplier.name()),
        summary: &summary,
    };
    let body = lookup.write(buffer, |body| render::answer(body, &answer))?;
    Ok(Answered::new(body, LookupResult::Count(summary.count)))
}
