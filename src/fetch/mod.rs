//! Fetches official documents from the EIS document service ("getDocsIP", SOAP 1.1 over HTTP). A
//! request is for one cell (day, region, document type) or one registry number. The response
//! contains links to archives, which are saved in a folder for `import`.
//!
//! This module knows the service but not the command line: `cli/fetch` decides which cells to
//! request, and `store/fetch_ledger.rs` remembers the results.
//!
//! - `selection`: the cells and their order.
//! - `request`: writes a request.
//! - `answer`: parses the response. Only `noData` together with the id of our request means "no
//!   documents"; an unknown response is an error.
//! - `address`: where requests may be sent. Every request carries the token, so `transport` accepts
//!   no other addresses.
//! - `token`: the secret, which is removed from texts of the service before they are shown.
//! - `transport`: a single HTTP exchange, and the classification of its failures.
//! - `failure`: the kinds of failures and their messages.
//! - `retries`: which failures are retried, and after how long.
//! - `archive`: saves a response body as a verified zip file named after its hash.
//! - `client`: three operations built from the modules above (list archives, download one, get the
//!   interface description).
//! - `stop`: the signal that ends a run early.
//! - `probe`: finds out which documents the service offers.
//!
//! `receiver` has nothing to do with the service: it posts the notifications of `watch`. It is here
//! because this is the only module with an HTTP client.
//!
//! Everything received from the service is bounded, by a constant next to the code that reads it.
//!
//! `cli/update.rs` runs fetch and import as one job, and `tests/service` simulates the service. The
//! document types are listed in `import/eis/kinds`.

mod address;
mod answer;
mod archive;
mod client;
mod failure;
mod probe;
mod receiver;
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
pub use receiver::{DELIVERY_TIMEOUT, PostFailure, Receiver, ReceiverAddress};
pub use request::{DocumentsOf, MAX_NUMBER_LENGTH};
pub use retries::{MAX_ATTEMPTS, MAX_WAITS};
pub use selection::CellSelection;
pub use stop::StopSignal;
pub use token::AccessToken;
pub use transport::{
    ANSWER_TIMEOUT, CONNECT_TIMEOUT, CONNECTION_LOG_TARGETS, IDLE_TIMEOUT, Proxy, roots_of_pem,
};
