//! Answers as the schema has them.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesCData, BytesDecl, BytesText, Event};
use time::OffsetDateTime;

use crate::soap::{ENVELOPE, NAMESPACE};

type Xml = Writer<Vec<u8>>;

/// An answer to a request for documents.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The operation's name.
    pub operation: String,
    /// The answer's own id.
    pub id: String,
    /// The id of the request, if it is said.
    pub ref_id: Option<String>,
    /// What was found.
    pub data: DataInfo,
    /// Are links written as CDATA?
    pub is_cdata: bool,
}

/// What was found.
#[derive(Clone, Debug)]
pub enum DataInfo {
    /// Links to archives.
    Links(Vec<String>),
    /// Nothing.
    NoData,
    /// An error instead: its code and its message.
    Error(i32, String),
}

impl Answer {
    /// As XML, with its declaration.
    pub fn xml(&self) -> Vec<u8> {
        written(|xml| {
            let name = format!("ns2:{}Response", self.operation);
            xml.create_element(&*name)
                .with_attribute(("xmlns:ns2", NAMESPACE))
                .write_inner_content(|xml| {
                    self.write_index(xml)?;
                    xml.create_element("dataInfo")
                        .write_inner_content(|xml| self.write_data(xml))?;
                    Ok(())
                })?;
            Ok(())
        })
    }

    fn write_index(&self, xml: &mut Xml) -> io::Result<()> {
        xml.create_element("index").write_inner_content(|xml| {
            text(xml, "id", &self.id)?;
            if let Some(id) = &self.ref_id {
                text(xml, "refId", id)?;
            }
            text(xml, "createDateTime", &now())?;
            text(xml, "mode", "PROD")
        })?;
        Ok(())
    }

    fn write_data(&self, xml: &mut Xml) -> io::Result<()> {
        match &self.data {
            DataInfo::NoData => text(xml, "noData", "true"),
            DataInfo::Error(code, message) => {
                xml.create_element("errorInfo").write_inner_content(|xml| {
                    text(xml, "code", &code.to_string())?;
                    text(xml, "message", message)
                })?;
                Ok(())
            }
            DataInfo::Links(links) => links.iter().try_for_each(|link| {
                let element = xml.create_element("archiveUrl");
                if self.is_cdata {
                    element.write_cdata_content(BytesCData::new(&**link))?;
                } else {
                    element.write_text_content(BytesText::new(link))?;
                }
                Ok(())
            }),
        }
    }
}

/// A SOAP fault.
pub fn soap_fault(message: &str) -> Vec<u8> {
    written(|xml| {
        xml.create_element("soap:Fault")
            .write_inner_content(|xml| {
                text(xml, "faultcode", "soap:Client")?;
                text(xml, "faultstring", message)
            })?;
        Ok(())
    })
}

/// An envelope around what `content` writes into its body.
fn written(content: impl FnOnce(&mut Xml) -> io::Result<()>) -> Vec<u8> {
    let mut xml = Writer::new(Vec::new());
    let write = |xml: &mut Xml| {
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        xml.create_element("soap:Envelope")
            .with_attribute(("xmlns:soap", ENVELOPE))
            .write_inner_content(|xml| {
                xml.create_element("soap:Body")
                    .write_inner_content(content)?;
                Ok(())
            })?;
        io::Result::Ok(())
    };
    write(&mut xml).expect("bytes in memory");
    xml.into_inner()
}

fn text(xml: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    xml.create_element(name)
        .write_text_content(BytesText::new(text))?;
    Ok(())
}

fn now() -> String {
    let now = OffsetDateTime::now_utc();
    let (hours, minutes, seconds) = now.to_hms();
    format!("{}T{hours:02}:{minutes:02}:{seconds:02}Z", now.date())
}

/// What is given for `?wsdl`: the operations that are simulated.
pub fn wsdl(endpoint: &str) -> String {
    let operation = |name: &str| {
        format!(
            r#"<operation name="{name}"><input message="ip:{name}Request"/><output message="ip:{name}Response"/></operation>"#
        )
    };
    let (region, number) = (
        operation("getDocsByOrgRegion"),
        operation("getDocsByReestrNumber"),
    );
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:ip="{NAMESPACE}" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" targetNamespace="{NAMESPACE}"><portType name="GetDocs">{region}{number}</portType><service name="GetDocs"><port name="GetDocs" binding="ip:GetDocs"><soap:address location="{endpoint}"/></port></service></definitions>"#
    )
}
