//! A model without members says "negative" to everything: one is never put in the place of a file that is there already,
//! which is most likely a model from a better run.

use std::path::Path;
use symsnap::Model;

/// Whether the file at `path` stays as it is; the text says so.
pub fn kept(model: &Model, path: &Path) -> Option<String> {
    let keep = model.members.is_empty() && path.is_file();
    keep.then(|| format!("nothing was learned, so {} stays as it was", path.display()))
}
