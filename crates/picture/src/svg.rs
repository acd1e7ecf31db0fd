//! Writing SVG. Every text and every attribute goes through [`escape`], so nothing from a model can become markup.

use std::fmt::Write;

/// A document under construction.
#[derive(Debug, Default)]
pub struct Svg {
    out: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// Opens an element that contains others.
    pub fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) -> &mut Svg {
        self.tag(name, attributes);
        self.out.push_str(">\n");
        self.open.push(name);
        self
    }

    /// Closes what was opened last.
    pub fn close(&mut self) -> &mut Svg {
        if let Some(name) = self.open.pop() {
            let _ = writeln!(self.out, "</{name}>");
        }
        self
    }

    /// An element without contents.
    pub fn element(&mut self, name: &'static str, attributes: &[(&str, &str)]) -> &mut Svg {
        self.tag(name, attributes);
        self.out.push_str("/>\n");
        self
    }

    /// An element that contains text.
    pub fn text(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) -> &mut Svg {
        self.tag(name, attributes);
        let _ = writeln!(self.out, ">{}</{name}>", escape(text));
        self
    }

    /// The whole document; whatever is open is closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let _ = write!(self.out, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"{}\"", escape(value));
        }
    }
}

/// The text as it is written between tags and between quotes. Characters that XML 1.0 does not have are replaced, and those that
/// change the direction of a text or hide in it.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{7f}'..='\u{9f}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' => {
                out.push('\u{fffd}')
            }
            '\u{2060}'..='\u{206f}' | '\u{feff}' => out.push('\u{fffd}'),
            '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        let mut svg = Svg::default();
        svg.open("g", &[("id", "a\" onload=\"x")]).text("text", &[], "</text><script>\u{0}&\u{202e}\u{9b}");
        assert_eq!(
            svg.finish(),
            "<g id=\"a&quot; onload=&quot;x\">\n<text>&lt;/text&gt;&lt;script&gt;\u{fffd}&amp;\u{fffd}\u{fffd}</text>\n</g>\n"
        );
    }
}
