//! Suppliers, contracts and RNP entries as JSON.

use super::object::{Object, Problem, Result};
use crate::model::{
    Contract, ContractStage, GuaranteeClaim, Inn, Product, RnpEntry, Supplier, Termination,
};

/// The `supplier` of a line, which must be there with its INN.
pub fn required_supplier(line: &Object<'_>) -> Result<Supplier> {
    line.object_if_any("supplier", |object| {
        Ok(Supplier {
            inn: object.required("inn", "10 or 12 digits", Inn::parse)?,
            name: object.text("name")?,
        })
    })?
    .ok_or_else(|| Problem::at("supplier", "is missing"))
}

/// A contract as the contract page has it.
pub fn contract(object: &Object<'_>) -> Result<Contract> {
    Ok(Contract {
        reg_num: object.required_text("regNum")?,
        purchase_number: object.text("purchaseNumber")?,
        purchase_code: object.text("purchaseCode")?,
        subject: object.text("purchaseObjectInfo")?,
        notification_price: object.amount("notificationPrice")?,
        delivery_term: object.text("deliveryTerm")?,
        customer_inn: object.text("customerInn")?,
        customer_name: object.text("customerName")?,
        price: object.amount("contractPrice")?,
        sign_date: object.iso_date("signDate")?,
        end_date: object.iso_date("endDate")?,
        stage: object.parsed("contractStage", "EC, ET, E or IN", ContractStage::from_code)?,
        fulfilment_sum: object.amount("fulfilmentSum")?,
        paid: object.object("paid", |object| object.amount("total"))?,
        advance_percent: object.amount("advanceInPercents")?,
        penalties: object.amount("penaltiesTotal")?,
        penalties_paid: object.amount("penaltiesPayments")?,
        stage_count: object.count("ContractStages")?.unwrap_or_default(),
        update_date: object.iso_date("updateDate")?,
        has_subcontractors: object.flag("subContractors")?.unwrap_or_default(),
        subcontractors_sum: object.amount("subContractorsSum")?,
        notice_guarantee: object.amount("purchaseContractGuarantee")?,
        guarantee: object.amount("contractGuarantee")?,
        bank_support: object
            .flag("bankSupportContractRequired")?
            .unwrap_or_default(),
        treasury_support: object
            .flag("treasurySupportContractRequired")?
            .unwrap_or_default(),
        budget_name: object.text("budgetName")?,
        oktmo: object.text("OKTMO")?,
        products: object.items("products", |product| {
            Ok(Product {
                code: product.text("code")?,
                sum: product.amount("sum")?,
            })
        })?,
        termination: Termination {
            agreement: object.flag("terminationBoth")?.unwrap_or_default(),
            supplier_refusal: object.flag("terminationSupplier")?.unwrap_or_default(),
            customer_refusal: object.flag("terminationCostomer")?.unwrap_or_default(),
            court_decision: object.flag("terminationJudge")?.unwrap_or_default(),
            unknown: object.flag("terminationCourt")?.unwrap_or_default(),
        },
        guarantee_claims: object.items("bankGuaranteePayments", |claim| {
            Ok(GuaranteeClaim {
                amount: claim.amount("paymentAmountRUR")?,
                publish_date: claim.iso_date("publishDate")?,
                claim_date: claim.iso_date("requirementsDate")?,
                grounds: claim.text("improperExecInfo")?,
            })
        })?,
    })
}

/// An element of the RNP check's `entries`.
pub fn rnp_entry(object: &Object<'_>) -> Result<RnpEntry> {
    Ok(RnpEntry {
        registration_number: object.required_text("registrationNumber")?,
        registration_date: object.iso_date("registrationDate")?,
        reason: object.text("reason")?,
        contract_number: object.text("contractNumber")?,
        exclude_date: object.iso_date("excludeDate")?,
        federal_law: object.text("federalLaw")?,
        customer_name: object.text("customerName")?,
        customer_inn: object.text("customerINN")?,
        withdrawn: false,
    })
}
