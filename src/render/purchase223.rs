//! The 223 shape (the specification, "Purchase, 223 shape").

use super::fields::{FieldWriter, Record, form, name};
use crate::model::{Date, Lot223, Organization, Purchase223};

/// The card as of a day.
pub struct Card223<'a> {
    pub card: &'a Purchase223,
    pub today: Date,
}

impl Record for Card223<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let Self { card, today } = *self;
        let number = card.purchase_number.as_str();
        fields.formed(name!("purchaseNumber"), number, form::NUMBER223);
        fields.date(name!("docPublishDate"), card.publish_date);
        fields.text(name!("href"), &card.href);
        fields.text(name!("purchaseObjectInfo"), &card.object_info);
        fields.text(name!("placingWay"), &card.placing_way);
        fields.text(name!("ETP"), &card.trading_platform);
        fields.amount(name!("fullNMCK"), card.max_price);
        fields.list(
            name!("restrictions"),
            name!("restriction"),
            &card.restrictions,
            |fields, name| {
                fields.text(name!("shortName"), name);
            },
        );
        fields.text(name!("stage"), card.stage.on(today));
        fields.list(name!("lots"), name!("lot"), &card.lots, lot);
        fields.object(name!("mainCustomer"), |fields| {
            organization(fields, &card.main_customer)
        });
        fields.object(name!("responsibleOrg"), |fields| {
            organization(fields, &card.responsible_org)
        });
        fields.date(name!("submissionCloseDateTime"), card.submission_close);
        fields.date(name!("envelopeOpeningTime"), card.envelope_opening);
        fields.date(name!("examinationDateTime"), card.examination);
        fields.date(name!("summingupTime"), card.summing_up);
        fields.text(name!("applExamPeriodTime"), &card.examination_period);
        fields.text(name!("auctionTime"), &card.auction_time);
        fields.text(
            name!("quotationExaminationTime"),
            &card.quotation_examination_time,
        );
    }
}

fn lot<F: FieldWriter>(fields: &mut F, lot: &Lot223) {
    fields.text(name!("lotNumber"), &lot.number);
    fields.text(name!("lotName"), &lot.name);
    fields.text(name!("maxPrice"), &lot.max_price);
    fields.text(name!("currency"), &lot.currency);
    fields.text(name!("executionPlace"), &lot.execution_place);
    fields.list(
        name!("customers"),
        name!("customer"),
        &lot.customers,
        |fields, customer| {
            organization(fields, &customer.organization);
            fields.list(
                name!("purchaseObjects"),
                name!("purchaseObject"),
                &customer.objects,
                |fields, object| {
                    fields.text(name!("number"), &object.number);
                    fields.text(name!("okpd"), &object.okpd);
                    fields.text(name!("okpd2"), &object.okpd2);
                    fields.text(name!("okei"), &object.okei);
                    fields.text(name!("quantity"), &object.quantity);
                },
            );
        },
    );
}

fn organization<F: FieldWriter>(fields: &mut F, organization: &Organization) {
    fields.text(name!("fullName"), &organization.full_name);
    fields.text(name!("inn"), &organization.inn);
    fields.text(name!("kpp"), &organization.kpp);
    fields.text(name!("ogrn"), &organization.ogrn);
    fields.text(name!("factualAddress"), &organization.factual_address);
    fields.text(name!("postalAddress"), &organization.postal_address);
    fields.text(name!("phone"), &organization.phone);
    fields.text(name!("email"), &organization.email);
}
