use super::*;

#[track_caller]
fn check(values: &[&str], encoding: Encoding, always: bool) {
    let accept = AcceptEncoding::parse(values.iter().copied());
    assert_eq!(accept, AcceptEncoding { encoding, always }, "{values:?}");
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
    // The client refuses every supported encoding.
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
