//! The manual: its chapters, in both languages, as they lie and as pages for a browser.
//!
//! A chapter is a file of Markdown in `en` and one in `ru`, which reads well where the
//! repository is shown, too: it begins with one `# Title`, links to other chapters are
//! relative, and there is no HTML in it but comments. The part between a line
//! `<!-- generated: NAME -->` and the next `<!-- /generated -->` is a table that follows from
//! the program's own: a test compares it, and writes it anew on `GOLDEN=bless`.

mod markdown;
mod page;

pub use markdown::{Section, sections};
pub use page::Page;

use crate::model::Language;

/// A chapter.
#[derive(Debug, PartialEq, Eq)]
pub struct Chapter {
    /// What it is called in paths, on the command line and as a file.
    pub topic: &'static str,
    russian: &'static str,
    english: &'static str,
}

/// The chapters with these topics, each a file in both languages.
macro_rules! chapters {
    ($($topic:literal)*) => {
        &[$(Chapter {
            topic: $topic,
            russian: include_str!(concat!("ru/", $topic, ".md")),
            english: include_str!(concat!("en/", $topic, ".md")),
        }),*]
    };
}

/// All of them, in the order in which they are read.
pub const CHAPTERS: &[Chapter] = chapters! {
    "start" "page" "api" "migration" "fetch" "import" "fields" "configuration" "deployment" "replicas"
    "postgresql" "operating" "watch" "troubleshooting" "changes"
};

/// Where the contents are served, and below it the chapters.
const FOLDER: &str = "/docs/";

/// How a line begins that is a comment about what is generated, before and after it.
const MARKERS: [&str; 2] = ["<!-- generated: ", "<!-- /generated"];

/// The topics of all chapters.
pub fn topics() -> impl Iterator<Item = &'static str> {
    CHAPTERS.iter().map(|chapter| chapter.topic)
}

impl Chapter {
    /// The chapter on a topic, if there is one.
    pub fn on(topic: &str) -> Option<&'static Self> {
        CHAPTERS.iter().find(|chapter| chapter.topic == topic)
    }

    /// Its text in a language, as Markdown.
    pub fn text(&self, language: Language) -> &'static str {
        language.pick(self.russian, self.english)
    }

    /// Its title: the text's first line.
    pub fn title(&self, language: Language) -> &'static str {
        let first = self.text(language).lines().next().unwrap_or_default();
        first.trim_start_matches('#').trim()
    }

    /// What a page links to it by, to be read in a language.
    fn link(&self, language: Language) -> String {
        [FOLDER, self.topic, "?lang=", language.code()].concat()
    }

    /// Its lines in a language without the comments about what is generated.
    pub fn lines(&self, language: Language) -> impl Iterator<Item = &'static str> {
        let is_marker = |line: &str| MARKERS.iter().any(|start| line.starts_with(start));
        let lines = self.text(language).lines();
        lines.filter(move |line| !is_marker(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_line_of_the_text() {
        let chapter = Chapter::on("start").expect("a chapter");
        assert_eq!(chapter.title(Language::English), "Getting started");
        assert_eq!(Chapter::on("nothing"), None);
    }

    #[test]
    fn lines_have_no_comment_about_what_is_generated() {
        let text = "# T\n\n<!-- generated: options -->\n| a |\n|---|\n<!-- /generated -->\nb";
        let chapter = Chapter {
            topic: "t",
            russian: text,
            english: text,
        };
        let lines: Vec<_> = chapter.lines(Language::English).collect();
        assert_eq!(lines, ["# T", "", "| a |", "|---|", "b"]);
    }
}
