use super::*;
use crate::import::eis::testing::{on, one, real_files};
use crate::import::facts::Fact;

/// A supplier in facts.
fn named(inn: &str, name: &str) -> Option<Supplier> {
    Some(Supplier {
        inn: Inn::parse(inn).expect("an INN"),
        name: name.to_owned(),
    })
}

fn entry_of(fact: &Fact) -> &RnpFacts {
    match &fact.facts {
        Facts::RnpEntry(entry) => entry,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_entry_ends_when_it_was_excluded_or_is_to_be_or_after_two_years() {
    let until = |inner: &str| {
        let fact = one(&format!(
            "<unfairSupplier><registryNum>1</registryNum><approveDate>2016-02-29</approveDate>{inner}\
             <unfairSupplier><inn>7700000002</inn></unfairSupplier></unfairSupplier>"
        ));
        entry_of(&fact).entry.exclude_date
    };
    let planned = "<autoExDateInfo><autoExDate>2018-03-01</autoExDate></autoExDateInfo>";
    let excluded = "<exclude><excludeDate>2017-01-01T00:00:00Z</excludeDate></exclude>";
    assert_eq!(until(""), on("2018-02-28"));
    assert_eq!(until(planned), on("2018-03-01"));
    assert_eq!(until(&format!("{planned}{excluded}")), on("2017-01-01"));
}

#[test]
fn states_say_what_has_left_the_registry() {
    let state = |state: &str| {
        let fact = one(&format!(
            "<unfairSupplier><registryNum>1</registryNum><state>{state}</state>
             <unfairSupplier><inn>7700000002</inn></unfairSupplier></unfairSupplier>"
        ));
        let facts = entry_of(&fact);
        assert!(facts.supplier.is_some());
        (facts.refused, facts.entry.withdrawn)
    };
    assert_eq!(state("PUBLISHED"), (false, false));
    assert_eq!(state("ON_EXCLUSION"), (false, false));
    assert_eq!(state("ARCHIVED"), (false, true));
    assert_eq!(state("TEMP_EXCLUDED"), (false, true));
    assert_eq!(state("REVIEW_CANCELED"), (true, false));
}

#[test]
fn a_refused_inclusion_was_never_in_the_registry_whomever_it_was_about() {
    let refused = one(
        "<unfairSupplier2022><commonInfo><regNumber>1</regNumber><state>REVIEW_CANCELED</state></commonInfo></unfairSupplier2022>",
    );
    assert_eq!(entry_of(&refused).supplier, None);
    let rejected = one(
        "<dishonestSupplierReject><body><item><dishonestSupplierRejectData><registrationNumber>Р1</registrationNumber>\
         </dishonestSupplierRejectData></item></body></dishonestSupplierReject>",
    );
    assert_eq!(entry_of(&rejected).supplier, None);
}

#[test]
fn an_entrepreneur_is_named_by_the_extract_of_the_register() {
    let fact = one(
        "<unfairSupplier2022><commonInfo><regNumber>1</regNumber></commonInfo><unfairSupplierInfo>
         <IPInfo><EGRIPInfo><INN>770000000012</INN><lastName>Ли</lastName><firstName>Ия</firstName></EGRIPInfo></IPInfo>
         </unfairSupplierInfo></unfairSupplier2022>",
    );
    assert_eq!(entry_of(&fact).supplier, named("770000000012", "Ли Ия"));
}

#[test]
fn an_entry_of_2022_is_under_the_law_that_it_names() {
    let law = |inside: &str| {
        let fact = one(&format!(
            "<unfairSupplier2022><commonInfo><regNumber>1</regNumber>{inside}</commonInfo><unfairSupplierInfo>\
             <legalEntityRFInfo><INN>7700000003</INN></legalEntityRFInfo></unfairSupplierInfo></unfairSupplier2022>"
        ));
        entry_of(&fact).entry.federal_law.clone()
    };
    assert_eq!(law("<federalLaw>FZ223</federalLaw>"), "223");
    assert_eq!(law("<lawInfo><code>44-FZ</code></lawInfo>"), "44");
    assert_eq!(law("<purchaseLaw><type>223-ФЗ</type></purchaseLaw>"), "44");
    assert_eq!(law("<number>223</number>"), "44");
}

#[test]
fn states_of_223_fz_say_what_has_left_the_registry() {
    let facts = |inside: &str| {
        let fact = one(&format!(
            "<dishonestSupplier><body><item><dishonestSupplierData><registrationNumber>Р1</registrationNumber>\
             <commonApplicationInfo><supplier><inn>7700000005</inn></supplier></commonApplicationInfo>{inside}\
             </dishonestSupplierData></item></body></dishonestSupplier>"
        ));
        entry_of(&fact).clone()
    };
    let archived =
        "<approveStatus>AR</approveStatus><excludeDate>2020-01-02T00:00:00</excludeDate>";
    assert!(facts(archived).entry.withdrawn);
    assert_eq!(facts(archived).entry.exclude_date, on("2020-01-02"));
    assert!(facts("<status>I</status>").entry.withdrawn);
    assert!(facts("<approveStatus>PR</approveStatus>").refused);
}

/// Values read by hand in the document.
#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_documents_are_read_as_a_person_reads_them() {
    let (_, text) = real_files("rnp").remove(0);
    let fact = one(&text);
    let expected = Fact {
        number: "РНП.24120-15".to_owned(),
        key: String::new(),
        version: 0,
        published: 1_421_107_200_000,
        facts: Facts::RnpEntry(RnpFacts {
            supplier: named(
                "0326497652",
                "Общество с ограниченной ответственностью \"Пилот Групп\"",
            ),
            entry: RnpEntry {
                registration_number: "РНП.24120-15".to_owned(),
                registration_date: on("2015-01-13"),
                reason: "WINNER_DEVIATION".to_owned(),
                exclude_date: on("2017-01-13"),
                federal_law: "44".to_owned(),
                ..RnpEntry::default()
            },
            refused: false,
        }),
    };
    assert_eq!(fact, expected);
}
