//! Tables of a few rows, whose pictures can be worked out by hand.

use super::*;
use swarmcheck_session::plot::PhaseVerdict;

fn drawn(csv: &str, options: PlotOptions) -> Result<Plot, PlotFault> {
    plot(&Table::from_csv(csv).unwrap(), &options)
}

fn curve(csv: &str, options: PlotOptions) -> CurvePlot {
    match drawn(csv, options) {
        Ok(Plot::Curve(plot)) => plot,
        other => panic!("{other:?}"),
    }
}

const ESTIMATES: &str = "\
n,delta,seed,P(x),P(x) low,P(x) high,runs
2,1,7,0.5,0.4,0.6,100
2,3,7,0.75,0.7,0.8,100
4,1,7,0.25,0.2,0.3,100
4,3,7,,0.1,,100
";

#[test]
fn columns_are_inferred() {
    // The first parameter that varies is n; the other one has two values, so there are two lines; P(x) has an interval.
    let plot = curve(ESTIMATES, PlotOptions::default());
    assert_eq!((plot.x.label.as_str(), plot.y.label.as_str()), ("n", "P(x)"));
    let names: Vec<&str> = plot.series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(names, ["delta = 1", "delta = 3"]);
    let point = |x, y, low, high| Point { x, y, low, high, infinite: false };
    assert_eq!(
        plot.series[0].points,
        [point(2.0, Some(0.5), Some(0.4), Some(0.6)), point(4.0, Some(0.25), Some(0.2), Some(0.3))]
    );
    assert_eq!(plot.series[1].points[1], point(4.0, None, Some(0.1), None));
    // A share: the axis begins at 0 and goes to 1.
    assert_eq!((plot.y.low, plot.y.high), (Some(0.0), Some(1.0)));
    assert_eq!(plot.caption.notes, ["Bands are the intervals of the table.", "1 row has no value."]);
}

#[test]
fn columns_are_named() {
    let options =
        |x: &str, y: &str| PlotOptions { x: Some(x.into()), y: Some(y.into()), ..PlotOptions::default() };
    let plot = curve(ESTIMATES, options("_delta", "P("));
    assert_eq!((plot.x.label.as_str(), plot.y.label.as_str()), ("delta", "P(x)"));
    let said = drawn(ESTIMATES, options("dleta", "P(x)")).unwrap_err().to_string();
    assert_eq!(
        said,
        "there is no column 'dleta'; did you mean 'delta'? the table has 'n', 'delta', 'seed', 'P(x)', 'P(x) low', \
         'P(x) high', 'runs'"
    );
    let said = drawn("n,a b,a c\n1,2,3\n", options("n", "a")).unwrap_err().to_string();
    assert_eq!(said, "several columns begin with 'a': 'a b', 'a c'");
    assert_eq!(drawn("n,v\n", PlotOptions::default()), Err(PlotFault::Empty));
    let said = drawn("n,v\n1,x\n2,y\n", options("n", "v")).unwrap_err().to_string();
    assert_eq!(said, "column 'v' has no numbers, which a curve needs");
}

#[test]
fn seeds_are_averaged_with_an_interval() {
    // Mean 2 of 1, 2, 3; the standard deviation is 1, and Student's quantile for 2 degrees of freedom at 0.975 is 4.302653
    // (any table), so half of the width is 4.302653 / √3 = 2.484138.
    let csv = "n,seed,steps until p\n1,1,1\n1,2,2\n1,3,3\n2,1,5\n2,2,5\n2,3,5\n";
    let plot = curve(csv, PlotOptions::default());
    let points = &plot.series[0].points;
    assert_eq!((points[0].y, points[1].y), (Some(2.0), Some(5.0)));
    assert!((points[0].low.unwrap() + 0.484_138).abs() < 1e-5, "{points:?}");
    assert!((points[0].high.unwrap() - 4.484_138).abs() < 1e-5, "{points:?}");
    assert!(plot.caption.notes[0].contains("means over seeds") && plot.caption.notes[0].contains("Student"));
}

