//! Notices.

use super::*;
use crate::import::facts::Notice223Facts;
use crate::model::{Date, Organization};

fn notice(fact: &Fact) -> &Notice223Facts {
    match &fact.facts {
        Facts::Notice223(facts) => facts,
        other => panic!("{other:?}"),
    }
}

fn date(text: &str) -> Option<Date> {
    Some(Date::parse_iso(text).expect("a date"))
}

const NEW_NOTICE: &str = r#"
<guid>g</guid><urlEIS>https://zakupki.gov.ru/223/purchase/public/purchase/info/common-info.html?regNumber=32100000001</urlEIS>
<registrationNumber> 32100000001 </registrationNumber><name>Бумага  офисная
</name>
<customer><mainInfo><fullName>АО "Заказчик"</fullName><inn>7700000001</inn><kpp>770001001</kpp><ogrn>1027700000001</ogrn>
 <legalAddress>Москва, 1</legalAddress><postalAddress>Москва, а/я 1</postalAddress><phone>8-1</phone><email>a@example.org</email></mainInfo></customer>
<purchaseMethodCode>200610</purchaseMethodCode><purchaseCodeName>Запрос котировок</purchaseCodeName>
<placer><mainInfo><fullName>АО "Организатор"</fullName><inn>7700000002</inn><kpp>770002001</kpp><ogrn>1027700000002</ogrn>
 <legalAddress>Москва, 2</legalAddress><postalAddress>Москва, а/я 2</postalAddress></mainInfo></placer>
<contact><lastName>Л</lastName><phone>8-2</phone><email>b@example.org</email></contact>
<publicationDateTime>2021-02-03T23:30:00+10:00</publicationDateTime><status>P</status><version>3</version>
<modificationDate>2021-02-04T00:00:00</modificationDate>
<electronicPlaceInfo><name>Площадка</name><url>u</url><electronicPlaceId>1</electronicPlaceId></electronicPlaceInfo>
<placingProcedure><examinationDateTime>2021-02-16T10:00:00</examinationDateTime><summingupDateTime>2021-02-17T10:00:00</summingupDateTime></placingProcedure>
<submissionCloseDateTime>2021-02-15T09:00:00</submissionCloseDateTime>
<envelopeOpeningTime>2021-02-15T12:00:00</envelopeOpeningTime>
<auctionTime>2021-02-18T11:45:00</auctionTime>
<extendFields><noticeExtendField><extendField><integrCode>applExamPeriodTime</integrCode><type>DATE</type><value><date>2021-02-16</date></value></extendField></noticeExtendField></extendFields>
<lots>
 <lot><guid>l1</guid><ordinalNumber>1</ordinalNumber>
  <lotData><subject>Лот один</subject><currency><code>RUB</code></currency><initialSum>0.10</initialSum>
   <deliveryPlace><state>ЦФО</state><region>Москва</region><address>ул. Ленина</address></deliveryPlace>
   <lotItems><lotItem><ordinalNumber>1</ordinalNumber><okpd2><code>17.12.14</code></okpd2><okved2><code>46.7</code></okved2><okei><code>796</code></okei><qty>10.5</qty></lotItem></lotItems></lotData>
  <cancelled>true</cancelled></lot>
 <lot><guid>l2</guid><ordinalNumber>2</ordinalNumber>
  <lotData><subject>Лот два</subject><currency><letterCode>RUB</letterCode></currency><priceFormula>A+B</priceFormula><maxContractPrice>0.20</maxContractPrice></lotData>
  <jointLotData><jointLot>true</jointLot><lotCustomers>
   <lotCustomer><lotCustomerData><initialSum>0.05</initialSum><deliveryPlace><address>Тверь</address></deliveryPlace>
     <lotItems><lotItem><ordinalNumber>1</ordinalNumber><okpd2><code>1</code></okpd2><okei><code>2</code></okei><qty>3</qty></lotItem></lotItems></lotCustomerData>
    <customerInfo><fullName>Первый</fullName><inn>1</inn><kpp>2</kpp></customerInfo></lotCustomer>
   <lotCustomer><lotCustomerData><initialSum>0.15</initialSum><deliveryPlace><address>Тула</address></deliveryPlace></lotCustomerData>
    <nonResidentInfo><name>Второй</name><code>X</code></nonResidentInfo></lotCustomer>
  </lotCustomers></jointLotData><cancelled>false</cancelled></lot>
</lots>"#;

