//! Which name is used for a supplier that is named differently in several documents.

use super::*;
use crate::properties::few_cases;

const B: &str = "9600000023";
const TIMES: [&str; 3] = ["2020-01-01", "2021-01-01", "2022-01-01"];
const NAMES: [&str; 4] = ["", "А", "Б", "В"];

/// The identity of a document: whether it is an RNP entry, its number, its version, and its time
/// (an index into `TIMES`).
type Identity = (bool, u8, u8, usize);

/// What a document states: the names of A and B (indexes into [`NAMES`]; an entry has one supplier,
/// so only its first name is used), and whether the entry was refused.
type Said = ([Option<usize>; 2], bool);

fn suppliers(is_entry: bool, names: [Option<usize>; 2]) -> Vec<(&'static str, &'static str)> {
    let named = [A, B].into_iter().zip(names);
    let mut named: Vec<_> = named
        .filter_map(|(inn, name)| Some((inn, NAMES[name?])))
        .collect();
    if is_entry {
        named.truncate(1);
    }
    named
}

fn xml((is_entry, number, version, time): Identity, (names, refused): Said) -> String {
    let head = format!("<publishDate>{}T00:00:00Z</publishDate>", TIMES[time]);
    let named = suppliers(is_entry, names);
    if is_entry {
        let state = if refused {
            "REVIEW_CANCELED"
        } else {
            "PUBLISHED"
        };
        let (inn, name) = named[0];
        return format!(
            "<unfairSupplier>{head}<registryNum>{number}</registryNum><state>{state}</state>\
             <unfairSupplier><fullName>{name}</fullName><inn>{inn}</inn></unfairSupplier></unfairSupplier>"
        );
    }
    let supplier = |(inn, name): (&str, &str)| {
        format!(
            "<supplier><legalEntityRF><fullName>{name}</fullName><INN>{inn}</INN></legalEntityRF></supplier>"
        )
    };
    let suppliers: String = named.into_iter().map(supplier).collect();
    format!(
        "<contract>{head}<versionNumber>{version}</versionNumber><regNum>{number}</regNum><suppliers>{suppliers}</suppliers></contract>"
    )
}

/// Returns the expected names of A and B: those with the greatest (time, number, name) among the
/// newest versions of contracts and of entries that were not refused.
fn expected(documents: &BTreeMap<Identity, Said>) -> [String; 2] {
    let mut newest = BTreeMap::new();
    for (&(is_entry, number, version, time), &said) in documents {
        if is_entry && said.1 {
            continue;
        }
        // The map is ordered, so the greatest version comes last, and among equal versions the
        // latest time.
        newest.insert((is_entry, number), (version, time, said));
    }
    [A, B].map(|inn| {
        let names = newest
            .iter()
            .flat_map(|(&(is_entry, number), &(_, time, (names, _)))| {
                let named = suppliers(is_entry, names).into_iter();
                named.map(move |(inn, name)| (inn, (time, number, name)))
            })
            .filter(|(named, (.., name))| *named == inn && !name.is_empty())
            .map(|(_, name)| name);
        names
            .max()
            .map_or(String::new(), |(.., name)| name.to_owned())
    })
}

#[test]
fn forgetting_an_entry_restores_an_earlier_name() {
    let folder = Folder::new();
    folder.take_xml(xml((false, 1, 1, 0), ([Some(1), None], false)));
    let ended = "<exclude><excludeDate>2023-01-01</excludeDate></exclude></unfairSupplier>";
    let entry = xml((true, 2, 0, 2), ([Some(2), None], false));
    let (inside, _) = entry.rsplit_once("</unfairSupplier>").expect("the end");
    folder.take_xml(inside.to_owned() + ended);
    assert_eq!(folder.answers().name(A), "Б");
    let options = Options {
        forget_before: Some(folder::day("2024-01-01")),
        ..Options::default()
    };
    folder.import_with(&[], &options);
    assert_eq!(folder.answers().name(A), "А");
}

fn document() -> impl Strategy<Value = (Identity, Said)> {
    let identity = (any::<bool>(), 1..=2_u8, 0..=2_u8, 0..TIMES.len());
    let name = || prop::option::of(0..NAMES.len());
    let said = (name(), name(), prop::bool::weighted(0.2));
    (identity, said).prop_map(|(mut identity, (a, b, refused))| {
        if identity.0 {
            // Entries from before 2022 have no version numbers.
            identity.2 = 0;
        }
        let a = if identity.0 && a.is_none() && b.is_none() {
            Some(0)
        } else {
            a
        };
        (identity, ([a, b], refused))
    })
}

proptest! {
    #![proptest_config(few_cases(12))]

    #[test]
    fn ties_between_names_go_to_the_greatest_name(
        documents in prop::collection::vec(document(), 1..12)
            .prop_map(BTreeMap::from_iter)
            .prop_flat_map(|documents| {
                let order = documents.clone().into_iter().collect::<Vec<_>>();
                (Just(documents), Just(order).prop_shuffle())
            }),
        cuts in prop::collection::vec(prop::bool::weighted(0.3), 12),
    ) {
        let (documents, order) = documents;
        let folder = Folder::new();
        let mut together = String::new();
        let last = order.len() - 1;
        for (index, (identity, said)) in order.into_iter().enumerate() {
            together += &xml(identity, said);
            if cuts[index] || index == last {
                folder.take_xml(format!("<export>{}</export>", std::mem::take(&mut together)));
            }
        }
        let mut answers = folder.answers();
        prop_assert_eq!([A, B].map(|inn| answers.name(inn)), expected(&documents));
    }
}
