use std::collections::BTreeMap;

use super::*;
use crate::import::eis::testing::{read_all, read_each, real_files};
use crate::model::{Amount, CardSupplier};

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

fn rub(text: &str) -> Amount {
    text.parse().expect("an amount")
}

fn card(name: &str, inn: &str, kpp: &str) -> Option<CardSupplier> {
    Some(CardSupplier {
        name: name.to_owned(),
        inn: inn.to_owned(),
        kpp: kpp.to_owned(),
    })
}

fn offers(pairs: &[(&str, &str)]) -> Vec<(String, Amount)> {
    pairs
        .iter()
        .map(|(number, price)| ((*number).to_owned(), rub(price)))
        .collect()
}

const NUMBER: &str = "<purchaseNumber>0173200001425001720</purchaseNumber>";

#[test]
fn an_auction_has_offers_in_one_protocol_and_the_winner_in_another() {
    let fact = one(&format!(
        "<fcsProtocolEF2 schemeVersion='7.2'>{NUMBER}<protocolNumber>0173200001425001720-2</protocolNumber>
         <publishDate>2017-10-16T11:25:27.254+03:00</publishDate><protocolLot><applications>
         <application><journalNumber>1</journalNumber><priceOffers><firstOffer><price>20</price></firstOffer>
           <lastOffer><price>19.5</price></lastOffer></priceOffers></application>
         <application><journalNumber>2</journalNumber></application>
         <application><journalNumber>3</journalNumber><priceOffers><lastOffer><price>18</price></lastOffer></priceOffers></application>
         </applications></protocolLot></fcsProtocolEF2>"
    ));
    assert_eq!(fact.number, "0173200001425001720");
    assert_eq!(fact.key, "0173200001425001720-2");
    assert_eq!((fact.version, fact.published), (0, 1_508_142_327_254));
    let expected = Protocol44Facts {
        lots: vec![LotOutcome44 {
            offers: offers(&[("1", "19.5"), ("3", "18")]),
            ..LotOutcome44::default()
        }],
        ..Protocol44Facts::default()
    };
    assert_eq!(protocol_of(&fact), &expected);

    let fact = one(&format!(
        "<fcsProtocolEF3>{NUMBER}<protocolNumber>x-3</protocolNumber><parentProtocolNumber>x-2</parentProtocolNumber>
         <protocolLot><applications>
         <application><journalNumber>1</journalNumber><appParticipant><inn>7700000001</inn></appParticipant>
           <admitted>true</admitted><appRating>2</appRating></application>
         <application><journalNumber>3</journalNumber><appParticipant><inn>7700000003</inn><kpp>770001001</kpp>
           <organizationName>ООО \"Три\"</organizationName></appParticipant><admitted>true</admitted><appRating>1</appRating></application>
         </applications></protocolLot></fcsProtocolEF3>"
    ));
    let expected = Protocol44Facts {
        replaces: "x-2".to_owned(),
        is_final: true,
        lots: vec![LotOutcome44 {
            lot: None,
            winner: card("ООО \"Три\"", "7700000003", "770001001"),
            winning_application: "3".to_owned(),
            price: None,
            offers: vec![],
        }],
    };
    assert_eq!(protocol_of(&fact), &expected);
}

#[test]
fn participants_are_of_several_kinds() {
    let winner = |participant: &str| {
        let fact = one(&format!(
            "<fcsProtocolEF3>{NUMBER}<protocolLot><applications><application><journalNumber>1</journalNumber>
             {participant}<appRating>1</appRating></application></applications></protocolLot></fcsProtocolEF3>"
        ));
        protocol_of(&fact).lots[0].winner.clone()
    };
    let names = "<lastName>Ли</lastName><firstName>Ия</firstName>";
    assert_eq!(
        winner(&format!(
            "<appParticipantInfo><individualPersonRFInfo><nameInfo>{names}</nameInfo><INN>770000000012</INN>
             </individualPersonRFInfo></appParticipantInfo>"
        )),
        card("Ли Ия", "770000000012", "")
    );
    assert_eq!(
        winner(
            "<appParticipantInfo><legalEntityForeignStateInfo><fullName>Acme</fullName><taxPayerCode>77</taxPayerCode>
             <registerInRFTaxBodiesInfo><INN>9900000001</INN><KPP>990001001</KPP></registerInRFTaxBodiesInfo>
             </legalEntityForeignStateInfo></appParticipantInfo>"
        ),
        card("Acme", "9900000001", "990001001")
    );
    assert_eq!(
        winner(&format!(
            "<appParticipants><appParticipant><participantType>P</participantType><inn>770000000012</inn>
             <contactInfo>{names}</contactInfo></appParticipant><appParticipant/></appParticipants>"
        )),
        card("Ли Ия", "770000000012", "")
    );
    assert_eq!(winner(""), None);
}

