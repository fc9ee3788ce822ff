//! Schema to predicates: which there are, of which types, and in which directions rules may call them.
//!
//! - A column is a predicate of a row and its value. The value is looked up from the row and never the row from the value, or
//!   rules would go from one row to all others of equal age. A link is looked up in both directions.
//! - A table without a key whose rows link two or more others is one predicate of its columns, `bonds(Atom1,Atom2,Type)`. With
//!   more than [`WIDEST`] columns its rows are numbered instead: each argument of a literal takes a variable of the rule.
//! - What the schema lists as relations of a table stands in the place of all these.
//!
//! Types keep apart what is not comparable: rows of a table have the type of their table, and each other column has one of its own
//! unless the schema gives several the same.

use crate::kind::Kind;
use crate::schema::{ColumnSchema, ROW, Schema, TableSchema};
use std::collections::{HashMap, HashSet};

/// The most columns that a table of links may have to be one predicate.
const WIDEST: usize = 4;
/// The learner's default of `max_vars`.
const USUAL_VARS: usize = 6;
/// The type of what `counting` counts.
const COUNT: &str = "count";

/// An argument of a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    /// The number of the row, from 1.
    Row,
    /// The value of a column of the schema.
    Column(usize),
}

/// A predicate of the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relation {
    pub(crate) name: String,
    /// The table, by its place in the schema.
    pub(crate) table: usize,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) types: Vec<String>,
    /// For each direction, the argument that is looked up from.
    pub(crate) inputs: Vec<usize>,
    /// Whether it holds of rows whose second argument is missing, and has only the first.
    pub(crate) of_missing: bool,
}

impl Relation {
    pub(crate) fn arity(&self) -> usize {
        if self.of_missing { 1 } else { self.arguments.len() }
    }
}

/// All predicates and types of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relations {
    pub(crate) all: Vec<Relation>,
    /// Types whose values are compared with numbers.
    pub(crate) numeric: Vec<String>,
    /// Types whose values rules may name.
    pub(crate) named: Vec<String>,
    /// The types of the arguments of the head.
    pub(crate) head: Vec<String>,
    /// Variables in a rule, unless the schema says how many.
    pub(crate) vars: usize,
    /// Tables that no links lead to from the rows that are predicted; they have no predicates.
    pub(crate) unreached: Vec<String>,
}

impl Relations {
    /// The predicates of a schema that has been checked.
    pub(crate) fn of(schema: &Schema) -> Self {
        let mut names = Names::new(schema);
        let types = Types::new(schema, &mut names);
        let mut all: Vec<Relation> = Vec::new();
        for (at, table) in schema.tables.iter().enumerate() {
            if table.name == schema.target.table && schema.target.pair.is_some() {
                continue;
            }
            let listed: Vec<_> = schema.relations.iter().filter(|relation| relation.table == table.name).collect();
            if !listed.is_empty() {
                for relation in listed {
                    let place = |title: &String| table.columns.iter().position(|column| column.name == *title);
                    let arguments = relation.columns.iter();
                    let arguments = arguments.map(|title| {
                        if title == ROW { Some(Argument::Row) } else { place(title).map(Argument::Column) }
                    });
                    let arguments: Vec<Argument> = arguments.flatten().collect();
                    all.push(types.relation(schema, at, relation.predicate.clone(), arguments));
                }
            } else if is_one_relation(schema, table) {
                let used = (0..table.columns.len()).filter(|&column| is_used(schema, table, &table.columns[column]));
                let name = names.free(&table.name, used.clone().count());
                all.push(types.relation(schema, at, name, used.map(Argument::Column).collect()));
            } else {
                names.columns(schema, at, &types, &mut all);
            }
        }
        let head: Vec<String> = match &schema.target.pair {
            Some(pair) => pair.iter().map(|title| types.of_link(schema, title)).collect(),
            None => vec![types.rows[schema.home(&schema.target.table)].clone()],
        };
        let unreached = drop_unreached(schema, &mut all, &head);
        let mut numeric: Vec<String> = Vec::new();
        let mut named: Vec<String> = Vec::new();
        for relation in all.iter().filter(|relation| !relation.of_missing) {
            for (argument, kind) in relation.arguments.iter().zip(&relation.types) {
                let Argument::Column(column) = argument else { continue };
                let list = match schema.tables[relation.table].columns[*column].kind {
                    kind if kind.is_numeric() => &mut numeric,
                    Kind::Boolean | Kind::Category => &mut named,
                    _ => continue,
                };
                if !list.contains(kind) {
                    list.push(kind.clone());
                }
            }
        }
        let widest = all.iter().map(Relation::arity).max().unwrap_or(0);
        Relations { all, numeric, named, head, vars: USUAL_VARS.max(widest + 1), unreached }
    }
}

