//! The extension module `symsnap._core`: what Python needs of the library, converted and nothing more.
//!
//! Everything that a user sees is written in Python ([`symsnap/`](../symsnap)), typed and documented there. Here are the classes
//! that hold values of the library, the conversion of their fields, and the two things that Python cannot do for itself: work
//! without the interpreter's lock while signals are looked at ([`attend`]), and read frames through Arrow's stream interface.

mod attend;
mod error;
mod explain;
mod learned;
mod model;
mod predictor;
mod run;
mod schema;
mod table;
mod table_model;
mod table_run;
mod task;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::learned::Learned;
    #[pymodule_export]
    use crate::learned::Snapshot;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::model::{costs, exports, methods};
    #[pymodule_export]
    use crate::predictor::Predictor;
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::schema::{Schema, kinds};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::table_model::TableModel;
    #[pymodule_export]
    use crate::table_run::TableRun;
    #[pymodule_export]
    use crate::task::Task;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
