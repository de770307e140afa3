//! Turns parameters into an answer: entity tag, cache, handler, receipt, compression.

use std::mem;
use std::sync::Arc;

use super::Api;
use super::conditions::Conditions;
use super::endpoints::{AnswerHeaders, Asked, Endpoint, Lookup, Question};
use super::error::{Checked, Failure};
use super::request::accept::Encoding;
use super::request::parameter_table::{FORMAT, LANG};
use super::request::query::Query;
use super::request::reader::SharedParameters;
use super::response::answered::{AnswerBody, Answered, Findings};
use super::response::etag::EntityTag;
use super::response::file_name::file_name;
use super::response::head::ReplyHead;
use super::response::large::{Large, Turn};
use super::response::packing::Packer;
use super::response::receipt::{self, Signed};
use super::response::{LargeBody, LookupResult, Reply};
use super::status::Status;
use crate::model::{Date, timestamp};
use crate::render::{Format, RowCount};
use crate::store::{DataVersion, Database, Prefetch};

/// A request whose parameters have been read.
pub struct Inquiry<'a> {
    api: &'a Api,
    endpoint: &'static Endpoint,
    shared: &'a SharedParameters,
    question: &'a dyn Question,
    conditions: &'a Conditions<'a>,
    turn: &'a Turn<'a>,
    /// Name of the client's key; `None` for an offline lookup.
    key: Option<&'a Arc<str>>,
}

pub struct Found {
    version: DataVersion,
    etag: String,
    /// `None` if the client already has the answer and nothing had to be read.
    made: Option<Made>,
}

/// A body, compressed if the client accepts that, and what goes into headers.
struct Made {
    body: AnswerBody,
    encoding: Encoding,
    findings: Findings,
    receipt: Option<String>,
}

impl Found {
    pub fn result(&self) -> Option<&LookupResult> {
        self.made.as_ref().map(|made| &made.findings.result)
    }

    /// The verdict, if the body has no field for it.
    pub fn checked(&self) -> Option<Checked> {
        self.made.as_ref()?.findings.checked
    }

    /// Returns the body; empty if the client already has it.
    pub fn body(self) -> AnswerBody {
        let empty = || AnswerBody::Memory(Vec::new());
        self.made.map_or_else(empty, |made| made.body)
    }
}

impl<'a> Inquiry<'a> {
    pub fn new(
        api: &'a Api,
        endpoint: &'static Endpoint,
        asked: &'a Asked<'_>,
        conditions: &'a Conditions<'a>,
        turn: &'a Turn<'a>,
        key: Option<&'a Arc<str>>,
    ) -> Self {
        Self {
            api,
            endpoint,
            shared: &asked.shared,
            question: &*asked.question,
            conditions,
            turn,
            key,
        }
    }

    /// Answers on a worker's connection, reusing `buffer` for the body.
    pub fn answer(
        &self,
        worker: usize,
        packer: &mut Packer,
        buffer: &mut Vec<u8>,
    ) -> Result<Found, Failure> {
        let ahead = |database: &Database| self.prefetch(database.version());
        let received = self.conditions.received;
        let find = |database: &Database| self.find(database, packer, buffer);
        self.api.data.answer(worker, received, ahead, find)
    }

    fn tag(&self, version: DataVersion) -> EntityTag {
        EntityTag::new(version, self.shared, self.conditions.accept)
    }

    /// Whether a 304 can be sent without reading the data. The data is needed if the client sent
    /// `*`, which matches only if a response exists; if the 304 must repeat the verdict in its
    /// headers; or if the audit trail must record the result.
    fn is_known(&self, etag: &str) -> bool {
        let known = &self.conditions.if_none_match;
        let needs_reading = known.is_any()
            || self.endpoint.headers == AnswerHeaders::Verdict
            || self.api.is_audited;
        !needs_reading && known.has(etag)
    }

