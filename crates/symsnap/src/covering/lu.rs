//! Sparse LU factors of the kernel of a simplex basis: the few rows and columns that are not slacks.
//!
//! Columns of such kernels are cores of a handful of literals, so most pivots are singletons and cost nothing; the rest, the
//! *bump*, is eliminated in the order of least fill that a look at one column shows (Markowitz 1957, with the threshold of
//! Duff and Reid). Only [`super::packing`] uses it.
//!
//! *Rejected*: a dense inverse (a kernel of 1,600 cores, as drugdrug has, takes 20 MB and 2.5 million operations a pivot,
//! where these factors take some ten thousand).

use crate::index::narrow;

/// Of the entries of a column those are pivots that are at least this part of the largest.
const THRESHOLD: f64 = 0.1;

/// Entries below this are nothing.
const TINY: f64 = 1e-11;

/// One elimination.
#[derive(Debug, Clone, Copy)]
struct Pivot {
    row: u32,
    value: f64,
    /// Where its multipliers begin, and its column of the upper factor; both end where those of the next begin.
    lower: usize,
    upper: usize,
}

/// The factors. Vectors are as long as there are literals; only the kernel's rows are read or written.
#[derive(Debug, Clone, Default)]
pub(super) struct Lu {
    pivots: Vec<Pivot>,
    lower: Vec<(u32, f64)>,
    upper: Vec<(u32, f64)>,
}

/// The part that is not eliminated yet, rows and columns numbered from 0.
struct Active {
    rows: Vec<Vec<(u32, f64)>>,
    columns: Vec<Vec<u32>>,
    /// Entries of each column in rows that are done.
    above: Vec<Vec<(u32, f64)>>,
    /// Rows and columns that may have one entry left.
    single_rows: Vec<u32>,
    single_columns: Vec<u32>,
    row_done: Vec<bool>,
    column_done: Vec<bool>,
    /// Where the row at hand has its entry of each column.
    spot: Vec<usize>,
}

impl Lu {
    /// Factor the matrix whose columns have ones in these of `rows`, which are their names, and match columns with rows; one
    /// that depends on others has none. `work` counts operations.
    pub fn factor(rows: &[u32], columns: &[Vec<u32>], work: &mut u64) -> (Self, Vec<Option<u32>>) {
        let mut active = Active::new(rows.len(), columns);
        let mut lu = Lu::default();
        let mut row_of = vec![None; columns.len()];
        let mut open: Vec<u32> = (0..columns.len()).map(narrow).collect();
        loop {
            let pivot = active.single().or_else(|| active.least_fill(&mut open, work));
            let Some((row, column)) = pivot else { break };
            row_of[column as usize] = Some(rows[row as usize]);
            lu.eliminate(&mut active, rows, (row, column), work);
        }
        let end = Pivot { row: 0, value: 1.0, lower: lu.lower.len(), upper: lu.upper.len() };
        lu.pivots.push(end);
        (lu, row_of)
    }

    fn eliminate(&mut self, active: &mut Active, rows: &[u32], (row, column): (u32, u32), work: &mut u64) {
        let line = std::mem::take(&mut active.rows[row as usize]);
        let value = line.iter().find(|entry| entry.0 == column).map_or(1.0, |entry| entry.1);
        let name = rows[row as usize];
        self.pivots.push(Pivot { row: name, value, lower: self.lower.len(), upper: self.upper.len() });
        self.upper.append(&mut active.above[column as usize]);
        active.row_done[row as usize] = true;
        active.column_done[column as usize] = true;
        for &(other, entry) in line.iter().filter(|entry| entry.0 != column) {
            active.above[other as usize].push((name, entry));
            let column = &mut active.columns[other as usize];
            column.retain(|&at| at != row);
            if column.len() == 1 {
                active.single_columns.push(other);
            }
        }
        let below = std::mem::take(&mut active.columns[column as usize]);
        for &at in below.iter().filter(|&&at| at != row) {
            let target = &mut active.rows[at as usize];
            let Some(place) = target.iter().position(|entry| entry.0 == column) else { continue };
            let factor = target.swap_remove(place).1 / value;
            self.lower.push((rows[at as usize], factor));
            target.iter().enumerate().for_each(|(place, entry)| active.spot[entry.0 as usize] = place);
            for &(other, entry) in line.iter().filter(|entry| entry.0 != column) {
                match target.get_mut(active.spot[other as usize]) {
                    Some(have) => have.1 -= factor * entry,
                    None => {
                        target.push((other, -factor * entry));
                        active.columns[other as usize].push(at);
                    }
                }
            }
            target.iter().for_each(|entry| active.spot[entry.0 as usize] = usize::MAX);
            *work += (target.len() + line.len()) as u64;
            let gone = target.iter().filter(|entry| entry.1.abs() < TINY).map(|entry| entry.0);
            for other in gone.collect::<Vec<_>>() {
                active.columns[other as usize].retain(|&row| row != at);
                active.single_columns.push(other);
            }
            target.retain(|entry| entry.1.abs() >= TINY);
            if target.len() == 1 {
                active.single_rows.push(at);
            }
        }
        *work += (line.len() + below.len()) as u64;
    }

