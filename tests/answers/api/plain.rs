//! The page without scripts: what it finds, how it asks for the key, what it says otherwise.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use procurement_lookup::api::Response;

use super::service;
use crate::service::{Service, body, header};

const COMPLETE: &str = r#"{"type":"registry","federalLaw":"44","completeAsOf":"2025-06-01"}"#;

const ENTRY: &str = r#"{"type":"rnpEntry","supplier":{"inn":"9600000021"},"entry":{"registrationNumber":"РНП.2","registrationDate":"2024-03-05","federalLaw":"44"}}"#;

/// The response to a browser that was given this name and password.
fn ask(service: &mut Service, target: &str, credentials: &str) -> Response {
    let (name, password) = credentials.split_once(':').unwrap_or((credentials, ""));
    let credentials = [service.key(name), ":", service.key(password)].concat();
    let header = format!("Basic {}", STANDARD.encode(credentials));
    service.ask("GET", target, &[("Authorization", header.as_str())])
}

fn page(service: &mut Service, query: &str) -> String {
    let response = ask(service, &format!("/lookup?lang=en&q={query}"), "any:KEY");
    assert_eq!(response.status, 200, "{query}");
    body(&response).to_owned()
}

#[test]
fn the_browser_asks_for_the_key_which_is_the_password() {
    let mut service = service();
    let target = "/lookup?q=9600000002";
    for credentials in ["any:KEY", ":OTHERKEY", "KEY:"] {
        assert_eq!(
            ask(&mut service, target, credentials).status,
            200,
            "{credentials}"
        );
    }
    let with_key = format!("{target}&apikey=KEY");
    for response in [
        service.get(target),
        service.get(&with_key),
        service.ask("GET", target, &[("X-API-Key", "KEY")]),
        ask(&mut service, target, "any:REVOKEDKEY"),
        ask(&mut service, target, "any:nobody's"),
    ] {
        assert_eq!(response.status, 401);
        let challenge = header(&response, "WWW-Authenticate").expect("a challenge");
        assert!(challenge.starts_with("Basic realm="), "{challenge}");
        assert_eq!(header(&response, "Cache-Control"), Some("no-store"));
        assert!(!body(&response).contains("ООО"), "{}", body(&response));
    }
    // Elsewhere nobody is asked for it so.
    let elsewhere = ask(
        &mut service,
        "/rnp/check-supplier?supplierINN=9600000021",
        "any:KEY",
    );
    assert_eq!(elsewhere.status, 401);
    assert_eq!(header(&elsewhere, "WWW-Authenticate"), None);
}

#[test]
fn a_supplier_has_its_verdict_entries_and_first_contracts() {
    let mut service = service();
    let listed = page(&mut service, "9600000021");
    for words in [
        "<h1>ООО &quot;Б&quot;</h1>",
        "Listed in the RNP",
        "РНП.1",
        "2025-06-15 inclusive",
    ] {
        assert!(listed.contains(words), "{words}: {listed}");
    }
    let supplier = page(&mut service, "96000-00002");
    assert!(supplier.contains("1–3 of 3"), "{supplier}");
    let newest = supplier.find("2025-01-03").expect("the newest contract");
    assert!(
        newest < supplier.find("2025-01-01").expect("the oldest"),
        "{supplier}"
    );
    let unknown = page(&mut service, "7707083893");
    assert!(
        unknown.contains("Supplier not found in this server’s data"),
        "{unknown}"
    );
}

#[test]
fn not_listed_is_said_only_by_a_complete_registry_that_is_not_too_old() {
    let mut service = service();
    let words = |service: &mut Service| page(service, "9600000002");
    assert!(words(&mut service).contains("Registry not imported"));
    service.import(ENTRY);
    assert!(words(&mut service).contains("may be incomplete"));
    service.import(COMPLETE);
    let said = words(&mut service);
    assert!(said.contains("<h2>Not listed in the RNP</h2>"), "{said}");
    assert!(
        said.contains("Registry complete: Law 44-FZ (as of 2025-06-01)."),
        "{said}"
    );
    service.api.set_max_registry_age(Some(13));
    let said = words(&mut service);
    assert!(said.contains("the registry is out of date"), "{said}");
    assert!(!said.contains("Not listed in the RNP"), "{said}");
}

#[test]
fn a_purchase_is_found_by_its_number_and_what_is_not_there_is_said() {
    let mut service = service();
    for number in ["0960000000025000001", "39600000001", "096000000000000001"] {
        let found = page(&mut service, number);
        assert!(found.contains(&format!("<h1>{number}</h1>")), "{found}");
    }
    assert!(page(&mut service, "0960000000025000002").contains("Nothing found"));
    let form = page(&mut service, "");
    assert!(
        form.contains("<form action=\"/lookup\" method=\"get\""),
        "{form}"
    );
}

#[test]
fn part_of_a_name_leads_to_the_suppliers_that_have_it_and_a_contract_to_its_supplier() {
    let mut service = service();
    let found = page(&mut service, "%D0%BE%D0%BE%D0%BE");
    let link = "<a href=\"/lookup?q=9600000021&amp;lang=en\">ООО &quot;Б&quot;</a>";
    assert!(found.contains(link), "{found}");
    assert!(found.contains("in the RNP"), "{found}");
    let supplier = page(&mut service, "9600000002");
    let (_, after) = supplier
        .split_once("<td>2025-01-03</td><td>")
        .expect("a row");
    let number = after.split('<').next().expect("a number");
    let found = page(&mut service, number);
    assert!(
        found.contains("<a href=\"/lookup?q=9600000002&amp;lang=en\">"),
        "{found}"
    );
    assert!(page(&mut service, "nobody").contains("Nothing found"));
}

#[test]
fn what_was_typed_comes_back_as_text_and_has_a_length() {
    let mut service = service();
    let markup = page(&mut service, "%22%3E%3Cscript%3E");
    assert!(
        markup.contains("value=\"&quot;&gt;&lt;script&gt;\""),
        "{markup}"
    );
    assert!(!markup.contains("<script"), "{markup}");
    for query in ["a".repeat(201), "%FF".to_owned()] {
        let response = ask(&mut service, &format!("/lookup?q={query}"), "any:KEY");
        assert_eq!(response.status, 400, "{query}");
    }
    let policy = service.get("/lookup");
    let policy = header(&policy, "Content-Security-Policy").expect("a policy");
    assert!(policy.contains("form-action 'self'"), "{policy}");
}
