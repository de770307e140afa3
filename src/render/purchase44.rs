//! The 44 shape, whose XML and JSON samples differ: one record, two lists of
//! fields (the specification, "Purchase, 44 shape"). What both have, in the same
//! words and order, stands once, below them.

use super::fields::{Fields, Resource};
use super::purchase615;
use crate::model::{
    CodedText, Customer44, Date, DeliveryPlace, Lot44, PersonName, Purchase44, PurchaseObject44,
    ResponsibleOrg44, StageDates,
};

/// The card as the XML sample has it, on a day.
pub struct XmlCard<'a> {
    pub card: &'a Purchase44,
    pub today: Date,
}

/// The card as the JSON sample has it, on a day.
pub struct JsonCard<'a> {
    pub card: &'a Purchase44,
    pub today: Date,
}

impl Resource for XmlCard<'_> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        let Self { card, today } = *self;
        general(fields, card, today);
        fields.object("responsibleOrg", |fields| {
            xml_responsible_org(fields, &card.responsible_org)
        });
        fields.object("procedureInfo", |fields| {
            let procedure = &card.procedure;
            fields.moment("start", procedure.start);
            fields.moment("end", procedure.end);
            fields.moment("opening", procedure.opening);
            fields.moment("scoring", procedure.scoring);
            fields.moment("bidding", procedure.bidding);
            fields.moment("finalOpening", procedure.final_opening);
            fields.moment("selecting", procedure.selecting);
            fields.moment("prequalification", procedure.prequalification);
            fields.object("stage1", |fields| stage_dates(fields, &procedure.stage1));
            fields.object("stage2", |fields| stage_dates(fields, &procedure.stage2));
        });
        fields.list("lots", "lot", &card.lots, xml_lot);
        fields.list(
            "restrictions",
            "restriction",
            &card.restrictions,
            |fields, name| {
                fields.text("shortName", name);
            },
        );
    }
}

impl Resource for JsonCard<'_> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        let Self { card, today } = *self;
        general(fields, card, today);
        fields.object("responsibleOrg", |fields| {
            json_responsible_org(fields, &card.responsible_org)
        });
        fields.object("procedureInfo", |fields| {
            let procedure = &card.procedure;
            fields.moment("start", procedure.start);
            fields.moment("end", procedure.end);
            fields.moment("bidding", procedure.bidding);
            fields.moment("summarizingDate", procedure.summarizing);
            fields.moment("firstPartsDate", procedure.first_parts);
            fields.moment("submissionDate", procedure.submission);
            fields.moment("secondPartsDate", procedure.second_parts);
        });
        fields.list("lots", "lot", &card.lots, json_lot);
        fields.text("canceld", &card.cancelled);
        fields.moment("firstPublishDate", card.first_publish_date);
        fields.text("region", &card.region);
        fields.list(
            "attachments",
            "attachment",
            &card.attachments,
            |fields, attachment| {
                fields.text("fileName", &attachment.file_name);
                fields.text("fileSize", &attachment.file_size);
                fields.text("docDescription", &attachment.description);
                fields.moment("docDate", attachment.date);
                fields.text("url", &attachment.url);
                fields.text("docKindCode", &attachment.kind_code);
                fields.text("docKindName", &attachment.kind_name);
            },
        );
    }
}

fn xml_lot<F: Fields>(fields: &mut F, lot: &Lot44) {
    fields.count("lotNumber", lot.number);
    fields.text("lotObjectInfo", &lot.object_info);
    fields.amount("maxPrice", lot.max_price);
    fields.text("currency", &lot.currency);
    fields.object("winner", |fields| {
        fields.text("name", &lot.winner.name);
        fields.text("inn", &lot.winner.inn);
        fields.text("kpp", &lot.winner.kpp);
        fields.amount("price", lot.winner.price);
    });
    fields.list("customers", "customer", &lot.customers, xml_customer);
    fields.object("purchaseObjects", |fields| {
        fields.items("purchaseObject", &lot.objects, xml_object);
        fields.amount("totalSum", lot.total_sum);
    });
}

