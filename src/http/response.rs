//! The head of a response.

use std::time::SystemTime;

use super::engine::{Persistence, date};
use crate::api::Response;

/// Appends status line and headers, with the empty line after them.
pub fn head(out: &mut Vec<u8>, response: &Response, persistence: Persistence, now: SystemTime) {
    let mut digits = itoa::Buffer::new();
    let mut put = |parts: &[&str]| {
        for part in parts {
            out.extend_from_slice(part.as_bytes());
        }
    };
    put(&[
        "HTTP/1.1 ",
        digits.format(response.status),
        " ",
        reason(response.status),
        "\r\nDate: ",
    ]);
    date::with(now, |date| put(&[date, "\r\n"]));
    for (name, value) in &response.headers {
        put(&[name, ": ", value, "\r\n"]);
    }
    if !matches!(response.status, 204 | 304) {
        put(&[
            "Content-Length: ",
            digits.format(response.body.len()),
            "\r\n",
        ]);
    }
    put(&["X-Content-Type-Options: nosniff\r\n"]);
    put(match persistence {
        Persistence::KeepAlive => &["\r\n"],
        Persistence::KeepAliveHttp10 => &["Connection: keep-alive\r\n\r\n"],
        Persistence::Close => &["Connection: close\r\n\r\n"],
    });
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
