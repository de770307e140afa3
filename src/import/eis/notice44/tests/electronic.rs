//! The `ep*` notices.

use super::*;
use crate::model::{CodedText, DeliveryPlace, Enforcement, PurchaseObject44, StageDates};

const AUCTION: &str = r#"<export xmlns="http://zakupki.gov.ru/oos/export/1" xmlns:e="urn:e">
<e:epNotificationEF2020 schemeVersion="15.3"><e:id>1</e:id><e:versionNumber>1</e:versionNumber>
<e:commonInfo><e:purchaseNumber>0173200000125000001</e:purchaseNumber>
 <e:plannedPublishDate>2025-10-16+03:00</e:plannedPublishDate>
 <e:publishDTInEIS>2025-10-17T01:22:39.752+10:00</e:publishDTInEIS><e:href>https://a.example/1</e:href>
 <e:placingWay><e:code>EAP20</e:code><e:name>Электронный аукцион</e:name></e:placingWay>
 <e:ETP><e:code>ETP_X</e:code><e:name>Площадка</e:name></e:ETP>
 <e:purchaseObjectInfo> Столы  и стулья </e:purchaseObjectInfo></e:commonInfo>
<e:purchaseResponsibleInfo><e:responsibleOrgInfo><e:regNum>01732000001</e:regNum>
 <e:fullName>УПРАВЛЕНИЕ</e:fullName><e:postAddress>почта</e:postAddress><e:factAddress>г Москва, 1</e:factAddress>
 <e:INN>7701000001</e:INN><e:KPP>770101001</e:KPP></e:responsibleOrgInfo><e:responsibleRole>RA</e:responsibleRole>
 <e:responsibleInfo><e:contactPersonInfo><e:lastName>Иванова</e:lastName><e:firstName>Анна</e:firstName>
 <e:middleName>Петровна</e:middleName></e:contactPersonInfo><e:contactEMail>a@b.example</e:contactEMail>
 <e:contactPhone>7-1</e:contactPhone></e:responsibleInfo>
 <e:specializedOrgInfo><e:fullName>ЧУЖОЕ</e:fullName><e:INN>1</e:INN></e:specializedOrgInfo></e:purchaseResponsibleInfo>
<e:attachmentsInfo><e:attachmentInfo><e:fileName>a.pdf</e:fileName><e:fileSize>123</e:fileSize>
 <e:docDescription>Описание</e:docDescription><e:docDate>2025-10-16T15:43:21+03:00</e:docDate><e:url>https://a.example/f</e:url>
 <e:docKindInfo><e:code>MRJ</e:code><e:name>Обоснование</e:name></e:docKindInfo></e:attachmentInfo></e:attachmentsInfo>
