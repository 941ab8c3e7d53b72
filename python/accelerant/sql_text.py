"""Splits a file of SQL into statements."""

import re

# What may hold a semicolon that ends nothing: comments, strings, quoted names; a backslash escapes inside strings.
_TOKEN = re.compile(
    r"""(?P<line_comment>--[^\n]*)
      | (?P<block_comment>/\*.*?\*/)
      | (?P<string>'(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*")
      | (?P<name>`(?:[^`]|``)*`)
      | (?P<end>;)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


def statements(text: str) -> list[str]:
    """Returns the statements of a text, without comments and final semicolons.

    Hints (`/*+ ... */`) are kept. `BEGIN ... END` scripts are not known and would be taken apart.
    """
    found = [""]
    for match in _TOKEN.finditer(text):
        token = match.group()
        if match.lastgroup == "end":
            found.append("")
        elif match.lastgroup == "line_comment" or (match.lastgroup == "block_comment" and not token.startswith("/*+")):
            found[-1] += " "
        else:
            found[-1] += token
    return [statement.strip() for statement in found if statement.strip()]
