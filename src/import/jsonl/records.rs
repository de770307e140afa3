//! Reads records from lines, with the same field lists of the model that render responses.

use super::object::{FieldError, Object, Result};
use crate::model::{
    Attachment, CardSupplier, CodedText, Contract, ContractItem, ContractStage, Coverage,
    Customer44, Date, DeliveryPlace, Enforcement, GuaranteeClaim, Inn, Lot44, Lot223,
    LotCustomer223, Organization, PersonName, Preference, ProcedureDates, Purchase44, Purchase223,
    Purchase615, PurchaseContract, PurchaseNumber, PurchaseObject44, PurchaseObject223,
    PurchaseStage, Regime, Region, ResponsibleOrg44, ResponsibleOrg615, Restriction14, RnpEntry,
    StageDates, Supplier, Termination, Winner, Winner223, Winner615,
};
use crate::model::{card_fields, claim_fields, contract_fields, item_fields, termination_fields};

pub trait LineRecord: Sized {
    fn read(from: &Object<'_>) -> Result<Self>;
}

impl LineRecord for Supplier {
    fn read(from: &Object<'_>) -> Result<Self> {
        Ok(Self {
            inn: from.required("inn", "10 or 12 digits", Inn::parse)?,
            name: from.text("name")?,
        })
    }
}

/// The supplier in a line about an RNP entry. With `withoutINN`, the line may lack the INN, but
/// must state the name.
pub struct EntrySupplier(pub Supplier);

impl LineRecord for EntrySupplier {
    fn read(from: &Object<'_>) -> Result<Self> {
        if from.flag("withoutINN")? != Some(true) {
            return Supplier::read(from).map(Self);
        }
        from.parsed("inn", "empty where withoutINN is true", |_| None::<Inn>)?;
        let name = from.required_text("name")?;
        let inn = Inn::none();
        Ok(Self(Supplier { inn, name }))
    }
}

/// The supplier in a line about a contract. With `withoutINN`, the line may lack both INN and name.
pub struct ContractSupplier(pub Supplier);

impl LineRecord for ContractSupplier {
    fn read(from: &Object<'_>) -> Result<Self> {
        if from.flag("withoutINN")? != Some(true) {
            return Supplier::read(from).map(Self);
        }
        from.parsed("inn", "empty where withoutINN is true", |_| None::<Inn>)?;
        let name = from.text("name")?;
        let inn = Inn::of_name(&name);
        Ok(Self(Supplier { inn, name }))
    }
}

/// Maximum length of a subsystem's name in the schema of the document service.
pub const MAX_SUBSYSTEM: usize = 20;
/// Maximum length of a document type's name in the schema of the document service.
pub const MAX_DOCUMENT_TYPE: usize = 50;

impl LineRecord for Coverage {
    fn read(from: &Object<'_>) -> Result<Self> {
        let day = |name| from.required(name, "a date YYYY-MM-DD", Date::parse_iso);
        let run = Self {
            subsystem: from.required("subsystem", "1 to 20 of A-Z and 0-9", |text| {
                let is_allowed = |c: u8| c.is_ascii_uppercase() || c.is_ascii_digit();
                (text.len() <= MAX_SUBSYSTEM && text.bytes().all(is_allowed))
                    .then(|| text.to_owned())
            })?,
            documents: from.required("documents", "1 to 50 of A-Z, a-z, 0-9 and _", |text| {
                let is_allowed = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
                let is_short = text.len() <= MAX_DOCUMENT_TYPE;
                (is_short && text.bytes().all(is_allowed)).then(|| text.to_owned())
            })?,
            region: from.required("region", "the code of a region, such as 77", |text| {
                Region::from_code(text).map(|region| region.code.to_owned())
            })?,
            from: day("from")?,
            to: day("to")?,
        };
        match run.from <= run.to {
            true => Ok(run),
            false => Err(FieldError::at("to", "is before the day in from")),
        }
    }
}

/// Reads a field by its kind in the field lists of the model.
macro_rules! read_field {
    ($from:ident key $name:tt) => {
        $from.required_text($name)
    };
    ($from:ident number $name:tt $regime:ident) => {
        purchase_number($from, $name, Regime::$regime)
    };
    ($from:ident text_if_any $name:tt) => {
        $from.text($name)
    };
    ($from:ident amount_or_zero $name:tt) => {
        $from.amount($name)
    };
    ($from:ident total $name:tt) => {
        $from.object($name, |object| object.amount("total"))
    };
    ($from:ident date $name:tt) => {
        $from.iso_date($name)
    };
    ($from:ident count $name:tt) => {
        $from.count($name).map(Option::unwrap_or_default)
    };
    ($from:ident optional_count $name:tt) => {
        $from.count($name)
    };
    ($from:ident flag $name:tt) => {
        $from.flag($name).map(Option::unwrap_or_default)
    };
    ($from:ident optional_flag $name:tt) => {
        $from.flag($name)
    };
    ($from:ident stage $name:tt) => {
        $from.parsed($name, ContractStage::EXPECTED, ContractStage::from_code)
    };
    ($from:ident purchase_stage $name:tt) => {
        $from.text($name).map(PurchaseStage::Stated)
    };
    ($from:ident short_names $name:tt $item:tt) => {
        $from.list($name, $item, |item| item.text("shortName"))
    };
    ($from:ident $kind:ident $name:tt $item:literal) => {
        $from.list($name, $item, LineRecord::read)
    };
    ($from:ident flat _) => {
        LineRecord::read($from)
    };
    ($from:ident termination _) => {
        LineRecord::read($from)
    };
    ($from:ident record $name:tt) => {
        $from.object($name, LineRecord::read)
    };
    ($from:ident contact $name:tt) => {
        $from.object($name, LineRecord::read)
    };
    ($from:ident items $name:tt) => {
        $from.items($name, LineRecord::read)
    };
    ($from:ident products $name:tt) => {
        $from.items($name, LineRecord::read)
    };
    ($from:ident claims $name:tt) => {
        $from.items($name, LineRecord::read)
    };
    // The other kinds, such as `text` and `amount`, are names of methods of [`Object`].
    ($from:ident $kind:ident $name:tt) => {
        $from.$kind($name)
    };
}

macro_rules! read_listed {
    ([$record:ident] $($field:ident $name:tt: $kind:ident,)*) => {
        impl LineRecord for $record {
            fn read(from: &Object<'_>) -> Result<Self> {
                Ok(Self { $($field: read_field!(from $kind $name)?,)* })
            }
        }
    };
}

contract_fields!(read_listed Contract);
item_fields!(read_listed ContractItem);
termination_fields!(read_listed Termination);
claim_fields!(read_listed GuaranteeClaim);

impl LineRecord for RnpEntry {
    fn read(from: &Object<'_>) -> Result<Self> {
        Ok(Self {
            registration_number: from.required_text("registrationNumber")?,
            registration_date: from.iso_date("registrationDate")?,
            reason: from.text("reason")?,
            contract_number: from.text("contractNumber")?,
            exclude_date: from.iso_date("excludeDate")?,
            federal_law: from.text("federalLaw")?,
            customer_name: from.text("customerName")?,
            customer_inn: from.text("customerINN")?,
            // Lines do not contain these fields. The caller sets the name, and the store sets the
            // others.
            supplier_name: String::new(),
            suspensions: Vec::new(),
            removed_by: None,
        })
    }
}

/// Reads the fields listed in braces. If a name precedes the braces, the fields are in a nested
/// object.
macro_rules! read_part {
    ($from:ident { $($kind:ident $name:tt $(($of:tt))?,)* }) => {
        ($(read_field!($from $kind $name $($of)?)?,)*)
    };
    ($from:ident $object:literal $fields:tt) => {
        $from.object($object, |object| Ok(read_part!(object $fields)))?
    };
}

macro_rules! read_cards {
    ($($record:ident: $($($object:literal)? $(in $sample_of_object:ident)? {
        $($field:ident $name:tt: $kind:ident $(($of:tt))? $(in $sample:ident)?,)*
    })*;)*) => {
        $(impl LineRecord for $record {
            fn read(from: &Object<'_>) -> Result<Self> {
                $(let ($($field,)*) =
                    read_part!(from $($object)? { $($kind $name $(($of))?,)* });)*
                Ok(Self { $($($field,)*)* })
            }
        })*
    };
}

card_fields!(read_cards);

fn purchase_number(from: &Object<'_>, name: &str, regime: Regime) -> Result<PurchaseNumber> {
    let must_be = match regime {
        Regime::Fz44 => "19 digits",
        Regime::Fz223 => "11 digits, the first a 3",
        Regime::Pp615 => "18 digits",
    };
    let parse = |text: &str| PurchaseNumber::parse_under(regime, text);
    from.required(name, must_be, parse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::jsonl::{FieldError, parse_line};

    #[test]
    fn a_number_of_another_regime_is_rejected() {
        let read = |json| {
            Object::read(json, |object| {
                purchase_number(object, "purchaseNumber", Regime::Fz44)
            })
        };
        assert!(read(r#"{"purchaseNumber":"0173200002625000220"}"#).is_ok());
        assert_eq!(
            read(r#"{"purchaseNumber":"31400935277"}"#),
            Err(FieldError::at(
                "purchaseNumber",
                "must be 19 digits, not \"31400935277\""
            ))
        );
    }

    #[test]
    fn messages_are_short_however_long_a_line_is() {
        let long = "x".repeat(100_000);
        for line in [
            format!(r#"{{"type":"supplier","supplier":"{long}"}}"#),
            format!(r#"{{"type":"{long}"}}"#),
            format!(r#"{{"type":"purchase615","purchase":{{"{long}":1}}}}"#),
            format!(
                r#"{{"type":"purchase223","purchase":{{"purchaseNumber":"31400935277","lots":"{long}"}}}}"#
            ),
            format!(
                r#"{{"type":"purchase223","purchase":{{"purchaseNumber":"31400935277","lots":{{"lot":["{long}"]}}}}}}"#
            ),
            format!(r#"{{"type":"registry","federalLaw":"{long}"}}"#),
        ] {
            let problem = parse_line(line.as_bytes())
                .map(drop)
                .expect_err("a problem");
            assert!(problem.to_string().len() < 300, "{problem:.300}");
        }
    }
}
