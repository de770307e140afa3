//! Archives that cannot be had: they are on the disk as a whole, or not at all.

use eis_service::{Archive, Document};

use super::*;

/// The second of the two archives of [`CELL`].
const LINK: &str = "2025-03-03/77/RGK/contract#1";

/// A service with two archives a cell, [`LINK`] with a fault.
fn at_link(fault: Fault, times: Times) -> Fetching {
    let fetching = Fetching::with_contents(Contents::notes(2));
    fetching.service.fault(LINK, fault, times);
    fetching
}

/// So many whole archives are there, and nothing that is half of one.
#[track_caller]
fn only_whole(fetching: &Fetching, archives: usize) {
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
fn a_cell_of_which_an_archive_is_missing_is_not_done_and_obtained_the_next_time() {
    for (fault, requests, words) in [
        // Put off twenty times.
        (Fault::Blocked, 21, "blocked"),
        (Fault::ResetInBody, 7, "is incomplete"),
        (Fault::Status(424), 7, "424"),
        // A link that is forbidden has its cell asked for again.
        (Fault::Status(403), 2, "403"),
        (Fault::Status(404), 1, "404"),
    ] {
        let fetching = at_link(fault, Times::Always);
        let outcome = fetching.run_day().fails("2025-03-03 77 RGK/contract: ");
        assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
        assert_eq!(fetching.service.count(LINK), requests, "{words}");
        only_whole(&fetching, 2 * types() - 1);
        let coverage = fetching.coverage();
        assert!(!coverage.contains("\"contract\""), "{coverage}");
        fetching.service.clear_faults();
        fetching.run_day().succeeds();
        only_whole(&fetching, 2 * types());
    }
}

#[test]
fn what_is_wrong_for_a_while_is_asked_for_again() {
    for (fault, times, requests) in [
        (Fault::Blocked, Times::First(1), 2),
        (Fault::Status(424), Times::First(6), 7),
        (Fault::Status(403), Times::First(1), 2),
        (Fault::Chunked, Times::Always, 1),
    ] {
        let fetching = at_link(fault, times);
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count(LINK), requests);
        only_whole(&fetching, 2 * types());
    }
}

/// Under a limit of the size of files, like a disk that is full.
#[cfg(unix)]
#[test]
fn what_cannot_be_written_ends_the_run_and_leaves_nothing_half() {
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
    only_whole(&fetching, 0);
    fetching.run_day().succeeds();
    only_whole(&fetching, 1);
}

#[test]
fn links_in_cdata_are_followed_and_a_zip_within_gzip_is_unpacked() {
    let plain = Fetching::start();
    plain.run_day().succeeds();
    for (pattern, fault) in [("*", Fault::Cdata), ("*#*", Fault::Gzip)] {
        let fetching = Fetching::faulty(pattern, fault, Times::Always);
        fetching.run_day().succeeds();
        assert_eq!(fetching.archives(), plain.archives());
    }
}

#[test]
fn a_refused_link_has_its_cell_asked_for_once_more_and_what_came_stays() {
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

/// The service refuses a link that is ten requests old, but not the thirtieth of one answer.
#[test]
fn a_cell_of_many_archives_is_obtained_with_one_request_for_it() {
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
    only_whole(&fetching, 30);
}
