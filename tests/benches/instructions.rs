//! Counts the instructions that the parts of a response take: `cargo bench -p
//! procurement-lookup-benches --bench instructions`. The counts are almost identical from run to
//! run, even on a busy machine.
//!
//! Counting requires valgrind, and gungraun-runner in the same version as the crate gungraun. If
//! they are missing, the benchmark says so and succeeds.

mod subjects;

use std::process::{Command, ExitCode, Stdio};

/// The required programs, and how to install them.
const NEEDED: [(&str, &str); 2] = [
    ("valgrind", "apt-get install valgrind"),
    (
        RUNNER,
        "cargo install gungraun-runner --version 0.20.0 --locked",
    ),
];

/// The path at which the crate gungraun looks for the runner.
const RUNNER: &str = match option_env!("GUNGRAUN_RUNNER") {
    Some(path) => path,
    None => "gungraun-runner",
};

fn main() -> ExitCode {
    // To do the measured work, the runner starts this program again under valgrind.
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

    /// Input of a measured function. The function returns its input, so that dropping it is not
    /// counted.
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

    /// Starts the counting. In a process that the runner has started, does the measured work
    /// instead.
    pub fn count() {
        main();
    }
}
