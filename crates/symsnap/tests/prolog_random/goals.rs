//! Random goals: calls of every supported built-in, nested, with arguments that fit and arguments that do not.
//!
//! Goals are written in functional notation, so that neither side's operators matter.

/// A seeded stream of numbers below a bound (splitmix64).
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound as u64).expect("it is below the bound")
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The built-ins, with a letter for what each argument should be:
/// `t` any term, `-` a variable, `i` an integer, `n` a number, `e` an expression, `a` an atom, `s` a text, `c` a
/// character, `l` a list, `L` a list of numbers, `P` a list of pairs, `Q` a list of lists, `S` an ordered set, `D` codes,
/// `H` characters, `o` one of `<`, `=` and `>`, `O` an order for `sort/4`, `g` a goal, `k` what `aggregate_all/3` counts,
/// `u` a variable that no other argument is, `x` what `catch/3` catches (without the context of an error,
/// which the systems word differently), `y` a goal with `^`, `1` to `5` a goal that lacks that number of arguments.
pub const BUILT_INS: &str = "
= tt  \\= tt  == tt  \\== tt  @< tt  @> tt  @=< tt  @>= tt  compare -tt  compare ott  ?= tt  =@= tt  \\=@= tt
subsumes_term tt  unify_with_occurs_check tt  var t  nonvar t  integer t  rational t  float t  number t  atom t  string t
atomic t  compound t  callable t  is_list t  ground t  is_list l  functor ---  functor t--  functor -ai  functor tai
=.. t-  =.. -l  =.. tl  copy_term t-  copy_term tt  term_variables t-  arg itu  arg utu  arg itt  numbervars ti-
is -e  is ie  =:= ee  =\\= ee  < ee  > ee  =< ee  >= ee  succ i-  succ -i  succ ii  plus ii-  plus i-i  plus -ii
divmod ii--  between ii-  between iii  between iai  msort l-  sort l-  sort iOl-  sort iOP-  keysort P-  keysort l-
list_to_ord_set l-  predsort 3l-  length l-  length -i  length li  memberchk tl  numlist ii-
atom_length s-  atom_length si  string_length s-  atom_codes s-  atom_codes -D  atom_codes sD  atom_chars s-  atom_chars -H
name s-  name -D  number_codes n-  number_codes -D  number_chars n-  number_chars -H  string_codes s-  string_codes -D
string_chars s-  string_chars -H  atom_string s-  atom_string -s  atom_string ss  number_string n-  number_string -s
string_to_atom s-  string_to_atom -s  term_to_atom t-  term_string -t  text_to_string s-  text_to_string D-  char_code c-
char_code -i  char_code ci  atom_number s-  atom_number -n  atom_number sn  upcase_atom s-  downcase_atom s-
string_upper s-  string_lower s-  atomic_list_concat l-  atomic_list_concat ls-  atomic_list_concat lss
atomic_list_concat -ss  split_string sss-  string_code is-  sub_atom suuuu sub_atom siiiu sub_atom suuus sub_atom siuus
sub_string suuuu sub_string suiuu sub_string suuus  atom_concat ss-  atom_concat --s  atom_concat s-s  atom_concat -ss
atom_concat sss  string_concat ss-  string_concat --s  string_concat s-s
append ll-  append --l  append l-l  append Q-  member -l  member tl  reverse l-  reverse ll  nth0 il-  nth0 -l-  nth0 -lt
nth1 il-  nth1 -l-  nth0 il--  nth1 il--  nth0 itl-  last l-  last lt  select tl-  select -l-  select -ll  selectchk tl-
select tltl  select -l-l  subtract ll-  intersection ll-  union ll-  subset ll  permutation l-  permutation -l
permutation ll  flatten t-  flatten l-  flatten Q-  same_length ll  same_length l-  proper_length l-  sum_list L-
sumlist L-  max_list L-  min_list L-  max_member -l  min_member -l  max_member tl  list_to_set l-  is_set l  delete lt-
exclude 1l-  include 1l-  partition 1l--  partition 2l---  maplist 1l  maplist 2l-  maplist 2ll  maplist 3ll-  maplist 4lll-
foldl 3l--  foldl 3lt-  foldl 4llt-  pairs_keys_values P--  pairs_keys_values -ll  pairs_keys P-  pairs_values P-
transpose_pairs P-  ord_union SS-  ord_subtract SS-  ord_intersection SS-  ord_memberchk tS 
ord_add_element St-  ord_del_element St-  ord_subset SS  aggregate_all kg-  findall tg-  findall tgl  findall tg--
findall tgt-  bagof ty-  setof ty-  bagof tyl  setof tyl  forall gg  call g  call 1t  call 2tt  call 3tt-  not g  once g
ignore g  \\+ g  apply 1l  concat_atom l-  concat_atom ls-  true  fail  false  catch gxg  throw t  call gt
no_such_thing t  nextto --l  nextto tt-  clumped l-  group_pairs_by_key P-  map_list_to_pairs 2l-
selectchk tltl  max_member 2-l  min_member 2-l  copy_term l-  =.. -t  functor tt-  length tt  arg utt  atom_length tt  number_codes tt  atom_chars tt
sort tttt  nth0 ttt  nth1 ttt  sub_atom ttttt  last tt  msort tt  predsort ttt  keysort tt  sum_list tt  max_list tt
numlist ttt  between ttt  succ tt  plus ttt  atom_number tt  char_code tt  atom_string tt  number_string tt  split_string tttt
atomic_list_concat tt  atomic_list_concat ttt  term_to_atom t-  upcase_atom tt  string_concat ttt  atom_concat ttt
string_code ttt  select ttt  subtract ttt  union ttt  intersection ttt  delete ttt  exclude ttt  include ttt  foldl tttt
partition tttt  partition ttttt  maplist tt  maplist ttt  aggregate_all ttt  bagof ttt  setof ttt  findall ttt
findall tttt  pairs_keys_values ttt  pairs_keys tt  list_to_set tt  sumlist tt  permutation tt  flatten tt  reverse tt
append ttt  append tt  member tt  memberchk tt  is_set t  subset tt  max_member tt  min_member tt  min_list tt
string_chars tt  string_codes tt  atom_codes tt  name tt  number_chars tt  text_to_string tt  string_lower tt
string_upper tt  string_to_atom tt  string_length tt  sub_string ttttt  downcase_atom tt  ord_union SSt  ord_subtract SSt
ord_memberchk tS  ord_subset SS list_to_ord_set tt  last tt  proper_length tt  same_length tt
select tttt  selectchk ttt  nth0 tttt  nth1 tttt  apply tt  compare ttt  numbervars ttt  divmod tttt  transpose_pairs tt
pairs_values tt  ord_intersection SSt  ord_add_element Stt  ord_del_element Stt  concat_atom tt  concat_atom ttt";

