//! The reference as HTML: made here of blocks, so that every text in it is escaped and
//! every element closed. There is no script in it, and no style; without JavaScript it
//! lacks nothing but the server's own address in the lines to copy (`docs.js`).

use crate::model::Language;

/// The reference.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The language it is in.
    pub language: Language,
    /// Its title.
    pub title: String,
    /// What the table of contents is called.
    pub contents: &'static str,
    /// What stands before the parts.
    pub start: Vec<Block>,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of it, which the table of contents names.
#[derive(Clone, Debug)]
pub struct Part {
    /// What a link to it ends in.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What is in it before its own parts.
    pub blocks: Vec<Block>,
    /// Its own parts.
    pub parts: Vec<Part>,
}

/// A block of a part.
#[derive(Clone, Debug)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A small heading.
    Heading(String),
    /// What is asked: a method and a path.
    Call(String),
    /// Lines as they are.
    Code(String),
    /// Lines as they are, which are shown when they are asked for.
    Example(String, String),
    /// A table.
    Table(Vec<String>, Vec<Row>),
    /// Links: where to, and the text.
    Links(Vec<(String, String)>),
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// How far the first cell is moved in.
    pub depth: usize,
    /// Its cells.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub enum Cell {
    /// Words.
    Words(String),
    /// A name or a value.
    Code(String),
}

/// The most steps that a cell is moved in; deeper ones stand with them.
const MOST_STEPS: usize = 8;

/// The reference as an HTML document.
pub fn html(reference: &Reference) -> String {
    let mut html = Html::default();
    html.out.push_str("<!doctype html>\n");
    let lang = [("lang", reference.language.code())];
    html.element("html", &lang, |html| {
        html.element("head", &[], |html| head(html, &reference.title));
        html.element("body", &[], |html| {
            html.element("header", &[], |html| header(html, reference));
            html.element("nav", &[("aria-label", reference.contents)], |html| {
                contents(html, &reference.parts);
            });
            html.element("main", &[("id", "main")], |html| {
                blocks(html, &reference.start, "h2");
                parts(html, &reference.parts, 2);
            });
        });
    });
    html.out
}

/// What is written, by elements alone.
#[derive(Default)]
struct Html {
    out: String,
}

impl Html {
    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            self.text(value);
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn element(&mut self, name: &str, attributes: &[(&str, &str)], inner: impl FnOnce(&mut Self)) {
        self.start(name, attributes);
        inner(self);
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push_str(">\n");
    }

    /// An element within a line: without the line feed after it.
    fn words(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.element(name, attributes, |html| html.text(text));
        self.out.pop();
    }

    fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                other => self.out.push(other),
            }
        }
    }
}

fn head(html: &mut Html, title: &str) {
    html.start("meta", &[("charset", "utf-8")]);
    let viewport = "width=device-width, initial-scale=1";
    html.start("meta", &[("name", "viewport"), ("content", viewport)]);
    html.words("title", &[], title);
    html.start("link", &[("rel", "icon"), ("href", "/web/icon.svg")]);
    html.start("link", &[("rel", "stylesheet"), ("href", "/web/docs.css")]);
    let script = [("type", "module"), ("src", "/web/docs.js")];
    html.element("script", &script, |_| ());
}

fn header(html: &mut Html, reference: &Reference) {
    html.words("h1", &[], &reference.title);
    html.element("p", &[], |html| {
        for language in Language::ALL {
            let target = ["?lang=", language.code()].concat();
            let mut attributes = vec![("href", target.as_str()), ("lang", language.code())];
            if language == reference.language {
                attributes.push(("aria-current", "true"));
            }
            html.words("a", &attributes, language.pick("Русский", "English"));
            html.text(" ");
        }
    });
}

fn contents(html: &mut Html, parts: &[Part]) {
    html.element("ul", &[], |html| {
        for part in parts {
            html.element("li", &[], |html| {
                let target = ["#", &part.id].concat();
                html.words("a", &[("href", &target)], &part.title);
                if !part.parts.is_empty() {
                    contents(html, &part.parts);
                }
            });
        }
    });
}

