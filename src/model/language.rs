//! The languages of what people read.

/// A language of the lookup page and of the descriptions of the service. Answers are data,
/// and have none.
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

    /// Its code in HTML and HTTP (BCP 47).
    pub fn code(self) -> &'static str {
        match self {
            Self::Russian => "ru",
            Self::English => "en",
        }
    }

    /// The language of a code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// The one of two texts that is in this language.
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
    /// The text in one of them.
    pub fn to(self, language: Language) -> &'static str {
        language.pick(self.0, self.1)
    }
}
