//! The documents on which an answer is based.

use super::family::*;
use super::linked::{import_all, take_all};
use super::*;

fn documents(folder: &Folder, number: &str, format: &str) -> String {
    let parameters = [("number", number), ("format", format)];
    folder.answers().ask(Endpoint::DOCUMENTS, &parameters)
}

/// Returns the documents behind a number: kind, number, version, time of publication and subsystem.
fn sources(folder: &Folder, number: &str) -> Vec<String> {
    let csv = documents(folder, number, "csv");
    let rows = csv.lines().skip(1);
    let rows = rows.map(|row| row.rsplit_once(',').expect("an address").0.to_owned());
    rows.collect()
}

fn kinds(folder: &Folder, number: &str) -> Vec<String> {
    let rows = sources(folder, number).into_iter();
    let kinds = rows.map(|row| row.split(',').next().unwrap_or_default().to_owned());
    kinds.collect()
}

const NOT_FOUND: &str = r#"{"code":404,"error":"Документы не найдены."}"#;

#[test]
fn documents_that_annul_the_contract_are_sources_of_the_card() {
    let annulled = contract((CONTRACT, AUCTION, 1), 0, CUSTOMER, &[(A, "Первая")]);
    let annulment = export(format!(
        "<contractCancel><regNum>{CONTRACT}</regNum><cancelDate>2025-05-01</cancelDate></contractCancel>"
    ));
    let folder = import_all(&family());
    // Documents about the execution of a contract count as sources of the card only if one of them
    // annuls the contract.
    assert_eq!(kinds(&folder, AUCTION).len(), 6);
    take_all(&folder, &[annulled, annulment]);
    assert_eq!(kinds(&folder, AUCTION).len(), 6 + 12);
}

#[test]
fn documents_without_a_record_are_listed() {
    let procedure = &procedures()[0];
    let folder = import_all(std::slice::from_ref(procedure));
    assert_eq!(folder.answers().contract_page(A).total, 0);
    assert_eq!(kinds(&folder, CONTRACT), ["contractProcedure"]);
    assert_eq!(documents(&folder, AUCTION, "json"), NOT_FOUND);
    assert_eq!(
        documents(&folder, "", "json"),
        r#"{"code":400,"error":"Некорректный параметр number."}"#
    );
}

#[test]
fn a_record_from_a_line_is_marked_until_outranked() {
    let folder = Folder::new();
    folder.take(line(A, CONTRACT));
    // The record is derived from the line alone, even if there are documents.
    take_all(&folder, &[procedures()[0].clone(), auction(1, "1")]);
    assert_eq!(
        documents(&folder, CONTRACT, "csv").trim_start_matches('\u{feff}'),
        format!(
            "kind,number,version,published,subsystem,href\r\nline,{CONTRACT},,,,https://zakupki.gov.ru/epz/contract/contractCard/common-info.html?reestrNumber={CONTRACT}\r\n"
        )
    );
    take_all(
        &folder,
        &[contract(
            (CONTRACT, AUCTION, 1),
            0,
            CUSTOMER,
            &[(A, "Первая")],
        )],
    );
    assert_eq!(
        kinds(&folder, CONTRACT),
        ["epNotificationEF2020", "contract", "contractProcedure"]
    );
}

#[test]
fn a_document_with_several_facts_is_listed_once() {
    let folder = Folder::new();
    let lots = "<cancelledLots><cancelledLot><ordinalNumber>1</ordinalNumber></cancelledLot>\
                <cancelledLot><ordinalNumber>2</ordinalNumber></cancelledLot></cancelledLots>";
    let cancellation = |guid: u32| {
        format!(
            "<purchaseLotCancellation><body><item><guid>{guid}</guid><purchaseLotCancellationData>\
             <publicationDateTime>2025-01-1{guid}T10:00:00</publicationDateTime>\
             <purchaseInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseInfo>\
             {lots}</purchaseLotCancellationData></item></body></purchaseLotCancellation>"
        )
    };
    folder.take_xml(cancellation(1));
    let expected = |day: u32| {
        format!("purchaseLotCancellation,{QUOTATION223},0,2025-01-1{day}T07:00:00Z,RI223")
    };
    assert_eq!(sources(&folder, QUOTATION223), [expected(1)]);
    // A newer cancellation covers the same lots.
    folder.take_xml(cancellation(2));
    assert_eq!(sources(&folder, QUOTATION223), [expected(2)]);
}

