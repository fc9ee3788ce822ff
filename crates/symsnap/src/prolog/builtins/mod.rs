//! The built-in predicates that are written in Rust, and the list of those that are left out on purpose.
//!
//! The others, mostly of the list library, are Prolog text in `library.pl`.

mod constraints;
mod lists;
mod numbers;
mod sorting;
mod terms;
mod text;
mod text_parts;
mod types;

use super::collect;
use super::limits::Fault;
use super::machine::Machine;
use super::procedure::Definition;
use super::store::{Cell, View};

/// The built-in `name/arity`.
pub(super) fn find(name: &str, arity: u32) -> Option<Definition> {
    let by_det = [types::find, terms::find, numbers::find, sorting::find, lists::find, text::find, constraints::find];
    let det = by_det.iter().find_map(|find| find(name, arity)).map(Definition::Det);
    det.or_else(|| collect::find(name, arity))
        .or_else(|| numbers::find_steer(name, arity).map(Definition::Steer))
        .or_else(|| lists::find_steer(name, arity).map(Definition::Steer))
        .or_else(|| text_parts::find(name, arity).map(Definition::Steer))
        .or_else(|| terms::find_steer(name, arity).map(Definition::Steer))
}

/// Whether Prolog has `name/arity` and this evaluator leaves it out: it would touch files, streams, processes, the
/// network, the clock, chance, global state or the program itself.
pub(super) fn is_forbidden(name: &str, arity: u32) -> bool {
    match name {
        "write" | "print" | "writeln" | "write_canonical" | "writeq" | "portray_clause" | "tab" | "put_char"
        | "display" | "listing" => arity <= 2,
        "nl" | "halt" | "flush_output" | "abort" | "prolog" | "break" | "trace" | "notrace" | "spy" | "nospy"
        | "garbage_collect" => arity <= 1,
        "format" | "write_term" | "with_output_to" | "format_atom" | "print_message" | "print_message_lines" => true,
        "assert"
        | "asserta"
        | "assertz"
        | "retract"
        | "retractall"
        | "abolish"
        | "erase"
        | "recorda"
        | "recordz"
        | "recorded"
        | "dynamic"
        | "discontiguous"
        | "table"
        | "abolish_all_tables"
        | "op"
        | "set_prolog_flag"
        | "redefine_system_predicate"
        | "compile_predicates" => true,
        "b_setval" | "b_getval" | "nb_setval" | "nb_getval" | "setarg" | "nb_setarg" | "flag" | "gensym"
        | "reset_gensym" | "succ_or_zero" | "tnot" => true,
        "consult"
        | "ensure_loaded"
        | "use_module"
        | "load_files"
        | "include"
        | "make"
        | "initialization"
        | "module"
        | "import_module"
        | "use_foreign_library"
        | "load_foreign_library"
        | "open_shared_object" => true,
        "open"
        | "close"
        | "see"
        | "seen"
        | "tell"
        | "told"
        | "append_to_file"
        | "read"
        | "read_term"
        | "get_char"
        | "peek_char"
        | "get_byte"
        | "put_byte"
        | "get_code"
        | "peek_code"
        | "current_output"
        | "current_input"
        | "set_input"
        | "set_output"
        | "set_stream"
        | "read_line_to_string"
        | "read_line_to_codes"
        | "read_file_to_terms"
        | "read_file_to_string"
        | "read_file_to_codes"
        | "exists_file"
        | "exists_directory"
        | "delete_file"
        | "delete_directory"
        | "rename_file"
        | "directory_files"
        | "make_directory"
        | "working_directory"
        | "chdir"
        | "tmp_file"
        | "tmp_file_stream"
        | "absolute_file_name"
        | "size_file"
        | "time_file"
        | "access_file" => true,
        "shell"
        | "exec"
        | "process_create"
        | "system"
        | "getenv"
        | "setenv"
        | "unsetenv"
        | "tcp_connect"
        | "tcp_socket"
        | "http_open"
        | "thread_create"
        | "thread_send_message"
        | "mutex_create"
        | "sleep" => true,
        "get_time"
        | "statistics"
        | "date"
        | "date_time_stamp"
        | "stamp_date_time"
        | "random"
        | "random_between"
        | "random_member"
        | "random_permutation"
        | "set_random"
        | "random_select"
        | "call_with_time_limit"
        | "time" => true,
        "catch" | "throw" | "setup_call_cleanup" | "call_cleanup" | "catch_with_backtrace" => true,
        "freeze" | "when" | "dif" | "put_attr" | "get_attr" | "del_attr" | "frozen" | "copy_term_nat" => true,
        _ => false,
    }
}

impl Machine {
    pub(super) fn type_fault(&mut self, expected: &'static str, found: Cell) -> Fault {
        match self.store.view(found) {
            View::Var(_) => Fault::instantiation(),
            _ => Fault::wrong_type(expected, self.store.show(found)),
        }
    }

    /// The items of a proper list.
    pub(super) fn proper_list(&mut self, cell: Cell) -> Result<Vec<Cell>, Fault> {
        let (items, end) = self.store.items(cell);
        if self.store.fuel < 0 {
            return Err(Fault::Steps);
        }
        match self.store.view(end) {
            View::Nil => Ok(items),
            View::Var(_) => Err(Fault::instantiation()),
            _ => Err(Fault::wrong_type("a list", self.store.show(cell))),
        }
    }

    /// An integer argument that must be there.
    pub(super) fn integer(&mut self, cell: Cell) -> Result<i64, Fault> {
        match self.store.view(cell) {
            View::Int(value) => Ok(value),
            _ => Err(self.type_fault("an integer", cell)),
        }
    }

    /// An integer argument that may be missing.
    pub(super) fn optional_integer(&mut self, cell: Cell) -> Result<Option<i64>, Fault> {
        match self.store.view(cell) {
            View::Var(_) => Ok(None),
            _ => self.integer(cell).map(Some),
        }
    }
}
