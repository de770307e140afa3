//! An application in a protocol under 44-FZ: `application` of the fcs* kinds, `applicationInfo` of
//! the ep* kinds.

use crate::import::eis::node::{Node, Result};
use crate::import::eis::party;
use crate::import::facts::{RankedApplication44, SupplierFacts};
use crate::model::Amount;

/// Paths of the flag of admission, by kind of protocol.
const ADMITTED: &[&str] = &[
    "admitted",
    "admittedInfo/admitted",
    "admittedInfo/appAdmittedInfo/admitted",
    "admittedInfo/singleAppAdmittedInfo/admitted",
];

/// Paths of the rating, by kind of protocol.
const RATINGS: &[&str] = &[
    "appRating",
    "admittedInfo/appRating",
    "admittedInfo/appAdmittedInfo/appRating",
];

/// Paths of the result in words, in requests for quotations.
const RESULTS: &[&str] = &[
    "admittedInfo/resultType",
    "admittedInfo/appAdmittedInfo/resultType",
];

/// Paths of the price of an application: that of the contract, then the last offer, then
/// the first.
const PRICES: &[&str] = &[
    "winnerPrice",
    "finalPrice",
    "admittedInfo/singleAppAdmittedInfo/finalPrice",
    "lastPriceOffer/price",
    "priceOffers/lastOffer/price",
    "lastOffer/price",
    "admittedInfo/singleAppAdmittedInfo/price",
    "admittedInfo/appAdmittedInfo/price",
    "price",
    "offerPrice",
];

/// Paths of the criteria of a competition; the one of code `CP` has the price offered.
const CRITERIA: &[&str] = &[
    "admittedInfo/appAdmittedInfo/conditionsScoringInfo/*/costCriterionInfo",
    "admittedInfo/appAdmittedInfo/conditionsScoringInfo/*/costCriterion",
    "admittedInfo/conditionsScoring/*/costCriterionInfo",
    "admittedInfo/conditionsScoring/*/costCriterion",
];

/// Paths of the participant, if it is named.
const PARTICIPANTS: &[&str] = &[
    "appParticipantInfo",
    "appParticipant",
    "appParticipantsInfo/appParticipantInfo",
    "appParticipants/appParticipant",
    // Of closed procedures.
    "participantInfo",
];

/// An application of a lot.
#[derive(Clone, Debug)]
pub struct Application<'e> {
    element: Node<'e>,
    /// Its number. Protocols of a purchase refer to it by this.
    pub number: &'e str,
    /// Its price.
    pub price: Option<Amount>,
    /// Its place among those rated, by its rating or in the words of the protocol; 1 is the best.
    pub rating: Option<u32>,
}

impl<'e> Application<'e> {
    /// Reads an application.
    pub fn read(element: Node<'e>) -> Result<Self> {
        Ok(Self {
            number: element.text("winner", &["journalNumber", "commonInfo/appNumber"]),
            price: price(&element)?,
            rating: rating(&element)?,
            element,
        })
    }

    /// Returns whether it was admitted.
    pub fn is_admitted(&self) -> Result<bool> {
        let mut is_admitted = self.element.text("winner", RESULTS) == "ADMITTED_OFFER";
        for path in ADMITTED {
            is_admitted |= self.element.flag("winner", &[path])?;
        }
        Ok(is_admitted)
    }

    /// Returns whether the protocol says that it was not admitted.
    pub fn is_rejected(&self) -> Result<bool> {
        let not_admitted = "admittedInfo/appNotAdmittedInfo";
        let stated = self.element.stated_flag("winner", ADMITTED)?;
        Ok(stated == Some(false) || self.element.has("winner", not_admitted))
    }

    /// Whether its participant concludes the contract, if the result of the lot says so.
    pub fn concludes(&self) -> Option<bool> {
        match self.element.text("winner", &["result"]) {
            "" => None,
            result => Some(result == "CC"),
        }
    }

    /// The application with its participant, if it is named: the first of several.
    pub fn ranked(&self) -> RankedApplication44 {
        let participant = self.element.first(PARTICIPANTS);
        RankedApplication44 {
            number: self.number.to_owned(),
            participant: participant.as_ref().and_then(card),
            price: self.price,
        }
    }
}

fn rating(application: &Node<'_>) -> Result<Option<u32>> {
    let rating = application.value("winner", RATINGS, |text| {
        text.parse::<u32>().map_err(|_| "a whole number")
    })?;
    let in_words = match application.text("winner", RESULTS) {
        "WIN_OFFER" | "W" => Some(1),
        // The same price as the winner's, submitted later.
        "LIKE_WIN_OFFER" => Some(2),
        "SECOND_OFFER" | "S" => Some(3),
        _ => None,
    };
    Ok(rating.filter(|rating| *rating > 0).or(in_words))
}

fn price(application: &Node<'_>) -> Result<Option<Amount>> {
    let field = "winner.price";
    if let Some(price) = application.amount(field, PRICES)? {
        return Ok(Some(price));
    }
    let criteria = application.all(CRITERIA);
    let mut criteria = criteria.iter();
    let by_price = criteria.find(|one| one.text(field, &["code", "criterionCode"]) == "CP");
    by_price.map_or(Ok(None), |criterion| criterion.amount(field, &["offer"]))
}

/// A participant as a card shows it; `None` if it has neither number nor name.
pub fn card(participant: &Node<'_>) -> Option<SupplierFacts> {
    let card = party::read(participant, ["winner.name", "winner.inn", "winner.kpp"]);
    Some(card).filter(|card| !card.name.is_empty() || !card.inn.is_empty())
}
