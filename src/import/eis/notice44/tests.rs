//! Reads real notices and compares them with values found by hand.

use crate::import::eis::testing::{read_all, real_files};
use crate::import::facts::{Fact, Facts, Notice44Facts, ProcedureDatesFacts};
use crate::model::{Amount, Moment};

fn money(text: &str) -> Option<Amount> {
    Some(text.parse().expect("an amount"))
}

fn at(text: &str) -> Option<Moment> {
    Some(Moment::parse_dotted(text).expect("a moment"))
}

fn all() -> Vec<Fact> {
    let files = real_files("notice44").into_iter();
    let facts = files
        .map(|(name, xml)| read_all(&xml).unwrap_or_else(|problem| panic!("{name}:{problem}")));
    facts.flatten().collect()
}

fn with_number<'f>(found: &'f [Fact], number: &str) -> &'f Notice44Facts {
    let mut notices = found.iter().filter_map(|fact| match &fact.facts {
        Facts::Notice44(notice) if fact.number == number => Some(&**notice),
        _ => None,
    });
    notices.next().unwrap_or_else(|| panic!("{number}"))
}

#[test]
fn the_common_type_of_ezt2020_applies_to_each_object() {
    let notice = "<export><epNotificationEZT2020><commonInfo><purchaseNumber>0396300010126000045</purchaseNumber></commonInfo>\
                  <notificationInfo><purchaseObjectsInfo><purchaseObject><name>Бумага</name></purchaseObject>\
                  <purchaseObject><name>Скрепки</name></purchaseObject><type>PRODUCT</type></purchaseObjectsInfo></notificationInfo>\
                  </epNotificationEZT2020></export>";
    let found = read_all(notice).expect("facts");
    let objects = &with_number(&found, "0396300010126000045").card.lots[0].objects;
    let kinds: Vec<&str> = objects.iter().map(|object| object.kind.as_str()).collect();
    assert_eq!(kinds, ["PRODUCT", "PRODUCT"]);
}

#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_notices_match_readings_by_hand() {
    let found = all();
    let count =
        |wanted: fn(&Facts) -> bool| found.iter().filter(|fact| wanted(&fact.facts)).count();
    assert_eq!(
        count(|facts| matches!(facts, Facts::Notice44(_))),
        20 + 1 + 387
    );
    assert_eq!(count(|facts| matches!(facts, Facts::FirstNotice44(_))), 12);
    assert_eq!(count(|facts| matches!(facts, Facts::NoticeCancel44(_))), 2);
    auction_of_drugs(with_number(&found, "0373100084625000417"));
    auction_with_parents(with_number(&found, "0873500002325000460"));
    contest(with_number(&found, "0311100007325000114"));
    contest_of_unit_prices(with_number(&found, "0373200018825001169"));
    print_form(with_number(&found, "0320100007621000014"));
    check_schema_16_2([
        with_number(&found, "0195100001026000026"),
        with_number(&found, "0348200027026000464"),
    ]);
}

fn auction_of_drugs(notice: &Notice44Facts) {
    let lot = &notice.card.lots[0];
    let [drug] = &lot.objects[..] else { panic!() };
    assert_eq!(
        [&drug.mnn, &drug.dosage, &drug.ktru],
        ["ОКТРЕОТИД", "0.1 мг/мл", "21.20.10.181-00007"]
    );
    assert_eq!(
        [drug.price, drug.quantity, drug.sum],
        [money("95.733"), money("1500"), money("143599.5")]
    );
    assert_eq!(
        (lot.total_sum, lot.drug_purchase),
        (money("143599.5"), Some(true))
    );
    assert_eq!(notice.customer_codes, [["03731000846"]]);
    assert_eq!(lot.customers[0].execution_period, "2027-02-26+03:00");
}

fn auction_with_parents(notice: &Notice44Facts) {
    let lot = &notice.card.lots[0];
    assert_eq!(lot.objects.len(), 16);
    assert_eq!(lot.objects[0].name, "Пульт управления светом");
    assert_eq!(lot.objects[0].preference_rf, Some(true));
    assert_eq!(lot.objects[0].sum, money("167542"));
    let sums = lot.objects.iter().filter_map(|object| object.sum);
    let together = sums.reduce(|sum, next| sum.checked_add(next).expect("a sum"));
    assert_eq!([lot.total_sum, together], [money("29752886"); 2]);
    assert_eq!(
        lot.customers[0].execution_period,
        "Дата начала исполнения контракта: 1 календарный день с даты заключения контракта. Срок исполнения контракта: 171 календарный день"
    );
}

