//! Encodes texts for PostgreSQL, which rejects U+0000. JSON Lines may contain it.
//!
//! U+0000 becomes U+0001 U+0001, and U+0001 becomes U+0001 U+0002. The encoding keeps different
//! texts different, and keeps their order by bytes. Real names contain neither character.

use std::borrow::Cow;

pub fn stored(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', '\u{1}']) {
        return text.into();
    }
    let text = text.replace('\u{1}', "\u{1}\u{2}");
    text.replace('\0', "\u{1}\u{1}").into()
}

/// Decodes a stored text, without copying it in the usual case.
pub fn restored(stored: &str) -> Cow<'_, str> {
    match stored.contains('\u{1}') {
        true => original(stored).into(),
        false => stored.into(),
    }
}

pub fn original(stored: &str) -> String {
    let mut text = String::with_capacity(stored.len());
    let mut characters = stored.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\u{1}' if characters.next() == Some('\u{1}') => '\0',
            other => other,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "[a\u{0}\u{1}\u{2}\u{3}я]{0,8}";

    proptest! {
        #[test]
        fn texts_round_trip_and_keep_their_order(text in TEXT, other in TEXT) {
            let (one, two) = (stored(&text), stored(&other));
            prop_assert!(!one.contains('\0'));
            prop_assert_eq!(text.cmp(&other), one.cmp(&two));
            prop_assert_eq!(original(&one), text);
        }
    }

    #[test]
    fn ordinary_texts_are_stored_unchanged() {
        assert!(matches!(stored("ООО \"ЛЕС\"\t№ 1"), Cow::Borrowed(_)));
    }
}
