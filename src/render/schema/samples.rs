//! An invented example of each answer, in which every field has a value. Field trees are derived
//! from these examples, and the documentation shows them. The companies, people and places do not
//! exist, and taxpayer numbers start with unassigned region codes.

use crate::model::{
    Amount, Basis, CardSupplier, ChangeCursor, ChangedPart, ChangedSubject, CompleteDays, Contract,
    ContractItem, ContractStage, ContractSummary, Date, DocumentSubject, Ground, GuaranteeClaim,
    Inn, LogPosition, LogSubject, LoggedChange, Lot223, LotCustomer223, Moment, Organization,
    Parties, PartySummary, PriceStatistics, Purchase223, Purchase615, PurchaseContract,
    PurchaseNumber, PurchaseObject223, PurchaseStage, Regime, Registries, Registry,
    ResponsibleOrg615, RiskFact, RnpEntry, Share, SourceDocument, Sum, Termination, UnitPrices,
    UnreadEntries, VerdictRules, Winner615,
};
use crate::render::rnp::AnswerOrigin;

pub const SUPPLIER_INN: &str = "9602000445";
pub const SUPPLIER_NAME: &str = "ООО \"ФАРМСТРОЙ-35\"";
const CUSTOMER_NAME: &str = "ГОСУДАРСТВЕННОЕ АВТОНОМНОЕ УЧРЕЖДЕНИЕ \"СПОРТИВНАЯ ШКОЛА «ВОЛНА»\"";
pub const NUMBER44: &str = "0296200019925000017";
pub const NUMBER223: &str = "32515902214";
pub const NUMBER615: &str = "029620004102500014";

pub fn day(text: &str) -> Option<Date> {
    Date::parse_iso(text)
}

pub fn moment(text: &str) -> Option<Moment> {
    Moment::parse_dotted(text)
}

pub fn amount(text: &str) -> Option<Amount> {
    text.parse().ok()
}

pub fn contract() -> Contract {
    Contract {
        reg_num: "2960100199025000031".to_owned(),
        purchase_number: NUMBER44.to_owned(),
        purchase_code: "251960100199096010100100170014120244".to_owned(),
        subject: "Текущий ремонт спортивного зала".to_owned(),
        notification_price: amount("1250000"),
        delivery_term: "2025-09-30+03:00".to_owned(),
        customer_inn: "9601001990".to_owned(),
        customer_name: CUSTOMER_NAME.to_owned(),
        price: amount("1187500.5"),
        sign_date: day("2025-04-14"),
        end_date: day("2025-09-30"),
        stage: Some(ContractStage::InExecution),
        fulfilment_sum: amount("593750.25"),
        paid: amount("474999.6"),
        advance_percent: amount("30"),
        penalties: amount("12500"),
        penalties_paid: amount("2500.75"),
        stage_count: 2,
        update_date: day("2025-08-05"),
        has_subcontractors: true,
        subcontractors_sum: amount("237500.1"),
        notice_guarantee: amount("125000"),
        guarantee: amount("118750.05"),
        bank_support: false,
        treasury_support: true,
        budget_name: "Бюджет Верхнереченской области".to_owned(),
        oktmo: "62701000-город Заречинск".to_owned(),
        products: vec![ContractItem {
            code: "41.20.40.900".to_owned(),
            sum: amount("1187500.5"),
            ..ContractItem::default()
        }],
        termination: Termination::default(),
        guarantee_claims: vec![GuaranteeClaim {
            amount: amount("118750.05"),
            publish_date: day("2025-07-21"),
            claim_date: day("2025-07-18"),
            grounds: "Нарушен срок второго этапа работ".to_owned(),
        }],
    }
}

/// A contract whose only item has every value that an answer can show.
pub fn item_list() -> Contract {
    let item = ContractItem {
        code: "28.99.32.190".to_owned(),
        sum: amount("37501"),
        name: "Тренажёр силовой".to_owned(),
        okpd2: String::new(),
        okei: "796".to_owned(),
        okei_name: "Штука".to_owned(),
        quantity: amount("2"),
        price: amount("18750.5"),
    };
    Contract {
        products: vec![item],
        ..contract()
    }
}

pub fn unit_prices() -> Option<[UnitPrices; 1]> {
    let prices = ["17200", "18750.5", "18750.5", "21499.99"].map(amount);
    let prices = prices.into_iter().collect::<Option<Vec<_>>>()?;
    Some([UnitPrices {
        okei: "796".to_owned(),
        okei_name: "Штука".to_owned(),
        statistics: PriceStatistics::new(prices)?,
    }])
}

