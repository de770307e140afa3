//! Real documents from the folder `2021-2026`, some of them as old as 2014. Each test lists every
//! field that is not `null`. The expected values were read from the documents by a person. Runs of
//! white space count as one space.

use serde_json::Value;

use super::*;
use crate::import::folder::Answers;

fn document(name: &str) -> PathBuf {
    let documents = std::env::var_os("EIS_DOCUMENTS").expect("EIS_DOCUMENTS is set");
    Path::new(&documents).join("2021-2026").join(name)
}

fn imported(names: &[&str]) -> Folder {
    let folder = Folder::new();
    let paths: Vec<PathBuf> = names.iter().map(|name| document(name)).collect();
    let (summary, problems) = folder.import_paths(&paths, false);
    assert_eq!((problems, summary.skipped), (Vec::<String>::new(), 0));
    folder
}

/// Collects the values below `value` that are neither `null` nor empty, keyed by path.
pub fn leaves(value: &Value, path: &str, found: &mut BTreeMap<String, String>) {
    let inner = |key: &str| match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    };
    match value {
        Value::Null => {}
        Value::Object(members) => {
            for (key, value) in members {
                leaves(value, &inner(key), found);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                leaves(item, &inner(&at.to_string()), found);
            }
        }
        Value::String(text) => {
            let words: Vec<&str> = text.split_whitespace().collect();
            found.insert(path.to_owned(), words.join(" "));
        }
        other => {
            found.insert(path.to_owned(), other.to_string());
        }
    }
}

/// Compares all values of an answer below `prefix` with `expected`, which has one path and value
/// per line.
fn check_all(json: &str, prefix: &str, expected: &str) {
    let value: Value = serde_json::from_str(json).expect("JSON");
    let mut found = BTreeMap::new();
    leaves(value.pointer(prefix).expect(prefix), "", &mut found);
    let lines = expected.trim().lines().map(str::trim);
    let expected: BTreeMap<String, String> = lines
        .map(|line| {
            let (path, value) = line.split_once(' ').expect("a path and a value");
            (path.to_owned(), value.to_owned())
        })
        .collect();
    assert_eq!(found, expected);
}

/// Checks the only contract of a supplier. `expected` leaves out the fields that are equal in all
/// of these documents.
fn check_contract(answers: &mut Answers, inn: &str, name: &str, expected: &str) {
    let json = answers.json(Endpoint::CONTRACTS, inn);
    let page: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&page["totalcount"], &page["supplierIName"]),
        (&1.into(), &name.into())
    );
    let same = "contractStage E
        subContractors false
        subContractorsSum 0
        bankSupportContractRequired false
        treasurySupportContractRequired false
        terminationBoth false
        terminationSupplier false
        terminationCostomer false
        terminationJudge false
        terminationCourt false\n";
    check_all(&json, "/contracts/0", &[same, expected.trim()].concat());
}

