//! Searches by content must give the same results from a server as from the published file, both
//! after a full publication and after one of changes.

use std::fmt::Write as _;

use super::*;
use crate::store::keys::tests::postgresql::TestDatabase;
use crate::store::postgresql::{Cluster, Published, ServerData, publish};
use crate::store::query::Prefetch;

/// Returns everything that a source returns for searches by content, as text.
fn transcript(source: &dyn Source) -> Result<String> {
    let mut transcript = String::new();
    let mut note = |what: &dyn std::fmt::Debug| writeln!(transcript, "{what:?}").expect("a line");
    for (tokens, _) in queries() {
        let ids = |kind, range| {
            let mut ids = Vec::new();
            source.content_ids(&tokens, kind, range, &mut |id| {
                ids.push(id);
                Ok(ControlFlow::Continue(()))
            })?;
            Ok::<_, Error>(ids)
        };
        let contracts = ids(ContentKind::Contracts, i64::MIN..=i64::MAX)?;
        let purchases = ids(ContentKind::Purchases, i64::MIN..=i64::MAX)?;
        if let [first, .., last] = contracts.as_slice() {
            note(&ids(ContentKind::Contracts, first + 1..=last - 1)?);
        }
        if let [first, .., last] = purchases.as_slice() {
            note(&ids(ContentKind::Purchases, first + 1..=last - 1)?);
        }
        // Ids in ascending order, and in descending order as on a page.
        for ids in [contracts.clone(), contracts.iter().rev().copied().collect()] {
            note(&source.reg_nums(&ids)?);
            note(
                &source
                    .suppliers_of(&ids)?
                    .iter()
                    .map(|one| &one.inn)
                    .collect::<Vec<_>>(),
            );
            source.facets_of(&ids, FacetColumn::ALL, &mut |row| {
                let columns = 0..FacetColumn::ALL.len();
                // A file stores an INN that consists of digits as a number.
                let values = columns.map(|at| match row.value(at)? {
                    FacetValue::Null => Ok(String::new()),
                    FacetValue::Number(number) => Ok(number.to_string()),
                    FacetValue::Text(text) => Ok(text.into_owned()),
                });
                let values: Result<Vec<String>> = values.collect();
                note(&(row.id()?, row.reg_num()?, values?));
                Ok(())
            })?;
            source.items(&ids, &mut |items| {
                note(&items);
                Ok(())
            })?;
            source.records(&ids, &mut |record| {
                note(&record);
                Ok(())
            })?;
        }
        for ids in [purchases.clone(), purchases.iter().rev().copied().collect()] {
            note(&source.purchase_numbers(&ids)?);
            source.purchase_facets_of(&ids, &mut |facets| {
                note(facets);
                Ok(())
            })?;
            source.purchase_records(&ids, &mut |number, record| {
                note(&(number, record));
                Ok(())
            })?;
        }
    }
    Ok(transcript)
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_server_finds_what_the_published_file_finds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.sqlite");
    let database = TestDatabase::create();
    let mut server = ServerData::new(&Cluster::new(database.address()));
    let mut runner = TestRunner::deterministic();
    let lines = vec(prop_oneof![contracts(), purchases()], 30);
    for state in 0..6 {
        let lines = lines.new_tree(&mut runner).expect("lines").current();
        import(&path, &[lines], &mut LastImported::default());
        let published = publish(&path, &database.address(), false, &mut |_, _| ());
        let is_full = matches!(published.expect("published"), Published::All(_));
        assert_eq!(is_full, state == 0);
        let file =
            transcript(&DataFile::open(&path, None).expect("the file")).expect("a transcript");
        assert!(file.lines().count() > 20, "{file}");
        Source::begin(&mut server, Prefetch::Nothing).expect("a server answers");
        assert_eq!(transcript(&server).expect("a transcript"), file);
    }
}
