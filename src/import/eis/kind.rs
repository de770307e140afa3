//! Kinds of documents: the rows of the register ([`kinds`](super::kinds)).

use super::generation::Generation;
use super::node::{NUMBER, Node, PUBLISHED, Paths, Result, VERSION, element_of};
use super::pattern::matches;
use crate::import::facts::{Fact, Facts};
use crate::model::{PurchaseNumber, Regime};
use crate::xml::Element;

#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Local name of the document's element, or a pattern in which `*` stands for any text, `?` for
    /// one character, and `#` for one digit.
    pub name: &'static str,
    /// A child element that distinguishes this kind from others with the same name.
    pub having: Option<&'static str>,
    /// Name in messages and counts. Needed only if another kind has the same `name`.
    pub label: Option<&'static str>,
    pub subsystem: &'static str,
    /// Whether EIS still publishes documents of this kind (as of December 2025). All other kinds
    /// occur only in older archives.
    pub is_current: bool,
    pub about: Subject,
    /// Whether the contents are in `body/item/…Data`, possibly several times.
    pub is_packet: bool,
    /// Generation of a document under 44-FZ; irrelevant for other kinds.
    pub generation: Generation,
    pub rule: Rule,
    /// Whether every document of this kind ends the purchase, whatever its contents.
    pub ends: bool,
    /// Laws whose registries of unfair suppliers are published in documents of this kind. A
    /// registry is complete only if all its kinds were imported. Empty for kinds that EIS no longer
    /// publishes, or whose entries are also in another kind.
    pub registries: &'static [Regime],
    /// Paths of the number of the contract, purchase or entry.
    pub number: Paths<'static>,
    /// Empty if documents of this kind have no versions.
    pub version: Paths<'static>,
    pub published: Paths<'static>,
    /// Description in Russian and in English.
    pub what: [&'static str; 2],
    pub reader: ReaderFn,
}

/// Special treatment of a few kinds by their reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Usual,
    /// In an electronic auction, only the first parts of applications are rated.
    ElectronicAuction,
    /// The second parts of applications are examined even after an auction without offers.
    AuctionWithoutOffers,
    /// A preliminary selection ends with a list of suppliers, not with a winner.
    PreliminarySelection,
    /// A generic protocol: only the title says what kind it is.
    Titled,
    /// A purchase from a single supplier. The protocol marks no winner; the only application wins.
    SingleSupplier,
    /// An auction under the rules of 94-FZ. The protocol marks no winner; the application with the
    /// best rank wins.
    BestRank,
    /// A request for quotations. W marks the winner, and F another participant who offered the
    /// winner's price (`winnerIndication3`).
    Quotations,
    /// An auction among small businesses, in which `price` is ignored (`purchase.xsd`).
    SmallBusinessAuction,
    Contractor615,
    /// An older registry entry under PP-615. No source says when such an entry expires, so it stays
    /// listed until an exclusion is published. Entries of 2022 are excluded after two years
    /// (`excludeType` `AUTO`).
    Contractor615WithoutTerm,
    /// An exclusion from a registry, or a refused inclusion.
    NotIncluded,
}

/// What a document is about. Determines which answers it may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Contract,
    Purchase44,
    Purchase223,
    Purchase615,
    RnpEntry,
}

/// Reads a document into facts.
///
/// # Errors
/// Returns an error if an element is missing or malformed.
pub type ReaderFn = fn(&Kind, &Node<'_>) -> Result<Vec<Fact>>;

impl Kind {
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    pub const fn by(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    pub const fn current(self) -> Self {
        Self {
            is_current: true,
            ..self
        }
    }

    pub const fn past(self) -> Self {
        Self {
            is_current: false,
            ..self
        }
    }

    /// Returns the first of `kinds` that matches the document.
    pub fn of<'k>(document: &Element<'_>, kinds: &'k [Self]) -> Option<&'k Self> {
        kinds.iter().find(|kind| kind.is_of(document))
    }

    /// Returns whether the document matches this kind.
    pub fn is_of(&self, document: &Element<'_>) -> bool {
        let has = |child: &str| document.at(child).is_some();
        self.is_called(document.name) && self.having.is_none_or(has)
    }

    /// Returns whether documents of this kind may be called `name`.
    pub fn is_called(&self, name: &str) -> bool {
        if !matches(self.name.as_bytes(), name.as_bytes()) {
            return false;
        }
        let is_protocol = self.about == Subject::Purchase44 && !self.is_exact();
        !(is_protocol && LEFT_OUT.iter().any(|part| name.contains(part)))
    }

    /// Makes a fact about the contract, purchase or entry `number`, with the document's version and
    /// publication time.
    ///
    /// # Errors
    /// Returns an error if the version or the time of publication is malformed.
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

    /// Makes a fact about the document's purchase, and returns it as the only one.
    ///
    /// # Errors
    /// See [`Kind::purchase_number`] and [`Kind::fact`].
    pub fn purchase_fact(&self, document: &Node<'_>, key: &str, facts: Facts) -> Result<Vec<Fact>> {
        let number = self.purchase_number(document)?;
        Ok(vec![self.fact(document, number, key, facts)?])
    }

    /// Returns the number of the purchase that a document is about.
    ///
    /// # Errors
    /// Returns an error if the number is missing, or is not a number under the kind's law.
    pub fn purchase_number(&self, document: &Node<'_>) -> Result<PurchaseNumber> {
        let (regime, form) = match self.about {
            Subject::Purchase223 => (
                Regime::Fz223,
                "a number under 223-FZ, of 11 digits starting with 3",
            ),
            Subject::Purchase615 => (Regime::Pp615, "a number under PP-615, of 18 digits"),
            _ => (Regime::Fz44, "a number under 44-FZ, of 19 digits"),
        };
        let read = |text: &str| PurchaseNumber::parse_under(regime, text).ok_or(form);
        let number = document.value(NUMBER, self.number, read)?;
        document.needed(number, element_of(self.number))
    }

    /// Returns the name under which documents of this kind are counted.
    pub fn label(&self) -> &'static str {
        self.label.unwrap_or(self.name)
    }

    /// Returns whether the name is not a pattern.
    pub fn is_exact(&self) -> bool {
        !self.name.contains(['*', '?', '#'])
    }
}

/// Parts of names that keep a document under 44-FZ from matching a pattern for protocols. Documents
/// of evasion and protocols under PP-615 have rows of their own, and a protocol of disagreements
/// does not end the purchase.
const LEFT_OUT: &[&str] = &["Evasion", "Deviation", "EvDev", "Disagreement", "PP615"];
