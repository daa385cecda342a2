"""The lines people run: from IOR's documentation, batch scripts, IO500 and acceptance tests, but smaller.

Each row: tasks, the line as it stands in a script, and the files and sizes it leaves. {X} is a folder
of the test. What is not there says so.
"""

import os
import re
import subprocess
import unittest

import program
from program import Case

LIST = subprocess.run([program.LAUNCH, "1", program.IORX, "--list-backends"], text=True,
                              capture_output=True, check=True).stdout

K, M = 1 << 10, 1 << 20


def each(name, tasks, size, start=0):
    """A file per task."""
    return {f"{name}.{task:08}": size for task in range(start, start + tasks)}


LINES = (
    # the tutorial and the user guide
    (4, "-t 1m -b 2m -s 4", {}),
    (4, "-t 1m -b 2m -s 4 -F", {}),
    (4, "-t 1m -b 2m -s 4 -F -C", {}),
    (4, "-t 1m -b 2m -s 4 -F -C -e", {}),
    (2, "-a POSIX -w -t 1m -b 2m -s 2 -F -C -e -k -o {X}/ior", each("ior", 2, 4 * M)),
    (2, "-a POSIX -r -t 1m -b 2m -s 2 -F -C -e -o {X}/ior", each("ior", 2, 4 * M)),
    (2, "-w -r -o {X}/ior_easy/file -t 256k -b 1m -k -E", None),
    (4, "-a MPIIO -c -t 256k -b 1m -s 4 -i 2", {}),
    (2, "-a MPIIO -w -k -o {X}/shared -t 64k -b 256k -s 2", {"shared": M}),
    (2, "-a MPIIO -r -c -o {X}/shared -t 64k -b 256k -s 2 -C", {"shared": M}),
    (2, "-a HDF5 -c -t 256k -b 1m -g", {}),
    (2, "-a NCMPI -t 256k -b 1m -w -r -W", {}),
    (1, "-a MMAP -t 1m -b 4m", {}),
    (2, "-a AIO --aio.max-pending=16 -t 64k -b 1m -F -w -r", {}),
    (2, "-a DUMMY -t 1m -b 1m -s 100 -v -v", {}),
    (2, "-a posix --posix.odirect -t 4k -b 64k -F", {}),
    (1, "-B -t 4k -b 64k -O useO_DIRECT=1", {}),
    # IO500: easy, hard and random
    (2, "-a POSIX -C -Q 1 -g -G 27 -k -e -o {X}/easy -t 2m -b 8m -F -w -D 300 -O "
        "stoneWallingStatusFile={X}/easy.stonewall -O stoneWallingWearOut=1",
     {**each("easy", 2, 8 * M), "easy.stonewall": 2}),
    (2, "-a POSIX -C -Q 1 -g -G 27 -k -e -o {X}/easy -t 2m -b 8m -F -r -R -D 300 -O "
        "stoneWallingStatusFile={X}/easy.stonewall,stoneWallingWearOut=0",
     {**each("easy", 2, 8 * M), "easy.stonewall": 2}),
    (3, "-a POSIX -C -Q 1 -g -G 27 -k -e -o {X}/hard -t 47008 -b 47008 -s 10 -w -D 300 -O "
        "stoneWallingStatusFile={X}/hard.stonewall -O stoneWallingWearOut=1",
     {"hard": 3 * 10 * 47008, "hard.stonewall": 3}),
    (3, "-a POSIX -C -Q 1 -g -G 27 -k -e -o {X}/hard -t 47008 -b 47008 -s 10 -r -R -D 300 -O "
        "stoneWallingStatusFile={X}/hard.stonewall",
     {"hard": 3 * 10 * 47008, "hard.stonewall": 3}),
    (2, "-a=POSIX -w -C -Q=1 -g -G=27 -k -e -o={X}/rnd -t=1m -b=1m -s=4 -D=300 -z=0",
     {"rnd": 8 * M}),
    (2, "-a=POSIX -Q=1 -g -G=27 -z --random-offset-seed=11 -e -o={X}/rnd -k -t=4k -b=1m -s=4 -r -R",
     {"rnd": 8 * M}),
    (2, "-a=POSIX -w -g -G=27 -k -o={X}/stamps -t=64k -b=1m --dataPacketType=timestamp",
     {"stamps": 2 * M}),
    (2, "-a=POSIX -r -R -g -G=27 -k -o={X}/stamps -t=64k -b=1m -l timestamp", {"stamps": 2 * M}),
    # sites and acceptance documents
    (2, "-v -a POSIX -i5 -g -t 64k -b 64k -s 16 -F -e -C", {}),
    (2, "-a MPIIO -i 3 -g -e -w -r -b 1m -t 256k -o {X}/nersc", {}),
    (2, "-F -C -Q 1 -t 4m -D 30 -b 8m -a POSIX -w -k -i 1 -o {X}/cscs", each("cscs", 2, 8 * M)),
    (2, "-vvv -wr -b 1m -t 1m -F -u -m -i 2 -k -o {X}/ufile",
     {f"{task}/ufile.{task:08}.{repetition}": M for task in (0, 1) for repetition in (0, 1)}),
    (3, "-N 2 -b 1m -t 512k -w -k -A 42 -d 0 -o {X}/two", {"two": 2 * M}),
    (2, "-w -r -W -R -b 1m -t 128k -Z -X 42 -g -j 10", {}),
    (2, "-w -r -ZZ -X -3 -i 2 -b 1m -t 128k -F -K -x -Y", {}),
    (2, "-w -k -l random -b 1m -t 128k -o {X}/l1", {"l1": 2 * M}),
    (2, "-w -r -R -l incompressible -b 1m -t 128k -T 1", {}),
    (2, "-w -r -R -W -l offset -b 1m -t 128k", {}),
    (2, "-w -b 1m -t 128k -M 20m -m -i 2 -k -o {X}/multi", {"multi.0": 2 * M, "multi.1": 2 * M}),
    (4, "-w -k -F -b 256k -t 128k -o {X}/a/f@{X}/b/f",
     {"a/f.00000000": 256 * K, "b/f.00000001": 256 * K, "a/f.00000002": 256 * K,
      "b/f.00000003": 256 * K}),
    (2, "-w -r -y -b 256k -t 128k -o {X}/a/g@{X}/a/g", {}),
    (2, "-w -r -b 256k -t 128k -O summaryFormat=JSON -O summaryFile={X}/s.json -O summaryAlways=1",
     {"s.json": None}),
    (1, "-a POSIX --dryRun -w -b 1t -t 1m -k -o {X}/never --force", {}),
    (2, "-a MPIIO -H -V -c -p -w -k -b 256k -t 128k -o {X}/view", {"view": 512 * K}),
    (2, "-a MPIIO -c -S -V -w -k -b 256k -t 128k -s 2 -o {X}/strided", {"strided": M}),
    (2, "-a HDF5 -c -I -J 4k -n -w -r -b 256k -t 128k -s 2", {}),
    (2, "-O api=POSIX,blockSize=256k,transferSize=128k,segmentCount=2,filePerProc=1,keepFile=1,"
        "writeFile=1,readFile=0,fsync=1,intraTestBarriers=1,testFile={X}/by_O",
     each("by_O", 2, 512 * K)),
    (1, "-w -k -z -t 4k -b 256k --randomPrefill=64k --random-offset-seed=3 -o {X}/pre",
     {"pre": 256 * K}),
    (2, "-w -k -t 4k -b 64k -O minTimeDuration=0,interIODelay=10,singleXferAttempt=1 -o {X}/slow",
     {"slow": 128 * K}),
    (2, "-a POSIX -N 64 -u -w -k -t 64k -b 64k -U hints -O useFileView=1 -o {X}/more", {"more": 128 * K}),
)

