//! The winner and the stage of a purchase under 44-FZ. The documents are imported in any order and
//! split into imports in any way.

use super::family::{B, C, export};
use super::linked::take_all;
use super::*;

const NUMBER: &str = "0396000000126000077";

/// Customers, each with its number in the register of organisations and its INN.
const SCHOOL: (&str, &str) = ("03960000001", "9600000030");
const LIBRARY: (&str, &str) = ("03960000002", "9600000048");

/// The notice of an auction of these customers.
fn notice(customers: &[(&str, &str)]) -> String {
    let customers: String = customers
        .iter()
        .map(|(code, inn)| {
            format!(
                "<customerRequirementInfo><customer><regNum>{code}</regNum><fullName>{inn}</fullName>\
                 </customer></customerRequirementInfo>"
            )
        })
        .collect();
    export(format!(
        "<epNotificationEF2020><versionNumber>1</versionNumber><commonInfo>\
         <purchaseNumber>{NUMBER}</purchaseNumber>\
         <publishDTInEIS>2026-01-10T10:00:00+03:00</publishDTInEIS></commonInfo><notificationInfo>\
         <procedureInfo><collectingInfo><endDT>2026-01-20T09:00:00+03:00</endDT></collectingInfo>\
         </procedureInfo><customerRequirementsInfo>{customers}</customerRequirementsInfo>\
         </notificationInfo></epNotificationEF2020>"
    ))
}

/// A document about the purchase, published on `day` of 2026 (such as `01-25`). `numbers` holds the
/// document's number in EIS and its number on the trading platform.
fn document(kind: &str, day: &str, numbers: (&str, &str), inside: &str) -> String {
    let (number, external) = numbers;
    export(format!(
        "<{kind}><commonInfo><purchaseNumber>{NUMBER}</purchaseNumber><docNumber>{number}</docNumber>\
         <publishDTInEIS>2026-{day}T10:00:00+03:00</publishDTInEIS>\
         <docNumberExternal>{external}</docNumberExternal></commonInfo>{inside}</{kind}>"
    ))
}

/// An application that does not name its participant.
fn hidden(number: u32, rating: u32, price: &str) -> String {
    format!(
        "<applicationInfo><commonInfo><appNumber>{number}</appNumber></commonInfo>\
         <finalPrice>{price}</finalPrice><admittedInfo><appAdmittedInfo><admitted>true</admitted>\
         <appRating>{rating}</appRating></appAdmittedInfo></admittedInfo></applicationInfo>"
    )
}

fn of_applications(applications: &[String]) -> String {
    let applications = applications.concat();
    format!("<protocolInfo><applicationsInfo>{applications}</applicationsInfo></protocolInfo>")
}

/// The protocol with the result: the first application offers 90, the second 95.
fn result() -> String {
    let two = of_applications(&[hidden(1, 1, "90.00"), hidden(2, 2, "95.00")]);
    document("epProtocolEF2020Final", "01-25", ("R1", "P1"), &two)
}

/// A protocol by which the participant with this application loses the contract of a customer.
fn withdrawal(kind: &str, number: &str, application: u32, customer: &str) -> String {
    let inside = format!(
        "<protocolInfo><applicationInfo><journalNumber>{application}</journalNumber>\
         </applicationInfo><customer><regNum>{customer}</regNum></customer></protocolInfo>"
    );
    document(kind, "02-05", (number, &format!("X{number}")), &inside)
}

fn deviation(number: &str, application: u32) -> String {
    withdrawal("epProtocolDeviation", number, application, SCHOOL.0)
}

/// A signed electronic contract.
fn signed(version: u32, application: u32, (inn, name): (&str, &str), price: &str) -> String {
    export(format!(
        "<cpContractSign><versionNumber>{version}</versionNumber><foundationInfo>\
         <purchaseNumber>{NUMBER}</purchaseNumber></foundationInfo><participantInfo>\
         <legalEntityRFInfo><fullName>{name}</fullName><INN>{inn}</INN><KPP>960001001</KPP>\
         </legalEntityRFInfo></participantInfo><contractInfo><price>{price}</price><currency>\
         <code>RUB</code></currency></contractInfo><appNumber>{application}</appNumber><commonInfo>\
         <number>{NUMBER}0001</number>\
         <publishDTInEIS>2026-02-1{version}T10:00:00+03:00</publishDTInEIS></commonInfo>\
         </cpContractSign>"
    ))
}

