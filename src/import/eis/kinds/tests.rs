use super::KINDS;
use crate::import::eis::kind::Kind;
use crate::xml::for_each_document;

#[test]
fn kinds_are_recognized_by_name_and_contents() {
    let name = |xml: &str| {
        let mut found = Vec::new();
        for_each_document(xml, |document| {
            let kind = Kind::of(&document, KINDS);
            found.push(kind.map(|kind| kind.label.unwrap_or(kind.name)));
        })
        .expect("well-formed");
        found.remove(0)
    };
    assert_eq!(name("<contract/>"), Some("contract"));
    assert_eq!(
        name("<contract><body/></contract>"),
        Some("contract (223-FZ)")
    );
    assert_eq!(name("<epNotificationEX2031/>"), None);
    assert_eq!(
        name("<epProtocolEX2031FinalPart/>"),
        Some("epProtocol*Final*")
    );
    assert_eq!(name("<epProtocolEX2031/>"), Some("epProtocol?*"));
    for left_out in ["epProtocol", "epProtocolDisagreement"] {
        assert_eq!(name(&format!("<{left_out}/>")), None, "{left_out}");
    }
}

#[test]
fn current_kinds_have_exact_names() {
    for kind in KINDS.iter().filter(|kind| kind.is_current) {
        assert!(kind.is_exact(), "{}", kind.name);
    }
}

#[test]
fn every_kind_is_complete() {
    for kind in KINDS {
        let is_stated = !kind.subsystem.is_empty()
            && !kind.what[0].is_empty()
            && !kind.number.is_empty()
            && !kind.published.is_empty();
        assert!(is_stated, "{kind:?}");
    }
}
