//! `/lookup`: the page without scripts, which the server fills with what it finds. Its key
//! comes by HTTP Basic, so that the browser asks for it and it stands in no address.

use super::error::Failure;
use super::find;
use super::open;
use super::query::{Query, QueryValue};
use super::request::Request;
use super::response::{Headers, Note};
use super::rnp;
use crate::model::{
    Amount, ContractFilter, ContractOrder, Date, EncodedContract, Inn, Language, Moment, Purchase,
    PurchaseNumber, Registries, RegistryStanding, Verdict, timestamp,
};
use crate::store::Database;
use crate::web::{self, MAX_QUERY, PlainContent, PlainContract, PlainPage, PlainSupplier, roubles};

/// How many contracts the page shows.
const FIRST_CONTRACTS: u64 = 20;

/// How many hits of a search it shows.
const FIRST_HITS: usize = 50;

/// How the page asks for a key (RFC 7617).
const CHALLENGE: &str = "Basic realm=\"procurement-lookup\", charset=\"UTF-8\"";

/// What a page is made from, beside what is looked for.
pub struct PlainData {
    /// Is it the demonstration data?
    pub is_demo: bool,
    /// The time of the last import that changed anything, in seconds since 1970.
    pub updated: i64,
    /// Today in Moscow.
    pub day: Date,
    /// From how many days on a registry is too old.
    pub max_registry_age: Option<u64>,
}

/// A page as it is sent, before it is packed.
pub struct PlainResponse {
    /// The HTTP status.
    pub status: u16,
    /// All headers but those that describe the body.
    pub headers: Headers,
    /// The HTML.
    pub page: String,
}

/// The page that answers a request, from `snapshot`; where that may not or cannot be done, a
/// page that says so.
pub fn respond(
    data: &PlainData,
    snapshot: &Database,
    request: &Request<'_>,
    query: &Query<'_>,
    admitted: Result<(), Failure>,
    note: &mut Note,
) -> PlainResponse {
    let language = open::language(query, request.header("Accept-Language")).unwrap_or_default();
    let asked = match query.get("q", None) {
        QueryValue::One(text) if text.chars().count() <= MAX_QUERY => Ok(text),
        QueryValue::Missing => Ok(""),
        QueryValue::One(_) | QueryValue::Malformed => Err(Failure::BadParameter("q")),
    };
    let shown = asked.clone().unwrap_or_default();
    let found = admitted.and(asked).and_then(|asked| match asked {
        "" => Ok(PlainContent::Nothing),
        asked => look_up(data, snapshot, language, asked),
    });
    let mut headers = open::restrictions();
    let vary = "Accept-Encoding, Accept-Language, Authorization";
    headers.extend([("Cache-Control", "no-store".into()), ("Vary", vary.into())]);
    let (status, content) = match found {
        Ok(content) => (200, content),
        Err(failure) => trouble(&failure, language, &mut headers, note),
    };
    let page = PlainPage {
        language,
        query: shown,
        is_demo: data.is_demo,
        // Moscow is three hours ahead of UTC the year round.
        updated: timestamp(data.updated.saturating_add(3 * 3600)),
        content,
    };
    PlainResponse {
        status,
        headers,
        page: page.html(),
    }
}

/// What is said of a failure, and its status.
fn trouble(
    failure: &Failure,
    language: Language,
    headers: &mut Headers,
    note: &mut Note,
) -> (u16, PlainContent) {
    let row = failure.row();
    note.error = Some(
        row.code
            .map_or_else(|| "error".to_owned(), |code| code.to_string()),
    );
    match failure {
        Failure::BadKey => {
            headers.push(("WWW-Authenticate", CHALLENGE.into()));
            (401, said(language, "key.title", "plain.key"))
        }
        Failure::TooManyRequests(seconds) => {
            headers.push(("Retry-After", seconds.to_string().into()));
            let words = web::text_with(language, "plain.limit", "n", &seconds.to_string());
            (429, PlainContent::Trouble("trouble.limit", words))
        }
        Failure::Server(reason) => {
            note.failure = Some(reason.clone());
            (500, said(language, "trouble.server", "trouble.server.do"))
        }
        _ => (400, said(language, "trouble.wrong", "search.empty")),
    }
}

/// A heading and a sentence, by the keys of their texts.
fn said(language: Language, heading: &'static str, words: &str) -> PlainContent {
    PlainContent::Trouble(heading, web::text(language, words).to_owned())
}

