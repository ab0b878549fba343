"""Mending: edits of a project's files that remove a finding, tried before they are shown."""
