"""iorx-translate answers any job with a job of iorx or with reasons, never with a traceback.

FUZZ_EXAMPLES=100000 searches longer than make check does.
"""

import os
import sys
import unittest

import translated
from iorx_translate import command, fio_keys, native
from iorx_translate.problems import Failure, Problems

try:
    from hypothesis import HealthCheck, given, settings, strategies
except ImportError:
    print("needs hypothesis: install python3-hypothesis")
    sys.exit(77)

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "300"))
SEARCH = settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize="FUZZ_EXAMPLES" not in os.environ,
                  suppress_health_check=list(HealthCheck))


def joined(*parts):
    return strategies.tuples(*parts).map("".join)


def lists(words, separator):
    return strategies.lists(words, min_size=1, max_size=4).map(separator.join)


NUMBERS = strategies.sampled_from(["0", "1", "2", "3", "4", "16", "50", "100", "4096", "-1", "1.5", "99999999999999999999", "0x10"])
SIZES = joined(NUMBERS, strategies.sampled_from(["", "k", "K", "m", "g", "t", "p", "b", "KiB", "Mi", "kb", "s", "%", "z", "ms"]))
WORDS = strategies.sampled_from([
    "read", "write", "randread", "randwrite", "randrw", "rw", "randread:8", "read:4k", "trim", "psync", "libaio", "io_uring",
    "zipf:1.2", "pareto:0.2", "exclusive", "readwrite", "md5", "zoned:60/10:40/90", "normal:10", "random", "poisson", "none", "a:b", "/dev/null", "crc32c",
    "$ncpus*2", "$pagesize", "${HOME}", "${NOT_THERE}", "$jobname.$jobnum", "{{x}}", "x#y", "\"q\"", "'", "\"'", "@", "a b", ""])
VALUES = strategies.one_of(SIZES, WORDS, lists(SIZES, ","), lists(SIZES, ":"), lists(joined(SIZES, strategies.just("/"), NUMBERS), ":"),
                           lists(SIZES, "-"), strategies.text(max_size=8))
FIO_KEYS = strategies.sampled_from(sorted(fio_keys.KNOWN | set(fio_keys.ALIASES)))
FIO_LINES = strategies.one_of(
    joined(FIO_KEYS, strategies.just("="), VALUES), FIO_KEYS, strategies.sampled_from(["[x]", "[global]", "[y z]", "[", "; c", "include x", ""]),
    strategies.text(max_size=12))
SWITCHES = joined(strategies.just("-"), strategies.sampled_from(list("abBcCdDefFghiIjlLnNoOprRsStTvwWxXyzZ") + ["rs", "rd", "si", "Su", "Sh", "rdpct", "rdabs"]),
                  strategies.one_of(SIZES, strategies.just(""), lists(joined(NUMBERS, strategies.just("/"), NUMBERS), ":"),
                                    lists(joined(NUMBERS, strategies.just("/"), SIZES), ":")))

# Counters in a few words: a module, a rank, a file, what is counted, and how much of it.
COUNTERS = strategies.tuples(
    strategies.sampled_from([("POSIX", "POSIX_"), ("MPI-IO", "MPIIO_"), ("STDIO", "STDIO_")]), strategies.integers(-1, 3), strategies.sampled_from("ab"),
    strategies.sampled_from(["{}S", "COLL_{}S", "BYTES_{}", "MAX_BYTE_{}", "SEQ_{}S", "CONSEC_{}S", "SIZE_{}_0_100", "SIZE_{}_1G_PLUS", "ACCESS1_ACCESS",
                             "ACCESS1_COUNT", "RW_SWITCHES", "FSYNCS", "STATS", "OPENS", "F_{}_TIME", "F_SLOWEST_RANK_TIME", "F_{}_END_TIMESTAMP"]),
    strategies.sampled_from(["READ", "WRITE"]), strategies.sampled_from([-1, 0, 1, 7, 100, 4096, 10 ** 6, 2 ** 62, 2 ** 70]))


class Fuzz(translated.Case):
    def translate(self, words):
        problems = Problems(lenient=True)
        try:
            job = command.translate(words, problems)
            problems.check()
            job.scale(0.001, 0.01)
            text = native.text(job, problems)
        except Failure as failure:
            self.assertTrue(str(failure))
            return
        except ValueError as error:
            self.assertIn("cannot stand in a job file of iorx", str(error))
            return
        for line in text.split("\n"):
            self.assertRegex(line, r"^(#.*|((TOGETHER|LOAD|IOR|MDTEST) (START|STOP)|RUN)( +#.*)?|    .*|)$")

    @SEARCH
    @given(strategies.lists(FIO_LINES, max_size=12))
    def test_job_files_of_fio(self, lines):
        self.translate(["fio", self.file("[x]\nsize=1m\n" + "\n".join(lines).encode("utf-8", "replace").decode())])

    @SEARCH
    @given(strategies.binary(max_size=60))
    def test_any_bytes(self, content):
        with open("any", "wb") as file:
            file.write(content)
        for name in (*command.HINTS, "darshan"):
            self.translate([name, "any"])

    @SEARCH
    @given(strategies.lists(strategies.one_of(joined(strategies.just("--"), FIO_KEYS, strategies.just("="), VALUES), VALUES), max_size=8))
    def test_command_lines_of_fio(self, words):
        self.translate(["fio", "--name=x", "--size=1m", *words])

    @SEARCH
    @given(strategies.lists(strategies.one_of(SWITCHES, VALUES), max_size=8))
    def test_command_lines_of_diskspd(self, words):
        self.translate(["diskspd", "-c1M", *words, "f"])

    @SEARCH
    @given(strategies.lists(COUNTERS, max_size=40), strategies.sampled_from(["0", "1", "4", "1000000"]))
    def test_counters_of_darshan(self, counters, tasks):
        lines = []
        for (module, prefix), rank, name, counter, way, value in counters:
            past = {"READ": "READ", "WRITE": "WRITTEN"}[way] if "BYTE" in counter else way
            lines.append(f"{module}\t{rank}\t{ord(name)}\t{prefix}{counter.format(past)}\t{value}\t/s/{name}\t/s\text4\n")
        self.translate(["darshan", self.file(f"# darshan log version: 3.41\n# nprocs: {tasks}\n" + "".join(lines), "log")])


if __name__ == "__main__":
    unittest.main()
