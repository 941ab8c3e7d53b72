"""Random typed expressions, of flat kinds by forms that are given, of nested kinds by forms that are made as needed."""

import random
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import kinds
from array_forms import array_forms
from choices import Choices
from element_forms import element_forms
from forms import Body, Expression, Form, conditional_forms
from literals import KINDS, literals_of, null
from map_forms import map_forms
from native_forms import exact_forms
from struct_forms import struct_forms

DECIMAL_TYPES = ["decimal(9,2)", "decimal(18,4)", "decimal(38,10)", "decimal(10,0)", "decimal(38,0)", "decimal(20,18)"]
CALL = re.compile(r"\w+\(|case")

# How often a value is of a nested kind where any will do, and how often one of a flat kind is got out of nested ones.
NESTED_SHARE = 0.25
ELEMENT_SHARE = 0.25
# How often forms that compare whole values are among the conditional ones of a nested kind.
COMPARED_SHARE = 0.2
# How often folds are among these, as they give values of every kind.
FOLD = "aggregate("
FOLD_SHARE = 0.06
# How deep calls in a lambda function go at most: it is computed for every element.
BODY_DEPTH = 2


def function_of(form: Form) -> str:
    """Returns what forms of one function have in common: functions of many types, or patterns, are no more frequent."""
    found = CALL.match(form.template)
    return found.group() if found else form.template


@dataclass(frozen=True)
class Lacking:
    """Calls that the engine lacks, those that lambda functions have none of, and how often one of them is made."""

    forms: tuple[Form, ...] = ()
    not_in_lambdas: frozenset[Form] = frozenset()
    share: float = 0.0

    def of_kind(self, kind: str, in_lambda: bool) -> list[Form]:
        """Returns those of a kind."""
        return [form for form in self.forms if form.kind == kind and not (in_lambda and form in self.not_in_lambdas)]


NOTHING = Lacking()


