use super::*;

use crate::import::eis::testing::on;
use crate::import::facts::{
    Contract223Facts, ExcludedApplication223, LotReference223, Protocol223Facts, SupplierFacts,
    WinningApplication223,
};

fn protocol(kind: &str, more: &str) -> Protocol223Facts {
    let data = format!(
        "<guid>g</guid><purchaseInfo><purchaseNoticeNumber>32100000001</purchaseNoticeNumber></purchaseInfo>\
         <registrationNumber>32100000001-02</registrationNumber><version>2</version>\
         <publicationDateTime>2021-03-02T00:00:00+03:00</publicationDateTime>{more}"
    );
    let fact = one(&published(kind, &data));
    assert_eq!(fact.key, "32100000001-02");
    assert_eq!(fact.version, 2);
    match fact.facts {
        Facts::Protocol223(facts) => facts,
        other => panic!("{other:?}"),
    }
}

/// A protocol about lot 2, with the elements in `applications`.
fn with_applications(kind: &str, applications: &str) -> Protocol223Facts {
    let lot = "<lot><guid>l2</guid><ordinalNumber>2</ordinalNumber></lot>";
    let lots = format!(
        "<lotApplicationsList><protocolLotApplications>{lot}{applications}</protocolLotApplications></lotApplicationsList>"
    );
    protocol(kind, &lots)
}

#[test]
fn protocols_end_a_purchase_by_kind_winner_or_failure() {
    for kind in "OSZ ZK PAEP PAOA PAAE RZ2AE94FZ SummingupAESMBO".split(' ') {
        let says = |more: &str| protocol(&format!("purchaseProtocol{kind}"), more).is_final;
        assert!(says(""), "{kind}");
        assert!(!says("<status>I</status>"), "{kind}");
    }
    let others = ",VK,RZOK,RZAE,RZ1AESMBO,RZ2KESMBO,RZZKESMBO,CollationAESMBO,PAAE94FZ";
    for kind in others.split(',') {
        let says = |more: &str| protocol(&format!("purchaseProtocol{kind}"), more).is_final;
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
    }
    let named =
        |name: &str| protocol("purchaseProtocol", &format!("<typeName>{name}</typeName>")).is_final;
    assert!(named("Итоговый протокол"));
    assert!(named("Протокол подведения итогов"));
    assert!(!named("Протокол подведения итогов переторжки"));
}

#[test]
fn winners_are_marked_as_the_schema_of_each_kind_says() {
    let wins = |kind: &str, mark: &str| {
        let application = format!(
            "<application><applicationNumber>1</applicationNumber></application>\
             <application><applicationNumber>2</applicationNumber>{mark}</application>"
        );
        let facts = with_applications(&format!("purchaseProtocol{kind}"), &application);
        assert_eq!(facts.lots[0].lot.number, "2");
        let winners = facts.lots[0].winners.iter();
        winners.map(|one| one.number.as_str()).eq(["2"])
    };
    let indication = |mark: &str| format!("<winnerIndication>{mark}</winnerIndication>");
    let place = |mark: &str| format!("<applicationPlace>{mark}</applicationPlace>");
    for (kind, mark, won) in [
        ("SummingupAESMBO", indication("F"), true),
        ("SummingupAESMBO", indication("S"), false),
        ("SummingupAESMBO", indication("N"), false),
        // In a request for quotations, F marks another participant who offered the winner's price.
        ("ZK", indication("W"), true),
        ("ZK", indication("F"), false),
        ("ZK", place("F"), true),
        ("OSZ", place("F"), true),
        ("PAAE", place("S"), false),
        (
            "PAEP",
            "<contractSigned>true</contractSigned>".to_owned(),
            true,
        ),
        ("PAEP", String::new(), false),
        ("", "<contractSigned>true</contractSigned>".to_owned(), true),
        ("", indication("F") + "<accepted>T</accepted>", true),
        ("", indication("F") + "<accepted>F</accepted>", false),
    ] {
        assert_eq!(wins(kind, &mark), won, "{kind} {mark}");
    }
    let only = "<application><applicationNumber>1</applicationNumber></application>";
    let single = with_applications("purchaseProtocolPAEP", only);
    assert_eq!(single.lots[0].winners.len(), 1);
}

#[test]
fn the_best_accepted_rank_wins_an_auction_under_94_fz() {
    let application = |number: &str, rank: &str, accepted: &str| {
        format!(
            "<application><applicationNumber>{number}</applicationNumber>\
             <accepted>{accepted}</accepted><applicationRate>{rank}</applicationRate></application>"
        )
    };
    let applications =
        application("7", "1", "F") + &application("8", "3", "T") + &application("9", "2", "T");
    let facts = with_applications("purchaseProtocolRZ2AE94FZ", &applications);
    let winners: Vec<_> = facts.lots[0]
        .winners
        .iter()
        .map(|winning| winning.number.as_str())
        .collect();
    assert_eq!(winners, ["9"]);
}