#[test]
fn a_competition_of_several_lots_names_a_winner_in_each() {
    let fact = one(&format!(
        "<fcsProtocolOK2><id>8</id>{NUMBER}<protocolLots>
         <protocolLot><lotNumber>1</lotNumber><applications>
           <application><journalNumber>5</journalNumber><appParticipants><appParticipant><inn>7700000005</inn></appParticipant></appParticipants>
             <admittedInfo><appRating>1</appRating><conditionsScoring>
               <conditionScoring><qualitativeCriterion><offer>1</offer></qualitativeCriterion></conditionScoring>
               <conditionScoring><costCriterion><criterionCode>CP</criterionCode><offer>70</offer></costCriterion></conditionScoring>
             </conditionsScoring></admittedInfo></application></applications></protocolLot>
         <protocolLot><lotNumber>2</lotNumber></protocolLot></protocolLots></fcsProtocolOK2>"
    ));
    assert_eq!(fact.key, "8");
    let protocol = protocol_of(&fact);
    assert!(protocol.is_final);
    assert_eq!(protocol.lots.len(), 2);
    assert_eq!(protocol.lots[0].lot, Some(1));
    assert_eq!(protocol.lots[0].price, Some(rub("70")));
    assert_eq!(protocol.lots[0].winner, card("", "7700000005", ""));
    assert_eq!(protocol.lots[1].lot, Some(2));
    assert_eq!(protocol.lots[1].winner, None);
}

/// A protocol of schema 11 with a common part as ep* have it.
fn ep(name: &str, inner: &str) -> Fact {
    one(&format!(
        "<ns:{name} xmlns:ns='e'><ns:id>9</ns:id><versionNumber>2</versionNumber><commonInfo>{NUMBER}<docNumber>ППИ1</docNumber>
         <publishDTInEIS>2022-10-01T10:00:00+03:00</publishDTInEIS><docNumberExternal>ext-3</docNumberExternal></commonInfo>
         <modificationInfo/>{inner}</ns:{name}>"
    ))
}

#[test]
fn protocols_of_2020_name_participants_apart_or_not_at_all() {
    let applications = "<protocolInfo><applicationsInfo>
        <applicationInfo><commonInfo><appNumber>11</appNumber></commonInfo><finalPrice>90.00000000001</finalPrice>
          <admittedInfo><appAdmittedInfo><admitted>true</admitted><appRating>2</appRating></appAdmittedInfo></admittedInfo></applicationInfo>
        <applicationInfo><commonInfo><appNumber>12</appNumber></commonInfo><lastPriceOffer><price>80</price></lastPriceOffer>
          <admittedInfo><appAdmittedInfo><admitted>true</admitted><appRating>1</appRating></appAdmittedInfo></admittedInfo></applicationInfo>
        </applicationsInfo></protocolInfo>";
    let fact = ep("epProtocolEF2020Final", applications);
    assert_eq!((fact.key.as_str(), fact.version), ("ext-3", 2));
    assert_eq!(fact.published, 1_664_607_600_000);
    let expected = LotOutcome44 {
        lot: None,
        winner: None,
        winning_application: "12".to_owned(),
        price: Some(rub("80")),
        offers: offers(&[("11", "90.00000000001"), ("12", "80")]),
    };
    let protocol = protocol_of(&fact);
    assert!(protocol.is_final);
    assert_eq!(protocol.lots, std::slice::from_ref(&expected));
    let named = format!(
        "{applications}<appParticipantsInfo>
         <appParticipantInfo><appNumber>11</appNumber><participantInfo/></appParticipantInfo>
         <appParticipantInfo><appNumber>12</appNumber><participantInfo><legalEntityRFInfo><fullName>Два</fullName>
         <INN>7700000012</INN><KPP>770001001</KPP></legalEntityRFInfo></participantInfo></appParticipantInfo></appParticipantsInfo>"
    );
    let fact = ep("epProtocolEF2020FinalPart", &named);
    let expected = LotOutcome44 {
        winner: card("Два", "7700000012", "770001001"),
        ..expected
    };
    assert_eq!(protocol_of(&fact).lots, [expected]);
    let submitted = ep(
        "epProtocolEF2020SubmitOffers",
        "<protocolInfo><applicationsInfo><applicationInfo><commonInfo><appNumber>12</appNumber><appRating>1</appRating></commonInfo>
         <priceOffer><price>80</price></priceOffer></applicationInfo></applicationsInfo></protocolInfo>",
    );
    let protocol = protocol_of(&submitted);
    assert!(!protocol.is_final);
    assert_eq!(protocol.lots[0].offers, offers(&[("12", "80")]));
    assert_eq!(protocol.lots[0].winning_application, "");
}

