"""Calls of functions that the engine lacks, which Spark's own code computes in native queries, typed like its own.

A row that Spark refuses would end most queries in ANSI mode, so most functions that can fail are here as `try_…`.
"""

from expressions import Lacking
from forms import Form
from user_functions import JAVA, PYTHON

DOUBLES = ["acos", "asinh", "atan", "cbrt", "cos", "degrees", "exp", "ln", "log10", "log1p", "log2"]
DOUBLES += ["rint", "sin", "sqrt", "tanh"]
TEXTS = ["initcap", "quote", "soundex", "url_encode", "make_valid_utf8", "try_validate_utf8", "sha1", "md5"]

FORMS = [
    *(Form("double", f"{name}({{}})", ("double",)) for name in DOUBLES),
    *(Form("string", f"{name}({{}})", ("string",)) for name in TEXTS),
    Form("double", "atan2({}, {})", ("double", "double")),
    Form("double", "pow({}, {})", ("double", "double")),
    Form("double", "hypot({}, {})", ("double", "double")),
    Form("bigint", "factorial({})", ("int",)),
    Form("bigint", "width_bucket({}, -100.5D, 100.5D, 7)", ("double",)),
    Form("int", "bit_count({})", ("bigint",)),
    Form("int", "bround({}, -1)", ("int",)),
    Form("decimal", "bround({}, 1)", ("decimal",)),
    Form("string", "bin({})", ("bigint",)),
    Form("string", "conv({}, 10, 16)", ("string",)),
    Form("string", "hex({})", ("bigint",)),
    Form("string", "format_number({}, 2)", ("decimal",)),
    Form("string", "format_string('%s-%s', {}, {})", ("string", "int")),
    # Text, to text and to other types.
    Form("string", "sha2({}, 256)", ("binary",)),
    Form("string", "base64({})", ("binary",)),
    Form("string", "substring_index(translate({}, 'ab1', 'xy'), 'x', 1)", ("string",)),
    Form("string", "mask({})", ("string",)),
    Form("string", "overlay({} placing {} from 2)", ("string", "string")),
    Form("string", "regexp_replace({}, '[a-z]+', '<$0>')", ("string",)),
    Form("string", "regexp_extract({}, '([0-9]+)[-.]?([0-9]*)', 2)", ("string",)),
    Form("string", "split_part({}, 'a', 1)", ("string",)),
    Form("string", "get_json_object(concat('{{\"a\": \"', {}, '\"}}'), '$.a')", ("string",)),
    Form("string", "elt(2, {}, {})", ("string", "string")),
    Form("binary", "encode({}, 'UTF-8')", ("string",)),
    Form("binary", "unbase64({})", ("string",)),
    Form("binary", "unhex({})", ("string",)),
    Form("bigint", "crc32({})", ("binary",)),
    Form("int", "levenshtein({}, {})", ("string", "string")),
    Form("boolean", "({} rlike '^[a-z ]*$')", ("string",)),
    Form("boolean", "luhn_check({})", ("string",)),
    Form("boolean", "is_valid_utf8({})", ("string",)),
    Form("decimal", "try_to_number({}, '999.99')", ("string",)),
    # Days and instants.
    Form("timestamp_ntz", "convert_timezone('UTC', 'Asia/Kolkata', {})", ("timestamp_ntz",)),
    # What is nested exists within the call alone.
    Form("int", "size(split({}, '[ab]'))", ("string",)),
    Form(
        "string",
        "array_join(array_sort(array({}, 'm'), (a, b) -> length(coalesce(a, '')) - length(coalesce(b, ''))), '|')",
        ("string",),
    ),
    Form(
        "bigint",
        "aggregate(array({}, {}), 0L, (sum, x) -> sum + coalesce(levenshtein(string(x), '17'), 1))",
        ("bigint", "bigint"),
    ),
    Form("int", "element_at(transform(array({}, 3), x -> levenshtein(string(x), '17')), 1)", ("int",)),
    Form("string", "to_json(named_struct('a', {}, 'b', {}))", ("int", "string")),
    Form("double", "from_json(concat('{{\"a\": ', {}, '}}'), 'a double').a", ("string",)),
    Form("decimal", "try_element_at(map_from_arrays(array(1D, 2D), array({}, {})), 1D)", ("decimal", "decimal")),
]


def lacking(share: float, python: bool) -> Lacking:
    """Returns what the engine lacks: with functions of Python half of it these, else users' of Java among it."""
    forms = (*FORMS, *PYTHON * 4) if python else (*FORMS, *JAVA * 4)
    return Lacking(forms, frozenset(PYTHON), share) if share else Lacking()
