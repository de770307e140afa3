//! Documents that refer to each other, and the records derived from them in any order.

use std::sync::LazyLock;

use super::family::*;
use super::*;
use crate::import::log::{differing, logged, now, parts};
use crate::properties::few_cases;

/// Returns all answers about the family on two days, in both formats.
fn all_answers(folder: &Folder) -> Vec<String> {
    let mut all = Vec::new();
    for day in ["2025-04-15", "2025-12-01"] {
        let mut answers = folder.answers_on(day);
        for format in ["xml", "json"] {
            for inn in [A, B, C] {
                for endpoint in [
                    Endpoint::CONTRACTS,
                    Endpoint::CONTRACT_SUMMARY,
                    Endpoint::RNP_CHECK,
                ] {
                    all.push(answers.ask(endpoint, &[("supplierINN", inn), ("format", format)]));
                }
            }
            for number in [AUCTION, TENDER, REVIVED] {
                let parameters = [("purchaseNumber", number), ("format", format)];
                all.push(answers.ask(Endpoint::PURCHASE_44, &parameters));
            }
            for number in [QUOTATION223, REJECTED223, REPAIR615] {
                let parameters = [("purchaseNumber", number), ("format", format)];
                all.push(answers.ask(Endpoint::PURCHASE_223, &parameters));
            }
            for number in numbers() {
                let parameters = [("number", number), ("format", format)];
                all.push(answers.ask(Endpoint::DOCUMENTS, &parameters));
            }
        }
    }
    all
}

pub fn import_all(documents: &[String]) -> Folder {
    let folder = Folder::new();
    take_all(&folder, documents);
    folder
}

/// Imports documents in this order, each from a separate file.
pub fn take_all(folder: &Folder, documents: &[String]) {
    let inner = tempfile::tempdir_in(folder.path()).expect("a folder");
    for (index, document) in documents.iter().enumerate() {
        let path = inner.path().join(format!("{index:03}.xml"));
        fs::write(path, document).expect("the file is written");
    }
    let (summary, problems) = folder.import_paths(&[inner.path().to_owned()], false);
    assert_eq!(problems, [""; 0]);
    assert_eq!(summary.counted.passed_over, BTreeMap::new());
}

proptest! {
    #![proptest_config(few_cases(4))]

    #[test]
    fn order_split_and_repetition_do_not_change_answers(
        order in Just((0..family().len()).collect::<Vec<_>>()).prop_shuffle(),
        cuts in prop::collection::vec(prop::bool::weighted(0.2), family().len()),
        twice in prop::collection::vec(0..family().len(), 0..8),
    ) {
        static EXPECTED: LazyLock<Vec<String>> =
            LazyLock::new(|| all_answers(&import_all(&family())));
        let family = family();
        let folder = Folder::new();
        let mut together = Vec::new();
        let cuts = cuts.into_iter().chain(std::iter::repeat(false));
        for (index, cut) in order.into_iter().chain(twice).zip(cuts) {
            together.push(family[index].clone());
            if cut {
                take_all(&folder, &std::mem::take(&mut together));
            }
        }
        take_all(&folder, &together);
        let answers = all_answers(&folder);
        for (answer, expected) in answers.iter().zip(EXPECTED.iter()) {
            prop_assert_eq!(answer, expected);
        }
    }
}