#[test]
fn the_only_application_wins_if_it_is_admitted() {
    let single = |admitted| {
        let fact = ep(
            "epProtocolEOKSingleApp",
            &format!(
                "<protocolInfo><applicationInfo><commonInfo><appNumber>7</appNumber></commonInfo>
                 <appParticipantInfo><legalEntityRFInfo><INN>7700000007</INN></legalEntityRFInfo></appParticipantInfo>
                 <admittedInfo><appAdmittedInfo><admitted>{admitted}</admitted></appAdmittedInfo></admittedInfo>
                 <offerPrice>5</offerPrice></applicationInfo></protocolInfo>"
            ),
        );
        let protocol = protocol_of(&fact);
        assert!(protocol.is_final);
        protocol.lots[0].clone()
    };
    let won = single(true);
    assert_eq!(won.winner, card("", "7700000007", ""));
    assert_eq!(won.winning_application, "7");
    assert_eq!(won.price, Some(rub("5")));
    let lost = single(false);
    assert_eq!((lost.winner, lost.price), (None, None));
    let words = |result| {
        let fact = one(&format!(
            "<fcsProtocolZK>{NUMBER}<protocolLot><lotNumber>1</lotNumber><applications>
             <application><journalNumber>1</journalNumber><price>9</price><admittedInfo><resultType>PASS_OFFER</resultType></admittedInfo></application>
             <application><journalNumber>2</journalNumber><price>8</price><admittedInfo><resultType>{result}</resultType></admittedInfo></application>
             </applications></protocolLot></fcsProtocolZK>"
        ));
        let lot = protocol_of(&fact).lots[0].clone();
        (lot.winning_application, lot.price)
    };
    assert_eq!(words("WIN_OFFER"), ("2".to_owned(), Some(rub("8"))));
    assert_eq!(words("ADMITTED_OFFER"), ("2".to_owned(), Some(rub("8"))));
    assert_eq!(words("SECOND_OFFER"), (String::new(), None));
}

#[test]
fn a_preliminary_selection_has_no_winner() {
    let fact = one(&format!(
        "<fcsProtocolPO>{NUMBER}<protocolLot><applications><application><journalNumber>1</journalNumber>
         <appParticipant><inn>7700000001</inn></appParticipant><admitted>true</admitted></application></applications></protocolLot></fcsProtocolPO>"
    ));
    let protocol = protocol_of(&fact);
    assert!(protocol.is_final);
    assert_eq!(protocol.lots, [LotOutcome44::default()]);
}

