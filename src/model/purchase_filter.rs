//! Filter and order of a search for purchases.

use super::{Amount, ContentQuery, ContentRegion, ContentTokens, Date, Moment, Regime};

/// All conditions must hold. A condition that is `None` or empty holds for every purchase.
#[derive(Clone, Debug, Default)]
pub struct PurchaseFilter {
    pub content: ContentQuery,
    /// The customer must be in one of these regions.
    pub regions: Vec<ContentRegion>,
    pub customer_inn: Option<String>,
    /// The purchase must be under one of these laws.
    pub laws: Vec<Regime>,
    pub published_from: Option<Date>,
    pub published_to: Option<Date>,
    pub price_from: Option<Amount>,
    pub price_to: Option<Amount>,
    pub submission: Option<Submission>,
}

/// Whether applications are still accepted. A purchase whose end of submission is unknown matches
/// neither value of `is_open`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submission {
    pub is_open: bool,
    /// Current time in Moscow.
    pub at: Moment,
}

/// Order of purchases. Those without a value to order by come last. Ties are ordered newest first,
/// then by descending number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PurchaseOrder {
    /// By day of publication.
    #[default]
    Newest,
    /// By day of publication.
    Oldest,
    /// By initial price.
    HighestPrice,
    /// By initial price.
    LowestPrice,
    /// By end of submission, earliest first.
    Closing,
}

impl PurchaseFilter {
    /// Returns whether the filter is narrow enough for a search: it must have words, a code, a
    /// region or a customer.
    pub fn has_content(&self) -> bool {
        !self.content.is_everything() || !self.regions.is_empty() || self.customer_inn.is_some()
    }

    /// Returns the index query for this filter.
    pub fn tokens(&self) -> ContentTokens {
        let mut tokens = ContentTokens::default();
        self.content.add_to(&mut tokens);
        tokens.regions(&self.regions);
        if let Some(customer) = &self.customer_inn {
            tokens.customer(customer);
        }
        tokens.laws(&self.laws);
        tokens
    }
}
