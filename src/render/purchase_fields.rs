//! Writes purchase cards from the field lists in the model (specification, "Purchase, 44 shape",
//! "223 shape", "615 shape").

use super::fields::{FieldWriter, Name, Record, Sample, form, name};
use crate::model::card_fields;
use crate::model::{
    Attachment, CardSupplier, CodedText, Customer44, Date, DeliveryPlace, Enforcement, Lot44,
    Lot223, LotCustomer223, Organization, PersonName, Preference, ProcedureDates, Purchase,
    Purchase44, Purchase223, Purchase615, PurchaseContract, PurchaseObject44, PurchaseObject223,
    ResponsibleOrg44, ResponsibleOrg615, Restriction14, StageDates, Winner, Winner223, Winner615,
};

/// A card as shown on a given day. The stage of the purchase depends on the day.
pub struct Card<'a> {
    purchase: &'a Purchase,
    today: Date,
}

impl<'a> Card<'a> {
    pub fn new(purchase: &'a Purchase, today: Date) -> Self {
        Self { purchase, today }
    }
}

impl Record for Card<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        match self.purchase {
            Purchase::Fz44(card) => card.write(fields, self.today),
            Purchase::Fz223(card) => card.write(fields, self.today),
            Purchase::Pp615(card) => card.write(fields, self.today),
        }
    }
}

trait CardRecord {
    fn write<F: FieldWriter>(&self, to: &mut F, today: Date);
}

/// Writes a field of a card by its kind (see the field lists in `model/card_fields.rs`).
macro_rules! write_card_field {
    ($to:ident $today:ident number $name:tt (Fz44) $value:expr) => {
        $to.formed(name!($name), $value.as_str(), form::NUMBER44)
    };
    ($to:ident $today:ident number $name:tt (Fz223) $value:expr) => {
        $to.formed(name!($name), $value.as_str(), form::NUMBER223)
    };
    ($to:ident $today:ident number $name:tt (Pp615) $value:expr) => {
        $to.formed(name!($name), $value.as_str(), form::NUMBER615)
    };
    ($to:ident $today:ident text $name:tt $value:expr) => {
        $to.text(name!($name), &$value)
    };
    ($to:ident $today:ident text_if_any $name:tt $value:expr) => {
        $to.optional(!$value.is_empty(), |to| to.text(name!($name), &$value))
    };
    ($to:ident $today:ident purchase_stage $name:tt $value:expr) => {
        $to.text(name!($name), $value.on($today))
    };
    ($to:ident $today:ident dotted_date $name:tt $value:expr) => {
        $to.date(name!($name), $value)
    };
    ($to:ident $today:ident optional_count $name:tt $value:expr) => {
        $to.count(name!($name), $value)
    };
    ($to:ident $today:ident optional_flag $name:tt $value:expr) => {
        $to.flag(name!($name), $value)
    };
    ($to:ident $today:ident record $name:tt $value:expr) => {
        $to.object(name!($name), |to| $value.write(to, $today))
    };
    ($to:ident $today:ident contact $name:tt $value:expr) => {
        contact($to, name!($name), &$value, $today)
    };
    ($to:ident $today:ident flat _ $value:expr) => {
        $value.write($to, $today)
    };
    ($to:ident $today:ident list $name:tt ($item:tt) $value:expr) => {
        $to.list(name!($name), name!($item), &$value, |to, one| {
            one.write(to, $today)
        })
    };
    ($to:ident $today:ident list_if_any $name:tt ($item:tt) $value:expr) => {
        $to.optional(!$value.is_empty(), |to| {
            write_card_field!(to $today list $name ($item) $value)
        })
    };
    ($to:ident $today:ident customers $name:tt ($item:tt) $value:expr) => {
        $to.list(name!($name), name!($item), &$value, |to, one| {
            if to.sample() == Sample::Xml {
                to.text(name!("ikz"), &one.purchase_code);
            }
            one.write(to, $today);
        })
    };
    ($to:ident $today:ident items $name:tt $value:expr) => {
        $to.items(name!($name), &$value, |to, one| one.write(to, $today))
    };
    ($to:ident $today:ident short_names $name:tt ($item:tt) $value:expr) => {
        $to.list(name!($name), name!($item), &$value, |to, one| {
            to.text(name!("shortName"), one)
        })
    };
    // The other kinds, such as `amount` and `moment`, are names of methods of [`FieldWriter`].
    ($to:ident $today:ident $kind:ident $name:tt $value:expr) => {
        $to.$kind(name!($name), $value)
    };
}

/// Writes the fields listed in braces. If the braces have a name, the fields form an object.
macro_rules! write_part {
    ($to:ident $today:ident $card:ident {
        $($field:ident $name:tt: $kind:ident $(($of:tt))? $(in $sample:ident)?,)*
    }) => {
        $($(if $to.sample().has(Sample::$sample))? {
            write_card_field!($to $today $kind $name $(($of))? $card.$field);
        })*
    };
    ($to:ident $today:ident $card:ident $object:literal $fields:tt) => {
        $to.object(name!($object), |to| { write_part!(to $today $card $fields); })
    };
}

macro_rules! write_cards {
    ($($record:ident: $($($object:literal)? $(in $sample:ident)? { $($fields:tt)* })*;)*) => {
        $(impl CardRecord for $record {
            #[allow(unused_variables, reason = "many records are the same on every day")]
            fn write<F: FieldWriter>(&self, to: &mut F, today: Date) {
                let card = self;
                $($(if to.sample().has(Sample::$sample))? {
                    write_part!(to today card $($object)? { $($fields)* });
                })*
            }
        })*
    };
}

card_fields!(write_cards);

/// The XML sample has the person's full name as one text; everything else has an object.
fn contact<F: FieldWriter>(to: &mut F, name: &Name, person: &PersonName, today: Date) {
    if to.sample() != Sample::Xml {
        return to.object(name, |to| person.write(to, today));
    }
    let names = [&person.last, &person.first, &person.middle].map(String::as_str);
    let present: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    to.text(name, &present.join(" "));
}
