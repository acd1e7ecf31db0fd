//! `view { … }`: how the system is drawn. It says nothing about behaviour. It is ours, not SLiVER's (`docs/labs.md` 22).

use super::ast::{Name, Show, Space, View};
use super::cursor::{Parsed, Parser};
use super::token::{EQUALS, Token, TokenKind};

/// Words that begin an item of the section. Elsewhere they are names.
const ITEMS: [&str; 3] = ["space", "show", "floor"];
/// What may be said of a kind after its place.
const WAYS: [&str; 5] = ["heading", "colour", "color", "label", "size"];

impl Parser<'_> {
    pub(super) fn view(&mut self, keyword: Token) -> Parsed<View> {
        self.parts = &[];
        let mut view = View { span: keyword.span, spaces: vec![], shows: vec![], floors: vec![] };
        self.items("`space`, `show` or `floor`", |p| {
            let read = match p.word() {
                "space" if p.nth(1).kind == EQUALS => p.space().map(|space| view.spaces.push(space)),
                "floor" if p.nth(1).kind == EQUALS => p.floors(&mut view.floors),
                "show" => p.show().map(|show| view.shows.push(show)),
                _ => return Ok(()),
            };
            if read.is_err() {
                p.skip_until(|p| p.kind() == TokenKind::Semicolon || ITEMS.contains(&p.word()));
            }
            Ok(())
        })?;
        Ok(view)
    }

    /// `space = _grid, _grid torus`.
    fn space(&mut self) -> Parsed<Space> {
        let keyword = self.bump();
        self.bump();
        let mut sizes = vec![self.expression()?];
        while self.eat(TokenKind::Comma) {
            sizes.push(self.expression()?);
        }
        let torus = self.eat_word("torus");
        Ok(Space { sizes, torus, span: keyword.span.to(self.previous()) })
    }

    /// `show Bird at x, y heading dirX, dirY colour leader label id`.
    fn show(&mut self) -> Parsed<Show> {
        let keyword = self.bump();
        let what = "the name of a kind of agents";
        if self.word() == "at" {
            return Err(self.fail(what));
        }
        let kind = self.ident(what)?;
        if !self.eat_word("at") {
            return Err(self.fail_with("`at` and the variables that are the place", &["`show Bird at x, y`"]));
        }
        let at = self.list_of_names()?;
        let mut show = Show {
            kind,
            at,
            heading: vec![],
            colour: vec![],
            label: vec![],
            size: vec![],
            span: keyword.span,
        };
        while WAYS.contains(&self.word()) {
            let way = self.word();
            self.bump();
            match way {
                "heading" => show.heading.extend(self.list_of_names()?),
                "label" if self.word() == "id" => {
                    let span = self.bump().span;
                    show.label.push(Name { text: "id".to_string(), span });
                }
                "label" => show.label.push(self.name("a variable, or `id`")?),
                "size" => show.size.push(self.name("a variable")?),
                _ => show.colour.push(self.name("a variable")?),
            }
        }
        show.span = keyword.span.to(self.previous());
        Ok(show)
    }

    fn floors(&mut self, list: &mut Vec<Name>) -> Parsed<()> {
        self.bump();
        self.bump();
        list.extend(self.list_of_names()?);
        Ok(())
    }

    fn list_of_names(&mut self) -> Parsed<Vec<Name>> {
        let mut list = vec![self.name("a variable")?];
        while self.eat(TokenKind::Comma) {
            list.push(self.name("a variable")?);
        }
        Ok(list)
    }
}
