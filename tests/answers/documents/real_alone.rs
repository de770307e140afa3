//! Real documents whose related documents are not available. Invented notices or contracts stand in
//! for them. Each test lists everything that the real document changes in the answer. The expected
//! values were read from the documents by a person.

use serde_json::Value;

use super::family::{AUCTION, CUSTOMER, application, auction, contract, notice223, summing_up};
use super::linked::take_all;
use super::real_since_2021::leaves;
use super::*;

fn document(path: &str) -> String {
    let documents = std::env::var_os("EIS_DOCUMENTS").expect("EIS_DOCUMENTS is set");
    let path = Path::new(&documents).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Checks which values of an answer change when the `real` documents are imported after `before`.
/// `expected` has one path and value per line, or only the path if the value is removed.
fn check_changes(
    before: &[String],
    real: &[&str],
    ask: impl Fn(&mut Answers) -> String,
    expected: &str,
) {
    let values = |answers: &mut Answers| {
        let json: Value = serde_json::from_str(&ask(answers)).expect("JSON");
        let mut found = BTreeMap::new();
        leaves(&json, "", &mut found);
        found.retain(|path, _| !path.ends_with(".md5"));
        found
    };
    let folder = Folder::new();
    take_all(&folder, before);
    let without = values(&mut folder.answers_on("2026-11-28"));
    let documents: Vec<String> = real.iter().map(|path| document(path)).collect();
    take_all(&folder, &documents);
    let with = values(&mut folder.answers_on("2026-11-28"));
    let mut changed: BTreeMap<&str, &str> = BTreeMap::new();
    for (path, value) in &with {
        if without.get(path) != Some(value) {
            changed.insert(path, value);
        }
    }
    for path in without.keys().filter(|path| !with.contains_key(*path)) {
        changed.insert(path, "");
    }
    let lines = expected.trim().lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    let expected: BTreeMap<&str, &str> = lines
        .map(|line| line.split_once(' ').unwrap_or((line, "")))
        .collect();
    assert_eq!(changed, expected, "{real:?}");
}

/// Checks the changes in the card of purchase `number` under 44-FZ.
fn check_card(number: &str, others: &[String], real: &[&str], expected: &str) {
    let mut before = vec![auction(1, "20000000").replace(AUCTION, number)];
    before.extend_from_slice(others);
    let card = |answers: &mut Answers| {
        // Only XML cards contain the winner.
        let (xml, json) = (answers.card(number, "xml"), answers.card(number, "json"));
        let (_, winner) = xml.split_once("<winner>").unwrap_or_default();
        let (winner, _) = winner.split_once("</winner>").unwrap_or_default();
        let json: Value = serde_json::from_str(&json).expect("JSON");
        serde_json::json!({ "card": json, "winner": winner }).to_string()
    };
    check_changes(&before, real, card, expected);
}

const FINISHED: &str = "card.stage Закупка завершена";

/// Expected lines for a winner and for the end of the purchase.
fn won(name: &str, inn: &str, kpp: &str, price: &str) -> String {
    format!("{}\n{FINISHED}", winner(name, inn, kpp, price))
}

fn winner(name: &str, inn: &str, kpp: &str, price: &str) -> String {
    let fields = [("name", name), ("inn", inn), ("kpp", kpp), ("price", price)];
    let elements = fields.map(|(field, value)| match value {
        "" => format!("<{field}/>"),
        value => format!("<{field}>{value}</{field}>"),
    });
    format!("winner {}", elements.concat())
}

#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn real_protocols_and_signings_change_the_card() {
    // Final protocols since 2022 do not name the participants.
    for (number, file, price) in [
        (
            "0172200004924000287",
            "11_epProtocolEOK2020Final_14.2_2024.xml",
            "13429771.95",
        ),
        (
            "0338300003326000140",
            "25_epProtocolEF2020Final_16.2_2026_reduced.xml",
            "610207.99",
        ),
    ] {
        let file = format!("2021-2026/{file}");
        check_card(number, &[], &[&file], &won("", "", "", price));
    }
    check_card(
        "0373200594323131322",
        &[],
        &["2021-2026/08_cpContractSign_14.2_2024.xml"],
        &won(
            "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"ТОРГОВЫЙ ПРОЕКТ\"",
            "7811751018",
            "781101001",
            "1900",
        ),
    );
}