fn json_lot<F: Fields>(fields: &mut F, lot: &Lot44) {
    fields.count("lotNumber", lot.number);
    fields.amount("maxPrice", lot.max_price);
    fields.text("currency", &lot.currency);
    fields.flag("lotDrugPurchase", lot.drug_purchase);
    fields.flag("lotSmp", lot.small_business);
    fields.flag("lotSubContractors", lot.subcontractors);
    fields.flag("contractLifeCycle", lot.life_cycle);
    fields.text("contractLifeCycleCode", &lot.life_cycle_code);
    fields.text("contractLifeCycleName", &lot.life_cycle_name);
    fields.list("customers", "customer", &lot.customers, json_customer);
    fields.object("purchaseObjects", |fields| {
        fields.items("purchaseObject", &lot.objects, json_object);
        fields.amount("totalSum", lot.total_sum);
        fields.flag("quantityUndefined", lot.quantity_undefined);
    });
    fields.list("requirements", "requirement", &lot.requirements, coded_text);
    fields.list(
        "addRequirements",
        "addRequirement",
        &lot.additional_requirements,
        coded_text,
    );
    fields.list(
        "preferenses",
        "preferense",
        &lot.preferences,
        |fields, preference| {
            fields.text("code", &preference.code);
            fields.text("name", &preference.name);
            fields.amount("value", preference.value);
        },
    );
    fields.list("restrictions", "restriction", &lot.restrictions, coded_text);
    let restrictions14 = &lot.restrictions14;
    fields.list(
        "restrictionsSt14",
        "restrictionSt14",
        restrictions14,
        |fields, restriction| {
            fields.text("code", &restriction.code);
            fields.text("name", &restriction.name);
            fields.text("shortName", &restriction.short_name);
            fields.flag("imposibilityBan", restriction.impossible_ban);
            fields.text("imposibilityBanReason", &restriction.impossible_ban_reason);
            fields.text("note", &restriction.note);
        },
    );
}

fn xml_customer<F: Fields>(fields: &mut F, customer: &Customer44) {
    fields.text("ikz", &customer.purchase_code);
    customer_identity(fields, customer);
    fields.object("contactPerson", |fields| person(fields, &customer.contact));
    fields.text("email", &customer.email);
    fields.text("phone", &customer.phone);
    fields.object("enforcement", |fields| enforcement(fields, customer));
    fields.object("executionTerms", |fields| {
        fields.text("executionPlace", &customer.execution_place);
        fields.text("executionPeriod", &customer.execution_period);
    });
    fields.object("contract", |fields| {
        purchase615::contract(fields, &customer.contract)
    });
}

fn json_customer<F: Fields>(fields: &mut F, customer: &Customer44) {
    customer_identity(fields, customer);
    fields.object("contactPerson", |fields| person(fields, &customer.contact));
    fields.text("email", &customer.email);
    fields.text("phone", &customer.phone);
    fields.text("fax", &customer.fax);
    fields.text("ikz", &customer.purchase_code);
    fields.amount("customerMaxPrice", customer.max_price);
    fields.flag("mustPublicDiscussion", customer.public_discussion);
    fields.text("tenderPlanPositionNumber", &customer.plan_position);
    fields.amount("advanceSumPercents", customer.advance_percent);
    fields.flag("selfFunds", customer.own_funds);
    fields.text("budgetCode", &customer.budget_code);
    fields.text("budgetName", &customer.budget_name);
    fields.flag("bankSupportContractRequired", customer.bank_support);
    fields.flag("treasurySupportContractRequired", customer.treasury_support);
    fields.object("enforcement", |fields| {
        enforcement(fields, customer);
        fields.amount(
            "contractProvisionWarrantyAmount",
            customer.enforcement.warranty_amount,
        );
        fields.amount(
            "contractProvisionWarrantyPart",
            customer.enforcement.warranty_part,
        );
    });
    fields.list(
        "deliveryPlaces",
        "deliveriPlace",
        &customer.delivery_places,
        delivery_place,
    );
}

fn xml_object<F: Fields>(fields: &mut F, object: &PurchaseObject44) {
    fields.text("name", &object.name);
    fields.text("OKPD", &object.okpd);
    fields.text("OKPD2", &object.okpd2);
    fields.text("KTRU", &object.ktru);
    fields.text("OKEI", &object.okei);
    fields.amount("price", object.price);
    fields.amount("quantity", object.quantity);
    fields.amount("sum", object.sum);
}

