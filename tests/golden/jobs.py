"""The jobs whose texts are compared with those in expected/: one of each kind, as short as it can be.

A later command line of a job uses what the earlier ones left. Jobs end by counts and not by times, so that their
texts have the same lines on each machine.
"""

import dataclasses


@dataclasses.dataclass
class Job:
    name: str
    tasks: int
    lines: tuple  # options of iorx, one string for each command
    text: str = ""  # job file, which is job.ior
    backend: str = "posix"  # without which the job is skipped
    shows: tuple = ()  # files that it writes, whose text is compared too
    signal: int = 0  # sent to all tasks when the first phase of the last command is in the journal


DATA = "-b 256k -t 64k -o data"
NULL = "-a null -b 256k -t 64k"
TREE = "mdtest -d tree -n 6"
LOAD = "load -o load --file-size=256k --sizes=4k --operation-limit=40 --duration=0"
ITEMS = "load -o load --items=20 --operation-limit=60 --duration=0 --operations=create:40,stat:40,unlink:20"
ENDLESS = "load -o load --file-size=256k --think-time=200ms --duration=1m"
FAULT = "--fault.operation="

SET = """
TOGETHER START repetitions = 2{alone}
IOR START
    name = bulk, num_tasks = 2, testFile = bulk, blockSize = 128k, transferSize = 64k
RUN
IOR STOP
LOAD START
    name = users, num_tasks = 1, testFile = users, fileSize = 256k, sizes = 4k
    operations = "read:70, write:30", operationLimit = 40, duration = 0
RUN
LOAD STOP
TOGETHER STOP
"""

METADATA_SET = """
TOGETHER START
MDTEST START
    name = names, num_tasks = 1, dir = names, items = 6, filesOnly = 1
RUN
MDTEST STOP
LOAD START
    name = small, num_tasks = 1, testFile = small, items = 20, operationLimit = 40, duration = 0
    operations = "create:50, stat:30, unlink:20"
RUN
LOAD STOP
TOGETHER STOP
"""

TESTS = """
IOR START
    api = null, blockSize = 256k, transferSize = 64k
RUN
    transferSize = 32k, name = small
RUN
IOR STOP
MDTEST START
    api = null, items = 6
RUN
MDTEST STOP
"""

