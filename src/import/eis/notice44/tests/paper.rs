//! The `fcs*` notices.

use super::*;

const CONTEST: &str = r#"<export><fcsNotificationOK schemeVersion="6.0"><id>1</id><purchaseNumber>0173200000116000001</purchaseNumber>
<docPublishDate>2016-02-01T10:30:00.000+04:00</docPublishDate><href>http://a.example/2</href><purchaseObjectInfo>Работы</purchaseObjectInfo>
<purchaseResponsible><responsibleOrg><regNum>01732000001</regNum><fullName>УПРАВЛЕНИЕ</fullName><INN>7701000001</INN><KPP>770101001</KPP></responsibleOrg>
<responsibleRole>CU</responsibleRole><responsibleInfo><orgFactAddress>г Тверь</orgFactAddress><contactPerson><lastName>Иванова</lastName></contactPerson></responsibleInfo></purchaseResponsible>
<placingWay><code>OK44</code></placingWay>
<procedureInfo><collecting><startDate>2016-02-02T09:00:00Z</startDate><endDate>2016-02-20T09:30:00Z</endDate></collecting>
<opening><date>2016-02-20T10:00:00Z</date></opening><scoring><date>2016-02-25T11:00:00Z</date></scoring></procedureInfo>
<lots><lot><lotNumber>1</lotNumber><lotObjectInfo>Первый</lotObjectInfo><maxPrice>100.10</maxPrice><currency><code>RUB</code></currency><quantityUndefined>false</quantityUndefined>
 <customerRequirements><customerRequirement><customer><regNum>01732000001</regNum></customer><maxPrice>60</maxPrice><deliveryPlace>г Тверь, 2</deliveryPlace>
  <deliveryTerm>до 1 мая</deliveryTerm><applicationGuarantee><amount>1</amount></applicationGuarantee><contractGuarantee><amount>5.5</amount></contractGuarantee>
  <tenderPlanInfo><positionNumber>12</positionNumber></tenderPlanInfo></customerRequirement>
 <customerRequirement><customer><regNum>03732000002</regNum><fullName>ШКОЛА</fullName></customer><maxPrice>40.10</maxPrice>
  <kladrPlaces><kladrPlace><kladr><kladrCode>69</kladrCode><fullName>Тверь г</fullName></kladr><deliveryPlace>ул 1</deliveryPlace></kladrPlace>
  <kladrPlace><country><countryCode>112</countryCode><countryFullName>Беларусь</countryFullName></country><deliveryPlace>Минск</deliveryPlace></kladrPlace></kladrPlaces>
  <purchaseCode>251770123456777010100100010010000244</purchaseCode></customerRequirement></customerRequirements>
 <purchaseObjects><purchaseObject><OKPD><code>45.21</code><name>Стройка</name></OKPD><name>Ремонт</name><OKEI><code>642</code><nationalCode>ЕД</nationalCode></OKEI>
  <price>50.05</price><quantity><value>2.0</value></quantity><sum>100.10</sum></purchaseObject>
  <purchaseObject><KTRU><code>43.11.10.000-00000002</code><name>Снос</name></KTRU></purchaseObject><totalSum>100.10</totalSum></purchaseObjects>
 <preferenses><preferense><code>8</code><name>Субъектам малого предпринимательства</name><prefValue>15</prefValue></preferense></preferenses>
 <requirements><requirement><shortName>ET44</shortName><name>Единые</name><content>Да</content></requirement></requirements>
 <restrictions><restriction><shortName>OG1</shortName><name>Нельзя</name><content>Никому</content></restriction></restrictions><mustPublicDiscussion>true</mustPublicDiscussion></lot>
<lot><lotNumber>2</lotNumber><maxPrice>0.9</maxPrice><currency><code>RUB</code></currency><drugPurchaseObjectsInfo><drugPurchaseObjectInfo>
 <objectInfoUsingReferenceInfo><drugsInfo><drugInfo><MNNInfo><MNNName>Аспирин</MNNName></MNNInfo></drugInfo></drugsInfo></objectInfoUsingReferenceInfo>
 <drugQuantityCustomersInfo><drugQuantityCustomerInfo><quantity>1</quantity></drugQuantityCustomerInfo><drugQuantityCustomerInfo><quantity>2</quantity></drugQuantityCustomerInfo></drugQuantityCustomersInfo>
 <pricePerUnit>0.3</pricePerUnit><positionPrice>0.9</positionPrice></drugPurchaseObjectInfo><total>0.9</total></drugPurchaseObjectsInfo>
 <restrictions><restriction><shortName>OG1</shortName></restriction><restriction><shortName>OG2</shortName></restriction></restrictions></lot></lots>
