//! `/contract/search`, `/contract/summary` and `/contract/prices`: contracts of all suppliers by
//! content, totals over them, and unit prices of their items.

use std::cell::Cell;

use super::super::error::{ErrorKind, Failure};
use super::super::request::groups::{PageRange, VerdictParameters};
use super::super::request::parameter::ParameterRow;
use super::super::request::parameter_table as table;
use super::super::request::reader::Reader;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::contracts::{FILTERS, MORE_FILTERS};
use super::rnp::response_origin;
use super::{AnswerHeaders, Endpoint, Group, Lookup, LookupCommand, Question};
use crate::model::{ContentFilter, ContractOrder, Inn, Words};
use crate::render::schema::Answer;
use crate::render::{self, ContentSummaryAnswer, PricePage, Root, SearchPage};

const CONDITIONS: &[ParameterRow] = &[table::CODE, table::REGION];

pub(super) const CONTRACT_SEARCH: Endpoint = Endpoint {
    path: "/contract/search",
    id: "searchContracts",
    group: Group::Contracts,
    title: Words("Поиск контрактов", "Search of contracts"),
    text: Words(
        "Поиск среди контрактов всех поставщиков по словам в предмете и позициях, кодам ОКПД2 и КТРУ, региону, заказчику, поставщику, фактам риска; фильтры и порядок — как у контрактов заказчика. Если у контракта несколько поставщиков, в списке ему отведено по строке на каждого.",
        "Searches the contracts of all suppliers by words in the subject and items, OKPD2 and \
         KTRU codes, region, customer, supplier and risk facts. The filters and orders are the \
         same as for a customer's contracts. A contract with several suppliers is listed once for \
         each.",
    ),
    own_parameters: &[
        &[table::SUPPLIER, table::SKIP, table::LIMIT, table::WORDS],
        CONDITIONS,
        FILTERS,
        &[table::CUSTOMER_INN],
        MORE_FILTERS,
        &[table::FACT, table::LAWS, table::SORT],
    ],
    read: |reader| Ok(Box::new(ContractSearch::read(reader)?)),
    errors: &[
        ErrorKind::BadInn,
        ErrorKind::LimitTooLarge,
        ErrorKind::TooBroad,
    ],
    has_statuses: true,
    answers: &[Answer::ContractSearch],
    root: Root::Data,
    headers: AnswerHeaders::RowCount,
    rests_on_registries: false,
    file: "contract-search",
    command: Some(LookupCommand::named("contract-search")),
};

pub(super) const CONTENT_SUMMARY: Endpoint = Endpoint {
    path: "/contract/summary",
    id: "summarizeContracts",
    group: Group::Contracts,
    title: Words(
        "Сводка по найденным контрактам",
        "Summary of contracts found",
    ),
    text: Words(
        "Сколько контрактов находит поиск и на какую сумму: всего, по годам, по состоянию, у крупнейших заказчиков и поставщиков, с фактами риска. Условия те же, что у поиска контрактов.",
        "Number and total price of the contracts found: overall, by year, by status, for the \
         largest customers and suppliers, and for each risk fact. The conditions are the same as \
         for the search of contracts.",
    ),
    own_parameters: &[
        &[table::SUPPLIER, table::WORDS],
        CONDITIONS,
        FILTERS,
        &[table::CUSTOMER_INN],
        MORE_FILTERS,
        &[table::FACT, table::LAWS, table::TOP],
    ],
    read: |reader| Ok(Box::new(ContentSummary::read(reader)?)),
    errors: &[ErrorKind::BadInn, ErrorKind::TooBroad],
    has_statuses: true,
    answers: &[Answer::ContentSummary],
    root: Root::Data,
    headers: AnswerHeaders::None,
    rests_on_registries: false,
    file: "contract-search-summary",
    command: Some(LookupCommand::named("contract-summary")),
};

