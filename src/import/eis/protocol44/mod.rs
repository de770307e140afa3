//! Reads protocols under 44-FZ and their cancellations: who won, and at what price (manual, Fields,
//! "Winner"; schemas `IntegrationTypes.xsd` and `IntegrationEPTypes.xsd`).
//!
//! If a platform publishes a protocol again under a different number, both are kept, and the newer
//! one counts.

mod application;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::generation::{ByGeneration, Generation};
use super::kind::{Kind, Rule};
use super::node::{KEY, NUMBER, Node, Result, element_of};
use crate::import::facts::{
    Fact, Facts, LotOutcome44, Offer44, Protocol44Facts, RankedApplication44, SigningCancel44,
    Suspension44, Withdrawal44,
};
use crate::model::{PurchaseNumber, Regime, is_rouble};
use application::{Application, LotPaths, OF_RESULT};

/// Upper bound on the ranked applications of a lot: the winner's, and those next in line.
const MAX_RANKED: usize = 20;

/// Reads the cancellation of a protocol. The key is the protocol's number.
pub fn cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    const CANCELLED: ByGeneration = ByGeneration {
        fcs: &["protocolNumber"],
        ep: &["commonInfo/canceledProtocolNumber"],
    };
    let key = document.required(KEY, CANCELLED.of(kind.generation))?;
    kind.purchase_fact(document, key, Facts::ProtocolCancel44)
}

/// Reads a protocol. It is final if its kind is; with [`Rule::AuctionWithoutOffers`], only if
/// somebody made an offer. It is also final if no lot has an application left. The key is the
/// number of the protocol; in `ep*`, this is the platform's number (`docNumberExternal`), because
/// cancellations refer to that.
pub fn protocol(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    const KEYS: ByGeneration = ByGeneration {
        fcs: &["protocolNumber", "docNumber", "id"],
        ep: &["commonInfo/docNumberExternal", "commonInfo/docNumber", "id"],
    };
    /// The protocol that this one replaces. Only `fcs*` protocols name one; in `ep*`, a changed
    /// protocol is a new version.
    const REPLACED: ByGeneration = ByGeneration {
        fcs: &["parentProtocolNumber"],
        ep: &[],
    };
    let key = document.text(KEY, KEYS.of(kind.generation));
    let names_winner = kind.ends && kind.rule != Rule::PreliminarySelection;
    let participants = participants(kind, document);
    let of_all = match kind.generation {
        Generation::Fcs => abandoned(document, kind.generation),
        Generation::Ep => "",
    };
    let mut lots = Vec::new();
    let mut reasons = Vec::new();
    for place in application::lots(kind.generation) {
        for lot in document.all(&[place.path]) {
            let reason = match abandoned(&lot, kind.generation) {
                "" => of_all,
                reason => reason,
            };
            reasons.push(reason);
            let outcome = protocol_outcome(&lot, place, names_winner, &participants)?;
            lots.push(LotOutcome44 {
                lot: lot_number(&lot, kind.generation)?,
                nobody: leaves_none(reason) || outcome.nobody,
                ..outcome
            });
        }
    }
    let none_left = !lots.is_empty() && reasons.iter().all(|reason| leaves_none(reason));
    let no_offers = reasons.iter().any(|reason| reason.ends_with("NS"));
    let ends = kind.ends && !(no_offers && kind.rule == Rule::AuctionWithoutOffers);
    let facts = Protocol44Facts {
        doc_number: document.string(KEY, DOC_NUMBER.of(kind.generation)),
        replaces: document.string("winner", REPLACED.of(kind.generation)),
        is_final: ends || none_left,
        is_signed: false,
        lots,
    };
    kind.purchase_fact(document, key, Facts::Protocol44(facts))
}

/// Reads a notice that no applications were submitted. It ends the purchase and has no lots.
pub fn no_applications(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let numbers = ["commonInfo/docNumberExternal", "commonInfo/docNumber", "id"];
    let facts = Protocol44Facts {
        doc_number: document.string(KEY, &["commonInfo/docNumber"]),
        is_final: true,
        ..Protocol44Facts::default()
    };
    let key = document.text(KEY, &numbers);
    kind.purchase_fact(document, key, Facts::Protocol44(facts))
}

const DOC_NUMBER: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &["commonInfo/docNumber"],
};

