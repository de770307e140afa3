//! Turns the parameters of endpoints into arguments and options of commands.

use clap::{Arg, ArgAction, ArgMatches};

use crate::api::request::parameter::{ParameterRow, Values};
use crate::api::request::parameter_table::AFTER;
use crate::model::{Date, Language};

pub fn argument(parameter: &'static ParameterRow) -> Arg {
    let long = kebab(parameter.name);
    let last = long.rsplit('-').next().unwrap_or_default();
    let arg = Arg::new(parameter.name).help(help(parameter));
    // List these before the options that all commands share.
    let arg = arg.display_order(0);
    let arg = match parameter.values {
        Values::Whole(..) | Values::Rows => arg.value_name("N").value_parser(number),
        Values::Day => arg.value_name("YYYY-MM-DD").value_parser(day),
        Values::Amount => arg.value_name("AMOUNT").allow_negative_numbers(true),
        _ => arg.value_name(last.to_uppercase()),
    };
    match parameter.values {
        // A cursor may begin with a hyphen.
        _ if parameter.name == AFTER.name => {
            let arg = arg.value_name("CURSOR").allow_hyphen_values(true);
            arg.long(long)
        }
        Values::Lines(..) => arg.required(true).num_args(1..),
        Values::List(..) if parameter.is_required => {
            arg.required(true).num_args(1..).value_delimiter(',')
        }
        _ if parameter.is_required => arg.required(true),
        Values::Switch => arg.long(long).action(ArgAction::SetTrue),
        // A sort order may begin with a minus.
        Values::OneOf(..) => arg.long(long).allow_hyphen_values(true),
        _ => arg.long(long),
    }
}

fn help(parameter: &ParameterRow) -> String {
    let meaning = parameter
        .meaning
        .to(Language::English)
        .trim_end_matches('.');
    match parameter.values {
        Values::Switch => sentence(meaning.trim_start_matches("1: ")),
        Values::OneOf(_, all) => {
            let default = all.first().copied().unwrap_or_default();
            format!("{meaning}. Values: {} [default: {default}]", all.join(", "))
        }
        Values::SomeOf(all) => format!("{meaning}. Values: {}", all.join(", ")),
        Values::Whole(Some(most), default) => {
            format!("{meaning}; at most {most} [default: {default}]")
        }
        // The meaning already states the allowed values.
        Values::Rows => meaning.to_owned(),
        Values::Whole(None, default) => format!("{meaning} [default: {default}]"),
        Values::Lines(..) => meaning.split('(').next().unwrap_or(meaning).to_owned(),
        Values::Day | Values::Amount | Values::Pattern(..) | Values::List(..) => meaning.to_owned(),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

/// Returns the value given for a parameter, as it would appear in a query string.
pub fn value(parameter: &ParameterRow, matches: &ArgMatches) -> Option<String> {
    match parameter.values {
        Values::Switch => matches.get_flag(parameter.name).then(|| "1".to_owned()),
        _ => {
            let values: Vec<&String> = matches.get_many(parameter.name)?.collect();
            let values: Vec<&str> = values.into_iter().map(String::as_str).collect();
            let separator = match parameter.values {
                Values::Lines(..) => "\n",
                _ => ",",
            };
            Some(values.join(separator))
        }
    }
}

/// Turns `signedFrom` into `signed-from`.
pub fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    let mut after_lower = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_lower {
            kebab.push('-');
        }
        after_lower = letter.is_ascii_lowercase();
        kebab.push(letter.to_ascii_lowercase());
    }
    kebab
}

fn number(text: &str) -> Result<String, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits {
        Ok(text.to_owned())
    } else {
        Err("give a whole number, 0 or more".to_owned())
    }
}

fn day(text: &str) -> Result<String, String> {
    match Date::parse_iso(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("give an existing date as YYYY-MM-DD".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abbreviation_is_one_word_of_an_option() {
        let names = ["q", "signedFrom", "customerINN"].map(kebab);
        assert_eq!(names, ["q", "signed-from", "customer-inn"]);
    }
}
