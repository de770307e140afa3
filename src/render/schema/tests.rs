use super::tree::{Field, FieldKind, ValueKind};
use super::{AnswerSchema, answers, outputs};
use crate::model::Language;
use crate::render::meanings::Meaning;

fn each<'a>(fields: &'a [Field], path: &str, visit: &mut impl FnMut(&str, &'a Field)) {
    for field in fields {
        let at = format!("{path}.{}", field.name);
        visit(&at, field);
        let (within, item) = field.within();
        each(
            within,
            &item.map_or(at.clone(), |item| format!("{at}.{item}")),
            visit,
        );
    }
}

fn all_fields(answer: &AnswerSchema) -> Vec<(String, &Field)> {
    let mut found = Vec::new();
    for fields in [&answer.xml, &answer.json] {
        each(fields, answer.name, &mut |path, field| {
            found.push((path.to_owned(), field))
        });
    }
    found
}

fn examples(answer: &AnswerSchema, name: &str) -> Vec<String> {
    let all = [
        (&answer.xml_example, format!("<{name}>")),
        (&answer.json_example, format!("\"{name}\":")),
    ];
    let values = all.iter().flat_map(|(example, start)| {
        let values = example.split(start).skip(1);
        values.filter_map(|rest| rest.split(['<', ',', '}']).next())
    });
    let values = values.map(|value| value.trim_matches('"').to_owned());
    values
        .filter(|value| !["", "null"].contains(&value.as_str()))
        .collect()
}

#[test]
fn every_field_has_a_meaning_and_an_example() {
    for answer in answers().iter().chain(outputs()) {
        for (path, field) in all_fields(answer) {
            for language in Language::ALL {
                assert!(
                    !field.meaning.words.to(language).is_empty(),
                    "{path} in {language:?}"
                );
            }
            let values = examples(answer, field.name);
            match &field.kind {
                FieldKind::Object(_) | FieldKind::List(_) | FieldKind::Items(_) => {
                    assert!(!field.within().0.is_empty(), "{path} has no fields");
                }
                FieldKind::Value(ValueKind::Code(codes)) => {
                    assert!(
                        codes
                            .iter()
                            .any(|code| values.contains(&(*code).to_owned())),
                        "{path}"
                    );
                }
                FieldKind::Value(_) => assert!(!values.is_empty(), "{path} has no example"),
            }
        }
    }
}

#[test]
fn every_meaning_belongs_to_a_field_and_occurs_once() {
    let mut tables: Vec<&'static [Meaning]> = Vec::new();
    let mut used = Vec::new();
    let words = |meaning: &Meaning| (meaning.path, meaning.words.to(Language::English));
    for answer in answers().iter().chain(outputs()) {
        tables.extend(answer.table);
        used.extend(
            all_fields(answer)
                .iter()
                .map(|(_, field)| words(field.meaning)),
        );
        let paths: Vec<&str> = answer
            .table
            .iter()
            .flat_map(|part| part.iter())
            .map(|meaning| meaning.path)
            .collect();
        for path in &paths {
            let count = paths.iter().filter(|other| *other == path).count();
            assert_eq!(count, 1, "{path} of {}", answer.name);
        }
    }
    for meaning in tables.into_iter().flatten() {
        assert!(
            used.contains(&words(meaning)),
            "no field is {}",
            meaning.path
        );
    }
}