/// Returns why a lot, or every lot, failed (`abandonedReason`): a type, or a code that ends with
/// the type.
fn abandoned<'e>(source: &Node<'e>, generation: Generation) -> &'e str {
    const REASON: ByGeneration = ByGeneration {
        fcs: &["abandonedReason/type", "abandonedReason/code"],
        ep: &["abandonedReason/code"],
    };
    source.text("stage", REASON.of(generation))
}

/// Returns whether no application was submitted (`NR`) or admitted (`NV`, `NV2`, …).
fn leaves_none(reason: &str) -> bool {
    let kind = reason.trim_end_matches(|letter: char| letter.is_ascii_digit());
    kind.ends_with("NR") || kind.ends_with("NV")
}

/// Returns the participants by application number. Protocols whose names end in `Part` list them
/// separately from the applications.
fn participants<'e>(kind: &Kind, document: &Node<'e>) -> HashMap<&'e str, Node<'e>> {
    if kind.generation == Generation::Fcs {
        return HashMap::new();
    }
    let entries = document.all(&["appParticipantsInfo/appParticipantInfo"]);
    let participant = |entry: Node<'e>| {
        let number = entry.text("winner", &["appNumber"]);
        Some((number, entry.first(&["participantInfo"])?))
    };
    entries.into_iter().filter_map(participant).collect()
}

/// Reads the outcome of a lot. Applications are ranked only if the protocol names a winner. Then
/// all rated applications are ranked, or the only one that was admitted.
fn protocol_outcome(
    lot: &Node<'_>,
    place: &'static LotPaths,
    names_winner: bool,
    participants: &HashMap<&str, Node<'_>>,
) -> Result<LotOutcome44> {
    let mut applications = Vec::new();
    for place in place.applications {
        applications.extend(Application::read_all(lot, place)?);
    }
    let mut candidates = Vec::new();
    let mut rejects_all = false;
    if names_winner {
        for application in &applications {
            if !application.is_rejected()? {
                candidates.push((application, application.is_admitted()?));
            }
        }
        rejects_all = candidates.is_empty() && !applications.is_empty();
    }
    let mut ranked = ranked(&candidates);
    for one in &mut ranked {
        if one.participant.is_none() {
            let apart = participants.get(one.number.as_str());
            one.participant = apart.and_then(application::card);
        }
    }
    Ok(LotOutcome44 {
        nobody: rejects_all,
        ..outcome(&applications, ranked)
    })
}

