//! Filters of the search by content.

use super::{
    ContentCode, ContentRegion, ContentTokens, ContentWords, ContractFilter, Date,
    EncodedContractItem, Inn, RecordFact, RiskFact, RiskFacts, VerdictRules,
};

/// A filter over the contracts of all suppliers. Conditions are joined by AND; those that are
/// `None` or empty match everything.
#[derive(Clone, Debug, Default)]
pub struct ContentFilter {
    pub supplier: Option<Inn>,
    pub content: ContentQuery,
    /// Regions of the customer; any may match.
    pub regions: Vec<ContentRegion>,
    /// Conditions that contract pages accept too.
    pub contracts: ContractFilter,
    pub facts: FactFilter,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentQuery {
    /// Words as returned by [`super::content_words`]; all must occur.
    pub words: Vec<String>,
    /// Item codes; any may match.
    pub codes: Vec<ContentCode>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct FactFilter {
    /// Facts to look for; any may match.
    pub any: RiskFacts,
    /// The day that [`RiskFact::Overdue`] refers to, if that fact is asked for.
    pub overdue_on: Option<Date>,
    /// Which laws' registries count for [`RiskFact::SignedWhileListed`].
    pub rules: VerdictRules,
}

impl ContentQuery {
    pub fn is_everything(&self) -> bool {
        self.words.is_empty() && self.codes.is_empty()
    }

    /// Returns whether an item has one of the codes, and all the words in its name.
    pub fn finds(&self, item: EncodedContractItem<'_>, words: &ContentWords) -> bool {
        let (code, okpd2) = (item.code.text(), item.okpd2.text());
        let mut codes = self.codes.iter();
        let has_code = codes.any(|asked| asked.has(&code) || asked.has(&okpd2));
        (has_code || self.codes.is_empty())
            && (self.words.is_empty() || words.has_all(&item.name.text(), &self.words))
    }

    /// Adds the words and codes to a query of the index.
    pub fn add_to(&self, tokens: &mut ContentTokens) {
        self.words.iter().for_each(|word| tokens.word(word));
        tokens.codes(&self.codes);
    }
}

impl ContentFilter {
    /// Returns whether the filter has at least one of the conditions that a search requires.
    pub fn has_content(&self) -> bool {
        self.supplier.is_some()
            || !self.content.is_everything()
            || !self.regions.is_empty()
            || self.contracts.customer_inn.is_some()
            || !self.facts.any.is_empty()
    }

    /// Returns the query of the index, without facts of risk.
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
    /// Adds the facts, except [`RiskFact::SignedWhileListed`], to a query of the index. Returns
    /// whether anything was added.
    pub fn add_to(&self, tokens: &mut ContentTokens) -> bool {
        let in_record: Vec<RecordFact> = self.any.in_record().collect();
        let is_overdue = self.any.has(RiskFact::Overdue);
        tokens.facts(&in_record, is_overdue);
        !in_record.is_empty() || is_overdue
    }
}
