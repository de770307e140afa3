use super::*;
use crate::import::eis::testing::read_all;

/// A supplier in facts.
fn named(inn: &str, name: &str) -> Option<Supplier> {
    Some(Supplier {
        inn: Inn::parse(inn).expect("an INN"),
        name: name.to_owned(),
    })
}

fn one(xml: &str) -> Fact {
    let mut facts = read_all(xml).expect("facts");
    assert_eq!(facts.len(), 1);
    facts.remove(0)
}

fn entry_of(fact: &Fact) -> &RnpFacts {
    match &fact.facts {
        Facts::RnpEntry(entry) => entry,
        other => panic!("{other:?}"),
    }
}

fn on(text: &str) -> Option<Date> {
    Some(Date::parse_iso(text).expect("a date"))
}

#[test]
fn an_entry_of_44_fz_until_2022() {
    let fact = one(
        "<unfairSupplier schemeVersion='11.0'><registryNum>20004567</registryNum><publishDate>2021-03-04T10:00:00Z</publishDate>
         <approveDate>2021-03-02T23:00:00-05:00</approveDate><state>PUBLISHED</state><createReason>CANCEL_CONTRACT</createReason>
         <customer><fullName>Школа  5</fullName><INN>7700000001</INN></customer>
         <unfairSupplier><fullName>ООО &quot;А&quot;</fullName><type>U</type><inn>7700000002</inn>
           <founders><names>Ли И.</names><inn>770000000012</inn></founders></unfairSupplier>
         <contract><regNum>2770000000121000001</regNum></contract>
         <autoExDateInfo><autoExDate>2023-03-03</autoExDate></autoExDateInfo></unfairSupplier>",
    );
    let expected = Fact {
        number: "20004567".to_owned(),
        key: String::new(),
        version: 0,
        published: 1_614_852_000_000,
        facts: Facts::RnpEntry(RnpFacts {
            supplier: named("7700000002", "ООО \"А\""),
            entry: RnpEntry {
                registration_number: "20004567".to_owned(),
                registration_date: on("2021-03-02"),
                reason: "CANCEL_CONTRACT".to_owned(),
                contract_number: "2770000000121000001".to_owned(),
                exclude_date: on("2023-03-03"),
                federal_law: "44".to_owned(),
                customer_name: "Школа  5".to_owned(),
                customer_inn: "7700000001".to_owned(),
                withdrawn: false,
            },
            refused: false,
        }),
    };
    assert_eq!(fact, expected);
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
fn an_entry_of_2022_and_its_exclusion() {
    let document = |law: &str| {
        one(&format!(
            "<ns2:unfairSupplier2022 xmlns:ns2='e'><commonInfo><regNumber>РНП.1-22</regNumber><versionNumber>3</versionNumber>
             <publishDT>2023-01-02T00:00:00Z</publishDT><firstVersionPublishDT>2022-09-01T23:30:00+10:00</firstVersionPublishDT>{law}</commonInfo>
             <createReasonInfo><createReason>WINNER_DEVIATION</createReason></createReasonInfo>
             <customerInfo><fullName>Заказчик</fullName><INN>7700000001</INN></customerInfo>
             <contractInfo><regNum>2770000000121000001</regNum></contractInfo>
             <unfairSupplierInfo><legalEntityRFInfo><fullName>ООО Б</fullName><INN>7700000003</INN></legalEntityRFInfo>
             <founders><fullName>Ли</fullName><INN>770000000012</INN></founders></unfairSupplierInfo>
             <autoExDateInfo><autoExDate>2024-09-02</autoExDate></autoExDateInfo></ns2:unfairSupplier2022>"
        ))
    };
    let fact = document("");
    let expected = Fact {
        number: "РНП.1-22".to_owned(),
        key: String::new(),
        version: 3,
        published: 1_672_617_600_000,
        facts: Facts::RnpEntry(RnpFacts {
            supplier: named("7700000003", "ООО Б"),
            entry: RnpEntry {
                registration_number: "РНП.1-22".to_owned(),
                registration_date: on("2022-09-01"),
                reason: "WINNER_DEVIATION".to_owned(),
                contract_number: "2770000000121000001".to_owned(),
                exclude_date: on("2024-09-02"),
                federal_law: "44".to_owned(),
                customer_name: "Заказчик".to_owned(),
                customer_inn: "7700000001".to_owned(),
                withdrawn: false,
            },
            refused: false,
        }),
    };
    assert_eq!(fact, expected);
    let law = |law: &str| entry_of(&document(law)).entry.federal_law.clone();
    assert_eq!(law("<federalLaw>FZ223</federalLaw>"), "223");
    assert_eq!(law("<lawInfo><code>44-FZ</code></lawInfo>"), "44");
    assert_eq!(law("<purchaseLaw><type>223-ФЗ</type></purchaseLaw>"), "44");
    assert_eq!(law("<number>223</number>"), "44");

    let fact = one(
        "<unfairSupplier2022Exclude><commonInfo><regNumber>РНП.1-22</regNumber><publishDT>2023-05-06T10:00:00+03:00</publishDT></commonInfo>
         <excludeInfo><excludeDate>2023-05-05+03:00</excludeDate></excludeInfo></unfairSupplier2022Exclude>",
    );
    assert_eq!(
        (fact.number.as_str(), fact.published),
        ("РНП.1-22", 1_683_356_400_000)
    );
    assert_eq!(fact.facts, Facts::RnpExclusion(on("2023-05-05")));
}

#[test]
fn an_entry_of_pp_615() {
    let fact = one(
        "<pprf615UnfairContractor><commonInfo><registryNum>РНПО.7-19</registryNum><publishDate>2019-01-02T00:00:00Z</publishDate>
         <approveDate>2019-01-01T00:00:00Z</approveDate><state>PUBLISHED</state><createReason>CANCEL_CONTRACT</createReason></commonInfo>
         <customerInfo><fullName>Фонд</fullName><INN>7700000001</INN></customerInfo>
         <unfairSupplierInfo><registryNum>9</registryNum><type>U</type><fullName>ООО В</fullName><taxPayerCode>7700000004</taxPayerCode>
           <foundersInfo><founderInfo><names>Ли</names><taxPayerCode>770000000012</taxPayerCode></founderInfo></foundersInfo></unfairSupplierInfo>
         <contractInfo><regNum>000000000000000018</regNum></contractInfo>
         <excludeInfo><date>2019-06-01T00:00:00Z</date><type>ORDER</type></excludeInfo></pprf615UnfairContractor>",
    );
    assert_eq!((fact.number.as_str(), fact.version), ("РНПО.7-19", 0));
    assert_eq!(fact.published, 1_546_387_200_000);
    let expected = RnpFacts {
        supplier: named("7700000004", "ООО В"),
        entry: RnpEntry {
            registration_number: "РНПО.7-19".to_owned(),
            registration_date: on("2019-01-01"),
            reason: "CANCEL_CONTRACT".to_owned(),
            contract_number: "000000000000000018".to_owned(),
            exclude_date: on("2019-06-01"),
            federal_law: "615".to_owned(),
            customer_name: "Фонд".to_owned(),
            customer_inn: "7700000001".to_owned(),
            withdrawn: false,
        },
        refused: false,
    };
    assert_eq!(entry_of(&fact), &expected);
}

/// A document under 223-FZ.
fn under_223(root: &str, data: &str, inner: &str) -> Fact {
    one(&format!(
        "<ns2:{root} xmlns:ns2='d'><header><guid>g</guid></header><body><item><guid>i</guid><{data}>
         <registrationNumber>Р1900123</registrationNumber><includeReasonInfo>приказ</includeReasonInfo>
         <commonApplicationInfo><includeReason>AWD</includeReason><includeReasonText>уклонение</includeReasonText>
           <controlAgency><fullName>ФАС</fullName><inn>7703516539</inn></controlAgency>
           <supplier><name>ООО Г</name><inn>7700000005</inn></supplier>
           <contractInfo><contractNumber>57700000001190000010000</contractNumber></contractInfo></commonApplicationInfo>
         <publicationDateTime>2019-03-04T10:00:00</publicationDateTime>{inner}</{data}></item></body></ns2:{root}>"
    ))
}

#[test]
fn an_entry_of_223_fz() {
    let placer =
        "<placer><mainInfo><fullName>АО Д</fullName><inn>7700000006</inn></mainInfo></placer>";
    let inner = format!(
        "<version>2</version><status>P</status>{placer}<includeDate>2019-03-01T00:00:00</includeDate><approveStatus>RG</approveStatus>"
    );
    let fact = under_223("dishonestSupplier", "dishonestSupplierData", &inner);
    let expected = Fact {
        number: "Р1900123".to_owned(),
        key: String::new(),
        version: 2,
        published: 1_551_682_800_000,
        facts: Facts::RnpEntry(RnpFacts {
            supplier: named("7700000005", "ООО Г"),
            entry: RnpEntry {
                registration_number: "Р1900123".to_owned(),
                registration_date: on("2019-03-01"),
                reason: "AWD".to_owned(),
                contract_number: "57700000001190000010000".to_owned(),
                exclude_date: on("2021-03-01"),
                federal_law: "223".to_owned(),
                customer_name: "АО Д".to_owned(),
                customer_inn: "7700000006".to_owned(),
                withdrawn: false,
            },
            refused: false,
        }),
    };
    assert_eq!(fact, expected);
    let with = |inner: &str| {
        let fact = under_223("dishonestSupplier", "dishonestSupplierData", inner);
        entry_of(&fact).clone()
    };
    let archived =
        with("<approveStatus>AR</approveStatus><excludeDate>2020-01-02T00:00:00</excludeDate>");
    assert!(archived.entry.withdrawn);
    assert_eq!(archived.entry.exclude_date, on("2020-01-02"));
    assert!(with("<status>I</status>").entry.withdrawn);
    assert!(with("<approveStatus>PR</approveStatus>").refused);
    // The authority is not a customer.
    let keeper =
        with("<placer><mainInfo><fullName>ФАС</fullName><inn>7703516539</inn></mainInfo></placer>");
    assert_eq!(keeper.entry.customer_name, "");
    assert_eq!(keeper.entry.customer_inn, "");
}

#[test]
fn inclusions_exclusions_and_refusals_of_223_fz() {
    for root in ["dishonestSupplierInclude", "dishonestSupplierIncludeType"] {
        let fact = under_223(root, "dishonestSupplierIncludeData", "");
        assert_eq!((fact.number.as_str(), fact.version), ("Р1900123", 0));
        let facts = entry_of(&fact);
        assert!(!facts.refused);
        assert_eq!(facts.entry.registration_date, on("2019-03-04"));
        assert_eq!(facts.entry.exclude_date, on("2021-03-04"));
    }
    let decided = "<decisionExcludeDate>2019-09-08T00:00:00</decisionExcludeDate>";
    for root in ["dishonestSupplierExclude", "dishonestSupplierExcludeType"] {
        let fact = under_223(root, "dishonestSupplierExcludeData", decided);
        assert_eq!(fact.number, "Р1900123");
        assert_eq!(fact.facts, Facts::RnpExclusion(on("2019-09-08")));
    }
    let fact = under_223("dishonestSupplierReject", "dishonestSupplierRejectData", "");
    assert!(entry_of(&fact).refused);
}

/// Values read by hand in the document.
#[test]
fn real_documents_are_read_as_a_person_reads_them() {
    let Some(folder) = std::env::var_os("EIS_DOCUMENTS").filter(|path| !path.is_empty()) else {
        println!("skipped: EIS_DOCUMENTS does not name a folder of real documents");
        return;
    };
    let path = std::path::Path::new(&folder).join("rnp/unfairSupplier_24120-15.xml");
    let fact = one(&std::fs::read_to_string(path).expect("text"));
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
