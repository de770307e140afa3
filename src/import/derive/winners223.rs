//! Finds the winners of each lot under 223-FZ: the suppliers in the contracts, or if those name
//! none, the winners in the newest protocol. Applications that later documents exclude do not
//! count.

use std::collections::{BTreeMap, BTreeSet};

use super::StoredFacts;
use crate::import::facts::{
    Contract223Facts, ExcludedApplication223, Facts, LotOutcome223, LotReference223,
    Notice223Facts, Protocol223Facts, SupplierFacts, WinningApplication223,
};
use crate::model::Winner223;

/// Position of a lot in the notice; `None` if the document refers to no lot of the notice.
pub type LotPosition = Option<usize>;

/// Returns the winners in the order of the lots. For a cancelled lot (`is_cancelled`), ignores the
/// winners in protocols.
pub fn winners(
    notice: &Notice223Facts,
    stored: &[StoredFacts],
    is_cancelled: impl Fn(LotPosition) -> bool,
) -> Vec<Winner223> {
    let lots = Lots::new(notice);
    let mut by_lot: BTreeMap<LotPosition, Vec<&Contract223Facts>> = BTreeMap::new();
    for contract in contracts_in_force(stored) {
        let lot = lots.position(&contract.lot);
        by_lot.entry(lot).or_default().push(contract);
    }
    let mut signed = |lot: LotPosition| outranking(&by_lot.remove(&lot).unwrap_or_default());
    let all = lots.all();
    let elsewhere = match all.contains(&None) {
        true => Vec::new(),
        false => signed(None),
    };
    let known_elsewhere = identities(&elsewhere);
    let mut protocols = Protocols::new(&lots, stored);
    let mut winners = Vec::new();
    for lot in all {
        let mut named = match is_cancelled(lot) {
            true => Vec::new(),
            false => protocols.winners(lot),
        };
        named.retain(|winner| !known_elsewhere.contains(identity(winner)));
        winners.extend(of_lot(signed(lot), named));
    }
    winners.extend(elsewhere);
    winners
}

/// Merges the winners of a lot according to contracts (`signed`) and protocols (`named`). A
/// supplier who signed a contract takes precedence over the protocol. If the protocol names several
/// winners and this supplier is one of them, the others are kept. A contract that hides the
/// supplier counts only if no protocol names a winner.
fn of_lot(signed: Vec<Winner223>, named: Vec<Winner223>) -> Vec<Winner223> {
    let known = identities(&signed);
    if known.is_empty() {
        let by_protocol = named.iter().any(is_known) || signed.is_empty();
        return if by_protocol { named } else { signed };
    }
    let is_signed = |winner: &Winner223| known.contains(identity(winner));
    let others: Vec<Winner223> = match named.iter().any(is_signed) {
        true => named.into_iter().filter(|one| !is_signed(one)).collect(),
        false => Vec::new(),
    };
    signed.into_iter().chain(others).collect()
}

/// Returns the INN, or else the name. Empty if the winner is hidden.
fn identity(winner: &Winner223) -> &str {
    match winner.inn.as_str() {
        "" => &winner.name,
        inn => inn,
    }
}

fn identities(winners: &[Winner223]) -> BTreeSet<String> {
    let known = winners.iter().filter(|winner| is_known(winner));
    known.map(|winner| identity(winner).to_owned()).collect()
}

fn is_known(winner: &Winner223) -> bool {
    !identity(winner).is_empty()
}

/// Returns the newest valid record of each contract, oldest contract first. Each change of a
/// contract is a record of its own. If the change is annulled, the previous record applies.
fn contracts_in_force(stored: &[StoredFacts]) -> Vec<&Contract223Facts> {
    let mut newest: BTreeMap<&str, (&StoredFacts, &Contract223Facts)> = BTreeMap::new();
    for one in stored {
        let Facts::Contract223(contract) = &*one.facts else {
            continue;
        };
        if contract.annulled {
            continue;
        }
        let number = one.key.split('/').next().unwrap_or_default();
        let known = newest.entry(number).or_insert((one, contract));
        if (one.published, &one.key) > (known.0.published, &known.0.key) {
            *known = (one, contract);
        }
    }
    let mut contracts: Vec<_> = newest.into_values().collect();
    contracts.sort_by_key(|(one, contract)| (contract.date, &one.key));
    contracts
        .into_iter()
        .map(|(_, contract)| contract)
        .collect()
}

