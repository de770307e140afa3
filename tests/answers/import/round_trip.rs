//! What is exported can be imported again.

use super::*;

/// The parts of a contract page that make lines, unparsed.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(rename = "supplierINN")]
    inn: String,
    #[serde(rename = "supplierIName", borrow)]
    name: &'a RawValue,
    #[serde(borrow)]
    contracts: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Check<'a> {
    #[serde(rename = "supplierINN")]
    inn: String,
    #[serde(rename = "supplierName", borrow)]
    name: &'a RawValue,
    #[serde(borrow)]
    entries: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Wrapped<'a> {
    #[serde(rename = "Purchase223", alias = "Purchase615", borrow)]
    card: &'a RawValue,
}

/// The lines of a contract page.
fn lines_of_page(page: &str) -> String {
    let page: Page<'_> = serde_json::from_str(page).expect("a contract page");
    let (inn, name) = (&page.inn, page.name);
    let line = |contract: &&RawValue| {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"{inn}","name":{name}}},"contract":{contract}}}"#
        ) + "\n"
    };
    page.contracts.iter().map(line).collect()
}

/// The lines of an RNP check.
fn lines_of_check(check: &str) -> String {
    let check: Check<'_> = serde_json::from_str(check).expect("an RNP check");
    let (inn, name) = (&check.inn, check.name);
    let line = |entry: &&RawValue| {
        format!(
            r#"{{"type":"rnpEntry","supplier":{{"inn":"{inn}","name":{name}}},"entry":{entry}}}"#
        ) + "\n"
    };
    check.entries.iter().map(line).collect()
}

/// The line of a card.
fn line_of_card(number: &str, card: &str) -> String {
    let kind = match number.len() {
        19 => return format!(r#"{{"type":"purchase44","purchase":{card}}}"#) + "\n",
        18 => "615",
        _ => "223",
    };
    let wrapped: Wrapped<'_> = serde_json::from_str(card).expect("a card");
    format!(r#"{{"type":"purchase{kind}","purchase":{}}}"#, wrapped.card) + "\n"
}

/// The formats in which a card is the same when its JSON was imported: the XML of one under
/// 44-FZ has fields that its JSON lacks.
fn formats(number: &str) -> &'static [&'static str] {
    if number.len() == 19 {
        &["json"]
    } else {
        &["json", "xml"]
    }
}

/// The suppliers and purchases of the demonstration data.
fn demo_questions() -> (Vec<String>, Vec<String>) {
    let (mut inns, mut numbers) = (Vec::new(), Vec::new());
    for line in CASES.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if let Some(inn) = record["supplier"]["inn"].as_str() {
            inns.push(inn.to_owned());
        }
        if let Some(number) = record["purchase"]["purchaseNumber"].as_str() {
            numbers.push(number.to_owned());
        }
    }
    inns.sort();
    inns.dedup();
    (inns, numbers)
}

#[test]
fn every_answer_of_the_demonstration_data_goes_in_again_as_it_came_out() {
    let (inns, numbers) = demo_questions();
    assert!(inns.len() > 10 && numbers.len() > 20);
    let all = |answers: &mut Answers| -> Vec<String> {
        let pages = inns
            .iter()
            .flat_map(|inn| [0, 200, 400, 600].map(|skip| (inn, skip)))
            .map(|(inn, skip)| answers.page(inn, skip))
            .collect::<Vec<_>>();
        let cards = numbers
            .iter()
            .flat_map(|number| formats(number).iter().map(move |format| (number, format)))
            .map(|(number, format)| answers.card(number, format))
            .collect();
        [pages, cards].concat()
    };
    let mut bundled = Answers::bundled();
    let before = all(&mut bundled);
    let mut lines = String::new();
    for inn in &inns {
        for skip in [0, 200, 400, 600] {
            lines += &lines_of_page(&bundled.page(inn, skip));
        }
        lines += &lines_of_check(&bundled.rnp(inn));
        let name = bundled.name(inn);
        let name = serde_json::to_string(&name).expect("a text");
        lines += &format!(r#"{{"type":"supplier","supplier":{{"inn":"{inn}","name":{name}}}}}"#);
        lines += "\n";
    }
    for number in &numbers {
        lines += &line_of_card(number, &bundled.card(number, "json"));
    }
    let folder = Folder::new();
    folder.take(lines);
    let mut again = folder.answers();
    for (before, after) in before.iter().zip(all(&mut again)) {
        assert_eq!(*before, after);
    }
    for inn in &inns {
        assert_eq!(again.rnp(inn), bundled.rnp(inn), "{inn}");
    }
}

/// Any text as JSON, or none.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just("null".to_owned()),
        4 => any::<String>().prop_map(|text| serde_json::to_string(&text).expect("a text")),
        1 => "[ \t\r\n<>&\"'\\\\]{1,8}".prop_map(|text| serde_json::to_string(&text).expect("a text")),
    ]
}

