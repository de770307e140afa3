//! Checks that the XML paths used by the readers exist, kind by kind: in the official schemas, or
//! in real documents that are older or newer than the schemas.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use procurement_lookup::import::{Consulted, Generation, KINDS, Kind, PARTY, Subject};
use xml::reader::{EventReader, XmlEvent};

type Name = (String, String);

#[derive(Debug, Default)]
struct Content {
    /// The child elements, each with its local name and the index of its content.
    elements: Vec<(String, usize)>,
    /// Types, groups and elements whose content is included in this one.
    bases: Vec<Name>,
}

/// Elements and their contents, from one version of the official schemas or from real documents.
#[derive(Debug, Default)]
struct Elements {
    contents: Vec<Content>,
    /// Types, groups and global elements of the schemas.
    named: BTreeMap<Name, Vec<usize>>,
    /// Possible root elements of documents, each with its local name and contents.
    documents: Vec<(String, Vec<usize>)>,
}

/// The files of each version of the schemas. Where a published set lacks files, those of another
/// version stand in, as in `scripts/checking/schemas`.
const VERSIONS: &[&[&str]] = &[
    &["44fz-11.0.4"],
    &[
        "44fz-14.1",
        "44fz-16.2/BaseTypes.xsd",
        "44fz-16.2/CommonTypes.xsd",
        "44fz-16.2/IntegrationKOTypes.xsd",
    ],
    &["44fz-16.2", "44fz-14.1/IntegrationTypes.xsd"],
    &["223fz"],
    &["223fz-16.2"],
];

impl Elements {
    fn of_schemas(folder: &Path, version: &[&str]) -> Self {
        let mut all = Self::default();
        for part in version {
            for path in files(&folder.join(part), "xsd") {
                all.add_schema(&fs::read_to_string(&path).expect("a schema"));
            }
        }
        for (name, contents) in &all.named {
            if name.1 == "export" {
                for content in all.whole(contents) {
                    let elements = all.contents[content].elements.iter();
                    let elements = elements.map(|(name, own)| (name.clone(), vec![*own]));
                    all.documents.extend(elements);
                }
            }
        }
        // Types of documents before 2015, which no element uses any longer.
        for (document, of_old) in OLD_TYPES {
            let named = all.named.iter().filter(|(name, _)| name.1 == *of_old);
            let contents = named.flat_map(|(_, contents)| contents.iter().copied());
            all.documents
                .push(((*document).to_owned(), contents.collect()));
        }
        all
    }

    fn of_documents(folder: &Path) -> Self {
        let mut all = Self::default();
        for file in files(folder, "xml") {
            all.add_document(&fs::read_to_string(&file).expect("a document"));
        }
        all
    }

