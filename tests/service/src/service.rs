//! The simulated service: settings, connections, and responses.

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
use crate::soap::{ACTION, DocumentsRequest, NAMESPACE};
use crate::{Archive, Contents, Tls};

#[derive(Clone, Default)]
pub struct Config {
    /// TLS settings; `None` for plain HTTP.
    pub tls: Option<Tls>,
    /// The documents to serve.
    pub contents: Contents,
    /// Scheme and host for links, such as `https://int.zakupki.gov.ru`. By default, the scheme and
    /// host of the request.
    pub link_base: Option<String>,
}

/// A running service. It stops when the process exits.
pub struct Service {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    config: Config,
    tls: Option<Arc<ServerConfig>>,
    contents: Mutex<Contents>,
    next_response: AtomicU64,
    /// Links by the id of the response that contained them.
    links: Mutex<HashMap<String, IssuedLinks>>,
    requests: Mutex<Vec<Request>>,
    faults: Faults,
}

struct IssuedLinks {
    /// Key of the selection.
    key: String,
    /// Number of other requests since the response. Downloads of its own links do not count.
    later_requests: u32,
}

/// Links are refused with 403 after this many other requests.
const LINK_LIFETIME: u32 = 10;

const DOWNLOAD: &str = "/dstore/common/download/compound";

impl Service {
    /// Starts a service on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// Returns an error if the port cannot be opened.
    pub fn start(config: Config) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            tls: config.tls.as_ref().map(Tls::server_config),
            contents: Mutex::new(config.contents.clone()),
            config,
            next_response: AtomicU64::new(1),
            links: Mutex::default(),
            requests: Mutex::default(),
            faults: Faults::default(),
        });
        let serving = Arc::clone(&state);
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let state = Arc::clone(&serving);
                // Errors mean that the client disconnected or did not speak HTTP.
                thread::spawn(move || serve(socket, &state).ok());
            }
        });
        Ok(Self { address, state })
    }

    /// The address at which the service listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address as a URL, such as `https://127.0.0.1:12345`.
    pub fn url(&self) -> String {
        format!("{}://{}", self.state.scheme(), self.address)
    }

    /// The URL for requests for documents.
    pub fn endpoint(&self) -> String {
        format!("{}/eis-integration/services/getDocsIP", self.url())
    }

    /// The certificate of the service's authority in PEM format; `None` without TLS.
    pub fn ca_pem(&self) -> Option<&str> {
        let tls = self.state.config.tls.as_ref()?;
        Some(tls.authority.pem())
    }

    /// Simulates a fault in responses for the selections or links whose key matches the pattern.
    pub fn fault(&self, pattern: &str, fault: Fault, times: Times) {
        self.state.faults.add(pattern, fault, times);
    }

    pub fn clear_faults(&self) {
        self.state.faults.clear();
    }

    pub fn set_contents(&self, contents: Contents) {
        *self.state.contents.lock().expect("no panic") = contents;
    }

    /// All requests so far, in the order in which they were received.
    pub fn requests(&self) -> Vec<Request> {
        self.state.requests.lock().expect("no panic").clone()
    }

    /// Number of requests so far whose key matches the pattern.
    pub fn count(&self, pattern: &str) -> usize {
        let requests = self.state.requests.lock().expect("no panic");
        let keys = requests.iter().filter_map(|request| request.key.as_deref());
        keys.filter(|key| matches(pattern, key)).count()
    }

    /// Number of requests so far for each key.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for request in self.requests() {
            if let Some(key) = request.key {
                *counts.entry(key).or_default() += 1;
            }
        }
        counts
    }

    pub fn forget_requests(&self) {
        self.state.requests.lock().expect("no panic").clear();
    }
}

