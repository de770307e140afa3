//! Reads parameters into values: single parameters, and groups that several endpoints share.

use std::borrow::Cow;

use super::super::error::Failure;
use super::parameter::{ParameterRow, Values};
use super::parameter_table::{self as table, MAX_DECIMALS, MAX_WHOLE_DIGITS};
use super::reader::{ReadValue, Reader, unless_default};
use crate::model::{
    Amount, ChangeCursor, ContentCode, ContentQuery, ContentRegion, ContractFilter, ContractOrder,
    ContractStage, Date, EntryFilter, FactFilter, Inn, Laws, MAX_CUSTOMER_INN, NameQuery, OrderBy,
    Overdue, PurchaseFilter, PurchaseNumber, PurchaseOrder, Regime, RiskFact, RiskFacts, StageSet,
    Submission, VerdictRules, content_words,
};

/// The requested part of a list.
#[derive(Clone, Copy, Debug)]
pub struct PageRange<'q> {
    /// Rows to skip: decimal digits without leading zeros, of any length.
    pub skip: &'q str,
    pub limit: u64,
}

impl PageRange<'_> {
    /// Returns the number of rows to skip. A number beyond 64 bits becomes the greatest 64-bit
    /// number, which is past the end of any list.
    pub fn first(&self) -> u64 {
        self.skip.parse().unwrap_or(u64::MAX)
    }
}

/// The day for which verdicts are given, and the rules for them.
#[derive(Clone, Copy, Debug)]
pub struct VerdictParameters {
    pub day: Date,
    pub rules: VerdictRules,
}

/// Where a page of changes starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangesAfter {
    /// At the oldest change in the log.
    Oldest,
    /// After the newest change.
    Now,
    Cursor(ChangeCursor),
}

impl<'q> Reader<'q> {
    pub fn supplier(&mut self) -> Result<Inn, Failure> {
        self.required(&table::SUPPLIER_INN, |text| {
            Some((Inn::parse(text)?, text.into()))
        })
    }

