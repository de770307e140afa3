//! Documents under PP-615, invented and real.

use std::path::PathBuf;

use super::*;
use crate::import::eis::testing::read_all;
use crate::import::facts::{Contract615Facts, Protocol615Facts};
use crate::model::{
    CardSupplier, Date, Purchase615, PurchaseContract, PurchaseNumber, ResponsibleOrg615, Winner615,
};

fn exported(kind: &str, content: &str) -> String {
    format!(
        "<ns2:export xmlns:ns2=\"http://zakupki.gov.ru/oos/export/1\">\
         <ns2:{kind} schemeVersion=\"11.0\">{content}</ns2:{kind}></ns2:export>"
    )
}

fn only(xml: &str) -> Fact {
    let mut facts = read_all(xml).expect("facts");
    assert_eq!(facts.len(), 1);
    facts.remove(0)
}

fn date(text: &str) -> Option<Date> {
    Some(Date::parse_iso(text).expect("a date"))
}

#[test]
fn a_notice_fills_the_card() {
    let fact = only(&exported(
        "pprf615NotificationEF",
        "<id>1</id><versionNumber>2</versionNumber><commonInfo><purchaseNumber>020000000012100001</purchaseNumber>\
         <docNumber>0200000000121000010001</docNumber><purchaseObjectInfo>Ремонт  крыши</purchaseObjectInfo>\
         <docPublishDate>2021-02-03T23:30:00+10:00</docPublishDate><href>https://example.org/1</href></commonInfo>\
         <purchaseResponsibleInfo><publisherRole>RO</publisherRole><responsibleOrgInfo><regNum>02000000001</regNum>\
         <fullName>Фонд</fullName><postAddress>Москва, 1</postAddress><INN>7700000001</INN><KPP>770001001</KPP></responsibleOrgInfo>\
         <specializedOrgInfo><fullName>Не он</fullName></specializedOrgInfo></purchaseResponsibleInfo>\
         <placingWayInfo><code>EF</code><name>Электронный аукцион</name></placingWayInfo>\
         <notificationInfo><ETPInfo><code>E</code><name>Площадка</name></ETPInfo>\
         <procedureInfo><collectingEndDate>2021-02-20T01:00:00+10:00</collectingEndDate><scoringDate>2021-02-22</scoringDate></procedureInfo>\
         <contractCondition><maxPriceInfo><maxPrice>1000.50</maxPrice><applicationGuarantee><amount>10.05</amount></applicationGuarantee>\
         <contractGuarantee><amount>100</amount></contractGuarantee></maxPriceInfo></contractCondition></notificationInfo>",
    ));
    let card = Purchase615 {
        purchase_number: PurchaseNumber::parse("020000000012100001").expect("a number"),
        publish_date: date("2021-02-03"),
        href: "https://example.org/1".to_owned(),
        object_info: "Ремонт  крыши".to_owned(),
        placing_way: "Электронный аукцион".to_owned(),
        trading_platform: "Площадка".to_owned(),
        collecting_end: date("2021-02-20"),
        max_price: "1000.5".parse().ok(),
        application_guarantee: "10.05".parse().ok(),
        contract_guarantee: "100".parse().ok(),
        responsible_org: ResponsibleOrg615 {
            full_name: "Фонд".to_owned(),
            reg_num: "02000000001".to_owned(),
            inn: "7700000001".to_owned(),
            kpp: "770001001".to_owned(),
            ogrn: String::new(),
            factual_address: String::new(),
            postal_address: "Москва, 1".to_owned(),
        },
        winner: Winner615::default(),
        contract: PurchaseContract::default(),
    };
    assert_eq!(
        fact,
        Fact {
            number: "020000000012100001".to_owned(),
            key: String::new(),
            version: 2,
            published: 1_612_359_000_000,
            facts: Facts::Notice615(Box::new(card)),
        }
    );
}