/// The participant with the second application evaded signing. On its own, the protocol changes
/// nothing.
#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn a_real_protocol_of_deviation_excludes_its_application() {
    let number = "0187300006516001329";
    let file = "2021-2026/05_fcsProtocolDeviation_7.0_2017.xml";
    check_card(number, &[], &[file], "");
    let rated = |rating_of_first: u32| {
        let first = application(1, A, "Первая");
        let second = application(2, "9600000023", "Вторая");
        let swap = |text: String, from: u32, to: u32| {
            text.replace(
                &format!("<appRating>{from}</appRating>"),
                &format!("<appRating>{to}</appRating>"),
            )
        };
        let applications = [
            swap(first, 1, rating_of_first),
            swap(second, 2, 3 - rating_of_first),
        ];
        summing_up(
            "fcsProtocolEF3",
            number,
            "ПРО1",
            "2016-12-19T10:00:00+03:00",
            &format!(
                "<protocolLot><lotNumber>1</lotNumber><applications>{}</applications></protocolLot>",
                applications.concat()
            ),
        )
    };
    // The first application has already won, so the document changes nothing.
    check_card(number, &[rated(1)], &[file], "");
    check_card(
        number,
        &[rated(2)],
        &[file],
        &winner("Первая", A, "960001001", ""),
    );
}

#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn real_protocols_of_2017_to_2020_change_the_card() {
    let cases = [
        (
            "fcsContractSign_0111100000217000017_10907945.xml",
            won(
                "Общество с ограниченной ответственностью \"Информфинанссервис\"",
                "1660086239",
                "166001001",
                "189140",
            ),
        ),
        (
            "fcsProtocolCancel_0111100004218000004_342109.xml",
            String::new(),
        ),
        (
            "fcsProtocolEF1_0111100000217000017_15516465.xml",
            String::new(),
        ),
        // There were no applications.
        (
            "fcsProtocolEF1_0111100008317000293_15799266.xml",
            FINISHED.to_owned(),
        ),
        (
            "fcsProtocolEF1_0311100006117000056_15221616.xml",
            String::new(),
        ),
        (
            "fcsProtocolEF2_0111100000217000017_15528232.xml",
            String::new(),
        ),
        (
            "fcsProtocolEF2_0111100000217000020_15535590.xml",
            String::new(),
        ),
        (
            "fcsProtocolEF3_0111100000217000017_15585361.xml",
            won(
                "Общество с ограниченной ответственностью \"Информфинанссервис\"",
                "1660086239",
                "166001001",
                "",
            ),
        ),
        (
            "fcsProtocolEF3_0111100002017000012_15210165.xml",
            won("ООО «Компания «Стайл»", "1655234918", "165501001", ""),
        ),
        (
            "fcsProtocolEF3_0311300012718000021_18772833.xml",
            won(
                "ООО «Клиника восстановительной медицины»",
                "1657082883",
                "165701001",
                "175292.6",
            ),
        ),
        (
            "fcsProtocolEF3_0873500000820003425_30311379.xml",
            won(
                "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"ТАРГЕТ\"",
                "9703009483",
                "770301001",
                "1840283.61",
            ),
        ),
        // After an auction without offers, the second parts of the applications are examined.
        (
            "fcsProtocolEFInvalidation_0111100001117000130_15172643.xml",
            String::new(),
        ),
        (
            "fcsProtocolEFInvalidation_0373100034920000012_30311370.xml",
            FINISHED.to_owned(),
        ),
        (
            "fcsProtocolEFSingleApp_0173100000120000018_30317541.xml",
            won(
                "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"РУБИТЕХ\"",
                "7702404085",
                "771301001",
                "265000000",
            ),
        ),
        // The only application was rejected.
        (
            "fcsProtocolEFSinglePart_0111100000217000028_15570374.xml",
            FINISHED.to_owned(),
        ),
        (
            "fcsProtocolEOK2_0173200001320000027_30316640.xml",
            String::new(),
        ),
        (
            "fcsProtocolEOK3_0373200041520000828_30314517.xml",
            won(
                "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"ЦЕНТР ПРОЕКТИРОВАНИЯ ОБУВИ \
                 СПЕЦИАЛЬНОГО НАЗНАЧЕНИЯ \"ОРТОМОДА\"",
                "7718195662",
                "772301001",
                "7649776.38",
            ),
        ),
        (
            "fcsProtocolEOKOU2_0373200025620000354_30317735.xml",
            String::new(),
        ),
        (
            "fcsProtocolEZK1_0332200014320000017_30316689.xml",
            FINISHED.to_owned(),
        ),
        (
            "fcsProtocolEvasion_0111300005118000098_18238618.xml",
            String::new(),
        ),
        (
            "fcsProtocolPZP_0373200029720003506_30312379.xml",
            FINISHED.to_owned(),
        ),
    ];
    for (file, expected) in cases {
        let number = file.split('_').nth(1).expect("a number");
        check_card(number, &[], &[&format!("protocol/{file}")], &expected);
    }
    // The offered price comes from an earlier protocol.
    let number = "0111100000217000017";
    let protocols = [
        "protocol/fcsProtocolEF2_0111100000217000017_15528232.xml",
        "protocol/fcsProtocolEF3_0111100000217000017_15585361.xml",
    ];
    let name = "Общество с ограниченной ответственностью \"Информфинанссервис\"";
    check_card(
        number,
        &[],
        &protocols,
        &won(name, "1660086239", "166001001", "189140"),
    );
}

