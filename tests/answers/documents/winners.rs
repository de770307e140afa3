//! The winners of purchases under 223-FZ and PP-615, derived from protocols, evasions, refusals and
//! contracts in any order.

use super::family::{B, QUOTATION223, REPAIR615, export, notice223, repairs, under_223};
use super::linked::{import_all, take_all};
use super::*;

/// Returns the winners in the record of the only card, as name, day and price. Checks that they are
/// the same if the documents are imported one by one, the newest first.
fn winners(documents: &[String]) -> Vec<String> {
    let found = winners_in(&import_all(documents));
    let folder = Folder::new();
    for document in documents.iter().rev() {
        take_all(&folder, std::slice::from_ref(document));
    }
    assert_eq!(winners_in(&folder), found, "one by one, reversed");
    found
}

fn winners_in(folder: &Folder) -> Vec<String> {
    let database = Database::open(&folder.database()).expect("the database opens");
    let mut found = Vec::new();
    let outcome = database.purchases(|purchase| -> store::Result<()> {
        match purchase {
            Purchase::Fz223(card) => found.extend(card.winners.iter().map(|winner| {
                let day = winner.date.map(|day| day.to_string()).unwrap_or_default();
                let price = winner.price.map(|price| price.to_string());
                format!("{} {day} {}", winner.name, price.unwrap_or_default())
            })),
            Purchase::Pp615(card) => {
                let price = card.winner.price.map(|price| price.to_string());
                let winner = &card.winner;
                let price = price.unwrap_or_default();
                found.push(format!(
                    "{} {} {price}",
                    winner.name, winner.protocol_number
                ));
            }
            Purchase::Fz44(_) => {}
        }
        Ok(())
    });
    outcome.expect("the cards are read");
    found
}

fn two_lots() -> String {
    let lot = |number: u32| {
        format!(
            "<lot><guid>lot-{number}</guid><ordinalNumber>{number}</ordinalNumber><lotData><subject>Бумага</subject></lotData></lot>"
        )
    };
    notice223(QUOTATION223, 1).replace("</lots>", &(lot(2) + "</lots>"))
}

/// A protocol published on `day` of March.
fn protocol(kind: &str, number: u32, day: u32, content: &str) -> String {
    under_223(
        &format!("purchaseProtocol{kind}"),
        &format!(
            "<purchaseInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseInfo>\
             <registrationNumber>{QUOTATION223}-0{number}</registrationNumber><publicationDateTime>2025-03-{day:02}T10:00:00</publicationDateTime>\
             <status>P</status><version>1</version>{content}"
        ),
    )
}

/// Renders the lots of a protocol. Each is given as its number and its winner, who submitted
/// application 1.
fn won(lots: &[(u32, &str, &str)]) -> String {
    let lot = |(lot, name, inn): &(u32, &str, &str)| {
        format!(
            "<protocolLotApplications><lot><ordinalNumber>{lot}</ordinalNumber></lot><application><applicationNumber>1</applicationNumber>\
             <supplierInfo><name>{name}</name><inn>{inn}</inn></supplierInfo><price>9.5</price><winnerIndication>F</winnerIndication></application>\
             </protocolLotApplications>"
        )
    };
    let lots: String = lots.iter().map(lot).collect();
    format!("<lotApplicationsList>{lots}</lotApplicationsList>")
}

/// An evasion by the winner of a lot of protocol 1.
fn evasion(kind: &str, lot: u32, participant: &str) -> String {
    let element = format!("protocol{kind}FinalProtocolApplicationInfo");
    format!(
        "<protocolInfo><registrationNumber>{QUOTATION223}-01</registrationNumber></protocolInfo>\
         <{element}><lot><ordinalNumber>{lot}</ordinalNumber></lot><application>{participant}</application></{element}>"
    )
}

fn application(number: u32) -> String {
    format!("<applicationNumber>{number}</applicationNumber>")
}

fn contract(number: u32, more: &str) -> String {
    under_223(
        "contract",
        &format!(
            "<contractRegNumber>5960000001625000{number:03}0000</contractRegNumber><registrationNumber>5960000001625000{number:03}0001</registrationNumber>\
             <purchaseNoticeInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseNoticeInfo><contractDate>2025-04-01</contractDate>\
             <publicationDate>2025-04-02T10:00:00</publicationDate><status>P</status><version>1</version><price>9</price>{more}"
        ),
    )
}

