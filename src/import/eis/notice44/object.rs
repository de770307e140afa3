//! The objects of a purchase: goods, works, services; drugs.

use crate::import::eis::node::{Node, Paths, Result};
use crate::model::{Amount, PurchaseObject44};

/// Paths of the objects that are not drugs: `ep*`, EZT2020, `fcs*`.
const GOODS: Paths<'_> = &[
    "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/purchaseObject",
    "purchaseObjectsInfo/purchaseObject",
    "purchaseObjects/purchaseObject",
];

/// Paths of drugs: `ep*`, `fcs*`.
const DRUGS: Paths<'_> = &[
    "purchaseObjectsInfo/drugPurchaseObjectsInfo/drugPurchaseObjectInfo",
    "drugPurchaseObjectsInfo/drugPurchaseObjectInfo",
];

/// Paths of codes: a preliminary selection (ISM, ISO) or a notice under article 111 has no
/// more about its objects.
const CODES: Paths<'_> = &["OKPD", "OKPD2", "KTRU"];

/// Reads the objects of a lot in their order, and whether it is one of drugs. Parents (`hierarchyType` P) repeat the sums of their
/// children, and are ignored; `notDrugPurchaseParentObjectsInfo` has them too.
///
/// # Errors
/// The element that is malformed.
pub fn read(lot: &Node<'_>) -> Result<(Vec<PurchaseObject44>, bool)> {
    let mut elements = lot.all(GOODS);
    elements.retain(|object| object.text("purchaseObject", &["hierarchyType"]) != "P");
    let of_all = lot.string("purchaseObject.type", &["purchaseObjectsInfo/type"]);
    let goods: Result<Vec<_>> = elements.iter().map(|one| goods(one, &of_all)).collect();
    let mut objects = goods?;
    let drugs = lot.read_all(DRUGS, |object| drug(&object))?;
    let of_drugs = !drugs.is_empty();
    objects.extend(drugs);
    if objects.is_empty() {
        let codes = CODES
            .iter()
            .flat_map(|kind| lot.all(&[kind]).into_iter().map(move |code| (*kind, code)));
        objects.extend(codes.map(|(kind, code)| object_from_code(kind, &code)));
    }
    Ok((objects, of_drugs))
}

/// `of_all` is the type of all objects, which EZT2020 states once (since schema 14.1).
fn goods(object: &Node<'_>, of_all: &str) -> Result<PurchaseObject44> {
    let object = object.filling("purchaseObject");
    let kind = match object.text("type", &["type"]) {
        "" => of_all,
        kind => kind,
    };
    Ok(PurchaseObject44 {
        kind: kind.to_owned(),
        name: object.verbatim("name", NAMES),
        okei: object.string("OKEI", &["OKEI/code"]),
        okei_name: object.verbatim("OKEIName", UNIT_NAMES),
        price: object.amount("price", &["price"])?,
        quantity: object.amount("quantity", &["quantity/value"])?,
        sum: object.amount("sum", &["sum"])?,
        ..flagged(classified(&object), &object)?
    })
}

/// The name; else the name of the code.
const NAMES: Paths<'_> = &[
    "name",
    "KTRU/name",
    "OKPD2/OKPDName",
    "OKPD2/name",
    "OKPD/name",
];

/// The name of the unit: `ep*`, `fcs*` newer and older.
const UNIT_NAMES: Paths<'_> = &[
    "OKEI/name",
    "OKEI/fullName",
    "OKEI/nationalName",
    "OKEI/nationalCode",
];

const OKPD2_CODES: Paths<'_> = &["KTRU/OKPD2/OKPDCode", "OKPD2/OKPDCode", "OKPD2/code"];

const OKPD2_NAMES: Paths<'_> = &["KTRU/OKPD2/OKPDName", "OKPD2/OKPDName", "OKPD2/name"];

/// The codes: `OKPD2/OKPDCode` in the `ep*`, `OKPD2/code` in the `fcs*`. An object with a
/// KTRU code has the OKPD2 code in it, else the one it starts with.
fn classified(object: &Node<'_>) -> PurchaseObject44 {
    let ktru = object.string("KTRU", &["KTRU/code"]);
    let okpd2 = match object.text("OKPD2", OKPD2_CODES) {
        "" => prefix(&ktru),
        okpd2 => okpd2,
    };
    PurchaseObject44 {
        okpd: object.string("OKPD", &["OKPD/code"]),
        okpd2: okpd2.to_owned(),
        okpd2_name: object.verbatim("OKPD2Name", OKPD2_NAMES),
        ktru,
        ktru_name: object.verbatim("KTRUName", &["KTRU/name"]),
        ..PurchaseObject44::default()
    }
}

/// The OKPD2 code that a KTRU code starts with.
fn prefix(ktru: &str) -> &str {
    ktru.split_once('-').map_or("", |(okpd2, _)| okpd2)
}

