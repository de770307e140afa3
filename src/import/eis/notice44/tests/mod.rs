//! Synthetic documents of several schema generations, and real ones if there are any.

mod electronic;
mod paper;
mod real;
mod small;

use super::read;
use crate::import::eis::element::for_each_document;
use crate::import::eis::value::Result;
use crate::import::facts::{Fact, Facts, Notice44Facts};
use crate::model::{Amount, Moment};

/// The facts of the one document in `xml`.
fn facts(xml: &str) -> Result<Vec<Fact>> {
    let mut found = Vec::new();
    for_each_document(xml, |document| {
        assert!(super::NAMES.contains(&document.name), "{}", document.name);
        found.push(read(&document));
    })
    .unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// The facts of a document without a problem.
fn good(xml: &str) -> Vec<Fact> {
    facts(xml).unwrap_or_else(|problem| panic!("{problem}"))
}

/// The notice that comes first among the facts.
fn notice(facts: &[Fact]) -> &Notice44Facts {
    match &facts[0].facts {
        Facts::Notice44(notice) => notice,
        other => panic!("{other:?}"),
    }
}

fn money(text: &str) -> Option<Amount> {
    Some(text.parse().expect("an amount"))
}

fn at(text: &str) -> Option<Moment> {
    Some(Moment::parse_dotted(text).expect("a moment"))
}
