//! Hypotheses as strangers write them: what is scored has the figures that plain resolution gives the rules as written,
//! what is skipped has its reason, and no text ends anything.

use super::{FORMATS, Scored, Scorer, Transcript};
use crate::budget::Budget;
use crate::cost::{Confusion, Cost};
use crate::coverage::assess;
use crate::ensemble::{Predictor, Single, Training};
use crate::parse::Text;
use crate::random::Random;
use crate::snapshot::SnapshotPool;
use crate::task::Task;

const BACKGROUND: &str = "p(a,1). p(b,5). p(c,6). p(d,9). q(a). q(c). r(b,s(c)). r(d,s(q)). r(a,t). l(a,[x,y]). l(b,[]). \
    l(c,[y]). l(d,[x]). even(X) :- 0 is X mod 2. unused(a).";
const EXAMPLES: &str = "pos(f(a)). pos(f(c)). neg(f(b)). neg(f(d)).";
const BIAS: &str = "head_pred(f,1). body_pred(p,2). body_pred(q,1).";

const LISTS: &str = "pos(g([a,b])). pos(g([a])). neg(g([b])). neg(g([])). neg(g([a,a,a])). neg(g(a)).";

fn task(examples: &str) -> Task {
    let head = if examples == EXAMPLES { BIAS } else { "head_pred(g,1). body_pred(q,1)." };
    Task::from_texts(BACKGROUND, examples, head).unwrap()
}

fn plain(text: &str) -> Vec<super::reader::Read> {
    let mut transcript = Transcript::new(FORMATS.last());
    let mut read = transcript.read(text.as_bytes(), None);
    read.extend(transcript.end(false));
    read
}

/// The figures of one hypothesis and its flat text, or why it was skipped.
fn score(examples: &str, text: &str) -> Result<(Confusion, String), String> {
    let mut scorer = Scorer::new(task(examples), Cost::Mdl);
    let mut scored = scorer.score(&mut plain(text), &Budget::unlimited());
    assert_eq!(scored.len(), 1, "{text}");
    match scored.remove(0) {
        Scored::Candidate(candidate) => Ok((candidate.confusion, candidate.hypothesis.show(&scorer.task().terms))),
        Scored::Skipped(skipped) => Err(skipped.reason),
        Scored::Needless => panic!("no dump: {text}"),
    }
}

fn by_resolution(examples: &str, text: &str) -> Confusion {
    let mut task = task(examples);
    let rules = task.read_rules(&Text::new("rules", text)).unwrap();
    task.examples.confusion(&assess(&task, &rules).whole)
}

#[test]
fn what_can_be_scored_has_the_figures_of_plain_resolution_and_so_has_its_flat_text() {
    let on =
        |examples: &'static str, rules: &[&'static str]| rules.iter().map(|&it| (examples, it)).collect::<Vec<_>>();
    let mut cases = on(
        EXAMPLES,
        &[
            "f(A) :- q(A).",
            "f(A) :- p(A,B), \\+ r(A,_).",
            "f(A) :- p(A,B), \\+ q(A), B > 6.",
            "f(A) :- \\+ (q(A) ; r(A,t)).",
            "f(A) :- q(A) ; p(A,9).",
            "f(A) :- (p(A,5) ; p(A,6)), (q(A) ; l(A,[])).",
            "f(A) :- p(A,B), \\+ B > 5.",
            "f(A) :- p(A,B), \\+ B = 5.",
            "f(A) :- p(A,B), even(B).",
            "f(A) :- p(A,B), \\+ even(B).",
            "f(A) :- p(A,B), integer(B), atom(A), B mod 2 =:= 0.",
            "f(A) :- l(A,L), length(L,N), N >= 1.",
            "f(A) :- l(A,L), \\+ member(x,L).",
            "f(A) :- l(A,[x|_]).",
            "f(A) :- l(A,[_,H|[]]), q(A), H == y.",
            "f(A) :- r(A,s(B)), q(B).",
            "f(A) :- r(A,B), B = s(C), q(C).",
            "f(A) :- p(A,B), C is 2*B-1, C < 10.",
            "f(A) :- p(A,B), B+1 > 2*3.",
            "f(c).\nf(A) :- p(A,1).",
            "f(A) :- p(A,B), helper(B).\nhelper(B) :- B > 5.",
            "f(A) :- l(A,L), has(L,x).\nhas([H|_],H).\nhas([_|T],X) :- has(T,X).",
            "f(A) :- unused(A).",
            "f(A) :- nothing_defines_this(A).",
            "f(A) :- \\+ r(A,B), p(A,B).",
            "f(A) :- q(A), member(A,[a,b]).",
            "f(A) :- p(A,B), B > x.",
        ],
    );
    cases.extend(on(
        LISTS,
        &[
            "g([a|_]).",
            "g([X]).",
            "g([X|T]) :- T = [].",
            "g([X,Y|_]) :- X \\== Y.",
            "g([H|T]) :- q(H), \\+ T = [].",
            "g([H|T]) :- q(H), length(T,N), N < 2.",
            "g([]).\ng([_|T]) :- g(T).",
            "g(L) :- append([a],_,L), \\+ append(_,[a,a],L).",
        ],
    ));
    let mut refused = Vec::new();
    for (examples, text) in cases {
        let expected = by_resolution(examples, text);
        match score(examples, text) {
            Ok((confusion, flat)) => {
                assert_eq!(confusion, expected, "{text}\n{flat}");
                assert_eq!(by_resolution(examples, &flat), expected, "as written: {text}\nas read: {flat}");
                assert_eq!(score(examples, &flat).unwrap().0, expected, "read again: {flat}");
            }
            Err(reason) => refused.push(format!("{text}: {reason}")),
        }
    }
    // Remainders are no literals.
    assert_eq!(refused.len(), 1, "{refused:#?}");
}

