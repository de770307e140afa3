//! Random imports that are applied both to the file and to the model.

use std::fmt::Write as _;
use std::fs;

use procurement_lookup::import::Options;
use procurement_lookup::model::Date;
use procurement_lookup::store::{self, ReplacedAsOf};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use super::model::{Day, LAWS, Model, PROVING_DAYS, State, Stated};
use super::surfaces::check_all;
use super::{INNS, KINDS, Query, Settings, iso};
use crate::import::folder;
use crate::service::Service;

/// The law of each entry, by number. The last two are not among the three laws.
const LAW_OF: [&str; 10] = ["44", "44", "44", "44", "223", "223", "615", "615", "94", ""];

/// Numbers of the entries that documents state, all under 44-FZ. They follow the numbers of entries
/// in lines.
const DOCUMENTS: std::ops::Range<usize> = LAW_OF.len()..LAW_OF.len() + 2;

/// The region whose coverage has gaps.
const GAP_REGION: &str = "77";

/// What a line or a document states about an entry.
#[derive(Clone, Debug)]
pub struct Variant {
    number: usize,
    supplier: usize,
    registered: Option<Day>,
    length: Option<Day>,
}

#[derive(Clone, Debug)]
pub enum Step {
    Lines {
        entries: Vec<Variant>,
        /// Contracts, as indexes of the supplier and the customer.
        contracts: Vec<(usize, usize)>,
        suppliers: Vec<usize>,
        declared: Vec<(&'static str, Day)>,
    },
    Document {
        entry: Variant,
        published: Day,
        state: State,
    },
    Whole {
        entries: Vec<Variant>,
        day: Day,
        /// Whether the day is given explicitly rather than taken from the import.
        is_given: bool,
    },
    Cover {
        kinds: Vec<usize>,
        from: Day,
        to: Day,
        gap: Day,
    },
    Forget(Day),
}

pub fn number(index: usize) -> String {
    match DOCUMENTS.contains(&index) {
        true => format!("РНП.960{index:02}-24"),
        false => format!("{index:02}"),
    }
}

pub fn numbers() -> impl Iterator<Item = String> {
    (0..DOCUMENTS.end).map(number)
}

fn variant(number: usize) -> impl Strategy<Value = Variant> {
    let length = prop_oneof![1 => -3..3_i64, 6 => 3..70_i64];
    let registered = weighted(0.9, 0..70_i64);
    (0..5_usize, registered, weighted(0.8, length)).prop_map(
        move |(supplier, registered, length)| Variant {
            number,
            supplier,
            registered,
            length,
        },
    )
}

/// A default variant for each entry, which most lines and documents repeat.
pub fn definitions() -> impl Strategy<Value = Vec<Variant>> {
    (0..DOCUMENTS.end).map(variant).collect::<Vec<_>>()
}

fn document_state() -> impl Strategy<Value = State> {
    prop_oneof![
        6 => Just(State::Published),
        2 => Just(State::Archived),
        1 => Just(State::Cancelled),
    ]
}

pub fn step(is_covered: bool, definitions: Vec<Variant>) -> BoxedStrategy<Step> {
    let entry = move |numbers: std::ops::Range<usize>| {
        let definitions = definitions.clone();
        let other = numbers.clone().prop_flat_map(variant);
        let usual = numbers.prop_map(move |number| definitions[number].clone());
        prop_oneof![6 => usual, 1 => other]
    };
    let supplier = 0..INNS.len();
    let lines = (
        vec(entry(0..DOCUMENTS.end), 0..6),
        vec((supplier.clone(), supplier.clone()), 0..2),
        vec(supplier, 0..2),
        vec((select(&LAWS[..]), 0..110_i64), 0..4),
    )
        .prop_map(|(entries, contracts, suppliers, declared)| Step::Lines {
            entries,
            contracts,
            suppliers,
            declared,
        });
    let document =
        (entry(DOCUMENTS), 0..80_i64, document_state()).prop_map(|(entry, published, state)| {
            Step::Document {
                entry,
                published,
                state,
            }
        });
    let whole = (
        vec(entry(0..DOCUMENTS.end), 1..7),
        0..110_i64,
        any::<bool>(),
    )
        .prop_map(|(entries, day, is_given)| Step::Whole {
            entries,
            day,
            is_given,
        });
    let last = if is_covered {
        let from = prop_oneof![2 => -PROVING_DAYS - 5..-PROVING_DAYS + 30, 1 => 0..60_i64];
        let kinds = prop_oneof![2 => Just(vec![0, 1, 2, 3]), 1 => vec(0..KINDS.len(), 1..3)];
        let gap = prop_oneof![Just(-PROVING_DAYS - 9), -PROVING_DAYS..0_i64, 0..100_i64];
        (kinds, from, 1..110_i64, gap)
            .prop_map(|(kinds, from, to, gap)| Step::Cover {
                kinds,
                from,
                to: to.max(from),
                gap,
            })
            .boxed()
    } else {
        (10..100_i64).prop_map(Step::Forget).boxed()
    };
    prop_oneof![5 => lines, 2 => document, 8 => whole, 3 => last].boxed()
}

/// Applies a step to the file of the service and to the model. Returns `false` and does nothing if
/// the specification does not determine the outcome.
pub fn apply(step: &Step, model: &mut Model, service: &Service) -> bool {
    if is_open(step, model) {
        return false;
    }
    import(std::slice::from_ref(step), model, service);
    true
}

/// Applies steps to the file of the service, in one import, and to the model.
fn import(steps: &[Step], model: &mut Model, service: &Service) {
    let mut options = Options::default();
    let mut paths = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let mut form = "jsonl";
        match step {
            Step::Document { .. } => form = "xml",
            Step::Whole { day, is_given, .. } => {
                let date = Date::parse_iso(&iso(*day)).expect("a day");
                options.replace_rnp = Some(match is_given {
                    true => ReplacedAsOf::Given(date),
                    false => ReplacedAsOf::Today(date),
                });
            }
            Step::Forget(day) => options.forget_before = Date::parse_iso(&iso(*day)),
            Step::Lines { .. } | Step::Cover { .. } => {}
        }
        let path = service
            .database()
            .with_file_name(format!("step-{at}.{form}"));
        fs::write(&path, content(step, model)).expect("the file is written");
        paths.push(path);
    }
    let (_, problems) = folder::import_into(&service.database(), &paths, &options);
    assert_eq!(problems, [""; 0]);
}

