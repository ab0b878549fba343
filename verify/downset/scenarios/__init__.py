"""Recorded stories with the answer that each must give, run on the designs of the package.

Every answer is computed twice, by the concrete reading and by the symbolic one, which must agree.

>>> from downset.scenarios.results import Result, agree
>>> agree([Result("s", 0, "deny", "deny")])
True
"""
