//! Checks that the bundled demonstration data equals an import of the lines from the package
//! `generate`.
//!
//! After changing these lines, rewrite `data/demo.sqlite` and build again:
//!
//! ```text
//! GOLDEN=bless cargo test --test answers demo
//! ```

use std::fs;
use std::path::Path;

use generate::demonstration;

use crate::documents::records;
use crate::import::folder::Folder;
use crate::released::is_golden;

#[test]
fn the_bundled_data_equals_the_import_of_its_sources() {
    let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo.sqlite");
    let folder = Folder::new();
    folder.take(demonstration());
    if is_golden("bless") {
        fs::copy(folder.database(), bundled).expect("the bundled data is written");
        return;
    }
    let (fresh, bundled) = (records(&folder.database()), records(&bundled));
    assert!(fresh.lines().count() > 600, "{fresh}");
    for (fresh, bundled) in fresh.lines().zip(bundled.lines()) {
        assert_eq!(fresh, bundled);
    }
    assert_eq!(fresh.lines().count(), bundled.lines().count());
}