proptest! {
    #![proptest_config(few_cases(1))]

    #[test]
    fn the_log_of_changes_names_the_answers_that_each_document_changes(
        order in Just((0..family().len()).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let family = family();
        let about: [&[&str]; 3] = [
            &[A, B, C],
            &[AUCTION, TENDER, REVIVED, QUOTATION223, REJECTED223, REPAIR615],
            &[CUSTOMER, OTHER_CUSTOMER],
        ];
        let folder = Folder::new();
        let complete = "{\"type\":\"registry\",\"federalLaw\":\"223\",\"completeAsOf\":\"2025-01-01\"}";
        folder.take(complete);
        let mut answers = folder::Answers::at(&folder.database());
        let mut states = vec![parts(&mut answers, about); 2];
        let mut cursors = vec![String::new(), now(&mut answers)];
        for index in order {
            folder.take_xml(&family[index]);
            if folder.version().revision as usize == states.len() {
                states.push(parts(&mut answers, about));
                cursors.push(now(&mut answers));
            }
        }
        prop_assert!(states.len() > family.len() / 2);
        for (after, cursor) in cursors.iter().enumerate().skip(1) {
            let mut logged = logged(&mut answers, cursor);
            logged.retain(|part, _| states[0].contains_key(part));
            prop_assert_eq!(logged, differing(&states, after));
        }
    }
}

#[test]
fn a_customer_without_an_inn_is_identified_by_number_or_as_the_only_one() {
    for (lot, guarantee) in [(2, "8.5"), (1, "7.5")] {
        let contract = contract((ANNULLED, TENDER, lot), 0, A, &[(C, "Третья")]);
        let mut answers = import_all(&[tender(), contract]).answers();
        let found = answers.of_contract(C, "purchaseContractGuarantee");
        assert_eq!(found, guarantee, "lot {lot}");
    }
}

#[test]
fn without_a_protocol_the_supplier_of_the_contract_is_the_winner() {
    let mut documents = repairs();
    documents.remove(1);
    documents[1] = documents[1].replace(
        "</purchaseInfo>",
        "</purchaseInfo><contractorInfo><legalEntityRFInfo><fullName>Кровля</fullName>\
         <INN>9600000016</INN></legalEntityRFInfo></contractorInfo>",
    );
    let mut answers = import_all(&documents).answers();
    let card = answers.ask(Endpoint::PURCHASE_615, &[("purchaseNumber", REPAIR615)]);
    let winner = "<winner><protocolDate/><protocolNumber/><name>Кровля</name><inn>9600000016</inn>";
    assert!(card.contains(winner), "{card}");
}

#[test]
fn a_later_protocol_without_a_winner_keeps_the_winner() {
    let mut documents = repairs();
    let later = documents[1]
        .replace("<docNumber>11<", "<docNumber>12<")
        .replace("2025-02-10", "2025-02-20")
        .replace("<appRating>1<", "<appRating>3<");
    assert_ne!(later, documents[1]);
    documents.push(later);
    let mut answers = import_all(&documents).answers();
    let card = answers.ask(Endpoint::PURCHASE_615, &[("purchaseNumber", REPAIR615)]);
    let (_, winner) = card.split_once("<winner>").expect("a winner");
    let name = format!("<name>Кровля</name><inn>{A}</inn>");
    assert!(winner.contains(&name), "{card}");
}

#[test]
fn payments_and_completion_follow_from_procedures() {
    let paid = |procedures: &[usize]| {
        let documents = self::procedures();
        let mut chosen: Vec<String> = procedures
            .iter()
            .map(|index| documents[*index].clone())
            .collect();
        chosen.push(contract(
            (CONTRACT, AUCTION, 1),
            0,
            CUSTOMER,
            &[(A, "Первая")],
        ));
        let mut answers = import_all(&chosen).answers();
        ["paid", "contractStage", "updateDate"].map(|field| answers.of_contract(A, field))
    };
    for (procedures, expected) in [
        (&[][..], ["null", "E", "2025-02-01"]),
        (&[0], ["100.1", "E", "2025-03-01"]),
        // A newer version replaces the first one, and the first stage is completed.
        (&[0, 1, 2], ["200.2", "E", "2025-03-03"]),
        // The second stage is completed too.
        (&[1, 2, 4], ["10199.2", "EC", "2025-03-05"]),
        // The last procedure was cancelled, together with the version that it replaced.
        (&[1, 2, 3, 4, 10], ["200.2", "E", "2025-04-01"]),
        // A later termination states the amount paid as calculated by EIS.
        (&[0, 9], ["300.4", "ET", "2025-03-10"]),
        (&[1, 2, 3, 4, 9], ["300.4", "ET", "2025-03-10"]),
    ] {
        let [sum, stage, updated] = expected;
        let expected = [
            format!("{{\"total\":{sum}}}"),
            format!("\"{stage}\""),
            format!("\"{updated}\""),
        ];
        assert_eq!(paid(procedures), expected, "{procedures:?}");
    }
}

#[test]
fn a_stage_follows_the_day_and_the_documents() {
    let stage = |documents: &[String], endpoint, number, day| {
        let folder = import_all(documents);
        let body = folder
            .answers_on(day)
            .ask(endpoint, &[("purchaseNumber", number)]);
        let (_, rest) = body.split_once("<stage>").expect("a stage");
        rest.split_once('<').expect("its end").0.to_owned()
    };
    let cancelled = cancel(
        "fcsNotificationCancel",
        REVIVED,
        "2025-01-16T10:00:00+03:00",
        "",
    );
    let protocol = |kind| summing_up(kind, REVIVED, "R-1", "2025-02-20T00:00:00+03:00", "");
    for (outcome, day, expected) in [
        (None, "2025-02-15", "Подача заявок"),
        (None, "2025-02-16", "Работа комиссии"),
        (Some(cancelled), "2025-02-15", "Закупка отменена"),
        (
            Some(protocol("fcsProtocolEF1")),
            "2025-03-01",
            "Работа комиссии",
        ),
        (
            Some(protocol("fcsProtocolEF3")),
            "2025-03-01",
            "Закупка завершена",
        ),
    ] {
        let documents: Vec<String> = [revived()].into_iter().chain(outcome).collect();
        let found = stage(&documents, Endpoint::PURCHASE_44, REVIVED, day);
        assert_eq!(found, expected, "{day}");
    }
    let stage223 = |outcome: &[String], day| {
        let documents = [&[notice223(QUOTATION223, 1)], outcome].concat();
        stage(&documents, Endpoint::PURCHASE_223, QUOTATION223, day)
    };
    assert_eq!(stage223(&[], "2025-06-20"), "Подача заявок");
    assert_eq!(stage223(&[], "2025-06-21"), "Работа комиссии");
    // The notice has only one lot, and its number is 1.
    for (lot, expected) in [(1, "Закупка отменена"), (2, "Подача заявок")]
    {
        let cancelled = under_223(
            "purchaseLotCancellation",
            &format!(
                "<version>1</version><publicationDateTime>2025-01-12T10:00:00</publicationDateTime>\
                 <purchaseInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseInfo>\
                 <cancelledLots><cancelledLot><ordinalNumber>{lot}</ordinalNumber></cancelledLot></cancelledLots>"
            ),
        );
        assert_eq!(stage223(&[cancelled], "2025-06-20"), expected, "{lot}");
    }
}

#[test]
fn a_purchase_is_not_found_before_its_notice() {
    let folder = import_all(&[contract(
        (CONTRACT, AUCTION, 1),
        0,
        CUSTOMER,
        &[(A, "Первая")],
    )]);
    let parameters = [("purchaseNumber", AUCTION), ("format", "json")];
    let card = folder.answers().ask(Endpoint::PURCHASE_44, &parameters);
    assert_eq!(card, r#"{"error":"purchase not found"}"#);
    assert_eq!(folder.answers().of_contract(A, "notificationPrice"), "null");
    take_all(&folder, &[auction(1, "1000")]);
    let card = folder.answers().ask(Endpoint::PURCHASE_44, &parameters);
    assert!(card.contains("\"stage\":\"Закупка завершена\""), "{card}");
    assert_eq!(folder.answers().of_contract(A, "notificationPrice"), "1000");
}

#[test]
fn an_entry_ends_with_its_exclusion() {
    let folder = import_all(&entries());
    let registered = |day: &str| {
        let entries = folder.answers_on(day).registry(C).entries;
        let numbers = entries
            .iter()
            .map(|entry| entry["registrationNumber"].get().to_owned());
        numbers.collect::<Vec<_>>()
    };
    assert_eq!(registered("2025-05-01"), ["\"РНП.1-25\"", "\"Р0000001\""]);
    assert_eq!(registered("2025-05-02"), ["\"Р0000001\""]);
    assert_eq!(registered("2027-01-06"), [""; 0]);
}

#[test]
fn a_supplier_of_an_unknown_kind_is_identified_by_inn() {
    let document = contract((CONTRACT, AUCTION, 1), 0, CUSTOMER, &[(A, "Первая")])
        .replace("legalEntityRF", "legalEntityOfTomorrow");
    let mut answers = import_all(&[document]).answers();
    assert_eq!(answers.of_contract(A, "regNum"), format!("\"{CONTRACT}\""));
    assert_eq!(answers.name(A), "Первая");
}

#[test]
fn a_terminated_contract_under_223_fz_keeps_its_winner() {
    let contract = under_223(
        "contract",
        &format!(
            "<contractRegNumber>59600000016250000010000</contractRegNumber><purchaseNoticeInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseNoticeInfo>\
             <publicationDate>2025-03-01T10:00:00</publicationDate><status>P</status><version>7</version>"
        ),
    );
    let termination = under_223(
        "contractCancellation",
        "<guid>c</guid><registrationNumber>59600000016250000010001</registrationNumber><contractRegNumber>59600000016250000010000</contractRegNumber>\
         <publicationDate>2025-04-01T10:00:00</publicationDate><status>P</status><version>1</version>",
    );
    let folder = import_all(&[notice223(QUOTATION223, 1), contract]);
    let (summary, _) = folder.import_file("termination.xml", &termination);
    assert_eq!(summary.counted.passed_over["contractCancellation"], 1);
    let mut answers = folder.answers_on("2025-12-01");
    let card = answers.ask(Endpoint::PURCHASE_223, &[("purchaseNumber", QUOTATION223)]);
    assert!(card.contains("<stage>Закупка завершена</stage>"), "{card}");
}
