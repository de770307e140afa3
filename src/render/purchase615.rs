//! The 615 shape (the specification, "Purchase, 615 shape"), and the contract
//! that a purchase ended in, which the 44 shape has too.

use super::fields::{FieldWriter, Record, form, name};
use crate::model::{Purchase615, PurchaseContract};

impl Record for Purchase615 {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let number = self.purchase_number.as_str();
        fields.formed(name!("purchaseNumber"), number, form::NUMBER615);
        fields.date(name!("docPublishDate"), self.publish_date);
        fields.text(name!("href"), &self.href);
        fields.text(name!("purchaseObjectInfo"), &self.object_info);
        fields.text(name!("placingWay"), &self.placing_way);
        fields.text(name!("ETP"), &self.trading_platform);
        fields.date(name!("collectingEndDate"), self.collecting_end);
        fields.amount(name!("fullNMCK"), self.max_price);
        fields.amount(
            name!("applicationGuaranteeAmount"),
            self.application_guarantee,
        );
        fields.amount(name!("contractGuaranteeAmount"), self.contract_guarantee);
        fields.object(name!("responsibleOrg"), |fields| {
            let org = &self.responsible_org;
            fields.text(name!("fullName"), &org.full_name);
            fields.text(name!("regNum"), &org.reg_num);
            fields.text(name!("inn"), &org.inn);
            fields.text(name!("kpp"), &org.kpp);
            fields.text(name!("ogrn"), &org.ogrn);
            fields.text(name!("factualAddress"), &org.factual_address);
            fields.text(name!("postalAddress"), &org.postal_address);
        });
        fields.object(name!("winner"), |fields| {
            fields.date(name!("protocolDate"), self.winner.protocol_date);
            fields.text(name!("protocolNumber"), &self.winner.protocol_number);
            fields.text(name!("name"), &self.winner.name);
            fields.text(name!("inn"), &self.winner.inn);
            fields.text(name!("kpp"), &self.winner.kpp);
            fields.amount(name!("price"), self.winner.price);
        });
        fields.object(name!("contract"), |fields| contract(fields, &self.contract));
    }
}

pub(super) fn contract<F: FieldWriter>(fields: &mut F, contract: &PurchaseContract) {
    fields.text(name!("regNum"), &contract.reg_num);
    fields.amount(name!("price"), contract.price);
    fields.object(name!("executionPeriod"), |fields| {
        fields.date(name!("endDate"), contract.end_date)
    });
    fields.list(
        name!("suppliers"),
        name!("supplier"),
        &contract.suppliers,
        |fields, supplier| {
            fields.text(name!("name"), &supplier.name);
            fields.text(name!("inn"), &supplier.inn);
            fields.text(name!("kpp"), &supplier.kpp);
        },
    );
}
