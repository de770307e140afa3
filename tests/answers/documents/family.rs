//! A family of invented documents that refer to each other, modelled on real ones.

use super::*;

/// INNs of the customers, then of the suppliers.
pub const CUSTOMER: &str = "9600000030";
pub const OTHER_CUSTOMER: &str = "9600000048";
pub const B: &str = "9600000023";
pub const C: &str = "9600000055";

/// Numbers of an auction with one lot, and of its contract.
pub const AUCTION: &str = "0396000000125000001";
pub const CONTRACT: &str = "2960000003025000001";

/// Numbers of a tender with two lots, one of them cancelled, and of its contracts.
pub const TENDER: &str = "0396000000125000002";
pub const TENDER_CONTRACT: &str = "2960000003025000002";
pub const ANNULLED: &str = "2960000003025000003";

/// Number of a purchase whose cancellation was revoked. The revocation also set new dates.
pub const REVIVED: &str = "0396000000125000003";

pub const QUOTATION223: &str = "32500000001";
pub const REJECTED223: &str = "32500000002";
pub const REPAIR615: &str = "039600000012500001";

/// Returns the numbers of all purchases, contracts and entries in the family.
pub fn numbers() -> [&'static str; 11] {
    [
        AUCTION,
        CONTRACT,
        TENDER,
        TENDER_CONTRACT,
        ANNULLED,
        REVIVED,
        QUOTATION223,
        REJECTED223,
        REPAIR615,
        "РНП.1-25",
        "Р0000001",
    ]
}

pub fn ikz(customer: &str) -> String {
    format!("252{customer}96000100100010010000244")
}

pub fn export(document: String) -> String {
    format!("<ns2:export xmlns:ns2=\"e\">{document}</ns2:export>")
}

/// A version of the notice of the auction, with this initial price.
pub fn auction(version: u32, price: &str) -> String {
    let customer = format!(
        "<customerRequirementInfo><customer><regNum>03960000001</regNum><fullName>Школа</fullName></customer>\
         <applicationGuarantee><amount>10</amount><part>1</part></applicationGuarantee>\
         <contractGuarantee><amount>50.5</amount><part>5</part></contractGuarantee>\
         <contractConditionsInfo><maxPriceInfo><maxPrice>{price}</maxPrice></maxPriceInfo>\
         <IKZInfo><purchaseCode>{}</purchaseCode></IKZInfo>\
         <contractExecutionPaymentPlan><contractExecutionTermsInfo><notRelativeTermsInfo><endDate>2025-12-31+03:00</endDate>\
         </notRelativeTermsInfo></contractExecutionTermsInfo></contractExecutionPaymentPlan></contractConditionsInfo>\
         </customerRequirementInfo>",
        ikz(CUSTOMER)
    );
    export(format!(
        "<epNotificationEF2020><versionNumber>{version}</versionNumber><commonInfo><purchaseNumber>{AUCTION}</purchaseNumber>\
         <publishDTInEIS>2025-01-1{version}T10:00:00+03:00</publishDTInEIS><href>https://example.org/{version}</href>\
         <placingWay><code>EAP20</code><name>Электронный аукцион</name></placingWay><ETP><code>E</code><name>Площадка</name></ETP>\
         <purchaseObjectInfo>Парты</purchaseObjectInfo></commonInfo>\
         <purchaseResponsibleInfo><responsibleOrgInfo><regNum>03960000001</regNum><fullName>Школа</fullName><INN>{CUSTOMER}</INN>\
         <KPP>960001001</KPP></responsibleOrgInfo><responsibleRole>CU</responsibleRole></purchaseResponsibleInfo>\
         <notificationInfo><procedureInfo><collectingInfo><startDT>2025-01-11T10:00:00+03:00</startDT>\
         <endDT>2025-01-20T09:00:00+03:00</endDT></collectingInfo><biddingDate>2025-01-20+03:00</biddingDate>\
         <summarizingDate>2025-01-22+03:00</summarizingDate></procedureInfo>\
         <contractConditionsInfo><maxPriceInfo><maxPrice>{price}</maxPrice><currency><code>RUB</code></currency></maxPriceInfo>\
         </contractConditionsInfo><customerRequirementsInfo>{customer}</customerRequirementsInfo>\
         </notificationInfo></epNotificationEF2020>"
    ))
}

