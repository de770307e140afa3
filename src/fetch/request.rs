//! Writes SOAP requests, as described by the service's interface (WSDL, 16.1 of 25.03.2026).
//!
//! Only the root element of the body has a namespace prefix: the schema leaves its children
//! unqualified, and the service rejects prefixed ones. If the namespace differs from the one in the
//! WSDL, the service responds with an echo of the request.

use super::token::AccessToken;
use crate::model::Cell;
use crate::xml::{self, Tag, tag};

/// Namespace of the root element of the body (`targetNamespace` in the WSDL).
pub(super) const NAMESPACE: &str = "http://zakupki.gov.ru/fz44/get-docs-ip/ws";

const ENVELOPE: Tag = Tag {
    start: concat!(
        "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\"",
        " xmlns:ws=\"http://zakupki.gov.ru/fz44/get-docs-ip/ws\">"
    ),
    end: "</soapenv:Envelope>",
    empty: "",
};

/// Without a token, the header is empty but not self-closing, as in the examples of the service's
/// documentation.
const HEADER: Tag = Tag {
    empty: "<soapenv:Header></soapenv:Header>",
    ..tag!("soapenv:Header")
};

/// Value of the `SOAPAction` header for every operation.
pub(super) const ACTION: &str = "\"http://zakupki.gov.ru/fz44/queue/ws/get-docs-ip\"";

/// Upper bound on the characters of a registry number (`regNumType`).
pub const MAX_NUMBER_LENGTH: usize = 50;

#[derive(Clone, Copy, Debug)]
pub enum DocumentsOf<'a> {
    /// All documents of a cell (`getDocsByOrgRegion`).
    Cell(&'a Cell),
    /// All documents with this registry number in a subsystem (`getDocsByReestrNumber`).
    Number { number: &'a str, subsystem: &'a str },
}

impl DocumentsOf<'_> {
    /// Returns the name of the operation. With `Request` or `Response` appended, this is the name
    /// of the root element of the body.
    pub(super) fn operation(self) -> &'static str {
        match self {
            Self::Cell(_) => "getDocsByOrgRegion",
            Self::Number { .. } => "getDocsByReestrNumber",
        }
    }

    fn tag(self) -> Tag {
        match self {
            Self::Cell(_) => tag!("ws:getDocsByOrgRegionRequest"),
            Self::Number { .. } => tag!("ws:getDocsByReestrNumberRequest"),
        }
    }
}

/// Writes a request. `id` is a GUID, and `moment` is the current time in Moscow as
/// `YYYY-MM-DDTHH:MM:SS`. Without a token, the header stays empty; a tunnel may then add one.
pub(super) fn envelope(
    documents: DocumentsOf<'_>,
    id: &str,
    moment: &str,
    token: Option<&AccessToken>,
) -> Vec<u8> {
    let mut out = Vec::new();
    xml::element(&mut out, &ENVELOPE, |out| {
        xml::element(out, &HEADER, |out| {
            if let Some(token) = token {
                text(out, &tag!("individualPerson_token"), token.secret());
            }
        });
        xml::element(out, &tag!("soapenv:Body"), |out| {
            xml::element(out, &documents.tag(), |out| {
                xml::element(out, &tag!("index"), |out| {
                    text(out, &tag!("id"), id);
                    text(out, &tag!("createDateTime"), moment);
                    text(out, &tag!("mode"), "PROD");
                });
                let parameters = tag!("selectionParams");
                xml::element(out, &parameters, |out| selection(out, documents));
            });
        });
    });
    out
}

