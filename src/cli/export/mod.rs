//! `export`: writes all records, those of one supplier, or those that meet conditions, as a stream.

mod conditions;
mod selected;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use super::verdict_args::VerdictArgs;
use super::{BoxedError, Outcome, calendar, open_with, output, today, wrong_use};
use crate::api::{ExportFilter, ExportKind, response_origin};
use crate::model::{Date, EncodedContract, EncodedContractItems, Ground, Inn};
use crate::render;
use crate::render::AnswerOrigin;
use crate::store::{Database, SupplierRow};
use conditions::Conditions;
use selected::{SelectedExport, exported};

/// Write records: all of them, those of one supplier, or those that meet conditions.
///
/// JSON Lines can be imported again and then give the same answers, except about items. CSV is one
/// table, for a spreadsheet, with one row per item of a purchase. The conditions are those of the
/// searches, without their limits. The export shows one state of the data, even during an import.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database to read: a file, or postgresql://HOST,…/DATABASE [default: the bundled
    /// demonstration data]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// The format; json is another name for jsonl
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: ExportFormat,
    /// The records to write; conditions need contracts, items, purchases or rnp [default: all as
    /// jsonl, contracts as csv]
    #[arg(long, value_name = "KIND")]
    what: Option<RecordSet>,
    /// Only records of the supplier with this INN
    #[arg(
        long,
        value_name = "INN",
        value_parser = inn
    )]
    supplier: Option<Inn>,
    /// Where to write; - is standard output. The file appears under this name when it is
    /// complete
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    #[command(flatten)]
    verdicts: VerdictArgs,
    #[command(flatten)]
    conditions: Conditions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    #[value(alias = "json")]
    Jsonl,
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RecordSet {
    All,
    Suppliers,
    Contracts,
    Items,
    Purchases,
    Rnp,
}

impl RecordSet {
    /// Returns the kind of record that search conditions apply to, or `None` if this set cannot be
    /// filtered.
    fn kind(self) -> Option<ExportKind> {
        match self {
            Self::All | Self::Suppliers => None,
            Self::Contracts => Some(ExportKind::Contracts),
            Self::Items => Some(ExportKind::Items),
            Self::Purchases => Some(ExportKind::Purchases),
            Self::Rnp => Some(ExportKind::Entries),
        }
    }
}

fn inn(text: &str) -> Result<Inn, String> {
    Inn::parse(text.trim()).ok_or_else(|| "give 10 or 12 digits".to_owned())
}

#[derive(Default)]
struct ExportCounts {
    suppliers: u64,
    contracts: u64,
    purchases: u64,
    entries: u64,
}

pub fn run(args: &Args) -> Outcome {
    let what = match (args.what, args.format) {
        (Some(what), _) => what,
        (None, ExportFormat::Jsonl) => RecordSet::All,
        (None, ExportFormat::Csv) => RecordSet::Contracts,
    };
    let filter = args.filter(what).unwrap_or_else(|error| wrong_use(&error));
    if args.format == ExportFormat::Csv && what == RecordSet::All {
        let why = "csv is one table: give --what contracts, items, purchases, rnp or suppliers";
        return Err(why.into());
    }
    if args.supplier.is_some() && what == RecordSet::Purchases {
        let why = "purchases do not belong to a supplier: omit --supplier, or give another --what";
        return Err(why.into());
    }
    let database = open_with(args.database.as_deref(), Database::open_unmapped)?;
    let only = match &args.supplier {
        None => None,
        Some(inn) => Some((
            inn,
            find_supplier(&database, inn, args.database.as_deref())?,
        )),
    };
    let ground = Ground::new(
        &database.registries(),
        &database.unread_entries(),
        today(),
        args.verdicts.rules(),
    );
    let from = response_origin(&database, ground);
    let written = output::write_to(&args.out, |out| {
        if let Some(filter) = &filter {
            let mut export = SelectedExport {
                database: &database,
                format: args.format,
                today: today(),
                from: &from,
                out,
            };
            return export.write(filter);
        }
        let mut export = Export {
            database: &database,
            format: args.format,
            what,
            today: today(),
            from,
            counts: ExportCounts::default(),
            buffer: Vec::new(),
            out,
        };
        match only {
            None => export.all()?,
            Some((inn, supplier)) => export.one(inn, &supplier)?,
        }
        Ok(export.counts.in_words())
    })?;
    if let Some(written) = written {
        eprintln!("{written}");
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Returns the filter, or `None` for all records or all records of one supplier.
    fn filter(&self, what: RecordSet) -> Result<Option<ExportFilter>, String> {
        if self.conditions.is_empty() && what != RecordSet::Items {
            return Ok(None);
        }
        let kind = what
            .kind()
            .ok_or("conditions need --what contracts, items, purchases or rnp")?;
        if self.supplier.is_some() && kind == ExportKind::Entries {
            return Err("--what rnp takes either --supplier or other conditions".to_owned());
        }
        let supplier = self
            .supplier
            .as_ref()
            .filter(|_| kind != ExportKind::Purchases);
        let (rules, now) = (self.verdicts.rules(), calendar()());
        let filter = self.conditions.filter(kind, supplier, rules, now);
        filter.map(Some)
    }
}

fn find_supplier(
    database: &Database,
    inn: &Inn,
    path: Option<&Path>,
) -> Result<SupplierRow, BoxedError> {
    let mut found = database.supplier(inn)?;
    if let Some(supplier) = &found
        && !supplier.is_known(!database.rnp_entries(inn)?.is_empty())
    {
        found = None;
    }
    let name = path.map_or("the demonstration data".into(), |path| {
        path.display().to_string()
    });
    found.ok_or_else(|| format!("{name}: there is no data on a supplier with INN {inn}").into())
}

impl ExportCounts {
    fn in_words(&self) -> String {
        let Self {
            suppliers,
            contracts,
            purchases,
            entries,
        } = self;
        format!(
            "{suppliers} suppliers, {contracts} contracts, {purchases} purchases, {entries} RNP entries"
        )
    }
}

struct Export<'a> {
    database: &'a Database,
    format: ExportFormat,
    what: RecordSet,
    today: Date,
    /// Written as the last columns of rows about the RNP.
    from: AnswerOrigin,
    counts: ExportCounts,
    buffer: Vec<u8>,
    out: &'a mut dyn Write,
}