/// A protocol of an auction won by the first application.
pub fn summing_up(
    kind: &str,
    purchase: &str,
    number: &str,
    published: &str,
    inside: &str,
) -> String {
    export(format!(
        "<{kind}><purchaseNumber>{purchase}</purchaseNumber><protocolNumber>{number}</protocolNumber>\
         <publishDate>{published}</publishDate>{inside}</{kind}>"
    ))
}

pub fn application(number: u32, inn: &str, name: &str) -> String {
    format!(
        "<application><journalNumber>{number}</journalNumber><appParticipant><participantType>U</participantType>\
         <inn>{inn}</inn><kpp>960001001</kpp><organizationName>{name}</organizationName></appParticipant>\
         <admitted>true</admitted><appRating>{number}</appRating></application>"
    )
}

pub fn contract(
    (number, purchase, lot): (&str, &str, u32),
    version: u32,
    customer: &str,
    suppliers: &[(&str, &str)],
) -> String {
    let supplier = |(inn, name): &(&str, &str)| {
        format!(
            "<supplier><legalEntityRF><INN>{inn}</INN><KPP>960001001</KPP><fullName>{name}</fullName></legalEntityRF></supplier>"
        )
    };
    let suppliers: String = suppliers.iter().map(supplier).collect();
    export(format!(
        "<ns2:contract schemeVersion=\"11.1\"><id>{version}</id><regNum>{number}</regNum>\
         <publishDate>2025-02-0{}T12:00:00+03:00</publishDate><versionNumber>{version}</versionNumber>\
         <foundation><fcsOrder><order><notificationNumber>{purchase}</notificationNumber><lotNumber>{lot}</lotNumber></order></fcsOrder></foundation>\
         <customer><regNum>03960000001</regNum><fullName>Школа</fullName><inn>{customer}</inn></customer>\
         <signDate>2025-02-01</signDate><priceInfo><price>90{version}.5</price><priceRUR>90{version}.5</priceRUR></priceInfo>\
         <quantityContractStages>2</quantityContractStages><executionPeriod><startDate>2025-02-01</startDate><endDate>2025-12-31</endDate></executionPeriod>\
         <suppliers>{suppliers}</suppliers></ns2:contract>",
        version + 1
    ))
}

pub fn procedure(id: u32, version: u32, day: u32, inside: &str) -> String {
    export(format!(
        "<ns2:contractProcedure><id>{id}</id><regNum>{CONTRACT}</regNum><publishDate>2025-03-{day:02}T12:00:00+03:00</publishDate>\
         <versionNumber>{version}</versionNumber>{inside}</ns2:contractProcedure>"
    ))
}

pub fn execution(stage: &str, ordinal: u32, paid: &str, last: bool) -> String {
    format!(
        "<executions><stage><endDate>{stage}</endDate></stage><ordinalNumber>{ordinal}</ordinalNumber>\
         <finalStageExecution>{last}</finalStageExecution><execution><payDoc><documentNum>{ordinal}</documentNum></payDoc>\
         <currency><code>RUB</code></currency><paid>{paid}</paid><paidRUR>{paid}</paidRUR></execution></executions>"
    )
}

pub fn penalty(party: &str, number: u32, accrued: &str, paid: &str) -> String {
    format!(
        "<penalties><penaltyAccrual><contractParty>{party}</contractParty><penaltyType>F</penaltyType>\
         <penaltyDocument><documentName>Претензия</documentName><documentDate>2025-03-01</documentDate><documentNum>{number}</documentNum></penaltyDocument>\
         <currency><code>RUB</code></currency><accrualAmount>{accrued}</accrualAmount><accrualAmountRUR>{accrued}</accrualAmountRUR>\
         <payments><totalAmount>{paid}</totalAmount><totalAmountRUR>{paid}</totalAmountRUR></payments></penaltyAccrual></penalties>"
    )
}