fn contract(number: u32, customer: (&str, &str), supplier: (&str, &str), price: &str) -> String {
    let ((code, customer), (inn, name)) = (customer, supplier);
    export(format!(
        "<contract schemeVersion=\"14.1\"><id>{number}</id>\
         <publishDate>2026-02-2{number}T10:00:00+03:00</publishDate><versionNumber>0</versionNumber>\
         <foundation><fcsOrder><order><notificationNumber>{NUMBER}</notificationNumber>\
         <lotNumber>1</lotNumber></order></fcsOrder></foundation><customer><regNum>{code}</regNum>\
         <fullName>Заказчик</fullName><inn>{customer}</inn></customer>\
         <signDate>2026-02-2{number}</signDate><regNum>296000000302600000{number}</regNum>\
         <priceInfo><price>{price}</price><currency><code>RUB</code></currency></priceInfo>\
         <suppliersInfo><supplierInfo><legalEntityRF><EGRULInfo><fullName>{name}</fullName>\
         <INN>{inn}</INN><KPP>960001001</KPP></EGRULInfo></legalEntityRF></supplierInfo>\
         </suppliersInfo></contract>"
    ))
}

const FIRST: (&str, &str) = (B, "ПЕРВЫЙ");
const SECOND: (&str, &str) = (C, "ВТОРОЙ");

/// Returns the winner's name, INN and price, and the stage.
fn card(folder: &Folder) -> String {
    let parameters = [("purchaseNumber", NUMBER), ("format", "xml")];
    let xml = folder
        .answers_on("2026-11-20")
        .ask(Endpoint::PURCHASE_44, &parameters);
    let within = |text: &str, name: &str| {
        let after = text.split_once(&format!("<{name}>"))?.1.to_owned();
        Some(after.split_once(&format!("</{name}>"))?.0.to_owned())
    };
    let winner = within(&xml, "winner").unwrap_or_default();
    let of_winner = |name| within(&winner, name).unwrap_or_default();
    let stage = within(&xml, "stage").expect("a stage");
    format!(
        "{} {} {}: {stage}",
        of_winner("name"),
        of_winner("inn"),
        of_winner("price")
    )
}

/// Checks the card after importing these documents all at once, and one by one, the newest first,
/// followed by another import of all of them.
#[track_caller]
fn check(documents: &[String], expected: &str) {
    let at_once = Folder::new();
    take_all(&at_once, documents);
    assert_eq!(card(&at_once), expected);
    let folder = Folder::new();
    for document in documents.iter().rev() {
        take_all(&folder, std::slice::from_ref(document));
    }
    assert_eq!(card(&folder), expected, "one by one, reversed");
    take_all(&folder, documents);
    assert_eq!(card(&folder), expected, "again");
}

const FINISHED: &str = "Закупка завершена";

#[test]
fn the_price_of_a_hidden_participant_is_known() {
    check(&[notice(&[SCHOOL]), result()], &format!("  90: {FINISHED}"));
}

#[test]
fn participants_who_evade_or_refuse_have_not_won() {
    for kind in ["epProtocolDeviation", "epProtocolEvasion"] {
        let out = withdrawal(kind, "E1", 1, SCHOOL.0);
        check(
            &[notice(&[SCHOOL]), result(), out],
            &format!("  95: {FINISHED}"),
        );
    }
    let both = [
        notice(&[SCHOOL]),
        result(),
        deviation("E1", 1),
        deviation("E2", 2),
    ];
    check(&both, &format!("  : {FINISHED}"));
}