    fn add_schema(&mut self, text: &str) {
        // Indexes of the contents of the open elements, outermost first.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut target = String::new();
        for event in EventReader::from_str(text) {
            match event.expect("well-formed") {
                XmlEvent::StartElement {
                    name,
                    attributes,
                    namespace,
                } => {
                    let value = |wanted: &str| {
                        let found = attributes.iter().find(|one| one.name.local_name == wanted);
                        found.map(|one| one.value.as_str())
                    };
                    let qualified = |text: &str| {
                        let (prefix, local) = text.split_once(':').unwrap_or(("", text));
                        let uri = namespace.get(prefix).unwrap_or_default();
                        (uri.to_owned(), local.to_owned())
                    };
                    let inner = open.iter().rev().find_map(|one| *one);
                    let kind = name.local_name.as_str();
                    if kind == "schema" {
                        value("targetNamespace")
                            .unwrap_or_default()
                            .clone_into(&mut target);
                    }
                    let base = value("ref").or(value("type")).map(qualified);
                    let own = value("name")
                        .or(value("ref"))
                        .map(|name| local(name).to_owned());
                    open.push(match (kind, own) {
                        ("complexType" | "group", Some(_)) if value("name").is_none() => {
                            let inner = &mut self.contents[inner.expect("within a type")];
                            inner.bases.extend(base);
                            None
                        }
                        ("element" | "complexType" | "group", Some(own)) => {
                            Some(self.declare(inner, kind, (target.clone(), own), base))
                        }
                        ("extension" | "restriction", _) => {
                            if let (Some(inner), Some(base)) = (inner, value("base")) {
                                self.contents[inner].bases.push(qualified(base));
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

    /// Adds an element inside `inner`, or a named part of the schemas.
    fn declare(
        &mut self,
        inner: Option<usize>,
        kind: &str,
        name: Name,
        base: Option<Name>,
    ) -> usize {
        let own = self.contents.len();
        self.contents.push(Content {
            elements: Vec::new(),
            bases: base.into_iter().collect(),
        });
        match inner {
            Some(inner) if kind == "element" => self.contents[inner].elements.push((name.1, own)),
            _ => {
                if kind == "element" {
                    self.documents.push((name.1.clone(), vec![own]));
                }
                self.named.entry(name).or_default().push(own);
            }
        }
        own
    }

    fn add_document(&mut self, text: &str) {
        // Contents of the open elements. `export` has no content of its own.
        let mut open: Vec<Option<usize>> = Vec::new();
        for event in EventReader::from_str(text) {
            match event {
                Ok(XmlEvent::StartElement { name, .. }) => {
                    let is_export = open.is_empty() && name.local_name == "export";
                    let outer = open.last().copied().flatten();
                    open.push((!is_export).then(|| self.find(outer, name.local_name)));
                }
                Ok(XmlEvent::EndElement { .. }) => drop(open.pop()),
                Ok(_) => {}
                // One of the real documents is malformed.
                Err(_) => break,
            }
        }
    }

    /// Returns the content of the element `name` inside `outer`. For a root element, adds a new
    /// content, because documents of the same name may be of different kinds.
    fn find(&mut self, outer: Option<usize>, name: String) -> usize {
        let own = self.contents.len();
        let known = outer.and_then(|outer| {
            let elements = self.contents[outer].elements.iter();
            elements.clone().find(|(known, _)| *known == name)
        });
        if let Some((_, known)) = known {
            return *known;
        }
        match outer {
            Some(outer) => self.contents[outer].elements.push((name, own)),
            None => self.documents.push((name, vec![own])),
        }
        self.contents.push(Content::default());
        own
    }

    /// Returns `contents` together with all their bases.
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

    /// Returns the contents of the child elements that a step of a path selects.
    fn step(&self, contents: &BTreeSet<usize>, step: &str) -> BTreeSet<usize> {
        let elements = contents
            .iter()
            .flat_map(|one| &self.contents[*one].elements);
        let found = elements.filter(|(name, _)| is_step(name, step));
        let found: Vec<usize> = found.map(|(_, content)| *content).collect();
        self.whole(&found)
    }

    /// Returns `contents` together with the contents of all descendants.
    fn deep(&self, contents: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = contents;
        loop {
            let inner = self.step(&all, "*");
            let before = all.len();
            all.extend(inner);
            if all.len() == before {
                return all;
            }
        }
    }

    /// Returns the contents of the documents of each kind, in the order of the register. A document
    /// belongs to the first kind that matches.
    fn by_kind(&self) -> Vec<BTreeSet<usize>> {
        let mut found = vec![BTreeSet::new(); KINDS.len()];
        for (name, contents) in &self.documents {
            let whole = self.whole(contents);
            let is_of = |kind: &Kind| {
                let has = |child: &str| !self.step(&whole, child).is_empty();
                kind.is_called(name) && kind.having.is_none_or(has)
            };
            if let Some(first) = KINDS.iter().position(is_of) {
                found[first].extend(whole);
            }
        }
        found
    }

    /// Returns whether there is an element at `path`. An empty step stands for any depth.
    fn has(&self, documents: &BTreeSet<usize>, path: &str) -> bool {
        let mut here = documents.clone();
        for step in path.split('/').filter(|step| *step != ".") {
            here = match step {
                "" => self.deep(here),
                step => self.step(&here, step),
            };
        }
        !here.is_empty()
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

/// Returns the files with this extension at or below `path`, sorted.
fn files(path: &Path, extension: &str) -> Vec<PathBuf> {
    if !path.is_dir() {
        let is_wanted = path.extension().is_some_and(|own| own == extension);
        return is_wanted.then(|| path.to_owned()).into_iter().collect();
    }
    let entries = fs::read_dir(path).expect("a folder");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
        .iter()
        .flat_map(|path| files(path, extension))
        .collect()
}

/// Returns what the kinds with a common reader share: description, generation, and paths of the
/// number.
fn group(kind: &Kind) -> Group {
    (kind.about, kind.what, kind.generation, kind.number)
}

type Paths = &'static [&'static str];

type Group = (Subject, [&'static str; 2], Generation, Paths);

/// Returns the contents of the documents of each group of kinds, separately for each of `all`.
fn groups(all: &[Elements]) -> BTreeMap<Group, Vec<BTreeSet<usize>>> {
    let by_kind: Vec<_> = all.iter().map(Elements::by_kind).collect();
    let mut groups = BTreeMap::new();
    for (index, kind) in KINDS.iter().enumerate() {
        let known = groups
            .entry(group(kind))
            .or_insert_with(|| vec![BTreeSet::new(); all.len()]);
        for (known, by_kind) in known.iter_mut().zip(&by_kind) {
            known.extend(by_kind[index].iter().copied());
        }
    }
    groups
}

/// Each path that a reader looks for must exist in a schema or a real document of one of its kinds.
/// The schemas are in a folder next to the one with the documents.
#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn real_schemas_have_each_path_of_the_readers() {
    let folder = std::env::var_os("EIS_DOCUMENTS").expect("EIS_DOCUMENTS is set");
    let folder = PathBuf::from(folder);
    let schemas = folder.with_file_name("schemas");
    let versions = VERSIONS.iter();
    let mut all: Vec<Elements> = versions
        .map(|version| Elements::of_schemas(&schemas, version))
        .collect();
    all.push(Elements::of_documents(&folder));
    let invented = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    let read = |path| fs::read_to_string(path).expect("a document");
    let invented: Vec<String> = files(&invented, "xml").into_iter().map(read).collect();
    let consulted = Consulted::new(invented.iter().map(String::as_str)).expect("documents");
    let mut unknown = BTreeSet::new();
    let groups = groups(&all);
    for (kind, readings) in &consulted.of_kinds {
        let documents = &groups[&group(kind)];
        for reading in readings {
            let path = reading.path.strip_suffix(PARTY).unwrap_or(&reading.path);
            let path = path.trim_end_matches('/');
            // Attributes are not compared.
            let is_path = !path.contains('@') && !["", "."].contains(&path);
            let mut places = all.iter().zip(documents);
            if is_path && !places.any(|(all, documents)| all.has(documents, path)) {
                unknown.insert(format!("{:?}: {path}", group(kind)));
            }
        }
    }
    // Parties have the same form in documents of all kinds.
    for reading in &consulted.of_parties {
        let is_in = |all: &Elements| all.has(&(0..all.contents.len()).collect(), &reading.named);
        if !all.iter().any(is_in) {
            unknown.insert(format!("a party: {}", reading.named));
        }
    }
    let unknown: Vec<String> = unknown.into_iter().collect();
    assert_eq!(unknown, [""; 0]);
}

/// Documents before 2015, with their types in the schemas of 44-FZ.
const OLD_TYPES: &[(&str, &str)] = &[
    ("contract", "zfcs_contractType"),
    ("contractProcedure", "zfcs_contractProcedureType"),
    (
        "contractProcedureCancel",
        "zfcs_contractProcedureCancelType",
    ),
];
