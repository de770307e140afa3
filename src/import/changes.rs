//! The list of changed answers, for monitoring jobs.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::error::{Error, file_error};
use crate::store::{Changed, DataFile};

/// Writes a line of JSON for each supplier or purchase whose answer was changed by the last
/// import that changed anything in the file at `database`: the same lines until the next
/// such import.
///
/// # Errors
/// The file cannot be read, or `out`, named `place` in messages, cannot be written.
pub fn list_changes(database: &Path, out: &mut dyn Write, place: &Path) -> Result<(), Error> {
    let database = DataFile::open(database)?;
    let revision = database.version().revision;
    let mut outcome = Ok(());
    database.last_changes(|changed| {
        if outcome.is_ok() {
            outcome = serde_json::to_writer(&mut *out, &ChangeLine::new(&changed, revision))
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out));
        }
        Ok(())
    })?;
    outcome.map_err(file_error(place))
}

/// A line of the list.
#[derive(Serialize)]
#[serde(untagged)]
enum ChangeLine<'a> {
    Supplier {
        r#type: &'a str,
        supplier: SupplierName<'a>,
        changed: Vec<&'a str>,
        revision: i64,
    },
    #[serde(rename_all = "camelCase")]
    Purchase {
        r#type: &'a str,
        purchase_number: &'a str,
        revision: i64,
    },
}

#[derive(Serialize)]
struct SupplierName<'a> {
    inn: &'a str,
    name: &'a str,
}

impl<'a> ChangeLine<'a> {
    fn new(changed: &'a Changed, revision: i64) -> Self {
        match changed {
            Changed::Supplier {
                inn,
                name,
                contracts,
                rnp,
            } => {
                let contracts = contracts.then_some("contracts");
                let rnp = rnp.then_some("rnp");
                Self::Supplier {
                    r#type: "supplier",
                    revision,
                    supplier: SupplierName { inn, name },
                    changed: contracts.into_iter().chain(rnp).collect(),
                }
            }
            Changed::Purchase(number) => Self::Purchase {
                r#type: number.regime().purchase_kind(),
                revision,
                purchase_number: number.as_str(),
            },
        }
    }
}
