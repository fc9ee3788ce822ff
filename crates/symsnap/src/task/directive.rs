//! Directives of a background file. Those that declare something are obeyed, those that only please the compiler are
//! accepted, all others are rejected by name: nothing in an input file is ever executed.

use super::Program;
use crate::error::Diagnostic;
use crate::index::narrow;
use crate::logic::{Pred, Terms, write_atom};
use crate::parse::{CONS, DoubleQuotes, Fixity, Form, MAX_ARITY, MAX_PRIORITY, NodeId, Reader, Text, Tree};

/// The libraries whose predicates the evaluator knows.
const LIBRARIES: [&str; 11] = [
    "lists",
    "apply",
    "clpfd",
    "aggregate",
    "pairs",
    "option",
    "ordsets",
    "error",
    "tabling",
    "apply_macros",
    "between",
];

/// Flags that change nothing here.
const IDLE_FLAGS: [&str; 6] =
    ["verbose", "verbose_load", "verbose_autoload", "toplevel_print_anon", "stack_limit", "answer_write_options"];

type Obeyed = Result<(), Box<Diagnostic>>;

/// Do what the directive `goal` says.
pub(super) fn obey<'s>(
    goal: NodeId,
    tree: &Tree<'s>,
    source: &Text<'s>,
    reader: &mut Reader<'_, 's>,
    terms: &mut Terms,
    program: &mut Program,
) -> Obeyed {
    let mut directive = Directive { tree, source, reader, terms, program };
    tree.chain(",", goal).into_iter().try_for_each(|goal| directive.obey(goal))
}

struct Directive<'d, 'a, 's> {
    tree: &'d Tree<'s>,
    source: &'d Text<'s>,
    reader: &'d mut Reader<'a, 's>,
    terms: &'d mut Terms,
    program: &'d mut Program,
}