/// Returns the rated applications, best first. The flag of a candidate says whether it was
/// admitted, or whether its participant concludes the contract. If none has rating 1, returns the
/// only candidate whose flag is set, because protocols with a single application give no ratings.
fn ranked(candidates: &[(&Application<'_>, bool)]) -> Vec<RankedApplication44> {
    let rated = candidates
        .iter()
        .filter_map(|(one, _)| Some((one.rating?, *one)));
    let mut rated: Vec<(u32, &Application<'_>)> = rated.collect();
    rated.sort_by_key(|(rating, _)| *rating);
    if rated.first().is_none_or(|(rating, _)| *rating > 1) {
        let mut sole = candidates.iter().filter(|(_, is_sole)| *is_sole);
        rated = match (sole.next(), sole.next()) {
            (Some((one, _)), None) => vec![(1, one)],
            _ => Vec::new(),
        };
    }
    rated.truncate(MAX_RANKED);
    rated.into_iter().map(|(_, one)| one.ranked()).collect()
}

fn outcome(applications: &[Application<'_>], ranked: Vec<RankedApplication44>) -> LotOutcome44 {
    let offered = |one: &Application<'_>| {
        let price = one.price.filter(|_| !one.number.is_empty())?;
        Some(Offer44 {
            application: one.number.to_owned(),
            price,
        })
    };
    LotOutcome44 {
        ranked,
        offers: applications.iter().filter_map(offered).collect(),
        ..LotOutcome44::default()
    }
}

fn lot_number(lot: &Node<'_>, generation: Generation) -> Result<Option<u64>> {
    const NUMBER: ByGeneration = ByGeneration {
        fcs: &["lotNumber"],
        ep: &[],
    };
    lot.count("lotNumber", NUMBER.of(generation))
}

/// Reads a `fcsPlacementResult`, which comes with the protocol of one lot and does not name
/// participants. An application rated first has not won if its participant does not conclude the
/// contract (`result` `RC`). If only one participant does, that participant has won.
pub fn placement_result(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let protocol = document.text(KEY, &["foundationProtocolNumber", "protocolNumber"]);
    let key = format!("{protocol} result {}", document.text(KEY, &["lotNumber"]));
    let applications = Application::read_all(document, OF_RESULT)?;
    let concluding = applications
        .iter()
        .filter(|one| one.concludes() == Some(true));
    let concluding: Vec<_> = concluding.map(|one| (one, true)).collect();
    let refusing = applications
        .iter()
        .filter(|one| one.concludes() == Some(false) && !one.number.is_empty());
    let outcome = LotOutcome44 {
        lot: document.count("lotNumber", &["lotNumber"])?,
        refused: refusing.map(|one| one.number.to_owned()).collect(),
        ..outcome(&applications, ranked(&concluding))
    };
    let facts = Protocol44Facts {
        is_final: true,
        lots: vec![outcome],
        ..Protocol44Facts::default()
    };
    kind.purchase_fact(document, &key, Facts::Protocol44(facts))
}

/// Reads a `fcsContractSign`: the supplier and the price of the signed contract.
pub fn contract_sign(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let key = format!("contract {}", document.text(KEY, &["id", "number"]));
    let supplier = document.first(&["suppliers/supplier"]);
    let application = RankedApplication44 {
        number: String::new(),
        participant: supplier.as_ref().and_then(application::card),
        price: document.roubles("winner.price", "priceRUR", "price", "currency/code")?,
    };
    let facts = signed(application);
    kind.purchase_fact(document, &key, Facts::Protocol44(facts))
}

/// Reads a `cpContractSign`, the successor of `fcsContractSign`. The price is that of the contract,
/// even if negotiations have changed it (schema 16.2, `contractInfo/price`).
pub fn electronic_contract_sign(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = document.text(KEY, &["commonInfo/number"]);
    let participant = document.first(&["participantInfo"]);
    let price = document.amount("winner.price", &["contractInfo/price"])?;
    let currency = document.text("winner.price", &["contractInfo/currency/code"]);
    let application = RankedApplication44 {
        number: document.string("winner", &["appNumber"]),
        participant: participant.as_ref().and_then(application::card),
        price: price.filter(|_| is_rouble(currency)),
    };
    let facts = signed(application);
    kind.purchase_fact(
        document,
        &format!("contract {number}"),
        Facts::Protocol44(facts),
    )
}

fn signed(application: RankedApplication44) -> Protocol44Facts {
    Protocol44Facts {
        is_final: true,
        is_signed: true,
        lots: vec![LotOutcome44 {
            ranked: vec![application],
            ..LotOutcome44::default()
        }],
        ..Protocol44Facts::default()
    }
}

/// Reads a protocol of evasion or deviation: which application is excluded, and for which customer.
pub fn withdrawal(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    const KEYS: ByGeneration = ByGeneration {
        fcs: &["protocolNumber", "id"],
        ep: &["commonInfo/docNumber", "id"],
    };
    const EXTERNAL_NUMBER: ByGeneration = ByGeneration {
        fcs: &[],
        ep: &["commonInfo/docNumberExternal"],
    };
    /// Number in EIS of the protocol that this one replaces.
    const REPLACED: ByGeneration = ByGeneration {
        fcs: &["parentProtocolNumber"],
        ep: &["modificationInfo/parentProtocolNumber"],
    };
    const LOT: ByGeneration = ByGeneration {
        fcs: &["protocolLot"],
        ep: &["protocolInfo"],
    };
    const APPLICATION: ByGeneration = ByGeneration {
        fcs: &["application"],
        ep: &["applicationInfo"],
    };
    const PARTICIPANT: ByGeneration = ByGeneration {
        fcs: &[
            "appParticipantsInfo/appParticipantInfo",
            "appParticipants/appParticipant",
        ],
        ep: &["appParticipantsInfo/appParticipantInfo"],
    };
    let key = document.text(KEY, KEYS.of(kind.generation));
    let lot = LOT.of(kind.generation);
    let lot = document.needed(document.first(lot), element_of(lot))?;
    let (mut number, mut participant) = (String::new(), None);
    if let Some(application) = lot.first(APPLICATION.of(kind.generation)) {
        number = application.string("winner", &["journalNumber"]);
        participant = application.first(PARTICIPANT.of(kind.generation));
    }
    let facts = Withdrawal44 {
        external_number: document.string(KEY, EXTERNAL_NUMBER.of(kind.generation)),
        replaces: document.string("winner", REPLACED.of(kind.generation)),
        lot: lot_number(&lot, kind.generation)?,
        application: number,
        participant: participant.as_ref().and_then(application::card),
        customer: lot.string("winner", &["customer/regNum"]),
        draft: String::new(),
    };
    kind.purchase_fact(document, key, Facts::Withdrawal44(facts))
}

/// Reads a refusal to conclude the contract with a participant (`cpRefusalConcludeContract`), or a
/// notice of deviation or evasion (`cpNoticeDeviation`, `cpNoticeEvasion`). They refer to the draft
/// contract, whose number is the purchase number followed by four digits (schema 16.2,
/// `contractProjNumType`).
pub fn refusal(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = purchase_of_draft(kind, document)?;
    let draft = document.string(KEY, kind.number);
    let participant = document.first(&["participantInfo"]);
    let key = match document.text(KEY, &["commonInfo/docNumber"]) {
        "" => draft.as_str(),
        number => number,
    };
    let facts = Withdrawal44 {
        application: document.string("winner", &["printFormFieldsInfo/appNumber"]),
        participant: participant.as_ref().and_then(application::card),
        draft: draft.clone(),
        ..Withdrawal44::default()
    };
    let fact = kind.fact(document, number, key, Facts::Withdrawal44(facts))?;
    Ok(vec![fact])
}

fn purchase_of_draft(kind: &Kind, document: &Node<'_>) -> Result<PurchaseNumber> {
    let of_purchase = |draft: &str| PurchaseNumber::parse_under(Regime::Fz44, draft.get(..19)?);
    let number = document.value(NUMBER, kind.number, |draft| {
        of_purchase(draft).ok_or("the number of a draft contract, of 23 digits")
    })?;
    document.needed(number, element_of(kind.number))
}

/// Reads a `cpProcedureCancel`. The contract of the given draft will not be concluded, even if it
/// was already signed.
pub fn signing_cancelled(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    signing_cancel(kind, document, "commonInfo/docNumber", false)
}

/// Reads a `cpProcedureCancelFailure`, which revokes a `cpProcedureCancel`.
pub fn signing_goes_on(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    signing_cancel(kind, document, "canceledDocNumber", true)
}

fn signing_cancel(kind: &Kind, document: &Node<'_>, key: &str, revoked: bool) -> Result<Vec<Fact>> {
    let number = purchase_of_draft(kind, document)?;
    let draft = document.string(KEY, kind.number);
    let key = match document.text(KEY, &[key]) {
        "" => draft.clone(),
        number => number.to_owned(),
    };
    let facts = Facts::SigningCancel44(SigningCancel44 { draft, revoked });
    Ok(vec![kind.fact(document, number, &key, facts)?])
}

/// Reads the cancellation of a protocol of evasion or deviation, which is named by its number in
/// EIS or on the platform (schema 16.2, `protocolEvDevCancelType`).
pub fn withdrawal_cancelled(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let paths = [
        "commonInfo/canceledProtocolNumber",
        "commonInfo/canceledProtocolNumberExternal",
    ];
    let key = document.required(KEY, &paths)?;
    kind.purchase_fact(document, key, Facts::WithdrawalCancel44)
}

/// Reads an authority's decision to suspend purchases until a complaint or inspection is settled,
/// or to resume them. Older documents list the purchases in `tendersInfo`, together with orders
/// under 94-FZ, which have no card.
pub fn suspension(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let paths = [&["regNumber"], &["complaintNumber"], &["checkNumber"]];
    let numbers = paths.map(|path| document.string(KEY, path));
    let action = document.value("stage", &["action"], |action| match action {
        "SUSPENSION" => Ok(true),
        "REOPENING" => Ok(false),
        _ => Err("SUSPENSION or REOPENING"),
    })?;
    let suspension = Suspension44 {
        suspended: document.needed(action, "action")?,
        numbers: numbers
            .iter()
            .filter(|one| !one.is_empty())
            .cloned()
            .collect(),
    };
    let key = numbers.join("/");
    let purchases = document.all(&["purchaseInfo", "tendersInfo/purchase"]);
    let fact = |purchase: &Node<'_>| {
        let number = purchase.value(NUMBER, &["purchaseNumber"], |text| {
            PurchaseNumber::parse_under(Regime::Fz44, text).ok_or(
                "a number under 44-FZ, of 19 \
                 digits",
            )
        })?;
        let number = purchase.needed(number, "purchaseNumber")?;
        kind.fact(
            document,
            number,
            &key,
            Facts::Suspension44(suspension.clone()),
        )
    };
    purchases.iter().map(fact).collect()
}
