//! Wrong archives: whole and readable on the disk, or not there at all.

use std::time::Duration;

use eis_service::ArchiveFault as A;
use eis_service::DeliveryFault as D;
use eis_service::{Contents, Times};

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

#[test]
fn what_is_no_whole_archive_is_never_on_the_disk() {
    for (fault, words) in [
        (A::Html, "HTML"),
        (A::Truncated, "cannot be read"),
        (A::WrongCrc, "cannot be read"),
        (A::GzipTwice, "cannot be read"),
        (A::GzipCut, ""),
        (A::Empty, "empty"),
        (A::Bytes(b"something".to_vec()), "not a zip"),
    ] {
        let fetching = Fetching::start();
        fetching.service.archive_fault(LINK, fault, Times::Always);
        check(&fetching, 7, words);
    }
}

#[test]
fn what_is_wrong_once_is_asked_for_again() {
    for fault in [A::Html, A::Truncated, A::WrongCrc, A::GzipCut, A::Blocked] {
        let fetching = Fetching::start();
        fetching
            .service
            .archive_fault("*#*", fault, Times::First(1));
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count("*#0"), 8);
        only_whole(&fetching, 4);
    }
}

#[test]
fn a_blocked_link_is_put_off_twenty_times() {
    let fetching = Fetching::start();
    fetching
        .service
        .archive_fault(LINK, A::Blocked, Times::Always);
    check(&fetching, 21, "blocked");
}

#[test]
fn a_zip_within_gzip_is_the_zip() {
    let plain = Fetching::start();
    plain.run_day().succeeds();
    let packed = Fetching::start();
    packed.service.archive_fault("*#*", A::Gzip, Times::Always);
    packed.run_day().succeeds();
    assert_eq!(packed.archives(), plain.archives());
}

#[test]
fn an_archive_that_is_not_ready_is_waited_for() {
    for status in [424, 425, 500, 503] {
        let fetching = Fetching::start();
        fetching
            .service
            .delivery_fault("*#*", D::Status(status), Times::First(6));
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count(LINK), 7);

        let fetching = Fetching::start();
        fetching
            .service
            .delivery_fault(LINK, D::Status(status), Times::Always);
        check(&fetching, 7, &status.to_string());
    }
}

#[test]
fn a_broken_download_is_asked_for_again() {
    for fault in [
        D::ResetBeforeHead,
        D::ResetInHead,
        D::ResetInBody,
        D::LongContentLength,
        D::ChunkedCut,
    ] {
        let fetching = Fetching::start();
        fetching
            .service
            .delivery_fault("*#*", fault, Times::First(1));
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count("*#*"), 8);
        only_whole(&fetching, 4);
    }
    let byte_by_byte = D::Slow(1, Duration::from_micros(10));
    for fault in [D::Chunked, D::NoContentLength, byte_by_byte] {
        let fetching = Fetching::start();
        fetching.service.delivery_fault("*#*", fault, Times::Always);
        fetching.run_day().succeeds();
        only_whole(&fetching, 4);
    }
}

#[test]
fn a_link_that_is_forbidden_has_its_cell_asked_for_anew_once() {
    let fetching = Fetching::start();
    fetching
        .service
        .delivery_fault(LINK, D::Status(403), Times::First(1));
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.count(CELL), 2);
    assert_eq!(fetching.service.count(LINK), 2);

    let fetching = Fetching::start();
    fetching
        .service
        .delivery_fault(LINK, D::Status(403), Times::Always);
    check(&fetching, 2, "403");
}

#[test]
fn a_link_that_leads_nowhere_is_an_error_of_its_cell() {
    for status in [404, 410, 429] {
        let fetching = Fetching::start();
        fetching
            .service
            .delivery_fault(LINK, D::Status(status), Times::Always);
        check(&fetching, 1, &status.to_string());
    }
}

#[test]
fn one_of_several_archives_keeps_the_cell_from_being_done() {
    let fetching = Fetching::start();
    fetching.service.set_contents(Contents::notes(3));
    let second = "2025-03-03/77/RGK/contract#1";
    fetching
        .service
        .delivery_fault(second, D::Status(404), Times::Always);
    fetching.run_day().fails("404");
    let coverage = fetching.files().remove("coverage.jsonl").expect("it");
    let coverage = String::from_utf8(coverage).expect("UTF-8");
    assert!(!coverage.contains("\"contract\""), "{coverage}");
    fetching.service.clear_faults();
    fetching.run_day().succeeds();
    only_whole(&fetching, 12);
}

#[test]
fn a_large_archive_is_saved_whole() {
    const SIZE: u64 = 20 << 20;
    let fetching = Fetching::start();
    let rows = vec![(CELL, vec![eis_service::Archive::Filler(SIZE)])];
    fetching.service.set_contents(Contents::table(rows));
    fetching.run_day().succeeds();
    let archives = fetching.archives();
    let sizes: Vec<usize> = archives.values().map(Vec::len).collect();
    assert_eq!(sizes, [SIZE as usize]);
}

/// Under a limit of the size of files, like a disk that is full.
#[cfg(unix)]
#[test]
fn what_cannot_be_written_ends_the_run_and_leaves_nothing_half() {
    let fetching = Fetching::start();
    let rows = vec![(CELL, vec![eis_service::Archive::Filler(5 << 20)])];
    fetching.service.set_contents(Contents::table(rows));
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
