//! Reads the objects of a purchase: goods, works, services, and drugs.

use crate::import::eis::generation::{ByGeneration, Generation};
use crate::import::eis::node::{Node, Paths, Result};
use crate::import::facts::PurchaseObject44Facts;
use crate::model::Amount;

/// Paths of objects that are not drugs. In EZT2020, goods and drugs are in one list.
const GOODS: ByGeneration = ByGeneration {
    fcs: &["purchaseObjects/purchaseObject"],
    ep: &[
        "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/purchaseObject",
        "purchaseObjectsInfo/purchaseObject",
    ],
};

/// Paths of drugs. In EZT2020, drugs may be next to the other objects (schema 16.2).
const DRUGS: ByGeneration = ByGeneration {
    fcs: &["drugPurchaseObjectsInfo/drugPurchaseObjectInfo"],
    ep: &[
        "purchaseObjectsInfo/drugPurchaseObjectsInfo/drugPurchaseObjectInfo",
        "drugPurchaseObjectsInfo/drugPurchaseObjectInfo",
    ],
};

/// Codes in a lot of `fcs*`. Preliminary selections (ISM, ISO) and notices under article 111 say
/// nothing else about their objects.
const CODES: Paths<'_> = &["OKPD", "OKPD2", "KTRU"];

/// Path of the element that marks an object as a parent. Only `ep*` has a hierarchy.
const HIERARCHY: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &["hierarchyType"],
};

/// The type of all objects, which EZT2020 states only once (since schema 14.1).
const TYPE_OF_ALL: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &["purchaseObjectsInfo/type"],
};

/// Reads the objects of a lot, and whether they include drugs. Skips parents (`hierarchyType` P),
/// because they repeat the sums of their children. For the same reason,
/// `notDrugPurchaseParentObjectsInfo` is not read.
///
/// # Errors
/// Returns an error if an element is malformed.
pub fn read(lot: &Node<'_>, generation: Generation) -> Result<(Vec<PurchaseObject44Facts>, bool)> {
    let mut elements = lot.all(GOODS.of(generation));
    elements.retain(|object| object.text("purchaseObject", HIERARCHY.of(generation)) != "P");
    let of_all = lot.string("purchaseObject.type", TYPE_OF_ALL.of(generation));
    let goods = |object: &Node<'_>| goods(object, &of_all, generation);
    let goods: Result<Vec<_>> = elements.iter().map(goods).collect();
    let mut objects = goods?;
    let drugs = lot.read_all(DRUGS.of(generation), |object| drug(&object, generation))?;
    let of_drugs = !drugs.is_empty();
    objects.extend(drugs);
    if objects.is_empty() && generation == Generation::Fcs {
        let codes = CODES
            .iter()
            .flat_map(|kind| lot.all(&[kind]).into_iter().map(move |code| (*kind, code)));
        objects.extend(codes.map(|(kind, code)| object_from_code(kind, &code)));
    }
    Ok((objects, of_drugs))
}

fn goods(object: &Node<'_>, of_all: &str, generation: Generation) -> Result<PurchaseObject44Facts> {
    let object = object.filling("purchaseObject");
    let kind = match object.text("type", TYPE.of(generation)) {
        "" => of_all,
        kind => kind,
    };
    let ktru = object.string("KTRU", &["KTRU/code"]);
    let okpd2 = match object.text("OKPD2", OKPD2_CODES.of(generation)) {
        "" => prefix(&ktru),
        okpd2 => okpd2,
    };
    let goods = PurchaseObject44Facts {
        kind: kind.to_owned(),
        name: object.verbatim("name", NAMES.of(generation)),
        okei: object.string("OKEI", &["OKEI/code"]),
        okei_name: object.verbatim("OKEIName", UNIT_NAMES.of(generation)),
        okpd: object.string("OKPD", OKPD_CODES.of(generation)),
        okpd2: okpd2.to_owned(),
        okpd2_name: object.verbatim("OKPD2Name", OKPD2_NAMES.of(generation)),
        ktru_name: object.verbatim("KTRUName", &["KTRU/name"]),
        ktru,
        medical_product: object.stated_flag("isMedicalProduct", &["isMedicalProduct"])?,
        price: object.amount("price", &["price"])?,
        quantity: object.amount("quantity", &["quantity/value"])?,
        sum: object.amount("sum", &["sum"])?,
        ..PurchaseObject44Facts::default()
    };
    restricted(goods, &object)
}

