//! Parses responses of the document service, defensively.
//!
//! The service has been seen to respond with an echo of the request, with HTML pages and with
//! errors, all with status 200. Mistaking one of them for "no documents" would silently lose days
//! of data. Therefore a response is accepted only if it refers to the id of the request, and only
//! `noData` means that there are no documents.

use crate::xml::{Element, for_each_document};

/// Upper bound on the bytes of a response. Leaves room for a thousand links of maximum length.
pub const MAX_ANSWER: u64 = 8 << 20;

/// Upper bound on the links in a response (`archiveUrl` in `getDocsByOrgRegionResponse`).
pub const MAX_LINKS: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DocumentsFound {
    /// Links to archives: at least one, without duplicates.
    Archives(Vec<String>),
    /// The service reports that it has no documents (`noData`).
    Nothing,
}

/// Why a response was rejected. Messages may quote text that the service sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AnswerError {
    /// The response is empty, cut off, or not well-formed XML.
    Unreadable,
    /// The service reported an error (`errorInfo`).
    Service {
        code: i64,
        message: String,
    },
    Other(String),
}

/// Parses the response to the request for `operation` with this `id`.
pub(super) fn read(body: &[u8], operation: &str, id: &str) -> Result<DocumentsFound, AnswerError> {
    let fields = AnswerFields::read(body)?;
    let other = |what: &str| Err(AnswerError::Other(what.to_owned()));
    match fields.operation.as_deref() {
        Some(operation) if operation.ends_with("Request") => {
            return other("the service answered with an echo of the request");
        }
        Some("Fault") => {
            let said = fields.fault.unwrap_or_default();
            return Err(AnswerError::Other(format!("a SOAP fault: {said}")));
        }
        Some(answered) if answered.strip_suffix("Response") == Some(operation) => {}
        Some(answered) if answered.ends_with("Response") => {
            return other("an answer to another kind of request");
        }
        _ => return other("an envelope without an answer"),
    }
    let is_ours = fields.reference.as_deref().map(|id| id.trim());
    let is_ours = is_ours.map(|reference| reference.eq_ignore_ascii_case(id));
    match (is_ours, fields.error) {
        (Some(false), _) => other("an answer to another request (refId)"),
        (
            _,
            Some(ErrorInfo {
                code: Some(code),
                message,
            }),
        ) => Err(AnswerError::Service { code, message }),
        (_, Some(_)) => other("an error without a code (errorInfo)"),
        (None, None) => other("an answer without the id of its request (refId)"),
        (Some(true), None) => match (fields.links, fields.no_data) {
            (links, None) if !links.is_empty() => Ok(DocumentsFound::Archives(links)),
            (links, Some(text)) if links.is_empty() && ["true", "1"].contains(&text.as_str()) => {
                Ok(DocumentsFound::Nothing)
            }
            _ => other("an answer with neither links to archives nor noData"),
        },
    }
}

#[derive(Default)]
struct AnswerFields {
    /// Name of the child element of the SOAP body.
    operation: Option<String>,
    reference: Option<String>,
    links: Vec<String>,
    no_data: Option<String>,
    error: Option<ErrorInfo>,
    fault: Option<String>,
}

#[derive(Default)]
struct ErrorInfo {
    code: Option<i64>,
    message: String,
}

impl AnswerFields {
    fn read(body: &[u8]) -> Result<Self, AnswerError> {
        let document = String::from_utf8_lossy(body);
        let mut fields = Err(AnswerError::Unreadable);
        match for_each_document(&document, |root| fields = Self::new(&root)) {
            Ok(()) => fields.map_err(|error| match error {
                AnswerError::Unreadable => not_xml(&document),
                error => error,
            }),
            Err(error) if error.is_well_formed && is_envelope(&document) => Err(
                AnswerError::Other(format!("an answer that cannot be parsed{error}")),
            ),
            Err(_) if is_envelope(&document) || document.trim().is_empty() => {
                Err(AnswerError::Unreadable)
            }
            Err(_) => Err(not_xml(&document)),
        }
    }

