//! Wrong answers: errors of their cell, asked for as often as makes sense.

use eis_service::AnswerFault as A;
use eis_service::DeliveryFault as D;

use super::*;

/// The other three cells are done, this one is named with these words after so many
/// requests; the same command asks for it alone.
#[track_caller]
fn check(fetching: &Fetching, requests: usize, words: &str) {
    let outcome = fetching.run_day().fails("2025-03-03 77 RGK/contract: ");
    assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
    assert_eq!(fetching.service.count(CELL), requests, "{words}");
    assert_eq!(fetching.archives().len(), 3, "{words}");
    fetching.service.clear_faults();
    fetching.service.forget_requests();
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.count("*"), 1, "{words}");
    assert_eq!(fetching.archives().len(), 4, "{words}");
}

#[test]
fn a_wrong_answer_is_an_error_of_its_cell_and_never_nothing() {
    for (fault, requests, words) in [
        (A::Echo, 1, "echo"),
        (A::SoapFault(200), 1, "SOAP fault"),
        (A::SoapFault(500), 7, "500"),
        (A::Html, 1, "HTML"),
        (A::ForeignRefId, 1, "refId"),
        (A::NoRefId, 1, "refId"),
        (A::ErrorInfo(99, "Неизвестно".to_owned()), 1, "Неизвестно"),
        (A::Cut, 7, "cut short"),
        (A::Huge(100 << 20), 1, "longer"),
    ] {
        let fetching = Fetching::answering(CELL, fault, Times::Always);
        check(&fetching, requests, words);
    }
}

#[test]
fn an_empty_answer_to_another_request_is_not_nothing() {
    for fault in [A::ForeignRefId, A::NoRefId] {
        let fetching = Fetching::with_contents(Contents::none());
        fetching.service.answer_fault(CELL, fault, Times::Always);
        fetching.run_day().fails("refId");
        let coverage = fetching.coverage();
        assert!(!coverage.contains("\"contract\""), "{coverage}");
        assert_eq!(coverage.lines().count(), 3);
    }
}

#[test]
fn what_passes_is_asked_for_again_and_what_does_not_is_not() {
    for (fault, requests, words) in [
        (D::Status(404), 1, "404"),
        (D::Status(403), 1, "403"),
        (D::Status(429), 1, "429"),
        (D::Status(424), 7, "424"),
        (D::Status(500), 7, "500"),
        (D::Status(503), 7, "503"),
        (D::ResetBeforeHead, 7, ""),
        (D::ResetInHead, 7, ""),
        (D::ResetInBody, 7, ""),
        (D::LongContentLength, 7, ""),
        (D::ChunkedCut, 7, ""),
    ] {
        let fetching = Fetching::delivering(CELL, fault, Times::Always);
        check(&fetching, requests, words);
    }
}

#[test]
fn what_has_passed_leaves_no_trace() {
    for fault in [D::Status(503), D::ResetInBody, D::ChunkedCut] {
        let fetching = Fetching::delivering("*", fault, Times::First(2));
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count("*"), 12);
        assert_eq!(fetching.archives().len(), 4);
    }
    for fault in [D::Chunked, D::NoContentLength] {
        let fetching = Fetching::delivering("*", fault, Times::Always);
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count("*"), 4);
    }
}

#[test]
fn too_many_requests_are_put_off_twenty_times() {
    let rate = || A::ErrorInfo(13, "Превышено количество запросов".to_owned());
    let fetching = Fetching::answering(CELL, rate(), Times::First(20));
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.count(CELL), 21);

    let fetching = Fetching::answering(CELL, rate(), Times::Always);
    check(&fetching, 21, "too many requests");
}

#[test]
fn what_no_request_gets_over_ends_the_run_at_once() {
    for code in [5, 24, 28, 34] {
        let error = A::ErrorInfo(code, "Отказано".to_owned());
        let fetching = Fetching::answering("*/*/*/contractProcedure", error, Times::Always);
        let outcome = fetching.run_day().fails(&format!("(error {code})"));
        assert_eq!(
            outcome.err.matches("Отказано").count(),
            1,
            "{}",
            outcome.err
        );
        // The cell before it is done; those after it are not asked for.
        assert_eq!(fetching.service.count("*"), 2);
        assert_eq!(fetching.archives().len(), 1);
        assert!(fetching.files().contains_key("coverage.jsonl"));
        fetching.service.clear_faults();
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count(CELL), 1);
    }
}

#[test]
fn links_as_cdata_are_links() {
    let fetching = Fetching::with(Config {
        has_cdata_links: true,
        ..Config::default()
    });
    fetching.run_day().succeeds();
    assert_eq!(fetching.archives().len(), 4);
}
