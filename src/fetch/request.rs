//! The requests: SOAP envelopes as the interface of the service (WSDL, 16.1 of 25.03.2026)
//! has them.
//!
//! Only the root of the body has a prefix: its children are unqualified there, and the
//! service takes prefixed ones for an error. The namespace is that of the WSDL; of a request
//! in another the service answers an echo.

use std::io;

use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::token::AccessToken;
use crate::model::Cell;

/// The namespace of SOAP's envelopes.
const SOAP: &str = "http://schemas.xmlsoap.org/soap/envelope/";

/// The namespace of the service's requests (`targetNamespace`).
pub(super) const NAMESPACE: &str = "http://zakupki.gov.ru/fz44/get-docs-ip/ws";

/// `SOAPAction` of all operations.
pub(super) const ACTION: &str = "\"http://zakupki.gov.ru/fz44/queue/ws/get-docs-ip\"";

/// The most characters of a registry number (`regNumType`).
pub const MAX_NUMBER_LENGTH: usize = 50;

/// Which documents are asked for.
#[derive(Clone, Copy, Debug)]
pub enum DocumentsOf<'a> {
    /// Those of a cell (`getDocsByOrgRegion`).
    Cell(&'a Cell),
    /// All of a registry number in a subsystem (`getDocsByReestrNumber`).
    Number {
        /// The number.
        number: &'a str,
        /// The subsystem.
        subsystem: &'a str,
    },
}

impl DocumentsOf<'_> {
    /// The operation: the element of the request is this and `Request`, that of the answer this
    /// and `Response`.
    pub(super) fn operation(self) -> &'static str {
        match self {
            Self::Cell(_) => "getDocsByOrgRegion",
            Self::Number { .. } => "getDocsByReestrNumber",
        }
    }
}

/// The request for `documents`. `id` is a GUID, `moment` the time of the request in Moscow,
/// `YYYY-MM-DDTHH:MM:SS`. Without a token the header is empty, for a tunnel that needs none.
pub(super) fn envelope(
    documents: DocumentsOf<'_>,
    id: &str,
    moment: &str,
    token: Option<&AccessToken>,
) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    let written = writer
        .create_element("soapenv:Envelope")
        .with_attribute(("xmlns:soapenv", SOAP))
        .with_attribute(("xmlns:ws", NAMESPACE))
        .write_inner_content(|writer| {
            writer
                .create_element("soapenv:Header")
                .write_inner_content(|writer| match token {
                    Some(token) => text(writer, "individualPerson_token", token.secret()),
                    None => Ok(()),
                })?;
            writer
                .create_element("soapenv:Body")
                .write_inner_content(|writer| body(writer, documents, id, moment))
                .map(drop)
        });
    // Writing into memory cannot fail; were it to, the service would say so of an empty body.
    drop(written);
    writer.into_inner()
}

type Xml = Writer<Vec<u8>>;

fn body(writer: &mut Xml, documents: DocumentsOf<'_>, id: &str, moment: &str) -> io::Result<()> {
    writer
        .create_element(format!("ws:{}Request", documents.operation()))
        .write_inner_content(|writer| {
            writer
                .create_element("index")
                .write_inner_content(|writer| {
                    text(writer, "id", id)?;
                    text(writer, "createDateTime", moment)?;
                    text(writer, "mode", "PROD")
                })?;
            writer
                .create_element("selectionParams")
                .write_inner_content(|writer| selection(writer, documents))
                .map(drop)
        })
        .map(drop)
}

fn selection(writer: &mut Xml, documents: DocumentsOf<'_>) -> io::Result<()> {
    let cell = match documents {
        DocumentsOf::Cell(cell) => cell,
        DocumentsOf::Number { number, subsystem } => {
            text(writer, "subsystemType", subsystem)?;
            return text(writer, "reestrNumber", number);
        }
    };
    text(writer, "orgRegion", cell.region.code)?;
    text(writer, "subsystemType", cell.documents.subsystem)?;
    // There is no third element: types under PP-615 are given as those under 44-FZ.
    let documents_type = match cell.documents.subsystem.ends_with("223") {
        true => "documentType223",
        false => "documentType44",
    };
    text(writer, documents_type, cell.documents.name)?;
    writer
        .create_element("periodInfo")
        .write_inner_content(|writer| {
            let day = format!("{}{}", cell.day, cell.region.offset);
            text(writer, "exactDate", &day)
        })
        .map(drop)
}

fn text(writer: &mut Xml, name: &str, value: &str) -> io::Result<()> {
    let element = writer.create_element(name);
    element.write_text_content(BytesText::new(value)).map(drop)
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
    fn a_cell_is_asked_for_as_the_interface_has_it() {
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
    fn types_of_223_have_their_own_element_and_those_of_615_that_of_44() {
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
