//! Which contracts are searched for by their contents.

use super::{
    ContentCode, ContentRegion, ContentTokens, ContentWords, ContractFilter, Date,
    EncodedContractItem, Inn, RecordFact, RiskFact, RiskFacts, VerdictRules,
};

/// A filter of contracts of all suppliers. All conditions must hold; those that are `None` or empty
/// do not narrow.
#[derive(Clone, Debug, Default)]
pub struct ContentFilter {
    /// The supplier.
    pub supplier: Option<Inn>,
    /// The words and codes.
    pub content: ContentQuery,
    /// The regions of the customers, any of them.
    pub regions: Vec<ContentRegion>,
    /// The conditions that pages of contracts have as well.
    pub contracts: ContractFilter,
    /// The facts of risk.
    pub facts: FactFilter,
}

/// Words and codes that are searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentQuery {
    /// The words, as [`super::content_words`] returns them; all of them must be there.
    pub words: Vec<String>,
    /// The codes of items, any of them.
    pub codes: Vec<ContentCode>,
}

/// A filter by facts of risk.
#[derive(Clone, Copy, Debug, Default)]
pub struct FactFilter {
    /// The facts, any of them.
    pub any: RiskFacts,
    /// The day for [`RiskFact::Overdue`], if this is one of the facts.
    pub overdue_on: Option<Date>,
    /// The rules whose laws' registries count for [`RiskFact::SignedWhileListed`].
    pub rules: VerdictRules,
}

impl ContentQuery {
    /// Returns whether everything matches.
    pub fn is_everything(&self) -> bool {
        self.words.is_empty() && self.codes.is_empty()
    }

    /// Returns whether an item has one of the codes, and all words in its name.
    pub fn finds(&self, item: EncodedContractItem<'_>, words: &ContentWords) -> bool {
        let (code, okpd2) = (item.code.text(), item.okpd2.text());
        let mut codes = self.codes.iter();
        let has_code = codes.any(|asked| asked.has(&code) || asked.has(&okpd2));
        (has_code || self.codes.is_empty())
            && (self.words.is_empty() || words.has_all(&item.name.text(), &self.words))
    }

    /// Asks the index for the words and codes.
    pub fn add_to(&self, tokens: &mut ContentTokens) {
        self.words.iter().for_each(|word| tokens.word(word));
        tokens.codes(&self.codes);
    }
}

impl ContentFilter {
    /// Returns whether it has one of the conditions that a search needs.
    pub fn has_content(&self) -> bool {
        self.supplier.is_some()
            || !self.content.is_everything()
            || !self.regions.is_empty()
            || self.contracts.customer_inn.is_some()
            || !self.facts.any.is_empty()
    }

    /// Returns what the index is asked for, apart from facts of risk.
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

    /// Returns the conditions that neither the index nor the id of a contract answers.
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
    /// Asks the index for the facts, except [`RiskFact::SignedWhileListed`]. Returns whether that
    /// narrows.
    pub fn add_to(&self, tokens: &mut ContentTokens) -> bool {
        let in_record: Vec<RecordFact> = self.any.in_record().collect();
        let is_overdue = self.any.has(RiskFact::Overdue);
        tokens.facts(&in_record, is_overdue);
        !in_record.is_empty() || is_overdue
    }
}
