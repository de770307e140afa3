use std::io::Read;

use proptest::prelude::*;

use super::*;

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
    fn compressed_bodies_can_be_decompressed(
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
        let accept = AcceptEncoding::parse([header].into_iter());
        for text in texts {
            let mut body = text.clone();
            let encoding = packer.pack(accept, &mut body).expect("it packs");
            prop_assert_eq!(unpacked(encoding, &body), &text[..]);
            prop_assert!(accept.always || body.len() <= text.len());
            if accept.always {
                prop_assert_eq!(encoding, accept.encoding);
            }
        }
    }
}
