use super::*;
use crate::import::eis::testing::{on, one, read_all, real_files};
use crate::import::facts::Fact;

fn entry_of(fact: &Fact) -> &RnpFacts {
    match &fact.facts {
        Facts::RnpEntry(entry) => entry,
        other => panic!("{other:?}"),
    }
}

fn included(name: &str, supplier: &str) -> std::result::Result<RnpFacts, String> {
    let xml = format!(
        "<{name}><commonInfo><regNumber>1</regNumber></commonInfo>\
         <unfairSupplierInfo>{supplier}</unfairSupplierInfo></{name}>"
    );
    read_all(&xml).map(|facts| entry_of(&facts[0]).clone())
}

#[test]
fn an_entry_ends_by_exclusion_plan_or_law() {
    let until = |inner: &str| {
        let fact = one(&format!(
            "<unfairSupplier><registryNum>1</registryNum><approveDate>2016-02-29</approveDate>{inner}\
             <unfairSupplier><inn>7700000002</inn></unfairSupplier></unfairSupplier>"
        ));
        entry_of(&fact).exclude_date
    };
    let planned = "<autoExDateInfo><autoExDate>2018-03-01</autoExDate></autoExDateInfo>";
    let excluded = "<exclude><excludeDate>2017-01-01T00:00:00Z</excludeDate></exclude>";
    assert_eq!(until(""), on("2018-02-28"));
    assert_eq!(until(planned), on("2018-03-01"));
    assert_eq!(until(&format!("{planned}{excluded}")), on("2017-01-01"));
}

#[test]
fn states_decide_who_has_left_the_registry() {
    let state = |state: &str| {
        let fact = one(&format!(
            "<unfairSupplier><registryNum>1</registryNum><state>{state}</state>
             <unfairSupplier><inn>7700000002</inn></unfairSupplier></unfairSupplier>"
        ));
        let facts = entry_of(&fact);
        assert!(facts.inn.is_some());
        facts.state
    };
    assert_eq!(state("PUBLISHED"), RnpState::InForce);
    assert_eq!(state("ON_EXCLUSION"), RnpState::InForce);
    assert_eq!(state("ARCHIVED"), RnpState::Suspended);
    assert_eq!(state("TEMP_EXCLUDED"), RnpState::Suspended);
    assert_eq!(state("REVIEW_CANCELED"), RnpState::Refused);
}

#[test]
fn a_refused_inclusion_need_not_name_anybody() {
    let refused = one(
        "<unfairSupplier><registryNum>1</registryNum><state>REVIEW_CANCELED</state></unfairSupplier>",
    );
    assert_eq!(entry_of(&refused).inn, None);
    let rejected = |number: &str| {
        read_all(&format!(
            "<dishonestSupplierReject><body><item><dishonestSupplierRejectData>{number}\
             </dishonestSupplierRejectData></item></body></dishonestSupplierReject>"
        ))
    };
    let number = "<registrationNumber>Р1</registrationNumber>";
    let facts = rejected(number).expect("facts");
    assert_eq!(entry_of(&facts[0]).state, RnpState::Refused);
    assert_eq!(rejected("").expect("nothing"), []);
}

#[test]
fn the_law_of_an_entry_of_2022_follows_from_kind_or_contractor() {
    let law = |name: &str, inside: &str| {
        let supplier =
            format!("<legalEntityRFInfo><INN>7700000003</INN>{inside}</legalEntityRFInfo>");
        included(name, &supplier).expect("facts").federal_law
    };
    let contractor = "<unfairContractor615RegistryNum>14</unfairContractor615RegistryNum>";
    assert_eq!(law("unfairSupplier2022", ""), "44");
    assert_eq!(law("unfairSupplierIKZ", ""), "44");
    assert_eq!(law("pprf615UnfairContractor2022", ""), "615");
    assert_eq!(law("unfairSupplier2022", contractor), "615");
}

