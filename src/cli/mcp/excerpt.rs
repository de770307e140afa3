//! Shortens JSON texts by cutting the longest lists after their first items, which are the newest
//! ones or the best matches. Values stay as they were written, with all digits of numbers.

use std::cmp::Reverse;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

#[derive(Debug)]
pub struct Excerpt {
    pub text: String,
    /// The lists that were shortened.
    pub cuts: Vec<Cut>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Cut {
    /// Names of the members that lead to the list, joined by dots.
    pub path: String,
    pub kept: usize,
    pub all: usize,
    /// Whether the list is not nested in another list.
    pub is_in_root: bool,
}

/// Returns an excerpt of at most `most` bytes, or `None` if the text is not JSON or cannot be
/// shortened that far.
pub fn excerpt(text: &str, most: usize) -> Option<Excerpt> {
    if text.len() <= most {
        let (text, cuts) = (text.to_owned(), Vec::new());
        return Some(Excerpt { text, cuts });
    }
    let mut tree = Tree::read(text)?;
    loop {
        let length = tree.length();
        if length <= most {
            break;
        }
        if tree.shrink(length - most) == 0 {
            return None;
        }
    }
    let (mut text, mut cuts) = (String::with_capacity(most), Vec::new());
    tree.write(&mut text);
    tree.cuts(&mut Vec::new(), true, &mut cuts);
    Some(Excerpt { text, cuts })
}

enum Tree<'a> {
    Scalar(&'a str),
    /// The names are JSON strings, with quotes.
    Object(Vec<(String, Self)>),
    List {
        items: Vec<Self>,
        all: usize,
    },
}

/// The members of an object in order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(All).map(Self)
    }
}

impl<'a> Tree<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let text = text.trim();
        match text.as_bytes().first()? {
            b'{' => {
                let Members(members) = serde_json::from_str(text).ok()?;
                let member = |(name, value): (String, &'a RawValue)| {
                    let name = serde_json::to_string(&name).ok()?;
                    Some((name, Self::read(value.get())?))
                };
                let members = members.into_iter().map(member);
                Some(Self::Object(members.collect::<Option<_>>()?))
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
                let items = items.into_iter().map(|item| Self::read(item.get()));
                let items: Vec<_> = items.collect::<Option<_>>()?;
                let all = items.len();
                Some(Self::List { items, all })
            }
            _ => Some(Self::Scalar(text)),
        }
    }

    fn length(&self) -> usize {
        match self {
            Self::Scalar(text) => text.len(),
            Self::Object(members) => {
                let lengths = members.iter();
                let lengths = lengths.map(|(name, value)| name.len() + 1 + value.length());
                lengths.sum::<usize>() + 2 + members.len().saturating_sub(1)
            }
            Self::List { items, .. } => {
                let lengths = items.iter().map(Self::length);
                lengths.sum::<usize>() + 2 + items.len().saturating_sub(1)
            }
        }
    }

    /// Removes at least `excess` bytes if possible, and returns the number removed. A list loses
    /// items from its end, but at most half of them; a list with a single item keeps it and shrinks
    /// the item instead. An object shrinks its longest member that can be shrunk.
    fn shrink(&mut self, excess: usize) -> usize {
        match self {
            Self::Scalar(_) => 0,
            Self::Object(members) => {
                let mut values: Vec<_> = members.iter_mut().map(|(_, value)| value).collect();
                values.sort_by_key(|value| Reverse(value.length()));
                let mut removed = values.into_iter().map(|value| value.shrink(excess));
                removed.find(|removed| *removed > 0).unwrap_or(0)
            }
            Self::List { items, .. } if items.len() == 1 => {
                items.first_mut().map_or(0, |only| only.shrink(excess))
            }
            Self::List { items, .. } => {
                let least = items.len().div_ceil(2);
                let mut removed = 0;
                while removed < excess && items.len() > least {
                    removed += items.pop().map_or(0, |item| item.length() + 1);
                }
                removed
            }
        }
    }

    fn write(&self, to: &mut String) {
        match self {
            Self::Scalar(text) => to.push_str(text),
            Self::Object(members) => {
                to.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    to.push_str(if at == 0 { "" } else { "," });
                    to.push_str(name);
                    to.push(':');
                    value.write(to);
                }
                to.push('}');
            }
            Self::List { items, .. } => {
                to.push('[');
                for (at, item) in items.iter().enumerate() {
                    to.push_str(if at == 0 { "" } else { "," });
                    item.write(to);
                }
                to.push(']');
            }
        }
    }

    fn cuts<'b>(&'b self, path: &mut Vec<&'b str>, is_in_root: bool, to: &mut Vec<Cut>) {
        match self {
            Self::Scalar(_) => {}
            Self::Object(members) => {
                for (name, value) in members {
                    path.push(name.trim_matches('"'));
                    value.cuts(path, is_in_root, to);
                    path.pop();
                }
            }
            Self::List { items, all } => {
                if items.len() < *all {
                    to.push(Cut {
                        path: path.join("."),
                        kept: items.len(),
                        all: *all,
                        is_in_root,
                    });
                }
                for item in items {
                    item.cuts(path, false, to);
                }
            }
        }
    }
}
