//! A basis of the linear program over cores, and what is solved with it: [`Lu`] factors of the cores that it had when it was
//! factored, and the product of the pivots since (Dantzig and Orchard-Hays 1954).
//!
//! Places are numbered like literals. A slack that is in the basis when it is factored has the place of its literal, and a core
//! that of a literal whose slack is not in it; so the matrix is `[K 0; N I]`, and only the kernel `K` needs factors.

use super::lu::Lu;
use crate::index::narrow;

/// Where something is that is not in the basis.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A vector with few entries that are not 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Scattered {
    pub values: Vec<f64>,
    marked: Vec<bool>,
    /// Which entries may differ from 0.
    pub at: Vec<u32>,
}

impl Scattered {
    /// Nothing but zeros.
    pub fn clear(&mut self, length: usize) {
        for at in self.at.drain(..) {
            self.values[at as usize] = 0.0;
            self.marked[at as usize] = false;
        }
        self.values.resize(length, 0.0);
        self.marked.resize(length, false);
    }

    #[inline]
    pub fn add(&mut self, at: u32, value: f64) {
        self.values[at as usize] += value;
        if !self.marked[at as usize] {
            self.marked[at as usize] = true;
            self.at.push(at);
        }
    }

    /// Entries that may have been written past [`Scattered::add`].
    fn note(&mut self, at: impl Iterator<Item = u32>) {
        for at in at {
            if self.values[at as usize] != 0.0 && !self.marked[at as usize] {
                self.marked[at as usize] = true;
                self.at.push(at);
            }
        }
    }
}

/// A pivot since the basis was factored: the column that came in, and at which place.
#[derive(Debug, Clone)]
struct Eta {
    place: u32,
    pivot: f64,
    others: Box<[(u32, f64)]>,
}

/// The factored basis.
#[derive(Debug, Clone)]
pub(super) struct Basis {
    lu: Lu,
    /// The core at each place when the basis was factored, if it was one.
    kernel: Vec<u32>,
    /// The place of each core then.
    kernel_place: Vec<u32>,
    etas: Vec<Eta>,
    entries: usize,
}

impl Basis {
    /// Nothing but slacks.
    pub fn slacks(literals: usize, cores: usize) -> Self {
        let (kernel, kernel_place) = (vec![NOWHERE; literals], vec![NOWHERE; cores]);
        Basis { lu: Lu::default(), kernel, kernel_place, etas: Vec::new(), entries: 0 }
    }

    /// One more core that is not in the basis.
    pub fn add_core(&mut self) {
        self.kernel_place.push(NOWHERE);
    }

    /// How many pivots there were since it was factored, and how many numbers these take.
    pub fn age(&self) -> (usize, usize) {
        (self.etas.len(), self.entries)
    }

    /// Factor the basis of these cores and the slacks of all literals that `tight` leaves out; there are as many of the ones
    /// as of the others. Returns the place of each of the cores; one that depends on others has none.
    pub fn factor(&mut self, of: &[Box<[u32]>], basic: &[u32], tight: &[u32], work: &mut u64) -> Vec<Option<u32>> {
        self.etas.clear();
        self.entries = 0;
        self.kernel.fill(NOWHERE);
        self.kernel_place = vec![NOWHERE; of.len()];
        let mut name = vec![NOWHERE; self.kernel.len()];
        tight.iter().enumerate().for_each(|(at, &literal)| name[literal as usize] = narrow(at));
        let named = |core: u32| of[core as usize].iter().map(|&literal| name[literal as usize]);
        let columns: Vec<Vec<u32>> =
            basic.iter().map(|&core| named(core).filter(|&row| row != NOWHERE).collect()).collect();
        *work +=
            (self.kernel.len() + of.len()) as u64 / 4 + columns.iter().map(|column| column.len() as u64).sum::<u64>();
        let (lu, places) = Lu::factor(tight, &columns, work);
        self.lu = lu;
        for (&core, place) in basic.iter().zip(&places) {
            if let &Some(place) = place {
                self.kernel[place as usize] = core;
                self.kernel_place[core as usize] = place;
            }
        }
        places
    }

