//! The options for verdicts of the registry of unfair suppliers.

use std::time::Duration;

use super::values;
use crate::model::{DEFAULT_MAX_AGE, Laws, VerdictRules};

/// The seconds of a day.
const DAY: u64 = 86_400;

/// The rules of verdicts.
#[derive(Clone, Debug, clap::Args)]
pub struct VerdictArgs {
    /// The laws whose registries of unfair suppliers are asked, separated by commas
    #[arg(long, value_name = "LAW,…", default_value = "44,223,615", value_parser = laws)]
    pub laws: Laws,
    #[command(flatten)]
    pub age: RegistryAgeArgs,
}

/// The largest age of a registry.
#[derive(Clone, Debug, clap::Args)]
pub struct RegistryAgeArgs {
    /// For how long after its last complete day a registry of unfair suppliers still counts,
    /// in whole days; with serve, /readyz answers 503 for an older one if this is given
    /// [default: 30 days]
    #[arg(long, value_name = "SPAN", value_parser = values::duration, global = true)]
    pub max_registry_age: Option<Duration>,
}

impl VerdictArgs {
    /// Returns the rules.
    pub fn rules(&self) -> VerdictRules {
        VerdictRules {
            laws: self.laws,
            max_age: self.age.days(),
        }
    }
}

impl RegistryAgeArgs {
    /// Returns the largest age in days.
    pub fn days(&self) -> u64 {
        let given = self.max_registry_age.map(|age| age.as_secs() / DAY);
        given.unwrap_or(DEFAULT_MAX_AGE)
    }
}

fn laws(text: &str) -> Result<Laws, String> {
    Laws::parse(text).ok_or_else(|| "give some of 44, 223 and 615".to_owned())
}
