//! `/documents`: the official documents behind the answer about a number.

use super::super::error::{ErrorKind, Failure};
use super::super::request::parameter_table as table;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::{Endpoint, Group, Lookup};
use crate::model::{PurchasePages, Words};
use crate::render::schema::Answer;
use crate::render::{self, DocumentList, Root};

/// The documents behind the answer about a number.
pub(super) const DOCUMENTS: Endpoint = Endpoint {
    path: "/documents",
    id: "getDocuments",
    group: Group::Data,
    title: Words("Источники", "Where it comes from"),
    text: Words(
        "Официальные документы, из которых следует ответ о контракте, закупке или записи РНП с этим номером: вид, версия, время публикации, подсистема ЕИС и официальная страница. От каждого документа — последняя версия; сначала давние.",
        "The official documents that the answer about a contract, a purchase or an RNP entry of this number follows from: kind, version, time of publication, subsystem of EIS and official page. The newest version of each, oldest documents first.",
    ),
    own_parameters: &[&[table::NUMBER]],
    answers: &[Answer::Documents],
    errors: &[ErrorKind::DocumentsNotFound],
    root: Root::Data,
    has_verdict: false,
    file: "documents",
    command: Some("documents"),
    depends_on_day: false,
    is_page: false,
    handler: write,
};

/// Writes the documents behind the answer about a number.
fn write(lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
    let (parameters, database) = (lookup.parameters, lookup.database);
    let number = table::NUMBER.given(parameters.number)?;
    let documents = database.sources(number)?;
    if documents.is_empty() {
        return Err(ErrorKind::DocumentsNotFound.into());
    }
    let list = DocumentList {
        number,
        documents: &documents,
        // EIS has no pages for the invented numbers of the demonstration.
        pages: (!database.is_bundled()).then(|| PurchasePages::of(&documents)),
    };
    let body = lookup.write(buffer, |body| render::answer(body, &list))?;
    Ok(Answered::new(
        body,
        LookupResult::Count(documents.len() as u64),
    ))
}