/// Ten procedures of the auction's contract, one of them cancelled.
pub fn procedures() -> Vec<String> {
    let claim = "<bankGuaranteePayment><regNumber>G1</regNumber><docNumber>7</docNumber>\
                 <requirements><requirementsDate>2025-03-09</requirementsDate><paymentAmount>50.5</paymentAmount>\
                 <paymentAmountRUR>50.5</paymentAmountRUR></requirements>\
                 <improperExecInfo>Не поставлено</improperExecInfo></bankGuaranteePayment>";
    let termination = "<termination><paid>300.4</paid><terminationDate>2025-03-10</terminationDate>\
                       <reason><code>3</code><name>Односторонний отказ заказчика</name></reason></termination>\
                       <currentContractStage>ET</currentContractStage>";
    vec![
        procedure(101, 0, 1, &execution("2025-06-30", 1, "100.1", false)),
        // This newer version replaces the first one.
        procedure(102, 1, 2, &execution("2025-06-30", 1, "100.2", false)),
        procedure(103, 0, 3, &execution("2025-06-30", 2, "100", true)),
        procedure(104, 0, 4, &execution("2025-12-31", 1, "50.15", false)),
        // This procedure is cancelled below, together with its previous version.
        procedure(105, 7, 5, &execution("2025-12-31", 1, "9999", true)),
        procedure(106, 0, 6, &penalty("S", 1, "10.5", "0")),
        procedure(107, 1, 7, &penalty("S", 1, "10.5", "4.5")),
        procedure(108, 0, 8, &penalty("C", 2, "777", "777")),
        procedure(109, 0, 9, claim),
        procedure(110, 0, 10, termination),
        export(format!(
            "<ns2:contractProcedureCancel><cancelledProcedureId>105</cancelledProcedureId><regNum>{CONTRACT}</regNum>\
             <cancelDate>2025-04-01T00:00:00+03:00</cancelDate></ns2:contractProcedureCancel>"
        )),
    ]
}

/// A lot of the tender. Each customer has an INN, a number in the register of organisations, and
/// the guarantee that it requires.
fn lot(number: u32, price: &str, customers: &[[&str; 3]]) -> String {
    let of_customer = |[customer, code, guarantee]: &[&str; 3]| {
        format!(
            "<customerRequirement>\
             <customer><regNum>{code}</regNum><fullName>Заказчик {number}</fullName></customer><maxPrice>{price}</maxPrice>\
             <deliveryPlace>Город</deliveryPlace><deliveryTerm>до конца года</deliveryTerm>\
             <contractGuarantee><amount>{guarantee}</amount></contractGuarantee><purchaseCode>{}</purchaseCode></customerRequirement>",
            ikz(customer)
        )
    };
    let customers: String = customers.iter().map(of_customer).collect();
    format!(
        "<lot><lotNumber>{number}</lotNumber><lotObjectInfo>Лот {number}</lotObjectInfo><maxPrice>{price}</maxPrice>\
         <currency><code>RUB</code></currency><customerRequirements>{customers}</customerRequirements></lot>"
    )
}

/// The notice of the tender. Its first lot has one customer, its second lot has two.
pub fn tender() -> String {
    export(format!(
        "<fcsNotificationOK><id>1</id><purchaseNumber>{TENDER}</purchaseNumber><docPublishDate>2025-01-15T10:00:00+03:00</docPublishDate>\
         <href>https://example.org</href><purchaseObjectInfo>Ремонт</purchaseObjectInfo>\
         <purchaseResponsible><responsibleOrg><regNum>03960000009</regNum><fullName>Комитет</fullName><INN>{CUSTOMER}</INN></responsibleOrg>\
         <responsibleRole>RA</responsibleRole></purchaseResponsible><placingWay><code>OK44</code><name>Открытый конкурс</name></placingWay>\
         <procedureInfo><collecting><startDate>2025-01-15T10:00:00+03:00</startDate><endDate>2025-02-15T10:00:00+03:00</endDate></collecting></procedureInfo>\
         <lots>{}{}</lots></fcsNotificationOK>",
        lot(1, "1000.5", &[[CUSTOMER, "03960000008", "7.5"]]),
        lot(
            2,
            "2000",
            &[
                [CUSTOMER, "03960000009", "7.5"],
                [OTHER_CUSTOMER, "03960000001", "8.5"]
            ]
        )
    ))
}