fn look_up(
    data: &PlainData,
    snapshot: &Database,
    language: Language,
    query: &str,
) -> Result<PlainContent, Failure> {
    let digits: String = query
        .chars()
        .filter(|one| !matches!(one, ' ' | '-' | '\u{a0}'))
        .collect();
    if let Some(inn) = Inn::parse(&digits) {
        return supplier(data, snapshot, &inn);
    }
    let purchase = match PurchaseNumber::parse(&digits) {
        Some(number) => snapshot.purchase(&number)?,
        None => None,
    };
    if let Some(purchase) = purchase {
        return Ok(card(&purchase, data.day));
    }
    let (total, hits) = find::hits(query, FIRST_HITS, data.day, snapshot)?;
    Ok(match hits.is_empty() {
        true => said(language, "find.none", "find.none.do"),
        false => PlainContent::Hits(total, hits),
    })
}

fn supplier(data: &PlainData, snapshot: &Database, inn: &Inn) -> Result<PlainContent, Failure> {
    let registries = snapshot.registries();
    let checked = rnp::check_supplier(snapshot, &registries, data.day, inn.as_str())?;
    let standings = registries.0.map(|one| {
        let standing = one.standing(data.day, data.max_registry_age);
        let day = one.complete_as_of;
        (standing.word(), one.law.code(), day)
    });
    let known = snapshot.supplier(inn)?;
    let mut contracts = Vec::new();
    if let Some(known) = &known {
        let (filter, order) = (ContractFilter::default(), ContractOrder::default());
        let first = snapshot.select(known, &filter, order, 0, FIRST_CONTRACTS)?;
        snapshot.show(known, &first, &mut |one| contracts.push(contract(one)))?;
    }
    Ok(PlainContent::Supplier(Box::new(PlainSupplier {
        inn: checked.inn,
        name: checked.name,
        verdict: shown_verdict(checked.verdict, &registries, data),
        day: data.day,
        registries: standings.into(),
        entries: checked.entries,
        previous: checked.previous,
        total: known.map_or(0, |known| known.contracts),
        contracts,
    })))
}

/// The verdict that may be shown: "not listed" only where a registry says so that is
/// complete and not too old.
fn shown_verdict(verdict: Verdict, registries: &Registries, data: &PlainData) -> &'static str {
    let standings = registries
        .0
        .map(|one| one.standing(data.day, data.max_registry_age));
    match verdict {
        Verdict::NotListed if standings.contains(&RegistryStanding::Fresh) => verdict.code(),
        Verdict::NotListed if standings.contains(&RegistryStanding::Old) => "old-registry",
        Verdict::NotListed => "partial-registry",
        _ => verdict.code(),
    }
}

fn contract(contract: &EncodedContract<'_>) -> PlainContract {
    PlainContract {
        reg_num: contract.reg_num.text().into_owned(),
        sign_date: Date::parse_iso(&contract.sign_date.text()),
        customer: contract.customer_name.text().into_owned(),
        subject: contract.subject.text().into_owned(),
        price: contract.price.text().parse().ok(),
        stage: contract.stage,
    }
}

/// What a card says first.
fn card(purchase: &Purchase, day: Date) -> PlainContent {
    let number = purchase.number().as_str();
    let price = |amount: Option<Amount>| amount.map_or_else(String::new, roubles);
    let dotted = |date: Date| date.dotted().map(char::from).iter().collect::<String>();
    let date = |date: Option<Date>| date.map_or_else(String::new, dotted);
    let moment = |moment: Option<Moment>| date(moment.map(Moment::date));
    let text = |text: &str| text.to_owned();
    let (organisation, end, stage, (info, href), max_price) = match purchase {
        Purchase::Fz44(card) => (
            text(&card.responsible_org.full_name),
            moment(card.procedure.end),
            text(card.stage.on(day)),
            (text(&card.object_info), text(&card.href)),
            price(card.max_price),
        ),
        Purchase::Fz223(card) => (
            text(&card.responsible_org.full_name),
            date(card.submission_close),
            text(card.stage.on(day)),
            (text(&card.object_info), text(&card.href)),
            price(card.max_price),
        ),
        Purchase::Pp615(card) => (
            text(&card.responsible_org.full_name),
            date(card.collecting_end),
            String::new(),
            (text(&card.object_info), text(&card.href)),
            price(card.max_price),
        ),
    };
    let fields = vec![
        ("purchaseNumber", number.to_owned()),
        ("purchaseObjectInfo", info),
        ("purchase.who", organisation),
        ("purchase.price", max_price),
        ("purchase.until", end),
        ("contractStage", stage),
        ("purchase.official", href),
    ];
    PlainContent::Purchase(number.to_owned(), fields)
}
