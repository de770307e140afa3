//! Documents that belong together: what they come to, in whatever order they come.

use super::*;

/// Customers and suppliers.
const CUSTOMER: &str = "9600000030";
const OTHER_CUSTOMER: &str = "9600000048";
const B: &str = "9600000023";
const C: &str = "9600000055";

/// An auction with one lot, and its contract.
const AUCTION: &str = "0396000000125000001";
const CONTRACT: &str = "2960000003025000001";

/// A tender with two lots, of which one was cancelled, and its contract.
const TENDER: &str = "0396000000125000002";
const TENDER_CONTRACT: &str = "2960000003025000002";
const ANNULLED: &str = "2960000003025000003";

/// One that was cancelled, and its cancellation revoked; with new dates.
const REVIVED: &str = "0396000000125000003";

const QUOTATION223: &str = "32500000001";
const REJECTED223: &str = "32500000002";
const REPAIR615: &str = "039600000012500001";

/// The identification code of a purchase of the customer.
fn ikz(customer: &str) -> String {
    format!("252{customer}96000100100010010000244")
}

fn export(document: String) -> String {
    format!("<ns2:export xmlns:ns2=\"e\">{document}</ns2:export>")
}

/// The notice of the auction; the second version asks for another price.
fn auction(version: u32, price: &str) -> String {
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

/// A protocol of an auction. Its winner is the first application.
fn summing_up(kind: &str, purchase: &str, number: &str, published: &str, inside: &str) -> String {
    export(format!(
        "<{kind}><purchaseNumber>{purchase}</purchaseNumber><protocolNumber>{number}</protocolNumber>\
         <publishDate>{published}</publishDate>{inside}</{kind}>"
    ))
}

fn application(number: u32, inn: &str, name: &str) -> String {
    format!(
        "<application><journalNumber>{number}</journalNumber><appParticipant><participantType>U</participantType>\
         <inn>{inn}</inn><kpp>960001001</kpp><organizationName>{name}</organizationName></appParticipant>\
         <admitted>true</admitted><appRating>{number}</appRating></application>"
    )
}

/// A version of a contract with these suppliers.
fn contract(
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

fn procedure(id: u32, version: u32, day: u32, inside: &str) -> String {
    export(format!(
        "<ns2:contractProcedure><id>{id}</id><regNum>{CONTRACT}</regNum><publishDate>2025-03-{day:02}T12:00:00+03:00</publishDate>\
         <versionNumber>{version}</versionNumber>{inside}</ns2:contractProcedure>"
    ))
}

fn execution(stage: &str, ordinal: u32, paid: &str, last: bool) -> String {
    format!(
        "<executions><stage><endDate>{stage}</endDate></stage><ordinalNumber>{ordinal}</ordinalNumber>\
         <finalStageExecution>{last}</finalStageExecution><execution><payDoc><documentNum>{ordinal}</documentNum></payDoc>\
         <currency><code>RUB</code></currency><paid>{paid}</paid><paidRUR>{paid}</paidRUR></execution></executions>"
    )
}

fn penalty(party: &str, number: u32, accrued: &str, paid: &str) -> String {
    format!(
        "<penalties><penaltyAccrual><contractParty>{party}</contractParty><penaltyType>F</penaltyType>\
         <penaltyDocument><documentName>Претензия</documentName><documentDate>2025-03-01</documentDate><documentNum>{number}</documentNum></penaltyDocument>\
         <currency><code>RUB</code></currency><accrualAmount>{accrued}</accrualAmount><accrualAmountRUR>{accrued}</accrualAmountRUR>\
         <payments><totalAmount>{paid}</totalAmount><totalAmountRUR>{paid}</totalAmountRUR></payments></penaltyAccrual></penalties>"
    )
}

/// What happened to the contract: ten procedures, one of them cancelled.
fn procedures() -> Vec<String> {
    let claim = "<bankGuaranteePayment><regNumber>G1</regNumber><docNumber>7</docNumber>\
                 <requirements><requirementsDate>2025-03-09</requirementsDate><paymentAmount>50.5</paymentAmount>\
                 <paymentAmountRUR>50.5</paymentAmountRUR></requirements>\
                 <improperExecInfo>Не поставлено</improperExecInfo></bankGuaranteePayment>";
    let termination = "<termination><paid>300.4</paid><terminationDate>2025-03-10</terminationDate>\
                       <reason><code>3</code><name>Односторонний отказ заказчика</name></reason></termination>\
                       <currentContractStage>ET</currentContractStage>";
    vec![
        procedure(101, 0, 1, &execution("2025-06-30", 1, "100.1", false)),
        // A newer version of the same: it counts in its place.
        procedure(102, 1, 2, &execution("2025-06-30", 1, "100.2", false)),
        procedure(103, 0, 3, &execution("2025-06-30", 2, "100", true)),
        procedure(104, 0, 4, &execution("2025-12-31", 1, "50.15", false)),
        // Cancelled below: the version before it counts again.
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

/// The notice of a tender, with two lots of a customer each.
fn tender() -> String {
    let lot = |number: u32, price: &str, customer: &str| {
        format!(
            "<lot><lotNumber>{number}</lotNumber><lotObjectInfo>Лот {number}</lotObjectInfo><maxPrice>{price}</maxPrice>\
             <currency><code>RUB</code></currency><customerRequirements><customerRequirement>\
             <customer><regNum>0396000000{number}</regNum><fullName>Заказчик {number}</fullName></customer><maxPrice>{price}</maxPrice>\
             <deliveryPlace>Город</deliveryPlace><deliveryTerm>до конца года</deliveryTerm>\
             <contractGuarantee><amount>7.5</amount></contractGuarantee><purchaseCode>{}</purchaseCode></customerRequirement></customerRequirements></lot>",
            ikz(customer)
        )
    };
    export(format!(
        "<fcsNotificationOK><id>1</id><purchaseNumber>{TENDER}</purchaseNumber><docPublishDate>2025-01-15T10:00:00+03:00</docPublishDate>\
         <href>https://example.org</href><purchaseObjectInfo>Ремонт</purchaseObjectInfo>\
         <purchaseResponsible><responsibleOrg><regNum>03960000009</regNum><fullName>Комитет</fullName><INN>{CUSTOMER}</INN></responsibleOrg>\
         <responsibleRole>RA</responsibleRole></purchaseResponsible><placingWay><code>OK44</code><name>Открытый конкурс</name></placingWay>\
         <procedureInfo><collecting><startDate>2025-01-15T10:00:00+03:00</startDate><endDate>2025-02-15T10:00:00+03:00</endDate></collecting></procedureInfo>\
         <lots>{}{}</lots></fcsNotificationOK>",
        lot(1, "1000.5", CUSTOMER),
        lot(2, "2000", OTHER_CUSTOMER)
    ))
}

/// The notice of the auction that was revived.
fn revived() -> String {
    export(format!(
        "<fcsNotificationEF><id>1</id><purchaseNumber>{REVIVED}</purchaseNumber><docPublishDate>2025-01-15T10:00:00+03:00</docPublishDate>\
         <purchaseObjectInfo>Мел</purchaseObjectInfo><placingWay><code>EAP44</code><name>Электронный аукцион</name></placingWay>\
         <procedureInfo><collecting><startDate>2025-01-15T10:00:00+03:00</startDate><endDate>2025-02-15T10:00:00+03:00</endDate></collecting>\
         <scoring><date>2025-02-17T00:00:00+03:00</date></scoring><bidding><date>2025-02-20T00:00:00+03:00</date></bidding></procedureInfo>\
         <lot><maxPrice>500</maxPrice><currency><code>RUB</code></currency><customerRequirements><customerRequirement>\
         <customer><regNum>03960000001</regNum><fullName>Школа</fullName></customer></customerRequirement></customerRequirements></lot></fcsNotificationEF>"
    ))
}

fn cancel(kind: &str, purchase: &str, published: &str, inside: &str) -> String {
    export(format!(
        "<{kind}><purchaseNumber>{purchase}</purchaseNumber><docNumber>1</docNumber><docPublishDate>{published}</docPublishDate>{inside}</{kind}>"
    ))
}

/// A document under 223-FZ.
fn under_223(kind: &str, data: &str) -> String {
    format!(
        "<ns2:{kind} xmlns:ns2=\"p\"><header><guid>h</guid></header><ns2:body><ns2:item><guid>i</guid><ns2:{kind}Data>{data}</ns2:{kind}Data></ns2:item></ns2:body></ns2:{kind}>"
    )
}

fn notice223(number: &str, version: u32) -> String {
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

/// Documents under PP-615.
fn repairs() -> Vec<String> {
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
fn entries() -> Vec<String> {
    vec![
        export(format!(
            "<unfairSupplier2022><commonInfo><regNumber>РНП.1-25</regNumber><firstVersionPublishDT>2025-01-10T10:00:00+03:00</firstVersionPublishDT>\
             <publishDT>2025-01-10T10:00:00+03:00</publishDT></commonInfo><unfairSupplierInfo><legalEntityRFInfo><INN>{C}</INN>\
             <fullName>Третья</fullName></legalEntityRFInfo></unfairSupplierInfo></unfairSupplier2022>"
        )),
        export(
            "<unfairSupplier2022Exclude><commonInfo><regNumber>РНП.1-25</regNumber></commonInfo>\
             <excludeInfo><excludeDate>2025-05-01</excludeDate></excludeInfo></unfairSupplier2022Exclude>"
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

/// All of them, about three purchases under 44-FZ with what came of them, two under
/// 223-FZ, one under PP-615, and three entries.
fn family() -> Vec<String> {
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
        // Newer, but cancelled.
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
                "<guid>c</guid><contractRegNumber>59600000030250000010000</contractRegNumber><status>P</status>\
                 <purchaseNoticeInfo><purchaseNoticeNumber>{QUOTATION223}</purchaseNoticeNumber></purchaseNoticeInfo>"
            ),
        ),
        notice223(REJECTED223, 1),
        under_223(
            "purchaseRejection",
            &format!(
                "<guid>r</guid><purchaseInfo><purchaseNoticeNumber>{REJECTED223}</purchaseNoticeNumber></purchaseInfo>"
            ),
        ),
    ];
    all.extend(procedures());
    all.extend(repairs());
    all.extend(entries());
    all
}

/// The answers about all of them on two days, in both formats.
fn all_answers(folder: &Folder) -> Vec<String> {
    let mut all = Vec::new();
    for day in ["2025-04-15", "2025-12-01"] {
        let mut answers = folder.answers_on(day);
        for format in ["xml", "json"] {
            for inn in [A, B, C] {
                for endpoint in [Endpoint::Contracts, Endpoint::RnpCheck] {
                    all.push(answers.body(endpoint, &[("supplierINN", inn), ("format", format)]));
                }
            }
            for number in [AUCTION, TENDER, REVIVED] {
                let parameters = [("purchaseNumber", number), ("format", format)];
                all.push(answers.body(Endpoint::Purchase44, &parameters));
            }
            for number in [QUOTATION223, REJECTED223, REPAIR615] {
                let parameters = [("purchaseNumber", number), ("format", format)];
                all.push(answers.body(Endpoint::Purchase223, &parameters));
            }
        }
    }
    all
}

fn import_all(documents: &[String]) -> Folder {
    let folder = Folder::new();
    take_all(&folder, documents);
    folder
}

/// Imports documents, each a file of its own, in this order.
fn take_all(folder: &Folder, documents: &[String]) {
    let inner = tempfile::tempdir_in(folder.0.path()).expect("a folder");
    for (index, document) in documents.iter().enumerate() {
        let path = inner.path().join(format!("{index:03}.xml"));
        fs::write(path, document).expect("the file is written");
    }
    let (summary, problems) = folder.import_paths(&[inner.path().to_owned()], false);
    assert_eq!(problems, [""; 0]);
    assert_eq!(summary.counted.passed_over, BTreeMap::new());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_any_split_and_anything_twice_gives_the_same_answers(
        order in Just((0..family().len()).collect::<Vec<_>>()).prop_shuffle(),
        cuts in prop::collection::vec(prop::bool::weighted(0.2), family().len()),
        twice in prop::collection::vec(0..family().len(), 0..8),
    ) {
        let family = family();
        let expected = all_answers(&import_all(&family));
        let folder = Folder::new();
        let mut together = Vec::new();
        let cuts = cuts.into_iter().chain(std::iter::repeat(false));
        for (index, cut) in order.into_iter().chain(twice).zip(cuts) {
            together.push(family[index].clone());
            if cut {
                take_all(&folder, &std::mem::take(&mut together));
            }
        }
        take_all(&folder, &together);
        let answers = all_answers(&folder);
        for (answer, expected) in answers.iter().zip(&expected) {
            prop_assert_eq!(answer, expected);
        }
    }
}

/// The answers have all of these in them.
fn check(answers: &[String], expected: &[&str]) {
    for answer in answers {
        for part in expected {
            assert!(answer.contains(part), "{part} in {answer}");
        }
    }
}

#[test]
fn a_contract_is_what_its_documents_add_up_to() {
    let folder = import_all(&family());
    let mut answers = folder.answers_on("2025-04-15");
    // Under each of the suppliers of its newest version.
    let pages = [A, B].map(|inn| answers.json(Endpoint::Contracts, inn));
    check(
        &pages,
        &[
            r#""totalcount":1,"#,
            r#""purchaseCode":"252960000003096000100100010010000244","purchaseObjectInfo":"Парты","notificationPrice":999.9,"deliveryTerm":"2025-12-31+03:00","#,
            r#""contractPrice":902.5,"signDate":"2025-02-01","#,
            // 100.2 + 100 + 50.15 was paid in procedures; the termination knows of more.
            r#""contractStage":"ET","fulfilmentSum":null,"paid":{"total":300.4},"#,
            r#""penaltiesTotal":10.5,"penaltiesPayments":4.5,"ContractStages":2,"updateDate":"2025-04-01","#,
            r#""purchaseContractGuarantee":50.5,"#,
            r#""terminationBoth":false,"terminationSupplier":false,"terminationCostomer":true,"terminationJudge":false,"terminationCourt":false,"#,
            r#""bankGuaranteePayments":[{"paymentAmountRUR":50.5,"publishDate":"2025-03-09","requirementsDate":"2025-03-09","improperExecInfo":"Не поставлено"}]"#,
        ],
    );
    // By lot, and with the day of its annulment.
    let page = answers.page(C);
    let of = |field: &str| {
        page.contracts
            .iter()
            .map(|one| one[field].get())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of("regNum"),
        [ANNULLED, TENDER_CONTRACT].map(|number| format!("\"{number}\""))
    );
    assert_eq!(of("notificationPrice"), ["2000", "1000.5"]);
    assert_eq!(of("contractStage"), ["\"IN\"", "\"E\""]);
    assert_eq!(of("updateDate"), ["\"2025-03-01\"", "\"2025-02-01\""]);
    assert_eq!(of("deliveryTerm"), ["\"до конца года\""; 2]);
}

#[test]
fn a_contract_is_paid_and_completed_as_its_procedures_say() {
    let paid = |procedures: &[usize]| {
        let documents = self::procedures();
        let mut chosen: Vec<String> = procedures
            .iter()
            .map(|index| documents[*index].clone())
            .collect();
        chosen.push(contract(
            (CONTRACT, AUCTION, 1),
            0,
            CUSTOMER,
            &[(A, "Первая")],
        ));
        let mut answers = import_all(&chosen).answers();
        ["paid", "contractStage", "updateDate"].map(|field| answers.of_contract(A, field))
    };
    assert_eq!(paid(&[]), ["{\"total\":null}", "\"E\"", "\"2025-02-01\""]);
    assert_eq!(paid(&[0]), ["{\"total\":100.1}", "\"E\"", "\"2025-03-01\""]);
    // Another version of the same counts in its place; the first stage is done.
    assert_eq!(
        paid(&[0, 1, 2]),
        ["{\"total\":200.2}", "\"E\"", "\"2025-03-03\""]
    );
    // The second stage is done too.
    assert_eq!(
        paid(&[1, 2, 4]),
        ["{\"total\":10199.2}", "\"EC\"", "\"2025-03-05\""]
    );
    // That was cancelled, and what it replaced counts again.
    assert_eq!(
        paid(&[1, 2, 3, 4, 10]),
        ["{\"total\":250.35}", "\"E\"", "\"2025-04-01\""]
    );
    // A termination: what it says was paid, as that is more; without it, the sum.
    assert_eq!(
        paid(&[0, 9]),
        ["{\"total\":300.4}", "\"ET\"", "\"2025-03-10\""]
    );
    assert_eq!(paid(&[1, 2, 3, 4, 9])[0], "{\"total\":10199.2}");
}

#[test]
fn a_card_is_what_its_documents_add_up_to() {
    let folder = import_all(&family());
    let mut answers = folder.answers_on("2025-04-15");
    let mut card = |number: &str| answers.body(Endpoint::Purchase44, &[("purchaseNumber", number)]);
    check(
        &[card(AUCTION)],
        &[
            "<docPublishDate>12.01.2025</docPublishDate><href>https://example.org/2</href>",
            "<stage>Закупка завершена</stage><fullNMCK>999.9</fullNMCK>",
            "<winner><name>Вторая</name><inn>9600000023</inn><kpp>960001001</kpp><price>880.25</price></winner>",
            "<inn>9600000030</inn><kpp>960001001</kpp><ogrn/>",
            "<contract><regNum>2960000003025000001</regNum><price>902.5</price><executionPeriod><endDate>31.12.2025</endDate></executionPeriod><suppliers><supplier><name>Первая</name><inn>9600000016</inn><kpp>960001001</kpp></supplier><supplier><name>Вторая</name>",
        ],
    );
    let tender = card(TENDER);
    check(
        std::slice::from_ref(&tender),
        &[
            "<stage>Закупка завершена</stage><fullNMCK>3000.5</fullNMCK>",
            "<winner><name>Третья</name><inn>9600000055</inn><kpp>960001001</kpp>",
            "<contract><regNum>2960000003025000002</regNum>",
            "<fullName>Заказчик 2</fullName><inn>9600000048</inn>",
        ],
    );
    assert!(!tender.contains(ANNULLED), "{tender}");
    check(
        &[card(REVIVED)],
        &[
            "<stage>Работа комиссии</stage>",
            "<bidding>27.02.2025 10:00</bidding>",
        ],
    );
    let json = answers.body(
        Endpoint::Purchase44,
        &[("purchaseNumber", AUCTION), ("format", "json")],
    );
    check(
        &[json],
        &["\"canceld\":null,\"firstPublishDate\":\"11.01.2025 10:00\""],
    );
    let mut card =
        |number: &str| answers.body(Endpoint::Purchase223, &[("purchaseNumber", number)]);
    check(
        &[card(QUOTATION223)],
        &[
            "<purchaseObjectInfo>Бумага 2</purchaseObjectInfo>",
            "<stage>Закупка завершена</stage>",
        ],
    );
    check(&[card(REJECTED223)], &["<stage>Закупка отменена</stage>"]);
    check(
        &[card(REPAIR615)],
        &[
            "<placingWay>Аукцион</placingWay>",
            "<winner><protocolDate>10.02.2025</protocolDate><protocolNumber>11</protocolNumber><name>Кровля</name><inn>9600000016</inn><kpp>960001001</kpp><price>80.5</price></winner>",
            "<contract><regNum>039600000012500077</regNum>",
        ],
    );
}

#[test]
fn a_stage_follows_the_day_and_the_documents() {
    let stage = |documents: &[String], endpoint, number, day| {
        let folder = import_all(documents);
        let body = folder
            .answers_on(day)
            .body(endpoint, &[("purchaseNumber", number)]);
        let (_, rest) = body.split_once("<stage>").expect("a stage");
        rest.split_once('<').expect("its end").0.to_owned()
    };
    let cancelled = cancel(
        "fcsNotificationCancel",
        REVIVED,
        "2025-01-16T10:00:00+03:00",
        "",
    );
    let stage44 = |documents: &[String], day| stage(documents, Endpoint::Purchase44, REVIVED, day);
    assert_eq!(stage44(&[revived()], "2025-02-15"), "Подача заявок");
    assert_eq!(stage44(&[revived()], "2025-02-16"), "Работа комиссии");
    assert_eq!(
        stage44(&[revived(), cancelled], "2025-02-15"),
        "Закупка отменена"
    );
    let protocol = |kind| summing_up(kind, REVIVED, "R-1", "2025-02-20T00:00:00+03:00", "");
    assert_eq!(
        stage44(&[revived(), protocol("fcsProtocolEF1")], "2025-03-01"),
        "Работа комиссии"
    );
    assert_eq!(
        stage44(&[revived(), protocol("fcsProtocolEF3")], "2025-03-01"),
        "Закупка завершена"
    );
    let notice = [notice223(QUOTATION223, 1)];
    let stage223 = |day| stage(&notice, Endpoint::Purchase223, QUOTATION223, day);
    assert_eq!(stage223("2025-06-20"), "Подача заявок");
    assert_eq!(stage223("2025-06-21"), "Работа комиссии");
}

#[test]
fn a_purchase_known_only_from_what_came_of_it_is_not_found_until_its_notice_comes() {
    let folder = import_all(&[contract(
        (CONTRACT, AUCTION, 1),
        0,
        CUSTOMER,
        &[(A, "Первая")],
    )]);
    let parameters = [("purchaseNumber", AUCTION), ("format", "json")];
    let card = folder.answers().body(Endpoint::Purchase44, &parameters);
    assert_eq!(card, r#"{"error":"purchase not found"}"#);
    assert_eq!(folder.answers().of_contract(A, "notificationPrice"), "null");
    take_all(&folder, &[auction(1, "1000")]);
    let card = folder.answers().body(Endpoint::Purchase44, &parameters);
    assert!(card.contains("\"stage\":\"Закупка завершена\""), "{card}");
    assert_eq!(folder.answers().of_contract(A, "notificationPrice"), "1000");
}

#[test]
fn an_entry_ends_with_its_exclusion() {
    let folder = import_all(&entries());
    let registered = |day: &str| {
        let entries = folder.answers_on(day).registry(C).entries;
        let numbers = entries
            .iter()
            .map(|entry| entry["registrationNumber"].get().to_owned());
        numbers.collect::<Vec<_>>()
    };
    assert_eq!(registered("2025-05-01"), ["\"РНП.1-25\"", "\"Р0000001\""]);
    assert_eq!(registered("2025-05-02"), ["\"Р0000001\""]);
    assert_eq!(registered("2027-01-06"), [""; 0]);
}

#[test]
fn a_line_about_a_purchase_is_outranked_in_either_order() {
    let line = format!(
        r#"{{"type":"purchase44","purchase":{{"purchaseNumber":"{AUCTION}","href":"line"}}}}"#
    );
    for documents_first in [true, false] {
        let folder = Folder::new();
        if documents_first {
            take_all(&folder, &[auction(1, "1")]);
        }
        folder.take_lines(&line);
        if !documents_first {
            take_all(&folder, &[auction(1, "1")]);
        }
        let card = folder
            .answers()
            .body(Endpoint::Purchase44, &[("purchaseNumber", AUCTION)]);
        assert!(
            card.contains("<href>https://example.org/1</href>"),
            "{card}"
        );
    }
}
