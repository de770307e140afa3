//! The 44 shape, whose XML and JSON samples differ: one record, two lists of fields (the
//! specification, "Purchase, 44 shape"). What both have in common is written once, below
//! them.

use super::fields::{FieldWriter, Record, form, name};
use super::purchase615;
use crate::model::{
    CodedText, Customer44, Date, DeliveryPlace, Lot44, PersonName, Preference, ProcedureDates,
    Purchase44, PurchaseObject44, ResponsibleOrg44, Restriction14, StageDates, Winner,
};

/// The card in the form of the XML sample, as of a day.
pub struct XmlCard<'a> {
    pub card: &'a Purchase44,
    pub today: Date,
}

/// The card in the form of the JSON sample, as of a day.
pub struct JsonCard<'a> {
    pub card: &'a Purchase44,
    pub today: Date,
}

impl Record for XmlCard<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let Self { card, today } = *self;
        general(fields, card, today);
        fields.object(name!("responsibleOrg"), |fields| {
            xml_responsible_org(fields, &card.responsible_org)
        });
        fields.object(name!("procedureInfo"), |fields| {
            xml_procedure(fields, &card.procedure)
        });
        fields.list(name!("lots"), name!("lot"), &card.lots, xml_lot);
        card_restrictions(fields, card);
    }
}

impl Record for JsonCard<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let Self { card, today } = *self;
        general(fields, card, today);
        fields.object(name!("responsibleOrg"), |fields| {
            json_responsible_org(fields, &card.responsible_org)
        });
        fields.object(name!("procedureInfo"), |fields| {
            let procedure = &card.procedure;
            fields.moment(name!("start"), procedure.start);
            fields.moment(name!("end"), procedure.end);
            fields.moment(name!("bidding"), procedure.bidding);
            json_procedure(fields, procedure);
        });
        fields.list(name!("lots"), name!("lot"), &card.lots, |fields, lot| {
            json_lot(fields, lot, json_customer, json_object);
        });
        publication(fields, card);
    }
}

/// The card with the fields of both samples, for a line of JSON, as of a day.
pub struct WholeCard<'a> {
    pub card: &'a Purchase44,
    pub today: Date,
}

impl Record for WholeCard<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let Self { card, today } = *self;
        general(fields, card, today);
        fields.object(name!("responsibleOrg"), |fields| {
            json_responsible_org(fields, &card.responsible_org)
        });
        fields.object(name!("procedureInfo"), |fields| {
            xml_procedure(fields, &card.procedure);
            json_procedure(fields, &card.procedure);
        });
        fields.list(name!("lots"), name!("lot"), &card.lots, |fields, lot| {
            fields.text(name!("lotObjectInfo"), &lot.object_info);
            fields.object(name!("winner"), |fields| winner(fields, &lot.winner));
            json_lot(fields, lot, whole_customer, whole_object);
        });
        card_restrictions(fields, card);
        publication(fields, card);
    }
}

fn whole_customer<F: FieldWriter>(fields: &mut F, customer: &Customer44) {
    json_customer(fields, customer);
    execution(fields, customer);
}

fn whole_object<F: FieldWriter>(fields: &mut F, object: &PurchaseObject44) {
    fields.text(name!("OKPD"), &object.okpd);
    json_object(fields, object);
}

fn xml_procedure<F: FieldWriter>(fields: &mut F, procedure: &ProcedureDates) {
    fields.moment(name!("start"), procedure.start);
    fields.moment(name!("end"), procedure.end);
    fields.moment(name!("opening"), procedure.opening);
    fields.moment(name!("scoring"), procedure.scoring);
    fields.moment(name!("bidding"), procedure.bidding);
    fields.moment(name!("finalOpening"), procedure.final_opening);
    fields.moment(name!("selecting"), procedure.selecting);
    fields.moment(name!("prequalification"), procedure.prequalification);
    fields.object(name!("stage1"), |fields| {
        stage_dates(fields, &procedure.stage1)
    });
    fields.object(name!("stage2"), |fields| {
        stage_dates(fields, &procedure.stage2)
    });
}

/// What the JSON sample has beside start, end and bidding.
fn json_procedure<F: FieldWriter>(fields: &mut F, procedure: &ProcedureDates) {
    fields.moment(name!("summarizingDate"), procedure.summarizing);
    fields.moment(name!("firstPartsDate"), procedure.first_parts);
    fields.moment(name!("submissionDate"), procedure.submission);
    fields.moment(name!("secondPartsDate"), procedure.second_parts);
}

