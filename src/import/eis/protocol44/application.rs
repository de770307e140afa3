//! An application in a protocol under 44-FZ: `application` of the fcs* kinds,
//! `applicationInfo` of the ep* kinds.

use crate::import::eis::node::{Node, Result};
use crate::import::eis::party;
use crate::model::{Amount, CardSupplier};

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
    "resultType",
];

/// Paths of the price of an application: that of the contract, then the last offer, then
/// the first.
const PRICES: &[&str] = &[
    "winnerPrice",
    "finalPrice",
    "admittedInfo/singleAppAdmittedInfo/finalPrice",
    "admittedInfo/appAdmittedInfo/finalPrice",
    "lastPriceOffer/price",
    "priceOffers/lastOffer/price",
    "lastOffer/price",
    "priceOffer/price",
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
];

/// An application of a lot.
#[derive(Clone, Debug)]
pub struct Application<'e> {
    element: Node<'e>,
    /// Its number. Protocols of a purchase refer to it by this.
    pub number: &'e str,
    /// Its price.
    pub price: Option<Amount>,
    /// Whether it is the best, by its rating or in the words of the protocol.
    pub is_best: bool,
}

impl<'e> Application<'e> {
    /// Reads an application.
    pub fn read(element: Node<'e>) -> Result<Self> {
        let numbers = ["journalNumber", "commonInfo/appNumber", "appNumber"];
        Ok(Self {
            number: element.text("winner", &numbers),
            price: price(&element)?,
            is_best: is_best(&element)?,
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

    /// Returns whether its participant concludes the contract, as the result of a lot says.
    pub fn concludes(&self) -> bool {
        self.element.text("winner", &["result"]) == "CC"
    }

    /// Its participant, if it is named: the first of several.
    pub fn participant(&self) -> Option<CardSupplier> {
        self.element.first(PARTICIPANTS).as_ref().and_then(card)
    }
}

fn is_best(application: &Node<'_>) -> Result<bool> {
    let rating = application.value("winner", RATINGS, |text| {
        text.parse::<u32>().map_err(|_| "a whole number")
    })?;
    let result = application.text("winner", RESULTS);
    let in_words = || {
        let is_best = application.flag("winner", &["bestOffer"])?;
        Ok(matches!(result, "WIN_OFFER" | "W") || is_best)
    };
    rating.map_or_else(in_words, |rating| Ok(rating == 1))
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

/// A participant as a card shows it; none where there is neither number nor name.
pub fn card(participant: &Node<'_>) -> Option<CardSupplier> {
    let card = party::read(participant, ["winner.name", "winner.inn", "winner.kpp"]);
    Some(card).filter(|card| !card.name.is_empty() || !card.inn.is_empty())
}
