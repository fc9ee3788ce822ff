//! `--method NAME --bags K --set NAME=VALUE`: which ensemble is made, for the commands that make one.

use clap::Args;
use symsnap::internals::ensemble::{DEFAULT_METHOD, Needs, Purpose};
use symsnap::internals::snapshot::Selection;
use symsnap::{Diagnostic, METHODS, Method, Result, method_named};

/// How an ensemble is made.
#[derive(Args)]
pub struct MethodChoice {
    /// How the model is made of the snapshots; the list is below.
    #[arg(long, value_name = "NAME", default_value = DEFAULT_METHOD, value_parser = parse_method)]
    method: &'static dyn Method,
    /// How many samples `bagging` and `skimmed` learn from: short for `--set bags=K`.
    #[arg(long, value_name = "K")]
    bags: Option<u32>,
    /// Change a setting of the method, `--set alpha=0.01`; `show` lists those of a model.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    set: Vec<(String, f64)>,
    // The help of this option is made from what can be asked for.
    #[arg(long, value_name = "WHICH", default_value = "all", value_parser = Selection::named, help = list_selections())]
    pool: Selection,
    /// List all methods with their settings; nothing else is done.
    // `main` answers it before anything is parsed, because nothing else must be given then.
    #[arg(long)]
    help_methods: bool,
}

/// What the selections are, for the help.
fn list_selections() -> String {
    format!("Make the model of some of the snapshots: {}", Selection::KNOWN)
}

impl MethodChoice {
    /// Which snapshots it is made of.
    pub fn selection(&self) -> Selection {
        self.pool
    }

    /// The method with its settings.
    pub fn method(&self) -> Result<Box<dyn Method>> {
        if self.pool != Selection::All && self.method.needs() == Needs::Learner {
            let message = format!("the method `{}` learns by itself and takes no snapshots", self.method.name());
            return Err(Diagnostic::error(message).with_help("leave out --pool, or choose another --method").into());
        }
        let mut method = method_named(self.method.name()).map(|found| found.boxed()).expect("it was found by name");
        let bags = self.bags.map(|bags| ("bags".to_owned(), f64::from(bags)));
        for (name, value) in bags.iter().chain(&self.set) {
            method = method.with_setting(name, *value).ok_or_else(|| {
                let known: Vec<String> =
                    method.settings().iter().map(|(name, value)| format!("{name}={value}")).collect();
                let message = format!("the method `{}` has no setting {name}={value}", method.name());
                let help = match known.len() {
                    0 => "it has no settings".to_owned(),
                    _ => format!("its settings are {}, numbers of at least 0; counts are whole", known.join(", ")),
                };
                Diagnostic::error(message).with_help(help)
            })?;
        }
        Ok(method)
    }
}

/// The methods that people should use, for the help of a command.
pub fn list() -> String {
    format!(
        "Methods:\n{}\
         Those of the paper and of its rivals, for comparison, are listed by --help-methods.\n",
        lines(Purpose::Use)
    )
}

/// All methods with what they need and their settings: what `--help-methods` prints.
pub fn list_all() -> String {
    format!(
        "For use:\n{}\nFor comparison with the paper and its rivals:\n{}\n\
         Settings, for --set NAME=VALUE:\n{}\n\
         Figures: bench/ENSEMBLE.md, docs/paper and docs/synthetic of the repository.\n",
        lines(Purpose::Use),
        lines(Purpose::Comparison),
        METHODS.iter().filter_map(settings).collect::<String>()
    )
}

fn lines(purpose: Purpose) -> String {
    METHODS.iter().filter(|method| method.purpose() == purpose).map(line).collect()
}

fn line(method: &&dyn Method) -> String {
    let marks = [
        (method.name() == DEFAULT_METHOD).then_some("the default"),
        match method.needs() {
            Needs::Pool => None,
            Needs::HeldOut => Some("needs held-out examples or `learn`"),
            Needs::Learner => Some("only with `learn`"),
        },
    ];
    let marks: Vec<&str> = marks.into_iter().flatten().collect();
    let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join("; ")) };
    format!("  {:<10} {}{marks}\n", method.name(), method.summary())
}

fn settings(method: &&dyn Method) -> Option<String> {
    let settings: Vec<String> = method.settings().iter().map(|(name, value)| format!("{name}={value}")).collect();
    (!settings.is_empty()).then(|| format!("  {:<10} {}\n", method.name(), settings.join(", ")))
}

/// The ensemble method with that name.
fn parse_method(name: &str) -> std::result::Result<&'static dyn Method, String> {
    let known: Vec<&str> = METHODS.iter().map(|method| method.name()).collect();
    method_named(name).ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

fn parse_setting(text: &str) -> std::result::Result<(String, f64), String> {
    let parsed = text.split_once('=').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    parsed.ok_or_else(|| "expected NAME=VALUE with a number for VALUE".to_owned())
}