#[test]
fn what_cannot_be_a_member_is_skipped_with_the_reason() {
    let reasons = [
        ("f(A) :- q(A), !.", "a cut"),
        ("f(A) :- ( q(A) -> p(A,1) ; p(A,5) ).", "if-then"),
        ("f(A) :- \\+ (p(A,B), q(B)).", "negates a conjunction"),
        ("f(A) :- findall(B, p(A,B), L), length(L,1).", "findall"),
        ("f(A) :- call(q, A).", "call"),
        ("f(A) :- p(A,B), \\+ h(B).\nh(B) :- B > 5.", "helps to define"),
        ("g(A) :- q(A).", "g/1"),
        ("p(A,B) :- f(A), f(B).\nf(A) :- p(A,A).", "the background defines"),
        ("f(A :- q(A).", "expected"),
        ("f(A) :- X, q(A).", ""),
        (":- q(A).\nf(A) :- q(A).", ""),
        ("f(A) :- p(A,B), 0 =:= B mod 2.", "`mod`"),
    ];
    for (text, words) in reasons {
        let reason = score(EXAMPLES, text).expect_err(text);
        assert!(!reason.is_empty() && reason.contains(words), "{text}: {reason}");
    }
    let wide: String = (0..9).map(|_| ", (p(A,1) ; p(A,5))").collect();
    let reason = score(EXAMPLES, &format!("f(A) :- q(A){wide}.")).unwrap_err();
    assert!(reason.contains("more than 64 rules"), "{reason}");
}

#[test]
fn what_there_was_no_time_for_waits() {
    let mut scorer = Scorer::new(task(EXAMPLES), Cost::Mdl);
    let mut read = plain("f(A) :- q(A), !.\n\nf(A) :- q(A).\n\nf(A) :- p(A,B).");
    let spent = Budget::unlimited().with_time(std::time::Duration::ZERO);
    assert_eq!((scorer.score(&mut read, &spent).len(), read.len()), (1, 2), "only what is skipped needs no test");
    assert_eq!((scorer.score(&mut read, &Budget::unlimited()).len(), read.len()), (2, 0));
}

#[test]
fn undefined_predicates_are_named_once() {
    let mut scorer = Scorer::new(task(EXAMPLES), Cost::Mdl);
    let text =
        "f(A) :- gone(A).\n\nf(A) :- q(A), gone(A), lost(A,B), length(B,2).\n\nf(A) :- h(A). h(A) :- \\+ missing(A).";
    assert_eq!(scorer.score(&mut plain(text), &Budget::unlimited()).len(), 3);
    assert_eq!(scorer.undefined(), ["gone/1", "lost/2", "missing/1"]);
    // As everywhere in symsnap such a predicate has no answers, where SWI-Prolog raises an error.
    assert_eq!(score(EXAMPLES, "f(A) :- q(A), \\+ gone(A).").unwrap().0.tp, 2);
}

#[test]
fn rules_of_a_dump_join_if_that_is_better() {
    let mut scorer = Scorer::new(
        Task::from_texts(
            "p(a,b). p(c,d). q(e,f). q(a,a).",
            "pos(f(a,b)). pos(f(c,d)). pos(f(e,f)). pos(f(c,c)). neg(f(a,a)). neg(f(b,b)).",
            "head_pred(f,2). body_pred(p,2). body_pred(q,2).",
        )
        .unwrap(),
        Cost::ErrorSize,
    );
    let dump = "9\t9\t1.0\tf(X,Y) <= q(X,Y)\n9\t9\t0.9\tother(X,Y) <= q(X,Y)\n9\t8\t0.8\tf(X,Y) <= p(X,Y)\n\
                9\t8\t0.7\tf(X,X) <= \n9\t8\t0.6\tf(c,X) <= \n";
    let mut transcript = Transcript::new(None);
    let mut read = transcript.read(dump.as_bytes(), None);
    read.extend(transcript.end(false));
    let scored = scorer.score(&mut read, &Budget::unlimited());
    let shown: Vec<String> = scored
        .iter()
        .map(|scored| match scored {
            Scored::Candidate(it) => format!("{:?} {}", it.value.0, it.hypothesis.rules.len()),
            Scored::Needless => "needless".to_owned(),
            Scored::Skipped(_) => "skipped".to_owned(),
        })
        .collect();
    // Alone, `q` is right once and wrong once: no better than nothing.
    assert_eq!(shown, ["needless", "skipped", "[2, 2] 1", "needless", "[1, 3] 2"]);
}

