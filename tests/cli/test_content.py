"""What is written, as compressors, deduplicators and readers of the results see it."""

import collections
import os
import shutil
import struct
import subprocess
import unittest

import program
import stamps
from program import Case, is_built_in

MIB = 1 << 20
PIECE = 128 * 1024
COMPRESSORS = {name: command for name, command in
               (("lz4", ["lz4", "-q", "-m", "-f"]), ("zstd", ["zstd", "-q", "-f", "-3"]))
               if shutil.which(name)}


class ContentCase(Case):
    def write(self, *arguments, tasks=2, name="test"):
        """The file's bytes and what the results say of them."""
        outcome = self.run_iorx(["-w", "-k", "--replace", "-o", name, "-t", "256k", "-b", "1m", "-s",
                                 "2", *arguments], tasks)
        self.assert_exit(outcome, 0)
        return (program.read(os.path.join(self.folder, name), "rb"),
                outcome.document["tests"][0]["content"])

    def compressed(self, command, data, piece):
        """Bytes of each piece when it is compressed by itself."""
        folder = os.path.join(self.results, "pieces")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        names = []
        for at in range(0, len(data), piece):
            names.append(f"{at:012}")
            with open(os.path.join(folder, names[-1]), "wb") as file:
                file.write(data[at:at + piece])
        subprocess.run([*command, *names], cwd=folder, check=True, stdin=subprocess.DEVNULL)
        return [os.path.getsize(os.path.join(folder, name))
                for name in sorted(os.listdir(folder)) if "." in name]


@unittest.skipUnless(COMPRESSORS, "neither lz4 nor zstd is installed")
class Compressors(ContentCase):
    def test_find_nothing_in_128_kib(self):
        for kind in ("stamped", "random"):
            data, _ = self.write(f"--content={kind}")
            for name, command in COMPRESSORS.items():
                with self.subTest(kind=kind, compressor=name):
                    sizes = self.compressed(command, data, PIECE)
                    self.assertEqual(len(sizes), len(data) // PIECE)
                    self.assertGreaterEqual(min(sizes), PIECE)

    def test_find_what_they_shall(self):
        for kind in ("stamped", "random"):
            for percent in (20, 50, 75):
                data, content = self.write(f"--content={kind}", f"--content.compress={percent}%")
                self.assertEqual(content["compressible_share"], percent / 100)
                for name, command in COMPRESSORS.items():
                    for size in self.compressed(command, data, PIECE):
                        self.assertAlmostEqual(size / PIECE, 1 - percent / 100, delta=0.025,
                                               msg=f"{kind} {percent} {name}")

    @unittest.skipUnless("zstd" in COMPRESSORS, "zstd is not installed")
    def test_find_nothing_in_64_mib_of_random(self):
        data, _ = self.write("--content=random", "-b", "32m", "-s", "1", "-t", "1m")
        self.assertEqual(len(data), 64 * MIB)
        self.assertGreaterEqual(sum(self.compressed(COMPRESSORS["zstd"], data, len(data))),
                                len(data) / 1.001)


class Deduplicators(ContentCase):
    def test_find_each_block_so_often(self):
        for block in (4096, 8192):
            data, content = self.write("--content-dedup=3", f"--content-dedup-block={block}",
                                       "-b", "3m", "-s", "1")
            self.assertEqual(content["copies"], 3)
            found = collections.Counter(data[at:at + block] for at in range(0, len(data), block))
            self.assertEqual(set(found.values()), {3})

    def test_find_nothing_otherwise(self):
        outcome = self.run_iorx(["-w", "-k", "-F", "-m", "-i", "2", "-o", "test", "-b", "1m"], 2)
        self.assert_exit(outcome, 0)
        files = [program.read(os.path.join(self.folder, name), "rb")
                 for name in os.listdir(self.folder) if name.startswith("test.")]
        self.assertEqual(len(files), 4)
        blocks = [data[at:at + 512] for data in files for at in range(0, len(data), 512)]
        self.assertEqual(len(set(blocks)), len(blocks))


class Readers(ContentCase):
    def test_of_the_results_learn_the_seed(self):
        for kind in ("stamped", "random"):
            data, content = self.write(f"--content={kind}", "-G", "4711")
            self.assertEqual((content["kind"], content["seed"]), (kind, 4711))
            self.assertEqual({(stamp.seed, stamp.at - stamp.offset) for stamp in stamps.find(data)},
                             {(4711, 0)})
            self.assertEqual(data, self.write(f"--content={kind}", "-G", "4711", "-t", "64k",
                                              tasks=2)[0])

    def test_find_a_new_seed_in_each_run(self):
        seeds = {self.write()[1]["seed"] for _ in range(2)}
        self.assertEqual(len(seeds), 2)

    def test_find_the_words_of_ior(self):
        for options in (["-l", "t"], ["--dataPacketType=timestamp"], ["--semantics=ior"]):
            data, content = self.write(*options, "-G", "27")
            self.assertEqual((content["kind"], content["seed"]), ("ior", 27))
            words = struct.unpack(f"={len(data) // 8}Q", data)
            self.assertEqual(words, tuple((i * 8 // MIB % 2) << 32 | 27 + i % 32768
                                          for i in range(len(words))))

    def test_find_zeros(self):
        data, content = self.write("--content=zeros")
        self.assertEqual(content["kind"], "zeros")
        self.assertEqual(data, bytes(4 * MIB))

    def test_find_the_bytes_of_a_file(self):
        source = bytes(i * i % 251 for i in range(100001))
        with open(os.path.join(self.folder, "source"), "wb") as file:
            file.write(source)
        data, content = self.write("--content=file", "--content.file=source")
        self.assertEqual(content["kind"], "file")
        self.assertEqual(data, (source * (4 * MIB // len(source) + 1))[:4 * MIB])

    def test_find_the_same_through_a_queue_and_in_another_order(self):
        expected = self.write("-G", "5")[0]
        self.assertEqual(self.write("-G", "5", "-z", "-t", "4k")[0], expected)
        self.assertEqual(self.write("-G", "5", "-t", "32")[0][:65536], expected[:65536])
        if is_built_in("uring"):
            self.assertEqual(self.write("-G", "5", "-a", "uring", "--queue-depth=8", "-t", "16k")[0],
                             expected)


class Refused(ContentCase):
    def test_is_what_makes_no_sense(self):
        for options, words in (
                (["--content=zeros", "--content-compress=50%"], "content_compress: it is for"),
                (["--content=ior", "--content-dedup=2"], "content_dedup: it is for"),
                (["--content-dedup=2", "--content-dedup-block=1000"], "no multiple of 512"),
                (["--content=file"], "file needs content_file"),
                (["--content-file=x"], "it is used with content=file only"),
                (["--content=file", "--content-file=absent"], "absent cannot be used"),
                (["--content-compress=95%"], "content_compress")):
            with self.subTest(options):
                outcome = self.run_iorx(["-w", *options], 1)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, words)


if __name__ == "__main__":
    unittest.main()
