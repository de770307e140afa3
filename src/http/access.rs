//! The access log: one line per request. Clients can neither forge its fields nor get a key into
//! it: the target, which may contain a key, is left out, and the only headers that appear are those
//! that identify the sender and that `telemetry.rs` has checked.

use log::kv::Value;
use log::{Level, Record};

use super::metrics::Exchange;
use super::telemetry::Identity;
use crate::api::Note;

/// Log target, for filters in `RUST_LOG`.
const TARGET: &str = "access";

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
    // `broken`, the last field, is logged only if the client disconnected early.
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
