mod notices;
mod outcomes;

use crate::import::eis::testing::{one, read_all, real_files};
use crate::import::facts::{Fact, Facts};

/// Wraps `data` as in a published document: `body/item/…Data`.
fn published(kind: &str, data: &str) -> String {
    format!(
        "<ns2:{kind} xmlns:ns2=\"http://zakupki.gov.ru/223fz/purchase/1\" xmlns=\"http://zakupki.gov.ru/223fz/types/1\">\
         <header><guid>h</guid></header><ns2:body><ns2:item><guid>i</guid>\
         <ns2:{kind}Data>{data}</ns2:{kind}Data></ns2:item></ns2:body></ns2:{kind}>"
    )
}

fn real(folder: &str, name: &str) -> Vec<Fact> {
    let mut files = real_files(folder).into_iter();
    let file = files.find(|(other, _)| other == name);
    let (_, xml) = file.unwrap_or_else(|| panic!("{name} is there"));
    read_all(&xml).unwrap_or_else(|problem| panic!("{name}:{problem}"))
}
