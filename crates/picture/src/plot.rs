//! Plots of estimates and sweeps: curves with confidence bands, heat maps, phase diagrams, histograms. Plain data in ([`Plot`]), text
//! out: [`svg`] for papers, [`page()`] for a browser.
//!
//! A plot is drawn the same way whoever asks for it: the command line, the workbench, a library.

mod colour;
mod curve;
mod data;
mod frame;
mod grid;
mod histogram;
mod page;
mod scale;
mod table;

pub use data::*;
pub use page::page;

/// The plot as an SVG document. Points, cells and bars have their values as titles, and the class `sc-mark`.
pub fn svg(plot: &Plot) -> String {
    match plot {
        Plot::Curve(plot) => curve::draw(plot),
        Plot::Heat(plot) => grid::heat(plot),
        Plot::Phase(plot) => grid::phase(plot),
        Plot::Histogram(plot) => histogram::draw(plot),
    }
}

#[cfg(test)]
mod tests;
