//! How long the parts of an answer take, by the clock: `cargo bench -p procurement-lookup-benches --bench wall-time`.

mod subjects;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use subjects::{
    AWKWARD, Arrivals, Asked, CARD, LONG_HEAD, PAGE_JSON, PAGE_XML, PLAIN, RNP, SHORT_HEAD, Signed,
};

fn main() {
    divan::main();
}

/// Four texts, in a buffer that has room.
fn texts(bencher: Bencher, write: impl Fn(&mut Vec<u8>) + Sync) {
    let mut out = Vec::with_capacity(4096);
    bencher.bench_local(|| {
        out.clear();
        write(black_box(&mut out));
        out.len()
    });
}

#[divan::bench]
fn xml_texts_plain(bencher: Bencher) {
    texts(bencher, |out| subjects::xml_texts(out, &PLAIN));
}

#[divan::bench]
fn xml_texts_awkward(bencher: Bencher) {
    texts(bencher, |out| subjects::xml_texts(out, &AWKWARD));
}

#[divan::bench]
fn json_texts_plain(bencher: Bencher) {
    texts(bencher, |out| subjects::json_texts(out, &PLAIN));
}

#[divan::bench]
fn json_texts_awkward(bencher: Bencher) {
    texts(bencher, |out| subjects::json_texts(out, &AWKWARD));
}

#[divan::bench]
fn record_encode(bencher: Bencher) {
    let contract = subjects::contract();
    bencher.bench_local(|| subjects::encode(black_box(&contract)));
}

#[divan::bench]
fn record_decode(bencher: Bencher) {
    let record = subjects::encode(&subjects::contract());
    bencher.bench_local(|| assert!(subjects::decode(black_box(&record))));
}

#[divan::bench(args = [PAGE_XML, PAGE_JSON, RNP, CARD])]
fn answer(bencher: Bencher, target: &'static str) {
    let mut asked = Asked::warm(target);
    bencher.bench_local(|| asked.ask());
}

#[divan::bench]
fn head_short(bencher: Bencher) {
    let mut arrivals = Arrivals::warm();
    bencher.bench_local(|| arrivals.head(SHORT_HEAD));
}

#[divan::bench]
fn head_long(bencher: Bencher) {
    let mut arrivals = Arrivals::warm();
    bencher.bench_local(|| arrivals.head(LONG_HEAD));
}

/// On one core; the counter prints how many a second.
#[divan::bench]
fn receipt_verified(bencher: Bencher) {
    let signed = Signed::new();
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench_local(|| assert!(signed.holds()));
}