fn contest(notice: &Notice44Facts) {
    let card = &notice.card;
    let dates = &card.procedure;
    assert_eq!(
        [dates.start, dates.end],
        [at("10.09.2025 11:41"), at("26.10.2025 23:59")]
    );
    assert_eq!(
        [dates.first_parts, dates.submission],
        [at("27.10.2025"), at("28.10.2025")]
    );
    assert_eq!(
        [dates.second_parts, dates.summarizing],
        [at("29.10.2025"), at("30.10.2025")]
    );
    assert_eq!(
        (card.lots[0].objects.len(), card.max_price),
        (19, money("44849999.34"))
    );
    assert_eq!(card.lots[0].additional_requirements[0].code, "TVS3BN");
    let enforcement = &card.lots[0].customers[0].enforcement;
    assert_eq!(
        [enforcement.application_amount, enforcement.contract_amount],
        [money("448499.99"), money("4484999.93")]
    );
}

fn contest_of_unit_prices(notice: &Notice44Facts) {
    let lot = &notice.card.lots[0];
    assert_eq!(
        (lot.max_price, lot.total_sum),
        (money("19917700.38"), money("349433.34"))
    );
    assert_eq!((lot.quantity_undefined, lot.objects.len()), (Some(true), 2));
}

fn print_form(notice: &Notice44Facts) {
    let card = &notice.card;
    assert_eq!(
        card.publish_date.map(|day| day.to_string()).as_deref(),
        Some("2021-04-13")
    );
    assert_eq!(card.placing_way, "Запрос котировок в электронной форме");
    assert_eq!(card.procedure.end, at("22.04.2021 09:00"));
    assert_eq!(card.max_price, money("121600"));
    let customer = &card.lots[0].customers[0];
    assert_eq!([&customer.inn, &customer.kpp], ["2540015767", "254001001"]);
    assert_eq!(customer.execution_period, "не позднее 31.05.2021.");
    assert_eq!(customer.delivery_places[0].kladr_code, "25000001000");
    assert_eq!((card.lots[0].objects.len(), card.attachments.len()), (2, 4));
}

fn check_schema_16_2(notices: [&Notice44Facts; 2]) {
    let [contest, purchase] = notices.map(|notice| &notice.card);
    assert_eq!(contest.placing_way, "Открытый конкурс в электронной форме");
    assert_eq!(contest.max_price, money("8758247"));
    assert_eq!(contest.procedure.end, at("19.10.2026 11:00"));
    let dates = &contest.procedure;
    assert_eq!(
        [
            dates.first_parts,
            dates.submission,
            dates.second_parts,
            dates.summarizing
        ],
        [
            at("20.10.2026"),
            at("21.10.2026"),
            at("21.10.2026"),
            at("21.10.2026")
        ]
    );
    assert_eq!(contest.lots[0].customers[0].execution_place, "г. Москва");
    assert_eq!(contest.lots[0].preferences[0].code, "PVS33044");
    assert_eq!(
        purchase.placing_way,
        "Закупка, осуществляемая в соответствии с частью 12 статьи 93 Закона № 44-ФЗ"
    );
    assert_eq!(purchase.max_price, money("4254712.5"));
    assert_eq!(purchase.responsible_org.inn, "7702066157");
    assert_eq!(purchase.procedure, ProcedureDatesFacts::default());
    let lot = &purchase.lots[0];
    let [drug] = &lot.objects[..] else {
        panic!("{:?}", lot.objects);
    };
    assert_eq!(purchase.object_info, drug.name);
    assert!(
        purchase
            .object_info
            .starts_with("КАЛЬЦИЯ ФОЛИНАТ, ЛИОФИЛИЗАТ")
    );
    assert_eq!([&drug.mnn, &drug.dosage], ["КАЛЬЦИЯ ФОЛИНАТ", "50 мг"]);
    assert_eq!(
        [drug.price, drug.quantity, drug.sum],
        [money("3.45"), money("1233250"), money("4254712.5")]
    );
    assert_eq!(lot.total_sum, money("4254712.5"));
    assert_eq!(
        [
            drug.restrict_foreign,
            drug.preference_rf,
            drug.prohibition_foreign
        ],
        [Some(true), Some(true), None]
    );
    assert_eq!(drug.impossible_prohibition, None);
    let customer = &lot.customers[0];
    assert_eq!([&customer.inn, &customer.kpp], ["7702066157", "770201001"]);
    assert_eq!(customer.execution_period, "2028-06-09+03:00");
    let [place] = &customer.delivery_places[..] else {
        panic!("{:?}", customer.delivery_places);
    };
    assert_eq!(place.country_code, "");
    assert_eq!(
        place.gar_address,
        "г. Москва, вн.тер.г. муниципальный округ Мещанский"
    );
    assert_eq!(
        customer.execution_place,
        format!("{}, {}", place.gar_address, place.place)
    );
    let requirements = lot.requirements.iter().map(|one| one.code.as_str());
    assert_eq!(requirements.collect::<Vec<_>>(), ["ET44", "TR442"]);
}