const ATOMS: &[&str] = &[
    "a",
    "b",
    "c",
    "foo",
    "abc",
    "'hello world'",
    "''",
    "'1'",
    "'12'",
    "' 12'",
    "'1 '",
    "'0x1F'",
    "'1.5'",
    "'-7'",
    "'+7'",
    "'- 7'",
    "'1e3'",
    "'é'",
    "'Ab'",
    "+",
    "-",
    "*",
    "'[]'",
    "{}",
    "true",
    "inf",
    "nan",
    "pi",
    "e",
    "'<'",
    "'='",
    "'>'",
    "'!'",
    "';'",
    "','",
    "'a,b'",
    "'x-y-z'",
    "'\\n'",
    "'0''a'",
    "end",
    "'a b c'",
    "'1_000'",
    "'1 000'",
    "'0b11'",
    "'1r3'",
    "'1.0Inf'",
];
const STRINGS: &[&str] = &[
    "\"\"",
    "\"a\"",
    "\"abc\"",
    "\"12\"",
    "\" 7\"",
    "\"7 \"",
    "\"x y\"",
    "\"1.5\"",
    "\"a,b,c\"",
    "\"é\"",
    "\"AbC\"",
    "\"-3\"",
];
const INTEGERS: &[&str] = &["0", "1", "2", "3", "4", "5", "7", "10", "65", "97", "255", "-1", "-2", "-7", "1000"];
const BIG: &[&str] = &[
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "100000000000000000000",
    "-100000000000000000000",
    "4611686018427387904",
    "1180591620717411303424",
    "1180591620717411303425",
    "4294967296",
    "-4294967297",
];
const FLOATS: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "1.5",
    "-2.5",
    "0.1",
    "1.0e10",
    "1.0e22",
    "-1.0e100",
    "2.0",
    "3.7",
    "1.0Inf",
    "-1.0Inf",
    "1.1805916207174113e21",
    "9007199254740992.0",
];
const VARIABLES: &[&str] = &["X", "Y", "Z", "_"];
const CONSTANTS: &[&str] = &["pi", "e", "inf", "nan", "epsilon", "a", "foo", "max_tagged_integer", "[]"];
const UNARY: &[&str] = &[
    "+",
    "-",
    "abs",
    "sign",
    "'\\\\'",
    "msb",
    "lsb",
    "popcount",
    "sqrt",
    "exp",
    "log",
    "log10",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "float",
    "integer",
    "round",
    "truncate",
    "ceiling",
    "ceil",
    "floor",
    "float_integer_part",
    "float_fractional_part",
    "numerator",
    "denominator",
    "eval",
    "foo",
    "succ",
];
const BINARY: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "+",
    "-",
    "*",
    "/",
    "'//'",
    "div",
    "mod",
    "rem",
    "min",
    "max",
    "gcd",
    "lcm",
    "'>>'",
    "'<<'",
    "'/\\\\'",
    "'\\\\/'",
    "xor",
    "'**'",
    "'^'",
    "atan2",
    "atan",
    "copysign",
    "nexttoward",
    "getbit",
    "foo",
    "plus",
];

