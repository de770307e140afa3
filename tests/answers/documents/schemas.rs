//! What readers look for, compared with the official schemas, and with real documents where
//! those are newer: a path that neither has is a misspelling.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use procurement_lookup::import::{Consulted, KINDS, PARTY, Subject};
use xml::reader::{EventReader, XmlEvent};

/// Pairs of names of elements; the second is within the first.
type Within = BTreeSet<(String, String)>;

/// The content of an element or a type of a schema.
#[derive(Debug, Default)]
struct Content {
    /// Its elements, each with its name and the number of its content.
    elements: Vec<(String, usize)>,
    /// The types, groups and elements whose content it has as well.
    bases: Vec<String>,
}

/// All schemas of a folder: contents by the local names of types, groups and global elements,
/// whatever their namespaces.
#[derive(Debug, Default)]
struct Schemas {
    named: BTreeMap<String, Vec<usize>>,
    /// The names of global elements.
    elements: BTreeSet<String>,
    contents: Vec<Content>,
}

impl Schemas {
    fn read(folder: &Path) -> Self {
        let mut schemas = Self::default();
        for path in files(folder, "xsd") {
            let text = fs::read_to_string(&path).expect("a schema");
            schemas.add(&text);
        }
        schemas
    }

    /// Returns the elements within the documents of these names: those of global elements, and of
    /// elements of an `export`.
    fn within(&self, is_named: impl Fn(&str) -> bool) -> Within {
        let global = |name: &String| (name.clone(), self.named[name].clone());
        let mut open: Vec<_> = self.elements.iter().map(global).collect();
        for content in self.whole(&self.named["export"]) {
            let elements = self.contents[content].elements.iter();
            open.extend(elements.map(|(name, own)| (name.clone(), vec![*own])));
        }
        // Types of documents before 2015, which no element has any more.
        for (name, of_old) in OLD_TYPES {
            let contents = self.named.get(*of_old).cloned().unwrap_or_default();
            open.push(((*name).to_owned(), contents));
        }
        open.retain(|(name, _)| is_named(name));
        let (mut within, mut seen) = (Within::new(), BTreeSet::new());
        while let Some((outer, contents)) = open.pop() {
            for content in self.whole(&contents) {
                for (inner, own) in &self.contents[content].elements {
                    within.insert((outer.clone(), inner.clone()));
                    if seen.insert(*own) {
                        open.push((inner.clone(), vec![*own]));
                    }
                }
            }
        }
        within
    }

    fn add(&mut self, text: &str) {
        // The contents that are open, innermost last; none for what has none.
        let mut open: Vec<Option<usize>> = Vec::new();
        for event in EventReader::from_str(text) {
            match event.expect("well-formed") {
                XmlEvent::StartElement {
                    name, attributes, ..
                } => {
                    let value = |wanted: &str| {
                        let found = attributes.iter().find(|one| one.name.local_name == wanted);
                        found.map(|one| local(&one.value).to_owned())
                    };
                    let inner = open.iter().rev().find_map(|one| *one);
                    let kind = name.local_name.as_str();
                    open.push(match (kind, value("name"), value("ref")) {
                        ("complexType" | "group", None, Some(base)) => {
                            self.contents[inner.expect("within a type")]
                                .bases
                                .push(base);
                            None
                        }
                        ("element" | "complexType" | "group", name, global) => {
                            let base = global.clone().or(value("type"));
                            name.or(global)
                                .map(|name| self.name(inner, kind, name, base))
                        }
                        ("extension" | "restriction", ..) => {
                            if let (Some(inner), Some(base)) = (inner, value("base")) {
                                self.contents[inner].bases.push(base);
                            }
                            None
                        }
                        _ => None,
                    });
                }
                XmlEvent::EndElement { .. } => drop(open.pop()),
                _ => {}
            }
        }
    }

    /// Adds an element within another content, or a named part of all schemas.
    fn name(
        &mut self,
        inner: Option<usize>,
        kind: &str,
        name: String,
        base: Option<String>,
    ) -> usize {
        let own = self.contents.len();
        self.contents.push(Content {
            bases: base.into_iter().collect(),
            ..Content::default()
        });
        match inner {
            Some(inner) if kind == "element" => self.contents[inner].elements.push((name, own)),
            _ => {
                if kind == "element" {
                    self.elements.insert(name.clone());
                }
                self.named.entry(name).or_default().push(own);
            }
        }
        own
    }

