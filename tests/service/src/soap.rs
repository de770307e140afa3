//! Requests. What their exact form is, the tests of the program's `fetch` have; here they are
//! only read.

/// The namespace of requests and answers.
pub(crate) const NAMESPACE: &str = "http://zakupki.gov.ru/fz44/get-docs-ip/ws";
/// The namespace of the envelope.
pub(crate) const ENVELOPE: &str = "http://schemas.xmlsoap.org/soap/envelope/";
/// The header `SOAPAction`, with its quotation marks.
pub(crate) const ACTION: &str = "\"http://zakupki.gov.ru/fz44/queue/ws/get-docs-ip\"";

/// A request for documents.
pub(crate) struct Call {
    /// The operation's name, without `Request`.
    pub(crate) operation: &'static str,
    /// The request's id, as it came.
    pub(crate) id: String,
    /// The token of the envelope's header.
    pub(crate) token: Option<String>,
    /// The key of what it asks for.
    pub(crate) key: String,
}

impl Call {
    /// Reads a request's body; `None` where something is missing.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
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
                // Without the offset.
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
