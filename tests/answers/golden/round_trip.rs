//! The lines of the data and the answers are equal.

use std::collections::BTreeSet;

use super::read_back::{Element, read_json};
use super::{DATA, bodies, body_of, common_leaves};

/// The record of the line whose number is `number`, as an element.
fn line_of(number: &str) -> Element {
    let named = |line: &&str| line.contains(&format!("Number\":\"{number}\""));
    let line = DATA.lines().rfind(named).expect(number);
    read_json(line, "line")
        .children
        .pop()
        .expect("the record ends the line")
}

fn without(leaves: Vec<(String, String)>, path: &str) -> Vec<(String, String)> {
    leaves
        .into_iter()
        .filter(|(given, _)| given != path)
        .collect()
}

#[test]
fn what_goes_in_comes_out() {
    let mut bodies = bodies();
    for (name, number) in [
        ("purchase223/all-filled", "39600000001"),
        ("purchase223/several-of-each", "39600000003"),
        ("purchase615/all-filled", "096000000000000001"),
        ("purchase615/contract-without-winner", "096000000000000004"),
    ] {
        let mut line = without(line_of(number).leaves(), "/md5");
        for root in body_of(&mut bodies, name) {
            let mut told = without(root.leaves(), "/md5");
            if name.contains("without") {
                // The line has no winner at all, the answer an empty one.
                told.retain(|(_, text)| !text.is_empty());
                line.retain(|(_, text)| !text.is_empty());
            }
            assert_eq!(told, line, "{name}");
        }
    }
    // The line with the only contract of its supplier, and with the only entry.
    for (name, inn) in [
        ("contracts/all-filled", "9600000002"),
        ("rnp/all-filled", "9600000021"),
    ] {
        let line = DATA
            .lines()
            .find(|line| line.contains(&format!("\"inn\":\"{inn}\"")))
            .expect(inn);
        let record = read_json(line, "line").children.pop().expect("the record");
        for root in body_of(&mut bodies, name) {
            let list = root.children.last().expect("the list ends the answer");
            assert_eq!(list.children.len(), 1, "{name}");
            assert_eq!(list.children[0].leaves(), record.leaves(), "{name}");
        }
    }
    let lines = DATA.lines().filter(|line| line.contains("\"9600000007\""));
    let records = lines.filter_map(|line| read_json(line, "line").children.pop());
    let oldest_first: Vec<Element> = records.collect();
    for root in body_of(&mut bodies, "contracts/flags") {
        let list = root.children.last().expect("the list ends the answer");
        assert_eq!(list.children.len(), 8);
        for (told, record) in list.children.iter().rev().zip(&oldest_first) {
            let [told, given] = common_leaves(told, record);
            assert!(given.len() > 8);
            assert_eq!(told, given);
        }
    }
}

#[test]
fn what_goes_in_comes_out_of_a_44_card_in_one_format_or_the_other() {
    let mut bodies = bodies();
    for (name, number) in [
        ("purchase44/all-filled", "0960000000025000001"),
        ("purchase44/several-of-each", "0960000000025000003"),
        ("purchase44/flags", "0960000000025000007"),
    ] {
        let line = line_of(number);
        let mut told = BTreeSet::new();
        for root in body_of(&mut bodies, name) {
            let [mut out, mut given] = common_leaves(&root, &line);
            // What a line omits is empty in the answer.
            out.retain(|(_, text)| !text.is_empty());
            given.retain(|(_, text)| !text.is_empty());
            assert_eq!(out, given, "{name}");
            told.extend(out);
        }
        let mut given: BTreeSet<_> = line.leaves().into_iter().collect();
        given.retain(|(_, text)| !text.is_empty());
        let lost: Vec<_> = given.difference(&told).collect();
        assert!(lost.is_empty(), "{name} loses {lost:?}");
    }
}
