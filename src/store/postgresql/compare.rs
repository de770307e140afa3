//! Which contracts of some suppliers the server has not as the file has them. Both give them
//! in one order, by supplier and position, so that neither is held in memory; the server gives
//! keys and digests alone.

use std::collections::VecDeque;

use super::super::data_file::DataFile;
use super::super::error::Result;
use super::super::facets::Facets;
use super::super::record::digest;
use super::super::server_bounds::SERVER_SILENCE;
use super::super::suppliers::KnownSupplier;
use super::client::{Row, Session};
use super::copy::RowBuffer;
use super::rows;
use super::text::original;
use crate::model::{Date, EncodedContract, Inn};

/// How many keys are read from the server at once.
const FETCH: &str = "FETCH 2000 FROM contract_key";

/// How many bytes of differences are gathered before they are sent.
const AT_ONCE: usize = 256 << 10;

/// The position of a contract: its supplier, the day of signing as YYYYMMDD, 0 for none, and
/// its registry number.
type Position = (String, i64, String);

/// A comparison of the file's contracts with the server's. What differs goes to the tables
/// `gone_contract` and `new_contract`: a contract that has changed to both.
pub struct ContractComparison<'a> {
    session: &'a mut Session,
    /// What comes next on the server, with digests.
    ahead: VecDeque<(Position, i64)>,
    /// Is `ahead` all that is left?
    is_all: bool,
    gone: RowBuffer,
    new: RowBuffer,
    /// How many contracts the server does not have, or has otherwise.
    pub written: u64,
    /// How many it has that the file does not have.
    pub removed: u64,
}

impl<'a> ContractComparison<'a> {
    /// Nothing compared yet.
    pub fn new(session: &'a mut Session) -> Self {
        Self {
            session,
            ahead: VecDeque::new(),
            is_all: true,
            gone: RowBuffer::default(),
            new: RowBuffer::default(),
            written: 0,
            removed: 0,
        }
    }

    /// Compares the contracts of suppliers, which are in the order of their INNs.
    pub fn suppliers(&mut self, file: &DataFile, suppliers: &[KnownSupplier]) -> Result<()> {
        let inns: Vec<&str> = suppliers.iter().map(|it| it.inn.as_str()).collect();
        let sql = "DECLARE contract_key NO SCROLL CURSOR FOR \
                   SELECT supplier_inn, sign_date, reg_num, digest \
                   FROM contract WHERE supplier_inn = ANY($1) \
                   ORDER BY supplier_inn, sign_date, reg_num";
        self.session.execute(sql, &[&inns], SERVER_SILENCE)?;
        self.is_all = false;
        for supplier in suppliers {
            file.contract_records(supplier, |contract, facets, record| {
                self.contract(&supplier.inn, contract, facets, record)
            })?;
        }
        while let Some((position, _)) = self.next()? {
            self.remove(&position)?;
        }
        self.session.batch("CLOSE contract_key", SERVER_SILENCE)
    }

    /// Sends what is left.
    pub fn finish(mut self) -> Result<(u64, u64)> {
        self.send()?;
        Ok((self.written, self.removed))
    }

    fn contract(
        &mut self,
        inn: &Inn,
        contract: &EncodedContract<'_>,
        facets: &Facets<'_>,
        record: &[u8],
    ) -> Result<()> {
        let day = Date::parse_iso(&contract.sign_date.text());
        let day = day.map_or(0, |day| i64::from(day.number()));
        let position = (inn.to_string(), day, contract.reg_num.text().into_owned());
        while let Some((other, _)) = self.next_before(&position)? {
            self.remove(&other)?;
        }
        let same = |(other, _): &(Position, i64)| *other == position;
        if self.peek()?.is_some_and(same) {
            let (_, stored) = self.ahead.pop_front().unwrap_or_default();
            if stored == digest(record) {
                return Ok(());
            }
            self.remove(&position)?;
            self.removed -= 1;
        }
        rows::contract(&mut self.new, inn, contract, facets, record);
        self.written += 1;
        self.send_if_enough()
    }

    fn remove(&mut self, (inn, _, reg_num): &Position) -> Result<()> {
        self.gone.begin(2).text(reg_num).text(inn);
        self.removed += 1;
        self.send_if_enough()
    }

    fn send_if_enough(&mut self) -> Result<()> {
        match self.gone.size() + self.new.size() >= AT_ONCE {
            true => self.send(),
            false => Ok(()),
        }
    }

    fn send(&mut self) -> Result<()> {
        self.gone.copy_to(self.session, "gone_", "contract")?;
        self.new.copy_to(self.session, "new_", "contract")
    }

    /// The next contract on the server, if it is before this position.
    fn next_before(&mut self, position: &Position) -> Result<Option<(Position, i64)>> {
        match self.peek()?.is_some_and(|(next, _)| next < position) {
            true => Ok(self.ahead.pop_front()),
            false => Ok(None),
        }
    }

    fn next(&mut self) -> Result<Option<(Position, i64)>> {
        self.peek()?;
        Ok(self.ahead.pop_front())
    }

    fn peek(&mut self) -> Result<Option<&(Position, i64)>> {
        if self.ahead.is_empty() && !self.is_all {
            let rows = self.session.rows(FETCH, &[], SERVER_SILENCE)?;
            self.is_all = rows.is_empty();
            let keys = rows.iter().map(|row| key(self.session, row));
            self.ahead = keys.collect::<Result<_>>()?;
        }
        Ok(self.ahead.front())
    }
}

fn key(session: &Session, row: &Row) -> Result<(Position, i64)> {
    let reg_num = original(session.get(row, 2)?);
    let position = (session.get(row, 0)?, session.get(row, 1)?, reg_num);
    Ok((position, session.get(row, 3)?))
}
