//! The service: its settings, its connections, and what it answers.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::answer::{self, Answer, DataInfo, soap_fault};
use crate::delivery::Response;
use crate::fault::{AnswerFault, ArchiveFault, DeliveryFault, Faults, Times};
use crate::faulty;
use crate::http::{Connection, Request, Stream};
use crate::selection::matches;
use crate::soap::{ACTION, Call};
use crate::{Contents, Selection, Tls};

/// What a service is like.
#[derive(Clone, Default)]
pub struct Config {
    /// The address to listen on: `127.0.0.1`, a free port, unless given.
    pub listen: Option<SocketAddr>,
    /// TLS; plain HTTP without.
    pub tls: Option<Tls>,
    /// The only valid token; without, any is.
    pub token: Option<String>,
    /// What there is.
    pub contents: Contents,
    /// Are links written as CDATA?
    pub has_cdata_links: bool,
    /// The scheme and host of links, such as `https://int.zakupki.gov.ru`; without, those by
    /// which the service was asked.
    pub link_base: Option<String>,
}

/// A service that runs until the process ends.
pub struct Service {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    config: Config,
    tls: Option<Arc<ServerConfig>>,
    contents: Mutex<Contents>,
    token: Mutex<Option<String>>,
    answers: AtomicU64,
    links: Mutex<HashMap<String, Link>>,
    requests: Mutex<Vec<Request>>,
    /// How many requests are at work, and the most there have been.
    at_work: AtomicUsize,
    most_at_work: AtomicUsize,
    answer_faults: Faults<AnswerFault>,
    archive_faults: Faults<ArchiveFault>,
    delivery_faults: Faults<DeliveryFault>,
}

/// The links of one answer.
#[derive(Clone)]
struct Link {
    selection: Selection,
    needs_token: bool,
}

/// The path of links.
const DOWNLOAD: &str = "/dstore/common/download/compound";

impl Service {
    /// Starts a service on a port of 127.0.0.1.
    ///
    /// # Errors
    /// Where it cannot listen.
    pub fn start(config: Config) -> io::Result<Self> {
        let free_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = TcpListener::bind(config.listen.unwrap_or(free_port))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            tls: config.tls.as_ref().map(Tls::server_config),
            contents: Mutex::new(config.contents.clone()),
            token: Mutex::new(config.token.clone()),
            config,
            answers: AtomicU64::new(1),
            links: Mutex::default(),
            requests: Mutex::default(),
            at_work: AtomicUsize::new(0),
            most_at_work: AtomicUsize::new(0),
            answer_faults: Faults::new(),
            archive_faults: Faults::new(),
            delivery_faults: Faults::new(),
        });
        let serving = Arc::clone(&state);
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let state = Arc::clone(&serving);
                // An error is the client's: it went away, or spoke no HTTP.
                thread::spawn(move || serve(socket, &state).ok());
            }
        });
        Ok(Self { address, state })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Such as `https://127.0.0.1:12345`.
    pub fn url(&self) -> String {
        format!("{}://{}", self.state.scheme(), self.address)
    }

    /// The address that requests for documents go to.
    pub fn endpoint(&self) -> String {
        format!("{}/eis-integration/services/getDocsIP", self.url())
    }

    /// The certificate of the authority that signs its own, as PEM; with TLS only.
    pub fn ca_pem(&self) -> Option<&str> {
        let tls = self.state.config.tls.as_ref()?;
        Some(tls.authority.pem())
    }

    /// From now on, this is wrong with the answers to requests whose key matches.
    pub fn answer_fault(&self, pattern: &str, fault: AnswerFault, times: Times) {
        self.state.answer_faults.add(pattern, fault, times);
    }

    /// From now on, this is wrong with the archives of links whose key matches.
    pub fn archive_fault(&self, pattern: &str, fault: ArchiveFault, times: Times) {
        self.state.archive_faults.add(pattern, fault, times);
    }

    /// From now on, this is wrong with how answers to what matches are sent: selections,
    /// links, or `wsdl`.
    pub fn delivery_fault(&self, pattern: &str, fault: DeliveryFault, times: Times) {
        self.state.delivery_faults.add(pattern, fault, times);
    }

    /// From now on, all is as it should be.
    pub fn clear_faults(&self) {
        self.state.answer_faults.clear();
        self.state.archive_faults.clear();
        self.state.delivery_faults.clear();
    }

    /// From now on, this is what there is.
    pub fn set_contents(&self, contents: Contents) {
        *self.state.contents.lock().expect("no panic") = contents;
    }

    /// From now on, this is the only valid token; `None`: any is.
    pub fn set_token(&self, token: Option<String>) {
        *self.state.token.lock().expect("no panic") = token;
    }

    /// The requests so far, in the order in which they were read.
    pub fn requests(&self) -> Vec<Request> {
        self.state.requests.lock().expect("no panic").clone()
    }

    /// How many requests so far had a key that matches.
    pub fn count(&self, pattern: &str) -> usize {
        let requests = self.state.requests.lock().expect("no panic");
        let keys = requests.iter().filter_map(|request| request.key.as_deref());
        keys.filter(|key| matches(pattern, key)).count()
    }

    /// How often each key was asked for so far.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for request in self.requests() {
            if let Some(key) = request.key {
                *counts.entry(key).or_default() += 1;
            }
        }
        counts
    }

    /// The requests so far are forgotten.
    pub fn forget_requests(&self) {
        self.state.requests.lock().expect("no panic").clear();
    }

    /// The most requests that were at work at the same time.
    pub fn most_at_once(&self) -> usize {
        self.state.most_at_work.load(Ordering::SeqCst)
    }
}

