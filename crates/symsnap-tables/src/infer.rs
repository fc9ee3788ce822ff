//! Tables to schema: which columns name rows, which are links, what kind the others are, what is to be predicted.

use crate::decimal::{Commas, readable_commas};
use crate::findings::{Findings, meant, quoted};
use crate::kind::{Kind, kind_of, remark};
use crate::labels::{choose, leaks};
use crate::links::{Link, find_key, find_links};
use crate::pairs;
use crate::schema::{ColumnSchema, Schema, TableSchema, Target};
use crate::table::Table;
use symsnap::{Diagnostic, Result};

/// Columns of a table about which something is said: some tables have thousands, and a place in a file takes time to find.
const MOST_REMARKS: usize = 20;

/// What is to be predicted, as it is asked for.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The column of the first table with the labels; nothing if the last table has pairs of rows that belong together.
    pub column: Option<String>,
    /// The label that counts as positive.
    pub positive: Option<String>,
    /// The column of the first table, or of that with the pairs, with the weights of examples.
    pub weight: Option<String>,
}

/// What the tables mean, and what is odd about them.
///
/// # Errors
/// If there is no such target, or nothing to tell apart.
pub fn infer(tables: &[Table], wish: &Wish) -> Result<(Schema, Vec<Diagnostic>)> {
    check_names(tables)?;
    if let Some(table) = tables.iter().find(|table| table.rows() == 0) {
        return Err(Diagnostic::error(format!("{} has titles but no rows", table.file())).into());
    }
    let pairs = wish.column.is_none();
    let main = if pairs { tables.len() - 1 } else { 0 };
    let table = &tables[main];
    let title = |at: usize| table.columns()[at].name.clone();
    let mut label = wish.column.as_deref().map(|name| find_column(table, name, "target")).transpose()?;
    let weight = wish.weight.as_deref().map(|name| find_column(table, name, "weights")).transpose()?;
    if label.is_some() && label == weight {
        let name = weight.map(title).unwrap_or_default();
        return Err(Diagnostic::error(format!("column {} cannot be both target and weight", quoted(&name))).into());
    }
    let mut findings = Findings::default();
    let taken: Vec<String> = label.into_iter().chain(weight).map(title).collect();
    let mut keys = Vec::with_capacity(tables.len());
    for (at, table) in tables.iter().enumerate() {
        let taken: Vec<&str> = taken.iter().filter(|_| at == main).map(String::as_str).collect();
        let (key, odd) = if pairs && at == main { (None, None) } else { find_key(table, &taken) };
        keys.push(key);
        findings.extend(odd);
    }
    let mut target = Target { table: table.name().to_owned(), weight: weight.map(title), ..Target::default() };
    let taken = |at: usize, name: &str| at == main && (pairs || taken.iter().any(|taken| taken == name));
    let (mut links, failed) = find_links(tables, &keys, taken);
    findings.extend(failed);
    if pairs {
        let pair = pairs::find(tables, main, &keys, weight)?;
        target.pair = Some([title(pair.links[0].column), title(pair.links[1].column)]);
        links.extend(pair.links);
        label = pair.label;
        if let (None, Some(positive)) = (label, &wish.positive) {
            let finding = Diagnostic::error(format!("{} has no labels, so {} is none", table.file(), quoted(positive)));
            return Err(finding.with_help("leave out --positive").into());
        }
    }
    if let Some(at) = label {
        target.column = Some(title(at));
        target = choose(table, at, wish.positive.as_deref(), target)?;
    }
    let names: Vec<&str> = tables.iter().map(Table::name).collect();
    let read = |(at, table): (usize, &Table)| {
        let spared: Vec<usize> = if at == main { label.into_iter().chain(weight).collect() } else { Vec::new() };
        table_schema((at, table), keys[at], &links, &names, &spared, &mut findings)
    };
    let described: Vec<TableSchema> = tables.iter().enumerate().map(read).collect();
    if let (Some(label), false) = (label, pairs) {
        let feature = |column: &ColumnSchema| column.kind.is_used() && !column.kind.names_rows();
        let columns = described[main].columns.iter().enumerate();
        let others: Vec<usize> =
            columns.filter(|(at, column)| feature(column) && Some(*at) != weight).map(|(at, _)| at).collect();
        findings.extend(leaks(table, label, &others));
    }
    let schema = Schema { target, tables: described, ..Schema::default() };
    Ok((schema, findings.finish()?))
}

/// What somebody says about tables that are to be described.
#[derive(Debug, Clone, Default)]
pub struct Declared {
    /// The columns that name the rows of tables: table and column.
    pub keys: Vec<(String, String)>,
    /// The columns that name rows of other tables: table, column, and the other table.
    pub links: Vec<(String, String, String)>,
}

