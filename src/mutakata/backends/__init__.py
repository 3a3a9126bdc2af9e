"""Turns a source file into a callable. The only place that imports torch or triton."""
