//! SOAP requests. This module extracts only what the service needs; the tests of `fetch` check the
//! exact form of requests.

pub(crate) const NAMESPACE: &str = "http://zakupki.gov.ru/fz44/get-docs-ip/ws";
pub(crate) const ENVELOPE: &str = "http://schemas.xmlsoap.org/soap/envelope/";
/// Value of the header `SOAPAction`, including the quotation marks.
pub(crate) const ACTION: &str = "\"http://zakupki.gov.ru/fz44/queue/ws/get-docs-ip\"";

pub(crate) struct DocumentsRequest {
    /// Name of the operation, without `Request`.
    pub(crate) operation: &'static str,
    pub(crate) id: String,
    /// Token in the header of the envelope.
    pub(crate) token: Option<String>,
    /// Key of the requested selection.
    pub(crate) key: String,
}

impl DocumentsRequest {
    /// Parses the body of a request. Returns `None` if a required element is missing.
    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let envelope = std::str::from_utf8(body).ok()?;
        let text = |name: &str| {
            let (_, rest) = envelope.split_once(&format!("<{name}>"))?;
            let (text, _) = rest.split_once(&format!("</{name}>"))?;
            Some(text.to_owned())
        };
        let subsystem = text("subsystemType")?;
        let law = match subsystem.ends_with("223") {
            true => "documentType223",
            false => "documentType44",
        };
        let (operation, key) = match text("reestrNumber") {
            Some(number) => (
                "getDocsByReestrNumber",
                format!("number/{subsystem}/{number}"),
            ),
            None => {
                let (date, region, documents) =
                    (text("exactDate")?, text("orgRegion")?, text(law)?);
                // Drop the time zone.
                let day = date.get(..10)?;
                let key = format!("{day}/{region}/{subsystem}/{documents}");
                ("getDocsByOrgRegion", key)
            }
        };
        Some(Self {
            operation,
            id: text("id")?,
            token: text("individualPerson_token"),
            key,
        })
    }
}
