"""Sessions, events, designs and properties. Knows nothing of solvers."""
