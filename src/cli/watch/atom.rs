//! An Atom feed of events (RFC 4287), in a file that holds the newest [`MAX_EVENTS`] events.
//!
//! Each entry takes one line, so that the next report can keep earlier entries without parsing
//! them.

use std::path::Path;

use super::words;
use crate::cli::BoxedError;
use crate::cli::input::{named, read};
use crate::cli::output::write_whole;
use crate::model::{Language, timestamp};

pub const MAX_EVENTS: usize = 500;

/// Maximum size of a feed that is read, in bytes: 500 events of 60 KB each.
const MAX_FEED: u64 = 30 << 20;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
const FEED: &str = "<feed xmlns=\"http://www.w3.org/2005/Atom\"";
const ENTRY: &str = "<entry><id>";

#[derive(Clone, Debug)]
pub struct FeedEvent {
    pub id: String,
    pub title: String,
    /// Time of the event, `YYYY-MM-DDTHH:MM:SSZ`.
    pub updated: String,
    /// Codes of the changed parts.
    pub parts: Vec<&'static str>,
    pub text: String,
}

#[derive(Debug)]
pub struct Feed {
    id: String,
    /// The lines of the feed's entries, newest first.
    entries: Vec<String>,
}

impl Feed {
    /// Reads a feed. Returns a new one if the file does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is too large, or is not a feed written by this
    /// program.
    pub fn open(path: &Path) -> Result<Self, BoxedError> {
        if !path.exists() {
            let mut random = [0; 16];
            getrandom::fill(&mut random)
                .map_err(|error| format!("the system does not provide random bytes: {error}"))?;
            return Ok(Self {
                id: uuid(random),
                entries: Vec::new(),
            });
        }
        let bytes = read(path, MAX_FEED).map_err(|error| named(path, &error))?;
        let text = String::from_utf8(bytes).ok();
        let feed = text.as_deref().and_then(Self::parse);
        feed.ok_or_else(|| named(path, &"not a feed written by `watch`; give another file").into())
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let is_ours = lines.next()? == DECLARATION && lines.next()?.starts_with(FEED);
        let id = lines.next()?.strip_prefix("<id>")?.strip_suffix("</id>")?;
        let entries = lines.filter(|line| line.starts_with(ENTRY));
        is_ours.then(|| Self {
            id: id.to_owned(),
            entries: entries.map(str::to_owned).collect(),
        })
    }

    /// Adds an event at the top, in place of an earlier entry with the same id.
    pub fn add(&mut self, event: &FeedEvent) {
        let entry = entry(event);
        let start = format!("{ENTRY}{}</id>", escaped(&event.id));
        self.entries.retain(|one| !one.starts_with(&start));
        self.entries.insert(0, entry);
        self.entries.truncate(MAX_EVENTS);
    }

    /// Writes the feed; `updated` is the time of the data, in seconds since 1970.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, path: &Path, updated: i64, language: Language) -> Result<(), BoxedError> {
        let mut text = format!(
            "{DECLARATION}\n{FEED} xml:lang=\"{}\">\n<id>{}</id>\n<title>{}</title>\n\
             <updated>{}</updated>\n<author><name>procurement-lookup</name></author>\n\
             <generator version=\"{}\">procurement-lookup</generator>\n",
            language.code(),
            self.id,
            words::feed_title(language),
            timestamp(updated),
            env!("CARGO_PKG_VERSION"),
        );
        for entry in &self.entries {
            text.push_str(entry);
            text.push('\n');
        }
        text.push_str("</feed>\n");
        write_whole(path, text.as_bytes()).map_err(|error| named(path, &error).into())
    }
}

fn entry(event: &FeedEvent) -> String {
    let categories = event.parts.iter();
    let categories: String = categories
        .map(|part| format!("<category term=\"{part}\"/>"))
        .collect();
    format!(
        "{ENTRY}{}</id><title>{}</title><updated>{}</updated>{categories}\
         <content type=\"text\">{}</content></entry>",
        escaped(&event.id),
        escaped(&event.title),
        event.updated,
        escaped(&event.text),
    )
}

/// Escapes a text for use in an element, on one line. Drops characters that XML does not allow.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\n' => escaped.push_str("&#10;"),
            '\u{fffe}' | '\u{ffff}' => {}
            other if other.is_control() => {}
            other => escaped.push(other),
        }
    }
    escaped
}

/// Turns random bytes into a version 4 UUID.
fn uuid(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut urn = "urn:uuid:".to_owned();
    for (at, byte) in bytes.iter().enumerate() {
        if [4, 6, 8, 10].contains(&at) {
            urn.push('-');
        }
        urn.push_str(&format!("{byte:02x}"));
    }
    urn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: usize) -> FeedEvent {
        FeedEvent {
            id: format!("urn:x:{id}"),
            title: "ООО «Лес & <Сад>»".to_owned(),
            updated: "2026-11-20T00:00:00Z".to_owned(),
            parts: vec!["rnp"],
            text: "one\ntwo\u{1}".to_owned(),
        }
    }

    #[test]
    fn a_feed_keeps_the_newest_events_without_duplicates() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("feed.xml");
        let mut feed = Feed::open(&path).expect("a new feed");
        for id in 0..MAX_EVENTS + 7 {
            feed.add(&event(id));
        }
        feed.write(&path, 0, Language::Russian).expect("written");
        let mut again = Feed::open(&path).expect("the same feed");
        assert_eq!((&again.id, &again.entries), (&feed.id, &feed.entries));
        assert_eq!(again.entries.len(), MAX_EVENTS);
        again.add(&event(MAX_EVENTS));
        assert_eq!(again.entries.len(), MAX_EVENTS);
        let first = &again.entries[0];
        assert!(
            first.starts_with(&format!("<entry><id>urn:x:{MAX_EVENTS}</id>")),
            "{first}"
        );
        assert!(first.contains("ООО «Лес &amp; &lt;Сад&gt;»") && first.contains("one&#10;two<"));
    }

    #[test]
    fn a_file_that_is_not_a_feed_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("feed.xml");
        std::fs::write(&path, "<feed/>").expect("a file");
        let error = Feed::open(&path).expect_err("refused").to_string();
        assert!(
            error.ends_with("not a feed written by `watch`; give another file"),
            "{error}"
        );
    }

    #[test]
    fn an_id_is_a_uuid_of_random_bytes() {
        assert_eq!(
            uuid([0xff; 16]),
            "urn:uuid:ffffffff-ffff-4fff-bfff-ffffffffffff"
        );
    }
}
