"""Checks that comments and help lines name their subject.

Few comments and no help line may open with a word whose noun is missing.
"""

import re

import source

OPENER = re.compile(r"(Of|What|That|Those|Whose|It|Its|Who|They|The same|This|These|Which|Else|Both|"
                    r"All of|One that|Ones)\b")
COMMENT = re.compile(r"/\*[\s*]*([A-Z][^*]*)")
HELP = re.compile(r'\.help\s*=\s*"([^"]*)')
MOST_PERCENT = 3


def main():
    known = source.files("src", "backends", "tests")
    openers = []
    helps = []
    comments = 0
    for path in known:
        text = source.text(path)
        for match in COMMENT.finditer(text):
            comments += 1
            if OPENER.match(match.group(1)):
                line = text.count("\n", 0, match.start()) + 1
                openers.append(f"{path}:{line}: the comment opens without its noun: name the subject")
        for match in HELP.finditer(text):
            if OPENER.match(match.group(1)):
                line = text.count("\n", 0, match.start()) + 1
                helps.append(f"{path}:{line}: the help line opens without its noun: name the subject")
    percent = 100 * len(openers) / max(comments, 1)
    print(f"comments: {percent:.1f} % of {comments} comments open without their noun")
    source.finish("comments", helps + (openers if percent >= MOST_PERCENT else []), len(known))


main()
