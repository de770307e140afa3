//! `/contract/summary-supplier44`: what a supplier's contracts come to.

use super::contract_filter;
use super::error::Failure;
use super::etag::Parts;
use super::query::Query;
use crate::model::{ContractFilter, ContractOrder, ContractSummary, Inn};
use crate::render::{self, Format, SummaryAnswer};
use crate::store::Database;

/// Which of whose contracts?
pub struct Question {
    inn: Inn,
    filter: ContractFilter,
}

impl Question {
    /// The question, if its parameters are in order.
    pub fn of(query: &Query<'_>) -> Result<Self, Failure> {
        let inn = query.required("supplierINN", Failure::BadInn, Inn::parse)?;
        let filter = contract_filter::filter(query)?;
        Ok(Self { inn, filter })
    }

    /// A name for a file with the answer, without what tells its kind.
    pub fn file_name(&self) -> String {
        format!("contract-summary-{}", self.inn)
    }

    /// What the answer depends on, beside the data.
    pub fn tell(&self, parts: &mut Parts) {
        parts.tell(b"contract summary");
        parts.tell(self.inn.as_str().as_bytes());
        contract_filter::tell(&self.filter, ContractOrder::default(), parts);
    }

    /// Appends the answer.
    pub fn answer(
        &self,
        snapshot: &Database,
        format: Format,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let supplier = snapshot.supplier(&self.inn)?;
        let summary = match &supplier {
            Some(supplier) => snapshot.summary(supplier, &self.filter)?,
            None => ContractSummary::default(),
        };
        let answer = SummaryAnswer {
            inn: self.inn.as_str(),
            name: supplier.as_ref().map_or("", |supplier| &supplier.name),
            summary: &summary,
        };
        render::answer(out, &answer, format);
        Ok(())
    }
}