<e:notificationInfo><e:procedureInfo><e:collectingInfo><e:startDT>2025-10-17T09:51:41+03:00</e:startDT>
  <e:endDT>2025-10-25T23:59:59+10:00</e:endDT></e:collectingInfo><e:biddingDate>2025-10-26+03:00</e:biddingDate>
  <e:summarizingDate>2025-10-28+03:00</e:summarizingDate></e:procedureInfo>
 <e:contractConditionsInfo><e:maxPriceInfo><e:maxPrice>1000.50</e:maxPrice><e:currency><e:code>RUB</e:code></e:currency></e:maxPriceInfo>
  <e:contractLifeCycleInfo><e:contractLifeCycle>true</e:contractLifeCycle><e:contractLifeCycleCasesInfo>
  <e:contractLifeCycleCase><e:code>2</e:code><e:name>Случай</e:name></e:contractLifeCycleCase></e:contractLifeCycleCasesInfo></e:contractLifeCycleInfo>
 </e:contractConditionsInfo>
 <e:customerRequirementsInfo><e:customerRequirementInfo><e:customer><e:regNum>03732000002</e:regNum><e:fullName>ШКОЛА</e:fullName></e:customer>
  <e:applicationGuarantee><e:amount>10.01</e:amount><e:part>1.0</e:part></e:applicationGuarantee>
  <e:contractGuarantee><e:part>5.0</e:part></e:contractGuarantee>
  <e:contractConditionsInfo><e:maxPriceInfo><e:maxPrice>1000.50</e:maxPrice></e:maxPriceInfo><e:mustPublicDiscussion>false</e:mustPublicDiscussion>
   <e:IKZInfo><e:purchaseCode>251770123456777010100100010010000244</e:purchaseCode></e:IKZInfo>
   <e:tenderPlan2020Info><e:position2020Number>202503732000002001000012</e:position2020Number></e:tenderPlan2020Info>
   <e:contractExecutionPaymentPlan><e:contractExecutionTermsInfo><e:notRelativeTermsInfo><e:endDate>2025-12-22+03:00</e:endDate></e:notRelativeTermsInfo>
    </e:contractExecutionTermsInfo><e:financingSourcesInfo><e:nonbudgetFinancingsInfo><e:selfFunds>true</e:selfFunds></e:nonbudgetFinancingsInfo>
    <e:budgetFinancingsInfo><e:budgetInfo><e:code>73020002</e:code><e:name>Бюджет города</e:name></e:budgetInfo></e:budgetFinancingsInfo></e:financingSourcesInfo></e:contractExecutionPaymentPlan>
   <e:deliveryPlacesInfo><e:byGARInfo><e:countryInfo><e:countryCode>643</e:countryCode><e:countryFullName>Россия</e:countryFullName></e:countryInfo>
    <e:GARInfo><e:GARAddress>г Москва</e:GARAddress></e:GARInfo><e:deliveryPlace>склад</e:deliveryPlace></e:byGARInfo></e:deliveryPlacesInfo>
   <e:advancePaymentSum><e:sumInPercents>30.0</e:sumInPercents></e:advancePaymentSum></e:contractConditionsInfo>
  <e:provisionWarranty><e:amount>7.5</e:amount><e:part>0.75</e:part></e:provisionWarranty>
  <e:bankSupportContractRequiredInfo><e:bankSupportContractRequired>true</e:bankSupportContractRequired>
   <e:treasurySupportContractInfo><e:treasurySupportContractRequired>false</e:treasurySupportContractRequired></e:treasurySupportContractInfo></e:bankSupportContractRequiredInfo>
 </e:customerRequirementInfo></e:customerRequirementsInfo>
 <e:purchaseObjectsInfo><e:notDrugPurchaseObjectsInfo><e:purchaseObject><e:KTRU><e:code>31.01.12.000-00000001</e:code><e:name>Стол</e:name>
   <e:OKPD2><e:OKPDCode>31.01.12.110</e:OKPDCode><e:OKPDName>Столы</e:OKPDName></e:OKPD2></e:KTRU><e:name>Стол письменный</e:name>
   <e:OKEI><e:code>796</e:code><e:nationalCode>шт</e:nationalCode><e:name>Штука</e:name></e:OKEI><e:price>100.25</e:price>
   <e:quantity><e:value>2</e:value></e:quantity><e:sum>200.5</e:sum><e:isMedicalProduct>false</e:isMedicalProduct><e:type>PRODUCT</e:type><e:hierarchyType>CH</e:hierarchyType>
   <e:restrictionsInfo><e:isProhibitionForeignPurchaseObjects>false</e:isProhibitionForeignPurchaseObjects>
   <e:isRestrictForeignPurchaseObjects>true</e:isRestrictForeignPurchaseObjects><e:isPreferenseRFPurchaseObjects>false</e:isPreferenseRFPurchaseObjects>
   <e:isImposibilityProhibition>true</e:isImposibilityProhibition></e:restrictionsInfo></e:purchaseObject>
  <e:purchaseObject><e:name>Родитель</e:name><e:sum>1000.5</e:sum><e:hierarchyType>P</e:hierarchyType></e:purchaseObject>
  <e:purchaseObject><e:OKPD2><e:OKPDCode>95.24</e:OKPDCode><e:OKPDName>Сборка</e:OKPDName></e:OKPD2><e:name>Сборка мебели</e:name>
   <e:quantity><e:undefined>true</e:undefined></e:quantity><e:type>SERVICE</e:type></e:purchaseObject>
  <e:totalSum>1000.50</e:totalSum><e:quantityUndefined>true</e:quantityUndefined></e:notDrugPurchaseObjectsInfo>
  <e:notDrugPurchaseParentObjectsInfo><e:purchaseObject><e:name>Родитель</e:name></e:purchaseObject></e:notDrugPurchaseParentObjectsInfo></e:purchaseObjectsInfo>
 <e:preferensesInfo><e:preferenseInfo><e:preferenseRequirementInfo><e:shortName>PVS33044</e:shortName><e:name>Преимущество</e:name></e:preferenseRequirementInfo>
  <e:prefValue>100.0</e:prefValue></e:preferenseInfo></e:preferensesInfo>
 <e:requirementsInfo><e:requirementInfo><e:preferenseRequirementInfo><e:shortName>TPS44530</e:shortName><e:name>Субподряд</e:name></e:preferenseRequirementInfo>
  <e:content>Текст</e:content><e:addRequirements><e:addRequirement><e:shortName>TVS3BN</e:shortName><e:name>Опыт</e:name><e:content>Наличие</e:content></e:addRequirement>
  </e:addRequirements></e:requirementInfo></e:requirementsInfo>
 <e:restrictionsInfo><e:restrictionInfo><e:preferenseRequirementInfo><e:shortName>ET14</e:shortName><e:name>Запрет</e:name></e:preferenseRequirementInfo>
  <e:restrictionsSt14><e:restrictionSt14><e:NPAInfo><e:code>7</e:code><e:name>Постановление</e:name><e:shortName>ПП</e:shortName></e:NPAInfo>
  <e:exception><e:imposibilityBan>true</e:imposibilityBan><e:imposibilityBanReason>Нет аналога</e:imposibilityBanReason></e:exception><e:note>Прим.</e:note>
  </e:restrictionSt14></e:restrictionsSt14></e:restrictionInfo>
  <e:restrictionInfo><e:preferenseRequirementInfo><e:shortName>ET14</e:shortName></e:preferenseRequirementInfo><e:content>Ещё</e:content></e:restrictionInfo></e:restrictionsInfo>