#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn real_contracts_of_four_versions_match_readings_by_hand() {
    let folder = imported(&[
        "03_contract_1.0_single_2014.xml",
        "06_contract_13.2_2023.xml",
        "24_contract_16.2_2026_reduced.xml",
    ]);
    let twenty = fs::read_to_string(document("20_contract_13.0_2023.xml")).expect("text");
    let (summary, _) = folder.import_file("20.xml", &twenty);
    assert_eq!(
        summary.counted.passed_over["co/contract"], 1,
        "an editor renamed its root"
    );
    folder.take_xml(
        twenty
            .replace("<ns2:co ", "<ns2:export ")
            .replace("</ns2:co>", "</ns2:export>"),
    );
    let mut answers = folder.answers_on("2026-11-28");
    check_contract(
        &mut answers,
        "7716511778",
        "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"СМАРТСЕРВИС\"",
        "regNum 2770933044223000024
        purchaseNumber 0873500000823003276
        purchaseCode 232770933044277090100100320010000244
        purchaseObjectInfo Оказание услуг по замене грязезащитных ковров для нужд образовательных организаций, подведомственных Департаменту образования и науки города Москвы (среди СМП и СОНО) (бюджет 2023-2025гг.) (ГБОУ Инженерная школа № 1581)
        deliveryTerm 2023-07-01..2025-06-15
        customerInn 7709330442
        customerName ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ ОБЩЕОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ ГОРОДА МОСКВЫ \"ИНЖЕНЕРНАЯ ШКОЛА № 1581\"
        contractPrice 341858.06
        signDate 2023-05-10
        endDate 2025-06-15
        ContractStages 3
        updateDate 2023-08-20
        budgetName Средства бюджетных учреждений
        products.0.code 77.29.19.000
        products.0.sum 2678.4
        products.1.code 77.29.19.000
        products.1.sum 39388.8
        products.2.code 77.29.19.000
        products.2.sum 39388.8
        products.3.code 77.29.19.000
        products.3.sum 5994.1
        products.4.code 77.29.19.000
        products.4.sum 88144
        products.5.code 77.29.19.000
        products.5.sum 88144
        products.6.code 77.29.19.000
        products.6.sum 2568.6
        products.7.code 77.29.19.000
        products.7.sum 37776
        products.8.code 77.29.19.000
        products.8.sum 37146.4
        products.9.code 77.29.19.000
        products.9.sum 628.96",
    );
    check_contract(
        &mut answers,
        "7727809340",
        "Общество с ограниченной ответственностью \"Багетные поставки\"",
        "regNum 2780804311155801217
        purchaseNumber 0372200000923001155
        purchaseCode 232781304570978130100100240012120111
        purchaseObjectInfo Совместная лекарства теги
        deliveryTerm 2023-02-28..2023-12-31
        customerInn 7813045709
        customerName САНКТ-ПЕТЕРБУРГСКОЕ ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ УЧРЕЖДЕНИЕ ЗДРАВООХРАНЕНИЯ \"ГОРОДСКАЯ КЛИНИЧЕСКАЯ БОЛЬНИЦА № 31\"
        contractPrice 10000
        signDate 2023-02-28
        endDate 2023-12-31
        ContractStages 1
        updateDate 2023-02-28
        budgetName Средства бюджетных учреждений
        products.0.code 21.20.10.221
        products.0.sum 7000
        products.1.code 21.20.10.232
        products.1.sum 2000
        products.2.code 21.20.10.221
        products.2.sum 7000",
    );
    // The document has unit prices without quantities, so the sum of each product is unknown.
    check_contract(
        &mut answers,
        "7709568163",
        "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"КОНТИНЕНТ ПЛЮС\"",
        "regNum 2774310405926000057
        purchaseNumber 0373200018826000588
        purchaseCode 262774310405977430100100560010000244
        purchaseObjectInfo Выполнение работ по изготовлению и устройству элементов навигации для нужд ГБУ «Жилищник Молжаниновского района»
        deliveryTerm 2026-09-16..2029-07-19
        customerInn 7743104059
        customerName ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ УЧРЕЖДЕНИЕ ГОРОДА МОСКВЫ \"ЖИЛИЩНИК МОЛЖАНИНОВСКОГО РАЙОНА\"
        contractPrice 100000
        signDate 2026-09-15
        endDate 2029-07-19
        ContractStages 1
        updateDate 2026-09-17
        budgetName Средства бюджетных учреждений
        products.0.code 95.29.19.221
        products.1.code 95.29.19.221",
    );
    for (inn, name) in [
        (
            "0572002439",
            "Федеральное государственное казенное учреждение \"Управление вневедомственной охраны Министерства внутренних дел по Республике Дагестан\"",
        ),
        (
            "7719555477",
            "Федеральное государственное унитарное предприятие \"Охрана\" Министерства внутренних дел Российской Федерации",
        ),
    ] {
        check_contract(
            &mut answers,
            inn,
            name,
            "regNum 0103100008814000023
            purchaseObjectInfo Оказание услуг по централизованной охране путем приема и реагирования группами задержания на тревожные сообщения и осуществление организационно-технических мероприятий по поддержанию тревожной сигнализации, в состоянии, соответствующем требованиям технической документации
            customerInn 0561051226
            customerName Управление Федеральной службы государственной регистрации, кадастра и картографии по Республике Дагестан
            contractPrice 59748
            signDate 2013-12-31
            endDate 2014-12-31
            ContractStages 0
            updateDate 2014-01-11
            budgetName Федеральный бюджет
            products.0.code 75.24.11.110
            products.0.sum 59748",
        );
    }
}

