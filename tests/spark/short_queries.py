"""Options of the JVMs of tests, most of whose queries run once, over few rows.

What the second compiler makes faster is not worth its own time. The first one alone would have 48 MB for its code, and
sweep it all the time; classes that queries make would start collections long before they are many, and a small young
generation many more.
"""

JAVA_OPTIONS = (
    "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:MetaspaceSize=400m -XX:+UseSerialGC -Xms1g -Xmn500m"
)