    /// These contents, with those of their bases.
    fn whole(&self, contents: &[usize]) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = contents.to_vec();
        while let Some(content) = open.pop() {
            if found.insert(content) {
                let bases = self.contents[content].bases.iter();
                open.extend(bases.filter_map(|base| self.named.get(base)).flatten());
            }
        }
        found
    }
}

fn is_step(name: &str, step: &str) -> bool {
    name == step
        || step
            .strip_prefix('*')
            .is_some_and(|end| name.ends_with(end))
        || step
            .strip_suffix('*')
            .is_some_and(|start| name.starts_with(start))
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// The files below a folder with an extension, by path.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The elements within elements of the real documents, by document.
fn within_real(folder: &Path) -> BTreeMap<String, Within> {
    let mut real: BTreeMap<String, Within> = BTreeMap::new();
    for file in files(folder, "xml") {
        let text = fs::read_to_string(&file).expect("a document");
        let mut open: Vec<String> = Vec::new();
        for event in EventReader::from_str(&text) {
            match event {
                Ok(XmlEvent::StartElement { name, .. }) => {
                    open.push(name.local_name);
                    let inside = usize::from(open[0] == "export");
                    if let [document, .., inner] = &open[inside.min(open.len() - 1)..] {
                        let outer = open[open.len() - 2].clone();
                        let within = real.entry(document.clone()).or_default();
                        within.insert((outer, inner.clone()));
                    }
                }
                Ok(XmlEvent::EndElement { .. }) => drop(open.pop()),
                Ok(_) => {}
                // One of them is broken.
                Err(_) => break,
            }
        }
    }
    real
}

/// Whether each step of a path is within the one before; an empty one is at any depth.
fn has(within: &Within, path: &str) -> bool {
    let steps = path.split('/').filter(|step| *step != ".");
    let steps: Vec<&str> = std::iter::once("").chain(steps).collect();
    steps.windows(2).all(|pair| {
        let is_pair = |(outer, inner): &(String, String)| {
            (pair[0].is_empty() || is_step(outer, pair[0])) && is_step(inner, pair[1])
        };
        pair[1].is_empty() || within.iter().any(is_pair)
    })
}

/// Readers of documents about the same share paths, and try those of all schema versions: a
/// path that none of these documents has anywhere is a misspelling. The folder of the schemas is beside that of the documents.
#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_schemas_have_what_readers_look_for() {
    let folder = std::env::var_os("EIS_DOCUMENTS").expect("EIS_DOCUMENTS is set");
    let folder = PathBuf::from(folder);
    let schemas = Schemas::read(&folder.with_file_name("schemas"));
    let real = within_real(&folder);
    let mut known: BTreeMap<Subject, Within> = BTreeMap::new();
    // All documents of a name that is in the register, whatever they are about: a contract
    // under 223-FZ has the name of one under 44-FZ.
    for kind in KINDS {
        let known = known.entry(kind.about).or_default();
        known.extend(schemas.within(|name| kind.is_called(name)));
        let real = real.iter().filter(|(name, _)| kind.is_called(name));
        known.extend(real.flat_map(|(_, within)| within.iter().cloned()));
    }
    let mut unknown = BTreeSet::new();
    let invented = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    let read = |path| fs::read_to_string(path).expect("a document");
    let invented: Vec<String> = files(&invented, "xml").into_iter().map(read).collect();
    let consulted = Consulted::new(invented.iter().map(String::as_str)).expect("documents");
    for (kind, readings) in &consulted.of_kinds {
        for reading in readings {
            let path = reading.named.as_str();
            // Attributes are not compared.
            let is_path = ![".", PARTY].contains(&path) && !path.starts_with('@');
            if is_path && !has(&known[&kind.about], path) {
                unknown.insert(format!("{:?}: {path}", kind.about));
            }
        }
    }
    let anything: Within = known.into_values().flatten().collect();
    for reading in &consulted.of_parties {
        if !has(&anything, &reading.named) {
            unknown.insert(format!("a party: {}", reading.named));
        }
    }
    let unknown: Vec<String> = unknown.into_iter().collect();
    assert_eq!(unknown, [""; 0]);
}

/// Documents before 2015, and their types in the schemas of 44-FZ.
const OLD_TYPES: &[(&str, &str)] = &[
    ("contract", "zfcs_contractType"),
    ("contractProcedure", "zfcs_contractProcedureType"),
    (
        "contractProcedureCancel",
        "zfcs_contractProcedureCancelType",
    ),
];
