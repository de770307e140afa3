//! Documents under 223-FZ, invented and real.

mod notices;
mod outcomes;

use std::path::PathBuf;

use super::*;
use crate::import::eis::testing::read_all;

/// A document as it is published: `body/item/…Data`.
fn published(kind: &str, data: &str) -> String {
    format!(
        "<ns2:{kind} xmlns:ns2=\"http://zakupki.gov.ru/223fz/purchase/1\" xmlns=\"http://zakupki.gov.ru/223fz/types/1\">\
         <header><guid>h</guid></header><ns2:body><ns2:item><guid>i</guid>\
         <ns2:{kind}Data>{data}</ns2:{kind}Data></ns2:item></ns2:body></ns2:{kind}>"
    )
}

fn only(xml: &str) -> Fact {
    let mut facts = read_all(xml).expect("facts");
    assert_eq!(facts.len(), 1);
    facts.remove(0)
}

/// The facts of a real document, if `EIS_DOCUMENTS` names their folder.
fn real(path: &str) -> Option<Vec<Fact>> {
    let Some(folder) = std::env::var_os("EIS_DOCUMENTS").filter(|path| !path.is_empty()) else {
        println!("skipped: EIS_DOCUMENTS does not name a folder of real documents");
        return None;
    };
    let path = PathBuf::from(folder).join(path);
    let xml = std::fs::read_to_string(&path).expect("the document");
    Some(read_all(&xml).unwrap_or_else(|problem| panic!("{}: {problem}", path.display())))
}