fn protocol(kind: &str, applications: &str) -> (Fact, Protocol615Facts) {
    let fact = only(&exported(
        kind,
        &format!(
            "<versionNumber>1</versionNumber><commonInfo><purchaseNumber>020000000012100001</purchaseNumber>\
             <docNumber>0200000000121000010004</docNumber><docPublishDate>2021-03-02T00:00:00+03:00</docPublishDate>\
             <docNumberExternal>77</docNumberExternal><signDate>2021-03-01+03:00</signDate></commonInfo>\
             <protocolInfo><applications>{applications}</applications></protocolInfo>"
        ),
    ));
    match fact.facts.clone() {
        Facts::Protocol615(facts) => (fact, facts),
        other => panic!("{other:?}"),
    }
}

const FIRM: &str = "<appParticipantInfo><legalEntityRFInfo><fullName>ООО \"А\"</fullName><INN>7700000002</INN><KPP>770002001</KPP></legalEntityRFInfo></appParticipantInfo>";
const PERSON: &str = "<appParticipantInfo><individualPersonInfo><nameInfo><lastName>Петров</lastName><firstName>Пётр</firstName></nameInfo><INN>770000000001</INN></individualPersonInfo></appParticipantInfo>";

#[test]
fn the_auction_is_won_by_rating_one() {
    let (fact, facts) = protocol(
        "pprf615ProtocolEF2",
        &format!(
            "<application>{PERSON}<lastOffer><price>950</price></lastOffer><appRating>2</appRating></application>\
             <application>{FIRM}<lastOffer><price>900.10</price></lastOffer><appRating>1</appRating></application>"
        ),
    );
    assert_eq!((fact.key.as_str(), fact.version), ("77", 1));
    assert_eq!(fact.published, 1_614_632_400_000);
    assert!(facts.is_final);
    assert_eq!(facts.replaces, "");
    assert_eq!(
        facts.winner,
        Winner615 {
            protocol_date: date("2021-03-01"),
            protocol_number: "0200000000121000010004".to_owned(),
            name: "ООО \"А\"".to_owned(),
            inn: "7700000002".to_owned(),
            kpp: "770002001".to_owned(),
            price: "900.1".parse().ok(),
        }
    );
    let (_, nobody) = protocol("pprf615ProtocolEF2", "");
    assert_eq!(
        (nobody.is_final, nobody.winner),
        (true, Winner615::default())
    );
}

#[test]
fn an_examination_ends_with_a_single_participant() {
    let application = |party: &str, result: &str| {
        format!("<application>{party}<admittedInfo>{result}</admittedInfo></application>")
    };
    let admitted = "<admitted>true</admitted>";
    let rejected = "<appRejectedReason><explanation>нет</explanation></appRejectedReason>";
    let (_, both) = protocol(
        "pprf615ProtocolEF1",
        &(application(FIRM, admitted) + &application(PERSON, admitted)),
    );
    assert_eq!((both.is_final, both.winner), (false, Winner615::default()));
    for applications in [
        application(PERSON, admitted),
        application(FIRM, rejected) + &application(PERSON, admitted),
        application(FIRM, "<admitted>false</admitted>") + &application(PERSON, ""),
    ] {
        let (_, facts) = protocol("pprf615ProtocolEF1", &applications);
        assert!(facts.is_final);
        assert_eq!(facts.winner.name, "Петров Пётр");
        assert_eq!(facts.winner.inn, "770000000001");
        assert_eq!(facts.winner.kpp, "");
        assert_eq!(facts.winner.price, None);
        assert_eq!(facts.winner.protocol_date, date("2021-03-01"));
    }
    let (_, none) = protocol("pprf615ProtocolEF1", &application(FIRM, rejected));
    assert_eq!((none.is_final, none.winner), (true, Winner615::default()));
}

