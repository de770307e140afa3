//! The stored forms of single values, which are facts' own: texts and whole numbers.

use std::fmt::Display;

use minicbor::data::Type;

use super::encoding::{Fault, Field, Reader, Value, Writer};
use crate::model::{Amount, ContractStage, Date, Inn, Moment};

impl Value for String {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        to.cbor.str(self)?;
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(from.cbor.str()?.to_owned())
    }
}

impl Field for String {
    fn missing() -> Self {
        Self::new()
    }

    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}

impl Value for bool {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        to.cbor.bool(*self)?;
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(from.cbor.bool()?)
    }
}

impl Field for bool {
    fn missing() -> Self {
        false
    }

    fn is_missing(&self) -> bool {
        !self
    }
}

impl Value for u64 {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        to.cbor.u64(*self)?;
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(from.cbor.u64()?)
    }
}

impl Field for u64 {
    fn missing() -> Self {
        0
    }

    fn is_missing(&self) -> bool {
        *self == 0
    }
}

impl<T: Value> Value for Option<T> {
    /// A field without a value is not stored; an item of a list is null.
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        match self {
            Some(value) => value.encode(to)?,
            None => drop(to.cbor.null()?),
        }
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        if from.cbor.datatype()? == Type::Null {
            from.cbor.null()?;
            return Ok(None);
        }
        T::decode(from).map(Some)
    }
}

impl<T: Value> Field for Option<T> {
    fn missing() -> Self {
        None
    }

    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

impl<T: Value> Value for Vec<T> {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        to.list(self.len())?;
        self.iter().try_for_each(|value| value.encode(to))
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        let count = from.list()?;
        (0..count).map(|_| T::decode(from)).collect()
    }
}

impl<T: Value> Field for Vec<T> {
    fn missing() -> Self {
        Self::new()
    }

    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}

/// Hundredths, where they are a whole number below 2^54; else the decimal number as text.
impl Value for Amount {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        match self.as_hundredths() {
            Some(hundredths) => to.cbor.i64(hundredths)?,
            None => to.cbor.str(&self.to_string())?,
        };
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        if from.cbor.datatype()? == Type::String {
            return parsed(from, |text| text.parse().ok());
        }
        Ok(Self::from_hundredths(from.cbor.i64()?))
    }
}

impl Field for Amount {
    fn missing() -> Self {
        Self::from_hundredths(0)
    }

    fn is_missing(&self) -> bool {
        *self == Self::missing()
    }
}

/// Days since 1970.
impl Value for Date {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        to.cbor.i64(self.days_since_1970())?;
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        let days = from.cbor.i64()?;
        let day = Self::from_days_since_1970(days);
        match day.days_since_1970() == days {
            true => Ok(day),
            false => Err(fault(days)),
        }
    }
}

/// A day; with a time of day, a list of the day and the minutes since midnight.
impl Value for Moment {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        let Some((hour, minute)) = self.time() else {
            return self.date().encode(to);
        };
        to.cbor.array(2)?;
        self.date().encode(to)?;
        to.cbor.u16(u16::from(hour) * 60 + u16::from(minute))?;
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        if from.cbor.datatype()? != Type::Array {
            return Date::decode(from).map(Self::from_day);
        }
        let count = from.cbor.array()?;
        if count != Some(2) {
            return Err(Fault::new("a moment of other than two parts"));
        }
        let date = Date::decode(from)?;
        let minutes = from.cbor.u16()?;
        let moment = u8::try_from(minutes / 60)
            .ok()
            .and_then(|hour| Self::at(date, hour, (minutes % 60) as u8));
        moment.ok_or_else(|| fault(minutes))
    }
}

/// The number as text.
impl Value for Inn {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        to.cbor.str(self.as_str())?;
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        parsed(from, Self::from_stored)
    }
}

/// The registry's code of the stage.
impl Value for ContractStage {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        to.cbor.str(self.code())?;
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        parsed(from, Self::from_code)
    }
}

fn parsed<T>(from: &mut Reader<'_>, parse: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
    let text = from.cbor.str()?;
    parse(text).ok_or_else(|| fault(text))
}

/// Such a value is never written.
fn fault(value: impl Display) -> Fault {
    let shown: String = value.to_string().chars().take(40).collect();
    Fault::new(format!("an impossible value: {shown:?}"))
}
