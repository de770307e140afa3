//! Organisations in documents under 223-FZ.

use crate::import::eis::node::{Field, Node};
use crate::model::Organization;

/// The fields of an organisation, in the order below.
pub type OrganizationFields = [Field; 8];

/// Reads a `mainInfo`; its address is the legal one (the manual, Fields, "Organisations").
pub fn read(info: &Node<'_>, fields: &OrganizationFields) -> Organization {
    let [name, inn, kpp, ogrn, factual, postal, phone, email] = *fields;
    let words = |field, path| info.verbatim(field, &[path]).to_owned();
    let text = |field, path| info.text(field, &[path]).to_owned();
    Organization {
        full_name: info.verbatim(name, &["fullName", "shortName"]).to_owned(),
        inn: text(inn, "inn"),
        kpp: text(kpp, "kpp"),
        ogrn: text(ogrn, "ogrn"),
        factual_address: words(factual, "legalAddress"),
        postal_address: words(postal, "postalAddress"),
        phone: words(phone, "phone"),
        email: words(email, "email"),
    }
}
