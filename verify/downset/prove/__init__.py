"""Deciding claims: observations, cutoff, encoding, induction, traces. The only home of Z3."""