#[test]
fn a_notice_of_the_newest_schema_fills_the_card() {
    let fact = only(&published("purchaseNoticeZKESMBO", NEW_NOTICE));
    assert_eq!(
        (fact.number.as_str(), fact.key.as_str()),
        ("32100000001", "")
    );
    // Modified at Moscow's midnight, after the publication.
    assert_eq!((fact.version, fact.published), (3, 1_612_386_000_000));
    let Notice223Facts {
        card,
        cancelled,
        cancelled_lots,
    } = notice(&fact);
    assert!(!cancelled);
    assert_eq!(cancelled_lots, &[true, false]);
    assert_eq!(card.purchase_number.as_str(), "32100000001");
    assert_eq!(card.publish_date, date("2021-02-03"));
    assert_eq!(
        card.href,
        "https://zakupki.gov.ru/223/purchase/public/purchase/info/common-info.html?regNumber=32100000001"
    );
    assert_eq!(card.object_info, "Бумага  офисная\n");
    assert_eq!(card.placing_way, "Запрос котировок");
    assert_eq!(card.trading_platform, "Площадка");
    assert_eq!(card.max_price, "0.3".parse().ok());
    assert_eq!(card.submission_close, date("2021-02-15"));
    assert_eq!(card.envelope_opening, date("2021-02-15"));
    assert_eq!(card.examination, date("2021-02-16"));
    assert_eq!(card.summing_up, date("2021-02-17"));
    assert_eq!(card.examination_period, "16.02.2021");
    assert_eq!(card.auction_time, "18.02.2021 11:45");
    assert_eq!(card.quotation_examination_time, "");
    assert_eq!(
        card.main_customer,
        Organization {
            full_name: "АО \"Заказчик\"".to_owned(),
            inn: "7700000001".to_owned(),
            kpp: "770001001".to_owned(),
            ogrn: "1027700000001".to_owned(),
            factual_address: "Москва, 1".to_owned(),
            postal_address: "Москва, а/я 1".to_owned(),
            phone: "8-1".to_owned(),
            email: "a@example.org".to_owned(),
        }
    );
    let org = &card.responsible_org;
    assert_eq!(org.full_name, "АО \"Организатор\"");
    assert_eq!(
        (org.phone.as_str(), org.email.as_str()),
        ("8-2", "b@example.org")
    );
}

#[test]
fn lots_have_their_items_places_and_customers() {
    let fact = only(&published("purchaseNoticeAE", NEW_NOTICE));
    let card = &notice(&fact).card;
    let [first, second] = &card.lots[..] else {
        panic!("{:?}", card.lots)
    };
    assert_eq!(
        (first.number.as_str(), first.name.as_str()),
        ("1", "Лот один")
    );
    assert_eq!(
        (first.max_price.as_str(), first.currency.as_str()),
        ("0.10", "RUB")
    );
    assert_eq!(first.execution_place, "ЦФО, Москва, ул. Ленина");
    assert_eq!(first.customers[0].organization, card.main_customer);
    let object = &first.customers[0].objects[0];
    assert_eq!(
        [
            &object.number,
            &object.okpd,
            &object.okpd2,
            &object.okei,
            &object.quantity
        ],
        ["1", "", "17.12.14", "796", "10.5"]
    );
    assert_eq!(
        (second.max_price.as_str(), second.currency.as_str()),
        ("0.20", "RUB")
    );
    assert_eq!(second.execution_place, "Тверь; Тула");
    let customers: Vec<_> = second
        .customers
        .iter()
        .map(|customer| {
            (
                customer.organization.full_name.as_str(),
                customer.objects.len(),
            )
        })
        .collect();
    assert_eq!(customers, [("Первый", 1), ("Второй", 0)]);
}

#[test]
fn a_joint_lot_without_a_price_costs_what_its_customers_pay() {
    let notice_of = |lots: &str| {
        let fact = only(&published(
            "purchaseNotice",
            &format!("<registrationNumber>32100000001</registrationNumber><lots>{lots}</lots>"),
        ));
        notice(&fact).clone()
    };
    let share = |sum: &str| {
        format!(
            "<lotCustomer><lotCustomerData><currency><code>RUB</code></currency><initialSum>{sum}</initialSum></lotCustomerData></lotCustomer>"
        )
    };
    let joint = format!(
        "<lot><jointLotData><lotCustomers>{}{}</lotCustomers></jointLotData></lot>",
        share("1.10"),
        share("2.20")
    );
    let facts = notice_of(&joint);
    let lot = &facts.card.lots[0];
    assert_eq!(
        (lot.max_price.as_str(), lot.currency.as_str()),
        ("3.3", "RUB")
    );
    assert_eq!(facts.card.max_price, "3.3".parse().ok());
    // Words instead of a price, and a price in another currency.
    let words =
        notice_of("<lot><lotData><initialSumInfo>по заявкам</initialSumInfo></lotData></lot>");
    assert_eq!(words.card.lots[0].max_price, "по заявкам");
    assert_eq!(words.card.max_price, None);
    let euro = "<currency><code>EUR</code></currency><initialSum>100</initialSum>";
    let foreign = notice_of(&format!("<lot><lotData>{euro}</lotData></lot>{joint}"));
    assert_eq!(foreign.card.lots[0].max_price, "100");
    assert_eq!(foreign.card.max_price, None);
    let converted = notice_of(&format!(
        "<lot><lotData>{euro}<startingContractPriceRub>9000.5</startingContractPriceRub></lotData></lot>{joint}"
    ));
    assert_eq!(converted.card.max_price, "9003.8".parse().ok());
}

