//! Writes the inputs that fuzzing begins from: `seeds FOLDER`, a folder a target.

use std::fs;
use std::path::Path;

#[allow(dead_code, reason = "the targets are run elsewhere")]
#[path = "targets/mod.rs"]
mod targets;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).expect("usage: seeds FOLDER");
    for (target, _) in targets::TARGETS {
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder)?;
        for (number, seed) in targets::seeds::of(target).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:03}")), seed)?;
        }
    }
    Ok(())
}
