"""Measures queries on engines, one at a time, each in a process of its own, and compares their answers."""
