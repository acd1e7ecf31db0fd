//! `view { … }`: the variables and kinds that it names exist, and its sizes fit.

use super::Checker;
use super::words;
use crate::codes;
use crate::model::{Class, KindId, Label, Show, VarId, View};
use crate::syntax::ast::{self, Name};
use swarmcheck_source::{Diagnostic, Span};

/// Larger spaces cannot be drawn.
const SIZE_MAX: i64 = 10_000;

impl Checker<'_> {
    pub(super) fn view(&mut self, file: &ast::File) -> Option<View> {
        let first = file.views.first()?;
        for other in &file.views[1..] {
            let error = Diagnostic::error(codes::DUPLICATE, other.span, "there are two `view` sections");
            self.out.push(error.also(first.span, "the first one").help("join the two sections"));
        }
        let space = self.space(first)?;
        let (width, height, torus) = space;
        let mut shows: Vec<Show> = vec![];
        let mut seen: Vec<(KindId, Span)> = vec![];
        for source in &first.shows {
            let Some(kind) = self.shown_kind(&source.kind) else { continue };
            if let Some((_, before)) = seen.iter().find(|(known, _)| *known == kind) {
                let message = format!("kind `{}` is shown twice", source.kind.text);
                let error = Diagnostic::error(codes::DUPLICATE, source.kind.span, message);
                self.out.push(error.also(*before, "first here"));
                continue;
            }
            seen.push((kind, source.kind.span));
            shows.extend(self.show(source, kind, height > 1));
        }
        let floors = first.floors.iter().filter_map(|name| self.floor(name, width, height)).collect();
        Some(View { width, height, torus, shows, floors })
    }

    fn misfit(&mut self, span: Span, message: String, help: &str) {
        self.out.push(Diagnostic::error(codes::VIEW, span, message).help(help));
    }

    fn space(&mut self, view: &ast::View) -> Option<(u32, u32, bool)> {
        let (first, others) = match view.spaces.split_first() {
            Some(spaces) => spaces,
            None => {
                let help =
                    "say how large it is: `space = _grid, _grid torus`, or `space = _length` for a line";
                self.misfit(view.span, "the view has no `space`".to_string(), help);
                return None;
            }
        };
        if let Some(other) = others.first() {
            let error =
                Diagnostic::error(codes::DUPLICATE, other.span, "`space` appears twice in this section");
            self.out.push(error.also(first.span, "first here"));
        }
        let mut size =
            |e: &ast::Expr| self.constants().constant_within("the size of the space", e, 1, SIZE_MAX);
        match &first.sizes[..] {
            [width] => Some((size(width)?, 1, first.torus)),
            [width, height] => Some((size(width)?, size(height)?, first.torus)),
            _ => {
                let message = format!("a space has one or two sizes, not {}", first.sizes.len());
                self.misfit(first.span, message, "drawings are flat");
                None
            }
        }
    }

    fn shown_kind(&mut self, name: &Name) -> Option<KindId> {
        let kind = self.names.kind(&name.text);
        if kind.is_none() {
            let message = format!("there is no kind of agents named `{}`", name.text);
            let near = self.names.nearest(&name.text, self.names.kind_names());
            self.out.push(Diagnostic::error(codes::UNKNOWN_KIND, name.span, message).did_you_mean(near));
        }
        kind
    }

    fn show(&mut self, source: &ast::Show, kind: KindId, flat: bool) -> Option<Show> {
        let all = |checker: &mut Self, names: &[Name]| -> Vec<Option<VarId>> {
            names.iter().map(|name| checker.shown(kind, name)).collect()
        };
        let (at, heading) = (all(self, &source.at), all(self, &source.heading));
        let wanted = if flat { 2 } else { 1 };
        let places = words::count(wanted, "variable", "variables");
        if at.len() != wanted {
            let message = format!("a place in this space is {places}, not {}", at.len());
            self.misfit(source.span, message, "the `space` of the view has as many sizes");
            return None;
        }
        if !heading.is_empty() && heading.len() != wanted {
            let message = format!("a heading in this space is {places}, not {}", heading.len());
            self.misfit(source.span, message, "the `space` of the view has as many sizes");
            return None;
        }
        let mut once = |what: &str, names: &[Name]| -> Option<VarId> {
            let (first, others) = names.split_first()?;
            if let Some(again) = others.first() {
                let message = format!("`{what}` appears twice");
                let error = Diagnostic::error(codes::DUPLICATE, again.span, message);
                self.out.push(error.also(first.span, "first here"));
            }
            if what == "label" && first.text == "id" { None } else { self.shown(kind, first) }
        };
        let (colour, size) = (once("colour", &source.colour), once("size", &source.size));
        let labelled = once("label", &source.label);
        let label = match source.label.first() {
            Some(name) if name.text == "id" => Some(Label::Id),
            _ => labelled.map(Label::Variable),
        };
        let get = |list: &[Option<VarId>], at: usize| list.get(at).copied().flatten();
        Some(Show {
            kind,
            x: get(&at, 0)?,
            y: get(&at, 1),
            dx: get(&heading, 0),
            dy: get(&heading, 1),
            colour,
            label,
            size,
        })
    }

    /// A variable that agents of a kind have. Showing it is a use of it.
    fn shown(&mut self, kind: KindId, name: &Name) -> Option<VarId> {
        let Some(var) = self.names.variable(&name.text) else {
            let own = (0..self.names.variables.len() as u32).map(VarId).filter(|v| self.names.has(kind, *v));
            let own: Vec<&str> = own.map(|v| self.names.var(v).name.as_str()).collect();
            let near = self.names.nearest(&name.text, own);
            let message = format!("there is no variable `{}`", name.text);
            self.out.push(Diagnostic::error(codes::UNKNOWN_VARIABLE, name.span, message).did_you_mean(near));
            return None;
        };
        self.facts.read.insert(var);
        if !self.names.has(kind, var) {
            let message = format!("{} agents have no variable `{}`", self.names.kind_name(kind), name.text);
            let error = Diagnostic::error(codes::NOT_OF_KIND, name.span, message);
            let help = match self.names.var(var).class {
                Class::Environment => {
                    "it belongs to the environment: `floor` shows arrays of the environment"
                }
                Class::Attribute => "it is an attribute of another kind",
                Class::Stigmergic(_) => "it belongs to a stigmergy that these agents do not list",
            };
            self.out.push(error.help(help));
            return None;
        }
        if !self.names.var(var).dimensions.is_empty() {
            let message = format!(
                "`{}` is an array, and a place, heading, colour, label or size is one number",
                name.text
            );
            self.out.push(Diagnostic::error(codes::INDEX, name.span, message));
            return None;
        }
        Some(var)
    }

    /// An array of the environment that covers the space.
    fn floor(&mut self, name: &Name, width: u32, height: u32) -> Option<VarId> {
        let Some(var) = self.names.variable(&name.text) else {
            let near = self.names.nearest(&name.text, self.names.variable_names());
            let message = format!("there is no variable `{}`", name.text);
            self.out.push(Diagnostic::error(codes::UNKNOWN_VARIABLE, name.span, message).did_you_mean(near));
            return None;
        };
        self.facts.read.insert(var);
        let variable = self.names.var(var);
        let class = variable.class;
        // A size of 0 is not known, which was reported.
        let fits = match variable.dimensions[..] {
            [cells] => height == 1 && (cells == width || cells == 0),
            [one, other] => {
                height > 1
                    && ([one, other] == [width, height]
                        || [one, other] == [height, width]
                        || one == 0
                        || other == 0)
            }
            _ => false,
        };
        if class != Class::Environment {
            let message = format!(
                "`{}` is {}, and a floor is an array of the environment",
                name.text,
                words::class(class)
            );
            self.misfit(name.span, message, "`show … colour` shows a variable of agents");
            return None;
        }
        if !fits {
            let size = if height > 1 { format!("[{width}, {height}]") } else { format!("[{width}]") };
            let message = format!("`{}` does not have a cell for each place of the space", name.text);
            self.misfit(
                name.span,
                message,
                &format!("declare it with the size of the space: `{}{size}`", name.text),
            );
            return None;
        }
        Some(var)
    }
}