    /// Items may be malformed, because the check reports on each of them.
    pub fn suppliers(&mut self) -> Result<Vec<&'q str>, Failure> {
        let row = &table::SUPPLIER_INNS;
        let items = self.required(row, |text| {
            let items = text.split(',').map(str::trim);
            let items = items.filter(|item| !item.is_empty());
            let items = first_items(items, table::MAX_SUPPLIERS);
            let canonical = items.join(",").into();
            (!items.is_empty()).then_some((items, canonical))
        })?;
        if items.len() > table::MAX_SUPPLIERS {
            return Err(Failure::bad_parameter(row.name));
        }
        Ok(items)
    }

    pub fn compared_suppliers(&mut self) -> Result<Option<Vec<Inn>>, Failure> {
        self.optional(&table::COMPARED_INNS, |text| {
            let items = first_items(text.split(',').map(str::trim), table::MAX_NAMES);
            let inns = items.iter().map(|item| Inn::parse(item));
            let inns = inns.collect::<Option<Vec<_>>>()?;
            (inns.len() <= table::MAX_NAMES).then(|| (inns, items.join(",").into()))
        })
    }

    pub fn customer(&mut self) -> Result<&'q str, Failure> {
        self.required(&table::CUSTOMER, |text| customer_inn(text).map(as_it_is))
    }

    pub fn purchase_number(
        &mut self,
        row: &ParameterRow,
        regimes: &[Regime],
    ) -> Result<PurchaseNumber, Failure> {
        self.required(row, |text| {
            let number = PurchaseNumber::parse(text)?;
            let is_of_them = regimes.contains(&number.regime());
            is_of_them.then(|| (number, text.into()))
        })
    }

    pub fn search_text(&mut self, row: &ParameterRow) -> Result<&'q str, Failure> {
        self.required(row, |text| search_text(text).map(as_it_is))
    }

    pub fn reg_num(&mut self) -> Result<&'q str, Failure> {
        self.required(&table::REG_NUM, |text| {
            let is_short = text.chars().nth(table::MAX_REG_NUM).is_none();
            is_short.then(|| as_it_is(text))
        })
    }

    pub fn names(&mut self) -> Result<Vec<&'q str>, Failure> {
        self.required(&table::NAMES, |text| {
            let lines = text.lines().map(str::trim);
            let lines = lines.filter(|line| !line.is_empty());
            let names = first_items(lines, table::MAX_NAMES);
            let are_short = names.iter().all(|name| search_text(name).is_some());
            let is_right = are_short && (1..=table::MAX_NAMES).contains(&names.len());
            let canonical = names.join("\n").into();
            is_right.then_some((names, canonical))
        })
    }

    pub fn page(&mut self) -> Result<PageRange<'q>, Failure> {
        let skip = self.optional(&table::SKIP, |text| {
            let digits = digits(text)?;
            Some((digits, unless_default(digits, "0")))
        })?;
        Ok(PageRange {
            skip: skip.unwrap_or("0"),
            limit: self.limit(&table::LIMIT)?,
        })
    }

    pub fn limit(&mut self, row: &ParameterRow) -> Result<u64, Failure> {
        let text = self.text(row)?;
        let limits = row.values.limits(self.format);
        let (most, usual) = limits.ok_or_else(|| row.wrong())?;
        let Some(text) = text else {
            return Ok(usual);
        };
        let digits = digits(text).ok_or_else(|| row.wrong())?;
        let most = most.unwrap_or(u64::MAX);
        // A number beyond 64 bits exceeds any limit.
        let limit = digits.parse().ok().filter(|limit| *limit <= most);
        let limit = limit.ok_or_else(|| match row.values {
            // The specification defines a separate error for a too large number of contracts.
            Values::Rows => Failure::limit_too_large(digits.to_owned(), most),
            _ => row.wrong(),
        })?;
        self.add_canonical(row, if limit == usual { "" } else { digits });
        Ok(limit)
    }

    pub fn top(&mut self) -> Result<usize, Failure> {
        let top = self.limit(&table::TOP)?;
        Ok(usize::try_from(top).unwrap_or(usize::MAX))
    }

    pub fn after(&mut self) -> Result<ChangesAfter, Failure> {
        let after = self.optional(&table::AFTER, |text| {
            let after = match text {
                table::NOW => ChangesAfter::Now,
                text => ChangesAfter::Cursor(ChangeCursor::parse(text)?),
            };
            Some((after, text.into()))
        })?;
        Ok(after.unwrap_or(ChangesAfter::Oldest))
    }

    pub fn supplier_filter(&mut self) -> Result<ContractFilter, Failure> {
        let mut filter = self.stages_and_days()?;
        filter.customer_inn = self.optional(&table::CUSTOMER_INN, |text| {
            Some((customer_inn(text)?.to_owned(), text.into()))
        })?;
        self.prices_and_flags(filter)
    }

    pub fn customer_filter(&mut self) -> Result<ContractFilter, Failure> {
        let filter = self.stages_and_days()?;
        self.prices_and_flags(filter)
    }

    fn stages_and_days(&mut self) -> Result<ContractFilter, Failure> {
        let stages = self.optional(&table::STAGE, stages)?;
        Ok(ContractFilter {
            stages: stages.unwrap_or_default(),
            signed_from: self.optional(&table::SIGNED_FROM, day)?,
            signed_to: self.optional(&table::SIGNED_TO, day)?,
            updated_from: self.optional(&table::UPDATED_FROM, day)?,
            ..ContractFilter::default()
        })
    }

    fn prices_and_flags(&mut self, filter: ContractFilter) -> Result<ContractFilter, Failure> {
        let price_from = self.optional(&table::PRICE_FROM, amount)?;
        let price_to = self.optional(&table::PRICE_TO, amount)?;
        let has_subcontractors = self.optional(&table::HAS_SUBCONTRACTORS, flag)?;
        let overdue = self.optional(&table::OVERDUE, flag)?;
        Ok(ContractFilter {
            price_from,
            price_to,
            has_subcontractors,
            overdue: overdue.map(|is_overdue| Overdue {
                is_overdue,
                on: self.today(),
            }),
            ..filter
        })
    }

    pub fn order(&mut self) -> Result<ContractOrder, Failure> {
        let order = self.optional(&table::SORT, |text| {
            let by = match text.strip_prefix('-').unwrap_or(text) {
                "signDate" => OrderBy::SignDate,
                "contractPrice" => OrderBy::Price,
                "updateDate" => OrderBy::UpdateDate,
                _ => return None,
            };
            let ascending = !text.starts_with('-');
            let order = ContractOrder { by, ascending };
            Some((order, unless_default(text, "-signDate")))
        })?;
        Ok(order.unwrap_or_default())
    }

    pub fn verdict_parameters(&mut self) -> Result<VerdictParameters, Failure> {
        let day = match self.optional(&table::AS_OF, day)? {
            Some(day) => day,
            None => self.today(),
        };
        self.day = Some(day);
        let rules = self.rules()?;
        Ok(VerdictParameters { day, rules })
    }

    /// Reads `laws`. The verdicts are as of today.
    pub fn verdict_parameters_of_today(&mut self) -> Result<VerdictParameters, Failure> {
        let day = self.today();
        let rules = self.rules()?;
        Ok(VerdictParameters { day, rules })
    }

    fn rules(&mut self) -> Result<VerdictRules, Failure> {
        let laws = self.optional(&table::LAWS, |text| {
            let laws = Laws::parse(text)?;
            Some((laws, unless_all(laws)))
        })?;
        let mut rules = self.defaults.rules;
        match laws {
            Some(laws) => rules.laws = laws,
            None => self.add_canonical(&table::LAWS, &unless_all(rules.laws)),
        }
        Ok(rules)
    }

    pub fn purchase_filter(&mut self) -> Result<PurchaseFilter, Failure> {
        let filter = PurchaseFilter {
            content: self.content(&table::PURCHASE_WORDS)?,
            regions: self.regions()?,
            customer_inn: self.optional(&table::PURCHASE_CUSTOMER, |text| {
                Some((customer_inn(text)?.to_owned(), text.into()))
            })?,
            laws: self.purchase_laws()?,
            published_from: self.optional(&table::PUBLISHED_FROM, day)?,
            published_to: self.optional(&table::PUBLISHED_TO, day)?,
            price_from: self.optional(&table::INITIAL_PRICE_FROM, amount)?,
            price_to: self.optional(&table::INITIAL_PRICE_TO, amount)?,
            submission: self.submission()?,
        };
        Ok(filter)
    }

    /// Naming all laws has the same effect as naming none.
    fn purchase_laws(&mut self) -> Result<Vec<Regime>, Failure> {
        let laws = self.optional(&table::LAW, |text| {
            let laws = text.split(',').map(Regime::from_code);
            let mut laws = laws.collect::<Option<Vec<_>>>()?;
            laws.sort_unstable();
            laws.dedup();
            if laws.len() == Regime::ALL.len() {
                laws.clear();
            }
            let codes: Vec<_> = laws.iter().map(|law| law.code()).collect();
            let canonical = codes.join(",").into();
            Some((laws, canonical))
        })?;
        Ok(laws.unwrap_or_default())
    }

    fn submission(&mut self) -> Result<Option<Submission>, Failure> {
        let is_open = self.optional(&table::OPEN, flag)?;
        Ok(is_open.map(|is_open| Submission {
            is_open,
            at: self.now(),
        }))
    }

    pub fn purchase_order(&mut self) -> Result<PurchaseOrder, Failure> {
        let order = self.optional(&table::PURCHASE_SORT, |text| {
            let order = match text {
                "-published" => PurchaseOrder::Newest,
                "published" => PurchaseOrder::Oldest,
                "-price" => PurchaseOrder::HighestPrice,
                "price" => PurchaseOrder::LowestPrice,
                "closes" => PurchaseOrder::Closing,
                _ => return None,
            };
            Some((order, unless_default(text, "-published")))
        })?;
        Ok(order.unwrap_or_default())
    }

    pub fn entry_filter(&mut self) -> Result<(VerdictParameters, EntryFilter), Failure> {
        let verdict = self.verdict_parameters()?;
        let filter = EntryFilter {
            laws: verdict.rules.laws,
            day: verdict.day,
            in_force: self.optional(&table::IN_FORCE, flag)?,
            registered_from: self.optional(&table::REGISTERED_FROM, day)?,
            registered_to: self.optional(&table::REGISTERED_TO, day)?,
            regions: self.regions()?,
            customer_inn: self.optional(&table::ENTRY_CUSTOMER, |text| {
                Some((customer_inn(text)?.to_owned(), text.into()))
            })?,
            supplier_name: self.optional(&table::ENTRY_SUPPLIER, |text| {
                let name = search_text(text).and_then(NameQuery::new)?;
                Some((name, text.into()))
            })?,
        };
        Ok((verdict, filter))
    }

    pub fn regions(&mut self) -> Result<Vec<ContentRegion>, Failure> {
        let regions = self.optional(&table::REGION, |text| {
            let items = first_items(text.split(','), table::MAX_REGIONS);
            let regions = items.iter().map(|item| ContentRegion::parse(item));
            let mut regions = regions.collect::<Option<Vec<_>>>()?;
            if regions.len() > table::MAX_REGIONS {
                return None;
            }
            regions.sort_unstable();
            regions.dedup();
            let codes: Vec<_> = regions.iter().map(ContentRegion::as_str).collect();
            let canonical = codes.join(",").into();
            Some((regions, canonical))
        })?;
        Ok(regions.unwrap_or_default())
    }

    pub fn supplier_if_given(&mut self) -> Result<Option<Inn>, Failure> {
        self.optional(&table::SUPPLIER, |text| {
            Some((Inn::parse(text)?, text.into()))
        })
    }

    /// `words` is the endpoint's row for `q`.
    pub fn content(&mut self, words: &ParameterRow) -> Result<ContentQuery, Failure> {
        let words = self.optional(words, |text| {
            let words = content_words(search_text(text)?);
            let is_right = (1..=table::MAX_WORDS).contains(&words.len());
            is_right.then(|| (words, text.into()))
        })?;
        let codes = self.optional(&table::CODE, |text| {
            let codes = first_items(text.split(','), table::MAX_CODES).into_iter();
            let mut codes = codes.map(ContentCode::parse).collect::<Option<Vec<_>>>()?;
            if codes.len() > table::MAX_CODES {
                return None;
            }
            codes.sort_unstable();
            codes.dedup();
            let texts: Vec<_> = codes.iter().map(ContentCode::as_str).collect();
            let canonical = texts.join(",").into();
            Some((codes, canonical))
        })?;
        Ok(ContentQuery {
            words: words.unwrap_or_default(),
            codes: codes.unwrap_or_default(),
        })
    }

    pub fn facts(&mut self) -> Result<FactFilter, Failure> {
        let any = self.optional(&table::FACT, |text| {
            let facts = first_items(text.split(','), RiskFact::ALL.len()).into_iter();
            let facts: RiskFacts = facts.map(RiskFact::from_code).collect::<Option<_>>()?;
            let given = RiskFact::ALL.into_iter().filter(|fact| facts.has(*fact));
            let codes: Vec<_> = given.map(RiskFact::code).collect();
            Some((facts, codes.join(",").into()))
        })?;
        let any = any.unwrap_or_default();
        Ok(FactFilter {
            any,
            overdue_on: any.has(RiskFact::Overdue).then(|| self.today()),
            rules: self.rules()?,
        })
    }

    pub fn history(&mut self) -> Result<bool, Failure> {
        Ok(self.switch(&table::HISTORY)?.unwrap_or(false))
    }
}