#[test]
fn the_price_of_a_winner_is_in_roubles_or_empty() {
    let price = |kind: &str, more: &str| {
        let application =
            format!("<application><winnerIndication>F</winnerIndication>{more}</application>");
        let facts = with_applications(&format!("purchaseProtocol{kind}"), &application);
        let price = facts.lots[0].winners[0].price;
        price.map_or_else(String::new, |price| price.to_string())
    };
    let dollars = "<currency><letterCode>USD</letterCode></currency>";
    assert_eq!(price("", "<price>10.5</price>"), "10.5");
    assert_eq!(price("", &format!("<price>10.5</price>{dollars}")), "");
    let roubles = "<currency><digitalCode>643</digitalCode></currency>";
    assert_eq!(price("", &format!("<price>10.5</price>{roubles}")), "10.5");
    let both = "<price>20</price><additionalPrice>15</additionalPrice>";
    assert_eq!(price("SummingupKESMBO", both), "15");
    // In an auction among small businesses, `price` is not an offer.
    assert_eq!(price("SummingupAESMBO", "<price>20</price>"), "");
}

#[test]
fn a_foreign_winner_has_a_name_and_no_inn() {
    let application = "<application><nonResidentInfo><name>AUSDENKEN GMBH</name><code>9602003012</code></nonResidentInfo>\
                       <winnerIndication>F</winnerIndication></application>";
    let facts = with_applications("purchaseProtocol", application);
    let expected = WinningApplication223 {
        participant: SupplierFacts {
            name: "AUSDENKEN GMBH".to_owned(),
            ..SupplierFacts::default()
        },
        date: on("2021-03-02"),
        ..WinningApplication223::default()
    };
    assert_eq!(facts.lots[0].winners, [expected]);
}

#[test]
fn evasions_and_refusals_exclude_an_application() {
    for (kind, element) in [
        ("Evasion", "protocolEvasionFinalProtocolApplicationInfo"),
        ("Rejection", "protocolRejectionFinalProtocolApplicationInfo"),
    ] {
        let more = format!(
            "<protocolInfo><registrationNumber>32100000001-01</registrationNumber></protocolInfo>\
             <{element}><lot><guid>l2</guid><ordinalNumber>2</ordinalNumber></lot><application>\
             <applicationNumber>5</applicationNumber><supplierInfo><inn>9602003012</inn></supplierInfo></application></{element}>"
        );
        let facts = protocol(&format!("purchaseProtocol{kind}ZKESMBO"), &more);
        let expected = ExcludedApplication223 {
            lot: lot("2", "l2"),
            application: "5".to_owned(),
            inn: "9602003012".to_owned(),
            protocol: "32100000001-01".to_owned(),
        };
        assert_eq!(facts.excluded, Some(expected), "{kind}");
        let void = format!("{more}<status>I</status>");
        let void = protocol(&format!("purchaseProtocol{kind}ZKESMBO"), &void);
        assert_eq!(void, Protocol223Facts::default());
    }
}

fn lot(number: &str, guid: &str) -> LotReference223 {
    LotReference223 {
        number: number.to_owned(),
        guid: guid.to_owned(),
    }
}

fn contract(kind: &str, data: &str) -> (String, Contract223Facts) {
    let fact = one(&published(kind, data));
    match fact.facts {
        Facts::Contract223(facts) => (fact.key, facts),
        other => panic!("{other:?}"),
    }
}

const OF_PURCHASE: &str = "<purchaseNoticeInfo><purchaseNoticeNumber>32100000001</purchaseNoticeNumber></purchaseNoticeInfo>";

#[test]
fn the_price_of_a_contract_in_another_currency_is_its_equivalent() {
    let price = |more: &str| {
        let (_, facts) = contract(
            "contract",
            &format!("{OF_PURCHASE}<price>1000</price>{more}"),
        );
        facts
            .price
            .map_or_else(String::new, |price| price.to_string())
    };
    for dollars in [
        "<currency><letterCode>USD</letterCode></currency>",
        "<currency><digitalCode>840</digitalCode></currency>",
        "<currency><code>USD</code><digitalCode>840</digitalCode></currency>",
    ] {
        assert_eq!(price(dollars), "", "{dollars}");
        let equivalent = format!("{dollars}<rubPrice>90000.00</rubPrice>");
        assert_eq!(price(&equivalent), "90000", "{dollars}");
    }
    for roubles in [
        "",
        "<currency><letterCode>RUB</letterCode></currency>",
        "<currency><digitalCode>643</digitalCode></currency>",
    ] {
        assert_eq!(price(roubles), "1000", "{roubles}");
    }
}

