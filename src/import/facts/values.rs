//! Stored forms of texts, numbers, days and other single values. Other modules encode some of these
//! types too, but nothing here depends on how.

use std::fmt::Display;

use minicbor::data::Type;

use super::encoding::{FactsError, FactsReader, FactsWriter, StoredField, StoredValue};
use crate::model::{Amount, ContractStage, Date, Inn, Moment};

impl StoredValue for String {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.str(self)?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        Ok(from.cbor.str()?.to_owned())
    }
}

impl StoredField for String {
    fn missing() -> Self {
        Self::new()
    }

    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}

impl StoredValue for bool {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.bool(*self)?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        Ok(from.cbor.bool()?)
    }
}

impl StoredField for bool {
    fn missing() -> Self {
        false
    }

    fn is_missing(&self) -> bool {
        !self
    }
}

impl StoredValue for u64 {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.u64(*self)?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        Ok(from.cbor.u64()?)
    }
}

impl StoredField for u64 {
    fn missing() -> Self {
        0
    }

    fn is_missing(&self) -> bool {
        *self == 0
    }
}

impl<T: StoredValue> StoredValue for Option<T> {
    /// `None` becomes null. Only items of lists are stored as `None`: a field without a value is
    /// not stored at all.
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        match self {
            Some(value) => value.encode(to)?,
            None => drop(to.cbor.null()?),
        }
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        if from.cbor.datatype()? == Type::Null {
            from.cbor.null()?;
            return Ok(None);
        }
        T::decode(from).map(Some)
    }
}

impl<T: StoredValue> StoredField for Option<T> {
    fn missing() -> Self {
        None
    }

    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

impl<T: StoredValue> StoredValue for Vec<T> {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.list(self.len())?;
        self.iter().try_for_each(|value| value.encode(to))
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        let count = from.list()?;
        (0..count).map(|_| T::decode(from)).collect()
    }
}

impl<T: StoredValue> StoredField for Vec<T> {
    fn missing() -> Self {
        Self::new()
    }

    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}

/// Stored in hundredths if that is a whole number below 2^54, otherwise as text.
impl StoredValue for Amount {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        match self.as_hundredths() {
            Some(hundredths) => to.cbor.i64(hundredths)?,
            None => to.cbor.str(&self.to_string())?,
        };
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        if from.cbor.datatype()? == Type::String {
            return parsed(from, |text| text.parse().ok());
        }
        Ok(Self::from_hundredths(from.cbor.i64()?))
    }
}

impl StoredField for Amount {
    fn missing() -> Self {
        Self::from_hundredths(0)
    }

    fn is_missing(&self) -> bool {
        *self == Self::missing()
    }
}

/// Stored as days since 1970.
impl StoredValue for Date {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.i64(self.days_since_1970())?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        let days = from.cbor.i64()?;
        let day = Self::from_days_since_1970(days);
        match day.days_since_1970() == days {
            true => Ok(day),
            false => Err(fault(days)),
        }
    }
}

/// Stored as the day, or with a time as a list of the day and the minutes since midnight.
impl StoredValue for Moment {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        let Some((hour, minute)) = self.time() else {
            return self.date().encode(to);
        };
        to.cbor.array(2)?;
        self.date().encode(to)?;
        to.cbor.u16(u16::from(hour) * 60 + u16::from(minute))?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        if from.cbor.datatype()? != Type::Array {
            return Date::decode(from).map(Self::from_day);
        }
        let count = from.cbor.array()?;
        if count != Some(2) {
            return Err(FactsError::new("a moment does not have two parts"));
        }
        let date = Date::decode(from)?;
        let minutes = from.cbor.u16()?;
        let moment = u8::try_from(minutes / 60)
            .ok()
            .and_then(|hour| Self::at(date, hour, (minutes % 60) as u8));
        moment.ok_or_else(|| fault(minutes))
    }
}

impl StoredValue for Inn {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.str(self.as_str())?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        parsed(from, Self::from_stored)
    }
}

/// Stored as the code that the registry uses.
impl StoredValue for ContractStage {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.str(self.code())?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        parsed(from, Self::from_code)
    }
}

fn parsed<T>(
    from: &mut FactsReader<'_>,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, FactsError> {
    let text = from.cbor.str()?;
    parse(text).ok_or_else(|| fault(text))
}

/// Makes the error for a value that this program would never write.
fn fault(value: impl Display) -> FactsError {
    let shown: String = value.to_string().chars().take(40).collect();
    FactsError::new(format!("an impossible value: {shown:?}"))
}