/// Returns whether the specification leaves the outcome of a step open.
///
/// Once entries before some day have been forgotten, it determines the outcome of only two kinds of
/// steps, and only from that day on: forgetting more entries, and importing a whole registry that
/// contains none of the entries in [`DOCUMENTS`].
fn is_open(step: &Step, model: &Model) -> bool {
    let Some(first) = model.forgotten() else {
        return false;
    };
    match step {
        Step::Whole { entries, day, .. } => {
            let has_document = |entry: &Variant| DOCUMENTS.contains(&entry.number);
            *day < first || entries.iter().any(has_document)
        }
        Step::Forget(day) => *day < first,
        _ => true,
    }
}

/// Returns the content of the file to import, and updates the model accordingly.
fn content(step: &Step, model: &mut Model) -> String {
    match step {
        Step::Lines {
            entries,
            contracts,
            suppliers,
            declared,
        } => {
            let mut lines: String = entries.iter().map(line).collect();
            for entry in entries {
                model.line(&number(entry.number), stated(entry));
            }
            for (supplier, customer) in contracts {
                let (supplier, customer) = (INNS[*supplier], INNS[*customer]);
                let fields = format!(r#","customerInn":"{customer}""#);
                lines += &folder::contract(supplier, &format!("c{supplier}"), &fields);
                model.record(supplier);
            }
            for supplier in suppliers {
                lines += &folder::supplier(INNS[*supplier], "ООО");
                model.record(INNS[*supplier]);
            }
            for (law, day) in declared {
                lines += &folder::complete(law, &iso(*day));
                model.declare(law, *day);
            }
            lines
        }
        Step::Document {
            entry,
            published,
            state,
        } => {
            let second = model.document(&number(entry.number), stated(entry), *published, *state);
            document(entry, *published, second, *state)
        }
        Step::Whole { entries, day, .. } => {
            let stated = entries.iter().map(|one| (number(one.number), stated(one)));
            model.whole(*day, stated.collect());
            entries.iter().map(line).collect()
        }
        Step::Cover {
            kinds,
            from,
            to,
            gap,
        } => {
            for kind in kinds {
                model.cover(KINDS[*kind].name, *from..=*to, *gap);
            }
            let lines = kinds.iter().map(|kind| coverage(*kind, *from, *to, *gap));
            lines.collect()
        }
        Step::Forget(day) => {
            model.forget_before(*day);
            String::new()
        }
    }
}

fn stated(entry: &Variant) -> Stated {
    let excluded = entry
        .length
        .map(|length| entry.registered.unwrap_or(20) + length);
    Stated {
        inn: INNS[entry.supplier].to_owned(),
        law: LAW_OF.get(entry.number).copied().unwrap_or("44"),
        registered: entry.registered,
        excluded,
    }
}

fn line(entry: &Variant) -> String {
    let Stated {
        inn,
        law,
        registered,
        excluded,
    } = stated(entry);
    let [registered, excluded] = [registered, excluded].map(|day| day.map(iso).unwrap_or_default());
    let number = number(entry.number);
    format!(
        r#"{{"type":"rnpEntry","supplier":{{"inn":"{inn}"}},"entry":{{"registrationNumber":"{number}","registrationDate":"{registered}","excludeDate":"{excluded}","federalLaw":"{law}"}}}}"#
    ) + "\n"
}

/// A document about an entry, published on a day at a certain second.
fn document(entry: &Variant, published: Day, second: usize, state: State) -> String {
    let stated = stated(entry);
    let element = |name: &str, day: Option<Day>| {
        let element = |day| format!("<{name}>{}</{name}>", iso(day));
        day.map(element).unwrap_or_default()
    };
    let state = match state {
        State::Published => "PUBLISHED",
        State::Archived => "ARCHIVED",
        State::Cancelled => "REVIEW_CANCELED",
    };
    let excluded = element("autoExDate", stated.excluded);
    format!(
        r#"<ns2:export xmlns="http://zakupki.gov.ru/oos/types/1" xmlns:ns2="http://zakupki.gov.ru/oos/export/1"><ns2:unfairSupplier schemeVersion="11.0"><registryNum>{}</registryNum><publishDate>{}T10:00:{second:02}+03:00</publishDate>{}<state>{state}</state><unfairSupplier><type>U</type><inn>{}</inn></unfairSupplier><autoExDateInfo>{excluded}</autoExDateInfo></ns2:unfairSupplier></ns2:export>"#,
        number(entry.number),
        iso(published),
        element("approveDate", stated.registered),
        stated.inn,
    )
}

/// Coverage lines for all regions, one of which has a gap.
fn coverage(kind: usize, from: Day, to: Day, gap: Day) -> String {
    let regions = include_str!("../../../data/regions.tsv").lines().skip(1);
    let mut lines = String::new();
    for region in regions.filter_map(|row| row.split('\t').next()) {
        let runs = match region == GAP_REGION && from <= gap && gap <= to {
            true => vec![(from, gap - 1), (gap + 1, to)],
            false => vec![(from, to)],
        };
        for (from, to) in runs.into_iter().filter(|(from, to)| from <= to) {
            let (subsystem, name) = (KINDS[kind].subsystem, KINDS[kind].name);
            let _ = writeln!(
                lines,
                r#"{{"type":"coverage","subsystem":"{subsystem}","documents":"{name}","region":"{region}","from":"{}","to":"{}"}}"#,
                iso(from),
                iso(to)
            );
        }
    }
    lines
}

/// The documents are published before the day of the registry. Imports in any order, together or
/// one by one, must give the same verdict.
#[test]
fn a_cancelled_entry_that_a_whole_registry_contained_is_listed_once_included_again() {
    let entry = Variant {
        number: DOCUMENTS.start,
        supplier: 0,
        registered: Some(1),
        length: None,
    };
    let document = |published, state| Step::Document {
        entry: entry.clone(),
        published,
        state,
    };
    let steps = [
        document(2, State::Cancelled),
        Step::Whole {
            entries: vec![entry.clone()],
            day: 9,
            is_given: true,
        },
        document(5, State::Published),
    ];
    let settings = Settings {
        today: 12,
        laws: LAWS.into(),
        max_age: 30,
        strict: false,
    };
    let query = Query {
        inns: vec![INNS[0]],
        as_of: None,
        edge: None,
        laws: None,
        strict: None,
        history: true,
    };
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let steps = order.map(|at| steps[at].clone());
        for ends in [&[1, 2, 3][..], &[1, 3], &[2, 3], &[3]] {
            let mut service = Service::over("");
            let mut model = Model::default();
            let mut from = 0;
            for end in ends {
                import(&steps[from..*end], &mut model, &service);
                from = *end;
            }
            let checked = model.check(INNS[0], settings.today, &query.rules(&settings));
            assert_eq!(checked.verdict, "listed");
            service.serve(&iso(settings.today), settings.defaults());
            check_all(&model, &settings, &query, &mut service);
            store::check(&service.database()).expect("the database is as it must be");
        }
    }
}