fn parts(html: &mut Html, all: &[Part], level: usize) {
    let heading = ["h2", "h3", "h4"]
        .get(level.saturating_sub(2))
        .unwrap_or(&"h4");
    let below = if level == 2 { "h3" } else { "h4" };
    for part in all {
        html.element("section", &[("id", &part.id)], |html| {
            html.words(heading, &[], &part.title);
            blocks(html, &part.blocks, below);
            parts(html, &part.parts, level + 1);
        });
    }
}

fn blocks(html: &mut Html, blocks: &[Block], heading: &str) {
    for block in blocks {
        match block {
            Block::Text(text) => html.element("p", &[], |html| html.text(text)),
            Block::Heading(text) => html.element(heading, &[], |html| html.text(text)),
            Block::Call(text) => html.element("p", &[("class", "call")], |html| {
                html.words("code", &[], text);
            }),
            Block::Code(text) => code(html, text),
            Block::Example(title, text) => html.element("details", &[], |html| {
                html.words("summary", &[], title);
                code(html, text);
            }),
            Block::Table(names, rows) => table(html, names, rows),
            Block::Links(links) => html.element("ul", &[("class", "links")], |html| {
                for (target, text) in links {
                    html.element("li", &[], |html| html.words("a", &[("href", target)], text));
                }
            }),
        }
    }
}

/// Lines that may be wider than the page: reached by the keyboard too, to be moved.
fn code(html: &mut Html, text: &str) {
    html.element("pre", &[("tabindex", "0")], |html| {
        html.words("code", &[], text)
    });
}

fn table(html: &mut Html, names: &[String], rows: &[Row]) {
    html.element("div", &[("class", "table"), ("tabindex", "0")], |html| {
        html.element("table", &[], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for name in names {
                        html.words("th", &[("scope", "col")], name);
                    }
                });
            });
            html.element("tbody", &[], |html| {
                rows.iter().for_each(|row| self::row(html, row))
            });
        });
    });
}

fn row(html: &mut Html, row: &Row) {
    html.element("tr", &[], |html| {
        for (place, cell) in row.cells.iter().enumerate() {
            let step = ["step", &row.depth.min(MOST_STEPS).to_string()].concat();
            let moved = [("class", step.as_str())];
            let attributes = if place == 0 && row.depth > 0 {
                &moved[..]
            } else {
                &[]
            };
            html.element("td", attributes, |html| match cell {
                Cell::Words(text) => html.text(text),
                Cell::Code(text) => html.words("code", &[], text),
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_escaped() {
        let nasty = || "<b onclick=\"x\">&'</b>".to_owned();
        let cell = |cell| Row {
            depth: 1,
            cells: vec![cell],
        };
        let reference = Reference {
            language: Language::English,
            title: nasty(),
            contents: "Contents",
            start: vec![
                Block::Text(nasty()),
                Block::Heading(nasty()),
                Block::Call(nasty()),
                Block::Code(nasty()),
                Block::Example(nasty(), nasty()),
                Block::Table(
                    vec![nasty()],
                    vec![cell(Cell::Words(nasty())), cell(Cell::Code(nasty()))],
                ),
                Block::Links(vec![(nasty(), nasty())]),
            ],
            parts: vec![Part {
                id: nasty(),
                title: nasty(),
                blocks: Vec::new(),
                parts: Vec::new(),
            }],
        };
        let html = html(&reference);
        assert!(!html.contains("<b onclick"), "{html}");
        assert!(!html.contains("\"x\""), "{html}");
        assert_eq!(
            html.matches("&lt;b onclick=&quot;x&quot;&gt;&amp;'&lt;/b&gt;")
                .count(),
            17
        );
        assert!(!html.contains("style="), "{html}");
        assert_eq!(html.matches("<script").count(), 1, "the page's own");
    }
}
