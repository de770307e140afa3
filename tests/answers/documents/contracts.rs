//! Contracts under 44-FZ in documents since 2022. Each case imports the documents in several
//! orders, all at once and one by one.

use super::family::export;
use super::*;

const NUMBER: &str = "2960000001626000001";

/// A contract document of schema version `schema`, with two stages that end on the same day.
fn contract(schema: &str, inside: &str) -> String {
    export(format!(
        "<ns2:contract schemeVersion=\"{schema}\"><id>1</id><publishDate>2026-03-01T12:00:00+03:00</publishDate>\
         <versionNumber>0</versionNumber><customer><regNum>01960000016</regNum><fullName>Музей</fullName>\
         <inn>9600000024</inn></customer><signDate>2026-02-20</signDate><regNum>{NUMBER}</regNum>\
         <contractSubject>Витрины</contractSubject><priceInfo><price>300</price><currency><code>RUB</code></currency></priceInfo>\
         <executionPeriod><startDate>2026-03-01</startDate>\
         <stages><sid>1</sid><endDate>2026-12-31</endDate></stages>\
         <stages><sid>2</sid><endDate>2026-12-31</endDate></stages>\
         <endDate>2026-12-31</endDate></executionPeriod>\
         <suppliersInfo><supplierInfo><legalEntityRF><EGRULInfo><fullName>ООО «Витрина»</fullName><INN>{A}</INN>\
         </EGRULInfo></legalEntityRF></supplierInfo></suppliersInfo>{inside}</ns2:contract>"
    ))
}

/// A version of a procedure, published on a day in May.
fn procedure(sid: u32, id: u32, version: u32, day: u32, inside: &str) -> String {
    export(format!(
        "<ns2:contractProcedure schemeVersion=\"14.1\"><id>{id}</id><sid>{sid}</sid><regNum>{NUMBER}</regNum>\
         <publishDate>2026-05-{day:02}T12:00:00+03:00</publishDate><versionNumber>{version}</versionNumber>{inside}\
         </ns2:contractProcedure>"
    ))
}

fn paid(stage: &str, ordinal: u32, paid: &str) -> String {
    format!(
        "<executions><stage>{stage}</stage><ordinalNumber>{ordinal}</ordinalNumber><execution><payDoc>\
         <documentNum>1</documentNum></payDoc><currency><code>RUB</code></currency><paid>{paid}</paid></execution></executions>"
    )
}

const FIRST: &str = "<sid>1</sid><endDate>2026-12-31</endDate>";
const SECOND: &str = "<sid>2</sid><endDate>2026-12-31</endDate>";

fn cancelled(id: u32, day: u32, stage: &str) -> String {
    export(format!(
        "<ns2:contractProcedureCancel schemeVersion=\"14.1\"><cancelledProcedureId>{id}</cancelledProcedureId>\
         <regNum>{NUMBER}</regNum><cancelDate>2026-05-{day:02}T12:00:00+03:00</cancelDate><reason>Ошибка</reason>\
         <currentContractStage>{stage}</currentContractStage></ns2:contractProcedureCancel>"
    ))
}

/// A document of the execution register.
fn registered(kind: &str, key: u32, version: u32, day: u32, inside: &str) -> String {
    export(format!(
        "<ns2:{kind} schemeVersion=\"16.2\"><versionNumber>{version}</versionNumber><regNumber>{NUMBER}</regNumber>\
         <regNumberExecution>{NUMBER}{key:06}</regNumberExecution><publishDate>2026-05-{day:02}T12:00:00+03:00</publishDate>\
         {inside}</ns2:{kind}>"
    ))
}

fn accepted(key: u32, version: u32, day: u32, number: &str, sum: &str) -> String {
    let inside = format!(
        "<docAcceptanceInfo><documentDate>2026-05-01</documentDate><documentNum>{number}</documentNum>\
         <currency><code>RUB</code></currency><fulfilmentSum>{sum}</fulfilmentSum></docAcceptanceInfo>"
    );
    registered(
        "cemContractExecutionDocAcceptance",
        key,
        version,
        day,
        &inside,
    )
}

