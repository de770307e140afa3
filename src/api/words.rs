//! Texts in both languages.

use crate::model::Language;

/// The same text in Russian and in English.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub &'static str, pub &'static str);

impl Words {
    /// The text in one of them.
    pub fn to(self, language: Language) -> &'static str {
        language.pick(self.0, self.1)
    }
}
