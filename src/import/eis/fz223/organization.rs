//! Organisations in documents under 223-FZ.

use crate::import::eis::element::Element;
use crate::model::Organization;

/// Reads a `mainInfo`; its address is the legal one ("223" in the mapping's section 7).
pub fn read(info: &Element<'_>) -> Organization {
    Organization {
        full_name: info.first_words(&["fullName", "shortName"]).to_owned(),
        inn: info.text_at("inn").to_owned(),
        kpp: info.text_at("kpp").to_owned(),
        ogrn: info.text_at("ogrn").to_owned(),
        factual_address: info.words_at("legalAddress").to_owned(),
        postal_address: info.words_at("postalAddress").to_owned(),
        phone: info.words_at("phone").to_owned(),
        email: info.words_at("email").to_owned(),
    }
}