#[test]
fn a_foreign_supplier_has_no_inn_whatever_its_tax_code() {
    let foreign = "<legalEntityForeignStateInfo><fullName>ТОО</fullName>\
                   <taxPayerCode>960200188867</taxPayerCode></legalEntityForeignStateInfo>";
    let found = included("unfairSupplier2022", foreign).expect("facts");
    assert_eq!((found.inn, found.name.as_str()), (None, "ТОО"));
    for (document, supplier, code) in [
        ("unfairSupplier", "unfairSupplier", "inn"),
        (
            "pprf615UnfairContractor",
            "unfairSupplierInfo",
            "taxPayerCode",
        ),
    ] {
        let found = |kind: &str| {
            let fact = one(&format!(
                "<{document}><registryNum>1</registryNum><commonInfo><registryNum>1</registryNum>\
                 </commonInfo><{supplier}><fullName>И</fullName><type>{kind}</type>\
                 <{code}>960200188867</{code}></{supplier}></{document}>"
            ));
            entry_of(&fact).inn.is_some()
        };
        assert!(found("U"), "{document}");
        assert!(!found("UF"), "{document}");
    }
}

#[test]
fn a_supplier_without_an_inn_needs_a_name_and_no_misplaced_inn() {
    let found = |supplier: &str| {
        let found = included("unfairSupplier2022", supplier);
        found.map(|facts| facts.inn.is_some())
    };
    let named = "<fullName>ООО</fullName>";
    let within = |inside: &str| format!("<legalEntityRFInfo>{inside}</legalEntityRFInfo>");
    let incorrect = format!("{named}<incorrectINN>true</incorrectINN>");
    assert_eq!(found(&within(&incorrect)), Ok(false));
    assert_eq!(found(&within(named)), Ok(false));
    let others = format!(
        "{}<founders><INN>7700000003</INN></founders>",
        within(named)
    );
    assert_eq!(found(&others), Ok(false));
    for refused in [
        within(""),
        within(&format!(
            "{named}<EGRULInfo><INN>7700000003</INN></EGRULInfo>"
        )),
        within(&format!("{named}<INN>нет</INN>")),
        within(&format!("{named}<INN>572002439</INN>")),
        String::new(),
    ] {
        assert!(found(&refused).is_err(), "{refused}");
    }
}

#[test]
fn states_under_223_fz_decide_who_has_left_the_registry() {
    let facts = |inside: &str| {
        read_all(&format!(
            "<dishonestSupplier><body><item><dishonestSupplierData><registrationNumber>Р1</registrationNumber>\
             <commonApplicationInfo><supplier><inn>7700000005</inn></supplier></commonApplicationInfo>{inside}\
             </dishonestSupplierData></item></body></dishonestSupplier>"
        ))
        .expect("facts")
    };
    let state = |inside: &str| entry_of(&facts(inside)[0]).state;
    let archived =
        "<approveStatus>AR</approveStatus><excludeDate>2020-01-02T00:00:00</excludeDate>";
    assert_eq!(state(archived), RnpState::Suspended);
    assert_eq!(entry_of(&facts(archived)[0]).exclude_date, on("2020-01-02"));
    assert_eq!(state("<status>I</status>"), RnpState::Suspended);
    assert_eq!(
        state("<status>P</status><approveStatus>PR</approveStatus>"),
        RnpState::Refused
    );
    assert_eq!(facts("<status>F</status>"), []);
}

#[test]
fn an_exclusion_needs_its_day() {
    let exclusion = |inside: &str| {
        let xml = format!(
            "<unfairSupplier2022Exclude><unfairSupplier2022ForExcludeInfo><regNumber>1</regNumber>\
             </unfairSupplier2022ForExcludeInfo><commonInfo>{inside}</commonInfo></unfairSupplier2022Exclude>"
        );
        read_all(&xml).map(|facts| facts[0].facts.clone())
    };
    let day = on("2026-06-15").expect("a day");
    assert_eq!(
        exclusion("<excludeDT>2026-06-15T10:00:00+03:00</excludeDT>"),
        Ok(Facts::RnpExclusion(day))
    );
    assert!(exclusion("").is_err());
}

#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_documents_match_readings_by_hand() {
    let (_, text) = real_files("rnp").remove(0);
    let fact = one(&text);
    let expected = Fact {
        number: "РНП.24120-15".to_owned(),
        key: "0 1421107200000".to_owned(),
        version: 0,
        published: 1_421_107_200_000,
        facts: Facts::RnpEntry(RnpFacts {
            inn: Inn::parse("0326497652"),
            name: "Общество с ограниченной ответственностью \"Пилот Групп\"".to_owned(),
            state: RnpState::InForce,
            registration_number: "РНП.24120-15".to_owned(),
            registration_date: on("2015-01-13"),
            reason: "WINNER_DEVIATION".to_owned(),
            exclude_date: on("2017-01-13"),
            federal_law: "44".to_owned(),
            ..RnpFacts::default()
        }),
    };
    assert_eq!(fact, expected);
}
