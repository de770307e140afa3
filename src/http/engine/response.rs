//! Responses as bytes.

use std::time::SystemTime;

use super::{Persistence, buffers, date};
use crate::api::{Response, Status};

/// Returns whether the body of a response is sent.
pub fn has_body(method: &str, status: Status) -> bool {
    method != "HEAD" && status.has_body()
}

/// Returns the status line, the headers, and the empty line after them.
pub fn head(response: &Response, persistence: Persistence) -> Vec<u8> {
    let mut out = buffers::take();
    let mut put = |parts: &[&str]| {
        for part in parts {
            out.extend_from_slice(part.as_bytes());
        }
    };
    put(&[
        "HTTP/1.1 ",
        response.status.digits(),
        " ",
        response.status.reason(),
        "\r\nDate: ",
    ]);
    date::with(SystemTime::now(), |date| put(&[date, "\r\n"]));
    for (name, value) in &response.headers {
        put(&[name, ": ", value, "\r\n"]);
    }
    if response.status.has_body() {
        let mut digits = itoa::Buffer::new();
        let length = digits.format(response.length());
        put(&["Content-Length: ", length, "\r\n"]);
    }
    put(&["X-Content-Type-Options: nosniff\r\n"]);
    put(match persistence {
        Persistence::KeepAlive => &["\r\n"],
        Persistence::KeepAliveHttp10 => &["Connection: keep-alive\r\n\r\n"],
        Persistence::Close => &["Connection: close\r\n\r\n"],
    });
    out
}
