//! Writes records as XML.

use super::fields::{FieldWriter, Name, Record, Rules, Sample, ValueKind};
use crate::model::encoded::{Encoded, EncodedForm};
use crate::xml;

/// Appends a record as an XML document.
pub fn xml_document(out: &mut Vec<u8>, root: &Name, rules: Rules, record: &impl Record) {
    out.extend_from_slice(xml::DECLARATION.as_bytes());
    let mut writer = XmlWriter { out, rules };
    writer.object(root, |writer| record.write(writer));
}

/// Adds fields at the end of a complete XML document, inside the root element. The root element
/// must have an end tag.
pub fn add_to_xml_document(out: &mut Vec<u8>, root: &Name, rules: Rules, add: &impl Record) {
    out.truncate(out.len() - root.tag.end.len());
    add.write(&mut XmlWriter { out, rules });
    out.extend_from_slice(root.tag.end.as_bytes());
}

struct XmlWriter<'a> {
    out: &'a mut Vec<u8>,
    rules: Rules,
}

impl FieldWriter for XmlWriter<'_> {
    #[inline(always)]
    fn rules(&self) -> Rules {
        self.rules
    }

    #[inline(always)]
    fn sample(&self) -> Sample {
        Sample::Xml
    }

    #[inline(always)]
    fn text(&mut self, name: &Name, value: &str) {
        xml::element(self.out, &name.tag, |out| xml::text(out, value));
    }

    #[inline(always)]
    fn value(&mut self, name: &Name, _: ValueKind, write: Option<impl FnOnce(&mut Vec<u8>)>) {
        match write {
            None => self.out.extend_from_slice(name.tag.empty.as_bytes()),
            Some(write) => {
                self.out.extend_from_slice(name.tag.start.as_bytes());
                write(self.out);
                self.out.extend_from_slice(name.tag.end.as_bytes());
            }
        }
    }

    #[inline(always)]
    fn flag(&mut self, name: &Name, value: Option<bool>) {
        // The whole element is one constant. Copying it once takes a third of the time of copying
        // start tag, value and end tag.
        let [with_false, with_true] = name.flags;
        match value {
            Some(false) => self.out.extend_from_slice(with_false.as_bytes()),
            Some(true) => self.out.extend_from_slice(with_true.as_bytes()),
            None => self.out.extend_from_slice(name.tag.empty.as_bytes()),
        }
    }

    #[inline(always)]
    fn object(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        xml::element_by(self, &name.tag, |writer| writer.out, fields);
    }

    #[inline(always)]
    fn stream(&mut self, name: &Name, items: impl FnOnce(&mut Self)) {
        self.object(name, items);
    }

    #[inline(always)]
    fn item(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        self.object(name, fields);
    }

    #[inline(always)]
    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        for value in items {
            self.object(item, |writer| each(writer, value));
        }
    }

    #[inline(always)]
    fn encoded(&mut self, name: &Name, value: Encoded<'_>) {
        // Repeats the code of the method `value`: a closure as large as this `match` would not be
        // inlined.
        if value.is_empty() {
            return self.out.extend_from_slice(name.tag.empty.as_bytes());
        }
        self.out.extend_from_slice(name.tag.start.as_bytes());
        match value.form() {
            EncodedForm::Any => xml::text(self.out, &value.text()),
            EncodedForm::Halves | EncodedForm::Plain | EncodedForm::Quoted => {
                value.write_to(self.out);
            }
        }
        self.out.extend_from_slice(name.tag.end.as_bytes());
    }

    #[inline(always)]
    fn encoded_value(&mut self, name: &Name, _: ValueKind, value: Encoded<'_>) {
        self.encoded(name, value);
    }
}
