//! Reads a party (supplier, contractor or participant), in all forms that documents have.
//!
//! The values of a party are in an element for its type (organization or person, Russian or
//! foreign). Since 2022, they are in a register extract within that element; until 2014, they are
//! directly in the party's element.

use super::node::{FieldName, Node};
use super::value::joined;
use crate::import::facts::SupplierFacts;
use crate::model::Inn;

/// Names of the fields that are filled with a party's name, INN and KPP.
pub type PartyFields = [FieldName; 3];

/// Elements for the types of parties.
const KINDS: &[&str] = &["legalEntity*", "individual*"];

/// Register extracts, which contain a party's name and numbers. Other elements, such as
/// `statusInfo` and `otherInfo` of schema 14.1, also contain names, but not the party's.
const EXTRACTS: &[&str] = &["EGRULInfo", "EGRIPInfo"];

const NUMBERS: &[&str] = &[
    "INN",
    "inn",
    "registerInRFTaxBodies/INN",
    "registerInRFTaxBodiesInfo/INN",
    "taxPayerCode",
];

/// Paths of the number of a foreign party. They do not include `taxPayerCode`, because for a
/// foreign party, that is a foreign tax code and never an INN, whatever its digits.
const NUMBERS_OF_FOREIGN: &[&str] = NUMBERS.split_at(NUMBERS.len() - 1).0;

const KPPS: &[&str] = &[
    "KPP",
    "kpp",
    "registerInRFTaxBodies/KPP",
    "registerInRFTaxBodiesInfo/KPP",
];

const NAMES: &[&str] = &[
    "fullName",
    "organizationName",
    "name",
    "firmName",
    "shortName",
];

// Names of a party's fields in the manual's table.
const NAME: FieldName = "name";
const INN: FieldName = "inn";
const KPP: FieldName = "kpp";

/// Reads the party at `node`: the first name, number and KPP found. If there are several numbers,
/// the first INN takes precedence.
pub fn read(node: &Node<'_>, fields: PartyFields) -> SupplierFacts {
    let node = node.party(&fields);
    let holder = holder(&node);
    let extracts = holder.all(EXTRACTS);
    let places: Vec<Node<'_>> = std::iter::once(holder.clone()).chain(extracts).collect();
    let is_foreign = holder.name().to_lowercase().contains("foreign");
    let paths = if is_foreign {
        NUMBERS_OF_FOREIGN
    } else {
        NUMBERS
    };
    let numbers = || {
        let texts = places.iter().map(|place| place.text(INN, paths));
        texts.filter(|text| !text.is_empty())
    };
    let inn = numbers().find(|text| Inn::parse(text).is_some());
    let mut kpps = places.iter().map(|place| place.text(KPP, KPPS));
    SupplierFacts {
        name: name(&holder, &places),
        inn: inn
            .or_else(|| numbers().next())
            .unwrap_or_default()
            .to_owned(),
        kpp: kpps
            .find(|kpp| !kpp.is_empty())
            .unwrap_or_default()
            .to_owned(),
    }
}

/// Returns the element with the values of the party. If no element has a known name, as may happen
/// with later schemas, returns the first one that contains an INN.
fn holder<'e>(node: &Node<'e>) -> Node<'e> {
    let known = node.first_or_self(KINDS);
    let is_known = known.name() != node.name();
    if is_known || !node.text(INN, NUMBERS).is_empty() {
        return known;
    }
    let others = node.all(&["*"]).into_iter();
    let mut others = others.filter(|other| !is_of_others(other.name()));
    let unknown = others.find(|other| other.has(INN, "//INN"));
    unknown.unwrap_or(known)
}

/// Returns whether an element is about people other than the party, such as contacts or founders.
/// An INN in it is not the party's.
fn is_of_others(name: &str) -> bool {
    name == "contactInfo" || name.starts_with("founder")
}

/// Returns the name of the organization, or else of the person, or else of the contact person.
fn name(holder: &Node<'_>, places: &[Node<'_>]) -> String {
    let organizations = places.iter().map(|place| place.verbatim(NAME, NAMES));
    let persons = places
        .iter()
        .map(|place| place.first_or_self(&["nameInfo"]));
    let contact = holder.first(&["contactInfo"]);
    let persons = persons.chain(contact).map(|one| person_name(&one));
    let mut names = organizations.chain(persons);
    names.find(|name| !name.is_empty()).unwrap_or_default()
}

fn person_name(node: &Node<'_>) -> String {
    let parts = ["lastName", "firstName", "middleName"];
    joined(parts.map(|part| node.text(NAME, &[part])), " ")
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::import::eis::node::Node;
    use crate::import::facts::SupplierFacts;
    use crate::xml::for_each_document;

    fn party(content: &str) -> SupplierFacts {
        let mut found = None;
        let xml = format!("<supplierInfo>{content}</supplierInfo>");
        for_each_document(&xml, |document| {
            found = Some(read(
                &Node::new(&document),
                ["supplierIName", "supplierINN", "supplierINN"],
            ));
        })
        .expect("well-formed");
        found.expect("a party")
    }

    #[test]
    fn a_foreign_tax_code_is_not_an_inn() {
        let kazakh = "<legalEntityForeignState><fullName>ТОО «Пример»</fullName>\
                      <taxPayerCode>960200188867</taxPayerCode>TAXES</legalEntityForeignState>";
        assert_eq!(party(&kazakh.replace("TAXES", "")).inn, "");
        assert_eq!(party(&kazakh.replace("TAXES", "")).name, "ТОО «Пример»");
        let taxes = "<registerInRFTaxBodies><INN>9600000087</INN></registerInRFTaxBodies>";
        assert_eq!(party(&kazakh.replace("TAXES", taxes)).inn, "9600000087");
    }

    #[test]
    fn a_status_beside_a_person_is_not_its_name() {
        let person = party(
            "<individualPersonRF><lastName>Речной</lastName><firstName>Пётр</firstName>\
             <INN>960000000236</INN><statusInfo><code>20</code>\
             <name>субъект малого предпринимательства</name></statusInfo></individualPersonRF>",
        );
        assert_eq!(person.name, "Речной Пётр");
    }
}
