//! Bounds on the address of PostgreSQL servers, on files named in it, and on waiting for a server.
//! They are not in `postgresql` because the manual states them even in a build without PostgreSQL.

use std::time::Duration;

/// Maximum length of an address, in bytes.
pub const MAX_ADDRESS: usize = 4096;

/// Maximum number of hosts in an address.
pub const MAX_HOSTS: usize = 16;

/// Maximum number of IP addresses tried per host name.
pub const MAX_ADDRESSES_OF_HOST: usize = 4;

/// Maximum size of a passfile, in bytes.
pub const MAX_PASSFILE: u64 = 64 << 10;

/// Maximum size of a file of trusted certificates, in bytes.
pub const MAX_CERTIFICATES: u64 = 1 << 20;

/// Time limit for an attempt to connect, including resolving the host name.
pub const ATTEMPT: Duration = Duration::from_secs(1);

/// Time limit for all attempts of one answer, however many hosts there are. If a host is lost
/// during a statement that reads a lot, the answer gets this much time once more.
pub const ALL_ATTEMPTS: Duration = Duration::from_secs(3);

/// Time limit for a statement that reads little, such as the rows of one supplier.
pub const SHORT_STATEMENT: Duration = Duration::from_secs(1);

/// Time limit for waiting for a server in all other cases: for statements that read a lot, for
/// changes, and for connecting in order to make a change.
pub const STATEMENT: Duration = Duration::from_secs(10);

/// How long a process rejects older publications after it has seen a newer one. If no host has the
/// newer one after that time, the newer one is considered lost.
pub const MAX_LAG: Duration = Duration::from_secs(60);

/// Time limit for reading one batch of an export. Before the first batch, the server has to sort
/// all suppliers or purchases.
pub const SORTING: Duration = Duration::from_secs(600);

/// Maximum silence of a server during a publication. A server is silent while it creates an index,
/// so it gets an additional second per [`ROWS_A_SECOND`] rows for that.
pub const SERVER_SILENCE: Duration = Duration::from_secs(60);

/// Minimum number of rows per second that a server is expected to add to an index, or to copy from
/// one table to another.
pub const ROWS_A_SECOND: u64 = 10_000;
