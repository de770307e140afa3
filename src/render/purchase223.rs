//! The 223 shape (the specification, "Purchase, 223 shape").

use super::fields::{Fields, Resource};
use crate::model::{Date, Organization, Purchase223};

/// The card as it stands on a day.
pub struct Card<'a> {
    pub card: &'a Purchase223,
    pub today: Date,
}

impl Resource for Card<'_> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        let Self { card, today } = *self;
        fields.text("purchaseNumber", card.purchase_number.as_str());
        fields.date("docPublishDate", card.publish_date);
        fields.text("href", &card.href);
        fields.text("purchaseObjectInfo", &card.object_info);
        fields.text("placingWay", &card.placing_way);
        fields.text("ETP", &card.trading_platform);
        fields.amount("fullNMCK", card.max_price);
        fields.list(
            "restrictions",
            "restriction",
            &card.restrictions,
            |fields, name| {
                fields.text("shortName", name);
            },
        );
        fields.text("stage", card.stage.on(today));
        fields.list("lots", "lot", &card.lots, |fields, lot| {
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
            organization(fields, &card.main_customer)
        });
        fields.object("responsibleOrg", |fields| {
            organization(fields, &card.responsible_org)
        });
        fields.date("submissionCloseDateTime", card.submission_close);
        fields.date("envelopeOpeningTime", card.envelope_opening);
        fields.date("examinationDateTime", card.examination);
        fields.date("summingupTime", card.summing_up);
        fields.text("applExamPeriodTime", &card.examination_period);
        fields.text("auctionTime", &card.auction_time);
        fields.text("quotationExaminationTime", &card.quotation_examination_time);
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