impl Export<'_> {
    fn all(&mut self) -> Result<(), BoxedError> {
        self.begin()?;
        let database = self.database;
        if self.what != RecordSet::Purchases {
            database.suppliers(|inn, supplier| self.supplier(inn, supplier))?;
        }
        if self.writes(RecordSet::Rnp) && self.format == ExportFormat::Jsonl {
            for registry in database.registries().all {
                render::registry_lines(&mut self.buffer, &registry);
            }
            self.write_buffer()?;
        }
        if self.writes(RecordSet::Purchases) {
            database.purchases(|purchase| -> Result<(), BoxedError> {
                let (out, today) = (&mut self.buffer, self.today);
                match self.format {
                    ExportFormat::Jsonl => render::purchase_line(out, purchase, today),
                    ExportFormat::Csv => {
                        let items = purchase.listed_items();
                        render::add_purchase(out, &purchase.listed(today), &items);
                    }
                }
                self.counts.purchases += 1;
                self.write_buffer()
            })?;
        }
        if self.what == RecordSet::All {
            for run in database.coverage()?.iter() {
                render::coverage_line(&mut self.buffer, run);
            }
            self.write_buffer()?;
        }
        Ok(())
    }

    fn one(&mut self, inn: &Inn, supplier: &SupplierRow) -> Result<(), BoxedError> {
        self.begin()?;
        self.supplier(inn, supplier)
    }

    fn begin(&mut self) -> Result<(), BoxedError> {
        if self.format == ExportFormat::Csv {
            match self.what {
                RecordSet::Suppliers => render::begin_suppliers(&mut self.buffer),
                RecordSet::Rnp => render::begin_entries(&mut self.buffer, &self.from),
                RecordSet::Purchases => render::begin_purchases(&mut self.buffer),
                _ => render::begin_contracts(&mut self.buffer),
            }
        }
        self.write_buffer()
    }

    fn writes(&self, what: RecordSet) -> bool {
        self.what == RecordSet::All || self.what == what
    }

    fn supplier(&mut self, inn: &Inn, supplier: &SupplierRow) -> Result<(), BoxedError> {
        let entries = self.database.rnp_entries(inn)?;
        if !supplier.is_known(!entries.is_empty()) {
            return Ok(());
        }
        // Records without an INN belong to no supplier.
        let is_supplier = !inn.is_none();
        self.counts.suppliers += u64::from(is_supplier);
        let (inn, name) = (inn.as_str(), supplier.name());
        let is_csv = self.format == ExportFormat::Csv;
        // Lines of contracts and RNP entries contain the supplier's name. A full export therefore
        // writes a supplier line only if the name was imported from a supplier line.
        if is_supplier && self.what == RecordSet::Suppliers
            || (self.what == RecordSet::All && supplier.stated)
        {
            match is_csv {
                true => render::add_supplier(&mut self.buffer, inn, name),
                false => render::supplier_line(&mut self.buffer, inn, name),
            }
        }
        if self.writes(RecordSet::Contracts) {
            self.contracts(inn, supplier)?;
        }
        if self.writes(RecordSet::Rnp) {
            for entry in entries {
                self.counts.entries += 1;
                let (name, entry) = exported(inn, name, &entry);
                match is_csv {
                    true => render::add_entry(&mut self.buffer, inn, &name, &entry, &self.from),
                    false => render::entry_line(&mut self.buffer, inn, &name, &entry),
                }
            }
        }
        self.write_buffer()
    }

    fn contracts(&mut self, inn: &str, supplier: &SupplierRow) -> Result<(), BoxedError> {
        let Self { out, buffer, .. } = self;
        let name = supplier.name();
        let mut broken: Option<io::Error> = None;
        let mut write = |write: &dyn Fn(&mut Vec<u8>)| {
            if broken.is_none() {
                write(buffer);
                broken = out.write_all(buffer).err();
                buffer.clear();
            }
        };
        match self.format {
            ExportFormat::Csv => self.database.contracts(supplier, &mut |contract| {
                write(&|buffer| render::add_contract(buffer, inn, name, contract));
            })?,
            ExportFormat::Jsonl => {
                let show = &mut |contract: &EncodedContract<'_>,
                                 items: EncodedContractItems<'_>| {
                    write(&|buffer| render::contract_line(buffer, inn, name, contract, items));
                };
                self.database.contracts_with_items(supplier, show)?
            }
        }
        self.counts.contracts += supplier.contracts;
        broken.map_or(Ok(()), |error| Err(error.into()))
    }

    fn write_buffer(&mut self) -> Result<(), BoxedError> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
