//! Answers and archives with a fault in them.

use std::io::Read;

use flate2::Compression;
use flate2::bufread::GzEncoder;

use crate::Archive;
use crate::answer::{Answer, DataInfo, soap_fault};
use crate::delivery::Response;
use crate::fault::{AnswerFault, ArchiveFault};
use crate::http::Request;

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
    match &fault {
        F::ForeignRefId => answer.ref_id = Some(ELSEWHERE.to_owned()),
        F::NoRefId => answer.ref_id = None,
        F::ErrorInfo(code, message) => {
            let token = request.token.as_deref().unwrap_or_default();
            answer.data = DataInfo::Error(*code, message.replace("{token}", token));
        }
        _ => answer.data = other_links(answer.data, &fault),
    }
    let xml = answer.xml();
    let body = match fault {
        F::Echo => request.body.clone(),
        F::SoapFault(status) => return Response::new(status, XML, soap_fault("a fault")),
        F::Html => return page("Технические работы"),
        F::Empty => Vec::new(),
        F::Malformed => xml.replace("</dataInfo>", "</data>").into(),
        F::Cut => xml.as_bytes()[..xml.len() / 2].into(),
        F::Doctype => {
            let doctype = "?><!DOCTYPE a [<!ENTITY b \"true\">]>";
            let xml = xml.replacen("?>", doctype, 1);
            xml.replace(">true<", ">&b;<").into()
        }
        F::Deep(depth) => {
            let within = "<a>".repeat(depth) + &"</a>".repeat(depth);
            let begin = format!("<dataInfo>{within}");
            xml.replacen("<dataInfo>", &begin, 1).into()
        }
        F::Huge(bytes) => {
            let begin = " ".repeat(bytes) + "<dataInfo>";
            xml.replacen("<dataInfo>", &begin, 1).into()
        }
        _ => xml.into(),
    };
    Response::new(200, XML, body)
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
    let right = archive.bytes();
    let body = match fault {
        None => right,
        Some(F::Html) => return page("Технические работы"),
        Some(F::Blocked) => {
            return page("Скачивание архива по данной ссылке заблокировано на 10 минут.");
        }
        Some(F::Truncated) => half(&right),
        Some(F::WrongCrc) => with_wrong_crc(right),
        Some(F::Gzip) => gzip(&right),
        Some(F::GzipTwice) => gzip(&gzip(&right)),
        Some(F::GzipCut) => half(&gzip(&right)),
        Some(F::Empty) => Vec::new(),
        Some(F::Bytes(bytes)) => bytes,
    };
    Response::new(200, ZIP, body)
}

fn half(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len() / 2].to_vec()
}

/// The first document's checksum is changed, in its header and in the directory alike.
fn with_wrong_crc(mut zip: Vec<u8>) -> Vec<u8> {
    for (signature, at) in [(b"PK\x03\x04", 14), (b"PK\x01\x02", 16)] {
        let found = zip.windows(4).position(|window| window == signature);
        if let Some(byte) = found.and_then(|found| zip.get_mut(found + at)) {
            *byte ^= 0xff;
        }
    }
    zip
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let read = GzEncoder::new(bytes, Compression::fast()).read_to_end(&mut packed);
    read.expect("bytes in memory");
    packed
}

fn page(sentence: &str) -> Response {
    let page = format!(
        "<!DOCTYPE html><html><head><title>ЕИС</title></head><body><p>{sentence}</p></body></html>"
    );
    Response::new(200, HTML, page)
}
