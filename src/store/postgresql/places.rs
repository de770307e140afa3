//! Where the contracts of a supplier stand: the table `contract_place`, by which a page anywhere
//! is found. A late contract moves the places of the newer ones, of which each hundredth is
//! there.

/// How many contracts there are from one place that is known to the next.
pub(super) const STEP: u64 = 100;

/// The places of the contracts that a condition selects.
macro_rules! places {
    ($condition:literal) => {
        concat!(
            "SELECT supplier_inn, place, sign_date, reg_num FROM (\
             SELECT supplier_inn, sign_date, reg_num, row_number() OVER (PARTITION BY supplier_inn \
             ORDER BY sign_date NULLS FIRST, reg_num) - 1 AS place FROM contract",
            $condition,
            ") AS placed WHERE place % 100 = 99 AND sign_date IS NOT NULL"
        )
    };
}

/// Fills the table.
pub(super) const FILL: &str = concat!("INSERT INTO contract_place ", places!(""));

/// Brings it up to date for the suppliers of the tables `new_contract` and `gone_contract`.
pub(super) const UPDATE: [&str; 4] = [
    "CREATE TEMP TABLE placed_supplier ON COMMIT DROP AS SELECT supplier_inn FROM new_contract \
     UNION SELECT supplier_inn FROM gone_contract",
    concat!(
        "CREATE TEMP TABLE new_contract_place ON COMMIT DROP AS ",
        places!(
            " WHERE supplier_inn IN (SELECT supplier_inn FROM placed_supplier \
             JOIN supplier ON inn = supplier_inn WHERE contracts >= 100)"
        )
    ),
    "DELETE FROM contract_place AS old USING placed_supplier AS placed \
     WHERE old.supplier_inn = placed.supplier_inn AND NOT EXISTS (\
     SELECT FROM new_contract_place AS new WHERE (new.*) = (old.*))",
    "INSERT INTO contract_place SELECT * FROM new_contract_place ON CONFLICT DO NOTHING",
];

/// What a page is read from: `start` is the known place at the page's first contract or the
/// next newer one, and how many contracts are between them. `$1` is the supplier's INN, `$2` how
/// many contracts are skipped.
macro_rules! from_place {
    ($statement:expr) => {
        concat!(
            "WITH start AS MATERIALIZED (SELECT coalesce(known.place - wanted, least(contracts, $2)) AS before, \
             coalesce(sign_date, 'infinity') AS sign_date, coalesce(reg_num, '') AS reg_num \
             FROM (SELECT contracts, contracts - least(contracts, $2) - 1 AS wanted \
             FROM DATA.supplier WHERE inn = $1) AS supplier \
             LEFT JOIN LATERAL (SELECT place, sign_date, reg_num FROM DATA.contract_place \
             WHERE supplier_inn = $1 AND place >= wanted ORDER BY place LIMIT 1) AS known ON true) ",
            $statement
        )
    };
}
pub(super) use from_place;
