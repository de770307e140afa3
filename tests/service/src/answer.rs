//! Answers as the schema has them.

use quick_xml::escape::escape;

use crate::fault::Fault;
use crate::http::Request;
use crate::soap::{Call, ENVELOPE, NAMESPACE};

/// The outcome of a request for documents.
pub(crate) enum DataInfo {
    /// Links to archives.
    Links(Vec<String>),
    /// Nothing.
    NoData,
    /// An error instead: its code and its message.
    Error(i32, String),
}

/// The body of the answer with an id of its own, which may have a fault.
pub(crate) fn answer(
    request: &Request,
    call: &Call,
    id: &str,
    mut data: DataInfo,
    fault: Option<&Fault>,
) -> Vec<u8> {
    if let Some(Fault::ErrorInfo(code, message)) = fault {
        let token = request.token.as_deref().unwrap_or_default();
        data = DataInfo::Error(*code, message.replace("{token}", token));
    }
    let (operation, data) = (call.operation, data.xml(fault));
    let reference = match fault {
        Some(Fault::Reference(other)) => other.as_deref(),
        _ => Some(&*call.id),
    };
    let reference = reference.map_or(String::new(), |id| format!("<refId>{id}</refId>"));
    let right = enveloped(&format!(
        "<ns2:{operation}Response xmlns:ns2=\"{NAMESPACE}\"><index><id>{id}</id>\
         {reference}<createDateTime>2026-11-20T12:00:00Z</createDateTime>\
         <mode>PROD</mode></index><dataInfo>{data}</dataInfo></ns2:{operation}Response>"
    ));
    match fault {
        Some(Fault::Echo) => request.body.clone(),
        Some(Fault::Cut) => right.as_bytes()[..right.len() / 2].to_vec(),
        Some(Fault::Huge(bytes)) => {
            let begin = " ".repeat(*bytes) + "<dataInfo>";
            right.replacen("<dataInfo>", &begin, 1).into()
        }
        _ => right.into(),
    }
}

impl DataInfo {
    fn xml(&self, fault: Option<&Fault>) -> String {
        match self {
            Self::NoData => "<noData>true</noData>".to_owned(),
            Self::Error(code, message) => format!(
                "<errorInfo><code>{code}</code><message>{}</message></errorInfo>",
                escape(message)
            ),
            Self::Links(links) => {
                let text = |link: &String| match fault {
                    Some(Fault::Cdata) => format!("\n  <![CDATA[{link}]]>\n"),
                    _ => escape(link).into_owned(),
                };
                let link = |link| format!("<archiveUrl>{}</archiveUrl>", text(link));
                links.iter().map(link).collect()
            }
        }
    }
}

/// A SOAP fault.
pub(crate) fn soap_fault(message: &str) -> String {
    enveloped(&format!(
        "<soap:Fault><faultcode>soap:Client</faultcode><faultstring>{message}</faultstring>\
         </soap:Fault>"
    ))
}

fn enveloped(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"{ENVELOPE}\">\
         <soap:Body>{body}</soap:Body></soap:Envelope>"
    )
}
