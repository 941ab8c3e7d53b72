"""What came of random queries: how many ran natively, and why others did not."""

from collections import Counter
from dataclasses import dataclass, field

from comparison import Compared
from outcome import PLANNING, Outcome

MOST_REASONS = 20
# Why a query has no operator that could be native.
AT_HAND = "not tried: Spark has the rows at hand"
# A reason's words beyond these tell one query from another.
MOST_LETTERS = 150


@dataclass
class Shares:
    """How many queries of a sort there were, and how they ran: by native operators alone, of these some with bridged
    calls; or natively around what is Spark's."""

    asked: int = 0
    native: int = 0
    bridged: int = 0
    in_part: int = 0

    def add(self, compared: Compared) -> None:
        """Counts a query."""
        way = compared.native
        self.asked += 1
        self.native += way.native
        self.bridged += way.native and way.bridged
        self.in_part += way.in_part and not way.native

    @property
    def unbridged_share(self) -> float:
        """Returns the share that ran natively without a bridged call."""
        return (self.native - self.bridged) / max(self.asked, 1)

    @property
    def native_share(self) -> float:
        """Returns the share that ran natively, bridged calls included."""
        return self.native / max(self.asked, 1)

    def __str__(self) -> str:
        return (
            f"{self.asked}: {self.unbridged_share:.1%} native, {self.native_share:.1%} with bridged calls, "
            f"{self.in_part} more in part"
        )


@dataclass
class Tally:
    """What came of the queries: `within` of those that ask for what the engine has, `beyond` of the others.

    Queries that Spark refuses, or fails to plan, or whose rows it has when it has planned them, are of neither sort.
    """

    seed: str
    asked: int = 0
    within: Shares = field(default_factory=Shares)
    beyond: Shares = field(default_factory=Shares)
    errors: int = 0
    refused: Counter = field(default_factory=Counter)
    failed_planning: int = 0
    at_hand: int = 0
    reasons: Counter = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    with_bridged: int = 0
    with_islands: int = 0
    with_either: int = 0
    with_python: int = 0
    below_spark: int = 0
    places: Counter = field(default_factory=Counter)

    @property
    def share_with_either(self) -> float:
        """Returns the share of queries that ran with a bridged call or an island."""
        return self.with_either / max(self.asked, 1)

    def add(self, compared: Compared, asks_beyond: bool) -> None:
        """Counts one query."""
        self.asked += 1
        if compared.refused:
            self.refused[compared.refused] += 1
            return
        self.errors += compared.plain is not None and compared.plain.error is not None
        way = compared.native
        self.add_places(way)
        if way.reasons == (PLANNING,):
            self.failed_planning += 1
        elif way.reasons == (AT_HAND,):
            self.at_hand += 1
        elif asks_beyond:
            self.beyond.add(compared)
        else:
            self.within.add(compared)
            self.reasons.update(f"not native: {reason[:MOST_LETTERS]}" for reason in way.reasons[:1])
            self.reasons.update({f"bridged: {name}" for name in way.bridged_calls})

    def add_places(self, way: Outcome) -> None:
        """Counts where a query has bridged calls and islands; one that Spark's operators are on top of has neither."""
        self.with_bridged += way.bridged
        self.with_islands += bool(way.islands)
        self.with_either += way.bridged or bool(way.islands)
        self.with_python += bool(way.islands) and any("EvalPython" in reason for reason in way.reasons)
        self.below_spark += way.in_part and not way.native and not way.islands
        self.places.update({f"bridged in {place}" for place in way.bridging})
        self.places.update({f"island below {place}" for place in way.islands})

    def figure(self) -> str:
        """Says the most of it in one line."""
        return (
            f"seed {self.seed}: {self.asked} queries, {len(self.findings)} differ; that ask for what the engine has "
            f"{self.within}; for more {self.beyond}; {self.errors} failed as they should, {self.refused.total()} "
            f"refused by Spark, {self.failed_planning} failed while planned, {self.at_hand} answered while planned; "
            f"{self.share_with_either:.1%} with a bridged call or an island ({self.with_bridged} and "
            f"{self.with_islands}, {self.with_python} of these with functions of Python's), {self.below_spark} below "
            "Spark's operators alone"
        )

    def summary(self) -> str:
        """Describes all of it, why queries did not run natively included, most frequent first."""
        lines = [self.figure()]
        lines += [f"  {count} {reason}" for reason, count in self.reasons.most_common(MOST_REASONS)]
        lines += [f"  {count} {place}" for place, count in self.places.most_common()]
        lines += [f"  {count} refused by Spark: {name}" for name, count in self.refused.most_common(MOST_REASONS)]
        return "\n".join([*lines, *self.findings])
