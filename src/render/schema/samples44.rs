//! The example of a 44-FZ card.

use super::samples::{
    NUMBER44, SUPPLIER_INN, SUPPLIER_NAME, amount, day, moment, purchase_contract,
};
use crate::model::{
    Attachment, CodedText, Customer44, DeliveryPlace, Enforcement, Lot44, PersonName, Preference,
    ProcedureDates, Purchase44, PurchaseNumber, PurchaseObject44, PurchaseStage, ResponsibleOrg44,
    Restriction14, StageDates, Winner,
};

const PLACE: &str = "960904, Верхнереченская обл, г Заречинск, ул Стадионная, д. 16";

pub fn purchase44() -> Option<Purchase44> {
    Some(Purchase44 {
        purchase_number: PurchaseNumber::parse(NUMBER44)?,
        publish_date: day("2025-03-03"),
        href: "https://example.org/44/common-info.html?regNumber=0296200019925000017".to_owned(),
        object_info: "Текущий ремонт спортивного зала".to_owned(),
        placing_way: "Электронный аукцион".to_owned(),
        trading_platform: "ЭТП «Верхний плёс»".to_owned(),
        stage: PurchaseStage::Stated("Закупка завершена".to_owned()),
        max_price: amount("1250000"),
        responsible_org: ResponsibleOrg44 {
            full_name: "КОМИТЕТ ПО ЗАКУПКАМ ВЕРХНЕРЕЧЕНСКОЙ ОБЛАСТИ".to_owned(),
            inn: "9601000040".to_owned(),
            kpp: "960101001".to_owned(),
            address: "960900, Верхнереченская обл, г Заречинск, пл Ратушная, д. 1".to_owned(),
            contact: person("Юдин", "Кирилл", "Максимович"),
            contact_email: "komitet@example.org".to_owned(),
            contact_phone: "7-495-0000040".to_owned(),
            role: "RA".to_owned(),
        },
        procedure: procedure(),
        lots: vec![lot()],
        restrictions: vec!["Запрет на допуск иностранных товаров".to_owned()],
        cancelled: "10.03.2025".to_owned(),
        first_publish_date: moment("03.03.2025"),
        region: "Верхнереченская область".to_owned(),
        attachments: vec![Attachment {
            file_name: "Проект контракта.docx".to_owned(),
            file_size: "84.5 Кб".to_owned(),
            description: "Проект контракта".to_owned(),
            date: moment("03.03.2025"),
            url: "https://example.org/44/filestore/download.html?uid=17".to_owned(),
            kind_code: "CP".to_owned(),
            kind_name: "Проект контракта".to_owned(),
        }],
    })
}

fn person(last: &str, first: &str, middle: &str) -> PersonName {
    PersonName {
        last: last.to_owned(),
        first: first.to_owned(),
        middle: middle.to_owned(),
    }
}

fn procedure() -> ProcedureDates {
    let stage = StageDates {
        start: moment("03.03.2025 10:00"),
        end: moment("12.03.2025 09:00"),
        opening: moment("12.03.2025 09:05"),
        scoring: moment("13.03.2025"),
    };
    ProcedureDates {
        start: moment("03.03.2025 10:00"),
        end: moment("12.03.2025 09:00"),
        opening: moment("12.03.2025 09:05"),
        scoring: moment("13.03.2025"),
        bidding: moment("13.03.2025 11:00"),
        final_opening: moment("14.03.2025 12:00"),
        selecting: moment("17.03.2025"),
        prequalification: moment("11.03.2025"),
        stage1: stage.clone(),
        stage2: stage,
        summarizing: moment("18.03.2025"),
        first_parts: moment("13.03.2025"),
        submission: moment("14.03.2025 12:00"),
        second_parts: moment("17.03.2025"),
    }
}

