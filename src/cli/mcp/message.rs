//! Messages of JSON-RPC 2.0, as the Model Context Protocol restricts them: no batches, and ids that
//! are strings or integers.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// What a message asks for.
pub enum Incoming<'a> {
    Request {
        id: Value,
        method: String,
        params: Option<&'a RawValue>,
    },
    /// Nothing is answered: a notification, or an answer to a request that this program never sends.
    Ignored,
    /// It cannot be taken: the error, and the id if there is one.
    Wrong(Value, Fault),
}

/// An error of the protocol: its code, and a sentence.
#[derive(Debug)]
pub struct Fault(i64, String);

impl Fault {
    fn malformed(what: impl ToString) -> Self {
        Self(
            -32700,
            format!("the message is not JSON: {}", what.to_string()),
        )
    }

    fn invalid(what: &str) -> Self {
        Self(-32600, what.to_owned())
    }

    pub fn unknown_method(method: &str) -> Self {
        let method: String = method.chars().take(60).collect();
        Self(-32601, format!("there is no method {method}"))
    }

    pub fn wrong_params(what: impl Into<String>) -> Self {
        Self(-32602, what.into())
    }
}

/// Reads a message.
pub fn read(message: &[u8]) -> Incoming<'_> {
    let wrong = |fault| Incoming::Wrong(Value::Null, fault);
    let text = match std::str::from_utf8(message) {
        Ok(text) => text.trim(),
        Err(error) => return wrong(Fault::malformed(error)),
    };
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        return wrong(Fault::malformed(error));
    }
    let members = match serde_json::from_str::<Members<'_>>(text) {
        Ok(members) => members,
        Err(_) if text.starts_with('[') => {
            return wrong(Fault::invalid("send one message a line, not a batch"));
        }
        Err(error) => {
            let what = format!("the message is no request of JSON-RPC 2.0: {error}");
            return wrong(Fault::invalid(&what));
        }
    };
    if members.jsonrpc.as_deref() != Some("2.0") {
        let id = members.id.filter(is_id).unwrap_or_default();
        return Incoming::Wrong(id, Fault::invalid("\"jsonrpc\" must be \"2.0\""));
    }
    match (members.method, members.id) {
        (None, Some(id)) if !members.is_answer => {
            let fault = Fault::invalid("the message has no \"method\"");
            Incoming::Wrong(Some(id).filter(is_id).unwrap_or_default(), fault)
        }
        (None, _) if members.is_answer => Incoming::Ignored,
        (None, _) => wrong(Fault::invalid("the message has no \"method\"")),
        (Some(_), None) => Incoming::Ignored,
        (Some(_), Some(id)) if !is_id(&id) => {
            wrong(Fault::invalid("\"id\" must be a string or an integer"))
        }
        (Some(method), Some(id)) => Incoming::Request {
            id,
            method,
            params: members.params,
        },
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}

/// The members of a message that are read.
struct Members<'a> {
    jsonrpc: Option<String>,
    id: Option<Value>,
    method: Option<String>,
    params: Option<&'a RawValue>,
    is_answer: bool,
}

impl<'de: 'a, 'a> serde::Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Known<'a> {
            jsonrpc: Option<String>,
            #[serde(default, deserialize_with = "given")]
            id: Option<Value>,
            method: Option<String>,
            #[serde(borrow)]
            params: Option<&'a RawValue>,
            #[serde(borrow)]
            result: Option<&'a RawValue>,
            #[serde(borrow)]
            error: Option<&'a RawValue>,
        }
        let known = Known::deserialize(deserializer)?;
        Ok(Self {
            jsonrpc: known.jsonrpc,
            id: known.id,
            method: known.method,
            params: known.params,
            is_answer: known.result.is_some() || known.error.is_some(),
        })
    }
}

/// Tells a member that is null from one that is missing.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(Some)
}

/// Returns the answer to a request: its result, in JSON.
pub fn result(id: &Value, result: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}")
}

/// Returns the answer to a message that failed.
pub fn error(id: &Value, Fault(code, message): &Fault) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }).to_string()
}

/// Returns the answer to a message of more than `most` bytes, whose id is not known.
pub fn too_long(most: u64) -> String {
    let what = format!("the message has more than {most} bytes");
    error(&Value::Null, &Fault::invalid(&what))
}

/// Reads the parameters of a request, which are an object or missing.
pub fn members(params: Option<&RawValue>) -> Result<Map<String, Value>, Fault> {
    let Some(params) = params else {
        return Ok(Map::new());
    };
    let read = serde_json::from_str(params.get());
    read.map_err(|_| Fault::wrong_params("\"params\" must be an object"))
}