/// Returns the winners according to the contracts of a lot. Records of the contract registry take
/// precedence over other documents, unless they hide the suppliers.
fn outranking(contracts: &[&Contract223Facts]) -> Vec<Winner223> {
    let of = |is_of_registry: bool| {
        let contracts = contracts
            .iter()
            .filter(move |one| one.is_of_registry == is_of_registry);
        contracts.flat_map(|contract| suppliers(contract))
    };
    let registry: Vec<Winner223> = of(true).collect();
    // Outside of the registry, a change of a contract is a separate document that does not refer to
    // the original, so the last document of each supplier counts.
    let mut newest: BTreeMap<String, Winner223> = BTreeMap::new();
    for winner in of(false) {
        newest.insert(identity(&winner).to_owned(), winner);
    }
    let others: Vec<Winner223> = newest.into_values().collect();
    let is_better = registry.iter().any(is_known) || !others.iter().any(is_known);
    match is_better && !registry.is_empty() {
        true => registry,
        false => others,
    }
}

/// Returns the suppliers of a contract as winners, each with the full price. If the suppliers are
/// hidden but the price is not, returns one winner with only the date and the price.
fn suppliers(contract: &Contract223Facts) -> Vec<Winner223> {
    let winner = |supplier: &SupplierFacts| Winner223 {
        name: supplier.name.clone(),
        inn: supplier.inn.clone(),
        kpp: supplier.kpp.clone(),
        date: contract.date,
        price: contract.price,
    };
    match &contract.suppliers[..] {
        [] if contract.price.is_some() => vec![winner(&SupplierFacts::default())],
        suppliers => suppliers.iter().map(winner).collect(),
    }
}

fn winner(application: &WinningApplication223) -> Winner223 {
    let participant = application.participant.clone();
    Winner223 {
        name: participant.name,
        inn: participant.inn,
        kpp: participant.kpp,
        date: application.date,
        price: application.price,
    }
}

struct Lots<'n> {
    count: usize,
    by_number: BTreeMap<&'n str, usize>,
    by_guid: BTreeMap<&'n str, usize>,
}

impl<'n> Lots<'n> {
    fn new(notice: &'n Notice223Facts) -> Self {
        let lots = notice.card.lots.iter().enumerate();
        let guids = notice.lot_guids.iter().enumerate();
        Self {
            count: notice.card.lots.len(),
            by_number: lots.map(|(at, lot)| (lot.number.as_str(), at)).collect(),
            by_guid: guids.map(|(at, guid)| (guid.as_str(), at)).collect(),
        }
    }

    /// Returns the positions of all lots, or a single `None` if the notice has no lots.
    fn all(&self) -> Vec<LotPosition> {
        match self.count {
            0 => vec![None],
            count => (0..count).map(Some).collect(),
        }
    }

    /// Returns the position of the lot referred to: the only lot, or the one with the given number
    /// or GUID.
    fn position(&self, lot: &LotReference223) -> LotPosition {
        match self.count {
            0 => None,
            1 => Some(0),
            _ if !lot.number.is_empty() => self.by_number.get(lot.number.as_str()).copied(),
            _ if !lot.guid.is_empty() => self.by_guid.get(lot.guid.as_str()).copied(),
            _ => None,
        }
    }
}

struct LotProtocol<'s> {
    stored: &'s StoredFacts,
    protocol: &'s Protocol223Facts,
    outcomes: Vec<&'s LotOutcome223>,
}

