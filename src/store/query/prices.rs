//! Unit prices: the priced items of the contracts that a search finds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::super::contract_id::supplier_of;
use super::super::error::Result;
use super::super::facet_columns::FacetColumn;
use super::super::record::{NOT_ITEMS, unpack_items};
use super::super::reg_num::RegNum;
use super::super::suppliers::SupplierRow;
use super::Database;
use super::order::window;
use super::pages::show_ids;
use super::search::{Search, Searched, TooBroad};
use super::source::Source;
use crate::model::{
    Amount, ContentFilter, ContentQuery, ContentWords, EncodedContractItem, Inn, PriceStatistics,
    PricedContract, UnitPrices,
};

/// Maximum number of items that a search for prices may find.
pub const MAX_ITEMS: usize = 100_000;

/// Number of contracts whose items are read per statement. All items in a server's reply are in
/// memory at once.
const READ_AT_ONCE: usize = 1_000;

const COLUMNS: &[FacetColumn] = &[FacetColumn::SignDate, FacetColumn::Stage];

/// A page of the items that a search for prices finds, and the statistics of all of them.
#[derive(Debug)]
pub struct PriceSelection {
    /// Number of all items found.
    pub count: u64,
    /// One element per unit of measure: most frequent first, then by code.
    pub units: Vec<UnitPrices>,
    /// The contracts on the page, each with the positions of its items.
    page: Vec<(i64, Vec<usize>)>,
}

impl Database {
    /// Selects up to `limit` of the items that match `filter` after the first `skip`: newest
    /// contract first, items in the contract's order. Words and codes of the filter must be found
    /// in the same item. Items without a positive price and items of annulled contracts do not
    /// match. A contract whose items are found under several suppliers counts once: with the record
    /// that has the latest day of signing or, if several have, the greatest INN.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn prices(
        &self,
        filter: &ContentFilter,
        skip: u64,
        limit: u64,
    ) -> Result<Searched<PriceSelection>> {
        let contracts = match priced_contracts(self, filter)? {
            Ok(contracts) => contracts,
            Err(too_broad) => return Ok(Err(too_broad)),
        };
        let items = contracts
            .iter()
            .flat_map(|one| one.items.iter().map(move |item| (one.id, item)));
        let items: Vec<(i64, &PricedItem)> = items.collect();
        let on_page = items.get(window(items.len(), skip, limit));
        let on_page = on_page.unwrap_or_default();
        let page = on_page.chunk_by(|(one, _), (other, _)| one == other);
        let page = page.filter_map(|items| {
            let (id, _) = items.first()?;
            Some((*id, items.iter().map(|(_, item)| item.at).collect()))
        });
        Ok(Ok(PriceSelection {
            count: items.len() as u64,
            units: unit_prices(items.iter().map(|(_, item)| *item)),
            page: page.collect(),
        }))
    }

    /// Passes the items on a page with their contracts to `show`, in order.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable. `show` may already have received some items by
    /// then.
    pub fn show_prices(
        &self,
        selection: &PriceSelection,
        show: &mut dyn FnMut(&PricedContract, &EncodedContractItem<'_>),
    ) -> Result<()> {
        let source = self.source();
        for page in selection.page.chunks(READ_AT_ONCE) {
            let ids: Vec<i64> = page.iter().map(|(id, _)| *id).collect();
            let suppliers = source.suppliers_of(&ids)?;
            let mut contracts = Vec::with_capacity(ids.len());
            show_ids(source, suppliers.iter(), &ids, &mut |supplier, contract| {
                let (inn, name) = (supplier.inn.as_str(), supplier.name());
                contracts.push(PricedContract::new(inn, name, contract));
            })?;
            let mut shown = page.iter().zip(&suppliers).zip(&contracts);
            source.items(&ids, &mut |bytes| {
                let Some((((_, places), supplier), contract)) = shown.next() else {
                    return Err(source.damaged(NOT_ITEMS));
                };
                let mut places = places.iter().peekable();
                each_item(source, supplier, bytes, |at, item| {
                    if places.next_if(|place| **place == at).is_some() {
                        show(contract, &item);
                    }
                    Ok(())
                })
            })?;
        }
        Ok(())
    }
}

