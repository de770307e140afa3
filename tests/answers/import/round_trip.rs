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

/// The fields of these names, each with any of these values.
fn any_fields(
    names: &'static [&'static str],
    value: impl Strategy<Value = String>,
) -> impl Strategy<Value = String> {
    let values = prop::collection::vec(value, names.len());
    values.prop_map(|values| {
        let fields = names.iter().zip(values);
        let field = |(name, value)| format!(",\"{name}\":{value}");
        fields.map(field).collect()
    })
}

/// A contract with anything in it.
fn any_contract() -> impl Strategy<Value = String> {
    const TEXTS: &[&str] = &[
        "purchaseNumber",
        "purchaseCode",
        "purchaseObjectInfo",
        "deliveryTerm",
        "customerInn",
        "customerName",
        "budgetName",
        "OKTMO",
    ];
    const AMOUNTS: &[&str] = &[
        "notificationPrice",
        "contractPrice",
        "fulfilmentSum",
        "advanceInPercents",
        "penaltiesTotal",
        "penaltiesPayments",
        "subContractorsSum",
        "purchaseContractGuarantee",
        "contractGuarantee",
    ];
    const FLAGS: &[&str] = &[
        "subContractors",
        "bankSupportContractRequired",
        "treasurySupportContractRequired",
        "terminationBoth",
        "terminationSupplier",
        "terminationCostomer",
        "terminationJudge",
        "terminationCourt",
    ];
    let stage = prop::sample::select(vec!["null", "\"E\"", "\"EC\"", "\"ET\"", "\"IN\""]);
    let object = |fields: String| format!("{{{}}}", fields.trim_start_matches(','));
    let product = (
        any_fields(&["code"], any_text()),
        any_fields(&["sum"], any_amount()),
    );
    let product = product.prop_map(move |(code, sum)| object(code + &sum));
    let claim = (
        any_fields(&["paymentAmountRUR"], any_amount()),
        any_fields(&["publishDate", "requirementsDate"], any_date()),
        any_fields(&["improperExecInfo"], any_text()),
    );
    let claim = claim.prop_map(move |(amount, days, text)| object(amount + &days + &text));
    let fields = (
        any_fields(TEXTS, any_text()),
        any_fields(AMOUNTS, any_amount()),
        any_fields(&["signDate", "endDate", "updateDate"], any_date()),
        any_fields(FLAGS, any::<bool>().prop_map(|flag| flag.to_string())),
        any_fields(&["contractStage"], stage.prop_map(str::to_owned)),
        any_fields(
            &["ContractStages"],
            any::<u32>().prop_map(|count| count.to_string()),
        ),
        any_fields(&["total"], any_amount()),
        prop::collection::vec(product, 0..3),
        prop::collection::vec(claim, 0..3),
    );
    fields.prop_map(
        move |(texts, amounts, days, flags, stage, stages, paid, products, claims)| {
            let lists = format!(
                ",\"paid\":{},\"products\":[{}],\"bankGuaranteePayments\":[{}]",
                object(paid),
                products.join(","),
                claims.join(",")
            );
            [texts, amounts, days, flags, stage, stages, lists].concat()
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
        let page = first.answers().page(INN);
        second.take(lines_of_page(&page));
        let xml = |folder: &Folder| {
            folder.answers().ask(Endpoint::CONTRACTS, &[("supplierINN", INN)])
        };
        prop_assert_eq!(second.answers().page(INN), page);
        prop_assert_eq!(xml(&second), xml(&first));
        // And importing it over itself changes nothing.
        let version = second.version();
        second.take(lines_of_page(&second.answers().page(INN)));
        prop_assert_eq!(second.version(), version);
    }
}
