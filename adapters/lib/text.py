"""Prolog text as tokens, and back: enough to find where clauses and arguments begin and end, without operators.

What adapters hand on of a clause is the text as it stood, so numbers, quotes and operators in it need not be
understood.
"""

import re

TOKEN = re.compile(
    r"""
      (?P<blank>   \s+ | %[^\n]* | /\*.*?\*/ )
    | (?P<number>  0'(?: \\x[0-9a-fA-F]+\\? | \\[0-7]+\\? | \\. | '' | [^\\] )
                 | 0x[0-9a-fA-F]+ | 0o[0-7]+ | 0b[01]+
                 | \d+ (?: _\d+ )* (?: \.\d+ )? (?: [eE][+-]?\d+ )? (?: Inf | NaN )? )
    | (?P<name>    [a-z]\w* | '(?: [^'\\] | \\. | '' )*' )
    | (?P<variable>[A-Z_]\w* )
    | (?P<text>    "(?: [^"\\] | \\. | "" )*" | `(?: [^`\\] | \\. | `` )*` )
    | (?P<end>     \. (?= \s | % | \Z ) )
    | (?P<mark>    [()\[\]{},|] | != | ! | ; )
    | (?P<symbol>  [-+*/\\^<>=~:.?@\#&$]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Unreadable(Exception):
    """A place that is no Prolog: the line, and what is wrong there."""

    def __init__(self, line, what):
        super().__init__(what)
        self.line = line


class Token:
    """A piece of text, with its kind and its place."""

    __slots__ = ("kind", "text", "start", "end", "line")

    def __init__(self, kind, text, start, end, line):
        self.kind, self.text, self.start, self.end, self.line = kind, text, start, end, line

    def is_mark(self, text):
        return self.kind == "mark" and self.text == text


def clauses(text, block_comments=None):
    """The clauses, each as its tokens without the full stop.

    `block_comments` is the form of comments that answer-set programs have beside lines; Prolog's `/* */` is always
    known.
    """
    if block_comments:
        text = block_comments.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    at, line, clause = 0, 1, []
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise Unreadable(line, f"cannot be read from `{text[at : at + 20].splitlines()[0]}` on")
        kind = found.lastgroup
        if kind == "end":
            if clause:
                yield clause
            clause = []
        elif kind != "blank":
            clause.append(Token(kind, found[0], found.start(), found.end(), line))
        line += found[0].count("\n")
        at = found.end()
    if clause:
        raise Unreadable(clause[0].line, "a clause has no full stop at its end")


def within(tokens, opening):
    """The tokens between the bracket at this place and the one that closes it, and the place behind that."""
    open_brackets = []
    for at in range(opening, len(tokens)):
        token = tokens[at]
        if token.kind != "mark":
            continue
        if token.text in CLOSING:
            open_brackets.append(CLOSING[token.text])
        elif token.text in CLOSING.values():
            if open_brackets.pop() != token.text:
                break
            if not open_brackets:
                return tokens[opening + 1 : at], at + 1
    raise Unreadable(tokens[opening].line, "a bracket is not closed")


def arguments(tokens):
    """The tokens between brackets, parted at the commas that are in no bracket themselves."""
    parts, part, at = [], [], 0
    while at < len(tokens):
        token = tokens[at]
        if token.is_mark(","):
            parts.append(part)
            part = []
            at += 1
        elif token.kind == "mark" and token.text in CLOSING:
            _, behind = within(tokens, at)
            part.extend(tokens[at:behind])
            at = behind
        else:
            part.append(token)
            at += 1
    return [*parts, part] if tokens else []


def signature(tokens):
    """Name and arity of the atom that these tokens are, or nothing if they are none. The name is the text as it
    stood.
    """
    if not tokens or tokens[0].kind != "name":
        return None
    if len(tokens) == 1:
        return tokens[0].text, 0
    if not tokens[1].is_mark("(") or tokens[1].start != tokens[0].end:
        return None
    inner, behind = within(tokens, 1)
    return (tokens[0].text, len(arguments(inner))) if behind == len(tokens) else None


def quoted(name):
    """The atom with this name, as Prolog reads it."""
    if re.fullmatch(r"[a-z][A-Za-z0-9_]*|\[\]|\{\}", name):
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


SIMPLE_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "0": "\0",
    "s": " ",
    "e": "\x1b",
}
ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]+)\\?|([0-7]+)\\|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(\n)|(.))|(['\"`])\7", re.DOTALL
)


def unquoted(text):
    """The name that an atom, or the characters that a quoted text, stands for."""
    if text[:1] not in ("'", '"', "`"):
        return text

    def plain(found):
        hexadecimal, octal, short, long, newline, simple, twice = found.groups()
        if hexadecimal or short or long:
            return chr(int(hexadecimal or short or long, 16))
        if octal:
            return chr(int(octal, 8))
        if newline:
            return ""
        return twice or SIMPLE_ESCAPES.get(simple, simple)

    return ESCAPE.sub(plain, text[1:-1])