fn supplier(name: &str, inn: &str) -> String {
    format!("<supplierInfo><name>{name}</name><inn>{inn}</inn></supplierInfo>")
}

#[test]
fn evading_or_refused_participants_have_not_won() {
    let notice = notice223(QUOTATION223, 1);
    let summing_up = protocol("SummingupAESMBO", 1, 1, &won(&[(1, "Первая", A)]));
    let summing_up = summing_up.replace("<price>", "<additionalPrice>");
    let summing_up = summing_up.replace("</price>", "</additionalPrice>");
    let mut documents = vec![notice, summing_up];
    assert_eq!(winners(&documents), ["Первая 2025-03-01 9.5"]);
    for kind in ["Evasion", "Rejection"] {
        for participant in [
            application(1),
            format!("<supplierInfo><inn>{A}</inn></supplierInfo>"),
        ] {
            let content = evasion(kind, 1, &participant);
            documents.push(protocol(&format!("{kind}AESMBO"), 2, 5, &content));
            assert_eq!(winners(&documents), [""; 0], "{kind} {participant}");
            documents.pop();
        }
        let other = evasion(kind, 1, &application(2));
        documents.push(protocol(&format!("{kind}AESMBO"), 2, 5, &other));
        assert_eq!(winners(&documents), ["Первая 2025-03-01 9.5"], "{kind}");
        documents.pop();
    }
    // The evasion itself is cancelled.
    documents.push(protocol(
        "EvasionAESMBO",
        2,
        5,
        &evasion("Evasion", 1, &application(1)),
    ));
    documents.push(under_223(
        "protocolCancellation",
        &format!(
            "<guid>c</guid><publicationDateTime>2025-03-07T10:00:00</publicationDateTime>\
             <purchaseInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseInfo>\
             <protocolInfo><registrationNumber>{QUOTATION223}-02</registrationNumber></protocolInfo>"
        ),
    ));
    assert_eq!(winners(&documents), ["Первая 2025-03-01 9.5"]);
}

#[test]
fn an_evasion_excludes_only_the_application_of_its_lot() {
    let lots = won(&[(1, "Первая", A), (2, "Первая", A)]);
    let mut documents = vec![
        two_lots(),
        protocol("ZK", 1, 1, &lots.replace(">F<", ">W<")),
    ];
    let one = "Первая 2025-03-01 9.5";
    assert_eq!(winners(&documents), [one, one]);
    documents.push(protocol(
        "EvasionZKESMBO",
        2,
        5,
        &evasion("Evasion", 2, &application(1)),
    ));
    assert_eq!(winners(&documents), [one]);
    // A later protocol names the same application again.
    documents.push(protocol("", 3, 6, &won(&[(2, "Первая", A)])));
    assert_eq!(winners(&documents), [one, "Первая 2025-03-06 9.5"]);
}

#[test]
fn if_all_evade_nobody_has_won() {
    let reason =
        |reason: &str| format!("<purchaseCancellationReason>{reason}</purchaseCancellationReason>");
    let mut documents = vec![
        notice223(QUOTATION223, 1),
        protocol("", 1, 1, &won(&[(1, "Первая", A)])),
        protocol("", 2, 5, &reason("ALL_PARTICIPANTS_AVOIDED_CONTRACT")),
    ];
    assert_eq!(winners(&documents), [""; 0]);
    documents[2] = protocol("", 2, 5, &reason("ONE_APPLICATION"));
    assert_eq!(winners(&documents), ["Первая 2025-03-01 9.5"]);
}

#[test]
fn the_newest_protocol_names_the_winner_of_a_lot() {
    let mut documents = vec![
        notice223(QUOTATION223, 1),
        protocol("", 1, 1, &won(&[(1, "Первая", A)])),
        protocol("", 2, 5, &won(&[(1, "Вторая", B)])),
    ];
    assert_eq!(winners(&documents), ["Вторая 2025-03-05 9.5"]);
    // The next version of the newest protocol is void.
    let void = documents[2].replace(
        "<status>P</status><version>1<",
        "<status>I</status><version>2<",
    );
    documents.push(void);
    assert_eq!(winners(&documents), ["Первая 2025-03-01 9.5"]);
}

