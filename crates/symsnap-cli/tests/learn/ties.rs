//! Hypotheses that cost what the best one does: listed up to a cap, said to be complete only if they are, and never a
//! reason for a proved run to go on.

use crate::run::{example, learn, scratch};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A task that takes `pairs` rules, for each of which `alike` properties serve as well.
fn interchangeable(name: &str, pairs: usize, alike: usize) -> PathBuf {
    let folder = scratch(name);
    let (mut bk, mut exs) = (String::new(), String::new());
    let mut bias = "head_pred(f,1). max_vars(1). max_body(2).\n".to_owned();
    for pair in 0..pairs {
        for at in 0..alike {
            writeln!(bias, "body_pred(p{pair}_{at},1).").unwrap();
            (0..10).for_each(|thing| writeln!(bk, "p{pair}_{at}(c{pair}_{thing}).").unwrap());
        }
        (0..10).for_each(|thing| writeln!(exs, "pos(f(c{pair}_{thing})).").unwrap());
    }
    exs += "neg(f(other)).\n";
    for (file, text) in [("bk.pl", bk), ("exs.pl", exs), ("bias.pl", bias)] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}

/// What is said of ties, and how many optima are listed.
fn ties(task: &Path, arguments: &str) -> (String, u64) {
    let ran = learn(task, &format!("--json -q {arguments}"));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let report = ran.json();
    assert_eq!((&report["stop"], &report["optimal"]), (&"proved".into(), &true.into()), "{report}");
    (report["ties"].as_str().unwrap().to_owned(), report["optima"].as_u64().unwrap())
}

#[test]
fn every_product_of_interchangeable_rules_is_listed() {
    for (pairs, alike, optima) in [(2, 2, 4), (2, 5, 25), (3, 4, 64), (2, 20, 400)] {
        let task = interchangeable("products", pairs, alike);
        for cost in ["mdl", "errorsize", "lexfnsize"] {
            let found = ties(&task, &format!("--cost {cost}"));
            assert_eq!(found, ("complete".to_owned(), optima), "{pairs} of {alike} under {cost}");
        }
    }
}

#[test]
fn the_list_ends_where_it_is_asked_to() {
    let task = interchangeable("capped", 2, 60);
    assert_eq!(ties(&task, ""), ("capped".to_owned(), 1_000));
    assert_eq!(ties(&task, "--optima 3600"), ("complete".to_owned(), 3_600));
    assert_eq!(ties(&task, "--optima 3599"), ("capped".to_owned(), 3_599));
    assert_eq!(ties(&task, "--optima 7"), ("capped".to_owned(), 7));
    assert_eq!(ties(&task, "--optima 1"), ("not looked for".to_owned(), 1));
    assert_eq!(ties(&task, "--strict"), ("not looked for".to_owned(), 1));
    assert_eq!(learn(&task, "--optima 0").code, 2);
    assert_eq!(learn(&task, "--strict --optima 5").code, 2);
}

#[test]
fn the_text_says_what_is_known_about_ties() {
    let task = interchangeable("text", 2, 2);
    let last = |arguments: &str| learn(&task, &format!("-q {arguments}")).stdout.lines().last().unwrap().to_owned();
    assert_eq!(last(""), "ties: complete; 4 hypotheses cost as little");
    assert_eq!(last("--optima 2"), "ties: capped; more than 2 hypotheses cost as little (--optima 2)");
    assert_eq!(last("--strict"), "ties: not looked for");
    assert_eq!(ties(&example("last"), "").0, "incomplete", "programs that call themselves are not listed to the end");
}

/// Random graphs with noise: proofs take a while, and many sets of rules are nearly as good.
fn random_graph(name: &str, facts: u32, examples: u32) -> PathBuf {
    let folder = scratch(name);
    let mut state = 12_345u64;
    let mut next = |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(state >> 33).unwrap() % bound
    };
    let nodes = facts / 12;
    let (mut bk, mut exs) = (String::new(), String::new());
    let mut red = vec![false; nodes as usize];
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); nodes as usize];
    for _ in 0..facts {
        let (from, to, kind) = (next(nodes), next(nodes), next(8));
        match kind {
            0 => {
                red[from as usize] = true;
                writeln!(bk, "red(n{from}).").unwrap();
            }
            1 => writeln!(bk, "blue(n{from}).").unwrap(),
            2 => writeln!(bk, "back(n{from},n{to}).").unwrap(),
            _ => {
                edges[from as usize].push(to);
                writeln!(bk, "edge(n{from},n{to}).").unwrap();
            }
        }
    }
    for node in 0..examples {
        let two = edges[node as usize].iter().any(|&to| red[to as usize] && edges[to as usize].len() > 4);
        let label = if two ^ (next(10) == 0) { "pos" } else { "neg" };
        writeln!(exs, "{label}(f(n{node})).").unwrap();
    }
    let bias = "head_pred(f,1). body_pred(edge,2). body_pred(back,2). body_pred(red,1). body_pred(blue,1).\n\
                max_vars(4). max_body(3).\n";
    for (file, text) in [("bk.pl", bk), ("exs.pl", exs), ("bias.pl", bias.to_owned())] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}

#[test]
fn a_run_that_is_proved_ends_soon_after_with_exit_code_0() {
    let task = random_graph("proved", 600, 50);
    let strict = learn(&task, "--strict --json -q --threads 1 --timeout 100");
    let listed = learn(&task, "--json -q --threads 1 --timeout 100");
    for ran in [&strict, &listed] {
        let report = ran.json();
        assert_eq!((ran.code, &report["stop"], &report["optimal"]), (0, &"proved".into(), &true.into()), "{report}");
    }
    let most = strict.wall * 2 + Duration::from_secs(3);
    assert!(listed.wall < most, "{:?} with ties, {:?} without", listed.wall, strict.wall);
}

#[test]
fn until_timeout_goes_on_after_the_proof_and_ends_with_all_ties_or_the_limit() {
    let task = random_graph("until", 600, 50);
    let ran = learn(&task, "--json -q --until-timeout --timeout 8");
    let report = ran.json();
    assert_eq!((ran.code, &report["stop"]), (0, &"proved".into()), "{report}");
    assert!(ran.wall < Duration::from_secs(11), "{:?}", ran.wall);
    let short = learn(&task, "--json -q").json();
    assert!(report["optima"].as_u64() >= short["optima"].as_u64(), "{report}\n{short}");
    assert_eq!(learn(&task, "--strict --until-timeout").code, 2);
}

#[test]
fn a_limit_before_a_proof_leaves_a_share_for_ties() {
    let task = interchangeable("nearby", 2, 30);
    let arguments = "--max-body 14 --max-vars 14 --cost errorsize --json -q";
    let report = learn(&example("molecules"), &format!("{arguments} --timeout 2")).json();
    assert_eq!((&report["stop"], &report["ties"]), (&"time".into(), &"incomplete".into()), "{report}");
    // Ticks that are enough to find some rules and not to prove anything.
    let report = learn(&task, "--ticks 45 --json -q").json();
    assert_eq!(report["stop"], "ticks", "{report}");
    assert!(report["optima"].as_u64().unwrap() > 1, "{report}");
}