const TYPE: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &["type"],
};

/// The name of the object, or else the name of its code.
const NAMES: ByGeneration = ByGeneration {
    fcs: &["name", "KTRU/name", "OKPD2/name", "OKPD/name"],
    ep: &["name", "KTRU/name", "OKPD2/OKPDName"],
};

/// The name of the unit of measure. Newer elements come first.
const UNIT_NAMES: ByGeneration = ByGeneration {
    fcs: &["OKEI/fullName", "OKEI/nationalName", "OKEI/nationalCode"],
    ep: &["OKEI/name", "OKEI/nationalCode"],
};

const OKPD_CODES: ByGeneration = ByGeneration {
    fcs: &["OKPD/code"],
    ep: &[],
};

/// Paths of the OKPD2 code. In `ep*`, it may be inside the KTRU element. If none of the paths has a
/// code, it is taken from the beginning of the KTRU code.
const OKPD2_CODES: ByGeneration = ByGeneration {
    fcs: &["OKPD2/code"],
    ep: &["KTRU/OKPD2/OKPDCode", "OKPD2/OKPDCode"],
};

const OKPD2_NAMES: ByGeneration = ByGeneration {
    fcs: &["OKPD2/name"],
    ep: &["KTRU/OKPD2/OKPDName", "OKPD2/OKPDName"],
};

/// A KTRU code is an OKPD2 code, a hyphen and a number.
fn prefix(ktru: &str) -> &str {
    ktru.split_once('-').map_or("", |(okpd2, _)| okpd2)
}

fn object_from_code(kind: &str, code: &Node<'_>) -> PurchaseObject44Facts {
    let text = code.string("purchaseObject", &["code"]);
    let name = code.verbatim("purchaseObject.name", &["name"]);
    let mut object = PurchaseObject44Facts {
        name: name.clone(),
        ..PurchaseObject44Facts::default()
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

/// Adds the flags in `restrictionsInfo`, which only `ep*` has.
fn restricted(object: PurchaseObject44Facts, element: &Node<'_>) -> Result<PurchaseObject44Facts> {
    let Some(flags) = element.first(&["restrictionsInfo"]) else {
        return Ok(object);
    };
    let flag = |field, path| flags.stated_flag(field, &[path]);
    let reasons = ["reasonImposibilityProhibition"];
    Ok(PurchaseObject44Facts {
        preference_rf: flag("preferenseRF", "isPreferenseRFPurchaseObjects")?,
        restrict_foreign: flag("restrictForeign", "isRestrictForeignPurchaseObjects")?,
        prohibition_foreign: flag("prohibitionForeign", "isProhibitionForeignPurchaseObjects")?,
        impossible_prohibition: flag("imposibilityProhibition", "isImposibilityProhibition")?,
        impossible_prohibition_reason: flags.verbatim("reasonImposibilityProhibition", &reasons),
        ..object
    })
}

/// Reads a `drugPurchaseObjectInfo` as one object. If it lists alternative drugs, reads the basic
/// one. An object without a name gets the drug's MNN (international nonproprietary name).
fn drug(object: &Node<'_>, generation: Generation) -> Result<PurchaseObject44Facts> {
    const NAME: ByGeneration = ByGeneration {
        fcs: &[],
        ep: &["name"],
    };
    let object = object.filling("purchaseObject");
    let mut drug = match basic_variant(&object) {
        Some(variant) => described(&variant, generation),
        None => PurchaseObject44Facts::default(),
    };
    drug.name = object.verbatim("name", NAME.of(generation));
    if drug.name.is_empty() {
        drug.name.clone_from(&drug.mnn);
    }
    let prices = ["pricePerUnit", "quantityUndefined/price"];
    drug.price = object.amount("price", &prices)?;
    drug.quantity = drug_quantity(&object)?;
    drug.sum = object.amount("sum", &["positionPrice"])?;
    restricted(drug, &object)
}

/// Returns the stated total, or else the sum of the customers' quantities.
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

/// One of the alternative drugs of an object.
struct DrugVariant<'e> {
    drug: Node<'e>,
    /// Whether the drug is described in words instead of being taken from the register of drugs.
    in_words: bool,
    is_interchangeable: bool,
}

/// Returns the drug marked with `basicUnit`, or else the first.
fn basic_variant<'e>(object: &Node<'e>) -> Option<DrugVariant<'e>> {
    const SOLE: &str = "drugInfo";
    const INTERCHANGEABLE: Paths<'_> = &[
        "drugInterchangeInfo/drugInterchangeReferenceInfo/drugInfo",
        "drugInterchangeInfo/drugInterchangeManualInfo/drugInfo",
        "drugInterchangeTextFormInfo/drugInfo",
    ];
    let referenced = object.first(&["objectInfoUsingReferenceInfo/drugsInfo"]);
    let in_words = referenced.is_none();
    let drugs = referenced.or_else(|| object.first(&["objectInfoUsingTextForm/drugsInfo"]))?;
    let sole = drugs.all(&[SOLE]).into_iter().map(|drug| DrugVariant {
        drug,
        in_words,
        is_interchangeable: false,
    });
    let interchangeable = drugs.all(INTERCHANGEABLE).into_iter().map(|drug| {
        let inner = drug.first(&["drugInfoUsingReferenceInfo", "drugInfoUsingTextForm"]);
        let drug = inner.unwrap_or(drug);
        DrugVariant {
            in_words: drug.name() == "drugInfoUsingTextForm",
            drug,
            is_interchangeable: true,
        }
    });
    let mut variants: Vec<DrugVariant<'_>> = sole.chain(interchangeable).collect();
    let mut each = variants.iter();
    let basic = each.position(|one| one.drug.text("", &["basicUnit"]) == "true");
    let at = basic.unwrap_or_default();
    (at < variants.len()).then(|| variants.swap_remove(at))
}