/// What the JSON sample has after the lots.
fn publication<F: FieldWriter>(fields: &mut F, card: &Purchase44) {
    fields.text(name!("canceld"), &card.cancelled);
    fields.moment(name!("firstPublishDate"), card.first_publish_date);
    fields.text(name!("region"), &card.region);
    fields.list(
        name!("attachments"),
        name!("attachment"),
        &card.attachments,
        |fields, attachment| {
            fields.text(name!("fileName"), &attachment.file_name);
            fields.text(name!("fileSize"), &attachment.file_size);
            fields.text(name!("docDescription"), &attachment.description);
            fields.moment(name!("docDate"), attachment.date);
            fields.text(name!("url"), &attachment.url);
            fields.text(name!("docKindCode"), &attachment.kind_code);
            fields.text(name!("docKindName"), &attachment.kind_name);
        },
    );
}

/// What the XML sample has after the lots.
fn card_restrictions<F: FieldWriter>(fields: &mut F, card: &Purchase44) {
    fields.list(
        name!("restrictions"),
        name!("restriction"),
        &card.restrictions,
        |fields, name| {
            fields.text(name!("shortName"), name);
        },
    );
}

fn winner<F: FieldWriter>(fields: &mut F, winner: &Winner) {
    fields.text(name!("name"), &winner.name);
    fields.text(name!("inn"), &winner.inn);
    fields.text(name!("kpp"), &winner.kpp);
    fields.amount(name!("price"), winner.price);
}

/// What the XML sample says of a customer's contract.
fn execution<F: FieldWriter>(fields: &mut F, customer: &Customer44) {
    fields.object(name!("executionTerms"), |fields| {
        fields.text(name!("executionPlace"), &customer.execution_place);
        fields.text(name!("executionPeriod"), &customer.execution_period);
    });
    fields.object(name!("contract"), |fields| {
        purchase615::contract(fields, &customer.contract)
    });
}

fn xml_lot<F: FieldWriter>(fields: &mut F, lot: &Lot44) {
    fields.count(name!("lotNumber"), lot.number);
    fields.text(name!("lotObjectInfo"), &lot.object_info);
    fields.amount(name!("maxPrice"), lot.max_price);
    fields.text(name!("currency"), &lot.currency);
    fields.object(name!("winner"), |fields| winner(fields, &lot.winner));
    fields.list(
        name!("customers"),
        name!("customer"),
        &lot.customers,
        xml_customer,
    );
    fields.object(name!("purchaseObjects"), |fields| {
        fields.items(name!("purchaseObject"), &lot.objects, xml_object);
        fields.amount(name!("totalSum"), lot.total_sum);
    });
}

fn json_lot<F: FieldWriter>(
    fields: &mut F,
    lot: &Lot44,
    each_customer: impl Fn(&mut F, &Customer44),
    each_object: impl Fn(&mut F, &PurchaseObject44),
) {
    fields.count(name!("lotNumber"), lot.number);
    fields.amount(name!("maxPrice"), lot.max_price);
    fields.text(name!("currency"), &lot.currency);
    fields.flag(name!("lotDrugPurchase"), lot.drug_purchase);
    fields.flag(name!("lotSmp"), lot.small_business);
    fields.flag(name!("lotSubContractors"), lot.subcontractors);
    fields.flag(name!("contractLifeCycle"), lot.life_cycle);
    fields.text(name!("contractLifeCycleCode"), &lot.life_cycle_code);
    fields.text(name!("contractLifeCycleName"), &lot.life_cycle_name);
    fields.list(
        name!("customers"),
        name!("customer"),
        &lot.customers,
        each_customer,
    );
    fields.object(name!("purchaseObjects"), |fields| {
        fields.items(name!("purchaseObject"), &lot.objects, each_object);
        fields.amount(name!("totalSum"), lot.total_sum);
        fields.flag(name!("quantityUndefined"), lot.quantity_undefined);
    });
    fields.list(
        name!("requirements"),
        name!("requirement"),
        &lot.requirements,
        coded_text,
    );
    fields.list(
        name!("addRequirements"),
        name!("addRequirement"),
        &lot.additional_requirements,
        coded_text,
    );
    fields.list(
        name!("preferenses"),
        name!("preferense"),
        &lot.preferences,
        preference,
    );
    fields.list(
        name!("restrictions"),
        name!("restriction"),
        &lot.restrictions,
        coded_text,
    );
    fields.list(
        name!("restrictionsSt14"),
        name!("restrictionSt14"),
        &lot.restrictions14,
        restriction14,
    );
}

