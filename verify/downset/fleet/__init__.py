"""Many projects at once: each checked apart from the others, one record for each, in a journal."""
