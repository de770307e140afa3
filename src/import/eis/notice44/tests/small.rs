//! Cancellations, new dates, terms in words, and what is malformed.

use super::*;
use crate::import::facts::{Cancel44, Change44};

fn one(xml: &str) -> (String, i64, i64, Facts) {
    let mut facts = good(xml);
    assert_eq!(facts.len(), 1);
    let fact = facts.remove(0);
    assert_eq!(fact.number, "0173200000116000001");
    (fact.key, fact.version, fact.published, fact.facts)
}

#[test]
fn cancellations() {
    let of = |name: &str, inside: &str| one(&format!("<{name}>{inside}</{name}>"));
    let number = "<purchaseNumber>0173200000116000001</purchaseNumber>";
    let paper = format!("{number}<docPublishDate>1970-01-02T03:00:00+03:00</docPublishDate>");
    let electronic = format!(
        "<commonInfo>{number}<docPublishDTInEIS>1970-01-02T03:00:00+03:00</docPublishDTInEIS></commonInfo>"
    );
    let in_lot = format!("{paper}<lot><lotNumber>2</lotNumber></lot>");
    let cases = [
        ("fcsNotificationCancel", &paper, "", false),
        ("fcsNotificationLotCancel", &in_lot, "2", false),
        ("fcsNotificationCancelFailure", &paper, "", true),
        ("fcsNotificationCancelFailure", &in_lot, "2", true),
        ("epNotificationCancel", &electronic, "", false),
        ("epNotificationCancelFailure", &electronic, "", true),
    ];
    for (name, inside, key, revoked) in cases {
        let day = at("02.01.1970").map(Moment::date);
        let expected = Facts::NoticeCancel44(Cancel44 { revoked, day });
        let day = 86_400_000;
        assert_eq!(
            of(name, inside),
            (key.to_owned(), 0, day, expected),
            "{name}"
        );
    }
}

/// The new dates of purchase 0173200000116000001 in a document.
fn change(name: &str, inside: &str) -> Change44 {
    let number = "<purchaseNumber>0173200000116000001</purchaseNumber>";
    let head = if name.starts_with("ep") {
        format!("<commonInfo>{number}</commonInfo>")
    } else {
        number.to_owned()
    };
    match one(&format!("<{name}>{head}{inside}</{name}>")) {
        (key, 0, 0, Facts::NoticeChange44(change)) if key.is_empty() => change,
        other => panic!("{other:?}"),
    }
}

#[test]
fn new_dates_of_fcs() {
    let read = change(
        "fcs_notificationEFDateChange",
        "<auctionTime>2016-01-01T10:00:00Z</auctionTime><newAuctionDate>2016-02-01T10:00:00Z</newAuctionDate>",
    );
    let expected = Change44 {
        bidding: at("01.02.2016 10:00"),
        ..Change44::default()
    };
    assert_eq!(read, expected);
    let read = change(
        "fcsPurchaseProlongationOK",
        "<scoringDate>2016-01-01T10:00:00Z</scoringDate><scoringProlongationDate>2016-02-01T10:00:00Z</scoringProlongationDate>",
    );
    let expected = Change44 {
        scoring: at("01.02.2016 10:00"),
        ..Change44::default()
    };
    assert_eq!(read, expected);
    let read = change(
        "fcsPurchaseProlongationZK",
        "<collectingProlongationDate>2016-02-01T10:00:00Z</collectingProlongationDate><openingProlongationDate>2016-02-02T10:00:00Z</openingProlongationDate>",
    );
    let expected = Change44 {
        end: at("01.02.2016 10:00"),
        opening: at("02.02.2016 10:00"),
        ..Change44::default()
    };
    assert_eq!(read, expected);
}

#[test]
fn new_dates_of_ep() {
    let scoring = "<firstPartsDT>2019-02-03T10:00:00Z</firstPartsDT><finalOfferDate>2019-02-04Z</finalOfferDate><secondPartsDT>2019-02-05T10:00:00Z</secondPartsDT>";
    let end = "<collectingEndDT>2019-02-01T10:00:00Z</collectingEndDT><newCollectingEndDT>2019-02-02T10:00:00Z</newCollectingEndDT>";
    let end_alone = Change44 {
        end: at("02.02.2019 10:00"),
        ..Change44::default()
    };
    let all = Change44 {
        scoring: at("03.02.2019 10:00"),
        submission: at("04.02.2019"),
        second_parts: at("05.02.2019 10:00"),
        ..end_alone
    };
    for name in ["epProlongationEOK", "epProlongationEOKOU"] {
        let inside = format!(
            "<prolongationInfo>{end}<prolongationInfo>{scoring}</prolongationInfo></prolongationInfo>"
        );
        assert_eq!(change(name, &inside), all);
    }
    let inside = format!(
        "<prolongationInfo><firstStageInfo>{end}</firstStageInfo><secondStageInfo><scoringInfo>{scoring}</scoringInfo></secondStageInfo></prolongationInfo>"
    );
    assert_eq!(change("epProlongationEOKD", &inside), all);
    let inside = format!("<prolongationInfo>{end}</prolongationInfo>");
    assert_eq!(change("epProlongationEZK", &inside), end_alone);
    assert_eq!(change("epProlongationCancelEZK", ""), Change44::default());
}

/// The period of the one customer of an `ep*` notice with these conditions.
fn period(conditions: &str) -> String {
    let facts = good(&format!(
        "<epNotificationEZT2020><commonInfo><purchaseNumber>0173200000116000001</purchaseNumber></commonInfo><notificationInfo>
         <customerRequirementsInfo><customerRequirementInfo><contractConditionsInfo>{conditions}</contractConditionsInfo></customerRequirementInfo></customerRequirementsInfo>
         <purchaseObjectsInfo><purchaseObject><name>Вещь</name></purchaseObject><totalSum>7</totalSum></purchaseObjectsInfo></notificationInfo></epNotificationEZT2020>"
    ));
    let lot = &notice(&facts).card.lots[0];
    assert_eq!(
        (lot.objects[0].name.as_str(), lot.total_sum),
        ("Вещь", money("7"))
    );
    lot.customers[0].execution_period.clone()
}

#[test]
fn terms_in_words() {
    let relative = |start: &str| {
        format!(
            "<contractExecutionPaymentPlan><contractExecutionTermsInfo><relativeTermsInfo><start>{start}</start><startDayType>calendar</startDayType>
             <term>67</term><termDayType>working</termDayType></relativeTermsInfo></contractExecutionTermsInfo></contractExecutionPaymentPlan>"
        )
    };
    assert_eq!(
        period(&relative("1")),
        "Дата начала исполнения контракта: 1 календарный день с даты заключения контракта. Срок исполнения контракта: 67 рабочих дней"
    );
    assert_eq!(
        period(&relative("0")),
        "Дата начала исполнения контракта: дата заключения контракта. Срок исполнения контракта: 67 рабочих дней"
    );
    assert_eq!(
        period("<deliveryTime>3</deliveryTime>"),
        "Срок поставки товара: 3 календарных дня"
    );
    assert_eq!(
        period("<deliveryTerm> как скажут </deliveryTerm>"),
        " как скажут "
    );
    assert_eq!(period(""), "");
}