struct Protocols<'s> {
    newest_first: BTreeMap<LotPosition, Vec<LotProtocol<'s>>>,
    excluded: BTreeMap<LotPosition, Vec<(&'s StoredFacts, &'s ExcludedApplication223)>>,
}

impl<'s> Protocols<'s> {
    fn new(lots: &Lots<'_>, stored: &'s [StoredFacts]) -> Self {
        let protocols = stored.iter().filter_map(|stored| match &*stored.facts {
            Facts::Protocol223(facts) => Some((stored, facts)),
            _ => None,
        });
        let mut protocols: Vec<_> = protocols.collect();
        protocols
            .sort_by_key(|(stored, _)| std::cmp::Reverse((stored.published, stored.key.as_str())));
        let mut all = Self {
            newest_first: BTreeMap::new(),
            excluded: BTreeMap::new(),
        };
        for (stored, protocol) in protocols {
            let mut by_lot: BTreeMap<LotPosition, Vec<&LotOutcome223>> = BTreeMap::new();
            for outcome in &protocol.lots {
                let lot = lots.position(&outcome.lot);
                by_lot.entry(lot).or_default().push(outcome);
            }
            // A protocol that lists no lots is about the only lot, or if the notice lists none
            // either, about the whole purchase.
            if lots.count < 2 {
                by_lot.entry((lots.count == 1).then_some(0)).or_default();
            }
            for (lot, outcomes) in by_lot {
                all.newest_first.entry(lot).or_default().push(LotProtocol {
                    stored,
                    protocol,
                    outcomes,
                });
            }
            if let Some(excluded) = &protocol.excluded {
                let of_lot = all
                    .excluded
                    .entry(lots.position(&excluded.lot))
                    .or_default();
                of_lot.push((stored, excluded));
            }
        }
        all
    }

    /// Returns the winners of a lot in the newest protocol that names any, without excluded
    /// applications. If a newer protocol says that nobody won, older ones are ignored.
    fn winners(&mut self, lot: LotPosition) -> Vec<Winner223> {
        for of_lot in self.newest_first.remove(&lot).unwrap_or_default() {
            let winners = || of_lot.outcomes.iter().flat_map(|outcome| &outcome.winners);
            if winners().next().is_some() {
                let named = winners().filter(|application| {
                    let participant = &application.participant;
                    let is_hidden = participant.inn.is_empty() && participant.name.is_empty();
                    let says_something = !is_hidden || application.price.is_some();
                    says_something && !self.is_excluded(of_lot.stored, lot, application)
                });
                return named.map(winner).collect();
            }
            if of_lot.protocol.nobody_won {
                break;
            }
        }
        Vec::new()
    }

    /// Returns whether an evasion or a refusal excludes an application that won in a protocol. It
    /// applies if it names that protocol, or was not published before it.
    fn is_excluded(
        &self,
        protocol: &StoredFacts,
        lot: LotPosition,
        application: &WinningApplication223,
    ) -> bool {
        let inn = application.participant.inn.as_str();
        let same = |one: &str, other: &str| !one.is_empty() && one == other;
        let applies = |stored: &StoredFacts, excluded: &ExcludedApplication223| {
            let is_later = stored.published == 0 || stored.published >= protocol.published;
            excluded.protocol == protocol.key || is_later
        };
        let of = |lot: LotPosition| self.excluded.get(&lot).into_iter().flatten();
        let of_lot = of(lot).any(|(stored, excluded)| {
            let of_others = !excluded.inn.is_empty() && !inn.is_empty();
            let is_application = same(&excluded.application, &application.number) && !of_others;
            applies(stored, excluded) && (same(&excluded.inn, inn) || is_application)
        });
        // Application numbers are unique only within a lot, so compare INNs.
        let of_unknown_lot = of(None)
            .any(|(stored, excluded)| applies(stored, excluded) && same(&excluded.inn, inn));
        of_lot || of_unknown_lot
    }
}