class Expressions:
    """Makes expressions from a seed; `cautious` ones seldom fail in ANSI mode. `lacking`: calls that are bridged."""

    def __init__(self, r: random.Random, forms: Iterable[Form], cautious: bool, lacking: Lacking = NOTHING) -> None:
        self.r = r
        self.cautious = cautious
        self.lacking = lacking
        self.bodies = 0
        self.choices = Choices(r, [])
        self.forms: dict[str, dict[str, list[Form]]] = defaultdict(lambda: defaultdict(list))
        for form in forms:
            self.forms[form.kind][function_of(form)].append(form)

    def make(self, kind: str, columns: list[Expression], depth: int) -> Expression:
        """Makes an expression of a kind over columns, at most so many calls deep."""
        if depth <= 0 or self.r.random() < 0.15:
            return self.leaf(kind, columns)
        form = self.form(kind, columns)
        return self.guarded(form, tuple(self.argument(argument, columns, depth - 1) for argument in form.arguments))

    def argument(self, wanted: str | Body, columns: list[Expression], depth: int) -> Expression:
        """Makes what goes into a slot; a lambda's variables are as frequent as several columns."""
        if isinstance(wanted, Body):
            variables = [Expression(kind, name) for name, kind in wanted.variables]
            self.bodies += 1
            body = self.make(wanted.kind, columns + variables * 3, min(depth, BODY_DEPTH))
            self.bodies -= 1
            return body
        return self.make(self.any_kind(columns) if wanted == "any" else wanted, columns, depth)

    def form(self, kind: str, columns: list[Expression]) -> Form:
        """Chooses how to make an expression: first the function, then its form."""
        lacking = self.lacking.of_kind(kind, in_lambda=self.bodies > 0)
        if lacking and self.r.random() < self.lacking.share:
            return self.r.choice(lacking)
        functions = self.functions(kind, columns)
        name = self.r.choice(list(functions))
        chosen = self.r.choice(functions[name])
        while chosen.risky and self.r.random() < (0.95 if self.cautious else 0.6):
            name = self.r.choice(list(functions))
            chosen = self.r.choice(functions[name])
        return chosen

    def lacking_over(self, kind: str) -> Form | None:
        """Chooses a call that the engine lacks of one argument of a kind, where there is one."""
        fitting = [form for form in self.lacking.forms if [*form.arguments] == [kinds.generic(kind)]]
        return self.r.choice(fitting) if fitting else None

    def functions(self, kind: str, columns: list[Expression]) -> dict[str, list[Form]]:
        """Returns the forms of a kind by their functions: its own, or those that get it out of nested values."""
        nested = list(dict.fromkeys(column.kind for column in columns if kinds.is_nested(column.kind)))
        self.choices.nested = nested
        if nested and self.r.random() < ELEMENT_SHARE:
            elements = by_function(element_forms(kind, self.choices))
            if self.r.random() >= FOLD_SHARE:
                elements.pop(FOLD, None)
            if elements:
                return elements
        return self.forms.get(kind) or by_function(self.own_forms(kind))

    def own_forms(self, kind: str) -> list[Form]:
        """Returns the forms of a nested kind, and of a decimal within one."""
        if not kinds.is_nested(kind):
            return exact_forms(kind)
        is_compared = kinds.is_orderable(kind) and self.r.random() < COMPARED_SHARE
        conditional = conditional_forms(kind, is_compared)
        if kinds.is_struct(kind):
            return [*struct_forms(kind), *conditional]
        made = array_forms if kinds.is_array(kind) else map_forms
        return [*made(kind, self.choices), *conditional]

    def any_kind(self, columns: list[Expression]) -> str:
        """Chooses a kind that there is a column of."""
        if not columns:
            return self.r.choice(KINDS)
        nested = [column for column in columns if kinds.is_nested(column.kind)]
        flat = [column for column in columns if not kinds.is_nested(column.kind)]
        if nested and (not flat or self.r.random() < NESTED_SHARE):
            return self.r.choice(nested).kind
        return kinds.generic(self.r.choice(flat).kind)

    def leaf(self, kind: str, columns: list[Expression]) -> Expression:
        """Chooses a column, seldom a literal; of a nested kind without columns a value made of columns."""
        fitting = [column for column in columns if kinds.fits(column.kind, kind)]
        if fitting and self.r.random() < 0.8:
            return self.r.choice(fitting)
        if self.r.random() < 0.1:
            return Expression(kind, null(kind))
        if columns and not fitting and (kinds.is_array(kind) or kinds.is_struct(kind)):
            return self.built(kind, columns)
        return Expression(kind, self.r.choice(literals_of(kind)))

    def built(self, kind: str, columns: list[Expression]) -> Expression:
        """Makes an array or a struct of leaves."""
        if kinds.is_struct(kind):
            form = next(struct_forms(kind))
        else:
            form = Form(kind, "array({}, {})", (kinds.element_of(kind),) * 2)
        return self.guarded(form, tuple(self.leaf(argument, columns) for argument in form.arguments))

    def guarded(self, form: Form, children: tuple[Expression, ...]) -> Expression:
        """Fills a form; a cautious one gives null where it would fail for want of a type or of a divisor."""
        template = form.template
        careful = self.cautious and self.r.random() < 0.9
        if careful and template.startswith("CAST("):
            template = "try_" + template.lower()
        if careful and any(operator in template for operator in (" / ", " % ", " div ")):
            template = f"({{}}{template[3:-3]}nullif({{}}, 0))"
        if "<type>" in template:
            template = template.replace("<type>", self.r.choice(DECIMAL_TYPES) if form.kind == "decimal" else form.kind)
        return Expression(form.kind, template, children)


def by_function(forms: Iterable[Form]) -> dict[str, list[Form]]:
    """Returns forms by what they call."""
    functions: dict[str, list[Form]] = defaultdict(list)
    for form in forms:
        functions[function_of(form)].append(form)
    return functions