#[test]
fn a_rejected_purchase_and_a_cancelled_lot_have_no_winner_without_a_contract() {
    let rejection = under_223(
        "purchaseRejection",
        &format!("<cancelNoticeRegistrationNumber>{QUOTATION223}</cancelNoticeRegistrationNumber>"),
    );
    let lot = under_223(
        "purchaseLotCancellation",
        &format!(
            "<purchaseInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseInfo>\
             <cancelledLots><cancelledLot><ordinalNumber>1</ordinalNumber></cancelledLot></cancelledLots>"
        ),
    );
    let lots = won(&[(1, "Первая", A), (2, "Вторая", B)]);
    let mut documents = vec![two_lots(), protocol("", 1, 1, &lots), lot];
    assert_eq!(winners(&documents), ["Вторая 2025-03-01 9.5"]);
    documents[2] = rejection;
    assert_eq!(winners(&documents), [""; 0]);
    documents.push(contract(
        1,
        &format!("<lotNum>1</lotNum>{}", supplier("Первая", A)),
    ));
    assert_eq!(winners(&documents), ["Первая 2025-04-01 9"]);
}

#[test]
fn the_suppliers_of_a_contract_outrank_the_protocol_of_its_lot() {
    let lots = won(&[(1, "Первая", A), (2, "Первая", A)]);
    let mut documents = vec![two_lots(), protocol("", 1, 1, &lots)];
    let of_lot_2 = "<lotGuid>lot-2</lotGuid>";
    documents.push(contract(1, &(of_lot_2.to_owned() + &supplier("Вторая", B))));
    let of_1 = "Первая 2025-03-01 9.5";
    assert_eq!(winners(&documents), [of_1, "Вторая 2025-04-01 9"]);
    // A contract that hides its supplier does not contradict the protocol.
    documents[2] = contract(1, of_lot_2);
    assert_eq!(winners(&documents), [of_1, of_1]);
    // Several suppliers have won.
    let both = of_lot_2.to_owned() + &supplier("Вторая", B) + &supplier("Третья", "9600000050");
    documents[2] = contract(1, &both);
    let signed = ["Вторая 2025-04-01 9", "Третья 2025-04-01 9"];
    assert_eq!(winners(&documents), [of_1, signed[0], signed[1]]);
    // A contract for another lot with the same supplier is a second win.
    documents.push(contract(
        2,
        &format!("<lotNum>1</lotNum>{}", supplier("Вторая", B)),
    ));
    assert_eq!(winners(&documents), [signed[0], signed[0], signed[1]]);
}

#[test]
fn the_newest_valid_record_of_a_contract_counts() {
    let first = contract(1, &supplier("Первая", A));
    let newer = first.replace("<version>1<", "<version>2<");
    // A change is a separate record with its own versions.
    let change = first
        .replace(
            "<registrationNumber>59600000016250000010001<",
            "<registrationNumber>59600000016250000010003<",
        )
        .replace("2025-04-02T", "2025-05-02T")
        .replace("<price>9<", "<price>12<");
    assert_ne!(change, first);
    let mut documents = vec![notice223(QUOTATION223, 1), first, newer, change];
    assert_eq!(winners(&documents), ["Первая 2025-04-01 12"]);
    documents[3] = documents[3].replace("<status>P<", "<status>I<");
    assert_eq!(winners(&documents), ["Первая 2025-04-01 9"]);
}

#[test]
fn a_signed_contract_names_a_hidden_supplier() {
    let signed = under_223(
        "electronicContract",
        &format!(
            "<guid>e</guid><contractDate>2025-04-01</contractDate><publishDate>2025-04-01T12:00:00</publishDate>\
             <purchaseNoticeInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseNoticeInfo><price>8</price>\
             <currency><letterCode>RUB</letterCode></currency>{}<lot><guid>l</guid><ordinalNumber>1</ordinalNumber></lot>",
            supplier("Первая", A)
        ),
    );
    let mut documents = vec![notice223(QUOTATION223, 1), signed];
    assert_eq!(winners(&documents), ["Первая 2025-04-01 8"]);
    documents.push(contract(1, ""));
    assert_eq!(winners(&documents), ["Первая 2025-04-01 8"]);
    documents[2] = contract(1, &supplier("Первая", A));
    assert_eq!(winners(&documents), ["Первая 2025-04-01 9"]);
}

#[test]
fn hidden_winners_have_a_price() {
    let hidden = won(&[(1, "", "")]).replace("<name></name><inn></inn>", "");
    let mut documents = vec![notice223(QUOTATION223, 1), protocol("", 1, 1, &hidden)];
    assert_eq!(winners(&documents), [" 2025-03-01 9.5"]);
    documents.push(contract(1, ""));
    assert_eq!(winners(&documents), [" 2025-04-01 9"]);
}