impl<'d, 's> Directive<'d, '_, 's> {
    fn obey(&mut self, goal: NodeId) -> Obeyed {
        match self.tree.form(goal) {
            Form::Compound("dynamic" | "discontiguous" | "multifile", &[preds] | &[preds, _]) => {
                self.each_pred(preds, |program, pred| program.declare(pred))
            }
            Form::Compound("table", &[preds] | &[preds, _]) => self.each_pred(preds, |program, pred| {
                program.declare(pred);
                program.table(pred);
            }),
            Form::Compound("style_check", &[_]) => Ok(()),
            Form::Compound("use_module" | "ensure_loaded", &[library] | &[library, _]) => self.library(library),
            Form::Compound("set_prolog_flag", &[flag, value]) => self.flag(goal, flag, value),
            Form::Compound("op", &[priority, fixity, names]) => self.operator(priority, fixity, names),
            Form::Compound(CONS, _) | Form::Nil => {
                let shown = self.source.quote(self.tree.span(goal), 40);
                let help = "put all clauses into the one background file";
                Err(self.error(goal, format!("files cannot be loaded with `{shown}`"), help))
            }
            Form::Compound(name, arguments) => Err(self.rejected(goal, name, arguments.len())),
            Form::Atom(name) => Err(self.rejected(goal, name, 0)),
            _ => Err(self.error(goal, "this is no directive".to_owned(), "remove it")),
        }
    }

    fn error(&self, node: NodeId, message: String, help: &str) -> Box<Diagnostic> {
        let mut finding = self.source.error(self.tree.span(node), message);
        finding.help = Some(help.to_owned());
        finding
    }

    fn rejected(&self, goal: NodeId, name: &str, arity: usize) -> Box<Diagnostic> {
        let mut shown = String::new();
        write_atom(&mut shown, name);
        self.error(
            goal,
            format!("directive `{shown}/{arity}` is not allowed"),
            "allowed are dynamic, discontiguous, multifile, table, style_check, use_module, op and \
             set_prolog_flag(double_quotes, _)",
        )
    }

    /// Apply `declare` to every predicate of `f/1, g/2`, `[f/1,g/2]`, `f/1 as incremental`, `f(_,_)`.
    fn each_pred(&mut self, preds: NodeId, declare: fn(&mut Program, Pred)) -> Obeyed {
        let mut open = vec![preds];
        while let Some(node) = open.pop() {
            match self.tree.form(node) {
                Form::Compound(",", &[left, right]) => open.extend([right, left]),
                Form::Compound("as", &[preds, _]) => open.push(preds),
                _ if self.tree.list_items(node).is_some() => {
                    open.extend(self.tree.list_items(node).into_iter().flatten().rev());
                }
                _ => {
                    let pred = self.indicator(node)?;
                    declare(self.program, pred);
                }
            }
        }
        Ok(())
    }

    fn indicator(&mut self, node: NodeId) -> Result<Pred, Box<Diagnostic>> {
        match self.tree.form(node) {
            Form::Compound("/", &[name, arity]) => {
                if let (Form::Atom(name), Form::Int(arity)) = (self.tree.form(name), self.tree.form(arity))
                    && let Some(arity) = u32::try_from(arity).ok().filter(|&arity| arity as usize <= MAX_ARITY)
                {
                    return Ok(Pred::new(self.terms.intern(name), arity));
                }
            }
            Form::Compound(name, arguments) => {
                if arguments.iter().all(|&argument| matches!(self.tree.form(argument), Form::Var(_))) {
                    return Ok(Pred::new(self.terms.intern(name), narrow(arguments.len())));
                }
                let message = format!("answer modes of `{name}/{}` are not supported", arguments.len());
                return Err(self.error(node, message, "write `name/arity`"));
            }
            _ => {}
        }
        let shown = self.source.quote(self.tree.span(node), 40);
        Err(self.error(node, format!("expected a predicate `name/arity`, found `{shown}`"), "for example `edge/2`"))
    }

    fn library(&mut self, node: NodeId) -> Obeyed {
        let shown = self.source.quote(self.tree.span(node), 40);
        let Form::Compound("library", &[name]) = self.tree.form(node) else {
            let message = format!("`{shown}` cannot be loaded");
            return Err(self.error(node, message, "only libraries can: put all clauses into the one background file"));
        };
        match self.tree.form(name) {
            Form::Atom("clpfd") => self.reader.operators().add_clpfd(),
            Form::Atom(name) if LIBRARIES.contains(&name) => {}
            Form::Atom("random") => {
                let message = "library `random` is not allowed: background knowledge must be deterministic".to_owned();
                return Err(self.error(node, message, "remove it"));
            }
            _ => {
                let help = format!("known are {}", LIBRARIES.join(", "));
                return Err(self.error(node, format!("unknown library `{shown}`"), &help));
            }
        }
        Ok(())
    }

    fn flag(&mut self, goal: NodeId, flag: NodeId, value: NodeId) -> Obeyed {
        let meaning = match (self.tree.form(flag), self.tree.form(value)) {
            (Form::Atom("double_quotes"), Form::Atom(value)) => match value {
                "string" => DoubleQuotes::String,
                "codes" => DoubleQuotes::Codes,
                "chars" => DoubleQuotes::Chars,
                "atom" => DoubleQuotes::Atom,
                _ => {
                    let message = format!("`{value}` is no meaning of double quotes");
                    return Err(self.error(goal, message, "known are string, codes, chars and atom"));
                }
            },
            (Form::Atom(flag), _) if IDLE_FLAGS.contains(&flag) => return Ok(()),
            _ => {
                let shown = self.source.quote(self.tree.span(flag), 40);
                return Err(self.error(goal, format!("flag `{shown}` cannot be set"), "only `double_quotes` can"));
            }
        };
        self.reader.set_double_quotes(meaning);
        Ok(())
    }

    fn operator(&mut self, priority: NodeId, fixity: NodeId, names: NodeId) -> Obeyed {
        let level = match self.tree.form(priority) {
            Form::Int(level) => u16::try_from(level).ok().filter(|&level| level <= MAX_PRIORITY),
            _ => None,
        };
        let Some(level) = level else {
            let message = "the priority of an operator is a number from 0 to 1200".to_owned();
            return Err(self.error(priority, message, "for example `:- op(700, xfx, ===)`"));
        };
        let kind = match self.tree.form(fixity) {
            Form::Atom(name) => Fixity::from_name(name),
            _ => None,
        };
        let Some(kind) = kind else {
            let message = "the type of an operator is one of xfx, xfy, yfx, fy, fx, xf, yf".to_owned();
            return Err(self.error(fixity, message, "for example `:- op(700, xfx, ===)`"));
        };
        let items = self.tree.list_items(names).unwrap_or_else(|| vec![names]);
        for item in items {
            match self.tree.form(item) {
                Form::Atom(name) if !matches!(name, "," | "|" | "[]" | "{}") => {
                    self.reader.operators().add(level, kind, name);
                }
                _ => {
                    let shown = self.source.quote(self.tree.span(item), 40);
                    let message = format!("`{shown}` cannot be an operator");
                    return Err(self.error(item, message, "an operator is an atom other than `,` and `|`"));
                }
            }
        }
        Ok(())
    }
}
