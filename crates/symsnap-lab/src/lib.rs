//! Experiments with symsnap: tasks from generators, suites of tasks as data, jobs that can be spread over machines, learners
//! that are other programs, and reports.
//!
//! The learner's library knows nothing of this crate, and the command line adds nothing but arguments and printing.

pub mod experiment;
pub mod generate;
pub mod guest;
pub mod report;
