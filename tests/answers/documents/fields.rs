use super::*;

#[test]
fn the_invented_documents_give_the_answers_of_their_readme() {
    let folder = Folder::new();
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    let (_, problems) = folder.import_paths(std::slice::from_ref(&documents), false);
    assert_eq!(problems, [""; 0]);
    let readme = fs::read_to_string(documents.join("README.md")).expect("the readme");
    let rows = readme.lines().filter(|line| line.starts_with("| "));
    let numbers: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(numbers.len(), 5, "{numbers:?}");
    let mut answers = folder.answers_on("2026-11-20");
    for number in numbers {
        let endpoint = match number.len() {
            10 => {
                let is_known = !answers.name(number).is_empty() || answers.registry(number).listed;
                assert!(is_known, "{number}");
                continue;
            }
            11 => Endpoint::PURCHASE_223,
            18 => Endpoint::PURCHASE_615,
            _ => Endpoint::PURCHASE_44,
        };
        let parameters = [("format", "json"), ("purchaseNumber", number)];
        let card = answers.ask(endpoint, &parameters);
        let its_own = format!(r#""purchaseNumber":"{number}""#);
        assert!(card.contains(&its_own), "{number}: {card}");
    }
}

#[test]
fn a_contract_without_a_supplier_belongs_to_its_customer() {
    let folder = Folder::new();
    let xml = sample("contract-7.0.xml");
    let summary = folder.take_xml(&xml);
    assert_eq!(summary.counted.without_supplier, 1);
    assert_eq!(summary.kinds["contract"].0.new, 1);
    let contents = store::check(&folder.database()).expect("a database");
    assert_eq!((contents.documents, contents.contracts), (1, 1));
    // The contract was imported from a document, which outranks lines about the same contract.
    folder.take(line("9600000023", "2960000007017000004"));
    assert_eq!(
        folder.answers().contract_page("9600000023").contracts.len(),
        0
    );

    let supplier = "<suppliers><supplier><legalEntityRF><fullName>АО</fullName>\
                    <INN>9600000023</INN></legalEntityRF></supplier></suppliers>";
    let folder = Folder::new();
    folder.take_xml(xml.replace("<suppliers/>", supplier));
    let mut answers = folder.answers();
    assert_eq!(answers.name("9600000023"), "АО");
    assert_eq!(
        answers.of_contract("9600000023", "purchaseNumber"),
        r#""0196000004416005002""#
    );
}

#[test]
fn equivalent_forms_of_a_contract_give_the_same_answer() {
    let check = |sample_of, inn, changes: &[(&str, &str)], fields: &[(&str, &str)]| {
        let mut document = sample(sample_of);
        for (from, to) in changes {
            assert!(document.contains(from), "{from}");
            document = document.replace(from, to);
        }
        let folder = Folder::new();
        folder.take_xml(document);
        let mut answers = folder.answers();
        for (field, expected) in fields {
            let found = answers.of_contract(inn, field);
            assert_eq!(found, *expected, "{field}: {changes:?}");
        }
    };
    let check_6_0 = |changes: &[_], fields: &[_]| {
        check("contract-6.0.xml", "9600000048", changes, fields);
    };
    let check_11 = |changes: &[_], fields: &[_]| {
        check("contract-11.xml", "9600000094", changes, fields);
    };
    let check_4_5 = |changes: &[_], fields: &[_]| {
        check("contract-4.5.xml", "9600000023", changes, fields);
    };
    check_6_0(
        &[
            // The element for the purchase number contains free text.
            ("0196000002215000080", "25-06/347/6"),
            ("<priceRUR>6987268.99</priceRUR>", ""),
            (
                "<name>Бюджет города \"Заречинск\"</name>",
                "<name> \n </name>",
            ),
            (
                "</budgetFunds>",
                "</budgetFunds><extrabudgetFunds><extrabudget>\
                 <name>Средства учреждений</name></extrabudget></extrabudgetFunds>",
            ),
            // The date is taken as written, whatever the time zone.
            ("2016-01-25T23:40:59.025+10:00", "2016-01-26T00:30:00-11:00"),
        ],
        &[
            ("purchaseNumber", "null"),
            ("contractPrice", "6987268.99"),
            ("budgetName", "\"Средства учреждений\""),
            ("updateDate", "\"2016-01-26\""),
        ],
    );
    check_6_0(
        &[("0196000002215000080", "31400000001")],
        &[("purchaseNumber", "null")],
    );
    check_4_5(
        &[
            // Under 94-FZ, the number is in a different element.
            ("oos:fcsOrder>", "oos:oosOrder>"),
            // This price is in roubles even if the contract has another currency.
            ("<oos:code>RUB<", "<oos:code>EUR<"),
        ],
        &[
            ("purchaseNumber", "\"0196000001114000013\""),
            ("endDate", "\"2016-02-29\""),
            ("contractPrice", "145000.5"),
        ],
    );
    check_4_5(
        &[("<oos:year>2016<", "<oos:year>2015<")],
        &[("endDate", "\"2015-02-28\"")],
    );
    let advance = "<priceValueRUR>300000</priceValueRUR>";
    let guarantee = "<guaranteeAmount>50000.00<";
    let stage = "<currentContractStage>IN</currentContractStage>";
    check_11(
        &[
            ("<code>RUB</code>", "<code>EUR</code>"),
            ("bankGuarantee>", "cashAccount>"),
            (stage, ""),
            (
                "<sumInPercents>12.5</sumInPercents>",
                "<subContractors><subContractor/></subContractors>",
            ),
            (
                "bankSupportContractRequired>true<",
                "bankSupportContractRequired>0<",
            ),
        ],
        &[
            ("contractPrice", "null"),
            ("contractGuarantee", "null"),
            ("contractStage", "\"E\""),
            ("subContractors", "true"),
            ("bankSupportContractRequired", "false"),
        ],
    );
    check_11(
        &[
            (
                "<price>1000000</price>",
                "<rightToConcludeContractPriceInfo><price>77.7</price></rightToConcludeContractPriceInfo>",
            ),
            (stage, "<isInvalid>true</isInvalid>"),
            (
                guarantee,
                "<guaranteeAmountRUR>7e3</guaranteeAmountRUR><guaranteeAmount>5<",
            ),
            (advance, "<sumInPercents>12.50</sumInPercents>"),
        ],
        &[
            ("contractPrice", "77.7"),
            ("contractStage", "\"IN\""),
            ("contractGuarantee", "7000"),
            ("advanceInPercents", "12.5"),
        ],
    );
}

#[test]
fn a_long_list_of_names_is_cut_at_a_word() {
    let product =
        |number: usize| format!("<product><name>Изделие особое {number:04}</name></product>");
    let products: String = (0..200).map(product).collect();
    let document = sample("contract-7.0.xml")
        .replace("<products/>", &format!("<products>{products}</products>"))
        .replace(
            "<suppliers/>",
            "<suppliers><supplier><inn>9600000023</inn></supplier></suppliers>",
        );
    let folder = Folder::new();
    folder.take_xml(document);
    let subject = folder
        .answers()
        .of_contract("9600000023", "purchaseObjectInfo");
    let subject: String = serde_json::from_str(&subject).expect("a text");
    let all: Vec<String> = (0..200).map(|n| format!("Изделие особое {n:04}")).collect();
    let all = all.join("; ");
    let length = subject.chars().count();
    assert!((1980..=2000).contains(&length), "{length}");
    let rest = all.strip_prefix(&subject).expect("the beginning of all");
    assert!(rest.starts_with([' ', ';']), "cut at a word: {rest:.30}");
}

#[test]
fn namespace_prefixes_do_not_matter() {
    let document = sample("contract-15.3.xml");
    let mut pages = Vec::new();
    let without = ["ns2:", "ns3:", "ns4:"]
        .iter()
        .fold(document.clone(), |text, prefix| text.replace(prefix, ""));
    let other = document.replace("ns3:", "длинный.префикс-1:");
    for xml in [document, without, other] {
        let folder = Folder::new();
        folder.take_xml(xml);
        pages.push(folder.answers().json(Endpoint::CONTRACTS, "9600000055"));
    }
    assert!(pages[0].contains("1960000001625003831"), "{}", pages[0]);
    assert_eq!(pages[0], pages[1]);
    assert_eq!(pages[0], pages[2]);
}

#[test]
fn text_is_kept_verbatim() {
    let folder = Folder::new();
    folder.take_xml(
        "<contract><regNum>1</regNum>\
         <contractSubject>\r\n <![CDATA[<b>&amp;]]> &lt;&#x41;&gt; <!-- no text --><?no text?>&quot;\t</contractSubject>\
         <suppliers><supplier><inn>9600000023</inn></supplier></suppliers></contract>",
    );
    assert_eq!(
        folder
            .answers()
            .of_contract("9600000023", "purchaseObjectInfo"),
        r#""\n <b>&amp; <A> \"\t""#
    );
}

#[test]
fn amounts_in_other_currencies_are_not_roubles() {
    let contract = |price: &str, inside: &str| {
        format!(
            "<contract><regNum>1</regNum><suppliers><supplier><inn>{A}</inn></supplier></suppliers>\
             <priceInfo>{price}<currency><code>USD</code></currency></priceInfo>{inside}</contract>"
        )
    };
    let check = |price: &str, inside: &str, field: &str, expected: &str| {
        let folder = Folder::new();
        folder.take_xml(contract(price, inside));
        let value = folder.answers().of_contract(A, field);
        assert_eq!(value, expected, "{field}: {inside}");
    };
    let dollars = "<price>200</price>";
    let of_bank = |inside: &str| {
        format!("<enforcement><bankGuarantee>{inside}</bankGuarantee></enforcement>")
    };
    for (inside, expected) in [
        ("<guaranteeAmount>10</guaranteeAmount>", "null"),
        (
            "<currency><code>USD</code></currency><guaranteeAmount>10</guaranteeAmount>",
            "null",
        ),
        (
            "<currency><code>USD</code></currency><guaranteeAmount>10</guaranteeAmount>\
             <guaranteeAmountRUR>900</guaranteeAmountRUR>",
            "900",
        ),
        (
            "<currency><code>RUB</code></currency><guaranteeAmount>10</guaranteeAmount>",
            "10",
        ),
    ] {
        check(dollars, &of_bank(inside), "contractGuarantee", expected);
    }
    let both = "<price>200</price><priceRUR>18000</priceRUR>";
    let advance = "<advancePaymentSum><priceValue>20</priceValue></advancePaymentSum>";
    check(both, advance, "advanceInPercents", "10");
    let converted = "<advancePaymentSum><priceValue>20</priceValue>\
                     <priceValueRUR>3600</priceValueRUR></advancePaymentSum>";
    check(both, converted, "advanceInPercents", "20");
    let product = |inside: &str| format!("<products><product>{inside}</product></products>");
    for (inside, expected) in [
        ("<sum>7</sum>", "null"),
        ("<price>7</price><quantity>2</quantity>", "null"),
        ("<sum>7</sum><sumRUR>630</sumRUR>", "630"),
    ] {
        let expected = format!(r#"[{{"code":null,"sum":{expected}}}]"#);
        check(both, &product(inside), "products", &expected);
    }
}

#[test]
fn an_initial_price_in_another_currency_is_ignored() {
    let folder = Folder::new();
    let notice = super::family::auction(1, "100").replace("<code>RUB<", "<code>EUR<");
    let number = super::family::AUCTION;
    folder.take_xml(notice);
    folder.take_xml(format!(
        "<contract><regNum>1</regNum><suppliers><supplier><inn>{A}</inn></supplier></suppliers>\
         <foundation><fcsOrder><order><notificationNumber>{number}</notificationNumber></order></fcsOrder></foundation></contract>"
    ));
    let mut answers = folder.answers();
    for field in ["notificationPrice", "purchaseContractGuarantee"] {
        assert_eq!(answers.of_contract(A, field), "null", "{field}");
    }
    assert!(answers.of_contract(A, "purchaseObjectInfo") != "null");
}
