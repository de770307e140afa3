//! Options for rate limits.

use clap::builder::RangedI64ValueParser;
use clap::value_parser;

use crate::api::{Rate, Rates};

/// Maximum rate or burst. No machine answers a million requests per second.
pub const MAX_NUMBER: i64 = 1_000_000;

/// Parses a rate; 0 means no limit.
pub fn rate() -> RangedI64ValueParser<u32> {
    value_parser!(u32).range(0..=MAX_NUMBER)
}

pub fn burst() -> RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..=MAX_NUMBER)
}

/// Rate limits per key, and per address for requests without a valid key.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Limits of load")]
pub struct LimitArgs {
    /// Requests per second to RNP with one key; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = Rates::default().rnp.per_second, value_parser = rate())]
    rnp_rate: u32,
    /// Requests to RNP with one key that may come in a burst after a pause
    #[arg(long, value_name = "N", default_value_t = Rates::default().rnp.burst, value_parser = burst())]
    rnp_burst: u32,
    /// Requests per second with one key, over all endpoints; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = Rates::default().key.per_second, value_parser = rate())]
    rate: u32,
    /// Requests with one key that may come in a burst after a pause
    #[arg(long, value_name = "N", default_value_t = Rates::default().key.burst, value_parser = burst())]
    burst: u32,
    /// Requests per minute from one address with a wrong key or none; further ones are answered
    /// 429, while valid keys still work; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = Rates::default().wrong_key, value_parser = rate())]
    wrong_key_limit: u32,
}

impl LimitArgs {
    pub fn rates(&self) -> Rates {
        Rates {
            rnp: Rate {
                per_second: self.rnp_rate,
                burst: self.rnp_burst,
            },
            key: Rate {
                per_second: self.rate,
                burst: self.burst,
            },
            wrong_key: self.wrong_key_limit,
            open: Rates::default().open,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct TestCli {
        #[command(flatten)]
        limits: LimitArgs,
    }

    #[test]
    fn each_option_sets_its_number() {
        let line = "serve --rnp-rate 1 --rnp-burst 2 --rate 3 --burst 4 \
                    --wrong-key-limit 7";
        let given = TestCli::try_parse_from(line.split(' ')).expect("options");
        let rate = |per_second, burst| Rate { per_second, burst };
        let expected = Rates {
            rnp: rate(1, 2),
            key: rate(3, 4),
            wrong_key: 7,
            open: Rates::default().open,
        };
        assert_eq!(given.limits.rates(), expected);
    }

    #[test]
    fn a_burst_of_zero_and_absurd_numbers_are_rejected() {
        for (option, value) in [
            ("--rnp-burst", "0"),
            ("--rate", "-1"),
            ("--rate", "0.5"),
            ("--burst", "1000001"),
            ("--wrong-key-limit", "99999999999"),
        ] {
            assert!(TestCli::try_parse_from(["serve", option, value]).is_err());
        }
    }
}
