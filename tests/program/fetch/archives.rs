//! Wrong archives: whole and readable on the disk, or not there at all.

use eis_service::ArchiveFault as A;
use eis_service::DeliveryFault as D;
use eis_service::{Archive, Document};

use super::*;

const LINK: &str = "2025-03-03/77/RGK/contract#0";

/// Only whole archives are there, and nothing that is half of one.
#[track_caller]
fn only_whole(fetching: &Fetching, archives: usize) {
    let files = fetching.files();
    for (path, bytes) in &files {
        let is_zip = path.ends_with(".zip");
        let is_known = is_zip || path.starts_with("fetch.sqlite") || path == "coverage.jsonl";
        assert!(is_known, "{path}");
        if is_zip {
            zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a zip");
        }
    }
    let found = files.keys().filter(|path| path.ends_with(".zip")).count();
    assert_eq!(found, archives);
}

/// The cell is named with these words after so many requests for its link; the same command
/// obtains it.
#[track_caller]
fn check(fetching: &Fetching, requests: usize, words: &str) {
    let outcome = fetching.run_day().fails("2025-03-03 77 RGK/contract: ");
    assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
    assert_eq!(fetching.service.count(LINK), requests, "{words}");
    only_whole(fetching, 3);
    fetching.service.clear_faults();
    fetching.run_day().succeeds();
    only_whole(fetching, 4);
}

fn archive_fault(pattern: &str, fault: A, times: Times) -> Fetching {
    let fetching = Fetching::start();
    fetching.service.archive_fault(pattern, fault, times);
    fetching
}

#[test]
fn what_is_no_whole_archive_is_never_on_the_disk() {
    for (fault, requests, words) in [
        (A::Html, 7, "HTML"),
        (A::Truncated, 7, "cannot be read"),
        // Put off twenty times.
        (A::Blocked, 21, "blocked"),
    ] {
        let fetching = archive_fault(LINK, fault, Times::Always);
        check(&fetching, requests, words);
    }
    // What cannot be had is not waited for; a link that is forbidden has its cell asked for anew.
    for (status, requests) in [
        (424, 7),
        (425, 7),
        (500, 7),
        (503, 7),
        (403, 2),
        (404, 1),
        (410, 1),
        (429, 1),
    ] {
        let fetching = Fetching::delivering(LINK, D::Status(status), Times::Always);
        check(&fetching, requests, &status.to_string());
    }
}

#[test]
fn what_is_wrong_for_a_while_is_asked_for_again() {
    for fault in [A::Html, A::Truncated, A::Blocked] {
        let fetching = archive_fault("*#*", fault, Times::First(1));
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count("*#*"), 8);
        only_whole(&fetching, 4);
    }
    for (fault, times, requests) in [
        (D::Status(424), 6, 10),
        (D::Status(403), 1, 5),
        (D::ResetBeforeHead, 1, 5),
        (D::ResetInHead, 1, 5),
        (D::ResetInBody, 1, 5),
        (D::LongContentLength, 1, 5),
        (D::ChunkedCut, 1, 5),
    ] {
        let fetching = Fetching::delivering(LINK, fault, Times::First(times));
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count("*#*"), requests);
        only_whole(&fetching, 4);
    }
}

#[test]
fn a_zip_within_gzip_is_the_zip() {
    let plain = Fetching::start();
    plain.run_day().succeeds();
    let packed = archive_fault("*#*", A::Gzip, Times::Always);
    packed.run_day().succeeds();
    assert_eq!(packed.archives(), plain.archives());
}

#[test]
fn however_an_archive_is_sent_it_is_saved() {
    let byte_by_byte = D::Slow(1, std::time::Duration::from_micros(10));
    for fault in [D::Chunked, D::NoContentLength, byte_by_byte] {
        let fetching = Fetching::delivering("*#*", fault, Times::Always);
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count("*#*"), 4);
        only_whole(&fetching, 4);
    }
}

#[test]
fn one_of_several_archives_keeps_the_cell_from_being_done() {
    let fetching = Fetching::with_contents(Contents::notes(3));
    let second = "2025-03-03/77/RGK/contract#1";
    fetching
        .service
        .delivery_fault(second, D::Status(404), Times::Always);
    fetching.run_day().fails("404");
    let coverage = fetching.coverage();
    assert!(!coverage.contains("\"contract\""), "{coverage}");
    fetching.service.clear_faults();
    fetching.run_day().succeeds();
    only_whole(&fetching, 12);
}

/// So many bytes that do not compress.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let byte = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(byte).collect()
}

/// Under a limit of the size of files, like a disk that is full.
#[cfg(unix)]
#[test]
fn what_cannot_be_written_ends_the_run_and_leaves_nothing_half() {
    let document = Document {
        name: "note.xml".to_owned(),
        xml: noise(5 << 20),
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
