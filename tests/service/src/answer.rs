//! SOAP responses in the form that the schema of the service defines.

use quick_xml::escape::escape;

use crate::fault::Fault;
use crate::http::Request;
use crate::soap::{DocumentsRequest, ENVELOPE, NAMESPACE};

/// The result of a request for documents, named as in the schema.
pub(crate) enum DataInfo {
    /// Links to archives.
    Links(Vec<String>),
    NoData,
    /// Error code and message.
    Error(i32, String),
}

/// Builds the body of the response with this id. The fault, if any, is applied to it.
pub(crate) fn answer(
    request: &Request,
    call: &DocumentsRequest,
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
    let correct = enveloped(&format!(
        "<ns2:{operation}Response xmlns:ns2=\"{NAMESPACE}\"><index><id>{id}</id>\
         {reference}<createDateTime>2026-11-20T12:00:00Z</createDateTime>\
         <mode>PROD</mode></index><dataInfo>{data}</dataInfo></ns2:{operation}Response>"
    ));
    match fault {
        Some(Fault::Echo) => request.body.clone(),
        Some(Fault::Cut) => correct.as_bytes()[..correct.len() / 2].to_vec(),
        Some(Fault::Huge(bytes)) => {
            let begin = " ".repeat(*bytes) + "<dataInfo>";
            correct.replacen("<dataInfo>", &begin, 1).into()
        }
        _ => correct.into(),
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
