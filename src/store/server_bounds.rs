//! Bounds on a PostgreSQL server's address, on the files it names, and on the time to wait for a
//! server. They are separate from `postgresql`, as the manual names them even in a build without
//! PostgreSQL.

use std::time::Duration;

/// The longest address, in bytes.
pub const MAX_ADDRESS: usize = 4096;

/// The largest number of hosts in an address.
pub const MAX_HOSTS: usize = 16;

/// The largest number of addresses that are tried for a host's name.
pub const MAX_ADDRESSES_OF_HOST: usize = 4;

/// The longest passfile, in bytes.
pub const MAX_PASSFILE: u64 = 64 << 10;

/// The longest file of certificates to trust, in bytes.
pub const MAX_CERTIFICATES: u64 = 1 << 20;

/// The longest time for an attempt to connect, including the lookup of the host's name.
pub const ATTEMPT: Duration = Duration::from_secs(1);

/// The longest time for all attempts of one answer, with any number of hosts. It counts once more
/// if a host is lost during a statement that reads much.
pub const ALL_ATTEMPTS: Duration = Duration::from_secs(3);

/// The longest time for a short statement of an answer, which reads the data of one key.
pub const SHORT_STATEMENT: Duration = Duration::from_secs(1);

/// The longest time to wait for a server in all other cases: statements that read much, changes,
/// and each attempt to connect for one.
pub const STATEMENT: Duration = Duration::from_secs(10);

/// The time after a newer publication was seen during which no older one is used. If no host has
/// the newer one after that time, it counts as lost.
pub const MOST_LAG: Duration = Duration::from_secs(60);

/// The longest time for a server to sort the keys of all records before an export reads the first.
pub const SORTING: Duration = Duration::from_secs(600);

/// The longest silence of a server during a publication. The server makes an index in silence, and
/// has a second more for each [`ROWS_A_SECOND`] rows.
pub const SERVER_SILENCE: Duration = Duration::from_secs(60);

/// The least number of rows per second that a server adds to an index, or copies from one table to
/// another.
pub const ROWS_A_SECOND: u64 = 10_000;