fn serve(socket: TcpStream, state: &State) -> io::Result<()> {
    let mut connection = Connection::new(socket, state.tls.as_ref())?;
    while let Some(mut request) = connection.next_request()? {
        let (mut response, fault) = state.response(&mut request);
        if let Some(replacement) = fault
            .as_ref()
            .and_then(|it| Response::replacement(it, &request))
        {
            response = replacement;
        }
        if let Some(Fault::Gzip) = fault {
            response = response.gzipped();
        }
        // Record the request before the client can see the response.
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

    /// Returns the response, and the fault that still has to be applied, if any. Faults in the SOAP
    /// body are already applied to the response. Also sets the key and the token of the request.
    fn response(&self, request: &mut Request) -> (Response, Option<Fault>) {
        request.token = request.header("individualperson_token").map(str::to_owned);
        let path = request.path();
        let is_endpoint = path.ends_with("/getDocsIP") || path.ends_with("/getDocsLE");
        match (&*request.method, path) {
            ("POST", _) if is_endpoint => self.documents(request),
            ("GET", _) if is_endpoint && request.target.ends_with("?wsdl") => {
                request.key = Some("wsdl".to_owned());
                self.age_links(None);
                let wsdl = format!("<definitions targetNamespace=\"{NAMESPACE}\"/>");
                (Response::new(200, wsdl), None)
            }
            ("GET", DOWNLOAD) => self.archive(request),
            _ => (Response::new(404, "not found"), None),
        }
    }

    fn documents(&self, request: &mut Request) -> (Response, Option<Fault>) {
        let content_type = request.header("content-type").unwrap_or_default();
        let is_soap =
            content_type.starts_with("text/xml") && request.header("soapaction") == Some(ACTION);
        let Some(call) = DocumentsRequest::parse(&request.body).filter(|_| is_soap) else {
            return (Response::new(400, "not a request for documents"), None);
        };
        let fault = self.faults.next(&call.key);
        request.key = Some(call.key.clone());
        self.age_links(None);
        if request.token != call.token {
            request.token = None;
        }
        let number = self.next_response.fetch_add(1, Ordering::SeqCst);
        let id = format!("a0000000-0000-4000-8000-{number:012x}");
        let links = self.links(request, &call.key, &id);
        let body = answer(request, &call, &id, links, fault.as_ref());
        (Response::new(200, body), fault)
    }

    /// Creates and records links to the archives of a selection.
    fn links(&self, request: &Request, key: &str, answer_id: &str) -> DataInfo {
        let count = self.archives(key).len();
        if count == 0 {
            return DataInfo::NoData;
        }
        let mut links = self.links.lock().expect("no panic");
        let issued = IssuedLinks {
            key: key.to_owned(),
            later_requests: 0,
        };
        links.insert(answer_id.to_owned(), issued);
        let host = request.header("host").unwrap_or_default();
        let base = self.config.link_base.clone();
        let base = base.unwrap_or_else(|| format!("{}://{host}", self.scheme()));
        let links = (0..count).map(|archive| {
            format!("{base}{DOWNLOAD}?docRequestUid={answer_id}&compoundUid={archive:032X}")
        });
        DataInfo::Links(links.collect())
    }

    /// Counts a request against all links, except those of the response with this id.
    fn age_links(&self, except: Option<&str>) {
        let mut links = self.links.lock().expect("no panic");
        for (id, issued) in links.iter_mut() {
            issued.later_requests += u32::from(except != Some(id));
        }
    }

    fn archives(&self, key: &str) -> Vec<Archive> {
        self.contents.lock().expect("no panic").archives(key)
    }

    fn archive(&self, request: &mut Request) -> (Response, Option<Fault>) {
        let id = request.parameter("docRequestUid").unwrap_or_default();
        let number = request.parameter("compoundUid").unwrap_or_default();
        self.age_links(Some(id));
        let links = self.links.lock().expect("no panic");
        let issued = links.get(id);
        let issued = issued.map(|issued| (issued.key.clone(), issued.later_requests));
        drop(links);
        let (Some((selection, age)), Ok(number)) = (issued, usize::from_str_radix(number, 16))
        else {
            return (Response::new(404, "no such archive"), None);
        };
        let key = format!("{selection}#{number}");
        let fault = self.faults.next(&key);
        request.key = Some(key);
        if age >= LINK_LIFETIME {
            return (Response::new(403, "expired link"), None);
        }
        let response = match self.archives(&selection).get(number) {
            Some(archive) => Response::new(200, archive.bytes()),
            None => Response::new(404, "no such archive"),
        };
        (response, fault)
    }
}
