#![no_main]

#[allow(dead_code, reason = "each program is one target")]
#[path = "../targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(
    init: targets::seeds::write_if_asked("archives"),
    |data: &[u8]| targets::archives::run(data)
);
