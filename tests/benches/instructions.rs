//! Counts the instructions of the parts of an answer: `cargo bench -p procurement-lookup-benches
//! --bench instructions`. The counts are almost the same from run to run, however busy the machine
//! is.
//!
//! Counting needs valgrind, and gungraun-runner in the version of the crate gungraun. Without them,
//! this says so and passes.

mod subjects;

use std::process::{Command, ExitCode, Stdio};

/// The programs needed, and how to get them.
const NEEDED: [(&str, &str); 2] = [
    ("valgrind", "apt-get install valgrind"),
    (
        RUNNER,
        "cargo install gungraun-runner --version 0.20.0 --locked",
    ),
];

/// Where the crate looks for it.
const RUNNER: &str = match option_env!("GUNGRAUN_RUNNER") {
    Some(path) => path,
    None => "gungraun-runner",
};

fn main() -> ExitCode {
    // The runner runs this program again under valgrind to do the measured work.
    let is_counted = std::env::args()
        .nth(1)
        .is_some_and(|first| first == "--gungraun-run");
    if !is_counted {
        for (program, how) in NEEDED {
            let mut command = Command::new(program);
            command
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if command.status().is_err() {
                println!("instructions: skipped: there is no {program} here ({how})");
                return ExitCode::SUCCESS;
            }
        }
    }
    counted::count();
    ExitCode::SUCCESS
}

mod counted {
    use std::hint::black_box;

    use gungraun::{library_benchmark, library_benchmark_group};
    use procurement_lookup::model::Contract;

    use super::subjects::{
        self, AWKWARD, Arrivals, Asked, CARD, LONG_HEAD, PAGE_JSON, PAGE_XML, PLAIN, RNP,
        SHORT_HEAD,
    };

    /// The measured function returns its input, so that dropping it is not counted.
    type Texts = (Vec<u8>, [&'static str; 4]);

    fn texts(texts: [&'static str; 4]) -> Texts {
        (Vec::with_capacity(4096), texts)
    }

    #[library_benchmark(setup = texts)]
    #[bench::plain(PLAIN)]
    #[bench::awkward(AWKWARD)]
    fn xml_texts((mut out, texts): Texts) -> Vec<u8> {
        subjects::xml_texts(&mut out, &texts);
        out
    }

    #[library_benchmark(setup = texts)]
    #[bench::plain(PLAIN)]
    #[bench::awkward(AWKWARD)]
    fn json_texts((mut out, texts): Texts) -> Vec<u8> {
        subjects::json_texts(&mut out, &texts);
        out
    }

    #[library_benchmark]
    #[bench::encode(subjects::contract())]
    fn record_encode(contract: Contract) -> (Contract, Vec<u8>) {
        let record = subjects::encode(black_box(&contract));
        (contract, record)
    }

    #[library_benchmark]
    #[bench::decode(subjects::encode(&subjects::contract()))]
    fn record_decode(record: Vec<u8>) -> (Vec<u8>, bool) {
        let is_read = subjects::decode(black_box(&record));
        (record, is_read)
    }

    #[library_benchmark(setup = Asked::warm)]
    #[bench::page_of_200_xml(PAGE_XML)]
    #[bench::page_of_200_json(PAGE_JSON)]
    #[bench::rnp_check(RNP)]
    #[bench::card_44(CARD)]
    fn answer(mut asked: Asked) -> (Asked, u16) {
        let status = asked.ask();
        (asked, status)
    }

    fn arrivals(head: &'static str) -> (Arrivals, &'static str) {
        (Arrivals::warm(), head)
    }

    #[library_benchmark(setup = arrivals)]
    #[bench::short(SHORT_HEAD)]
    #[bench::long(LONG_HEAD)]
    fn head((mut arrivals, bytes): (Arrivals, &'static str)) -> (Arrivals, usize) {
        let headers = arrivals.head(bytes);
        (arrivals, headers)
    }

    library_benchmark_group!(
        name = parts,
        benchmarks = [
            xml_texts,
            json_texts,
            record_encode,
            record_decode,
            answer,
            head
        ]
    );

    gungraun::main!(library_benchmark_groups = parts);

    /// Counts, or does the measured work.
    pub fn count() {
        main();
    }
}
