//! Official documents, obtained from the service of EIS that gives them out ("getDocsIP",
//! SOAP 1.1 over HTTP): one request for each cell (day, region, type of documents), answered
//! with links to archives. It saves them in a folder, as archives that `import` reads.
//!
//! The room knows the service, and nothing of the command: `cli/fetch` decides which cells
//! are asked for and remembers them (`store/fetch_ledger.rs`).
//!
//! - `selection`: the cells, and their order.
//! - `request` writes a request, `answer` reads the response: only `noData` with the
//!   request's own id means "no documents"; an unknown response is an error.
//! - `address`: the addresses that requests may be sent to. Every request carries the token, so
//!   `transport` gets no other address.
//! - `token`: the secret, which is removed from every text of the service before it is shown.
//! - `transport`: one exchange by HTTP, and the classes of its failures.
//! - `failure`: the kinds of failures, and their words.
//! - `retries`: after which failures, and after how many pauses, a request is repeated.
//! - `archive`: a body to a readable zip on the disk, named by its bytes, or to nothing.
//! - `client` puts these together: ask, download.
//! - `stop`: the signal that ends a run early.
//! - `probe`: finds out which documents the service gives out.
//!
//! Everything that comes from the service has a bound, stated where it is read.

mod address;
mod answer;
mod archive;
mod client;
mod failure;
mod probe;
mod request;
mod retries;
mod selection;
mod stop;
mod token;
mod transport;

pub use address::{ServiceAddress, UrlError};
pub use answer::MAX_ANSWER;
pub use archive::{
    ArchiveContents, FetchedArchive, LEAST_RATE, MAX_DOWNLOAD, RATE_SPAN, contents, is_partial,
};
pub use client::{Client, ClientOptions, ServiceEvent};
pub use failure::FetchFailure;
pub use probe::{ProbeLine, probe};
pub use request::{DocumentsOf, MAX_NUMBER_LENGTH};
pub use retries::{MAX_ATTEMPTS, MAX_WAITS};
pub use selection::CellSelection;
pub use stop::StopSignal;
pub use token::AccessToken;
pub use transport::{
    ANSWER_TIMEOUT, CONNECT_TIMEOUT, CONNECTION_LOG_TARGETS, IDLE_TIMEOUT, Proxy, roots_of_pem,
};