fn preference<F: FieldWriter>(fields: &mut F, preference: &Preference) {
    fields.text(name!("code"), &preference.code);
    fields.text(name!("name"), &preference.name);
    fields.amount(name!("value"), preference.value);
}

fn restriction14<F: FieldWriter>(fields: &mut F, restriction: &Restriction14) {
    fields.text(name!("code"), &restriction.code);
    fields.text(name!("name"), &restriction.name);
    fields.text(name!("shortName"), &restriction.short_name);
    fields.flag(name!("imposibilityBan"), restriction.impossible_ban);
    fields.text(
        name!("imposibilityBanReason"),
        &restriction.impossible_ban_reason,
    );
    fields.text(name!("note"), &restriction.note);
}

fn xml_customer<F: FieldWriter>(fields: &mut F, customer: &Customer44) {
    fields.text(name!("ikz"), &customer.purchase_code);
    customer_identity(fields, customer);
    fields.object(name!("contactPerson"), |fields| {
        person(fields, &customer.contact)
    });
    fields.text(name!("email"), &customer.email);
    fields.text(name!("phone"), &customer.phone);
    fields.object(name!("enforcement"), |fields| enforcement(fields, customer));
    execution(fields, customer);
}

fn json_customer<F: FieldWriter>(fields: &mut F, customer: &Customer44) {
    customer_identity(fields, customer);
    fields.object(name!("contactPerson"), |fields| {
        person(fields, &customer.contact)
    });
    fields.text(name!("email"), &customer.email);
    fields.text(name!("phone"), &customer.phone);
    fields.text(name!("fax"), &customer.fax);
    fields.text(name!("ikz"), &customer.purchase_code);
    fields.amount(name!("customerMaxPrice"), customer.max_price);
    fields.flag(name!("mustPublicDiscussion"), customer.public_discussion);
    fields.text(name!("tenderPlanPositionNumber"), &customer.plan_position);
    fields.amount(name!("advanceSumPercents"), customer.advance_percent);
    fields.flag(name!("selfFunds"), customer.own_funds);
    fields.text(name!("budgetCode"), &customer.budget_code);
    fields.text(name!("budgetName"), &customer.budget_name);
    fields.flag(name!("bankSupportContractRequired"), customer.bank_support);
    fields.flag(
        name!("treasurySupportContractRequired"),
        customer.treasury_support,
    );
    fields.object(name!("enforcement"), |fields| {
        enforcement(fields, customer);
        fields.amount(
            name!("contractProvisionWarrantyAmount"),
            customer.enforcement.warranty_amount,
        );
        fields.amount(
            name!("contractProvisionWarrantyPart"),
            customer.enforcement.warranty_part,
        );
    });
    fields.list(
        name!("deliveryPlaces"),
        name!("deliveriPlace"),
        &customer.delivery_places,
        delivery_place,
    );
}

fn xml_object<F: FieldWriter>(fields: &mut F, object: &PurchaseObject44) {
    fields.text(name!("name"), &object.name);
    fields.text(name!("OKPD"), &object.okpd);
    fields.text(name!("OKPD2"), &object.okpd2);
    fields.text(name!("KTRU"), &object.ktru);
    fields.text(name!("OKEI"), &object.okei);
    fields.amount(name!("price"), object.price);
    fields.amount(name!("quantity"), object.quantity);
    fields.amount(name!("sum"), object.sum);
}

fn json_object<F: FieldWriter>(fields: &mut F, object: &PurchaseObject44) {
    fields.text(name!("type"), &object.kind);
    fields.text(name!("name"), &object.name);
    fields.text_if_any(name!("MNN"), &object.mnn);
    fields.text_if_any(name!("dosageForm"), &object.dosage_form);
    fields.text_if_any(name!("dosage"), &object.dosage);
    fields.text(name!("OKPD2"), &object.okpd2);
    fields.text(name!("OKPD2Name"), &object.okpd2_name);
    fields.text(name!("KTRU"), &object.ktru);
    fields.text(name!("KTRUName"), &object.ktru_name);
    fields.text(name!("OKEI"), &object.okei);
    fields.text(name!("OKEIName"), &object.okei_name);
    fields.amount(name!("price"), object.price);
    fields.amount(name!("quantity"), object.quantity);
    fields.amount(name!("sum"), object.sum);
    fields.flag(name!("isMedicalProduct"), object.medical_product);
    fields.flag(name!("preferenseRF"), object.preference_rf);
    fields.flag(name!("restrictForeign"), object.restrict_foreign);
    fields.flag(name!("prohibitionForeign"), object.prohibition_foreign);
    fields.flag(
        name!("imposibilityProhibition"),
        object.impossible_prohibition,
    );
    fields.text(
        name!("reasonImposibilityProhibition"),
        &object.impossible_prohibition_reason,
    );
}

