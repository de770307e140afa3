//! Exported lines can be imported again.

use crate::properties::few_cases;
use procurement_lookup::render::schema::Answer;
use procurement_lookup::render::schema::tree::{Field, FieldKind, List, ValueKind};

use super::*;

/// The parts of a contract page needed to build lines. They are not parsed.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(rename = "supplierINN")]
    inn: String,
    #[serde(rename = "supplierIName", borrow)]
    name: &'a RawValue,
    #[serde(borrow)]
    contracts: Vec<&'a RawValue>,
}

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

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just("null".to_owned()),
        4 => any::<String>().prop_map(|text| serde_json::to_string(&text).expect("a text")),
        1 => "[ \t\r\n<>&\"'\\\\]{1,8}".prop_map(|text| serde_json::to_string(&text).expect("a text")),
    ]
}

/// An amount in JSON: a number or a string, with or without an exponent.
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

fn any_value(field: &'static Field) -> BoxedStrategy<String> {
    match &field.kind {
        FieldKind::Value(kind) => match kind {
            ValueKind::Text(_) => any_text().boxed(),
            ValueKind::Code(codes) => prop::sample::select(codes.to_vec())
                .prop_map(|code| format!("\"{code}\""))
                .boxed(),
            ValueKind::Date | ValueKind::Moment => any_date().boxed(),
            ValueKind::Amount => any_amount().boxed(),
            ValueKind::Whole => any::<u32>().prop_map(|count| count.to_string()).boxed(),
            ValueKind::Flag => any::<bool>().prop_map(|flag| flag.to_string()).boxed(),
        },
        FieldKind::Object(fields) => any_object(fields).boxed(),
        FieldKind::List(List { fields, .. }) | FieldKind::Items(fields) => {
            let items = prop::collection::vec(any_object(fields), 0..3);
            items
                .prop_map(|items| format!("[{}]", items.join(",")))
                .boxed()
        }
    }
}

/// An object with random values in all fields except the number.
fn any_object(fields: &'static [Field]) -> impl Strategy<Value = String> {
    let fields = fields.iter().filter(|field| field.name != "regNum");
    let member = |field: &'static Field| {
        let name = field.name;
        any_value(field).prop_map(move |value| format!("\"{name}\":{value}"))
    };
    let members: Vec<_> = fields.map(member).collect();
    members.prop_map(|members| format!("{{{}}}", members.join(",")))
}

/// A contract with random values in all fields of the contract page.
fn any_contract() -> impl Strategy<Value = String> {
    let page = Answer::ContractPage.schema().expect("its schema");
    let contracts = page.json.iter().find(|field| field.name == "contracts");
    let (fields, _) = contracts.expect("contracts").within();
    any_object(fields)
}

proptest! {
    #![proptest_config(few_cases(10))]

    #[test]
    fn any_exported_contract_can_be_imported(
        contracts in prop::collection::vec(any_contract(), 1..12)
    ) {
        let lines: String = contracts
            .iter()
            .enumerate()
            .map(|(number, fields)| {
                let fields = fields.replacen('{', ",", 1);
                contract(INN, &number.to_string(), fields.trim_end_matches('}'))
            })
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
        // Importing the exported lines into the same data changes nothing.
        let version = second.version();
        second.take(lines_of_page(&second.answers().page(INN)));
        prop_assert_eq!(second.version(), version);
    }
}