</e:notificationInfo></e:epNotificationEF2020></export>"#;

#[test]
fn the_head_of_an_auction_of_2020() {
    let facts = good(AUCTION);
    assert_eq!(facts.len(), 2);
    let (first, second) = (&facts[0], &facts[1]);
    assert_eq!(first.number, "0173200000125000001");
    assert_eq!((first.key.as_str(), first.version), ("", 1));
    assert_eq!(first.published, 1_760_628_159_752);
    assert_eq!(
        (second.version, second.published),
        (-first.published, first.published)
    );
    let first = at("17.10.2025").expect("a day").date();
    assert_eq!(second.facts, Facts::FirstNotice44(first));
    let Notice44Facts {
        card,
        customer_codes,
        cancelled_lots,
    } = notice(&facts);
    assert_eq!(
        card.publish_date.map(|day| day.to_string()).as_deref(),
        Some("2025-10-17")
    );
    assert_eq!(card.href, "https://a.example/1");
    assert_eq!(card.object_info, " Столы  и стулья ");
    assert_eq!(card.placing_way, "Электронный аукцион");
    assert_eq!(card.trading_platform, "Площадка");
    assert_eq!(card.max_price, money("1000.5"));
    assert_eq!(card.restrictions, ["ET14"]);
    assert_eq!(customer_codes, &[["03732000002"]]);
    assert_eq!(cancelled_lots, &[false]);
}

#[test]
fn the_organisation_dates_and_documents_of_an_auction_of_2020() {
    let facts = good(AUCTION);
    let card = &notice(&facts).card;
    let org = &card.responsible_org;
    assert_eq!(
        [&org.full_name, &org.inn, &org.kpp],
        ["УПРАВЛЕНИЕ", "7701000001", "770101001"]
    );
    assert_eq!([&org.address, &org.role], ["г Москва, 1", "RA"]);
    assert_eq!(
        [&org.contact_email, &org.contact_phone],
        ["a@b.example", "7-1"]
    );
    let contact = &org.contact;
    assert_eq!(
        [&contact.last, &contact.first, &contact.middle],
        ["Иванова", "Анна", "Петровна"]
    );
    let dates = &card.procedure;
    assert_eq!(
        [dates.start, dates.end],
        [at("17.10.2025 09:51"), at("25.10.2025 23:59")]
    );
    assert_eq!(
        [dates.bidding, dates.summarizing],
        [at("26.10.2025"), at("28.10.2025")]
    );
    assert_eq!(
        [dates.scoring, dates.first_parts, dates.second_parts],
        [None; 3]
    );
    let [file] = &card.attachments[..] else {
        panic!()
    };
    assert_eq!(
        [&file.file_name, &file.file_size, &file.description],
        ["a.pdf", "123", "Описание"]
    );
    assert_eq!(file.date, at("16.10.2025"));
    assert_eq!(
        [&file.url, &file.kind_code, &file.kind_name],
        ["https://a.example/f", "MRJ", "Обоснование"]
    );
    assert_eq!([&card.cancelled, &card.region], ["", ""]);
    assert_eq!(card.first_publish_date, None);
}

