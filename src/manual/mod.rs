//! The manual: its chapters in both languages, as Markdown and as pages for a browser.
//!
//! A chapter is a Markdown file in `en` and one in `ru`, which is also readable in the repository.
//! It begins with one `# Title`, links to other chapters are relative, and it contains no HTML
//! except comments. The part between a line `<!-- generated: NAME -->` and the next `<!--
//! /generated -->` is a table from the program's own data. A test compares it, and rewrites it
//! with `GOLDEN=bless`.

mod markdown;
mod page;

pub use markdown::{Section, sections};
pub use page::{files, frame, languages};

use crate::model::Language;

/// A chapter.
#[derive(Debug, PartialEq, Eq)]
pub struct Chapter {
    /// The name in paths, on the command line and of the file.
    pub topic: &'static str,
    russian: &'static str,
    english: &'static str,
}

/// The chapters on these topics, each with a file in both languages.
macro_rules! chapters {
    ($($topic:literal)*) => {
        &[$(Chapter {
            topic: $topic,
            russian: include_str!(concat!("ru/", $topic, ".md")),
            english: include_str!(concat!("en/", $topic, ".md")),
        }),*]
    };
}

/// All chapters, in reading order.
pub const CHAPTERS: &[Chapter] = chapters! {
    "start" "page" "searching" "api" "migration" "fetch" "import" "fields" "fields-by-version" "tables"
    "configuration" "deployment" "replicas" "postgresql" "operating" "watch" "assistants" "troubleshooting" "changes"
};

/// The path of the contents; the chapters are below it.
const FOLDER: &str = "/docs/";

/// The starts of the comment lines before and after a generated part.
const MARKERS: [&str; 2] = ["<!-- generated: ", "<!-- /generated"];

/// Returns the topics of all chapters.
pub fn topics() -> impl Iterator<Item = &'static str> {
    CHAPTERS.iter().map(|chapter| chapter.topic)
}

impl Chapter {
    /// Returns the chapter on a topic, if there is one.
    pub fn on(topic: &str) -> Option<&'static Self> {
        CHAPTERS.iter().find(|chapter| chapter.topic == topic)
    }

    /// Returns the Markdown text in a language.
    pub fn text(&self, language: Language) -> &'static str {
        language.pick(self.russian, self.english)
    }

    /// Returns the title: the first line of the text.
    pub fn title(&self, language: Language) -> &'static str {
        let first = self.text(language).lines().next().unwrap_or_default();
        first.trim_start_matches('#').trim()
    }

    /// Returns the link to the chapter in a language.
    fn link(&self, language: Language) -> String {
        [FOLDER, self.topic, "?lang=", language.code()].concat()
    }

    /// Returns the lines in a language, without the comments around generated parts.
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
