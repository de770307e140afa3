//! Guards stored forms: records, facts, tokens, searched names, and the tables of each kind of file
//! must equal the files in `tests/stored`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::fetch_ledger::LEDGER;
use super::file::{DATA, FileKind, KEYS, statements};
use super::record::register_row_sum;
use crate::model::{
    ContentTokenizer, Contract, ContractItem, ContractStage, Date, EncodedContract,
    EncodedContractItems, NAMES_VERSION, Sha256, WORDS_VERSION, searched_name,
};

#[path = "../../../tests/released.rs"]
mod released;

/// Checks that the folder `tests/stored/NAME` contains exactly the files in `forms`, which has the
/// name and text of each.
pub(crate) fn check_stored_forms(name: &str, forms: impl IntoIterator<Item = (String, String)>) {
    let folder = stored_forms().join(name);
    let mut files = BTreeSet::new();
    let mut wrong = Vec::new();
    for (name, form) in forms {
        let file = folder.join(name);
        wrong.extend(check_form(&DATA, &file, &form).err());
        files.insert(file);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let there: BTreeSet<_> = fs::read_dir(folder)
        .expect("the folder is read")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(there, files);
}

fn stored_forms() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stored")
}

/// Checks that the file contains this form. `GOLDEN=stored` rewrites the file if the form may
/// change. `GOLDEN=bless` never does, so that accepting other changes cannot change the format.
fn check_form(kind: &FileKind, file: &Path, form: &str) -> Result<(), String> {
    released::check_form(kind.name, kind.format, file, form, "stored")
}

/// Returns the tables and indexes of a new file, one per line, each with a digest of its statement.
fn tables(kind: &FileKind) -> String {
    let model = Connection::open_in_memory().expect("a connection");
    register_row_sum(&model).expect("the function");
    model.execute_batch(&(kind.schema)()).expect("the tables");
    let mut text = format!("{} {:08x}\n", kind.name, kind.application_id);
    for (name, sql) in statements(&model).expect("the statements") {
        let digest = Sha256::of(sql.unwrap_or_default());
        let digits: String = digest[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        text += &format!("{name} {digits}\n");
    }
    text
}

#[test]
fn the_tables_of_each_kind_of_file_are_unchanged() {
    for (kind, name) in [(&DATA, "data"), (&KEYS, "keys"), (&LEDGER, "fetch")] {
        let file = stored_forms().join(format!("{name}.tables"));
        assert_eq!(check_form(kind, &file, &tables(kind)), Ok(()));
    }
}

/// A text with words to stem, look-alike letters, numbers, and parts that are not words.
const TEXT: &str = "Поставка постельного белья, бумаги A4/А4 (500 л.), пелёнок 70х140 см; CO2, X-ray, \
                    ГОСТ Р 52489-2005 и\u{306}од №5 ИП «Ёж» лицензий \"Microsoft Office\" 1й кв-л";

#[test]
fn the_tokens_of_a_contract_are_unchanged() {
    let contract = Contract {
        subject: TEXT.to_owned(),
        customer_inn: "9701000001".to_owned(),
        stage: Some(ContractStage::InExecution),
        end_date: Date::parse_iso("2025-12-31"),
        penalties: Some(1.into()),
        has_subcontractors: true,
        products: vec![ContractItem {
            code: "17.12.14.110-00000001".to_owned(),
            name: "Бумага для офисной техники белая".to_owned(),
            okpd2: "17.12.14.129".to_owned(),
            ..ContractItem::default()
        }],
        ..Contract::default()
    };
    let (record, items) = (contract.encode(), contract.encode_items());
    let contract = EncodedContract::decode(&record).expect("a contract");
    let items = EncodedContractItems::decode(&items).expect("its items");
    let tokens = ContentTokenizer::default().contract(&contract, items);
    let form = tokens.replace(' ', "\n") + "\n";
    let file = stored_forms().join("tokens");
    let name = "model::WORDS_VERSION";
    let checked = released::check_form(name, WORDS_VERSION, &file, &form, "stored");
    assert_eq!(checked, Ok(()));
}

/// Names that exercise each rule of searched names.
const NAMES: [&str; 12] = [
    "ООО \"Ёлка\"",
    "Обшество с ограниченой ответсвенностью «EЛKA–ЮГ»",
    "О.О.О. Д’Артаньян",
    "ИП Протокин А.О.",
    "Глава КФХ И. И. Иванов",
    "ГБУЗ «ГКБ №7», г.Юг",
    "ФГБОУ ВО \"И\u{306}од-95а\" N 5",
    "Муниципальное казённое учреждение средняя школа",
    "ООО «Бук»",
    "ООО АО",
    "Acme GmbH (Берлин)",
    "А.Б.В.Г. Север",
];

#[test]
fn searched_names_are_unchanged() {
    let mut form: String = NAMES
        .iter()
        .map(|name| searched_name(name) + "\n")
        .collect();
    // One name for each spelling in the table of legal forms.
    let rows = include_str!("../../../data/legal-forms.tsv")
        .lines()
        .skip(1);
    let spellings = rows.flat_map(|row| row.split('\t'));
    let names = spellings.map(|spelling| searched_name(&format!("{spelling} причал")) + "\n");
    let digest = Sha256::of(names.collect::<String>());
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    form += &format!("legal forms {}\n", digits.collect::<String>());
    let file = stored_forms().join("names");
    let name = "model::NAMES_VERSION";
    let checked = released::check_form(name, NAMES_VERSION, &file, &form, "stored");
    assert_eq!(checked, Ok(()));
}

#[test]
fn a_released_form_can_only_be_blessed_under_a_new_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("form");
    let check = |form, bless, format, released, is_right, left| {
        fs::write(&file, "old").expect("written");
        let checked = released::check_or_bless(&file, form, bless, format, released);
        assert_eq!(checked.is_ok(), is_right, "{checked:?}");
        assert_eq!(fs::read_to_string(&file).expect("the file"), left);
    };
    for bless in [false, true] {
        check("old", bless, 1, Some(1), true, "old");
        check("new", bless, 1, Some(1), false, "old");
        check("new", bless, 1, Some(2), false, "old");
    }
    check("new", false, 2, Some(1), false, "old");
    check("new", true, 2, Some(1), true, "new");
    check("new", false, 1, None, false, "old");
    check("new", true, 1, None, true, "new");
}
