//! What stands for PostgreSQL in a program that was built without it: addresses that nobody
//! has.

use std::fmt;
use std::sync::Arc;

/// The address of servers: there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerAddress {}

/// The servers of an address: there are none.
#[derive(Debug)]
pub enum Cluster {}

impl ServerAddress {
    /// Is this text meant as such an address, rather than as a path?
    pub fn is_meant(text: &str) -> bool {
        ["postgresql://", "postgres://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
    }

    /// Refuses any address.
    ///
    /// # Errors
    /// A sentence with the remedy, without the address.
    pub fn parse(_: &str, _: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let why = "this program was built without PostgreSQL; give a file, or build it with \
                   --features postgresql";
        Err(why.to_owned())
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl Cluster {
    /// The servers of an address.
    pub fn new(address: ServerAddress) -> Arc<Self> {
        match address {}
    }
}
