//! Reads documents that follow a notice under 223-FZ: rejections, protocols, their cancellations,
//! and the times of auctions (`purchase.xsd`).

use super::contract::supplier;
use super::currency;
use super::lots::reference;
use crate::import::eis::kind::{Kind, Rule};
use crate::import::eis::node::{KEY, NUMBER, Node, Result};
use crate::import::eis::value;
use crate::import::facts::{
    ExcludedApplication223, Fact, Facts, LotOutcome223, Protocol223Facts, SupplierFacts,
    WinningApplication223,
};
use crate::model::{Amount, PurchaseNumber, Regime, is_rouble};

/// Reads a `purchaseRejection`.
pub fn rejection(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    kind.purchase_fact(data, "", Facts::Rejection223)
}

/// Reads a `purchaseLotCancellation` into one fact per cancelled lot. Only the notice shows whether
/// all lots of the purchase are cancelled.
pub fn lot_cancellation(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(data)?;
    data.read_all(&["cancelledLots/cancelledLot"], |lot| {
        let key = lot.required(KEY, &["ordinalNumber"])?;
        kind.fact(data, &number, key, Facts::LotCancel223)
    })
}

/// Reads a `biddingTimeInfo`: the time of day at which the auction starts. Returns no facts if the
/// number of the notice is missing.
pub fn bidding_time(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let number = data.text(NUMBER, kind.number);
    let time = data.value("auctionTime", &["pricesProvisionStartTime"], value::time)?;
    let number = PurchaseNumber::parse_under(Regime::Fz223, number);
    let (Some(number), Some(time)) = (number, time) else {
        return Ok(Vec::new());
    };
    let facts = Facts::Bidding223(time);
    Ok(vec![kind.fact(data, number, "", facts)?])
}

/// Reads a `purchaseProtocol…`. A protocol ends the purchase if every protocol of its kind does, if
/// its title says so ([`Rule::Titled`]), if it names a winner, or if it says that the purchase
/// failed. A void protocol never ends it.
pub fn protocol(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let key = data.text(KEY, &["registrationNumber", "guid"]);
    if data.text("stage", &["status"]) == "I" {
        let void = Facts::Protocol223(Protocol223Facts::default());
        return kind.purchase_fact(data, key, void);
    }
    let is_missed = data.flag("stage", &["missedContest"])?;
    let reason = data.text("stage", &["purchaseCancellationReason"]);
    let sums_up = kind.ends || (kind.rule == Rule::Titled && sums_up_by_title(data));
    let lots = data.read_all(&["lotApplicationsList/protocolLotApplications"], |lot| {
        outcome(kind, data, &lot)
    })?;
    let names_winner = lots.iter().any(|lot| !lot.winners.is_empty());
    let facts = Facts::Protocol223(Protocol223Facts {
        is_final: is_missed || !reason.is_empty() || sums_up || names_winner,
        nobody_won: NOBODY_WON.contains(&reason),
        lots,
        excluded: excluded(data),
    });
    kind.purchase_fact(data, key, facts)
}

/// Reasons for failure that leave no winner (`purchaseCancellationReasonType`). With any other
/// reason, the only participant may have won.
const NOBODY_WON: &[&str] = &[
    "NO_APPLICATIONS",
    "ACCESS_DENIED_ALL",
    "NO_PRICE_OFFERS",
    "NO_APPLICATIONS_SUBMITTED",
    "ALL_APPLICATIONS_CANCELED",
    "ALL_PARTICIPANTS_AVOIDED_CONTRACT",
];

/// Reads a `protocolCancellation`, which cancels all versions of the protocol, even later ones.
pub fn protocol_cancellation(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(data)?;
    let key = data.required(KEY, &["protocolInfo/registrationNumber"])?;
    let facts = Facts::Protocol223(Protocol223Facts::default());
    let mut fact = kind.fact(data, number, key, facts)?;
    fact.version = i64::MAX;
    Ok(vec![fact])
}

fn sums_up_by_title(data: &Node<'_>) -> bool {
    let title = data.text("stage", &["typeName"]).to_lowercase();
    let sums_up = title.contains("подведени") && title.contains("итог");
    (sums_up || title.starts_with("итоговый")) && !title.contains("переторжк")
}