struct Priced {
    /// Day of signing as YYYYMMDD; 0 if missing.
    sign_date: u32,
    reg_num: RegNum,
    supplier: Inn,
    id: i64,
    items: Vec<PricedItem>,
}

struct PricedItem {
    /// Position of the item within the contract.
    at: usize,
    price: Amount,
    /// Code and name of the unit of measure.
    unit: Rc<(String, String)>,
}

/// Returns the contracts with matching items, newest first, each only once.
fn priced_contracts(database: &Database, filter: &ContentFilter) -> Result<Searched<Vec<Priced>>> {
    let Some(search) = Search::new(database, filter)? else {
        return Ok(Ok(Vec::new()));
    };
    let mut contracts = Vec::new();
    if let Err(too_broad) = search.each_match(COLUMNS, |facets| {
        if !facets.is_annulled()? {
            contracts.push((facets.id()?, facets.sign_date()?, facets.reg_num()?));
        }
        Ok(())
    })? {
        return Ok(Err(too_broad));
    }
    // In this order, all sources find the same number of items before the search is too broad.
    contracts.sort_unstable_by_key(|(id, _, _)| *id);
    let mut priced = Vec::new();
    let mut reader = ItemReader::new(database, &filter.content);
    for contracts in contracts.chunks(READ_AT_ONCE) {
        reader.read(contracts, &mut priced)?;
        if reader.count > MAX_ITEMS {
            return Ok(Err(TooBroad::found(reader.count)));
        }
    }
    let newest_first = |one: &Priced, other: &Priced| {
        let by_day = other.sign_date.cmp(&one.sign_date);
        by_day
            .then_with(|| other.reg_num.cmp(&one.reg_num))
            .then_with(|| other.supplier.cmp(&one.supplier))
    };
    priced.sort_unstable_by(newest_first);
    let mut seen = HashSet::new();
    priced.retain(|one| seen.insert(one.reg_num.clone()));
    Ok(Ok(priced))
}

/// Reads the items of contracts and keeps those that match.
struct ItemReader<'a> {
    source: &'a dyn Source,
    query: &'a ContentQuery,
    words: ContentWords,
    /// Suppliers of the contracts that were read last.
    suppliers: HashMap<i64, SupplierRow>,
    units: Units,
    /// Registry numbers of the contracts with matching items.
    seen: HashSet<RegNum>,
    /// Number of matching items, counting each contract once.
    count: usize,
}

impl<'a> ItemReader<'a> {
    fn new(database: &'a Database, query: &'a ContentQuery) -> Self {
        Self {
            source: database.source(),
            query,
            words: ContentWords::default(),
            suppliers: HashMap::new(),
            units: Units::default(),
            seen: HashSet::new(),
            count: 0,
        }
    }

    /// Reads the items of contracts, each given by id, day of signing and registry number. Adds the
    /// contracts with matching items to `priced`.
    fn read(&mut self, contracts: &[(i64, u32, RegNum)], priced: &mut Vec<Priced>) -> Result<()> {
        let ids: Vec<i64> = contracts.iter().map(|(id, _, _)| *id).collect();
        self.read_suppliers(&ids)?;
        let mut read = contracts.iter();
        self.source.items(&ids, &mut |bytes| {
            let missing = || self.source.damaged(NOT_ITEMS);
            let (id, sign_date, reg_num) = read.next().ok_or_else(missing)?;
            let supplier = self.suppliers.get(&supplier_of(*id)).ok_or_else(missing)?;
            let mut items = Vec::new();
            each_item(self.source, supplier, bytes, |at, item| {
                let price =
                    price(self.source, item)?.filter(|_| self.query.finds(item, &self.words));
                items.extend(price.map(|price| PricedItem {
                    at,
                    price,
                    unit: self.units.of(item),
                }));
                Ok(())
            })?;
            if items.is_empty() {
                return Ok(());
            }
            if self.seen.insert(reg_num.clone()) {
                self.count += items.len();
            }
            priced.push(Priced {
                sign_date: *sign_date,
                reg_num: reg_num.clone(),
                supplier: supplier.inn.clone(),
                id: *id,
                items,
            });
            Ok(())
        })
    }

