//! Reads applications in a protocol under 44-FZ: `application` (`fcs*`) or `applicationInfo`
//! (`ep*`).

use crate::import::eis::generation::Generation;
use crate::import::eis::node::{Node, Paths, Result};
use crate::import::eis::party;
use crate::import::facts::{RankedApplication44, SupplierFacts};
use crate::model::Amount;

/// Path of the applications of a lot, and the paths of values in an application.
#[derive(Debug)]
pub struct ApplicationPaths {
    path: &'static str,
    number: Paths<'static>,
    admitted: Paths<'static>,
    /// An element that only rejected applications have.
    rejected: Paths<'static>,
    rating: Paths<'static>,
    /// The result as a word, which requests for quotations state.
    result: Paths<'static>,
    /// The contract's price, or else the last offer, or else the first.
    price: Paths<'static>,
    /// The criteria of a contest. The one with code `CP` has the price offered.
    criteria: Paths<'static>,
    criterion: Paths<'static>,
    participant: Paths<'static>,
}

const NOTHING: ApplicationPaths = ApplicationPaths {
    path: "",
    number: &["journalNumber"],
    admitted: &[],
    rejected: &[],
    rating: &[],
    result: &[],
    price: &[],
    criteria: &[],
    criterion: &[],
    participant: &[],
};

/// Path of the lots of a protocol, and the paths of their applications.
#[derive(Debug)]
pub struct LotPaths {
    pub path: &'static str,
    pub applications: &'static [ApplicationPaths],
}

pub const fn lots(generation: Generation) -> &'static [LotPaths] {
    match generation {
        Generation::Fcs => FCS,
        Generation::Ep => EP,
    }
}

const FCS: &[LotPaths] = &[
    LotPaths {
        path: "protocolLot",
        applications: &[
            ApplicationPaths {
                path: "application",
                admitted: &["admitted"],
                price: &["winnerPrice"],
                participant: &["appParticipantInfo", "appParticipant"],
                ..NOTHING
            },
            ApplicationPaths {
                path: "applications/application",
                admitted: &["admitted"],
                rating: &["appRating", "admittedInfo/appRating"],
                result: &["admittedInfo/resultType"],
                price: &[
                    "winnerPrice",
                    "priceOffers/lastOffer/price",
                    "lastOffer/price",
                    "price",
                ],
                participant: &["appParticipantInfo", "appParticipant"],
                ..NOTHING
            },
        ],
    },
    LotPaths {
        path: "protocolLots/protocolLot",
        applications: &[
            ApplicationPaths {
                path: "application",
                admitted: &["admittedInfo/admitted"],
                price: &["offerPrice"],
                participant: &["appParticipants/appParticipant"],
                ..NOTHING
            },
            ApplicationPaths {
                path: "applications/application",
                admitted: &["admittedInfo/admitted"],
                rating: &["admittedInfo/appRating"],
                price: &["price", "offerPrice"],
                criteria: &["admittedInfo/conditionsScoring/*/costCriterion"],
                criterion: &["criterionCode"],
                participant: &["appParticipants/appParticipant"],
                ..NOTHING
            },
        ],
    },
];

const EP: &[LotPaths] = &[LotPaths {
    path: "protocolInfo",
    applications: &[
        ApplicationPaths {
            path: "applicationInfo",
            number: &["commonInfo/appNumber"],
            admitted: &["admittedInfo/appAdmittedInfo/admitted"],
            rejected: &["admittedInfo/appNotAdmittedInfo"],
            price: &["offerPrice"],
            participant: &["appParticipantInfo"],
            ..NOTHING
        },
        ApplicationPaths {
            path: "applicationsInfo/applicationInfo",
            number: &["commonInfo/appNumber"],
            admitted: &[
                "admittedInfo/appAdmittedInfo/admitted",
                "admittedInfo/singleAppAdmittedInfo/admitted",
            ],
            rejected: &["admittedInfo/appNotAdmittedInfo"],
            rating: &["admittedInfo/appAdmittedInfo/appRating"],
            result: &["admittedInfo/appAdmittedInfo/resultType"],
            price: &[
                "finalPrice",
                "admittedInfo/singleAppAdmittedInfo/finalPrice",
                "lastPriceOffer/price",
                "admittedInfo/singleAppAdmittedInfo/price",
                "admittedInfo/appAdmittedInfo/price",
            ],
            criteria: &["admittedInfo/appAdmittedInfo/conditionsScoringInfo/*/costCriterionInfo"],
            criterion: &["code", "criterionCode"],
            // The last path occurs in closed procedures.
            participant: &["appParticipantInfo", "appParticipant", "participantInfo"],
        },
    ],
}];