    fn new(envelope: &Element<'_>) -> Result<Self, AnswerError> {
        if envelope.name != "Envelope" {
            return Err(AnswerError::Unreadable);
        }
        let mut answers = Vec::new();
        envelope.each_at("Body/*", &mut |answer| answers.push(answer));
        let answer = match answers[..] {
            [] => return Ok(Self::default()),
            [answer] => answer,
            _ => {
                let what = "an envelope with two answers";
                return Err(AnswerError::Other(what.to_owned()));
            }
        };
        let text = |path| answer.at(path).map(|found| found.text().to_owned());
        let error = answer.at("dataInfo/errorInfo").map(|error| ErrorInfo {
            code: error.first_text(&["code"]).parse().ok(),
            message: error.first_text(&["message"]).to_owned(),
        });
        Ok(Self {
            operation: Some(answer.name.to_owned()),
            reference: text("index/refId"),
            links: links(answer)?,
            no_data: text("dataInfo/noData"),
            error,
            fault: text("faultstring").or_else(|| text("Reason/Text")),
        })
    }
}

fn links(answer: &Element<'_>) -> Result<Vec<String>, AnswerError> {
    let mut found = Vec::new();
    answer.each_at("dataInfo/archiveUrl", &mut |link| found.push(link.text()));
    let mut links: Vec<String> = Vec::new();
    for link in found {
        if link.is_empty() {
            let what = "an answer with an empty link";
            return Err(AnswerError::Other(what.to_owned()));
        }
        if links.len() >= MAX_LINKS {
            let what = format!("an answer with more than {MAX_LINKS} links");
            return Err(AnswerError::Other(what));
        }
        if !links.iter().any(|known| known == link) {
            links.push(link.to_owned());
        }
    }
    Ok(links)
}

fn is_envelope(document: &str) -> bool {
    let mut tags = document.split('<').skip(1);
    let root = tags.find(|tag| !tag.starts_with(['?', '!']));
    let name = root.and_then(|root| root.split([' ', '>', '/', '\n']).next());
    let name = name.unwrap_or_default();
    name.rsplit(':').next() == Some("Envelope")
}

/// Expects lower-case text.
pub(super) fn is_html(text: &str) -> bool {
    text.contains("<html") || text.contains("<!doctype html")
}

