//! What is wrong with documents of every family, and where.

use super::testing::problem_at;

/// Documents with `^` before the name of the element at fault, and what is said of it.
const PROBLEMS: &[(&str, &str)] = &[
    // 44-FZ: contracts and their procedures.
    (
        "<^contractProcedure><id>1</id></contractProcedure>",
        "contractProcedure: regNum: is missing",
    ),
    (
        "<contractCancel><^regNum>12</regNum></contractCancel>",
        "contractCancel 12: regNum: not 19 digits: \"12\"",
    ),
    (
        "<contractProcedure><regNum>0378100003211000006</regNum><executions><execution/>\
         <execution><^paidRUR>x</paidRUR></execution></executions></contractProcedure>",
        "contractProcedure 0378100003211000006: paidRUR: not a decimal number of up to 28 digits: \"x\"",
    ),
    (
        "<contractProcedure><regNum>0378100003211000006</regNum>\n\
         <penalties><penaltyAccrual><^accrualAmount>-</accrualAmount></penaltyAccrual></penalties></contractProcedure>",
        "contractProcedure 0378100003211000006: accrualAmount: not a decimal number of up to 28 digits: \"-\"",
    ),
    (
        "<contractProcedure><regNum>0378100003211000006</regNum><^versionNumber>1.5</versionNumber></contractProcedure>",
        "contractProcedure 0378100003211000006: versionNumber: not a whole number: \"1.5\"",
    ),
    (
        "<^contractProcedureCancel><regNum>0378100003211000006</regNum></contractProcedureCancel>",
        "contractProcedureCancel 0378100003211000006: cancelledProcedureId: is missing",
    ),
    // 44-FZ: notices.
    (
        "<^fcsNotificationZK></fcsNotificationZK>",
        "fcsNotificationZK: purchaseNumber: is missing",
    ),
    (
        "<fcsNotificationZK><^purchaseNumber>31500000001</purchaseNumber></fcsNotificationZK>",
        "fcsNotificationZK 31500000001: purchaseNumber: not a number of 44-FZ, of 19 digits: \"31500000001\"",
    ),
    (
        "<fcsNotificationZK><purchaseNumber>0173200000116000001</purchaseNumber><^docPublishDate>вчера</docPublishDate></fcsNotificationZK>",
        "fcsNotificationZK 0173200000116000001: docPublishDate: not a date and time: \"вчера\"",
    ),
    (
        "<fcsNotificationZK><purchaseNumber>0173200000116000001</purchaseNumber>\n\
         <procedureInfo><opening><^date>13:00</date></opening></procedureInfo></fcsNotificationZK>",
        "fcsNotificationZK 0173200000116000001: date: not a date and time: \"13:00\"",
    ),
    (
        "<fcsNotificationZK><purchaseNumber>0173200000116000001</purchaseNumber><lot><^quantityUndefined>да</quantityUndefined></lot></fcsNotificationZK>",
        "fcsNotificationZK 0173200000116000001: quantityUndefined: not true or false: \"да\"",
    ),
    (
        "<fcsNotificationOK><purchaseNumber>0173200000116000001</purchaseNumber><lots><lot/><lot><^lotNumber>II</lotNumber></lot></lots></fcsNotificationOK>",
        "fcsNotificationOK 0173200000116000001: lotNumber: not a whole number from 0 on: \"II\"",
    ),
    (
        "<^fcsNotificationLotCancel><purchaseNumber>0173200000116000001</purchaseNumber></fcsNotificationLotCancel>",
        "fcsNotificationLotCancel 0173200000116000001: lot/lotNumber: is missing",
    ),
    // 44-FZ: protocols.
    (
        "<fcsProtocolEF3><purchaseNumber>0173200001425001720</purchaseNumber><protocolLot><applications>\n\
         <application/><application><^winnerPrice>x</winnerPrice></application></applications></protocolLot></fcsProtocolEF3>",
        "fcsProtocolEF3 0173200001425001720: winnerPrice: not a decimal number of up to 28 digits: \"x\"",
    ),
    (
        "<fcsProtocolEF3><purchaseNumber>0173200001425001720</purchaseNumber><protocolLot>\
         <application><^appRating>first</appRating></application></protocolLot></fcsProtocolEF3>",
        "fcsProtocolEF3 0173200001425001720: appRating: not a whole number: \"first\"",
    ),
    (
        "<^fcsProtocolCancel><purchaseNumber>0173200001425001720</purchaseNumber></fcsProtocolCancel>",
        "fcsProtocolCancel 0173200001425001720: protocolNumber: is missing",
    ),
    // 223-FZ.
    (
        "<purchaseNotice><body><item><^purchaseNoticeData/></item></body></purchaseNotice>",
        "purchaseNotice: registrationNumber: is missing",
    ),
    (
        "<purchaseNotice><^registrationNumber>0173200001425001720</registrationNumber></purchaseNotice>",
        "purchaseNotice 0173200001425001720: registrationNumber: not a number of 223-FZ, of 11 digits, the first a 3: \"0173200001425001720\"",
    ),
    (
        "<purchaseNotice><registrationNumber>32100000001</registrationNumber><placingProcedure><^summingupDateTime>x</summingupDateTime></placingProcedure></purchaseNotice>",
        "purchaseNotice 32100000001: summingupDateTime: not a date: \"x\"",
    ),
    (
        "<purchaseNotice><registrationNumber>32100000001</registrationNumber><extendFields><noticeExtendField><extendField>\
         <integrCode>purchaseDateTime</integrCode><value><^date>x</date></value></extendField></noticeExtendField></extendFields></purchaseNotice>",
        "purchaseNotice 32100000001: date: not a date: \"x\"",
    ),
    (
        "<purchaseNotice><registrationNumber>32100000001</registrationNumber><lots><lot/><lot><lotData><^initialSum>x</initialSum></lotData></lot></lots></purchaseNotice>",
        "purchaseNotice 32100000001: initialSum: not a decimal number of up to 28 digits: \"x\"",
    ),
    (
        "<purchaseNotice><registrationNumber>32100000001</registrationNumber><lots><lot><^cancelled>x</cancelled></lot></lots></purchaseNotice>",
        "purchaseNotice 32100000001: cancelled: not true or false: \"x\"",
    ),
    // PP-615.
    (
        "<pprf615ProtocolEF2><commonInfo><^purchaseNumber>31400935277</purchaseNumber></commonInfo></pprf615ProtocolEF2>",
        "pprf615ProtocolEF2 31400935277: purchaseNumber: not a number of PP-615, of 18 digits: \"31400935277\"",
    ),
    (
        "<^pprf615ProtocolEF2><commonInfo><purchaseNumber>020000000012100001</purchaseNumber></commonInfo></pprf615ProtocolEF2>",
        "pprf615ProtocolEF2 020000000012100001: docNumberExternal: is missing",
    ),
    (
        "<^pprf615ProtocolCancel><commonInfo><purchaseNumber>020000000012100001</purchaseNumber></commonInfo></pprf615ProtocolCancel>",
        "pprf615ProtocolCancel 020000000012100001: canceledProtocolNumber: is missing",
    ),
    (
        "<^pprf615Contract><commonInfo/></pprf615Contract>",
        "pprf615Contract: regNum: is missing",
    ),
    // The registry of unfair suppliers. An entry that names nobody could not be found.
    (
        "<^unfairSupplier/>",
        "unfairSupplier: registryNum: is missing",
    ),
    (
        "<^unfairSupplier><registryNum>1</registryNum></unfairSupplier>",
        "unfairSupplier 1: unfairSupplierInfo/…/INN: is missing",
    ),
    (
        "<^unfairSupplier2022><commonInfo><regNumber>1</regNumber></commonInfo>\
         <unfairSupplierInfo><foreignOrgInfo><INN>AB1</INN></foreignOrgInfo></unfairSupplierInfo></unfairSupplier2022>",
        "unfairSupplier2022 1: unfairSupplierInfo/…/INN: not an INN of 10 or 12 digits: \"AB1\"",
    ),
    // Founders are not whom the entry is about.
    (
        "<^unfairSupplier2022><commonInfo><regNumber>1</regNumber></commonInfo><unfairSupplierInfo><founders><INN>770000000012</INN></founders>\
         <foundersInfo><INN>770000000012</INN></foundersInfo></unfairSupplierInfo></unfairSupplier2022>",
        "unfairSupplier2022 1: unfairSupplierInfo/…/INN: is missing",
    ),
    (
        "<dishonestSupplier><body><item><^dishonestSupplierData><registrationNumber>Р1</registrationNumber>\
         <commonApplicationInfo><supplier><name>А</name></supplier></commonApplicationInfo></dishonestSupplierData></item></body></dishonestSupplier>",
        "dishonestSupplier Р1: commonApplicationInfo/supplier/inn: is missing",
    ),
    (
        "<unfairSupplier><registryNum>1</registryNum><^approveDate>x</approveDate></unfairSupplier>",
        "unfairSupplier 1: approveDate: not a date: \"x\"",
    ),
];

#[test]
fn a_problem_names_the_element_its_place_and_what_it_should_be() {
    for (document, expected) in PROBLEMS {
        assert_eq!(problem_at(document), *expected);
    }
}
