//! Options for verdicts from the registry of unfair suppliers.

use std::time::Duration;

use super::values;
use crate::model::{DEFAULT_MAX_AGE, Laws, VerdictRules};

const SECONDS_PER_DAY: u64 = 86_400;

#[derive(Clone, Debug, clap::Args)]
pub struct VerdictArgs {
    /// The laws whose registries of unfair suppliers are consulted, separated by commas
    #[arg(long, value_name = "LAW,…", default_value = "44,223,615", value_parser = laws)]
    pub laws: Laws,
    #[command(flatten)]
    pub age: RegistryAgeArgs,
}

#[derive(Clone, Debug, clap::Args)]
pub struct RegistryAgeArgs {
    /// How long a registry of unfair suppliers counts as current after its last complete day, in
    /// whole days. If this is set for serve, /readyz answers 503 when a registry is older [default:
    /// 30 days]
    #[arg(long, value_name = "SPAN", value_parser = values::duration, global = true)]
    pub max_registry_age: Option<Duration>,
}

impl VerdictArgs {
    pub fn rules(&self) -> VerdictRules {
        VerdictRules {
            laws: self.laws,
            max_age: self.age.days(),
        }
    }
}

impl RegistryAgeArgs {
    /// Returns the maximum age, in days.
    pub fn days(&self) -> u64 {
        let given = self
            .max_registry_age
            .map(|age| age.as_secs() / SECONDS_PER_DAY);
        given.unwrap_or(DEFAULT_MAX_AGE)
    }
}

fn laws(text: &str) -> Result<Laws, String> {
    Laws::parse(text).ok_or_else(|| "give some of 44, 223 and 615".to_owned())
}