#[test]
fn a_notice_of_the_oldest_schema_fills_the_card() {
    let data = "<registrationNumber>31200000001</registrationNumber><name>Н</name>\
        <purchaseMethodCode>4</purchaseMethodCode>\
        <publicationDateTime>2012-11-02T16:03:53.443+04:00</publicationDateTime>\
        <version>1</version><lots><lot><ordinalNumber>1</ordinalNumber><subject>П</subject>\
        <currency><code>RUB</code><digitalCode>810</digitalCode></currency><initialSum>280000</initialSum>\
        <deliveryPlace> Майкоп </deliveryPlace><lotItems><lotItem><ordinalNumber>1</ordinalNumber>\
        <okdp><code>2200000</code></okdp><okei><code>796</code></okei><qty>4000</qty></lotItem></lotItems></lot></lots>\
        <quotationExaminationTime>2012-11-15T10:00:00.000+04:00</quotationExaminationTime>\
        <nonelectronicPlaceInfo><summarizingDateTime>2012-11-16T10:00:00.000+04:00</summarizingDateTime></nonelectronicPlaceInfo>\
        <submissionCloseDateTime>2012-11-14T18:00:00.000+04:00</submissionCloseDateTime>";
    let fact = only(&published("purchaseNoticeZK", data));
    let card = &notice(&fact).card;
    assert_eq!((fact.version, fact.published), (1, 1_351_857_833_443));
    assert_eq!(card.placing_way, "4");
    assert!(
        card.href.ends_with("?regNumber=31200000001"),
        "{}",
        card.href
    );
    assert_eq!(card.max_price, "280000".parse().ok());
    assert_eq!(card.quotation_examination_time, "15.11.2012 10:00");
    assert_eq!(card.submission_close, date("2012-11-14"));
    assert_eq!(card.summing_up, date("2012-11-16"));
    let lot = &card.lots[0];
    assert_eq!(lot.name, "П");
    assert_eq!(lot.execution_place, "Майкоп");
    assert_eq!(lot.customers[0].objects[0].okpd, "2200000");
    // The same without a body, and without the element of its kind's data.
    for (start, end) in [
        ("<purchaseNoticeZKData>", "</purchaseNoticeZKData>"),
        ("", ""),
    ] {
        let bare = format!("<purchaseNoticeZK>{start}{data}{end}</purchaseNoticeZK>");
        assert_eq!(only(&bare), fact);
    }
}

#[test]
fn dates_stand_in_the_templates_fields_too() {
    let field = |code: &str, value: &str| {
        format!(
            "<noticeExtendField><extendField><integrCode>{code}</integrCode><value>{value}</value></extendField></noticeExtendField>"
        )
    };
    let data = format!(
        "<registrationNumber>32100000001</registrationNumber><extendFields>{}{}{}</extendFields>\
         <lots><lot><extendFields>{}</extendFields></lot></lots>",
        field(
            "examinationDateTime",
            "<dateTime>2021-03-01T10:00:00</dateTime>"
        ),
        field("purchaseDateTime", "<text>02.03.2021 в 10 часов</text>"),
        field("auctionTime", "<text>в 12 часов</text>"),
        field("envelopeOpeningTime", "<date>2021-03-03</date>"),
    );
    let fact = only(&published("purchaseNoticeAESMBO", &data));
    let card = &notice(&fact).card;
    assert_eq!(card.examination, date("2021-03-01"));
    assert_eq!(card.summing_up, date("2021-03-02"));
    assert_eq!(card.envelope_opening, date("2021-03-03"));
    assert_eq!(card.auction_time, "в 12 часов");
    let parts = "<registrationNumber>32100000001</registrationNumber><applExamPeriodTime>2021-03-01T00:00:00</applExamPeriodTime>\
        <considerationSecondPartDate>2021-03-05</considerationSecondPartDate><summingupDate>2021-03-06</summingupDate>";
    let fact = only(&published("purchaseNoticeAE94FZ", parts));
    let card = &notice(&fact).card;
    assert_eq!(card.examination_period, "01.03.2021 00:00");
    assert_eq!(card.examination, date("2021-03-05"));
    assert_eq!(card.summing_up, date("2021-03-06"));
}

