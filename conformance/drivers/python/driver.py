"""A skeleton of a program under test: fill in `answer`. tamis-conformance run -- python3 drivers/python/driver.py"""

import json
import sys

PROGRAM = {"name": "skeleton", "version": "0", "level": 0, "numbers": "exact", "trees": False, "classes": False}


def answer(case, structs):
    """Answers {"value": ...}, {"accepted": True}, {"error": "syntax" or "evaluation"} or {"skip": reason}.

    case["row"] is JSON as text, absent where the question is how the expression is read. case.get("schema") is the name
    of the struct in `structs` that the row is; case.get("unknown") stands for what is missing.
    """
    return {"skip": "level"}


def main():
    structs = {}
    # Lines end in "\n" alone: texts may hold other separators.
    for line in iter(sys.stdin.buffer.readline, b""):
        message = json.loads(line)
        if "protocol" in message:
            reply = PROGRAM
        elif "structs" in message:
            structs = message["structs"]
            continue
        else:
            reply = {"id": message["id"], **answer(message, structs)}
        print(json.dumps(reply), flush=True)


main()
