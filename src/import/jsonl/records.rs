//! Suppliers, contracts and RNP entries as JSON.

use super::object::{FieldError, Object, Result};
use crate::model::{
    Contract, ContractStage, GuaranteeClaim, Inn, Product, RnpEntry, Supplier, Termination,
};
use crate::model::{claim_fields, contract_fields, product_fields, termination_fields};

/// The `supplier` of a line, which is required with its INN.
pub fn required_supplier(line: &Object<'_>) -> Result<Supplier> {
    line.object_if_any("supplier", |object| {
        Ok(Supplier {
            inn: object.required("inn", "10 or 12 digits", Inn::parse)?,
            name: object.text("name")?,
        })
    })?
    .ok_or_else(|| FieldError::at("supplier", "is missing"))
}

/// Reads a field by its kind (see the list of a contract's fields in the model).
macro_rules! read_field {
    ($from:ident, key $name:tt) => {
        $from.required_text($name)?
    };
    ($from:ident, text $name:tt) => {
        $from.text($name)?
    };
    ($from:ident, amount $name:tt) => {
        $from.amount($name)?
    };
    ($from:ident, amount_or_zero $name:tt) => {
        $from.amount($name)?
    };
    ($from:ident, total $name:tt) => {
        $from.object($name, |object| object.amount("total"))?
    };
    ($from:ident, date $name:tt) => {
        $from.iso_date($name)?
    };
    ($from:ident, count $name:tt) => {
        $from.count($name)?.unwrap_or_default()
    };
    ($from:ident, flag $name:tt) => {
        $from.flag($name)?.unwrap_or_default()
    };
    ($from:ident, stage $name:tt) => {
        $from.parsed($name, ContractStage::EXPECTED, ContractStage::from_code)?
    };
    ($from:ident, products $name:tt) => {
        $from.items($name, |item| Ok(product_fields!(read item Product)))?
    };
    ($from:ident, claims $name:tt) => {
        $from.items($name, |item| Ok(claim_fields!(read item GuaranteeClaim)))?
    };
    ($from:ident, termination _) => {
        termination_fields!(read $from Termination)
    };
}

macro_rules! read {
    ([$from:ident $record:ident] $($(#[$doc:meta])* $field:ident $name:tt: $kind:ident,)*) => {
        $record { $($field: read_field!($from, $kind $name),)* }
    };
}

/// A contract in the form of the contract page.
pub fn contract(object: &Object<'_>) -> Result<Contract> {
    Ok(contract_fields!(read object Contract))
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
