"""Remembers what names mean in the JVM.

py4j asks for each part of `jvm.java.lang.System` anew, and the JVM looks for a class of the name of each package in all
of Spark's 300 jars: a sixth of what the driver's thread of the differential test did.
"""

import functools

from py4j.java_gateway import JavaClass, JavaPackage, JVMView


def remember_java_names() -> None:
    """Has py4j ask once for each name; classes that are loaded later under a name already asked for are not seen."""
    for owner in (JVMView, JavaPackage):
        owner.__getattr__ = _remembering(owner.__getattr__)


def _remembering(ask):
    @functools.wraps(ask)
    def look_up(self, name: str):
        found = ask(self, name)
        # An instance's own attributes are found without this function.
        if isinstance(found, JavaClass | JavaPackage):
            self.__dict__[name] = found
        return found

    return look_up