    /// What each place of the basis gives up for one more of a variable that loads these literals.
    pub fn column(&self, of: &[Box<[u32]>], loads: &[u32], column: &mut Scattered) -> u64 {
        column.clear(self.kernel.len());
        loads.iter().for_each(|&literal| column.add(literal, 1.0));
        let mut work = self.lu.solve(&mut column.values);
        column.note(self.lu.rows());
        // Slacks get back what the cores of the kernel give up.
        for at in 0..column.at.len() {
            let place = column.at[at];
            let (core, value) = (self.kernel[place as usize], column.values[place as usize]);
            if core != NOWHERE && value != 0.0 {
                let outside = of[core as usize].iter().filter(|&&literal| self.kernel[literal as usize] == NOWHERE);
                outside.for_each(|&literal| column.add(literal, -value));
                work += of[core as usize].len() as u64;
            }
        }
        for eta in &self.etas {
            let value = column.values[eta.place as usize];
            if value != 0.0 {
                let value = value / eta.pivot;
                column.values[eta.place as usize] = value;
                eta.others.iter().for_each(|&(at, entry)| column.add(at, -entry * value));
                work += eta.others.len() as u64;
            }
        }
        work + self.etas.len() as u64
    }

    /// The row of a place in the inverse of the basis: how much of each literal it takes.
    pub fn row(&self, users: &[Vec<u32>], place: u32, row: &mut Scattered) -> u64 {
        row.clear(self.kernel.len());
        row.add(place, 1.0);
        let mut work = self.entries as u64;
        for eta in self.etas.iter().rev() {
            let sum: f64 = eta.others.iter().map(|&(at, entry)| entry * row.values[at as usize]).sum();
            let value = (row.values[eta.place as usize] - sum) / eta.pivot;
            if value != 0.0 || row.values[eta.place as usize] != 0.0 {
                row.values[eta.place as usize] = 0.0;
                row.add(eta.place, value);
            }
        }
        for at in 0..row.at.len() {
            let literal = row.at[at];
            let value = row.values[literal as usize];
            if self.kernel[literal as usize] == NOWHERE && value != 0.0 {
                for &core in &users[literal as usize] {
                    let place = self.kernel_place[core as usize];
                    if place != NOWHERE {
                        row.add(place, -value);
                    }
                }
                work += users[literal as usize].len() as u64;
            }
        }
        work += self.lu.solve_transposed(&mut row.values);
        row.note(self.lu.rows());
        work
    }

    /// The column that was computed last came in at this place.
    pub fn push(&mut self, place: u32, column: &Scattered) {
        let entry = |&at: &u32| (at, column.values[at as usize]);
        let others: Box<[(u32, f64)]> =
            column.at.iter().map(entry).filter(|&(at, value)| at != place && value.abs() > 1e-14).collect();
        self.entries += others.len();
        self.etas.push(Eta { place, pivot: column.values[place as usize], others });
    }

    /// Just after it was factored: the shares at each place, given what literals can carry.
    pub fn shares(&self, capacities: &[f64], values: &mut [f64], of: &[Box<[u32]>]) -> u64 {
        values.copy_from_slice(capacities);
        let mut work = self.lu.solve(values);
        for &core in self.kernel.iter().filter(|&&core| core != NOWHERE) {
            let share = values[self.kernel_place[core as usize] as usize];
            let outside = of[core as usize].iter().filter(|&&literal| self.kernel[literal as usize] == NOWHERE);
            outside.for_each(|&literal| values[literal as usize] -= share);
            work += of[core as usize].len() as u64;
        }
        work + values.len() as u64
    }

    /// Just after it was factored: how much of each literal makes every core of the basis hold with equality.
    pub fn choice(&self, choice: &mut [f64]) -> u64 {
        choice.iter_mut().zip(&self.kernel).for_each(|(choice, &core)| *choice = f64::from(u8::from(core != NOWHERE)));
        self.lu.solve_transposed(choice) + choice.len() as u64
    }
}
