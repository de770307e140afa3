use super::*;

/// Checks the only contract of a supplier against values that a person read from the document: the
/// number of products, the first product, and one field per line.
fn check_real(answers: &mut Answers, inn: &str, name: &str, products: (usize, &str), fields: &str) {
    let page = answers.contract_page(inn);
    assert_eq!(page.name.as_deref(), Some(name));
    assert_eq!(page.contracts.len(), 1, "{inn}");
    for line in fields.trim().lines() {
        let (field, expected) = line.trim().split_once(' ').expect("a value");
        let value = page.contracts[0][field].get();
        assert_eq!(value, expected, "{field} of {inn}");
    }
    let items: Vec<&RawValue> =
        serde_json::from_str(page.contracts[0]["products"].get()).expect("products");
    assert_eq!(items.len(), products.0, "{inn}");
    assert_eq!(items[0].get(), products.1, "{inn}");
}

#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn real_documents_match_readings_by_hand() {
    let documents = std::env::var_os("EIS_DOCUMENTS").expect("EIS_DOCUMENTS is set");
    let folder = Folder::new();
    let paths = ["contract", "rnp"].map(|kind| Path::new(&documents).join(kind));
    let (summary, problems) = folder.import_paths(&paths, false);
    assert_eq!(problems, [""; 0]);
    assert_eq!(summary.skipped, 0);
    assert_eq!(summary.kinds["contract"].0.new, 5);
    assert_eq!(summary.kinds["unfairSupplier"].0.new, 1);
    // The contract in schema 7.0 names no supplier.
    assert_eq!(summary.counted.without_supplier, 1);
    let mut answers = folder.answers_on("2016-06-01");
    check_real(
        &mut answers,
        "0105070446",
        "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"ШАГДИ\"",
        (4, r#"{"code":"25.22.11.130","sum":42100}"#),
        r#"regNum "0376200001114000031"
           purchaseNumber "0376200001114000013"
           customerInn "0105031422"
           contractPrice 145000
           signDate "2014-10-03"
           endDate "2014-12-31"
           contractStage "E"
           ContractStages 0
           budgetName null
           OKTMO null
           purchaseObjectInfo "Пакет для утилизации медицинских отходов класса Б № 100; Пакет для утилизации медицинских отходов класса А № 100""#,
    );
    check_real(
        &mut answers,
        "6901067107",
        "Филиал ПАО \"МРСК Центра\" - \"Белгородэнерго\"",
        (1, r#"{"code":"35.12.10.110","sum":6987268.99}"#),
        r#"regNum "3312100001816000003"
           purchaseNumber "0126300030515000080"
           customerInn "3121000018"
           contractPrice 6987268.99
           signDate "2016-01-22"
           endDate "2016-12-31"
           deliveryTerm "2016-01-22..2016-12-31"
           contractStage "E"
           ContractStages 1
           updateDate "2016-01-25"
           budgetName "Бюджет муниципального района \"Яковлевский район\""
           OKTMO "14658101001-г Строитель"
           contractGuarantee null"#,
    );
    check_real(
        &mut answers,
        "6829057730",
        "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"Р-ЛАБ\"",
        (21, r#"{"code":"21.20.23.111","sum":12271}"#),
        r#"regNum "2366200608816001262"
           purchaseNumber "0131200001016005027"
           customerInn "3662006088"
           contractPrice 1207680.35
           signDate "2016-11-21"
           endDate "2016-12-31"
           contractStage "E"
           ContractStages 1
           updateDate "2016-11-21"
           contractGuarantee 60384.02
           budgetName "Средства бюджетных учреждений"
           OKTMO null"#,
    );
    check_real(
        &mut answers,
        "994456240858",
        "Петров Пётр Петрович",
        (5, r#"{"code":"31.09.14.110","sum":220070.48}"#),
        r#"regNum "1770989550925003831"
           purchaseNumber "0858400000125000112"
           purchaseCode "251770989550961674300100288850000244"
           customerInn "7709895509"
           contractPrice 667600
           signDate "2025-10-07"
           endDate "2025-12-03"
           contractStage "E"
           ContractStages 1
           updateDate "2025-10-09"
           budgetName "Федеральный бюджет"
           OKTMO null
           purchaseObjectInfo "Поставка мобильных перегородок с установкой (монтажом) для нужд Управления Федерального казначейства по г. Севастополю (прочая закупка).""#,
    );
    let registry = answers.registry("0326497652");
    assert_eq!(
        registry.name.as_deref(),
        Some("Общество с ограниченной ответственностью \"Пилот Групп\"")
    );
    assert!(registry.listed);
    for (name, value) in &registry.entries[0] {
        let expected = match name.as_str() {
            "registrationNumber" => r#""РНП.24120-15""#,
            "registrationDate" => r#""2015-01-13""#,
            "reason" => r#""WINNER_DEVIATION""#,
            "excludeDate" => r#""2017-01-13""#,
            "federalLaw" => r#""44""#,
            _ => "null",
        };
        assert_eq!(value.get(), expected, "{name}");
    }
    assert!(
        !folder.answers().registry("0326497652").listed,
        "it is over"
    );
}