pub fn contract_summary() -> ContractSummary {
    let mut sum = Sum::default();
    if let Some(price) = amount("1187500.5") {
        sum.add(price);
    }
    ContractSummary {
        count: 1,
        sum: sum.clone(),
        priceless: 0,
        annulled: 0,
        annulled_sum: Sum::default(),
        years: vec![Share {
            key: Some(2025),
            count: 1,
            sum: sum.clone(),
        }],
        stages: vec![Share {
            key: Some(ContractStage::InExecution),
            count: 1,
            sum: sum.clone(),
        }],
        customers: party("9601001990", CUSTOMER_NAME, &sum),
        suppliers: party(SUPPLIER_INN, SUPPLIER_NAME, &sum),
        facts: vec![Share {
            key: RiskFact::Penalties,
            count: 1,
            sum,
        }],
    }
}

fn party(inn: &str, name: &str, sum: &Sum) -> Parties {
    Parties {
        largest: vec![PartySummary {
            inn: inn.to_owned(),
            name: name.to_owned(),
            count: 1,
            sum: sum.clone(),
        }],
        count: 1,
    }
}

pub fn rnp_entry() -> RnpEntry {
    RnpEntry {
        registration_number: "РНП.960418-25".to_owned(),
        registration_date: day("2025-04-18"),
        reason: "Расторжение контракта".to_owned(),
        contract_number: "2960100199024000007".to_owned(),
        exclude_date: day("2027-04-18"),
        federal_law: "44".to_owned(),
        customer_name: CUSTOMER_NAME.to_owned(),
        customer_inn: "9601001990".to_owned(),
        supplier_name: String::new(),
        suspensions: Vec::new(),
        removed_by: None,
    }
}

pub fn past_rnp_entry() -> RnpEntry {
    RnpEntry {
        registration_number: "РНП.960207-21".to_owned(),
        registration_date: day("2021-02-07"),
        exclude_date: day("2023-02-07"),
        removed_by: day("2022-12-15"),
        contract_number: "2960100199020000003".to_owned(),
        ..rnp_entry()
    }
}

/// The registries behind a verdict, one in each state: complete, partial, missing.
pub fn ground() -> Option<Ground> {
    let complete = CompleteDays {
        since: day("2024-03-01")?,
        as_of: day("2025-12-15")?,
        basis: Basis::Documents,
    };
    let registry = |law, complete, entries| Registry {
        law,
        complete,
        entries,
    };
    let registries = Registries {
        all: [
            registry(Regime::Fz44, Some(complete), 24_310),
            registry(Regime::Fz223, None, 118),
            registry(Regime::Pp615, None, 0),
        ],
        of_every_day: false,
    };
    let rules = VerdictRules::default();
    Some(Ground::new(
        &registries,
        &UnreadEntries::default(),
        day("2025-12-16")?,
        rules,
    ))
}

pub fn source_document() -> SourceDocument {
    SourceDocument {
        published: Some(1_740_483_126_000),
        subject: DocumentSubject::Contract,
        number: contract().reg_num,
        kind: "contract".to_owned(),
        version: Some(3),
        subsystem: "RGK".to_owned(),
    }
}

pub fn change() -> Option<LoggedChange> {
    Some(LoggedChange {
        revision: 12,
        subject: ChangedSubject::Supplier(Inn::parse(SUPPLIER_INN)?),
        part: ChangedPart::Contracts,
        id: LogSubject::Number(1),
    })
}

/// The cursor after the last change.
pub fn cursor() -> ChangeCursor {
    ChangeCursor {
        identity: 0x7f3a_51c6_0d24_9b8e,
        revision: 12,
        position: LogPosition::after_revision(12),
    }
}

pub fn answer_origin() -> Option<AnswerOrigin> {
    Some(AnswerOrigin {
        ground: ground()?,
        // 16 December 2025, 03:00:12 UTC.
        updated: 1_765_854_012,
    })
}

fn organization() -> Organization {
    Organization {
        full_name: "АКЦИОНЕРНОЕ ОБЩЕСТВО \"ЗАРЕЧИНСКИЙ РЕЧНОЙ ПОРТ\"".to_owned(),
        inn: "9601003250".to_owned(),
        kpp: "960101001".to_owned(),
        ogrn: "1029600003256".to_owned(),
        factual_address: "960907, Верхнереченская обл, г Заречинск, ул Портовая, д. 1".to_owned(),
        postal_address: "960907, Верхнереченская обл, г Заречинск, а/я 14".to_owned(),
        phone: "7-495-0000325".to_owned(),
        email: "zakupki325@example.org".to_owned(),
    }
}