#[test]
fn addresses_in_the_private_cabinet_become_public() {
    let href = |written: &str| {
        let data = format!("<registrationNumber>32100000001</registrationNumber>{written}");
        let fact = only(&published("purchaseNotice", &data));
        notice(&fact).card.href.clone()
    };
    let public = "https://zakupki.gov.ru/223/purchase/public/purchase/info/common-info.html?regNumber=32100000001";
    for written in [
        "",
        "<urlOOS> https://zakupki.gov.ru/223/purchase/private/purchase/x.html?id=1 </urlOOS>",
        "<urlEIS>https://lk.zakupki.gov.ru/223/purchase/x.html</urlEIS>",
    ] {
        assert_eq!(href(written), public, "{written}");
    }
    assert_eq!(
        href("<urlOOS>http://example.org/1</urlOOS>"),
        "http://example.org/1"
    );
}

#[test]
fn a_purchase_is_cancelled_by_its_status_or_by_all_of_its_lots() {
    let cancelled = |data: &str| {
        let data = format!("<registrationNumber>32100000001</registrationNumber>{data}");
        notice(&only(&published("purchaseNotice", &data))).cancelled
    };
    let lot = |flag: &str| format!("<lot><cancelled>{flag}</cancelled></lot>");
    assert!(!cancelled("<status>P</status>"));
    assert!(!cancelled("<status>M</status>"));
    assert!(cancelled("<status>I</status>"));
    let lots = |flags: [&str; 2]| format!("<lots>{}{}</lots>", lot(flags[0]), lot(flags[1]));
    assert!(cancelled(&lots(["true", "true"])));
    assert!(!cancelled(&lots(["true", "false"])));
}

#[test]
fn a_customer_is_not_repeated_without_bound() {
    let lots = |count: usize| {
        let name = "я".repeat(1 << 19);
        let data = format!(
            "<registrationNumber>32100000001</registrationNumber>\
             <customer><mainInfo><fullName>{name}</fullName></mainInfo></customer><lots>{}</lots>",
            "<lot/>".repeat(count)
        );
        read_all(&published("purchaseNotice", &data))
    };
    assert!(lots(64).is_ok());
    let problem = lots(65).expect_err("a problem");
    assert!(problem.ends_with("lots: too many for a customer that long"));
}

#[test]
fn real_notices_are_read_as_a_person_reads_them() {
    let Some(quotations) = real("notice223/purchaseNoticeZK_test.xml") else {
        return;
    };
    let card = &notice(&quotations[0]).card;
    assert_eq!(quotations[0].number, "31200022868");
    assert_eq!(card.publish_date, date("2012-11-02"));
    assert!(card.object_info.starts_with("Извещение\nо проведении"));
    assert_eq!(card.placing_way, "Запрос котировок");
    assert_eq!(card.max_price, "280000".parse().ok());
    assert_eq!(card.submission_close, date("2012-11-14"));
    assert_eq!(card.quotation_examination_time, "15.11.2012 10:00");
    assert_eq!(card.main_customer.inn, "0105062780");
    assert_eq!(card.main_customer.phone, "");
    assert_eq!(card.responsible_org.phone, "7-495-0000000");
    assert_eq!(card.lots[0].customers[0].objects[0].quantity, "4000");
    // A file that repeats a document of its own folder a hundred and one times.
    let signs = real("notice223/pu.xml").unwrap_or_default();
    assert_eq!(signs.len(), 101);
    assert!(signs.iter().all(|fact| *fact == signs[0]));
    let card = &notice(&signs[0]).card;
    assert_eq!(signs[0].number, "31300177655");
    assert_eq!(card.max_price, "227674".parse().ok());
    assert_eq!(card.lots[0].max_price, "227674.00");
    assert_eq!(card.lots[0].customers[0].objects[0].okpd, "3599410");
    assert_eq!(card.submission_close, date("2013-03-12"));
    assert_eq!(card.examination, date("2013-03-13"));
    assert_eq!(card.summing_up, date("2013-03-13"));
}
