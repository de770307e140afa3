//! Wrong responses from the service. Each counts as an error of the requested cell. How often the
//! request is retried depends on the error.

use super::*;

/// The id of a request that was never sent.
const OTHER_ID: &str = "00000000-0000-4000-8000-000000000000";

#[test]
fn a_wrong_response_fails_its_cell_and_the_next_run_requests_only_that() {
    let error = |code| Fault::ErrorInfo(code, "Отказано".to_owned());
    for (fault, requests, words) in [
        (Fault::Echo, 1, "echo"),
        (Fault::Page, 1, "an HTML page instead of an answer"),
        (
            Fault::Reference(Some(OTHER_ID.to_owned())),
            1,
            "another request",
        ),
        (Fault::Reference(None), 1, "without the id of its request"),
        (error(99), 1, "Отказано"),
        (Fault::Huge(100 << 20), 1, "longer"),
        (Fault::Status(404), 1, "404"),
        // Temporary errors are retried.
        (Fault::Status(503), 7, "503"),
        (Fault::SoapFault, 7, "(status 500): a SOAP fault: a fault"),
        (Fault::Cut, 7, "cut short"),
        (Fault::ResetBeforeHead, 7, "the connection was"),
        (Fault::ResetInBody, 7, "the answer"),
        // The program postpones the request twenty times.
        (error(13), 21, "too many requests"),
    ] {
        let fetching = Fetching::faulty(CELL, fault, Times::Always);
        let outcome = fetching.run_day().fails("2025-03-03 77 RGK/contract: ");
        assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
        assert_eq!(fetching.service.count(CELL), requests, "{words}");
        assert_eq!(fetching.archives().len(), types() - 1, "{words}");
        fetching.service.clear_faults();
        fetching.service.forget_requests();
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count("*"), 1, "{words}");
        assert_eq!(fetching.archives().len(), types(), "{words}");
    }
}

#[test]
fn an_error_that_affects_all_requests_ends_the_run_immediately() {
    for (code, words) in [
        (5, "the token was not accepted"),
        (24, "the token has expired"),
        (28, "does not take requests of this form"),
        (34, "does not take requests of this form"),
    ] {
        let error = Fault::ErrorInfo(code, "Отказано".to_owned());
        let fetching = Fetching::faulty("*/*/*/contractProcedure", error, Times::Always);
        let outcome = fetching.run_day().fails(words);
        let message = format!("the service says: Отказано (error {code})");
        assert_eq!(outcome.err.matches(&message).count(), 1, "{}", outcome.err);
        // The previous cell is done. The cells after this one are not requested.
        assert_eq!(fetching.service.count("*"), 2);
        assert_eq!(fetching.archives().len(), 1);
        assert!(fetching.files().contains_key("coverage.jsonl"));
        fetching.service.clear_faults();
        fetching.run_day().succeeds();
        assert_eq!(fetching.service.count(CELL), 1);
    }
}

#[test]
fn only_a_no_data_response_to_our_request_makes_a_day_empty() {
    for fault in [
        Fault::Echo,
        Fault::Page,
        Fault::Reference(Some(OTHER_ID.to_owned())),
        Fault::Reference(None),
    ] {
        let fetching = Fetching::with_contents(Contents::notes(0));
        fetching.service.fault(CELL, fault, Times::Always);
        fetching.run_day().fails("2025-03-03 77 RGK/contract: ");
        assert_eq!(fetching.coverage().lines().count(), types() - 1);
        fetching.service.clear_faults();
        fetching.run_day().succeeds();
        assert_eq!(fetching.coverage().lines().count(), types());
    }
}
