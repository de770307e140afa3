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
        F::Cut => xml.as_bytes()[..xml.len() / 2].into(),
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
        Some(F::Truncated) => right[..right.len() / 2].to_vec(),
        Some(F::Gzip) => gzip(&right),
    };
    Response::new(200, ZIP, body)
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