/// Makes goals.
pub struct Goals {
    pub draw: Draw,
    built_ins: Vec<(&'static str, &'static str)>,
}

impl Goals {
    pub fn new(seed: u64) -> Self {
        let words: Vec<&str> = BUILT_INS.split_whitespace().collect();
        let mut built_ins = Vec::new();
        let mut at = 0;
        while at < words.len() {
            // Goals without arguments are followed by a name, not by letters.
            if matches!(words[at], "true" | "fail" | "false") {
                built_ins.push((words[at], ""));
                at += 1;
            } else {
                built_ins.push((words[at], words[at + 1]));
                at += 2;
            }
        }
        Goals { draw: Draw(seed), built_ins }
    }

    /// How many built-ins there are, by name and number of arguments.
    pub fn built_ins(&self) -> std::collections::BTreeSet<(&'static str, usize)> {
        self.built_ins.iter().map(|(name, letters)| (*name, letters.len())).collect()
    }

    /// A goal, with others inside or beside it.
    pub fn goal(&mut self, depth: usize) -> String {
        if depth > 0 && self.draw.chance(35) {
            let (a, b) = (self.goal(depth - 1), self.goal(depth - 1));
            return match self.draw.below(12) {
                0..=5 => format!("','({a},{b})"),
                6 => format!("';'({a},{b})"),
                7 => format!("';'('->'({a},{b}),{})", self.goal(depth - 1)),
                8 => format!("'->'({a},{b})"),
                9 => format!("';'('*->'({a},{b}),{})", self.goal(depth - 1)),
                10 => format!("'\\\\+'({a})"),
                _ if self.draw.chance(30) => format!("catch(throw({}),{},{b})", self.term(2), self.term(1)),
                _ => format!("catch({a},{},{b})", self.argument(b'x', 0)),
            };
        }
        let at = self.draw.below(self.built_ins.len());
        let (name, letters) = self.built_ins[at];
        let mut args = Vec::with_capacity(letters.len());
        for (at, letter) in letters.bytes().enumerate() {
            args.push(if letter == b'u' { VARIABLES[at % 4].to_string() } else { self.argument(letter, depth) });
        }
        // SWI-Prolog stops early where the number of an argument is the value that is looked for.
        if name == "arg" && args[0] == args[2] {
            args[0] = "1".to_string();
        }
        call(name, &args)
    }