pub(super) const CONTRACT_PRICES: Endpoint = Endpoint {
    path: "/contract/prices",
    id: "getPrices",
    group: Group::Contracts,
    title: Words("Цены за единицу", "Unit prices"),
    text: Words(
        "Поиск позиций контрактов с ценой за единицу по словам наименования или кодам ОКПД2 и КТРУ, сначала из новых контрактов, и статистика цен по единицам измерения. Остальные условия относятся к контракту, как в поиске контрактов. Аннулированные контракты не учитываются.",
        "Finds items with unit prices by words in their names or by OKPD2 and KTRU codes, those \
         of the newest contracts first, and returns statistics of the prices for each unit of \
         measure. The other conditions apply to the contract, as in the search of contracts. \
         Items of annulled contracts do not count.",
    ),
    own_parameters: &[
        &[
            table::SUPPLIER,
            table::SKIP,
            table::LIMIT,
            table::WORDS_OF_ITEM,
        ],
        CONDITIONS,
        FILTERS,
        &[table::CUSTOMER_INN],
        MORE_FILTERS,
        &[table::FACT, table::LAWS],
    ],
    read: |reader| Ok(Box::new(ContractPrices::read(reader)?)),
    errors: &[
        ErrorKind::BadInn,
        ErrorKind::LimitTooLarge,
        ErrorKind::TooBroad,
    ],
    has_statuses: true,
    answers: &[Answer::ContractPrices],
    root: Root::Data,
    headers: AnswerHeaders::RowCount,
    rests_on_registries: false,
    file: "contract-prices",
    command: Some(LookupCommand::named("contract-prices")),
};

struct ContractSearch<'q> {
    page: PageRange<'q>,
    filter: ContentFilter,
    order: ContractOrder,
}

impl<'q> ContractSearch<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        let supplier = reader.supplier_if_given()?;
        let page = reader.page()?;
        let filter = content_filter(reader, supplier, &table::WORDS)?;
        let order = reader.order()?;
        need_content(&filter)?;
        Ok(Self {
            page,
            filter,
            order,
        })
    }
}

pub(in crate::api) fn content_filter(
    reader: &mut Reader<'_>,
    supplier: Option<Inn>,
    words: &ParameterRow,
) -> Result<ContentFilter, Failure> {
    Ok(ContentFilter {
        supplier,
        content: reader.content(words)?,
        regions: reader.regions()?,
        contracts: reader.supplier_filter()?,
        facts: reader.facts()?,
    })
}

/// Requires a condition that narrows the search down. Without one, it would match everything.
fn need_content(filter: &ContentFilter) -> Result<(), Failure> {
    match filter.has_content() {
        true => Ok(()),
        false => Err(table::WORDS.wrong()),
    }
}

impl Question for ContractSearch<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let (first, limit) = (self.page.first(), self.page.limit);
        let found = database.search(&self.filter, self.order, first, limit)??;
        let damage = Cell::new(None);
        let counts = self.page.counts(found.count);
        let page = SearchPage {
            counts,
            contracts: &|show| {
                let shown = database.show_supplied(&found.contracts, &mut |supplier, contract| {
                    show(supplier.inn.as_str(), supplier.name(), contract);
                });
                damage.set(shown.err());
            },
        };
        lookup.write_page(buffer, &page, counts, &damage)
    }
}

struct ContentSummary {
    filter: ContentFilter,
    /// Maximum number of customers, and of suppliers, to list.
    top: usize,
    rules: VerdictParameters,
}

impl ContentSummary {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        let supplier = reader.supplier_if_given()?;
        let filter = content_filter(reader, supplier, &table::WORDS)?;
        let top = reader.top()?;
        let rules = VerdictParameters {
            day: reader.today(),
            rules: filter.facts.rules,
        };
        need_content(&filter)?;
        Ok(Self { filter, top, rules })
    }
}

impl Question for ContentSummary {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let ground = lookup.ground(self.rules);
        let summary = database.content_summary(&self.filter, self.top, &ground)??;
        let answer = ContentSummaryAnswer {
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

struct ContractPrices<'q> {
    page: PageRange<'q>,
    filter: ContentFilter,
}

impl<'q> ContractPrices<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        let supplier = reader.supplier_if_given()?;
        let page = reader.page()?;
        let filter = content_filter(reader, supplier, &table::WORDS_OF_ITEM)?;
        match filter.content.is_everything() {
            true => Err(table::WORDS_OF_ITEM.wrong()),
            false => Ok(Self { page, filter }),
        }
    }
}

impl Question for ContractPrices<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let (first, limit) = (self.page.first(), self.page.limit);
        let found = database.prices(&self.filter, first, limit)??;
        let damage = Cell::new(None);
        let counts = self.page.counts(found.count);
        let page = PricePage {
            counts,
            units: &found.units,
            items: &|show| damage.set(database.show_prices(&found, show).err()),
        };
        lookup.write_page(buffer, &page, counts, &damage)
    }
}