#[test]
fn other_parameters_give_a_range() {
    let csv = "n,a,b,v x\n1,1,1,1\n1,2,2,4\n1,3,1,1\n2,1,2,7\n";
    let plot = curve(csv, PlotOptions { x: Some("n".into()), ..PlotOptions::default() });
    let point = plot.series[0].points[0];
    assert_eq!((point.y, point.low, point.high), (Some(2.0), Some(1.0), Some(4.0)));
    assert!(plot.caption.notes[0].contains("differ in a, b"), "{:?}", plot.caption.notes);
}

const VERDICTS: &str = "\
n,delta,Safe,Live
2,1,holds,violated
2,2,holds,unknown
3,1,holds,
3,2,violated,holds
";

#[test]
fn verdicts_make_a_phase_diagram() {
    let options = PlotOptions { y: Some("Live".into()), ..PlotOptions::default() };
    let Ok(Plot::Phase(plot)) = drawn(VERDICTS, options) else { panic!() };
    assert_eq!((plot.grid.x.as_str(), plot.grid.y.as_str()), ("n", "delta"));
    let at = |column, row| {
        plot.cells.iter().find(|cell| (cell.column, cell.row) == (column, row)).unwrap().verdict
    };
    assert_eq!(
        [at(0, 0), at(0, 1), at(1, 0), at(1, 1)],
        [PhaseVerdict::Violated, PhaseVerdict::Unknown, PhaseVerdict::Failed, PhaseVerdict::Holds]
    );
    // With one parameter there is a row for each property, the first one at the top. Rows that differ say so.
    let csv = "n,Safe,Live\n2,holds,holds\n3,holds,violated\n3,holds,holds\n";
    let Ok(Plot::Phase(plot)) = drawn(csv, PlotOptions::default()) else { panic!() };
    assert_eq!(plot.grid.rows, ["Live", "Safe"]);
    let mixed = plot.cells.iter().find(|cell| cell.verdict == PhaseVerdict::Mixed).unwrap();
    assert_eq!((mixed.column, mixed.row, mixed.note.as_str()), (1, 0, "1 holds, 1 violated"));
    let options = PlotOptions {
        y: Some("n".into()),
        x: Some("Safe".into()),
        kind: Some(PlotKind::Phase),
        ..PlotOptions::default()
    };
    assert!(matches!(drawn(VERDICTS, options), Err(PlotFault::NoVerdicts { .. })));
}

#[test]
fn heat_maps_have_a_cell_for_each_pair() {
    let options = PlotOptions { kind: Some(PlotKind::Heat), ..PlotOptions::default() };
    let Ok(Plot::Heat(plot)) = drawn(ESTIMATES, options) else { panic!() };
    assert_eq!((plot.grid.columns.len(), plot.grid.rows.len(), plot.cells.len()), (2, 2, 4));
    let cell = plot.cells.iter().find(|cell| (cell.column, cell.row) == (0, 1)).unwrap();
    assert_eq!((cell.value, cell.low), (Some(0.75), Some(0.7)));
}

#[test]
fn histograms_count_rows() {
    let options =
        PlotOptions { kind: Some(PlotKind::Histogram), y: Some("v".into()), ..PlotOptions::default() };
    let Ok(Plot::Histogram(plot)) = drawn("v\n1\n2\n2\n4\n", options.clone()) else { panic!() };
    let counts: Vec<(f64, u64)> = plot.bins.iter().map(|bin| (bin.from, bin.count)).collect();
    assert_eq!(counts, [(0.5, 1), (1.5, 2), (2.5, 0), (3.5, 1)]);
    assert_eq!((plot.marks[0].value, plot.marks[1].value), (2.25, 2.0));
    let Ok(Plot::Histogram(plot)) = drawn("v\n0.5\n1.5\n2.5\n", PlotOptions { bins: Some(2), ..options })
    else {
        panic!()
    };
    let counts: Vec<(f64, f64, u64)> = plot.bins.iter().map(|bin| (bin.from, bin.to, bin.count)).collect();
    assert_eq!(counts, [(0.5, 1.5, 1), (1.5, 2.5, 2)]);
}