/// Documents that change the price of the first lot and the responsible organisation.
pub fn changes_of_tender() -> Vec<String> {
    vec![
        cancel(
            "fcsNotificationLotChange",
            TENDER,
            "2025-01-17T10:00:00+03:00",
            &lot(1, "1111.5", &[[CUSTOMER, "03960000008", "7.5"]]),
        ),
        export(format!(
            "<fcsNotificationOrgChange><docPublishDate>2025-01-18T10:00:00+03:00</docPublishDate>\
             <purchase><purchaseNumber>{TENDER}</purchaseNumber></purchase>\
             <newRespOrg><fullName>Другой комитет</fullName><INN>{OTHER_CUSTOMER}</INN><KPP>960001001</KPP></newRespOrg></fcsNotificationOrgChange>"
        )),
    ]
}

/// Documents that declare the tender's contract void, and then revoke that.
pub fn void_and_not() -> Vec<String> {
    vec![
        export(format!(
            "<ns2:contractProcedure><id>201</id><regNum>{TENDER_CONTRACT}</regNum><publishDate>2025-02-02T12:00:00+03:00</publishDate>\
             <versionNumber>0</versionNumber><contractInvalidation><invalidationDate>2025-02-02</invalidationDate></contractInvalidation>\
             <currentContractStage>IN</currentContractStage></ns2:contractProcedure>"
        )),
        export(format!(
            "<ns2:contractProcedureCancel><cancelledProcedureId>201</cancelledProcedureId><regNum>{TENDER_CONTRACT}</regNum>\
             <cancelDate>2025-02-03T00:00:00+03:00</cancelDate></ns2:contractProcedureCancel>"
        )),
    ]
}

pub fn revived() -> String {
    export(format!(
        "<fcsNotificationEF><id>1</id><purchaseNumber>{REVIVED}</purchaseNumber><docPublishDate>2025-01-15T10:00:00+03:00</docPublishDate>\
         <purchaseObjectInfo>Мел</purchaseObjectInfo><placingWay><code>EAP44</code><name>Электронный аукцион</name></placingWay>\
         <procedureInfo><collecting><startDate>2025-01-15T10:00:00+03:00</startDate><endDate>2025-02-15T10:00:00+03:00</endDate></collecting>\
         <scoring><date>2025-02-17T00:00:00+03:00</date></scoring><bidding><date>2025-02-20T00:00:00+03:00</date></bidding></procedureInfo>\
         <lot><maxPrice>500</maxPrice><currency><code>RUB</code></currency><customerRequirements><customerRequirement>\
         <customer><regNum>03960000001</regNum><fullName>Школа</fullName></customer></customerRequirement></customerRequirements></lot></fcsNotificationEF>"
    ))
}

pub fn cancel(kind: &str, purchase: &str, published: &str, inside: &str) -> String {
    export(format!(
        "<{kind}><purchaseNumber>{purchase}</purchaseNumber><docNumber>1</docNumber><docPublishDate>{published}</docPublishDate>{inside}</{kind}>"
    ))
}

pub fn under_223(kind: &str, data: &str) -> String {
    format!(
        "<ns2:{kind} xmlns:ns2=\"p\"><header><guid>h</guid></header><ns2:body><ns2:item><guid>i</guid><ns2:{kind}Data>{data}</ns2:{kind}Data></ns2:item></ns2:body></ns2:{kind}>"
    )
}

pub fn notice223(number: &str, version: u32) -> String {
    under_223(
        "purchaseNoticeZK",
        &format!(
            "<guid>g</guid><registrationNumber>{number}</registrationNumber><name>Бумага {version}</name>\
             <publicationDateTime>2025-01-1{version}T10:00:00</publicationDateTime><status>P</status><version>{version}</version>\
             <purchaseCodeName>Запрос котировок</purchaseCodeName><submissionCloseDateTime>2025-06-20T10:00:00</submissionCloseDateTime>\
             <lots><lot><guid>l</guid><ordinalNumber>1</ordinalNumber><lotData><subject>Бумага</subject><currency><code>RUB</code></currency>\
             <initialSum>10.5</initialSum></lotData></lot></lots>"
        ),
    )
}

