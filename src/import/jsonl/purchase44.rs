//! The card of a purchase under 44-FZ as JSON: the fields of both samples.

use super::object::{Object, Result};
use super::purchases::{contract, purchase_number};
use crate::model::{
    Attachment, CodedText, Customer44, DeliveryPlace, Enforcement, Lot44, PersonName, Preference,
    ProcedureDates, Purchase44, PurchaseObject44, PurchaseStage, Regime, ResponsibleOrg44,
    Restriction14, StageDates, Winner,
};

/// The card.
pub fn card(object: &Object<'_>) -> Result<Purchase44> {
    Ok(Purchase44 {
        purchase_number: purchase_number(object, Regime::Fz44)?,
        publish_date: object.dotted_date("docPublishDate")?,
        href: object.text("href")?,
        object_info: object.text("purchaseObjectInfo")?,
        placing_way: object.text("placingWay")?,
        trading_platform: object.text("ETP")?,
        stage: PurchaseStage::Stated(object.text("stage")?),
        max_price: object.amount("fullNMCK")?,
        responsible_org: object.object("responsibleOrg", responsible_org)?,
        procedure: object.object("procedureInfo", procedure)?,
        lots: object.list("lots", "lot", lot)?,
        restrictions: object.list("restrictions", "restriction", |item| item.text("shortName"))?,
        cancelled: object.text("canceld")?,
        first_publish_date: object.moment("firstPublishDate")?,
        region: object.text("region")?,
        attachments: object.list("attachments", "attachment", |item| {
            Ok(Attachment {
                file_name: item.text("fileName")?,
                file_size: item.text("fileSize")?,
                description: item.text("docDescription")?,
                date: item.moment("docDate")?,
                url: item.text("url")?,
                kind_code: item.text("docKindCode")?,
                kind_name: item.text("docKindName")?,
            })
        })?,
    })
}

fn responsible_org(object: &Object<'_>) -> Result<ResponsibleOrg44> {
    Ok(ResponsibleOrg44 {
        full_name: object.text("fullName")?,
        inn: object.text("inn")?,
        kpp: object.text("kpp")?,
        address: object.text("factAddress")?,
        contact: object.object("contactPerson", person)?,
        contact_email: object.text("contactEmail")?,
        contact_phone: object.text("contactPhone")?,
        role: object.text("role")?,
    })
}

fn person(object: &Object<'_>) -> Result<PersonName> {
    Ok(PersonName {
        last: object.text("lastName")?,
        first: object.text("firstName")?,
        middle: object.text("middleName")?,
    })
}

fn procedure(object: &Object<'_>) -> Result<ProcedureDates> {
    Ok(ProcedureDates {
        start: object.moment("start")?,
        end: object.moment("end")?,
        opening: object.moment("opening")?,
        scoring: object.moment("scoring")?,
        bidding: object.moment("bidding")?,
        final_opening: object.moment("finalOpening")?,
        selecting: object.moment("selecting")?,
        prequalification: object.moment("prequalification")?,
        stage1: object.object("stage1", stage)?,
        stage2: object.object("stage2", stage)?,
        summarizing: object.moment("summarizingDate")?,
        first_parts: object.moment("firstPartsDate")?,
        submission: object.moment("submissionDate")?,
        second_parts: object.moment("secondPartsDate")?,
    })
}

fn stage(object: &Object<'_>) -> Result<StageDates> {
    Ok(StageDates {
        start: object.moment("start")?,
        end: object.moment("end")?,
        opening: object.moment("opening")?,
        scoring: object.moment("scoring")?,
    })
}

fn lot(object: &Object<'_>) -> Result<Lot44> {
    let (objects, total_sum, quantity_undefined) = object.object("purchaseObjects", |objects| {
        Ok((
            objects.items("purchaseObject", purchase_object)?,
            objects.amount("totalSum")?,
            objects.flag("quantityUndefined")?,
        ))
    })?;
    Ok(Lot44 {
        number: object.count("lotNumber")?,
        object_info: object.text("lotObjectInfo")?,
        max_price: object.amount("maxPrice")?,
        currency: object.text("currency")?,
        winner: object.object("winner", |winner| {
            Ok(Winner {
                name: winner.text("name")?,
                inn: winner.text("inn")?,
                kpp: winner.text("kpp")?,
                price: winner.amount("price")?,
            })
        })?,
        customers: object.list("customers", "customer", customer)?,
        objects,
        total_sum,
        quantity_undefined,
        drug_purchase: object.flag("lotDrugPurchase")?,
        small_business: object.flag("lotSmp")?,
        subcontractors: object.flag("lotSubContractors")?,
        life_cycle: object.flag("contractLifeCycle")?,
        life_cycle_code: object.text("contractLifeCycleCode")?,
        life_cycle_name: object.text("contractLifeCycleName")?,
        requirements: object.list("requirements", "requirement", coded_text)?,
        additional_requirements: object.list("addRequirements", "addRequirement", coded_text)?,
        preferences: object.list("preferenses", "preferense", |item| {
            Ok(Preference {
                code: item.text("code")?,
                name: item.text("name")?,
                value: item.amount("value")?,
            })
        })?,
        restrictions: object.list("restrictions", "restriction", coded_text)?,
        restrictions14: object.list("restrictionsSt14", "restrictionSt14", |item| {
            Ok(Restriction14 {
                code: item.text("code")?,
                name: item.text("name")?,
                short_name: item.text("shortName")?,
                impossible_ban: item.flag("imposibilityBan")?,
                impossible_ban_reason: item.text("imposibilityBanReason")?,
                note: item.text("note")?,
            })
        })?,
    })
}

