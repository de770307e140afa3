//! Examples in the reference: curl commands and indented answers.

use std::iter;

use super::super::endpoints::Endpoint;

/// Server address in the curl commands. `web/docs.js` replaces it in the browser with the address
/// from which the reference was loaded.
const BASE: &str = "http://127.0.0.1:8044";

/// Returns a curl command that works with the demonstration data.
pub fn curl(endpoint: &Endpoint) -> String {
    let shown = endpoint
        .parameters()
        .filter(|one| one.is_required || !one.instead.is_empty() || one.name == "format");
    let mut pairs: Vec<_> = shown
        .map(|one| [one.name, "=", one.example].concat())
        .collect();
    pairs.reverse();
    let (path, query) = (endpoint.path, pairs.join("&"));
    format!("curl -H 'X-API-Key: demo' '{BASE}{path}?{query}'")
}

/// Pretty-prints JSON that this program wrote.
pub fn indented_json(json: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(json).ok();
    value.map_or_else(|| json.to_owned(), |value| super::pretty(&value))
}

/// Puts each XML element that contains others on a line of its own. In XML written by this program,
/// texts are escaped, so `>` occurs only at the end of tags.
pub fn indented_xml(xml: &str) -> String {
    let mut lines = String::new();
    let mut depth: usize = 0;
    let mut is_leaf = false;
    for piece in xml.split_inclusive('>').flat_map(pieces) {
        if !piece.starts_with('<') {
            lines.push_str(piece);
            continue;
        }
        let ends = piece.starts_with("</");
        depth = depth.saturating_sub(usize::from(ends));
        let stays_on_its_line = lines.is_empty() || (ends && is_leaf);
        if !stays_on_its_line {
            lines.push('\n');
            lines.extend(iter::repeat_n("  ", depth));
        }
        lines.push_str(piece);
        is_leaf = !ends && !piece.ends_with("/>") && !piece.starts_with("<?");
        depth += usize::from(is_leaf);
    }
    lines
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let at = text.find('<').unwrap_or(text.len());
    let (before, tag) = text.split_at(at);
    [before, tag].into_iter().filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::indented_xml;

    #[test]
    fn xml_has_one_element_per_line() {
        assert_eq!(
            indented_xml("<?xml?><a><b>1</b><c/><d><e>x &lt;</e></d><f></f></a>"),
            "<?xml?>\n<a>\n  <b>1</b>\n  <c/>\n  <d>\n    <e>x &lt;</e>\n  </d>\n  <f></f>\n</a>"
        );
    }
}
