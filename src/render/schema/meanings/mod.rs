//! What the fields mean, in Russian and in English, and which of them always have a value.
//!
//! A field is found by the end of its path, so that what occurs in several places, such as
//! an organisation, is said once; of several that fit the one with the longest path counts.

pub mod cards;
pub mod contracts;
pub mod purchase44;
pub mod rnp;

use crate::model::Language;

/// What a field means.
#[derive(Debug)]
pub struct Meaning {
    /// The end of its path, from any name on, with dots between names; a list's items stand
    /// in it under their name.
    pub path: &'static str,
    /// Has it a value in every answer?
    pub is_filled: bool,
    russian: &'static str,
    english: &'static str,
}

/// The meaning of a field that no table has; a test finds that there is none.
pub static UNDESCRIBED: Meaning = may("", "", "");

const fn may(path: &'static str, russian: &'static str, english: &'static str) -> Meaning {
    Meaning {
        path,
        is_filled: false,
        russian,
        english,
    }
}

const fn always(path: &'static str, russian: &'static str, english: &'static str) -> Meaning {
    Meaning {
        is_filled: true,
        ..may(path, russian, english)
    }
}

impl Meaning {
    /// In words.
    pub fn text(&self, language: Language) -> &'static str {
        language.pick(self.russian, self.english)
    }

    /// Is it that of the field at the end of `path`?
    pub fn is_of(&self, path: &[&str]) -> bool {
        let mut names = path.iter().rev();
        self.path
            .rsplit('.')
            .all(|name| names.next() == Some(&name))
    }
}

/// The fields of an error.
pub const ERROR: &[Meaning] = &[
    may(
        "code",
        "код ошибки; у части ошибок его нет",
        "code of the error; some errors have none",
    ),
    always("error", "что не так", "what is wrong"),
];
