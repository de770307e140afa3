//! The 223 shape (the specification, "Purchase, 223 shape").

use super::fields::{Fields, Resource};
use crate::model::{Organization, Purchase223};

impl Resource for Purchase223 {
    fn tell<F: Fields>(&self, fields: &mut F) {
        fields.text("purchaseNumber", self.purchase_number.as_str());
        fields.date("docPublishDate", self.publish_date);
        fields.text("href", &self.href);
        fields.text("purchaseObjectInfo", &self.object_info);
        fields.text("placingWay", &self.placing_way);
        fields.text("ETP", &self.trading_platform);
        fields.amount("fullNMCK", self.max_price);
        fields.list(
            "restrictions",
            "restriction",
            &self.restrictions,
            |fields, name| {
                fields.text("shortName", name);
            },
        );
        fields.text("stage", &self.stage);
        fields.list("lots", "lot", &self.lots, |fields, lot| {
            fields.text("lotNumber", &lot.number);
            fields.text("lotName", &lot.name);
            fields.text("maxPrice", &lot.max_price);
            fields.text("currency", &lot.currency);
            fields.text("executionPlace", &lot.execution_place);
            fields.list(
                "customers",
                "customer",
                &lot.customers,
                |fields, customer| {
                    organization(fields, &customer.organization);
                    let objects = &customer.objects;
                    fields.list(
                        "purchaseObjects",
                        "purchaseObject",
                        objects,
                        |fields, object| {
                            fields.text("number", &object.number);
                            fields.text("okpd", &object.okpd);
                            fields.text("okpd2", &object.okpd2);
                            fields.text("okei", &object.okei);
                            fields.text("quantity", &object.quantity);
                        },
                    );
                },
            );
        });
        fields.object("mainCustomer", |fields| {
            organization(fields, &self.main_customer)
        });
        fields.object("responsibleOrg", |fields| {
            organization(fields, &self.responsible_org)
        });
        fields.date("submissionCloseDateTime", self.submission_close);
        fields.date("envelopeOpeningTime", self.envelope_opening);
        fields.date("examinationDateTime", self.examination);
        fields.date("summingupTime", self.summing_up);
        fields.text("applExamPeriodTime", &self.examination_period);
        fields.text("auctionTime", &self.auction_time);
        fields.text("quotationExaminationTime", &self.quotation_examination_time);
    }
}

fn organization<F: Fields>(fields: &mut F, organization: &Organization) {
    fields.text("fullName", &organization.full_name);
    fields.text("inn", &organization.inn);
    fields.text("kpp", &organization.kpp);
    fields.text("ogrn", &organization.ogrn);
    fields.text("factualAddress", &organization.factual_address);
    fields.text("postalAddress", &organization.postal_address);
    fields.text("phone", &organization.phone);
    fields.text("email", &organization.email);
}
