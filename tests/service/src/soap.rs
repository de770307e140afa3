//! Requests, checked as a picky service would.

use crate::Selection;
use crate::element::Element;

/// The namespace of requests and answers.
pub const NAMESPACE: &str = "http://zakupki.gov.ru/fz44/get-docs-ip/ws";
/// The namespace of the envelope.
pub const ENVELOPE: &str = "http://schemas.xmlsoap.org/soap/envelope/";
/// The header `SOAPAction`, with its quotation marks.
pub const ACTION: &str = "\"http://zakupki.gov.ru/fz44/queue/ws/get-docs-ip\"";

/// What a request's body comes to.
#[derive(Debug)]
pub enum Message {
    /// Not an envelope with one element in its body.
    Unreadable,
    /// A request in another namespace, which the service answers with an echo.
    Foreign,
    /// A request, right or wrong.
    Call(Call),
}

/// A request in the right namespace.
#[derive(Debug)]
pub struct Call {
    /// The operation's name, without `Request`.
    pub operation: String,
    /// The request's id, as it came.
    pub id: String,
    /// The token of the envelope's header.
    pub token: Option<String>,
    /// What it asks for, or what is wrong with it.
    pub selection: Result<Selection, String>,
}

impl Message {
    /// Reads a request's body.
    pub fn read(body: &[u8]) -> Self {
        let text = std::str::from_utf8(body).unwrap_or_default();
        let Some(envelope) = Element::parse(text).filter(|root| root.is(ENVELOPE, "Envelope"))
        else {
            return Self::Unreadable;
        };
        let body = envelope.child(ENVELOPE, "Body");
        let Some([request]) = body.map(|body| body.children.as_slice()) else {
            return Self::Unreadable;
        };
        let Some(operation) = request.name.strip_suffix("Request") else {
            return Self::Foreign;
        };
        if request.namespace != NAMESPACE {
            return Self::Foreign;
        }
        let token = envelope
            .child(ENVELOPE, "Header")
            .and_then(|header| header.child("", "individualPerson_token"));
        let id = request
            .child("", "index")
            .and_then(|index| index.child("", "id"));
        Self::Call(Call {
            operation: operation.to_owned(),
            id: id.map(|id| id.text.clone()).unwrap_or_default(),
            token: token.map(|token| token.text.clone()),
            selection: selection(operation, request),
        })
    }
}

fn selection(operation: &str, request: &Element) -> Result<Selection, String> {
    let [index, params] = children(request, ["index", "selectionParams"])?;
    let [id, created, mode] = children(index, ["id", "createDateTime", "mode"])?;
    check(is_guid(&id.text), "id")?;
    check(is_date_time(&created.text), "createDateTime")?;
    check(matches!(&*mode.text, "PROD" | "TEST"), "mode")?;
    match operation {
        "getDocsByOrgRegion" => cell(params),
        "getDocsByReestrNumber" => number(params),
        other => Err(format!("operation {other} is not simulated")),
    }
}

fn cell(params: &Element) -> Result<Selection, String> {
    let law = params.children.get(2).map(|child| &*child.name);
    let law = law.filter(|name| matches!(*name, "documentType44" | "documentType223"));
    let law = law.ok_or("documentType44")?;
    let names = ["orgRegion", "subsystemType", law, "periodInfo"];
    let [region, subsystem, documents, period] = children(params, names)?;
    let is_two_digits = region.text.len() == 2 && is_digits(&region.text);
    check(is_two_digits, "orgRegion")?;
    let is_223 = check_subsystem(&subsystem.text)?;
    check(is_223 == (law == "documentType223"), law)?;
    check((1..=50).contains(&documents.text.chars().count()), law)?;
    let [day] = children(period, ["exactDate"])?;
    Ok(Selection::Cell {
        day: day_with_offset(&day.text).ok_or("exactDate")?.to_owned(),
        region: region.text.clone(),
        subsystem: subsystem.text.clone(),
        documents: documents.text.clone(),
    })
}

fn number(params: &Element) -> Result<Selection, String> {
    let [subsystem, number] = children(params, ["subsystemType", "reestrNumber"])?;
    check_subsystem(&subsystem.text)?;
    let is_number = (1..=50).contains(&number.text.chars().count());
    check(is_number, "reestrNumber")?;
    Ok(Selection::Number {
        subsystem: subsystem.text.clone(),
        number: number.text.clone(),
    })
}

/// The elements within, which have to be these in this order, without a namespace.
fn children<'a, const N: usize>(
    element: &'a Element,
    names: [&str; N],
) -> Result<[&'a Element; N], String> {
    let found: Vec<&Element> = element.children.iter().collect();
    let found: [&Element; N] = found
        .try_into()
        .map_err(|_| format!("{} has other elements than {names:?}", element.name))?;
    for (child, name) in found.iter().zip(names) {
        check(child.is("", name), name)?;
    }
    Ok(found)
}

fn check(is_right: bool, name: &str) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(name.into()) }
}

