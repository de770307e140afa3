//! JSON-RPC 2.0 messages with the restrictions of the Model Context Protocol: no batches, and ids
//! are strings or integers.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

pub enum Incoming<'a> {
    Request {
        id: Value,
        method: String,
        params: Option<&'a RawValue>,
    },
    /// A message that needs no answer: a notification, or a response (although this program never
    /// sends requests).
    Ignored,
    /// The id of an invalid message, which is null if it is not known, and the error.
    Invalid(Value, RpcError),
}

/// A JSON-RPC error: the code and a sentence.
#[derive(Debug)]
pub struct RpcError(i64, String);

impl RpcError {
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
        Self(-32601, format!("unknown method {method}"))
    }

    pub fn wrong_params(what: impl Into<String>) -> Self {
        Self(-32602, what.into())
    }
}

pub fn read(message: &[u8]) -> Incoming<'_> {
    let wrong = |fault| Incoming::Invalid(Value::Null, fault);
    let text = match std::str::from_utf8(message) {
        Ok(text) => text.trim(),
        Err(error) => return wrong(RpcError::malformed(error)),
    };
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        return wrong(RpcError::malformed(error));
    }
    let members = match serde_json::from_str::<Members<'_>>(text) {
        Ok(members) => members,
        Err(_) if text.starts_with('[') => {
            return wrong(RpcError::invalid("send one message per line, not a batch"));
        }
        Err(error) => {
            let what = format!("the message is not a JSON-RPC 2.0 request: {error}");
            return wrong(RpcError::invalid(&what));
        }
    };
    if members.jsonrpc.as_deref() != Some("2.0") {
        let id = members.id.filter(is_id).unwrap_or_default();
        return Incoming::Invalid(id, RpcError::invalid("\"jsonrpc\" must be \"2.0\""));
    }
    match (members.method, members.id) {
        (None, Some(id)) if !members.is_answer => {
            let fault = RpcError::invalid("the message has no \"method\"");
            Incoming::Invalid(Some(id).filter(is_id).unwrap_or_default(), fault)
        }
        (None, _) if members.is_answer => Incoming::Ignored,
        (None, _) => wrong(RpcError::invalid("the message has no \"method\"")),
        (Some(_), None) => Incoming::Ignored,
        (Some(_), Some(id)) if !is_id(&id) => {
            wrong(RpcError::invalid("\"id\" must be a string or an integer"))
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

/// The members of a message that this program uses.
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

/// Deserializes an optional member so that null counts as a value, not as missing.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(Some)
}

/// Returns a response. `result` must be JSON.
pub fn result(id: &Value, result: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}")
}

pub fn error(id: &Value, RpcError(code, message): &RpcError) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }).to_string()
}

/// The response to a message of more than `most` bytes. The id of such a message is not known.
pub fn too_long(most: u64) -> String {
    let what = format!("the message has more than {most} bytes");
    error(&Value::Null, &RpcError::invalid(&what))
}

/// Parses the parameters of a request, which must be an object or missing.
pub fn members(params: Option<&RawValue>) -> Result<Map<String, Value>, RpcError> {
    let Some(params) = params else {
        return Ok(Map::new());
    };
    let read = serde_json::from_str(params.get());
    read.map_err(|_| RpcError::wrong_params("\"params\" must be an object"))
}
