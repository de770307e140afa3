//! The winners of a purchase under 223-FZ, lot by lot: the suppliers of its contracts; without
//! a supplier in them, those whom the newest protocol names, but for applications that later
//! documents take out.

use std::collections::BTreeMap;

use super::StoredFacts;
use crate::import::facts::{
    Contract223Facts, ExcludedApplication223, Facts, LotReference223, Notice223Facts,
    Protocol223Facts,
};
use crate::model::{CardSupplier, Winner223};

/// The position of a lot in the notice; `None` if a document names none of the notice's lots.
pub type Position = Option<usize>;

/// Returns the winners, in the order of the lots. `is_cancelled` tells whether a lot was cancelled,
/// so that no protocol's winner has won it.
pub fn winners(
    notice: &Notice223Facts,
    stored: &[StoredFacts],
    is_cancelled: impl Fn(Position) -> bool,
) -> Vec<Winner223> {
    let lots: Vec<Position> = match notice.card.lots.len() {
        0 => vec![None],
        count => (0..count).map(Some).collect(),
    };
    let mut by_lot: BTreeMap<Position, Vec<(&StoredFacts, &Contract223Facts)>> = BTreeMap::new();
    for (stored, contract) in contracts_in_force(stored) {
        let lot = position(notice, &contract.lot);
        by_lot.entry(lot).or_default().push((stored, contract));
    }
    let mut signed = |lot: Position| outranking(&by_lot.remove(&lot).unwrap_or_default());
    let elsewhere = match lots.contains(&None) {
        true => Vec::new(),
        false => signed(None),
    };
    let protocols = Protocols::new(notice, stored);
    let mut winners = Vec::new();
    for lot in lots {
        let mut named = match is_cancelled(lot) {
            true => Vec::new(),
            false => protocols.winners(lot),
        };
        named.retain(|winner| elsewhere.iter().all(|other| !is_same(other, winner)));
        winners.extend(of_lot(signed(lot), named));
    }
    winners.extend(elsewhere);
    winners
}

/// Joins the winners of a lot by contract and by protocol. A supplier who signed outranks the
/// protocol; of several winners in one, the others stay. A contract that hides its supplier
/// counts only if no protocol names a winner.
fn of_lot(signed: Vec<Winner223>, named: Vec<Winner223>) -> Vec<Winner223> {
    if !signed.iter().any(is_known) {
        let by_protocol = named.iter().any(is_known) || signed.is_empty();
        return if by_protocol { named } else { signed };
    }
    let is_signed = |winner: &Winner223| signed.iter().any(|other| is_same(other, winner));
    let others = match named.iter().any(is_signed) {
        true => named.into_iter().filter(|one| !is_signed(one)).collect(),
        false => Vec::new(),
    };
    let mut winners = signed;
    winners.extend(others);
    winners
}

/// Returns whether the winner is not hidden.
fn is_known(winner: &Winner223) -> bool {
    !winner.name.is_empty() || !winner.inn.is_empty()
}

fn is_same(one: &Winner223, other: &Winner223) -> bool {
    match (one.inn.as_str(), other.inn.as_str()) {
        ("", "") => !one.name.is_empty() && one.name == other.name,
        (one, other) => one == other,
    }
}

/// The position of a lot: the only one, or that with its number or GUID.
fn position(notice: &Notice223Facts, lot: &LotReference223) -> Position {
    let lots = &notice.card.lots;
    let by_number = || lots.iter().position(|one| one.number == lot.number);
    let by_guid = || notice.lot_guids.iter().position(|guid| *guid == lot.guid);
    match lots.len() {
        0 => None,
        1 => Some(0),
        _ if !lot.number.is_empty() => by_number(),
        _ if !lot.guid.is_empty() => by_guid(),
        _ => None,
    }
}

/// The newest record of each contract that is not void. A change of a contract is a record of its
/// own: where it is void, the one before counts.
fn contracts_in_force(stored: &[StoredFacts]) -> Vec<(&StoredFacts, &Contract223Facts)> {
    let mut newest: BTreeMap<&str, (&StoredFacts, &Contract223Facts)> = BTreeMap::new();
    for one in stored {
        let Facts::Contract223(contract) = &*one.facts else {
            continue;
        };
        if contract.annulled {
            continue;
        }
        let number = one.key.split('/').next().unwrap_or_default();
        let order = |one: &StoredFacts| (one.published, one.key.clone());
        let known = newest.entry(number).or_insert((one, contract));
        if order(one) > order(known.0) {
            *known = (one, contract);
        }
    }
    let mut contracts: Vec<_> = newest.into_values().collect();
    contracts.sort_by(|(one, contract), (other, other_contract)| {
        (contract.date, &one.key).cmp(&(other_contract.date, &other.key))
    });
    contracts
}

