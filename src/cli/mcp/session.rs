//! The methods of the Model Context Protocol.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::call;
use super::message::{self, Incoming, RpcError};
use crate::api::{Answerer, Endpoint, described};

const REVISION: &str = "2025-06-18";

/// The assistant gets this text at the start of a session.
const INSTRUCTIONS: &str = "Russian state procurement data from the user's own file: contracts \
    under 44-FZ, purchases under 44-FZ, 223-FZ and PP-615, and the registry of unfair suppliers \
    (RNP). Find a supplier's INN with find before asking about it. Each verdict \
    comes with the registries it is based on: not-listed and previously-listed are given only \
    if the registries are known to be complete for the day; undetermined means that the data is \
    not sufficient, not that the supplier is clean. An empty list of contracts means that this \
    file contains none.";

static TOOLS: LazyLock<String> = LazyLock::new(|| {
    let tools: Vec<Value> = Endpoint::ALL.into_iter().map(described::tool).collect();
    json!({ "tools": tools }).to_string()
});

pub struct Session {
    answerer: Answerer,
    is_demonstration: bool,
}

impl Session {
    pub fn new(answerer: Answerer, is_demonstration: bool) -> Self {
        Self {
            answerer,
            is_demonstration,
        }
    }

    /// Returns the response to a message, or `None` if it needs none.
    pub fn answer(&mut self, message: &[u8]) -> Option<String> {
        let (id, method, params) = match message::read(message) {
            Incoming::Request { id, method, params } => (id, method, params),
            Incoming::Ignored => return None,
            Incoming::Invalid(id, fault) => return Some(message::error(&id, &fault)),
        };
        let answered = match method.as_str() {
            "initialize" => message::members(params).map(|_| self.introduction()),
            "ping" => Ok("{}".to_owned()),
            "tools/list" => list(params),
            "tools/call" => self.call(params),
            other => Err(RpcError::unknown_method(other)),
        };
        Some(match answered {
            Ok(result) => message::result(&id, &result),
            Err(fault) => message::error(&id, &fault),
        })
    }

    fn introduction(&self) -> String {
        let mut instructions = INSTRUCTIONS.to_owned();
        if self.is_demonstration {
            instructions += " This is invented demonstration data.";
        }
        json!({
            "protocolVersion": REVISION,
            "capabilities": { "tools": {} },
            "serverInfo": {
                "name": env!("CARGO_PKG_NAME"),
                "title": "State procurement of Russia",
                "version": env!("CARGO_PKG_VERSION"),
            },
            "instructions": instructions,
        })
        .to_string()
    }

    fn call(&mut self, params: Option<&RawValue>) -> Result<String, RpcError> {
        #[derive(Deserialize)]
        struct Params<'a> {
            name: String,
            #[serde(borrow)]
            arguments: Option<&'a RawValue>,
        }
        let params = params.map_or("{}", RawValue::get);
        let params: Params<'_> = serde_json::from_str(params).map_err(|error| {
            RpcError::wrong_params(format!("\"params\" must have \"name\": {error}"))
        })?;
        let mut all = Endpoint::ALL.into_iter();
        let endpoint = all.find(|endpoint| described::tool_name(endpoint) == params.name);
        let endpoint = endpoint.ok_or_else(|| {
            let name: String = params.name.chars().take(60).collect();
            RpcError::wrong_params(format!("unknown tool {name}"))
        })?;
        let arguments = match params.arguments.map(RawValue::get) {
            None | Some("null") => "{}",
            Some(arguments) => arguments,
        };
        call::call(&mut self.answerer, endpoint, arguments)
    }
}

fn list(params: Option<&RawValue>) -> Result<String, RpcError> {
    match message::members(params)?.get("cursor") {
        None | Some(Value::Null) => Ok(TOOLS.clone()),
        Some(_) => Err(RpcError::wrong_params(
            "all tools are on one page, so there is no cursor",
        )),
    }
}