    fn argument(&mut self, letter: u8, depth: usize) -> String {
        if letter != b'x' && self.draw.chance(9) {
            return self.term(2);
        }
        if letter != b'x' && self.draw.chance(6) {
            return self.draw.one(VARIABLES).to_string();
        }
        match letter {
            b'-' => self.draw.one(VARIABLES).to_string(),
            b'i' if self.draw.chance(12) => self.draw.one(BIG).to_string(),
            b'i' => self.draw.one(INTEGERS).to_string(),
            b'n' => self.number(),
            b'e' => self.expression(3),
            b'a' => self.draw.one(ATOMS).to_string(),
            b's' => self.text(),
            b'c' => self.draw.one(&["a", "'1'", "'é'", "' '", "ab", "\"a\""]).to_string(),
            b'l' => self.list(Self::any_item),
            b'L' => self.list(|goals| if goals.draw.chance(90) { goals.number() } else { goals.expression(1) }),
            b'P' => self.list(|goals| format!("'-'({},{})", goals.any_item(), goals.any_item())),
            b'Q' => self.list(|goals| goals.list(Self::any_item)),
            b'S' => self.draw.one(&["[]", "[a]", "[a,b,c]", "[1,2,3]", "[b,d]", "[1.0,1,a]", "[X,a]"]).to_string(),
            b'D' => self
                .draw
                .one(&["[97,98]", "[]", "[49,50]", "[32,55]", "[45,55]", "[97|X]", "[97,a]", "[-1]", "[233]"])
                .to_string(),
            b'H' => self
                .draw
                .one(&["[a,b]", "[]", "['1','2']", "[' ','7']", "[a,1]", "[a|_]", "[ab]", "['-','7']"])
                .to_string(),
            b'x' => {
                let catchers =
                    ["_", "error(X,_)", "error(Y,_)", "error(type_error(X,Y),_)", "error(instantiation_error,_)", "a"];
                self.draw.one(&catchers).to_string()
            }
            b'o' => self.draw.one(&["'<'", "'='", "'>'", "a"]).to_string(),
            b'O' => self.draw.one(&["'@<'", "'@=<'", "'@>'", "'@>='", "'<'"]).to_string(),
            b'g' if depth > 0 => self.goal(depth - 1),
            b'g' => self
                .draw
                .one(&["true", "fail", "'='(X,a)", "member(X,[1,2,3])", "member(Y,[b,a])", "between(1,3,Y)"])
                .to_string(),
            b'y' => {
                let goal = self.argument(b'g', depth);
                if self.draw.chance(40) { format!("'^'({},{goal})", self.draw.one(VARIABLES)) } else { goal }
            }
            b'k' => {
                let value = self.term(1);
                match self.draw.below(9) {
                    0 => "count".to_string(),
                    1 => format!("count({value})"),
                    2 => format!("sum({value})"),
                    3 => format!("max({value})"),
                    4 => format!("min({value})"),
                    5 => format!("bag({value})"),
                    6 => format!("set({value})"),
                    7 => format!("max({value},{})", self.term(1)),
                    _ => format!("min({value},{})", self.term(1)),
                }
            }
            b'1'..=b'5' => self.closure(usize::from(letter - b'0')),
            _ => self.term(2),
        }
    }

    /// A goal that lacks `missing` arguments.
    fn closure(&mut self, missing: usize) -> String {
        let of: &[&str] = match missing {
            1 => &[
                "integer",
                "atom",
                "var",
                "nonvar",
                "'='(a)",
                "'=='(1)",
                "'<'(2)",
                "member(X)",
                "number",
                "succ(1)",
                "'\\\\='(b)",
            ],
            2 => &[
                "'='",
                "'=='",
                "succ",
                "'@<'",
                "'<'",
                "atom_length",
                "plus(1)",
                "length",
                "append([a])",
                "reverse",
                "compare('<')",
            ],
            3 => &["compare", "plus", "append", "nth0", "atom_concat", "'$none'", "'='(a)"],
            _ => &["foldl(plus)", "maplist(plus)", "divmod", "nth0"],
        };
        self.draw.one(of).to_string()
    }

