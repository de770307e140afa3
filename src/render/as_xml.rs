//! A [`FieldWriter`] of XML elements.

use super::fields::{FieldWriter, Name, Record, Rules, Sample};
use crate::model::encoded::{Encoded, EncodedForm};
use crate::model::{Amount, Date, Moment};
use crate::xml;

/// Appends the XML document of a record.
pub fn xml_document(out: &mut Vec<u8>, root: &Name, rules: Rules, record: &impl Record) {
    out.extend_from_slice(xml::DECLARATION.as_bytes());
    let mut writer = XmlWriter { out, rules };
    writer.object(root, |writer| record.write(writer));
}

/// Adds fields at the end of the root of an XML document, which must not be empty.
pub fn add_to_xml_document(out: &mut Vec<u8>, root: &Name, rules: Rules, add: &impl Record) {
    out.truncate(out.len() - root.tag.end.len());
    add.write(&mut XmlWriter { out, rules });
    out.extend_from_slice(root.tag.end.as_bytes());
}

/// Writes fields as XML elements.
struct XmlWriter<'a> {
    out: &'a mut Vec<u8>,
    rules: Rules,
}

impl XmlWriter<'_> {
    #[inline(always)]
    fn leaf(&mut self, name: &Name, content: impl FnOnce(&mut Vec<u8>)) {
        xml::element(self.out, &name.tag, content);
    }
}

impl FieldWriter for XmlWriter<'_> {
    fn sample(&self) -> Sample {
        Sample::Xml
    }

    #[inline(always)]
    fn text(&mut self, name: &Name, value: &str) {
        self.leaf(name, |out| xml::text(out, value));
    }

    #[inline(always)]
    fn code(&mut self, name: &Name, value: &'static str, _: &'static [&'static str]) {
        self.leaf(name, |out| out.extend_from_slice(value.as_bytes()));
    }

    #[inline(always)]
    fn date(&mut self, name: &Name, value: Option<Date>) {
        let rules = self.rules;
        self.leaf(name, |out| {
            if let Some(date) = value {
                out.extend_from_slice(&rules.date(date));
            }
        });
    }

    #[inline(always)]
    fn moment(&mut self, name: &Name, value: Option<Moment>) {
        self.leaf(name, |out| {
            if let Some(moment) = value {
                moment.write_dotted(out);
            }
        });
    }

    #[inline(always)]
    fn amount(&mut self, name: &Name, value: Option<Amount>) {
        self.leaf(name, |out| {
            if let Some(amount) = value {
                amount.write_to(out);
            }
        });
    }

    #[inline(always)]
    fn flag(&mut self, name: &Name, value: Option<bool>) {
        // A constant length is copied many times faster.
        match value {
            None => self.leaf(name, |_| ()),
            Some(true) => self.leaf(name, |out| out.extend_from_slice(b"true")),
            Some(false) => self.leaf(name, |out| out.extend_from_slice(b"false")),
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
        if value.is_empty() {
            self.out.extend_from_slice(name.tag.empty.as_bytes());
            return;
        }
        self.out.extend_from_slice(name.tag.start.as_bytes());
        match value.form() {
            EncodedForm::Any => xml::text(self.out, &value.text()),
            EncodedForm::Halves | EncodedForm::Plain | EncodedForm::Quoted => {
                value.write_to(self.out)
            }
        }
        self.out.extend_from_slice(name.tag.end.as_bytes());
    }

    #[inline(always)]
    fn encoded_number(&mut self, name: &Name, value: Encoded<'_>) {
        self.encoded(name, value);
    }
}
