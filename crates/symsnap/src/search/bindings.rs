//! Binding tables: for every example all ways to satisfy a part's literals, in columns of `u32`.
//!
//! Adding a literal is one indexed join with the parent's table. Testing a literal needs no new table: a pass over the
//! parent's rows that stops at an example's first hit. Rows of one example are contiguous, positives come first, so a
//! test can give up before it has seen a negative.

use super::cover::Layout;
use super::literal::{FRESH, Lit, MAX_ARITY};
use super::vocabulary::Vocabulary;

/// The rows of one example.
#[derive(Debug, Clone, Copy)]
struct Group {
    example: u32,
    start: u32,
    end: u32,
}

/// All bindings of a part's variables, by example.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Vec<u32>>,
    groups: Vec<Group>,
    /// How many of the groups are positives.
    positive_groups: usize,
}

/// What a test of a literal against a table found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tested {
    /// Whether every row satisfies the literal: it removes no binding.
    pub removes_nothing: bool,
}

impl Table {
    /// One row per example: the head's arguments.
    pub fn of_examples(layout: &Layout) -> Self {
        let count = layout.examples();
        let columns = (0..layout.arity()).map(|at| (0..count).map(|row| layout.argument(row, at)).collect()).collect();
        let groups = (0..count as u32).map(|at| Group { example: at, start: at, end: at + 1 }).collect();
        Table { columns, groups, positive_groups: layout.positives() }
    }

    /// The table with `lit` added (its fresh variables become new columns), or `None` if it would have more than
    /// `cap` rows.
    pub fn join(&self, lit: &Lit, vocabulary: &Vocabulary<'_>, cap: usize) -> Option<Table> {
        let access = vocabulary.access(lit, true);
        let fresh = lit.fresh();
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); self.columns.len() + fresh];
        let mut groups = Vec::with_capacity(self.groups.len());
        let mut positive_groups = 0;
        let mut key = [0u32; MAX_ARITY];
        let mut found: Vec<u32> = Vec::new();
        let mut rows = 0usize;
        for (at, group) in self.groups.iter().enumerate() {
            let start = rows;
            for row in group.start..group.end {
                let width = self.key(lit, row as usize, &mut key);
                found.clear();
                let matches = access.matches(&key[..width], fresh, &mut found);
                if matches == 0 {
                    continue;
                }
                for (from, to) in self.columns.iter().zip(&mut columns) {
                    to.resize(to.len() + matches, from[row as usize]);
                }
                for (at, column) in columns[self.columns.len()..].iter_mut().enumerate() {
                    column.extend(found.iter().skip(at).step_by(fresh).copied());
                }
                rows += matches;
                if rows > cap {
                    return None;
                }
            }
            if rows > start {
                groups.push(Group { example: group.example, start: start as u32, end: rows as u32 });
                positive_groups += usize::from(at < self.positive_groups);
            }
        }
        Some(Table { columns, groups, positive_groups })
    }

    /// Set the bits of the positives that still have a binding with `lit`.
    pub fn test_positives(&self, lit: &Lit, vocabulary: &Vocabulary<'_>, layout: &Layout, cover: &mut [u64]) -> Tested {
        self.test(lit, vocabulary, layout, &self.groups[..self.positive_groups], cover)
    }

    /// Set the bits of the negatives that still have a binding with `lit`.
    pub fn test_negatives(&self, lit: &Lit, vocabulary: &Vocabulary<'_>, layout: &Layout, cover: &mut [u64]) -> Tested {
        self.test(lit, vocabulary, layout, &self.groups[self.positive_groups..], cover)
    }

    fn test(
        &self,
        lit: &Lit,
        vocabulary: &Vocabulary<'_>,
        layout: &Layout,
        groups: &[Group],
        cover: &mut [u64],
    ) -> Tested {
        let access = vocabulary.access(lit, false);
        let mut removed = lit.fresh() > 0;
        let bound: Vec<&[u32]> =
            lit.args().iter().filter(|&&arg| arg < FRESH).map(|&arg| &self.columns[arg as usize][..]).collect();
        let mut key = [0u32; MAX_ARITY];
        let width = bound.len();
        for group in groups {
            let mut hit = false;
            for row in group.start as usize..group.end as usize {
                for (slot, column) in key.iter_mut().zip(&bound) {
                    *slot = column[row];
                }
                if access.exists(&key[..width]) {
                    hit = true;
                    if removed {
                        break;
                    }
                } else {
                    removed = true;
                    if hit {
                        break;
                    }
                }
            }
            if hit {
                layout.set(cover, group.example as usize);
            }
        }
        Tested { removes_nothing: !removed }
    }

    #[inline]
    fn key(&self, lit: &Lit, row: usize, key: &mut [u32; MAX_ARITY]) -> usize {
        let mut width = 0;
        for &arg in lit.args() {
            if arg < FRESH {
                key[width] = self.columns[arg as usize][row];
                width += 1;
            }
        }
        width
    }
}
