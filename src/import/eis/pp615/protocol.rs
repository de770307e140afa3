//! Reads `pprf615ProtocolEF1` (examination) and `pprf615ProtocolEF2` (the auction), their
//! cancellations, and acts that deny a participant the contract.

use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, Node, Result};
use crate::import::eis::party::{self, PartyFields};
use crate::import::facts::{
    Exclusion615Facts, Fact, Facts, Protocol615Facts, SupplierFacts, Winner615Facts,
};

/// Paths of the number of a protocol. The platform's number comes first, because cancellations
/// refer to it.
const NUMBERS: &[&str] = &["commonInfo/docNumberExternal", "commonInfo/docNumber"];

const WINNER: PartyFields = ["winner.name", "winner.inn", "winner.kpp"];

/// Reads an examination. No auction follows if nobody was admitted, or only one participant, who
/// then gets the contract.
pub fn examination(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let mut admitted = Vec::new();
    for application in applications(document) {
        if is_admitted(&application)? {
            admitted.push(application);
        }
    }
    let (is_final, single) = match &admitted[..] {
        [] => (true, None),
        [single] => (true, Some(winner(document, single)?)),
        _ => (false, None),
    };
    protocol(kind, document, is_final, single)
}

/// Reads an auction. The application with rating 1 wins.
pub fn auction(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let applications = applications(document);
    let mut applications = applications.iter();
    let first = applications.find(|one| one.text("winner", &["appRating"]) == "1");
    let winner = first.map(|first| winner(document, first)).transpose()?;
    protocol(kind, document, true, winner)
}

fn protocol(
    kind: &Kind,
    document: &Node<'_>,
    is_final: bool,
    winner: Option<Winner615Facts>,
) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(document)?;
    let key = document.required(KEY, NUMBERS)?;
    let facts = Facts::Protocol615(Protocol615Facts {
        doc_number: document.string("winner", &["commonInfo/docNumber"]),
        is_final,
        winner: winner.unwrap_or_default(),
    });
    Ok(vec![kind.fact(document, number, key, facts)?])
}

/// Reads a `pprf615ProtocolCancel`.
pub fn cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(document)?;
    let key = document.required(KEY, &["commonInfo/canceledProtocolNumber"])?;
    let facts = Facts::ProtocolCancel615;
    Ok(vec![kind.fact(document, number, key, facts)?])
}

/// Reads a `pprf615ActDeviation` (the participant evaded the contract) or a `pprf615ActEvasion`
/// (the customer refused it).
pub fn exclusion(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(document)?;
    let key = document.required(KEY, &["commonInfo/docNumber", "externalId"])?;
    let participant = document.first(&["participantInfo"]);
    let excluded = participant.map(|one| party::read(&one, WINNER));
    let facts = Facts::Excluded615(Exclusion615Facts {
        participant: excluded,
    });
    Ok(vec![kind.fact(document, number, key, facts)?])
}

/// Reads a `pprf615ActCancel`, which cancels all versions of the act, even later ones.
pub fn exclusion_cancelled(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(document)?;
    let key = document.required(KEY, &["commonInfo/actNumber"])?;
    let mut fact = kind.fact(
        document,
        number,
        key,
        Facts::Excluded615(Exclusion615Facts::default()),
    )?;
    fact.version = i64::MAX;
    Ok(vec![fact])
}

fn applications<'e>(document: &Node<'e>) -> Vec<Node<'e>> {
    document.all(&["protocolInfo/applications/application"])
}

fn is_admitted(application: &Node<'_>) -> Result<bool> {
    let admitted = application.stated_flag("winner", &["admittedInfo/admitted"])?;
    let rejected = application.has("winner", "admittedInfo/appRejectedReason");
    Ok(!rejected && admitted.unwrap_or(true))
}

fn winner(document: &Node<'_>, application: &Node<'_>) -> Result<Winner615Facts> {
    let participant = application.first(&["appParticipantInfo"]);
    let participant =
        participant.map_or_else(SupplierFacts::default, |one| party::read(&one, WINNER));
    let numbers = ["commonInfo/docNumber", "commonInfo/docNumberExternal"];
    Ok(Winner615Facts {
        protocol_date: document.day("winner.protocolDate", &["commonInfo/signDate"])?,
        protocol_number: document.string("winner.protocolNumber", &numbers),
        participant,
        price: application.amount("winner.price", &["lastOffer/price"])?,
    })
}
