//! A kind of document: a row of the register.

use super::generation::Generation;
use super::node::{NUMBER, Node, PUBLISHED, Paths, Result, VERSION, element_of};
use super::pattern::matches;
use crate::import::facts::{Fact, Facts};
use crate::model::{PurchaseNumber, Regime};
use crate::xml::Element;

/// A kind of document.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The local name of its element: `*` is anything, `?` a character, `#` a digit.
    pub name: &'static str,
    /// A child that tells it from others of the same name.
    pub having: Option<&'static str>,
    /// Its name in messages, where another kind has the same name.
    pub label: Option<&'static str>,
    /// The part of EIS that gives it out.
    pub subsystem: &'static str,
    /// Whether it is given out today (December 2025); others are found in older archives.
    pub is_current: bool,
    /// Its subject.
    pub about: Subject,
    /// Whether its contents are in `body/item/…Data`, once or several times.
    pub is_packet: bool,
    /// The generation of documents under 44-FZ that it is of; of no account elsewhere.
    pub generation: Generation,
    /// A rule that its reader applies to few kinds.
    pub rule: Rule,
    /// Whether the purchase ends with it, whatever its contents.
    pub ends: bool,
    /// The laws of whose registries of unfair suppliers it is a document, if it is given out
    /// today: all of these prove a registry.
    pub registries: &'static [Regime],
    /// Paths of the number that it is about.
    pub number: Paths<'static>,
    /// Paths of its version; none if it has no versions.
    pub version: Paths<'static>,
    /// Paths of the time of its publication.
    pub published: Paths<'static>,
    /// Its description, in Russian and in English.
    pub what: [&'static str; 2],
    /// Its reader.
    pub reader: Reader,
}

/// A rule by which a reader treats some kinds differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// No such rule.
    Usual,
    /// An electronic auction scores the first parts of applications.
    ElectronicAuction,
    /// Even after an auction without an offer the second parts of applications are examined.
    AuctionWithoutOffers,
    /// A preliminary selection ends with a list of suppliers, not with a winner.
    PreliminarySelection,
    /// A protocol without a kind of its own: what it is follows from its title.
    Titled,
    /// A purchase from a single supplier marks nobody: the only application wins.
    SingleSupplier,
    /// The auction under the rules of 94-FZ marks nobody: the best rank wins.
    BestRank,
    /// In a request for quotations F marks another participant with the winner's price
    /// (`winnerIndication3`); W marks the winner.
    Quotations,
    /// In an auction among small businesses `price` is ignored (`purchase.xsd`).
    SmallBusinessAuction,
    /// An entry in the registry of unfair contractors under PP-615.
    Contractor615,
    /// An older entry under PP-615. Nothing says how long it stays: it is listed until it is
    /// excluded. Those of 2022 are excluded after two years (`excludeType` `AUTO`).
    Contractor615WithoutTerm,
    /// An exclusion from a registry, or a refused inclusion.
    NotIncluded,
}

/// The subject of a document, whose answers it changes and by whose number it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A contract under 44-FZ.
    Contract,
    /// A purchase under 44-FZ.
    Purchase44,
    /// A purchase under 223-FZ.
    Purchase223,
    /// A purchase under PP-615.
    Purchase615,
    /// An entry of the registry of unfair suppliers.
    RnpEntry,
}

/// Reads a document to facts.
///
/// # Errors
/// The element that is missing or malformed.
pub type Reader = fn(&Kind, &Node<'_>) -> Result<Vec<Fact>>;

impl Kind {
    /// A kind of this name, otherwise like this one.
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The same kind, with a rule.
    pub const fn by(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// The same kind, given out today.
    pub const fn current(self) -> Self {
        Self {
            is_current: true,
            ..self
        }
    }

    /// The same kind, not given out today.
    pub const fn past(self) -> Self {
        Self {
            is_current: false,
            ..self
        }
    }

    /// The kind of a document among `kinds`, if it is one of them: the first that it may be.
    pub fn of<'k>(document: &Element<'_>, kinds: &'k [Self]) -> Option<&'k Self> {
        kinds.iter().find(|kind| kind.is_of(document))
    }

    /// Returns whether a document may be of this kind.
    pub fn is_of(&self, document: &Element<'_>) -> bool {
        let has = |child: &str| document.at(child).is_some();
        self.is_called(document.name) && self.having.is_none_or(has)
    }

    /// Returns whether a document of this name may be of this kind.
    pub fn is_called(&self, name: &str) -> bool {
        let is_left_out = || LEFT_OUT.iter().any(|part| name.contains(part));
        let is_protocol = self.about == Subject::Purchase44 && !self.is_exact();
        matches(self.name.as_bytes(), name.as_bytes()) && !(is_protocol && is_left_out())
    }

    /// The fact that a document of this kind states about the contract, purchase or entry with
    /// this number.
    ///
    /// # Errors
    /// Its version or its time of publication is malformed.
    pub fn fact(
        &self,
        document: &Node<'_>,
        number: impl ToString,
        key: &str,
        facts: Facts,
    ) -> Result<Fact> {
        let version = document.value(VERSION, self.version, |text| {
            text.parse().map_err(|_| "a whole number")
        })?;
        Ok(Fact {
            number: number.to_string(),
            key: key.to_owned(),
            version: version.unwrap_or_default(),
            published: document.instant(PUBLISHED, self.published)?,
            facts,
        })
    }

    /// The only fact of a document of this kind about a purchase.
    ///
    /// # Errors
    /// As [`Kind::purchase_number`] and [`Kind::fact`].
    pub fn purchase_fact(&self, document: &Node<'_>, key: &str, facts: Facts) -> Result<Vec<Fact>> {
        let number = self.purchase_number(document)?;
        Ok(vec![self.fact(document, number, key, facts)?])
    }

    /// The purchase that a document of this kind is about.
    ///
    /// # Errors
    /// It is missing, or not a number of the kind's law.
    pub fn purchase_number(&self, document: &Node<'_>) -> Result<PurchaseNumber> {
        let (regime, form) = match self.about {
            Subject::Purchase223 => (
                Regime::Fz223,
                "a number of 223-FZ, of 11 digits, the first a 3",
            ),
            Subject::Purchase615 => (Regime::Pp615, "a number of PP-615, of 18 digits"),
            _ => (Regime::Fz44, "a number of 44-FZ, of 19 digits"),
        };
        let read = |text: &str| PurchaseNumber::parse_under(regime, text).ok_or(form);
        let number = document.value(NUMBER, self.number, read)?;
        document.needed(number, element_of(self.number))
    }

    /// Returns the name under which documents of this kind are counted.
    pub fn label(&self) -> &'static str {
        self.label.unwrap_or(self.name)
    }

    /// Returns whether its name is one name, and no pattern.
    pub fn is_exact(&self) -> bool {
        !self.name.contains(['*', '?', '#'])
    }
}

/// Parts of the names of protocols under 44-FZ that patterns match and that are not read: those of
/// PP-615 have their own names, disagreements end nothing, and evasions are rows of their own.
const LEFT_OUT: &[&str] = &["Evasion", "Deviation", "EvDev", "Disagreement", "PP615"];