#[test]
fn the_time_of_an_auction_follows_the_day_in_the_notice() {
    let notice = notice223(QUOTATION223, 1)
        .replace("purchaseNoticeZK", "purchaseNoticeAESMBO")
        .replace(
            "<lots>",
            "<auctionTime>2025-07-01T00:00:00</auctionTime><lots>",
        );
    let bidding = |version: u32, time: &str| {
        under_223(
            "biddingTimeInfo",
            &format!(
                "<registrationNumber>{QUOTATION223}</registrationNumber><publishDate>2025-06-25T10:00:00</publishDate>\
                 <version>{version}</version><pricesProvisionStartTime>{time}</pricesProvisionStartTime>"
            ),
        )
    };
    let folder = import_all(&[bidding(2, "11:30:00"), notice, bidding(1, "09:00:00")]);
    let card = folder.answers().card(QUOTATION223, "xml");
    assert!(
        card.contains("<auctionTime>01.07.2025 11:30</auctionTime>"),
        "{card}"
    );
}

/// An act under PP-615 that concerns a participant.
fn act(kind: &str, number: &str, inn: &str) -> String {
    export(format!(
        "<pprf615{kind}><versionNumber>1</versionNumber><commonInfo><purchaseNumber>{REPAIR615}</purchaseNumber><docNumber>{number}</docNumber>\
         <docPublishDate>2025-02-20T10:00:00+03:00</docPublishDate></commonInfo><participantInfo><legalEntityRFInfo><INN>{inn}</INN></legalEntityRFInfo>\
         </participantInfo></pprf615{kind}>"
    ))
}

#[test]
fn under_pp_615_acts_exclude_the_winner_until_cancelled() {
    let mut documents = repairs();
    documents.truncate(2);
    assert_eq!(winners(&documents), ["Кровля 11 80.5"]);
    for kind in ["ActDeviation", "ActEvasion"] {
        documents.truncate(2);
        documents.push(act(kind, "31", A));
        assert_eq!(winners(&documents), ["  "], "{kind}");
        documents.push(export(format!(
            "<pprf615ActCancel><commonInfo><purchaseNumber>{REPAIR615}</purchaseNumber><docNumber>32</docNumber>\
             <docPublishDate>2025-02-25T10:00:00+03:00</docPublishDate><actNumber>31</actNumber></commonInfo></pprf615ActCancel>"
        )));
        assert_eq!(winners(&documents), ["Кровля 11 80.5"], "{kind}");
    }
    documents.truncate(2);
    documents.push(act("ActDeviation", "31", B));
    assert_eq!(winners(&documents), ["Кровля 11 80.5"]);
}

#[test]
fn under_pp_615_the_contractor_outranks_the_protocol() {
    let mut documents = repairs();
    let contractor = |name: &str, inn: &str| {
        format!(
            "</purchaseInfo><contractorInfo><legalEntityRFInfo><fullName>{name}</fullName><INN>{inn}</INN></legalEntityRFInfo></contractorInfo>"
        )
    };
    let unnamed = documents[2].clone();
    documents[2] = unnamed.replace("</purchaseInfo>", &contractor("Вторая", B));
    assert_eq!(winners(&documents), ["Вторая  "]);
    documents[2] = unnamed.replace("</purchaseInfo>", &contractor("Кровля", A));
    assert_eq!(winners(&documents), ["Кровля 11 80.5"]);
}

#[test]
fn under_pp_615_later_versions_of_protocols_replace_earlier_ones() {
    let mut documents = repairs();
    documents.truncate(2);
    let numbered = |document: &str, external: &str, version: u32| {
        let common = format!("<versionNumber>{version}</versionNumber><commonInfo>");
        let number = format!("<docNumberExternal>{external}</docNumberExternal></commonInfo>");
        document
            .replace("<commonInfo>", &common)
            .replace("</commonInfo>", &number)
    };
    let first = documents[1].clone();
    documents[1] = numbered(&first, "A-1", 1);
    // In the new version no participant is rated first, so there is no winner.
    let later = first
        .replace("<appRating>1<", "<appRating>3<")
        .replace("2025-02-10", "2025-02-12");
    documents.push(numbered(&later, "A-2", 2));
    assert_eq!(winners(&documents), ["  "]);
}