/// Paths of the applications in the result of a lot, which does not name participants.
pub const OF_RESULT: &ApplicationPaths = &ApplicationPaths {
    path: "applications/application",
    rating: &["appRating"],
    price: &["price"],
    ..NOTHING
};

#[derive(Clone, Debug)]
pub struct Application<'e> {
    element: Node<'e>,
    place: &'static ApplicationPaths,
    /// Number by which protocols of the purchase refer to the application.
    pub number: &'e str,
    pub price: Option<Amount>,
    /// Place among the rated applications, stated as a number or a word. 1 is the best.
    pub rating: Option<u32>,
}

impl<'e> Application<'e> {
    /// Reads the applications of a lot.
    ///
    /// # Errors
    /// Returns an error if an element is malformed.
    pub fn read_all(lot: &Node<'e>, place: &'static ApplicationPaths) -> Result<Vec<Self>> {
        lot.read_all(&[place.path], |element| {
            Ok(Self {
                number: element.text("winner", place.number),
                price: price(&element, place)?,
                rating: rating(&element, place)?,
                place,
                element,
            })
        })
    }

    /// Returns whether the protocol says that the application was admitted.
    ///
    /// # Errors
    /// Returns an error if a flag is malformed.
    pub fn is_admitted(&self) -> Result<bool> {
        let mut is_admitted = self.element.text("winner", self.place.result) == "ADMITTED_OFFER";
        for path in self.place.admitted {
            is_admitted |= self.element.flag("winner", &[path])?;
        }
        Ok(is_admitted)
    }

    /// Returns whether the protocol says that the application was not admitted.
    ///
    /// # Errors
    /// Returns an error if a flag is malformed.
    pub fn is_rejected(&self) -> Result<bool> {
        let stated = self.element.stated_flag("winner", self.place.admitted)?;
        let mut rejected = self.place.rejected.iter();
        Ok(stated == Some(false) || rejected.any(|path| self.element.has("winner", path)))
    }

    /// Returns whether the participant concludes the contract, or `None` if the document does not
    /// say.
    pub fn concludes(&self) -> Option<bool> {
        match self.element.text("winner", &["result"]) {
            "" => None,
            result => Some(result == "CC"),
        }
    }

    /// Returns the application with its participant, if named. Of several participants, takes the
    /// first.
    pub fn ranked(&self) -> RankedApplication44 {
        let participant = self.element.first(self.place.participant);
        RankedApplication44 {
            number: self.number.to_owned(),
            participant: participant.as_ref().and_then(card),
            price: self.price,
        }
    }
}

fn rating(application: &Node<'_>, place: &ApplicationPaths) -> Result<Option<u32>> {
    let rating = application.value("winner", place.rating, |text| {
        text.parse::<u32>().map_err(|_| "a whole number")
    })?;
    let in_words = match application.text("winner", place.result) {
        "WIN_OFFER" | "W" => Some(1),
        // Another participant also offered the winner's price, but later.
        "LIKE_WIN_OFFER" => Some(2),
        "SECOND_OFFER" | "S" => Some(3),
        _ => None,
    };
    Ok(rating.filter(|rating| *rating > 0).or(in_words))
}

fn price(application: &Node<'_>, place: &ApplicationPaths) -> Result<Option<Amount>> {
    let field = "winner.price";
    if let Some(price) = application.amount(field, place.price)? {
        return Ok(Some(price));
    }
    let criteria = application.all(place.criteria);
    let mut criteria = criteria.iter();
    let by_price = criteria.find(|one| one.text(field, place.criterion) == "CP");
    by_price.map_or(Ok(None), |criterion| criterion.amount(field, &["offer"]))
}

/// Reads a participant, or returns `None` if neither an INN nor a name is stated.
pub fn card(participant: &Node<'_>) -> Option<SupplierFacts> {
    let card = party::read(participant, ["winner.name", "winner.inn", "winner.kpp"]);
    Some(card).filter(|card| !card.name.is_empty() || !card.inn.is_empty())
}
