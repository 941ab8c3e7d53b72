"""Calls of Spark's functions that the examples in its documentation do not give, or give within others'.

Each is a template with a slot for each column, and rows of what these hold; without slots it is a constant.
"""


def rows_of(call: str) -> str:
    """Returns what an aggregate makes of a few rows, as a subquery."""
    return f"(SELECT {call} FROM VALUES (1, 1.0D), (2, 2.0D), (5, 3.5D) AS t(n, x))"


KINDS = ("bigint", "double", "float")
KLL = {"bigint": "n", "double": "x", "float": "float(x)"}
THETA = rows_of("theta_sketch_agg(n)"), rows_of("theta_sketch_agg(n * n)")
TUPLES = {
    "double": (rows_of("tuple_sketch_agg_double(n, x)"), rows_of("tuple_sketch_agg_double(n * n, x)")),
    "integer": (rows_of("tuple_sketch_agg_integer(n, n)"), rows_of("tuple_sketch_agg_integer(n * n, n)")),
}
Spelled = tuple[str | tuple[str, ...], ...]

OPERATORS: dict[str, Spelled] = {
    "!": ("! {}", ("true",), ("false",)),
    "not": ("not {}", ("true",), ("false",)),
    "~": ("~ {}", ("0",), ("-7",)),
    **{name: (f"{{}} {name} {{}}", ("3", "5"), ("-1", "7")) for name in ("&", "|", "^", "<<", ">>", ">>>")},
    **{name: (f"{{}} {name} {{}}", ("3", "5"), ("2147483647", "2147483647")) for name in ("+", "*")},
    "-": ("{} - {}", ("3", "5"), ("-2147483648", "1")),
    **{name: (f"{{}} {name} {{}}", ("3", "2"), ("1", "0")) for name in ("/", "%", "div")},
    **{
        name: (f"{{}} {name} {{}}", ("1", "2"), ("2", "2"), ("2", "1"))
        for name in ("<", "<=", "<=>", "=", "==", ">", ">=")
    },
    **{name: (f"{{}} {name} {{}}", ("true", "false"), ("false", "true")) for name in ("and", "or")},
    "between": ("{} between {} and {}", ("0.5", "0.1", "1.0"), ("2.5", "0.1", "1.0")),
    "in": ("{} in ({}, 2, 3)", ("1", "1"), ("4", "1")),
    "when": ("case when {} then {} else {} end", ("true", "1", "2"), ("false", "1", "2")),
}

CONVERSIONS: dict[str, Spelled] = {
    "cast": ("cast({} as int)", ("'10'",), ("' 7 '",)),
    "bigint": ("bigint({})", ("'10'",), ("'9223372036854775807'",)),
    "binary": ("binary({})", ("'abc'",)),
    "boolean": ("boolean({})", ("'true'",), ("'n'",)),
    "date": ("date({})", ("'2024-02-29'",)),
    "decimal": ("decimal({})", ("'10'",)),
    "double": ("double({})", ("'1.5e3'",)),
    "float": ("float({})", ("'1.5'",)),
    "int": ("int({})", ("'10'",)),
    "smallint": ("smallint({})", ("'10'",)),
    "string": ("string({})", ("10",)),
    "timestamp": ("timestamp({})", ("'2024-02-29 01:02:03.5'",)),
    "tinyint": ("tinyint({})", ("'10'",)),
    "collate": ("collation(collate({}, 'UTF8_LCASE'))", ("'Spark SQL'",)),
}

OF_NO_COLUMNS = ("e", "pi", "version", "user", "current_user", "session_user", "current_catalog", "current_database")
OF_NO_COLUMNS += ("current_schema", "current_path", "current_timezone")
CONSTANTS: dict[str, Spelled] = {
    **{name: (f"{name}()",) for name in OF_NO_COLUMNS},
    **{name: (f"year({name}()) > 2000",) for name in ("curdate", "current_date", "current_timestamp", "now")},
    "localtimestamp": ("year(localtimestamp()) > 2000",),
    "schema_of_csv": ("schema_of_csv('1,abc')",),
    "schema_of_json": ("schema_of_json('[{\"col\":0}]')",),
    "schema_of_xml": ("schema_of_xml('<p><a>1</a></p>')",),
}

