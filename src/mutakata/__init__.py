"""Mutation-testing katas and interview questions for machine-learning numerics and kernels."""

__version__ = "0.1.0"