/// Checks fields of the contract after importing these documents all at once, one by one with the
/// newest first, and in two parts that are exchanged.
fn check(documents: &[String], expected: &[(&str, &str)]) {
    let reversed: Vec<&[String]> = documents.rchunks(1).collect();
    let halves: Vec<&[String]> = documents.rchunks(documents.len().div_ceil(2)).collect();
    for parts in [vec![documents], reversed, halves] {
        let folder = Folder::new();
        for part in &parts {
            linked::take_all(&folder, part);
        }
        let mut answers = folder.answers();
        for (field, value) in expected {
            assert_eq!(answers.of_contract(A, field), *value, "{field}: {parts:#?}");
        }
    }
}

#[test]
fn stages_with_the_same_last_day_are_distinguished_by_id() {
    let documents = [
        contract("16.2", ""),
        procedure(501, 501, 0, 1, &paid(FIRST, 1, "100")),
        procedure(502, 502, 0, 2, &paid(SECOND, 1, "200")),
    ];
    check(&documents, &[("paid", r#"{"total":300}"#)]);
}

#[test]
fn a_newer_version_of_a_procedure_with_a_prolonged_stage_replaces_it() {
    let prolonged = "<sid>1</sid><endDate>2027-03-31</endDate>";
    let documents = [
        contract("16.2", ""),
        procedure(501, 501, 0, 1, &paid(FIRST, 1, "70")),
        procedure(501, 777, 1, 9, &paid(prolonged, 2, "100")),
    ];
    check(&documents, &[("paid", r#"{"total":100}"#)]);
    // The response does not list the replaced version as a source.
    let folder = linked::import_all(&documents);
    let asked = [("number", NUMBER), ("format", "json")];
    let sources = folder.answers().ask(Endpoint::DOCUMENTS, &asked);
    assert_eq!(
        sources.matches("\"contractProcedure\"").count(),
        1,
        "{sources}"
    );
}

#[test]
fn a_stage_without_an_id_is_the_only_one_ending_that_day() {
    let one_stage = contract("14.1", "").replace(
        "<stages><sid>2</sid><endDate>2026-12-31</endDate></stages>",
        "",
    );
    let documents = [
        one_stage,
        procedure(
            501,
            501,
            0,
            1,
            &paid("<endDate>2026-12-31</endDate>", 1, "70"),
        ),
        procedure(502, 502, 0, 2, &paid(FIRST, 1, "100")),
    ];
    check(&documents, &[("paid", r#"{"total":100}"#)]);
}

#[test]
fn a_cancellation_removes_all_versions_of_a_procedure() {
    let documents = [
        contract("16.2", "<currentContractStage>E</currentContractStage>"),
        procedure(501, 501, 0, 1, &paid(FIRST, 1, "70")),
        procedure(
            501,
            777,
            1,
            2,
            &format!(
                "{}<currentContractStage>EC</currentContractStage>",
                paid(FIRST, 1, "100")
            ),
        ),
        cancelled(777, 3, "E"),
    ];
    check(
        &documents,
        &[("paid", r#"{"total":null}"#), ("contractStage", "\"E\"")],
    );
    // If a version is published after the cancellation, it is used.
    let mut again = documents.to_vec();
    again.push(procedure(501, 778, 2, 4, &paid(FIRST, 1, "90")));
    check(&again, &[("paid", r#"{"total":90}"#)]);
}

#[test]
fn a_court_may_revoke_that_a_contract_is_void() {
    let void = "<contractInvalidation><paid>80</paid><decisionDate>2026-05-01</decisionDate>\
                <invalidationDate>2026-05-01</invalidationDate></contractInvalidation>\
                <currentContractStage>IN</currentContractStage>";
    let mut documents = vec![
        contract("16.2", "<isInvalid>true</isInvalid>"),
        procedure(501, 501, 0, 1, void),
    ];
    check(
        &documents,
        &[("contractStage", "\"IN\""), ("paid", r#"{"total":80}"#)],
    );
    documents.push(export(format!(
        "<ns2:contractProcedureCancel schemeVersion=\"14.1\"><cancelledProcedureId>501</cancelledProcedureId>\
         <regNum>{NUMBER}</regNum><contractInvalidationCancel><cancelReason><docNumber>1</docNumber></cancelReason>\
         </contractInvalidationCancel><currentContractStage>E</currentContractStage></ns2:contractProcedureCancel>"
    )));
    check(
        &documents,
        &[("contractStage", "\"E\""), ("paid", r#"{"total":null}"#)],
    );
}

#[test]
fn a_termination_for_another_reason_has_an_unknown_ground() {
    let unknown = [("contractStage", "\"ET\""), ("terminationCourt", "true")];
    let ended = "<obligationsTermination><reason>3</reason><terminationDate>2026-05-10</terminationDate>\
                 </obligationsTermination>";
    check(
        &[contract("16.2", ""), procedure(503, 503, 0, 1, ended)],
        &unknown,
    );
    let stated = "<currentContractStage>ET</currentContractStage>";
    check(&[contract("16.2", stated)], &unknown);
    let agreed = "<termination><reason><code>1</code></reason></termination>";
    check(
        &[contract("16.2", stated), procedure(503, 503, 0, 1, agreed)],
        &[("terminationBoth", "true"), ("terminationCourt", "false")],
    );
}

#[test]
fn a_refund_changes_no_payment() {
    let refund = "<refundOverpaymentsInfo><refundOverpaymentInfo><amountRefundsInfo><amountRefundInfo>\
                  <amountRefundSum>50</amountRefundSum></amountRefundInfo></amountRefundsInfo></refundOverpaymentInfo>\
                  <currency><code>RUB</code></currency></refundOverpaymentsInfo>";
    let documents = [
        contract("16.2", ""),
        procedure(505, 505, 0, 1, &paid(FIRST, 1, "300")),
        procedure(506, 506, 0, 2, refund),
    ];
    check(&documents, &[("paid", r#"{"total":300}"#)]);
}

#[test]
fn a_total_stated_at_the_end_yields_to_later_payments() {
    let ended = "<termination><paid>300</paid><reason><code>2</code></reason></termination>";
    let mut documents = vec![
        contract("16.2", ""),
        procedure(501, 501, 0, 1, &paid(FIRST, 1, "100")),
        procedure(504, 504, 0, 2, ended),
    ];
    check(&documents, &[("paid", r#"{"total":300}"#)]);
    documents.push(procedure(501, 601, 1, 3, &paid(FIRST, 1, "90")));
    check(&documents, &[("paid", r#"{"total":90}"#)]);
}

#[test]
fn acceptances_in_the_execution_register_count_once() {
    let in_procedure = "<executions><stage><sid>1</sid></stage><ordinalNumber>1</ordinalNumber>\
                        <execution><docAcceptance><documentDate>2026-05-01</documentDate><documentNum>7</documentNum>\
                        <fulfilmentSum>40</fulfilmentSum></docAcceptance><currency><code>RUB</code></currency></execution>\
                        <execution><docAcceptance><documentDate>2026-05-01</documentDate><documentNum>8</documentNum>\
                        <fulfilmentSum>5</fulfilmentSum></docAcceptance><currency><code>RUB</code></currency></execution></executions>";
    let mut documents = vec![
        contract("16.2", ""),
        accepted(1, 1, 1, "7", "50"),
        accepted(1, 2, 2, "7", "60"),
        procedure(501, 501, 0, 3, in_procedure),
    ];
    check(&documents, &[("fulfilmentSum", "65")]);
    documents.push(export(format!(
        "<ns2:cemContractExecutionDocAcceptanceCancel schemeVersion=\"16.2\"><regNumberExecution>{NUMBER}000001</regNumberExecution>\
         <regNumber>{NUMBER}</regNumber><commonInfo><reason>Ошибка</reason><cancelDate>2026-05-09T12:00:00+03:00</cancelDate>\
         </commonInfo></ns2:cemContractExecutionDocAcceptanceCancel>"
    )));
    check(
        &documents,
        &[("fulfilmentSum", "45"), ("updateDate", "\"2026-05-09\"")],
    );
}

#[test]
fn the_execution_register_has_payments_penalties_and_refusals() {
    let payment = |key, kind: &str, sum: &str| {
        let inside = format!(
            "<payDocumentInfo><payDocumentType>{kind}</payDocumentType><currency><code>RUB</code></currency>\
             <paid>{sum}</paid></payDocumentInfo>"
        );
        registered("cemContractExecutionPayment", key, 1, 1, &inside)
    };
    let penalty = |key, party: &str| {
        let inside = format!(
            "<penaltyAccrualInfo><contractParty>{party}</contractParty><sum>7</sum><currency><code>RUB</code></currency>\
             </penaltyAccrualInfo>"
        );
        registered("cemContractExecutionPenaltyAccrual", key, 1, 1, &inside)
    };
    let refusal = "<commonInfo><reason><code>4</code></reason></commonInfo>";
    let documents = [
        contract("16.2", ""),
        payment(1, "PC", "100"),
        payment(2, "PT", "13"),
        // Neither counts as paid for the work: the first is a refund, the second pays a penalty.
        payment(3, "RC", "40"),
        payment(4, "PN", "7"),
        penalty(5, "S"),
        penalty(6, "C"),
        registered("cemContractTerminationUnilateralRefusal", 7, 1, 2, refusal),
    ];
    let expected = [
        ("paid", r#"{"total":113}"#),
        ("penaltiesTotal", "7"),
        ("terminationSupplier", "true"),
        ("contractStage", "\"ET\""),
    ];
    check(&documents, &expected);
}

#[test]
fn bank_and_treasury_support_are_read_from_the_new_element() {
    let old = "<bankSupportContractRequiredInfo><bankSupportContractRequired>true</bankSupportContractRequired>\
               <treasurySupportContractRequired>true</treasurySupportContractRequired></bankSupportContractRequiredInfo>";
    let new = "<bankSupportCRNewInfo><bankSupportContractRequired>true</bankSupportContractRequired>\
               <treasurySupportContractInfo><treasurySupportContractRequired>true</treasurySupportContractRequired>\
               </treasurySupportContractInfo></bankSupportCRNewInfo>";
    for (schema, inside, is_required) in [
        ("13.0", old, "true"),
        ("9.3", old, "true"),
        ("13.1", old, "false"),
        ("13.1", new, "true"),
        ("16.2", new, "true"),
    ] {
        let expected = [
            ("bankSupportContractRequired", is_required),
            ("treasurySupportContractRequired", is_required),
        ];
        check(&[contract(schema, inside)], &expected);
    }
}

#[test]
fn a_share_of_zero_means_no_subcontractors() {
    let part = |percents: &str, sum: &str| {
        format!(
            "<subContractorsSum><sumInPercents>{percents}</sumInPercents>\
             <priceValueRUR>{sum}</priceValueRUR></subContractorsSum>"
        )
    };
    for (inside, expected) in [
        (part("0.0", "0.00"), ["false", "0"]),
        (part("10", "30"), ["true", "30"]),
        (String::new(), ["false", "0"]),
    ] {
        let [are_there, sum] = expected;
        check(
            &[contract("16.2", &inside)],
            &[("subContractors", are_there), ("subContractorsSum", sum)],
        );
    }
}

#[test]
fn a_product_without_quantity_has_no_sum() {
    let product = |inside: &str| {
        format!(
            "<products><product><OKPD2><code>81.22.11</code></OKPD2><price>15.5</price>{inside}</product></products>"
        )
    };
    for (inside, sum) in [
        (
            "<volumeSpecifyingMethod>VTF</volumeSpecifyingMethod>",
            "null",
        ),
        ("<quantity>2</quantity>", "31"),
        ("<quantity>2</quantity><sum>30</sum>", "30"),
    ] {
        let expected = format!(r#"[{{"code":"81.22.11","sum":{sum}}}]"#);
        check(
            &[contract("16.2", &product(inside))],
            &[("products", expected.as_str())],
        );
    }
}

#[test]
fn in_a_joint_purchase_the_initial_price_is_that_of_the_customer() {
    const PURCHASE: &str = "0196000001626000001";
    let customer = |code: u32, price: &str| {
        format!(
            "<customerRequirementInfo><customer><regNum>0196000001{code}</regNum><fullName>Заказчик</fullName></customer>\
             <contractConditionsInfo><maxPriceInfo><maxPrice>{price}</maxPrice></maxPriceInfo></contractConditionsInfo>\
             </customerRequirementInfo>"
        )
    };
    let notice = |customers: &str| {
        export(format!(
            "<ns2:epNotificationEF2020 schemeVersion=\"14.1\"><versionNumber>1</versionNumber><commonInfo>\
             <purchaseNumber>{PURCHASE}</purchaseNumber><publishDTInEIS>2026-01-10T10:00:00+03:00</publishDTInEIS></commonInfo>\
             <notificationInfo><contractConditionsInfo><maxPriceInfo><maxPrice>20000000</maxPrice><currency><code>RUB</code>\
             </currency></maxPriceInfo></contractConditionsInfo><customerRequirementsInfo>{customers}</customerRequirementsInfo>\
             </notificationInfo></ns2:epNotificationEF2020>"
        ))
    };
    let foundation = format!(
        "<foundation><fcsOrder><order><notificationNumber>{PURCHASE}</notificationNumber></order></fcsOrder></foundation>"
    );
    let own = contract("16.2", &foundation);
    let both = notice(&[customer(6, "100"), customer(7, "200")].concat());
    check(&[own.clone(), both], &[("notificationPrice", "100")]);
    let others = notice(&[customer(7, "100"), customer(8, "200")].concat());
    check(&[own.clone(), others], &[("notificationPrice", "null")]);
    let only = notice(&customer(7, "200"));
    check(&[own, only], &[("notificationPrice", "20000000")]);
}

/// A contract with this number and these suppliers.
fn of_suppliers(number: &str, suppliers: &str) -> String {
    let own = contract("16.2", "").replace(NUMBER, number);
    let (before, rest) = own.split_once("<suppliersInfo>").expect("suppliers");
    let (_, after) = rest.split_once("</suppliersInfo>").expect("suppliers");
    format!("{before}<suppliersInfo>{suppliers}</suppliersInfo>{after}")
}

fn foreign(name: &str) -> String {
    format!(
        "<supplierInfo><legalEntityForeignState><fullName>{name}</fullName><taxPayerCode>960200188867</taxPayerCode>\
         </legalEntityForeignState></supplierInfo>"
    )
}

const HIDDEN: &str = "<supplierInfo><notPublishedOnEIS>true</notPublishedOnEIS></supplierInfo>";

/// Returns the number, supplier INN and supplier name of each contract of the customer.
fn of_customer(answers: &mut Answers) -> Vec<[String; 3]> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Row {
        reg_num: String,
        #[serde(rename = "supplierINN")]
        inn: Option<String>,
        supplier_name: Option<String>,
    }
    #[derive(Deserialize)]
    struct Rows {
        totalcount: usize,
        contracts: Vec<Row>,
    }
    let asked = [("customerInn", "9600000024"), ("format", "json")];
    let json = answers.ask(Endpoint::CUSTOMER_CONTRACTS, &asked);
    let rows: Rows = serde_json::from_str(&json).expect(&json);
    assert_eq!(rows.totalcount, rows.contracts.len());
    let rows = rows.contracts.into_iter();
    rows.map(|row| {
        [
            row.reg_num,
            row.inn.unwrap_or_default(),
            row.supplier_name.unwrap_or_default(),
        ]
    })
    .collect()
}

#[test]
fn contracts_of_suppliers_without_an_inn_are_found() {
    let numbers = [2, 3, 4, 5].map(|last| format!("296000000162600000{last}"));
    let documents = [
        contract("16.2", ""),
        of_suppliers(&numbers[0], &foreign("DALA LLP")),
        of_suppliers(&numbers[1], HIDDEN),
        of_suppliers(
            &numbers[2],
            &[foreign("DALA LLP"), foreign("STEPPE LLP")].concat(),
        ),
        of_suppliers(
            &numbers[3],
            &[foreign("DALA LLP"), HIDDEN.to_owned()].concat(),
        ),
    ];
    let mut expected: Vec<[String; 3]> = [
        (4, "", "DALA LLP"),
        (3, "", "DALA LLP"),
        (3, "", "STEPPE LLP"),
        (2, "", ""),
        (1, "", "DALA LLP"),
        (0, A, "ООО «Витрина»"),
    ]
    .map(|(number, inn, name)| {
        let number = match number {
            0 => NUMBER.to_owned(),
            at => numbers[at - 1].clone(),
        };
        [number, inn.to_owned(), name.to_owned()]
    })
    .to_vec();
    expected.sort();
    let reversed: Vec<String> = documents.iter().rev().cloned().collect();
    for order in [documents.to_vec(), reversed] {
        let folder = linked::import_all(&order);
        let contents = store::check(&folder.database()).expect("a sound database");
        assert_eq!((contents.contracts, contents.suppliers), (6, 1));
        let mut answers = folder.answers();
        let mut found = of_customer(&mut answers);
        found.sort();
        assert_eq!(found, expected);
        // Internal keys of suppliers without an INN are never shown.
        for number in &numbers {
            let asked = [("q", number.as_str()), ("format", "json")];
            let hits = answers.ask(Endpoint::FIND, &asked);
            assert!(hits.contains(r#""kind":"contract""#), "{hits}");
            assert!(hits.contains(r#""supplierINN":null"#), "{hits}");
            let asked = [("regNum", number.as_str()), ("format", "json")];
            let contract = answers.ask(Endpoint::CONTRACT, &asked);
            assert!(contract.contains(r#"[{"supplierINN":null,"#), "{contract}");
            let asked = [("number", number.as_str()), ("format", "json")];
            let sources = answers.ask(Endpoint::DOCUMENTS, &asked);
            assert!(sources.contains(r#""kind":"contract""#), "{sources}");
        }
        let asked = [("customerInn", "9600000024"), ("format", "csv")];
        let csv = answers.ask(Endpoint::CUSTOMER_CONTRACTS, &asked);
        assert_eq!(csv.matches("DALA LLP").count(), 3, "{csv}");
        // The log of changes does not contain the internal keys either.
        let changed = changes_of(&folder);
        assert!(
            changed.iter().all(|line| !line.contains(" -")),
            "{changed:?}"
        );
    }
}

#[test]
fn a_supplier_that_gets_an_inn_or_a_name_later_is_listed_once() {
    let newer = |xml: String| {
        xml.replace("<versionNumber>0<", "<versionNumber>1<")
            .replace("<publishDate>2026-03-01", "<publishDate>2026-03-02")
    };
    let known = contract("16.2", "");
    for (older, newer, expected) in [
        (
            of_suppliers(NUMBER, HIDDEN),
            newer(known.clone()),
            [A, "ООО «Витрина»"],
        ),
        (
            known,
            newer(of_suppliers(NUMBER, &foreign("DALA LLP"))),
            ["", "DALA LLP"],
        ),
    ] {
        for documents in [[older.clone(), newer.clone()], [newer, older]] {
            let folder = Folder::new();
            for document in documents {
                linked::take_all(&folder, &[document]);
            }
            store::check(&folder.database()).expect("a sound database");
            let [inn, name] = expected.map(str::to_owned);
            let found = of_customer(&mut folder.answers());
            assert_eq!(found, [[NUMBER.to_owned(), inn, name]]);
        }
    }
}