/// Returns the first items, at most one more than `most`. That suffices to notice that there are
/// too many, so long lists cost no more than short ones.
fn first_items<'q>(items: impl Iterator<Item = &'q str>, most: usize) -> Vec<&'q str> {
    items.take(most + 1).collect()
}

fn as_it_is(text: &str) -> (&str, Cow<'_, str>) {
    (text, text.into())
}

fn flag(text: &str) -> ReadValue<'_, bool> {
    Some((text.parse().ok()?, text.into()))
}

fn stages(text: &str) -> ReadValue<'_, StageSet> {
    let codes = text.split(',').map(ContractStage::from_code);
    let stages = codes.collect::<Option<Vec<_>>>()?;
    let mut given = ContractStage::ALL.to_vec();
    given.retain(|one| stages.contains(one));
    let codes: Vec<_> = given.into_iter().map(ContractStage::code).collect();
    Some((StageSet::new(stages), codes.join(",").into()))
}

/// The canonical spelling: empty for all laws, which is the default.
fn unless_all(laws: Laws) -> Cow<'static, str> {
    match laws {
        Laws::ALL => "".into(),
        some => some.to_string().into(),
    }
}

/// Strips leading zeros from a decimal number of any length. Returns `None` for other texts.
fn digits(text: &str) -> Option<&str> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = text.trim_start_matches('0');
    Some(if digits.is_empty() { "0" } else { digits })
}

