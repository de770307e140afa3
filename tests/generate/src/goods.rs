//! Items of a contract: name, unit, quantity and unit price, with gaps and mistakes like those in
//! real documents.

use super::contract::long_amount;
use super::deal::Position;
use super::json_line::JsonLine;
use super::rng::Rng;

/// OKEI code of the tonne, the only unit with fractional quantities.
const TONNE: &str = "168";

/// Writes the fields of an item, except code and sum. `sum` is the agreed sum, in kopecks.
pub fn write_item(rng: &mut Rng, position: &Position, sum: u64, json: &mut JsonLine) {
    let item = position.item;
    let (unit, of_own) = item.some_unit(rng);
    let thousandths = match unit[0] {
        TONNE => (position.quantity * 1_000 / of_own).max(1),
        _ => position.quantity.div_ceil(of_own) * 1_000,
    };
    let price = sum * 1_000 / thousandths;
    let drawn = rng.below(1_000);
    let name = match drawn {
        0..6 => String::new(),
        6..70 => position.name().to_uppercase(),
        _ => position.name().into_owned(),
    };
    json.text("name", name);
    let unit = match drawn {
        // A typical mistake: quantity and price are per pack, but the unit is for a single item.
        100..115 => item.unit(),
        115..121 => ["", ""],
        _ => unit,
    };
    json.texts(["okei", "okeiName"], unit);
    match drawn {
        121..125 => json.null("quantity"),
        _ => json.value("quantity", decimal(thousandths)),
    }
    match drawn {
        200..206 => json.null("price"),
        206..208 => json.value("price", 0),
        // A typical mistake: the price is in kopecks instead of roubles.
        208..214 => json.amount("price", price * 100),
        214..224 => json.value("price", long_amount(rng, price)),
        _ => json.amount("price", price),
    }
}

/// Formats thousandths as a decimal number without trailing zeros.
fn decimal(thousandths: u64) -> String {
    let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