fn lot() -> Lot44 {
    Lot44 {
        number: Some(1),
        object_info: "Ремонт пола и стен спортивного зала".to_owned(),
        max_price: amount("1250000"),
        currency: "RUB".to_owned(),
        winner: Winner {
            name: SUPPLIER_NAME.to_owned(),
            inn: SUPPLIER_INN.to_owned(),
            kpp: "960201001".to_owned(),
            price: amount("1187500.5"),
        },
        customers: vec![customer()],
        objects: vec![object()],
        total_sum: amount("1250000"),
        quantity_undefined: Some(false),
        drug_purchase: Some(false),
        small_business: Some(true),
        subcontractors: Some(false),
        life_cycle: Some(false),
        life_cycle_code: "1".to_owned(),
        life_cycle_name: "Контракт жизненного цикла".to_owned(),
        requirements: vec![coded(
            "TRB",
            "Требования к участникам",
            "Часть 1 статьи 31 Закона № 44-ФЗ",
        )],
        additional_requirements: vec![coded(
            "TRB2",
            "Дополнительные требования",
            "Опыт исполнения не менее одного контракта на ремонт",
        )],
        preferences: vec![Preference {
            code: "MP44".to_owned(),
            name: "Субъектам малого предпринимательства".to_owned(),
            value: amount("15"),
        }],
        restrictions: vec![coded(
            "MB44330",
            "Только малое предпринимательство",
            "Часть 3 статьи 30 Закона № 44-ФЗ",
        )],
        restrictions14: vec![Restriction14 {
            code: "PZ14".to_owned(),
            name: "Запрет на допуск иностранных товаров".to_owned(),
            short_name: "Запрет".to_owned(),
            impossible_ban: Some(true),
            impossible_ban_reason: "Товар не производится на территории Российской Федерации"
                .to_owned(),
            note: "Пункт 3 постановления".to_owned(),
        }],
    }
}

fn coded(code: &str, name: &str, content: &str) -> CodedText {
    CodedText {
        code: code.to_owned(),
        name: name.to_owned(),
        content: content.to_owned(),
    }
}

fn customer() -> Customer44 {
    Customer44 {
        purchase_code: "251960100199096010100100170014120244".to_owned(),
        full_name: "ГОСУДАРСТВЕННОЕ АВТОНОМНОЕ УЧРЕЖДЕНИЕ \"СПОРТИВНАЯ ШКОЛА «ВОЛНА»\"".to_owned(),
        inn: "9601001990".to_owned(),
        kpp: "960101001".to_owned(),
        ogrn: "1029600001991".to_owned(),
        factual_address: PLACE.to_owned(),
        postal_address: PLACE.to_owned(),
        contact: person("Седова", "Вера", "Игоревна"),
        email: "zakupki199@example.org".to_owned(),
        phone: "7-495-0000199".to_owned(),
        fax: "7-495-0000198".to_owned(),
        enforcement: Enforcement {
            application_amount: amount("12500"),
            application_part: amount("1"),
            contract_amount: amount("125000"),
            contract_part: amount("10"),
            warranty_amount: amount("12500"),
            warranty_part: amount("1"),
        },
        execution_place: PLACE.to_owned(),
        execution_period: "в течение 90 дней со дня заключения".to_owned(),
        contract: purchase_contract("2960100199025000031", "1187500.5"),
        max_price: amount("1250000"),
        public_discussion: Some(false),
        plan_position: "202502962000199001000017".to_owned(),
        advance_percent: amount("30"),
        own_funds: Some(false),
        budget_code: "62000000".to_owned(),
        budget_name: "Бюджет Верхнереченской области".to_owned(),
        bank_support: Some(false),
        treasury_support: Some(true),
        delivery_places: vec![DeliveryPlace {
            kladr_code: "96000001000".to_owned(),
            kladr_name: "г Заречинск".to_owned(),
            country_code: "643".to_owned(),
            country_name: "Российская Федерация".to_owned(),
            gar_address: "Верхнереченская обл, г Заречинск".to_owned(),
            place: PLACE.to_owned(),
        }],
    }
}

fn object() -> PurchaseObject44 {
    PurchaseObject44 {
        kind: "WORK".to_owned(),
        name: "Ремонт пола и стен".to_owned(),
        mnn: "ЙОД".to_owned(),
        dosage_form: "РАСТВОР".to_owned(),
        dosage: "5 %".to_owned(),
        okpd: "45.21.1".to_owned(),
        okpd2: "41.20.40.900".to_owned(),
        okpd2_name: "Работы строительные по ремонту зданий".to_owned(),
        ktru: "41.20.40.900-00000001".to_owned(),
        ktru_name: "Ремонт спортивного зала".to_owned(),
        okei: "055".to_owned(),
        okei_name: "Квадратный метр".to_owned(),
        price: amount("2500"),
        quantity: amount("500"),
        sum: amount("1250000"),
        medical_product: Some(false),
        preference_rf: Some(true),
        restrict_foreign: Some(false),
        prohibition_foreign: Some(true),
        impossible_prohibition: Some(true),
        impossible_prohibition_reason: "Товар не производится на территории Российской Федерации"
            .to_owned(),
    }
}