#[test]
fn a_purchase_without_applications_ends_with_any_protocol() {
    let is_final = |name: &str, reason: &str| {
        let fact = one(&format!(
            "<{name}>{NUMBER}<protocolLot><abandonedReason>{reason}</abandonedReason></protocolLot></{name}>"
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
    assert!(is_final("epProtocolEZK1", "<code>ZK504PRNR</code>"));
    assert!(!is_final("epProtocolEZK1", ""));
    let fact = ep(
        "epProtocolEZP1",
        "<protocolInfo><abandonedReason><code>ZP504PZPNR</code></abandonedReason></protocolInfo>",
    );
    assert!(protocol_of(&fact).is_final);
}

#[test]
fn results_and_contracts_say_who_concludes() {
    let fact = one(&format!(
        "<fcsPlacementResult>{NUMBER}<lotNumber>2</lotNumber><foundationProtocolNumber>p-3</foundationProtocolNumber>
         <versionNumber>4</versionNumber><createDate>2016-01-01T00:00:00Z</createDate><procedurelFailed>false</procedurelFailed><applications>
         <application><journalNumber>1</journalNumber><appRating>1</appRating><result>RC</result><price>6</price></application>
         <application><journalNumber>3</journalNumber><appRating>2</appRating><result>CC</result><price>7</price></application>
         </applications></fcsPlacementResult>"
    ));
    assert_eq!((fact.key.as_str(), fact.version), ("p-3 result 2", 4));
    assert_eq!(fact.published, 1_451_606_400_000);
    let protocol = protocol_of(&fact);
    assert!(protocol.is_final);
    let expected = LotOutcome44 {
        lot: Some(2),
        winner: None,
        winning_application: "3".to_owned(),
        price: Some(rub("7")),
        offers: offers(&[("1", "6"), ("3", "7")]),
    };
    assert_eq!(protocol.lots, [expected]);
    let fact = one(&format!(
        "<fcsContractSign><id>10</id><signDate>2017-11-09</signDate><foundation><order>{NUMBER}</order></foundation><price>3</price>
         <priceRUR>180</priceRUR><currency><code>USD</code></currency><suppliers><supplier><inn>7700000001</inn><kpp>770001001</kpp>
         <organizationName>Один</organizationName></supplier></suppliers></fcsContractSign>"
    ));
    assert_eq!(fact.key, "contract 10");
    assert_eq!(fact.published, 1_510_174_800_000);
    let protocol = protocol_of(&fact);
    assert!(protocol.is_final);
    assert_eq!(
        protocol.lots[0].winner,
        card("Один", "7700000001", "770001001")
    );
    assert_eq!(protocol.lots[0].price, Some(rub("180")));
}

#[test]
fn cancellations_name_the_protocol() {
    let fact = one(&format!(
        "<fcsProtocolCancel>{NUMBER}<protocolNumber>p-1</protocolNumber><docNumber>C</docNumber>
         <docPublishDate>2018-05-28T09:00:00Z</docPublishDate></fcsProtocolCancel>"
    ));
    let expected = Fact {
        number: "0173200001425001720".to_owned(),
        key: "p-1".to_owned(),
        version: 0,
        published: 1_527_498_000_000,
        facts: Facts::ProtocolCancel44,
    };
    assert_eq!(fact, expected);
    let fact = one(&format!(
        "<epProtocolCancel><commonInfo>{NUMBER}<docNumber>О1</docNumber><canceledProtocolNumber>ext-3</canceledProtocolNumber>
         </commonInfo></epProtocolCancel>"
    ));
    assert_eq!(
        (fact.key.as_str(), &fact.facts),
        ("ext-3", &Facts::ProtocolCancel44)
    );
}

/// The names and facts of the real documents at hand, by key; a clarification and an
/// evasion are not read.
fn real_facts() -> BTreeMap<String, (String, Fact)> {
    let files = real_files("protocol").into_iter();
    let read = files.filter(|(name, _)| {
        !["Clarification", "Evasion"]
            .iter()
            .any(|other| name.contains(other))
    });
    let mut facts = BTreeMap::new();
    for (name, facts_read) in read.flat_map(|(_, text)| read_each(&text)) {
        let fact = facts_read.expect("facts").remove(0);
        facts.insert(fact.key.clone(), (name, fact));
    }
    facts
}

/// Values read by hand in the documents.
#[test]
fn real_auctions_are_read_as_a_person_reads_them() {
    let facts = real_facts();
    if facts.is_empty() {
        return;
    }
    assert_eq!(facts.len(), 20);
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
    assert_eq!(summed_up.lots[0].winning_application, "2");
    let winner = summed_up.lots[0].winner.as_ref().expect("a winner");
    assert_eq!(
        (winner.inn.as_str(), winner.kpp.as_str()),
        ("1660086239", "166001001")
    );
    let signed = protocol("contract 10907945");
    assert_eq!(signed.lots[0].price, Some(rub("189140")));
    assert_eq!(
        signed.lots[0].winner.as_ref().map(|card| card.inn.as_str()),
        Some("1660086239")
    );

    let priced = protocol("0311300012718000021-3");
    assert_eq!(priced.lots[0].price, Some(rub("175292.6")));
    assert_eq!(priced.lots[0].offers.len(), 9);
    assert_eq!(
        priced.lots[0].winner,
        card(
            "ООО «Клиника восстановительной медицины»",
            "1657082883",
            "165701001"
        )
    );
}

/// Values read by hand in the documents.
#[test]
fn other_real_protocols_are_read_as_a_person_reads_them() {
    let facts = real_facts();
    if facts.is_empty() {
        return;
    }
    let protocol = |key: &str| protocol_of(&facts[key].1);
    let single = protocol("0173100000120000018-0");
    assert_eq!(
        single.lots[0].winner,
        card(
            "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"РУБИТЕХ\"",
            "7702404085",
            "771301001"
        )
    );
    assert_eq!(single.lots[0].price, Some(rub("265000000")));
    // The only participant was rejected.
    let rejected = protocol("0111100000217000028-2");
    assert!(rejected.is_final);
    assert_eq!(rejected.lots[0].winner, None);
    let competition = protocol("0373200041520000828-3-10958013");
    assert!(competition.is_final);
    assert_eq!(competition.lots[0].winning_application, "1");
    assert_eq!(competition.lots[0].price, Some(rub("7649776.38")));
    let winner = competition.lots[0].winner.as_ref().expect("a winner");
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
