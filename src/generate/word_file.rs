//! The form of the files in `data/words`: sections of lines, the cells of a line between
//! `|`. A section begins with its name in brackets, which cells may follow; lines that are
//! empty or begin with `//` count for nothing.
//!
//! The files are a part of the program, so what does not fit is a panic that names the
//! line; a test reads them all.

/// A word or a phrase of such a file.
pub type Word = &'static str;

/// A section of a file.
#[derive(Debug)]
pub struct Section {
    pub name: Word,
    /// What follows the name.
    pub heading: Word,
    pub lines: Vec<Word>,
}

/// A file's sections, in their order.
#[derive(Debug)]
pub struct WordFile(pub Vec<Section>);

impl WordFile {
    /// Reads the text of a file.
    pub fn parse(text: Word) -> Self {
        let mut sections: Vec<Section> = Vec::new();
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            let heading = line.strip_prefix('[').and_then(|line| line.split_once(']'));
            match (heading, sections.last_mut()) {
                (Some((name, heading)), _) => sections.push(Section {
                    name,
                    heading,
                    lines: Vec::new(),
                }),
                (None, Some(section)) => section.lines.push(line),
                (None, None) => panic!("data/words: before the first section: {line}"),
            }
        }
        Self(sections)
    }

    /// The sections of a name.
    pub fn all(&self, name: Word) -> impl Iterator<Item = &Section> {
        self.0.iter().filter(move |section| section.name == name)
    }

    /// The lines of the section of a name, of which there is one at least.
    pub fn lines(&self, name: Word) -> Vec<Word> {
        let mut lines = self.all(name).map(|section| section.lines.clone());
        let found = lines.next().filter(|lines| !lines.is_empty());
        found.unwrap_or_else(|| panic!("data/words: nothing in [{name}]"))
    }

    /// The same, each line in its `N` cells.
    pub fn table<const N: usize>(&self, name: Word) -> Vec<[Word; N]> {
        self.lines(name).into_iter().map(cells).collect()
    }
}

/// The `N` cells of a line.
pub fn cells<const N: usize>(line: Word) -> [Word; N] {
    let cells: Vec<Word> = line.split('|').map(str::trim).collect();
    let cells = cells.try_into();
    cells.unwrap_or_else(|_| panic!("data/words: not {N} cells: {line}"))
}

/// The number in a cell.
pub fn number(cell: Word) -> u64 {
    let number = cell.parse();
    number.unwrap_or_else(|_| panic!("data/words: not a number: {cell}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_a_name_a_heading_and_lines() {
        let text = "// Why.\n[one] a | b\nfirst | 1\n\n// Not this.\nsecond |\n[two]\nthird\n[one]";
        let file = WordFile::parse(text);
        assert_eq!(file.table("one"), [["first", "1"], ["second", ""]]);
        assert_eq!(file.lines("two"), ["third"]);
        assert_eq!(file.all("one").count(), 2);
        assert_eq!(cells(file.0[0].heading), ["a", "b"]);
    }
}
