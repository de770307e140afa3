//! Archives that cannot be downloaded: on disk, an archive is either complete or absent.

use eis_service::{Archive, Document};

use super::*;

/// The second of the two archives of [`CELL`].
const LINK: &str = "2025-03-03/77/RGK/contract#1";

/// Starts a service with two archives per cell, where requests for [`LINK`] get this fault.
fn at_link(fault: Fault, times: Times) -> Fetching {
    let fetching = Fetching::with_contents(Contents::notes(2));
    fetching.service.fault(LINK, fault, times);
    fetching
}

/// Checks the number of archives, all of which must be complete, and that there are no partial
/// files.
#[track_caller]
fn assert_complete(fetching: &Fetching, archives: usize) {
    let files = fetching.files();
    let (zips, others): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| is_zip(path));
    for (_, bytes) in &zips {
        zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a zip");
    }
    assert_eq!(zips.len(), archives);
    for (path, _) in others {
        let is_known = path.starts_with("fetch.sqlite") || path == "coverage.jsonl";
        assert!(is_known, "{path}");
    }
}

#[test]
fn a_cell_with_a_missing_archive_is_not_done_and_is_fetched_by_the_next_run() {
    for (fault, requests, words) in [
        // The program postpones the request twenty times.
        (Fault::Blocked, 21, "blocked"),
        (Fault::ResetInBody, 7, "is incomplete"),
        (Fault::Status(424), 7, "424"),
        // If a link is forbidden, the cell is requested again.
        (Fault::Status(403), 2, "403"),
        (Fault::Status(404), 1, "404"),
    ] {
        let fetching = at_link(fault, Times::Always);
        let outcome = fetching.run_day().fails("2025-03-03 77 RGK/contract: ");
        assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
        assert_eq!(fetching.service.count(LINK), requests, "{words}");
        assert_complete(&fetching, 2 * types() - 1);
        let coverage = fetching.coverage();
        assert!(!coverage.contains("\"contract\""), "{coverage}");
        fetching.service.clear_faults();
        fetching.run_day().succeeds();
        assert_complete(&fetching, 2 * types());
    }
}

#[test]
fn temporary_faults_are_retried() {
    for (fault, times, requests) in [
        (Fault::Blocked, Times::First(1), 2),
        (Fault::Status(424), Times::First(6), 7),
        (Fault::Status(403), Times::First(1), 2),
        (Fault::Chunked, Times::Always, 1),
    ] {
        let fetching = at_link(fault, times);
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count(LINK), requests);
        assert_complete(&fetching, 2 * types());
    }
}

/// A limit on file sizes stands in for a full disk.
#[cfg(unix)]
#[test]
fn a_run_that_cannot_write_ends_without_partial_files() {
    let document = Document {
        name: "note.xml".to_owned(),
        xml: vec![b' '; 5 << 20],
    };
    let rows = vec![(CELL, vec![Archive(vec![document])])];
    let fetching = Fetching::with_contents(Contents::table(rows));
    let day = fetching.day_command();
    let mut limited = Command::new("sh");
    limited
        .args(["-c", r#"ulimit -f 2000; exec "$0" "$@""#])
        .arg(day.get_program())
        .args(day.get_args())
        .env("PROCUREMENT_LOOKUP_TOKEN", TOKEN)
        .current_dir(fetching.folder.path());
    Outcome::of(&mut limited).fails("cannot be written");
    assert_complete(&fetching, 0);
    fetching.run_day().succeeds();
    assert_complete(&fetching, 1);
}

#[test]
fn links_in_cdata_are_followed_and_gzipped_zips_unpacked() {
    let plain = Fetching::start();
    plain.run_day().succeeds();
    for (pattern, fault) in [("*", Fault::Cdata), ("*#*", Fault::Gzip)] {
        let fetching = Fetching::faulty(pattern, fault, Times::Always);
        fetching.run_day().succeeds();
        assert_eq!(fetching.archives(), plain.archives());
    }
}

#[test]
fn a_refused_link_causes_one_new_request_for_its_cell_and_other_archives_stay() {
    let fetching = Fetching::with_contents(Contents::notes(3));
    fetching
        .service
        .fault(LINK, Fault::Status(403), Times::Always);
    fetching.run_day().fails("2025-03-03 77 RGK/contract: ");
    assert_eq!(fetching.service.count(CELL), 2);
    assert_eq!(fetching.service.count(LINK), 2);
    let before = fetching.archives();
    assert_eq!(before.len(), 3 * types() - 2);
    fetching.service.clear_faults();
    fetching.run_day().succeeds();
    let after = fetching.archives();
    assert_eq!(after.len(), 3 * types());
    assert!(before.keys().all(|path| after.contains_key(path)));
}

/// The service refuses links that are more than ten requests old, but the thirtieth link of a
/// single response is still valid.
#[test]
fn a_cell_with_many_archives_needs_only_one_request_for_links() {
    let fetching = Fetching::with_contents(Contents::table(vec![(
        CELL,
        (0..30)
            .map(|number| {
                let document = Document {
                    name: format!("note_{number}.xml"),
                    xml: b"<note/>".to_vec(),
                };
                Archive(vec![document])
            })
            .collect(),
    )]));
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.count(CELL), 1);
    assert_complete(&fetching, 30);
}