/// Take away the predicates that no rule can reach from variables of the types in `head`; the tables that have none any more.
fn drop_unreached(schema: &Schema, all: &mut Vec<Relation>, head: &[String]) -> Vec<String> {
    let mut reached: HashSet<String> = head.iter().cloned().collect();
    let reaches = |relation: &Relation, reached: &HashSet<String>| {
        relation.inputs.iter().any(|&input| reached.contains(&relation.types[input]))
    };
    loop {
        let before = reached.len();
        for relation in all.iter() {
            if reaches(relation, &reached) {
                reached.extend(relation.types.iter().cloned());
            }
        }
        if reached.len() == before {
            break;
        }
    }
    let had: HashSet<usize> = all.iter().map(|relation| relation.table).collect();
    all.retain(|relation| reaches(relation, &reached));
    let has: HashSet<usize> = all.iter().map(|relation| relation.table).collect();
    let lost = (0..schema.tables.len()).filter(|table| had.contains(table) && !has.contains(table));
    lost.map(|table| schema.tables[table].name.clone()).collect()
}

/// Whether rules may speak of a column.
fn is_used(schema: &Schema, table: &TableSchema, column: &ColumnSchema) -> bool {
    column.kind.is_used() && !schema.is_spared(&table.name, &column.name)
}

/// Whether the rows of a table are nothing but links between others.
fn is_one_relation(schema: &Schema, table: &TableSchema) -> bool {
    let used = table.columns.iter().filter(|column| is_used(schema, table, column)).count();
    table.key().is_none() && table.links().count() >= 2 && used <= WIDEST && table.name != schema.target.table
}

/// Names of predicates.
struct Names {
    taken: HashSet<(String, usize)>,
    /// How many columns have a title.
    titles: HashMap<String, usize>,
}

impl Names {
    fn new(schema: &Schema) -> Self {
        let mut names = Names { taken: HashSet::new(), titles: HashMap::new() };
        for table in &schema.tables {
            for column in
                table.columns.iter().filter(|column| is_used(schema, table, column) && column.kind != Kind::Key)
            {
                *names.titles.entry(column.name.clone()).or_default() += 1;
                if let Some(predicate) = &column.predicate {
                    names.taken.insert((predicate.clone(), 2));
                }
            }
        }
        for relation in &schema.relations {
            names.taken.insert((relation.predicate.clone(), relation.columns.len()));
        }
        names
    }

    /// The name, with a number behind it if it is taken.
    fn free(&mut self, name: &str, arity: usize) -> String {
        let mut free = name.to_owned();
        let mut number = 2;
        while !self.taken.insert((free.clone(), arity)) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }

    /// What a column is called: its title where no other column has it, the table and the title otherwise. A title without
    /// letters could be one of Prolog's operators.
    fn of_column(&mut self, table: &str, column: &ColumnSchema) -> String {
        if let Some(predicate) = &column.predicate {
            return predicate.clone();
        }
        let title = &column.name;
        let alone = self.titles.get(title).is_none_or(|&columns| columns == 1);
        let plain = title.chars().any(char::is_alphanumeric) && title != "is";
        if alone && plain { self.free(title, 2) } else { self.free(&format!("{table}_{title}"), 2) }
    }

    /// A predicate for each column of a table, and for what is missing where the schema asks for it.
    fn columns(&mut self, schema: &Schema, at: usize, types: &Types, all: &mut Vec<Relation>) {
        let table = &schema.tables[at];
        let key = table.columns.iter().position(|column| column.kind == Kind::Key);
        let row = key.map_or(Argument::Row, Argument::Column);
        for (place, column) in table.columns.iter().enumerate() {
            if column.kind == Kind::Key || !is_used(schema, table, column) {
                continue;
            }
            let name = types.predicates[&(at, place)].clone();
            if column.missing {
                let name = self.free(&format!("missing_{name}"), 1);
                let mut relation = types.relation(schema, at, name, vec![row, Argument::Column(place)]);
                relation.types.truncate(1);
                (relation.inputs, relation.of_missing) = (vec![0], true);
                all.push(relation);
            }
            all.push(types.relation(schema, at, name, vec![row, Argument::Column(place)]));
        }
    }
}