    /// Returns the rows that a database server should read first.
    fn prefetch(&self, version: DataVersion) -> Prefetch<'_> {
        let tag = self.tag(version);
        let is_cached = !self.shared.receipt && self.api.responses.has(tag);
        if is_cached || self.is_known(&tag.text()) {
            return Prefetch::Nothing;
        }
        self.question.prefetch()
    }

    fn find(
        &self,
        database: &Database,
        packer: &mut Packer,
        buffer: &mut Vec<u8>,
    ) -> Result<Found, Failure> {
        let version = database.version();
        let tag = self.tag(version);
        let etag = tag.text();
        let made = if self.is_known(&etag) {
            None
        } else if let Some(made) = self.cached(tag, buffer) {
            Some(made)
        } else {
            let needs_body = !self.conditions.is_head && !self.conditions.if_none_match.has(&etag);
            let made = self.make(database, needs_body, packer, buffer)?;
            // If the data on a database server was replaced while it was read, the answer is made
            // again. This one must not be cached.
            if !database.has_moved() {
                let Made {
                    body,
                    encoding,
                    findings,
                    ..
                } = &made;
                self.api.responses.insert(tag, body, *encoding, findings);
            }
            Some(made)
        };
        Ok(Found {
            version,
            etag,
            made,
        })
    }

    fn cached(&self, tag: EntityTag, buffer: &mut Vec<u8>) -> Option<Made> {
        // A receipt covers the uncompressed body, but cached bodies may be compressed.
        if self.shared.receipt {
            return None;
        }
        let cached = self.api.responses.get(tag)?;
        buffer.clear();
        buffer.extend_from_slice(&cached.body);
        Some(Made {
            body: AnswerBody::Memory(mem::take(buffer)),
            encoding: cached.encoding,
            findings: cached.findings,
            receipt: None,
        })
    }

    /// Makes the answer from the data. The body of a large answer is written only if `needs_body`
    /// is set.
    fn make(
        &self,
        database: &Database,
        needs_body: bool,
        packer: &mut Packer,
        buffer: &mut Vec<u8>,
    ) -> Result<Made, Failure> {
        // An earlier attempt, on data that has since been replaced, may have left part of a body.
        buffer.clear();
        let large = Large {
            turn: self.turn,
            places: &self.api.places,
            key: self.key,
            needs_body,
        };
        let lookup = Lookup {
            endpoint: self.endpoint,
            shared: self.shared,
            database,
            large,
        };
        database.read_at_most(self.turn.most_contracts());
        let answered = self.question.answer(&lookup, buffer);
        if database.has_more_to_read() {
            large.wait();
        }
        let answered = answered?;
        let receipt = match self.shared.receipt {
            true => self.receipt(database.version(), &answered)?,
            false => None,
        };
        let (body, encoding) = self.pack(packer, answered.body)?;
        Ok(Made {
            body,
            encoding,
            findings: answered.findings,
            receipt,
        })
    }

    /// Returns `None` without a signing key, or if the body of a large answer was not written.
    fn receipt(
        &self,
        version: DataVersion,
        answered: &Answered,
    ) -> Result<Option<String>, Failure> {
        let Some(signer) = &self.api.signer else {
            return Ok(None);
        };
        let sha256 = match &answered.body {
            AnswerBody::Memory(body) => receipt::sha256(body),
            AnswerBody::Large(LargeBody::File(file)) => file.sha256()?,
            AnswerBody::Large(LargeBody::Unwritten | LargeBody::Abandoned) => return Ok(None),
        };
        let registries = answered.ground.map(|ground| ground.to_string());
        Ok(Some(signer.receipt(&Signed {
            version,
            day: self.shared.day,
            registries: registries.as_deref(),
            request: self.shared.canonical(),
            sha256: &sha256,
        })))
    }

    fn pack(
        &self,
        packer: &mut Packer,
        body: AnswerBody,
    ) -> Result<(AnswerBody, Encoding), Failure> {
        let accept = match self.shared.format {
            // A workbook is already compressed.
            Format::Xlsx => self.conditions.accept.if_required(),
            _ => self.conditions.accept,
        };
        Ok(match body {
            AnswerBody::Memory(mut body) => {
                let encoding = packer.pack(accept, &mut body)?;
                (AnswerBody::Memory(body), encoding)
            }
            AnswerBody::Large(LargeBody::File(file)) => {
                let (file, encoding) = file.packed(accept)?;
                (AnswerBody::Large(LargeBody::File(file)), encoding)
            }
            // A large answer without a body has the headers of a file, and files are always
            // compressed.
            unwritten => (unwritten, accept.encoding),
        })
    }

    /// Replies with a 304 if the client already has the answer.
    pub fn reply(&self, found: Found, query: &Query<'_>, buffer: &mut Vec<u8>) -> Reply {
        let Found {
            version,
            etag,
            made,
        } = found;
        let is_known = self.conditions.if_none_match.has(&etag);
        let mut head = ReplyHead {
            etag: Some(etag),
            updated: Some(version.updated),
            cache: Some("private, no-cache"),
            vary: Some(self.vary(query)),
            ..ReplyHead::default()
        };
        let rows = made.as_ref().and_then(|made| made.findings.rows());
        let mut body = AnswerBody::Memory(mem::take(buffer));
        if let Some(made) = made {
            head.next = made.findings.next;
            head.checked = made.findings.checked;
            head.receipt = made.receipt;
            head.encoding = made.encoding;
            body = made.body;
        }
        if is_known {
            head.status = Status::NotModified;
            head.encoding = Encoding::Identity;
            body.clear();
        } else {
            let format = self.shared.format;
            head.content_type = Some(format.content_type());
            if format.is_table() {
                head.rows = rows;
                head.file = Some(self.file_name(rows, version));
            }
        }
        Reply { head, body }
    }

    fn vary(&self, query: &Query<'_>) -> &'static str {
        let is_in_a_language = self.shared.format == Format::Xlsx && !query.has(LANG.name);
        match (query.has(FORMAT.name), is_in_a_language) {
            (true, false) => "Accept-Encoding",
            (true, true) => "Accept-Encoding, Accept-Language",
            (false, false) => "Accept-Encoding, Accept",
            (false, true) => "Accept-Encoding, Accept, Accept-Language",
        }
    }

    fn file_name(&self, rows: Option<RowCount>, version: DataVersion) -> String {
        // If the answer depends on no day, use the day of the last import, in Moscow.
        let updated = timestamp(version.updated.saturating_add(3 * 3600));
        let updated = updated.get(..10).and_then(Date::parse_iso);
        let day = self.shared.day.or(updated);
        let Endpoint { file, .. } = self.endpoint;
        let name = file_name(file, self.endpoint.parameters(), self.shared, rows, day);
        [&name, ".", self.shared.format.name()].concat()
    }
}
