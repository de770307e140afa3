//! Seeds for the fuzz targets. They are taken from the inputs of other tests.

use std::fs;
use std::path::{Path, PathBuf};

use procurement_lookup::import::{Line, parse_line};

use super::{archives, connections, emitter};

/// Requests in addition to the golden tests' requests. The demonstration data has answers to most
/// of them.
const REQUESTS: &[&str] = &[
    "GET /contract/monitor-supplier44?supplierINN=9602003012&apikey=demo",
    "GET /contract/monitor-supplier44?supplierInn=9602000445&api_key=demo&format=json&limit=1&skip=200",
    "GET /contract/monitor-supplier44?supplierINN=9602000445&apikey=demo&stage=E,EC&signedFrom=2024-01-01&signedTo=2025-12-31&priceFrom=0.01&priceTo=99999999.5&sort=-contractPrice",
    "GET /contract/monitor-supplier44?supplierINN=9602000445&apikey=demo&updatedFrom=2024-02-29&customerInn=9601003250&sort=updateDate&skip=1",
    "GET /contract/summary-supplier44?supplierINN=9602000445&apikey=demo&stage=ET,IN",
    "GET /contract/monitor-customer44?customerInn=9601001012&apikey=demo&stage=E,EC&sort=contractPrice&limit=3&skip=1",
    "GET /find?q=%D0%9E%D0%9E%D0%9E+%22%D1%84%D0%B0%D1%80%D0%BC&apikey=demo&limit=3",
    "GET /purchase/demo44?purchaseNumber=0296200019924000003&apikey=demo",
    "HEAD /purchase/demo44?purchaseNumber=0296200019924000003&apikey=demo&format=JSON",
    "GET /purchase/demo223?purchaseNumber=32515902214&apikey=demo&format=json",
    "GET /purchase/demo223?purchaseNumber=029620004102400014&apikey=demo&format=xMl",
    "GET http://host:80/purchase/demo615?purchaseNumber=029620004102400014&apikey=demo#x",
    "GET /rnp/check-supplier?supplierINN=9602006662&apikey=demo\nIf-None-Match: W/\"a\", *",
    "GET /rnp/check-supplier?supplierINN=%39602007779&asOf=2024-02-29\nX-API-Key: demo",
    "GET /changes?after=0&skip=7&limit=3&apikey=demo&format=json",
    "POST /rnp/check-supplier?supplierINN=9602007779\nAuthorization: Bearer demo",
    "OPTIONS *",
    "GET /?lang=en\nAccept-Language: ru, en;q=0.5\nAccept-Encoding: gzip",
    "GET /?q=%3Cb%3E+9602000445&lang=ru",
    "GET /rnp/check-suppliers?supplierINN=9602006662,x,%20&asOf=2024-01-01&history=1&receipt=1&apikey=demo&format=csv",
    "GET /signing-key.pem",
    "GET /purchase/demo44?purchaseNumber=1&errors=http&x%0a=1&apikey=demo\nAccept: text/csv;q=0.9, application/json;q=1, */*;q=0",
];

/// If `FUZZ_SEEDS` is set, writes the seeds of a target to the folder with that name and exits. The
/// fuzz targets call this themselves, because a binary without a fuzz target could not be linked in
/// this crate.
pub fn write_if_asked(target: &str) {
    let Some(folder) = std::env::var_os("FUZZ_SEEDS") else {
        return;
    };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).expect("the folder is made");
    for (number, seed) in of(target).iter().enumerate() {
        let path = folder.join(format!("seed-{number:03}"));
        fs::write(path, seed).expect("the seed is written");
    }
    std::process::exit(0);
}

/// Returns the folder `tests` of the main crate.
fn tests() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = here.join("tests");
    if tests.is_dir() {
        tests
    } else {
        here.join("..")
    }
}

/// Returns the contents of all files with this extension in a folder and its subfolders, in the order
/// of their paths.
fn files(folder: &Path, extension: &str) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten();
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let read = |path: &PathBuf| fs::read(path).expect("a readable file");
    paths.iter().map(read).collect()
}

fn official_documents() -> Vec<Vec<u8>> {
    files(&tests().join("../data/documents"), "xml")
}

fn golden_lines() -> Vec<Vec<u8>> {
    let data = fs::read(tests().join("answers/golden/data.jsonl")).expect("the golden data");
    let lines = data
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    lines.map(<[u8]>::to_vec).collect()
}

/// Returns the seeds of the target with this name.
pub fn of(target: &str) -> Vec<Vec<u8>> {
    match target {
        "query" => requests(),
        "emitter" => golden_lines()
            .iter()
            .filter_map(|line| record(line))
            .collect(),
        "lines" => {
            let mut seeds = golden_lines();
            seeds.push(seeds[..4].join(&b'\n'));
            seeds
        }
        "documents" => official_documents(),
        "archives" => archives::seeds(&official_documents(), &golden_lines().concat()),
        "connections" => connections::seeds(),
        _ => Vec::new(),
    }
}

/// Returns [`REQUESTS`] and the requests of the golden tests with the key `demo`.
fn requests() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = REQUESTS
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
    for case in files(&tests().join("answers/golden"), "http") {
        let case = String::from_utf8_lossy(&case);
        let request = case.split("\n\n").next().unwrap_or_default();
        seeds.push(request.replace("KEY", "demo").into_bytes());
    }
    seeds.sort();
    seeds.dedup();
    seeds
}

/// Converts a line to an input of the target `emitter`.
fn record(line: &[u8]) -> Option<Vec<u8>> {
    Some(match parse_line(line).ok()?? {
        Line::Contract(supplier, contract) => {
            let page: emitter::PageInput = (supplier.name, 1, 50, vec![*contract]);
            emitter::input(emitter::PAGE, &page)
        }
        Line::RnpEntry(supplier, entry) => {
            let check: emitter::CheckInput = (supplier.name, vec![*entry]);
            emitter::input(emitter::CHECK, &check)
        }
        Line::Purchase(card) => emitter::input(emitter::CARD, &card),
        Line::Supplier(supplier) => [&[emitter::TEXT], supplier.name.as_bytes()].concat(),
        Line::Registry(..) | Line::Coverage(_) => return None,
    })
}
