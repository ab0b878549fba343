"""Measurements of downset beside the tools that a user would otherwise take: `make bench`.

Not part of the package. Every ratio compares two programs on the same question in the same run;
times of one run on one machine say little by themselves.
"""
