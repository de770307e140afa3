use crate::import::eis::node::Node;
use crate::import::facts::OrganizationFacts;

/// Reads a `mainInfo` element. The legal address serves as the factual address too (manual, Fields,
/// "Organisations").
pub fn read(info: &Node<'_>) -> OrganizationFacts {
    OrganizationFacts {
        full_name: info.verbatim("fullName", &["fullName", "shortName"]),
        inn: info.string("inn", &["inn"]),
        kpp: info.string("kpp", &["kpp"]),
        ogrn: info.string("ogrn", &["ogrn"]),
        factual_address: info.verbatim("factualAddress", &["legalAddress"]),
        postal_address: info.verbatim("postalAddress", &["postalAddress"]),
        phone: info.verbatim("phone", &["phone"]),
        email: info.verbatim("email", &["email"]),
    }
}
