"""Rules, patterns and ruleset expressions. Knows nothing of agents, sessions or solvers."""