fn coded_text(object: &Object<'_>) -> Result<CodedText> {
    Ok(CodedText {
        code: object.text("code")?,
        name: object.text("name")?,
        content: object.text("content")?,
    })
}

fn customer(object: &Object<'_>) -> Result<Customer44> {
    let (execution_place, execution_period) = object.object("executionTerms", |terms| {
        Ok((
            terms.text("executionPlace")?,
            terms.text("executionPeriod")?,
        ))
    })?;
    Ok(Customer44 {
        purchase_code: object.text("ikz")?,
        full_name: object.text("fullName")?,
        inn: object.text("inn")?,
        kpp: object.text("kpp")?,
        ogrn: object.text("ogrn")?,
        factual_address: object.text("factualAddress")?,
        postal_address: object.text("postalAddress")?,
        contact: object.object("contactPerson", person)?,
        email: object.text("email")?,
        phone: object.text("phone")?,
        fax: object.text("fax")?,
        enforcement: object.object("enforcement", enforcement)?,
        execution_place,
        execution_period,
        contract: object.object("contract", contract)?,
        max_price: object.amount("customerMaxPrice")?,
        public_discussion: object.flag("mustPublicDiscussion")?,
        plan_position: object.text("tenderPlanPositionNumber")?,
        advance_percent: object.amount("advanceSumPercents")?,
        own_funds: object.flag("selfFunds")?,
        budget_code: object.text("budgetCode")?,
        budget_name: object.text("budgetName")?,
        bank_support: object.flag("bankSupportContractRequired")?,
        treasury_support: object.flag("treasurySupportContractRequired")?,
        delivery_places: object.list("deliveryPlaces", "deliveriPlace", |place| {
            Ok(DeliveryPlace {
                kladr_code: place.text("kladrCode")?,
                kladr_name: place.text("kladrName")?,
                country_code: place.text("countryCode")?,
                country_name: place.text("countryName")?,
                gar_address: place.text("GARAddress")?,
                place: place.text("deliveryPlace")?,
            })
        })?,
    })
}

fn enforcement(object: &Object<'_>) -> Result<Enforcement> {
    Ok(Enforcement {
        application_amount: object.amount("applicationGuaranteeAmount")?,
        application_part: object.amount("applicationGuaranteePart")?,
        contract_amount: object.amount("contractGuaranteeAmount")?,
        contract_part: object.amount("contractGuaranteePart")?,
        warranty_amount: object.amount("contractProvisionWarrantyAmount")?,
        warranty_part: object.amount("contractProvisionWarrantyPart")?,
    })
}

fn purchase_object(object: &Object<'_>) -> Result<PurchaseObject44> {
    Ok(PurchaseObject44 {
        kind: object.text("type")?,
        name: object.text("name")?,
        mnn: object.text("MNN")?,
        dosage_form: object.text("dosageForm")?,
        dosage: object.text("dosage")?,
        okpd: object.text("OKPD")?,
        okpd2: object.text("OKPD2")?,
        okpd2_name: object.text("OKPD2Name")?,
        ktru: object.text("KTRU")?,
        ktru_name: object.text("KTRUName")?,
        okei: object.text("OKEI")?,
        okei_name: object.text("OKEIName")?,
        price: object.amount("price")?,
        quantity: object.amount("quantity")?,
        sum: object.amount("sum")?,
        medical_product: object.flag("isMedicalProduct")?,
        preference_rf: object.flag("preferenseRF")?,
        restrict_foreign: object.flag("restrictForeign")?,
        prohibition_foreign: object.flag("prohibitionForeign")?,
        impossible_prohibition: object.flag("imposibilityProhibition")?,
        impossible_prohibition_reason: object.text("reasonImposibilityProhibition")?,
    })
}