/// Whether a subsystem is of 223-FZ; an error where there is none of that name.
fn check_subsystem(name: &str) -> Result<bool, String> {
    const SUBSYSTEMS: &str = "BTK PRIZ RPEC PZKLKP RPGZ RPNZ RDI RGK CRK EA UR RJ REC RPP RVP \
        RRK RRA RNP RKPO PPRF615 RD615 LKOK OZ OD223 RD223 MSP223 IPVP223 TRU223 RJ223 RPP223 \
        RPZ223 RI223 RZ223 OV223 TPOZ223 POZ223 RNP223 POM223 ZC";
    let is_known = SUBSYSTEMS.split_whitespace().any(|known| known == name);
    check(is_known, "subsystemType")?;
    Ok(name.ends_with("223"))
}

/// Such as `00000000-0000-4000-8000-000000000001`.
pub fn is_guid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.into_iter().all(is_hex)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `YYYY-MM-DD` of `YYYY-MM-DD+HH:MM`; the offset may also be `Z`.
fn day_with_offset(text: &str) -> Option<&str> {
    let (day, offset) = text.split_at_checked(10)?;
    (is_day(day) && is_offset(offset)).then_some(day)
}

fn is_day(text: &str) -> bool {
    let number = |range: std::ops::Range<usize>| {
        let digits = text.get(range).filter(|digits| is_digits(digits));
        digits.and_then(|digits| digits.parse::<u16>().ok())
    };
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return false;
    };
    let month = u8::try_from(month)
        .ok()
        .and_then(|month| month.try_into().ok());
    let is_date = |month| {
        let day = u8::try_from(day).unwrap_or_default();
        time::Date::from_calendar_date(i32::from(year), month, day).is_ok()
    };
    let hyphens = (text.get(4..5), text.get(7..8));
    text.len() == 10 && hyphens == (Some("-"), Some("-")) && month.is_some_and(is_date)
}

fn is_offset(text: &str) -> bool {
    let hours_and_minutes = text
        .strip_prefix(['+', '-'])
        .and_then(|time| time.split_once(':'));
    let is_pair = |(hours, minutes): (&str, &str)| {
        hours.len() == 2 && minutes.len() == 2 && is_digits(hours) && is_digits(minutes)
    };
    text == "Z" || hours_and_minutes.is_some_and(is_pair)
}

/// An `xs:dateTime`: a fraction of a second and an offset may be missing.
fn is_date_time(text: &str) -> bool {
    let Some((day, rest)) = text.split_once('T') else {
        return false;
    };
    let Some((time, rest)) = rest.split_at_checked(8) else {
        return false;
    };
    let parts: Vec<&str> = time.split(':').collect();
    let is_time = parts.len() == 3 && parts.iter().all(|part| part.len() == 2 && is_digits(part));
    let offset = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    is_day(day) && is_time && (offset.is_empty() || is_offset(offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: &str = r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:ws="http://zakupki.gov.ru/fz44/get-docs-ip/ws">
        <e:Header><individualPerson_token>T</individualPerson_token></e:Header>
        <e:Body><ws:getDocsByOrgRegionRequest>
        <index><id>00000000-0000-4000-8000-000000000001</id><createDateTime>2026-11-22T03:00:00</createDateTime><mode>PROD</mode></index>
        <selectionParams><orgRegion>77</orgRegion><subsystemType>RGK</subsystemType><documentType44>contract</documentType44>
        <periodInfo><exactDate>2026-11-20+03:00</exactDate></periodInfo></selectionParams>
        </ws:getDocsByOrgRegionRequest></e:Body></e:Envelope>"#;

    fn call(request: &str) -> Call {
        match Message::read(request.as_bytes()) {
            Message::Call(call) => call,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_right_request_is_read() {
        let call = call(REQUEST);
        assert_eq!(call.operation, "getDocsByOrgRegion");
        assert_eq!(call.id, "00000000-0000-4000-8000-000000000001");
        assert_eq!(call.token.as_deref(), Some("T"));
        let selection = call.selection.expect("right");
        assert_eq!(selection.to_string(), "2026-11-20/77/RGK/contract");
    }

    #[test]
    fn what_does_not_fit_the_schema_is_refused() {
        for (right, wrong) in [
            ("<mode>PROD</mode>", "<ws:mode>PROD</ws:mode>"),
            ("<mode>PROD</mode>", ""),
            ("<mode>PROD</mode>", "<mode>LIVE</mode>"),
            ("-000000000001</id>", "</id>"),
            ("T03:00:00", ""),
            (">77<", ">7<"),
            (">RGK<", ">XYZ<"),
            (">RGK<", ">RD223<"),
            ("documentType44>", "documentType223>"),
            ("documentType44>", "documentType615>"),
            ("+03:00", ""),
            ("2026-11-20+", "2026-11-31+"),
            ("getDocsByOrgRegion", "getNsi"),
        ] {
            let request = REQUEST.replace(right, wrong);
            assert_ne!(request, REQUEST, "{right}");
            assert!(call(&request).selection.is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_foreign_namespace_is_told_from_what_is_unreadable() {
        let foreign = REQUEST.replace("get-docs-ip/ws", "getDocsIP-ws");
        assert!(matches!(
            Message::read(foreign.as_bytes()),
            Message::Foreign
        ));
        for wrong in [
            "",
            "<a/>",
            &REQUEST[..300],
            &format!("<!DOCTYPE a>{REQUEST}"),
        ] {
            assert!(matches!(
                Message::read(wrong.as_bytes()),
                Message::Unreadable
            ));
        }
    }
}
