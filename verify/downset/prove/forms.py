"""What a certificate says of stories, rules and choices, as JSON; and read back from it.

Reading raises `KeyError`, `TypeError` or `ValueError` for what is not of the form.

>>> argument_of(argument_form(Argument("dispatch"))).kind
'dispatch'
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from downset.design.story import Reach
from downset.language.concrete import Assignment
from downset.language.rules import Action, Rule
from downset.language.terms import Sort
from downset.prove.argument import KINDS, Argument
from downset.prove.problem import NoRuleText, NoVariableText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.prove.problem import Exclusion
    from downset.prove.replay import Script
    from downset.prove.stories import Stories

Form = dict[str, Any]


def argument_form(argument: Argument) -> Form:
    """An argument, with only what its kind needs."""
    form: Form = {"kind": argument.kind}
    if argument.kind in {"dispatch", "descent", "combinations"}:
        form["sessions"] = argument.reach.name.lower()
    if argument.kind == "descent":
        form["fact"] = argument.fact
    if argument.kind == "combinations":
        form["states"] = [list(state) for state in argument.states]
    return form


def argument_of(form: Form) -> Argument:
    """An argument, read back."""
    if form["kind"] not in KINDS:
        message = f"there is no argument `{form['kind']}`"
        raise ValueError(message)
    states = tuple(tuple(map(boolean, state)) for state in form.get("states", ()))
    reach = Reach[form.get("sessions", "any").upper()]
    return Argument(form["kind"], reach, whole(form.get("fact", 0)), states)


def script_form(script: Script) -> Form:
    """How a story is told."""
    return {
        "sessions": script.reach.name.lower(),
        "more": script.more,
        "taken": list(script.taken),
        "same": [list(pair) for pair in script.same],
    }


def script_of(form: Form, stories: Stories) -> Script:
    """A way of telling some stories, read back."""
    reach = Reach[form["sessions"].upper()]
    same = tuple((str(one), str(two)) for one, two in form["same"])
    script = stories.scripts(reach, whole(form["more"]))[0]
    return replace(script, taken=tuple(map(whole, form["taken"])), same=same)


def assignment_form(given: Assignment) -> Form:
    """What every input, text, flag and number stands for."""
    return {
        "inputs": {
            name: [rule_form(rule) for rule in rules] for name, rules in given.inputs.items()
        },
        "texts": dict(given.texts),
        "flags": dict(given.flags),
        "numbers": dict(given.numbers),
    } | ({"modes": dict(given.modes)} if given.modes else {})


def assignment_of(form: Form) -> Assignment:
    """An assignment, read back."""
    inputs = {name: tuple(map(rule_of, rules)) for name, rules in form["inputs"].items()}
    texts = {name: text(value) for name, value in form["texts"].items()}
    flags = {name: boolean(value) for name, value in form["flags"].items()}
    numbers = {name: whole(value) for name, value in form["numbers"].items()}
    modes = {name: text(value) for name, value in form.get("modes", {}).items()}
    return Assignment(inputs, texts, flags, numbers, modes)


def rule_form(rule: Rule) -> Form:
    """One rule, and where it comes from."""
    form: Form = {
        "permission": rule.permission,
        "pattern": rule.pattern,
        "action": rule.action.value,
        "origin": rule.origin,
    }
    return form | ({"priority": rule.priority} if rule.priority else {})


def rule_of(form: Form) -> Rule:
    """One rule, read back."""
    texts = text(form["permission"]), text(form["pattern"])
    priority = whole(form.get("priority", 0))
    return Rule(*texts, Action(form["action"]), priority, text(form["origin"]))


def exclusion_form(exclusion: Exclusion) -> Form:
    """A choice that no strings realise."""
    form: Form = {"sort": exclusion.sort.value, "variables": list(exclusion.variables)}
    if isinstance(exclusion, NoVariableText):
        own = {"atoms": list(exclusion.atoms), "spellings": list(exclusion.spellings)}
        return {"no": "text of a variable", **form, **own}
    own_text = {"number": exclusion.number, "matches": list(exclusion.matches)}
    return {"no": "text of a rule", **form, **own_text, "plain": exclusion.plain}


def exclusion_of(form: Form) -> Exclusion:
    """A choice that no strings realise, read back."""
    sort, variables = Sort(form["sort"]), tuple(map(whole, form["variables"]))
    if form["no"] == "text of a variable":
        return NoVariableText(sort, variables, bits(form, "atoms"), bits(form, "spellings"))
    if form["no"] != "text of a rule":
        message = f"there is no exclusion of a `{form['no']}`"
        raise ValueError(message)
    plain = boolean(form["plain"])
    return NoRuleText(sort, variables, whole(form["number"]), bits(form, "matches"), plain)


def bits(form: Mapping[str, Any], name: str) -> tuple[bool, ...]:
    """Truth values, read back."""
    return tuple(map(boolean, form[name]))


def boolean(value: object) -> bool:
    """A truth value. Raises `TypeError` for anything else."""
    if isinstance(value, bool):
        return value
    message = f"{value!r} is neither true nor false"
    raise TypeError(message)


def whole(value: object) -> int:
    """A whole number. Raises `TypeError` for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    message = f"{value!r} is not a whole number"
    raise TypeError(message)


def text(value: object) -> str:
    """A text. Raises `TypeError` for anything else."""
    if isinstance(value, str):
        return value
    message = f"{value!r} is not a text"
    raise TypeError(message)
