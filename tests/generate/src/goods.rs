//! The items of a contract as its document lists them: name, unit, quantity and unit price, with
//! the gaps and mistakes of real documents.

use super::chance::Chance;
use super::contract::long_amount;
use super::deal::Position;
use super::json_line::JsonLine;

/// The code of the one other unit that is not counted in whole numbers.
const TONNE: &str = "168";

/// Writes the fields of an item with an agreed sum, kopecks, beside its code.
pub fn write_item(chance: &mut Chance, position: &Position, sum: u64, json: &mut JsonLine) {
    let item = position.item;
    let (unit, of_own) = item.some_unit(chance);
    let thousandths = match unit[0] {
        TONNE => (position.quantity * 1_000 / of_own).max(1),
        _ => position.quantity.div_ceil(of_own) * 1_000,
    };
    let price = sum * 1_000 / thousandths;
    let drawn = chance.below(1_000);
    let name = match drawn {
        0..6 => String::new(),
        6..70 => position.name().to_uppercase(),
        _ => position.name().into_owned(),
    };
    json.text("name", name);
    let unit = match drawn {
        // Counted and priced by the pack, with the unit of what is in it.
        100..115 => item.unit(),
        115..121 => ["", ""],
        _ => unit,
    };
    json.texts(["okei", "okeiName"], unit);
    match drawn {
        121..125 => json.none("quantity"),
        _ => json.value("quantity", counted(thousandths)),
    }
    match drawn {
        200..206 => json.none("price"),
        206..208 => json.value("price", 0),
        // Kopecks in place of roubles.
        208..214 => json.amount("price", price * 100),
        214..224 => json.value("price", long_amount(chance, price)),
        _ => json.amount("price", price),
    }
}

/// Thousandths as a decimal without trailing zeros.
fn counted(thousandths: u64) -> String {
    let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
