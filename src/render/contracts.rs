//! The supplier contract page (the specification, "Supplier contract page").

use std::fmt;

use super::fields::{FieldWriter, Record, form, name};
use crate::model::{ContractStage, EncodedContract};

/// Takes a contract, and appends it.
pub type ShowContract<'a> = dyn FnMut(&EncodedContract<'_>) + 'a;

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

impl Record for ContractPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("supplierINN"), self.inn, form::INN);
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

/// Writes a contract.
pub(super) fn contract<F: FieldWriter>(fields: &mut F, contract: &EncodedContract<'_>) {
    fields.encoded(name!("regNum"), contract.reg_num);
    fields.encoded(name!("purchaseNumber"), contract.purchase_number);
    fields.encoded(name!("purchaseCode"), contract.purchase_code);
    fields.encoded(name!("purchaseObjectInfo"), contract.subject);
    fields.encoded_number(name!("notificationPrice"), contract.notification_price);
    fields.encoded(name!("deliveryTerm"), contract.delivery_term);
    fields.encoded(name!("customerInn"), contract.customer_inn);
    fields.encoded(name!("customerName"), contract.customer_name);
    fields.encoded_number(name!("contractPrice"), contract.price);
    fields.encoded_date(name!("signDate"), contract.sign_date);
    fields.encoded_date(name!("endDate"), contract.end_date);
    let stage = contract.stage.map_or("", ContractStage::code);
    fields.code_among(name!("contractStage"), stage, &ContractStage::CODES);
    fields.encoded_number(name!("fulfilmentSum"), contract.fulfilment_sum);
    fields.object(name!("paid"), |fields| {
        fields.encoded_number(name!("total"), contract.paid)
    });
    fields.encoded_number(name!("advanceInPercents"), contract.advance_percent);
    fields.encoded_number(name!("penaltiesTotal"), contract.penalties);
    fields.encoded_number(name!("penaltiesPayments"), contract.penalties_paid);
    fields.encoded_count(name!("ContractStages"), contract.stage_count);
    fields.encoded_date(name!("updateDate"), contract.update_date);
    fields.flag(name!("subContractors"), Some(contract.has_subcontractors));
    fields.encoded_number(name!("subContractorsSum"), contract.subcontractors_sum);
    fields.encoded_number(
        name!("purchaseContractGuarantee"),
        contract.notice_guarantee,
    );
    fields.encoded_number(name!("contractGuarantee"), contract.guarantee);
    fields.flag(
        name!("bankSupportContractRequired"),
        Some(contract.bank_support),
    );
    fields.flag(
        name!("treasurySupportContractRequired"),
        Some(contract.treasury_support),
    );
    fields.encoded(name!("budgetName"), contract.budget_name);
    fields.encoded(name!("OKTMO"), contract.oktmo);
    fields.encoded_items(
        name!("products"),
        name!("product"),
        contract.products,
        |fields, [code, sum]| {
            fields.encoded(name!("code"), code);
            fields.encoded_number(name!("sum"), sum);
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
    fields.encoded_items(
        name!("bankGuaranteePayments"),
        name!("bankGuaranteePayment"),
        contract.guarantee_claims,
        |fields, [amount, publish_date, claim_date, grounds]| {
            fields.encoded_number(name!("paymentAmountRUR"), amount);
            fields.encoded_date(name!("publishDate"), publish_date);
            fields.encoded_date(name!("requirementsDate"), claim_date);
            fields.encoded(name!("improperExecInfo"), grounds);
        },
    );
}
