"""Random rules, expressions over every operator of the language, assignments, and designs.

The texts favour corners: globs that match everything and are not `*`, keys equal up to case,
empty texts, a final ` *`, near-literals such as `edi?`, and primary tools such as `write`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from downset.design.design import Design
from downset.design.sessions import Fork
from downset.design.telling import TOOL_NAMES, TOOLS_MAP
from downset.language.concrete import Assignment
from downset.language.matching import W0, W1, W2
from downset.language.rules import ALLOW, ASK, DENY, Action, Rule
from downset.language.terms import (
    ALWAYS,
    ActionIs,
    After,
    Among,
    And,
    AnyMode,
    Below,
    Both,
    Choice,
    Constant,
    Fixed,
    FixedMode,
    Flag,
    Given,
    Input,
    IsPlain,
    LetterMap,
    Matches,
    Node,
    Number,
    Opposite,
    Or,
    Pick,
    RuleTerm,
    SameText,
    Seen,
    Sort,
    Text,
    TextIs,
)
from downset.language.vocabulary import (
    blanket_denied,
    ceiling,
    deny_over_ask_over_allow,
    first_match,
    highest_priority,
    highest_tier,
    last_match,
    most_severe,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from downset.design.sessions import Agent, Config, Session
    from downset.language.terms import (
        Decision,
        Formula,
        Mode,
        Observation,
        Predicate,
        Word,
    )

    Draw = st.DrawFn

KEYS = (
    "edit", "bash", "*", "**", "* *", "edi?", "", "Edit", "ls *", "write", "task", "todowrite",
    "external_directory", "question",
)  # fmt: skip
PATTERNS = ("*", "**", "* *", "", "src/app.ts", "SRC/app.ts", "src/*", "*.ts", "a", "a *", "?")
NAMES = ("edit", "bash", "write", "task", "x1")
RESOURCES = ("src/app.ts", "a", "a b", "notes")

MODES = ("plan", "default", "bypass")
S, T, U = Input("S"), Input("T"), Input("U")
MAP = Input("map", "tools map", TOOLS_MAP, distinct=True)
PRIMARY = Input("primary", "primary tools", TOOL_NAMES, distinct=True, names=True)
INPUTS = (S, T, U, MAP, PRIMARY)

keys = st.sampled_from(KEYS)
patterns = st.sampled_from(PATTERNS)
actions = st.sampled_from(list(Action))
matchers = st.sampled_from([W0, W1, W2])


# --- rules and assignments ----------------------------------------------------------------------


def rules(
    name: st.SearchStrategy[str] = keys, resource: st.SearchStrategy[str] = patterns
) -> st.SearchStrategy[Rule]:
    """One concrete rule."""
    return st.builds(Rule, name, resource, actions, st.integers(0, 3))


def rulesets(most: int = 4) -> st.SearchStrategy[tuple[Rule, ...]]:
    """A concrete ruleset."""
    return st.lists(rules(), max_size=most).map(tuple)


def maps(most: int = 3) -> st.SearchStrategy[tuple[Rule, ...]]:
    """A concrete tools map: each key once, switched on or off."""
    entries = st.builds(Rule, keys, st.just("*"), st.sampled_from([ALLOW, DENY]))
    return st.lists(entries, max_size=most, unique_by=lambda rule: rule.permission).map(tuple)


def primary_tools(most: int = 3) -> st.SearchStrategy[tuple[Rule, ...]]:
    """Tools reserved for primary sessions, as denies: names of queries and others."""
    entries = st.builds(
        Rule, st.sampled_from([*NAMES, "deploy", "lint"]), st.just("*"), st.just(DENY)
    )
    return st.lists(entries, max_size=most, unique_by=lambda rule: rule.permission).map(tuple)


@st.composite
def assignments(draw: Draw, most: int = 4) -> Assignment:
    """Concrete values for everything that random expressions mention."""
    return Assignment(
        {
            **{word.name: draw(rulesets(most)) for word in (S, T, U)},
            "map": draw(maps()),
            "primary": draw(primary_tools()),
        },
        {
            **{name: draw(st.sampled_from(NAMES)) for name in ("p", "p2")},
            **{name: draw(st.sampled_from(RESOURCES)) for name in ("r", "r2")},
        },
        {name: draw(st.booleans()) for name in ("f", "g")},
        {name: draw(st.integers(0, 3)) for name in ("n", "m")},
        {name: draw(st.sampled_from(MODES)) for name in ("u", "v")},
    )


# --- expressions --------------------------------------------------------------------------------

names = st.one_of(
    st.sampled_from(["p", "p2"]).map(lambda v: Text(Sort.PERMISSION, variable=v)),
    st.sampled_from(["edit", "bash", "task"]).map(lambda v: Text(Sort.PERMISSION, literal=v)),
)
resources = st.one_of(
    st.sampled_from(["r", "r2"]).map(lambda v: Text(Sort.PATTERN, variable=v)),
    st.sampled_from(["*", "src/app.ts"]).map(lambda v: Text(Sort.PATTERN, literal=v)),
)
globs = st.one_of(
    keys.map(lambda v: Text(Sort.PERMISSION, literal=v)),
    patterns.map(lambda v: Text(Sort.PATTERN, literal=v)),
)
terms = st.builds(
    RuleTerm,
    st.one_of(names, keys.map(lambda v: Text(Sort.PERMISSION, literal=v))),
    st.one_of(resources, patterns.map(lambda v: Text(Sort.PATTERN, literal=v))),
    actions,
    st.integers(0, 3),
)
letter_maps = st.one_of(
    st.builds(LetterMap, action=actions),
    st.builds(LetterMap, pattern=patterns),
    st.builds(LetterMap, priority=st.integers(0, 3)),
    st.just(LetterMap(renames=(("write", "edit"),))),
    st.just(LetterMap(renames=(("bash", "edit"), ("edit", "bash")))),
)
same_fields = st.sampled_from(
    [{"permission"}, {"pattern"}, {"permission", "pattern"}, {"permission", "pattern", "action"}]
).map(frozenset)


def leaves(inputs: tuple[Input, ...]) -> st.SearchStrategy[Word]:
    """An input or a constant."""
    constants: st.SearchStrategy[Word] = st.lists(terms, max_size=2).map(
        lambda found: Constant(tuple(found))
    )
    if not inputs:
        return constants
    return st.one_of(st.sampled_from(inputs), st.sampled_from(inputs), constants)


@st.composite
def words(draw: Draw, inputs: tuple[Input, ...] = INPUTS, depth: int = 2) -> Word:
    """A ruleset expression over some inputs."""
    word: Word = draw(leaves(inputs))
    for _ in range(draw(st.integers(0, depth))):
        word = draw(grown(word, inputs, depth - 1))
    return word


@st.composite
def grown(draw: Draw, word: Word, inputs: tuple[Input, ...], depth: int) -> Word:
    """A word with one more operation around it."""
    operation = draw(
        st.sampled_from(["concat", "where", "where", "when", "map", "or else", "without"])
    )
    if operation == "where":
        return word.where(draw(predicates(inputs, depth)))
    if operation == "when":
        return word.when(draw(formulas(inputs, depth)))
    if operation == "map":
        return draw(st.sampled_from([mapped(word, draw(letter_maps))]))
    other = draw(leaves(inputs) if operation == "concat" else leaves(inputs[1:]))
    if operation == "without":
        return word.without(other)
    return word + other if operation == "concat" else word.or_else(other)


def mapped(word: Word, by: LetterMap) -> Word:
    """A word put through a letter map, by the methods that designs use."""
    if by.action is not None:
        return word.with_action(by.action)
    if by.priority is not None:
        return word.with_priority(by.priority)
    return word.renamed(dict(by.renames)) if by.pattern is None else word.with_pattern(by.pattern)


simple_predicates: st.SearchStrategy[Predicate] = st.one_of(
    st.just(ALWAYS),
    st.builds(ActionIs, actions),
    st.builds(Matches, names),
    st.builds(Matches, resources),
    st.builds(TextIs, st.one_of(names, resources, globs)),
    st.builds(IsPlain, st.sampled_from(list(Sort))),
    st.builds(Both, st.builds(Matches, names), st.builds(Matches, resources)),
)


@st.composite
def predicates(draw: Draw, inputs: tuple[Input, ...] = INPUTS, depth: int = 1) -> Predicate:
    """A predicate on one rule; what it looks at are later inputs, so that none is a circle."""
    if depth <= 0:
        return draw(simple_predicates)
    kind = draw(st.sampled_from(["simple", "both", "not", "or", "among", "after", "given"]))
    inner = draw(predicates(inputs, depth - 1))
    if kind in {"both", "or"}:
        other = draw(simple_predicates)
        return inner & other if kind == "both" else inner | other
    if kind == "not":
        return Opposite(inner)
    if kind == "among":
        others = draw(words(inputs[1:], depth - 1))
        return Among(others, draw(same_fields), draw(simple_predicates))
    if kind == "after":
        return After(draw(letter_maps), inner)
    return Given(draw(formulas(inputs, depth - 1))) if kind == "given" else inner


@st.composite
def observations(draw: Draw, inputs: tuple[Input, ...] = INPUTS, depth: int = 2) -> Observation:
    """At most one rule of a random word."""
    word, pick = draw(words(inputs, depth)), draw(st.sampled_from(list(Pick)))
    predicate = draw(st.one_of(simple_predicates, predicates(inputs, depth - 1)))
    if pick is Pick.LAST:
        return word.last(predicate)
    return word.first(predicate) if pick is Pick.FIRST else word.best(predicate, pick)


def in_two_tiers(lower: Word, word: Word, name: Text, resource: Text, default: Action) -> Decision:
    """What the higher of two rulesets decides, or else the lower."""
    return highest_tier([word, lower], name, resource, default)


@st.composite
def decisions(draw: Draw, inputs: tuple[Input, ...] = INPUTS, depth: int = 2) -> Decision:
    """A decision by any operator."""
    if depth <= 0:
        return Fixed(draw(actions))
    operators: list[Callable[..., Decision]] = [
        last_match,
        first_match,
        deny_over_ask_over_allow,
        highest_priority,
        most_severe,
        partial(in_two_tiers, draw(leaves(inputs))),
    ]
    operator = draw(st.sampled_from(operators))
    word = draw(words(inputs, depth - 1))
    subject = draw(names), draw(resources), draw(actions)
    decision: Decision = operator(word, *subject)
    around = draw(st.sampled_from(["nothing", "meet", "choice", "seen"]))
    if around == "meet":
        return ceiling(decision, draw(decisions(inputs, depth - 1)))
    if around == "choice":
        return Choice(
            draw(formulas(inputs, depth - 1)), decision, draw(decisions(inputs, depth - 1))
        )
    if around == "seen":
        return draw(observations(inputs, depth - 1)).or_default(draw(actions))
    return decision


simple_formulas: st.SearchStrategy[Formula] = st.one_of(
    st.builds(Flag, st.sampled_from(["f", "g"])),
    st.builds(SameText, names, names),
    st.builds(SameText, resources, resources),
    st.builds(
        Below,
        st.builds(Number, st.just("n"), st.integers(0, 2)),
        st.builds(Number, st.sampled_from(["m", None]), st.integers(0, 2)),
    ),
)


mode_names = st.lists(st.sampled_from([*MODES, "unknown"]), max_size=2)


@st.composite
def modes(draw: Draw, inputs: tuple[Input, ...] = INPUTS, depth: int = 1) -> Mode:
    """A mode: free, fixed, or one of two by a condition."""
    mode: Mode = draw(
        st.one_of(
            st.builds(AnyMode, st.sampled_from(["u", "v"]), st.just(MODES)),
            st.builds(FixedMode, st.sampled_from(MODES)),
        )
    )
    if depth < 0 or draw(st.booleans()):
        return mode
    return mode.unless(draw(formulas(inputs, depth)), draw(modes(inputs, depth - 1)))


@st.composite
def formulas(draw: Draw, inputs: tuple[Input, ...] = INPUTS, depth: int = 2) -> Formula:
    """A formula over some inputs."""
    if depth <= 0:
        return draw(simple_formulas)
    kind = draw(
        st.sampled_from(["seen", "seen", "decision", "blanket", "simple", "mode", "and", "or"])
    )
    if kind == "seen":
        seen = Seen(draw(observations(inputs, depth)), draw(simple_predicates))
        return draw(st.sampled_from([seen, ~seen]))
    if kind == "decision":
        return draw(decisions(inputs, depth)).is_(draw(actions))
    if kind == "blanket":
        return blanket_denied(draw(words(inputs, depth)), draw(names))
    if kind == "simple":
        return draw(simple_formulas)
    if kind == "mode":
        return draw(modes(inputs, depth - 1)).is_(*draw(mode_names))
    parts = tuple(draw(formulas(inputs, depth - 1)) for _ in range(2))
    return And(parts) if kind == "and" else Or(parts)


# --- designs ------------------------------------------------------------------------------------

CALLER, ABOVE, CALLEE, CHILD, ADDED, TOOLS = (
    Input(name)
    for name in ("caller stored", "caller agent", "callee agent", "child", "added", "tools")
)


def substituted(node: Any, table: Mapping[Input, Word]) -> Any:  # noqa: ANN401 -- any node
    """An expression with words in place of inputs."""
    if isinstance(node, Input):
        return table.get(node, node)
    if isinstance(node, tuple):
        return tuple(substituted(item, table) for item in node)
    if is_dataclass(node) and isinstance(node, Node | RuleTerm):
        changed = {f.name: substituted(getattr(node, f.name), table) for f in fields(node)}
        return replace(node, **changed)
    return node


@dataclass
class Parts:
    """The expressions of a random design."""

    spawn: Word
    resume: Word
    prompt: Word
    patch: Word
    fork: Word
    sent: Word | None


def built(parts: Parts) -> Design:
    """The design whose methods fill in these expressions."""

    class Random(Design):
        id = "random/design"
        forks = True

        def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
            del config
            table = {CALLER: caller.stored, ABOVE: caller.agent.rules, CALLEE: callee.rules}
            return substituted(parts.spawn, table)  # type: ignore[no-any-return]

        def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
            del config
            table = {CALLER: caller.stored, CALLEE: callee.rules, CHILD: child.stored}
            return substituted(parts.resume, table)  # type: ignore[no-any-return]

        def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word | None:
            del caller, config
            if parts.sent is None:
                return None
            return substituted(parts.sent, {CALLEE: callee.rules})  # type: ignore[no-any-return]

        def prompt(self, session: Session, tools: Word) -> Word:
            table = {CHILD: session.stored, TOOLS: tools}
            return substituted(parts.prompt, table)  # type: ignore[no-any-return]

        def patch(self, session: Session, rules: Word) -> Word:
            table = {CHILD: session.stored, ADDED: rules}
            return substituted(parts.patch, table)  # type: ignore[no-any-return]

        def fork(self, session: Session) -> Fork:
            return Fork(substituted(parts.fork, {CHILD: session.stored}))

    return Random()


design_predicates = st.one_of(
    st.builds(ActionIs, st.just(DENY)),
    st.builds(ActionIs, st.just(ASK)),
    keys.map(lambda v: TextIs(Text(Sort.PERMISSION, literal=v))),
    patterns.map(lambda v: TextIs(Text(Sort.PATTERN, literal=v))),
)
design_terms = st.builds(
    RuleTerm,
    keys.map(lambda v: Text(Sort.PERMISSION, literal=v)),
    patterns.map(lambda v: Text(Sort.PATTERN, literal=v)),
    actions,
)


@st.composite
def design_words(draw: Draw, *inputs: Input) -> Word:
    """An expression that a design could use: filtered inputs, one after another, with guards."""
    word: Word | None = None
    for source in inputs:
        if not draw(st.booleans()):
            continue
        part: Word = source
        if draw(st.booleans()):
            wanted = draw(design_predicates)
            part = part.where(wanted if draw(st.booleans()) else ~wanted)
        if draw(st.integers(0, 4)) == 0:
            part = part.with_action(draw(actions))
        if draw(st.integers(0, 4)) == 0:
            part = part.when(~draw(st.sampled_from(inputs)).any(draw(design_predicates)))
        word = part if word is None else word + part
    if word is None or draw(st.integers(0, 3)) == 0:
        guard = Constant((draw(design_terms),))
        word = guard if word is None else word + guard
    return word


@st.composite
def designs(draw: Draw) -> Design:
    """A subclass of `Design`, its methods random expressions."""
    sent = draw(st.one_of(st.none(), design_words(CALLEE)))
    return built(
        Parts(
            spawn=draw(design_words(CALLER, ABOVE, CALLEE)),
            resume=draw(st.one_of(st.just(CHILD), design_words(CALLER, CALLEE, CHILD))),
            prompt=draw(st.one_of(st.just(CHILD + TOOLS), design_words(CHILD, TOOLS))),
            patch=draw(st.one_of(st.just(CHILD + ADDED), design_words(ADDED, CHILD))),
            fork=draw(design_words(CHILD)),
            sent=sent,
        )
    )