/// Names of types.
struct Types {
    /// Of the rows of tables.
    rows: HashMap<String, String>,
    /// Of the values of columns, by table and column.
    values: HashMap<(usize, usize), String>,
    /// What columns are called as predicates.
    predicates: HashMap<(usize, usize), String>,
}

impl Types {
    fn new(schema: &Schema, names: &mut Names) -> Self {
        let mut taken: HashSet<String> = [COUNT.to_owned()].into();
        let mut free = |name: &str| {
            let mut free = name.to_owned();
            while !taken.insert(free.clone()) {
                free += "_value";
            }
            free
        };
        let rows = schema.tables.iter().map(|table| (table.name.clone(), free(&table.name))).collect();
        let mut kin: HashMap<String, String> = HashMap::new();
        let (mut values, mut predicates) = (HashMap::new(), HashMap::new());
        for (at, table) in schema.tables.iter().enumerate() {
            for (place, column) in table.columns.iter().enumerate() {
                if column.kind == Kind::Key || !is_used(schema, table, column) {
                    continue;
                }
                let name = names.of_column(&table.name, column);
                if column.kind != Kind::Link {
                    let kind = match &column.kin {
                        Some(word) => kin.entry(word.clone()).or_insert_with(|| free(word)).clone(),
                        None => free(&name),
                    };
                    values.insert((at, place), kind);
                }
                predicates.insert((at, place), name);
            }
        }
        Types { rows, values, predicates }
    }

    fn of(&self, schema: &Schema, table: usize, argument: Argument) -> String {
        let described = &schema.tables[table];
        let home = |name: &str| self.rows[schema.home(name)].clone();
        match argument {
            Argument::Row => home(&described.name),
            Argument::Column(place) => {
                let column = &described.columns[place];
                match (&column.to, column.kind) {
                    (_, Kind::Key) => home(&described.name),
                    (Some(to), Kind::Link) => home(to),
                    _ => self.values.get(&(table, place)).cloned().unwrap_or_default(),
                }
            }
        }
    }

    /// The type of a link column of the table of pairs.
    fn of_link(&self, schema: &Schema, title: &str) -> String {
        let table = schema.position(&schema.target.table).unwrap_or(0);
        let place = schema.tables[table].columns.iter().position(|column| column.name == title);
        place.map_or_else(String::new, |place| self.of(schema, table, Argument::Column(place)))
    }

