//! `/lookup`: the page without scripts, which the server fills with what it finds. Its key
//! comes by HTTP Basic, so that the browser asks for it and it stands in no address.

use percent_encoding::utf8_percent_encode;

use super::data::DataView;
use super::error::Failure;
use super::find;
use super::open;
use super::parameter::ENCODED;
use super::query::{Query, QueryValue};
use super::request::Request;
use super::response::{Finding, Headers, Lookup, Note};
use super::rnp;
use crate::model::{
    Amount, ContractFilter, ContractOrder, Coverage, Date, EncodedContract, Inn, Language, Moment,
    Purchase, PurchaseNumber, Regime, Registry, RegistryStanding, Verdict, timestamp,
};
use crate::web::{
    self, MAX_QUERY, PlainContent, PlainContract, PlainPage, PlainPurchase, PlainSupplier, roubles,
};

/// How many contracts the page shows.
const FIRST_CONTRACTS: u64 = 20;

/// How many hits of a search it shows.
const FIRST_HITS: usize = 50;

/// How the page asks for a key (RFC 7617).
const CHALLENGE: &str = "Basic realm=\"procurement-lookup\", charset=\"UTF-8\"";

/// What a page is made from, beside the data and what is looked for.
pub struct PlainSettings {
    /// Is it the demonstration data?
    pub is_demo: bool,
    /// Today in Moscow.
    pub day: Date,
    /// From how many days on a registry is too old.
    pub max_registry_age: Option<u64>,
    /// Is what was looked up noted for the audit trail?
    pub is_audited: bool,
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

/// The page that answers a request, from `data`; where that may not or cannot be done, a
/// page that says so.
pub fn respond(
    settings: &PlainSettings,
    data: Result<&DataView<'_>, Failure>,
    request: &Request<'_>,
    query: &Query<'_>,
    admitted: &Result<(), Failure>,
    note: &mut Note,
) -> PlainResponse {
    // The page may be made once more.
    (note.error, note.failure) = (None, None);
    let language = open::language(query, request.header("Accept-Language")).unwrap_or_default();
    // A link from elsewhere fills the form; whoever follows it sends it, or does not.
    let mut sites = request.header("Sec-Fetch-Site");
    let is_from_elsewhere = sites.any(|site| site.trim() == "cross-site");
    let asked = match query.get("q", None) {
        QueryValue::One(text) if text.chars().count() <= MAX_QUERY => Ok(text),
        QueryValue::Missing => Ok(""),
        QueryValue::One(_) | QueryValue::Malformed => Err(Failure::BadParameter("q")),
    };
    let shown = asked.clone().unwrap_or_default();
    let updated = data
        .as_ref()
        .ok()
        .map(|data| data.database.version().updated);
    let found = admitted.clone().and(asked).and_then(|asked| match asked {
        _ if asked.is_empty() || is_from_elsewhere => data.map(|_| PlainContent::Nothing),
        asked => {
            let found = data.and_then(|data| look_up(settings, data, language, asked));
            if settings.is_audited {
                note.lookup = Some(lookup(settings, asked, &found));
            }
            found.map(|(content, _)| content)
        }
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
        is_demo: settings.is_demo,
        // Moscow is three hours ahead of UTC the year round.
        updated: updated.map(|updated| timestamp(updated.saturating_add(3 * 3600))),
        content,
    };
    PlainResponse {
        status,
        headers,
        page: page.html(),
    }
}

/// What was looked up and found, for the audit trail.
fn lookup(
    settings: &PlainSettings,
    asked: &str,
    found: &Result<(PlainContent, Finding), Failure>,
) -> Lookup {
    let found = found.as_ref().ok();
    let suppliers = found.and_then(|(content, _)| match content {
        PlainContent::Supplier(supplier) => Some(supplier.inn.clone()),
        _ => None,
    });
    Lookup {
        endpoint: web::PLAIN_PATH,
        query: Some(["q=", &utf8_percent_encode(asked, ENCODED).to_string()].concat()),
        day: Some(settings.day),
        suppliers: suppliers.into_iter().collect(),
        finding: found.map(|(_, finding)| finding.clone()),
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
    let wait = failure.retry_after();
    headers.extend(wait.map(|seconds| ("Retry-After", seconds.to_string().into())));
    match failure {
        Failure::BadKey => {
            headers.push(("WWW-Authenticate", CHALLENGE.into()));
            (401, said(language, "key.title", "plain.key"))
        }
        Failure::TooManyRequests(seconds) => {
            let words = web::text_with(language, "plain.limit", "n", &seconds.to_string());
            (429, PlainContent::Trouble("trouble.limit", words))
        }
        Failure::Unavailable(_) => (
            503,
            said(language, "trouble.unavailable", "trouble.unavailable.do"),
        ),
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
    settings: &PlainSettings,
    data: &DataView<'_>,
    language: Language,
    query: &str,
) -> Result<(PlainContent, Finding), Failure> {
    let digits = number(query);
    if let Some(inn) = Inn::parse(&digits) {
        return supplier(settings, data, &inn);
    }
    let purchase = match PurchaseNumber::parse(&digits) {
        Some(number) => data.database.purchase(&number)?,
        None => None,
    };
    if let Some(purchase) = purchase {
        return Ok((card(&purchase, settings.day, language), Finding::Count(1)));
    }
    let (total, hits) = find::hits(query, FIRST_HITS, settings.day, data.database)?;
    let content = match hits.is_empty() {
        true => said(language, "find.none", "find.none.do"),
        false => PlainContent::Hits(total, hits),
    };
    Ok((content, Finding::Count(total)))
}

/// A text as a number: without `ИНН` before it, a KPP after it, spaces and hyphens.
fn number(text: &str) -> String {
    let named = ["ИНН", "инн", "INN", "inn"]
        .iter()
        .find_map(|name| text.strip_prefix(name));
    let text = named.map_or(text, |rest| rest.trim_start_matches(':'));
    let alone = match text.split_once('/') {
        Some((inn, kpp)) if kpp.trim().len() == 9 => inn,
        _ => text,
    };
    let is_gap = |one: &char| matches!(one, ' ' | '-' | '\u{a0}');
    alone.chars().filter(|one| !is_gap(one)).collect()
}

fn supplier(
    settings: &PlainSettings,
    data: &DataView<'_>,
    inn: &Inn,
) -> Result<(PlainContent, Finding), Failure> {
    let snapshot = data.database;
    let registries = snapshot.registries();
    let checked = rnp::check_supplier(snapshot, &registries, settings.day, inn.as_str())?;
    let coverage = data.coverage()?;
    let standings = registries.0.map(|one| settings.standing(&one, &coverage));
    let named = registries.0.iter().zip(standings);
    let named = named.map(|(one, standing)| (standing.word(), one.law.code(), one.complete_as_of));
    let known = snapshot.supplier(inn)?;
    let mut contracts = Vec::new();
    if let Some(known) = &known {
        let (filter, order) = (ContractFilter::default(), ContractOrder::default());
        let first = snapshot.select(known, &filter, order, 0, FIRST_CONTRACTS)?;
        snapshot.show(known, &first, &mut |one| contracts.push(contract(one)))?;
    }
    let finding = Finding::Verdicts([checked.verdict].into());
    let supplier = PlainContent::Supplier(Box::new(PlainSupplier {
        inn: checked.inn,
        name: checked.name,
        verdict: shown_verdict(checked.verdict, standings),
        day: settings.day,
        registries: named.collect(),
        entries: checked.entries,
        previous: checked.previous,
        total: known.map_or(0, |known| known.contracts),
        contracts,
    }));
    Ok((supplier, finding))
}

impl PlainSettings {
    /// What a registry is good for today. One without an entry is partial where documents of it
    /// were obtained, as on the page with scripts.
    fn standing(&self, registry: &Registry, coverage: &[Coverage]) -> RegistryStanding {
        let subsystem = match registry.law {
            Regime::Fz44 => "RNP",
            Regime::Fz223 => "RNP223",
            Regime::Pp615 => "",
        };
        let is_covered = || coverage.iter().any(|run| run.subsystem == subsystem);
        match registry.standing(self.day, self.max_registry_age) {
            RegistryStanding::None if is_covered() => RegistryStanding::Partial,
            standing => standing,
        }
    }
}

/// The verdict that may be shown: "not listed" only where a registry says so that is
/// complete and not too old.
fn shown_verdict(verdict: Verdict, standings: [RegistryStanding; 3]) -> &'static str {
    let has = |standing| standings.contains(&standing);
    match verdict {
        Verdict::NotListed if has(RegistryStanding::Fresh) => verdict.code(),
        Verdict::NotListed if has(RegistryStanding::Old) => "old-registry",
        Verdict::NotListed => "partial-registry",
        Verdict::NoRegistry if has(RegistryStanding::Partial) => "partial-registry",
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
fn card(purchase: &Purchase, day: Date, language: Language) -> PlainContent {
    let number = purchase.number().as_str();
    let price = |amount: Option<Amount>| amount.map_or_else(String::new, roubles);
    let shown = |date: Date| web::shown_day(language, date);
    let date = |date: Option<Date>| date.map_or_else(String::new, shown);
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
    PlainContent::Purchase(PlainPurchase {
        number: number.to_owned(),
        facts: vec![
            ("purchaseObjectInfo", info),
            ("purchase.who", organisation),
            ("purchase.price", max_price),
            ("purchase.until", end),
            ("contractStage", stage),
        ],
        official: href,
    })
}
