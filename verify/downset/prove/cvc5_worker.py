"""cvc5 in a process of its own, so that nothing it does can end the program that asks it.

Reads one request a line, `{"script", "milliseconds"}`, and writes one line for each: `{"answer"}`
with `sat`, `unsat` or `unknown`, the `values` of a model, and the `reason` of an unknown. The file
is run by its path and imports nothing of downset.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import Any

import cvc5

BIT_VECTORS = "(set-logic QF_BV)"


def main(memory: int) -> None:
    """Answer until there are no more requests, with no more than so many bytes of memory."""
    limit_memory(memory)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = decide(request["script"], request["milliseconds"])
        except (RuntimeError, MemoryError) as error:
            answer = {"answer": "unknown", "reason": " ".join(str(error).split()) or "no memory"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def limit_memory(memory: int) -> None:
    """Take no more than so many bytes, where the system can see to it."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 -- not every system has it

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def decide(script: str, milliseconds: int) -> dict[str, Any]:
    """Run a script of SMT-LIB that ends with `(check-sat)`.

    Raises `RuntimeError` for anything that cvc5 cannot read.
    """
    terms = cvc5.TermManager()
    solver, symbols = cvc5.Solver(terms), cvc5.SymbolManager(terms)
    solver.setOption("produce-models", "true")
    solver.setOption("tlimit-per", str(milliseconds))
    if BIT_VECTORS in script:
        solver.setOption("bitblast", "eager")  # ten times as fast on what downset asks
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        if command.getCommandName() != "set-info":  # an unexpected answer would be an error
            said += command.invoke(solver, symbols)
    answer = said.strip()
    if answer not in {"sat", "unsat"}:
        return {"answer": "unknown", "reason": " ".join(answer.split()) or "it said nothing"}
    if answer == "unsat":
        return {"answer": answer}
    found = {term.getSymbol(): value(solver.getValue(term)) for term in symbols.getDeclaredTerms()}
    return {"answer": answer, "values": found}


def value(term: Any) -> bool | int | str:  # noqa: ANN401 -- cvc5 has no types
    """A value of a model; a bit-vector is a number with a sign."""
    if term.isBooleanValue():
        return bool(term.getBooleanValue())
    if term.isStringValue():
        return str(term.getStringValue())
    bits = term.getBitVectorValue(2)
    return int(bits, 2) - (int(bits[0]) << len(bits))


if __name__ == "__main__":
    main(int(sys.argv[1]))
