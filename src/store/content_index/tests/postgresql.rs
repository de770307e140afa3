//! Searches by content must give the same results from a server as from the published file, both
//! after a full publication and after one of changes.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use super::*;
use crate::model::{ContractFilter, StageSet};
use crate::store::keys::tests::postgresql::TestDatabase;
use crate::store::postgresql::{Cluster, Published, ServerData, publish};
use crate::store::query::{Condition, Prefetch};
use crate::store::reg_num::RegNum;

/// Returns everything that a source returns for searches by content, as text.
fn transcript(source: &dyn Source) -> Result<String> {
    let mut transcript = String::new();
    let mut note = |what: &dyn std::fmt::Debug| writeln!(transcript, "{what:?}").expect("a line");
    for (tokens, _) in queries() {
        let ids = |kind, range| source.content_ids(&tokens, kind, range, usize::MAX);
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
                note(&facets(row)?);
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
        for filter in filters() {
            let all = i64::MIN..=i64::MAX;
            note(&found(source, &tokens, all, &contracts, &filter)?);
            if let [_, rest @ ..] = contracts.as_slice()
                && let [first, ..] = rest
            {
                let from = *first..=i64::MAX;
                note(&found(source, &tokens, from, rest, &filter)?);
            }
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

fn facets(row: &dyn FacetRow) -> Result<(i64, RegNum, Vec<String>)> {
    let columns = 0..FacetColumn::ALL.len();
    // A file stores an INN that consists of digits as a number.
    let values = columns.map(|at| match row.value(at)? {
        FacetValue::Null => Ok(String::new()),
        FacetValue::Number(number) => Ok(number.to_string()),
        FacetValue::Text(text) => Ok(text.into_owned()),
    });
    let values: Result<Vec<String>> = values.collect();
    Ok((row.id()?, row.reg_num()?, values?))
}

fn filters() -> [ContractFilter; 3] {
    [
        ContractFilter::default(),
        ContractFilter {
            signed_to: Date::new(2025, 1, 31),
            ..ContractFilter::default()
        },
        ContractFilter {
            stages: StageSet::new([ContractStage::Completed, ContractStage::Annulled]),
            has_subcontractors: Some(false),
            ..ContractFilter::default()
        },
    ]
}

/// Returns the facets of the contracts within `range` that match `tokens` and `filter`, ordered by
/// id. `ids` are all ids within `range` that match `tokens`: a file looks up facets by id.
fn found(
    source: &dyn Source,
    tokens: &ContentTokens,
    range: RangeInclusive<i64>,
    ids: &[i64],
    filter: &ContractFilter,
) -> Result<Vec<(i64, RegNum, Vec<String>)>> {
    let (condition, columns) = (Condition::new(filter), FacetColumn::ALL);
    let mut rows = Vec::new();
    let can_find = source.found_facets(tokens, range.clone(), &condition, columns, &mut |row| {
        rows.push(facets(row)?);
        Ok(ControlFlow::Continue(()))
    })?;
    assert_eq!(can_find, source.as_file().is_none());
    if can_find {
        // The session remains usable if not all rows are taken.
        let mut taken = 0;
        source.found_facets(tokens, range, &condition, columns, &mut |_| {
            taken += 1;
            Ok(ControlFlow::Break(()))
        })?;
        assert_eq!(taken, rows.len().min(1));
    } else {
        source.facets_of(ids, columns, &mut |row| {
            let at = |column| columns.iter().position(|one| *one == column);
            if condition.holds(|column| row.value(at(column).expect("a column")))? {
                rows.push(facets(row)?);
            }
            Ok(())
        })?;
    }
    rows.sort();
    Ok(rows)
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