<notificationAttachments><attachment><fileName>n.pdf</fileName></attachment></notificationAttachments>
<attachments><attachment><fileName>a.doc</fileName><fileSize>736.24 Кб</fileSize><url>http://a.example/f</url></attachment></attachments>
</fcsNotificationOK></export>"#;

#[test]
fn the_head_of_a_contest() {
    let facts = good(CONTEST);
    assert_eq!(facts.len(), 2);
    assert_eq!(
        (facts[0].version, facts[0].published),
        (0, 1_454_308_200_000)
    );
    let first = at("01.02.2016").expect("a day").date();
    assert_eq!(facts[1].facts, Facts::FirstNotice44(first));
    assert_eq!(facts[1].version, -1_454_308_200_000);
    let Notice44Facts {
        card,
        customer_codes,
        cancelled_lots,
    } = notice(&facts);
    assert_eq!(card.href, "http://a.example/2");
    assert_eq!([&card.placing_way, &card.trading_platform], ["OK44", ""]);
    assert_eq!(card.max_price, money("101"));
    assert_eq!(card.restrictions, ["OG1", "OG2"]);
    assert_eq!(
        customer_codes,
        &[vec!["01732000001", "03732000002"], vec![]]
    );
    assert_eq!(cancelled_lots, &[false, false]);
    let org = &card.responsible_org;
    assert_eq!(
        [&org.full_name, &org.address, &org.role],
        ["УПРАВЛЕНИЕ", "г Тверь", "CU"]
    );
    assert_eq!(org.contact.last, "Иванова");
    let dates = &card.procedure;
    assert_eq!(
        [dates.start, dates.end],
        [at("02.02.2016 09:00"), at("20.02.2016 09:30")]
    );
    assert_eq!(
        [dates.opening, dates.scoring],
        [at("20.02.2016 10:00"), at("25.02.2016 11:00")]
    );
    assert_eq!(dates.first_parts, None, "a contest on paper has no parts");
    let files: Vec<_> = card
        .attachments
        .iter()
        .map(|file| file.file_name.as_str())
        .collect();
    assert_eq!(files, ["n.pdf", "a.doc"]);
    assert_eq!(card.attachments[1].file_size, "736.24 Кб");
}

#[test]
fn the_lots_of_a_contest() {
    let facts = good(CONTEST);
    let [first, _] = &notice(&facts).card.lots[..] else {
        panic!()
    };
    assert_eq!(
        (first.number, first.object_info.as_str()),
        (Some(1), "Первый")
    );
    assert_eq!(
        (first.max_price, first.total_sum),
        (money("100.1"), money("100.1"))
    );
    assert_eq!(
        (first.small_business, first.subcontractors),
        (Some(true), Some(false))
    );
    assert_eq!(
        (first.drug_purchase, first.quantity_undefined),
        (Some(false), Some(false))
    );
    assert_eq!(
        (&first.preferences[0].code[..], first.preferences[0].value),
        ("8", money("15"))
    );
    assert_eq!(
        [&first.requirements[0].code, &first.requirements[0].content],
        ["ET44", "Да"]
    );
    assert_eq!(
        [&first.restrictions[0].name, &first.restrictions[0].content],
        ["Нельзя", "Никому"]
    );
}

#[test]
fn the_objects_of_a_contest() {
    let facts = good(CONTEST);
    let [first, second] = &notice(&facts).card.lots[..] else {
        panic!()
    };
    let [repair, wrecking] = &first.objects[..] else {
        panic!()
    };
    assert_eq!(
        [&repair.name, &repair.okpd, &repair.okpd2],
        ["Ремонт", "45.21", ""]
    );
    assert_eq!([&repair.okei, &repair.okei_name], ["642", "ЕД"]);
    assert_eq!(
        [repair.price, repair.quantity, repair.sum],
        [money("50.05"), money("2"), money("100.1")]
    );
    assert_eq!(
        [&wrecking.name, &wrecking.ktru],
        ["Снос", "43.11.10.000-00000002"]
    );
    assert_eq!(
        wrecking.okpd2, "43.11.10.000",
        "without an OKPD2, that of the KTRU"
    );
    assert_eq!((second.number, second.drug_purchase), (Some(2), Some(true)));
    assert_eq!(
        [&second.objects[0].name, &second.objects[0].mnn],
        ["Аспирин", "Аспирин"]
    );
    assert_eq!(
        (second.objects[0].quantity, second.total_sum),
        (money("3"), money("0.9"))
    );
}

