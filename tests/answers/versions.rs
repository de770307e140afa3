//! A version must rise when its contents change: this compares a digest of the contents with
//! the one that is stored for the version, in a file `NAME.version` of one line.
//!
//! `GOLDEN=bless` stores a new digest where the version has risen, and until the first release
//! also where it has not. Where two branches were merged the file has a line of each: bless it.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

/// Is the first release made? From then on a client may hold answers of any version.
const IS_RELEASED: bool = false;

/// Are golden files to be written, not compared?
pub fn is_blessing() -> bool {
    std::env::var("GOLDEN").is_ok_and(|value| value == "bless")
}

/// A version, and the digest of its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pinned {
    version: i64,
    digest: String,
}

impl Pinned {
    fn parse(text: &str) -> Option<Self> {
        let (version, digest) = text.trim_end().split_once(' ')?;
        let version = version.parse().ok()?;
        let is_digest = digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digest = digest.to_owned();
        is_digest.then_some(Self { version, digest })
    }

    fn text(&self) -> String {
        format!("{} {}\n", self.version, self.digest)
    }
}

/// Returns what to store, if anything.
///
/// # Errors
/// The contents are not those of the version.
fn compare(
    stored: Option<&Pinned>,
    found: &Pinned,
    is_blessing: bool,
    is_released: bool,
) -> Result<bool, &'static str> {
    let Some(stored) = stored else {
        return is_blessing.then_some(true).ok_or("nothing is stored");
    };
    match () {
        () if stored == found => Ok(false),
        () if found.version < stored.version => Err("the version has fallen"),
        () if found.version == stored.version && is_released => {
            Err("the contents have changed, and the version has not risen: raise it")
        }
        () if is_blessing => Ok(true),
        () => Err("raise the version if clients have seen it, then run with GOLDEN=bless"),
    }
}

/// Fails if `contents` are others than those that `file` stores for this `version` of `what`.
pub fn check(file: &Path, what: &str, version: i64, contents: impl IntoIterator<Item = Vec<u8>>) {
    let mut hash = Sha256::new();
    for content in contents {
        hash.update(content.len().to_le_bytes());
        hash.update(content);
    }
    let digest = hash
        .finalize()
        .into_iter()
        .map(|byte| format!("{byte:02x}"));
    let found = Pinned {
        version,
        digest: digest.collect(),
    };
    let stored = fs::read_to_string(file).ok();
    let stored = stored.as_deref().and_then(Pinned::parse);
    match compare(stored.as_ref(), &found, is_blessing(), IS_RELEASED) {
        Ok(false) => {}
        Ok(true) => fs::write(file, found.text()).expect("the version is written"),
        Err(problem) => panic!("{what}: {problem} ({})", file.display()),
    }
}

#[test]
fn contents_change_only_with_their_version() {
    let pinned = |version, digest: &str| Pinned {
        version,
        digest: digest.to_owned(),
    };
    let stored = pinned(2, "aa");
    for (found, is_blessing, is_released, expected) in [
        (pinned(2, "aa"), false, true, Some(false)),
        (pinned(2, "aa"), true, true, Some(false)),
        // Another digest of the same version: only before the release.
        (pinned(2, "bb"), false, true, None),
        (pinned(2, "bb"), true, true, None),
        (pinned(2, "bb"), false, false, None),
        (pinned(2, "bb"), true, false, Some(true)),
        (pinned(3, "bb"), false, true, None),
        (pinned(3, "bb"), true, true, Some(true)),
        (pinned(1, "bb"), true, false, None),
    ] {
        let outcome = compare(Some(&stored), &found, is_blessing, is_released);
        assert_eq!(
            outcome.ok(),
            expected,
            "{found:?} {is_blessing} {is_released}"
        );
    }
    assert_eq!(Pinned::parse(&stored.text()), Some(stored));
    // Both lines of a merge.
    assert_eq!(Pinned::parse("2 aa\n2 bb\n"), None);
}
