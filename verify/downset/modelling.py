"""Everything a model file needs, and nothing else: the public modelling vocabulary.

A model is a subclass of `Design` in a file of its own. It overrides what its release does
differently and is found by its `id`; a model file imports only from here.

>>> class DenyOnly(Design):
...     id = "example/deny-only"
...     def spawn(self, caller, callee, config):
...         return caller.stored.where(denied)
"""

from downset.design.design import Approvals, Design, Resume, Unreadable
from downset.design.property import Claim, claims, descends
from downset.design.rendering import Field, Rendering
from downset.design.sessions import UNDECLARED, Agent, Config, Fork, Query, Session, Tool, named
from downset.language.matching import W0, W1, W2, W2_WINDOWS, WCMATCH, Matcher
from downset.language.rules import ALLOW, ASK, DENY, Action
from downset.language.terms import (
    EMPTY,
    FALSE,
    TRUE,
    Decision,
    Fixed,
    FixedMode,
    Flag,
    Formula,
    Mode,
    Observation,
    Pick,
    Predicate,
    Word,
)
from downset.language.vocabulary import (
    action,
    among,
    blanket,
    blanket_denied,
    ceiling,
    denied,
    deny_over_ask_over_allow,
    first_match,
    highest_priority,
    highest_tier,
    last_match,
    matching,
    most_severe,
    pattern,
    permission,
    rules,
)

__all__ = [
    "ALLOW",
    "ASK",
    "DENY",
    "EMPTY",
    "FALSE",
    "TRUE",
    "UNDECLARED",
    "W0",
    "W1",
    "W2",
    "W2_WINDOWS",
    "WCMATCH",
    "Action",
    "Agent",
    "Approvals",
    "Claim",
    "Config",
    "Decision",
    "Design",
    "Field",
    "Fixed",
    "FixedMode",
    "Flag",
    "Fork",
    "Formula",
    "Matcher",
    "Mode",
    "Observation",
    "Pick",
    "Predicate",
    "Query",
    "Rendering",
    "Resume",
    "Session",
    "Tool",
    "Unreadable",
    "Word",
    "action",
    "among",
    "blanket",
    "blanket_denied",
    "ceiling",
    "claims",
    "denied",
    "deny_over_ask_over_allow",
    "descends",
    "first_match",
    "highest_priority",
    "highest_tier",
    "last_match",
    "matching",
    "most_severe",
    "named",
    "pattern",
    "permission",
    "rules",
]
