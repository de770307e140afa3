//! The stored form of facts: CBOR (RFC 8949), in which each field of a struct has a number.
//!
//! A field without a value is not stored, and a field that is not stored has no value. Decoding
//! skips unknown numbers. It is therefore safe to add a field under a new number, and to remove a
//! field. Never reuse a number for another field.
//!
//! A struct is encoded either as an array, in which the position is the number, or as a map by
//! number, whichever is shorter.

use std::convert::Infallible;
use std::fmt;

use minicbor::data::Type;
use minicbor::{Decoder, Encoder, decode, encode};

/// Upper bound on the items of all lists in the facts of one document. A document has at most
/// [`crate::xml::MAX_ELEMENTS`] elements, and an element adds items to at most four lists (a lot
/// under 223-FZ does).
const MAX_ITEMS: usize = 4 * crate::xml::MAX_ELEMENTS;

#[derive(Debug)]
pub struct FactsError {
    /// Fields that lead to the faulty value, innermost first.
    path: Vec<&'static str>,
    what: String,
}

impl FactsError {
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            what: what.into(),
        }
    }

    /// Prepends a field to the path of the faulty value.
    pub fn within(mut self, field: &'static str) -> Self {
        self.path.push(field);
        self
    }
}

impl fmt::Display for FactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in self.path.iter().rev() {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl From<decode::Error> for FactsError {
    fn from(error: decode::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<encode::Error<Infallible>> for FactsError {
    fn from(error: encode::Error<Infallible>) -> Self {
        Self::new(error.to_string())
    }
}

pub trait StoredValue: Sized {
    /// Appends the stored form of the value.
    ///
    /// # Errors
    /// Returns an error if the lists in the facts have too many items in total.
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError>;

    /// Reads a value.
    ///
    /// # Errors
    /// Returns an error if the bytes are not the stored form of a value of this type.
    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError>;
}

pub trait StoredField: StoredValue {
    /// Returns the value of a field that is not stored.
    fn missing() -> Self;

    fn is_missing(&self) -> bool;
}

/// Returns the stored form of a value.
///
/// # Errors
/// See [`StoredValue::encode`].
pub fn to_bytes<T: StoredValue>(value: &T) -> Result<Vec<u8>, FactsError> {
    let mut to = FactsWriter {
        cbor: Encoder::new(Vec::new()),
        items: 0,
    };
    value.encode(&mut to)?;
    Ok(to.cbor.into_writer())
}

/// Decodes a value from `bytes`.
///
/// # Errors
/// Returns an error unless `bytes` is exactly the stored form of one value.
pub fn from_bytes<T: StoredValue>(bytes: &[u8]) -> Result<T, FactsError> {
    let mut from = FactsReader {
        cbor: Decoder::new(bytes),
        items: 0,
    };
    let value = T::decode(&mut from)?;
    match from.cbor.position() == bytes.len() {
        true => Ok(value),
        false => Err(FactsError::new("bytes after the end")),
    }
}

pub struct FactsWriter {
    pub cbor: Encoder<Vec<u8>>,
    items: usize,
}

impl FactsWriter {
    /// Begins a list of `count` items.
    ///
    /// # Errors
    /// Returns an error if the lists written so far have more than [`MAX_ITEMS`] items in total.
    pub fn list(&mut self, count: usize) -> Result<(), FactsError> {
        add_items(&mut self.items, count as u64)?;
        self.cbor.array(count as u64)?;
        Ok(())
    }

    /// Begins a struct. `fields` has the number of each field, in ascending order, and whether the
    /// field has a value.
    ///
    /// # Errors
    /// Never fails in practice.
    pub fn begin(&mut self, fields: &[(u32, bool)]) -> Result<FieldWriter, FactsError> {
        let has_value = |field: &&(u32, bool)| field.1;
        let count = fields.iter().filter(has_value).count() as u64;
        let last = fields.iter().rfind(has_value);
        let length = last.map_or(0, |(number, _)| u64::from(*number) + 1);
        let is_array = length <= 2 * count;
        match is_array {
            true => self.cbor.array(length)?,
            false => self.cbor.map(count)?,
        };
        Ok(FieldWriter { is_array, next: 0 })
    }
}

pub struct FieldWriter {
    is_array: bool,
    next: u32,
}

impl FieldWriter {
    /// Begins the value of field `number`.
    ///
    /// # Errors
    /// Never fails in practice.
    pub fn number(&mut self, to: &mut FactsWriter, number: u32) -> Result<(), FactsError> {
        if !self.is_array {
            to.cbor.u32(number)?;
            return Ok(());
        }
        for _ in self.next..number {
            to.cbor.null()?;
        }
        self.next = number + 1;
        Ok(())
    }
}

pub struct FactsReader<'b> {
    pub cbor: Decoder<'b>,
    items: usize,
}

impl FactsReader<'_> {
    /// Reads the head of a list and returns the number of items.
    ///
    /// # Errors
    /// Returns an error if the value is not a list, or if the lists read so far have more than
    /// [`MAX_ITEMS`] items in total.
    pub fn list(&mut self) -> Result<u64, FactsError> {
        let count = self.cbor.array()?;
        let count = count.ok_or_else(|| FactsError::new("a list without a length"))?;
        add_items(&mut self.items, count)?;
        Ok(count)
    }

