//! The measured work. All input is in this file or built into the program, so that two builds are
//! measured on the same data.

use std::hint::black_box;
use std::sync::Arc;

use procurement_lookup::api::{Answerer, Api, DataSource, Request, Turn};
use procurement_lookup::http::engine::Bounds;
use procurement_lookup::http::engine::bounded::head::Inbox;
use procurement_lookup::model::{
    Contract, ContractItem, ContractStage, Date, GuaranteeClaim, Inn, Moment, Termination,
};
use procurement_lookup::store::{KeyRing, decode_contract, encode_contract};
use procurement_lookup::{render, xml};

/// Typical strings, in which neither XML nor JSON escapes anything.
pub const PLAIN: [&str; 4] = [
    "Поставка бумаги офисной для нужд администрации города Заречинска",
    "ОБЛАСТНОЙ БЮДЖЕТ ЗАРЕЧНОЙ ОБЛАСТИ",
    "2024-09-30+03:00",
    "Выполнение работ по капитальному ремонту кровли здания муниципального бюджетного \
     общеобразовательного учреждения «Средняя школа № 14», расположенного по адресу: г \
     Заречинск, ул Садовая, д. 11, в соответствии с описанием объекта закупки",
];

/// Strings with everything that a format has to escape: quotes, markup, line ends, control
/// characters, and characters that XML forbids.
pub const AWKWARD: [&str; 4] = [
    "МУНИЦИПАЛЬНОЕ КАЗЁННОЕ УЧРЕЖДЕНИЕ \"УПРАВЛЕНИЕ БЛАГОУСТРОЙСТВА ГОРОДА ЗАРЕЧИНСКА\"",
    "Поставка труб <ПЭ-100> & фитингов\r\n(ГОСТ \\ ТУ)",
    "a\u{1}b\u{fffe}c\td",
    "Услуги связи: \"Интернет\", \"Телефония\" & \"ТВ\"\nсрок оказания: с 01.01.2025 по 31.12.2025, \
     место оказания: г Заречинск, пл Мира, д. 1; объём < 100 ГБ",
];

pub fn xml_texts(out: &mut Vec<u8>, texts: &[&str]) {
    for text in texts {
        xml::text(out, black_box(text));
    }
}

/// Appends strings to `out` as JSON strings.
pub fn json_texts(out: &mut Vec<u8>, texts: &[&str]) {
    for text in texts {
        render::json_string(out, black_box(text).as_bytes());
    }
}

/// A contract with all fields, each of typical length.
pub fn contract() -> Contract {
    let amount = |text: &str| text.parse().ok();
    let day = Date::parse_iso;
    Contract {
        reg_num: "3960100101224000001".to_owned(),
        purchase_number: "0396300010124000017".to_owned(),
        purchase_code: "241960101296010100100010010018130244".to_owned(),
        subject: "Озеленение сквера «Якорь» на набережной города Заречинска".to_owned(),
        notification_price: amount("758892"),
        delivery_term: "2024-09-30+03:00".to_owned(),
        customer_inn: "9601001012".to_owned(),
        customer_name: AWKWARD[0].to_owned(),
        price: amount("701974.15"),
        sign_date: day("2024-04-12"),
        end_date: day("2024-12-31"),
        stage: Some(ContractStage::Completed),
        fulfilment_sum: amount("701974.15"),
        paid: amount("701974.15"),
        advance_percent: amount("30"),
        penalties: amount("1520.4"),
        penalties_paid: amount("1520.4"),
        stage_count: 2,
        update_date: day("2024-11-05"),
        has_subcontractors: true,
        subcontractors_sum: amount("70000"),
        notice_guarantee: amount("37944.6"),
        guarantee: amount("35098.71"),
        bank_support: false,
        treasury_support: true,
        budget_name: "Бюджет города Заречинска".to_owned(),
        oktmo: "96701000".to_owned(),
        products: ["81.30.10.000", "01.30.10.110", "23.61.12.159"]
            .into_iter()
            .map(|code| ContractItem {
                code: code.to_owned(),
                sum: amount("233991.38"),
                ..ContractItem::default()
            })
            .collect(),
        termination: Termination::default(),
        guarantee_claims: vec![GuaranteeClaim {
            amount: amount("1520.4"),
            publish_date: day("2024-10-02"),
            claim_date: day("2024-10-01"),
            grounds: "Просрочка исполнения обязательств, предусмотренных контрактом".to_owned(),
        }],
    }
}

/// The INN used in the checksums of contract records.
fn supplier() -> Inn {
    Inn::parse("9602003485").expect("an INN")
}

