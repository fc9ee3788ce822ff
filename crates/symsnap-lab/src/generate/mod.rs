//! Tasks of our own, like those of the paper, from a seed: with as many examples as wanted, noise in their labels if
//! wanted, the rules that are true, and test examples.
//!
//! Each kind states its concept twice, as code that makes the labels and as rules; tests hold the two together. The
//! background covers the test examples too. *Rejected*: labels made by running the rules, which would agree with them
//! whatever they say.

mod games;
mod graph;
mod grids;
mod lists;
mod scenes;
mod trains;

use std::path::Path;
use symsnap::internals::file::{Output, Partials};
use symsnap::internals::random::Random;
use symsnap::{Diagnostic, Error, Result, Task};

/// What a kind makes, before noise.
struct Draft {
    background: String,
    bias: String,
    rules: String,
    /// Label and atom.
    train: Vec<(bool, String)>,
    test: Vec<(bool, String)>,
}

/// How many individuals (lists, trains, scenes, states, grids, people) to draw.
#[derive(Clone, Copy)]
struct Sizes {
    train: usize,
    test: usize,
}

impl Sizes {
    fn all(self) -> usize {
        self.train + self.test
    }
}

/// A kind of task.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What is to be learned, in a few words.
    pub about: &'static str,
    make: fn(&mut Random, Sizes) -> Draft,
}

/// All kinds.
pub const KINDS: [Kind; 17] = [
    Kind { name: "dropk", about: "a list without its first k elements (recursive)", make: lists::dropk },
    Kind { name: "last", about: "the last element of a list (recursive)", make: lists::last },
    Kind { name: "member", about: "an element of a list (recursive)", make: lists::member },
    Kind { name: "trains", about: "trains that go east, by their cars", make: trains::make },
    Kind { name: "scenes", about: "scenes of pieces that follow a secret rule, as in Zendo", make: scenes::make },
    Kind { name: "lamps-next", about: "which lamps burn after a button was pressed", make: games::lamps_next },
    Kind { name: "lamps-legal", about: "which buttons may be pressed", make: games::lamps_legal },
    Kind { name: "sled-next", about: "where a sled on a track is after a move", make: games::sled_next },
    Kind { name: "sled-legal", about: "which moves a sled on a track may make", make: games::sled_legal },
    Kind { name: "grid-move", about: "a row of pixels moved one place to the right", make: grids::shift_one },
    Kind { name: "grid-move2", about: "a row of pixels moved two places to the right", make: grids::shift_two },
    Kind { name: "grid-fill", about: "the space between two pixels filled", make: grids::fill },
    Kind { name: "grid-hollow", about: "a block of pixels hollowed out", make: grids::hollow },
    Kind { name: "grid-mirror", about: "a row of pixels mirrored", make: grids::mirror },
    Kind { name: "grid-denoise", about: "stray pixels removed", make: grids::denoise },
    Kind { name: "grid-recolour", about: "a block coloured by whether its length is odd", make: grids::recolour },
    Kind { name: "graph", about: "a relation of a knowledge graph that others imply", make: graph::make },
];

/// The most examples of a part that can be asked for: larger tasks take long to write and to learn from.
pub const MAX_SIZE: usize = 100_000;

/// A task with what is true of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// `bk.pl`.
    pub background: String,
    /// `exs.pl`.
    pub examples: String,
    /// `bias.pl`.
    pub bias: String,
    /// `rules.pl`: the true rules.
    pub rules: String,
    /// `test_exs.pl`: examples without noise that are not in training.
    pub test_examples: String,
}

impl Kind {
    /// The kind with that name.
    pub fn named(name: &str) -> Option<Kind> {
        KINDS.into_iter().find(|kind| kind.name == name)
    }

