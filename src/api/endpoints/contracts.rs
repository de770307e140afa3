//! `/contract/monitor-supplier44`, `/contract/monitor-customer44`, `/contract/summary-supplier44`
//! and `/contract/by-number`: pages of a supplier's or a customer's contracts, totals over a
//! supplier's contracts, and single contracts.

use std::cell::Cell;

use super::super::error::{ErrorKind, Failure, MAX_LIMIT};
use super::super::request::groups::{PageRange, VerdictParameters};
use super::super::request::parameter::ParameterRow;
use super::super::request::parameter_table as table;
use super::super::request::reader::Reader;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::rnp::response_origin;
use super::{AnswerHeaders, Endpoint, Group, Lookup, LookupCommand, Question};
use crate::model::{ContractFilter, ContractOrder, ContractSummary, Inn, Words};
use crate::render::schema::Answer;
use crate::render::{self, ContractAnswer, ContractPage, CustomerPage, Root, SummaryAnswer};
use crate::store::Prefetch;

/// The filters of contracts, split in two because the customer filter goes between them.
pub(super) const FILTERS: &[ParameterRow] = &[
    table::STAGE,
    table::SIGNED_FROM,
    table::SIGNED_TO,
    table::UPDATED_FROM,
];
pub(super) const MORE_FILTERS: &[ParameterRow] = &[
    table::PRICE_FROM,
    table::PRICE_TO,
    table::HAS_SUBCONTRACTORS,
    table::OVERDUE,
];

pub(super) const CONTRACTS: Endpoint = Endpoint {
    path: "/contract/monitor-supplier44",
    id: "getContracts",
    group: Group::Contracts,
    title: Words("Контракты поставщика", "Contracts of a supplier"),
    text: Words(
        "Страница контрактов поставщика, сначала новые. Чтобы получить следующие страницы, задайте skip. Для неизвестного поставщика список пуст.",
        "A page of a supplier's contracts, newest first; skip selects further pages. For an \
         unknown supplier, the list is empty.",
    ),
    own_parameters: &[
        &[table::SUPPLIER_INN, table::SKIP, table::LIMIT],
        FILTERS,
        &[table::CUSTOMER_INN],
        MORE_FILTERS,
        &[table::SORT],
    ],
    read: |reader| Ok(Box::new(SupplierContracts::read(reader)?)),
    errors: &[ErrorKind::BadInn, ErrorKind::LimitTooLarge],
    has_statuses: false,
    answers: &[Answer::ContractPage],
    root: Root::Data,
    headers: AnswerHeaders::RowCount,
    rests_on_registries: false,
    file: "contracts",
    command: Some(LookupCommand::named("contracts")),
};

pub(super) const CUSTOMER_CONTRACTS: Endpoint = Endpoint {
    path: "/contract/monitor-customer44",
    id: "getCustomerContracts",
    group: Group::Contracts,
    title: Words("Контракты заказчика", "Contracts of a customer"),
    text: Words(
        "Страница контрактов заказчика со всеми поставщиками, сначала новые. Фильтры, порядок и страницы — как у контрактов поставщика. Для неизвестного заказчика список пуст.",
        "A page of a customer's contracts with all suppliers, newest first. Filters, order and \
         paging work as for a supplier's contracts. For an unknown customer, the list is empty.",
    ),
    own_parameters: &[
        &[table::CUSTOMER, table::SKIP, table::LIMIT],
        FILTERS,
        MORE_FILTERS,
        &[table::SORT],
    ],
    read: |reader| Ok(Box::new(CustomerContracts::read(reader)?)),
    errors: &[ErrorKind::LimitTooLarge],
    has_statuses: false,
    answers: &[Answer::CustomerPage],
    root: Root::Data,
    headers: AnswerHeaders::RowCount,
    rests_on_registries: false,
    file: "customer-contracts",
    command: Some(LookupCommand::named("customer")),
};

pub(super) const CONTRACT_SUMMARY: Endpoint = Endpoint {
    path: "/contract/summary-supplier44",
    id: "getContractSummary",
    group: Group::Contracts,
    title: Words(
        "Сводка по контрактам поставщика",
        "Summary of a supplier's contracts",
    ),
    text: Words(
        "Сколько контрактов и на какую сумму: всего, по годам, по состоянию, у крупнейших заказчиков, с фактами риска. Фильтры те же, что у списка контрактов.",
        "Number and total price of a supplier's contracts: overall, by year, by status, for the \
         largest customers, and for each risk fact. The filters are the same as for a list of \
         contracts.",
    ),
    own_parameters: &[
        &[table::SUPPLIER_INN],
        FILTERS,
        &[table::CUSTOMER_INN],
        MORE_FILTERS,
        &[table::TOP, table::LAWS],
    ],
    read: |reader| Ok(Box::new(SupplierSummary::read(reader)?)),
    errors: &[ErrorKind::BadInn],
    has_statuses: false,
    answers: &[Answer::ContractSummary],
    root: Root::Data,
    headers: AnswerHeaders::None,
    rests_on_registries: false,
    file: "contract-summary",
    command: Some(LookupCommand::named("summary")),
};

pub(super) const CONTRACT: Endpoint = Endpoint {
    path: "/contract/by-number",
    id: "getContract",
    group: Group::Contracts,
    title: Words("Контракт по номеру", "A contract by number"),
    text: Words(
        "Контракт с этим реестровым номером. Если поставщиков несколько, контракт повторён для каждого, как в списке контрактов заказчика.",
        "The contract with this registry number, listed once for each of its suppliers, with the \
         same fields as a customer's contracts.",
    ),
    own_parameters: &[&[table::REG_NUM]],
    read: |reader| Ok(Box::new(ContractByNumber::read(reader)?)),
    errors: &[ErrorKind::ContractNotFound],
    has_statuses: true,
    answers: &[Answer::ContractByNumber],
    root: Root::Data,
    headers: AnswerHeaders::None,
    rests_on_registries: false,
    file: "contract",
    command: Some(LookupCommand::named("contract-by-number")),
};

