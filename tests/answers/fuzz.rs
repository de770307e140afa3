//! Runs the fuzz targets over their seeds and past failures (`tests/fuzz/regressions`), without a
//! fuzzer.

use std::fs;
use std::path::Path;

#[allow(dead_code, reason = "the fuzzing programs use more of it")]
#[path = "../fuzz/targets/mod.rs"]
mod targets;

use rayon::prelude::*;
use targets::{TARGETS, seeds};

/// Runs every fourth seed. `scripts/fuzz` starts with all of them.
#[test]
fn no_seed_fails() {
    for (name, run) in TARGETS {
        let seeds = seeds::of(name);
        assert!(seeds.len() >= 10, "{name} has {} seeds", seeds.len());
        seeds.iter().step_by(8).for_each(|seed| run(seed));
    }
}

#[test]
fn no_truncated_or_damaged_seed_fails() {
    for (name, run) in TARGETS {
        for seed in seeds::of(name).iter().step_by(60) {
            for part in 1..8 {
                let cut = seed.len() * part / 8;
                run(&seed[..cut]);
                let mut damaged = seed.clone();
                if let Some(byte) = damaged.get_mut(cut) {
                    *byte ^= 0x15;
                }
                run(&damaged);
            }
        }
    }
}

/// A damaged byte may decode to an impossible value: an hour of 122 would be written as `<2`. The
/// test sets each byte of every sixth record to 122.
#[test]
fn no_record_with_a_damaged_byte_fails() {
    seeds::of("emitter").par_iter().step_by(6).for_each(|seed| {
        for at in 1..seed.len() {
            let mut damaged = seed.clone();
            damaged[at] = 122;
            targets::emitter::run(&damaged);
        }
    });
}

#[test]
fn past_failures_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/regressions");
    for (name, run) in TARGETS {
        let Ok(entries) = fs::read_dir(folder.join(name)) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("an entry").path();
            eprintln!("{}", path.display());
            run(&fs::read(&path).expect("an input"));
        }
    }
}
