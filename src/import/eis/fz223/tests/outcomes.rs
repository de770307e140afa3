//! Rejections, protocols, contracts.

use super::*;

fn protocol_says(kind: &str, more: &str) -> bool {
    let data = format!(
        "<guid>g</guid><purchaseInfo><purchaseNoticeNumber>32100000001</purchaseNoticeNumber></purchaseInfo>\
         <registrationNumber>32100000001-02</registrationNumber><version>2</version>{more}"
    );
    let fact = one(&published(kind, &data));
    assert_eq!(fact.key, "32100000001-02");
    assert_eq!(fact.version, 2);
    match fact.facts {
        Facts::Protocol223 { is_final, .. } => is_final,
        other => panic!("{other:?}"),
    }
}

#[test]
fn protocols_end_a_purchase_by_kind_winner_or_failure() {
    for kind in "OSZ ZK PAEP PAOA PAAE RZ2AE94FZ SummingupAESMBO".split(' ') {
        let says = |more: &str| protocol_says(&format!("purchaseProtocol{kind}"), more);
        assert!(says(""), "{kind}");
        assert!(!says("<status>I</status>"), "{kind}");
    }
    let others = ",VK,RZOK,RZAE,RZ1AESMBO,RZ2KESMBO,RZZKESMBO,CollationAESMBO,PAAE94FZ";
    for kind in others.split(',') {
        let says = |more: &str| protocol_says(&format!("purchaseProtocol{kind}"), more);
        for (more, ends) in [
            ("<typeName>Протокол вскрытия конвертов</typeName>", false),
            ("<missedContest>false</missedContest>", false),
            ("<missedContest>true</missedContest>", true),
            (
                "<purchaseCancellationReason>NO_APPLICATIONS</purchaseCancellationReason>",
                true,
            ),
        ] {
            assert_eq!(says(more), ends, "{kind}: {more}");
        }
        let winner = |mark: &str| {
            format!(
                "<lotApplicationsList><protocolLotApplications><lot/><application/><application>{mark}</application></protocolLotApplications></lotApplicationsList>"
            )
        };
        for (mark, wins) in [("F", true), ("W", true), ("S", false), ("N", false)] {
            let mark = winner(&format!("<winnerIndication>{mark}</winnerIndication>"));
            assert_eq!(says(&mark), wins, "{kind}: {mark}");
        }
        let place = winner("<applicationPlace>F</applicationPlace>");
        assert_eq!(says(&place), kind != "PAAE94FZ", "{kind}");
    }
    let named =
        |name: &str| protocol_says("purchaseProtocol", &format!("<typeName>{name}</typeName>"));
    assert!(named("Итоговый протокол"));
    assert!(named("Протокол подведения итогов"));
    assert!(!named("Протокол подведения итогов переторжки"));
}

#[test]
fn void_contracts_do_not_count_and_those_of_no_purchase_say_nothing() {
    let read = |data: &str| read_all(&published("contract", data)).expect("facts");
    let void = read("<status>I</status><purchaseNoticeNumber>32100000001</purchaseNoticeNumber>");
    let facts = Facts::Contract223 {
        annulled: true,
        suppliers: Vec::new(),
    };
    assert_eq!(void[0].facts, facts);
    let of44 = "<purchaseNoticeNumber>0173200001425001720</purchaseNoticeNumber>";
    for none in ["<contractRegNumber>5</contractRegNumber>", of44] {
        assert_eq!(read(none), []);
    }
}

#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_protocols_and_contracts_are_read_as_a_person_reads_them() {
    let read_in = "\
andreiSaw_31400935277 31400935277 31400935277-03 true
andreiSaw_34752044 31907777345 31907777345-02 true
khudim_purchaseProtocol_Krasnodarskii_krai_20170221_000000_20170221_235959_daily_001 31704712239 31704712239-01 false
homyakin_contract_broken_xmlns 31907607605 50105018196190000360000 false
homyakin_contract_test2 31806504639 50105018196180000870000 false
homyakin_contract_without_xmlns 31806781106 50105018196180001160000 false
homyakin_contract_Adygeya_Resp_20191217_000000_20191217_235959_daily_001 31908645944 50105018196190002040000 false
homyakin_contractCompleting_test
khudim_0000000005_purchaseContractAccount_20170221_045247_004
homyakin_contract_Severnaia_Osetiya_Alaniia_Resp_20150101_000000_20150131_235959_001";
    for line in read_in.lines() {
        let file = line.split(' ').next().unwrap_or_default();
        let facts = real("contract223", &format!("{file}.xml"));
        let read = facts.first().map_or(String::new(), |fact| {
            let flag = match fact.facts {
                Facts::Protocol223 { is_final, .. } => is_final,
                Facts::Contract223 { annulled, .. } => annulled,
                ref other => panic!("{other:?}"),
            };
            format!(" {} {} {flag}", fact.number, fact.key)
        });
        assert_eq!(format!("{file}{read}"), line);
        assert!(facts.iter().all(|fact| fact.version == 1), "{file}");
    }
}
