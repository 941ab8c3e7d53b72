"""The names that C++ sources declare in a namespace, read without a compiler.

It knows the declarations that engine/ has. Operators, and members that are defined out of their class, have no name of
their own.
"""

import re

# What is no declaration: comments, directives and attributes, and literals, lest their text count.
NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|^\#(?:\\\n|[^\n])*|\[\[.*?\]\]"""
    r"""|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'""",
    re.MULTILINE | re.DOTALL,
)
TOKEN = re.compile(r"\w+|::|->|\S")
WORD = re.compile(r"[A-Za-z_]\w*")
CLOSING = {"(": ")", "{": "}", "[": "]"}
PAIRS = {")": "()", "}": "{}", "]": "[]"}
TYPES = {"struct", "class", "union", "enum"}
# What may stand between these and a type's name.
BEFORE_NAME = {"class", "struct", "alignas", "()"}


def names(text: str, namespace: str) -> set[str]:
    """Returns the names that a text declares in a namespace, `accelerant::io` or, for an anonymous one, ``."""
    opening = re.compile(rf"^namespace {namespace}{' ' if namespace else ''}\{{$", re.MULTILINE)
    if not opening.search(text):  # which takes no time
        return set()
    clean = NOISE.sub(lambda match: " " if match[0][0] in "/#[" else '""', text)
    found = {name_of(one) for start in opening.finditer(clean) for one in statements(clean[start.end() :])}
    return {name for name in found if name}


def statements(text: str) -> list[list[str]]:
    """Returns the tokens of each declaration up to the end of the namespace; a pair of brackets is one, and empty."""
    found: list[list[str]] = []
    current: list[str] = []
    brackets: list[str] = []
    for match in TOKEN.finditer(text):
        token = match[0]
        if token in CLOSING:
            brackets.append(CLOSING[token])
        elif brackets:
            if token != brackets[-1]:
                continue
            brackets.pop()
            if brackets:
                continue
            is_end = token == "}" and ends_with_body(current)
            current.append(PAIRS[token])
            if is_end:
                found.append(current)
                current = []
        elif token == "}":
            break
        else:
            current.append(token)
            if token == ";":
                found.append(current)
                current = []
    return found


def ends_with_body(head: list[str]) -> bool:
    """Says whether a declaration ends with the braces behind these tokens: they are no value and no type's body."""
    if head[0] == "namespace":
        return True
    if "=" in head or "()" not in head or place_of_type(head) is not None:
        return False
    return ":" not in head or head[-1] in PAIRS.values()


def place_of_type(statement: list[str]) -> int | None:
    """Returns where `struct` or its like begins a declaration of a type; None in others."""
    start = behind_arguments(statement) if statement[0] == "template" else 0
    return start if start < len(statement) and statement[start] in TYPES else None


def behind_arguments(tokens: list[str]) -> int:
    """Returns the place behind the parameters of a template."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token == "<") - (token == ">")
        if token == ">" and depth == 0:
            return place + 1
    return len(tokens)


def before_value(tokens: list[str]) -> list[str]:
    """Returns what stands before a value, a body or parameters, without the arguments of templates."""
    kept = []
    depth = 0
    for token in tokens:
        if depth == 0 and token == "()" and kept[-1:] == ["requires"]:
            continue
        if depth == 0 and token in {"=", "()", "{}", ";"}:
            break
        depth += (token == "<") - (token == ">")
        if depth == 0 and token not in {">", "[]"}:
            kept.append(token)
    return kept


def name_of(statement: list[str]) -> str | None:
    """Returns the name that a declaration introduces, if any."""
    if statement[0] in {"static_assert", "namespace", ";"} or "operator" in statement:
        return None
    if statement[0] == "using":
        return statement[1] if statement[2] == "=" else None
    start = place_of_type(statement)
    if start is not None:
        words = [token for token in statement[start + 1 :] if token not in BEFORE_NAME]
        return words[0] if WORD.fullmatch(words[0]) and words[1] not in {"<", "::"} else None
    head = before_value(statement)
    is_named = len(head) > 1 and head[-2] != "::" and WORD.fullmatch(head[-1])
    return head[-1] if is_named else None
