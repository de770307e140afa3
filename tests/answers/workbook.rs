//! Reads the parts of a workbook and returns the cell values that a spreadsheet program would show.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use xml::reader::{EventReader, XmlEvent};
use zip::ZipArchive;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Empty,
    Text(String),
    /// The number as written in the file, and its format.
    Number(String, String),
}

/// Returns the rows of the only sheet, padded to the same width.
pub fn rows(bytes: &[u8]) -> Vec<Vec<Cell>> {
    // Large workbooks store strings in the cells themselves.
    let has_shared = parts_of(bytes).any(|name| name == "xl/sharedStrings.xml");
    let shared = match has_shared {
        true => shared_strings(&part(bytes, "xl/sharedStrings.xml")),
        false => Vec::new(),
    };
    let formats = formats(&part(bytes, "xl/styles.xml"));
    let mut rows: BTreeMap<usize, BTreeMap<usize, Cell>> = BTreeMap::new();
    let (mut place, mut kind, mut style) = ((0, 0), String::new(), 0);
    let mut value = String::new();
    for event in EventReader::from_str(&part(bytes, "xl/worksheets/sheet1.xml")) {
        match event.expect("XML") {
            XmlEvent::StartElement {
                name, attributes, ..
            } => {
                let attribute = |wanted: &str| {
                    let found = attributes.iter().find(|one| one.name.local_name == wanted);
                    found.map(|one| one.value.clone())
                };
                value.clear();
                match &*name.local_name {
                    "c" => {
                        place = place_of(&attribute("r").expect("a place"));
                        kind = attribute("t").unwrap_or_default();
                        style = attribute("s").map_or(0, |s| s.parse().expect("a style"));
                    }
                    "f" => panic!("there is a formula at {place:?}"),
                    _ => {}
                }
            }
            XmlEvent::Characters(text) => value.push_str(&text),
            XmlEvent::EndElement { name } if matches!(&*name.local_name, "v" | "t") => {
                let cell = match &*kind {
                    "s" => Cell::Text(shared[value.parse::<usize>().expect("an index")].clone()),
                    "inlineStr" => Cell::Text(unescaped(&value)),
                    "" | "n" => Cell::Number(value.clone(), formats[style].clone()),
                    other => panic!("a cell of kind {other}"),
                };
                rows.entry(place.0).or_default().insert(place.1, cell);
            }
            _ => {}
        }
    }
    let width = rows.values().filter_map(|row| row.keys().max()).max();
    let width = width.map_or(0, |last| last + 1);
    let last = rows.keys().max().map_or(0, |last| last + 1);
    let cell = |row, column| {
        let found = rows.get(&row).and_then(|row| row.get(&column));
        found.cloned().unwrap_or(Cell::Empty)
    };
    let row = |row| (0..width).map(|column| cell(row, column)).collect();
    (0..last).map(row).collect()
}

/// Returns a part of the archive as text.
pub fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let mut text = String::new();
    let mut part = archive.by_name(name).expect(name);
    part.read_to_string(&mut text).expect("UTF-8");
    text
}

/// Returns the names and contents of all parts, sorted by name.
pub fn parts(bytes: &[u8]) -> Vec<(String, String)> {
    let mut names: Vec<String> = parts_of(bytes).collect();
    names.sort();
    let part = |name: String| (part(bytes, &name), name);
    names.into_iter().map(part).collect()
}

fn parts_of(bytes: &[u8]) -> impl Iterator<Item = String> {
    let archive = ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let names = archive.file_names();
    let names: Vec<String> = names
        .map(|name| name.expect("UTF-8").into_owned())
        .collect();
    names.into_iter()
}

/// Returns the row and column, counted from 0: `AB12` is row 11, column 27.
fn place_of(name: &str) -> (usize, usize) {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = letters
        .bytes()
        .fold(0, |all, letter| all * 26 + usize::from(letter - b'A') + 1);
    let row: usize = name[letters.len()..].parse().expect("a row");
    (row - 1, number - 1)
}

/// Returns the shared strings. `_x000D_` stands for characters that XML would change (ECMA-376,
/// part 1, 22.9.2.19).
fn shared_strings(document: &str) -> Vec<String> {
    let (mut texts, mut text) = (Vec::new(), String::new());
    for event in EventReader::from_str(document) {
        match event.expect("XML") {
            XmlEvent::Characters(more) | XmlEvent::Whitespace(more) => text.push_str(&more),
            XmlEvent::StartElement { name, .. } if name.local_name == "si" => text.clear(),
            XmlEvent::EndElement { name } if name.local_name == "si" => {
                texts.push(unescaped(&text))
            }
            _ => {}
        }
    }
    texts
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let code = rest
            .get(at + 2..at + 7)
            .and_then(|code| code.strip_suffix('_'));
        let letter = code.and_then(|code| u32::from_str_radix(code, 16).ok());
        match letter.and_then(char::from_u32) {
            Some(letter) => {
                plain.push_str(&rest[..at]);
                plain.push(letter);
                rest = &rest[at + 7..];
            }
            None => {
                plain.push_str(&rest[..at + 2]);
                rest = &rest[at + 2..];
            }
        }
    }
    plain + rest
}

/// The number format of each style.
fn formats(document: &str) -> Vec<String> {
    let mut codes = BTreeMap::from([
        ("0".to_owned(), "General".to_owned()),
        ("1".to_owned(), "0".to_owned()),
        ("4".to_owned(), "#,##0.00".to_owned()),
    ]);
    let (mut styles, mut in_styles) = (Vec::new(), false);
    for event in EventReader::from_str(document) {
        match event.expect("XML") {
            XmlEvent::StartElement {
                name, attributes, ..
            } => {
                let attribute = |wanted: &str| {
                    let found = attributes.iter().find(|one| one.name.local_name == wanted);
                    found.expect(wanted).value.clone()
                };
                match &*name.local_name {
                    "numFmt" => drop(codes.insert(attribute("numFmtId"), attribute("formatCode"))),
                    "cellXfs" => in_styles = true,
                    "xf" if in_styles => styles.push(codes[&attribute("numFmtId")].clone()),
                    _ => {}
                }
            }
            XmlEvent::EndElement { name } if name.local_name == "cellXfs" => in_styles = false,
            _ => {}
        }
    }
    styles
}
