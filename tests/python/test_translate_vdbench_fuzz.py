"""
Any text becomes a job or is refused with a reason, and never ends in a traceback. A short run in make check;
FUZZ_EXAMPLES=100000 python3 tests/python/test_translate_vdbench_fuzz.py searches longer.
"""

import os
import random
import unittest

import results  # noqa: F401 (finds the packages)
import vdbench_examples
from iorx_translate import native, vdbench, vdbench_definitions, vdbench_lines, vdbench_words
from iorx_translate.problems import Failure, Problems

try:
    import hypothesis
    from hypothesis import strategies
except ImportError:
    hypothesis = None

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "100"))
VALUES = ["sd1", "sd*", "(sd1,sd2)", "(sd1-sd9)", "wd1", "wd*", "max", "curve", "100", "(100,200)", "(1-64,d)", "(10-100,10)", "0", "1",
          "8", "4k", "(4k,50,8k,50)", "(4k,64k,4k)", "(8k,0)", "(0,50,8k,50)", "eof", "seq", "random", "10m", "60", "0.25m", "(40,60)", "(90,110)", "(1g,2g)",
          "o_direct", "/mnt/f", "/mnt/f*", "(1,3)", "h1", "*", "default", "yes", "no", "(yes,restart)", "read", "write", "(read,write)",
          "sequential", "(random,shared)", "fsd1", "fwd1", "fwd*", "-1", "50%", "()", "(,)", '"a b"', "e", "$host", "", "9" * 30]


def translate(text):
    """The printed job, or None where the text is refused."""
    problems, notes = Problems(lenient=True), []
    try:
        file = vdbench_definitions.read(vdbench_lines.read_texts([("job.vdb", text)], {}, notes), notes)
        job = vdbench.job_of(file, "job.vdb", problems, notes, 2)
        job.scale(0.01, 0.01)
        return native.text(job, problems)
    except Failure as error:
        assert str(error).strip(), text
    except ValueError as error:  # a value with both kinds of quotes, which the command line reports
        assert "cannot stand in a job file" in str(error), text
    return None


def mutated(text, chance):
    """An example with words exchanged, left out and cut."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        parts = lines[at].split(",")
        part = chance.randrange(len(parts))
        key, _, value = parts[part].partition("=")
        action = chance.randrange(5)
        if action == 0:
            parts[part] = f"{key}={chance.choice(VALUES)}"
        elif action == 1:
            del parts[part]
        elif action == 2:
            parts.append(f"{chance.choice(vdbench_words.known(chance.choice(list(vdbench_words.USED))))}={chance.choice(VALUES)}")
        elif action == 3:
            parts[part] = key[:chance.randint(1, max(1, len(key)))] + "=" + value
        else:
            lines.insert(at, lines[chance.randrange(len(lines))])
        lines[min(at, len(lines) - 1)] = ",".join(parts)
    return "\n".join(lines)


@unittest.skipUnless(hypothesis, "hypothesis is not installed")
class Fuzz(unittest.TestCase):
    def search(self, strategy, check):
        hypothesis.settings(max_examples=EXAMPLES, deadline=None, database=None,
                            suppress_health_check=list(hypothesis.HealthCheck))(hypothesis.given(strategy)(check))()

    def test_any_text(self):
        self.search(strategies.text(alphabet="sdwrfh=,()*-$#!\"' \t\n0129kmgx/e\x00é"), translate)

    def test_any_definitions(self):
        keys = sorted({key for kind in vdbench_words.USED for key in vdbench_words.known(kind)})
        pair = strategies.builds("{}={}".format, strategies.sampled_from(keys), strategies.sampled_from(VALUES))
        line = strategies.builds(lambda kind, name, pairs: ",".join([f"{kind}={name}", *pairs]),
                                 strategies.sampled_from(["hd", "sd", "wd", "fsd", "fwd", "rd"]),
                                 strategies.sampled_from(["sd1", "sd2", "wd1", "rd1", "default", "fsd1", "fwd1", "format", "h1"]),
                                 strategies.lists(pair, max_size=6))
        self.search(strategies.lists(line, max_size=8), lambda lines: translate("\n".join(
            sorted(lines, key=lambda text: vdbench_definitions.ORDER[text.partition("=")[0]]))))

    def test_examples_with_mistakes(self):
        texts = [text for text, _ in vdbench_examples.EXAMPLES.values()]
        self.search(strategies.tuples(strategies.sampled_from(texts), strategies.integers(0, 2 ** 32)),
                    lambda pair: translate(mutated(pair[0], random.Random(pair[1]))))


if __name__ == "__main__":
    unittest.main()
