use std::collections::BTreeMap;

use super::*;
use crate::import::eis::testing::{read_all, read_each, real_files};
use crate::import::facts::SupplierFacts;
use crate::model::Amount;

fn read_one(xml: &str) -> std::result::Result<Fact, String> {
    read_all(xml).map(|mut facts| facts.remove(0))
}

fn one(xml: &str) -> Fact {
    read_one(xml).expect("a fact")
}

fn protocol_of(fact: &Fact) -> &Protocol44Facts {
    match &fact.facts {
        Facts::Protocol44(protocol) => protocol,
        other => panic!("{other:?}"),
    }
}

fn best(protocol: &Protocol44Facts) -> &RankedApplication44 {
    protocol.lots[0].ranked.first().expect("an application")
}

fn rub(text: &str) -> Amount {
    text.parse().expect("an amount")
}

fn card(name: &str, inn: &str, kpp: &str) -> Option<SupplierFacts> {
    Some(SupplierFacts {
        name: name.to_owned(),
        inn: inn.to_owned(),
        kpp: kpp.to_owned(),
    })
}

fn offers(pairs: &[(&str, &str)]) -> Vec<Offer44> {
    let offer = |(application, price): &(&str, &str)| Offer44 {
        application: (*application).to_owned(),
        price: rub(price),
    };
    pairs.iter().map(offer).collect()
}

const NUMBER: &str = "<purchaseNumber>0173200001425001720</purchaseNumber>";

#[test]
fn a_purchase_without_applications_ends_with_any_protocol() {
    let is_final = |name: &str, reason: &str| {
        let fact = one(&format!(
            "<{name}>{NUMBER}<protocolLot><abandonedReason>{reason}</abandonedReason></protocolLot></{name}>"
        ));
        protocol_of(&fact).is_final
    };
    let of_ep = |reason: &str| {
        let fact = one(&format!(
            "<epProtocolEZK1><commonInfo>{NUMBER}</commonInfo><protocolInfo>\
             <abandonedReason>{reason}</abandonedReason></protocolInfo></epProtocolEZK1>"
        ));
        protocol_of(&fact).is_final
    };
    let typed = |name, kind| is_final(name, &format!("<type>{kind}</type>"));
    assert!(typed("fcsProtocolEF1", "NR"));
    assert!(typed("fcsProtocolEF1", "NV2"));
    assert!(!typed("fcsProtocolEF1", "OV"));
    assert!(!typed("fcsProtocolEF1", "OR"));
    assert!(typed("fcsProtocolEFInvalidation", "NR"));
    assert!(!typed("fcsProtocolEFInvalidation", "NS"));
    assert!(of_ep("<code>ZK504PRNR</code>"));
    assert!(!of_ep(""));
}

#[test]
fn both_forms_of_auction_protocols_name_the_participant() {
    let older = "<appParticipant><organizationName>ООО «Пример»</organizationName>\
                 <inn>9600000087</inn></appParticipant>";
    let newer = "<appParticipantInfo><legalEntityRFInfo><fullName>ООО «Пример»</fullName>\
                 <INN>9600000087</INN></legalEntityRFInfo></appParticipantInfo>";
    for participant in [older, newer] {
        let application = format!(
            "<application><journalNumber>1</journalNumber><admitted>true</admitted>{participant}</application>"
        );
        for (name, lot) in [
            ("fcsProtocolEFSinglePart", application.clone()),
            (
                "fcsProtocolEF3",
                format!("<applications>{application}</applications>"),
            ),
        ] {
            let fact = one(&format!(
                "<{name}>{NUMBER}<protocolLot>{lot}</protocolLot></{name}>"
            ));
            let expected = card("ООО «Пример»", "9600000087", "");
            assert_eq!(best(protocol_of(&fact)).participant, expected, "{name}");
        }
    }
}

/// The name and fact of each available real document, by key. Skips clarifications, which are not
/// read.
fn real_facts() -> BTreeMap<String, (String, Fact)> {
    let files = real_files("protocol").into_iter();
    let read = files.filter(|(name, _)| !name.contains("Clarification"));
    let mut facts = BTreeMap::new();
    for (name, facts_read) in read.flat_map(|(_, text)| read_each(&text)) {
        let fact = facts_read.expect("facts").remove(0);
        facts.insert(fact.key.clone(), (name, fact));
    }
    facts
}

#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_auctions_match_readings_by_hand() {
    let facts = real_facts();
    assert_eq!(facts.len(), 21);
    let protocol = |key: &str| protocol_of(&facts[key].1);
    let finals: Vec<&str> = facts
        .values()
        .filter(|(_, fact)| matches!(&fact.facts, Facts::Protocol44(facts) if facts.is_final))
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(finals.len(), 12, "{finals:?}");

    let auction = protocol("0111100000217000017-2");
    assert!(!auction.is_final);
    assert_eq!(
        auction.lots[0].offers,
        offers(&[("1", "190105"), ("2", "189140")])
    );
    let summed_up = protocol("0111100000217000017-3");
    assert!(summed_up.is_final);
    assert_eq!(best(summed_up).number, "2");
    let winner = best(summed_up).participant.as_ref().expect("a winner");
    assert_eq!(
        (winner.inn.as_str(), winner.kpp.as_str()),
        ("1660086239", "166001001")
    );
    let signed = protocol("contract 10907945");
    assert_eq!(best(signed).price, Some(rub("189140")));
    assert_eq!(
        best(signed)
            .participant
            .as_ref()
            .map(|card| card.inn.as_str()),
        Some("1660086239")
    );

    let priced = protocol("0311300012718000021-3");
    assert_eq!(best(priced).price, Some(rub("175292.6")));
    assert_eq!(priced.lots[0].offers.len(), 9);
    assert_eq!(
        best(priced).participant,
        card(
            "ООО «Клиника восстановительной медицины»",
            "1657082883",
            "165701001"
        )
    );
}

#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn other_real_protocols_match_readings_by_hand() {
    let facts = real_facts();
    let protocol = |key: &str| protocol_of(&facts[key].1);
    let single = protocol("0173100000120000018-0");
    assert_eq!(
        best(single).participant,
        card(
            "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"РУБИТЕХ\"",
            "7702404085",
            "771301001"
        )
    );
    assert_eq!(best(single).price, Some(rub("265000000")));
    // The only participant was rejected.
    let rejected = protocol("0111100000217000028-2");
    assert!(rejected.is_final);
    assert_eq!(rejected.lots[0].ranked, []);
    let competition = protocol("0373200041520000828-3-10958013");
    assert!(competition.is_final);
    assert_eq!(best(competition).number, "1");
    assert_eq!(best(competition).price, Some(rub("7649776.38")));
    let winner = best(competition).participant.as_ref().expect("a winner");
    assert_eq!(
        (winner.inn.as_str(), winner.kpp.as_str()),
        ("7718195662", "772301001")
    );
    assert!(!protocol("0111100001117000130-2").is_final);
    assert!(protocol("0373100034920000012-0").is_final);
    assert_eq!(
        facts["0111100004218000004-1"].1.facts,
        Facts::ProtocolCancel44
    );
}
