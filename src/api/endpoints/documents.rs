//! `/documents`: the official documents behind the answer about a number.

use super::super::error::{ErrorKind, Failure};
use super::super::request::parameter_table as table;
use super::super::request::reader::Reader;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::{AnswerHeaders, Endpoint, Group, Lookup, LookupCommand, Question};
use crate::model::{PurchasePages, Words};
use crate::render::schema::Answer;
use crate::render::{self, DocumentList, Root};

pub(super) const DOCUMENTS: Endpoint = Endpoint {
    path: "/documents",
    id: "getDocuments",
    group: Group::Data,
    title: Words("Источники", "Source documents"),
    text: Words(
        "Официальные документы, на которых основан ответ о контракте, закупке или записи РНП с этим номером: вид, версия, время публикации, подсистема ЕИС и официальная страница. Указана последняя версия каждого документа; сначала более ранние документы.",
        "The official documents behind the answer about the contract, purchase or RNP entry with \
         this number: kind, version, time of publication, subsystem of EIS and official page. \
         Only the newest version of a document is listed; the oldest document comes first.",
    ),
    own_parameters: &[&[table::NUMBER]],
    read: |reader| Ok(Box::new(Documents::read(reader)?)),
    errors: &[ErrorKind::DocumentsNotFound],
    has_statuses: true,
    answers: &[Answer::Documents],
    root: Root::Data,
    headers: AnswerHeaders::None,
    rests_on_registries: false,
    file: "documents",
    command: Some(LookupCommand::named("documents")),
};

struct Documents<'q> {
    number: &'q str,
}

impl<'q> Documents<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        let number = reader.search_text(&table::NUMBER)?;
        Ok(Self { number })
    }
}

impl Question for Documents<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let documents = lookup.database.sources(self.number)?;
        if documents.is_empty() {
            return Err(ErrorKind::DocumentsNotFound.into());
        }
        let list = DocumentList {
            number: self.number,
            documents: &documents,
            // EIS has no pages for the invented numbers of the demonstration.
            pages: (!lookup.database.is_bundled()).then(|| PurchasePages::of(&documents)),
        };
        let body = lookup.write(buffer, |body| render::answer(body, &list))?;
        Ok(Answered::new(
            body,
            LookupResult::Count(documents.len() as u64),
        ))
    }
}