    fn relation(&self, schema: &Schema, table: usize, name: String, arguments: Vec<Argument>) -> Relation {
        let types = arguments.iter().map(|&argument| self.of(schema, table, argument)).collect();
        let names_rows = |argument: &Argument| match argument {
            Argument::Row => true,
            Argument::Column(place) => schema.tables[table].columns[*place].kind.names_rows(),
        };
        let inputs = (0..arguments.len()).filter(|&at| names_rows(&arguments[at])).collect();
        Relation { name, table, arguments, types, inputs, of_missing: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{RelationSchema, Target};

    fn column(name: &str, kind: Kind) -> ColumnSchema {
        ColumnSchema::new(name, kind)
    }

    fn link(name: &str, to: &str) -> ColumnSchema {
        ColumnSchema { to: Some(to.to_owned()), ..column(name, Kind::Link) }
    }

    fn table(name: &str, columns: Vec<ColumnSchema>) -> TableSchema {
        TableSchema { name: name.to_owned(), columns, ..TableSchema::default() }
    }

    fn schema() -> Schema {
        let target = Target { table: "molecules".to_owned(), column: Some("active".to_owned()), ..Target::default() };
        let molecules = vec![column("id", Kind::Key), column("type", Kind::Category), column("active", Kind::Boolean)];
        let atoms = vec![
            column("id", Kind::Key),
            link("mol_id", "molecules"),
            column("type", Kind::Category),
            ColumnSchema { missing: true, ..column("charge", Kind::Float) },
            column("comment", Kind::Text),
        ];
        let bonds = vec![link("atom1", "atoms"), link("atom2", "atoms"), column("order", Kind::Integer)];
        let tables = vec![table("molecules", molecules), table("atoms", atoms), table("bonds", bonds)];
        Schema { target, tables, ..Schema::default() }
    }

    /// Name, types and where rules may look it up from.
    fn shown(schema: &Schema) -> Vec<String> {
        let shown =
            |relation: &Relation| format!("{}({}) {:?}", relation.name, relation.types.join(","), relation.inputs);
        Relations::of(schema).all.iter().map(shown).collect()
    }

    #[test]
    fn columns_are_looked_up_from_rows_and_links_from_both_ends() {
        assert_eq!(
            shown(&schema()),
            [
                "molecules_type(molecules,molecules_type) [0]",
                "mol_id(atoms,molecules) [0, 1]",
                "atoms_type(atoms,atoms_type) [0]",
                "missing_charge(atoms) [0]",
                "charge(atoms,charge) [0]",
                "bonds(atoms,atoms,order) [0, 1]",
            ]
        );
        let relations = Relations::of(&schema());
        assert_eq!(
            (relations.numeric, relations.named),
            (vec!["charge".to_owned(), "order".to_owned()], vec!["molecules_type".to_owned(), "atoms_type".to_owned()])
        );
    }

    #[test]
    fn listed_relations_stand_in_the_place_of_the_columns_of_their_table() {
        let mut schema = schema();
        let columns = ["mol_id", "id", "type", "charge"].map(str::to_owned).to_vec();
        schema.relations.push(RelationSchema { predicate: "atm".to_owned(), table: "atoms".to_owned(), columns });
        let shown = shown(&schema);
        assert!(shown.contains(&"atm(molecules,atoms,atoms_type,charge) [0, 1]".to_owned()), "{shown:?}");
        assert!(!shown.iter().any(|relation| relation.starts_with("mol_id")), "{shown:?}");
    }

    #[test]
    fn wide_tables_of_links_have_numbered_rows() {
        let mut schema = schema();
        schema.tables[2].columns.extend(["angle", "length"].map(|name| column(name, Kind::Float)));
        let shown = shown(&schema);
        assert!(shown.contains(&"atom1(bonds,atoms) [0, 1]".to_owned()), "{shown:?}");
        assert!(shown.contains(&"angle(bonds,angle) [0]".to_owned()), "{shown:?}");
    }

    #[test]
    fn tables_that_no_link_leads_to_are_left_out() {
        let mut schema = schema();
        schema.tables[1].columns[1] = column("mol_id", Kind::Category);
        let relations = Relations::of(&schema);
        assert_eq!(relations.unreached, ["atoms", "bonds"]);
        assert_eq!(relations.all.len(), 1);
    }

    #[test]
    fn more_columns_of_the_same_rows_share_their_type_and_kin_share_theirs() {
        let mut schema = schema();
        let key = ColumnSchema { to: Some("molecules".to_owned()), ..column("molecule", Kind::Key) };
        let kin = |name: &str| ColumnSchema { kin: Some("cm".to_owned()), ..column(name, Kind::Float) };
        schema.tables.push(table("sizes", vec![key, kin("length"), kin("width")]));
        let shown = shown(&schema);
        assert!(shown.contains(&"length(molecules,cm) [0]".to_owned()), "{shown:?}");
        assert!(shown.contains(&"width(molecules,cm) [0]".to_owned()), "{shown:?}");
    }

    #[test]
    fn names_that_prolog_has_for_itself_are_not_taken() {
        let mut schema = schema();
        schema.tables[0].columns.extend(["is", "=<", "molecules", "count"].map(|name| column(name, Kind::Integer)));
        let shown = shown(&schema);
        for relation in [
            "molecules_is(molecules,molecules_is) [0]",
            "molecules_=<(molecules,molecules_=<) [0]",
            "molecules(molecules,molecules_value) [0]",
            "count(molecules,count_value) [0]",
        ] {
            assert!(shown.contains(&relation.to_owned()), "{relation}: {shown:?}");
        }
    }
}
