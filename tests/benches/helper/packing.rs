//! Answers packed at each level of gzip (flate2 on zlib-rs) and zstd that could be chosen:
//! bytes and microseconds.

use std::path::Path;
use std::time::{Duration, Instant};

use flate2::{Compress, Compression, FlushCompress};
use zstd::bulk::Compressor;

use super::Result;

/// How long one level is measured, in rounds that come again and again; the best counts.
const PATIENCE: Duration = Duration::from_millis(300);

/// Prints a table of these files.
pub fn measure(files: &[&str]) -> Result<()> {
    println!("| answer | bytes | packed by | level | bytes | µs |");
    println!("|---|---|---|---|---|---|");
    for path in files {
        let body = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let name = Path::new(path).file_name().unwrap_or_default().display();
        let mut out = vec![0; body.len() * 2 + 1024];
        let print = |by: &str, level: i32, (bytes, micros): (usize, u128)| {
            println!(
                "| {name} | {} | {by} | {level} | {bytes} | {micros} |",
                body.len()
            );
        };
        for level in 1..=6 {
            let mut gzip = Compress::new_gzip(Compression::new(level), 15);
            let packed = best(|| {
                gzip.reset();
                gzip.compress(&body, &mut out, FlushCompress::Finish)
                    .expect("it packs");
                gzip.total_out() as usize
            });
            print("gzip", level as i32, packed);
        }
        for level in [-3, -1, 1, 2, 3, 5] {
            let mut zstd = Compressor::new(level).expect("a compressor");
            let packed = best(|| {
                zstd.compress_to_buffer(&body, out.as_mut_slice())
                    .expect("it packs")
            });
            print("zstd", level, packed);
        }
    }
    Ok(())
}

/// How many bytes came out, and in how many microseconds at best.
fn best(mut pack: impl FnMut() -> usize) -> (usize, u128) {
    let (begin, mut best) = (Instant::now(), Duration::MAX);
    let mut bytes = 0;
    while begin.elapsed() < PATIENCE {
        let start = Instant::now();
        bytes = pack();
        best = best.min(start.elapsed());
    }
    (bytes, best.as_micros())
}