#[test]
fn refusals_by_name_exclude_the_signed_supplier() {
    let refusal = |kind: &str, application: &str| {
        export(format!(
            "<{kind}><commonInfo><number>{NUMBER}0001</number><publishDTInETP>\
             2026-02-15T10:00:00+03:00</publishDTInETP></commonInfo><participantInfo>\
             <legalEntityRFInfo><fullName>ПЕРВЫЙ</fullName><INN>{B}</INN></legalEntityRFInfo>\
             </participantInfo>{application}</{kind}>"
        ))
    };
    let number = "<printFormFieldsInfo><appNumber>1</appNumber></printFormFieldsInfo>";
    for out in [
        refusal("cpNoticeDeviation", number),
        refusal("cpRefusalConcludeContract", ""),
    ] {
        let documents = [notice(&[SCHOOL]), signed(1, 1, FIRST, "90.00"), out];
        check(&documents, &format!("  : {FINISHED}"));
    }
}

#[test]
fn a_cancelled_deviation_does_not_count() {
    let cancellation = |number: &str| {
        document("epProtocolEvDevCancel", "02-20", ("O1", ""), "")
            .replace("</commonInfo>", &format!("{number}</commonInfo>"))
    };
    let of_eis = "<canceledProtocolNumber>E1</canceledProtocolNumber>";
    let of_platform = "<canceledProtocolNumberExternal>XE1</canceledProtocolNumberExternal>";
    let of_another = "<canceledProtocolNumber>E9</canceledProtocolNumber>";
    for (number, price) in [(of_eis, 90), (of_platform, 90), (of_another, 95)] {
        let documents = [
            notice(&[SCHOOL]),
            result(),
            deviation("E1", 1),
            cancellation(number),
        ];
        check(&documents, &format!("  {price}: {FINISHED}"));
    }
}

#[test]
fn a_signed_contract_names_the_winner() {
    let first = format!("ПЕРВЫЙ {B} 89: {FINISHED}");
    check(&[notice(&[SCHOOL]), signed(1, 1, FIRST, "89.00")], &first);
    let newer = [
        notice(&[SCHOOL]),
        result(),
        signed(1, 1, FIRST, "90.00"),
        signed(2, 1, FIRST, "89.00"),
    ];
    check(&newer, &first);
    let second = [
        notice(&[SCHOOL]),
        result(),
        deviation("E1", 1),
        signed(1, 2, SECOND, "95.00"),
    ];
    check(&second, &format!("ВТОРОЙ {C} 95: {FINISHED}"));
}

#[test]
fn a_cancelled_signing_names_no_winner_until_revoked() {
    let cancel = |day: u32, document: u32| {
        export(format!(
            "<cpProcedureCancel><commonInfo><number>{NUMBER}0001</number>\
             <docNumber>{NUMBER}000{document}01</docNumber>\
             <publishDTInEIS>2026-02-{day}T10:00:00+03:00</publishDTInEIS></commonInfo>\
             </cpProcedureCancel>"
        ))
    };
    let goes_on = |day: u32, document: u32| {
        export(format!(
            "<cpProcedureCancelFailure><number>{NUMBER}0001</number>\
             <canceledDocNumber>{NUMBER}000{document}01</canceledDocNumber>\
             <cancelDT>2026-02-{day}T10:00:00+03:00</cancelDT></cpProcedureCancelFailure>"
        ))
    };
    let with = |others: &[String]| {
        [
            &[notice(&[SCHOOL]), result(), signed(1, 1, FIRST, "89.00")],
            others,
        ]
        .concat()
    };
    let first = format!("ПЕРВЫЙ {B} 89: {FINISHED}");
    // The protocol does not name the participant of the best application.
    let hidden = format!("  90: {FINISHED}");
    check(&with(&[cancel(12, 1)]), &hidden);
    check(&with(&[cancel(12, 1), goes_on(13, 1)]), &first);
    check(&with(&[goes_on(13, 1), cancel(12, 1)]), &first);
    check(
        &with(&[cancel(12, 1), goes_on(13, 1), cancel(14, 2)]),
        &hidden,
    );
    check(&with(&[cancel(14, 2), goes_on(13, 1)]), &hidden);
    // The contract is signed again after the cancellation.
    check(
        &with(&[cancel(12, 1), signed(4, 1, FIRST, "89.00")]),
        &first,
    );
}

