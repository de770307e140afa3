//! The engine's own answers: a sentence, and the end of the connection.

use std::time::SystemTime;

use super::date;

/// How many seconds a client that finds no room should wait.
const RETRY: &[u8] = b"\r\nRetry-After: 1";

/// An answer of plain text with `status` (its number and reason), after which the
/// connection is closed; to HEAD without the body.
pub fn answer(status: &str, sentence: &str, with_body: bool) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {status}\r\nDate: ").into_bytes();
    date::write(&mut bytes, SystemTime::now());
    if status.starts_with("503") {
        bytes.extend_from_slice(RETRY);
    }
    let rest = format!(
        "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Connection: close\r\n\r\n",
        sentence.len() + 1
    );
    bytes.extend_from_slice(rest.as_bytes());
    if with_body {
        bytes.extend_from_slice(sentence.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}