#[test]
fn the_customers_of_a_contest() {
    let facts = good(CONTEST);
    let [same, other] = &notice(&facts).card.lots[0].customers[..] else {
        panic!()
    };
    assert_eq!(
        [&same.full_name, &same.inn, &same.kpp],
        ["УПРАВЛЕНИЕ", "7701000001", "770101001"]
    );
    assert_eq!([&same.factual_address, &same.email], ["", ""]);
    assert_eq!(
        [&same.execution_place, &same.execution_period],
        ["г Тверь, 2", "до 1 мая"]
    );
    assert_eq!(same.delivery_places[0].place, "г Тверь, 2");
    assert_eq!(
        (same.max_price, same.plan_position.as_str()),
        (money("60"), "12")
    );
    assert_eq!(
        [
            same.enforcement.application_amount,
            same.enforcement.contract_amount
        ],
        [money("1"), money("5.5")]
    );
    assert_eq!(same.public_discussion, Some(true), "said of the lot");
    assert_eq!(
        [&other.full_name, &other.inn, &other.kpp],
        ["ШКОЛА", "7701234567", "770101001"]
    );
    assert_eq!(other.execution_place, "Тверь г, ул 1; Минск");
    let [home, abroad] = &other.delivery_places[..] else {
        panic!()
    };
    assert_eq!(
        [&home.kladr_code, &home.kladr_name, &home.place],
        ["69", "Тверь г", "ул 1"]
    );
    assert_eq!(
        [&abroad.country_code, &abroad.country_name],
        ["112", "Беларусь"]
    );
    assert_eq!(
        [other.bank_support, other.treasury_support, other.own_funds],
        [None; 3]
    );
}

#[test]
fn an_auction_on_one_lot_that_was_changed() {
    let facts = good(
        "<fcsNotificationEF><purchaseNumber>0173200000116000001</purchaseNumber><docPublishDate>2016-02-01T10:30:00Z</docPublishDate>
         <ETP><name>Площадка</name></ETP><procedureInfo><scoring><date>2016-02-25T00:00:00Z</date></scoring><bidding><date>2016-02-28T12:05:00Z</date></bidding></procedureInfo>
         <lot><maxPrice>5</maxPrice><currency><code>USD</code></currency></lot><modification><modificationNumber>1</modificationNumber></modification></fcsNotificationEF>",
    );
    assert_eq!(
        facts.len(),
        1,
        "what gives the ground of a change is not the first"
    );
    let card = &notice(&facts).card;
    assert_eq!(card.trading_platform, "Площадка");
    assert_eq!(
        [card.procedure.scoring, card.procedure.first_parts],
        [at("25.02.2016 00:00"); 2]
    );
    assert_eq!(card.procedure.bidding, at("28.02.2016 12:05"));
    assert_eq!(
        (card.lots[0].number, card.lots[0].max_price),
        (Some(1), money("5"))
    );
    assert_eq!(card.max_price, None, "not in roubles");
}

#[test]
fn a_preliminary_selection_names_codes_only() {
    let facts = good(
        "<fcsNotificationISM><purchaseNumber>0173200000116000001</purchaseNumber><procedureInfo><collectingEndDate>2016-02-25T09:00:00Z</collectingEndDate></procedureInfo>
         <lots><lot><lotNumber>3</lotNumber><OKPD2><code>10.1</code><name>Мясо</name></OKPD2><OKPD2><code>10.2</code><name>Рыба</name></OKPD2></lot></lots></fcsNotificationISM>",
    );
    assert_eq!(
        facts.len(),
        1,
        "without a time of publication it is not known when"
    );
    let card = &notice(&facts).card;
    assert_eq!(card.procedure.end, at("25.02.2016 09:00"));
    assert_eq!((card.max_price, card.lots[0].number), (None, Some(3)));
    let objects = &card.lots[0].objects;
    assert_eq!(
        [&objects[1].okpd2, &objects[1].okpd2_name, &objects[1].name],
        ["10.2", "Рыба", "Рыба"]
    );
}