fn serve(socket: TcpStream, state: &State) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let stream = match &state.tls {
        None => Stream::Plain(socket),
        Some(config) => {
            let tls = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
            Stream::Tls(Box::new(StreamOwned::new(tls, socket)))
        }
    };
    let mut connection = Connection::new(stream);
    while let Some(request) = connection.next_request()? {
        let closes = request.closes();
        let is_open = state.respond(request, &mut connection.stream)?;
        if closes || !is_open {
            break;
        }
    }
    connection.stream.end();
    Ok(())
}

impl State {
    fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    fn respond(&self, mut request: Request, stream: &mut Stream) -> io::Result<bool> {
        let at_work = self.at_work.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_work.fetch_max(at_work, Ordering::SeqCst);
        let mut response = self.response(&mut request);
        let is_redirected = request.parameter("redirected").is_some();
        let key = request.key.as_deref().filter(|_| !is_redirected);
        let fault = key.and_then(|key| self.delivery_faults.next(key));
        let instead = fault.as_ref().and_then(|fault| instead(fault, &request));
        response = instead.unwrap_or(response);
        self.requests.lock().expect("no panic").push(request);
        // Before the client can know.
        self.at_work.fetch_sub(1, Ordering::SeqCst);
        response.send(stream, fault.as_ref())
    }

    /// The response, before anything goes wrong with how it is sent; the request's key and
    /// token are filled in.
    fn response(&self, request: &mut Request) -> Response {
        request.token = request.header("individualperson_token").map(str::to_owned);
        let path = request.path();
        let is_endpoint = ["/getDocsIP", "/getDocsLE"]
            .iter()
            .any(|end| path.ends_with(end));
        let is_wsdl = request.target.to_ascii_lowercase().ends_with("?wsdl");
        match (&*request.method, path) {
            ("POST", _) if is_endpoint => self.documents(request),
            ("GET", _) if is_endpoint && is_wsdl => {
                let endpoint = format!("{}{path}", self.base(request));
                request.key = Some("wsdl".to_owned());
                Response::new(200, "text/xml; charset=utf-8", answer::wsdl(&endpoint))
            }
            ("GET", DOWNLOAD) => self.archive(request),
            (_, DOWNLOAD) => plain(405, "method not allowed"),
            _ if is_endpoint => plain(405, "method not allowed"),
            _ => plain(404, "not found"),
        }
    }

    /// The scheme and host by which the service was asked.
    fn base(&self, request: &Request) -> String {
        let host = request.header("host").unwrap_or("localhost");
        format!("{}://{host}", self.scheme())
    }

