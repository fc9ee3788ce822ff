//! Counting true literals in clauses, as far as needed: output `k` is true whenever at least `k` inputs are.
//!
//! The totalizer of Bailleux and Boufkhad (2003), built from the leaves up and only one way (true inputs force outputs;
//! nothing forces inputs), with outputs made when first asked for, as core-guided search raises its bounds by one
//! (Martins et al., 2014). Rejected: building all outputs at once, which is quadratic in cores of hundreds of literals
//! of which two or three outputs are ever used.

use super::sat::{Lit, Sat};

/// A counter over fixed inputs.
#[derive(Debug, Clone)]
pub(super) struct Totalizer {
    /// The root is the last node.
    nodes: Vec<TotalizerNode>,
}

#[derive(Debug, Clone)]
struct TotalizerNode {
    /// `outputs[k - 1]` is true if at least `k` inputs below are; made so far.
    outputs: Vec<Lit>,
    inputs: usize,
    children: Option<(usize, usize)>,
}

impl Totalizer {
    /// A counter over `inputs`, at least one.
    pub fn new(inputs: &[Lit]) -> Self {
        let mut nodes: Vec<TotalizerNode> =
            inputs.iter().map(|&input| TotalizerNode { outputs: vec![input], inputs: 1, children: None }).collect();
        // Pair neighbours, level by level: balanced, and without recursion.
        let mut level: Vec<usize> = (0..nodes.len()).collect();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => {
                        let inputs = nodes[left].inputs + nodes[right].inputs;
                        nodes.push(TotalizerNode { outputs: Vec::new(), inputs, children: Some((left, right)) });
                        nodes.len() - 1
                    }
                    _ => pair[0],
                })
                .collect();
        }
        // An odd node out may have been carried up past the last pair, but the root is always made last.
        Totalizer { nodes }
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.nodes.last().map_or(0, |root| root.inputs)
    }

    /// The literal that is true if at least `k` inputs are, for `1 <= k <= inputs`.
    pub fn at_least(&mut self, sat: &mut Sat, k: usize) -> Lit {
        let root = self.nodes.len() - 1;
        self.extend(sat, root, k);
        self.nodes[root].outputs[k - 1]
    }

    /// Make the outputs of a node up to `k`. Depth is logarithmic in the inputs.
    fn extend(&mut self, sat: &mut Sat, at: usize, k: usize) {
        let k = k.min(self.nodes[at].inputs);
        let Some((left, right)) = self.nodes[at].children else { return };
        if self.nodes[at].outputs.len() >= k {
            return;
        }
        self.extend(sat, left, k);
        self.extend(sat, right, k);
        for sum in self.nodes[at].outputs.len() + 1..=k {
            let output = sat.new_lit();
            for of_left in sum.saturating_sub(self.nodes[right].inputs)..=sum.min(self.nodes[left].inputs) {
                let mut clause = vec![output];
                if of_left > 0 {
                    clause.push(!self.nodes[left].outputs[of_left - 1]);
                }
                if sum > of_left {
                    clause.push(!self.nodes[right].outputs[sum - of_left - 1]);
                }
                sat.add_clause(&clause);
            }
            self.nodes[at].outputs.push(output);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sat::SatAnswer;
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn output_k_follows_from_any_k_true_inputs_and_from_no_fewer() {
        for inputs in 1..=7usize {
            let mut sat = Sat::new(&Budget::unlimited());
            let lits: Vec<Lit> = (0..inputs).map(|_| sat.new_lit()).collect();
            let mut totalizer = Totalizer::new(&lits);
            assert_eq!(totalizer.inputs(), inputs);
            for k in 1..=inputs {
                let output = totalizer.at_least(&mut sat, k);
                for subset in 0u32..1 << inputs {
                    let mut assumptions: Vec<Lit> =
                        (0..inputs).map(|at| if subset >> at & 1 == 1 { lits[at] } else { !lits[at] }).collect();
                    assumptions.push(!output);
                    let possible = sat.solve(&assumptions, u64::MAX) == SatAnswer::Sat;
                    assert_eq!(possible, (subset.count_ones() as usize) < k);
                }
            }
        }
    }
}
