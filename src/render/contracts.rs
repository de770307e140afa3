//! The supplier contract page (the specification, "Supplier contract page").

use super::fields::{Fields, Resource};
use crate::model::{Amount, Contract, ContractStage, GuaranteeClaim};

/// A page of a supplier's contracts.
#[derive(Clone, Copy, Debug)]
pub struct ContractPage<'a> {
    /// INN of the supplier, as asked.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// How many contracts the supplier has in all.
    pub total: u64,
    /// How many stand before the first one here: decimal digits of any length,
    /// without leading zeros.
    pub skip: &'a str,
    /// How many were asked for.
    pub limit: u64,
    /// The contracts, newest first.
    pub contracts: &'a [Contract],
}

impl Resource for ContractPage<'_> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        fields.text("supplierINN", self.inn);
        fields.text("supplierIName", self.name);
        fields.count("totalcount", Some(self.total));
        fields.digits("skip", self.skip);
        fields.count("limit", Some(self.limit));
        fields.list("contracts", "contract", self.contracts, contract);
    }
}

fn contract<F: Fields>(fields: &mut F, contract: &Contract) {
    fields.text("regNum", &contract.reg_num);
    fields.text("purchaseNumber", &contract.purchase_number);
    fields.text("purchaseCode", &contract.purchase_code);
    fields.text("purchaseObjectInfo", &contract.subject);
    fields.amount("notificationPrice", contract.notification_price);
    fields.text("deliveryTerm", &contract.delivery_term);
    fields.text("customerInn", &contract.customer_inn);
    fields.text("customerName", &contract.customer_name);
    fields.amount("contractPrice", contract.price);
    fields.date("signDate", contract.sign_date);
    fields.date("endDate", contract.end_date);
    fields.text(
        "contractStage",
        contract.stage.map_or("", ContractStage::code),
    );
    fields.amount("fulfilmentSum", contract.fulfilment_sum);
    fields.object("paid", |fields| fields.amount("total", contract.paid));
    fields.amount("advanceInPercents", contract.advance_percent);
    fields.amount("penaltiesTotal", contract.penalties);
    fields.amount("penaltiesPayments", contract.penalties_paid);
    fields.count("ContractStages", Some(contract.stage_count));
    fields.date("updateDate", contract.update_date);
    fields.flag("subContractors", Some(contract.has_subcontractors));
    let subcontractors_sum = contract.subcontractors_sum.unwrap_or(Amount::from(0));
    fields.amount("subContractorsSum", Some(subcontractors_sum));
    fields.amount("purchaseContractGuarantee", contract.notice_guarantee);
    fields.amount("contractGuarantee", contract.guarantee);
    fields.flag("bankSupportContractRequired", Some(contract.bank_support));
    fields.flag(
        "treasurySupportContractRequired",
        Some(contract.treasury_support),
    );
    fields.text("budgetName", &contract.budget_name);
    fields.text("OKTMO", &contract.oktmo);
    fields.list_or_empty(
        "products",
        "product",
        &contract.products,
        |fields, product| {
            fields.text("code", &product.code);
            fields.amount("sum", product.sum);
        },
    );
    let termination = contract.termination;
    fields.flag("terminationBoth", Some(termination.agreement));
    fields.flag("terminationSupplier", Some(termination.supplier_refusal));
    fields.flag("terminationCostomer", Some(termination.customer_refusal));
    fields.flag("terminationJudge", Some(termination.court_decision));
    fields.flag("terminationCourt", Some(termination.unknown));
    let claims = &contract.guarantee_claims;
    fields.list_or_empty(
        "bankGuaranteePayments",
        "bankGuaranteePayment",
        claims,
        claim,
    );
}

fn claim<F: Fields>(fields: &mut F, claim: &GuaranteeClaim) {
    fields.amount("paymentAmountRUR", claim.amount);
    fields.date("publishDate", claim.publish_date);
    fields.date("requirementsDate", claim.claim_date);
    fields.text("improperExecInfo", &claim.grounds);
}
