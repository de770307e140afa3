//! The log, on standard error. `serve` logs for programs: each record is one line in logfmt or
//! JSON, and nothing in a record can forge another line or field. Other commands log for people.

use std::fmt::Write as _;
use std::io::Write as _;
use std::panic;
use std::time::SystemTime;

use env_logger::{Builder, Env, Logger, Target, WriteStyle};
use log::kv::{self, Key, Value, VisitSource, VisitValue};
use log::{Level, Log, Metadata, Record};

use super::log_writer::LogWriter;
use crate::fetch::CONNECTION_LOG_TARGETS;
use crate::store::SERVER_LOG_TARGETS;

/// Log format of `serve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// `time=… level=… target=… msg=… key=value…`
    Logfmt,
    /// One JSON object per line, with the same names
    Json,
}

/// Starts the log of a command for people; `RUST_LOG` filters it.
pub fn start_for_people() {
    install(builder());
}

/// Starts the log of `serve`; `RUST_LOG` filters it. A panic is logged with its location but
/// without its message, which may quote a client's input, even a key.
pub fn start(format: LogFormat) {
    let mut builder = builder();
    // The lines contain no colour codes. `Always` keeps the logger from searching each line for
    // codes to strip.
    builder.write_style(WriteStyle::Always);
    builder.format(move |out, record| {
        out.write_all(line(format, SystemTime::now(), record).as_bytes())
    });
    // If the thread cannot be started, lines are written directly.
    if let Ok(writer) = LogWriter::start(move |missing| dropped(format, missing)) {
        builder.target(Target::Pipe(Box::new(writer)));
    }
    install(builder);
    panic::set_hook(Box::new(|panic| match panic.location() {
        Some(place) => log::error!(target: "panic", place:% = place; "a panic"),
        None => log::error!(target: "panic", "a panic"),
    }));
}

fn dropped(format: LogFormat, missing: u64) -> String {
    let lines = [("lines", missing)];
    let record = Record::builder()
        .level(Level::Warn)
        .target("log")
        .key_values(&lines)
        .args(format_args!(
            "log lines were dropped because the reader of the log fell behind"
        ))
        .build();
    line(format, SystemTime::now(), &record)
}

/// Drops records from crates that might log requests to EIS or PostgreSQL, whatever `RUST_LOG`
/// says.
struct FilteredLog(Logger);

impl FilteredLog {
    fn allows(metadata: &Metadata<'_>) -> bool {
        let mut closed = CONNECTION_LOG_TARGETS.iter().chain(SERVER_LOG_TARGETS);
        !closed.any(|name| metadata.target().starts_with(name))
    }
}

impl Log for FilteredLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        Self::allows(metadata) && self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if Self::allows(record.metadata()) {
            self.0.log(record);
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}

fn install(mut builder: Builder) {
    let logger = builder.build();
    log::set_max_level(logger.filter());
    // This fails only if a logger is already installed, and nothing else installs one.
    let _ = log::set_boxed_logger(Box::new(FilteredLog(logger)));
}

fn builder() -> Builder {
    Builder::from_env(Env::default().default_filter_or("info"))
}

/// Formats a record as a line, including the line feed. Times are UTC, with milliseconds.
fn line(format: LogFormat, time: SystemTime, record: &Record<'_>) -> String {
    let mut line = LogLine {
        format,
        out: String::with_capacity(256),
    };
    // `format_rfc3339_millis` panics on times before 1970.
    let time = time.max(SystemTime::UNIX_EPOCH);
    line.key("time");
    line.text(&humantime::format_rfc3339_millis(time).to_string());
    line.key("level");
    line.text(&record.level().as_str().to_ascii_lowercase());
    line.key("target");
    line.text(record.target());
    line.key("msg");
    match record.args().as_str() {
        Some(text) => line.text(text),
        None => line.text(&record.args().to_string()),
    }
    // If a value cannot be formatted, the rest of the line is still worth logging.
    let _ = record.key_values().visit(&mut line);
    line.end()
}

struct LogLine {
    format: LogFormat,
    out: String,
}

impl LogLine {
    /// Writes the name of the next field. The program's own names need no escaping; those of
    /// libraries might.
    fn key(&mut self, key: &str) {
        let is_first = self.out.is_empty();
        match self.format {
            LogFormat::Logfmt => {
                if !is_first {
                    self.out.push(' ');
                }
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
                if key.bytes().all(is_plain) {
                    self.out.push_str(key);
                } else {
                    self.out
                        .push_str(&key.replace(|c: char| !c.is_ascii_alphanumeric(), "_"));
                }
                self.out.push('=');
            }
            LogFormat::Json => {
                self.out.push(if is_first { '{' } else { ',' });
                quote(&mut self.out, key);
                self.out.push(':');
            }
        }
    }

    fn text(&mut self, text: &str) {
        match self.format {
            LogFormat::Logfmt if needs_no_quotes(text) => self.out.push_str(text),
            _ => quote(&mut self.out, text),
        }
    }

    fn nothing(&mut self) {
        self.out.push_str(match self.format {
            LogFormat::Logfmt => "-",
            LogFormat::Json => "null",
        });
    }