fn json_object<F: Fields>(fields: &mut F, object: &PurchaseObject44) {
    fields.text("type", &object.kind);
    fields.text("name", &object.name);
    text_if_any(fields, "MNN", &object.mnn);
    text_if_any(fields, "dosageForm", &object.dosage_form);
    text_if_any(fields, "dosage", &object.dosage);
    fields.text("OKPD2", &object.okpd2);
    fields.text("OKPD2Name", &object.okpd2_name);
    fields.text("KTRU", &object.ktru);
    fields.text("KTRUName", &object.ktru_name);
    fields.text("OKEI", &object.okei);
    fields.text("OKEIName", &object.okei_name);
    fields.amount("price", object.price);
    fields.amount("quantity", object.quantity);
    fields.amount("sum", object.sum);
    fields.flag("isMedicalProduct", object.medical_product);
    fields.flag("preferenseRF", object.preference_rf);
    fields.flag("restrictForeign", object.restrict_foreign);
    fields.flag("prohibitionForeign", object.prohibition_foreign);
    fields.flag("imposibilityProhibition", object.impossible_prohibition);
    fields.text(
        "reasonImposibilityProhibition",
        &object.impossible_prohibition_reason,
    );
}

fn xml_responsible_org<F: Fields>(fields: &mut F, org: &ResponsibleOrg44) {
    org_identity(fields, org);
    let PersonName {
        last,
        first,
        middle,
    } = &org.contact;
    let parts = [last.as_str(), first, middle];
    let known: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    fields.text("contactPerson", &known.join(" "));
    org_contacts(fields, org);
}

fn json_responsible_org<F: Fields>(fields: &mut F, org: &ResponsibleOrg44) {
    org_identity(fields, org);
    fields.object("contactPerson", |fields| person(fields, &org.contact));
    org_contacts(fields, org);
    fields.text("role", &org.role);
}

fn general<F: Fields>(fields: &mut F, card: &Purchase44, today: Date) {
    fields.text("purchaseNumber", card.purchase_number.as_str());
    fields.date("docPublishDate", card.publish_date);
    fields.text("href", &card.href);
    fields.text("purchaseObjectInfo", &card.object_info);
    fields.text("placingWay", &card.placing_way);
    fields.text("ETP", &card.trading_platform);
    fields.text("stage", card.stage.on(today));
    fields.amount("fullNMCK", card.max_price);
}

fn org_identity<F: Fields>(fields: &mut F, org: &ResponsibleOrg44) {
    fields.text("fullName", &org.full_name);
    fields.text("inn", &org.inn);
    fields.text("kpp", &org.kpp);
    fields.text("factAddress", &org.address);
}

fn org_contacts<F: Fields>(fields: &mut F, org: &ResponsibleOrg44) {
    fields.text("contactEmail", &org.contact_email);
    fields.text("contactPhone", &org.contact_phone);
}

fn stage_dates<F: Fields>(fields: &mut F, stage: &StageDates) {
    fields.moment("start", stage.start);
    fields.moment("end", stage.end);
    fields.moment("opening", stage.opening);
    fields.moment("scoring", stage.scoring);
}

fn customer_identity<F: Fields>(fields: &mut F, customer: &Customer44) {
    fields.text("fullName", &customer.full_name);
    fields.text("inn", &customer.inn);
    fields.text("kpp", &customer.kpp);
    fields.text("ogrn", &customer.ogrn);
    fields.text("factualAddress", &customer.factual_address);
    fields.text("postalAddress", &customer.postal_address);
}

fn person<F: Fields>(fields: &mut F, person: &PersonName) {
    fields.text("lastName", &person.last);
    fields.text("firstName", &person.first);
    fields.text("middleName", &person.middle);
}

fn enforcement<F: Fields>(fields: &mut F, customer: &Customer44) {
    let enforcement = &customer.enforcement;
    fields.amount("applicationGuaranteeAmount", enforcement.application_amount);
    fields.amount("applicationGuaranteePart", enforcement.application_part);
    fields.amount("contractGuaranteeAmount", enforcement.contract_amount);
    fields.amount("contractGuaranteePart", enforcement.contract_part);
}

fn delivery_place<F: Fields>(fields: &mut F, place: &DeliveryPlace) {
    text_if_any(fields, "kladrCode", &place.kladr_code);
    text_if_any(fields, "kladrName", &place.kladr_name);
    fields.text("countryCode", &place.country_code);
    fields.text("countryName", &place.country_name);
    fields.text("GARAddress", &place.gar_address);
    fields.text("deliveryPlace", &place.place);
}

fn coded_text<F: Fields>(fields: &mut F, item: &CodedText) {
    fields.text("code", &item.code);
    fields.text("name", &item.name);
    fields.text("content", &item.content);
}

/// One of the fields that are left out when they have no value (the contract,
/// "Purchases").
fn text_if_any<F: Fields>(fields: &mut F, name: &str, value: &str) {
    if !value.is_empty() {
        fields.text(name, value);
    }
}
