//! The answers that are kept, as an option.

use std::ops::RangeInclusive;

use crate::cli::values;

/// What the memory for kept answers may be set to, in bytes, if there is to be any: in
/// less hardly an answer has room.
const SIZE: RangeInclusive<usize> = 1 << 20..=1 << 36;

/// What is kept of the answers that were given.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Answers")]
pub struct AnswerArgs {
    /// Memory for answers that are kept to be given again; 0 keeps none
    #[arg(long, value_name = "SIZE", env = "PROCUREMENT_LOOKUP_ANSWER_CACHE", hide_env = true, default_value = "16MB", value_parser = size)]
    pub answer_cache: usize,
}

fn size(text: &str) -> Result<usize, String> {
    let size = values::bytes(text)?;
    if size == 0 || SIZE.contains(&size) {
        return Ok(size);
    }
    Err(format!(
        "give 0, or {} to {} bytes",
        SIZE.start(),
        SIZE.end()
    ))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        answers: AnswerArgs,
    }

    fn given(arguments: &[&str]) -> Option<usize> {
        let arguments = [&["serve"], arguments].concat();
        let alone = Alone::try_parse_from(arguments).ok()?;
        Some(alone.answers.answer_cache)
    }

    #[test]
    fn the_size_is_a_number_of_bytes_or_none_at_all() {
        assert_eq!(given(&[]), Some(16 << 20));
        assert_eq!(given(&["--answer-cache", "0"]), Some(0));
        assert_eq!(given(&["--answer-cache=64MB"]), Some(64 << 20));
        for bad in ["1KB", "65GB", "-1", "much"] {
            assert_eq!(given(&["--answer-cache", bad]), None, "{bad}");
        }
    }
}
