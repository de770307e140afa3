//! The stored form of facts: CBOR (RFC 8949), in which each field of a struct has a number.
//!
//! A field without a value is not stored, and a field that is not stored has no value. An unknown
//! number is skipped. So a field may be added under a new number, and one that is no longer needed
//! may go; a number that was used once must not be used again for something else.
//!
//! A struct is an array whose positions are the numbers, or a map by number, whichever is shorter.

use std::convert::Infallible;
use std::fmt;

use minicbor::data::Type;
use minicbor::{Decoder, Encoder, decode, encode};

/// Upper bound on the items of all lists in the facts of one document. Each comes from at least one
/// of its elements, of which there are at most [`crate::xml::MAX_ELEMENTS`].
const MAX_ITEMS: usize = 4 * crate::xml::MAX_ELEMENTS;

/// Why facts cannot be stored or read, and in which field.
#[derive(Debug)]
pub struct Fault {
    /// The names of the fields that lead to the value at fault, outermost last.
    path: Vec<&'static str>,
    what: String,
}

impl Fault {
    /// A fault in a value.
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            what: what.into(),
        }
    }

    /// The same fault, seen from the struct whose field has the value.
    pub fn within(mut self, field: &'static str) -> Self {
        self.path.push(field);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in self.path.iter().rev() {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl From<decode::Error> for Fault {
    fn from(error: decode::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<encode::Error<Infallible>> for Fault {
    fn from(error: encode::Error<Infallible>) -> Self {
        Self::new(error.to_string())
    }
}

/// A value with a stored form.
pub trait Value: Sized {
    /// Appends the value.
    ///
    /// # Errors
    /// A list is longer than facts may be.
    fn encode(&self, to: &mut Writer) -> Result<(), Fault>;

    /// Reads a value.
    ///
    /// # Errors
    /// The bytes are not the stored form of such a value.
    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault>;
}

/// A value of a field.
pub trait Field: Value {
    /// Returns the value of a field that is not stored.
    fn missing() -> Self;

    /// Returns whether this is [`Field::missing`].
    fn is_missing(&self) -> bool;
}

/// Returns the stored form of a value.
///
/// # Errors
/// As [`Value::encode`].
pub fn to_bytes<T: Value>(value: &T) -> Result<Vec<u8>, Fault> {
    let mut to = Writer {
        cbor: Encoder::new(Vec::new()),
        items: 0,
    };
    value.encode(&mut to)?;
    Ok(to.cbor.into_writer())
}

/// Reads a value from all of `bytes`.
///
/// # Errors
/// As [`Value::decode`]; or more bytes follow.
pub fn from_bytes<T: Value>(bytes: &[u8]) -> Result<T, Fault> {
    let mut from = Reader {
        cbor: Decoder::new(bytes),
        items: 0,
    };
    let value = T::decode(&mut from)?;
    match from.cbor.position() == bytes.len() {
        true => Ok(value),
        false => Err(Fault::new("bytes after the end")),
    }
}

/// Writes values.
pub struct Writer {
    /// The encoder, for single values.
    pub cbor: Encoder<Vec<u8>>,
    items: usize,
}

impl Writer {
    /// Begins a list of so many items.
    ///
    /// # Errors
    /// There would be more than [`MAX_ITEMS`] in all.
    pub fn list(&mut self, count: usize) -> Result<(), Fault> {
        add_items(&mut self.items, count as u64)?;
        self.cbor.array(count as u64)?;
        Ok(())
    }

    /// Begins a struct that has these numbers, in ascending order, with values or without.
    ///
    /// # Errors
    /// None in practice.
    pub fn begin(&mut self, fields: &[(u32, bool)]) -> Result<FieldWriter, Fault> {
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

/// Places the values of a struct.
pub struct FieldWriter {
    is_array: bool,
    next: u32,
}

impl FieldWriter {
    /// Begins the value of the field with this number.
    ///
    /// # Errors
    /// None in practice.
    pub fn number(&mut self, to: &mut Writer, number: u32) -> Result<(), Fault> {
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

/// Reads values.
pub struct Reader<'b> {
    /// The decoder, for single values.
    pub cbor: Decoder<'b>,
    items: usize,
}

impl Reader<'_> {
    /// Reads the head of a list. Returns the number of items.
    ///
    /// # Errors
    /// It is not a list, or there would be more than [`MAX_ITEMS`] in all.
    pub fn list(&mut self) -> Result<u64, Fault> {
        let count = self.cbor.array()?;
        let count = count.ok_or_else(|| Fault::new("a list without a length"))?;
        add_items(&mut self.items, count)?;
        Ok(count)
    }

    /// Reads the head of a struct.
    ///
    /// # Errors
    /// It is not a struct.
    pub fn begin(&mut self) -> Result<FieldReader, Fault> {
        let is_array = self.cbor.datatype()? == Type::Array;
        let count = match is_array {
            true => self.cbor.array()?,
            false => self.cbor.map()?,
        };
        Ok(FieldReader {
            is_array,
            left: count.ok_or_else(|| Fault::new("fields without a length"))?,
            next: 0,
        })
    }
}

/// Finds the values of a struct.
pub struct FieldReader {
    is_array: bool,
    left: u64,
    /// The least number that may follow.
    next: u64,
}

impl FieldReader {
    /// Returns the number of the next field that has a value, which must be read or skipped next.
    ///
    /// # Errors
    /// The bytes end, or the numbers are not in ascending order.
    pub fn next(&mut self, from: &mut Reader<'_>) -> Result<Option<u32>, Fault> {
        while self.left > 0 {
            self.left -= 1;
            let number = match self.is_array {
                true => self.next,
                false => from.cbor.u32()?.into(),
            };
            if number < self.next {
                return Err(Fault::new(format!("field {number} is out of order")));
            }
            self.next = number + 1;
            if from.cbor.datatype()? == Type::Null {
                from.cbor.null()?;
                continue;
            }
            let number = u32::try_from(number);
            return number.map(Some).map_err(|_| Fault::new("too many fields"));
        }
        Ok(None)
    }
}

fn add_items(items: &mut usize, count: u64) -> Result<(), Fault> {
    let sum = usize::try_from(count).ok();
    let sum = sum.and_then(|count| items.checked_add(count));
    match sum.filter(|sum| *sum <= MAX_ITEMS) {
        Some(sum) => *items = sum,
        None => return Err(Fault::new(format!("more than {MAX_ITEMS} items"))),
    }
    Ok(())
}

/// Stops the build if the numbers of fields or variants do not ascend: so none is used twice.
pub const fn check_numbers(numbers: &[u32]) {
    let mut at = 1;
    while at < numbers.len() {
        assert!(
            numbers[at - 1] < numbers[at],
            "field numbers ascend, and none is used twice"
        );
        at += 1;
    }
}

/// Defines structs of facts. Each field has its number in the stored form before its name.
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
                $crate::import::facts::encoding::Field::missing()
            }
        }

        impl $crate::import::facts::encoding::Value for $name {
            fn encode(
                &self,
                to: &mut $crate::import::facts::encoding::Writer,
            ) -> Result<(), $crate::import::facts::encoding::Fault> {
                use $crate::import::facts::encoding::{Field, Value};
                let has_value = [$(($number, !Field::is_missing(&self.$field))),*];
                let mut fields = to.begin(&has_value)?;
                $(if !Field::is_missing(&self.$field) {
                    fields.number(to, $number)?;
                    Value::encode(&self.$field, to)
                        .map_err(|fault| fault.within(stringify!($field)))?;
                })*
                Ok(())
            }

            fn decode(
                from: &mut $crate::import::facts::encoding::Reader<'_>,
            ) -> Result<Self, $crate::import::facts::encoding::Fault> {
                use $crate::import::facts::encoding::Value;
                let mut value = Self::default();
                let mut fields = from.begin()?;
                while let Some(number) = fields.next(from)? {
                    match number {
                        $($number => {
                            value.$field = Value::decode(from)
                                .map_err(|fault| fault.within(stringify!($field)))?;
                        })*
                        _ => from.cbor.skip()?,
                    }
                }
                Ok(value)
            }
        }

        impl $crate::import::facts::encoding::Field for $name {
            fn missing() -> Self {
                Self {
                    $($field: $crate::import::facts::encoding::Field::missing(),)*
                }
            }

            fn is_missing(&self) -> bool {
                $($crate::import::facts::encoding::Field::is_missing(&self.$field))&&*
            }
        }
    )* };
}
pub(super) use facts;