pub fn encode(contract: &Contract) -> Vec<u8> {
    encode_contract(&supplier(), contract)
}

/// Decodes a record as responses do. Returns whether the record is valid.
pub fn decode(record: &[u8]) -> bool {
    black_box(decode_contract(&supplier(), record)).is_some()
}

/// An answerer for the bundled data, a request, and the buffer for responses.
pub struct Asked {
    answerer: Answerer,
    target: &'static str,
    buffer: Vec<u8>,
}

/// A page of 200 contracts as XML.
pub const PAGE_XML: &str =
    "/contract/monitor-supplier44?supplierINN=9602000445&limit=200&apikey=demo";
/// A page of 200 contracts as JSON.
pub const PAGE_JSON: &str =
    "/contract/monitor-supplier44?supplierINN=9602000445&limit=200&format=json&apikey=demo";
/// An RNP check of a supplier with entries.
pub const RNP: &str = "/rnp/check-supplier?supplierINN=9602006662&apikey=demo";
pub const CARD: &str = "/purchase/demo44?purchaseNumber=0296200019924000003&apikey=demo";

impl Asked {
    /// Creates an answerer and sends it the request once, so that caches are filled.
    ///
    /// # Panics
    /// Panics if the status is not 200.
    pub fn warm(target: &'static str) -> Self {
        let day = Date::parse_iso("2026-11-21").expect("a day");
        let api = Api::new(
            DataSource::Bundled,
            KeyRing::empty(),
            Box::new(move || Moment::from_day(day)),
        );
        let answerer = Arc::new(api).answerer().expect("the data in the program");
        let mut asked = Self {
            answerer,
            target,
            buffer: Vec::new(),
        };
        for _ in 0..2 {
            assert_eq!(asked.ask(), 200, "{target}");
        }
        asked
    }

    /// Sends the request again. Returns the status.
    pub fn ask(&mut self) -> u16 {
        let request = Request {
            method: "GET",
            target: black_box(self.target),
            ..Request::default()
        };
        let buffer = std::mem::take(&mut self.buffer);
        let answered = self.answerer.answer_in_turn(buffer, &request, Turn::now());
        let response = answered.expect("an answer at once");
        self.buffer = black_box(response.body);
        response.status.number()
    }
}

/// The head of a request sent by a program.
pub const SHORT_HEAD: &str = "GET /rnp/check-supplier?supplierINN=9602006662 HTTP/1.1\r\n\
    Host: 127.0.0.1:8044\r\nX-API-Key: 4mJ0pNnkq0uQ7yq1cZ4rXv5cWm3o8Lr2aTz6sKd9fGh\r\n\r\n";

/// The head of a request sent by a browser through a proxy.
pub const LONG_HEAD: &str = "GET /contract/monitor-supplier44?supplierINN=9602000445&limit=200\
    &format=json&apikey=4mJ0pNnkq0uQ7yq1cZ4rXv5cWm3o8Lr2aTz6sKd9fGh HTTP/1.1\r\n\
    Host: procurement.example.org\r\nX-Forwarded-For: 203.0.113.7\r\n\
    X-Request-Id: 0b5a2f1d6c7e8f90a1b2c3d4e5f60718\r\n\
    User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n\
    Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
    Accept-Language: ru,en-US;q=0.7,en;q=0.3\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\
    Upgrade-Insecure-Requests: 1\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n\
    Sec-Fetch-Site: none\r\nSec-Fetch-User: ?1\r\nPriority: u=0, i\r\n\
    If-None-Match: \"5c0a8f0e2b7d4c61\"\r\n\r\n";

pub struct Arrivals {
    inbox: Inbox,
    bounds: Bounds,
}

impl Arrivals {
    /// Creates the inbox of a connection that has received a request before.
    pub fn warm() -> Self {
        let mut arrivals = Self {
            inbox: Inbox::default(),
            bounds: Bounds::default(),
        };
        assert!(arrivals.head(LONG_HEAD) > 0, "the head is one");
        arrivals
    }

    /// Parses a head up to its last header. Returns the number of headers.
    pub fn head(&mut self, bytes: &str) -> usize {
        let bytes = black_box(bytes).as_bytes();
        self.inbox.buffer(bytes.len()).extend_from_slice(bytes);
        let Ok(Some(head)) = self.inbox.next(&self.bounds) else {
            return 0;
        };
        black_box((self.inbox.method(&head), self.inbox.target(&head)));
        self.inbox.headers(&head).map(black_box).count()
    }
}