fn described(variant: &DrugVariant<'_>, generation: Generation) -> PurchaseObject44Facts {
    let drug = &variant.drug;
    // If an object has only one drug, only `ep*` states its codes. A drug described in words has no
    // KTRU code, because that comes from the register of drugs.
    let has_codes = variant.is_interchangeable || generation == Generation::Ep;
    let mut described = PurchaseObject44Facts::default();
    if has_codes {
        described.okpd2 = drug.string("OKPD2", &["OKPD2/OKPDCode"]);
        described.okpd2_name = drug.verbatim("OKPD2Name", &["OKPD2/OKPDName"]);
    }
    if has_codes && !variant.in_words {
        described.ktru = drug.string("KTRU", &["KTRU/code"]);
        described.ktru_name = drug.verbatim("KTRUName", &["KTRU/name"]);
    }
    if described.okpd2.is_empty() {
        prefix(&described.ktru).clone_into(&mut described.okpd2);
    }
    let mut forms: Paths<'_> = &["medicamentalFormInfo/medicamentalFormName"];
    if has_codes && variant.in_words {
        forms = &[
            "medicamentalFormInfo/medicamentalFormName",
            "medicamentalFormInfo/medicamentalForm/name",
        ];
    }
    let unit = drug.first(&["manualUserOKEI", "dosageInfo/dosageUserOKEI"]);
    let (okei, okei_name) = unit.map_or_else(Default::default, |unit| {
        let name = unit.verbatim("OKEIName", &["name", "nationalCode"]);
        (unit.string("OKEI", &["code"]), name)
    });
    PurchaseObject44Facts {
        mnn: drug.verbatim("MNN", &["MNNInfo/MNNName"]),
        dosage_form: drug.verbatim("dosageForm", forms),
        dosage: drug.verbatim("dosage", &["dosageInfo/dosageGRLSValue"]),
        okei,
        okei_name,
        ..described
    }
}
