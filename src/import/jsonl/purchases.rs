//! The cards of purchases under 223-FZ and PP-615 as JSON.

use super::object::{Object, Result};
use crate::model::{
    CardSupplier, Lot223, LotCustomer223, Organization, Purchase223, Purchase615, PurchaseContract,
    PurchaseNumber, PurchaseObject223, PurchaseStage, Regime, ResponsibleOrg615, Winner615,
};

/// The purchase number, which must be of `regime`.
pub fn purchase_number(object: &Object<'_>, regime: Regime) -> Result<PurchaseNumber> {
    let must_be = match regime {
        Regime::Fz44 => "19 digits",
        Regime::Fz223 => "11 digits, the first a 3",
        Regime::Pp615 => "18 digits",
    };
    object.required("purchaseNumber", must_be, |text| {
        PurchaseNumber::parse(text).filter(|number| number.regime() == regime)
    })
}

/// The object under `Purchase223`.
pub fn card223(object: &Object<'_>) -> Result<Purchase223> {
    // The hash is computed; an imported one is ignored.
    object.ignore("md5")?;
    Ok(Purchase223 {
        purchase_number: purchase_number(object, Regime::Fz223)?,
        publish_date: object.dotted_date("docPublishDate")?,
        href: object.text("href")?,
        object_info: object.text("purchaseObjectInfo")?,
        placing_way: object.text("placingWay")?,
        trading_platform: object.text("ETP")?,
        max_price: object.amount("fullNMCK")?,
        restrictions: object.list("restrictions", "restriction", |item| item.text("shortName"))?,
        stage: PurchaseStage::Stated(object.text("stage")?),
        lots: object.list("lots", "lot", lot223)?,
        main_customer: object.object("mainCustomer", organization)?,
        responsible_org: object.object("responsibleOrg", organization)?,
        submission_close: object.dotted_date("submissionCloseDateTime")?,
        envelope_opening: object.dotted_date("envelopeOpeningTime")?,
        examination: object.dotted_date("examinationDateTime")?,
        summing_up: object.dotted_date("summingupTime")?,
        examination_period: object.text("applExamPeriodTime")?,
        auction_time: object.text("auctionTime")?,
        quotation_examination_time: object.text("quotationExaminationTime")?,
    })
}

fn lot223(object: &Object<'_>) -> Result<Lot223> {
    Ok(Lot223 {
        number: object.text("lotNumber")?,
        name: object.text("lotName")?,
        max_price: object.text("maxPrice")?,
        currency: object.text("currency")?,
        execution_place: object.text("executionPlace")?,
        customers: object.list("customers", "customer", |customer| {
            Ok(LotCustomer223 {
                organization: organization(customer)?,
                objects: customer.list("purchaseObjects", "purchaseObject", |item| {
                    Ok(PurchaseObject223 {
                        number: item.text("number")?,
                        okpd: item.text("okpd")?,
                        okpd2: item.text("okpd2")?,
                        okei: item.text("okei")?,
                        quantity: item.text("quantity")?,
                    })
                })?,
            })
        })?,
    })
}

fn organization(object: &Object<'_>) -> Result<Organization> {
    Ok(Organization {
        full_name: object.text("fullName")?,
        inn: object.text("inn")?,
        kpp: object.text("kpp")?,
        ogrn: object.text("ogrn")?,
        factual_address: object.text("factualAddress")?,
        postal_address: object.text("postalAddress")?,
        phone: object.text("phone")?,
        email: object.text("email")?,
    })
}

/// The object under `Purchase615`.
pub fn card615(object: &Object<'_>) -> Result<Purchase615> {
    object.ignore("md5")?;
    Ok(Purchase615 {
        purchase_number: purchase_number(object, Regime::Pp615)?,
        publish_date: object.dotted_date("docPublishDate")?,
        href: object.text("href")?,
        object_info: object.text("purchaseObjectInfo")?,
        placing_way: object.text("placingWay")?,
        trading_platform: object.text("ETP")?,
        collecting_end: object.dotted_date("collectingEndDate")?,
        max_price: object.amount("fullNMCK")?,
        application_guarantee: object.amount("applicationGuaranteeAmount")?,
        contract_guarantee: object.amount("contractGuaranteeAmount")?,
        responsible_org: object.object("responsibleOrg", |org| {
            Ok(ResponsibleOrg615 {
                full_name: org.text("fullName")?,
                reg_num: org.text("regNum")?,
                inn: org.text("inn")?,
                kpp: org.text("kpp")?,
                ogrn: org.text("ogrn")?,
                factual_address: org.text("factualAddress")?,
                postal_address: org.text("postalAddress")?,
            })
        })?,
        winner: object.object("winner", |winner| {
            Ok(Winner615 {
                protocol_date: winner.dotted_date("protocolDate")?,
                protocol_number: winner.text("protocolNumber")?,
                name: winner.text("name")?,
                inn: winner.text("inn")?,
                kpp: winner.text("kpp")?,
                price: winner.amount("price")?,
            })
        })?,
        contract: object.object("contract", contract)?,
    })
}

/// The contract that a purchase ended in.
pub fn contract(object: &Object<'_>) -> Result<PurchaseContract> {
    Ok(PurchaseContract {
        reg_num: object.text("regNum")?,
        price: object.amount("price")?,
        end_date: object.object("executionPeriod", |period| period.dotted_date("endDate"))?,
        suppliers: object.list("suppliers", "supplier", |supplier| {
            Ok(CardSupplier {
                name: supplier.text("name")?,
                inn: supplier.text("inn")?,
                kpp: supplier.text("kpp")?,
            })
        })?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::jsonl::FieldError;

    #[test]
    fn a_number_of_another_regime_is_refused() {
        let read = |json: &str| Object::read(json, |object| purchase_number(object, Regime::Fz44));
        assert!(read(r#"{"purchaseNumber":"0173200002625000220"}"#).is_ok());
        assert_eq!(
            read(r#"{"purchaseNumber":"31400935277"}"#),
            Err(FieldError::at(
                "purchaseNumber",
                "must be 19 digits, not \"31400935277\""
            ))
        );
    }
}
