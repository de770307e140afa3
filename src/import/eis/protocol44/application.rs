//! An application in a protocol under 44-FZ: `application` of the fcs* kinds,
//! `applicationInfo` of the ep* kinds.

use super::super::element::Element;
use super::super::value::{Result, amount, first_amount, flag, person_name};
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
    "admittedInfo/appAdmittedInfo/conditionsScoringInfo",
    "admittedInfo/conditionsScoring",
];

/// The application's number, by which protocols of a purchase name it.
pub fn number<'e>(application: &'e Element<'_>) -> &'e str {
    application.first_text(&["journalNumber", "commonInfo/appNumber", "appNumber"])
}

/// Was it admitted?
pub fn admitted(application: &Element<'_>) -> Result<bool> {
    for path in ADMITTED {
        if flag(application, path)? {
            return Ok(true);
        }
    }
    Ok(application.first_text(RESULTS) == "ADMITTED_OFFER")
}

/// Is it the best, by its rating or in the words of the protocol?
pub fn is_best(application: &Element<'_>) -> Result<bool> {
    let rating = application.first_text(RATINGS);
    if !rating.is_empty() {
        return match rating.parse::<u32>() {
            Ok(rating) => Ok(rating == 1),
            Err(_) => Err("appRating: not a whole number".to_owned()),
        };
    }
    let result = application.first_text(RESULTS);
    Ok(matches!(result, "WIN_OFFER" | "W") || flag(application, "bestOffer")?)
}

/// Its price.
pub fn price(application: &Element<'_>) -> Result<Option<Amount>> {
    if let Some(price) = first_amount(application, PRICES)? {
        return Ok(Some(price));
    }
    for path in CRITERIA {
        let scorings = application.at(path).map_or(&[][..], Element::children);
        let criteria = scorings.iter().flat_map(Element::children);
        let by_price = criteria
            .filter(|criterion| matches!(criterion.name, "costCriterionInfo" | "costCriterion"))
            .find(|criterion| criterion.first_text(&["code", "criterionCode"]) == "CP");
        if let Some(criterion) = by_price {
            return amount(criterion, "offer").map_err(|problem| format!("{path}/{problem}"));
        }
    }
    Ok(None)
}

/// Its participant, if it is named: the first of several.
pub fn participant(application: &Element<'_>) -> Option<CardSupplier> {
    let places = [
        "appParticipantInfo",
        "appParticipant",
        "appParticipantsInfo/appParticipantInfo",
        "appParticipants/appParticipant",
    ];
    let found = places.iter().find_map(|path| application.at(path))?;
    card(found)
}

/// The elements that hold a participant, by its kind (`participantType` of
/// `CommonTypes.xsd`).
const PARTIES: &[&str] = &[
    "legalEntityRFInfo",
    "legalEntityForeignStateInfo",
    "individualPersonRFInfo",
    "individualPersonForeignStateInfo",
];

/// A participant as a card shows it: `zfcs_participantType` (`inn`,
/// `organizationName`) or `participantType` (`legalEntityRFInfo/INN`, …). None
/// where there is neither number nor name.
pub fn card(participant: &Element<'_>) -> Option<CardSupplier> {
    let party = participant
        .children()
        .iter()
        .find(|child| PARTIES.contains(&child.name))
        .unwrap_or(participant);
    let registered = "registerInRFTaxBodiesInfo";
    let name = party.first_words(&["fullName", "organizationName", "firmName", "shortName"]);
    let person = ["nameInfo", "contactInfo"]
        .iter()
        .filter_map(|path| party.at(path))
        .chain(std::iter::once(party))
        .map(person_name)
        .find(|name| !name.is_empty());
    let card = CardSupplier {
        name: match name {
            "" => person.unwrap_or_default(),
            name => name.to_owned(),
        },
        inn: party
            .first_text(&["INN", "inn", &format!("{registered}/INN"), "taxPayerCode"])
            .to_owned(),
        kpp: party
            .first_text(&["KPP", "kpp", &format!("{registered}/KPP")])
            .to_owned(),
    };
    Some(card).filter(|card| !card.name.is_empty() || !card.inn.is_empty())
}