    fn bare(&mut self, value: impl std::fmt::Display) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.out, "{value}");
    }

    fn end(mut self) -> String {
        if self.format == LogFormat::Json {
            self.out.push('}');
        }
        self.out.push('\n');
        self.out
    }
}

impl<'kvs> VisitSource<'kvs> for LogLine {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), kv::Error> {
        self.key(key.as_str());
        value.visit(self)
    }
}

impl<'v> VisitValue<'v> for LogLine {
    fn visit_any(&mut self, value: Value<'_>) -> Result<(), kv::Error> {
        self.text(&value.to_string());
        Ok(())
    }

    fn visit_null(&mut self) -> Result<(), kv::Error> {
        self.nothing();
        Ok(())
    }

    fn visit_u64(&mut self, value: u64) -> Result<(), kv::Error> {
        self.bare(value);
        Ok(())
    }

    fn visit_i64(&mut self, value: i64) -> Result<(), kv::Error> {
        self.bare(value);
        Ok(())
    }

    fn visit_bool(&mut self, value: bool) -> Result<(), kv::Error> {
        self.bare(value);
        Ok(())
    }

    fn visit_str(&mut self, value: &str) -> Result<(), kv::Error> {
        self.text(value);
        Ok(())
    }
}

/// A lone `-` is quoted, because without quotes it means that there is no value.
fn needs_no_quotes(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'=' | b'\\');
    !text.is_empty() && text != "-" && text.bytes().all(plain)
}

/// Writes a text as a JSON string, which is also a valid quoted logfmt value.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if misleads(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Returns whether the character must be escaped, because some readers treat it as the end of a
/// line, because it is invisible, or because it changes the direction of text. All these characters
/// fit in `\uXXXX`.
fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use log::Level;

    use super::*;

    const NASTY: &str = "a\nlevel=error msg=\"forged\" \u{2028}b\r\u{85}\u{202e}\0\u{1b}[1m\\ я";

    fn written(format: LogFormat, message: &str, pairs: &[(&str, Value<'_>)]) -> String {
        // 2026-11-21T10:00:00.123Z
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_255_200_123);
        line(
            format,
            time,
            &Record::builder()
                .level(Level::Info)
                .target("access")
                .args(format_args!("{message}"))
                .key_values(&pairs)
                .build(),
        )
    }

    fn pairs() -> [(&'static str, Value<'static>); 8] {
        [
            ("bare", "/rnp/check-supplier".into()),
            ("quoted", "ООО \"Сад\"".into()),
            ("empty", "".into()),
            ("dash", "-".into()),
            ("none", Value::null()),
            ("number", 42_u64.into()),
            ("flag", true.into()),
            // No name in the program has spaces, but a library's might.
            ("two words=", 2_u64.into()),
        ]
    }

    #[test]
    fn logfmt_values_are_quoted_only_where_necessary() {
        assert_eq!(
            written(LogFormat::Logfmt, "a request", &pairs()),
            "time=2026-11-21T10:00:00.123Z level=info target=access msg=\"a request\" \
             bare=/rnp/check-supplier quoted=\"ООО \\\"Сад\\\"\" empty=\"\" dash=\"-\" none=- \
             number=42 flag=true two_words_=2\n"
        );
    }

    #[test]
    fn a_json_line_is_an_object_with_the_same_names() {
        let line = written(LogFormat::Json, "a request", &pairs());
        let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(
            read,
            serde_json::json!({
                "time": "2026-11-21T10:00:00.123Z", "level": "info", "target": "access",
                "msg": "a request", "bare": "/rnp/check-supplier", "quoted": "ООО \"Сад\"",
                "empty": "", "dash": "-", "none": null, "number": 42, "flag": true, "two words=": 2
            })
        );
        assert!(line.ends_with("}\n"), "{line}");
    }

    #[test]
    fn no_message_or_value_can_forge_another_line_or_field() {
        for format in [LogFormat::Logfmt, LogFormat::Json] {
            let line = written(format, NASTY, &[("key", NASTY.into())]);
            let (content, end) = line.split_at(line.len() - 1);
            assert_eq!(end, "\n");
            assert!(!content.contains(misleads), "{line:?}");
            assert!(!content.contains(['\u{85}', '\u{2028}']), "{line:?}");
            let read: Vec<String> = match format {
                LogFormat::Json => {
                    let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
                    let text = |name: &str| read[name].as_str().map(str::to_owned);
                    [text("msg"), text("key")].into_iter().flatten().collect()
                }
                LogFormat::Logfmt => {
                    let (_, values) = line.split_once(" msg=").expect("a message");
                    let (message, value) = values.split_once(" key=").expect("a value");
                    let read = |text: &str| serde_json::from_str(text).expect("a JSON string");
                    vec![read(message), read(value)]
                }
            };
            assert_eq!(read, [NASTY, NASTY]);
        }
    }

    #[test]
    fn quoting_is_lossless_and_leaves_no_line_breaks() {
        for c in (0..0x3000)
            .chain(0xfe00..0x1_0000)
            .filter_map(char::from_u32)
        {
            let mut out = String::new();
            quote(&mut out, &c.to_string());
            let read: String = serde_json::from_str(&out).expect("a JSON string");
            assert_eq!(read, c.to_string());
            assert_eq!(out.lines().count(), 1, "{out:?}");
        }
    }
}
