//! Every link in a chapter or README leads to an existing file and heading.

use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;
use procurement_lookup::manual::sections;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{read, root, texts};

fn targets(text: &str) -> Vec<String> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES);
    let targets = events.filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url),
        _ => None,
    });
    targets.map(|target| target.to_string()).collect()
}

fn beside(file: &str, path: &str) -> PathBuf {
    let folder = Path::new(file).parent().expect("a folder");
    let mut out = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => {
                assert!(out.pop(), "{file}: {path} leads out of the repository")
            }
            part => out.push(part),
        }
    }
    out
}

/// Returns what is wrong with a link, if anything.
fn fault(file: &str, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match path {
        "" => PathBuf::from(file),
        path => beside(file, path),
    };
    if !root().join(&path).exists() {
        return Some(format!("{file}: {target}: no such file"));
    }
    if anchor.is_empty() {
        return None;
    }
    let anchor = percent_decode_str(anchor).decode_utf8().expect("UTF-8");
    let sections = sections(&read(path.to_str().expect("UTF-8")));
    let is_there = sections.iter().any(|section| section.anchor == anchor);
    (!is_there).then(|| format!("{file}: {target}: no such heading"))
}

#[test]
fn every_link_resolves() {
    let (mut links, mut faults) = (0, Vec::new());
    for file in texts() {
        for target in targets(&read(&file)) {
            links += 1;
            faults.extend(fault(&file, &target));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(links > 50, "the texts were not understood: {links}");
}
