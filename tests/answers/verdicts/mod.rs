//! All responses with a verdict, for random registries, days and laws, compared with a model that
//! was written from the specification.

mod imports;
mod model;
mod surfaces;

use std::collections::BTreeSet;

use procurement_lookup::api::Defaults;
use procurement_lookup::model::{Date, Laws, VerdictRules};
use procurement_lookup::store;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;

use crate::properties::few_cases;
use crate::service::Service;
use imports::{Step, apply, step};
use model::{Day, LAWS, Model, Rules};
use surfaces::check_all;

/// The day that [`Day`] counts from.
const FIRST_DAY: &str = "2024-01-01";

/// Suppliers. Two of the INNs have wrong check digits.
const INNS: [&str; 6] = [
    "7736050003",
    "9600000002",
    "7736050004",
    "500100732259",
    "7707083893",
    "500100732258",
];

const NO_INNS: [&str; 3] = ["1", "77360500031", "77360500o3"];

/// A document type of the registries, with the laws that require it.
struct KindOfDocument {
    subsystem: &'static str,
    name: &'static str,
    laws: &'static [&'static str],
}

const KINDS: [KindOfDocument; 4] = [
    KindOfDocument {
        subsystem: "RNP",
        name: "unfairSupplier2022",
        laws: &["44"],
    },
    KindOfDocument {
        subsystem: "RNP",
        name: "unfairSupplier2022Exclude",
        laws: &["44"],
    },
    KindOfDocument {
        subsystem: "RNP",
        name: "unfairSupplierIKZ",
        laws: &[],
    },
    KindOfDocument {
        subsystem: "RNP223",
        name: "dishonestSupplier",
        laws: &["223"],
    },
];

fn iso(day: Day) -> String {
    let first = Date::parse_iso(FIRST_DAY).expect("a day");
    let day = match u64::try_from(day) {
        Ok(after) => first.plus_days(after),
        Err(_) => first.minus_days(day.unsigned_abs()),
    };
    day.to_string()
}

#[derive(Clone, Debug)]
struct Query {
    inns: Vec<&'static str>,
    as_of: Option<Day>,
    /// A law, and which edge day of its registry's coverage replaces `as_of`: the first day, the
    /// last day, or the day just outside either of them.
    edge: Option<(&'static str, usize)>,
    laws: Option<BTreeSet<&'static str>>,
    strict: Option<bool>,
    history: bool,
}

#[derive(Clone, Debug)]
struct Settings {
    today: Day,
    laws: BTreeSet<&'static str>,
    max_age: Day,
    strict: bool,
}

impl Query {
    /// Moves the request to its `edge` day, if the coverage of that registry has a first and a last
    /// day.
    fn at_edge(&self, model: &Model, settings: &Settings) -> Self {
        let edge = self.edge.and_then(|(law, number)| {
            let ground = model.ground(law, 0, settings.max_age);
            let (first, last) = ground.since.zip(ground.as_of)?;
            let last = last + settings.max_age;
            Some([first - 1, first, last, last + 1][number])
        });
        Self {
            as_of: edge.or(self.as_of),
            ..self.clone()
        }
    }

    fn day(&self, settings: &Settings) -> Day {
        self.as_of.unwrap_or(settings.today)
    }

    fn rules(&self, settings: &Settings) -> Rules {
        Rules {
            laws: self.laws.clone().unwrap_or_else(|| settings.laws.clone()),
            max_age: settings.max_age,
        }
    }

    fn is_strict(&self, settings: &Settings) -> bool {
        self.strict.unwrap_or(settings.strict)
    }
}

impl Settings {
    fn defaults(&self) -> Defaults {
        let laws: Vec<&str> = self.laws.iter().copied().collect();
        Defaults {
            rules: VerdictRules {
                laws: Laws::parse(&laws.join(",")).expect("laws"),
                max_age: self.max_age.unsigned_abs(),
            },
            strict: self.strict,
        }
    }
}

fn laws() -> impl Strategy<Value = BTreeSet<&'static str>> {
    proptest::collection::btree_set(select(&LAWS[..]), 1..4)
}

fn query() -> impl Strategy<Value = Query> {
    let inn = prop_oneof![6 => select(&INNS[..]), 1 => select(&NO_INNS[..])];
    (
        vec(inn, 1..5),
        weighted(0.6, -10..150_i64),
        weighted(0.4, (select(&LAWS[..]), 0..4_usize)),
        weighted(0.4, laws()),
        weighted(0.3, any::<bool>()),
        any::<bool>(),
    )
        .prop_map(|(inns, as_of, edge, laws, strict, history)| Query {
            inns,
            as_of,
            edge,
            laws,
            strict,
            history,
        })
}

fn settings() -> impl Strategy<Value = Settings> {
    let all = Just(BTreeSet::from(LAWS));
    let laws = prop_oneof![3 => all, 1 => laws()];
    let age = prop_oneof![2 => Just(30), 1 => 0..60_i64];
    (0..140_i64, laws, age, weighted(0.2, Just(()))).prop_map(|(today, laws, max_age, strict)| {
        Settings {
            today,
            laws,
            max_age,
            strict: strict.is_some(),
        }
    })
}

/// A sequence of imports into one file. After each import, a server with these settings receives
/// these requests.
fn history() -> impl Strategy<Value = Vec<(Step, Settings, Vec<Query>)>> {
    (weighted(0.4, Just(())), imports::definitions()).prop_flat_map(|(is_covered, definitions)| {
        let step = step(is_covered.is_some(), definitions);
        let asked = (step, settings(), vec(query(), 2..4));
        vec(asked, 2..6)
    })
}

proptest! {
    #![proptest_config(few_cases(10))]

    #[test]
    fn every_answer_has_the_verdict_of_the_model(history in history()) {
        let mut service = Service::over("");
        let mut model = Model::default();
        for (step, settings, queries) in &history {
            if !apply(step, &mut model, &service) {
                continue;
            }
            service.serve(&iso(settings.today), settings.defaults());
            for query in queries {
                let query = query.at_edge(&model, settings);
                check_all(&model, settings, &query, &mut service);
            }
        }
        store::check(&service.database()).expect("the database is as it must be");
    }
}