/// Any amount as JSON: a number or a string, with or without an exponent.
fn any_amount() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just("null".to_owned()),
        2 => "-?(0|[1-9][0-9]{0,13})(\\.[0-9]{1,14})?([eE][+-]?[0-9]{1,2})?",
        2 => "\"-?[0-9]{1,17}(\\.[0-9]{0,11})?\"",
        1 => Just("12345678901234567.89".to_owned()),
        1 => Just("\"12894.50284174137\"".to_owned()),
    ]
}

fn any_date() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just("null".to_owned()),
        3 => (1_u16..=9999, 1_u8..=12, 1_u8..=28)
            .prop_map(|(year, month, day)| format!("\"{year:04}-{month:02}-{day:02}\"")),
    ]
}

/// A contract with anything in it.
fn any_contract() -> impl Strategy<Value = String> {
    let texts = prop::collection::vec(any_text(), 10);
    let amounts = prop::collection::vec(any_amount(), 14);
    let dates = prop::collection::vec(any_date(), 5);
    let flags = prop::collection::vec(any::<bool>(), 8);
    let stage = prop::sample::select(vec!["null", "\"E\"", "\"EC\"", "\"ET\"", "\"IN\""]);
    (texts, amounts, dates, flags, stage, any::<u32>()).prop_map(
        |(text, amount, date, flag, stage, stages)| {
            [
                ("purchaseNumber", text[0].clone()),
                ("purchaseCode", text[1].clone()),
                ("purchaseObjectInfo", text[2].clone()),
                ("notificationPrice", amount[0].clone()),
                ("deliveryTerm", text[3].clone()),
                ("customerInn", text[4].clone()),
                ("customerName", text[5].clone()),
                ("contractPrice", amount[1].clone()),
                ("signDate", date[0].clone()),
                ("endDate", date[1].clone()),
                ("contractStage", stage.to_owned()),
                ("fulfilmentSum", amount[2].clone()),
                ("paid", format!("{{\"total\":{}}}", amount[3])),
                ("advanceInPercents", amount[4].clone()),
                ("penaltiesTotal", amount[5].clone()),
                ("penaltiesPayments", amount[6].clone()),
                ("ContractStages", stages.to_string()),
                ("updateDate", date[2].clone()),
                ("subContractors", flag[0].to_string()),
                ("subContractorsSum", amount[7].clone()),
                ("purchaseContractGuarantee", amount[8].clone()),
                ("contractGuarantee", amount[9].clone()),
                ("bankSupportContractRequired", flag[1].to_string()),
                ("treasurySupportContractRequired", flag[2].to_string()),
                ("budgetName", text[6].clone()),
                ("OKTMO", text[7].clone()),
                (
                    "products",
                    format!(
                        "[{{\"code\":{},\"sum\":{}}},{{\"sum\":{}}}]",
                        text[8], amount[10], amount[11]
                    ),
                ),
                ("terminationBoth", flag[3].to_string()),
                ("terminationSupplier", flag[4].to_string()),
                ("terminationCostomer", flag[5].to_string()),
                ("terminationJudge", flag[6].to_string()),
                ("terminationCourt", flag[7].to_string()),
                (
                    "bankGuaranteePayments",
                    format!(
                        "{{\"paymentAmountRUR\":{},\"publishDate\":{},\"requirementsDate\":{},\"improperExecInfo\":{}}}",
                        amount[12], date[3], date[4], text[9]
                    ),
                ),
            ]
            .iter()
            .map(|(name, value)| format!(",\"{name}\":{value}"))
            .collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_contract_goes_in_again_as_it_came_out(
        contracts in prop::collection::vec(any_contract(), 1..12)
    ) {
        let lines: String = contracts
            .iter()
            .enumerate()
            .map(|(number, fields)| contract(INN, &number.to_string(), fields))
            .collect();
        let (first, second) = (Folder::new(), Folder::new());
        first.take(&lines);
        let page = first.answers().page(INN, 0);
        second.take(lines_of_page(&page));
        let xml = |folder: &Folder| {
            folder.answers().ask(Endpoint::CONTRACTS, &[("supplierINN", INN)])
        };
        prop_assert_eq!(second.answers().page(INN, 0), page);
        prop_assert_eq!(xml(&second), xml(&first));
        // And importing it over itself changes nothing.
        let version = second.version();
        second.take(lines_of_page(&second.answers().page(INN, 0)));
        prop_assert_eq!(second.version(), version);
    }
}
