"""`accelerant replay`: runs a captured query on the native engine, without a JVM."""

from accelerant import artifacts


def command_line(arguments: list[str]) -> list[str]:
    """Returns the call of the native command, which reads all arguments."""
    return [str(artifacts.find().replay()), *arguments]