    /// A task with `size` individuals for training and half as many for testing; the labels of a fraction `noise` of the
    /// training examples are wrong. The same arguments give the same task.
    ///
    /// # Errors
    /// If `size` is 0 or above [`MAX_SIZE`], or `noise` not between 0 and 1.
    pub fn generate(self, seed: u64, size: usize, noise: f64) -> Result<Generated> {
        if !(1..=MAX_SIZE).contains(&size) {
            return Err(Diagnostic::error(format!("a size of {size} is not between 1 and {MAX_SIZE}")).into());
        }
        if !(0.0..=1.0).contains(&noise) {
            return Err(Diagnostic::error(format!("noise of {noise} is not between 0 and 1")).into());
        }
        let mut random = Random::new(seed);
        let mut draft = (self.make)(&mut random, Sizes { train: size, test: size.div_ceil(2) });
        let mut order: Vec<usize> = (0..draft.train.len()).collect();
        random.shuffle(&mut order);
        let wrong = (noise * draft.train.len() as f64).round() as usize;
        for &at in &order[..wrong] {
            draft.train[at].0 = !draft.train[at].0;
        }
        let lines = |examples: &[(bool, String)]| -> String {
            let labels = [(true, "pos"), (false, "neg")];
            let of = |(label, word): (bool, &'static str)| {
                examples.iter().filter(move |(it, _)| *it == label).map(move |(_, atom)| format!("{word}({atom}).\n"))
            };
            labels.into_iter().flat_map(of).collect()
        };
        Ok(Generated {
            examples: lines(&draft.train),
            test_examples: lines(&draft.test),
            background: draft.background,
            bias: draft.bias,
            rules: draft.rules,
        })
    }
}

impl Generated {
    /// The task.
    ///
    /// # Errors
    /// Never for what [`Kind::generate`] made, but for a bug.
    pub fn task(&self) -> Result<Task> {
        Task::from_texts(&self.background, &self.examples, &self.bias)
    }

    /// Write the files of a task folder, and `rules.pl` and `test_exs.pl`, to a folder that is made if missing. Files
    /// that are being written are listed in `partials`.
    ///
    /// # Errors
    /// If the folder holds other files already or cannot be written; what was written until then is removed.
    pub fn write(&self, folder: &Path, partials: &Partials) -> Result<()> {
        let failed = |action| move |source| Error::Io { action, path: folder.to_owned(), source };
        if folder.exists() && !folder.is_dir() {
            return Err(Diagnostic::error(format!("{} is a file, not a folder", folder.display())).into());
        }
        std::fs::create_dir_all(folder).map_err(failed("make"))?;
        if std::fs::read_dir(folder).map_err(failed("read"))?.next().is_some() {
            let message = format!("the folder {} is not empty", folder.display());
            return Err(Diagnostic::error(message).with_help("name one that is, or that is not there yet").into());
        }
        let files = [
            ("bk.pl", &self.background),
            ("exs.pl", &self.examples),
            ("bias.pl", &self.bias),
            ("rules.pl", &self.rules),
            ("test_exs.pl", &self.test_examples),
        ];
        let write = |(name, text): (&str, &String)| {
            Output::open(&folder.join(name), partials).and_then(|output| output.write(text.as_bytes()))
        };
        files.into_iter().try_for_each(write).inspect_err(|_| {
            // The first failure is the one to report; a file that was not written is not there.
            files.iter().for_each(|(name, _)| _ = std::fs::remove_file(folder.join(name)));
        })
    }
}

/// Whether a coin with that chance (in a hundred) shows heads.
fn chance(random: &mut Random, percent: usize) -> bool {
    random.below(100) < percent
}

/// Draw individuals until about half of them are positive, as far as that is possible, and split them.
///
/// `draw` makes one with its label; one that is not wanted is thrown away.
fn balanced<T>(
    random: &mut Random,
    sizes: Sizes,
    mut draw: impl FnMut(&mut Random) -> (bool, T),
) -> [Vec<(bool, T)>; 2] {
    /// Draws without the wanted label after which any label is taken: some concepts have no example of one of them.
    const PATIENCE: usize = 1000;
    let mut parts = [sizes.train, sizes.test].map(|size| {
        let mut part = Vec::with_capacity(size);
        while part.len() < size {
            let wanted = part.len() % 2 == 0;
            let mut drawn = draw(random);
            for _ in 0..PATIENCE {
                if drawn.0 == wanted {
                    break;
                }
                drawn = draw(random);
            }
            part.push(drawn);
        }
        part
    });
    parts.iter_mut().for_each(|part| random.shuffle(part));
    parts
}
