//! Answers as the schema has them.

use quick_xml::escape::escape;
use time::OffsetDateTime;

use crate::soap::{ENVELOPE, NAMESPACE};

/// An answer to a request for documents.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The operation's name.
    pub(crate) operation: String,
    /// The answer's own id.
    pub(crate) id: String,
    /// The id of the request, if it is said.
    pub(crate) ref_id: Option<String>,
    /// What was found.
    pub(crate) data: DataInfo,
    /// Are links written as CDATA?
    pub(crate) is_cdata: bool,
}

/// What was found.
#[derive(Clone, Debug)]
pub(crate) enum DataInfo {
    /// Links to archives.
    Links(Vec<String>),
    /// Nothing.
    NoData,
    /// An error instead: its code and its message.
    Error(i32, String),
}

impl Answer {
    /// As XML, with its declaration.
    pub(crate) fn xml(&self) -> String {
        let Self { operation, id, .. } = self;
        let ref_id = self.ref_id.as_ref();
        let ref_id = ref_id.map_or_else(String::new, |id| format!("<refId>{id}</refId>"));
        let (now, data) = (now(), self.data());
        enveloped(&format!(
            "<ns2:{operation}Response xmlns:ns2=\"{NAMESPACE}\"><index><id>{id}</id>{ref_id}\
             <createDateTime>{now}</createDateTime><mode>PROD</mode></index>\
             <dataInfo>{data}</dataInfo></ns2:{operation}Response>"
        ))
    }

    fn data(&self) -> String {
        match &self.data {
            DataInfo::NoData => "<noData>true</noData>".to_owned(),
            DataInfo::Error(code, message) => format!(
                "<errorInfo><code>{code}</code><message>{}</message></errorInfo>",
                escape(message)
            ),
            DataInfo::Links(links) => {
                let link = |link: &String| match self.is_cdata {
                    true => format!("<archiveUrl><![CDATA[{link}]]></archiveUrl>"),
                    false => format!("<archiveUrl>{}</archiveUrl>", escape(link)),
                };
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

fn now() -> String {
    let now = OffsetDateTime::now_utc();
    let (hours, minutes, seconds) = now.to_hms();
    format!("{}T{hours:02}:{minutes:02}:{seconds:02}Z", now.date())
}

/// What is given for `?wsdl`: the operations that are simulated.
pub(crate) fn wsdl(endpoint: &str) -> String {
    let operation = |name: &str| {
        format!(
            "<operation name=\"{name}\"><input message=\"ip:{name}Request\"/>\
             <output message=\"ip:{name}Response\"/></operation>"
        )
    };
    let operations = ["getDocsByOrgRegion", "getDocsByReestrNumber"].map(operation);
    let operations = operations.concat();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <definitions xmlns=\"http://schemas.xmlsoap.org/wsdl/\" xmlns:ip=\"{NAMESPACE}\" \
         xmlns:soap=\"http://schemas.xmlsoap.org/wsdl/soap/\" targetNamespace=\"{NAMESPACE}\">\
         <portType name=\"GetDocs\">{operations}</portType><service name=\"GetDocs\">\
         <port name=\"GetDocs\" binding=\"ip:GetDocs\"><soap:address location=\"{endpoint}\"/>\
         </port></service></definitions>"
    )
}
