//! The manual: chapters in both languages, as Markdown and as web pages.
//!
//! Each chapter is a Markdown file in `en` and another in `ru`, which can also be read in the
//! repository. A file starts with its only `# Title`, links to other chapters by relative paths,
//! and contains no HTML except comments. Tables between the comments
//! `<!-- generated: NAME -->` and `<!-- /generated -->` are generated from the program's own data.
//! `tests/answers/manual/generated.rs` compares them and, with `GOLDEN=bless`, rewrites them.
//!
//! To add a chapter, write a file in each language and add the topic to [`CHAPTERS`]. Bounds
//! in the text are written by hand, and `cli/manual/tests.rs` compares them with the constants in
//! the code.

mod markdown;
mod page;

pub use markdown::{Section, sections};
pub use page::{files, frame, languages};

use crate::model::Language;

#[derive(Debug, PartialEq, Eq)]
pub struct Chapter {
    /// Identifies the chapter in URLs and on the command line. Also the name of its files.
    pub topic: &'static str,
    russian: &'static str,
    english: &'static str,
}

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
    "configuration" "deployment" "replicas" "postgresql" "operating" "watch" "assistants" "recipes" "troubleshooting" "changes"
};

const FOLDER: &str = "/docs/";

/// Prefixes of the comments around generated tables.
const MARKERS: [&str; 2] = ["<!-- generated: ", "<!-- /generated"];

pub fn topics() -> impl Iterator<Item = &'static str> {
    CHAPTERS.iter().map(|chapter| chapter.topic)
}

impl Chapter {
    pub fn on(topic: &str) -> Option<&'static Self> {
        CHAPTERS.iter().find(|chapter| chapter.topic == topic)
    }

    pub fn text(&self, language: Language) -> &'static str {
        language.pick(self.russian, self.english)
    }

    /// Returns the title: the first line without `#`.
    pub fn title(&self, language: Language) -> &'static str {
        let first = self.text(language).lines().next().unwrap_or_default();
        first.trim_start_matches('#').trim()
    }

    fn link(&self, language: Language) -> String {
        [FOLDER, self.topic, "?lang=", language.code()].concat()
    }

    /// Returns the lines, except the comments that mark generated tables.
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
    fn comments_are_removed_from_printed_chapters() {
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
