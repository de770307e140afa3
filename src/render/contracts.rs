//! The supplier contract page (the specification, "Supplier contract page").

use std::fmt;

use super::fields::{Fields, Resource, name};
use crate::model::{Amount, Contract, ContractStage, GuaranteeClaim};

/// Takes a contract, and appends it.
pub type ShowContract<'a> = dyn FnMut(&Contract<&str>) + 'a;

/// A page of a supplier's contracts.
#[derive(Clone, Copy)]
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
    /// Gives the contracts, newest first, to whom it is called with.
    pub contracts: &'a dyn Fn(&mut ShowContract<'_>),
}

impl fmt::Debug for ContractPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let page = (self.inn, self.name, self.total, self.skip, self.limit);
        f.debug_tuple("ContractPage").field(&page).finish()
    }
}

impl Resource for ContractPage<'_> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        fields.text(name!("supplierINN"), self.inn);
        fields.text(name!("supplierIName"), self.name);
        fields.count(name!("totalcount"), Some(self.total));
        fields.digits(name!("skip"), self.skip);
        fields.count(name!("limit"), Some(self.limit));
        fields.stream(name!("contracts"), |fields| {
            (self.contracts)(&mut |one| {
                fields.item(name!("contract"), |fields| contract(fields, one));
            });
        });
    }
}

fn contract<F: Fields>(fields: &mut F, contract: &Contract<&str>) {
    fields.text(name!("regNum"), contract.reg_num);
    fields.text(name!("purchaseNumber"), contract.purchase_number);
    fields.text(name!("purchaseCode"), contract.purchase_code);
    fields.text(name!("purchaseObjectInfo"), contract.subject);
    fields.amount(name!("notificationPrice"), contract.notification_price);
    fields.text(name!("deliveryTerm"), contract.delivery_term);
    fields.text(name!("customerInn"), contract.customer_inn);
    fields.text(name!("customerName"), contract.customer_name);
    fields.amount(name!("contractPrice"), contract.price);
    fields.date(name!("signDate"), contract.sign_date);
    fields.date(name!("endDate"), contract.end_date);
    fields.text(
        name!("contractStage"),
        contract.stage.map_or("", ContractStage::code),
    );
    fields.amount(name!("fulfilmentSum"), contract.fulfilment_sum);
    fields.object(name!("paid"), |fields| {
        fields.amount(name!("total"), contract.paid)
    });
    fields.amount(name!("advanceInPercents"), contract.advance_percent);
    fields.amount(name!("penaltiesTotal"), contract.penalties);
    fields.amount(name!("penaltiesPayments"), contract.penalties_paid);
    fields.count(name!("ContractStages"), Some(contract.stage_count));
    fields.date(name!("updateDate"), contract.update_date);
    fields.flag(name!("subContractors"), Some(contract.has_subcontractors));
    let subcontractors_sum = contract.subcontractors_sum.unwrap_or(Amount::from(0));
    fields.amount(name!("subContractorsSum"), Some(subcontractors_sum));
    fields.amount(
        name!("purchaseContractGuarantee"),
        contract.notice_guarantee,
    );
    fields.amount(name!("contractGuarantee"), contract.guarantee);
    fields.flag(
        name!("bankSupportContractRequired"),
        Some(contract.bank_support),
    );
    fields.flag(
        name!("treasurySupportContractRequired"),
        Some(contract.treasury_support),
    );
    fields.text(name!("budgetName"), contract.budget_name);
    fields.text(name!("OKTMO"), contract.oktmo);
    fields.list_or_empty(
        name!("products"),
        name!("product"),
        &contract.products,
        |fields, product| {
            fields.text(name!("code"), product.code);
            fields.amount(name!("sum"), product.sum);
        },
    );
    let termination = contract.termination;
    fields.flag(name!("terminationBoth"), Some(termination.agreement));
    fields.flag(
        name!("terminationSupplier"),
        Some(termination.supplier_refusal),
    );
    fields.flag(
        name!("terminationCostomer"),
        Some(termination.customer_refusal),
    );
    fields.flag(name!("terminationJudge"), Some(termination.court_decision));
    fields.flag(name!("terminationCourt"), Some(termination.unknown));
    let claims = &contract.guarantee_claims;
    fields.list_or_empty(
        name!("bankGuaranteePayments"),
        name!("bankGuaranteePayment"),
        claims,
        claim,
    );
}

fn claim<F: Fields>(fields: &mut F, claim: &GuaranteeClaim<&str>) {
    fields.amount(name!("paymentAmountRUR"), claim.amount);
    fields.date(name!("publishDate"), claim.publish_date);
    fields.date(name!("requirementsDate"), claim.claim_date);
    fields.text(name!("improperExecInfo"), claim.grounds);
}
