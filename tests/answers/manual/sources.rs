//! Tables in the manual about EIS documents: which kinds the program reads, and which elements each
//! field comes from.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use procurement_lookup::import::{
    Consulted, KEY, KINDS, Kind, KindNotRead, NUMBER, PUBLISHED, Subject, VERSION,
    kinds_not_read as not_read,
};
use procurement_lookup::model::Language;
use procurement_lookup::render::schema::tree::{Field, FieldKind};
use procurement_lookup::render::schema::{Answer, AnswerSchema};

use super::tables::Table;

/// The paths that the readers look up in the invented documents.
static CONSULTED: LazyLock<Consulted> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    let files = fs::read_dir(folder).expect("the documents");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "xml"));
    paths.sort();
    let read = |path| fs::read_to_string(path).expect("a document");
    let files: Vec<String> = paths.into_iter().map(read).collect();
    Consulted::new(files.iter().map(String::as_str)).expect("documents")
});

/// Chapters that have a table of fields, each with the documents and the answer that the table
/// covers.
pub const SUBJECTS: [(&str, Subject, Answer); 5] = [
    ("fields contract", Subject::Contract, Answer::ContractPage),
    ("fields purchase44", Subject::Purchase44, Answer::Purchase44),
    (
        "fields purchase223",
        Subject::Purchase223,
        Answer::Purchase223,
    ),
    (
        "fields purchase615",
        Subject::Purchase615,
        Answer::Purchase615,
    ),
    ("fields rnp", Subject::RnpEntry, Answer::RnpCheck),
];

/// The kinds that are not read, although they would change an answer.
pub fn kinds_not_read(language: Language) -> Table {
    let names = language.pick(
        ["документ", "что изменил бы"],
        ["document", "what it would change"],
    );
    let mut table = Table::new(&names);
    let [russian, english] = [0, 1];
    let at = language.pick(russian, english);
    let row = |kind: &KindNotRead| vec![format!("`{}`", kind.name), kind.answer[at].to_owned()];
    table.rows = not_read().map(row).collect();
    table
}

/// The kinds that are read. Similar kinds share a row.
pub fn kinds(language: Language) -> Table {
    let names = language.pick(
        [
            "закон",
            "документ",
            "выдаётся сейчас",
            "в прежних архивах",
            "завершает закупку",
        ],
        [
            "law",
            "document",
            "given out today",
            "in older archives",
            "ends the purchase",
        ],
    );
    let mut rows: Vec<(&Kind, [Vec<String>; 2])> = Vec::new();
    for kind in KINDS {
        let is_same = |(one, _): &&mut (&Kind, _)| {
            (one.about, one.what, one.ends) == (kind.about, kind.what, kind.ends)
        };
        if !rows.iter_mut().any(|row| is_same(&row)) {
            rows.push((kind, [Vec::new(), Vec::new()]));
        }
        let row = rows.iter_mut().find(is_same).expect("its row");
        let label = kind.label.unwrap_or(kind.name);
        let name = label.replace(" (223-FZ)", "").replace("?*", "…");
        let name = name.replace('*', "…").replace("####", "2020");
        row.1[usize::from(!kind.is_current)].push(format!("`{name}`"));
    }
    let mut table = Table::new(&names);
    for (kind, [today, older]) in rows {
        let ends = match kind.ends {
            true => language.pick("да", "yes"),
            false => "",
        };
        table.rows.push(vec![
            law(kind.about, language).to_owned(),
            language.pick(kind.what[0], kind.what[1]).to_owned(),
            today.join(", "),
            older.join(", "),
            ends.to_owned(),
        ]);
    }
    table
}

fn law(subject: Subject, language: Language) -> &'static str {
    match subject {
        Subject::Contract | Subject::Purchase44 => language.pick("44-ФЗ", "44-FZ"),
        Subject::Purchase223 => language.pick("223-ФЗ", "223-FZ"),
        Subject::Purchase615 => language.pick("ПП РФ № 615", "PP-615"),
        Subject::RnpEntry => language.pick("РНП", "RNP"),
    }
}

/// The source elements of each field, after a list of the letters that abbreviate path prefixes.
pub fn fields(subject: Subject, answer: Answer, language: Language) -> Table {
    let names = language.pick(
        ["поле", "документ", "элемент"],
        ["field", "document", "element"],
    );
    let wire = wire_names(answer.schema().expect("its schema"));
    let place = |name: &str| {
        let name = name.trim_end_matches('*');
        wire.iter().position(|wire| wire.starts_with(name))
    };
    // Each row consists of a field, some documents, and the paths that they have in common.
    let mut rows: Vec<(String, Vec<&str>, Vec<String>)> = Vec::new();
    for source in CONSULTED.field_sources(subject) {
        let [russian, english] = source.document;
        let document = language.pick(russian, english);
        let paths = grouped(&source.paths);
        let same = |row: &&mut (String, _, Vec<String>)| row.0 == source.field && row.2 == paths;
        match rows.iter_mut().find(same) {
            Some(row) => row.1.push(document),
            None => rows.push((source.field, vec![document], paths)),
        }
    }
    rows.sort_by_key(|(field, ..)| match field.as_str() {
        NUMBER | KEY | VERSION | PUBLISHED => vec![usize::MAX],
        field => field.split('.').filter_map(place).collect(),
    });
    let mut paths: Vec<Vec<String>> = rows.iter().map(|row| row.2.clone()).collect();
    let mut table = Table::new(&names);
    for (letter, path) in abbreviated(&mut paths) {
        let meaning = language.pick("часть пути", "part of a path");
        let row = [letter, meaning.to_owned(), format!("`{path}`")];
        table.rows.push(row.into());
    }
    for ((field, documents, _), paths) in rows.iter().zip(paths) {
        let row = [
            field_name(field, language),
            documents.join("; "),
            code(&paths),
        ];
        table.rows.push(row.into());
    }
    table
}