pub fn repairs() -> Vec<String> {
    let common = |number: &str, day: &str| {
        format!(
            "<commonInfo><purchaseNumber>{REPAIR615}</purchaseNumber><docNumber>{number}</docNumber>\
             <docPublishDate>2025-02-{day}T10:00:00+03:00</docPublishDate><docDate>2025-02-{day}</docDate></commonInfo>"
        )
    };
    let application = |rating: u32, name: &str, inn: &str, price: &str| {
        format!(
            "<application><appNumber>{rating}</appNumber><appParticipantInfo><legalEntityRFInfo><fullName>{name}</fullName>\
             <INN>{inn}</INN><KPP>960001001</KPP></legalEntityRFInfo></appParticipantInfo><appRating>{rating}</appRating>\
             <lastOffer><price>{price}</price></lastOffer></application>"
        )
    };
    vec![
        export(format!(
            "<pprf615NotificationEF><commonInfo><purchaseNumber>{REPAIR615}</purchaseNumber>\
             <docPublishDate>2025-02-01T10:00:00+03:00</docPublishDate><href>https://example.org</href><purchaseObjectInfo>Крыша</purchaseObjectInfo></commonInfo>\
             <placingWayInfo><code>E</code><name>Аукцион</name></placingWayInfo>\
             <notificationInfo><contractCondition><maxPriceInfo><maxPrice>100</maxPrice></maxPriceInfo></contractCondition></notificationInfo>\
             </pprf615NotificationEF>"
        )),
        export(format!(
            "<pprf615ProtocolEF2>{}<protocolInfo><applications>{}{}</applications></protocolInfo></pprf615ProtocolEF2>",
            common("11", "10"),
            application(1, "Кровля", A, "80.5"),
            application(2, "Вторая", B, "90"),
        )),
        export(format!(
            "<pprf615Contract><commonInfo><regNum>039600000012500077</regNum><publishDate>2025-03-01T10:00:00+03:00</publishDate></commonInfo>\
             <purchaseEFInfo><publishedInEISEFInfo><purchaseInfo><purchaseNumber>{REPAIR615}</purchaseNumber></purchaseInfo></publishedInEISEFInfo></purchaseEFInfo>\
             </pprf615Contract>"
        )),
    ]
}

/// Entries of the registry, with exclusions.
pub fn entries() -> Vec<String> {
    vec![
        export(format!(
            "<unfairSupplier2022><commonInfo><regNumber>РНП.1-25</regNumber><firstVersionPublishDT>2025-01-10T10:00:00+03:00</firstVersionPublishDT>\
             <publishDT>2025-01-10T10:00:00+03:00</publishDT></commonInfo><unfairSupplierInfo><legalEntityRFInfo><INN>{C}</INN>\
             <fullName>Третья</fullName></legalEntityRFInfo></unfairSupplierInfo></unfairSupplier2022>"
        )),
        export(
            "<unfairSupplier2022Exclude><unfairSupplier2022ForExcludeInfo><regNumber>РНП.1-25</regNumber>\
             </unfairSupplier2022ForExcludeInfo><commonInfo><excludeDT>2025-05-01T00:00:00+03:00</excludeDT></commonInfo>\
             </unfairSupplier2022Exclude>"
                .to_owned(),
        ),
        under_223(
            "dishonestSupplier",
            &format!(
                "<registrationNumber>Р0000001</registrationNumber><publicationDateTime>2025-01-05T00:00:00</publicationDateTime><version>1</version>\
                 <commonApplicationInfo><includeReason>WD</includeReason><supplier><inn>{C}</inn><name>Третья</name></supplier></commonApplicationInfo>"
            ),
        ),
    ]
}

