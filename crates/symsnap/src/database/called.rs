//! What a call answered.

/// Whether answers tell the whole truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// These are all the answers, and they are ground.
    Exact,
    /// Some answer leaves an argument unbound; only resolution of the whole rule is exact.
    Open,
    /// The call raised an error or reached a limit.
    Fault(String),
}

/// The answers to one call: values of the arguments that were not bound, row by row, in the order found.
#[derive(Debug, Clone)]
pub struct Answers {
    values: Box<[u32]>,
    rows: usize,
    width: usize,
    outcome: Outcome,
}

impl Answers {
    pub(super) fn fault(message: impl Into<String>) -> Self {
        Answers { values: Box::default(), rows: 0, width: 0, outcome: Outcome::Fault(message.into()) }
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// How many arguments were not bound.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All answers, [`Answers::width`] values each.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Whether they tell the whole truth.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }
}