#[test]
fn the_customer_of_an_auction_of_2020() {
    let facts = good(AUCTION);
    let [lot] = &notice(&facts).card.lots[..] else {
        panic!()
    };
    let [customer] = &lot.customers[..] else {
        panic!()
    };
    assert_eq!(customer.full_name, "ШКОЛА");
    assert_eq!(
        customer.purchase_code,
        "251770123456777010100100010010000244"
    );
    assert_eq!([&customer.inn, &customer.kpp], ["7701234567", "770101001"]);
    assert_eq!(customer.execution_period, "2025-12-22+03:00");
    assert_eq!(customer.execution_place, "г Москва, склад");
    assert_eq!(
        customer.enforcement,
        Enforcement {
            application_amount: money("10.01"),
            application_part: money("1"),
            contract_amount: None,
            contract_part: money("5"),
            warranty_amount: money("7.5"),
            warranty_part: money("0.75"),
        }
    );
    assert_eq!(customer.max_price, money("1000.5"));
    assert_eq!(customer.public_discussion, Some(false));
    assert_eq!(customer.plan_position, "202503732000002001000012");
    assert_eq!(customer.advance_percent, money("30"));
    assert_eq!(customer.own_funds, Some(true));
    assert_eq!(
        [&customer.budget_code, &customer.budget_name],
        ["73020002", "Бюджет города"]
    );
    assert_eq!(
        [customer.bank_support, customer.treasury_support],
        [Some(true), Some(false)]
    );
    let place = DeliveryPlace {
        country_code: "643".to_owned(),
        country_name: "Россия".to_owned(),
        gar_address: "г Москва".to_owned(),
        place: "склад".to_owned(),
        ..DeliveryPlace::default()
    };
    assert_eq!(customer.delivery_places, [place]);
    let empty = [
        &customer.ogrn,
        &customer.factual_address,
        &customer.postal_address,
    ];
    assert_eq!(empty, ["", "", ""]);
    assert_eq!(
        [&customer.email, &customer.phone, &customer.fax],
        ["", "", ""]
    );
}

#[test]
fn the_lot_of_an_auction_of_2020() {
    let facts = good(AUCTION);
    let [lot] = &notice(&facts).card.lots[..] else {
        panic!()
    };
    assert_eq!((lot.number, lot.object_info.as_str()), (Some(1), ""));
    assert_eq!(
        (lot.max_price, lot.currency.as_str()),
        (money("1000.5"), "RUB")
    );
    assert_eq!(
        (lot.total_sum, lot.quantity_undefined),
        (money("1000.5"), Some(true))
    );
    assert_eq!(
        [
            lot.drug_purchase,
            lot.small_business,
            lot.subcontractors,
            lot.life_cycle
        ],
        [Some(false), Some(true), Some(true), Some(true)]
    );
    assert_eq!(
        [&lot.life_cycle_code, &lot.life_cycle_name],
        ["2", "Случай"]
    );
    let coded = |code: &str, name: &str, content: &str| CodedText {
        code: code.to_owned(),
        name: name.to_owned(),
        content: content.to_owned(),
    };
    assert_eq!(lot.requirements, [coded("TPS44530", "Субподряд", "Текст")]);
    assert_eq!(
        lot.additional_requirements,
        [coded("TVS3BN", "Опыт", "Наличие")]
    );
    assert_eq!(
        lot.restrictions,
        [coded("ET14", "Запрет", ""), coded("ET14", "", "Ещё")]
    );
}

#[test]
fn the_preference_and_the_ban_of_an_auction_of_2020() {
    let facts = good(AUCTION);
    let [lot] = &notice(&facts).card.lots[..] else {
        panic!()
    };
    let [preference] = &lot.preferences[..] else {
        panic!()
    };
    assert_eq!(
        [&preference.code, &preference.name],
        ["PVS33044", "Преимущество"]
    );
    assert_eq!(preference.value, money("100"));
    let [ban] = &lot.restrictions14[..] else {
        panic!()
    };
    assert_eq!(
        [&ban.code, &ban.name, &ban.short_name],
        ["7", "Постановление", "ПП"]
    );
    assert_eq!(ban.impossible_ban, Some(true));
    assert_eq!(
        [&ban.impossible_ban_reason, &ban.note],
        ["Нет аналога", "Прим."]
    );
}

