//! The service: its settings, its connections, and what it answers.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::ServerConfig;

use crate::answer::{DataInfo, answer};
use crate::delivery::Response;
use crate::fault::{Fault, Faults, Times};
use crate::http::{Connection, Request};
use crate::patterns::matches;
use crate::soap::{ACTION, Call, NAMESPACE};
use crate::{Archive, Contents, Tls};

/// The settings of a service.
#[derive(Clone, Default)]
pub struct Config {
    /// TLS; plain HTTP without.
    pub tls: Option<Tls>,
    /// The documents to give out.
    pub contents: Contents,
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
    answers: AtomicU64,
    /// Answers that named links, by the id of the answer.
    links: Mutex<HashMap<String, NamedLinks>>,
    requests: Mutex<Vec<Request>>,
    faults: Faults,
}

/// The links that an answer named.
struct NamedLinks {
    /// The key of the selection.
    key: String,
    /// Number of requests since the answer, without downloads of its own links.
    later_requests: u32,
}

/// Links are refused (403) once so many other requests have come after the answer that named them.
const LINKS_LAST: u32 = 10;

/// The path of links.
const DOWNLOAD: &str = "/dstore/common/download/compound";

impl Service {
    /// Starts a service on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// Where it cannot listen.
    pub fn start(config: Config) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            tls: config.tls.as_ref().map(Tls::server_config),
            contents: Mutex::new(config.contents.clone()),
            config,
            answers: AtomicU64::new(1),
            links: Mutex::default(),
            requests: Mutex::default(),
            faults: Faults::default(),
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

    /// From now on, this is wrong with the answers to selections, or with the archives of links,
    /// whose key matches.
    pub fn fault(&self, pattern: &str, fault: Fault, times: Times) {
        self.state.faults.add(pattern, fault, times);
    }

    /// From now on, all is as it should be.
    pub fn clear_faults(&self) {
        self.state.faults.clear();
    }

    /// Replaces the documents.
    pub fn set_contents(&self, contents: Contents) {
        *self.state.contents.lock().expect("no panic") = contents;
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
}

fn serve(socket: TcpStream, state: &State) -> io::Result<()> {
    let mut connection = Connection::new(socket, state.tls.as_ref())?;
    while let Some(mut request) = connection.next_request()? {
        let (mut response, fault) = state.response(&mut request);
        if let Some(instead) = fault
            .as_ref()
            .and_then(|it| Response::instead(it, &request))
        {
            response = instead;
        }
        if let Some(Fault::Gzip) = fault {
            response = response.gzipped();
        }
        // Before the client can know.
        state.requests.lock().expect("no panic").push(request);
        if !response.send(&mut connection, fault.as_ref())? {
            break;
        }
    }
    Ok(())
}

impl State {
    fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// The right response, except for a fault in its text, and the fault; the request's key and
    /// token are filled in.
    fn response(&self, request: &mut Request) -> (Response, Option<Fault>) {
        request.token = request.header("individualperson_token").map(str::to_owned);
        let path = request.path();
        let is_endpoint = path.ends_with("/getDocsIP") || path.ends_with("/getDocsLE");
        match (&*request.method, path) {
            ("POST", _) if is_endpoint => self.documents(request),
            ("GET", _) if is_endpoint && request.target.ends_with("?wsdl") => {
                request.key = Some("wsdl".to_owned());
                self.links_age(None);
                let wsdl = format!("<definitions targetNamespace=\"{NAMESPACE}\"/>");
                (Response::new(200, wsdl), None)
            }
            ("GET", DOWNLOAD) => self.archive(request),
            _ => (Response::new(404, "not found"), None),
        }
    }

    /// The response to a request for documents.
    fn documents(&self, request: &mut Request) -> (Response, Option<Fault>) {
        let content_type = request.header("content-type").unwrap_or_default();
        let is_soap =
            content_type.starts_with("text/xml") && request.header("soapaction") == Some(ACTION);
        let Some(call) = Call::read(&request.body).filter(|_| is_soap) else {
            return (Response::new(400, "no request for documents"), None);
        };
        let fault = self.faults.next(&call.key);
        request.key = Some(call.key.clone());
        self.links_age(None);
        if request.token != call.token {
            request.token = None;
        }
        let number = self.answers.fetch_add(1, Ordering::SeqCst);
        let id = format!("a0000000-0000-4000-8000-{number:012x}");
        let links = self.links(request, &call.key, &id);
        let body = answer(request, &call, &id, links, fault.as_ref());
        (Response::new(200, body), fault)
    }

    /// The links to the archives of a selection, which are remembered.
    fn links(&self, request: &Request, key: &str, answer_id: &str) -> DataInfo {
        let count = self.archives(key).len();
        if count == 0 {
            return DataInfo::NoData;
        }
        let mut links = self.links.lock().expect("no panic");
        let named = NamedLinks {
            key: key.to_owned(),
            later_requests: 0,
        };
        links.insert(answer_id.to_owned(), named);
        let host = request.header("host").unwrap_or_default();
        let base = self.config.link_base.clone();
        let base = base.unwrap_or_else(|| format!("{}://{host}", self.scheme()));
        let links = (0..count).map(|archive| {
            format!("{base}{DOWNLOAD}?docRequestUid={answer_id}&compoundUid={archive:032X}")
        });
        DataInfo::Links(links.collect())
    }

    /// Counts a request, for all links but those of the answer with this id.
    fn links_age(&self, own: Option<&str>) {
        let mut links = self.links.lock().expect("no panic");
        for (id, named) in links.iter_mut() {
            named.later_requests += u32::from(own != Some(id));
        }
    }

    fn archives(&self, key: &str) -> Vec<Archive> {
        self.contents.lock().expect("no panic").archives(key)
    }

    /// The response to a request for an archive.
    fn archive(&self, request: &mut Request) -> (Response, Option<Fault>) {
        let id = request.parameter("docRequestUid").unwrap_or_default();
        let number = request.parameter("compoundUid").unwrap_or_default();
        self.links_age(Some(id));
        let links = self.links.lock().expect("no panic");
        let named = links.get(id);
        let named = named.map(|named| (named.key.clone(), named.later_requests));
        drop(links);
        let (Some((selection, age)), Ok(number)) = (named, usize::from_str_radix(number, 16))
        else {
            return (Response::new(404, "no such archive"), None);
        };
        let key = format!("{selection}#{number}");
        let fault = self.faults.next(&key);
        request.key = Some(key);
        if age >= LINKS_LAST {
            return (Response::new(403, "an old link"), None);
        }
        let response = match self.archives(&selection).get(number) {
            Some(archive) => Response::new(200, archive.bytes()),
            None => Response::new(404, "no such archive"),
        };
        (response, fault)
    }
}
