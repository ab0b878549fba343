"""The real program, run on this machine: installed, kept apart, driven, and read.

The thinnest edge of the package: commands and tests import it, nothing else does. What the modelled
program does is seen on the program itself: a server of it on loopback, with a scripted model on
the other side, and a project of its own for every story.
"""