    fn read_suppliers(&mut self, ids: &[i64]) -> Result<()> {
        self.suppliers.clear();
        let of_each = ids.chunk_by(|one, other| supplier_of(*one) == supplier_of(*other));
        let one_of_each: Vec<i64> = of_each.filter_map(|ids| ids.first().copied()).collect();
        let suppliers = self.source.suppliers_of(&one_of_each)?;
        let ids = one_of_each.iter().map(|id| supplier_of(*id));
        self.suppliers.extend(ids.zip(suppliers));
        Ok(())
    }
}

fn each_item(
    source: &dyn Source,
    supplier: &SupplierRow,
    bytes: Option<&[u8]>,
    mut each: impl FnMut(usize, EncodedContractItem<'_>) -> Result<()>,
) -> Result<()> {
    let damaged = || source.damaged(NOT_ITEMS);
    let items = unpack_items(&supplier.inn, bytes.unwrap_or_default()).ok_or_else(damaged)?;
    let items = items.items().ok_or_else(damaged)?;
    items.enumerate().try_for_each(|(at, item)| each(at, item))
}

fn price(source: &dyn Source, item: EncodedContractItem<'_>) -> Result<Option<Amount>> {
    if item.price.is_empty() {
        return Ok(None);
    }
    let price: Option<Amount> = item.price.text().parse().ok();
    let price = price.ok_or_else(|| source.damaged(NOT_ITEMS))?;
    Ok(Some(price).filter(|price| Amount::from(0).is_less_than(*price)))
}

/// The units of measure found so far, by code and then by name.
#[derive(Default)]
struct Units(HashMap<String, HashMap<String, Rc<(String, String)>>>);

impl Units {
    /// Returns the unit of an item. Items with the same unit share one copy.
    fn of(&mut self, item: EncodedContractItem<'_>) -> Rc<(String, String)> {
        let (okei, name) = (item.okei.text(), item.okei_name.text());
        let known = self.0.get(&*okei).and_then(|names| names.get(&*name));
        if let Some(unit) = known {
            return Rc::clone(unit);
        }
        let unit = Rc::new((okei.into_owned(), name.into_owned()));
        let names = self.0.entry(unit.0.clone()).or_default();
        names.insert(unit.1.clone(), Rc::clone(&unit));
        unit
    }
}

/// Computes price statistics by unit of measure. The items must be ordered from the newest contract
/// to the oldest, because the name of a unit is taken from the first item that states one.
fn unit_prices<'a>(items: impl Iterator<Item = &'a PricedItem>) -> Vec<UnitPrices> {
    let mut units: BTreeMap<&str, (&str, Vec<Amount>)> = BTreeMap::new();
    for item in items {
        let (okei, name) = &*item.unit;
        let (known, prices) = units.entry(okei).or_default();
        if known.is_empty() {
            *known = name;
        }
        prices.push(item.price);
    }
    let units = units.into_iter().filter_map(|(okei, (name, prices))| {
        Some(UnitPrices {
            okei: okei.to_owned(),
            okei_name: name.to_owned(),
            statistics: PriceStatistics::new(prices)?,
        })
    });
    let mut units: Vec<UnitPrices> = units.collect();
    units.sort_by_key(|unit| Reverse(unit.statistics.count));
    units
}
