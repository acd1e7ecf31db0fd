//! `--schedule`, and `--fair`, which is short for one of its words. Both may be given if they agree.

use super::values::ScheduleOf;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The options as they are typed.
#[derive(Args)]
struct ScheduleOptions {
    /// Round-robin schedule: agents act in circular order
    ///
    /// Short for --schedule round-robin. Messages are delivered at any time.
    #[arg(long)]
    fair: bool,
    /// Who may make the next step [default: free]
    ///
    /// Whoever can (free), so that an agent may be passed over for ever unless --fairness excludes that; or agents in
    /// circular order, while messages are delivered at any time (round-robin).
    #[arg(long, value_name = "SCHEDULE", hide_short_help = true)]
    schedule: Option<ScheduleOf>,
}

/// Who may make the next step.
pub struct ScheduleArguments {
    /// Agents act in circular order.
    pub round_robin: bool,
}

impl FromArgMatches for ScheduleArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ScheduleArguments, clap::Error> {
        let ScheduleOptions { fair, schedule } = ScheduleOptions::from_arg_matches(matches)?;
        if fair && schedule == Some(ScheduleOf::Free) {
            let message = "--fair is short for --schedule round-robin, so it contradicts --schedule free: leave out one";
            return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message));
        }
        Ok(ScheduleArguments { round_robin: fair || schedule == Some(ScheduleOf::RoundRobin) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ScheduleArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for ScheduleArguments {
    fn augment_args(command: Command) -> Command {
        ScheduleOptions::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        ScheduleOptions::augment_args_for_update(command)
    }
}