#[test]
fn the_supplier_of_the_contract_outranks_protocols() {
    let documents = [
        notice(&[SCHOOL]),
        result(),
        signed(1, 1, FIRST, "90.00"),
        contract(1, SCHOOL, SECOND, "94.00"),
    ];
    check(&documents, &format!("ВТОРОЙ {C} 94: {FINISHED}"));
}

#[test]
fn a_protocol_that_rejects_all_applications_outranks_an_older_one() {
    let none = of_applications(&[
        "<applicationInfo><commonInfo><appNumber>1</appNumber></commonInfo><admittedInfo>\
         <appNotAdmittedInfo/></admittedInfo></applicationInfo>"
            .to_owned(),
    ]);
    for numbers in [("R1", "P1"), ("R1", "P2"), ("R2", "P2")] {
        let inside = format!("<versionNumber>2</versionNumber>{none}");
        let newer = document("epProtocolEF2020Final", "01-28", numbers, &inside);
        let documents = [notice(&[SCHOOL]), result(), newer];
        check(&documents, &format!("  : {FINISHED}"));
    }
}

#[test]
fn the_price_of_a_joint_purchase_is_that_of_all_contracts() {
    let both = [SCHOOL, LIBRARY];
    let of_school = contract(1, SCHOOL, FIRST, "40.00");
    let of_library = contract(2, LIBRARY, FIRST, "49.00");
    let documents = [notice(&both), of_school.clone(), of_library.clone()];
    check(&documents, &format!("ПЕРВЫЙ {B} 89: {FINISHED}"));
    // The contract of one customer says nothing about the contract of the other.
    let documents = [notice(&both), of_school.clone()];
    check(&documents, &format!("ПЕРВЫЙ {B} : {FINISHED}"));
    let documents = [notice(&both), result(), of_school];
    check(&documents, &format!("ПЕРВЫЙ {B} 90: {FINISHED}"));
}

#[test]
fn a_deviation_in_a_joint_purchase_affects_one_contract() {
    let both = [SCHOOL, LIBRARY];
    let from = |number, (customer, _): (&str, &str)| {
        withdrawal("epProtocolDeviation", number, 1, customer)
    };
    let documents = [notice(&both), result(), from("E1", SCHOOL)];
    check(&documents, &format!("  90: {FINISHED}"));
    let documents = [
        notice(&both),
        result(),
        from("E1", SCHOOL),
        from("E2", LIBRARY),
    ];
    check(&documents, &format!("  95: {FINISHED}"));
}

#[test]
fn a_purchase_without_applications_is_finished_unless_cancelled() {
    let absence = document("epNoticeApplicationsAbsence", "01-21", ("N1", "PN1"), "");
    let documents = [notice(&[SCHOOL]), absence.clone()];
    check(&documents, &format!("  : {FINISHED}"));
    let cancelled = document("epProtocolCancel", "01-22", ("O1", ""), "").replace(
        "</commonInfo>",
        "<canceledProtocolNumber>PN1</canceledProtocolNumber></commonInfo>",
    );
    let documents = [notice(&[SCHOOL]), absence, cancelled];
    check(&documents, "  : Работа комиссии");
}

#[test]
fn a_purchase_is_suspended_until_it_resumes_or_has_a_contract() {
    let decision = |action: &str, day: &str| {
        export(format!(
            "<tenderSuspension><regNumber>1</regNumber><regDate>2026-01-{day}T10:00:00+03:00</regDate>\
             <publishDate>2026-01-{day}T11:00:00+03:00</publishDate><action>{action}</action>\
             <purchaseInfo><purchaseNumber>{NUMBER}</purchaseNumber></purchaseInfo></tenderSuspension>"
        ))
    };
    let suspended = decision("SUSPENSION", "15");
    let documents = [notice(&[SCHOOL]), suspended.clone()];
    check(&documents, "  : Закупка приостановлена");
    let documents = [
        notice(&[SCHOOL]),
        suspended.clone(),
        decision("REOPENING", "18"),
    ];
    check(&documents, "  : Работа комиссии");
    let documents = [
        notice(&[SCHOOL]),
        suspended,
        contract(1, SCHOOL, FIRST, "90.00"),
    ];
    check(&documents, &format!("ПЕРВЫЙ {B} 90: {FINISHED}"));
}