/// What tables mean by themselves, without anything to predict, and what is odd about them.
///
/// # Errors
/// If something is declared of a table or column that is not there.
pub fn describe(tables: &[Table], declared: &Declared) -> Result<(Vec<TableSchema>, Vec<Diagnostic>)> {
    check_names(tables)?;
    let names: Vec<&str> = tables.iter().map(Table::name).collect();
    let find = |name: &str| -> Result<usize> {
        let wrong = || Diagnostic::error(format!("there is no table {}", quoted(name)));
        let known = || meant(name, names.iter().copied(), "there are");
        names.iter().position(|have| *have == name).ok_or_else(|| wrong().with_help(known()).into())
    };
    let mut findings = Findings::default();
    let mut keys: Vec<Option<usize>> = vec![None; tables.len()];
    for (table, column) in &declared.keys {
        let at = find(table)?;
        keys[at] = Some(find_column(&tables[at], column, "key")?);
    }
    let given = declared.links.iter().map(|(table, column, to)| {
        let (table, to) = (find(table)?, find(to)?);
        Ok(Link { table, column: find_column(&tables[table], column, "link")?, to })
    });
    let mut links: Vec<Link> = given.collect::<Result<_>>()?;
    for (at, table) in
        tables.iter().enumerate().filter(|(at, _)| declared.keys.iter().all(|(key, _)| key != names[*at]))
    {
        let linked: Vec<&str> = links
            .iter()
            .filter(|link| link.table == at)
            .map(|link| table.columns()[link.column].name.as_str())
            .collect();
        let (key, odd) = find_key(table, &linked);
        keys[at] = key;
        findings.extend(odd);
    }
    if let Some(link) = links.iter().find(|link| keys[link.to].is_none()) {
        let (column, to) = (&tables[link.table].columns()[link.column].name, names[link.to]);
        let message = format!("{} cannot be a link to {}, which has no key", quoted(column), quoted(to));
        return Err(Diagnostic::error(message).with_help("say which column names its rows").into());
    }
    let taken = |at: usize, name: &str| {
        links.iter().any(|link| link.table == at && tables[at].columns()[link.column].name == name)
    };
    let (found, failed) = find_links(tables, &keys, taken);
    findings.extend(failed);
    links.extend(found);
    let read = |(at, table): (usize, &Table)| table_schema((at, table), keys[at], &links, &names, &[], &mut findings);
    let described = tables.iter().enumerate().map(read).collect();
    Ok((described, findings.finish()?))
}

/// What the columns of one table mean if none of them names its rows, whatever their titles say; and what is odd about them.
///
/// # Errors
/// None but those that all findings may be: too many.
pub fn describe_features(table: &Table) -> Result<(TableSchema, Vec<Diagnostic>)> {
    let mut findings = Findings::default();
    let described = table_schema((0, table), None, &[], &[table.name()], &[], &mut findings);
    Ok((described, findings.finish()?))
}

/// Two tables of one name would be one table.
pub(crate) fn check_names(tables: &[Table]) -> Result<()> {
    for (at, table) in tables.iter().enumerate() {
        let Some(before) = tables[..at].iter().find(|before| before.name() == table.name()) else { continue };
        if before.file() == table.file() {
            return Err(Diagnostic::error(format!("the table {} is given twice", table.file())).into());
        }
        let message = format!("two tables are called {}: {} and {}", quoted(table.name()), before.file(), table.file());
        let help = "the name of a table is that of its file, or what --table NAME=FILE says";
        return Err(Diagnostic::error(message).with_help(help).into());
    }
    Ok(())
}

/// The place of a column that has to be there.
pub(crate) fn find_column(table: &Table, name: &str, what: &str) -> Result<usize> {
    if let Some((at, _)) = table.column(name) {
        return Ok(at);
    }
    let finding = Diagnostic::error(format!("{} has no column {} (the {what})", table.file(), quoted(name)));
    let titles = table.columns().iter().map(|column| column.name.as_str());
    Err(finding.with_help(meant(name, titles, "it has")).into())
}

