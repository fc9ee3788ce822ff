//! How much memory the process holds.

/// Resident bytes as the system counts them, or `estimate` where it does not say.
pub fn resident(estimate: impl FnOnce() -> u64) -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages =
        pages.as_deref().and_then(|text| text.split_whitespace().nth(1)).and_then(|field| field.parse::<u64>().ok());
    pages.map_or_else(estimate, |pages| pages * 4096)
}