fn object_from_code(kind: &str, code: &Node<'_>) -> PurchaseObject44 {
    let text = code.string("purchaseObject", &["code"]);
    let name = code.verbatim("purchaseObject.name", &["name"]);
    let mut object = PurchaseObject44 {
        name: name.clone(),
        ..PurchaseObject44::default()
    };
    match kind {
        "OKPD" => object.okpd = text,
        "OKPD2" => (object.okpd2, object.okpd2_name) = (text, name),
        _ => {
            object.okpd2 = prefix(&text).to_owned();
            (object.ktru, object.ktru_name) = (text, name);
        }
    }
    object
}

/// The object with its flags, those of `restrictionsInfo` among them: one that is not stated is
/// empty.
fn flagged(object: PurchaseObject44, element: &Node<'_>) -> Result<PurchaseObject44> {
    let flags = element.first_or_self(&["restrictionsInfo"]);
    let flag = |field, path| flags.stated_flag(field, &[path]);
    let reasons = ["reasonImposibilityProhibition"];
    Ok(PurchaseObject44 {
        preference_rf: flag("preferenseRF", "isPreferenseRFPurchaseObjects")?,
        restrict_foreign: flag("restrictForeign", "isRestrictForeignPurchaseObjects")?,
        prohibition_foreign: flag("prohibitionForeign", "isProhibitionForeignPurchaseObjects")?,
        impossible_prohibition: flag("imposibilityProhibition", "isImposibilityProhibition")?,
        impossible_prohibition_reason: flags.verbatim("reasonImposibilityProhibition", &reasons),
        medical_product: element.stated_flag("isMedicalProduct", &["isMedicalProduct"])?,
        ..object
    })
}

/// One object for each `drugPurchaseObjectInfo`; of several ways to supply it, the basic
/// one counts. It is named by its MNN where it has no name.
fn drug(object: &Node<'_>) -> Result<PurchaseObject44> {
    let object = object.filling("purchaseObject");
    let drugs = object.first(&[
        "objectInfoUsingReferenceInfo/drugsInfo",
        "objectInfoUsingTextForm/drugsInfo",
    ]);
    let variant = drugs.and_then(|drugs| basic_variant(&drugs));
    let described = variant.map_or_else(PurchaseObject44::default, |one| described(&one));
    let mut name = object.verbatim("name", &["name"]);
    if name.is_empty() {
        name.clone_from(&described.mnn);
    }
    let prices = ["pricePerUnit", "quantityUndefined/price"];
    Ok(PurchaseObject44 {
        kind: object.string("type", &["type"]),
        name,
        price: object.amount("price", &prices)?,
        quantity: drug_quantity(&object)?,
        sum: object.amount("sum", &["positionPrice"])?,
        ..flagged(described, &object)?
    })
}

/// The total, or the sum of the customers' quantities.
fn drug_quantity(object: &Node<'_>) -> Result<Option<Amount>> {
    let field = "quantity";
    if let Some(total) = object.amount(field, &["drugQuantityCustomersInfo/total"])? {
        return Ok(Some(total));
    }
    let customers = ["drugQuantityCustomersInfo/drugQuantityCustomerInfo"];
    let parts = object.read_all(&customers, |part| part.amount(field, &["quantity"]))?;
    let mut parts = parts.into_iter().flatten();
    let first = parts.next();
    Ok(first.and_then(|first| parts.try_fold(first, Amount::checked_add)))
}

/// Paths of the ways to supply a drug.
const VARIANTS: Paths<'_> = &[
    "drugInfo",
    "drugInterchangeInfo/drugInterchangeReferenceInfo/drugInfo",
    "drugInterchangeInfo/drugInterchangeManualInfo/drugInfo",
    "drugInterchangeTextFormInfo/drugInfo",
];

/// The one with `basicUnit`, else the first.
fn basic_variant<'e>(drugs: &Node<'e>) -> Option<Node<'e>> {
    let inner = ["drugInfoUsingReferenceInfo", "drugInfoUsingTextForm"];
    let variants = drugs.all(VARIANTS).into_iter();
    let mut variants: Vec<Node<'_>> = variants.map(|one| one.first_or_self(&inner)).collect();
    let mut each = variants.iter();
    let basic = each.position(|one| one.text("", &["basicUnit"]) == "true");
    let at = basic.unwrap_or_default();
    (at < variants.len()).then(|| variants.swap_remove(at))
}

fn described(variant: &Node<'_>) -> PurchaseObject44 {
    let unit = variant.first(&["manualUserOKEI", "dosageInfo/dosageUserOKEI"]);
    let forms = [
        "medicamentalFormInfo/medicamentalFormName",
        "medicamentalFormInfo/medicamentalForm/name",
    ];
    let (okei, okei_name) = unit.map_or_else(Default::default, |unit| {
        let name = unit.verbatim("OKEIName", &["name", "nationalCode"]);
        (unit.string("OKEI", &["code"]), name)
    });
    PurchaseObject44 {
        mnn: variant.verbatim("MNN", &["MNNInfo/MNNName"]),
        dosage_form: variant.verbatim("dosageForm", &forms),
        dosage: variant.verbatim("dosage", &["dosageInfo/dosageGRLSValue"]),
        okei,
        okei_name,
        ..classified(variant)
    }
}
