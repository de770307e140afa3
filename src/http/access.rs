//! The access log: one line for each request. It contains nothing that a client could forge, and no
//! key. The target is not logged, because it may contain a key. Of the headers it has only the
//! identity from `telemetry.rs`.

use log::kv::Value;
use log::{Level, Record};

use super::metrics::Exchange;
use super::telemetry::Identity;
use crate::api::Note;

/// The name of its lines in `RUST_LOG`.
const TARGET: &str = "access";

/// Writes the line of a request, at the level `info`.
pub fn log(identity: &Identity, method: &str, note: &Note, exchange: &Exchange<'_>) {
    if !log::log_enabled!(target: TARGET, Level::Info) {
        return;
    }
    let client = identity.peer.address().map(|client| client.to_string());
    let micros = u64::try_from(exchange.duration.as_micros()).unwrap_or(u64::MAX);
    let fields = [
        ("id", Value::from(identity.id.as_str())),
        ("client", text(client.as_deref())),
        ("method", text(Some(method))),
        ("endpoint", text(note.endpoint)),
        ("status", Value::from(exchange.status.number())),
        ("error", text(note.error.as_deref())),
        ("bytes", Value::from(exchange.bytes)),
        ("us", Value::from(micros)),
        ("key", text(note.key_name.as_deref())),
        ("broken", Value::from(true)),
    ];
    // Few clients disconnect, so only their lines have the last field.
    let count = fields.len() - usize::from(!exchange.broken);
    log::logger().log(
        &Record::builder()
            .level(Level::Info)
            .target(TARGET)
            .module_path_static(Some(module_path!()))
            .args(format_args!("request"))
            .key_values(&fields.get(..count).unwrap_or_default())
            .build(),
    );
}

fn text(text: Option<&str>) -> Value<'_> {
    text.map_or_else(Value::null, Value::from)
}