fn element(document: &str) -> &str {
    let names = document.split('<').filter(|part| !part.starts_with('?'));
    let names = names.map(|part| part.split([' ', '>', '/']).next().unwrap_or_default());
    let mut names = names.filter(|name| !name.is_empty() && !name.ends_with(":export"));
    let name = names.next().unwrap_or_default();
    name.rsplit(':').next().unwrap_or_default()
}

/// Returns the answers about a number except for the list of its documents.
fn answer(folder: &Folder, number: &str) -> String {
    let mut answers = folder.answers_on("2025-04-15");
    let mut all = String::new();
    let endpoint = match number.len() {
        19 if number != CONTRACT && number != TENDER_CONTRACT && number != ANNULLED => {
            Endpoint::PURCHASE_44
        }
        11 | 18 => Endpoint::PURCHASE_223,
        _ => {
            for inn in [A, B, C] {
                let contracts = answers.contract_page(inn).contracts.into_iter();
                let entries = answers.registry_if_any(inn);
                for fields in contracts.chain(entries) {
                    let fields = format!("{fields:?}");
                    if fields.contains(&format!("\\\"{number}\\\"")) {
                        all.push_str(&fields);
                    }
                }
            }
            return all;
        }
    };
    answers.ask(endpoint, &[("purchaseNumber", number), ("format", "json")])
}

#[test]
fn only_listed_documents_change_an_answer() {
    let family = family();
    let whole = import_all(&family);
    let expected = numbers().map(|number| (answer(&whole, number), kinds(&whole, number)));
    for (left_out, document) in family.iter().enumerate() {
        let mut others = family.clone();
        others.remove(left_out);
        let folder = import_all(&others);
        for (number, (expected, kinds)) in numbers().iter().zip(&expected) {
            let kind = element(document);
            let is_named = kinds.iter().any(|named| named == kind);
            let is_same = answer(&folder, number) == *expected;
            assert!(
                is_named || is_same,
                "{kind} changes the answer about {number}"
            );
        }
    }
}

/// Publishes a file in several steps; each publication contains the changes since the previous one.
#[cfg(feature = "postgresql")]
#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn servers_have_the_same_documents_after_each_publication() {
    let folder = Folder::new();
    folder.take(line(A, ANNULLED));
    let published = crate::postgresql::PublishedFile::new(&folder.database());
    let sources = [Source::File(folder.database()), Source::Server(published)];
    let mut answers = sources.map(|source| Answers::on("2025-12-01", source));
    // The second step includes the second version of the first document.
    let family = family();
    let (second, later) = family[1..].split_at(family.len() / 2);
    for documents in [&family[..1], second, later] {
        take_all(&folder, documents);
        for number in numbers() {
            let parameters = [("number", number), ("format", "json")];
            let [file, server] = answers
                .each_mut()
                .map(|answers| answers.ask(Endpoint::DOCUMENTS, &parameters));
            assert_eq!(server, file, "{number}");
        }
    }
}

#[test]
fn a_purchase_is_found_by_the_number_of_its_contract_under_any_law() {
    let folder = import_all(&family());
    let found = |number: &str| {
        let parameters = [("q", number), ("format", "csv")];
        let csv = folder.answers().ask(Endpoint::FIND, &parameters);
        let rows = csv.lines().skip(1);
        let hits = rows.map(|row| row.split(',').take(2).collect::<Vec<_>>().join(" "));
        hits.collect::<Vec<_>>()
    };
    let purchase223 = format!("purchase223 {QUOTATION223}");
    assert_eq!(found("59600000030250000010000"), [purchase223]);
    // Under PP-615, the numbers of a purchase and of its contract have the same length.
    let purchase615 = format!("purchase615 {REPAIR615}");
    assert_eq!(found("039600000012500077"), [purchase615]);
}