/// What a table means. Nothing is said about the kind of `spared` columns, which are no features.
fn table_schema(
    (number, table): (usize, &Table),
    key: Option<usize>,
    links: &[Link],
    names: &[&str],
    spared: &[usize],
    findings: &mut Findings,
) -> TableSchema {
    let mut columns = Vec::with_capacity(table.columns().len());
    let mut odd = 0;
    for (at, column) in table.columns().iter().enumerate() {
        let link = links.iter().find(|link| link.table == number && link.column == at);
        let to = link.map(|link| names[link.to].to_owned());
        let described = match to {
            to if key == Some(at) => ColumnSchema { to, ..ColumnSchema::new(&column.name, Kind::Key) },
            Some(to) => ColumnSchema { to: Some(to), ..ColumnSchema::new(&column.name, Kind::Link) },
            None if !spared.contains(&at) && readable_commas(table, at) == Some(Commas::Decimal) => {
                ColumnSchema { decimal: Some(','), ..ColumnSchema::new(&column.name, Kind::Float) }
            }
            None => {
                let kind = kind_of(column);
                if !spared.contains(&at) && odd < MOST_REMARKS {
                    let remark = remark(table, at, kind);
                    odd += usize::from(remark.is_some());
                    findings.extend(remark);
                } else if odd == MOST_REMARKS {
                    odd += 1;
                    let message = format!("{} may have more such columns; the schema shows all", table.file());
                    findings.add(Diagnostic::warning(message));
                }
                // A label whose texts hardly repeat is a label all the same.
                let label = spared.contains(&at) && kind == Kind::Text;
                ColumnSchema::new(&column.name, if label { Kind::Category } else { kind })
            }
        };
        columns.push(described);
    }
    let delimiter = char::from(table.delimiter());
    TableSchema {
        name: table.name().to_owned(),
        file: (!table.is_in_memory()).then(|| table.file().to_owned()),
        delimiter: (delimiter != ',').then_some(delimiter),
        columns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    fn wish(column: &str) -> Wish {
        Wish { column: Some(column.to_owned()), ..Wish::default() }
    }

    #[test]
    fn linked_tables_are_understood() {
        let tables = [
            table("molecules", "id,logp,active\nm1,1.5,yes\nm2,2.5,no\nm3,2.0,no\n"),
            table("atoms", "id,mol_id,element\n1,m1,c\n2,m1,n\n3,m2,c\n"),
            table("bonds", "atom1,atom2,type\n1,2,1\n2,1,2\n"),
        ];
        let (schema, warnings) = infer(&tables, &wish("active")).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        let kinds = |name: &str| -> Vec<Kind> {
            schema.table(name).unwrap().columns.iter().map(|column| column.kind).collect()
        };
        assert_eq!(kinds("molecules"), [Kind::Key, Kind::Float, Kind::Boolean]);
        assert_eq!(kinds("atoms"), [Kind::Key, Kind::Link, Kind::Category]);
        assert_eq!(kinds("bonds"), [Kind::Link, Kind::Link, Kind::Integer]);
        assert_eq!(schema.target.positive.as_deref(), Some("yes"));
    }

    #[test]
    fn tables_are_described_with_what_is_declared_and_what_is_found() {
        let tables = [
            table("molecules", "code,logp\nm1,1.5\nm2,2.5\nm3,2.0\n"),
            table("atoms", "id,mol_id,part\n1,m1,m2\n2,m1,m1\n3,m2,m1\n"),
        ];
        let declared = Declared {
            keys: vec![("molecules".to_owned(), "code".to_owned())],
            links: vec![("atoms".to_owned(), "part".to_owned(), "molecules".to_owned())],
        };
        let (described, warnings) = describe(&tables, &declared).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        let links: Vec<Option<&str>> = described[1].columns.iter().map(|column| column.to.as_deref()).collect();
        assert_eq!(links, [None, Some("molecules"), Some("molecules")]);
        let message = |declared: &Declared| describe(&tables, declared).unwrap_err().to_string();
        let strange = Declared { keys: vec![("molecule".to_owned(), "code".to_owned())], ..Declared::default() };
        assert_eq!(message(&strange), "error: there is no table `molecule`\n  help: did you mean `molecules`?");
        let strange = Declared { keys: vec![("molecules".to_owned(), "cod".to_owned())], ..Declared::default() };
        assert_eq!(
            message(&strange),
            "error: molecules.csv has no column `cod` (the key)\n  help: did you mean `code`?"
        );
        let keyless = [table("a", "x,y\n1,2\n1,3\n"), table("b", "a_id\n1\n1\n")];
        let link = Declared { links: vec![("b".to_owned(), "a_id".to_owned(), "a".to_owned())], ..Declared::default() };
        assert_eq!(
            describe(&keyless, &link).unwrap_err().to_string(),
            "error: `a_id` cannot be a link to `a`, which has no key\n  help: say which column names its rows"
        );
    }

    #[test]
    fn wrong_wishes_are_refused() {
        let tables = [table("t", "a,label\n1,x\n2,y\n")];
        let message = |wish: &Wish| infer(&tables, wish).unwrap_err().to_string();
        assert_eq!(
            message(&wish("lable")),
            "error: t.csv has no column `lable` (the target)\n  help: did you mean `label`?"
        );
        let both = Wish { weight: Some("label".to_owned()), ..wish("label") };
        assert_eq!(message(&both), "error: column `label` cannot be both target and weight");
        let twice = [table("t", "a,b\n1,2\n"), table("t", "a,b\n1,2\n")];
        assert!(
            infer(&twice, &wish("a")).unwrap_err().to_string().starts_with("error: the table t.csv is given twice")
        );
        let empty = infer(&[table("t", "a,b\n")], &wish("a")).unwrap_err().to_string();
        assert_eq!(empty, "error: t.csv has titles but no rows");
    }
}
