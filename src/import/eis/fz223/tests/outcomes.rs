//! Rejections, protocols, contracts.

use super::*;

#[test]
fn rejections_and_cancelled_lots_are_read() {
    let fact = only(&published(
        "purchaseRejection",
        "<guid>g</guid><cancelNoticeRegistrationNumber>32100000001</cancelNoticeRegistrationNumber>\
         <publicationDateTime>2021-02-03T00:00:00</publicationDateTime>",
    ));
    assert_eq!(
        fact,
        Fact {
            number: "32100000001".to_owned(),
            key: String::new(),
            version: 0,
            published: 1_612_299_600_000,
            facts: Facts::Rejection223,
        }
    );
    let facts = read_all(&published(
        "purchaseLotCancellation",
        "<purchaseInfo><purchaseNoticeNumber>32100000001</purchaseNoticeNumber></purchaseInfo>\
         <cancelledLots><cancelledLot><ordinalNumber>1</ordinalNumber></cancelledLot>\
         <cancelledLot><ordinalNumber>3</ordinalNumber></cancelledLot></cancelledLots>",
    ))
    .expect("facts");
    let lots: Vec<_> = facts
        .iter()
        .map(|fact| (fact.number.as_str(), fact.key.as_str(), &fact.facts))
        .collect();
    assert_eq!(
        lots,
        [
            ("32100000001", "1", &Facts::LotCancel223),
            ("32100000001", "3", &Facts::LotCancel223)
        ]
    );
}

fn protocol_says(kind: &str, more: &str) -> bool {
    let data = format!(
        "<guid>g</guid><purchaseInfo><purchaseNoticeNumber>32100000001</purchaseNoticeNumber></purchaseInfo>\
         <registrationNumber>32100000001-02</registrationNumber><version>2</version>{more}"
    );
    let fact = only(&published(kind, &data));
    assert_eq!(fact.key, "32100000001-02");
    assert_eq!(fact.version, 2);
    match fact.facts {
        Facts::Protocol223 { is_final } => is_final,
        other => panic!("{other:?}"),
    }
}

#[test]
fn protocols_end_a_purchase_by_kind_winner_or_failure() {
    for kind in [
        "OSZ",
        "ZK",
        "PAEP",
        "PAOA",
        "PAAE",
        "RZ2AE94FZ",
        "SummingupAESMBO",
    ] {
        assert!(
            protocol_says(&format!("purchaseProtocol{kind}"), ""),
            "{kind}"
        );
        let void = "<status>I</status>";
        assert!(
            !protocol_says(&format!("purchaseProtocol{kind}"), void),
            "{kind}"
        );
    }
    for kind in [
        "",
        "VK",
        "RZOK",
        "RZAE",
        "RZ1AESMBO",
        "RZ2KESMBO",
        "RZZKESMBO",
        "CollationAESMBO",
        "PAAE94FZ",
    ] {
        let kind = format!("purchaseProtocol{kind}");
        assert!(
            !protocol_says(&kind, "<typeName>Протокол вскрытия конвертов</typeName>"),
            "{kind}"
        );
        assert!(
            !protocol_says(&kind, "<missedContest>false</missedContest>"),
            "{kind}"
        );
        assert!(
            protocol_says(&kind, "<missedContest>true</missedContest>"),
            "{kind}"
        );
        let failed = "<purchaseCancellationReason>NO_APPLICATIONS</purchaseCancellationReason>";
        assert!(protocol_says(&kind, failed), "{kind}");
        let winner = |mark: &str| {
            format!(
                "<lotApplicationsList><protocolLotApplications><lot/><application/><application>{mark}</application></protocolLotApplications></lotApplicationsList>"
            )
        };
        for (mark, wins) in [("F", true), ("W", true), ("S", false), ("N", false)] {
            let mark = winner(&format!("<winnerIndication>{mark}</winnerIndication>"));
            assert_eq!(protocol_says(&kind, &mark), wins, "{kind}");
        }
        let place = winner("<applicationPlace>F</applicationPlace>");
        assert_eq!(
            protocol_says(&kind, &place),
            kind != "purchaseProtocolPAAE94FZ"
        );
    }
    let named =
        |name: &str| protocol_says("purchaseProtocol", &format!("<typeName>{name}</typeName>"));
    assert!(named("Итоговый протокол"));
    assert!(named("Протокол подведения итогов"));
    assert!(!named("Протокол подведения итогов переторжки"));
}

