//! The languages of texts for people.

/// A language of the lookup page and of the descriptions of the service. Answers are data
/// without a language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// Russian, the default.
    #[default]
    Russian,
    /// English.
    English,
}

impl Language {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Russian, Self::English];

    /// Returns its code in HTML and HTTP (BCP 47).
    pub fn code(self) -> &'static str {
        match self {
            Self::Russian => "ru",
            Self::English => "en",
        }
    }

    /// Returns the language of a code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// Returns the text in this language.
    pub fn pick<T>(self, russian: T, english: T) -> T {
        match self {
            Self::Russian => russian,
            Self::English => english,
        }
    }
}

/// The same text in Russian and in English.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub &'static str, pub &'static str);

impl Words {
    /// Returns the text in a language.
    pub fn to(self, language: Language) -> &'static str {
        language.pick(self.0, self.1)
    }
}
