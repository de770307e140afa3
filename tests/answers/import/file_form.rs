//! The format of JSON Lines files.

use super::*;

#[test]
fn a_byte_order_mark_blank_lines_and_line_ends_do_not_matter() {
    let (one, two) = (contract(INN, "1", ""), contract(INN, "2", ""));
    let (one, two) = (one.trim_end(), two.trim_end());
    for (form, content) in [
        ("plain", format!("{one}\n{two}\n")),
        ("no end of line at the end", format!("{one}\n{two}")),
        ("a mark", format!("\u{feff}{one}\n{two}\n")),
        ("other line ends", format!("{one}\r\n{two}\r\n")),
        ("blank lines", format!("\n \t\r\n{one}\n\n\n{two}\n\n \n")),
        ("white space", format!("  {one}\t\n\t {two}  ")),
        ("a mark and a blank line", format!("\u{feff}\n{one}\n{two}")),
    ] {
        let folder = Folder::new();
        let summary = folder.take(content);
        assert_eq!(summary.kinds.len(), 1, "{form}");
        assert_eq!(folder.answers().contracts(INN), ["2", "1"], "{form}");
    }
    // Blank lines are included in line numbers. A byte order mark is only valid at the start of a
    // file.
    let folder = Folder::new();
    let (_, problems) = folder.import(format!("\u{feff}\n\r\n{one}\n\u{feff}{two}\n"));
    assert_eq!(problems, ["x.jsonl:4: not a JSON object"]);
}

#[test]
fn an_empty_file_is_valid() {
    for content in ["", "\n", "\u{feff}", "\r\n\r\n"] {
        let folder = Folder::new();
        let summary = folder.take(content);
        let nothing = Summary {
            bytes: summary.bytes,
            time: summary.time,
            writing_time: summary.writing_time,
            ..Summary::default()
        };
        assert_eq!(summary, nothing);
    }
}

#[test]
fn values_may_have_several_forms() {
    let folder = Folder::new();
    let forms = [
        r#","contractPrice":1500,"subContractors":true,"products":[{"code":"1","sum":0.5}],"penaltiesTotal":null"#,
        r#","contractPrice":"1.5e3","subContractors":"true","products":{"code":"1","sum":"5E-1"},"penaltiesTotal":"""#,
        r#","products":[{"sum":"0.50","code":1}],"contractPrice":1500.00,"subContractors":true,"customerName":null"#,
    ];
    let pages: Vec<String> = forms
        .iter()
        .map(|fields| {
            folder.take(contract(INN, "1", fields));
            folder.answers().page(INN)
        })
        .collect();
    assert!(
        pages[0].contains(r#""contractPrice":1500,"#) && pages[0].contains(r#""sum":0.5}"#),
        "{}",
        pages[0]
    );
    assert_eq!(pages[0], pages[1]);
    assert_eq!(pages[0], pages[2]);
}
