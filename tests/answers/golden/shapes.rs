//! Roots, the fields and their order, empty fields, the types in JSON.

use std::collections::BTreeSet;

use serde_json::Value;

use super::requests::ANSWERS;
use super::{bodies, body_of, service, spec_order};
use crate::service::body;

#[test]
fn the_root_is_that_of_the_place() {
    for (name, (xml, _)) in bodies() {
        let root = xml.expect("every case is asked for in XML").name;
        let expected = match name.split_once('/') {
            _ if name.ends_with("/error-method") => "data",
            Some(("purchase44", _)) => "Purchase44",
            Some(("purchase223", _)) => "Purchase223",
            Some(("purchase615" | "path615", _)) => "Purchase615",
            Some((_, case)) if !case.starts_with("error") => "response",
            _ => "data",
        };
        assert_eq!(root, expected, "{name}");
    }
}

#[test]
fn fields_stand_in_the_order_of_the_specification() {
    let mut bodies = bodies();
    let mut check = |name: &str, in_xml: &str, in_json: &str| {
        let [xml, json] = body_of(&mut bodies, name);
        assert_eq!(xml.outline(), in_xml, "{name} in XML");
        assert_eq!(json.outline(), in_json, "{name} in JSON");
        for (path, text) in xml.leaves().into_iter().chain(json.leaves()) {
            assert_ne!(text, "", "{path} is to be filled in {name}");
        }
    };
    let same_in_both = [
        ("contracts/all-filled", spec_order::CONTRACT_PAGE),
        ("summary/all-filled", spec_order::SUMMARY),
        ("rnp/all-filled", spec_order::RNP_CHECK),
        ("purchase223/all-filled", spec_order::PURCHASE223),
        ("purchase615/all-filled", spec_order::PURCHASE615),
    ];
    for (name, order) in same_in_both {
        check(name, order, order);
    }
    check(
        "purchase44/all-filled",
        spec_order::PURCHASE44_XML,
        spec_order::PURCHASE44_JSON,
    );
}

#[test]
fn a_record_without_values_has_all_its_fields_empty() {
    let mut bodies = bodies();
    let mut check = |name: &str, left: &[&str]| {
        for root in body_of(&mut bodies, name) {
            let filled = root
                .leaves()
                .into_iter()
                .filter(|(_, text)| !text.is_empty());
            let paths: Vec<String> = filled
                .map(|(path, text)| format!("{path}={text}"))
                .collect();
            assert_eq!(paths, left, "{name}");
        }
    };
    check(
        "contracts/all-empty",
        &[
            "/supplierINN=9600000003",
            "/totalcount=1",
            "/skip=0",
            "/limit=100",
            "/contracts/contract/regNum=3960000000325000001",
            "/contracts/contract/ContractStages=0",
            "/contracts/contract/subContractors=false",
            "/contracts/contract/subContractorsSum=0",
            "/contracts/contract/bankSupportContractRequired=false",
            "/contracts/contract/treasurySupportContractRequired=false",
            "/contracts/contract/terminationBoth=false",
            "/contracts/contract/terminationSupplier=false",
            "/contracts/contract/terminationCostomer=false",
            "/contracts/contract/terminationJudge=false",
            "/contracts/contract/terminationCourt=false",
        ],
    );
    check(
        "rnp/all-empty",
        &[
            "/supplierINN=9600000025",
            "/inRNP=true",
            "/entries/entry/registrationNumber=РНП.960600-25",
        ],
    );
    check(
        "purchase44/all-empty",
        &["/purchaseNumber=0960000000025000002"],
    );
}

/// The paths of the numbers and of the flags in JSON; all else must be text.
fn numbers_and_flags(value: &Value, path: &str, found: &mut [BTreeSet<String>; 2]) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                numbers_and_flags(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for value in items {
                numbers_and_flags(value, path, found);
            }
        }
        Value::Number(_) => drop(found[0].insert(path.to_owned())),
        Value::Bool(_) => drop(found[1].insert(path.to_owned())),
        Value::String(_) => {}
        Value::Null => panic!("{path} is to be filled"),
    }
}

