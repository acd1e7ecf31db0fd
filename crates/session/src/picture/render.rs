//! A stored trace in any format: numbered steps, data, a page that plays it, a sequence chart.

use super::of_plan;
use crate::languages::LanguageWord;
use crate::listing::{Listing, Style};
use crate::open::{Prepared, Trouble, prepare};
use crate::refusal::Refusal;
use crate::simulate::TraceFormat;
use crate::stored::StoredReading;
use crate::walk::{Plan, plan};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::trace::itf::Itf;
use swarmcheck_engine::trace::legend::Legend;
use swarmcheck_engine::trace::text;
use swarmcheck_picture::chart::{ChartOptions, chart};
use swarmcheck_picture::html::{Page, page};

/// Longer charts are folded: nobody reads so many rows.
const LONG: usize = 60;
/// Which steps of longer traces matter is not asked for.
const EXPLAINED: usize = 2_000;

/// Writes a stored trace of a model, whose bytes the caller has read, in a format.
pub fn render(
    trace: &TraceData,
    format: TraceFormat,
    name: &str,
    bytes: &[u8],
    language: Option<LanguageWord>,
) -> Result<String, Refusal> {
    let unreadable = |why: String| Trouble::Unreadable(format!("the trace cannot be shown: {why}"));
    let options = StoredReading::from(trace).options(language).map_err(unreadable)?;
    let prepared = prepare(name, bytes, options).map_err(Refusal::from)?;
    let plan = plan(&prepared, trace).map_err(|misfit| Refusal::Misfit { misfit: Box::new(misfit) })?;
    let legend = Legend::new(&prepared.flat.program);
    Ok(match format {
        TraceFormat::Text | TraceFormat::Markdown => {
            let style = Style { flavour: format.flavour().unwrap_or_default(), full: false };
            Listing::whole(&legend, style, trace, None)
        }
        TraceFormat::Json => serde_json::to_string(trace).map_err(|e| internal(&e.to_string()))? + "\n",
        TraceFormat::Itf => {
            let mut itf = Itf::new(&prepared.flat);
            itf.state(&plan.initial, "init");
            for (step, made) in trace.steps.iter().zip(&plan.steps) {
                let who = legend.agent_name(step.agent);
                let action = match step.rule.as_str() {
                    swarmcheck_engine::trace::data::ACTION => format!("{who}: {}", step.what),
                    verb => format!("{who}: {verb} '{}'", step.what),
                };
                itf.state(&made.state, &action);
            }
            format!("{}\n", itf.finish(&title(&prepared, trace), trace.loop_start))
        }
        TraceFormat::Sliver => {
            let steps: String = trace.steps.iter().map(|step| text::step_data(&legend, step)).collect();
            text::initial_data(&legend, &trace.initial) + &steps
        }
        TraceFormat::Html | TraceFormat::Svg => document(&prepared, trace, &plan, format),
    })
}

fn internal(why: &str) -> Refusal {
    Refusal::from(Trouble::Internal(why.to_string()))
}

/// A page or a chart of a trace whose states are known.
pub(crate) fn document(prepared: &Prepared, trace: &TraceData, plan: &Plan, format: TraceFormat) -> String {
    let picture = of_plan(prepared, trace, plan, trace.steps.len() <= EXPLAINED);
    let title = title(prepared, trace);
    if format == TraceFormat::Svg {
        let (loop_start, fold) = (trace.loop_start, trace.steps.len() > LONG);
        return chart(&picture, &ChartOptions { title, loop_start, steps: None, fold });
    }
    let legend = Legend::new(&prepared.flat.program);
    let listing = Listing::whole(&legend, Style::default(), trace, None);
    let json = serde_json::to_value(trace).unwrap_or_default();
    let source = prepared.file.text();
    page(&Page { title: &title, trace: &json, picture: &picture, source, listing: &listing })
}

/// `flock.labs birds=3 grid=5: Consensus`.
fn title(prepared: &Prepared, trace: &TraceData) -> String {
    let file = prepared.file.name();
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let parameters: String =
        trace.parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let about = trace.property.as_ref().or(trace.reach.as_ref());
    let about = about.map_or(String::new(), |name| format!(": {}", crate::reach::one_line(name)));
    format!("{file}{parameters}{about}")
}
