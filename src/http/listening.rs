//! Listening sockets: TCP and Unix.

use std::fmt;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use super::engine::Listener;

/// Mode of a Unix socket: only the server's user and group may connect. Add the proxy's user to
/// that group.
const SOCKET_MODE: u32 = 0o660;

/// The address of a server, such as `127.0.0.1:8044` or `unix:/run/procurement-lookup.sock`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl Address {
    /// Parses an address. A host name must resolve to exactly one address.
    ///
    /// # Errors
    /// Returns a sentence for the user if the text is not an address or the host has several.
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Self::Unix(path.into()));
        }
        let addresses = text.to_socket_addrs().ok().into_iter().flatten();
        Self::only(addresses.collect())
    }

    /// Returns the address of a host that has exactly one: a server listens on one address.
    fn only(addresses: Vec<SocketAddr>) -> Result<Self, String> {
        match addresses.as_slice() {
            [] => Err(
                "give an address and a port, such as 127.0.0.1:8044 or [::1]:8044, or unix:PATH"
                    .to_owned(),
            ),
            [only] => Ok(Self::Tcp(*only)),
            several => {
                let several: Vec<_> = several.iter().map(ToString::to_string).collect();
                let several = several.join(", ");
                Err(format!(
                    "that host has several addresses: give one of {several}"
                ))
            }
        }
    }

    /// Returns the address in the form that clients use: `http://127.0.0.1:8044` or
    /// `unix:/run/procurement-lookup.sock`.
    pub fn url(&self) -> String {
        match self {
            Self::Tcp(address) => format!("http://{address}"),
            Self::Unix(_) => self.to_string(),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// A listening socket that no server uses yet.
pub struct Listening {
    pub(super) listener: Listener,
    pub(super) address: Address,
    pub(super) file: Option<SocketFile>,
}

impl Listening {
    pub fn address(&self) -> &Address {
        &self.address
    }
}

/// Starts listening; port 0 means any free port. Replaces the file of a Unix socket whose server is
/// gone. The socket's file is removed when the server ends.
///
/// # Errors
/// Returns an error if the address is not available.
pub fn listen(address: &Address) -> io::Result<Listening> {
    match address {
        Address::Tcp(address) => listen_on(TcpListener::bind(address)?),
        Address::Unix(path) => {
            let listener = bind(path)?;
            // Create this guard first, so that the file is removed if a later step fails.
            let file = Some(SocketFile::new(path)?);
            fs::set_permissions(path, Permissions::from_mode(SOCKET_MODE))?;
            let listening = listen_on(listener)?;
            Ok(Listening { file, ..listening })
        }
    }
}

/// Takes over a socket that is already listening. If it is a Unix socket, its file is not removed
/// when the server ends.
///
/// # Errors
/// Returns an error if the socket cannot be made blocking, or if its address cannot be read.
pub fn listen_on(listener: impl Into<Listener>) -> io::Result<Listening> {
    let listener = listener.into();
    // The previous owner of the socket may have made it non-blocking.
    let address = match &listener {
        Listener::Tcp(listener) => {
            listener.set_nonblocking(false)?;
            Address::Tcp(listener.local_addr()?)
        }
        Listener::Unix(listener) => {
            listener.set_nonblocking(false)?;
            let path = listener.local_addr()?.as_pathname().map(Path::to_owned);
            Address::Unix(path.unwrap_or_default())
        }
    };
    Ok(Listening {
        listener,
        address,
        file: None,
    })
}

fn bind(path: &Path) -> io::Result<UnixListener> {
    let in_use = |what: &str| io::Error::new(io::ErrorKind::AddrInUse, what);
    match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            if !path.symlink_metadata()?.file_type().is_socket() {
                return Err(in_use("there is a file that is not a socket"));
            }
            match UnixStream::connect(path) {
                // The file remains, but no process listens on the socket.
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    log::info!("{}: left by an earlier server; replaced", path.display());
                    // Remove the old file only after the new one exists: otherwise the new file
                    // could get the old one's inode, and the old server would remove it as its own.
                    let mut aside = path.as_os_str().to_owned();
                    aside.push(".old");
                    fs::rename(path, &aside)?;
                    let bound = UnixListener::bind(path);
                    fs::remove_file(aside)?;
                    bound
                }
                Ok(_) => Err(in_use("another server listens there")),
                Err(error) => Err(error),
            }
        }
        bound => bound,
    }
}

/// The file of a Unix socket. Dropping this removes the file, unless another file has taken its
/// place.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    id: (u64, u64),
}

impl SocketFile {
    fn new(path: &Path) -> io::Result<Self> {
        let id = id(&path.symlink_metadata()?);
        let path = path.to_owned();
        Ok(Self { path, id })
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let now = self.path.symlink_metadata();
        if now.is_ok_and(|now| id(&now) == self.id) {
            // If the file stays, the next server replaces it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn id(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_tcp_or_unix() {
        let parse = |text| Address::parse(text).map(|address| address.url());
        assert_eq!(parse("127.0.0.1:80"), Ok("http://127.0.0.1:80".to_owned()));
        assert_eq!(parse("[::1]:80"), Ok("http://[::1]:80".to_owned()));
        assert_eq!(parse("unix:/run/a.sock"), Ok("unix:/run/a.sock".to_owned()));
        for bad in ["", "unix:", "/run/a.sock", "127.0.0.1", "127.0.0.1:99999"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let both = ["127.0.0.1:80", "[::1]:80"].map(|one| one.parse().expect("an address"));
        let error = Address::only(both.into()).expect_err("two addresses");
        let sentence = "that host has several addresses: give one of 127.0.0.1:80, [::1]:80";
        assert_eq!(error, sentence);
    }

    #[test]
    fn a_socket_file_has_its_mode_and_is_removed_at_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("socket");
        let listening = listen(&Address::Unix(path.clone())).expect("a socket");
        let mode = path.metadata().expect("a file").mode();
        assert_eq!(mode & 0o777, SOCKET_MODE);
        drop(listening);
        assert!(!path.exists());
    }

    #[test]
    fn only_abandoned_sockets_are_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("socket");
        let address = Address::Unix(path.clone());
        drop(UnixListener::bind(&path).expect("a socket"));
        let listening = listen(&address).expect("the file is taken over");
        let error = listen(&address).err().expect("another listens");
        assert_eq!(error.to_string(), "another server listens there");
        drop(listening);
        fs::write(&path, "text").expect("a file");
        let error = listen(&address).err().expect("not a socket");
        assert_eq!(error.to_string(), "there is a file that is not a socket");
        assert_eq!(fs::read(&path).expect("the file"), b"text");
    }

    #[test]
    fn a_server_keeps_the_socket_of_its_successor() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("socket");
        let address = Address::Unix(path.clone());
        let Listening { listener, file, .. } = listen(&address).expect("a socket");
        drop(listener);
        let _next = listen(&address).expect("nobody listens any more");
        drop(file);
        assert!(path.exists());
    }
}
