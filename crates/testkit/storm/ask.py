"""Asks Storm about processes. Needs stormpy 2 (pip install stormpy); it is a program of its own and no part of swarmcheck.

Reads one JSON document from standard input: a list of {"drn": text, "queries": [text, ...]}.
Writes one JSON document: for each process a list with an answer per query, about its initial state:
{"value": number or "inf", "exact": text of a fraction} or {"error": text}.
Computes with rational numbers, except where Storm cannot (a bound on time): there it computes with its sound methods.
"""

import json
import os
import sys
import tempfile
from fractions import Fraction

try:
    import stormpy
except ImportError as error:
    print(f"stormpy is missing: {error}", file=sys.stderr)
    sys.exit(3)


def answered(model, query):
    prop = stormpy.parse_properties(query)[0]
    # Storm 2.0.0 fails on some formulas of linear time if it is asked about all states.
    result = stormpy.model_checking(model, prop, only_initial_states=True)
    value = str(result.get_value(model.initial_states[0]))
    if value == "inf":
        return {"value": "inf", "exact": "inf"}
    fraction = Fraction(value)
    return {"value": float(fraction), "exact": str(fraction)}


def answers(case):
    handle, path = tempfile.mkstemp(suffix=".drn")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(case["drn"])
        model = stormpy.build_model_from_drn[stormpy.Rational](path)
        out = []
        for query in case["queries"]:
            try:
                out.append(answered(model, query))
            except Exception as error:
                out.append({"error": f"{type(error).__name__}: {error}"})
        return out
    finally:
        os.unlink(path)


def main():
    cases = json.load(sys.stdin)
    json.dump([answers(case) for case in cases], sys.stdout)


main()