#[test]
fn a_cancelled_protocol_ends_nothing() {
    let fact = only(&published(
        "protocolCancellation",
        "<purchaseInfo><purchaseNoticeNumber>32100000001</purchaseNoticeNumber></purchaseInfo>\
         <protocolInfo><registrationNumber>32100000001-02</registrationNumber></protocolInfo>",
    ));
    assert_eq!(fact.key, "32100000001-02");
    assert_eq!(fact.version, i64::MAX);
    assert_eq!(fact.facts, Facts::Protocol223 { is_final: false });
}

#[test]
fn contracts_end_the_purchase_they_name() {
    let named = "<guid>g</guid><publicationDate>2021-02-03T00:00:00</publicationDate><version>2</version>\
        <contractRegNumber>50000000000210000010000</contractRegNumber>\
        <purchaseNoticeInfo><purchaseNoticeNumber>32100000001</purchaseNoticeNumber></purchaseNoticeInfo>";
    let fact = only(&published(
        "contract",
        &format!("<status>P</status>{named}"),
    ));
    assert_eq!(
        fact,
        Fact {
            number: "32100000001".to_owned(),
            key: "50000000000210000010000".to_owned(),
            version: 2,
            published: 1_612_299_600_000,
            facts: Facts::Contract223 { annulled: false },
        }
    );
    let void = only(&published(
        "contract",
        &format!("<status>I</status>{named}"),
    ));
    assert_eq!(void.facts, Facts::Contract223 { annulled: true });
    let flat = "<contractRegNumber>5</contractRegNumber><purchaseNoticeNumber>32100000001</purchaseNoticeNumber>";
    let cut = format!(
        "<contractCutted><header/><extendedType/><body><item><contractData>{flat}</contractData></item></body></contractCutted>"
    );
    assert_eq!(only(&cut).key, "5");
    let direct = "<contractRegNumber>5</contractRegNumber>";
    assert_eq!(read_all(&published("contract", direct)), Ok(Vec::new()));
    assert_eq!(
        read_all(&published("performanceContract", direct)),
        Ok(Vec::new())
    );
    let of44 = "<purchaseNoticeNumber>0173200001425001720</purchaseNoticeNumber>";
    assert_eq!(read_all(&published("contract", of44)), Ok(Vec::new()));
    let cancelled = only(&published("contractCancellation", named));
    assert_eq!(cancelled.key, "g");
    assert_eq!(cancelled.facts, Facts::Contract223 { annulled: true });
}

#[test]
fn a_contract_under_223_fz_has_a_body() {
    let kind = |xml: &str| read_each(xml).remove(0).0;
    assert_eq!(
        kind("<contract><header/><body/></contract>"),
        "contract (223-FZ)"
    );
    let other = "<export><contract><id>1</id></contract></export>";
    assert_eq!(kind(other), "contract");
}

#[test]
fn real_protocols_and_contracts_are_read_as_a_person_reads_them() {
    for (file, expected) in [
        (
            "andreiSaw_31400935277",
            Some(("31400935277", "31400935277-03", true)),
        ),
        (
            "andreiSaw_34752044",
            Some(("31907777345", "31907777345-02", true)),
        ),
        (
            "khudim_purchaseProtocol_Krasnodarskii_krai_20170221_000000_20170221_235959_daily_001",
            Some(("31704712239", "31704712239-01", false)),
        ),
        (
            "homyakin_contract_broken_xmlns",
            Some(("31907607605", "50105018196190000360000", false)),
        ),
        (
            "homyakin_contract_test2",
            Some(("31806504639", "50105018196180000870000", false)),
        ),
        (
            "homyakin_contract_without_xmlns",
            Some(("31806781106", "50105018196180001160000", false)),
        ),
        (
            "homyakin_contract_Adygeya_Resp_20191217_000000_20191217_235959_daily_001",
            Some(("31908645944", "50105018196190002040000", false)),
        ),
        ("homyakin_contractCompleting_test", None),
        (
            "khudim_0000000005_purchaseContractAccount_20170221_045247_004",
            None,
        ),
        (
            "homyakin_contract_Severnaia_Osetiya_Alaniia_Resp_20150101_000000_20150131_235959_001",
            None,
        ),
    ] {
        let Some(facts) = real(&format!("contract223/{file}.xml")) else {
            return;
        };
        let read = facts.first().map(|fact| {
            let flag = match fact.facts {
                Facts::Protocol223 { is_final } => is_final,
                Facts::Contract223 { annulled } => annulled,
                ref other => panic!("{other:?}"),
            };
            (fact.number.as_str(), fact.key.as_str(), flag)
        });
        assert_eq!(read, expected, "{file}");
        assert!(facts.iter().all(|fact| fact.version == 1), "{file}");
    }
}
