//! The head of a response.

use std::io::Write;
use std::time::SystemTime;

use super::engine::{Persistence, date};
use crate::api::Reply;

/// Status line and headers, with the empty line after them; room for the body
/// behind.
pub fn head(reply: &Reply, persistence: Persistence, now: SystemTime) -> Vec<u8> {
    let mut out = Vec::with_capacity(512 + reply.body.len());
    let reason = reason(reply.status);
    let mut date = Vec::new();
    date::write(&mut date, now);
    let date = String::from_utf8_lossy(&date);
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to memory does not fail.
        let _ = out.write_fmt(text).and_then(|()| out.write_all(b"\r\n"));
    };
    line(format_args!("HTTP/1.1 {} {reason}", reply.status));
    line(format_args!("Date: {date}"));
    for (name, value) in &reply.headers {
        line(format_args!("{name}: {value}"));
    }
    if reply.status != 304 {
        line(format_args!("Content-Length: {}", reply.body.len()));
    }
    line(format_args!("X-Content-Type-Options: nosniff"));
    match persistence {
        Persistence::Stays => {}
        Persistence::StaysAsAsked => line(format_args!("Connection: keep-alive")),
        Persistence::Closes => line(format_args!("Connection: close")),
    }
    line(format_args!(""));
    out
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        405 => "Method Not Allowed",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