# What is of other types is so within the call alone.
WITHIN: dict[str, Spelled] = {
    "is_valid_variant": ("is_valid_variant(parse_json({}))", ("'null'",), ("'[1]'",)),
    "is_variant_null": ("is_variant_null(parse_json({}))", ("'null'",), ("'[1]'",)),
    "schema_of_variant": ("schema_of_variant(parse_json({}))", ("'null'",), ("'{\"a\": 1}'",)),
    "variant_strip_nulls": ("to_json(variant_strip_nulls(parse_json({})))", ('\'{"a": 1, "b": null}\'',)),
    "st_asbinary": ("st_asbinary(st_geogfromwkb({}))", ("X'0101000000000000000000F03F0000000000000040'",)),
    "st_geogfromwkb": ("st_srid(st_geogfromwkb({}))", ("X'0101000000000000000000F03F0000000000000040'",)),
    "st_geomfromwkb": ("st_srid(st_geomfromwkb({}))", ("X'0101000000000000000000F03F0000000000000040'",)),
    "st_setsrid": ("st_srid(st_setsrid(st_geomfromwkb({}), 3857))", ("X'0101000000000000000000F03F0000000000000040'",)),
    "st_srid": ("st_srid(st_geomfromwkb({}))", ("X'0101000000000000000000F03F0000000000000040'",)),
    "timestamp_nanos": ("unix_nanos(timestamp_nanos({}))", ("1230219000123456789L",)),
    "unix_nanos": ("unix_nanos(timestamp_nanos({}))", ("1230219000123456789L",), ("7L",)),
    "window": ("window({}, '5 minutes').start", ("timestamp'2021-01-01 00:04:30'",)),
}

SKETCHES: dict[str, Spelled] = {
    "hll_union": (
        "hll_sketch_estimate(hll_union({}, {}))",
        (rows_of("hll_sketch_agg(n)"), rows_of("hll_sketch_agg(n * n)")),
    ),
    **{
        f"kll_sketch_get_quantile_{kind}": (
            f"kll_sketch_get_quantile_{kind}({{}}, 0.5D)",
            (rows_of(f"kll_sketch_agg_{kind}({KLL[kind]})"),),
        )
        for kind in KINDS
    },
    **{
        f"kll_sketch_get_rank_{kind}": (
            f"kll_sketch_get_rank_{kind}({{}}, {kind}(3))",
            (rows_of(f"kll_sketch_agg_{kind}({KLL[kind]})"),),
        )
        for kind in KINDS
    },
    **{
        f"kll_sketch_merge_{kind}": (
            f"kll_sketch_get_n_{kind}(kll_sketch_merge_{kind}({{}}, {{}}))",
            (rows_of(f"kll_sketch_agg_{kind}({KLL[kind]})"), rows_of(f"kll_sketch_agg_{kind}({KLL[kind]})")),
        )
        for kind in KINDS
    },
    **{
        f"kll_sketch_to_string_{kind}": (
            f"kll_sketch_to_string_{kind}({{}})",
            (rows_of(f"kll_sketch_agg_{kind}({KLL[kind]})"),),
        )
        for kind in KINDS
    },
    **{
        f"theta_{name}": (f"theta_sketch_estimate(theta_{name}({{}}, {{}}))", THETA)
        for name in ("difference", "intersection", "union")
    },
    **{
        f"tuple_{name}_{kind}": (
            f"tuple_sketch_estimate_{kind}(tuple_{name}_{kind}({{}}, {{}}))",
            TUPLES[kind],
        )
        for name in ("difference", "intersection", "union")
        for kind in TUPLES
    },
    **{
        f"tuple_{name}_theta_{kind}": (
            f"tuple_sketch_estimate_{kind}(tuple_{name}_theta_{kind}({{}}, {{}}))",
            (TUPLES[kind][0], THETA[1]),
        )
        for name in ("difference", "intersection", "union")
        for kind in TUPLES
    },
}

OTHERS: dict[str, Spelled] = {
    "extract": ("extract(YEAR FROM {})", ("timestamp'2019-08-12 01:00:00'",)),
    "hmac": ("hmac({}, {})", ("binary('key')", "binary('message')")),
    "overlay": ("overlay({} placing {} from {})", ("'Spark SQL'", "'CORE'", "7"), ("'Spark SQL'", "'_'", "6")),
    "space": ("space({})", ("2",), ("0",)),
    "unhex": ("unhex({})", ("'537061726B2053514C'",), ("'F'",)),
}

SPELLED = OPERATORS | CONVERSIONS | CONSTANTS | WITHIN | SKETCHES | OTHERS

# Scalar functions that no call here can reach, and why.
NOT_CALLED = {
    **dict.fromkeys(
        ("time", "current_time", "localtime", "make_time", "to_time", "try_to_time", "time_diff", "time_trunc"),
        "Spark refuses the type TIME as long as spark.sql.timeType.enabled is not set",
    ),
    **dict.fromkeys(
        [f"time_{way}_{unit}" for way in ("from", "to") for unit in ("seconds", "millis", "micros")],
        "Spark refuses the type TIME as long as spark.sql.timeType.enabled is not set",
    ),
    **dict.fromkeys(("from_avro", "to_avro", "schema_of_avro"), "needs Spark's package of Avro"),
    **dict.fromkeys(("from_protobuf", "to_protobuf"), "needs Spark's package of Protocol Buffers"),
    "session_window": "is a key of groups, made by an operator of its own",
    "window_time": "takes a column that a group of `window` gives",
}