#[test]
fn the_objects_of_an_auction_of_2020() {
    let facts = good(AUCTION);
    let [table, service] = &notice(&facts).card.lots[0].objects[..] else {
        panic!()
    };
    assert_eq!(
        *table,
        PurchaseObject44 {
            kind: "PRODUCT".to_owned(),
            name: "Стол письменный".to_owned(),
            okpd2: "31.01.12.110".to_owned(),
            okpd2_name: "Столы".to_owned(),
            ktru: "31.01.12.000-00000001".to_owned(),
            ktru_name: "Стол".to_owned(),
            okei: "796".to_owned(),
            okei_name: "Штука".to_owned(),
            price: money("100.25"),
            quantity: money("2"),
            sum: money("200.5"),
            medical_product: Some(false),
            preference_rf: Some(false),
            restrict_foreign: Some(true),
            prohibition_foreign: Some(false),
            impossible_prohibition: Some(true),
            ..PurchaseObject44::default()
        }
    );
    assert_eq!([&service.name, &service.kind], ["Сборка мебели", "SERVICE"]);
    assert_eq!([&service.okpd2, &service.okpd2_name], ["95.24", "Сборка"]);
    assert_eq!([service.price, service.quantity, service.sum], [None; 3]);
    assert_eq!([service.preference_rf, service.medical_product], [None; 2]);
}

#[test]
fn drugs_are_described_by_their_basic_variant() {
    let variant = |mnn: &str, basic: &str| {
        format!(
            "<drugInfo><drugInfoUsingReferenceInfo><MNNInfo><MNNName>{mnn}</MNNName></MNNInfo>
             <OKPD2><OKPDCode>21.20</OKPDCode><OKPDName>Препараты</OKPDName></OKPD2><KTRU><code>21.20-1</code></KTRU>
             <medicamentalFormInfo><medicamentalFormName>РАСТВОР</medicamentalFormName></medicamentalFormInfo>
             <dosageInfo><dosageGRLSValue>1 мг</dosageGRLSValue></dosageInfo><manualUserOKEI><code>111</code><name>мл</name></manualUserOKEI>
             <basicUnit>{basic}</basicUnit></drugInfoUsingReferenceInfo><drugQuantity>9</drugQuantity></drugInfo>"
        )
    };
    let xml = format!(
        "<epNotificationEZK2020><versionNumber>2</versionNumber><commonInfo><purchaseNumber>0173200000125000001</purchaseNumber></commonInfo>
         <notificationInfo><purchaseObjectsInfo><drugPurchaseObjectsInfo><drugPurchaseObjectInfo><objectInfoUsingReferenceInfo><drugsInfo>
         <drugInterchangeInfo><drugInterchangeManualInfo>{}{}</drugInterchangeManualInfo></drugInterchangeInfo></drugsInfo></objectInfoUsingReferenceInfo>
         <drugQuantityCustomersInfo><drugQuantityCustomerInfo><quantity>4</quantity></drugQuantityCustomerInfo><total>1.5E3</total></drugQuantityCustomersInfo>
         <pricePerUnit>95.733</pricePerUnit><positionPrice>143599.50</positionPrice></drugPurchaseObjectInfo>
         <drugPurchaseObjectInfo><name>Имя</name><objectInfoUsingTextForm><drugsInfo><drugInfo><MNNInfo><MNNName>В</MNNName></MNNInfo>
         <medicamentalFormInfo><medicamentalForm><name>ТАБЛЕТКИ</name></medicamentalForm></medicamentalFormInfo></drugInfo></drugsInfo></objectInfoUsingTextForm>
         <quantityUndefined><quantityUndefined>true</quantityUndefined><price>2.5</price></quantityUndefined></drugPurchaseObjectInfo>
         <total>143599.50</total><quantityUndefined>false</quantityUndefined></drugPurchaseObjectsInfo></purchaseObjectsInfo></notificationInfo></epNotificationEZK2020>",
        variant("А", "false"),
        variant("Б", "true"),
    );
    let facts = good(&xml);
    assert_eq!(facts.len(), 1, "a second version is not the first");
    assert_eq!((facts[0].version, facts[0].published), (2, 0));
    let lot = &notice(&facts).card.lots[0];
    assert_eq!(
        (lot.drug_purchase, lot.total_sum),
        (Some(true), money("143599.5"))
    );
    assert_eq!(lot.quantity_undefined, Some(false));
    let [first, second] = &lot.objects[..] else {
        panic!()
    };
    assert_eq!(
        [&first.name, &first.mnn, &first.dosage_form, &first.dosage],
        ["Б", "Б", "РАСТВОР", "1 мг"]
    );
    assert_eq!(
        [&first.okpd2, &first.okpd2_name, &first.ktru],
        ["21.20", "Препараты", "21.20-1"]
    );
    assert_eq!([&first.okei, &first.okei_name], ["111", "мл"]);
    assert_eq!(
        [first.price, first.quantity, first.sum],
        [money("95.733"), money("1500"), money("143599.5")]
    );
    assert_eq!(
        [&second.name, &second.mnn, &second.dosage_form],
        ["Имя", "В", "ТАБЛЕТКИ"]
    );
    assert_eq!(
        [second.price, second.quantity, second.sum],
        [money("2.5"), None, None]
    );
}

