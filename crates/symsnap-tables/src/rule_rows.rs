//! A rule as what it is about: rows of tables, what their cells are, and how rows hang together. Words and SQL are two ways of
//! writing that down.

use crate::relations::{Argument, Relation, Relations};
use crate::schema::Schema;
use symsnap::internals::logic::Number;
use symsnap::{Arg, Literal, Rule, Terms, Var};

/// A row that a rule speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RuleRow {
    /// Its table, by its place in the schema.
    pub(crate) table: usize,
    /// The variable that names it; rows of tables that only link others have none.
    pub(crate) var: Option<Var>,
}

/// What a cell of a row is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RuleCell {
    /// The row, by its number.
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// A variable, a name or a number.
    pub(crate) value: Arg,
}

/// What a rule says about rows and cells.
#[derive(Debug, Clone)]
pub(crate) struct RuleRows {
    /// The variables of the head: the row that is predicted, or the two of a pair.
    pub(crate) head: Vec<Var>,
    pub(crate) rows: Vec<RuleRow>,
    pub(crate) cells: Vec<RuleCell>,
    /// Rows and columns without a value.
    pub(crate) missing: Vec<(usize, usize)>,
    /// Variables, `=<` or `>=`, and the numbers they are compared with.
    pub(crate) comparisons: Vec<(Var, bool, Number)>,
    /// Whatever else the body says, as Prolog writes it.
    pub(crate) others: Vec<String>,
}

impl RuleRows {
    /// What `rule` says about tables with this schema.
    pub(crate) fn of(rule: &Rule, terms: &Terms, schema: &Schema, relations: &Relations) -> Self {
        let head = rule.head.args.iter().filter_map(|arg| if let Arg::Var(var) = arg { Some(*var) } else { None });
        let mut rows = RuleRows {
            head: head.collect(),
            rows: Vec::new(),
            cells: Vec::new(),
            missing: Vec::new(),
            comparisons: Vec::new(),
            others: Vec::new(),
        };
        for literal in &rule.body {
            if !rows.take(literal, terms, schema, relations) {
                rows.others.push(literal.show(terms));
            }
        }
        rows
    }

    /// Take a literal for what it says; whether it says something about rows.
    fn take(&mut self, literal: &Literal, terms: &Terms, schema: &Schema, relations: &Relations) -> bool {
        let name = terms.name(literal.pred.name);
        if let ([Arg::Var(var), Arg::Number(number)], "=<" | ">=") = (&*literal.args, name) {
            self.comparisons.push((*var, name == ">=", *number));
            return true;
        }
        let arity = literal.args.len();
        let Some(relation) = relations.all.iter().find(|it| it.name == name && it.arity() == arity) else {
            return false;
        };
        let names_row = |at: &usize| is_name(relation, *at, schema);
        let place = (0..arity).find(names_row);
        let var = match place.map(|place| &literal.args[place]) {
            Some(Arg::Var(var)) => Some(*var),
            // A row that is called by its name: rules over tables have no such constants.
            Some(_) => return false,
            None => None,
        };
        let row = self.row(relation.table, var);
        if relation.of_missing {
            if let Argument::Column(column) = relation.arguments[1] {
                self.missing.push((row, column));
            }
            return true;
        }
        for (at, argument) in relation.arguments.iter().enumerate().filter(|(at, _)| Some(*at) != place) {
            if let Argument::Column(column) = argument {
                self.cells.push(RuleCell { row, column: *column, value: literal.args[at] });
            }
        }
        true
    }

    /// The number of a row; rows without a name are all different.
    pub(crate) fn row(&mut self, table: usize, var: Option<Var>) -> usize {
        let wanted = RuleRow { table, var };
        let known = self.rows.iter().position(|row| var.is_some() && *row == wanted);
        known.unwrap_or_else(|| {
            self.rows.push(wanted);
            self.rows.len() - 1
        })
    }

    /// The numbers that a variable is at least and at most, the tightest of each.
    pub(crate) fn bounds(&self, var: Var) -> (Option<Number>, Option<Number>) {
        let mut bounds: (Option<Number>, Option<Number>) = (None, None);
        for &(_, at_least, number) in self.comparisons.iter().filter(|it| it.0 == var) {
            let (side, tighter) = match at_least {
                true => (&mut bounds.0, std::cmp::Ordering::Greater),
                false => (&mut bounds.1, std::cmp::Ordering::Less),
            };
            if side.is_none_or(|have| number.to_f64().total_cmp(&have.to_f64()) == tighter) {
                *side = Some(number);
            }
        }
        bounds
    }

    /// How often a variable stands for a cell.
    pub(crate) fn uses(&self, var: Var) -> usize {
        self.cells.iter().filter(|cell| cell.value == Arg::Var(var)).count()
    }
}

/// Whether an argument of a predicate names the row that it is about.
fn is_name(relation: &Relation, at: usize, schema: &Schema) -> bool {
    match relation.arguments[at] {
        Argument::Row => true,
        Argument::Column(place) => schema.tables[relation.table].columns[place].kind == crate::kind::Kind::Key,
    }
}
