use crate::import::eis::testing::{on, one, read_all, real_files};
use crate::import::facts::{Facts, Protocol615Facts, SupplierFacts, Winner615Facts};

fn exported(kind: &str, content: &str) -> String {
    format!(
        "<ns2:export xmlns:ns2=\"http://zakupki.gov.ru/oos/export/1\">\
         <ns2:{kind} schemeVersion=\"11.0\">{content}</ns2:{kind}></ns2:export>"
    )
}

fn protocol(kind: &str, applications: &str) -> Protocol615Facts {
    let fact = one(&exported(
        kind,
        &format!(
            "<versionNumber>1</versionNumber><commonInfo><purchaseNumber>020000000012100001</purchaseNumber>\
             <docNumber>0200000000121000010004</docNumber><docPublishDate>2021-03-02T00:00:00+03:00</docPublishDate>\
             <docNumberExternal>77</docNumberExternal><signDate>2021-03-01+03:00</signDate></commonInfo>\
             <protocolInfo><applications>{applications}</applications></protocolInfo>"
        ),
    ));
    match fact.facts {
        Facts::Protocol615(facts) => facts,
        other => panic!("{other:?}"),
    }
}

const FIRM: &str = "<appParticipantInfo><legalEntityRFInfo><fullName>ООО \"А\"</fullName><INN>7700000002</INN><KPP>770002001</KPP></legalEntityRFInfo></appParticipantInfo>";
const PERSON: &str = "<appParticipantInfo><individualPersonInfo><nameInfo><lastName>Петров</lastName><firstName>Пётр</firstName></nameInfo><INN>770000000001</INN></individualPersonInfo></appParticipantInfo>";

#[test]
fn an_examination_ends_with_a_single_participant() {
    let application = |party: &str, result: &str| {
        format!("<application>{party}<admittedInfo>{result}</admittedInfo></application>")
    };
    let admitted = "<admitted>true</admitted>";
    let rejected = "<appRejectedReason><explanation>нет</explanation></appRejectedReason>";
    let both = protocol(
        "pprf615ProtocolEF1",
        &(application(FIRM, admitted) + &application(PERSON, admitted)),
    );
    assert_eq!(
        (both.is_final, both.winner),
        (false, Winner615Facts::default())
    );
    for applications in [
        application(PERSON, admitted),
        application(FIRM, rejected) + &application(PERSON, admitted),
        application(FIRM, "<admitted>false</admitted>") + &application(PERSON, ""),
    ] {
        let facts = protocol("pprf615ProtocolEF1", &applications);
        assert!(facts.is_final);
        assert_eq!(facts.winner.participant.name, "Петров Пётр");
        assert_eq!(facts.winner.participant.inn, "770000000001");
        assert_eq!(facts.winner.participant.kpp, "");
        assert_eq!(facts.winner.price, None);
        assert_eq!(facts.winner.protocol_date, on("2021-03-01"));
    }
    let none = protocol("pprf615ProtocolEF1", &application(FIRM, rejected));
    assert_eq!(
        (none.is_final, none.winner),
        (true, Winner615Facts::default())
    );
}

#[test]
fn an_auction_without_offers_ends_the_purchase() {
    let nobody = protocol("pprf615ProtocolEF2", "");
    assert_eq!(
        (nobody.is_final, nobody.winner),
        (true, Winner615Facts::default())
    );
}

#[test]
fn a_contract_after_an_auction_held_elsewhere_need_not_name_a_purchase() {
    let read = |number: &str| {
        let document = exported(
            "pprf615Contract",
            &format!(
                "<commonInfo><regNum>020000000012100055</regNum></commonInfo><purchaseEFInfo><notPublishedInEISEFInfo>\
                 <purchaseInfo><purchaseNumber>{number}</purchaseNumber></purchaseInfo></notPublishedInEISEFInfo></purchaseEFInfo>"
            ),
        );
        let facts = read_all(&document).expect("facts");
        facts
            .into_iter()
            .map(|fact| fact.number)
            .collect::<Vec<_>>()
    };
    assert_eq!(read("020000000012100001"), ["020000000012100001"]);
    assert!(read("б/н").is_empty());
}

#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn the_real_protocol_matches_a_reading_by_hand() {
    let (_, xml) = real_files("notice615").remove(0);
    let fact = one(&xml);
    assert_eq!(
        (fact.number.as_str(), fact.key.as_str()),
        ("027300000012001473", "35081")
    );
    assert_eq!((fact.version, fact.published), (1, 1_601_535_484_472));
    let expected = Protocol615Facts {
        doc_number: "0273000000120014730004".to_owned(),
        is_final: true,
        winner: Winner615Facts {
            protocol_date: on("2020-10-01"),
            protocol_number: "0273000000120014730004".to_owned(),
            participant: SupplierFacts {
                name: "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"ВЕК\"".to_owned(),
                inn: "7723806652".to_owned(),
                kpp: "771501001".to_owned(),
            },
            price: "16519417.98".parse().ok(),
        },
    };
    assert_eq!(fact.facts, Facts::Protocol615(expected));
}
