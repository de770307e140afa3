//! Generates completely filled values of any type. Each scalar depends on the names of the fields
//! that lead to it. The encoded bytes therefore change if two fields are swapped, or if one is
//! added or removed.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::value::{Error, U32Deserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, SeqAccess, VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};

/// Generates samples of a type, one after another. Options always have a value, and lists have one
/// item. Each flag is true in a different set of samples, so that swapped flags change the bytes.
/// Enum variants take turns.
#[derive(Clone, Debug, Default)]
pub struct Filler {
    /// Variants of the outermost enum.
    outermost: &'static [&'static str],
    /// Variant of the outermost enum to use in every sample; `None` to take them in turn.
    variant: Option<usize>,
    wanted: Option<usize>,
    sample: u32,
    /// Fields that lead to the current value.
    path: Vec<String>,
    /// Numbers used in this sample.
    numbers: BTreeSet<u32>,
    flags: BTreeSet<String>,
    /// By path of an enum: the number of variants, and how many were chosen so far.
    chosen: BTreeMap<String, (usize, usize)>,
}

/// Enough to tell 127 flags apart.
const SAMPLES: u32 = 7;

impl Filler {
    /// `variant` selects a variant if the type is an enum.
    pub fn new<T: for<'de> Deserialize<'de>>(variant: Option<usize>) -> Self {
        let mut filler = Self {
            variant,
            ..Self::default()
        };
        // Fill all samples once to find out which flags there are.
        while filler.begin() {
            T::deserialize(&mut filler).expect("a filled sample");
        }
        assert!(filler.flags.len() < 1 << SAMPLES, "too many flags");
        filler.chosen.clear();
        filler.sample = 0;
        filler
    }

    /// Begins another sample. Returns `false` once all flags are distinct and every variant was
    /// used.
    pub fn begin(&mut self) -> bool {
        let all_chosen = self.chosen.values().all(|(count, chosen)| chosen >= count);
        if self.sample >= SAMPLES && all_chosen {
            return false;
        }
        self.sample += 1;
        self.wanted = self.variant;
        self.numbers.clear();
        true
    }

    /// A number below a million that depends only on the path.
    fn number(&mut self) -> u32 {
        let number = crc32fast::hash(self.path.join(".").as_bytes()) % 1_000_000;
        assert!(self.numbers.insert(number), "{:?}: taken", self.path);
        number
    }

    /// Some fields require a format.
    fn text(&mut self) -> String {
        let number = self.number();
        match self.path.last().map_or("", String::as_str) {
            "inn" => format!("9600{number:06}"),
            "purchase_number" => format!("0396000000001{number:06}"),
            _ => format!("т{number}"),
        }
    }

    /// The index of the next variant, in the order of names.
    fn choose(&mut self, variants: &[&str]) -> usize {
        let path = self.path.join(".");
        let (count, chosen) = self.chosen.entry(path).or_insert((variants.len(), 0));
        let mut places: Vec<usize> = (0..*count).collect();
        places.sort_by_key(|place| variants[*place]);
        *chosen += 1;
        places[(*chosen - 1) % *count]
    }

    fn within<T>(&mut self, name: &str, fill: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(name.to_owned());
        let filled = fill(self);
        self.path.pop();
        filled
    }
}

pub fn variants_of<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    let mut filler = Filler::default();
    T::deserialize(&mut filler).expect("a filled sample");
    filler.outermost
}

/// A sequence of values. `fields` has the field names of a struct, and is empty for any other type.
struct Values<'f> {
    filler: &'f mut Filler,
    fields: &'static [&'static str],
    count: usize,
    done: usize,
}

impl<'de> SeqAccess<'de> for Values<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.done == self.count {
            return Ok(None);
        }
        let place = self.done.to_string();
        let name = self.fields.get(self.done).copied().unwrap_or(&place);
        self.done += 1;
        let fill = |filler: &mut Filler| seed.deserialize(filler);
        self.filler.within(name, fill).map(Some)
    }
}

impl<'de> Deserializer<'de> for &mut Filler {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom(format!(
            "{:?}: this type is not supported yet",
            self.path
        )))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let flag = self.path.join(".");
        let place = 1 + self.flags.iter().filter(|other| **other < flag).count();
        self.flags.insert(flag);
        visitor.visit_bool(place >> (self.sample % SAMPLES) & 1 == 1)
    }

    /// A `u8` is an hour or a minute.
    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u8((self.number() % 24) as u8)
    }

    /// An `i16` is the exponent of an amount.
    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i16(-2)
    }

    /// A `u32` is a date, as the number YYYYMMDD.
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = self.number();
        let (year, month, day) = (number / 336, number % 336 / 28, number % 28);
        visitor.visit_u32((1000 + year) * 10_000 + (1 + month) * 100 + 1 + day)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(self.number().into())
    }

    /// An `i128` is the digits of an amount. The last digit must not be 0.
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i128(i128::from(self.number()) * 10 + 1)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.text())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(1, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(Values {
            filler: self,
            fields: &[],
            count,
            done: 0,
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(Values {
            filler: self,
            fields,
            count: fields.len(),
            done: 0,
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.path.is_empty() {
            self.outermost = variants;
        }
        let place = match self.wanted.take() {
            Some(place) => place,
            None => self.choose(variants),
        };
        let name = variants.get(place).copied().unwrap_or_default();
        self.within(name, |filler| visitor.visit_enum(Variant(filler, place)))
    }

    forward_to_deserialize_any! {
        i8 i32 i64 u16 u128 f32 f64 char str bytes byte_buf unit unit_struct tuple_struct map
        identifier ignored_any
    }
}

struct Variant<'f>(&'f mut Filler, usize);

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let place: U32Deserializer<Error> = (self.1 as u32).into_deserializer();
        Ok((seed.deserialize(place)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_struct("", fields, visitor)
    }
}