    /// The response to a request for documents.
    fn documents(&self, request: &mut Request) -> Response {
        const XML: &str = "text/xml; charset=utf-8";
        let content_type = request.header("content-type").unwrap_or_default();
        if !content_type.starts_with("text/xml") {
            return plain(415, "text/xml is wanted");
        }
        if request.header("soapaction") != Some(ACTION) {
            return Response::new(500, XML, soap_fault("SOAPAction"));
        }
        let Some(call) = Call::read(&request.body) else {
            return Response::new(500, XML, soap_fault("no request for documents"));
        };
        request.key = Some(call.selection.to_string());
        request.token = call.token.clone().or(request.token.take());
        let number = self.answers.fetch_add(1, Ordering::SeqCst);
        let id = format!("a0000000-0000-4000-8000-{number:012x}");
        let needs_token = request.path().ends_with("/getDocsIP");
        let (data, fault) = if needs_token && !self.is_token(call.token.as_deref()) {
            let message = "Токен не указан или не найден".to_owned();
            (DataInfo::Error(5, message), None)
        } else {
            let key = call.selection.to_string();
            let links = self.links(request, call.selection, needs_token, &id);
            (links, self.answer_faults.next(&key))
        };
        let answer = Answer {
            operation: call.operation,
            id,
            ref_id: Some(call.id),
            data,
            is_cdata: self.config.has_cdata_links,
        };
        faulty::answer(request, answer, fault)
    }

    /// The links to the archives of a selection, which are remembered.
    fn links(
        &self,
        request: &Request,
        selection: Selection,
        needs_token: bool,
        answer_id: &str,
    ) -> DataInfo {
        let contents = self.contents.lock().expect("no panic").clone();
        let count = contents.archives(&selection).len();
        if count == 0 {
            return DataInfo::NoData;
        }
        let link = Link {
            selection,
            needs_token,
        };
        let mut links = self.links.lock().expect("no panic");
        links.insert(answer_id.to_owned(), link);
        let base = self.config.link_base.clone();
        let base = base.unwrap_or_else(|| self.base(request));
        let links = (0..count).map(|archive| {
            format!("{base}{DOWNLOAD}?docRequestUid={answer_id}&compoundUid={archive:032X}")
        });
        DataInfo::Links(links.collect())
    }

    fn is_token(&self, token: Option<&str>) -> bool {
        let valid = self.token.lock().expect("no panic");
        token.is_some_and(|token| match &*valid {
            Some(valid) => token == valid,
            None => !token.is_empty(),
        })
    }

    /// The response to a request for an archive.
    fn archive(&self, request: &mut Request) -> Response {
        let id = request.parameter("docRequestUid").unwrap_or_default();
        let number = request.parameter("compoundUid").unwrap_or_default();
        let link = self.links.lock().expect("no panic").get(id).cloned();
        let (Some(link), Ok(number)) = (link, u64::from_str_radix(number, 16)) else {
            return plain(404, "no such archive");
        };
        let key = format!("{}#{number}", link.selection);
        request.key = Some(key.clone());
        let token = request.header("individualperson_token");
        if link.needs_token && !self.is_token(token) {
            return plain(403, "forbidden");
        }
        let contents = self.contents.lock().expect("no panic").clone();
        let mut archives = contents.archives(&link.selection).into_iter();
        let archive = usize::try_from(number)
            .ok()
            .and_then(|number| archives.nth(number));
        match archive {
            Some(archive) => faulty::archive(&archive, self.archive_faults.next(&key)),
            None => plain(404, "no such archive"),
        }
    }
}

fn plain(status: u16, text: &str) -> Response {
    Response::new(status, "text/plain; charset=utf-8", text)
}

/// What is sent instead of the response to a request.
fn instead(fault: &DeliveryFault, request: &Request) -> Option<Response> {
    let target = &request.target;
    match fault {
        DeliveryFault::Status(status) => Some(plain(*status, "as asked for")),
        DeliveryFault::RedirectWithin => {
            let separator = if target.contains('?') { '&' } else { '?' };
            Some(Response::redirect(format!(
                "{target}{separator}redirected=1"
            )))
        }
        DeliveryFault::RedirectTo(address) => Some(Response::redirect(address.clone())),
        DeliveryFault::RedirectLoop => Some(Response::redirect(target.clone())),
        _ => None,
    }
}