#[test]
fn json_has_numbers_and_flags_where_the_contract_says_so() {
    let mut service = service();
    let mut check = |name: &str, numbers: &str, flags: &str| {
        let (_, path, query) = ANSWERS
            .iter()
            .find(|(given, ..)| *given == name)
            .expect(name);
        let response = service.get(&format!("{path}?{query}&apikey=KEY&format=json"));
        let value: Value = serde_json::from_str(body(&response)).expect("JSON");
        let mut found = [BTreeSet::new(), BTreeSet::new()];
        numbers_and_flags(&value, "", &mut found);
        for (found, expected) in found.iter().zip([numbers, flags]) {
            let expected = expected.split_whitespace().map(str::to_owned).collect();
            assert_eq!(*found, expected, "{name}");
        }
    };
    check(
        "contracts/all-filled",
        "/totalcount /skip /limit /contracts/notificationPrice /contracts/contractPrice \
         /contracts/fulfilmentSum /contracts/paid/total /contracts/advanceInPercents \
         /contracts/penaltiesTotal /contracts/penaltiesPayments /contracts/ContractStages \
         /contracts/subContractorsSum /contracts/purchaseContractGuarantee \
         /contracts/contractGuarantee /contracts/products/sum \
         /contracts/bankGuaranteePayments/paymentAmountRUR",
        "/contracts/subContractors /contracts/bankSupportContractRequired \
         /contracts/treasurySupportContractRequired /contracts/terminationBoth \
         /contracts/terminationSupplier /contracts/terminationCostomer \
         /contracts/terminationJudge /contracts/terminationCourt",
    );
    check(
        "summary/all-filled",
        "/totalcount /totalSum /pricelessCount /annulledCount /annulledSum /years/year /years/count /years/sum \
         /stages/count /stages/sum /customers/count /customers/sum /customersCount",
        "",
    );
    check("rnp/all-filled", "", "/inRNP");
    check("purchase223/all-filled", "", "");
    check("purchase615/all-filled", "", "");
    check(
        "purchase44/all-filled",
        "/fullNMCK /lots/lot/lotNumber /lots/lot/maxPrice \
         /lots/lot/customers/customer/customerMaxPrice \
         /lots/lot/customers/customer/advanceSumPercents \
         /lots/lot/customers/customer/enforcement/applicationGuaranteeAmount \
         /lots/lot/customers/customer/enforcement/applicationGuaranteePart \
         /lots/lot/customers/customer/enforcement/contractGuaranteeAmount \
         /lots/lot/customers/customer/enforcement/contractGuaranteePart \
         /lots/lot/customers/customer/enforcement/contractProvisionWarrantyAmount \
         /lots/lot/customers/customer/enforcement/contractProvisionWarrantyPart \
         /lots/lot/purchaseObjects/purchaseObject/price \
         /lots/lot/purchaseObjects/purchaseObject/quantity \
         /lots/lot/purchaseObjects/purchaseObject/sum /lots/lot/purchaseObjects/totalSum \
         /lots/lot/preferenses/preferense/value",
        "/lots/lot/lotDrugPurchase /lots/lot/lotSmp /lots/lot/lotSubContractors \
         /lots/lot/contractLifeCycle /lots/lot/customers/customer/mustPublicDiscussion \
         /lots/lot/customers/customer/selfFunds \
         /lots/lot/customers/customer/bankSupportContractRequired \
         /lots/lot/customers/customer/treasurySupportContractRequired \
         /lots/lot/purchaseObjects/quantityUndefined \
         /lots/lot/purchaseObjects/purchaseObject/isMedicalProduct \
         /lots/lot/purchaseObjects/purchaseObject/preferenseRF \
         /lots/lot/purchaseObjects/purchaseObject/restrictForeign \
         /lots/lot/purchaseObjects/purchaseObject/prohibitionForeign \
         /lots/lot/purchaseObjects/purchaseObject/imposibilityProhibition \
         /lots/lot/restrictionsSt14/restrictionSt14/imposibilityBan",
    );
}