/// The winners by the contracts of a lot. Records of the registry outrank other documents, unless
/// they hide the suppliers.
fn outranking(contracts: &[(&StoredFacts, &Contract223Facts)]) -> Vec<Winner223> {
    let of = |is_of_registry: bool| -> Vec<Winner223> {
        let contracts = contracts.iter().map(|(_, contract)| *contract);
        let contracts = contracts.filter(|one| one.is_of_registry == is_of_registry);
        contracts.flat_map(suppliers).collect()
    };
    let mut others: Vec<Winner223> = Vec::new();
    // A change of such a contract is a document of its own, which does not name the first one.
    for winner in of(false) {
        others.retain(|other| !is_same(other, &winner));
        others.push(winner);
    }
    let registry = of(true);
    let is_better = registry.iter().any(is_known) || !others.iter().any(is_known);
    match is_better && !registry.is_empty() {
        true => registry,
        false => others,
    }
}

/// The suppliers of a contract, each with the whole price; where they are hidden, only that.
fn suppliers(contract: &Contract223Facts) -> Vec<Winner223> {
    let winner = |supplier: &CardSupplier| Winner223 {
        name: supplier.name.clone(),
        inn: supplier.inn.clone(),
        kpp: supplier.kpp.clone(),
        date: contract.date,
        price: contract.price,
    };
    match &contract.suppliers[..] {
        [] if contract.price.is_some() => vec![winner(&CardSupplier::default())],
        suppliers => suppliers.iter().map(winner).collect(),
    }
}

/// The protocols of a purchase.
struct Protocols<'s> {
    notice: &'s Notice223Facts,
    newest_first: Vec<(&'s StoredFacts, &'s Protocol223Facts)>,
}

impl<'s> Protocols<'s> {
    fn new(notice: &'s Notice223Facts, stored: &'s [StoredFacts]) -> Self {
        let protocols = stored.iter().filter_map(|stored| match &*stored.facts {
            Facts::Protocol223(facts) => Some((stored, facts)),
            _ => None,
        });
        let mut newest_first: Vec<_> = protocols.collect();
        newest_first
            .sort_by_key(|(stored, _)| std::cmp::Reverse((stored.published, stored.key.as_str())));
        Self {
            notice,
            newest_first,
        }
    }

    /// The winners of a lot in the newest protocol that names some, or says that nobody won.
    fn winners(&self, lot: Position) -> Vec<Winner223> {
        for (stored, protocol) in &self.newest_first {
            let of_lot = || {
                let lots = protocol.lots.iter();
                lots.filter(|one| position(self.notice, &one.lot) == lot)
            };
            let mut named = of_lot().flat_map(|outcome| &outcome.winners).peekable();
            if named.peek().is_some() {
                let not_excluded = named.filter(|(application, winner)| {
                    !self.is_excluded(stored, lot, application, &winner.inn)
                });
                let winners = not_excluded.map(|(_, winner)| winner.clone());
                return winners
                    .filter(|winner| is_known(winner) || winner.price.is_some())
                    .collect();
            }
            let is_about = self.notice.card.lots.len() < 2 || of_lot().next().is_some();
            if protocol.nobody_won && is_about {
                break;
            }
        }
        Vec::new()
    }

    /// Returns whether an evasion or a refusal takes out an application that won in a protocol: one
    /// that names the protocol, or that was not published before it.
    fn is_excluded(
        &self,
        protocol: &StoredFacts,
        lot: Position,
        application: &str,
        inn: &str,
    ) -> bool {
        self.newest_first.iter().any(|(stored, facts)| {
            let Some(excluded) = &facts.excluded else {
                return false;
            };
            let is_later = stored.published == 0 || stored.published >= protocol.published;
            let names_it = excluded.protocol == protocol.key;
            (names_it || is_later) && self.is_of(excluded, lot, application, inn)
        })
    }

    fn is_of(
        &self,
        excluded: &ExcludedApplication223,
        lot: Position,
        application: &str,
        inn: &str,
    ) -> bool {
        let same = |one: &str, other: &str| !one.is_empty() && one == other;
        let differ = |one: &str, other: &str| !one.is_empty() && !other.is_empty() && one != other;
        match position(self.notice, &excluded.lot) {
            // The number of an application is known only within its lot.
            None if lot.is_some() => same(&excluded.inn, inn),
            of_lot if of_lot == lot => {
                same(&excluded.inn, inn)
                    || same(&excluded.application, application) && !differ(&excluded.inn, inn)
            }
            _ => false,
        }
    }
}