#[test]
fn contests_have_more_dates() {
    let of = |name: &str, procedure: &str| {
        let facts = good(&format!(
            "<{name}><commonInfo><purchaseNumber>0173200000125000001</purchaseNumber></commonInfo>
             <notificationInfo><procedureInfo>{procedure}</procedureInfo></notificationInfo></{name}>"
        ));
        notice(&facts).card.procedure.clone()
    };
    let dates = of(
        "epNotificationEOK2020",
        "<firstPartsDate>2025-10-27+03:00</firstPartsDate><submissionProcedureDate>2025-10-28+03:00</submissionProcedureDate>
         <secondPartsDate>2025-10-29+03:00</secondPartsDate><summarizingDate>2025-10-30+03:00</summarizingDate>",
    );
    assert_eq!([dates.scoring, dates.first_parts], [at("27.10.2025"); 2]);
    assert_eq!(
        [dates.submission, dates.second_parts],
        [at("28.10.2025"), at("29.10.2025")]
    );
    assert_eq!(dates.summarizing, at("30.10.2025"));
    let dates = of(
        "epNotificationEOKD",
        "<firstStageInfo><collectingInfo><startDT>2019-01-01T10:00:00+03:00</startDT><endDT>2019-01-02T10:00:00+03:00</endDT></collectingInfo>
         <scoringInfo><dateTime>2019-01-03T11:00:00+03:00</dateTime></scoringInfo></firstStageInfo>
         <secondStageInfo><collectingInfo><startDT>2019-02-01T10:00:00+03:00</startDT><endDT>2019-02-02T10:00:00+03:00</endDT></collectingInfo>
         <scoringInfo><firstPartsDT>2019-02-03T10:00:00+03:00</firstPartsDT><finalOfferDate>2019-02-04+03:00</finalOfferDate>
         <secondPartsDT>2019-02-05T10:00:00+03:00</secondPartsDT></scoringInfo></secondStageInfo>",
    );
    let stage1 = StageDates {
        start: at("01.01.2019 10:00"),
        end: at("02.01.2019 10:00"),
        opening: None,
        scoring: at("03.01.2019 11:00"),
    };
    assert_eq!([dates.start, dates.end], [stage1.start, stage1.end]);
    assert_eq!(dates.stage1, stage1);
    assert_eq!(
        [dates.stage2.start, dates.stage2.end],
        [at("01.02.2019 10:00"), at("02.02.2019 10:00")]
    );
    assert_eq!(
        [dates.stage2.scoring, dates.first_parts],
        [at("03.02.2019 10:00"); 2]
    );
    assert_eq!(
        [dates.submission, dates.second_parts],
        [at("04.02.2019"), at("05.02.2019 10:00")]
    );
    let dates = of(
        "epNotificationEZakA",
        "<scoringInfo><endDate>2019-02-03+03:00</endDate><biddingDate>2019-02-04+03:00</biddingDate></scoringInfo>",
    );
    assert_eq!(
        [dates.scoring, dates.first_parts, dates.bidding],
        [at("03.02.2019"), at("03.02.2019"), at("04.02.2019")]
    );
}
