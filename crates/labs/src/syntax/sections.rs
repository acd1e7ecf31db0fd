//! Sections: `system`, `stigmergy`, `agent`, `assume`, `check`, `view`, in any order, and their parts, in any order.

use super::ast::{Agent, Expr, ExprNode, Extern, File, Name, ProcessDef, Spawn, Stigmergy, System};
use super::cursor::{Failed, Parsed, Parser};
use super::token::{Bracket, COLON, EQUALS, MINUS, PARTS, SECTIONS, Token, TokenKind};
use crate::codes;
use swarmcheck_source::suggest::nearest;
use swarmcheck_source::{Diagnostic, Fix, Span};

/// The default of a parameter whose default is wrong, which was reported: more should not be said about it.
const WRONG_DEFAULT: i64 = 1;

/// The parts seen so far in a section, to notice repetitions.
type Seen = Vec<(&'static str, Span)>;

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        if self.kind() == TokenKind::End && self.log.is_empty() {
            let d = Diagnostic::error(codes::EMPTY, self.token().span, "the file contains no specification");
            let help = "a specification has a `system` section, `agent` sections and a `check` section";
            self.log.push(d.label("nothing here").help(help));
        }
        while self.kind() != TokenKind::End {
            let before = self.at;
            if self.section(&mut file).is_err() {
                self.skip_to_section();
            }
            if self.at == before {
                self.bump();
            }
        }
        file
    }

    /// Whether `system {`, `agent A {` or the like starts here.
    fn at_section(&self) -> bool {
        let brace = TokenKind::Open(Bracket::Curly);
        SECTIONS.contains(&self.word())
            && (self.nth(1).kind == brace
                || matches!(self.nth(1).kind, TokenKind::Ident | TokenKind::Name)
                    && self.nth(2).kind == brace)
    }

    fn skip_to_section(&mut self) {
        while self.kind() != TokenKind::End && !self.at_section() {
            if let TokenKind::Close(_) = self.kind() {
                self.bump();
            } else {
                self.skip_one();
            }
        }
    }

    fn section(&mut self, file: &mut File) -> Parsed<()> {
        let section = self.section_word()?;
        let keyword = self.bump();
        match section {
            "system" => {
                let system = self.system(keyword)?;
                file.systems.push(system);
            }
            "stigmergy" => {
                let stigmergy = self.stigmergy(keyword)?;
                file.stigmergies.push(stigmergy);
            }
            "agent" => {
                let agent = self.agent(keyword)?;
                file.agents.push(agent);
            }
            "assume" => {
                let list = self.definitions("an assumption `Name = predicate`", Parser::assumption)?;
                file.assumptions.extend(list);
            }
            "view" => {
                let view = self.view(keyword)?;
                file.views.push(view);
            }
            _ => {
                let list = self.definitions("a property `Name = modality predicate`", Parser::property)?;
                file.properties.extend(list);
            }
        }
        Ok(())
    }

    /// The section that the current word opens. A word that is nearly one is reported and taken for it if a `{`
    /// follows.
    fn section_word(&mut self) -> Parsed<&'static str> {
        let word = self.slice(self.token().span);
        if let (Some(known), TokenKind::Name | TokenKind::Keyword) =
            (SECTIONS.iter().find(|s| **s == word), self.kind())
        {
            return Ok(known);
        }
        let near = if word.len() <= 40 { nearest(word, SECTIONS) } else { None };
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the sections are {}", list_words(&SECTIONS)),
        };
        let fix = near.map(|near| self.instead(near));
        self.fail_fixed("a section", &[&help], fix);
        let brace = TokenKind::Open(Bracket::Curly);
        let shape =
            self.nth(1).kind == brace || self.nth(1).kind == TokenKind::Ident && self.nth(2).kind == brace;
        near.filter(|_| shape).ok_or(Failed)
    }

    /// Reads the items of a section in braces, each by `item`, which may decline by not moving.
    pub(super) fn items(
        &mut self,
        expected: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        self.expect_open(Bracket::Curly)?;
        self.group(|p| {
            p.separators();
            while !matches!(p.kind(), TokenKind::Close(_) | TokenKind::End) {
                let before = p.at;
                let failed = item(p).is_err();
                if failed {
                    p.skip_until(|p| p.kind() == TokenKind::Semicolon);
                } else if p.at == before {
                    p.fail(expected);
                }
                if p.at == before {
                    p.skip_one();
                    p.skip_until(|p| p.kind() == TokenKind::Semicolon);
                }
                p.separators();
            }
            Ok(())
        });
        Ok(())
    }

    /// The items of `assume` and `check`.
    fn definitions<T>(&mut self, expected: &str, read: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.parts = &[];
        let mut list = Vec::new();
        self.items(expected, |p| {
            if p.at_definition() || p.kind() == TokenKind::Name && p.nth(1).kind == EQUALS {
                list.push(read(p)?);
            }
            Ok(())
        })?;
        Ok(list)
    }

    /// The part of a section that starts here, moved over together with its `=` or `:`. A word that is nearly one
    /// is reported and taken for it.
    fn part(&mut self, seen: &mut Seen) -> Option<&'static str> {
        let (word, span, next) = (self.word(), self.token().span, self.nth(1).kind);
        if word.is_empty() || next != EQUALS && next != COLON {
            return None;
        }
        let part = match self.parts.iter().find(|p| **p == word) {
            Some(_) if next == COLON && !self.at_part() => return None,
            Some(part) => part,
            None if next == EQUALS && word.len() <= 40 => {
                // `rate` is so short that many words are near it.
                let near = nearest(word, self.parts.iter().copied().filter(|part| *part != "rate"))?;
                let help = format!("did you mean `{near}`?");
                let fix = self.instead(near);
                self.fail_fixed(&list_words(self.parts), &[&help], [fix]);
                near
            }
            None => return None,
        };
        match seen.iter().find(|(p, _)| *p == part) {
            Some((_, first)) => {
                let message = format!("`{part}` appears twice in this section");
                let d = Diagnostic::error(codes::DUPLICATE, span, message).label("again");
                self.log.push(d.also(*first, "first here").help("join the two lists"));
            }
            None => seen.push((part, span)),
        }
        self.bump();
        self.bump();
        Some(part)
    }

    fn system(&mut self, keyword: Token) -> Parsed<System> {
        self.parts = &["extern", "environment", "spawn"];
        let mut seen = Seen::new();
        let mut system = System {
            span: keyword.span,
            externs: Vec::new(),
            environment: Vec::new(),
            spawn: None,
            processes: Vec::new(),
        };
        self.items("`extern`, `environment`, `spawn` or a process definition", |p| {
            match p.part(&mut seen) {
                Some("extern") => p.externs(&mut system.externs),
                Some("environment") => system.environment.extend(p.declarations()),
                Some(_) => p.spawns(system.spawn.get_or_insert_default()),
                None => p.definition(&mut system.processes)?,
            }
            Ok(())
        })?;
        Ok(system)
    }

    fn agent(&mut self, keyword: Token) -> Parsed<Agent> {
        self.parts = &["interface", "stigmergies", "rate"];
        let name = self.ident("the name of a kind of agents")?;
        let mut seen = Seen::new();
        let mut agent = Agent {
            name,
            interface: Vec::new(),
            stigmergies: Vec::new(),
            processes: Vec::new(),
            rate: None,
            extent: keyword.span,
        };
        self.items("`interface`, `stigmergies` or a process definition", |p| {
            match p.part(&mut seen) {
                Some("interface") => agent.interface.extend(p.declarations()),
                Some("rate") => {
                    let rate = p.rate()?;
                    agent.rate.get_or_insert(rate);
                }
                Some(_) => {
                    p.separators();
                    while p.kind() == TokenKind::Ident && !p.at_definition() {
                        agent.stigmergies.push(p.ident("the name of a stigmergy")?);
                        p.separators();
                    }
                }
                None => p.definition(&mut agent.processes)?,
            }
            Ok(())
        })?;
        agent.extent = keyword.span.to(self.previous());
        Ok(agent)
    }

    fn stigmergy(&mut self, keyword: Token) -> Parsed<Stigmergy> {
        self.parts = &["link", "rate"];
        self.linked = false;
        let name = self.ident("the name of a stigmergy")?;
        let mut seen = Seen::new();
        let mut stigmergy =
            Stigmergy { name, link: None, tuples: Vec::new(), rate: None, extent: keyword.span };
        self.items("`link` or the declaration of a tuple", |p| {
            let part = p.part(&mut seen);
            if part == Some("rate") {
                match p.rate() {
                    Ok(rate) => drop(stigmergy.rate.get_or_insert(rate)),
                    Err(Failed) => p.skip_to_declaration(),
                }
            } else if part.is_some() {
                p.linked = true;
                match p.link() {
                    Ok(link) => drop(stigmergy.link.get_or_insert(link)),
                    Err(Failed) => p.skip_to_declaration(),
                }
            } else if p.at_declaration() {
                match p.tuple() {
                    Ok(tuple) => stigmergy.tuples.push(tuple),
                    Err(Failed) => p.skip_to_declaration(),
                }
            }
            Ok(())
        })?;
        stigmergy.extent = keyword.span.to(self.previous());
        Ok(stigmergy)
    }

    /// A link predicate. What follows a `||` is read as well, so that it is not taken for something else.
    fn link(&mut self) -> Parsed<Expr> {
        let link = self.expression()?;
        let wrong = self.kind() == TokenKind::Parallel;
        if wrong {
            let help = "in a link, write `or`; `||` runs processes in parallel";
            let fix = self.or_for_parallel();
            self.fail_fixed("an operator or the declaration of a tuple", &[help], fix);
        }
        while self.eat(TokenKind::Parallel) {
            self.expression()?;
        }
        Ok(if wrong { Expr { node: ExprNode::Error, span: link.span } } else { link })
    }

    /// A process definition, if one starts here.
    fn definition(&mut self, list: &mut Vec<ProcessDef>) -> Parsed<()> {
        let equals = self.kind() == TokenKind::Name && self.nth(1).kind == EQUALS;
        if equals && PARTS.contains(&self.word()) {
            let section = match self.word() {
                "link" => "stigmergy",
                "interface" | "stigmergies" | "rate" => "agent",
                _ => "system",
            };
            let parts: Vec<&str> = self.parts.iter().copied().filter(|part| *part != "rate").collect();
            let expected = format!("{} or a process definition", list_words(&parts));
            let help = format!("`{}` is part of a `{section}` section", self.word());
            return Err(self.fail_with(&expected, &[&help]));
        }
        if self.at_definition() || equals {
            list.push(self.process_definition()?);
        } else if self.at_declaration() && self.nth(1).kind == COLON {
            let part = if self.parts.contains(&"interface") { "interface" } else { "environment" };
            let help = match self.word() == "extern" && self.nth(2).kind == TokenKind::Parameter {
                true => "parameters with defaults are declared with `extern = _n: 3`".to_string(),
                false => format!("variables are declared after `{part} =`"),
            };
            return Err(self.fail_with("a process definition", &[&help]));
        }
        Ok(())
    }

    fn externs(&mut self, list: &mut Vec<Extern>) {
        self.separators();
        loop {
            match self.kind() {
                TokenKind::Parameter => {}
                TokenKind::Name if self.nth(1).kind != EQUALS && !self.at_part() => {
                    let help = format!("parameters start with an underscore: `_{}`", self.word());
                    let fix = Fix::insert(self.token().span.start, "_", "insert `_`");
                    self.fail_fixed("a parameter", &[&help], [fix]);
                }
                _ => return,
            }
            let span = self.bump().span;
            let text = self.slice(span).trim_start_matches('_').to_string();
            let default = self.eat(COLON).then(|| self.default_value());
            list.push(Extern { name: Name { text, span }, default });
            self.separators();
        }
    }

    /// The number after `_n:`.
    fn default_value(&mut self) -> i64 {
        let negative = self.eat(MINUS);
        if !matches!(self.kind(), TokenKind::Number | TokenKind::BadNumber) {
            self.fail_with("a number", &["the default of a parameter is a number: `extern = _n: 3`"]);
            // What stands in its place is no other parameter.
            if matches!(self.kind(), TokenKind::Parameter | TokenKind::Name) && !self.at_part() {
                self.bump();
            }
            return WRONG_DEFAULT;
        }
        let span = self.bump().span;
        let number: i64 = self.slice(span).parse().unwrap_or(WRONG_DEFAULT);
        if negative { -number } else { number }
    }

    fn spawn(&mut self) -> Parsed<Spawn> {
        let kind = self.ident("a kind of agents")?;
        if self.kind() != COLON {
            let number = matches!(self.kind(), TokenKind::Number | TokenKind::Parameter);
            let fix = number.then(|| self.insert(":"));
            return Err(self.fail_fixed("`:` and the number of agents", &[], fix));
        }
        self.bump();
        Ok(Spawn { kind, count: self.expression()? })
    }

    fn spawns(&mut self, list: &mut Vec<Spawn>) {
        self.separators();
        while matches!(self.kind(), TokenKind::Ident | TokenKind::Name)
            && self.nth(1).kind != EQUALS
            && !self.at_part()
        {
            match self.spawn() {
                Ok(spawn) => list.push(spawn),
                Err(Failed) => self.skip_until(|p| {
                    matches!(p.kind(), TokenKind::Comma | TokenKind::Semicolon)
                        || p.kind() == TokenKind::Ident && p.nth(1).kind == COLON
                }),
            }
            self.separators();
        }
    }
}

/// Words in a row, for messages.
fn list_words(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
    quoted.join(", ")
}