#[test]
fn a_protocols_cancellation_names_it_as_the_platform_does() {
    let fact = only(&exported(
        "pprf615ProtocolCancel",
        "<commonInfo><purchaseNumber>020000000012100001</purchaseNumber><docNumber>9</docNumber>\
         <docNumberExternal>78</docNumberExternal><canceledProtocolNumber>77</canceledProtocolNumber></commonInfo>",
    ));
    assert_eq!(
        fact,
        Fact {
            number: "020000000012100001".to_owned(),
            key: "77".to_owned(),
            version: 0,
            published: 0,
            facts: Facts::ProtocolCancel615,
        }
    );
}

fn contract(auction: &str) -> Vec<Fact> {
    read_all(&exported(
        "pprf615Contract",
        &format!(
            "<versionNumber>3</versionNumber><commonInfo><regNum>020000000012100055</regNum>\
             <docPublishDate>2021-03-20T00:00:00+03:00</docPublishDate><signDate>2021-03-15</signDate></commonInfo>\
             <purchaseEFInfo>{auction}</purchaseEFInfo><financesInfo><price>900.10</price><stagesInfo>\
             <stageInfo><startDate>2021-03-15</startDate><endDate>2021-12-31</endDate></stageInfo>\
             <stageInfo><startDate>2021-03-15</startDate><endDate>2021-06-30</endDate></stageInfo></stagesInfo></financesInfo>"
        ),
    ))
    .expect("facts")
}

#[test]
fn a_contract_is_that_of_its_purchase() {
    let contractor = FIRM.replace("appParticipantInfo", "contractorInfo");
    let number = "<purchaseInfo><purchaseNumber>020000000012100001</purchaseNumber></purchaseInfo>";
    for kind in ["publishedInEISEFInfo", "notPublishedInEISEFInfo"] {
        let facts = contract(&format!("<{kind}>{number}{contractor}</{kind}>"));
        let expected = Contract615Facts {
            contract: PurchaseContract {
                reg_num: "020000000012100055".to_owned(),
                price: "900.1".parse().ok(),
                end_date: date("2021-12-31"),
                suppliers: vec![CardSupplier {
                    name: "ООО \"А\"".to_owned(),
                    inn: "7700000002".to_owned(),
                    kpp: "770002001".to_owned(),
                }],
            },
            sign_date: date("2021-03-15"),
        };
        assert_eq!(
            facts,
            [Fact {
                number: "020000000012100001".to_owned(),
                key: "020000000012100055".to_owned(),
                version: 3,
                published: 1_616_187_600_000,
                facts: Facts::Contract615(expected),
            }]
        );
    }
    let elsewhere = "<notPublishedInEISEFInfo><purchaseInfo><purchaseNumber>б/н</purchaseNumber></purchaseInfo></notPublishedInEISEFInfo>";
    assert_eq!(contract(elsewhere), []);
    assert_eq!(contract(""), []);
}

#[test]
fn the_real_protocol_is_read_as_a_person_reads_it() {
    let Some(folder) = std::env::var_os("EIS_DOCUMENTS").filter(|path| !path.is_empty()) else {
        println!("skipped: EIS_DOCUMENTS does not name a folder of real documents");
        return;
    };
    let file = "notice615/fcsProtocolPP615_027300000012001473_30313173.xml";
    let xml = std::fs::read_to_string(PathBuf::from(folder).join(file)).expect("the document");
    let fact = only(&xml);
    assert_eq!(
        (fact.number.as_str(), fact.key.as_str()),
        ("027300000012001473", "35081")
    );
    assert_eq!((fact.version, fact.published), (1, 1_601_535_484_472));
    let expected = Protocol615Facts {
        replaces: String::new(),
        is_final: true,
        winner: Winner615 {
            protocol_date: date("2020-10-01"),
            protocol_number: "0273000000120014730004".to_owned(),
            name: "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"ВЕК\"".to_owned(),
            inn: "7723806652".to_owned(),
            kpp: "771501001".to_owned(),
            price: "16519417.98".parse().ok(),
        },
    };
    assert_eq!(fact.facts, Facts::Protocol615(expected));
}
