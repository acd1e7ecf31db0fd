//! The numbers of a plot as a table, for those who do not see the picture, and for those who want to copy them.

use super::data::{PhaseCell, Plot};
use super::scale::shown;

/// The names of the columns, and the rows.
pub(super) fn table(plot: &Plot) -> (Vec<String>, Vec<Vec<String>>) {
    let number = |value: Option<f64>| value.map_or("–".to_string(), shown);
    let named =
        |name: &str, otherwise: &str| if name.is_empty() { otherwise.to_string() } else { name.to_string() };
    match plot {
        Plot::Curve(plot) => {
            let is_named = plot.series.iter().any(|series| !series.name.is_empty());
            let mut columns: Vec<String> = if is_named { vec!["series".to_string()] } else { vec![] };
            columns.extend([
                named(&plot.x.label, "x"),
                named(&plot.y.label, "y"),
                "low".into(),
                "high".into(),
            ]);
            let mut rows = vec![];
            for series in &plot.series {
                for point in &series.points {
                    let value = if point.infinite { "infinite".to_string() } else { number(point.y) };
                    let mut row = if is_named { vec![series.name.clone()] } else { vec![] };
                    row.extend([shown(point.x), value, number(point.low), number(point.high)]);
                    rows.push(row);
                }
            }
            (columns, rows)
        }
        Plot::Heat(plot) => {
            let columns = vec![
                named(&plot.grid.x, "x"),
                named(&plot.grid.y, "y"),
                named(&plot.value.label, "value"),
                "low".into(),
                "high".into(),
            ];
            let at = |values: &[String], at: usize| values.get(at).cloned().unwrap_or_default();
            let row = |cell: &super::data::HeatCell| {
                vec![
                    at(&plot.grid.columns, cell.column),
                    at(&plot.grid.rows, cell.row),
                    if cell.infinite { "infinite".to_string() } else { number(cell.value) },
                    number(cell.low),
                    number(cell.high),
                ]
            };
            (columns, plot.cells.iter().map(row).collect())
        }
        Plot::Phase(plot) => {
            let at = |values: &[String], at: usize| values.get(at).cloned().unwrap_or_default();
            let is_flat = plot.grid.rows.len() <= 1 && plot.grid.y.is_empty();
            let mut columns = vec![named(&plot.grid.x, "x")];
            if !is_flat {
                columns.push(named(&plot.grid.y, "property"));
            }
            columns.push("verdict".to_string());
            let row = |cell: &PhaseCell| {
                let mut row = vec![at(&plot.grid.columns, cell.column)];
                if !is_flat {
                    row.push(at(&plot.grid.rows, cell.row));
                }
                let note = if cell.note.is_empty() { String::new() } else { format!(" ({})", cell.note) };
                row.push(format!("{}{note}", cell.verdict.word()));
                row
            };
            (columns, plot.cells.iter().map(row).collect())
        }
        Plot::Histogram(plot) => {
            let columns = vec!["from".to_string(), "to".to_string(), "values".to_string()];
            let row = |bin: &super::data::Bin| vec![shown(bin.from), shown(bin.to), bin.count.to_string()];
            (columns, plot.bins.iter().map(row).collect())
        }
    }
}
