//! Words and signs of LNT and MCL, as their manuals define them.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A word; LNT does not tell upper from lower case, MCL does.
    Word(String),
    /// A number without a sign.
    Number(i64),
    /// A string literal, without its quotes.
    Text(String),
    Sign(&'static str),
    /// A pragma of LNT, without its `!`.
    Pragma(String),
}

/// Longest first.
const SIGNS: [&str; 34] = [
    "...", "!?", ":=", "==", "<>", "<=", ">=", "[]", "||", "->", "..", "|=", "(", ")", "[", "]", "{", "}",
    ",", ";", ":", "+", "-", "*", "<", ">", "=", "?", "!", ".", "|", "%", "/", "\\",
];

/// The tokens of a text; `--` starts a comment, `(*` encloses one.
pub fn tokens(text: &str, pragmas: bool) -> Result<Vec<Token>, String> {
    let mut out = vec![];
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Ok(out);
        };
        if rest.starts_with("--") {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(comment) = rest.strip_prefix("(*") {
            rest = comment.split_once("*)").ok_or("a comment does not end")?.1;
        } else if let Some(string) = rest.strip_prefix('"') {
            let (text, after) = string.split_once('"').ok_or("a string does not end")?;
            out.push(Token::Text(text.to_string()));
            rest = after;
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            out.push(Token::Number(rest[..end].parse().map_err(|_| "a number is too long")?));
            rest = &rest[end..];
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            out.push(Token::Word(rest[..end].to_string()));
            rest = &rest[end..];
        } else if pragmas && rest.starts_with('!') && rest[1..].starts_with(|c: char| c.is_ascii_lowercase())
        {
            let end = rest[1..]
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .map_or(rest.len(), |e| e + 1);
            out.push(Token::Pragma(rest[1..end].to_string()));
            rest = &rest[end..];
        } else {
            let sign = SIGNS.iter().find(|s| rest.starts_with(**s));
            let sign = sign.ok_or_else(|| format!("what is `{first}`?"))?;
            out.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        }
    }
}

/// Goes through tokens.
pub struct Cursor {
    tokens: Vec<Token>,
    at: usize,
}

impl Cursor {
    /// At the first token.
    pub fn new(tokens: Vec<Token>) -> Cursor {
        Cursor { tokens, at: 0 }
    }

    /// The next token.
    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// One further.
    pub fn peek_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    /// Takes the next token.
    pub fn take(&mut self) -> Option<Token> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    /// Whether the next token is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if w == word)
    }

    /// Whether the next token is this sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(s)) if *s == sign)
    }

    /// Takes this word if it comes next.
    pub fn word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    /// Takes this sign if it comes next.
    pub fn sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    /// This word must come.
    pub fn expect_word(&mut self, word: &str) -> Result<(), String> {
        if self.word(word) { Ok(()) } else { Err(self.complain(&format!("`{word}`"))) }
    }

    /// This sign must come.
    pub fn expect_sign(&mut self, sign: &str) -> Result<(), String> {
        if self.sign(sign) { Ok(()) } else { Err(self.complain(&format!("`{sign}`"))) }
    }

    /// Any word must come.
    pub fn name(&mut self) -> Result<String, String> {
        match self.peek() {
            Some(Token::Word(w)) => {
                let w = w.clone();
                self.at += 1;
                Ok(w)
            }
            _ => Err(self.complain("a name")),
        }
    }

    /// A number must come.
    pub fn number(&mut self) -> Result<i64, String> {
        match self.peek() {
            Some(Token::Number(n)) => {
                let n = *n;
                self.at += 1;
                Ok(n)
            }
            _ => Err(self.complain("a number")),
        }
    }

    /// A string must come.
    pub fn text(&mut self) -> Result<String, String> {
        match self.take() {
            Some(Token::Text(t)) => Ok(t),
            other => Err(format!("a string expected, not {other:?}")),
        }
    }

    /// Whether all tokens have been taken.
    pub fn done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// What was expected, and what is there.
    pub fn complain(&self, expected: &str) -> String {
        let from = self.at.saturating_sub(12);
        let before = &self.tokens[from..self.at.min(self.tokens.len())];
        format!("{expected} expected, not {:?}, after {before:?}", self.peek())
    }
}
