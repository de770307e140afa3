//! Finds out what the service offers, with as few requests as possible: whether the registry of
//! unfair suppliers and documents under 223-FZ are available by region, and how many years back
//! documents go. The documentation of the service does not say, and testing it takes a token.

use std::path::Path;
use std::time::Instant;

use super::client::Client;
use super::failure::FetchFailure;
use super::request::{DocumentsOf, NAMESPACE};
use crate::model::{Cell, Date, DocumentType, Region};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeLine {
    pub what: String,
    pub answer: String,
    pub is_answered: bool,
}

/// How many years before the given day [`probe`] requests documents again, to see how far back they
/// go.
const YEARS_BACK: [u16; 4] = [1, 3, 6, 10];

/// Requests the interface description, then the documents of `region` on `day` for each of `types`
/// (one per subsystem), then those of the first type in earlier years. Downloads one archive into
/// `folder`, as soon as its link is received, because links expire after a few requests. Passes
/// each result to `show` as soon as it is known.
///
/// # Errors
/// Returns an error if no further request can succeed, for example because the token is missing, or
/// if the run was stopped.
pub fn probe(
    client: &mut Client<'_>,
    region: &'static Region,
    day: Date,
    types: &[DocumentType],
    folder: &Path,
    show: &mut dyn FnMut(ProbeLine),
) -> Result<(), FetchFailure> {
    let begun = Instant::now();
    let interface = match client.interface() {
        // All further requests would fail the same way, only slowly.
        Err(FetchFailure::Unreachable(what)) => return Err(FetchFailure::Ended(what)),
        interface => interface.map(|wsdl| describe(&wsdl)),
    };
    show(line("interface".to_owned(), interface)?);
    let mut asked = 0;
    let mut has_archive = false;
    let back = YEARS_BACK.iter().filter_map(|years| earlier(day, *years));
    let days = types.iter().map(|documents| (day, *documents));
    let history = back.flat_map(|day| types.first().map(|documents| (day, *documents)));
    for (day, documents) in days.chain(history) {
        let cell = Cell {
            day,
            region,
            documents,
        };
        asked += 1;
        let links = client.ask(DocumentsOf::Cell(&cell));
        let first = links.as_ref().ok().and_then(|links| links.first().cloned());
        show(line(
            cell.to_string(),
            links.map(|links| link_count(&links)),
        )?);
        if let Some(link) = first.filter(|_| !has_archive) {
            has_archive = true;
            let archive = one_archive(client, &cell, &link, folder);
            show(line("archive".to_owned(), archive)?);
        }
    }
    if !has_archive {
        let nothing = "none was asked for, as there was no link".to_owned();
        show(line("archive".to_owned(), Ok(nothing))?);
    }
    show(ProbeLine {
        what: "rate".to_owned(),
        answer: format!(
            "{asked} requests for documents in {} s; refused as too many: {}",
            begun.elapsed().as_secs(),
            client.rate_refusals
        ),
        is_answered: true,
    });
    Ok(())
}

/// If the service refuses the link, requests the cell once more to get a new link.
fn one_archive(
    client: &mut Client<'_>,
    cell: &Cell,
    link: &str,
    folder: &Path,
) -> Result<String, FetchFailure> {
    let mut archive = client.download(link, folder);
    if let Err(FetchFailure::Forbidden(_)) = archive {
        let links = client.ask(DocumentsOf::Cell(cell))?;
        if let Some(link) = links.first() {
            archive = client.download(link, folder);
        }
    }
    archive.map(|archive| format!("{} bytes, a readable zip", archive.length))
}

fn line(what: String, answer: Result<String, FetchFailure>) -> Result<ProbeLine, FetchFailure> {
    let is_answered = answer.is_ok();
    let answer = match answer {
        Ok(answer) => answer,
        Err(
            FetchFailure::Failed(answer)
            | FetchFailure::Unreachable(answer)
            | FetchFailure::Forbidden(answer),
        ) => answer,
        Err(over) => return Err(over),
    };
    Ok(ProbeLine {
        what,
        answer,
        is_answered,
    })
}

fn link_count(links: &[String]) -> String {
    match links.len() {
        0 => "noData: none on this day, or not given out by region".to_owned(),
        1 => "1 archive".to_owned(),
        count => format!("{count} archives"),
    }
}

fn describe(wsdl: &[u8]) -> String {
    let text = String::from_utf8_lossy(wsdl);
    let is_known = text.contains(&format!("targetNamespace=\"{NAMESPACE}\""));
    match (is_known, text.contains("definitions")) {
        (true, _) => format!("{} bytes, with the namespace that requests use", wsdl.len()),
        (false, true) => format!(
            "{} bytes, with another namespace than {NAMESPACE}: requests may not be understood",
            wsdl.len()
        ),
        (false, false) => format!("{} bytes, not a description (WSDL)", wsdl.len()),
    }
}

/// Turns 29 February into 28 February where necessary.
fn earlier(day: Date, years: u16) -> Option<Date> {
    let (year, month, day) = day.parts();
    let year = year.checked_sub(years)?;
    Date::new(year, month, day).or_else(|| Date::new(year, month, 28))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_version_follows_from_the_namespace() {
        let wsdl = format!("<definitions targetNamespace=\"{NAMESPACE}\"/>");
        assert!(describe(wsdl.as_bytes()).contains("namespace that requests use"));
        assert!(describe(b"<definitions targetNamespace=\"x\"/>").contains("another namespace"));
        assert!(describe(b"<html/>").contains("not a description"));
    }

    #[test]
    fn days_of_earlier_years_exist() {
        let leap = Date::new(2024, 2, 29).expect("a day");
        assert_eq!(earlier(leap, 1), Date::new(2023, 2, 28));
        assert_eq!(earlier(leap, 4), Date::new(2020, 2, 29));
        assert_eq!(earlier(Date::new(3, 1, 1).expect("a day"), 10), None);
    }
}