/// Lines of all formats, whole and broken, and bytes that are nobody's.
fn fuzzed(seed: u64, lines: usize) -> Vec<u8> {
    let pieces: [&[u8]; 28] = [
        b"{\"rules\":[\"f(A) :- q(A).\"]}",
        b"{\"rules\":[\"f(A) :- q(A), gone(A).\",\"f(a).\"],\"elapsed_s\":1e308}",
        b"{\"rules\":",
        b"{\"rules\":[\"f(A) :- \\\\+ (q(A)\"]}",
        b"New best hypothesis:",
        b"f(V0):- p(V0,V1),q(V1).",
        b"********** SOLUTION **********",
        b"12:00:01 f(A):-q(A).",
        b"[best clause]",
        b"f(A) :-",
        b"   p(A,B), q(B).",
        b"[theory]",
        b"[Rule 1] [Pos cover = 3 Neg cover = 0]",
        b"% clauses: 2",
        b"f(A,B):-f_1(A,C),f_1(C,B).",
        b"f_1(A,B):-p(A,B).",
        b"",
        b"9\t8\t0.7\tf(X,X) <= p(X,A)",
        b"?a  p  ?b   => ?a  f  ?b\t0.1\t0.2\t0.3\t4",
        b"f(V1) :- not q(V1), p(V1,V2), V2 != 3.",
        b"f([H|T]) :- f(T), q(H).",
        b"f(A) :- f(A).",
        b"f(A) :- p(A,B), C is B*B*B, f(C).",
        b"\xff\xfe\x00garbage\x80",
        b"f(A) :- ((((((((((q(A)))))))))).",
        b"%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%",
        b"f(A) :- 'unclosed.",
        b"f(s(s(s(X)))) :- f(X).",
    ];
    let mut random = Random::new(seed);
    let mut text = Vec::new();
    for _ in 0..lines {
        // Enough blank lines for plain rules, whose hypotheses they part.
        let blank = random.below(3) == 0;
        let mut line = if blank { Vec::new() } else { pieces[random.below(pieces.len())].to_vec() };
        if random.below(4) == 0 && !line.is_empty() {
            let at = random.below(line.len());
            match random.below(3) {
                0 => line.truncate(at),
                1 => line[at] = b"()[]{}\\+.,:-'\"| \xc3"[random.below(17)],
                _ => line.insert(at, b"()[]'\\"[random.below(6)]),
            }
        }
        line.push(b'\n');
        text.extend(line);
    }
    text
}

#[test]
fn a_fuzzed_stream_of_ten_thousand_lines_is_read_scored_and_voted_with() {
    let budget = Budget::unlimited();
    for (seed, format) in (1..).zip(FORMATS.iter().map(Some).chain([None])) {
        let lines = if format.is_none() { 10_000 } else { 1_500 };
        let text = fuzzed(seed, lines);
        let mut scorer = Scorer::new(task(EXAMPLES), Cost::Mdl);
        let (mut pool, mut transcript) = (SnapshotPool::default(), Transcript::new(format));
        let (mut tested, mut skipped) = (0, 0);
        let mut take = |scored: Vec<Scored>| {
            for scored in scored {
                match scored {
                    Scored::Candidate(candidate) => {
                        tested += 1;
                        pool.offer(&candidate);
                    }
                    Scored::Skipped(_) => skipped += 1,
                    Scored::Needless => {}
                }
            }
        };
        for parcel in text.chunks(4096) {
            take(scorer.score(&mut transcript.read(parcel, None), &budget));
        }
        take(scorer.score(&mut transcript.end(false), &budget));
        let name = format.map_or("recognised", |format| format.name);
        // Rules of graphs have two arguments and these examples one: all of them are skipped.
        let graph = ["anyburl", "amie"].contains(&name);
        assert!((tested > 0) != graph && skipped > 0, "{name}: {tested} tested, {skipped} skipped");
        let task = scorer.into_task();
        let training = Training::new(&task, &pool, Cost::Mdl);
        let model = crate::ensemble::Model::fit(&training, &Single).unwrap();
        assert_eq!(model.members.is_empty(), pool.members().is_empty());
        Predictor::new(&model, &[Text::from(BACKGROUND)][..]).unwrap();
    }
}
