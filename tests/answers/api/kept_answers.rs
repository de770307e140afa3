//! The response cache: repeated requests get the cached response, unless an import was committed in
//! between.

use procurement_lookup::api::CacheFigures;

use super::{P615, PAGE, every_endpoint, service};
use crate::service::{Service, body};

/// A request for a supplier whose name changes with each commit.
const NAMED: &str = PAGE;

fn figures(service: &Service) -> (u64, u64) {
    let CacheFigures { hits, misses, .. } = service.api.cache_figures();
    (hits, misses)
}

#[test]
fn cached_answers_are_identical() {
    let mut service = service();
    let mut first = Vec::new();
    // `/purchase/demo615` returns the same cards as another endpoint, so they would be cached
    // already.
    for target in &every_endpoint() {
        if target.starts_with(P615) {
            continue;
        }
        for format in ["xml", "json"] {
            let target = format!("{target}&format={format}");
            let response = service.get(&target);
            assert_eq!(response.status, 200);
            first.push((target, response));
        }
    }
    let read = first.len() as u64;
    assert_eq!(figures(&service), (0, read));
    for (target, first) in &first {
        assert_eq!(service.get(target), *first, "{target}");
        assert_eq!(service.ask("HEAD", target, &[]), *first, "{target}");
    }
    assert_eq!(figures(&service), (2 * read, read));
}

#[test]
fn errors_are_not_cached() {
    let mut service = service();
    let unknown = "/rnp/check-supplier?supplierINN=9600000039&apikey=KEY";
    assert_eq!(service.get(unknown).status, 404);
    assert_eq!(service.get(unknown).status, 404);
    assert_eq!(figures(&service), (0, 2));
    assert_eq!(service.api.cache_figures().bytes, 0);
}

#[test]
fn keys_and_limits_apply_to_cached_answers() {
    let mut service = service();
    service.get(NAMED);
    let without = service.get(&NAMED.replace("KEY", "nonsense"));
    assert!(body(&without).contains("401"), "{without:?}");
    assert_eq!(figures(&service), (0, 1));
}

#[test]
fn the_cache_stays_within_its_bound() {
    let lines: Vec<String> = (0..40)
        .map(|number| {
            let text = "длинный текст ".repeat(1_000);
            format!(
                r#"{{"type":"purchase44","purchase":{{"purchaseNumber":"09600000000250001{number:02}","purchaseObjectInfo":"{text}"}}}}"#
            )
        })
        .collect();
    let mut service = Service::over(&lines.join("\n"));
    for round in 0..3 {
        for number in 0..40 {
            let target =
                format!("/purchase/demo44?purchaseNumber=09600000000250001{number:02}&apikey=KEY");
            let response = service.get(&target);
            assert!((20_000..60_000).contains(&response.body.len()), "{round}");
            assert!(service.api.cache_figures().bytes <= 1 << 20);
        }
    }
    assert!(service.api.cache_figures().bytes > 1 << 19);
}
