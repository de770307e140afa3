//! Filter and order of a search for purchases.

use super::{Amount, ContentQuery, ContentRegion, ContentTokens, Date, Moment, Regime};

/// Conditions are joined by AND; those that are `None` or empty match everything.
#[derive(Clone, Debug, Default)]
pub struct PurchaseFilter {
    pub content: ContentQuery,
    /// Regions of the customer; any may match.
    pub regions: Vec<ContentRegion>,
    pub customer_inn: Option<String>,
    /// Any may match.
    pub laws: Vec<Regime>,
    pub published_from: Option<Date>,
    pub published_to: Option<Date>,
    pub price_from: Option<Amount>,
    pub price_to: Option<Amount>,
    pub submission: Option<Submission>,
}

/// A filter on the end of submission. Purchases without one match neither value of `is_open`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submission {
    pub is_open: bool,
    /// The current time in Moscow.
    pub at: Moment,
}

/// Order of purchases. Purchases without the value come last. Ties are ordered newest first, then
/// by number, descending.
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
    /// Returns whether the filter has at least one of the conditions that a search requires.
    pub fn has_content(&self) -> bool {
        !self.content.is_everything() || !self.regions.is_empty() || self.customer_inn.is_some()
    }

    /// Returns the query of the index.
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