pub fn purchase223() -> Option<Purchase223> {
    Some(Purchase223 {
        purchase_number: PurchaseNumber::parse(NUMBER223)?,
        publish_date: day("2025-12-01"),
        href: "https://example.org/223/purchase/common-info.html?regNumber=32515902214".to_owned(),
        object_info: "Страхование гражданской ответственности владельцев речных судов".to_owned(),
        placing_way: "Запрос котировок в электронной форме".to_owned(),
        trading_platform: "ЭТП «Верхний плёс»".to_owned(),
        max_price: amount("265418.9"),
        restrictions: vec!["Для субъектов малого и среднего предпринимательства".to_owned()],
        stage: PurchaseStage::Stated("Подача заявок".to_owned()),
        lots: vec![Lot223 {
            number: "1".to_owned(),
            name: "Страхование ответственности".to_owned(),
            max_price: "265418.90".to_owned(),
            currency: "RUB".to_owned(),
            execution_place: "г Заречинск, ул Портовая, д. 1".to_owned(),
            customers: vec![LotCustomer223 {
                organization: organization(),
                objects: vec![PurchaseObject223 {
                    number: "1".to_owned(),
                    okpd: "66.03.20".to_owned(),
                    okpd2: "65.12.21.000".to_owned(),
                    okei: "642".to_owned(),
                    quantity: "1".to_owned(),
                }],
            }],
        }],
        main_customer: organization(),
        responsible_org: organization(),
        submission_close: day("2025-12-25"),
        envelope_opening: day("2025-12-25"),
        examination: day("2025-12-29"),
        summing_up: day("2025-12-31"),
        examination_period: "3 дня".to_owned(),
        auction_time: "10:00".to_owned(),
        quotation_examination_time: "29.12.2025".to_owned(),
        winners: Vec::new(),
    })
}

pub fn purchase_contract(number: &str, price: &str) -> PurchaseContract {
    PurchaseContract {
        reg_num: number.to_owned(),
        price: amount(price),
        end_date: day("2025-09-30"),
        suppliers: vec![CardSupplier {
            name: SUPPLIER_NAME.to_owned(),
            inn: SUPPLIER_INN.to_owned(),
            kpp: "960201001".to_owned(),
        }],
    }
}

pub fn purchase615() -> Option<Purchase615> {
    Some(Purchase615 {
        purchase_number: PurchaseNumber::parse(NUMBER615)?,
        publish_date: day("2025-02-12"),
        href: "https://example.org/ea615/common-info.html?regNumber=029620004102500014".to_owned(),
        object_info: "Капитальный ремонт крыши: г Заречинск, ул Садовая, д. 11".to_owned(),
        placing_way: "Электронный аукцион (ПП РФ 615)".to_owned(),
        trading_platform: "ЭТП «Торговый причал»".to_owned(),
        collecting_end: day("2025-03-03"),
        max_price: amount("4872310.66"),
        application_guarantee: amount("48723.11"),
        contract_guarantee: amount("487231.07"),
        responsible_org: ResponsibleOrg615 {
            full_name:
                "НЕКОММЕРЧЕСКАЯ ОРГАНИЗАЦИЯ \"ФОНД КАПИТАЛЬНОГО РЕМОНТА ВЕРХНЕРЕЧЕНСКОЙ ОБЛАСТИ\""
                    .to_owned(),
            reg_num: "02962000410".to_owned(),
            inn: "9601004101".to_owned(),
            kpp: "960101001".to_owned(),
            ogrn: "1029600004103".to_owned(),
            factual_address: "960900, Верхнереченская обл, г Заречинск, ул Мостовая, д. 22"
                .to_owned(),
            postal_address: "960900, Верхнереченская обл, г Заречинск, а/я 3".to_owned(),
        },
        winner: Winner615 {
            protocol_date: day("2025-03-07"),
            protocol_number: "029620004102500014-2".to_owned(),
            name: SUPPLIER_NAME.to_owned(),
            inn: SUPPLIER_INN.to_owned(),
            kpp: "960201001".to_owned(),
            price: amount("4604333.57"),
        },
        contract: purchase_contract("029620004102500514", "4604333.57"),
    })
}
