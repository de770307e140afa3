//! Golden responses: one file per case in this folder, with the request, the status, the relevant
//! headers and the exact body. `data.jsonl` is the data, and `KEY` in a request stands for a valid
//! key. `rendering.version` has a digest of all files and of the workbooks.
//!
//! After an intended change, raise `render::VERSION` if it is released, rewrite the files, and read
//! the difference:
//!
//! ```text
//! GOLDEN=bless cargo test --test answers golden
//! ```

mod blessed;
mod cases;
mod formats;
pub mod read_back;
pub mod requests;
mod workbooks;

use std::collections::{BTreeMap, BTreeSet};

use procurement_lookup::render::Format;

use crate::service::{Service, body};
use cases::cases;
use read_back::{Element, read};

pub const DATA: &str = include_str!("data.jsonl");

/// Pairs of statements, for the file and for a server, that give the data a fixed identity, so that
/// cursors are reproducible.
const IDENTITY: &[(&str, &str)] = &[
    (
        "UPDATE meta SET identity = 960, sum = row_sum(960, revision, updated)",
        "UPDATE procurement_lookup.publication SET identity = 960",
    ),
    (
        "UPDATE revision SET identity = 960, sum = row_sum(number, time, 960) WHERE number = 1",
        "UPDATE revision SET identity = 960 WHERE number = 1",
    ),
];

/// Pairs of statements, for the file and for a server, that damage rows after the import, so that
/// reading them fails. On a server, only records have checksums.
const DAMAGE: &[(&str, &str)] = &[
    (
        "UPDATE contract SET record = x'ffffffffffffffffffffffffffffffff' WHERE id = \
         (SELECT min(contract.id) FROM contract JOIN supplier \
         ON supplier.id = contract.id >> 37 WHERE inn = '9600000091')",
        "UPDATE contract SET record = '\\xffffffffffffffffffffffffffffffff' \
         WHERE supplier_inn = '9600000091'",
    ),
    (
        "DELETE FROM contract_facet WHERE id = \
         (SELECT min(contract.id) FROM contract JOIN supplier \
         ON supplier.id = contract.id >> 37 WHERE inn = '9600000091')",
        // The damaged summary has to look up the customer's name in the record.
        "UPDATE contract SET customer_inn = '9600000191', is_customer_named = 1 \
         WHERE supplier_inn = '9600000091'",
    ),
    (
        "UPDATE contract SET record = x'ffffffffffffffffffffffffffffffff' WHERE id = \
         (SELECT min(contract.id) FROM contract JOIN supplier \
         ON supplier.id = contract.id >> 37 WHERE inn = '9600000093')",
        "UPDATE contract SET record = '\\xffffffffffffffffffffffffffffffff' \
         WHERE supplier_inn = '9600000093'",
    ),
    (
        // The registry's entries stay intact, because a file with damaged ones could not be opened.
        "UPDATE supplier SET given_name = 'damaged' WHERE inn = '9600000092'",
        "UPDATE supplier SET contracts = -1 WHERE inn = '9600000092'",
    ),
    (
        "UPDATE change SET sum = sum + 1 WHERE part = 4 AND subject = \
         (SELECT max(subject) FROM change WHERE part = 4)",
        "UPDATE change SET part = 99 WHERE part = 4 AND subject = \
         (SELECT max(subject) FROM change WHERE part = 4)",
    ),
    (
        "INSERT INTO document (number, kind, key, version, published, purchase, annuls, origin, \
         sum, facts) VALUES ('2960000000025000091', 1, '', 0, 0, '', 0, 1, 0, x'ffffffff')",
        "INSERT INTO document VALUES \
         (1, '2960000000025000091', 999, 0, 0, '', false, 'contract', 'RGK', '')",
    ),
];

fn service() -> Service {
    let service = Service::over(DATA);
    for (in_file, on_server) in IDENTITY.iter().chain(DAMAGE) {
        assert_eq!(service.alter(in_file, on_server), 1, "{in_file}");
    }
    for number in ["0960000000025000091", "39600000091", "096000000000000091"] {
        let damage =
            |bytes: &str| format!("UPDATE purchase SET record = {bytes} WHERE number = '{number}'");
        let ones = "ff".repeat(16);
        let damaged = service.alter(
            &damage(&format!("x'{ones}'")),
            &damage(&format!("'\\x{ones}'")),
        );
        assert_eq!(damaged, 1, "{number}");
    }
    service
}

/// Bodies by the name of the case, in XML and in JSON.
type Bodies = BTreeMap<String, (Option<Element>, Option<Element>)>;

/// Reads the bodies of all cases whose responses have one.
fn bodies() -> Bodies {
    let mut service = service();
    let mut bodies = Bodies::new();
    let with_roots = cases()
        .into_iter()
        .filter(|case| case.format != Format::Csv);
    for case in with_roots {
        let response = case.ask(&mut service);
        if response.status == 304 {
            assert_eq!(body(&response), "");
            continue;
        }
        let root = read(case.format, body(&response), "object");
        let pair = bodies.entry(case.name).or_default();
        match case.format {
            Format::Xml => pair.0 = Some(root),
            _ => pair.1 = Some(root),
        }
    }
    bodies
}

/// Returns the leaves whose paths exist in both elements.
fn common_leaves(a: &Element, b: &Element) -> [Vec<(String, String)>; 2] {
    let (a, b) = (a.leaves(), b.leaves());
    let paths = |leaves: &[(String, String)]| -> BTreeSet<String> {
        leaves.iter().map(|(path, _)| path.clone()).collect()
    };
    let (in_a, in_b) = (paths(&a), paths(&b));
    let common = |leaves: Vec<(String, String)>| {
        let both = |(path, _): &(String, String)| in_a.contains(path) && in_b.contains(path);
        let mut common: Vec<_> = leaves.into_iter().filter(both).collect();
        // The XML and the JSON card of 44-FZ have a customer's fields in different orders.
        common.sort_by(|(a, _), (b, _)| a.cmp(b));
        common
    };
    [common(a), common(b)]
}
