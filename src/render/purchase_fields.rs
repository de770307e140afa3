//! The fields of the cards of purchases, written by their list in the model (the
//! specification, "Purchase, 44 shape", "223 shape", "615 shape").

use super::fields::{FieldWriter, Name, Record, form, name};
use crate::model::card_fields;
use crate::model::{
    Attachment, CardSupplier, CodedText, Customer44, Date, DeliveryPlace, Enforcement, Lot44,
    Lot223, LotCustomer223, Organization, PersonName, Preference, ProcedureDates, Purchase44,
    Purchase223, Purchase615, PurchaseContract, PurchaseObject44, PurchaseObject223,
    ResponsibleOrg44, ResponsibleOrg615, Restriction14, StageDates, Winner, Winner223, Winner615,
};

/// A sample of the 44 shape. The fields of its XML and JSON differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    Xml,
    Json,
    /// The fields of both samples, for a line. The other shapes have only one sample.
    Both,
}

/// The day and the sample of a written card.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The day that the stage depends on.
    today: Date,
    sample: Sample,
}

impl View {
    fn has(self, sample: Sample) -> bool {
        self.sample == sample || self.sample == Sample::Both
    }
}

/// A card with its view.
pub struct Card<'a, T> {
    card: &'a T,
    view: View,
}

impl<'a, T> Card<'a, T> {
    pub fn new(card: &'a T, today: Date, sample: Sample) -> Self {
        let view = View { today, sample };
        Self { card, view }
    }
}

impl<T: CardRecord> Record for Card<'_, T> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.card.write(fields, self.view);
    }
}

/// A record of a card.
pub trait CardRecord {
    /// Writes the fields of `view`.
    fn write<F: FieldWriter>(&self, to: &mut F, view: View);
}

/// Writes a field by its kind: see the list.
macro_rules! write_field {
    ($to:ident $view:ident number $name:tt (Fz44) $value:expr) => {
        $to.formed(name!($name), $value.as_str(), form::NUMBER44)
    };
    ($to:ident $view:ident number $name:tt (Fz223) $value:expr) => {
        $to.formed(name!($name), $value.as_str(), form::NUMBER223)
    };
    ($to:ident $view:ident number $name:tt (Pp615) $value:expr) => {
        $to.formed(name!($name), $value.as_str(), form::NUMBER615)
    };
    ($to:ident $view:ident text $name:tt $value:expr) => {
        $to.text(name!($name), &$value)
    };
    ($to:ident $view:ident text_if_any $name:tt $value:expr) => {
        $to.text_if_any(name!($name), &$value)
    };
    ($to:ident $view:ident purchase_stage $name:tt $value:expr) => {
        $to.text(name!($name), $value.on($view.today))
    };
    ($to:ident $view:ident dotted_date $name:tt $value:expr) => {
        $to.date(name!($name), $value)
    };
    ($to:ident $view:ident optional_count $name:tt $value:expr) => {
        $to.count(name!($name), $value)
    };
    ($to:ident $view:ident optional_flag $name:tt $value:expr) => {
        $to.flag(name!($name), $value)
    };
    ($to:ident $view:ident record $name:tt $value:expr) => {
        $to.object(name!($name), |to| $value.write(to, $view))
    };
    ($to:ident $view:ident contact $name:tt $value:expr) => {
        contact($to, name!($name), &$value, $view)
    };
    ($to:ident $view:ident flat _ $value:expr) => {
        $value.write($to, $view)
    };
    ($to:ident $view:ident list $name:tt ($item:tt) $value:expr) => {
        $to.list(name!($name), name!($item), &$value, |to, one| {
            one.write(to, $view)
        })
    };
    ($to:ident $view:ident list_if_any $name:tt ($item:tt) $value:expr) => {
        $to.list_if(
            !$value.is_empty(),
            name!($name),
            name!($item),
            &$value,
            |to, one| one.write(to, $view),
        )
    };
    ($to:ident $view:ident customers $name:tt ($item:tt) $value:expr) => {
        $to.list(name!($name), name!($item), &$value, |to, one| {
            if $view.sample == Sample::Xml {
                to.text(name!("ikz"), &one.purchase_code);
            }
            one.write(to, $view);
        })
    };
    ($to:ident $view:ident items $name:tt $value:expr) => {
        $to.items(name!($name), &$value, |to, one| one.write(to, $view))
    };
    ($to:ident $view:ident short_names $name:tt ($item:tt) $value:expr) => {
        $to.list(name!($name), name!($item), &$value, |to, one| {
            to.text(name!("shortName"), one)
        })
    };
    // Kinds that are named like their methods: amount, moment.
    ($to:ident $view:ident $kind:ident $name:tt $value:expr) => {
        $to.$kind(name!($name), $value)
    };
}

/// Writes the fields in braces, as a separate object if it has a name.
macro_rules! write_part {
    ($to:ident $view:ident $card:ident {
        $($field:ident $name:tt: $kind:ident $(($of:tt))? $(in $sample:ident)?,)*
    }) => {
        $($(if $view.has(Sample::$sample))? {
            write_field!($to $view $kind $name $(($of))? $card.$field);
        })*
    };
    ($to:ident $view:ident $card:ident $object:literal $fields:tt) => {
        $to.object(name!($object), |to| { write_part!(to $view $card $fields); })
    };
}

macro_rules! write_cards {
    ($($record:ident: $($($object:literal)? $(in $sample:ident)? { $($fields:tt)* })*;)*) => {
        $(impl CardRecord for $record {
            #[allow(unused_variables, reason = "many records are the same in every view")]
            fn write<F: FieldWriter>(&self, to: &mut F, view: View) {
                let card = self;
                $($(if view.has(Sample::$sample))? {
                    write_part!(to view card $($object)? { $($fields)* });
                })*
            }
        })*
    };
}

card_fields!(write_cards);

/// Writes a person. In the XML sample it is the present parts of the name, joined by spaces.
fn contact<F: FieldWriter>(to: &mut F, name: &Name, person: &PersonName, view: View) {
    if view.sample != Sample::Xml {
        return to.object(name, |to| person.write(to, view));
    }
    let names = [&person.last, &person.first, &person.middle].map(String::as_str);
    let present: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    to.text(name, &present.join(" "));
}
