//! The list of whose answers an import changed: what a monitoring job acts on.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use super::error::{Error, file_error};
use crate::model::{PurchaseNumber, Regime};
use crate::store::{ChangeCount, Changed, Writer};

/// Writes a line of JSON for each supplier or purchase whose answer changed.
pub fn list(writer: &Writer, mut file: BufWriter<File>, path: &Path) -> Result<ChangeCount, Error> {
    let mut outcome = Ok(());
    let count = writer.changes(|changed| {
        if outcome.is_ok() {
            outcome = serde_json::to_writer(&mut file, &ChangeLine::of(&changed))
                .map_err(io::Error::from)
                .and_then(|()| writeln!(file));
        }
        Ok(())
    })?;
    outcome
        .and_then(|()| file.flush())
        .map_err(file_error(path))?;
    Ok(count)
}

/// The line about one of them.
#[derive(Serialize)]
#[serde(untagged)]
enum ChangeLine<'a> {
    Supplier {
        r#type: &'a str,
        supplier: SupplierName<'a>,
        changed: Vec<&'a str>,
    },
    #[serde(rename_all = "camelCase")]
    Purchase {
        r#type: &'a str,
        purchase_number: &'a str,
    },
}

#[derive(Serialize)]
struct SupplierName<'a> {
    inn: &'a str,
    name: &'a str,
}

impl<'a> ChangeLine<'a> {
    fn of(changed: &'a Changed) -> Self {
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
                    supplier: SupplierName { inn, name },
                    changed: contracts.into_iter().chain(rnp).collect(),
                }
            }
            Changed::Purchase(number) => Self::Purchase {
                r#type: match PurchaseNumber::parse(number).map(|number| number.regime()) {
                    Some(Regime::Fz223) => "purchase223",
                    Some(Regime::Pp615) => "purchase615",
                    _ => "purchase44",
                },
                purchase_number: number,
            },
        }
    }
}
