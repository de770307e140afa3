//! Synthetic documents of several schema generations, and real ones if there are any.

mod electronic;
mod paper;
mod real;
mod small;

use crate::import::eis::testing::{read_all as facts, real_files};
use crate::import::facts::{Fact, Facts, Notice44Facts};
use crate::model::{Amount, Moment, ProcedureDates};

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
