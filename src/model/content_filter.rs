//! Filters of search by content.

use super::{
    ContentCode, ContentRegion, ContentTokens, ContentWords, ContractFilter, Date,
    EncodedContractItem, Inn, RecordFact, RiskFact, RiskFacts, VerdictRules,
};

/// A filter over the contracts of all suppliers. All conditions must hold. A condition that is
/// `None` or empty holds for every contract.
#[derive(Clone, Debug, Default)]
pub struct ContentFilter {
    pub supplier: Option<Inn>,
    pub content: ContentQuery,
    /// The customer must be in one of these regions.
    pub regions: Vec<ContentRegion>,
    /// Conditions that contract pages accept as well.
    pub contracts: ContractFilter,
    pub facts: FactFilter,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentQuery {
    /// Words in the form that [`super::content_words`] returns. All of them must occur.
    pub words: Vec<String>,
    /// An item must be under one of these codes.
    pub codes: Vec<ContentCode>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct FactFilter {
    /// The contract must have one of these facts.
    pub any: RiskFacts,
    /// The day that [`RiskFact::Overdue`] refers to; `None` unless that fact is requested.
    pub overdue_on: Option<Date>,
    /// Which registries [`RiskFact::SignedWhileListed`] consults.
    pub rules: VerdictRules,
}

impl ContentQuery {
    pub fn is_everything(&self) -> bool {
        self.words.is_empty() && self.codes.is_empty()
    }

    /// Returns whether an item has one of the codes, or a more detailed one, and all the words in its
    /// name.
    pub fn finds(&self, item: EncodedContractItem<'_>, words: &ContentWords) -> bool {
        let (code, okpd2) = (item.code.text(), item.okpd2.text());
        let mut codes = self.codes.iter();
        let has_code = codes.any(|asked| asked.has(&code) || asked.has(&okpd2));
        (has_code || self.codes.is_empty())
            && (self.words.is_empty() || words.has_all(&item.name.text(), &self.words))
    }

    pub fn add_to(&self, tokens: &mut ContentTokens) {
        self.words.iter().for_each(|word| tokens.word(word));
        tokens.codes(&self.codes);
    }
}

impl ContentFilter {
    /// Returns whether the filter is narrow enough for a search: it must have a supplier, words, a
    /// code, a region, a customer or a risk fact.
    pub fn has_content(&self) -> bool {
        self.supplier.is_some()
            || !self.content.is_everything()
            || !self.regions.is_empty()
            || self.contracts.customer_inn.is_some()
            || !self.facts.any.is_empty()
    }

    /// Returns the index query for this filter, without risk facts.
    pub fn tokens(&self) -> ContentTokens {
        let mut tokens = ContentTokens::default();
        self.content.add_to(&mut tokens);
        tokens.regions(&self.regions);
        if let Some(customer) = &self.contracts.customer_inn {
            tokens.customer(customer);
        }
        tokens.stages(self.contracts.stages);
        if self.contracts.has_subcontractors == Some(true) {
            tokens.with_subcontractors();
        }
        tokens
    }

    /// Returns the conditions that must be checked on each contract, because neither the index nor
    /// the contract's id decides them.
    pub fn rest(&self) -> ContractFilter {
        let given = &self.contracts;
        ContractFilter {
            updated_from: given.updated_from,
            price_from: given.price_from,
            price_to: given.price_to,
            has_subcontractors: given.has_subcontractors.filter(|has| !has),
            overdue: given.overdue,
            ..ContractFilter::default()
        }
    }
}

impl FactFilter {
    /// Adds the facts to an index query, except for [`RiskFact::SignedWhileListed`], which the
    /// index does not know. Returns whether anything was added.
    pub fn add_to(&self, tokens: &mut ContentTokens) -> bool {
        let in_record: Vec<RecordFact> = self.any.in_record().collect();
        let is_overdue = self.any.has(RiskFact::Overdue);
        tokens.facts(&in_record, is_overdue);
        !in_record.is_empty() || is_overdue
    }
}
