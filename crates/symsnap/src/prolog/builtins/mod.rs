//! The built-in predicates that are written in Rust, and the list of those that are left out on purpose.
//!
//! The others, mostly of the list library, are Prolog text in `library.pl`.

pub(super) mod constraints;
mod lists;
mod numbers;
mod sorting;
mod spelling;
mod terms;
mod text;
mod text_parts;
mod types;

use super::collect;
use super::limits::Fault;
use super::machine::Machine;
use super::procedure::ProcedureDefinition;
use super::raise::{Raise, Raised};
use super::store::{Cell, View};
use crate::logic::BigInt;
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// The built-in `name/arity`.
pub(super) fn find(name: &str, arity: u32) -> Option<ProcedureDefinition> {
    let by_det = [
        super::catching::find,
        types::find,
        terms::find,
        numbers::find,
        sorting::find,
        lists::find,
        text::find,
        text_parts::find,
        constraints::find,
    ];
    let det = by_det.iter().find_map(|find| find(name, arity)).map(ProcedureDefinition::Det);
    det.or_else(|| collect::find(name, arity))
        .or_else(|| numbers::find_steer(name, arity).map(ProcedureDefinition::Steer))
        .or_else(|| lists::find_steer(name, arity).map(ProcedureDefinition::Steer))
        .or_else(|| text_parts::find_steer(name, arity).map(ProcedureDefinition::Steer))
        .or_else(|| terms::find_steer(name, arity).map(ProcedureDefinition::Steer))
}

/// Whether Prolog has `name/arity` and this evaluator leaves it out: it would touch files, streams, processes, the
/// network, the clock, chance, global state or the program itself.
pub(super) fn is_forbidden(name: &str, arity: u32) -> bool {
    LEFT_OUT.iter().any(|(names, arities)| arities.contains(&arity) && names.split(' ').any(|known| known == name))
}

/// Whether SWI-Prolog has `name/arity`, built in or in the libraries that it loads by itself.
pub(super) fn is_swi_prolog(name: &str, arity: u32) -> bool {
    static KNOWN: LazyLock<Indicators> = LazyLock::new(|| indicators(include_str!("swi_prolog.txt")));
    KNOWN.contains(&(name, arity))
}

/// Whether SWI-Prolog lets no program define `name/arity`: its definition would be an error there.
pub(super) fn is_protected(name: &str, arity: u32) -> bool {
    static PROTECTED: LazyLock<Indicators> = LazyLock::new(|| indicators(include_str!("protected.txt")));
    PROTECTED.contains(&(name, arity))
}

type Indicators = FxHashSet<(&'static str, u32)>;

/// The predicates of a list that SWI-Prolog 9.0.4 made, each name with its numbers of arguments: `append/1,2,3`.
fn indicators(list: &'static str) -> Indicators {
    let words = list.split_whitespace().filter_map(|word| word.rsplit_once('/'));
    words
        .flat_map(|(name, arities)| arities.split(',').filter_map(move |arity| Some((name, arity.parse().ok()?))))
        .collect()
}

/// What is left out, with how many arguments.
const LEFT_OUT: &[(&str, RangeInclusive<u32>)] = &[
    ("nl halt flush_output abort prolog break trace notrace spy nospy garbage_collect include read", 0..=1),
    ("write print writeln write_canonical writeq portray_clause tab put_char display listing print_message", 0..=2),
    ("format write_term with_output_to print_message_lines", 1..=3),
    ("assert asserta assertz retract retractall abolish erase recorda recordz recorded dynamic discontiguous", 1..=3),
    ("table op set_prolog_flag redefine_system_predicate compile_predicates abolish_all_tables", 0..=3),
    ("b_setval b_getval nb_setval nb_getval setarg nb_setarg flag gensym reset_gensym", 0..=3),
    ("[|]", 2..=2),
    ("consult ensure_loaded use_module load_files make initialization module import_module", 0..=2),
    ("use_foreign_library load_foreign_library open_shared_object", 1..=3),
    ("open close see seen tell told read_term get_char peek_char get_byte put_byte get_code peek_code", 0..=4),
    ("current_output current_input set_input set_output set_stream read_line_to_string read_line_to_codes", 1..=3),
    ("read_file_to_terms read_file_to_string read_file_to_codes exists_file exists_directory delete_file", 1..=3),
    ("delete_directory rename_file directory_files make_directory working_directory chdir tmp_file", 1..=2),
    ("tmp_file_stream absolute_file_name size_file time_file access_file", 2..=3),
    ("shell exec process_create system getenv setenv unsetenv tcp_connect tcp_socket http_open", 0..=4),
    ("thread_create thread_send_message mutex_create sleep", 1..=4),
    ("get_time statistics date date_time_stamp stamp_date_time call_with_time_limit time", 0..=3),
    ("random random_between random_member random_permutation random_select set_random", 1..=3),
    ("freeze when dif put_attr get_attr del_attr frozen", 1..=3),
];

impl Machine {
    /// The items of a proper list.
    pub(super) fn proper_list(&mut self, cell: Cell) -> Result<Vec<Cell>, Raised> {
        let (items, end) = self.store.items(cell);
        if self.store.fuel < 0 {
            return Err(Fault::Steps.into());
        }
        match self.store.view(end) {
            View::Nil => Ok(items),
            View::Var(_) => Err(Raise::instantiation()),
            _ => Err(self.type_error("list", cell)),
        }
    }

    /// An integer argument of any size that must be there.
    pub(super) fn any_integer(&mut self, cell: Cell) -> Result<BigInt, Raised> {
        match self.store.number(cell).and_then(|number| number.to_big()) {
            Some(value) => Ok(value),
            None => Err(self.type_error("integer", cell)),
        }
    }
}
