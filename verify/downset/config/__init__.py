"""From a real configuration to the rules that each of its agents has."""
