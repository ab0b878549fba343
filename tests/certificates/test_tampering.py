"""A certificate in which anything was changed is rejected, even if all digests fit again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.certificates.conftest import DISPATCH, FORKED, PROVED, VACUOUS, VIOLATED

from downset.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.certificates.conftest import Folder

Entry = dict[str, Any]


def a_formula_without_its_question(folder: Folder, _whole: Entry, _entry: Entry) -> None:
    file = folder.script(PROVED)
    kept = [line for line in file.read_text().splitlines(keepends=True) if "(assert" not in line]
    file.write_text("".join(kept))


def a_formula_that_is_false_anyway(folder: Folder, _whole: Entry, _entry: Entry) -> None:
    file = folder.script(PROVED)
    file.write_text(file.read_text().replace("(check-sat)", "(assert false)\n(check-sat)"))


def a_file_cut_short(folder: Folder, _whole: Entry, _entry: Entry) -> None:
    file = folder.script(PROVED)
    file.write_bytes(file.read_bytes()[:2000])


def a_comment_that_says_something_else(folder: Folder, _whole: Entry, _entry: Entry) -> None:
    file = folder.script(PROVED)
    file.write_text(file.read_text().replace("; part: ", "; part of: ", 1))


def files_swapped(folder: Folder, _whole: Entry, _entry: Entry) -> None:
    one, two = folder.script(PROVED, 0), folder.script(PROVED, 1)
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)


def a_file_of_another_property(folder: Folder, _whole: Entry, _entry: Entry) -> None:
    folder.script(PROVED).write_bytes(folder.script(DISPATCH).read_bytes())


def a_file_removed(folder: Folder, _whole: Entry, _entry: Entry) -> None:
    folder.script(PROVED).unlink()


def a_file_added(folder: Folder, _whole: Entry, _entry: Entry) -> None:
    (folder.path / "more.smt2").write_text("(check-sat)\n")


def an_obligation_removed(folder: Folder, _whole: Entry, entry: Entry) -> None:
    (folder.path / entry["obligations"].pop()["file"]).unlink()


def the_expected_answer_changed(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["obligations"][0]["expected"] = "sat"


def the_argument_changed(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["argument"]["fact"] = 0


def an_argument_for_one_dispatch(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["argument"] = {"kind": "dispatch", "sessions": "any"}


def an_argument_for_opened_sessions(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["argument"]["sessions"] = "root"


def an_argument_without_obligations(folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["argument"] = {"kind": "none"}
    for obligation in entry["obligations"][:-1]:
        (folder.path / obligation["file"]).unlink()
    entry["obligations"] = entry["obligations"][-1:]


def fewer_rules_are_enough(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    first = next(iter(entry["scope"]["cutoff"]))
    entry["scope"]["cutoff"][first] -= 1


def fewer_observations(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["obligations"][0]["rulesets"][0]["observations"] -= 1


def more_events(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["scope"]["events"].append("fork")


def fewer_events_asked_for(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["asked"] = []


def a_choice_excluded(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    matches = [True for _ in entry["obligations"][0]["texts"]["permission"]["queried"]]
    choice = {"no": "text of a rule", "sort": "permission", "variables": [0], "number": 9}
    entry["obligations"][0]["excluded"].append({**choice, "matches": matches, "plain": True})


def no_premise(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["premise"] = None


def a_premise_that_does_not_happen(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["premise"]["given"]["inputs"] = {}


def another_verdict(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["verdict"] = "vacuous"


def a_verdict_removed(_folder: Folder, whole: Entry, _entry: Entry) -> None:
    whole["verdicts"].pop()


def a_verdict_twice(_folder: Folder, whole: Entry, entry: Entry) -> None:
    whole["verdicts"][-1] = entry


def another_model_file(_folder: Folder, whole: Entry, _entry: Entry) -> None:
    whole["models"][0]["sha256"] = 64 * "0"


def another_model(_folder: Folder, whole: Entry, entry: Entry) -> None:
    entry["model"] = whole["models"][0]["id"] = "opencode/1.18.2"


def another_sentence(_folder: Folder, whole: Entry, _entry: Entry) -> None:
    whole["properties"][0]["sentence"] = "nothing bad can ever happen"


def another_schema(_folder: Folder, whole: Entry, _entry: Entry) -> None:
    whole["schema"] = "downset-certificate/2"


def something_that_is_no_entry(_folder: Folder, whole: Entry, _entry: Entry) -> None:
    whole["verdicts"][0] = {"obligations": [], "model": "opencode/1.17.2", "property": "todo-guard"}


def the_story_told_otherwise(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["refutation"]["trace"]["conclusion"] = "So it is true."


def the_story_with_other_rules(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    given = entry["refutation"]["given"]
    given["inputs"] = {name: [] for name in given["inputs"]}


def the_story_of_an_impossible_session(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["refutation"]["told"]["sessions"] = "any"


def the_story_with_a_glob_for_a_name(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    texts = entry["refutation"]["given"]["texts"]
    for name in texts:
        texts[name] = "*"


def a_refutation_that_is_missing(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["refutation"] = None


def proved_instead(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry["verdict"] = "proved"


def not_applicable_instead(_folder: Folder, _whole: Entry, entry: Entry) -> None:
    entry.update(verdict="not-applicable", reason="the model has no sessions")


OF_A_PROOF = [
    a_formula_without_its_question,
    a_formula_that_is_false_anyway,
    a_file_cut_short,
    a_comment_that_says_something_else,
    files_swapped,
    a_file_of_another_property,
    a_file_removed,
    a_file_added,
    an_obligation_removed,
    the_expected_answer_changed,
    the_argument_changed,
    an_argument_for_one_dispatch,
    an_argument_for_opened_sessions,
    an_argument_without_obligations,
    fewer_rules_are_enough,
    fewer_observations,
    more_events,
    fewer_events_asked_for,
    a_choice_excluded,
    no_premise,
    a_premise_that_does_not_happen,
    another_verdict,
    a_verdict_removed,
    a_verdict_twice,
    another_model_file,
    another_model,
    another_sentence,
    another_schema,
    something_that_is_no_entry,
]
OF_A_STORY = [
    the_story_told_otherwise,
    the_story_with_other_rules,
    the_story_of_an_impossible_session,
    the_story_with_a_glob_for_a_name,
    a_refutation_that_is_missing,
    proved_instead,
    not_applicable_instead,
]
CHANGES = [(PROVED, change) for change in OF_A_PROOF] + [(FORKED, change) for change in OF_A_STORY]
Change = "Callable[[Folder, Entry, Entry], None]"


@pytest.mark.parametrize("place", [PROVED, DISPATCH, VIOLATED, FORKED, VACUOUS])
def test_nothing_is_found_where_nothing_was_changed(folder: Folder, place: int) -> None:
    assert folder.problems(place) == []


@pytest.mark.parametrize(("place", "change"), CHANGES, ids=[c.__name__ for _, c in CHANGES])
def test_a_change_is_found_though_all_digests_fit(
    folder: Folder, place: int, change: Callable[[Folder, Entry, Entry], None]
) -> None:
    whole = folder.manifest
    change(folder, whole, whole["verdicts"][place])
    folder.write(whole, sealed=True)
    assert folder.problems(place)


@pytest.mark.parametrize("change", OF_A_PROOF[:8])
def test_a_change_of_a_file_alone_is_found(
    folder: Folder, change: Callable[[Folder, Entry, Entry], None]
) -> None:
    whole = folder.manifest
    change(folder, whole, whole["verdicts"][PROVED])
    assert folder.manifest == whole
    assert folder.problems(PROVED)


@pytest.mark.parametrize("change", [another_verdict, a_verdict_removed, more_events])
def test_a_careless_change_is_found_by_the_digest(
    folder: Folder,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Folder, Entry, Entry], None],
) -> None:
    whole = folder.manifest
    change(folder, whole, whole["verdicts"][PROVED])
    folder.write(whole, sealed=False)
    assert main(["recheck", str(folder.path), "--jobs", "1"]) == 1
    assert "its digest is not" in capsys.readouterr().out


def test_a_whole_model_removed_is_found_by_a_digest_that_is_known(folder: Folder) -> None:
    """What is left is a certificate of less; only a known digest says that there was more."""
    whole = folder.manifest
    known = str(whole["digest"])
    gone = whole["models"].pop()["id"]
    for entry in whole["verdicts"]:
        if entry["model"] == gone:
            for obligation in entry["obligations"]:
                (folder.path / obligation["file"]).unlink()
    whole["verdicts"] = [entry for entry in whole["verdicts"] if entry["model"] != gone]
    folder.write(whole, sealed=True)
    assert main(["recheck", str(folder.path), "--jobs", "1"]) == 0
    assert main(["recheck", str(folder.path), "--jobs", "1", "--digest", known]) == 1


@pytest.mark.parametrize("text", ["", "[]", "{", "{}", '{"schema": "downset-certificate/1"}'])
def test_a_manifest_that_is_none(folder: Folder, text: str) -> None:
    (folder.path / "manifest.json").write_text(text)
    assert main(["recheck", str(folder.path), "--jobs", "1"]) == 1
