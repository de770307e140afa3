//! The 615 shape (the specification, "Purchase, 615 shape"), and the contract
//! that a purchase ended in, which the 44 shape has too.

use super::fields::{Fields, Resource};
use crate::model::{Purchase615, PurchaseContract};

impl Resource for Purchase615 {
    fn tell<F: Fields>(&self, fields: &mut F) {
        fields.text("purchaseNumber", self.purchase_number.as_str());
        fields.date("docPublishDate", self.publish_date);
        fields.text("href", &self.href);
        fields.text("purchaseObjectInfo", &self.object_info);
        fields.text("placingWay", &self.placing_way);
        fields.text("ETP", &self.trading_platform);
        fields.date("collectingEndDate", self.collecting_end);
        fields.amount("fullNMCK", self.max_price);
        fields.amount("applicationGuaranteeAmount", self.application_guarantee);
        fields.amount("contractGuaranteeAmount", self.contract_guarantee);
        fields.object("responsibleOrg", |fields| {
            let org = &self.responsible_org;
            fields.text("fullName", &org.full_name);
            fields.text("regNum", &org.reg_num);
            fields.text("inn", &org.inn);
            fields.text("kpp", &org.kpp);
            fields.text("ogrn", &org.ogrn);
            fields.text("factualAddress", &org.factual_address);
            fields.text("postalAddress", &org.postal_address);
        });
        fields.object("winner", |fields| {
            fields.date("protocolDate", self.winner.protocol_date);
            fields.text("protocolNumber", &self.winner.protocol_number);
            fields.text("name", &self.winner.name);
            fields.text("inn", &self.winner.inn);
            fields.text("kpp", &self.winner.kpp);
            fields.amount("price", self.winner.price);
        });
        fields.object("contract", |fields| contract(fields, &self.contract));
    }
}

pub(super) fn contract<F: Fields>(fields: &mut F, contract: &PurchaseContract) {
    fields.text("regNum", &contract.reg_num);
    fields.amount("price", contract.price);
    fields.object("executionPeriod", |fields| {
        fields.date("endDate", contract.end_date)
    });
    fields.list(
        "suppliers",
        "supplier",
        &contract.suppliers,
        |fields, supplier| {
            fields.text("name", &supplier.name);
            fields.text("inn", &supplier.inn);
            fields.text("kpp", &supplier.kpp);
        },
    );
}
