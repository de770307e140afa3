use std::io::Read;

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(values: &[&str], encoding: Encoding, always: bool) {
    let wanted = Wanted::of(values.iter().copied());
    assert_eq!(wanted, Wanted { encoding, always }, "{values:?}");
}

#[test]
fn the_best_of_the_most_welcome_is_taken() {
    use Encoding::{Gzip, Identity, Zstd};
    check(&[], Identity, false);
    check(&[""], Identity, false);
    check(&["br, deflate"], Identity, false);
    for gzip in ["gzip", "GZip", "x-gzip", " gzip ;Q=0.001", "gzip;q=1.000"] {
        check(&[gzip], Gzip, false);
    }
    check(&["gzip, deflate, br, zstd"], Zstd, false);
    check(&["gzip", "zstd"], Zstd, false);
    check(&["zstd;q=0.9, gzip;q=0.91"], Gzip, false);
    check(&["*"], Zstd, false);
    check(&["*, zstd;q=0"], Gzip, false);
    check(&["gzip;q=0, *;q=0.5"], Zstd, false);
    check(&["gzip;q=0"], Identity, false);
    check(&["gzip;q=0.5, identity"], Identity, false);
    check(&["gzip;q=0.5, identity;q=0.5"], Gzip, false);
}

#[test]
fn a_body_that_may_not_be_sent_as_it_is_is_encoded_however_short() {
    use Encoding::{Gzip, Identity, Zstd};
    check(&["gzip, identity;q=0"], Gzip, true);
    check(&["gzip, *;q=0"], Gzip, true);
    check(&["identity;q=0, *"], Zstd, true);
    check(&["gzip, *;q=0, identity;q=0.1"], Gzip, false);
    // Nothing that there is may be sent.
    check(&["identity;q=0"], Identity, false);
    check(&["*;q=0"], Identity, false);
}

#[test]
fn what_is_malformed_says_nothing() {
    for value in [
        "gzip;q=2",
        "gzip;q=1.001",
        "gzip;q=0.1234",
        "gzip;q=",
        "gzip;q=.5",
        "gzip;q=-1",
        "gzip;q=0,5",
        "gzip;x=1",
        "gzip;",
        "gzip q=1",
        "g zip",
        ";q=1",
        ",,",
    ] {
        check(&[value], Encoding::Identity, false);
    }
    check(&["gzip;q=2, zstd;q=0.1"], Encoding::Zstd, false);
}

fn unpacked(encoding: Encoding, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    match encoding {
        Encoding::Identity => out.extend_from_slice(bytes),
        Encoding::Gzip => {
            let mut reader = flate2::read::GzDecoder::new(bytes);
            reader.read_to_end(&mut out).expect("gzip");
        }
        Encoding::Zstd => out = zstd::stream::decode_all(bytes).expect("zstd"),
    }
    out
}

proptest! {
    #[test]
    fn what_is_packed_is_there_again_when_it_is_unpacked(
        texts in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..5_000),
                ("[a-zа-я<>/ ]{0,40}", 0_usize..400).prop_map(|(text, times)| text.repeat(times).into_bytes()),
            ],
            1..4,
        ),
        header in prop_oneof![
            Just("gzip"), Just("zstd"), Just("*"), Just("gzip, identity;q=0"),
            Just("zstd, *;q=0"), Just("identity"),
        ],
    ) {
        let mut packer = Packer::default();
        let wanted = Wanted::of([header].into_iter());
        for text in texts {
            let mut body = text.to_vec();
            let encoding = packer.pack(wanted, &mut body).expect("it packs");
            prop_assert_eq!(unpacked(encoding, &body), &text[..]);
            prop_assert!(wanted.always || body.len() <= text.len());
            if wanted.always {
                prop_assert_eq!(encoding, wanted.encoding);
            }
        }
    }
}