    /// Reads the head of a struct.
    ///
    /// # Errors
    /// Returns an error if the value is not a struct.
    pub fn begin(&mut self) -> Result<FieldReader, FactsError> {
        let is_array = self.cbor.datatype()? == Type::Array;
        let count = match is_array {
            true => self.cbor.array()?,
            false => self.cbor.map()?,
        };
        Ok(FieldReader {
            is_array,
            left: count.ok_or_else(|| FactsError::new("fields without a length"))?,
            next: 0,
        })
    }
}

pub struct FieldReader {
    is_array: bool,
    left: u64,
    /// The lowest field number that may come next.
    next: u64,
}

impl FieldReader {
    /// Returns the number of the next field with a value. The caller must read or skip the value.
    ///
    /// # Errors
    /// Returns an error if the bytes end, or if the field numbers are not in ascending order.
    pub fn next(&mut self, from: &mut FactsReader<'_>) -> Result<Option<u32>, FactsError> {
        while self.left > 0 {
            self.left -= 1;
            let number = match self.is_array {
                true => self.next,
                false => from.cbor.u32()?.into(),
            };
            if number < self.next {
                return Err(FactsError::new(format!("field {number} is out of order")));
            }
            self.next = number + 1;
            if from.cbor.datatype()? == Type::Null {
                from.cbor.null()?;
                continue;
            }
            let number = u32::try_from(number);
            return number
                .map(Some)
                .map_err(|_| FactsError::new("too many fields"));
        }
        Ok(None)
    }
}

fn add_items(items: &mut usize, count: u64) -> Result<(), FactsError> {
    let sum = usize::try_from(count).ok();
    let sum = sum.and_then(|count| items.checked_add(count));
    match sum.filter(|sum| *sum <= MAX_ITEMS) {
        Some(sum) => *items = sum,
        None => return Err(FactsError::new(format!("more than {MAX_ITEMS} items"))),
    }
    Ok(())
}

/// Fails the build unless field numbers are in ascending order, which also rules out duplicates.
pub const fn check_numbers(numbers: &[u32]) {
    let mut at = 1;
    while at < numbers.len() {
        assert!(
            numbers[at - 1] < numbers[at],
            "field numbers must be in ascending order, and none may be used twice"
        );
        at += 1;
    }
}

/// Defines structs of facts. The number before each field identifies it in the stored form.
macro_rules! facts {
    ($($(#[$about:meta])* $public:vis struct $name:ident {
        $($(#[$doc:meta])* $number:literal $field:ident: $type:ty,)*
    })*) => { $(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
        $public struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        const _: () = $crate::import::facts::encoding::check_numbers(&[$($number),*]);

        impl Default for $name {
            fn default() -> Self {
                $crate::import::facts::encoding::StoredField::missing()
            }
        }

        impl $crate::import::facts::encoding::StoredValue for $name {
            fn encode(
                &self,
                to: &mut $crate::import::facts::encoding::FactsWriter,
            ) -> Result<(), $crate::import::facts::encoding::FactsError> {
                use $crate::import::facts::encoding::{StoredField, StoredValue};
                let has_value = [$(($number, !StoredField::is_missing(&self.$field))),*];
                let mut fields = to.begin(&has_value)?;
                $(if !StoredField::is_missing(&self.$field) {
                    fields.number(to, $number)?;
                    StoredValue::encode(&self.$field, to)
                        .map_err(|fault| fault.within(stringify!($field)))?;
                })*
                Ok(())
            }

            fn decode(
                from: &mut $crate::import::facts::encoding::FactsReader<'_>,
            ) -> Result<Self, $crate::import::facts::encoding::FactsError> {
                use $crate::import::facts::encoding::StoredValue;
                let mut value = Self::default();
                let mut fields = from.begin()?;
                while let Some(number) = fields.next(from)? {
                    match number {
                        $($number => {
                            value.$field = StoredValue::decode(from)
                                .map_err(|fault| fault.within(stringify!($field)))?;
                        })*
                        _ => from.cbor.skip()?,
                    }
                }
                Ok(value)
            }
        }

        impl $crate::import::facts::encoding::StoredField for $name {
            fn missing() -> Self {
                Self {
                    $($field: $crate::import::facts::encoding::StoredField::missing(),)*
                }
            }

            fn is_missing(&self) -> bool {
                $($crate::import::facts::encoding::StoredField::is_missing(&self.$field))&&*
            }
        }
    )* };
}
pub(super) use facts;