fn not_xml(document: &str) -> AnswerError {
    let start: String = document.chars().take(1024).collect();
    let what = match is_html(&start.to_ascii_lowercase()) {
        true => "an HTML page instead of an answer",
        false => "something other than a SOAP envelope",
    };
    AnswerError::Other(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
    const OPERATION: &str = "getDocsByOrgRegion";

    fn envelope(body: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?><soap:Envelope xmlns:soap=\"s\"><soap:Header/>\
             <soap:Body>{body}</soap:Body></soap:Envelope>"
        )
    }

    fn response(reference: &str, data: &str) -> String {
        envelope(&format!(
            "<ns2:getDocsByOrgRegionResponse xmlns:ns2=\"w\"><index><id>x</id>{reference}\
             <mode>PROD</mode></index><dataInfo>{data}</dataInfo>\
             </ns2:getDocsByOrgRegionResponse>"
        ))
    }

    fn ours(data: &str) -> String {
        response(&format!("<refId>{}</refId>", ID.to_uppercase()), data)
    }

    fn check(body: &str, expected: Result<DocumentsFound, AnswerError>) {
        assert_eq!(read(body.as_bytes(), OPERATION, ID), expected, "{body}");
    }

    fn other(body: &str, expected: &str) {
        match read(body.as_bytes(), OPERATION, ID) {
            Err(AnswerError::Other(what)) => assert!(what.contains(expected), "{what}: {body}"),
            result => panic!("{result:?}: {body}"),
        }
    }

    #[test]
    fn links_are_found_plain_and_in_cdata_without_duplicates() {
        let data = "<archiveUrl>https://a/?x=1&amp;y=&#50;</archiveUrl>\
                    <archiveUrl> <![CDATA[https://a/?x=2&y=3]]>\n</archiveUrl>\
                    <archiveUrl>https://a/?x=2&amp;y=3</archiveUrl>";
        let links = ["https://a/?x=1&y=2", "https://a/?x=2&y=3"];
        check(
            &ours(data),
            Ok(DocumentsFound::Archives(links.map(str::to_owned).to_vec())),
        );
    }

    #[test]
    fn only_no_data_for_our_request_is_an_empty_cell() {
        check(&ours("<noData>true</noData>"), Ok(DocumentsFound::Nothing));
        check(&ours("<noData>1</noData>"), Ok(DocumentsFound::Nothing));
        other(&ours("<noData>false</noData>"), "neither");
        other(&ours("<noData/>"), "neither");
        other(&ours(""), "neither");
        other(
            &ours("<noData>true</noData><archiveUrl>https://a/</archiveUrl>"),
            "neither",
        );
        other(&ours("<archiveUrl/>"), "empty link");
        other(&response("", "<noData>true</noData>"), "without the id");
        let anothers = "<refId>00000000-0000-4000-8000-000000000000</refId>";
        other(
            &response(anothers, "<noData>true</noData>"),
            "another request",
        );
        other(
            &response(anothers, "<archiveUrl>https://a/</archiveUrl>"),
            "another request",
        );
        other(
            &envelope(
                "<ws:getDocsByOrgRegionRequest><index><id>x</id></index></ws:getDocsByOrgRegionRequest>",
            ),
            "echo",
        );
        other(&envelope(""), "without an answer");
        let by_number = ours("<noData>true</noData>").replace("OrgRegion", "ReestrNumber");
        other(&by_number, "another kind of request");
        other("<html><body>noData</body></html>", "HTML");
        other("<!DOCTYPE html><html>", "HTML");
        other("{}", "other than a SOAP envelope");
        other(
            "<data><noData>true</noData></data>",
            "other than a SOAP envelope",
        );
        let twice = ours("<noData>true</noData>").replace(
            "</soap:Body>",
            "<ns2:getDocsByOrgRegionResponse/></soap:Body>",
        );
        other(&twice, "two answers");
    }

    #[test]
    fn errors_have_a_code_and_a_message() {
        let error =
            "<errorInfo><code>13</code><message>Превышен &lt;лимит&gt;</message></errorInfo>";
        let expected = || {
            Err(AnswerError::Service {
                code: 13,
                message: "Превышен <лимит>".to_owned(),
            })
        };
        check(&ours(error), expected());
        check(&response("", error), expected());
        other(
            &response("<refId>another</refId>", error),
            "another request",
        );
        other(
            &ours("<errorInfo><code>x</code></errorInfo>"),
            "without a code",
        );
        other(
            &envelope(
                "<soap:Fault><faultcode>c</faultcode><faultstring>why</faultstring></soap:Fault>",
            ),
            "a SOAP fault: why",
        );
    }

    #[test]
    fn truncated_answers_are_distinguished_from_wrong_ones() {
        let whole = ours("<archiveUrl><![CDATA[https://a/]]></archiveUrl>");
        check("", Err(AnswerError::Unreadable));
        check(" \n", Err(AnswerError::Unreadable));
        let first = whole.find("Envelope").expect("an envelope") + 20;
        for end in first..whole.len() {
            check(&whole[..end], Err(AnswerError::Unreadable));
        }
        let damaged = whole.replace("</dataInfo>", "</dataInf>");
        check(&damaged, Err(AnswerError::Unreadable));
    }

    #[test]
    fn bounds_are_enforced() {
        let deep = format!("{}{}", "<a>".repeat(100), "</a>".repeat(100));
        other(&envelope(&deep), "deeper");
        let links: String = (0..=MAX_LINKS)
            .map(|number| format!("<archiveUrl>https://a/{number}</archiveUrl>"))
            .collect();
        other(&ours(&links), "more than 1000 links");
        other(&ours("<noData>&xxe;</noData>"), "entity");
        let doctype = format!(
            "<!DOCTYPE a [<!ENTITY b \"c\">]>{}",
            ours("<noData>true</noData>")
        );
        other(&doctype, "a document type declaration");
    }

    proptest::proptest! {
        /// Arbitrary input never panics, and a response to another request never means "no
        /// documents".
        #[test]
        fn any_answer_is_survived(
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
            cut in 0_usize..400,
            at in 0_usize..400,
        ) {
            let mut body = ours("<archiveUrl><![CDATA[https://a/?b=1&c]]></archiveUrl>").into_bytes();
            let at = at.min(body.len());
            let end = (at + cut).min(body.len());
            body.splice(at..end, bytes.iter().copied());
            for body in [&body[..], &bytes[..]] {
                proptest::prop_assert_ne!(read(body, OPERATION, ID), Ok(DocumentsFound::Nothing));
            }
        }
    }
}
