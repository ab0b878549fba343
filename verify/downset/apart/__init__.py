"""Work in processes of their own, which may hang, crash or grow too large without harm."""
