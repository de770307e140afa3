//! Converts facts that the card of a purchase shows unchanged.

use crate::model::{Amount, CardSupplier, Date, Moment};

use super::party::SupplierFacts;

/// Facts that have a counterpart on the card of a purchase.
pub trait OnCard {
    type Record;

    fn on_card(&self) -> Self::Record;
}

macro_rules! unchanged {
    ($($type:ty),*) => { $(
        impl OnCard for $type {
            type Record = Self;

            fn on_card(&self) -> Self {
                self.clone()
            }
        }
    )* };
}

unchanged!(
    String,
    Option<u64>,
    Option<bool>,
    Option<Amount>,
    Option<Date>,
    Option<Moment>
);

impl<T: OnCard> OnCard for Vec<T> {
    type Record = Vec<T::Record>;

    fn on_card(&self) -> Self::Record {
        self.iter().map(T::on_card).collect()
    }
}

impl OnCard for SupplierFacts {
    type Record = CardSupplier;

    fn on_card(&self) -> CardSupplier {
        CardSupplier {
            name: self.name.clone(),
            inn: self.inn.clone(),
            kpp: self.kpp.clone(),
        }
    }
}

/// Defines structs of facts ([`super::encoding::facts`]) that become records on a card. Each record
/// has the fields of its struct of facts, plus those listed after `without`, which come from
/// documents other than the notice.
macro_rules! card_facts {
    ($($(#[$about:meta])* pub struct $name:ident for $record:ident {
        $($number:literal $field:ident: $type:ty,)*
    } without {$($other:ident),*})*) => {
        $crate::import::facts::encoding::facts! { $(
            $(#[$about])*
            pub struct $name {
                $($number $field: $type,)*
            }
        )* }
        $(impl $crate::import::facts::card::OnCard for $name {
            type Record = $record;

            fn on_card(&self) -> $record {
                $record {
                    $($field: self.$field.on_card(),)*
                    $($other: Default::default(),)*
                }
            }
        })*
    };
}
pub(super) use card_facts;
