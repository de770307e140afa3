//! What is read of a PostgreSQL server's address and of the files it names, and how long a
//! server is waited for. They stand here, as the manual names them whether or not the program
//! was built with PostgreSQL.

use std::time::Duration;

/// The longest address, in bytes.
pub const MAX_ADDRESS: usize = 4096;

/// How many hosts an address names at most.
pub const MAX_HOSTS: usize = 16;

/// How many of the addresses that a host's name stands for are tried.
pub const MAX_ADDRESSES_OF_HOST: usize = 4;

/// The longest passfile, in bytes.
pub const MAX_PASSFILE: u64 = 64 << 10;

/// The longest file of certificates to trust, in bytes.
pub const MAX_CERTIFICATES: u64 = 1 << 20;

/// How long an attempt to connect takes at most, with the lookup of the host's name.
pub const ATTEMPT: Duration = Duration::from_secs(1);

/// How long all attempts for one answer take at most, whatever the number of hosts; once more
/// where a host is lost during a statement that reads much.
pub const ALL_ATTEMPTS: Duration = Duration::from_secs(3);

/// How long an answer's short statement takes at most, which is about what one key names.
pub const SHORT_STATEMENT: Duration = Duration::from_secs(1);

/// How long a server is waited for where that is not an answer's short statement: for
/// statements that read much, changes, and each attempt to connect for one.
pub const STATEMENT: Duration = Duration::from_secs(10);

/// How long an older publication is not answered from, where a newer one was seen. If by then
/// no host has that one, it is lost.
pub const MOST_LAG: Duration = Duration::from_secs(60);

/// How long a server may take to sort the keys of all records, before an export reads the first.
pub const SORTING: Duration = Duration::from_secs(600);

/// How long a server may say nothing while it is published to. It makes an index in silence:
/// for that it has a second more for each [`ROWS_A_SECOND`] rows.
pub const SERVER_SILENCE: Duration = Duration::from_secs(60);

/// How many rows a server puts into an index, or from one table into another, in a second at
/// least.
pub const ROWS_A_SECOND: u64 = 10_000;