fn code(paths: &[String]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    paths.join(", ")
}

/// The elements of a party, such as a customer or supplier.
pub fn party(language: Language) -> Table {
    let names = language.pick(["что", "элемент"], ["what", "element"]);
    let mut rows = Vec::new();
    let words = [
        ("name", "наименование, ФИО", "name"),
        ("inn", "ИНН", "INN"),
        ("kpp", "КПП", "KPP"),
    ];
    for (field, russian, english) in words {
        let own = CONSULTED.of_parties.iter().filter(|one| one.field == field);
        let paths: Vec<String> = own.map(|one| one.path.clone()).collect();
        let what = language.pick(russian, english);
        rows.push((what, grouped(&paths)));
    }
    let mut paths: Vec<Vec<String>> = rows.iter().map(|row| row.1.clone()).collect();
    let mut table = Table::new(&names);
    for (letter, path) in abbreviated(&mut paths) {
        table.rows.push(vec![letter, format!("`{path}`")]);
    }
    for ((what, _), paths) in rows.iter().zip(paths) {
        table.rows.push(vec![(*what).to_owned(), code(&paths)]);
    }
    table
}

fn field_name(field: &str, language: Language) -> String {
    match field {
        NUMBER => language
            .pick(
                "номер контракта, закупки или записи",
                "number of the contract, purchase or entry",
            )
            .to_owned(),
        KEY => language
            .pick(
                "ключ (что именно описывает документ)",
                "key (what exactly the document describes)",
            )
            .to_owned(),
        VERSION => language.pick("версия", "version").to_owned(),
        PUBLISHED => language
            .pick("время размещения", "time of publication")
            .to_owned(),
        field => format!("`{}`", field.replace('*', "…")),
    }
}

fn wire_names(schema: &AnswerSchema) -> Vec<&'static str> {
    fn add(fields: &[Field], names: &mut Vec<&'static str>) {
        for field in fields {
            names.push(field.name);
            match &field.kind {
                FieldKind::Object(fields) => add(fields, names),
                FieldKind::List(list) => {
                    names.push(list.item);
                    add(&list.fields, names);
                }
                FieldKind::Items(fields) => add(fields, names),
                _ => {}
            }
        }
    }
    let mut names = Vec::new();
    add(&schema.json, &mut names);
    add(&schema.xml, &mut names);
    names
}

/// Combines paths that differ in the last step: `a/{b, c}`.
fn grouped(paths: &[String]) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for path in paths {
        let at = path.rfind('/').filter(|at| !path[..*at].ends_with('/'));
        let (start, last) = path.split_at(at.map_or(0, |at| at + 1));
        match groups
            .iter_mut()
            .find(|(other, _)| *other == start && !start.is_empty())
        {
            Some((_, steps)) => steps.push(last),
            None => groups.push((start, vec![last])),
        }
    }
    let shown = |(start, steps): (&str, Vec<&str>)| match &steps[..] {
        [step] => [start, step].concat(),
        steps => format!("{start}{{{}}}", steps.join(", ")),
    };
    groups.into_iter().map(shown).collect()
}

/// Replaces long common prefixes of paths with letters. Returns the prefix that each letter stands
/// for.
fn abbreviated(cells: &mut [Vec<String>]) -> Vec<(String, String)> {
    let mut letters = Vec::new();
    for letter in 'A'..='H' {
        let mut uses: Vec<(String, usize)> = Vec::new();
        for path in cells.iter().flatten() {
            for (at, _) in path.match_indices('/').filter(|(at, _)| *at > 28) {
                let start = &path[..=at];
                match uses.iter_mut().find(|(other, _)| other == start) {
                    Some((_, count)) => *count += 1,
                    None => uses.push((start.to_owned(), 1)),
                }
            }
        }
        uses.retain(|(_, count)| *count > 3);
        let gain = |(start, count): &(String, usize)| start.len() * count;
        let Some((start, _)) = uses.into_iter().max_by_key(gain) else {
            break;
        };
        for path in cells.iter_mut().flatten() {
            if let Some(rest) = path.strip_prefix(&start) {
                *path = format!("{letter}/{rest}");
            }
        }
        letters.push((letter.to_string(), start.trim_end_matches('/').to_owned()));
    }
    letters
}

#[test]
fn every_field_named_by_a_reader_is_on_the_wire() {
    for (part, subject, answer) in SUBJECTS {
        let wire = wire_names(answer.schema().expect("its schema"));
        for source in CONSULTED.field_sources(subject) {
            if [NUMBER, KEY, VERSION, PUBLISHED].contains(&source.field.as_str()) {
                continue;
            }
            for name in source.field.split('.') {
                // Winners under 223-FZ are fields of lines, but do not occur in responses.
                let is_known = match name.strip_suffix('*') {
                    Some(start) => wire.iter().any(|one| one.starts_with(start)),
                    None => wire.contains(&name),
                };
                let is_of_lines = source.field.starts_with("winners.");
                assert!(is_known || is_of_lines, "{part}: {name}");
            }
        }
    }
}