fn xml_responsible_org<F: FieldWriter>(fields: &mut F, org: &ResponsibleOrg44) {
    org_identity(fields, org);
    let PersonName {
        last,
        first,
        middle,
    } = &org.contact;
    let parts = [last.as_str(), first, middle];
    let present: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    fields.text(name!("contactPerson"), &present.join(" "));
    org_contacts(fields, org);
}

fn json_responsible_org<F: FieldWriter>(fields: &mut F, org: &ResponsibleOrg44) {
    org_identity(fields, org);
    fields.object(name!("contactPerson"), |fields| {
        person(fields, &org.contact)
    });
    org_contacts(fields, org);
    fields.text(name!("role"), &org.role);
}

fn general<F: FieldWriter>(fields: &mut F, card: &Purchase44, today: Date) {
    let number = card.purchase_number.as_str();
    fields.formed(name!("purchaseNumber"), number, form::NUMBER44);
    fields.date(name!("docPublishDate"), card.publish_date);
    fields.text(name!("href"), &card.href);
    fields.text(name!("purchaseObjectInfo"), &card.object_info);
    fields.text(name!("placingWay"), &card.placing_way);
    fields.text(name!("ETP"), &card.trading_platform);
    fields.text(name!("stage"), card.stage.on(today));
    fields.amount(name!("fullNMCK"), card.max_price);
}

fn org_identity<F: FieldWriter>(fields: &mut F, org: &ResponsibleOrg44) {
    fields.text(name!("fullName"), &org.full_name);
    fields.text(name!("inn"), &org.inn);
    fields.text(name!("kpp"), &org.kpp);
    fields.text(name!("factAddress"), &org.address);
}

fn org_contacts<F: FieldWriter>(fields: &mut F, org: &ResponsibleOrg44) {
    fields.text(name!("contactEmail"), &org.contact_email);
    fields.text(name!("contactPhone"), &org.contact_phone);
}

fn stage_dates<F: FieldWriter>(fields: &mut F, stage: &StageDates) {
    fields.moment(name!("start"), stage.start);
    fields.moment(name!("end"), stage.end);
    fields.moment(name!("opening"), stage.opening);
    fields.moment(name!("scoring"), stage.scoring);
}

fn customer_identity<F: FieldWriter>(fields: &mut F, customer: &Customer44) {
    fields.text(name!("fullName"), &customer.full_name);
    fields.text(name!("inn"), &customer.inn);
    fields.text(name!("kpp"), &customer.kpp);
    fields.text(name!("ogrn"), &customer.ogrn);
    fields.text(name!("factualAddress"), &customer.factual_address);
    fields.text(name!("postalAddress"), &customer.postal_address);
}

fn person<F: FieldWriter>(fields: &mut F, person: &PersonName) {
    fields.text(name!("lastName"), &person.last);
    fields.text(name!("firstName"), &person.first);
    fields.text(name!("middleName"), &person.middle);
}

fn enforcement<F: FieldWriter>(fields: &mut F, customer: &Customer44) {
    let enforcement = &customer.enforcement;
    fields.amount(
        name!("applicationGuaranteeAmount"),
        enforcement.application_amount,
    );
    fields.amount(
        name!("applicationGuaranteePart"),
        enforcement.application_part,
    );
    fields.amount(
        name!("contractGuaranteeAmount"),
        enforcement.contract_amount,
    );
    fields.amount(name!("contractGuaranteePart"), enforcement.contract_part);
}

fn delivery_place<F: FieldWriter>(fields: &mut F, place: &DeliveryPlace) {
    fields.text_if_any(name!("kladrCode"), &place.kladr_code);
    fields.text_if_any(name!("kladrName"), &place.kladr_name);
    fields.text(name!("countryCode"), &place.country_code);
    fields.text(name!("countryName"), &place.country_name);
    fields.text(name!("GARAddress"), &place.gar_address);
    fields.text(name!("deliveryPlace"), &place.place);
}

fn coded_text<F: FieldWriter>(fields: &mut F, item: &CodedText) {
    fields.text(name!("code"), &item.code);
    fields.text(name!("name"), &item.name);
    fields.text(name!("content"), &item.content);
}