    fn any_item(&mut self) -> String {
        match self.draw.below(8) {
            0 | 1 => self.draw.one(&["a", "b", "c", "a"]).to_string(),
            2 | 3 => self.draw.one(&["1", "2", "3", "1"]).to_string(),
            4 => self.draw.one(VARIABLES).to_string(),
            _ => self.term(1),
        }
    }

    fn list(&mut self, item: fn(&mut Self) -> String) -> String {
        let length = [0, 1, 2, 2, 3, 3, 4][self.draw.below(7)];
        let items: Vec<String> = (0..length).map(|_| item(self)).collect();
        match self.draw.below(14) {
            0 if length > 0 => format!("[{}|{}]", items.join(","), self.draw.one(VARIABLES)),
            1 if length > 0 => format!("[{}|{}]", items.join(","), self.term(0)),
            _ => format!("[{}]", items.join(",")),
        }
    }

    fn number(&mut self) -> String {
        match self.draw.below(8) {
            0 => self.draw.one(BIG),
            1 | 2 => self.draw.one(FLOATS),
            _ => self.draw.one(INTEGERS),
        }
        .to_string()
    }

    fn text(&mut self) -> String {
        match self.draw.below(8) {
            0..=3 => self.draw.one(ATOMS).to_string(),
            4 | 5 => self.draw.one(STRINGS).to_string(),
            6 => self.number(),
            _ => self.draw.one(&["[97,98]", "[a,b]", "[]", "[49]", "[a,98]"]).to_string(),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        match self.draw.below(if depth == 0 { 4 } else { 10 }) {
            0..=2 => self.number(),
            3 => match self.draw.below(7) {
                0 => self.draw.one(VARIABLES).to_string(),
                1 => self.draw.one(&["\"a\"", "\"ab\"", "[1]", "[a]", "[X]", "[1,2]", "[[1]]", "[1|X]"]).to_string(),
                2 => self.term(1),
                3 => format!("[{}]", self.term(0)),
                _ => self.draw.one(CONSTANTS).to_string(),
            },
            4 | 5 => {
                let operand = self.expression(depth - 1);
                call(self.draw.one(UNARY), &[operand])
            }
            6 => {
                // Small exponents: SWI-Prolog has no limit but its memory.
                let base = self.expression(depth - 1);
                let exponent = self.draw.one(&["0", "1", "2", "3", "-1", "-2", "0.5", "2.0", "5", "1.0Inf", "70"]);
                call(self.draw.one(&["'**'", "'^'", "'<<'", "'>>'"]), &[base, exponent.to_string()])
            }
            _ => {
                let name = self.draw.one(BINARY);
                if matches!(name, "'**'" | "'^'" | "'<<'" | "'>>'") {
                    return self.expression(depth);
                }
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                call(name, &[a, b])
            }
        }
    }

    /// Any term.
    fn term(&mut self, depth: usize) -> String {
        match self.draw.below(if depth == 0 { 12 } else { 18 }) {
            0..=2 => self.draw.one(ATOMS).to_string(),
            3 | 4 => self.draw.one(INTEGERS).to_string(),
            5 => self.draw.one(BIG).to_string(),
            6 => self.draw.one(FLOATS).to_string(),
            7 => self.draw.one(STRINGS).to_string(),
            8 => "[]".to_string(),
            9..=11 => self.draw.one(VARIABLES).to_string(),
            12 | 13 => self.list(Self::any_item),
            14 => format!("'-'({},{})", self.term(depth - 1), self.term(depth - 1)),
            15 => format!("f({})", self.term(depth - 1)),
            16 => format!("g({},{})", self.term(depth - 1), self.term(depth - 1)),
            _ => {
                let (a, b) = (self.term(depth - 1), self.term(depth - 1));
                call(self.draw.one(&["'+'", "'='", "','", "';'", "':'", "'/'", "'->'"]), &[a, b])
            }
        }
    }
}

/// `name(args)`; the name is quoted unless it is already, or needs no quotes.
fn call(name: &str, args: &[String]) -> String {
    let plain = name.starts_with('\'')
        || name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    let name = if plain { name.to_string() } else { format!("'{}'", name.replace('\\', "\\\\")) };
    if args.is_empty() { name } else { format!("{name}({})", args.join(",")) }
}
