//! Languages of texts for people.

/// A language of the lookup page and the manual. API responses are data and have no language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    #[default]
    Russian,
    English,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::Russian, Self::English];

    /// Returns the language code (BCP 47), as used in HTML and HTTP.
    pub fn code(self) -> &'static str {
        match self {
            Self::Russian => "ru",
            Self::English => "en",
        }
    }

    /// Parses a language code, ignoring case.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// Returns the value for this language.
    pub fn pick<T>(self, russian: T, english: T) -> T {
        match self {
            Self::Russian => russian,
            Self::English => english,
        }
    }
}

/// A text in Russian and in English.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub &'static str, pub &'static str);

impl Words {
    pub fn to(self, language: Language) -> &'static str {
        language.pick(self.0, self.1)
    }
}