# What this version has not: exit code 2, one sentence, nothing touched.
REFUSED = (
    ("-a DFS -w", "there is no backend \"DFS\""),
    ("-a CEPHFS --cephfs.user=admin", "cephfs"),
    ("-a CEPHFS -w", "cephfs is not in this version"),
    ("-a POSIX -C -Z -w", "reorder_tasks_random: reorder_tasks (-C) shifts"),
    ("-t 3m -b 4m", "3MiB does not divide block_size 4MiB"),
    ("-c -w", "posix has no collective transfers"),
    ("-O lustreStripeCount=4", "lustreStripeCount: iorx does not set stripes"),
    ("--posix.lustre.stripecount=4", "lustre"),
    ("-O stoneWallingWearOut=1 -w", "wear_out: there is no stonewall"),
    ("-P -a MPIIO", "useSharedFilePointer"),
)


class Lines(Case):
    def sizes(self, folder):
        return {os.path.relpath(os.path.join(where, name), folder):
                os.path.getsize(os.path.join(where, name))
                for where, _, names in os.walk(folder) for name in names}

    def test_they_run_as_they_stand(self):
        folder = os.path.join(self.home, "X")
        for name in "a", "b", "ior_easy":
            os.makedirs(os.path.join(folder, name))
        for tasks, line, left in LINES:
            with self.subTest(line=line):
                api = re.search(r"-a[ =](MPIIO|HDF5|NCMPI|MMAP|AIO)", line)
                if api and re.search(rf" {api[1]} [^\n]*(?:\n .*)*not built", LIST):
                    self.skipTest(f"no {api[1]}")
                before = self.sizes(folder)
                outcome = self.run_iorx(line.format(X=folder).split(), tasks,
                                        output="summaryFile" not in line and "dryRun" not in line)
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.messages(), [])
                if left is None:
                    continue
                found = self.sizes(folder)
                for name, size in left.items():
                    self.assertIn(name, found)
                    self.assertIn(size, (None, found[name]), name)
                self.assertEqual(set(found) - set(before) - set(left), set())
                self.assertEqual(self.sizes(self.folder), {})

    def test_what_is_not_there_is_said(self):
        for line, text in REFUSED:
            with self.subTest(line=line):
                outcome = self.run_iorx(line.split(), 2)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)
                self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