/// In earlier schemas, the document with the result (`fcsPlacementResult`) names only applications.
#[test]
fn participants_who_do_not_conclude_the_contract_have_not_won() {
    let application = |number: u32, result: &str| {
        format!(
            "<application><journalNumber>{number}</journalNumber><admitted>true</admitted>\
             <appRating>{number}</appRating><result>{result}</result></application>"
        )
    };
    let protocol = super::family::summing_up(
        "fcsProtocolEF3",
        NUMBER,
        "P1",
        "2026-01-25T10:00:00+03:00",
        &format!(
            "<protocolLot><applications>{}{}</applications></protocolLot>",
            super::family::application(1, B, "ПЕРВЫЙ"),
            super::family::application(2, C, "ВТОРОЙ")
        ),
    );
    let result = export(format!(
        "<fcsPlacementResult><id>1</id><purchaseNumber>{NUMBER}</purchaseNumber>\
         <foundationProtocolNumber>P1</foundationProtocolNumber>\
         <createDate>2026-01-30T10:00:00+03:00</createDate><applications>{}{}</applications>\
         </fcsPlacementResult>",
        application(1, "RC"),
        application(2, "CC")
    ));
    let documents = [notice(&[SCHOOL]), protocol, result];
    check(&documents, &format!("ВТОРОЙ {C} : {FINISHED}"));
}

#[test]
fn refusing_every_contract_of_a_joint_purchase_loses_it() {
    let both = [SCHOOL, LIBRARY];
    let refusal = |draft: u32| {
        export(format!(
            "<cpNoticeDeviation><commonInfo><number>{NUMBER}000{draft}</number>\
             <publishDTInETP>2026-02-05T10:00:00+03:00</publishDTInETP></commonInfo>\
             <participantInfo><legalEntityRFInfo><INN>{B}</INN></legalEntityRFInfo></participantInfo>\
             <printFormFieldsInfo><appNumber>1</appNumber></printFormFieldsInfo></cpNoticeDeviation>"
        ))
    };
    let documents = [notice(&both), result(), refusal(1)];
    check(&documents, &format!("  90: {FINISHED}"));
    let documents = [notice(&both), result(), refusal(1), refusal(2)];
    check(&documents, &format!("  95: {FINISHED}"));
}

#[test]
fn a_later_result_that_admits_nobody_removes_the_winner() {
    let nobody =
        "<protocolInfo><abandonedReason><code>EF20NV</code></abandonedReason></protocolInfo>";
    let later = document("epProtocolEF2020Final", "02-01", ("R2", "P2"), nobody);
    let documents = [notice(&[SCHOOL]), result(), later];
    check(&documents, &format!("  : {FINISHED}"));
}

#[test]
fn decisions_refer_to_earlier_ones_by_any_number() {
    let decision = |action: &str, day: &str, numbers: &str| {
        export(format!(
            "<tenderSuspension>{numbers}<regDate>2026-01-{day}T10:00:00+03:00</regDate>\
             <publishDate>2026-01-{day}T11:00:00+03:00</publishDate><action>{action}</action>\
             <tendersInfo><purchase><purchaseNumber>{NUMBER}</purchaseNumber></purchase></tendersInfo>\
             </tenderSuspension>"
        ))
    };
    let complaint = "<complaintNumber>7</complaintNumber>";
    let both = "<complaintNumber>7</complaintNumber><regNumber>1</regNumber>";
    let first = decision("SUSPENSION", "15", complaint);
    let lifted = decision("REOPENING", "18", both);
    let documents = [notice(&[SCHOOL]), first.clone(), lifted.clone()];
    check(&documents, "  : Работа комиссии");
    let again = decision("SUSPENSION", "19", both);
    let documents = [notice(&[SCHOOL]), first.clone(), lifted, again];
    check(&documents, "  : Закупка приостановлена");
    let of_another = decision("REOPENING", "18", "<regNumber>2</regNumber>");
    let documents = [notice(&[SCHOOL]), first, of_another];
    check(&documents, "  : Закупка приостановлена");
}