    /// Solve for the columns, given what each row is to be; what belongs to a column is left at the row it was matched with.
    pub fn solve(&self, vector: &mut [f64]) -> u64 {
        let mut work = self.pivots.len() as u64;
        for pair in self.pivots.windows(2) {
            let value = vector[pair[0].row as usize];
            if value != 0.0 {
                let lower = &self.lower[pair[0].lower..pair[1].lower];
                lower.iter().for_each(|&(row, factor)| vector[row as usize] -= factor * value);
                work += lower.len() as u64;
            }
        }
        for pair in self.pivots.windows(2).rev() {
            let value = vector[pair[0].row as usize];
            if value != 0.0 {
                let value = value / pair[0].value;
                vector[pair[0].row as usize] = value;
                let upper = &self.upper[pair[0].upper..pair[1].upper];
                upper.iter().for_each(|&(row, entry)| vector[row as usize] -= entry * value);
                work += upper.len() as u64;
            }
        }
        work
    }

    /// Solve for the rows, given what each column is to be, at the row it was matched with.
    pub fn solve_transposed(&self, vector: &mut [f64]) -> u64 {
        for pair in self.pivots.windows(2) {
            let upper = &self.upper[pair[0].upper..pair[1].upper];
            let sum: f64 = upper.iter().map(|&(row, entry)| entry * vector[row as usize]).sum();
            let at = pair[0].row as usize;
            vector[at] = (vector[at] - sum) / pair[0].value;
        }
        for pair in self.pivots.windows(2).rev() {
            let lower = &self.lower[pair[0].lower..pair[1].lower];
            let sum: f64 = lower.iter().map(|&(row, factor)| factor * vector[row as usize]).sum();
            vector[pair[0].row as usize] -= sum;
        }
        (self.pivots.len() + self.lower.len() + self.upper.len()) as u64
    }

    /// The rows of the kernel.
    pub fn rows(&self) -> impl Iterator<Item = u32> {
        self.pivots[..self.pivots.len().saturating_sub(1)].iter().map(|pivot| pivot.row)
    }
}

impl Active {
    fn new(height: usize, columns: &[Vec<u32>]) -> Self {
        let mut rows = vec![Vec::new(); height];
        for (at, column) in columns.iter().enumerate() {
            column.iter().for_each(|&row| rows[row as usize].push((narrow(at), 1.0)));
        }
        let single_rows = (0..height).filter(|&at| rows[at].len() == 1).map(narrow).collect();
        let single_columns = (0..columns.len()).filter(|&at| columns[at].len() == 1).map(narrow).collect();
        Active {
            rows,
            columns: columns.to_vec(),
            above: vec![Vec::new(); columns.len()],
            single_rows,
            single_columns,
            row_done: vec![false; height],
            column_done: vec![false; columns.len()],
            spot: vec![usize::MAX; columns.len()],
        }
    }

    /// A pivot alone in its column or row.
    fn single(&mut self) -> Option<(u32, u32)> {
        while let Some(column) = self.single_columns.pop() {
            if let ([row], false) = (&self.columns[column as usize][..], self.column_done[column as usize]) {
                return Some((*row, column));
            }
        }
        while let Some(row) = self.single_rows.pop() {
            if let ([(column, _)], false) = (&self.rows[row as usize][..], self.row_done[row as usize]) {
                return Some((row, *column));
            }
        }
        None
    }

    /// A pivot that makes few entries: in the shortest column the shortest row whose entry is not too small.
    fn least_fill(&mut self, open: &mut Vec<u32>, work: &mut u64) -> Option<(u32, u32)> {
        open.retain(|&column| !self.column_done[column as usize] && !self.columns[column as usize].is_empty());
        *work += open.len() as u64;
        let column = open.iter().copied().min_by_key(|&column| (self.columns[column as usize].len(), column))?;
        let entry =
            |row: u32| self.rows[row as usize].iter().find(|entry| entry.0 == column).map_or(0.0, |e| e.1.abs());
        let rows = &self.columns[column as usize];
        let largest = rows.iter().map(|&row| entry(row)).fold(0.0, f64::max);
        let usable = rows.iter().copied().filter(|&row| entry(row) >= THRESHOLD * largest);
        usable.min_by_key(|&row| (self.rows[row as usize].len(), row)).map(|row| (row, column))
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::rng;
    use super::*;

    #[test]
    fn what_is_solved_gives_the_right_hand_side_again() {
        let mut singular = 0;
        for seed in 0..2_000 {
            let mut next = rng(seed);
            let size = 1 + next(20);
            // Rows are named 3, 5, 7, ..., as literals of a kernel are some of all.
            let names: Vec<u32> = (0..size as u32).map(|row| 2 * row + 3).collect();
            let columns: Vec<Vec<u32>> = (0..size)
                .map(|at| (0..size as u32).filter(|&row| row as usize == at || next(5) == 0).collect())
                .collect();
            let (lu, row_of) = Lu::factor(&names, &columns, &mut 0);
            let Some(row_of) = row_of.into_iter().collect::<Option<Vec<u32>>>() else {
                singular += 1;
                continue;
            };
            let wanted: Vec<f64> = (0..2 * size + 3).map(|_| next(7) as f64 - 3.0).collect();
            let mut found = wanted.clone();
            lu.solve(&mut found);
            for (row, &name) in names.iter().enumerate() {
                let with = (0..size).filter(|&at| columns[at].contains(&(row as u32)));
                let sum: f64 = with.map(|at| found[row_of[at] as usize]).sum();
                assert!((sum - wanted[name as usize]).abs() < 1e-6, "seed {seed}: rows");
            }
            let mut found = wanted.clone();
            lu.solve_transposed(&mut found);
            for (at, column) in columns.iter().enumerate() {
                let sum: f64 = column.iter().map(|&row| found[names[row as usize] as usize]).sum();
                assert!((sum - wanted[row_of[at] as usize]).abs() < 1e-6, "seed {seed}: columns");
            }
        }
        assert!(singular < 1_000, "{singular} of 2,000 are singular");
    }
}