JOBS = (
    # data
    Job("data", 1, (DATA,)),
    Job("data-repeated", 3, (DATA + " -i 6 -C -e",)),
    Job("data-own-files", 2, (DATA + " -F -z -i 2 --warmup=1",)),
    Job("data-verbose", 2, (DATA + " -F -v -i 2",)),
    Job("data-kept", 2, (DATA + " -w -k", DATA + " -r")),
    Job("data-surplus-tasks", 3, (DATA + " -N 2",)),
    Job("data-stonewall", 2, (NULL + " -s 4 -w --stonewall=100",)),
    Job("data-queue", 1, (DATA + " -a libaio --queue-depth=4",), backend="libaio"),
    Job("data-mmap", 1, (DATA + " -a mmap",)),
    Job("data-mpiio", 2, (DATA + " -a mpiio -c",)),
    Job("data-hdf5", 2, (DATA + " -a hdf5",), backend="hdf5"),
    Job("data-pnetcdf", 2, (DATA + " -a pnetcdf",), backend="pnetcdf"),
    Job("data-compared", 2, (DATA + " -w -W -r -R",)),
    Job("data-damaged", 2, (DATA + f" -w -r -R {FAULT}write --fault.kind=corrupt --fault.tasks=1",)),
    Job("data-failed", 2, (DATA + f" -i 2 {FAULT}write --fault.tasks=1 --fault.error=EIO",)),
    Job("data-plan", 3, (DATA + " -F -C --show-plan",)),
    Job("data-dry", 2, (DATA + " --dry-run",)),
    Job("load-ended", 1, (ENDLESS,), signal=15),
    Job("load-killed", 1, (ENDLESS, "--finish=RESULT.jsonl"), signal=9),
    Job("data-csv", 2, (DATA + " -i 2 --output=RESULT.json,RESULT.csv",), shows=("RESULT.csv",)),
    Job("data-anonymized", 2, (DATA.replace("data", "./file") + " --anonymize",)),
    # tests, studies
    Job("tests", 2, ("-f job.ior",), text=TESTS),
    Job("study", 2, (NULL + " --tasks=1,2 -i 2",)),
    Job("study-of-two", 1, (NULL.replace("64k", "32k,64k") + " -s 1,2 -i 2",)),
    Job("study-in-other-form", 1, (NULL + " -t 16k,32k --format=mdtest",)),
    Job("study-quiet", 2, (NULL + " --tasks=1,2 --quiet",)),
    Job("quiet", 2, (NULL + " -i 2 --quiet",)),
    Job("study-of-names", 1, (TREE.replace("-n 6", "-n 4,6") + " -a null",)),
    # metadata
    Job("names", 2, (TREE,)),
    Job("names-files", 2, (TREE + " -F -u -i 2 -w 4k -e 4k",)),
    Job("names-directories", 1, (TREE + " -D -z 1 -b 2 -v",)),
    Job("names-found", 2, (TREE + " -F -C", "mdtest -d tree --find --find-name=*1", TREE + " -F -T -r")),
    Job("names-mixed", 2, (TREE + " -F -C -r --mix=stat:60,read:40 --mix-operations=20",)),
    Job("names-failed", 2, (TREE + f" -F {FAULT}stat --fault.error=EIO --fault.count=2",)),
    Job("names-plan", 2, (TREE + " -z 1 -b 2 --show-plan",)),
    # loads
    Job("load", 1, (LOAD, LOAD + " --cleanup")),
    Job("load-of-two", 2, (LOAD + " --operations=read:70,write:30 --files=2 -i 2",)),
    Job("load-found", 1, (DATA + " -F -w -k", LOAD.replace("-o load", "-o data --layout=missing"))),
    Job("load-rate", 1, (LOAD + " --rate=1000 --arrival=even",)),
    Job("load-items", 2, (ITEMS,)),
    Job("load-curve", 1, (LOAD + " --curve=200,400",)),
    Job("load-failed", 2, (LOAD + f" --operations=write:100 {FAULT}write --fault.after=10 --fault.tasks=1",)),
    Job("load-plan", 2, (LOAD + " --rate=100 --show-plan",)),
    # sets
    Job("set", 3, ("-f job.ior",), text=SET.format(alone="")),
    Job("set-alone", 3, ("-f job.ior",), text=SET.format(alone=", alone = 1")),
    Job("set-of-names", 2, ("-f job.ior",), text=METADATA_SET),
    # other programs' forms
    Job("ior-form", 2, (DATA + " -i 2 --format=ior",)),
    Job("ior-form-verbose", 2, (DATA + " -F -v --format=ior",)),
    Job("ior-form-failed", 2, (DATA + f" --format=ior {FAULT}write --fault.tasks=1",)),
    Job("ior-form-tests", 2, ("-f job.ior --format=ior",), text=TESTS[:TESTS.index("MDTEST")]),
    Job("ior-json", 2, (DATA + " -i 2 -O summaryFormat=JSON",)),
    Job("ior-csv", 2, (DATA + " -i 2 -O summaryFormat=CSV",)),
    Job("mdtest-form", 2, (TREE + " --format=mdtest",)),
    Job("mdtest-form-files", 2, (TREE + " -F -i 2 --format=mdtest-colon",)),
    # refusals
    Job("refused-key", 1, ("-f job.ior",), text="IOR START\ntrasferSize = 4k\nRUN\nIOR STOP\n"),
    Job("refused-value", 1, ("-b 100 -t 64k",)),
    Job("refused-folder", 1, ("-o missing/data",)),
    Job("refused-tasks", 2, (NULL + " --num-nodes=3",)),
)
