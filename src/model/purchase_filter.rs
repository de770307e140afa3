//! Which purchases are searched for, and their order.

use super::{Amount, ContentQuery, ContentRegion, ContentTokens, Date, Moment, Regime};

/// A filter of purchases. All conditions must hold; those that are `None` or empty do not narrow.
#[derive(Clone, Debug, Default)]
pub struct PurchaseFilter {
    /// The words and codes.
    pub content: ContentQuery,
    /// The regions of the customers, any of them.
    pub regions: Vec<ContentRegion>,
    /// INN of the customer.
    pub customer_inn: Option<String>,
    /// The laws, any of them.
    pub laws: Vec<Regime>,
    /// Published on this day or later.
    pub published_from: Option<Date>,
    /// Published on this day or earlier.
    pub published_to: Option<Date>,
    /// The least initial price.
    pub price_from: Option<Amount>,
    /// The greatest initial price.
    pub price_to: Option<Amount>,
    /// Whether submission goes on.
    pub submission: Option<Submission>,
}

/// A filter by the end of submission. Purchases without an end do not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Whether submission has not ended.
    pub is_open: bool,
    /// The time in Moscow.
    pub at: Moment,
}

/// An order of purchases. Those without the value come last; equal ones follow newest first, then by
/// number, descending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PurchaseOrder {
    /// By day of publication, newest first.
    #[default]
    Newest,
    /// By day of publication, oldest first.
    Oldest,
    /// By initial price, highest first.
    HighestPrice,
    /// By initial price, lowest first.
    LowestPrice,
    /// By the end of submission, earliest first.
    Closing,
}

impl PurchaseFilter {
    /// Returns whether it has one of the conditions that a search needs.
    pub fn has_content(&self) -> bool {
        !self.content.is_everything() || !self.regions.is_empty() || self.customer_inn.is_some()
    }

    /// Returns what the index is asked for.
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