/// Returns `None` if the text is too long for a search.
fn search_text(text: &str) -> Option<&str> {
    match text.chars().nth(table::MAX_SEARCH_TEXT) {
        None => Some(text),
        Some(_) => None,
    }
}

fn customer_inn(text: &str) -> Option<&str> {
    let are_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    (are_digits && text.len() <= MAX_CUSTOMER_INN).then_some(text)
}

fn day(text: &str) -> ReadValue<'_, Date> {
    Some((Date::parse_iso(text)?, text.into()))
}

/// Parses an amount without an exponent and with a bounded number of digits; see
/// [`table::AMOUNT_PATTERN`].
fn amount(text: &str) -> ReadValue<'_, Amount> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = match unsigned.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (unsigned, None),
    };
    let are_digits = |digits: &str, most| {
        (1..=most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_amount = are_digits(whole, MAX_WHOLE_DIGITS)
        && decimals.is_none_or(|decimals| are_digits(decimals, MAX_DECIMALS));
    let value: Amount = text.parse().ok().filter(|_| is_amount)?;
    let canonical = value.to_string().into();
    Some((value, canonical))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_parsed_as_described() {
        for digits in [MAX_WHOLE_DIGITS, MAX_DECIMALS] {
            assert!(table::AMOUNT_PATTERN.contains(&format!(",{digits}}}")));
        }
        let read = |text: &str| amount(text).map(|(_, canonical)| canonical.into_owned());
        for (text, expected) in [
            ("7", "7"),
            ("007.00", "7"),
            ("-0", "0"),
            ("-0.10", "-0.1"),
            (
                "99999999999999999999.99999999",
                "99999999999999999999.99999999",
            ),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected));
        }
        for bad in [
            "",
            "-",
            "x",
            "+1",
            "--1",
            "1.",
            ".5",
            "1,5",
            "1e3",
            "1 000",
            "1.2.3",
            "∞",
            "NaN",
            "100000000000000000000",
            "0.000000001",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
