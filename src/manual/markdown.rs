//! Converts the Markdown of a chapter to HTML. Tables and heading anchors follow GitHub's rules, so
//! that links also work in the repository.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

use super::Chapter;
use crate::model::Language;

/// The heading of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// 1 for the chapter's title, 2 and more for sections.
    pub level: u8,
    /// Anchor of the heading, without `#`.
    pub anchor: String,
    pub title: String,
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// Returns the headings of a text, in document order.
pub fn sections(text: &str) -> Vec<Section> {
    let (mut sections, mut open) = (Vec::new(), None);
    let mut anchors = Anchors::default();
    for event in parser(text) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => open = Some((level as u8, String::new())),
            Event::Text(words) | Event::Code(words) => {
                if let Some((_, title)) = &mut open {
                    title.push_str(&words);
                }
            }
            Event::End(TagEnd::Heading(_)) => sections.extend(open.take().map(|(level, title)| {
                let anchor = anchors.next(&title);
                Section {
                    level,
                    anchor,
                    title,
                }
            })),
            _ => {}
        }
    }
    sections
}

/// Generates anchors for headings by GitHub's rules, except that none starts with a digit.
#[derive(Default)]
struct Anchors(HashMap<String, usize>);

impl Anchors {
    /// Keeps letters and digits in lower case, `-` and `_`, and turns each space into `-`. A
    /// repeated anchor gets a number appended.
    fn next(&mut self, title: &str) -> String {
        let kept = title.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        });
        let mut anchor: String = kept.flat_map(char::to_lowercase).collect();
        if anchor.starts_with(|first: char| first.is_ascii_digit()) {
            anchor.insert(0, 'v');
        }
        let before = self.0.entry(anchor.clone()).or_default();
        *before += 1;
        match *before {
            1 => anchor,
            times => format!("{anchor}-{}", times - 1),
        }
    }
}

/// Converts a chapter to HTML, without the surrounding page. Links to other chapters lead to the
/// chapter in `language`. Links to other files in the repository become plain text, because those
/// files are not served. Images become their descriptions, and raw HTML is dropped.
pub fn to_html(text: &str, language: Language) -> String {
    let mut sections = sections(text).into_iter();
    let mut leads = true;
    let mut events = Vec::new();
    for event in parser(text) {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => {}
            Event::Start(Tag::Heading { level, .. }) => {
                let id = sections.next().map(|section| section.anchor.into());
                let (classes, attrs) = (Vec::new(), Vec::new());
                events.push(Event::Start(Tag::Heading {
                    level,
                    id,
                    classes,
                    attrs,
                }));
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let target = target(&dest_url, language);
                leads = target.is_some();
                events.extend(target.map(|target| Event::Start(link(target))));
            }
            Event::End(TagEnd::Link) => events.extend(leads.then_some(event)),
            Event::Start(Tag::Image { .. }) => {
                events.push(Event::Html("<span class=\"picture\">".into()));
            }
            Event::End(TagEnd::Image) => events.push(Event::Html("</span>".into())),
            // Tables and code may be wider than the page. They can be scrolled with the keyboard
            // only if they accept focus.
            Event::Start(Tag::Table(_)) => {
                let frame = "<div class=\"table\" tabindex=\"0\">";
                events.extend([Event::Html(frame.into()), event]);
            }
            Event::End(TagEnd::Table) => events.extend([event, Event::Html("</div>\n".into())]),
            Event::Start(Tag::CodeBlock(_)) => {
                events.push(Event::Html("<pre tabindex=\"0\"><code>".into()));
            }
            Event::End(TagEnd::CodeBlock) => events.push(Event::Html("</code></pre>\n".into())),
            event => events.push(event),
        }
    }
    let mut out = String::with_capacity(text.len() * 2);
    html::push_html(&mut out, events.into_iter());
    out
}

fn link<'a>(target: String) -> Tag<'a> {
    Tag::Link {
        link_type: LinkType::Inline,
        dest_url: CowStr::from(target),
        title: "".into(),
        id: "".into(),
    }
}

/// Returns the URL for a link in a chapter, or `None` if the link leads to a file that is not
/// served.
fn target(link: &str, language: Language) -> Option<String> {
    if link.starts_with('#') || link.contains("://") {
        return Some(link.to_owned());
    }
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, ["#", anchor].concat()),
        None => (link, String::new()),
    };
    let chapter = Chapter::on(file.strip_suffix(".md")?)?;
    Some([&chapter.link(language), anchor.as_str()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_that_github_makes() {
        let text = "# Начало работы\n\n## `keys` & options: what's new?\n\n## A_b-c\n\n\
                    ### Ёлка\n\n### Ёлка\n\n```sh\n# no heading\n```\n\n## Ёлка\n\n## 0.1.0\n";
        let anchors: Vec<_> = sections(text).into_iter().map(|one| one.anchor).collect();
        let expected = [
            "начало-работы",
            "keys--options-whats-new",
            "a_b-c",
            "ёлка",
            "ёлка-1",
            "ёлка-2",
            "v010",
        ];
        assert_eq!(anchors, expected);
    }

    #[test]
    fn a_section_has_its_level_and_title() {
        let expected = Section {
            level: 3,
            anchor: "the-key-demo".to_owned(),
            title: "The key demo".to_owned(),
        };
        assert_eq!(sections("### The *key* `demo`"), [expected]);
    }

    #[test]
    fn links_lead_to_chapters_in_the_same_language_and_to_no_file() {
        let check = |text: &str, expected: &str| {
            let html = to_html(text, Language::English);
            assert_eq!(html.trim_end(), format!("<p>{expected}</p>"), "{text}");
        };
        check(
            "[Keys](api.md#keys)",
            "<a href=\"/docs/api?lang=en#keys\">Keys</a>",
        );
        check("[Keys](api.md)", "<a href=\"/docs/api?lang=en\">Keys</a>");
        check("[here](#keys)", "<a href=\"#keys\">here</a>");
        check(
            "[there](https://example.org/a.md)",
            "<a href=\"https://example.org/a.md\">there</a>",
        );
        check(
            "[`unit`](../../../scripts/x.md), [a](nothing.md) and [b](api.md)",
            "<code>unit</code>, a and <a href=\"/docs/api?lang=en\">b</a>",
        );
        check(
            "![A *card*](card.png)",
            "<span class=\"picture\">A <em>card</em></span>",
        );
    }

    #[test]
    fn html_is_removed_and_characters_are_escaped() {
        let html = to_html(
            "<!-- generated: x -->\n| a |\n|---|\n| `<b>` |\n<!-- /generated -->\n\n<i>c</i> & d",
            Language::Russian,
        );
        assert!(
            !html.contains("generated") && !html.contains("<i>"),
            "{html}"
        );
        assert!(html.contains("<code>&lt;b&gt;</code>"), "{html}");
        assert!(
            html.contains("<div class=\"table\" tabindex=\"0\"><table>"),
            "{html}"
        );
        assert!(html.ends_with("<p>c &amp; d</p>\n"), "{html}");
    }
}