struct SupplierContracts<'q> {
    supplier: Inn,
    page: PageRange<'q>,
    filter: ContractFilter,
    order: ContractOrder,
}

impl<'q> SupplierContracts<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        Ok(Self {
            supplier: reader.supplier()?,
            page: reader.page()?,
            filter: reader.supplier_filter()?,
            order: reader.order()?,
        })
    }
}

impl Question for SupplierContracts<'_> {
    fn prefetch(&self) -> Prefetch<'_> {
        let is_newest = self.filter == ContractFilter::default()
            && self.order == ContractOrder::default()
            // A longer list becomes a file, whose rows are read in parts.
            && self.page.limit <= MAX_LIMIT;
        let supplier = &self.supplier;
        if is_newest {
            let (skip, limit) = (self.page.first(), self.page.limit);
            Prefetch::Newest {
                supplier,
                skip,
                limit,
            }
        } else {
            Prefetch::Suppliers(std::slice::from_ref(supplier))
        }
    }

    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let inn = &self.supplier;
        let supplier = database.supplier(inn)?;
        let (first, limit) = (self.page.first(), self.page.limit);
        let select = |supplier| database.select(supplier, &self.filter, self.order, first, limit);
        let selection = supplier.as_ref().map(select).transpose()?;
        let damage = Cell::new(None);
        let total = selection.as_ref().map_or(0, |selection| selection.count);
        let name = supplier.as_ref().map_or("", |supplier| supplier.name());
        let head = self.page.head(inn.as_str(), name, total);
        let page = ContractPage {
            head,
            contracts: &|show| {
                if let (Some(supplier), Some(selection)) = (&supplier, &selection) {
                    damage.set(database.show(supplier, selection, show).err());
                }
            },
        };
        lookup.write_page(buffer, &page, head.counts, &damage)
    }
}

struct CustomerContracts<'q> {
    customer: &'q str,
    page: PageRange<'q>,
    filter: ContractFilter,
    order: ContractOrder,
}

impl<'q> CustomerContracts<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        Ok(Self {
            customer: reader.customer()?,
            page: reader.page()?,
            filter: reader.customer_filter()?,
            order: reader.order()?,
        })
    }
}

impl Question for CustomerContracts<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let (inn, database) = (self.customer, lookup.database);
        let (first, limit) = (self.page.first(), self.page.limit);
        let selection = database.select_of_customer(inn, &self.filter, self.order, first, limit)?;
        let damage = Cell::new(None);
        let head = self.page.head(inn, &selection.name, selection.count);
        let page = CustomerPage {
            head,
            contracts: &|show| {
                let shown =
                    database.show_supplied(&selection.contracts, &mut |supplier, contract| {
                        show(supplier.inn.as_str(), supplier.name(), contract);
                    });
                damage.set(shown.err());
            },
        };
        lookup.write_page(buffer, &page, head.counts, &damage)
    }
}

struct SupplierSummary {
    supplier: Inn,
    filter: ContractFilter,
    /// Maximum number of customers to list.
    top: usize,
    rules: VerdictParameters,
}

impl SupplierSummary {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        Ok(Self {
            supplier: reader.supplier()?,
            filter: reader.supplier_filter()?,
            top: reader.top()?,
            rules: reader.verdict_parameters_of_today()?,
        })
    }
}

impl Question for SupplierSummary {
    fn prefetch(&self) -> Prefetch<'_> {
        Prefetch::Suppliers(std::slice::from_ref(&self.supplier))
    }

    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let ground = lookup.ground(self.rules);
        let supplier = database.supplier(&self.supplier)?;
        let summary = match &supplier {
            Some(supplier) => database.summary(supplier, &self.filter, self.top, &ground)?,
            None => ContractSummary::default(),
        };
        let answer = SummaryAnswer {
            inn: self.supplier.as_str(),
            name: supplier.as_ref().map_or("", |supplier| supplier.name()),
            summary: &summary,
            from: &response_origin(database, ground),
        };
        let body = lookup.write(buffer, |body| render::answer(body, &answer))?;
        Ok(Answered {
            ground: Some(ground),
            ..Answered::new(body, LookupResult::Count(summary.count))
        })
    }
}

struct ContractByNumber<'q> {
    reg_num: &'q str,
}

impl<'q> ContractByNumber<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        let reg_num = reader.reg_num()?;
        Ok(Self { reg_num })
    }
}

impl Question for ContractByNumber<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let found = database.select_contract(self.reg_num)?;
        if found.count() == 0 {
            return Err(ErrorKind::ContractNotFound.into());
        }
        let damage = Cell::new(None);
        let answer = ContractAnswer {
            reg_num: self.reg_num,
            contracts: &|show| {
                let shown = database.show_supplied(&found, &mut |supplier, contract| {
                    show(supplier.inn.as_str(), supplier.name(), contract);
                });
                damage.set(shown.err());
            },
        };
        let body = lookup.write(buffer, |body| render::answer(body, &answer))?;
        match damage.take() {
            None => Ok(Answered::new(body, LookupResult::Count(found.count()))),
            Some(damage) => Err(damage.into()),
        }
    }
}