fn selection(out: &mut Vec<u8>, documents: DocumentsOf<'_>) {
    let cell = match documents {
        DocumentsOf::Cell(cell) => cell,
        DocumentsOf::Number { number, subsystem } => {
            text(out, &tag!("subsystemType"), subsystem);
            return text(out, &tag!("reestrNumber"), number);
        }
    };
    text(out, &tag!("orgRegion"), cell.region.code);
    text(out, &tag!("subsystemType"), cell.documents.subsystem);
    // The interface has no element for document types under PP-615. They go into the one for 44-FZ.
    let documents_type = match cell.documents.subsystem.ends_with("223") {
        true => tag!("documentType223"),
        false => tag!("documentType44"),
    };
    text(out, &documents_type, cell.documents.name);
    xml::element(out, &tag!("periodInfo"), |out| {
        let day = format!("{}{}", cell.day, cell.region.offset);
        text(out, &tag!("exactDate"), &day);
    });
}

fn text(out: &mut Vec<u8>, tag: &Tag, value: &str) {
    xml::element(out, tag, |out| xml::text(out, value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Date, DocumentType, Region};

    const ID: &str = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
    const MOMENT: &str = "2026-11-22T03:00:00";

    fn written(documents: DocumentsOf<'_>, token: Option<&AccessToken>) -> String {
        let envelope = envelope(documents, ID, MOMENT, token);
        String::from_utf8(envelope).expect("UTF-8")
    }

    fn cell(region: &str, subsystem: &'static str, name: &'static str) -> Cell {
        Cell {
            day: Date::new(2026, 11, 20).expect("a day"),
            region: Region::from_code(region).expect("a region"),
            documents: DocumentType { subsystem, name },
        }
    }

    #[test]
    fn a_request_for_a_cell_follows_the_interface() {
        let token = AccessToken::parse("0f3a1c52-9d1e-4c55-8a5b-3f3b7f0c1d2e").expect("a token");
        let cell = cell("77", "RGK", "contract");
        assert_eq!(
            written(DocumentsOf::Cell(&cell), Some(&token)),
            "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\" \
             xmlns:ws=\"http://zakupki.gov.ru/fz44/get-docs-ip/ws\">\
             <soapenv:Header><individualPerson_token>0f3a1c52-9d1e-4c55-8a5b-3f3b7f0c1d2e\
             </individualPerson_token></soapenv:Header>\
             <soapenv:Body><ws:getDocsByOrgRegionRequest><index>\
             <id>6f9619ff-8b86-4011-b42d-00c04fc964ff</id>\
             <createDateTime>2026-11-22T03:00:00</createDateTime><mode>PROD</mode></index>\
             <selectionParams><orgRegion>77</orgRegion><subsystemType>RGK</subsystemType>\
             <documentType44>contract</documentType44>\
             <periodInfo><exactDate>2026-11-20+03:00</exactDate></periodInfo></selectionParams>\
             </ws:getDocsByOrgRegionRequest></soapenv:Body></soapenv:Envelope>"
        );
    }

    #[test]
    fn types_under_223_fz_have_an_element_of_their_own() {
        for (region, subsystem, name, expected) in [
            (
                "75",
                "RI223",
                "purchaseNotice",
                "<documentType223>purchaseNotice</documentType223>",
            ),
            (
                "75",
                "RNP223",
                "dishonestSupplier",
                "<documentType223>dishonestSupplier<",
            ),
            (
                "63",
                "PPRF615",
                "pprf615ProtocolEF1",
                "<documentType44>pprf615ProtocolEF1<",
            ),
        ] {
            let cell = cell(region, subsystem, name);
            let request = written(DocumentsOf::Cell(&cell), None);
            assert!(request.contains(expected), "{request}");
            assert!(
                request.contains("<soapenv:Header></soapenv:Header>"),
                "{request}"
            );
            let day = format!("<exactDate>2026-11-20{}</exactDate>", cell.region.offset);
            assert!(request.contains(&day), "{request}");
        }
    }

    #[test]
    fn a_number_is_escaped() {
        let number = DocumentsOf::Number {
            number: "<&>",
            subsystem: "RNP",
        };
        let request = written(number, None);
        let expected = "<selectionParams><subsystemType>RNP</subsystemType>\
                        <reestrNumber>&lt;&amp;&gt;</reestrNumber></selectionParams>\
                        </ws:getDocsByReestrNumberRequest>";
        assert!(request.contains(expected), "{request}");
    }
}