/// All documents: three purchases under 44-FZ with their outcomes, two under 223-FZ, one under
/// PP-615, and three entries.
pub fn family() -> Vec<String> {
    let applications = |applications: &str| {
        format!("<protocolLot><applications>{applications}</applications></protocolLot>")
    };
    let offer = "<application><journalNumber>1</journalNumber><priceOffers><lastOffer><price>880.25</price></lastOffer></priceOffers></application>";
    let winner = applications(&(application(1, B, "Вторая") + &application(2, A, "Первая")));
    let loser = applications(&application(1, C, "Третья"));
    let lot = |number: u32, inside: &str| {
        format!(
            "<protocolLot><lotNumber>{number}</lotNumber><applications>{inside}</applications></protocolLot>"
        )
    };
    let both = [(A, "Первая"), (B, "Вторая")];
    let of_auction = (CONTRACT, AUCTION, 1);
    let mut all = vec![
        auction(1, "1000"),
        auction(2, "999.9"),
        summing_up(
            "fcsProtocolEF2",
            AUCTION,
            "A-2",
            "2025-01-20T12:00:00+03:00",
            &applications(offer),
        ),
        summing_up(
            "fcsProtocolEF3",
            AUCTION,
            "A-3",
            "2025-01-22T12:00:00+03:00",
            &winner,
        ),
        // This protocol is newer, but cancelled.
        summing_up(
            "fcsProtocolEF3",
            AUCTION,
            "A-4",
            "2025-01-25T12:00:00+03:00",
            &loser,
        ),
        cancel(
            "fcsProtocolCancel",
            AUCTION,
            "2025-01-26T12:00:00+03:00",
            "<protocolNumber>A-4</protocolNumber>",
        ),
        contract(of_auction, 0, CUSTOMER, &both),
        contract(of_auction, 1, CUSTOMER, &[(C, "Третья")]),
        contract(of_auction, 2, CUSTOMER, &both),
        tender(),
        cancel(
            "fcsNotificationLotCancel",
            TENDER,
            "2025-01-20T10:00:00+03:00",
            "<lot><lotNumber>2</lotNumber></lot>",
        ),
        summing_up(
            "fcsProtocolOK2",
            TENDER,
            "T-2",
            "2025-02-16T12:00:00+03:00",
            &{
                let lots = lot(1, &application(1, C, "Третья"));
                format!("<protocolLots>{lots}</protocolLots>")
            },
        ),
        contract((TENDER_CONTRACT, TENDER, 1), 0, CUSTOMER, &[(C, "Третья")]),
        contract((ANNULLED, TENDER, 2), 0, OTHER_CUSTOMER, &[(C, "Третья")]),
        export(format!(
            "<ns2:contractCancel><regNum>{ANNULLED}</regNum><cancelDate>2025-03-01T00:00:00+03:00</cancelDate>\
             <currentContractStage>IN</currentContractStage></ns2:contractCancel>"
        )),
        revived(),
        cancel(
            "fcsNotificationCancel",
            REVIVED,
            "2025-01-16T10:00:00+03:00",
            "",
        ),
        cancel(
            "fcsNotificationCancelFailure",
            REVIVED,
            "2025-01-17T10:00:00+03:00",
            "",
        ),
        cancel(
            "fcs_notificationEFDateChange",
            REVIVED,
            "2025-01-18T10:00:00+03:00",
            "<newAuctionDate>2025-02-27T10:00:00+03:00</newAuctionDate>",
        ),
        notice223(QUOTATION223, 1),
        notice223(QUOTATION223, 2),
        under_223(
            "contract",
            &format!(
                "<guid>c</guid><contractRegNumber>59600000030250000010000</contractRegNumber><registrationNumber>59600000030250000010001</registrationNumber><status>P</status>\
                 <purchaseNoticeInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseNoticeInfo>"
            ),
        ),
        notice223(REJECTED223, 1),
        under_223(
            "purchaseRejection",
            &format!(
                "<guid>r</guid><cancelNoticeRegistrationNumber>{REJECTED223}</cancelNoticeRegistrationNumber>"
            ),
        ),
    ];
    all.extend(changes_of_tender());
    all.extend(void_and_not());
    all.extend(procedures());
    all.extend(repairs());
    all.extend(entries());
    all
}
