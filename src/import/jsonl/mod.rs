//! Parses JSON Lines: one record per line, in the shape of responses (manual, "Importing", "JSON
//! Lines").

mod object;
mod records;

pub use object::FieldError;

use object::{Object, Result};
use records::{ContractSupplier, EntrySupplier, LineRecord};

use super::text::utf8;
use crate::model::{Contract, Coverage, Date, Purchase, Purchase44, Regime, RnpEntry, Supplier};
use crate::store::{self, PackedLine};

pub const MAX_LINE: usize = 16 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A contract, and the supplier under which it is listed.
    Contract(Supplier, Box<Contract>),
    Purchase(Purchase),
    RnpEntry(Supplier, Box<RnpEntry>),
    Supplier(Supplier),
    /// Declares that a law's registry of unfair suppliers is complete as of a day.
    Registry(Regime, Date),
    /// Declares that the official documents of a range of days were fetched.
    Coverage(Coverage),
}

impl Line {
    /// Encodes the line for the store.
    ///
    /// # Errors
    /// Returns an error if the record cannot be encoded.
    pub fn pack(self) -> store::Result<PackedLine> {
        match self {
            Self::Contract(supplier, contract) => PackedLine::contract(supplier, &contract),
            Self::Purchase(purchase) => PackedLine::purchase(&purchase),
            Self::RnpEntry(supplier, entry) => PackedLine::rnp_entry(supplier, &entry),
            Self::Supplier(supplier) => Ok(PackedLine::supplier(supplier)),
            Self::Registry(law, complete_as_of) => Ok(PackedLine::registry(law, complete_as_of)),
            Self::Coverage(run) => Ok(PackedLine::coverage(run)),
        }
    }
}

/// Parses a line, which must not contain its line feed. Returns `None` if the line is blank.
///
/// # Errors
/// Returns the first error in the line, with the path of the field.
pub fn parse_line(bytes: &[u8]) -> Result<Option<Line>> {
    if bytes.len() > MAX_LINE {
        let most = MAX_LINE >> 20;
        return Err(FieldError::new(format!("a line longer than {most} MiB")));
    }
    let text = utf8(bytes).map_err(FieldError::new)?;
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    if text.is_empty() {
        return Ok(None);
    }
    if !text.starts_with('{') {
        return Err(FieldError::new("not a JSON object"));
    }
    Object::read(text, line).map(Some)
}

fn line(object: &Object<'_>) -> Result<Line> {
    let supplier = || object.record("supplier", Supplier::read);
    Ok(match object.required_text("type")?.as_str() {
        "contract" => {
            let ContractSupplier(supplier) = object.record("supplier", ContractSupplier::read)?;
            Line::Contract(
                supplier,
                Box::new(object.record("contract", Contract::read)?),
            )
        }
        "purchase44" => {
            let card = object.record("purchase", Purchase44::read)?;
            Line::Purchase(Purchase::Fz44(Box::new(card)))
        }
        "purchase223" => {
            let card = object.record("purchase", without_hash)?;
            Line::Purchase(Purchase::Fz223(Box::new(card)))
        }
        "purchase615" => {
            let card = object.record("purchase", without_hash)?;
            Line::Purchase(Purchase::Pp615(Box::new(card)))
        }
        "rnpEntry" => {
            let EntrySupplier(supplier) = object.record("supplier", EntrySupplier::read)?;
            let mut entry = object.record("entry", RnpEntry::read)?;
            if supplier.inn.is_none() {
                entry.supplier_name.clone_from(&supplier.name);
            }
            Line::RnpEntry(supplier, Box::new(entry))
        }
        "supplier" => Line::Supplier(supplier()?),
        "registry" => {
            let law = object.required("federalLaw", "44, 223 or 615", Regime::from_code)?;
            let day = object.required("completeAsOf", "a date YYYY-MM-DD", Date::parse_iso)?;
            Line::Registry(law, day)
        }
        "coverage" => Line::Coverage(Coverage::read(object)?),
        _ => {
            let kinds = "contract, purchase44, purchase223, purchase615, rnpEntry, supplier, registry or coverage";
            return Err(FieldError::at("type", format!("must be {kinds}")));
        }
    })
}

/// Reads a card. The hash in the line is ignored, because this program computes it itself.
fn without_hash<T: LineRecord>(card: &Object<'_>) -> Result<T> {
    card.text("md5").map(drop)?;
    T::read(card)
}
