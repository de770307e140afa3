use super::*;
use crate::import::eis::testing::on;
use crate::import::facts::Notice223Facts;

fn notice(fact: &Fact) -> &Notice223Facts {
    match &fact.facts {
        Facts::Notice223(facts) => facts,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_price_in_another_currency_leaves_no_sum_in_roubles() {
    let total = |currency: &str, more: &str| {
        let fact = one(&published(
            "purchaseNotice",
            &format!(
                "<registrationNumber>32100000001</registrationNumber><lots><lot><lotData><currency>{currency}</currency>\
                 <initialSum>100</initialSum>{more}</lotData></lot><lot><lotData><initialSum>3.3</initialSum></lotData></lot></lots>"
            ),
        ));
        let card = &notice(&fact).card;
        assert_eq!(
            [&card.lots[0].max_price, &card.lots[1].max_price],
            ["100", "3.3"]
        );
        let total = card
            .max_price
            .map_or_else(String::new, |total| total.to_string());
        (card.lots[0].currency.clone(), total)
    };
    let text = |code: &str, total: &str| (code.to_owned(), total.to_owned());
    assert_eq!(total("<letterCode>EUR</letterCode>", ""), text("EUR", ""));
    assert_eq!(total("<digitalCode>978</digitalCode>", ""), text("978", ""));
    let both = "<code>EUR</code><digitalCode>978</digitalCode>";
    let equivalent = "<startingContractPriceRub>9000</startingContractPriceRub>";
    assert_eq!(total(both, equivalent), text("EUR", "9003.3"));
    assert_eq!(
        total("<digitalCode>643</digitalCode>", ""),
        text("643", "103.3")
    );
}

#[test]
fn a_purchase_is_cancelled_by_its_status_or_by_all_of_its_lots() {
    let cancelled = |data: &str| {
        let data = format!("<registrationNumber>32100000001</registrationNumber>{data}");
        notice(&one(&published("purchaseNotice", &data))).cancelled
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
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_notices_match_readings_by_hand() {
    let quotations = real("notice223", "purchaseNoticeZK_test.xml");
    let card = &notice(&quotations[0]).card;
    assert_eq!(quotations[0].number, "31200022868");
    assert_eq!(card.publish_date, on("2012-11-02"));
    assert!(card.object_info.starts_with("Извещение\nо проведении"));
    assert_eq!(card.placing_way, "Запрос котировок");
    assert_eq!(card.max_price, "280000".parse().ok());
    assert_eq!(card.submission_close, on("2012-11-14"));
    assert_eq!(card.quotation_examination_time, "15.11.2012 10:00");
    assert_eq!(card.main_customer.inn, "0105062780");
    assert_eq!(card.main_customer.phone, "");
    assert_eq!(card.responsible_org.phone, "7-495-0000000");
    assert_eq!(card.lots[0].customers[0].objects[0].quantity, "4000");
    // This file repeats a document of the same folder 101 times.
    let signs = real("notice223", "pu.xml");
    assert_eq!(signs.len(), 101);
    assert!(signs.iter().all(|fact| *fact == signs[0]));
    let card = &notice(&signs[0]).card;
    assert_eq!(signs[0].number, "31300177655");
    assert_eq!(card.max_price, "227674".parse().ok());
    assert_eq!(card.lots[0].max_price, "227674.00");
    assert_eq!(card.lots[0].customers[0].objects[0].okpd, "3599410");
    assert_eq!(card.submission_close, on("2013-03-12"));
    assert_eq!(card.examination, on("2013-03-13"));
    assert_eq!(card.summing_up, on("2013-03-13"));
}