#[test]
fn all_suppliers_of_a_contract_are_read() {
    let supplier =
        |name: &str, inn: &str| format!("<supplierInfo><name>{name}</name>{inn}</supplierInfo>");
    let data = format!(
        "<contractRegNumber>5</contractRegNumber><registrationNumber>51</registrationNumber>{OF_PURCHASE}\
         <lotNum>2</lotNum><lotGuid>l2</lotGuid><contractDate>2021-03-05</contractDate>{}{}",
        supplier("ООО А", "<inn>9602003012</inn><kpp>960201001</kpp>"),
        supplier("AUSDENKEN GMBH", "<code>9602006662</code>")
    );
    let (key, facts) = contract("contract", &data);
    assert_eq!(key, "5/51");
    let party = |name: &str, inn: &str, kpp: &str| SupplierFacts {
        name: name.to_owned(),
        inn: inn.to_owned(),
        kpp: kpp.to_owned(),
    };
    let expected = Contract223Facts {
        is_of_registry: true,
        lot: lot("2", "l2"),
        date: on("2021-03-05"),
        suppliers: vec![
            party("ООО А", "9602003012", "960201001"),
            party("AUSDENKEN GMBH", "", ""),
        ],
        ..Contract223Facts::default()
    };
    assert_eq!(facts, expected);
}

#[test]
fn the_suppliers_of_a_contract_are_bounded() {
    let read = |count: usize| {
        let suppliers = "<supplierInfo><name>А</name></supplierInfo>".repeat(count);
        read_all(&published(
            "contract",
            &(OF_PURCHASE.to_owned() + &suppliers),
        ))
    };
    assert!(read(100).is_ok());
    let problem = read(101).expect_err("a problem");
    assert!(
        problem.ends_with("supplierInfo: more than 100"),
        "{problem}"
    );
}

#[test]
fn void_contracts_and_contracts_without_a_purchase_do_not_count() {
    let (_, void) = contract("contract", &format!("<status>I</status>{OF_PURCHASE}"));
    assert!(void.annulled);
    let read = |data: &str| read_all(&published("contract", data)).expect("facts");
    let of44 = OF_PURCHASE.replace("32100000001", "0173200001425001720");
    for none in ["<contractRegNumber>5</contractRegNumber>", &of44] {
        assert_eq!(read(none), []);
    }
}

#[test]
fn the_time_of_an_auction_needs_the_number_of_the_notice() {
    let data = "<publishDate>2021-03-01T00:00:00</publishDate><version>1</version>\
                <pricesProvisionStartTime>09:30:00</pricesProvisionStartTime>";
    assert_eq!(
        read_all(&published("biddingTimeInfo", data)).expect("facts"),
        []
    );
    let numbered = format!("<registrationNumber>32100000001</registrationNumber>{data}");
    let fact = one(&published("biddingTimeInfo", &numbered));
    assert_eq!(fact.facts, Facts::Bidding223("09:30".to_owned()));
}

#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_protocols_and_contracts_match_readings_by_hand() {
    let read_in = "\
andreiSaw_31400935277 31400935277 31400935277-03 true
andreiSaw_34752044 31907777345 31907777345-02 true
khudim_purchaseProtocol_Krasnodarskii_krai_20170221_000000_20170221_235959_daily_001 31704712239 31704712239-01 false
homyakin_contract_broken_xmlns 31907607605 50105018196190000360000/50105018196190000360001 false
homyakin_contract_test2 31806504639 50105018196180000870000/50105018196180000870001 false
homyakin_contract_without_xmlns 31806781106 50105018196180001160000/50105018196180001160001 false
homyakin_contract_Adygeya_Resp_20191217_000000_20191217_235959_daily_001 31908645944 50105018196190002040000/50105018196190002040001 false
homyakin_contract_Severnaia_Osetiya_Alaniia_Resp_20150101_000000_20150131_235959_001";
    for line in read_in.lines() {
        let file = line.split(' ').next().unwrap_or_default();
        let facts = real("contract223", &format!("{file}.xml"));
        let read = facts.first().map_or(String::new(), |fact| {
            let flag = match &fact.facts {
                Facts::Protocol223(facts) => facts.is_final,
                Facts::Contract223(facts) => facts.annulled,
                other => panic!("{other:?}"),
            };
            format!(" {} {} {flag}", fact.number, fact.key)
        });
        assert_eq!(format!("{file}{read}"), line);
        assert!(facts.iter().all(|fact| fact.version == 1), "{file}");
    }
}
