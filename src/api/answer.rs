//! Answers and errors, as status and headers.

use super::asked::Asked;
use super::encoding::{Encoding, Wanted};
use super::error::Failure;
use super::etag::{self, Tag};
use super::question::Question;
use super::receipt::Receipt;
use super::reply::{Headers, Note};
use super::request::Request;
use super::rnp::registries_header;
use crate::model::{Registries, timestamp};
use crate::render::{self, Format};
use crate::store::DataVersion;

/// On what terms an answer is asked for.
pub struct Terms<'a> {
    pub wanted: Wanted,
    /// Has who asks the answer with that tag?
    pub known: &'a dyn Fn(&str) -> bool,
    /// Is a receipt asked for? Then there is an answer, whatever who asks has.
    pub receipt: bool,
}

/// An answer with data, beside its body.
pub struct Answer {
    pub format: Format,
    pub version: DataVersion,
    pub tag: Tag,
    /// The tag as a client sees it.
    etag: String,
    /// Who asked has it, so that there is no body.
    pub is_known: bool,
    /// How the body is encoded.
    pub encoding: Encoding,
    pub receipt: Option<Receipt>,
    /// What is known of the registries, where the body has no place for it.
    pub registries: Option<Registries>,
    /// The name of a file to keep it in, where it is one.
    file_name: Option<String>,
}

impl Answer {
    /// The answer to a question, as far as it can be told before anything is read: also
    /// whether who asked has it, as a tag was only given with an answer there was.
    pub fn new(
        format: Format,
        version: DataVersion,
        question: &Question<'_>,
        terms: &Terms<'_>,
    ) -> Self {
        let tag = Tag::of(version, format, terms.wanted, |parts| question.tell(parts));
        let etag = tag.text();
        let is_file = format == Format::Csv;
        Self {
            format,
            version,
            tag,
            is_known: !terms.receipt && (terms.known)(&etag),
            etag,
            encoding: Encoding::Identity,
            receipt: None,
            registries: None,
            file_name: is_file.then(|| question.file_name() + ".csv"),
        }
    }

    /// Status and headers of a reply with it; its body goes where who asks has it.
    pub fn reply(self, request: &Request<'_>, body: &mut Vec<u8>) -> (u16, Headers) {
        let is_any = || self.receipt.is_none() && etag::is_any(request.header("If-None-Match"));
        let is_known = self.is_known || is_any();
        let mut headers = Vec::with_capacity(8);
        if is_known {
            body.clear();
        } else {
            headers.push(("Content-Type", self.format.content_type().into()));
            let encoding = self.encoding.name();
            headers.extend(encoding.map(|name| ("Content-Encoding", name.into())));
            let disposition = |name| format!("attachment; filename=\"{name}\"");
            let file = self.file_name.map(disposition);
            headers.extend(file.map(|file| ("Content-Disposition", file.into())));
        }
        headers.push(("ETag", self.etag.into()));
        headers.push(("X-Data-Updated", timestamp(self.version.updated).into()));
        let registries = self.registries.as_ref().map(registries_header);
        headers.extend(registries.map(|told| ("X-Registries", told.into())));
        headers.push(("Cache-Control", "private, no-cache".into()));
        headers.push(("Vary", "Accept-Encoding".into()));
        let receipt = self.receipt.map(|receipt| receipt.to_string());
        headers.extend(receipt.map(|receipt| ("X-Receipt", receipt.into())));
        (if is_known { 304 } else { 200 }, headers)
    }
}

/// Status and headers of an error, and its body.
pub fn error_reply(
    failure: &Failure,
    asked: &Asked<'_>,
    body: &mut Vec<u8>,
    note: &mut Note,
) -> (u16, Headers) {
    let format = if failure.is_of_format() {
        Format::Xml
    } else {
        asked.format
    };
    let mut headers: Headers = vec![("Content-Type", format.content_type().into())];
    headers.push(("Cache-Control", "no-store".into()));
    if matches!(failure, Failure::WrongMethod) {
        headers.push(("Allow", "GET, HEAD".into()));
    }
    if let Failure::TooManyRequests(seconds) = failure {
        headers.push(("Retry-After", seconds.to_string().into()));
    }
    let text = failure.text();
    let error = render::ErrorBody {
        root: failure.root(asked.error_shape()),
        code: failure.code(),
        text: &text,
    };
    note.error = Some(
        failure
            .code()
            .map_or_else(|| "error".to_owned(), |code| code.to_string()),
    );
    // A part of an answer may be there, before what could not be read.
    body.clear();
    render::answer(body, &error, format);
    (failure.status(asked.endpoint()), headers)
}