#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn real_procedures_change_the_contract() {
    let check = |number: &str, files: &[&str], expected: &str| {
        let before = [
            contract((number, AUCTION, 1), 0, CUSTOMER, &[(A, "Первая")])
                .replace("2025-02-0", "2017-02-0"),
        ];
        check_changes(
            &before,
            files,
            |answers| answers.json(Endpoint::CONTRACTS, A),
            expected,
        );
    };
    check(
        "2782001366623000013",
        &["2021-2026/16_contractProcedure_termination_2023.xml"],
        "contracts.0.contractStage ET
         contracts.0.paid.total 0
         contracts.0.terminationBoth true
         contracts.0.updateDate 2023-07-13",
    );
    // The customer withdraws from the contract, and the supplier owes a penalty.
    check(
        "2790000171516000234",
        &["contract_procedure/contractProcedure_2790000171516000234_78089252.xml"],
        "contracts.0.contractStage ET
         contracts.0.paid.total 10320
         contracts.0.penaltiesTotal 54288.96
         contracts.0.terminationCostomer true
         contracts.0.updateDate 2018-01-26",
    );
    // Three procedures state the same payments, and two of them were cancelled. The final total
    // calculated by EIS is right.
    let of_one = ["77906303", "77911555", "77950705", "77952378"]
        .map(|id| format!("contract_procedure/contractProcedure_1790200467017000001_{id}.xml"));
    check(
        "1790200467017000001",
        &of_one.each_ref().map(String::as_str),
        "contracts.0.contractStage ET
         contracts.0.paid.total 156170.36
         contracts.0.terminationBoth true
         contracts.0.updateDate 2018-01-23",
    );
    // The newer version of an execution replaces the older one.
    check(
        "3790153476217000001",
        &[
            "contract_procedure/contractProcedure_3790153476217000001_78049702.xml",
            "contract_procedure/contractProcedure_3790153476217000001_77778642.xml",
        ],
        "contracts.0.contractStage EC
         contracts.0.paid.total 662712.08
         contracts.0.updateDate 2018-01-25",
    );
}

/// The contract names neither a supplier nor a price.
#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn a_real_contract_under_223_fz_of_2026_ends_the_purchase() {
    let number = "32615792098";
    check_changes(
        &[notice223(number, 1)],
        &["2021-2026/26_contractCutted_223_2026_reduced.xml"],
        |answers| answers.card(number, "json"),
        "Purchase223.stage Закупка завершена",
    );
}
