//! Answers and archives with a fault in them.

use std::io::{self, Read};

use flate2::Compression;
use flate2::bufread::GzEncoder;

use crate::answer::{Answer, DataInfo, soap_fault};
use crate::delivery::Response;
use crate::fault::{AnswerFault, ArchiveFault};
use crate::http::Request;
use crate::{Archive, Body};

const XML: &str = "text/xml; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const ZIP: &str = "application/zip";

const ELSEWHERE: &str = "ffffffff-ffff-4fff-bfff-ffffffffffff";

/// The response to a request for documents whose right answer is `answer`.
pub(crate) fn answer(
    request: &Request,
    mut answer: Answer,
    fault: Option<AnswerFault>,
) -> Response {
    use AnswerFault as F;
    let Some(fault) = fault else {
        return Response::new(200, XML, answer.xml());
    };
    let body = match fault {
        F::Echo => request.body.clone().into(),
        F::SoapFault(status) => return Response::new(status, XML, soap_fault("a fault")),
        F::Html => return page("Технические работы"),
        F::Empty => "".into(),
        F::ForeignRefId => {
            answer.ref_id = Some(ELSEWHERE.to_owned());
            answer.xml().into()
        }
        F::NoRefId => {
            answer.ref_id = None;
            answer.xml().into()
        }
        F::ErrorInfo(code, message) => {
            let token = request.token.as_deref().unwrap_or_default();
            answer.data = DataInfo::Error(code, message.replace("{token}", token));
            answer.xml().into()
        }
        F::Malformed => text(&answer).replace("</dataInfo>", "</data>").into(),
        F::Cut => {
            let xml = answer.xml();
            xml[..xml.len() / 2].into()
        }
        F::Doctype => {
            let doctype = "?><!DOCTYPE a [<!ENTITY b \"true\">]>";
            let xml = text(&answer).replacen("?>", doctype, 1);
            xml.replace(">true<", ">&b;<").into()
        }
        F::Deep(depth) => {
            let within = "<a>".repeat(depth) + &"</a>".repeat(depth);
            let xml = text(&answer);
            let (before, after) = xml.split_once("<dataInfo>").expect("an answer");
            format!("{before}<dataInfo>{within}{after}").into()
        }
        F::Huge(bytes) => {
            let xml = text(&answer);
            let (before, after) = xml.split_at(xml.find("<dataInfo>").expect("an answer"));
            Body::from(before).run(b' ', bytes).bytes(after)
        }
        F::Links(_) | F::LinksTo(_) | F::PlainLinks | F::LinksWithUserinfo => {
            answer.data = other_links(answer.data, &fault);
            answer.xml().into()
        }
    };
    Response::new(200, XML, body)
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.xml()).expect("UTF-8")
}

fn other_links(data: DataInfo, fault: &AnswerFault) -> DataInfo {
    let DataInfo::Links(links) = data else {
        return data;
    };
    let other = |link: &String| {
        let (scheme, rest) = link.split_once("://").expect("a scheme");
        let path = rest.find('/').map_or("", |slash| &rest[slash..]);
        match fault {
            AnswerFault::LinksTo(base) => format!("{base}{path}"),
            AnswerFault::PlainLinks => format!("http://{rest}"),
            AnswerFault::LinksWithUserinfo => format!("{scheme}://name:password@{rest}"),
            _ => link.clone(),
        }
    };
    if let (AnswerFault::Links(count), Some(first)) = (fault, links.first()) {
        let (before, _) = first.rsplit_once('=').expect("a parameter");
        let link = |number| format!("{before}={number:032X}");
        return DataInfo::Links((0..*count).map(link).collect());
    }
    DataInfo::Links(links.iter().map(other).collect())
}

/// The response to a request for an archive.
pub(crate) fn archive(archive: &Archive, fault: Option<ArchiveFault>) -> Response {
    use ArchiveFault as F;
    let right = archive.body();
    let body = match fault {
        None => right,
        Some(F::Html) => return page("Технические работы"),
        Some(F::Blocked) => {
            return page("Скачивание архива по данной ссылке заблокировано на 10 минут.");
        }
        Some(F::Truncated) => {
            let half = right.remaining() / 2;
            limited(right, half)
        }
        Some(F::WrongCrc) => with_wrong_crc(right.into_bytes()),
        Some(F::Gzip) => gzip(right),
        Some(F::GzipTwice) => gzip(gzip(right)),
        Some(F::GzipCut) => {
            let gzip = gzip(right);
            let half = gzip.remaining() / 2;
            limited(gzip, half)
        }
        Some(F::Empty) => "".into(),
        Some(F::Bytes(bytes)) => bytes.into(),
    };
    Response::new(200, ZIP, body)
}

fn limited(body: Body, length: u64) -> Body {
    let mut bytes = Vec::new();
    in_memory(body.take(length).read_to_end(&mut bytes));
    bytes.into()
}

/// The first document's checksum is changed, in its header and in the directory alike.
fn with_wrong_crc(mut zip: Vec<u8>) -> Body {
    for (signature, at) in [(b"PK\x03\x04", 14), (b"PK\x01\x02", 16)] {
        let found = zip.windows(4).position(|window| window == signature);
        if let Some(byte) = found.and_then(|found| zip.get_mut(found + at)) {
            *byte ^= 0xff;
        }
    }
    zip.into()
}

fn gzip(body: Body) -> Body {
    let mut bytes = Vec::new();
    let buffered = io::BufReader::with_capacity(1 << 20, body);
    in_memory(GzEncoder::new(buffered, Compression::fast()).read_to_end(&mut bytes));
    bytes.into()
}

fn in_memory(read: io::Result<usize>) {
    read.expect("a body is in memory");
}

fn page(sentence: &str) -> Response {
    let page = format!(
        "<!DOCTYPE html><html><head><title>ЕИС</title></head><body><p>{sentence}</p></body></html>"
    );
    Response::new(200, HTML, page)
}
