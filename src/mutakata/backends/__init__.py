"""Turns a source file into a callable: NumPy, torch, Triton, CUDA. The only place that imports torch or triton."""
