//! What a skeleton's variables have as numbers: comparisons with learned numbers as tests, and multiples by learned numbers.

use super::cuts::{Chain, Cut};
use super::skeleton::{SkeletonGrowth, SkeletonStep};
use super::slopes::{ratios, slopes};
use crate::index::narrow;
use crate::language::{FRESH, Lit, Taint};
use crate::logic::{Number, Symbol};
use crate::mine::heads::Heads;
use crate::task::{Bounds, Factors};
use std::ops::ControlFlow;

impl SkeletonGrowth<'_> {
    /// Variables may be multiplied by numbers. By whole numbers they are wherever one is new: any later literal may use the
    /// multiple, or the multiple may be a variable that is known. Slopes, of which there is no end, are found from the two
    /// variables of a line; what was computed has none.
    pub(super) fn try_multiples(&mut self) {
        let (context, seed) = (self.look.cx, self.seed);
        let language = &context.language;
        if language.multiples().is_empty() {
            return;
        }
        let types = language.types(&seed.body, seed.vars as usize);
        let mut tried = Vec::new();
        for (kind, no, factors) in language.multiples() {
            match factors {
                Factors::Whole(factors) => Lit::each(*no, &[Some(*kind); 2], &types, &mut |lit| {
                    // What is multiplied must be known before.
                    if lit.mask() & self.newest != 0 && lit.args()[0] < FRESH {
                        let factors = self.factors_that_hold(&lit, factors);
                        tried.extend(factors.into_iter().map(|factor| (lit, factor)));
                    }
                }),
                Factors::Real(bounds) => {
                    for var in (0..seed.vars).filter(|var| types[*var as usize] == Some(*kind)) {
                        let slopes = self.slopes_of(var, &types, *bounds);
                        tried.extend(slopes.into_iter().map(|factor| (Lit::new(*no, &[var, FRESH]), factor)));
                    }
                }
            }
        }
        for (lit, factor) in tried {
            if self.is_over() {
                return;
            }
            let lit = lit.choosing(context.database.value_for_calls(factor));
            let fits = seed.vars as usize + lit.fresh() <= context.max_vars;
            // The parent may have tried the same slope of an older variable.
            let is_new = lit.mask() & self.newest != 0 || self.steps.iter().all(|step| step.lit != lit);
            if fits && is_new {
                self.try_literal(lit);
            }
        }
    }

    /// Of these whole factors those that a multiple whose result is known, too, can have. A factor that holds for no unit
    /// covers nothing, and those that hold only where zero is multiplied hold for the same units, but for the sign of a zero
    /// that is a float: one of each sign stands for them.
    fn factors_that_hold(&self, lit: &Lit, factors: &[Number]) -> Vec<Number> {
        let (of, result) = (lit.args()[0], lit.args()[1]);
        let known = if result < FRESH { self.numbers(of).zip(self.numbers(result)) } else { None };
        let Some((of, results)) = known else { return factors.to_vec() };
        ratios(&of, &results, factors)
    }

    /// The slopes of lines between `var` and each variable of its type, one of which is new.
    fn slopes_of(&self, var: u8, types: &[Option<Symbol>], bounds: Bounds) -> Vec<Number> {
        let language = &self.look.cx.language;
        if self.seed.body.iter().any(|lit| language.computes(lit) && lit.args().last() == Some(&var)) {
            return Vec::new();
        }
        let alike = |other: &u8| *other != var && types[*other as usize] == types[var as usize];
        let new = |other: &u8| self.newest & (1 << var | 1 << other) != 0;
        let others = (0..self.seed.vars).filter(alike).filter(new);
        let others: Vec<Vec<Number>> = others.filter_map(|other| self.numbers(other)).collect();
        let of = self.numbers(var).filter(|_| !others.is_empty());
        of.map_or_else(Vec::new, |of| slopes(&of, &others, &self.signs(), bounds))
    }

    /// The numbers that a variable has, unit by unit: rows of the table or, before there is one, heads of examples. `None` if
    /// it has other values, or the table does not know it.
    fn numbers(&self, var: u8) -> Option<Vec<Number>> {
        let (context, head) = (self.look.cx, self.look.cx.language.head_arity());
        let number = |value: &u32| context.database.number(*value);
        if self.seed.body.is_empty() {
            let heads = context.heads.get(context.head_mask());
            (0..heads.len()).map(|group| number(&heads.tuple(group)[heads.place(var)])).collect()
        } else if (var as usize) < head {
            self.table.head_column(var)?.iter().map(number).collect()
        } else {
            self.table.column(var as usize - head).iter().map(number).collect()
        }
    }

    /// For each of the same units, whether it is a positive's and whether it is a negative's.
    fn signs(&self) -> Vec<(bool, bool)> {
        if !self.seed.body.is_empty() {
            return self.table.signs();
        }
        self.look.cx.heads.get(self.look.cx.head_mask()).signs()
    }

    /// Comparisons of the local variables in `vars` with numbers are tests. They are not inherited, though the parent's turns
    /// would do: this table may have fewer.
    pub(super) fn cut_columns(&mut self, vars: u64) {
        let (context, seed, table) = (self.look.cx, self.seed, self.table);
        let types = context.language.types(&seed.body, seed.vars as usize);
        let head = context.language.head_arity();
        let compared = |var: &u8| vars >> var & 1 == 1 && context.language.cuts(types[*var as usize]).next().is_some();
        let mut signs = None;
        for var in (narrow(head)..seed.vars).filter(compared) {
            let signs = signs.get_or_insert_with(|| table.signs());
            let chain = Chain::new(table.column(var as usize - head), signs, context.database);
            let (kind, rows) = (types[var as usize], table.rows());
            if self.try_cuts((var, kind), (&chain, rows), Self::try_cut).is_break() {
                return;
            }
        }
    }

    fn try_cut(&mut self, lit: Lit, rows: Vec<u64>) {
        let context = self.look.cx;
        let mut cover = vec![0u64; context.sides.words()];
        let covers = self.table.cover(&rows, context.sides, self.consistent, &mut cover, self.worth());
        if covers && !(self.closed && rows == self.full) {
            self.found.add_cut((lit, context.language.resources(&[lit])), rows.into(), cover);
        }
    }

    /// Comparisons of head variables with numbers are parts by themselves.
    pub(super) fn cut_heads(&mut self) {
        let context = self.look.cx;
        for (var, kind) in (0u8..).zip(context.language.head_types()) {
            if context.language.cuts(kind).next().is_none() {
                continue;
            }
            let heads = context.heads.get(1 << var);
            let values: Vec<u32> = (0..heads.len()).map(|group| heads.tuple(group)[0]).collect();
            let chain = Chain::new(&values, &heads.signs(), context.database);
            let try_cut = |growth: &mut Self, lit, groups: Vec<u64>| growth.try_head_cut(lit, &groups, &heads);
            if self.try_cuts((var, kind), (&chain, heads.len()), try_cut).is_break() {
                return;
            }
        }
    }

    /// A comparison that holds for the head tuples in `groups`.
    fn try_head_cut(&mut self, lit: Lit, groups: &[u64], heads: &Heads) {
        let context = self.look.cx;
        let mut cover = vec![0u64; context.sides.words()];
        let covered = (0..heads.len()).filter(|group| groups[group / 64] >> (group % 64) & 1 == 1);
        let examples = covered.flat_map(|group| heads.examples(group));
        examples.for_each(|&example| context.sides.set(&mut cover, example as usize));
        let inconsistent = || context.sides.split(&cover).1.iter().any(|&word| word != 0);
        if self.worth()(&cover) && !(self.consistent && inconsistent()) {
            self.steps.push(SkeletonStep { lit, cover, new_head: true, rows: Vec::new(), aliases: Vec::new() });
        }
    }

    /// Hand each cut of a variable, which is given with its type and the chain of its units, to `try_cut`, with the units
    /// for which it holds. Break if no more tests may be made.
    fn try_cuts(
        &mut self,
        (var, kind): (u8, Option<Symbol>),
        (chain, units): (&Chain, usize),
        try_cut: impl Fn(&mut Self, Lit, Vec<u64>),
    ) -> ControlFlow<()> {
        let context = self.look.cx;
        for (no, pred) in context.language.cuts(kind) {
            let (cuts, capped) = chain.cuts(var, no, pred, units);
            self.note(chain, kind, capped);
            for Cut { lit, units } in cuts {
                if self.is_over() {
                    return ControlFlow::Break(());
                }
                if self.is_allowed(&lit) {
                    self.tried += 1;
                    try_cut(self, lit, units);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// What forbids a proof.
    fn note(&self, chain: &Chain, kind: Option<Symbol>, capped: bool) {
        if capped {
            self.look.cx.taint(Taint::Cuts);
        }
        // Of a variable that nothing says is a number, names are no surprise.
        if chain.has_others && (kind.is_some() || chain.has_numbers()) {
            self.look.cx.taint(Taint::NoNumber);
        }
    }
}