#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn real_notices_of_2023_and_2024_match_readings_by_hand() {
    let folder = imported(&[
        "13_epNotificationEZT2020_14.0_2024.xml",
        "14_epNotificationEOK2020_13.3_2023.xml",
    ]);
    let mut answers = folder.answers_on("2024-02-21");
    let number = "0372200067923201237";
    check_all(
        &answers.card(number, "json"),
        "",
        "purchaseNumber 0372200067923201237
        docPublishDate 20.02.2024
        href https://zakupki.gov.ru/epz/order/notice/ezt20/view/common-info.html?regNumber=0372200067923000087
        purchaseObjectInfo Уборы головные защитные; ручки и карандаши, доски, печати, штемпели для датирования, запечатывания или нумерации; ленты для пишущих машинок, штемпельные подушки
        placingWay Закупка товара у единственного поставщика на сумму, предусмотренную частью 12 статьи 93 Закона № 44-ФЗ
        ETP АО \"РАД\"
        stage Работа комиссии
        fullNMCK 61400
        firstPublishDate 20.02.2024
        responsibleOrg.fullName САНКТ-ПЕТЕРБУРГСКОЕ ГОСУДАРСТВЕННОЕ КАЗЕННОЕ УЧРЕЖДЕНИЕ \"ЖИЛИЩНОЕ АГЕНТСТВО КРАСНОГВАРДЕЙСКОГО РАЙОНА САНКТ-ПЕТЕРБУРГА\"
        responsibleOrg.inn 7806051469
        responsibleOrg.kpp 780601001
        responsibleOrg.factAddress 195027, Санкт-Петербург, УЛ. ТАРАСОВА, Д.8/К.1, 40349000
        responsibleOrg.contactPerson.lastName Липатова
        responsibleOrg.contactPerson.firstName Вера
        responsibleOrg.contactPerson.middleName Игоревна
        responsibleOrg.contactEmail office@example.org
        responsibleOrg.contactPhone 8-800-0000000
        responsibleOrg.role CU
        lots.lot.0.lotNumber 1
        lots.lot.0.maxPrice 61400
        lots.lot.0.currency RUB
        lots.lot.0.lotDrugPurchase false
        lots.lot.0.lotSmp false
        lots.lot.0.lotSubContractors false
        lots.lot.0.customers.customer.0.fullName САНКТ-ПЕТЕРБУРГСКОЕ ГОСУДАРСТВЕННОЕ КАЗЕННОЕ УЧРЕЖДЕНИЕ \"ЖИЛИЩНОЕ АГЕНТСТВО КРАСНОГВАРДЕЙСКОГО РАЙОНА САНКТ-ПЕТЕРБУРГА\"
        lots.lot.0.customers.customer.0.inn 7806051469
        lots.lot.0.customers.customer.0.kpp 780601001
        lots.lot.0.customers.customer.0.ikz 232780605146978060100100170040000244
        lots.lot.0.customers.customer.0.customerMaxPrice 61400
        lots.lot.0.customers.customer.0.tenderPlanPositionNumber 202303722000679001000017
        lots.lot.0.customers.customer.0.budgetCode 72020112
        lots.lot.0.customers.customer.0.budgetName Бюджет Санкт-Петербурга
        lots.lot.0.customers.customer.0.deliveryPlaces.deliveriPlace.0.deliveryPlace Санкт-Петербург, Красногвардейский район, пр. Ириновский д. 24, корп. 3, литер А. Часы работы: ПН-ЧТ с 9:00 до 16:00, ПТ с 9-00 до 15:00
        lots.lot.0.purchaseObjects.totalSum 61400
        lots.lot.0.purchaseObjects.purchaseObject.0.type PRODUCT
        lots.lot.0.purchaseObjects.purchaseObject.0.name Уборы головные защитные; ручки и карандаши, доски, печати, штемпели для датирования, запечатывания или нумерации; ленты для пишущих машинок, штемпельные подушки
        lots.lot.0.purchaseObjects.purchaseObject.0.OKPD2 32.99.11.120
        lots.lot.0.purchaseObjects.purchaseObject.0.OKPD2Name Респираторы
        lots.lot.0.purchaseObjects.purchaseObject.0.KTRU 56.10.10.000-00000001
        lots.lot.0.purchaseObjects.purchaseObject.0.KTRUName Услуги ресторанов и услуги по доставке продуктов питания
        lots.lot.0.purchaseObjects.purchaseObject.0.OKEI 704
        lots.lot.0.purchaseObjects.purchaseObject.0.OKEIName НАБОР
        lots.lot.0.purchaseObjects.purchaseObject.0.price 307
        lots.lot.0.purchaseObjects.purchaseObject.0.quantity 200
        lots.lot.0.purchaseObjects.purchaseObject.0.sum 61400
        lots.lot.0.requirements.requirement.0.code ET44
        lots.lot.0.requirements.requirement.0.name Единые требования к участникам закупок в соответствии с ч. 1 ст. 31 Закона № 44-ФЗ
        lots.lot.0.requirements.requirement.1.code TR442
        lots.lot.0.requirements.requirement.1.name Требования к участникам закупок в соответствии с ч. 1.1 ст. 31 Закона № 44-ФЗ
        lots.lot.0.preferenses.preferense.0.code IN44
        lots.lot.0.preferenses.preferense.0.name Организациям инвалидов в соответствии со ст. 29 Закона № 44-ФЗ
        lots.lot.0.preferenses.preferense.0.value 15
        attachments.attachment.0.fileName Обоснование_НМЦК[7].docx
        attachments.attachment.0.fileSize 25573
        attachments.attachment.0.docDescription Обоснование цены контракта
        attachments.attachment.0.docDate 12.10.2023
        attachments.attachment.0.url https://zakupki.gov.ru/44fz/filestore/public/1.0/download/priz/file.html?uid=07871269C5B11207E06334548D0ACFBE
        attachments.attachment.0.docKindCode PR
        attachments.attachment.0.docKindName Обоснование цены контракта
        attachments.attachment.1.fileName Проект_контракта[17].docx
        attachments.attachment.1.fileSize 47446
        attachments.attachment.1.docDescription Проект контракта
        attachments.attachment.1.docDate 12.10.2023
        attachments.attachment.1.url https://zakupki.gov.ru/44fz/filestore/public/1.0/download/priz/file.html?uid=0783FACA701FF74DE06334548D0A15A4
        attachments.attachment.1.docKindCode CP
        attachments.attachment.1.docKindName Проект контракта
        attachments.attachment.2.fileName Автоматический контроль.pdf
        attachments.attachment.2.fileSize 30133
        attachments.attachment.2.docDescription Уведомление о прохождении контроля
        attachments.attachment.2.docDate 12.10.2023
        attachments.attachment.2.url https://zakupki.gov.ru/44fz/filestore/public/1.0/download/priz/file.html?uid=0783FACA7021F74DE06334548D0A15A4
        attachments.attachment.2.docKindCode AD
        attachments.attachment.2.docKindName Дополнительная информация и документы",
    );
    check_all(
        &answers.card("2200440003322001100", "json"),
        "",
        "purchaseNumber 2200440003322001100
        docPublishDate 16.11.2023
        href https://zakupki.gov.ru/epz/order/notice/ok20/view/common-info.html?regNumber=2200440003322001100
        purchaseObjectInfo 33562 Карпович В. \"Основание для размещения у ед. поставщика\" ЭОК21 (6)
        placingWay Открытый конкурс в электронной форме
        ETP АО «ЕЭТП»
        stage Работа комиссии
        fullNMCK 10000
        firstPublishDate 16.11.2023
        responsibleOrg.fullName КОМИТЕТ ПО ЗДРАВООХРАНЕНИЮ
        responsibleOrg.inn 7808043833
        responsibleOrg.kpp 784101001
        responsibleOrg.factAddress 191023, Санкт-Петербург, УЛИЦА МАЛАЯ САДОВАЯ, 1, 40908000
        responsibleOrg.contactPerson.lastName Липатова
        responsibleOrg.contactPerson.firstName Вера
        responsibleOrg.contactPerson.middleName Игоревна
        responsibleOrg.contactEmail office@example.org
        responsibleOrg.contactPhone 8-800-0000000
        responsibleOrg.role CU
        procedureInfo.start 15.11.2023 00:00
        procedureInfo.end 01.12.2023 05:00
        procedureInfo.firstPartsDate 04.12.2023
        procedureInfo.submissionDate 05.12.2023
        procedureInfo.secondPartsDate 06.12.2023
        procedureInfo.summarizingDate 07.12.2023
        lots.lot.0.lotNumber 1
        lots.lot.0.maxPrice 10000
        lots.lot.0.currency RUB
        lots.lot.0.lotDrugPurchase false
        lots.lot.0.lotSmp false
        lots.lot.0.lotSubContractors false
        lots.lot.0.customers.customer.0.fullName КОМИТЕТ ПО ЗДРАВООХРАНЕНИЮ
        lots.lot.0.customers.customer.0.inn 7808043833
        lots.lot.0.customers.customer.0.kpp 784101001
        lots.lot.0.customers.customer.0.ikz 232780804383378410100100870073700612
        lots.lot.0.customers.customer.0.customerMaxPrice 10000
        lots.lot.0.customers.customer.0.mustPublicDiscussion false
        lots.lot.0.customers.customer.0.tenderPlanPositionNumber 202309988000077006600055
        lots.lot.0.customers.customer.0.budgetCode 72020112
        lots.lot.0.customers.customer.0.budgetName Бюджет Санкт-Петербурга
        lots.lot.0.customers.customer.0.deliveryPlaces.deliveriPlace.0.deliveryPlace Место поставки товаров: Поставщик осуществляет поставку товара на склад Исполнителя услуг по приемке, хранению, доставке и отпуску лекарственных препаратов и медицинских изделий, с которым Комитетом по здравоохранению заключен контракт по итогам проведения конкурсных процедур (далее – Грузополучатель) по адресу: Санкт-Петербург, 5-й Предпортовый проезд, д.19, ОАО «Центральная фармацевтическая база Санкт-Петербурга».
        lots.lot.0.purchaseObjects.totalSum 10000
        lots.lot.0.purchaseObjects.quantityUndefined false
        lots.lot.0.purchaseObjects.purchaseObject.0.type PRODUCT
        lots.lot.0.purchaseObjects.purchaseObject.0.name Услуги по водоотведению; шлам сточных вод
        lots.lot.0.purchaseObjects.purchaseObject.0.OKPD2 37.00
        lots.lot.0.purchaseObjects.purchaseObject.0.OKPD2Name Услуги по водоотведению; шлам сточных вод
        lots.lot.0.purchaseObjects.purchaseObject.0.OKEI 876
        lots.lot.0.purchaseObjects.purchaseObject.0.OKEIName УСЛ ЕД
        lots.lot.0.purchaseObjects.purchaseObject.0.price 1000
        lots.lot.0.purchaseObjects.purchaseObject.0.quantity 10
        lots.lot.0.purchaseObjects.purchaseObject.0.sum 10000
        attachments.attachment.0.fileName Документ.docx
        attachments.attachment.0.fileSize 44544
        attachments.attachment.0.docDescription Обоснование начальной (максимальной) цены контракта
        attachments.attachment.0.docDate 10.10.2022
        attachments.attachment.0.url https://zakupki.gov.ru/44fz/filestore/public/1.0/download/priz/file.html?uid=D94EB5CBDA622D4BE05334548D0AE73F
        attachments.attachment.0.docKindCode MRJ
        attachments.attachment.1.fileName документ.txt
        attachments.attachment.1.fileSize 132476
        attachments.attachment.1.docDescription Проект контракта
        attachments.attachment.1.docDate 10.10.2022
        attachments.attachment.1.url https://zakupki.gov.ru/44fz/filestore/public/1.0/download/priz/file.html?uid=D94EB5CBDA612D4BE05334548D0AE73F
        attachments.attachment.1.docKindCode CP",
    );
    // The final protocol does not name the participants, so only the price is known.
    folder.import_paths(
        &[document("12_epProtocolEZT2020Final_14.0_2024.xml")],
        false,
    );
    let mut answers = folder.answers_on("2024-02-28");
    let card = answers.card(number, "xml");
    assert!(card.contains("<stage>Закупка завершена</stage>"), "{card}");
    let winner = "<winner><name/><inn/><kpp/><price>143808</price></winner>";
    assert!(card.contains(winner), "{card}");
}