fn outcome(kind: &Kind, data: &Node<'_>, lot: &Node<'_>) -> Result<LotOutcome223> {
    let date = data.day("winners.date", &["publicationDateTime"])?;
    let applications = lot.all(&["application"]);
    let mut winners = Vec::new();
    for application in winning(kind, &applications)? {
        winners.push(WinningApplication223 {
            number: application.string("winners.name", &["applicationNumber"]),
            participant: participant(application),
            date,
            price: price(kind, lot, application)?,
        });
    }
    Ok(LotOutcome223 {
        lot: reference(&lot.first_or_self(&["lot"])),
        winners,
    })
}

/// Returns the applications that are marked as winning, or else those with which the contract is to
/// be concluded. An application that was not admitted cannot win.
fn winning<'a, 'n>(kind: &Kind, applications: &'a [Node<'n>]) -> Result<Vec<&'a Node<'n>>> {
    let is_single = kind.rule == Rule::SingleSupplier && applications.len() == 1;
    let best = match kind.rule {
        Rule::BestRank => best_rank(applications)?,
        _ => None,
    };
    let mut marked = Vec::new();
    let mut signed = Vec::new();
    for application in applications {
        let is_signed = application.stated_flag("stage", &["contractSigned"])?;
        if application.text("stage", &["accepted"]) == "F" {
            continue;
        }
        if is_signed.unwrap_or(is_single) {
            signed.push(application);
        }
        let is_best = best.is_some() && rank(application)? == best;
        if is_best || is_marked(kind, application) {
            marked.push(application);
        }
    }
    Ok(if marked.is_empty() { signed } else { marked })
}

fn is_marked(kind: &Kind, application: &Node<'_>) -> bool {
    let mark = application.text("stage", &["winnerIndication"]);
    let place = application.text("stage", &["applicationPlace"]);
    let winning = match kind.rule {
        Rule::Quotations => "W",
        _ => "F",
    };
    mark == winning || place == "F"
}

fn best_rank(applications: &[Node<'_>]) -> Result<Option<u64>> {
    let mut best = None;
    for application in applications {
        let rank = rank(application)?;
        best = match (best, rank) {
            (Some(best), Some(rank)) => Some(rank.min(best)),
            (best, rank) => best.or(rank),
        };
    }
    Ok(best)
}

/// Returns the rank of an application, from 1 on. Returns `None` if the application was not
/// accepted.
fn rank(application: &Node<'_>) -> Result<Option<u64>> {
    let is_accepted = application.text("stage", &["accepted"]) == "T";
    let rank = application.count("stage", &["applicationRate"])?;
    Ok(rank.filter(|rank| is_accepted && *rank > 0))
}

/// Returns the participant, with empty fields if hidden.
fn participant(application: &Node<'_>) -> SupplierFacts {
    let resident = application.first(&["supplierInfo"]);
    let Some(resident) = resident else {
        let name = application.verbatim(
            "winners.name",
            &["nonResidentInfo/name", "nonResidentInfo/info"],
        );
        return SupplierFacts {
            name,
            ..SupplierFacts::default()
        };
    };
    supplier(&resident)
}

/// Returns the price in roubles, or `None` if offers were made in another currency.
fn price(kind: &Kind, lot: &Node<'_>, application: &Node<'_>) -> Result<Option<Amount>> {
    let paths: &[&str] = match kind.rule {
        Rule::SmallBusinessAuction => &["additionalPrice"],
        _ => &["additionalPrice", "lastPrice", "price"],
    };
    let holders = [Some(application.clone()), lot.first(&["lotParameters"])];
    let holders = holders.into_iter().flatten();
    let holders = holders.chain(lot.first(&["lot"])).chain([lot.clone()]);
    let mut codes = holders.map(|holder| currency::code(&holder, "winners.price"));
    let code = codes.find(|code| !code.is_empty()).unwrap_or_default();
    let price = application.amount("winners.price", paths)?;
    Ok(price.filter(|_| is_rouble(code)))
}

fn excluded(data: &Node<'_>) -> Option<ExcludedApplication223> {
    let found = data.first(&[
        "protocolEvasionFinalProtocolApplicationInfo",
        "protocolRejectionFinalProtocolApplicationInfo",
    ])?;
    Some(ExcludedApplication223 {
        lot: reference(&found.first_or_self(&["lot"])),
        application: found.string("winners.name", &["application/applicationNumber"]),
        inn: found.string("winners.name", &["application/supplierInfo/inn"]),
        protocol: data.string("winners.name", &["protocolInfo/registrationNumber"]),
    })
}
