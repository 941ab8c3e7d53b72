"""The Spark settings that switch Accelerant on."""

from accelerant.artifacts import Artifacts

PLUGIN = "io.accelerant.spark.AccelerantPlugin"

# Settings whose values are comma-separated lists: ours is appended to what the user has.
LIST_SETTINGS = ("spark.plugins", "spark.jars")


def settings(artifacts: Artifacts) -> dict[str, str]:
    """Returns all settings a Spark application needs; the plugin sets the rest when the application starts."""
    return {
        "spark.plugins": PLUGIN,
        "spark.jars": str(artifacts.jar()),
        "spark.accelerant.library": str(artifacts.library()),
    }


def merged(own: dict[str, str], users: dict[str, str]) -> dict[str, str]:
    """Returns our settings with the user's: theirs win, and lists are joined with theirs first."""
    result = dict(own)
    for name, value in users.items():
        if name not in LIST_SETTINGS:
            if name in own:
                result[name] = value
            continue
        items = [item.strip() for item in value.split(",") if item.strip()]
        result[name] = ",".join(dict.fromkeys([*items, own[name]]))
    return result
